/* barker: the Barker proposal.
 *
 *   y_j = x_j + b_j z_j,  z_j ~ N(0, step^2),  b_j = 1 with probability
 *         1 / (1 + exp(-z_j g_j)), else -1,  g = grad log p(x)
 *   log A = log p(y) - log p(x) + log q(x|y) - log q(y|x),
 *   log q(y|x) = sum_j -D_j^2 / (2 step^2) - log(1 + exp(-D_j g_j)), D = y - x
 *
 * With a metric S = L L', the formulas use L^-1 x and L' g in place of x and g.
 * Livingstone and Zanella, "The Barker proposal: combining robustness and
 * efficiency in gradient-based MCMC" (2022), algorithm 1. The gradient decides
 * the sign of a move but not its length: even a huge gradient does not make a
 * proposal longer than its noise. The gradient at the state is stored, so a
 * step costs one evaluation of the gradient.
 *
 * The first term of log q is the same in both directions; only the function
 * `log_q` includes it. As in random_walk, the accept step only needs z and -z
 * to be equally likely, which holds exactly for normals in single precision. D
 * is the difference of the rounded states x and y. */
#include "kernel/metric_lanes.h"
#include "kernel/step_row.h"
#include "kernels/real/barker_move.h"
#include "kernels/real/gradient_step.h"

enum { STEP };

/* Computes out[lanes], log q(to | from) without the terms that are equal in
 * both directions. With a metric, computes the difference L^-1 (from - to) and
 * the slope L' g in `scratch`, and uses them instead of from - to and g. */
static void skew(const cs_move *m, cs_span s, const double *from,
                 const double *to, const double *g, double *scratch,
                 double *out)
{
    double *slope = scratch + s.end;
    for (size_t at = 0; m->metric && at < s.end; at += CS_VECTOR)
        cs_store(scratch + at, cs_load(from + at) - cs_load(to + at));
    if (m->metric) {
        cs_metric_solve(m->metric, s, scratch);
        cs_metric_product_transposed(m->metric, s, g, slope);
    }
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_store(out + l, m->metric ? cs_barker_skew_of(s, l, scratch, slope)
                                    : cs_barker_skew(s, l, from, to, g));
}

/* Replaces the standard normals in y by the proposal. */
static void propose(cs_move *m, cs_span s, const double *x, const double *g,
                    const double *uniform, double *y, double *scratch)
{
    if (!m->metric) {
        for (size_t l = 0; l < s.by; l += CS_VECTOR)
            cs_barker_propose(m, s, l, x, g, uniform, y);
        return;
    }
    cs_metric_product_transposed(m->metric, s, g, scratch);
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_barker_turn(m, s, l, scratch, uniform, y);
    cs_metric_product(m->metric, s, y, scratch);
    for (size_t at = 0; at < s.end; at += CS_VECTOR)
        cs_store(y + at, cs_load(x + at) + cs_load(scratch + at));
    skew(m, s, x, y, g, scratch, m->info.log_q_forward);
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
    [STEP] = CS_STEP_ROW(0.1, "standard deviation of the noise; the sign of "
                              "the noise is chosen by the gradient"),
};

const cs_kernel_type CS_VARIANT(cs_kernel_barker) = {
    .name = "barker",
    .title = "Barker proposal",
    .ref = "Livingstone and Zanella, The Barker proposal: combining robustness "
           "and efficiency in gradient-based MCMC, 2022",
    .help = "Proposes a move by Gaussian noise, and accepts or rejects it. In "
            "each coordinate the noise points uphill with a probability that "
            "grows with the slope of log p.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    CS_PARAM_TABLE(rows),
    /* The acceptance that Livingstone and Zanella 2022 aim for in section 6.
     * For independent identical normals, an acceptance of 0.574 is optimal in
     * the limit of many normals (Vogrinc, Livingstone and Zanella 2023). With
     * 20 or 100 normals, an acceptance of 0.4 loses a tenth of the effective
     * draws. If scales differ, a lower acceptance is better. */
    .acceptance = 0.4,
    .memory_words = cs_gradient_memory,
    .scratch_words = cs_gradient_scratch,
    .init = cs_gradient_init,
    .step = step,
    .log_q = log_q,
};
