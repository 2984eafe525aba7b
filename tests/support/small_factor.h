/* A small target with an intractable factor. The data are four spins +-1 on a
 * ring,
 *
 *
 *     p(y | x) = exp(x S(y) + 0.3 sum_i y_i) / Z(x),  S(y) = sum_i y_i y_{i+1},
 *
 * with the prior N(0, 1) for x and the observed data + + - +. Z is a sum over
 * 16 states, so log p is known. Data are simulated by inverting their
 * distribution function. small_factor_unknown is the same target without log
 * p. */
#pragma once

#include "target/target.h"

enum { SMALL_FACTOR_SPINS = 4, SMALL_FACTOR_STATES = 16 };

extern const cs_target_type small_factor, small_factor_unknown;

/* Returns log f(x, y) of state y < SMALL_FACTOR_STATES. Bit i of y is spin
 * i. */
double small_factor_log_f(double x, size_t y);
double small_factor_log_z(double x);
/* Returns the log prior plus log f for the observed data. */
double small_factor_known(double x);
/* Returns log p. */
double small_factor_logp(double x);
/* Computes P(y' | y) for one sweep at x over the sites 0 to 3 and then 3 to
 * 0. */
void small_factor_sweep(double x,
                        double p[SMALL_FACTOR_STATES][SMALL_FACTOR_STATES]);

/* The observed data as a state number; row i of the data is spin i. */
extern const size_t small_factor_observed;
size_t small_factor_state(const double *data, size_t stride);
