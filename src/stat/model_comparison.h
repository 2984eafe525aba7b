/* Sums of leave-one-out results over observations, and the comparison of
 * models by them.
 *
 * Vehtari, Gelman and Gabry, "Practical Bayesian model evaluation using
 * leave-one-out cross-validation and WAIC" (2017), section 5. */
#pragma once

#include "stat/psis.h"

/* Sums over the observations of a model. A standard error is that of a sum of n
 * independent terms, sqrt(n var); NAN for one observation. */
typedef struct cs_loo_sum {
    double elpd, elpd_error; /* leave-one-out log predictive density */
    double p, p_error;       /* effective number of parameters, lpd - elpd */
    double waic, waic_error; /* elpd as estimated by WAIC */
    double p_waic;
    double worst;    /* largest Pareto shape; NAN: none is defined */
    double reliable; /* largest reliable shape, of any observation */
    size_t bad;      /* observations whose shape is not reliable */
} cs_loo_sum;

cs_loo_sum cs_loo_total(const cs_loo *point, size_t n);

/* The place of a model in a comparison. */
typedef struct cs_model_rank {
    size_t model;             /* number of the model, from 0 */
    double elpd;              /* sum over the observations */
    double difference, error; /* elpd minus that of the best model, and the
                               * standard error from the differences of the
                               * observations; 0 for the best model */
    double weight;            /* stacking weight */
} cs_model_rank;

/* Ranks models by the sums of elpd[models][n], models at most CS_STACKED, the
 * best first; models with equal sums keep their order. Returns false if memory
 * is short. */
bool cs_models_rank(const double *elpd, size_t models, size_t n,
                    cs_model_rank *out);

/* Returns the standard error of the sum of the differences x[n] - y[n]. */
double cs_error_of_sum(const double *x, const double *y, size_t n);
