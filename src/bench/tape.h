/* B12: log densities written in Lua, traced, beside the same called as Lua
 * and the same written by hand in C. */
#ifndef CS_BENCH_TAPE_H
#define CS_BENCH_TAPE_H

#include "bench/cases.h"

/* Measures and prints the rows of B12 that the plan wants. */
cs_status cs_bench_tape(const cs_bench_plan *plan, cs_error *err);

#endif
