/* mala: the Metropolis-adjusted Langevin algorithm.
 *
 *   y = x + step^2/2 grad log p(x) + step z,  z ~ N(0, I)
 *   log A = log p(y) - log p(x) + log q(x|y) - log q(y|x),
 *   log q(y|x) = -|y - x - step^2/2 grad log p(x)|^2 / (2 step^2)
 *
 * Roberts and Tweedie, "Exponential convergence of Langevin distributions and
 * their discrete approximations" (1996), section 1.4. The gradient at the
 * state is kept, so that a step costs one gradient. `step` is the standard
 * deviation of the noise, as in the text of "MCMC without Evaluating the
 * Target: an Auxiliary Variable Approach"; its released program has mean
 * x + s^2 grad log p and noise sqrt(2) s, so that step = sqrt(2) s. */
#include "kernel/accept.h"
#include "kernels/real/langevin_move.h"

#include <math.h>

enum { STEP };

/* memory: the gradient at x. scratch: y, the gradient at y; for a single chain
 * y, then packed x, the gradient at x, y and the gradient at y. */
static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 2 * t->space.dim + cs_packed_words(t, 4);
}

static void init(cs_move *m)
{
    cs_eval_gradient(m->eval, CS_NOW, m->x, m->info.logp, m->memory);
}

/* A single chain, packed. */
static void step_packed(cs_move *m)
{
    const cs_span span = cs_span_packed(m);
    double *proposal = m->scratch, *x = proposal + m->dim * m->lanes;
    double *now = x + span.end, *y = now + span.end, *g = y + span.end;
    cs_pack_rows_once(m, m->x, x);
    cs_pack_rows_once(m, m->memory, now);
    cs_packed_normal(m, CS_NORMALS, y);
    cs_drift_propose(m, span, 0, x, now, y);
    cs_packed_gradient(m, y, m->info.logp_proposal, g);
    cs_show_proposal(m, y, proposal);
    cs_refuse_overflow_packed(m, y);
    cs_store(m->info.log_q_back, cs_drift_log_q(m, span, 0, y, x, g));
    cs_accept_packed(m, &(cs_packed_proposal){x, y});
    if (m->info.accepted[0]) {
        cs_unpack_rows(m, g, m->memory);
        cs_commit_packed_rows(m, g, now);
    }
    m->packed_valid = m->multi_step;
}

static void step(cs_move *m)
{
    if (cs_eval_is_packed(m->eval)) {
        step_packed(m);
        return;
    }
    const cs_span span = cs_span_of(m);
    double *y = m->scratch, *g = y + m->dim * m->lanes;
    m->info.proposal = y;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_drift_propose(m, span, l, m->x, m->memory, y);
    cs_eval_gradient(m->eval, CS_NEXT, y, m->info.logp_proposal, g);
    cs_refuse_overflow(m);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(m->info.log_q_back + l,
                 cs_drift_log_q(m, span, l, y, m->x, g));
    cs_accept(m);
    cs_commit_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    double *g = m->scratch;
    cs_eval_gradient(m->eval, CS_NEXT, from, out, g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(out + l, cs_drift_log_q(m, cs_span_of(m), l, from, to, g));
}

static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .flags = CS_PARAM_LOG,
              .min = 1e-12,
              .max = 1e100,
              .def = 0.1,
              .help = "standard deviation of the noise; the drift is step^2 / "
                      "2 times the gradient"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_mala) = {
    .name = "mala",
    .title = "Metropolis-adjusted Langevin",
    .ref = "Roberts and Tweedie, Exponential convergence of Langevin "
           "distributions and their discrete approximations, 1996",
    .help =
        "A step along the gradient plus Gaussian noise, accepted or rejected.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
};
