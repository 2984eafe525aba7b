/* Estimated acceptance ratios of one chain with the true ones, while requested
 * (chain/ratios.h). The evaluations count as observed. */
#pragma once

#include "chain/ratios.h"
#include "run/arms/spec.h"

/* Compares chain `chain` of an arm, and no other chain of it, from the next
 * step; with `on` false none. Fails if its kernel does not estimate ratios. */
cs_status cs_run_compare(cs_run *r, size_t arm, size_t chain, bool on,
                         cs_error *err);

/* Copies those of the newest steps to to[CS_RATIOS], the oldest first; returns
 * their number. */
size_t cs_run_ratios(const cs_run *r, size_t arm, size_t chain, cs_ratio *to);
