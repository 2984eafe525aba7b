/* The kept draws of an arm in order, coordinate by coordinate, for the distance
 * of Kolmogorov and Smirnov of its chains, or of any sample of them, from what
 * is exactly true or from the draws of another arm. Cold. */
#pragma once

#include "run/run.h"

enum { CS_SORTED_DRAWS = 1 << 15 }; /* at most so many are taken, evenly */

typedef struct cs_sorted {
    size_t n, coordinates, chains;
    double *weight;     /* [n] of each draw */
    double *chain;      /* [n] whose it is */
    double *x, *at;     /* [coordinates][n] in order, and which draw that is */
    double *low, *high; /* [coordinates][n] P(X < x) and P(X <= x) */
    double *memory;     /* [own] all of these */
} cs_sorted;

/* `reference`: the arm whose draws they are compared with; CS_NO_ARM: what the
 * target knows of itself (a marginal, or exact draws).
 * CS_UNSUPPORTED: there is nothing to compare with, or there are no draws. */
cs_status cs_sorted_make(cs_sorted *s, cs_run *r, size_t arm, size_t reference,
                         cs_error *err);
void cs_sorted_end(cs_sorted *s);

/* ks[coordinates], chain c counting times[c] times. */
void cs_sorted_distance(const cs_sorted *s, const double *times, double *ks);
