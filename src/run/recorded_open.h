/* Opens a run whose draws are read from files of another process
 * (run/draws/recorded.h). */
#pragma once

#include "run/draws/recorded.h"

/* Creates a run with n arms on the variables that all arms have, in the order
 * of the first arm. Fails if no variable is common to all arms. `model` is the
 * target's name. All draws are kept for the figures, as in a run that writes
 * files. No arm advances until cs_run_limit is called. [own, cs_run_destroy] */
cs_status cs_recorded_open(cs_run **out, const cs_recorded_arm *arm, size_t n,
                           const char *model, uint64_t seed, cs_error *err);
