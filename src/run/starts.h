/* What a summary says of where chains began. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* The chains that a tuner brought to where others were, if any: a line. */
void cs_starts_words(const cs_run *r, size_t arm, cs_page *p);
