/* The exact distribution of one number of the state, or of the energy -log p.
 * It is computed from the first of these sources that is available: the
 * target's own distribution function; the sum over all states or over a grid
 * (target/enumeration.h); a sample of exact draws. */
#pragma once

#include "target/enumeration.h"

enum { CS_MARGINAL_DRAWS = 8192 };

/* Computes cuts of coordinate i, ascending, and below[] = P(x_i <= cut). The
 * cuts are the quantiles at multiples of 1 / (most + 1), or all inner borders
 * of cells if there are only a few cells. Returns the number of cuts, at most
 * `most`. Returns 0 if exact draws are the only source of the distribution, or
 * if memory ran out (*s is CS_MEMORY). */
size_t cs_marginal_cuts(const cs_target *t, size_t i, size_t most, double *cut,
                        double *below, cs_status *s);

/* A distribution function as a table. */
typedef struct cs_marginal {
    size_t n;
    double *cut, *below; /* [n] cuts, and P(X <= cut) [own cs_free(cut)] */
    double mean;         /* mean of the distribution; NAN: not known */
    bool steps;          /* true: the distribution function rises only at the
                            cuts; false: it is linear between cuts */
    size_t draws;        /* number of exact draws in the table; 0: the table is
                            exact */
    const char *from;    /* name of the source, a constant string; NULL: the
                            distribution is not known */
} cs_marginal;

/* Computes the distribution of a scalar. Scalar 0 is the energy, and scalar i +
 * 1 is coordinate i. Call this function on the thread that owns the target. It
 * is not available for generated quantities. */
cs_marginal cs_marginal_of(const cs_target *t, size_t scalar);

/* Returns P(X <= x) according to the table. */
double cs_marginal_below(const cs_marginal *m, double x);

/* Returns the smallest cut x with P(X <= x) at least p. */
double cs_marginal_quantile(const cs_marginal *m, double p);
