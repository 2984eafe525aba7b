/* How one number of the state is distributed exactly, or the energy -log p. By
 * what there is: the target's own distribution function; the sum over all states
 * or over a grid (target/enumeration.h); a number of exact draws. */
#pragma once

#include "target/enumeration.h"

enum { CS_MARGINAL_DRAWS = 8192 };

/* Cuts in coordinate i, ascending, and below[] = P(x_i <= cut): at the 1 / (most
 * + 1) quantiles, or at all inner borders of so few values. Returns how many, most
 * at most; 0: not known but by exact draws, or *s is CS_MEMORY. */
size_t cs_marginal_cuts(const cs_target *t, size_t i, size_t most, double *cut,
                        double *below, cs_status *s);

/* A distribution function as a table. */
typedef struct cs_marginal {
    size_t n;
    double *cut, *below; /* [n] [own cs_free(cut)] */
    double mean;         /* NAN: not known */
    bool steps;          /* it rises at the cuts alone, else evenly between */
    size_t draws;        /* that it was made of, 0: it is exact */
    const char *from;    /* where it comes from, a constant; NULL: not known */
} cs_marginal;

/* Of scalar 0, the energy, or of coordinate scalar - 1. On the thread that owns
 * the target. Of outputs nothing is known. */
cs_marginal cs_marginal_of(const cs_target *t, size_t scalar);

/* P(X <= x). */
double cs_marginal_below(const cs_marginal *m, double x);

/* The least cut below which p is, or more. */
double cs_marginal_quantile(const cs_marginal *m, double p);
