/* Describes the bins of an arm. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Write a line for the summary of an arm, or the JSON field ", \"bins\":
 * {...}". The field has one list for each of these columns that is known: low,
 * high, weight, spread, truth, multiplier, visits, learning. Write nothing if
 * the kernel has no bins. */
void cs_bins_text(cs_run *run, size_t arm, cs_page *p);
void cs_bins_json(cs_run *run, size_t arm, cs_page *p);
