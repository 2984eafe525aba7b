/* Descriptions of the bins of an arm. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Writes a line for the summary of an arm; the JSON version writes ", \"bins\":
 * {...}" with a list for each known one of low, high, weight, spread, truth,
 * multiplier, visits, learning. Nothing if its kernel has no bins. */
void cs_bins_text(cs_run *run, size_t arm, cs_page *p);
void cs_bins_json(cs_run *run, size_t arm, cs_page *p);
