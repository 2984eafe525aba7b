/* The mass of bins under the target, to compare with the weights that a kernel
 * learns. The mass is computed by summation over all states or, in one or two
 * continuous dimensions, by midpoint quadrature on a grid. For other targets it
 * is unknown.
 *
 * A kernel with bins reports bin_low and bin_high [bins]. Its parameters define
 * the bins:
 *
 *     of       "energy" (the default), "shown" (the coordinate `shown`), or
 *              "sum" (the sum of all coordinates)
 *     window   states outside the bins are impossible
 *     measure  "uniform": all possible states have equal weight
 *     shares   desired shares of the visits: the mass of a bin is divided by
 *              its share; shares of empty bins are spread over the others */
#pragma once

#include "run/arms/spec.h"

/* The exact distribution of the binned quantity; {0}: not computed. */
typedef struct cs_binned {
    unsigned of;  /* the quantity: see the list above */
    size_t shown; /* number of the coordinate, from 1 */
    /* [n] values at the points, sorted by value [own] */
    double *value, *energy;
    /* [n + 1] cumulative probability at temperature `heat` [own] */
    double *below;
    size_t n;
    double heat;  /* temperature; HUGE_VAL: equal weights */
    double cover; /* points with a lower energy are all in the grid */
    double asked; /* energy to be covered, for the last bin */
    /* number of times that the grid's width was doubled to cover the energy
     * `asked` */
    unsigned wide;
    bool wanted, sought;
    bool all;            /* the points are all states */
    uint64_t generation; /* generation of the target */
} cs_binned;

enum { CS_BINNED = 4 }; /* maximum number of quantities per run */

/* Adds to the report of an arm's kernel in `out`:
 *
 *     bin_truth       [bins] exact masses with sum 1, NAN for a bin that
 *                     extends beyond the grid. The density is exp(log p / T)
 *                     if the kernel has a parameter temperature = T.
 *     bin_truth_from  "all states" or "grid"
 *     bin_of          the quantity, unless it is the energy
 *
 * If the distribution is not known yet, computes it if `now` is set; otherwise
 * cs_bins_settle computes it later. */
void cs_bins_add_truth(cs_run *r, const cs_arm *a, const char *prefix,
                       cs_flat *out, bool now);

/* cs_bins_settled returns true if no distribution is missing; it computes no
 * distribution. Its first call makes the reports of all kernels, to find which
 * kernels have bins. cs_bins_settle computes one missing distribution. Call
 * both functions between steps, on the thread that owns the target. */
bool cs_bins_settled(cs_run *r);
void cs_bins_settle(cs_run *r);

void cs_binned_clear(cs_binned *e);
