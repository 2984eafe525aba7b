/* The models of W2: as plain Lua to be traced, and the gradient that one writes
 * by hand for one chain. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* The Lua chunk returns the log density of a list of `dim` numbers. */
typedef struct cs_bench_model {
    const char *id, *title, *code;
    size_t dim;
    double (*by_hand)(const double *x, double *g);
    size_t times;           /* evaluations in one measurement */
    void (*data)(FILE *to); /* what it was given, as assignments of R */
} cs_bench_model;

enum { CS_BENCH_MODELS = 4, CS_BENCH_MODEL_DIM = 503 /* the most */ };
extern const cs_bench_model cs_bench_models[CS_BENCH_MODELS];

/* name <- c(...), as R reads it and JAGS. */
void cs_bench_assign(FILE *to, const char *name, const double *x, size_t n);
