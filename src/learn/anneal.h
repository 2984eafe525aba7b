/* Annealed importance sampling (Neal, Annealed importance sampling, 2001): log Z
 * of a model, from runs that begin at independent bits, whose sum is known, and
 * end at the model. E exp(log Z found) = Z, so that log Z is low on average and
 * a log likelihood by it high. */
#pragma once

#include "kernel/kernel.h"
#include "run/workers.h"
#include "target/target.h"

typedef struct cs_anneal_spec {
    const double *base;  /* [dim] log odds of the bits they begin at */
    size_t runs;         /* at least 2 */
    size_t temperatures; /* steps of each: inverse temperatures 1/T, 2/T, ... */
    uint64_t seed;
    cs_pool *pool; /* NULL: this thread alone */
} cs_anneal_spec;

typedef struct cs_annealed {
    double log_z; /* log of the mean weight, and log Z of f_0 */
    double error; /* standard error of it: sd(w) / (mean(w) sqrt(runs)) */
    double kish;  /* (sum w)^2 / sum w^2, of so many runs: where it is small the
                     error cannot be trusted */
    double mean_log; /* of the log weights, and log Z of f_0: below log Z */
} cs_annealed;

/* By the model's own path (cs_model_type), which it must have, on a target that
 * learns (cs_target_learner). */
cs_status cs_anneal_own(const cs_target *t, const cs_anneal_spec *spec,
                        cs_annealed *out, cs_error *err);

/* By a kernel that moves bits, on the path
 *
 *     log f_t(x) = (1 - t) base'x + t log_density(x),
 *
 * of any target of bits: its steps are made for the path's own target. */
cs_status cs_anneal_by(const cs_target *t, const cs_kernel *kernel,
                       const cs_anneal_spec *spec, cs_annealed *out,
                       cs_error *err);

/* What weights say. */
cs_annealed cs_anneal_sum(const double *log_weight, size_t n, double log_z0);
