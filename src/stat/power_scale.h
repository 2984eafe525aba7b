/* Sensitivity of a posterior to the power of its prior or its likelihood.
 *
 * Kallioinen, Paananen, Bürkner and Vehtari, "Detecting and diagnosing prior
 * and likelihood sensitivity with power-scaling" (2023). The posterior with the
 * component c(theta) raised to the power alpha is represented by the same draws
 * with importance weights c^(alpha - 1), smoothed by PSIS. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Above this sensitivity a quantity depends on the component (the paper's
 * threshold). */
#define CS_SENSITIVE 0.05
/* Default power: the component is raised to 1 / alpha and to alpha, close to
 * the derivative at 1. */
#define CS_POWER 1.01

/* Sets w[n] to normalised weights of the draws for the component with logs
 * log_c[n] raised to the power alpha, and *k to the Pareto shape of the
 * weights, as cs_psis does. Returns false if memory is short. */
bool cs_power_weights(const double *log_c, size_t n, double alpha, double *w,
                      double *k);

/* Returns the cumulative Jensen-Shannon distance between the draws x[n] and the
 * same draws with the normalised weights w[n]:
 *   sqrt((D(P, Q) + D(Q, P)) / int (P + Q)),
 *   D(P, Q) = int P log2(2 P / (P + Q)) + (1 / (2 log 2)) int (Q - P),
 * where P and Q are the empirical distribution functions. The larger of the
 * distances for x and -x is returned. 0 if all draws are equal; NAN if a draw
 * is not finite or memory is short. */
double cs_cumulative_distance(const double *x, const double *w, size_t n);

/* Returns the sensitivity from the distances at the powers 1 / alpha and alpha:
 * their mean, divided by log2(alpha). */
double cs_power_sensitivity(double low, double high, double alpha);

/* Returns the verdict for the sensitivities to the prior and to the
 * likelihood: "prior-data conflict", "strong prior or weak likelihood", or "-"
 * if the prior has no influence; "unknown" if a value is NAN. */
const char *cs_power_verdict(double prior, double likelihood);
