/* Predictions of chains for held-out data. */
#pragma once

#include "run/run.h"

/* Computes the weighted mean prediction of a chain's kept draws first .. last -
 * 1. All NAN if the target predicts nothing or there are no such draws.
 * CS_UNSUPPORTED if the draws do not contain the states, CS_NUMERIC if a log
 * weight is not a number, CS_MEMORY. */
cs_status cs_run_predict(const cs_run *r, size_t arm, size_t chain,
                         size_t first, size_t last, cs_held_out *out,
                         cs_error *err);

/* Computes the mean prediction of the chains' present states, and without each
 * group in turn: out[1 + groups]; chains that belong together stay together.
 * False: the target predicts nothing, or out of memory. */
bool cs_run_held_out(cs_run *r, size_t arm, size_t groups, cs_held_out *out);
