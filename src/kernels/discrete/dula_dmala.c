/* dula, dmala: the discrete Langevin proposal, without and with an accept step.
 *
 *   q_i(v | x) ~ exp( balance g_i (v - x_i) - (v - x_i)^2 / (2 step) ),
 *   g = grad log p(x) of the differentiable extension; all coordinates at once
 *
 * and for a binary site: flips with probability
 *   sigmoid( balance (1 - 2 x_i) g_i - 1 / (2 step) ).
 * dmala: log A = log p(y) - log p(x) + sum log q_i(x_i|y) - sum log q_i(y_i|x).
 *
 * Zhang, Liu and Liu, "A Langevin-like Sampler for Discrete Distributions"
 * (2022), Eq. 4 and Algorithm 1, where balance is 1/2; the balance parameter is
 * from "Gradient-based Discrete Sampling with Automatic Cyclical Scheduling",
 * Eq. 5. `step` is alpha of the paper. Differences from the paper: the
 * differences described in langevin.h; the gradient at the state is stored, so
 * a step costs one evaluation of the gradient; dula does not enter a state of
 * probability 0. The stationary distribution of dula is not the target.
 *
 * The proposal of dmala may use any function of the state instead of the
 * gradient, if the accept step uses this function for both directions. With
 * gradient_precision = float it is a gradient in single precision, while log p
 * remains a double. The odds of a flip are then in single precision too, and
 * log q is computed from the same odds. */
#include "kernel/accept.h"
#include "kernels/discrete/gradient_precision.h"
#include "kernels/discrete/langevin.h"

#include <string.h>

enum { STEP, BALANCE, CODING, GRADIENT_PRECISION };

/* Returns whether the proposal uses a gradient in single precision (dmala
 * only). */
static bool is_low_precision(const cs_move *m, bool adjusted)
{
    return adjusted &&
           cs_move_param(m, GRADIENT_PRECISION)[0] != CS_GRADIENT_DOUBLE &&
           m->eval->target->type->force;
}

/* Returns the size of the gradient in doubles per lane. Memory: the gradient at
 * x. Scratch: y; the uniforms of some lanes, which the gradient at y overwrites
 * later; the softmax weights of eight lanes. */
static size_t gradient_words(const cs_target *t, const double *values)
{
    return cs_coding_words(t, values[CODING]);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    return t->space.dim + gradient_words(t, values) + (size_t)t->space.values;
}

static cs_langevin langevin(const cs_move *m, bool low_precision, size_t l,
                            const double *g)
{
    size_t before = m->dim + cs_coding_rows(m, cs_coding_is_hot(m, CODING));
    return (cs_langevin){.step = cs_load(cs_move_param(m, STEP) + l),
                         .balance = cs_load(cs_move_param(m, BALANCE) + l),
                         .g = g,
                         .weight = m->scratch + before * m->lanes,
                         .hot = cs_coding_is_hot(m, CODING),
                         .quick = low_precision};
}

static double *scratch_gradient(const cs_move *m)
{
    return m->scratch + m->dim * m->lanes;
}

/* Evaluates the gradient at x and, unless `which` is NOW, log p. (For NOW, log
 * p is known.) g receives doubles or, in low precision, floats stored in its
 * bytes. */
static void evaluate(cs_move *m, cs_which which, bool low_precision,
                     const double *x, double *logp, double *g)
{
    if (!low_precision) {
        cs_langevin_evaluate(m, which, cs_coding_is_hot(m, CODING), x, logp, g);
        return;
    }
    if (which == CS_NEXT)
        cs_eval_log_density(m->eval, which, x, logp);
    cs_eval_low_gradient_of(m->eval, which, x, (float *)(void *)g);
}

/* In lanes that moved, copies g, the gradient at the proposal, to the
 * memory. */
static void commit(cs_move *m, bool low_precision, const double *g)
{
    const float *f = (const float *)(const void *)g;
    if (!low_precision) {
        cs_commit_moved(m->info.moved, m->lanes,
                        cs_coding_rows(m, cs_coding_is_hot(m, CODING)), g,
                        m->memory);
        return;
    }
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vi mask = cs_load_bool(m->info.moved + l);
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(m->memory + at, cs_vselect(mask, cs_vwiden(f + at),
                                                cs_load(m->memory + at)));
    }
}

static void init_as(cs_move *m, bool adjusted)
{
    bool low_precision = is_low_precision(m, adjusted);
    double *g = low_precision ? scratch_gradient(m) : m->memory;
    evaluate(m, CS_NOW, low_precision, m->x, m->info.logp, g);
    memset(m->info.moved, true, m->lanes * sizeof *m->info.moved);
    if (low_precision)
        commit(m, true, g);
}

static void init_adjusted(cs_move *m)
{
    init_as(m, true);
}

static void init_unadjusted(cs_move *m)
{
    init_as(m, false);
}

