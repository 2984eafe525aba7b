/* The mass of bins under the target, for comparison with a kernel's learned
 * weights: by the sum over all states or, in one or two continuous dimensions,
 * by quadrature on a grid (midpoints). Otherwise unknown.
 *
 * A kernel with bins reports bin_low and bin_high [bins]. Its parameters `of`
 * and `shown` define the binned quantity: "energy" (also without the
 * parameter), "shown" for a coordinate, "sum" for the sum of all. With `window`
 * states outside the bins are impossible; with measure = "uniform" all possible
 * states have equal weight; a list `shares` gives the desired shares of the
 * visits, by which the mass of a bin is then divided, with the shares of empty
 * bins spread over the others. */
#pragma once

#include "run/arms/spec.h"

/* The exact distribution of the binned quantity. {0}: not computed yet. */
typedef struct cs_binned {
    unsigned of;            /* the quantity; for a coordinate its number */
    size_t shown;           /* from 1 */
    double *value, *energy; /* [n] of the points, sorted by value [own] */
    double *below; /* [n + 1] cumulative share of the mass at `heat` [own] */
    size_t n;
    double heat;   /* temperature; HUGE_VAL: uniform */
    double cover;  /* higher energies also occur outside the grid */
    double asked;  /* requested value, for the last bin */
    unsigned wide; /* doublings of the view needed for it */
    bool wanted, sought;
    bool all;            /* the points are all states */
    uint64_t generation; /* of the target */
} cs_binned;

enum { CS_BINNED = 4 }; /* quantities per run */

/* Adds to the report of an arm's kernel in `out`: bin_truth [bins], with sum 1,
 * NAN for a bin that extends beyond the grid, under exp(log p / T) if the
 * kernel has a parameter temperature T; bin_truth_from, "all states" or "grid";
 * bin_of, a text, if the quantity is not the energy. With `now` it computes a
 * missing distribution, else cs_bins_settle does. */
void cs_bins_add_truth(cs_run *r, const cs_arm *a, const char *prefix,
                       cs_flat *out, bool now);

/* Computes the missing distributions; true if none is left. On the thread that
 * owns the target, between steps. */
bool cs_bins_settled(cs_run *r);
void cs_bins_settle(cs_run *r);

void cs_binned_clear(cs_binned *e);
