/* hmc: Hamiltonian Monte Carlo with unit masses.
 *
 *   p ~ N(0, I);  `leapfrogs` times:
 *     p += step/2 grad U(x);  x += step p;  p += step/2 grad U(x)
 *   log A = U(x') - U(x) - |p'|^2/2 + |p|^2/2
 *
 * Duane, Kennedy, Pendleton and Roweth, "Hybrid Monte Carlo" (1987); Neal,
 * "MCMC using Hamiltonian dynamics" (2011), section 3. The program released
 * with "MCMC without Evaluating the Target" uses one gradient for both half
 * kicks, which is neither reversible nor volume preserving; this is the true
 * leapfrog. In `info` the densities of p and p' stand for log q. */
#include "kernel/accept.h"

#include <math.h>
#include <string.h>

enum { STEP, LEAPFROGS };
enum { N_LEAPFROG, DIVERGENT, ENERGY };

/* An error of the energy beyond this is a divergence, as in Stan (nats). */
static const double most_error = 1000;

/* memory: the gradient at x. scratch: y, p, the gradient at y. */
static size_t memory_words(const cs_target *t)
{
    return t->space.dim;
}

static size_t scratch_words(const cs_target *t)
{
    return 3 * t->space.dim;
}

static void init(cs_move *m)
{
    cs_eval_gradient(m->eval, CS_NOW, m->x, m->info.u, m->memory);
}

/* log N(p; 0, I) of every lane, up to a constant. */
static void kinetic(const cs_move *m, const double *p, double *out)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd sum;
        CS_VSUM(sum, l, m->lanes, m->dim * m->lanes,
                cs_load(p + at) * cs_load(p + at));
        cs_store(out + l, -0.5 * sum);
    }
}

/* to += factor step by */
static void shift(const cs_move *m, double factor, const double *by, double *to)
{
    const double *step = cs_move_param(m, STEP);
    size_t lanes = m->lanes, end = m->dim * lanes;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd f = factor * cs_load(step + l);
        for (size_t at = l; at < end; at += lanes)
            cs_store(to + at, cs_load(to + at) + f * cs_load(by + at));
    }
}

/* Where the gradient is not finite though U is, a trajectory stays to its
 * end, so that the fault is reported at that point. */
static void hold_bad(const cs_move *m, double *p, double *g)
{
    for (size_t l = 0; l < m->lanes; l++) {
        if (!cs_is_bad_gradient(m->info.u_proposal[l]))
            continue;
        for (size_t d = 0; d < m->dim; d++)
            p[d * m->lanes + l] = g[d * m->lanes + l] = 0;
    }
}

/* The figures that a draw carries; the energy is that of the state kept,
 * with its momentum: what E-BFMI wants. */
static void put_stats(cs_move *m, size_t leapfrogs)
{
    const cs_info *i = &m->info;
    double *stat = i->stat;
    for (size_t l = 0; l < m->lanes; l++) {
        double kinetic =
            i->accepted[l] ? i->log_q_back[l] : i->log_q_forward[l];
        stat[N_LEAPFROG * m->lanes + l] = (double)leapfrogs;
        stat[DIVERGENT * m->lanes + l] = !(i->log_ratio[l] > -most_error);
        stat[ENERGY * m->lanes + l] = -i->u[l] - kinetic;
    }
}

static void step(cs_move *m)
{
    size_t size = m->dim * m->lanes;
    double *y = m->scratch, *p = y + size, *g = p + size;
    size_t n = (size_t)cs_move_param(m, LEAPFROGS)[0];
    m->info.proposal = y;
    memcpy(y, m->x, size * sizeof *y);
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, p);
    kinetic(m, p, m->info.log_q_forward);
    shift(m, 0.5, m->memory, p);
    for (size_t k = 1; k <= n; k++) {
        shift(m, 1, p, y);
        cs_eval_gradient(m->eval, CS_NEXT, y, m->info.u_proposal, g);
        hold_bad(m, p, g);
        shift(m, k < n ? 1 : 0.5, g, p);
    }
    kinetic(m, p, m->info.log_q_back);
    cs_refuse_overflow(m);
    cs_accept(m);
    cs_keep_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
    put_stats(m, n);
}

static const char *const stats[] = {
    [N_LEAPFROG] = "n_leapfrog__",
    [DIVERGENT] = "divergent__",
    [ENERGY] = "energy__",
    NULL,
};

static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .unit = "",
              .flags = CS_PARAM_LOG,
              .min = 1e-12,
              .max = 1e100,
              .def = 0.1,
              .help = "time of one leapfrog"},
    [LEAPFROGS] = {.name = "leapfrogs",
                   .unit = "gradients",
                   .kind = CS_PARAM_INT,
                   .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
                   .min = 1,
                   .max = 1e6,
                   .def = 10,
                   .help = "leapfrogs of one step"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_hmc) = {
    .name = "hmc",
    .title = "Hamiltonian Monte Carlo",
    .ref = "Duane et al., Hybrid Monte Carlo, 1987; Neal, MCMC using "
           "Hamiltonian dynamics, 2011, section 3",
    .help = "Glides over the landscape from a random push, and corrects.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .stats = stats,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
};
