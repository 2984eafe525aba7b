/* The bins of an arm in words. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* A line of the summary of an arm; ", \"bins\": {...}" with a list of each of low,
 * high, weight, spread, truth, multiplier, visits, learning that is known.
 * Nothing where its kernel has no bins. */
void cs_bins_text(cs_run *run, size_t arm, cs_page *p);
void cs_bins_json(cs_run *run, size_t arm, cs_page *p);
