/* Annealed importance sampling (Neal, Annealed importance sampling, 2001):
 * estimates log Z of a model from runs that start at a distribution f_0 of
 * independent bits and end at the model. The sum of f_0 is known. Since E
 * exp(estimated log Z) = Z, the estimate of log Z is too low on average, and a
 * log likelihood that is computed from it is too high. */
#pragma once

#include "kernel/kernel.h"
#include "run/arms/workers.h"
#include "target/target.h"

typedef struct cs_anneal_spec {
    const double *base;  /* [dim] log odds of the bits at which the runs
                            start */
    size_t runs;         /* number of annealing runs, at least 2 */
    size_t temperatures; /* number of steps per run, at inverse temperatures
                            1/T, 2/T, ..., 1, where T is this number */
    uint64_t seed;
    cs_pool *pool; /* threads to use; NULL: only this thread */
} cs_anneal_spec;

typedef struct cs_annealed {
    double log_z;    /* log of the mean weight plus log Z of f_0 */
    double error;    /* standard error of log_z: sd(w) / (mean(w) sqrt(runs)) */
    double kish;     /* effective sample size of the weights (Kish): (sum w)^2 /
                     sum w^2. If it is far below `runs`, `error` is
                     unreliable. */
    double mean_log; /* mean of the log weights, plus log Z of f_0; on average
                      * this is below log Z */
} cs_annealed;

/* Estimates log Z by the model's own path, which must exist (see
 * cs_model_type). t must be a target that learns (cs_target_learner). */
cs_status cs_anneal_own(const cs_target *t, const cs_anneal_spec *spec,
                        cs_annealed *out, cs_error *err);

/* Estimates log Z for any target of bits, by a kernel for bits, on the path
 *
 *     log f_t(x) = (1 - t) base'x + t log_density(x).
 *
 * The kernel runs on a separate target, created for this path. */
cs_status cs_anneal_by(const cs_target *t, const cs_kernel *kernel,
                       const cs_anneal_spec *spec, cs_annealed *out,
                       cs_error *err);

/* Computes the estimate from log_weight[n] and the log of the sum of f_0. */
cs_annealed cs_anneal_sum(const double *log_weight, size_t n, double log_z0);
