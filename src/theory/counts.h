/* Counts of a Poisson minibatch as an auxiliary variable: omega = (s_1 ... s_N)
 * with independent s_i ~ Poisson(rate_i). */
#pragma once

#include "theory/auxiliary.h"

#include <stddef.h>

enum { CS_COUNT_ROWS = 6 };

/* Limit for leaving out a count. A count is left out if the total probability
 * of this and all smaller counts is below the limit. A count is also left out
 * if the total probability of this and all larger counts is below the limit. */
#define CS_COUNTS_LOST 1e-15

/* Sets *n to the number of Poisson counts for this mean that are not left out,
 * and *low to the smallest of these counts. */
void cs_counts_window(double rate, size_t *low, size_t *n);

/* Returns sum_s P(s) accept(exp(log_rho) Q(s) / P(s)), where P has rates
 * there[rows] and Q has rates back[rows], all positive. For the Metropolis rule
 * the ratio is monotone in the count of a row. The sum over the counts of the
 * row with the most counts then follows from two Poisson distribution
 * functions. The counts of the other rows are enumerated. */
double cs_counts_accept(const double *there, const double *back, size_t rows,
                        cs_aux_rule rule, double log_rho);

/* Returns sum_i there_i log(there_i / back_i) + back_i - there_i (propositions
 * 7, 9). */
double cs_counts_kl(const double *there, const double *back, size_t rows);

/* Returns the number of terms that cs_counts_accept adds up. Returns HUGE_VAL
 * if a row has too many counts for cs_counts_accept. */
double cs_counts_terms(const double *there, const double *back, size_t rows,
                       cs_aux_rule rule);
