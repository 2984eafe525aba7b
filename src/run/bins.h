/* The mass that bins have under the target, beside what a kernel with bins has
 * learned of them: by the sum over all states, or, in one or two continuous
 * dimensions, by quadrature on a grid (midpoints). Elsewhere it is not known.
 *
 * A kernel with bins reports bin_low and bin_high [bins]. What they are of its
 * parameter `of` says, and `shown`: "energy" (and where there is no such
 * parameter), "shown" a coordinate, "sum" of all. With `window` what is outside
 * them is impossible; with measure = "uniform" all possible states weigh alike;
 * a list `shares` says which shares of the visits it wants, by which the mass
 * of a bin is then divided, with those of empty bins spread over the others. */
#pragma once

#include "base/page.h"
#include "run/run.h"

typedef struct cs_arm cs_arm;

/* The exact distribution of what is binned. {0}: not sought yet. */
typedef struct cs_binned {
    unsigned of;            /* which function; of a coordinate its number ... */
    size_t shown;           /* ... from 1 */
    double *value, *energy; /* [n] of the points, by value [own] */
    double *below; /* [n + 1] share of the mass that the first so many have, at
                      `heat` [own] */
    size_t n;
    double heat;   /* temperature; HUGE_VAL: all alike */
    double cover;  /* energies above it lie outside the grid too */
    double asked;  /* what it was asked to be, for the last bin */
    unsigned wide; /* how often the view was doubled, for its sake */
    bool wanted, sought;
    bool all;            /* the points are all states */
    uint64_t generation; /* of the target */
} cs_binned;

enum { CS_BINNED = 4 }; /* functions of a run */

/* Adds to the report of an arm's kernel in `out`: bin_truth [bins], of sum 1, NAN
 * where a bin reaches beyond the grid, of exp(log p / T) where the kernel has a
 * parameter temperature T; bin_truth_from, "all states" or "grid"; bin_of, a
 * text, where that is not the energy. Where the distribution is still to be
 * worked out it does so with `now`, else leaves it to cs_bins_settle. */
void cs_bins_add_truth(cs_run *r, const cs_arm *a, const char *prefix,
                       cs_flat *out, bool now);

/* Whether nothing is left to work out; works it out. On the thread that owns
 * the target, between steps. */
bool cs_bins_settled(cs_run *r);
void cs_bins_settle(cs_run *r);

/* A line of the summary of an arm; ", \"bins\": {...}" with a list of each of low,
 * high, weight, spread, truth, multiplier, visits, learning that is known.
 * Nothing where its kernel has no bins. (bins_text.c) */
void cs_bins_text(cs_run *run, size_t arm, cs_page *p);
void cs_bins_json(cs_run *run, size_t arm, cs_page *p);

void cs_binned_clear(cs_binned *e);
