/* The counters of a block's chains: rows [lanes] of the slab.
 *
 * The rolling acceptance is an exponential mean over about 256 steps, taken in
 * strides: between two of them a step costs three additions, and readers add
 * the last, unfinished stride. */
#pragma once

#include "chain/block.h"

#include <math.h>

enum {
    CS_TALLY_STEPS,
    CS_TALLY_ACCEPTED,
    CS_TALLY_MOVED,
    CS_TALLY_NOT_FINITE, /* refused because something was NaN */
    CS_TALLY_DIVERGENT,  /* refused by a trajectory that ran away */
    CS_TALLY_ROLLING,    /* up to the last stride's end */
    CS_TALLY_STEPS_THEN, /* what the counters were there */
    CS_TALLY_ACCEPTED_THEN,
    CS_TALLY_WEIGHTS,      /* 0: no draw yet, 1: equal weights, 2: unequal */
    CS_TALLY_FIRST_WEIGHT, /* log weight of the first draw */
    CS_TALLY_MARKING,  /* draws of a kernel that says which are learned on */
    CS_TALLY_LEARNING, /* ... and those: of a stat learning__ = 1 */
    CS_TALLY_LOGP, /* bit cs_logp_kind: log p of some draws was of that kind */
    /* Of trajectories: draws, those that were cut off, sum of acceptances; of
     * energies the last, their mean, squares about it, squared changes. */
    CS_TALLY_TRAJECTORIES,
    CS_TALLY_DEEP, /* at the kernel's largest depth */
    CS_TALLY_ACCEPTANCE,
    CS_TALLY_ENERGY,
    CS_TALLY_ENERGY_MEAN,
    CS_TALLY_ENERGY_SQUARES,
    CS_TALLY_ENERGY_JUMPS,
    CS_TALLY_TRIAL, /* sum of min(1, ratio) over the steps of a tuner's trial */
    CS_TALLY_KEPT,  /* what the end of a warm-up does not clear: */
    CS_TALLY_BROUGHT = CS_TALLY_KEPT, /* 1: a tuner put it where others are */
    CS_TALLY_ROWS
};

enum { CS_TALLY_WINDOW = 256, CS_TALLY_STRIDE = 32 };

/* Results of one chain: the rows begin at `tally`, `lanes` apart. */
static inline cs_tally cs_tally_of(const double *tally, size_t lanes)
{
    double steps = tally[CS_TALLY_STEPS * lanes];
    double accepted = tally[CS_TALLY_ACCEPTED * lanes];
    double rolling = tally[CS_TALLY_ROLLING * lanes];
    double n = steps - tally[CS_TALLY_STEPS_THEN * lanes];
    double window = steps < CS_TALLY_WINDOW ? steps : CS_TALLY_WINDOW;
    if (n > 0)
        rolling +=
            (accepted - tally[CS_TALLY_ACCEPTED_THEN * lanes] - n * rolling) /
            (n < window ? window : n);
    return (cs_tally){.steps = steps,
                      .accepted = accepted,
                      .moved = tally[CS_TALLY_MOVED * lanes],
                      .not_finite = tally[CS_TALLY_NOT_FINITE * lanes],
                      .divergent = tally[CS_TALLY_DIVERGENT * lanes],
                      .marking = tally[CS_TALLY_MARKING * lanes],
                      .learning = tally[CS_TALLY_LEARNING * lanes],
                      .rolling = rolling,
                      .trajectories = tally[CS_TALLY_TRAJECTORIES * lanes],
                      .deep = tally[CS_TALLY_DEEP * lanes],
                      .acceptance = tally[CS_TALLY_ACCEPTANCE * lanes],
                      .energy_squares = tally[CS_TALLY_ENERGY_SQUARES * lanes],
                      .energy_jumps = tally[CS_TALLY_ENERGY_JUMPS * lanes]};
}

/* E-BFMI of a chain, the squared changes of its energy over the squares about
 * its mean (Betancourt, "Diagnosing suboptimal cotangent disintegrations in
 * Hamiltonian Monte Carlo", 2016); NaN of fewer than 100 trajectories. */
static inline double cs_tally_ebfmi(const cs_tally *t)
{
    enum { LEAST = 100 };
    bool enough = t->trajectories >= LEAST && t->energy_squares > 0;
    return enough ? t->energy_jumps / t->energy_squares : (double)NAN;
}

/* Ends the stride of every chain. */
static inline void cs_tally_fold(double *tally, size_t lanes)
{
    for (size_t l = 0; l < lanes; l++) {
        cs_tally t = cs_tally_of(tally + l, lanes);
        tally[CS_TALLY_ROLLING * lanes + l] = t.rolling;
        tally[CS_TALLY_STEPS_THEN * lanes + l] = t.steps;
        tally[CS_TALLY_ACCEPTED_THEN * lanes + l] = t.accepted;
    }
}
