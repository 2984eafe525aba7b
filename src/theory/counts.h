/* Counts of a Poisson minibatch as an auxiliary variable: omega = (s_1 ... s_N),
 * s_i ~ Poisson(rate_i), independent. */
#pragma once

#include "theory/auxiliary.h"

#include <stddef.h>

enum { CS_COUNT_ROWS = 6 };

/* What of a row's counts is left out is less likely than this, below and
 * above. */
#define CS_COUNTS_LOST 1e-15

/* The first count of a Poisson number of this mean that is not left out, and
 * how many there are up to the last one. */
void cs_counts_window(double rate, size_t *low, size_t *n);

/* sum_s P(s) accept(exp(log_rho) Q(s) / P(s)), P of rates there[rows], Q of rates
 * back[rows], all positive. Metropolis': the sum over the row of most counts is
 * two distribution functions of the Poisson law, since the ratio is monotone in
 * its count, and the other rows are enumerated. */
double cs_counts_accept(const double *there, const double *back, size_t rows,
                        cs_aux_rule rule, double log_rho);

/* sum_i there_i log(there_i / back_i) + back_i - there_i (propositions 7, 9). */
double cs_counts_kl(const double *there, const double *back, size_t rows);

/* So many terms cs_counts_accept adds up; HUGE_VAL where it cannot, since a row has
 * too many counts. */
double cs_counts_terms(const double *there, const double *back, size_t rows,
                       cs_aux_rule rule);
