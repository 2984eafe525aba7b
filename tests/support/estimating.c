#include "support/estimating.h"

#include "kernel/accept.h"

#include <math.h>

double estimating_rows(uint64_t step, uint64_t chain)
{
    return (double)((7 * step + 3 * chain) % 30);
}

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)t, (void)values;
    return 0;
}

/* The scratch memory holds the proposal and two densities. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 2;
}

static void init(cs_move *m)
{
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
}

static void say_rows(cs_move *m)
{
    double *drawn = m->info.stat, *kept = drawn + m->lanes;
    for (size_t l = 0; l < m->lanes; l++) {
        drawn[l] = estimating_rows(m->streams.step, m->streams.chain[l]);
        kept[l] = floor(drawn[l] / 3);
    }
}

static void step(cs_move *m)
{
    cs_info *i = &m->info;
    size_t n = m->dim * m->lanes;
    double *y = m->scratch, *was = y + n, *then = was + m->lanes;
    const double *size = m->param + ESTIMATING_STEP * m->lanes,
                 *off = m->param + ESTIMATING_OFF * m->lanes;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t k = 0; k < n; k++)
        y[k] = m->x[k] + size[k % m->lanes] * y[k];
    i->proposal = y;
    cs_eval_log_density(m->eval, CS_NOW, m->x, was);
    cs_eval_log_density(m->eval, CS_NEXT, y, then);
    cs_eval_prior(m->eval, y, i->logp_proposal, NULL);
    for (size_t l = 0; l < m->lanes; l++) {
        i->log_q_forward[l] = i->log_q_back[l] = 0;
        i->log_aux[l] =
            then[l] - was[l] - (i->logp_proposal[l] - i->logp[l]) + off[l];
    }
    say_rows(m);
    cs_accept(m);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    (void)from, (void)to;
    for (size_t l = 0; l < m->lanes; l++)
        out[l] = 0;
}

static double expected_rows(const cs_target *t, const double *values)
{
    (void)t;
    return values[ESTIMATING_EXPECTS];
}

static cs_logp_kind none(const cs_target *t, const double *values)
{
    (void)t, (void)values;
    return CS_LOGP_NONE;
}

static const cs_param rows[ESTIMATING_PARAMS] = {
    [ESTIMATING_STEP] = {.name = "step",
                         .help = "scale of the proposal",
                         .def = 0.5,
                         .min = 1e-6,
                         .max = 1e3},
    [ESTIMATING_OFF] = {.name = "off",
                        .help = "error of the estimate",
                        .def = 0,
                        .min = -100,
                        .max = 100},
    [ESTIMATING_EXPECTS] = {.name = "expects",
                            .help = "expected number of drawn rows",
                            .def = 10,
                            .min = 0,
                            .max = 1e9,
                            .flags = CS_PARAM_FIXED},
};

static const char *const stats[] = {"rows__", "kept__", NULL};

const cs_kernel_type estimating = {
    .name = "estimating",
    .title = "Random walk with an estimated ratio",
    .ref = "",
    .help = "",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_ACCEPTS | CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE |
             CS_KERNEL_PARTS | CS_KERNEL_ESTIMATES,
    .params = rows,
    .n_params = ESTIMATING_PARAMS,
    .stats = stats,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
    .logp = none,
    .expected_rows = expected_rows,
};

cs_kernel estimating_of(double size, double off, double expects)
{
    return (cs_kernel){.type = &estimating, .values = {size, off, expects}};
}
