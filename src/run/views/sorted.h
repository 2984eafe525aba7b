/* The kept draws of an arm sorted by coordinate, for the Kolmogorov-Smirnov
 * distance of its chains, or of any sample of them, from the exact distribution
 * or from the draws of another arm. Cold. */
#pragma once

#include "run/arms/spec.h"

enum { CS_SORTED_DRAWS = 1 << 15 }; /* maximum number, evenly thinned */

typedef struct cs_sorted {
    size_t n, coordinates, chains;
    double *weight;     /* [n] of each draw */
    double *chain;      /* [n] the chain of each draw */
    double *x, *at;     /* [coordinates][n] sorted values, and their draws */
    double *low, *high; /* [coordinates][n] P(X < x) and P(X <= x) */
    double *memory;     /* [own] for all of these */
} cs_sorted;

/* Sorts. `reference`: the arm to compare with; CS_NO_ARM: the target's exact
 * answers (a marginal, or exact draws).
 * CS_UNSUPPORTED: there is no reference, or there are no draws. */
cs_status cs_sorted_make(cs_sorted *s, cs_run *r, size_t arm, size_t reference,
                         cs_error *err);
void cs_sorted_end(cs_sorted *s);

/* Computes ks[coordinates], with chain c counted times[c] times. */
void cs_sorted_distance(const cs_sorted *s, const double *times, double *ks);
