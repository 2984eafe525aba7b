/* The six models of W3d, whose parameters are discrete and real: as scenarios in
 * Lua, and as programs of JAGS with the same data. */
#pragma once

#include <stddef.h>

typedef struct cs_bench_mixed {
    const char *id, *title;
    const char *lua;  /* a chunk that returns a target and a kernel */
    const char *jags; /* model, with data that it computes */
    const char *data; /* data, as R assignments */
    const char *start;
    const char *monitors;     /* quantities that JAGS writes */
    const char *quantities;   /* compared parameters, separated by blanks; a
                             * vector means all its elements */
    size_t draws, jags_draws; /* draws of the short run; a third of those of the
                               * long run */
} cs_bench_mixed;

enum { CS_BENCH_MIXED = 6 };
extern const cs_bench_mixed cs_bench_mixed_models[CS_BENCH_MIXED];
