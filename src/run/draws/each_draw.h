/* Quantiles of the diagnosed draws (run/draws/diagnosed.h), and the draws
 * themselves. These functions must not be called while the run advances. */
#pragma once

#include "run/arms/spec.h"
#include "run/draws/sample.h"

/* Returns quantile p of a scalar (0: log p, then the coordinates) for a sample
 * of the chains; if `sample` is NULL, for all chains. Returns NAN if the scalar
 * has no draws, or if memory runs out. */
double cs_run_quantile(cs_run *r, size_t arm, size_t scalar,
                       const cs_run_sample *sample, double p);

/* The draws of neighbouring scalars of the chains that did not fail. */
typedef struct cs_scalar_draws {
    double *x; /* [scalars][chains][n] [own] */
    size_t n, chains;
} cs_scalar_draws;

/* Copies the draws of `scalars` scalars from number `scalar` (0: log p, then the
 * quantities) for a sample of the chains (NULL: all chains), if the draws are
 * unweighted. Neighbouring scalars share cache lines and pages, so copying 32
 * takes little longer than copying one. Fails if the arm has no such draws. */
cs_status cs_run_scalar_draws(cs_run *r, size_t arm, size_t scalar,
                              size_t scalars, const cs_run_sample *sample,
                              cs_scalar_draws *out, cs_error *err);

/* Receives a draw: x[0] is log p, x[1 + i] is quantity i. `chain` is the number
 * of the chain, from 0. The weights of a chain have the mean 1. Returns false
 * to stop. */
typedef bool cs_draw_visit(void *self, size_t chain, double weight,
                           const double *x);

/* Calls `visit` for the draws of all chains that did not fail, one chain after
 * the other, and sets *quantities to the number of quantities. Returns
 * CS_UNSUPPORTED if the arm has no draws, and CS_MEMORY. */
cs_status cs_run_each_draw(cs_run *r, size_t arm, cs_draw_visit *visit,
                           void *self, size_t *quantities, cs_error *err);
