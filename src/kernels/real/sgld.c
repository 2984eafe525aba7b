/* sgd, momentum_sgd, sgld, sghmc: descent and Langevin dynamics along an
 * estimate g of the gradient of log p (stochastic_gradient.h).
 *
 *   sgd            x' = x + rate g
 *   momentum_sgd   v' = momentum v + rate g,  x' = x + v'
 *   sgld           x' = x + rate S g + sqrt(2 rate T) L z,  z ~ N(0, I)
 *   sghmc          v' = momentum v + rate g + sqrt(2 (a - b) rate T) z,
 *                  x' = x + v',  a = 1 - momentum,
 *                  b = rate noise_variance / (2 T)
 *
 * where S = L L' is the metric. The metric is constant, so its derivative adds
 * no term.
 *
 * SGLD: Welling and Teh, "Bayesian learning via stochastic gradient Langevin
 * dynamics" (2011), Eq. 4, whose step is 2 rate; `rate` is the epsilon of Deng,
 * Lin and Liang, "A contour stochastic gradient Langevin dynamics algorithm"
 * (2020), Eq. 2, and T their temperature. With step^2 = 2 rate and the exact
 * gradient the move is mala's proposal. SGHMC: Chen, Fox and Guestrin,
 * "Stochastic gradient Hamiltonian Monte Carlo" (2014), Eq. 15, in the form
 * with a momentum coefficient; b accounts for the variance of g, which the
 * paper calls B hat. x moves by the new velocity; with the old velocity the
 * gradient would lag by one step.
 *
 * These kernels have no accept step, so for every rate above 0 the distribution
 * of the chain differs from exp(log p / T). A move out of the support is
 * rejected and reverses the velocity. */
#include "kernel/metric_lanes.h"
#include "kernels/real/velocity.h"

/* Parameters that only some of these kernels have, after the common
 * parameters. */
enum { TEMPERATURE = CS_SG_PARAMS, MOMENTUM, NOISE_VARIANCE };
enum { SGD_MOMENTUM = CS_SG_PARAMS };

static const cs_sg_layout plain = {.next = 1}, with_velocity = {.next = 2};

static void init(cs_move *m)
{
    cs_sg_init(m, plain);
}

static void step_sgd(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, plain);
    const double *noise = cs_sg_normals(m, &s), *rate = cs_move_param(m, 0);
    cs_sg_draw(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(s.y + at,
                     cs_load(m->x + at) +
                         cs_load(rate + l) * cs_sg_gradient(m, noise, l, at));
    cs_sg_arrive(m, &s);
}

/* Computes s->y = x + rate S g + sqrt(2 rate T) L z, where s->y holds z on
 * entry. Uses s->noise and s->next as work space. */
static void move_along_metric(const cs_move *m, const cs_sg_step *s,
                              const double *noise)
{
    const cs_span span = cs_span_of(m);
    double *force = s->noise, *kick = s->next;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        for (size_t at = l; at < span.end; at += span.by)
            cs_store(force + at, cs_sg_gradient(m, noise, l, at));
    cs_metric_product_transposed(m->metric, span, force, kick);
    cs_metric_product(m->metric, span, kick, force);
    cs_metric_product(m->metric, span, s->y, kick);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd rate = cs_load(cs_move_param(m, CS_SG_RATE) + l);
        cs_vd heat = cs_load(cs_move_param(m, TEMPERATURE) + l);
        cs_vd sd = cs_vsqrt(2 * rate * heat);
        for (size_t at = l; at < span.end; at += span.by)
            cs_store(s->y + at, cs_load(m->x + at) +
                                    rate * cs_load(force + at) +
                                    sd * cs_load(kick + at));
    }
}

static void step_sgld(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, plain);
    const double *noise = cs_sg_normals(m, &s);
    if (m->metric)
        move_along_metric(m, &s, noise);
    cs_sg_draw(m, &s);
    for (size_t l = 0; l < m->lanes && !m->metric; l += CS_VECTOR)
        cs_sg_langevin(m, &s, noise, l,
                       cs_load(cs_move_param(m, CS_SG_RATE) + l),
                       cs_load(cs_move_param(m, TEMPERATURE) + l));
    cs_sg_arrive(m, &s);
}

