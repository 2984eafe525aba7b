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
#include "kernel/metric_lanes.h"
#include "kernel/step_row.h"
#include "kernels/real/barker_move.h"
#include "kernels/real/gradient_step.h"

enum { STEP };

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

static void step(cs_move *m)
{
    static const cs_gradient_form form = {true, true, propose, skew};
    cs_gradient_step(m, &form);
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
    [STEP] = CS_STEP_ROW(
        0.1, "standard deviation of the noise, whose sign the gradient "
             "chooses"),
};

const cs_kernel_type CS_VARIANT(cs_kernel_barker) = {
    .name = "barker",
    .title = "Barker proposal",
    .ref = "Livingstone and Zanella, The Barker proposal: combining robustness "
           "and efficiency in gradient-based MCMC, 2022",
    .help = "Gaussian noise, accepted or rejected. Each coordinate is turned "
            "uphill, with a probability that grows with the slope.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    CS_PARAM_TABLE(rows),
    /* What Livingstone and Zanella 2022 aim at in section 6. With independent normals
     * alike 0.574 is best as their number grows (Vogrinc, Livingstone and Zanella
     * 2023), and 0.4 takes a tenth off the effective draws of 20 or 100 of them;
     * where scales differ, more steps must be refused. */
    .acceptance = 0.4,
    .memory_words = cs_gradient_memory,
    .scratch_words = cs_gradient_scratch,
    .init = cs_gradient_init,
    .step = step,
    .log_q = log_q,
};
