#include "support/unsure.h"

#include "kernel/lanes.h"

#include <math.h>

enum { PERIOD = 4, MOST = 16 };

static const double pull = 0.6, width = 0.8;

double unsure_met[MOST];

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 0;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

static void fill(cs_move *m, double value)
{
    for (size_t l = 0; l < m->lanes; l++)
        m->info.logp[l] = value;
}

/* Computes log p of a standard Gaussian without evaluating the target. */
static void add_logp(cs_move *m, double off)
{
    fill(m, off);
    for (size_t d = 0; d < m->dim; d++)
        for (size_t l = 0; l < m->lanes; l++) {
            double x = m->x[d * m->lanes + l];
            m->info.logp[l] -= x * x / 2;
        }
}

static void init_none(cs_move *m)
{
    fill(m, UNSURE_POISON);
}

static void init_exact(cs_move *m)
{
    add_logp(m, 0);
}

static void init_estimate(cs_move *m)
{
    add_logp(m, UNSURE_OFF);
}

static void go(cs_move *m)
{
    double *u = m->scratch;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, u);
    for (size_t i = 0; i < m->dim * m->lanes; i++)
        m->x[i] = pull * m->x[i] + width * sqrt(12) * (u[i] - 0.5);
    for (size_t l = 0; l < m->lanes; l++)
        m->info.accepted[l] = m->info.moved[l] = true;
}

static void step_none(cs_move *m)
{
    go(m);
    init_none(m);
}

static void step_exact(cs_move *m)
{
    go(m);
    init_exact(m);
}

static void step_estimate(cs_move *m)
{
    go(m);
    init_estimate(m);
}

static cs_logp_kind none(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_LOGP_NONE;
}

static cs_logp_kind estimate(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_LOGP_ESTIMATE;
}

/* ---- exchanges ---- */

static uint64_t period(const double *values)
{
    (void)values;
    return PERIOD;
}

static void swap(const cs_exchange *m)
{
    for (size_t c = 0; c < m->chains; c++) {
        unsure_met[c % MOST] = m->logp[c];
        m->from[c] = c ^ 1;
    }
}

static const cs_exchange_type exchange = {.period = period, .run = swap};

#define TYPE(name_, logp_, exchange_)                                          \
    {                                                                          \
        .name = #name_, .title = #name_, .spaces = CS_CONTINUOUS,              \
        .memory_words = memory_words, .scratch_words = scratch_words,          \
        .init = init_##name_, .step = step_##name_, .logp = logp_,             \
        .exchange = exchange_                                                  \
    }

const cs_kernel_type unsure_types[3][2] = {
    [CS_LOGP_EXACT] = {TYPE(exact, NULL, NULL), TYPE(exact, NULL, &exchange)},
    [CS_LOGP_ESTIMATE] = {TYPE(estimate, estimate, NULL),
                          TYPE(estimate, estimate, &exchange)},
    [CS_LOGP_NONE] = {TYPE(none, none, NULL), TYPE(none, none, &exchange)},
};