/* ---- kernels with a velocity --------------------------------------------- */

static void init_velocity(cs_move *m)
{
    cs_sg_init(m, with_velocity);
}

static void step_momentum(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, with_velocity);
    const double *noise = cs_sg_normals(m, &s);
    cs_sg_draw(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_sg_push(m, &s, l, cs_load(cs_move_param(m, SGD_MOMENTUM) + l),
                   cs_load(cs_move_param(m, CS_SG_RATE) + l), noise, NULL);
    cs_sg_arrive_turning(m, &s);
}

static void step_sghmc(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, with_velocity);
    const double *noise = cs_sg_normals(m, &s);
    cs_sg_draw(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd rate = cs_load(cs_move_param(m, CS_SG_RATE) + l);
        cs_vd heat = cs_load(cs_move_param(m, TEMPERATURE) + l);
        cs_vd momentum = cs_load(cs_move_param(m, MOMENTUM) + l);
        cs_vd variance = cs_load(cs_move_param(m, NOISE_VARIANCE) + l);
        cs_vd a = cs_sg_free_friction(m, l, momentum, variance, rate, heat);
        cs_vd sd = cs_vsqrt(2 * a * rate * heat);
        cs_sg_push(m, &s, l, momentum, rate, noise, &sd);
    }
    cs_sg_arrive_turning(m, &s);
}

/* ---- tables of the kernels ----------------------------------------------- */

#define RATE_REF "Deng, Lin and Liang 2020, Eq. 2"
#define RATE_HELP                                                              \
    "epsilon, the step size, by which the gradient is multiplied; the "        \
    "variance of the noise is 2 rate times the temperature"
#define DESCENT_HELP                                                           \
    "epsilon, the step size, by which the gradient is multiplied"

#define TEMPERATURE_ROW                                                        \
    [TEMPERATURE] = {                                                          \
        .name = "temperature",                                                 \
        .flags = CS_PARAM_LOG,                                                 \
        .max = 1e100,                                                          \
        .def = 1,                                                              \
        .help = "temperature T: the noise is scaled such that the "            \
                "stationary density is about exp(log p / T); 0: no noise "     \
                "(gradient descent)",                                          \
        .ref = RATE_REF}

static const cs_param descent_rows[] = {CS_SG_ROWS(DESCENT_HELP, NULL),
                                        CS_SG_MOMENTUM_ROW(SGD_MOMENTUM)};

static const cs_param langevin_rows[] = {
    CS_SG_ROWS(RATE_HELP, RATE_REF), TEMPERATURE_ROW,
    CS_SG_MOMENTUM_ROW(MOMENTUM), CS_SG_VARIANCE_ROW(NOISE_VARIANCE)};

#define SIZES(name, layout)                                                    \
    static size_t name##_memory(const cs_target *t, const double *values)      \
    {                                                                          \
        return cs_sg_memory_words(t, values, layout);                          \
    }                                                                          \
    static size_t name##_carried(const cs_target *t, const double *values)     \
    {                                                                          \
        (void)values;                                                          \
        return (layout).next * t->space.dim;                                   \
    }                                                                          \
    static size_t name##_scratch(const cs_target *t, const double *values)     \
    {                                                                          \
        return cs_sg_scratch_words(t, values, layout);                         \
    }

SIZES(plain, plain)
SIZES(velocity, with_velocity)

static bool noise_descent(const cs_noise *at)
{
    return cs_sg_noise_of_step(at, plain, at->values[CS_SG_RATE], 0);
}

static bool noise_momentum(const cs_noise *at)
{
    return cs_sg_noise_of_step(at, with_velocity, at->values[CS_SG_RATE], 0);
}

static bool noise_sgld(const cs_noise *at)
{
    return cs_sg_noise_along(at, plain, at->values[CS_SG_RATE],
                             at->values[TEMPERATURE]);
}

/* Implements `noise` for sghmc: the noise of the new velocity, by which x
 * moves. */
