/* A run of draws that were made elsewhere (run/draws/recorded.h). */
#pragma once

#include "run/draws/recorded.h"

/* A run of arm[n] on the variables that all of them have, in the order of the
 * first; fails where they share none. `model` names it. All draws are kept for
 * the figures, as where a run writes files. An arm goes no farther than is said
 * by cs_run_limit: nowhere at first. [own, cs_run_destroy] */
cs_status cs_recorded_open(cs_run **out, const cs_recorded_arm *arm, size_t n,
                           const char *model, uint64_t seed, cs_error *err);
