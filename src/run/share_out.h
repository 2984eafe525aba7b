/* Distributes the chains of a run over parts and ranks. */
#pragma once

#include "run/arms/spec.h"

/* Finds the chains of this process, and the reasons why an arm or the whole run
 * cannot be divided. Rejects a budget that would end parts at different steps.
 * Call it before the blocks are created. */
cs_status cs_share_out(cs_run *r, const cs_run_spec *spec, cs_error *err);
