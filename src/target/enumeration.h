/* What a target's law is exactly, where that can be worked out: by summing over
 * all states, or over a grid where the space has one or two dimensions. For
 * probes, which set it beside what the chains do.
 *
 * A grid covers the target's view at first. Where the mass is in a few cells of
 * that, or goes on beyond, the grid is laid around the mass: what is only drawn
 * decides nothing.
 *
 * Evaluations go through an evaluator of their own and are no arm's work. The
 * sums are made once for a target (and again when its values have changed), on
 * the thread that owns it. */
#pragma once

#include "target/eval.h"

typedef struct cs_enumeration {
    /* Points with probabilities that sum to 1: all states in the order of
     * cs_space_state, or the centres of the cells of a grid. n = 0: nothing
     * is known. */
    size_t n;
    double *p, *logp; /* [n] probability, log density [own] */
    bool all;         /* the points are all states */
    size_t side[2];   /* of a grid: n = side[0] side[1], the second fastest */
    double origin[2], pitch[2]; /* centre of its first cell, spacing */
    double error;               /* of a grid: see cs_enumeration_error */
    bool sought;
    bool slow;           /* the density took too long; nobody asks again */
    uint64_t generation; /* of the target */
} cs_enumeration;

/* Never NULL; n = 0 where nothing is known, or for want of memory. [borrowed
 * until the target's values change] */
const cs_enumeration *cs_enumeration_of(const cs_target *t);

/* "the exact answer is left out: ..." when the density took longer than it is
 * worth, else NULL. A constant text. */
const char *cs_enumeration_note(const cs_target *t);

/* logp[n] of x[n][dim] through an evaluator of its own; false when memory is
 * short or a density is NaN. */
bool cs_enumeration_evaluate(const cs_target *t, const double *x, size_t n,
                             double *logp);

/* Scales p[n] = exp(logp[n]) to sum 1; false when that makes no sense. */
bool cs_enumeration_normalise(const double *logp, size_t n, double *p);

/* x[n][dim] = independent exact draws, always the same ones, of a target that
 * has `draw`; false: it has none, or memory is short. */
bool cs_enumeration_draws(const cs_target *t, size_t n, double *x);

/* x[dim] = point number i. */
void cs_enumeration_point(const cs_target *t, const cs_enumeration *truth,
                          size_t i, double *x);

/* How much a share below a border of cells may be off (target/grid_error.h): 0
 * where all states were summed, 1 where nothing is known. */
double cs_enumeration_error(const cs_enumeration *truth);

/* Of a grid the part of axis i that it covers; false: it is none. */
bool cs_enumeration_window(const cs_target *t, const cs_enumeration *truth,
                           size_t i, double *low, double *high);

/* Cells along coordinate i: cell v reaches from first + v width to first +
 * (v + 1) width; a discrete value stands in the middle of its cell. Returns
 * how many, 0 when the law is not known; with `p`, their masses. */
size_t cs_enumeration_axis(const cs_target *t, const cs_enumeration *truth,
                           size_t i, double *first, double *width, double *p);

/* Empties it (the target goes, or its values have changed). */
void cs_enumeration_clear(cs_enumeration *truth);
