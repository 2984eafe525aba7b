/* The mass that bins of the energy have under the target, beside what a kernel
 * with bins has learned of them: by the sum over all states, or, in one or two
 * continuous dimensions, by quadrature on a grid (midpoints). Elsewhere it is
 * not known.
 *
 * A kernel with bins reports bin_low and bin_high [bins], in nats; what its bins
 * are of, where that is not the energy, under bin_of, a text. Then nothing is
 * known, unless it reports bin_truth itself. */
#ifndef CS_RUN_BINS_H
#define CS_RUN_BINS_H

#include "base/page.h"
#include "run/run.h"

typedef struct cs_arm cs_arm;

/* The exact distribution of the energy -log p. {0}: not sought yet. */
typedef struct cs_energies {
    double *energy; /* [n] ascending [own] */
    double *below;  /* [n + 1] share of the mass that the first so many have, at
                       `temperature` [own] */
    size_t n;
    double temperature;
    double cover;  /* energies above it lie outside the grid too */
    double asked;  /* what it was asked to be, for the last bin */
    unsigned wide; /* how often the view was doubled, for its sake */
    bool wanted, looked, sought;
    bool all;            /* the points are all states */
    uint64_t generation; /* of the target */
} cs_energies;

/* Adds to the report of an arm's kernel in `out`: bin_truth [bins], NAN where a
 * bin reaches beyond the grid, of exp(log p / T) where the kernel has a
 * parameter temperature T; bin_truth_from, "all states" or "grid". Where the
 * distribution is still to be worked out it does so with `now`, else leaves it
 * to cs_bins_settle. */
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

void cs_energies_clear(cs_energies *e);

#endif
