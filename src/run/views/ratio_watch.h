/* Compares estimated acceptance ratios with the true ratios for one chain on
 * request (chain/ratios.h). The evaluations are counted in `observed`, not as
 * work. */
#pragma once

#include "chain/ratios.h"
#include "run/arms/spec.h"

/* From the next step on, compares the ratios of this chain, and of no other
 * chain of the arm. If `on` is false, ends all comparisons in the arm. Fails if
 * the kernel does not estimate ratios. */
cs_status cs_run_compare(cs_run *r, size_t arm, size_t chain, bool on,
                         cs_error *err);

/* Copies the ratios of the newest steps to to[CS_RATIOS], the oldest first.
 * Returns the number of ratios. */
size_t cs_run_ratios(const cs_run *r, size_t arm, size_t chain, cs_ratio *to);
