/* barker: the Barker proposal.
 *
 *   y_j = x_j + b_j z_j,  z_j ~ N(0, step^2),  b_j = 1 with probability
 *         1 / (1 + exp(-z_j g_j)), else -1,  g = grad log p(x)
 *   log A = log p(y) - log p(x) + log q(x|y) - log q(y|x),
 *   log q(y|x) = sum_j -D_j^2 / (2 step^2) - log(1 + exp(-D_j g_j)), D = y - x
 *
 * with a metric S = L L' of L^-1 x and L' g in place of x and g.
 * Livingstone and Zanella, "The Barker proposal: combining robustness and
 * efficiency in gradient-based MCMC" (2022), algorithm 1. A
 * gradient chooses the sign of a move and never its length: where it is huge,
 * a proposal goes no further than the noise does. The gradient at the state is
 * kept, so that a step costs one.
 *
 * The first term of log q is the same both ways, and only in what `log_q` says.
 * As in random_walk the accept step asks of z only that z and -z be equally
 * likely, which normals of single precision are to the last bit. D is what the
 * rounded states differ by. */
#include "kernel/accept.h"
#include "kernel/metric_lanes.h"
#include "kernels/real/barker_move.h"

enum { STEP };

/* memory: the gradient at x. scratch: y, the gradient at y, which are uniforms
 * before, and room for a metric; for a single chain y, then packed x, the
 * gradient at x, y, the gradient at y and that room. */
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

/* out[lanes]: the skew, for a metric of differences L^-1 (from - to) and of
 * slopes L' g, both in `room`. */
static void skew(const cs_move *m, cs_span s, const double *from,
                 const double *to, const double *g, double *room, double *out)
{
    double *slope = room + s.end;
    for (size_t at = 0; m->metric && at < s.end; at += CS_VECTOR)
        cs_store(room + at, cs_load(from + at) - cs_load(to + at));
    if (m->metric) {
        cs_metric_solve(m->metric, s, room);
        cs_metric_product_transposed(m->metric, s, g, slope);
    }
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_store(out + l, m->metric ? cs_barker_skew_of(s, l, room, slope)
                                    : cs_barker_skew(s, l, from, to, g));
}

/* y holds standard normals and becomes the proposal. */
static void propose(cs_move *m, cs_span s, const double *x, const double *g,
                    const double *uniform, double *y, double *room)
{
    if (!m->metric) {
        for (size_t l = 0; l < s.by; l += CS_VECTOR)
            cs_barker_propose(m, s, l, x, g, uniform, y);
        return;
    }
    cs_metric_product_transposed(m->metric, s, g, room);
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_barker_turn(m, s, l, room, uniform, y);
    cs_metric_product(m->metric, s, y, room);
    for (size_t at = 0; at < s.end; at += CS_VECTOR)
        cs_store(y + at, cs_load(x + at) + cs_load(room + at));
    skew(m, s, x, y, g, room, m->info.log_q_forward);
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
    cs_packed_normal(m, CS_SINGLE_NORMALS, y);
    cs_packed_numbers(m, CS_FOR_LENGTH, CS_UNIFORMS, g);
    propose(m, span, x, now, g, y, room);
    cs_packed_gradient(m, y, m->info.logp_proposal, g);
    cs_show_proposal(m, y, proposal);
    cs_refuse_overflow_packed(m, y);
    skew(m, span, y, x, g, room, m->info.log_q_back);
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
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    cs_fill_uniform(&m->streams, CS_FOR_LENGTH, m->dim, g);
    propose(m, span, m->x, m->memory, g, y, room);
    cs_eval_gradient(m->eval, CS_NEXT, y, m->info.logp_proposal, g);
    cs_refuse_overflow(m);
    skew(m, span, y, m->x, g, room, m->info.log_q_back);
    cs_accept(m);
    cs_commit_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
}

static inline cs_vd squared(cs_vd a)
{
    return a * a;
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    const cs_span span = cs_span_of(m);
    double *g = m->scratch, *room = g + span.end, *miss = room + 2 * span.end;
    cs_eval_gradient(m->eval, CS_NEXT, from, out, g);
    skew(m, span, from, to, g, room, out);
    for (size_t at = 0; at < span.end; at += CS_VECTOR)
        cs_store(miss + at, cs_load(to + at) - cs_load(from + at));
    if (m->metric)
        cs_metric_solve(m->metric, span, miss);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd inverse = 1.0 / cs_load(cs_move_param(m, STEP) + l), sum;
        CS_SPAN_SUM(sum, span, l, squared(cs_load(miss + at) * inverse));
        cs_store(out + l, cs_load(out + l) - 0.5 * sum);
    }
}

static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .flags = CS_PARAM_LOG,
              .min = 1e-12,
              .max = 1e100,
              .def = 0.1,
              .help =
                  "standard deviation of the noise, whose sign the gradient "
                  "chooses"},
};

/* What Livingstone and Zanella 2022 aim at in section 6. With independent normals
 * alike 0.574 is best as their number grows (Vogrinc, Livingstone and Zanella
 * 2023), and 0.4 takes a tenth off the effective draws of 20 or 100 of them;
 * where scales differ, more steps must be refused. */
static double acceptance(size_t dim)
{
    (void)dim;
    return 0.4;
}

const cs_kernel_type CS_VARIANT(cs_kernel_barker) = {
    .name = "barker",
    .title = "Barker proposal",
    .ref = "Livingstone and Zanella, The Barker proposal: combining robustness "
           "and efficiency in gradient-based MCMC, 2022",
    .help = "Gaussian noise, each coordinate of it turned uphill the likelier "
            "the steeper it is, accepted or rejected.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .acceptance = acceptance,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
    .log_q = log_q,
};
