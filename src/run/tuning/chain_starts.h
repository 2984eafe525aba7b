/* Describes the starts of chains in a summary. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Writes a line about the chains that a tuner moved to the states of other
 * chains. Writes nothing if no chain was moved. */
void cs_starts_words(const cs_run *r, size_t arm, cs_page *p);
