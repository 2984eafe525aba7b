/* Distances of an arm's draws from an exact distribution, where they are larger
 * than chance allows. */
#pragma once

#include "run/run.h"
#include "warn/facts.h"

/* out[most]; returns how many there are, at most `most`. `told` as in
 * run/warned.h. 0 for a kernel with a temperature of its own: the exact law is
 * then another. */
size_t cs_off_law(cs_run *run, size_t arm, const cs_flat *told,
                  cs_warn_distance *out, size_t most);

/* Whether distances from an exact law are known. */
bool cs_has_law(cs_run *run, size_t arm, const cs_flat *told);

/* The temperature that the kernel has of its own; 1: none. */
double cs_kernel_heat(const cs_kernel *kernel);
