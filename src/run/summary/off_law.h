/* Finds arms whose draws differ from an exact distribution by a distance that
 * is too large to be due to chance. */
#pragma once

#include "run/arms/spec.h"
#include "warn/arm_facts.h"

/* Writes to out[most] the distances of an arm's draws that are too large to be
 * due to chance. Returns their number, which is at most `most`. `reported`: see
 * run/summary/warned.h. Returns 0 for a kernel that has its own temperature,
 * since the exact law of such a kernel differs from that of the target. */
size_t cs_off_law(cs_run *run, size_t arm, const cs_flat *reported,
                  cs_warn_distance *out, size_t most);

/* Returns true if distances to an exact law are known. */
bool cs_has_law(cs_run *run, size_t arm, const cs_flat *reported);

/* Returns the temperature of the kernel; 1: none. */
double cs_kernel_heat(const cs_kernel *kernel);
