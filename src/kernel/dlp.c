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
 * Eq. 5. `step` is alpha. Departures: sigmoids and softmaxes cannot overflow;
 * nothing is added inside the logarithms; the gradient at the state is kept,
 * so that a step costs one gradient; dula does not enter a state of
 * probability 0. The stationary law of dula is not the target. */
#include "kernel/accept.h"

#include <math.h>

enum { STEP, BALANCE };

/* memory: the gradient at x. scratch: y, uniforms and then the gradient at y,
 * softmax weights of eight lanes. */
static size_t memory_words(const cs_target *t)
{
    return t->space.dim;
}

static size_t scratch_words(const cs_target *t)
{
    return 2 * t->space.dim + (size_t)t->space.values;
}

static void init(cs_move *m)
{
    cs_eval_gradient(m->eval, CS_NOW, m->x, m->info.u, m->memory);
}

/* ---- binary: eight lanes ------------------------------------------------- */

typedef struct flips {
    cs_vd balance, half; /* half = 1 / (2 step) */
    cs_vd below;         /* sum of min(logit of what happened, 0) */
    cs_log_product rest; /* product of 1 + exp -|logit| */
} flips;

static inline flips flips_begin(const cs_move *m, size_t l)
{
    return (flips){cs_load(cs_move_param(m, BALANCE) + l),
                   0.5 / cs_load(cs_move_param(m, STEP) + l), cs_vset(0),
                   cs_log_product_one()};
}

static inline cs_vd flips_logit(const flips *f, cs_vd x, cs_vd g)
{
    return f->balance * ((1.0 - 2.0 * x) * g) - f->half;
}

/* Takes the factor of one site into the density: log sigmoid(s) is
 * min(s, 0) - log(1 + exp -|s|), s = logit where flipped, else -logit. */
static inline void flips_take(flips *f, cs_vi flipped, cs_vd logit, cs_vd e)
{
    cs_vd s = cs_vselect(flipped, logit, -logit);
    f->below += cs_vmin(s, cs_vset(0));
    cs_log_product_times(&f->rest, 1.0 + e);
}

static inline cs_vd flips_end(const flips *f)
{
    return f->below - cs_log_product_end(&f->rest);
}

/* y from x; log q(y|x). uniform < sigmoid(z) without a division. */
static inline cs_vd propose_binary(const cs_move *m, size_t l, double *y,
                                   const double *uniform)
{
    flips f = flips_begin(m, l);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(m->x + at);
        cs_vd z = flips_logit(&f, x, cs_load(m->memory + at));
        cs_vd e = cs_vexp(-cs_vabs(z));
        cs_vi flip = cs_load(uniform + at) * (1.0 + e) <
                     cs_vselect(z > 0.0, cs_vset(1), e);
        cs_store(y + at, cs_vselect(flip, 1.0 - x, x));
        flips_take(&f, flip, z, e);
    }
    return flips_end(&f);
}

static cs_vd log_binary(const cs_move *m, size_t l, const double *from,
                        const double *to, const double *g)
{
    flips f = flips_begin(m, l);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(from + at), z = flips_logit(&f, x, cs_load(g + at));
        flips_take(&f, cs_load(to + at) != x, z, cs_vexp(-cs_vabs(z)));
    }
    return flips_end(&f);
}

/* ---- more values: eight lanes -------------------------------------------- */

/* The softmax of one coordinate: a parabola in the value. */
typedef struct parabola {
    cs_vd slope, half, x, top;
} parabola;

static inline cs_vd parabola_at(const parabola *p, cs_vd v)
{
    cs_vd move = v - p->x;
    return move * (p->slope - move * p->half);
}

/* `top` is the largest logit: that of the value nearest to the vertex. */
static inline parabola parabola_begin(const cs_move *m, size_t l, cs_vd x,
                                      cs_vd g)
{
    cs_vd step = cs_load(cs_move_param(m, STEP) + l);
    cs_vd low = cs_vset(m->space->low);
    parabola p = {cs_load(cs_move_param(m, BALANCE) + l) * g, 0.5 / step, x,
                  cs_vset(0)};
    cs_vd vertex = x + p.slope * step;
    vertex = cs_vselect(vertex < low, low, vertex);
    cs_vd high = low + (m->space->values - 1.0);
    vertex = cs_vselect(vertex > high, high, vertex);
    p.top = parabola_at(&p, (vertex + 0x1.8p52) - 0x1.8p52);
    return p;
}

