/* Shared by wrappers that temper their inner kernel. Such a wrapper runs the
 * inner kernel's step and init with log p multiplied by an inverse temperature
 * beta per lane. The wrapper's own memory starts with the row CS_STALE, and its
 * scratch with CS_TEMPERED_SCRATCH rows. */
#pragma once

#include "kernel/wrapper.h"

#include <math.h>
#include <string.h>

/* Row of memory. 1 means that the inner kernel must evaluate the state again,
 * in its init. */
enum { CS_STALE };

/* Rows of scratch: log p before the step; two rows of bools that mark stale
 * lanes and other lanes. */
enum { CS_BEFORE, CS_MASKS, CS_TEMPERED_SCRATCH };

/* Parameters of all ladders. A wrapper may have more numeric parameters; its
 * lists follow all numeric parameters. */
enum {
    CS_LADDER_RUNGS,
    CS_LADDER_HOTTEST,
    CS_LADDER_SWAP_INTERVAL,
    CS_LADDER_ROWS
};
enum { CS_LADDER_TEMPERATURES, CS_LADDER_LOG_WEIGHTS };
enum { CS_LADDER_MOST = 256 }; /* maximum number of rungs */

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
                           .help = "highest temperature; the lowest "          \
                                   "temperature is 1, and all temperatures "   \
                                   "form a geometric progression",             \
                           .ref = paper},                                      \
    [CS_LADDER_SWAP_INTERVAL] = {.name = "swap_interval",                      \
                                 .unit = "steps",                              \
                                 .kind = CS_PARAM_INT,                         \
                                 .flags = CS_PARAM_LOG | CS_PARAM_SHARED,      \
                                 .min = 1,                                     \
                                 .max = 1e9,                                   \
                                 .def = 10,                                    \
                                 .help = period_help,                          \
                                 .ref = paper}

#define CS_LADDER_LIST                                                         \
    {                                                                          \
        .name = "temperatures", .kind = CS_PARAM_ARRAY,                        \
        .flags = CS_PARAM_FIXED, .max = CS_LADDER_MOST,                        \
        .help = "list of temperatures in increasing order, of which the "      \
                "first is 1, instead of `rungs` and `hottest`",                \
    }

/* Implements `arrange` for a ladder whose rows start at `rungs`: derives
 * `rungs` and `hottest` from a list of temperatures. Defined in ladder.c. */
cs_status cs_ladder_arrange(const cs_param *rungs, const cs_value *given,
                            const cs_value *temperatures, double *values,
                            cs_error *err);

/* Returns the inverse temperature of a rung, from the list of temperatures. If
 * there is no list, the temperatures are a geometric progression between 1 and
 * the hottest temperature. */
static inline double cs_tempered_beta(const cs_wrapper *a, size_t rung,
                                      double rungs, double hottest)
{
    if (a->lists.n[CS_LADDER_TEMPERATURES])
        return 1 / a->lists.of[CS_LADDER_TEMPERATURES][rung];
    return rung ? pow(hottest, -(double)rung / (rungs - 1)) : 1;
}

/* Returns row `row` of the wrapper's own memory. */
static inline double *cs_tempered_row(const cs_move *m, size_t row)
{
    size_t first = cs_wrapper_first(m->self, m->eval->target);
    return m->memory + (first + row) * m->lanes;
}

/* These two functions are called before and after each call of the inner
 * kernel. cs_tempered_enter sets info.logp to beta log p and the evaluator's
 * power to beta; cs_tempered_leave restores both. If beta = 1, all values
 * remain the same bit for bit. */
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

/* Restricts the evaluator to chains that received another state. Returns false
 * if there are no such chains. */
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

/* Calls the inner kernel's init for chains that received another state. The
 * memory of the other chains is unchanged. */
static inline void cs_tempered_evaluate_again(cs_move *m, const double *beta)
{
    const cs_wrapper *a = m->self;
    size_t n = m->lanes, words = cs_wrapper_first(a, m->eval->target);
    double *spare = cs_wrapper_scratch(m);
    bool *stale = (bool *)(void *)(m->scratch + CS_MASKS * n),
         *rest = stale + n;
    if (!cs_tempered_ask(m, stale, rest))
        return;
    memcpy(spare, m->memory, words * n * sizeof *spare);
    cs_move inner = cs_tempered_enter(m, beta);
    inner.fresh = false;
    inner.info.proposal = inner.info.aux_proposal = NULL;
    if (a->inner.type->init)
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
    if (a->inner.type->init)
        a->inner.type->init(&inner);
    cs_tempered_leave(m, &inner, beta);
}

/* Makes one step of the inner kernel. Afterwards info.logp and
 * info.logp_proposal refer to log p, and info.logp_change refers to beta log p,
 * by which the step was decided. */
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
