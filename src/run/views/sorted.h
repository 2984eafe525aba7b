/* The kept draws of an arm, sorted by each coordinate. From the sorted draws, a
 * Kolmogorov-Smirnov distance is computed for the arm's chains or for a sample
 * of these chains. It is the distance from the exact distribution or from the
 * draws of another arm. These functions must not be called while the run
 * advances. */
#pragma once

#include "run/arms/spec.h"

/* maximum number of draws; if there are more, they are thinned evenly */
enum { CS_SORTED_DRAWS = 1 << 15 };

typedef struct cs_sorted {
    size_t n, coordinates, chains;
    double *weight; /* [n] weight of each draw */
    double *chain;  /* [n] chain of each draw */
    double *x, *at; /* [coordinates][n] sorted values; indices of their draws */
    double *low, *high; /* [coordinates][n] exact P(X < x) and P(X <= x) */
    double *memory;     /* [own] holds all arrays */
} cs_sorted;

/* Sorts the draws. `reference` is the arm to compare with, or CS_NO_ARM for the
 * target's exact answers (a marginal, or exact draws). Returns CS_UNSUPPORTED
 * if the reference does not exist or the arm has no draws. */
cs_status cs_sorted_make(cs_sorted *s, cs_run *r, size_t arm, size_t reference,
                         cs_error *err);
void cs_sorted_end(cs_sorted *s);

/* Computes the distances ks[coordinates]. Chain c is counted times[c] times. */
void cs_sorted_distance(const cs_sorted *s, const double *times, double *ks);
