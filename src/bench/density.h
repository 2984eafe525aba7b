/* The densities of B12: as Lua to be traced, as Lua with its gradient written
 * by hand, and as the scalar C that one writes for one chain. */
#pragma once

#include <stddef.h>

enum { CS_BENCH_DIM = 10 };

/* One density of x[CS_BENCH_DIM]. The Lua chunk returns two functions: the
 * log density of a list, and (x, g) with its gradient put into g. */
typedef struct cs_bench_density {
    const char *id, *title, *code;
    double (*by_hand)(const double *x, double *g);
    size_t times;        /* blocks of 16 chains in one measurement */
    double must_lua;     /* times as fast as the Lua callback */
    double must_by_hand; /* and as the C */
} cs_bench_density;

enum { CS_BENCH_DENSITIES = 3 };
extern const cs_bench_density cs_bench_densities[CS_BENCH_DENSITIES];
