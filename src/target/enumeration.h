/* The exact distribution of a target, if it can be computed: by summing over
 * all states, or over a grid if the space has one or two dimensions. Probes
 * compare this distribution with the chains.
 *
 * A grid first covers the target's view. If the mass is in only a few of the
 * grid's cells, or extends beyond the view, the grid is placed around the
 * mass, so that the view does not affect the result.
 *
 * Evaluations use a separate evaluator and do not count as work of an arm. The
 * sums are computed once per target (and again when the target's values have
 * changed), on the thread that owns the target. */
#pragma once

#include "target/eval.h"

typedef struct cs_enumeration {
    /* Points with probabilities that sum to 1: all states in the order of
     * cs_space_state, or the centres of the cells of a grid. n = 0 means that
     * the distribution is not available. */
    size_t n;
    double *p, *logp; /* [n] probability, log density [own] */
    bool all;         /* true: the points are all states */
    size_t side[2];   /* for a grid: n = side[0] side[1]; the second index
                         varies fastest */
    double origin[2], pitch[2]; /* origin: centre of the first cell; pitch:
                                   spacing of the cells */
    double error;               /* for a grid: the result of
                                   cs_enumeration_error */
    bool sought;
    bool slow;           /* true: the density took too long, and is not
                          * evaluated again */
    uint64_t generation; /* target's generation when the points were computed */
} cs_enumeration;

/* Returns the enumeration, never NULL. Its n is 0 if the distribution is not
 * available or memory ran out. [borrowed until the target's values change] */
const cs_enumeration *cs_enumeration_of(const cs_target *t);

/* If the density took too long, returns a constant string ("exact values are
 * skipped: ..."), otherwise NULL. */
const char *cs_enumeration_note(const cs_target *t);

/* Computes logp[n] of x[n][dim] with a separate evaluator. Returns false if out
 * of memory or if a density is NaN. */
bool cs_enumeration_evaluate(const cs_target *t, const double *x, size_t n,
                             double *logp);

/* As cs_enumeration_evaluate, but logp[i] is NaN if the evaluation of x[i] fails
 * or takes too long. */
void cs_enumeration_log_densities(const cs_target *t, const double *x, size_t n,
                                  double *logp);

/* Computes p[n] = exp(logp[n]), scaled to sum to 1. Returns false if that is
 * not possible. */
bool cs_enumeration_normalise(const double *logp, size_t n, double *p);

/* Fills x[n][dim] with independent exact draws of a target that has the hook
 * `draw`. The draws are the same at each call. Returns false if the target does
 * not have this hook, or if memory runs out. */
bool cs_enumeration_draws(const cs_target *t, size_t n, double *x);

/* Writes point number i to x[dim]. */
void cs_enumeration_point(const cs_target *t, const cs_enumeration *truth,
                          size_t i, double *x);

/* Returns a bound on the error of a grid (target/grid_error.h): the largest
 * error of P(x_i < border) at a border of cells. Returns 0 if all states were
 * summed, and 1 if nothing is known. */
double cs_enumeration_error(const cs_enumeration *truth);

/* Sets *low and *high to the two ends of the range that a grid covers on axis
 * i. Returns false if the points are not a grid. */
bool cs_enumeration_window(const cs_target *t, const cs_enumeration *truth,
                           size_t i, double *low, double *high);

/* Returns the number of cells along coordinate i; returns 0 if the distribution
 * is not known. Cell v extends from first + v width to first + (v + 1) width; a
 * discrete value is in the middle of its cell. Unless p is NULL, fills p with
 * the masses of the cells. */
size_t cs_enumeration_axis(const cs_target *t, const cs_enumeration *truth,
                           size_t i, double *first, double *width, double *p);

/* Frees the points. Called when the target is destroyed or its values have
 * changed. */
void cs_enumeration_clear(cs_enumeration *truth);
