/* The models of case W2. Each model is written in plain Lua to be traced, and
 * in C with a gradient. The C code is what one would write for a single
 * chain. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* A model. The Lua chunk `code` returns its log density, a function of a list
 * of `dim` numbers. */
typedef struct cs_bench_model {
    const char *id, *title, *code;
    size_t dim;
    double (*by_hand)(const double *x, double *g);
    size_t times;           /* evaluations per measurement */
    void (*data)(FILE *to); /* writes the model's data as R assignments */
} cs_bench_model;

enum { CS_BENCH_MODELS = 4, CS_BENCH_MODEL_DIM = 503 /* largest dimension */ };
extern const cs_bench_model cs_bench_models[CS_BENCH_MODELS];

/* Writes "name <- c(...)", the form that R and JAGS read. */
void cs_bench_assign(FILE *to, const char *name, const double *x, size_t n);
