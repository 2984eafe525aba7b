/* Pareto smoothed importance sampling and leave-one-out predictive densities.
 *
 * Vehtari, Simpson, Gelman, Yao and Gabry, "Pareto smoothed importance
 * sampling" (2024); Vehtari, Gelman and Gabry, "Practical Bayesian model
 * evaluation using leave-one-out cross-validation and WAIC" (2017); the fit of
 * Zhang and Stephens, "A new and efficient estimation method for the
 * generalized Pareto distribution" (2009), with the prior of R's package loo. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

/* Fits a generalised Pareto distribution to x[n] > 0 in ascending order, n at
 * least 5. Sets the shape *k, which is drawn towards 1/2 by ten observations,
 * and the scale *sigma. scratch[30 + sqrt(n)] is scratch memory. *k is HUGE_VAL
 * if there is no fit. */
void cs_pareto_fit(const double *x, size_t n, double *scratch, double *k,
                   double *sigma);

/* Replaces the largest of the log weights lw[n] by expected order statistics of
 * the fitted tail. The largest log weight is then 0. `relative` is the relative
 * efficiency of the draws: their ESS per draw. Returns the shape k of the tail:
 * above cs_psis_reliable the weights are unreliable; HUGE_VAL: the tail has fewer
 * than five draws or cannot be fitted; NAN: all weights are equal, so that they
 * have no tail and need no smoothing. Returns false if memory is short. */
bool cs_psis(double *lw, size_t n, double relative, double *k);

/* Returns the largest shape with which S draws give a reliable mean: min(1 - 1 /
 * log10(S), 0.7), which is 0.7 from about 2200 draws on (Vehtari and others
 * 2024). */
double cs_psis_reliable(double draws);

/* The results for one observation. */
typedef struct cs_loo {
    double elpd;      /* log p(y_i | y without y_i), by PSIS */
    double k;         /* Pareto shape; NAN: log p(y_i | theta) is constant, and
                         elpd is exact */
    double lpd;       /* log of the mean of p(y_i | theta) */
    double waic;      /* lpd minus the variance of log p(y_i | theta) */
    double error;     /* Monte Carlo standard error of elpd */
    double lpd_error; /* Monte Carlo standard error of lpd */
    double reliable;  /* largest reliable shape, cs_psis_reliable */
} cs_loo;

/* Computes the results for the log likelihoods d of one observation. All are
 * NAN if a draw is NAN or infinity. If it is -infinity, elpd and waic are
 * -infinity and k is HUGE_VAL; lpd and its error are as usual. Returns false if
 * memory is short. */
bool cs_loo_of(cs_draws d, cs_loo *out);

/* Finds the weights w[models] of a mixture of predictive densities that
 * maximise the sum over i of log sum_k w_k exp(elpd[k][n]) (stacking; Yao,
 * Vehtari, Simpson and Gelman 2018), by the EM algorithm, models at most
 * CS_STACKED. Returns false if memory is short. If the work is cancelled, w is
 * not the maximum. */
enum { CS_STACKED = 32 };
bool cs_stacking(const double *elpd, size_t models, size_t n, double *w);
