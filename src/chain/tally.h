/* The counters of a block's chains: rows [lanes] of the slab.
 *
 * The rolling acceptance is an exponential mean over about 256 steps. It is
 * updated once per stride of CS_TALLY_STRIDE steps, so most steps cost only
 * three additions. Readers add the last, unfinished stride. */
#pragma once

#include "chain/block.h"

#include <math.h>

enum {
    CS_TALLY_STEPS,
    CS_TALLY_ACCEPTED,
    CS_TALLY_MOVED,
    CS_TALLY_NOT_FINITE, /* number of proposals rejected because a number was
                            NaN */
    CS_TALLY_DIVERGENT,  /* number of divergent trajectories, which are
                            rejected */
    CS_TALLY_ROLLING,    /* rolling acceptance at the end of the last stride */
    CS_TALLY_STEPS_THEN, /* number of steps up to the end of the last stride */
    CS_TALLY_ACCEPTED_THEN, /* number of accepted steps up to the end of the
                               last stride */
    CS_TALLY_WEIGHTS,       /* 0: no draw yet; 1: all weights are equal; 2:
                               weights differ */
    CS_TALLY_FIRST_WEIGHT,  /* log weight of the first draw */
    CS_TALLY_MARKING,       /* number of draws by a kernel that has the stat
                               learning__ */
    CS_TALLY_LEARNING,      /* number of draws with learning__ = 1 */
    CS_TALLY_LOGP,         /* bit set of the cs_logp_kind of the draws so far */
    CS_TALLY_TRAJECTORIES, /* number of draws by a kernel that has the stat
                              energy__ */
    CS_TALLY_DEEP,         /* number of trajectories cut off at the maximum
                              depth */
    CS_TALLY_ACCEPTANCE,   /* sum of accept_stat__ over the draws with
                              energy__ */
    CS_TALLY_ENERGY,       /* last value of energy__ */
    CS_TALLY_ENERGY_MEAN,  /* mean of energy__ */
    CS_TALLY_ENERGY_SQUARES, /* sum of squares of energy__ about its mean */
    CS_TALLY_ENERGY_JUMPS,   /* sum of the squared changes of energy__ */
    CS_TALLY_TRIAL, /* sum of min(1, ratio) over the steps of a tuner's trial */
    CS_TALLY_KEPT,  /* this row and all later rows are kept at the end of a
                       warm-up */
    CS_TALLY_BROUGHT = CS_TALLY_KEPT, /* 1: a tuner has moved the chain */
    CS_TALLY_ROWS
};

enum { CS_TALLY_WINDOW = 256, CS_TALLY_STRIDE = 32 };

/* Returns the results of one chain. The chain's first counter is at `tally`;
 * each following counter is `lanes` numbers after the previous one. */
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

/* Returns the E-BFMI of a chain (Betancourt, "Diagnosing suboptimal cotangent
 * disintegrations in Hamiltonian Monte Carlo", 2016). This is the sum of the
 * squared changes of the energy, divided by the sum of squared deviations of
 * the energy from its mean. NaN if there are fewer than 100 trajectories. */
static inline double cs_tally_ebfmi(const cs_tally *t)
{
    enum { LEAST = 100 };
    bool enough = t->trajectories >= LEAST && t->energy_squares > 0;
    return enough ? t->energy_jumps / t->energy_squares : (double)NAN;
}

/* Ends the stride of every chain: updates the rolling acceptance. */
static inline void cs_tally_fold(double *tally, size_t lanes)
{
    for (size_t l = 0; l < lanes; l++) {
        cs_tally t = cs_tally_of(tally + l, lanes);
        tally[CS_TALLY_ROLLING * lanes + l] = t.rolling;
        tally[CS_TALLY_STEPS_THEN * lanes + l] = t.steps;
        tally[CS_TALLY_ACCEPTED_THEN * lanes + l] = t.accepted;
    }
}
