/* Changes of means under a kernel, from independent draws of its target.
 *
 * A chain that starts at x ~ p moves to y. If p is stationary, f(y) - f(x) has
 * mean 0 for every f, and its standard error is small because x and y are
 * paired. The functions f are: each standardised coordinate, truncated at three
 * standard deviations; its square; and log p. They are bounded, so that the
 * mean of many values is approximately normal.
 *
 * Suppose the kernel has a stationary distribution p' whose sd differs from
 * that of p by a fraction d. Let f' be the derivative of f with respect to this
 * fraction, and rho the correlation of f(x) and f(y). Then the move changes the
 * mean of f by d f' (1 - rho). The standard error therefore determines which d
 * would have been detected. */
#pragma once

#include "check/origin.h"

enum { CS_SHIFT_COORDINATES = 16, CS_SHIFT_ROWS = 2 * 16 + 1 };

typedef struct cs_shift_row {
    double sum, squares; /* weighted differences. sum: sum over all pairs;
                          * squares: for each group its sum is squared, and the
                          * squares are added */
    double group;        /* sum of the current group */
    double moved;        /* weighted sum of squared differences */
    double mean, spread; /* mean: weighted sum of f(x); spread: weighted sum of
                          * f(x)^2 */
    double slope;        /* weighted sum of the derivatives f' */
    size_t n;            /* number of differences that are not 0 */
} cs_shift_row;

typedef struct cs_shift {
    const cs_target *t;
    size_t coordinates, rows;
    double centre[CS_SHIFT_COORDINATES + 1], scale[CS_SHIFT_COORDINATES + 1];
    double weight; /* sum of the weights of all pairs */
    bool grouped;  /* true: chains of one group depend on each other */
    cs_shift_row row[CS_SHIFT_ROWS];
} cs_shift;

/* Computes centres and scales from draws of the target; stops early when the
 * clock reaches `until`. Returns false if memory is exhausted. */
bool cs_shift_open(cs_shift *s, cs_origin *o, bool grouped, double until);
/* Resets all sums to 0. */
void cs_shift_clear(cs_shift *s);

/* Adds a pair of states, the start x and the end y of a chain, to the sums.
 * `logp` is log p of x, and v is log p of y. */
void cs_shift_note(cs_shift *s, const double *x, double logp, const double *y,
                   double v, double weight);
/* Ends a group of pairs. Call after the last pair of the group. */
void cs_shift_end_group(cs_shift *s);

/* Returns the smallest p-value over all functions f, multiplied by the number
 * of these functions. */
double cs_shift_p(const cs_shift *s, cs_distance *worst);

/* Returns an error that would have been detected with probability
 * CS_CHECK_POWER, in standard deviations. The mean and the standard deviation
 * of each coordinate have a smallest detectable error; the result is the
 * largest of these errors. */
double cs_shift_error(const cs_shift *s);
