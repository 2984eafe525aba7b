/* What kernels that temper another share: its step and its init with log p times
 * an inverse temperature for each lane. Their own memory begins with the row
 * CS_STALE, their scratch has CS_TEMPERED_SCRATCH rows. */
#ifndef CS_KERNELS_TEMPERING_TEMPERED_H
#define CS_KERNELS_TEMPERING_TEMPERED_H

#include "kernel/wrapper.h"

#include <math.h>
#include <string.h>

/* Memory: 1 where the inner kernel must look at the state anew. */
enum { CS_STALE };

/* Scratch: log p before the step; lanes asked about, and the others, as bools. */
enum { CS_BEFORE, CS_MASKS, CS_TEMPERED_SCRATCH };

/* Rows that both have, of the ladder; more numbers may follow. Then lists. */
enum { CS_LADDER_RUNGS, CS_LADDER_HOTTEST, CS_LADDER_PERIOD, CS_LADDER_ROWS };
enum { CS_LADDER_TEMPERATURES, CS_LADDER_LOG_WEIGHTS };

#define CS_LADDER_NUMBERS(unit_, most, rungs_help, period_help, paper)         \
    [CS_LADDER_RUNGS] = {.name = "rungs",                                      \
                         .unit = unit_,                                        \
                         .kind = CS_PARAM_INT,                                 \
                         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,            \
                         .min = 1,                                             \
                         .max = most,                                          \
                         .def = 8,                                             \
                         .help = rungs_help,                                   \
                         .ref = paper},                                        \
    [CS_LADDER_HOTTEST] = {.name = "hottest",                                  \
                           .unit = "",                                         \
                           .flags = CS_PARAM_LOG | CS_PARAM_SHARED |           \
                                    CS_PARAM_FIXED,                            \
                           .min = 1,                                           \
                           .max = 1e12,                                        \
                           .def = 20,                                          \
                           .help = "the highest temperature; the lowest is "   \
                                   "1, those between are a geometric row",     \
                           .ref = paper},                                      \
    [CS_LADDER_PERIOD] = {.name = "every",                                     \
                          .unit = "steps",                                     \
                          .kind = CS_PARAM_INT,                                \
                          .flags = CS_PARAM_LOG | CS_PARAM_SHARED,             \
                          .min = 1,                                            \
                          .max = 1e9,                                          \
                          .def = 10,                                           \
                          .help = period_help,                                 \
                          .ref = paper}

#define CS_LADDER_LIST                                                         \
    {                                                                          \
        .name = "temperatures", .kind = CS_PARAM_ARRAY,                        \
        .flags = CS_PARAM_FIXED,                                               \
        .help = "the ladder itself, rising from 1, in place of rungs and "     \
                "hottest",                                                     \
    }

/* `arrange` of a ladder, whose rows begin at `rungs`: temperatures given by
 * hand say how many there are and which is the hottest. ladder.c. */
cs_status cs_ladder_arrange(const cs_param *rungs, const cs_value *given,
                            const cs_value *temperatures, double *values,
                            cs_error *err);

/* The rungs of a ladder: those given by hand, or temperatures from 1 to the
 * hottest in a geometric row. */
static inline double cs_tempered_beta(const cs_wrapper *a, size_t rung,
                                      double rungs, double hottest)
{
    if (a->n_list[CS_LADDER_TEMPERATURES])
        return 1 / a->list[CS_LADDER_TEMPERATURES][rung];
    return rung ? pow(hottest, -(double)rung / (rungs - 1)) : 1;
}

/* Row `row` of the memory of the outer kernel. */
static inline double *cs_tempered_row(const cs_move *m, size_t row)
{
    size_t first = cs_wrapper_first(m->self, m->eval->target);
    return m->memory + (first + row) * m->lanes;
}

/* log p becomes that of the inner kernel, which is called with the evaluator's power
 * set; and back. At beta = 1 no bit changes. */
static inline cs_move cs_tempered_enter(cs_move *m, const double *beta)
{
    double *before = m->scratch + CS_BEFORE * m->lanes;
    memcpy(before, m->info.logp, m->lanes * sizeof *before);
    for (size_t l = 0; l < m->lanes; l++)
        m->info.logp[l] *= beta[l];
    m->eval->power = beta;
    return cs_wrapper_inner(m);
}

static inline void cs_tempered_leave(cs_move *m, const cs_move *inner,
                                     const double *beta)
{
    const double *before = m->scratch + CS_BEFORE * m->lanes;
    double *stat = m->info.stat;
    m->eval->power = NULL;
    m->info = inner->info;
    m->info.stat = stat;
    for (size_t l = 0; l < m->lanes; l++) {
        double *logp = &m->info.logp[l];
        *logp = *logp == before[l] * beta[l] ? before[l] : *logp / beta[l];
    }
}

/* Asks about chains that have been given another state; false: there is none,
 * and nothing was asked. */
static inline bool cs_tempered_ask(cs_move *m, bool *stale, bool *rest)
{
    bool any = false;
    const double *mark = cs_tempered_row(m, CS_STALE);
    for (size_t l = 0; l < m->lanes; l++) {
        stale[l] = mark[l] != 0 && !m->failed[l];
        rest[l] = !stale[l];
        any |= stale[l];
    }
    if (!any)
        return false;
    m->eval->failed = rest;
    cs_eval_ask(m->eval, stale);
    return true;
}

/* Lets the inner kernel look at states that have come from elsewhere; the
 * other chains keep what they have. */
static inline void cs_tempered_evaluate_again(cs_move *m, const double *beta)
{
    const cs_wrapper *a = m->self;
    size_t n = m->lanes, words = cs_wrapper_first(a, m->eval->target);
    double *spare = cs_wrapper_spare(m);
    bool *stale = (bool *)(void *)(m->scratch + CS_MASKS * n),
         *rest = stale + n;
    if (!cs_tempered_ask(m, stale, rest))
        return;
    memcpy(spare, m->memory, words * n * sizeof *spare);
    cs_move inner = cs_tempered_enter(m, beta);
    inner.fresh = false;
    inner.info.proposal = inner.info.aux_proposal = NULL;
    a->inner.type->init(&inner);
    cs_tempered_leave(m, &inner, beta);
    cs_eval_ask(m->eval, NULL);
    m->eval->failed = m->failed;
    for (size_t l = 0; l < n; l++) {
        cs_tempered_row(m, CS_STALE)[l] = 0;
        if (rest[l] || !isnan(m->info.logp[l]))
            m->info.logp[l] = m->scratch[CS_BEFORE * n + l];
        for (size_t at = l; rest[l] && at < words * n; at += n)
            m->memory[at] = spare[at];
    }
}

static inline void cs_tempered_init(cs_move *m, const double *beta)
{
    const cs_wrapper *a = m->self;
    cs_move inner = cs_tempered_enter(m, beta);
    a->inner.type->init(&inner);
    cs_tempered_leave(m, &inner, beta);
}

/* One step of the inner kernel; the record speaks of log p, but of the change as
 * it was weighed. */
static inline void cs_tempered_step(cs_move *m, const double *beta)
{
    const cs_wrapper *a = m->self;
    cs_move inner = cs_tempered_enter(m, beta);
    a->inner.type->step(&inner);
    cs_tempered_leave(m, &inner, beta);
    for (size_t l = 0; l < m->lanes; l++) {
        double logp = m->info.logp_proposal[l] / beta[l];
        m->info.logp_proposal[l] = m->info.accepted[l] ? m->info.logp[l] : logp;
    }
}

#endif
