/* mala: the Metropolis-adjusted Langevin algorithm.
 *
 *   y = x + step^2/2 S grad log p(x) + step L z,  z ~ N(0, I), S = L L'
 *   log A = log p(y) - log p(x) + log q(x|y) - log q(y|x),
 *   log q(y|x) = -|L^-1 (y - x - step^2/2 S grad log p(x))|^2 / (2 step^2)
 *
 * where S = L L' is the metric.
 *
 * Roberts and Tweedie, "Exponential convergence of Langevin distributions and
 * their discrete approximations" (1996), section 1.4. The gradient at the state
 * is stored, so a step costs one evaluation of the gradient. `step` is the
 * standard deviation of the noise, as in the text of "MCMC without Evaluating
 * the Target: an Auxiliary Variable Approach"; the program released with that
 * paper uses the mean x + s^2 grad log p and noise sqrt(2) s, so step =
 * sqrt(2) s. */
#include "kernel/metric_lanes.h"
#include "kernel/step_row.h"
#include "kernels/real/gradient_step.h"
#include "kernels/real/langevin_move.h"

enum { STEP };

/* Returns S g, or g itself without a metric. `scratch` has space for two
 * arrays. */
static const double *pull(const cs_move *m, cs_span s, const double *g,
                          double *scratch)
{
    if (!m->metric)
        return g;
    cs_metric_product_transposed(m->metric, s, g, scratch);
    cs_metric_product(m->metric, s, scratch, scratch + s.end);
    return scratch + s.end;
}

/* Replaces z, stored in y, by the proposal. */
static void propose(cs_move *m, cs_span s, const double *x, const double *g,
                    const double *uniform, double *y, double *scratch)
{
    (void)uniform;
    for (size_t l = 0; l < s.by && m->metric; l += CS_VECTOR)
        cs_store(m->info.log_q_forward + l, cs_drift_log_z(s, l, y));
    const double *to = pull(m, s, g, scratch);
    if (m->metric) {
        cs_metric_product(m->metric, s, y, scratch);
        for (size_t l = 0; l < s.by; l += CS_VECTOR)
            cs_drift_shift(m, s, l, x, to, scratch, y);
        return;
    }
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_drift_propose(m, s, l, x, to, y);
}

/* Computes out[lanes] = log q(to | from), up to a constant, from the gradient
 * at `from`. */
static void density(const cs_move *m, cs_span s, const double *from,
                    const double *to, const double *g, double *scratch,
                    double *out)
{
    const double *by = pull(m, s, g, scratch);
    for (size_t l = 0; l < s.by && m->metric; l += CS_VECTOR)
        cs_drift_miss(m, s, l, from, to, by, scratch);
    if (m->metric)
        cs_metric_solve(m->metric, s, scratch);
    for (size_t l = 0; l < s.by; l += CS_VECTOR)
        cs_store(out + l, m->metric ? cs_drift_log_miss(m, s, l, scratch)
                                    : cs_drift_log_q(m, s, l, from, to, by));
}

static void step(cs_move *m)
{
    static const cs_gradient_form form = {false, false, propose, density};
    cs_gradient_step(m, &form);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    cs_span span = cs_span_of(m);
    double *g = m->scratch;
    cs_eval_gradient(m->eval, CS_NEXT, from, out, g);
    density(m, span, from, to, g, g + span.end, out);
}

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(
        0.1, "standard deviation of the noise; the drift is step^2 / "
             "2 times the gradient"),
};

const cs_kernel_type CS_VARIANT(cs_kernel_mala) = {
    .name = "mala",
    .title = "Metropolis-adjusted Langevin",
    .ref = "Roberts and Tweedie, Exponential convergence of Langevin "
           "distributions and their discrete approximations, 1996",
    .help = "Proposes a Langevin step, which moves along the gradient of log p "
            "and adds Gaussian noise. Accepts or rejects the proposal.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS | CS_KERNEL_METRIC,
    CS_PARAM_TABLE(rows),
    .memory_words = cs_gradient_memory,
    .scratch_words = cs_gradient_scratch,
    .init = cs_gradient_init,
    .step = step,
    .log_q = log_q,
};
