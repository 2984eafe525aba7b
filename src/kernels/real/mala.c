/* mala: the Metropolis-adjusted Langevin algorithm.
 *
 *   y = x + step^2/2 S grad log p(x) + step L z,  z ~ N(0, I), S = L L'
 *   log A = log p(y) - log p(x) + log q(x|y) - log q(y|x),
 *   log q(y|x) = -|L^-1 (y - x - step^2/2 S grad log p(x))|^2 / (2 step^2)
 *
 * with S the metric.
 *
 * Roberts and Tweedie, "Exponential convergence of Langevin distributions and
 * their discrete approximations" (1996), section 1.4. The gradient at the
 * state is kept, so that a step costs one gradient. `step` is the standard
 * deviation of the noise, as in the text of "MCMC without Evaluating the
 * Target: an Auxiliary Variable Approach"; its released program has mean
 * x + s^2 grad log p and noise sqrt(2) s, so that step = sqrt(2) s. */
#include "kernel/accept.h"
#include "kernel/metric_lanes.h"
#include "kernels/real/langevin_move.h"

enum { STEP };

/* memory: the gradient at x. scratch: y, the gradient at y, and for a metric S
 * times a gradient and room; for a single chain y, then packed x, the gradient
 * at x, y, the gradient at y and the same. */
static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 4 * t->space.dim + cs_packed_words(t, 6);
}

static void init(cs_move *m)
{
    cs_eval_gradient(m->eval, CS_NOW, m->x, m->info.logp, m->memory);
}

/* S g, or without a metric g itself; `room` holds two arrays. */
static const double *pull(const cs_move *m, cs_span s, const double *g,
                          double *room)
{
    if (!m->metric)
        return g;
    cs_metric_product_transposed(m->metric, s, g, room);
    cs_metric_product(m->metric, s, room, room + s.end);
    return room + s.end;
}

/* y holds z and becomes the proposal. */
static void propose(cs_move *m, cs_span s, const double *x, const double *g,
                    double *y, double *room)
{
    for (size_t l = 0; l < s.by && m->metric; l += CS_VECTOR)
        cs_store(m->info.log_q_forward + l, cs_drift_log_z(s, l, y));
    const double *to = pull(m, s, g, room);
    if (m->metric) {
        cs_metric_product(m->metric, s, y, room);
        for (size_t l = 0; l < s.by; l += CS_VECTOR)
            cs_drift_shift(m, s, l, x, to, room, y);
        return;
    }
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_drift_propose(m, s, l, x, to, y);
}

/* out[lanes] = log q(to | from), up to a constant, by the gradient at `from`. */
static void density(const cs_move *m, cs_span s, const double *from,
                    const double *to, const double *g, double *room,
                    double *out)
{
    const double *by = pull(m, s, g, room);
    for (size_t l = 0; l < s.by && m->metric; l += CS_VECTOR)
        cs_drift_miss(m, s, l, from, to, by, room);
    if (m->metric)
        cs_metric_solve(m->metric, s, room);
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_store(out + l, m->metric ? cs_drift_log_miss(m, s, l, room)
                                    : cs_drift_log_q(m, s, l, from, to, by));
}

/* A single chain, packed. */
static void step_packed(cs_move *m)
{
    const cs_span span = cs_span_packed(m);
    double *proposal = m->scratch, *x = proposal + m->dim * m->lanes;
    double *now = x + span.end, *y = now + span.end, *g = y + span.end;
    double *room = g + span.end;
    cs_pack_rows_once(m, m->x, x);
    cs_pack_rows_once(m, m->memory, now);
    cs_packed_normal(m, CS_NORMALS, y);
    propose(m, span, x, now, y, room);
    cs_packed_gradient(m, y, m->info.logp_proposal, g);
    cs_show_proposal(m, y, proposal);
    cs_refuse_overflow_packed(m, y);
    density(m, span, y, x, g, room, m->info.log_q_back);
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
    double *y = m->scratch, *g = y + span.end, *room = g + span.end;
    m->info.proposal = y;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    propose(m, span, m->x, m->memory, y, room);
    cs_eval_gradient(m->eval, CS_NEXT, y, m->info.logp_proposal, g);
    cs_refuse_overflow(m);
    density(m, span, y, m->x, g, room, m->info.log_q_back);
    cs_accept(m);
    cs_commit_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    cs_span span = cs_span_of(m);
    double *g = m->scratch;
    cs_eval_gradient(m->eval, CS_NEXT, from, out, g);
    density(m, span, from, to, g, g + span.end, out);
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
             CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
};