/* The sum of exp(logit - top) over the values; the terms to weight[v]. */
static inline cs_vd parabola_sum(const cs_move *m, const parabola *p,
                                 double *weight)
{
    cs_vd sum = cs_vset(0), v = cs_vset(m->space->low);
    size_t values = (size_t)m->space->values;
    for (size_t k = 0; k < values; k++, v += 1.0) {
        cs_vd w = cs_vexp(parabola_at(p, v) - p->top);
        cs_store(weight + k * CS_VECTOR, w);
        sum += w;
    }
    return sum;
}

/* The value at which the running sum of weights passes the threshold. One of
 * weight 0 is never drawn; where all is NaN, the old value is. */
static inline cs_vd draw_value(const cs_move *m, const double *weight,
                               cs_vd threshold, cs_vd old)
{
    cs_vd below = cs_vset(0), v = cs_vset(m->space->low), drawn = old;
    for (size_t k = 0; k < (size_t)m->space->values; k++, v += 1.0) {
        cs_vd w = cs_load(weight + k * CS_VECTOR);
        drawn = cs_vselect((below <= threshold) & (w > 0.0), v, drawn);
        below += w;
    }
    return drawn;
}

static inline cs_vd propose_values(const cs_move *m, size_t l, double *y,
                                   const double *uniform)
{
    double *weight = m->scratch + 2 * m->dim * m->lanes;
    cs_vd log_q = cs_vset(0);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(m->x + at);
        parabola p = parabola_begin(m, l, x, cs_load(m->memory + at));
        cs_vd sum = parabola_sum(m, &p, weight);
        cs_vd v = draw_value(m, weight, cs_load(uniform + at) * sum, x);
        cs_store(y + at, v);
        log_q += parabola_at(&p, v) - p.top - cs_vlog(sum);
    }
    return log_q;
}

static cs_vd log_values(const cs_move *m, size_t l, const double *from,
                        const double *to, const double *g)
{
    double *weight = m->scratch + 2 * m->dim * m->lanes;
    cs_vd log_q = cs_vset(0);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        parabola p = parabola_begin(m, l, cs_load(from + at), cs_load(g + at));
        cs_vd sum = parabola_sum(m, &p, weight);
        log_q += parabola_at(&p, cs_load(to + at)) - p.top - cs_vlog(sum);
    }
    return log_q;
}

/* ---- the step ------------------------------------------------------------ */

/* Proposes for all lanes and asks the target; returns the gradient at y. */
static double *propose(cs_move *m)
{
    double *y = m->scratch, *g = y + m->dim * m->lanes;
    bool binary = m->space->kind == CS_BINARY;
    m->info.proposal = y;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, g);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(m->info.log_q_forward + l, binary
                                                ? propose_binary(m, l, y, g)
                                                : propose_values(m, l, y, g));
    cs_eval_gradient(m->eval, CS_NEXT, y, m->info.u_proposal, g);
    return g;
}

/* out = log q(to | from), given the gradient at `from`. */
static void density(const cs_move *m, const double *from, const double *to,
                    const double *g, double *out)
{
    bool binary = m->space->kind == CS_BINARY;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(out + l, binary ? log_binary(m, l, from, to, g)
                                 : log_values(m, l, from, to, g));
}

static void step_adjusted(cs_move *m)
{
    double *g = propose(m);
    density(m, m->info.proposal, m->x, g, m->info.log_q_back);
    cs_accept(m);
    cs_keep_moved(m->info.moved, m->lanes, m->dim, g, m->memory);
}

static void step_unadjusted(cs_move *m)
{
    double *g = propose(m);
    cs_follow(m);
    cs_keep_moved(m->info.moved, m->lanes, m->dim, g, m->memory);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    double *g = m->scratch + m->dim * m->lanes;
    cs_eval_gradient(m->eval, CS_NEXT, from, out, g);
    density(m, from, to, g, out);
}

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
    .memory_words = memory_words,
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
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step_adjusted,
    .log_q = log_q,
};
