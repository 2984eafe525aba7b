/* What chains predict of data that were held out. */
#pragma once

#include "run/run.h"

/* What the mean of a chain's kept draws first .. last - 1 predicts, by their
 * weights. All NAN where the target predicts nothing or there are no such draws;
 * CS_UNSUPPORTED where the draws do not hold the states, CS_NUMERIC where a log
 * weight is not a number, CS_MEMORY. */
cs_status cs_run_predict(const cs_run *r, size_t arm, size_t chain,
                         size_t first, size_t last, cs_held_out *out,
                         cs_error *err);

/* What the mean of the chains' present states predicts, and without each of the
 * groups in turn: out[1 + groups]; chains that belong together stay together.
 * False: the target predicts nothing, or there is no memory. */
bool cs_run_held_out(cs_run *r, size_t arm, size_t groups, cs_held_out *out);
