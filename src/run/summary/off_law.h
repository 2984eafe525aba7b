/* Distances of an arm's draws from an exact distribution that are larger than
 * chance allows. */
#pragma once

#include "run/arms/spec.h"
#include "warn/arm_facts.h"

/* Fills out[most] and returns the number of distances, at most `most`. `told`
 * as in run/summary/warned.h. 0 for a kernel with its own temperature, whose
 * exact law differs. */
size_t cs_off_law(cs_run *run, size_t arm, const cs_flat *reported,
                  cs_warn_distance *out, size_t most);

/* True if distances from an exact law are known. */
bool cs_has_law(cs_run *run, size_t arm, const cs_flat *reported);

/* Returns the kernel's own temperature; 1: none. */
double cs_kernel_heat(const cs_kernel *kernel);