static bool noise_sghmc(const cs_noise *at)
{
    double a = 1 - at->values[MOMENTUM], heat = at->values[TEMPERATURE];
    double less = 0.5 * at->values[CS_SG_RATE] * at->values[NOISE_VARIANCE];
    return cs_sg_noise_of_step(at, with_velocity, at->values[CS_SG_RATE],
                               fmax(a * heat - less, 0));
}

#define CHECK(kernel)                                                          \
    static cs_status check_##kernel(const cs_target *t, const double *values,  \
                                    cs_error *err)                             \
    {                                                                          \
        return cs_sg_check(#kernel, t, values, err);                           \
    }

CHECK(sgd)
CHECK(momentum_sgd)
CHECK(sgld)
CHECK(sghmc)

const cs_kernel_type CS_VARIANT(cs_kernel_sgd) = {
    .name = "sgd",
    .title = "Stochastic gradient descent",
    .flags = CS_SG_FLAGS,
    .ref = "Robbins and Monro, A stochastic approximation method, 1951",
    .help = "Stochastic gradient ascent on log p. It is not a sampler, but a "
            "reference whose chains end at or near a mode.",
    CS_SG_MEMBERS,
    .params = descent_rows,
    .n_params = SGD_MOMENTUM,
    .memory_words = plain_memory,
    .carried_words = plain_carried,
    .scratch_words = plain_scratch,
    .check = check_sgd,
    .noise = noise_descent,
    .init = init,
    .step = step_sgd,
};

const cs_kernel_type CS_VARIANT(cs_kernel_momentum_sgd) = {
    .name = "momentum_sgd",
    .title = "Stochastic gradient descent with momentum",
    .flags = CS_SG_FLAGS,
    .ref = "Polyak, Some methods of speeding up the convergence of iteration "
           "methods, 1964",
    .help = "Stochastic gradient ascent on log p along a running mean of the "
            "gradients. It is not a sampler, but a reference whose chains end "
            "at or near a mode.",
    CS_SG_MEMBERS,
    CS_PARAM_TABLE(descent_rows),
    .memory_words = velocity_memory,
    .carried_words = velocity_carried,
    .scratch_words = velocity_scratch,
    .check = check_momentum_sgd,
    .noise = noise_momentum,
    .init = init_velocity,
    .step = step_momentum,
};

const cs_kernel_type CS_VARIANT(cs_kernel_sgld) = {
    .name = "sgld",
    .title = "Stochastic gradient Langevin dynamics",
    .flags = CS_SG_FLAGS | CS_KERNEL_METRIC,
    .ref = "Welling and Teh, Bayesian learning via stochastic gradient "
           "Langevin dynamics, 2011",
    .help = "Moves along a noisy estimate of the gradient and adds Gaussian "
            "noise. The kernel is biased because it has no accept step, and "
            "the bias grows with the rate and with the noise of the gradient.",
    CS_SG_MEMBERS,
    .params = langevin_rows,
    .n_params = MOMENTUM,
    .memory_words = plain_memory,
    .carried_words = plain_carried,
    .scratch_words = plain_scratch,
    .check = check_sgld,
    .noise = noise_sgld,
    .init = init,
    .step = step_sgld,
};

const cs_kernel_type CS_VARIANT(cs_kernel_sghmc) = {
    .name = "sghmc",
    .title = "Stochastic gradient Hamiltonian Monte Carlo",
    .flags = CS_SG_FLAGS,
    .ref = "Chen, Fox and Guestrin, Stochastic gradient Hamiltonian Monte "
           "Carlo, 2014",
    .help = "Moves with a velocity, which is changed by a noisy estimate of "
            "the gradient, by friction and by noise. The kernel is biased "
            "because it has no accept step.",
    CS_SG_MEMBERS,
    CS_PARAM_TABLE(langevin_rows),
    .memory_words = velocity_memory,
    .carried_words = velocity_carried,
    .scratch_words = velocity_scratch,
    .check = check_sghmc,
    .noise = noise_sghmc,
    .init = init_velocity,
    .step = step_sghmc,
};