/* Draws proposals for one part of the block, the lanes from `first` on. */
static void propose_part(cs_move *m, bool low_precision, size_t first,
                         double *y, double *uniform)
{
    const cs_streams part = cs_streams_part(&m->streams, first);
    cs_fill_uniform(&part, CS_FOR_PROPOSAL, m->dim, uniform);
    for (size_t k = 0; k < part.lanes; k += CS_VECTOR) {
        cs_langevin q = langevin(m, low_precision, first + k, m->memory);
        cs_store(
            m->info.log_q_forward + first + k,
            cs_langevin_propose(m, &q, first + k, y, uniform + k, part.lanes));
    }
}

/* Draws proposals for all lanes and evaluates y. Returns the gradient at y. */
static double *propose(cs_move *m, bool low_precision)
{
    double *y = m->scratch, *g = scratch_gradient(m);
    m->info.proposal = y;
    for (size_t l = 0; l < m->lanes; l += CS_STREAMS_PART)
        propose_part(m, low_precision, l, y, g);
    evaluate(m, CS_NEXT, low_precision, y, m->info.logp_proposal, g);
    return g;
}

/* Computes out = log q(to | from), given the gradient g at `from`. */
static void density(const cs_move *m, bool low_precision, const double *from,
                    const double *to, const double *g, double *out)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, low_precision, l, g);
        q.f = low_precision ? (const float *)(const void *)g : NULL;
        cs_store(out + l, cs_langevin_log(m, &q, l, from, to));
    }
}

static void step_adjusted(cs_move *m)
{
    bool low_precision = is_low_precision(m, true);
    double *g = propose(m, low_precision);
    density(m, low_precision, m->info.proposal, m->x, g, m->info.log_q_back);
    cs_accept(m);
    commit(m, low_precision, g);
}

static void move_all(cs_move *m, bool adjusted)
{
    bool low_precision = is_low_precision(m, adjusted);
    double *g = propose(m, low_precision);
    cs_accept_all(m);
    commit(m, low_precision, g);
}

static void step_unadjusted(cs_move *m)
{
    move_all(m, false);
}

/* Makes a step of dmala without the accept step, at the request of a tuner. */
static void step_without_accept(cs_move *m)
{
    move_all(m, true);
}

static void log_q_as(cs_move *m, bool adjusted, const double *from,
                     const double *to, double *out)
{
    bool low_precision = is_low_precision(m, adjusted);
    double *g = scratch_gradient(m);
    evaluate(m, CS_NEXT, low_precision, from, out, g);
    density(m, low_precision, from, to, g, out);
}

static void log_q_adjusted(cs_move *m, const double *from, const double *to,
                           double *out)
{
    log_q_as(m, true, from, to, out);
}

static void log_q_unadjusted(cs_move *m, const double *from, const double *to,
                             double *out)
{
    log_q_as(m, false, from, to, out);
}

static cs_status check_force(const cs_target *t, const double *values,
                             cs_error *err)
{
    return cs_kernel_check_precision("dmala", t, values[GRADIENT_PRECISION],
                                     err);
}

/* Parameter rows. The last row is used by dmala only. */
static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .flags = CS_PARAM_LOG | CS_PARAM_SIZE,
              CS_PARAM_RANGE(1e-9, 1e30, 0.2),
              .help = "alpha: step size, which has the dimension of x squared; "
                      "with a larger alpha more coordinates of x change per "
                      "step",
              .ref = "Zhang, Liu and Liu 2022, Eq. 4"},
    [BALANCE] = {.name = "balance",
                 .max = 1,
                 .def = 0.5,
                 .help =
                     "balancing parameter, which multiplies the gradient; 1/2 "
                     "suits small steps, and values near 1 suit large steps",
                 .ref = "Pynadath et al. 2024, Eq. 5"},
    [CODING] = CS_CODING_ROW("", "Zhang, Liu and Liu 2022, section 4.1"),
    [GRADIENT_PRECISION] = CS_GRADIENT_PRECISION_ROW,
};

const cs_kernel_type CS_VARIANT(cs_kernel_dula) = {
    .name = "dula",
    .title = "Discrete Langevin, unadjusted",
    .ref = "Zhang, Liu and Liu, A Langevin-like Sampler for Discrete "
           "Distributions, 2022, Algorithm 1",
    .help = "Changes all coordinates at once, guided by the gradient. The "
            "kernel is biased because it has no accept step, and the bias "
            "grows with the step size.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_GRADIENT,
    .params = rows,
    .n_params = GRADIENT_PRECISION,
    .memory_words = gradient_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .init = init_unadjusted,
    .step = step_unadjusted,
    .log_q = log_q_unadjusted,
};

const cs_kernel_type CS_VARIANT(cs_kernel_dmala) = {
    .name = "dmala",
    .title = "Discrete Langevin, Metropolis-adjusted",
    .ref = "Zhang, Liu and Liu, A Langevin-like Sampler for Discrete "
           "Distributions, 2022, Algorithm 1",
    .help = "Proposes a change of every coordinate at once, guided by the "
            "gradient, and accepts or rejects it.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows),
    .memory_words = gradient_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .check = check_force,
    .init = init_adjusted,
    .step = step_adjusted,
    .step_unadjusted = step_without_accept,
    .log_q = log_q_adjusted,
};
