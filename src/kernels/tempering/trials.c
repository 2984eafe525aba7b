/* Decides swaps of neighbouring rungs. Compiled once for all instruction sets.
 * The formulas are in parallel_tempering.c and replica_exchange_sgld.c. */
#include "kernels/tempering/trials.h"

#include "kernel/wrapper.h"
#include "kernels/tempering/replica.h"
#include "kernels/tempering/tempered.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- parallel_tempering -------------------------------------------------- */

size_t cs_parallel_first(const cs_exchange *m)
{
    return cs_wrapper_first(m->self, m->target) + CS_STALE + 1;
}

cs_swap_note cs_parallel_trial(const cs_exchange *m, size_t i)
{
    assert(i + 1 < m->chains);
    size_t first = cs_parallel_first(m);
    double a = *cs_rung_word(m, first, i, CS_RUNG_BETA);
    double b = *cs_rung_word(m, first, i + 1, CS_RUNG_BETA);
    double ratio = (a - b) * (m->logp[i + 1] - m->logp[i]);
    return (cs_swap_note){.energy = -m->logp[i],
                          .other_energy = -m->logp[i + 1],
                          .tempered = ratio,
                          .log_ratio = ratio,
                          .chance = exp(fmin(ratio, 0)),
                          .uniform = m->uniform[i],
                          .swaps = log(m->uniform[i]) < ratio};
}

/* ---- replica_exchange_sgld ----------------------------------------------- */

size_t cs_replica_first(const cs_exchange *m)
{
    const cs_sg_layout layout = CS_REPLICA_LAYOUT;
    return cs_sg_memory_words(m->target, m->values, layout);
}

/* Returns the variance of the difference of two energies: either the variance
 * given by the user, or the sum of the estimated variances of both energies. */
static double variance_of(const cs_exchange *m, size_t first, size_t i)
{
    double given = m->values[ENERGY_VARIANCE], sd = m->values[ENERGY_NOISE];
    return given > 0
               ? given
               : *cs_rung_word(m, first, i, VARIANCE) +
                     *cs_rung_word(m, first, i + 1, VARIANCE) + 2 * sd * sd;
}

cs_swap_note cs_replica_trial(const cs_exchange *m, size_t i)
{
    assert(i + 1 < m->chains);
    size_t first = cs_replica_first(m);
    double d = *cs_rung_word(m, first, i, CS_RUNG_BETA) -
               *cs_rung_word(m, first, i + 1, CS_RUNG_BETA);
    double here = *cs_rung_word(m, first, i, ENERGY),
           there = *cs_rung_word(m, first, i + 1, ENERGY);
    double penalty = 0.5 * d * d * variance_of(m, first, i);
    double ratio = d * (here - there) - penalty;
    double chance = m->values[INTENSITY] * fmin(1, exp(ratio));
    return (cs_swap_note){.energy = here,
                          .other_energy = there,
                          .tempered = d * (here - there),
                          .rest = -penalty,
                          .log_ratio = ratio,
                          .chance = chance,
                          .uniform = m->uniform[i],
                          .swaps = m->uniform[i] < chance};
}

/* ---- ladders ------------------------------------------------------------- */

static const cs_ladder table[] = {
    {"parallel_tempering", false, cs_parallel_trial, cs_parallel_first},
    {"replica_exchange_sgld", false, cs_replica_trial, cs_replica_first},
    {"simulated_tempering", true, NULL, NULL},
};

const cs_ladder *cs_ladder_find(const char *name)
{
    assert(name);
    size_t n = strcspn(name, "(");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].kernel) == n &&
            strncmp(table[i].kernel, name, n) == 0)
            return &table[i];
    return NULL;
}

void cs_ladder_tell(const cs_ladder *l, const cs_exchange *m, size_t rungs,
                    uint64_t period, cs_step_trace *to)
{
    assert(rungs && period && to);
    size_t first = l->first(m), odd = cs_rungs_turn(m->step, period);
    for (size_t of = 0; of + rungs <= m->chains; of += rungs)
        for (size_t r = odd; r + 1 < rungs; r += 2) {
            size_t i = of + r;
            if (m->failed[i] || m->failed[i + 1])
                continue;
            cs_swap_note n = l->trial(m, i);
            n.chain = (double)i;
            n.other = (double)i + 1;
            n.rung = (double)r;
            n.other_rung = (double)r + 1;
            n.temperature = 1 / *cs_rung_word(m, first, i, CS_RUNG_BETA);
            n.other_temperature =
                1 / *cs_rung_word(m, first, i + 1, CS_RUNG_BETA);
            cs_note_swap(to, n);
        }
}
