/* Estimated acceptance ratios of one chain beside the true ones, while somebody
 * asks for them (chain/ratios.h). What that evaluates counts as observed. */
#pragma once

#include "chain/ratios.h"
#include "run/run.h"

/* Compares chain `chain` of an arm from the next step on, and no other one of it;
 * with `on` false none. Fails where its kernel estimates no ratio. */
cs_status cs_run_compare(cs_run *r, size_t arm, size_t chain, bool on,
                         cs_error *err);

/* to[CS_RATIOS]: those of the newest steps, the oldest first; returns how many. */
size_t cs_run_ratios(const cs_run *r, size_t arm, size_t chain, cs_ratio *to);
