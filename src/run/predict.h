/* Predictions for held-out data. */
#pragma once

#include "run/run.h"

/* Computes the weighted mean prediction from the kept draws first .. last - 1
 * of a chain. All numbers are NAN if the target predicts nothing or if there
 * are no such draws. Returns CS_UNSUPPORTED if the draws do not contain the
 * states, CS_NUMERIC if a log weight is not a number, or CS_MEMORY. */
cs_status cs_run_predict(const cs_run *r, size_t arm, size_t chain,
                         size_t first, size_t last, cs_held_out *out,
                         cs_error *err);

/* Writes the mean prediction from the present states of all chains to out[0].
 * Writes the mean prediction without group g of the chains to out[1 + g].
 * Chains that move together are in one group. Returns false if the target
 * predicts nothing or if memory runs out. */
bool cs_run_held_out(cs_run *r, size_t arm, size_t groups, cs_held_out *out);
