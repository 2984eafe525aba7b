/* The bins of a kernel that learns their weights, as panels read them; and the
 * flattened energy that follows from the weights. */
#pragma once

#include "figure/shot.h"

/* Rows of n bins; NULL: not known. [borrowed from the snapshot] */
typedef struct cs_contour {
    size_t n;
    const double *low, *high; /* borders, the open ends one width beyond */
    const double *weight;     /* sums to 1 */
    const double *spread;     /* of log weights over chains */
    const double *truth;      /* mass under the target */
    const double *multiplier, *visits, *learning;
    const char *of;    /* what is binned, "": the energy */
    double zeta, heat; /* of csgld; NAN: a kernel that has none */
    bool forward;
    bool uniform; /* all states weigh alike: weights and truth are shares of
                     them */
} cs_contour;

/* False: the kernel of that arm has no bins. */
bool cs_contour_find(const cs_shot *s, size_t arm, cs_contour *c);

/* The bin of an energy, the first and the last being open. */
size_t cs_contour_bin(const cs_contour *c, double energy);

/* What csgld follows in place of the energy U: U + zeta T log Psi(U), Psi the
 * exponential pieces between the weights at the borders of bins ("A contour
 * stochastic gradient Langevin dynamics algorithm", Eqs. 4 and 5), constant in
 * the last bin; of a kernel without zeta U + log weight of the bin, and of one
 * for which all states weigh alike log weight alone. Up to a constant. NAN where a weight is 0. */
double cs_contour_flat(const cs_contour *c, double energy);
