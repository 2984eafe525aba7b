/* The bins of a kernel that learns one weight per bin, in the form that
 * panels read, and the flattened energy computed from the weights. */
#pragma once

#include "race/shot.h"

/* Arrays with one value per bin; NULL: not known. [borrowed from the
 * snapshot] */
typedef struct cs_contour {
    size_t n;
    /* borders of the bins; an open end is replaced by a border one bin width
     * away */
    const double *low, *high;
    const double *weight; /* sums to 1 */
    const double *spread; /* standard deviation of log weights over chains */
    const double *truth;  /* mass of each bin under the target */
    const double *multiplier, *visits, *learning;
    const char *of;    /* quantity that is binned; "": the energy */
    double zeta, heat; /* parameters of csgld; NAN for kernels without them */
    bool forward;
    /* all states have equal weight; in this case `weight` and `truth` are
     * shares of the states */
    bool uniform;
} cs_contour;

/* Finds the bins of an arm. Returns false if the arm's kernel has no bins. */
bool cs_contour_find(const cs_shot *s, size_t arm, cs_contour *c);

/* Returns the bin of an energy; the first and the last bin are open. */
size_t cs_contour_bin(const cs_contour *c, double energy);

/* Returns the flattened energy that csgld uses instead of U, up to a constant:
 * U + zeta T log Psi(U). Psi interpolates exponentially between the weights at
 * the borders of a bin, and is constant in the last bin ("A contour stochastic
 * gradient Langevin dynamics algorithm", Eqs. 4 and 5). For a kernel without
 * zeta, returns U + log weight of the bin. For such a kernel, if all states
 * have equal weight, returns only the log weight. Returns NAN where a weight is
 * 0. */
double cs_contour_flat(const cs_contour *c, double energy);
