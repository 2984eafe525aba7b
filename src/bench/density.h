/* The densities of case B12. Each density is written three times: in Lua to be
 * traced, in Lua with an explicit gradient, and in scalar C. The C code is what
 * one would write for a single chain. */
#pragma once

#include <stddef.h>

enum { CS_BENCH_DIM = 10 };

/* A density of x[CS_BENCH_DIM]. The Lua chunk returns two functions: the log
 * density of a list, and a function of (x, g) that also stores the gradient in
 * g. */
typedef struct cs_bench_density {
    const char *id, *title, *code;
    double (*by_hand)(const double *x, double *g);
    size_t times;        /* number of blocks of 16 chains per measurement */
    double must_lua;     /* required speed relative to the Lua callback */
    double must_by_hand; /* required speed relative to the C code */
} cs_bench_density;

enum { CS_BENCH_DENSITIES = 3 };
extern const cs_bench_density cs_bench_densities[CS_BENCH_DENSITIES];
