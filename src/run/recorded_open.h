/* Opens a run of draws made elsewhere (run/draws/recorded.h). */
#pragma once

#include "run/draws/recorded.h"

/* Creates a run of arm[n] on the variables that all of them have, in the order
 * of the first; fails if they share none. `model` names it. All draws are kept
 * for the figures, as in a run that writes files. cs_run_limit sets how far an
 * arm goes; at first it stays at the start. [own, cs_run_destroy] */
cs_status cs_recorded_open(cs_run **out, const cs_recorded_arm *arm, size_t n,
                           const char *model, uint64_t seed, cs_error *err);
