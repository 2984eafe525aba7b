/* A ladder of chains at increasing temperatures that swap states with their
 * neighbours: the choice of pairs, the step trace, and the report. Chain c of
 * an arm is rung c mod rungs; the even and the odd pairs of rungs try to swap
 * alternately.
 *
 * Each chain uses CS_RUNG_WORDS rows of its memory for the ladder, from row
 * `first` on. REPLICA and WAY are swapped together with the state. REPLICA is
 * the index of the chain in which the state started. WAY shows whether the
 * state has reached the hot end since its last visit to the cold end. */
#pragma once

#include "kernel/kernel.h"
#include "kernels/tempering/trials.h"

#include <math.h>

/* Rows of a rung. BETA: one over the temperature. TRIED: number of swaps with
 * the next rung that were tried. SWAPPED: number of these swaps that were
 * accepted. */
enum {
    CS_RUNG_BETA,
    CS_RUNG_REPLICA,
    CS_RUNG_WAY,
    CS_RUNG_TRIED,
    CS_RUNG_SWAPPED,
    CS_RUNG_TRIPS,
    CS_RUNG_WORDS
};
enum { CS_WAY_NOWHERE, CS_WAY_OUTWARD, CS_WAY_HOMEWARD };

/* Initialises the rows of one chain, row[CS_RUNG_WORDS]. */
static inline void cs_rung_begin(double *row, size_t stride, size_t rung,
                                 uint64_t chain)
{
    row[CS_RUNG_REPLICA * stride] = (double)chain;
    row[CS_RUNG_WAY * stride] = rung ? CS_WAY_NOWHERE : CS_WAY_OUTWARD;
}

static inline double *cs_rung_word(const cs_exchange *m, size_t first,
                                   size_t chain, size_t word)
{
    const cs_chain_ref *lane = &m->lane[chain];
    return lane->memory + (first + word) * lane->stride;
}

/* Called after a chain at rung `rung` has received another state. Updates WAY
 * and the number of round trips. */
static inline void cs_rung_greet(const cs_exchange *m, size_t first,
                                 size_t chain, size_t rung, size_t rungs)
{
    double *way = cs_rung_word(m, first, chain, CS_RUNG_WAY);
    if (rung + 1 == rungs && *way == CS_WAY_OUTWARD)
        *way = CS_WAY_HOMEWARD;
    if (rung > 0)
        return;
    *cs_rung_word(m, first, chain, CS_RUNG_TRIPS) += *way == CS_WAY_HOMEWARD;
    *way = CS_WAY_OUTWARD;
}

static inline void cs_rung_swap_word(const cs_exchange *m, size_t first,
                                     size_t i, size_t word)
{
    double *a = cs_rung_word(m, first, i, word);
    double *b = cs_rung_word(m, first, i + 1, word), kept = *a;
    *a = *b;
    *b = kept;
}

/* Swaps the states of chains i and i + 1, at rungs `rung` and `rung` + 1. */
static inline void cs_rung_swap(const cs_exchange *m, size_t first, size_t i,
                                size_t rung, size_t rungs)
{
    *cs_rung_word(m, first, i, CS_RUNG_SWAPPED) += 1;
    m->from[i] = i + 1;
    m->from[i + 1] = i;
    cs_rung_swap_word(m, first, i, CS_RUNG_REPLICA);
    cs_rung_swap_word(m, first, i, CS_RUNG_WAY);
    cs_rung_greet(m, first, i, rung, rungs);
    cs_rung_greet(m, first, i + 1, rung + 1, rungs);
}

/* Returns which pairs of rungs try to swap after `step` steps: 1 for odd pairs,
 * 0 for even pairs. */
static inline size_t cs_rungs_turn(uint64_t step, uint64_t period)
{
    return step / period % 2;
}

/* Tries to swap all odd or all even pairs. */
static inline void cs_rungs_exchange(const cs_exchange *m, size_t first,
                                     size_t rungs, uint64_t period,
                                     cs_rung_trial *trial)
{
    size_t odd = cs_rungs_turn(m->step, period);
    for (size_t of = 0; of + rungs <= m->chains; of += rungs)
        for (size_t r = odd; r + 1 < rungs; r += 2) {
            size_t i = of + r;
            if (m->failed[i] || m->failed[i + 1])
                continue;
            *cs_rung_word(m, first, i, CS_RUNG_TRIED) += 1;
            if (trial(m, i).swaps != 0)
                cs_rung_swap(m, first, i, r, rungs);
        }
}

/* Reports these keys: temperature[rungs]; swaps[rungs - 1], the acceptance rate
 * of swaps with the next rung; replica[ladders][rungs], the replica at each
 * rung; trips, the number of round trips in all ladders; trips_each[ladders],
 * the number of round trips in each ladder. */
static inline void cs_rungs_report(const cs_exchange *m, size_t first,
                                   size_t rungs, const char *prefix,
                                   cs_flat *out)
{
    size_t n = m->chains / rungs;
    double *hot = cs_flat_array(out, 1, rungs, "%stemperature", prefix);
    double *share =
        rungs > 1 ? cs_flat_array(out, 1, rungs - 1, "%sswaps", prefix) : NULL;
    double *where = cs_flat_array(out, n, rungs, "%sreplica", prefix);
    double *each = cs_flat_array(out, 1, n, "%strips_each", prefix);
    double trips = 0;
    for (size_t r = 0; r < rungs; r++) {
        double tried = 0, swapped = 0;
        for (size_t c = r; c < n * rungs; c += rungs) {
            tried += *cs_rung_word(m, first, c, CS_RUNG_TRIED);
            swapped += *cs_rung_word(m, first, c, CS_RUNG_SWAPPED);
            trips += *cs_rung_word(m, first, c, CS_RUNG_TRIPS);
            if (each)
                each[c / rungs] = (r ? each[c / rungs] : 0) +
                                  *cs_rung_word(m, first, c, CS_RUNG_TRIPS);
            if (where)
                where[c] = *cs_rung_word(m, first, c, CS_RUNG_REPLICA) + 1;
        }
        if (hot)
            hot[r] = 1 / *cs_rung_word(m, first, r, CS_RUNG_BETA);
        if (share && r + 1 < rungs)
            share[r] = tried > 0 ? swapped / tried : (double)NAN;
    }
    cs_flat_number(out, trips, "%strips", prefix);
}
