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

/* memory: the gradient at x. scratch: y, p, the gradient at y; of a chain
 * alone y, then y, p, the gradient at y and x, close. */
static size_t memory_words(const cs_target *t)
{
    return t->space.dim;
}

static size_t scratch_words(const cs_target *t)
{
    return 3 * t->space.dim + cs_close_words(t, 4);
}

static void init(cs_move *m)
{
    cs_eval_gradient(m->eval, CS_NOW, m->x, m->info.u, m->memory);
}

/* log N(p; 0, I) of every lane, up to a constant. */
static void kinetic(cs_span s, const double *p, double *out)
{
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd sum;
        CS_SPAN_SUM(sum, s, l, cs_load(p + at) * cs_load(p + at));
        cs_store(out + l, -0.5 * sum);
    }
}

/* to += factor step by */
static void shift(const cs_move *m, cs_span s, double factor, const double *by,
                  double *to)
{
    const double *step = cs_move_param(m, STEP);
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd f = factor * cs_load(step + l);
        for (size_t at = l; at < s.end; at += s.by)
            cs_store(to + at, cs_load(to + at) + f * cs_load(by + at));
    }
}

/* p += step g, then y += step p, in one pass. */
static void kick_and_drift(const cs_move *m, cs_span s, const double *g,
                           double *p, double *y)
{
    const double *step = cs_move_param(m, STEP);
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd f = cs_load(step + l);
        for (size_t at = l; at < s.end; at += s.by) {
            cs_vd faster = cs_load(p + at) + f * cs_load(g + at);
            cs_store(p + at, faster);
            cs_store(y + at, cs_load(y + at) + f * faster);
        }
    }
}

/* Where the gradient is not finite though U is, a trajectory stays to its
 * end, so that the fault is reported at that point. */
static void hold_bad(const cs_move *m, cs_span s, double *p, double *g)
{
    size_t lanes = s.close ? 1 : m->lanes;
    for (size_t l = 0; l < lanes; l++) {
        if (!cs_is_bad_gradient(m->info.u_proposal[l]))
            continue;
        for (size_t d = 0; d < m->dim; d++)
            p[d * lanes + l] = g[d * lanes + l] = 0;
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

/* The trajectory from y with momentum p; g is the gradient at y, there and
 * at its end. */
static void glide(cs_move *m, cs_span s, size_t n, double *y, double *p,
                  double *g)
{
    double *u = m->info.u_proposal;
    kinetic(s, p, m->info.log_q_forward);
    shift(m, s, 0.5, g, p);
    shift(m, s, 1, p, y);
    for (size_t k = 1; k <= n; k++) {
        if (s.close)
            cs_eval_gradient_close(m->eval, y, u, g);
        else
            cs_eval_gradient(m->eval, CS_NEXT, y, u, g);
        hold_bad(m, s, p, g);
        if (k < n)
            kick_and_drift(m, s, g, p, y);
    }
    shift(m, s, 0.5, g, p);
    kinetic(s, p, m->info.log_q_back);
}

/* A chain alone: the rows lie close, until the state is chosen. */
static void step_close(cs_move *m, size_t n)
{
    const cs_span s = cs_span_close(m);
    double *proposal = m->scratch, *y = proposal + m->dim * m->lanes;
    double *p = y + s.end, *g = p + s.end, *x = g + s.end;
    m->info.proposal = proposal;
    cs_lay_close(m, m->x, x);
    memcpy(y, x, s.end * sizeof *y);
    cs_lay_close(m, m->memory, g);
    cs_close_normal(m, p);
    glide(m, s, n, y, p, g);
    cs_spread(m, y, proposal);
    cs_refuse_overflow_close(m, y);
    cs_accept_close(m, &(cs_close){x, y});
    if (m->info.accepted[0])
        cs_spread(m, g, m->memory);
}

static void step_lanes(cs_move *m, size_t n)
{
    size_t size = m->dim * m->lanes;
    double *y = m->scratch, *p = y + size, *g = p + size;
    m->info.proposal = y;
    memcpy(y, m->x, size * sizeof *y);
    memcpy(g, m->memory, size * sizeof *g);
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, p);
    glide(m, cs_span_of(m), n, y, p, g);
    cs_refuse_overflow(m);
    cs_accept(m);
    cs_keep_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
}

static void step(cs_move *m)
{
    size_t n = (size_t)cs_move_param(m, LEAPFROGS)[0];
    if (cs_eval_is_close(m->eval))
        step_close(m, n);
    else
        step_lanes(m, n);
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
