/* Distribution of the chains of a run over parts and ranks. */
#pragma once

#include "run/arms/spec.h"

/* Call before the blocks are created: finds the chains of this process, and why
 * arms, or the whole run, cannot be divided. Rejects a budget that parts would
 * not end at the same step. */
cs_status cs_share_out(cs_run *r, const cs_run_spec *spec, cs_error *err);
