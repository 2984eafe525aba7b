/* dula, dmala: the discrete Langevin proposal, without and with accept step.
 *
 *   q_i(v | x) ~ exp( balance g_i (v - x_i) - (v - x_i)^2 / (2 step) ),
 *   g = grad U(x) of the differentiable extension; every coordinate at once
 *
 * and for a binary site: flip with probability
 *   sigmoid( balance (1 - 2 x_i) g_i - 1 / (2 step) ).
 * dmala: log A = U(y) - U(x) + sum log q_i(x_i|y) - sum log q_i(y_i|x).
 *
 * Zhang, Liu and Liu, "A Langevin-like Sampler for Discrete Distributions"
 * (2022), Eq. 4 and Algorithm 1, where balance is 1/2; the balance is that of
 * "Gradient-based Discrete Sampling with Automatic Cyclical Scheduling",
 * Eq. 5. `step` is alpha. Departures: those of langevin.h; the gradient at the
 * state is kept, so that a step costs one gradient; dula does not enter a state
 * of probability 0. The stationary law of dula is not the target. */
#include "kernel/accept.h"
#include "kernel/langevin.h"

#include <math.h>

enum { STEP, BALANCE, VALUES };
enum { ORDERED, ONE_HOT };

/* Whether categorical sites are one bit a value. */
static bool is_hot(const cs_move *m)
{
    return m->space->kind == CS_CATEGORICAL &&
           cs_move_param(m, VALUES)[0] == ONE_HOT;
}

/* memory: the gradient at x. scratch: y, uniforms and then the gradient at y,
 * softmax weights of eight lanes. */
static size_t scratch_words(const cs_target *t)
{
    return t->space.dim + cs_langevin_words(t) + (size_t)t->space.values;
}

static void init(cs_move *m)
{
    cs_langevin_look(m, CS_NOW, is_hot(m), m->x, m->info.u, m->memory);
}

static cs_langevin langevin(const cs_move *m, size_t l, const double *g)
{
    size_t before = m->dim + cs_langevin_words(m->eval->target);
    return (cs_langevin){.step = cs_load(cs_move_param(m, STEP) + l),
                         .balance = cs_load(cs_move_param(m, BALANCE) + l),
                         .g = g,
                         .weight = m->scratch + before * m->lanes,
                         .hot = is_hot(m)};
}

/* Proposes for all lanes and asks the target; returns the gradient at y. */
static double *propose(cs_move *m)
{
    double *y = m->scratch, *g = y + m->dim * m->lanes;
    m->info.proposal = y;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, m->memory);
        cs_store(m->info.log_q_forward + l,
                 cs_langevin_propose(m, &q, l, y, g));
    }
    cs_langevin_look(m, CS_NEXT, is_hot(m), y, m->info.u_proposal, g);
    return g;
}

/* out = log q(to | from), given the gradient at `from`. */
static void density(const cs_move *m, const double *from, const double *to,
                    const double *g, double *out)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_langevin q = langevin(m, l, g);
        cs_store(out + l, cs_langevin_log(m, &q, l, from, to));
    }
}

static void keep(cs_move *m, const double *g)
{
    cs_keep_moved(m->info.moved, m->lanes, cs_langevin_rows(m, is_hot(m)), g,
                  m->memory);
}

static void step_adjusted(cs_move *m)
{
    double *g = propose(m);
    density(m, m->info.proposal, m->x, g, m->info.log_q_back);
    cs_accept(m);
    keep(m, g);
}

static void step_unadjusted(cs_move *m)
{
    double *g = propose(m);
    cs_follow(m);
    keep(m, g);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    double *g = m->scratch + m->dim * m->lanes;
    cs_langevin_look(m, CS_NEXT, is_hot(m), from, out, g);
    density(m, from, to, g, out);
}

static const char *const takes[] = {"ordered", "one_hot", NULL};

static const cs_param rows[] = {
    [STEP] = {.name = "step",
              .flags = CS_PARAM_LOG,
              .min = 1e-9,
              .max = 1e30,
              .def = 0.2,
              .help = "alpha: the larger, the farther a step",
              .ref = "Zhang, Liu and Liu 2022, Eq. 4"},
    [BALANCE] = {.name = "balance",
                 .max = 1,
                 .def = 0.5,
                 .help = "weight of the gradient: 1/2 for small steps, "
                         "towards 1 for large ones",
                 .ref = "Pynadath et al. 2024, Eq. 5"},
    [VALUES] = {.name = "values",
                .unit = "",
                .kind = CS_PARAM_CHOICE,
                .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
                .max = 1,
                .choices = takes,
                .help = "a categorical site as a number, or as one bit a "
                        "value, which takes all differences of U each step; "
                        "no matter elsewhere",
                .ref = "Zhang, Liu and Liu 2022, section 4.1"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_dula) = {
    .name = "dula",
    .title = "Discrete Langevin, unadjusted",
    .ref = "Zhang, Liu and Liu, A Langevin-like Sampler for Discrete "
           "Distributions, 2022, Algorithm 1",
    .help = "Moves every coordinate at once along the gradient. Biased: it "
            "has no accept step, and the bias grows with the step.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_GRADIENT,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .memory_words = cs_langevin_words,
    .carried_words = cs_langevin_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step_unadjusted,
    .log_q = log_q,
};

const cs_kernel_type CS_VARIANT(cs_kernel_dmala) = {
    .name = "dmala",
    .title = "Discrete Langevin, Metropolis-adjusted",
    .ref = "Zhang, Liu and Liu, A Langevin-like Sampler for Discrete "
           "Distributions, 2022, Algorithm 1",
    .help = "Moves every coordinate at once along the gradient, and corrects.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .memory_words = cs_langevin_words,
    .carried_words = cs_langevin_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step_adjusted,
    .log_q = log_q,
};
