/* Tests contour SGLD in one dimension. A second implementation of its formulas
 * gives the same steps, weights and learning. Stationary values agree with
 * quadrature and with the exact stationary distribution of the Euler chain.
 * Without weights the kernel equals sgld. */
#include "base/memory.h"
#include "chain/plan.h"
#include "support/by_name.h"
#include "support/contour.h"
#include "support/laws.h"
#include "support/mean_test.h"
#include "support/small_make.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 32 };

/* ---- two hills ------------- */

/* Returns log p of 0.4 N(left, 1) + 0.6 N(right, 1). */
static double hills(double x, double left, double right, double *slope)
{
    double a = log(0.4) - (x - left) * (x - left) / 2;
    double b = log(0.6) - (x - right) * (x - right) / 2;
    double top = fmax(a, b), sum = top + log1p(exp(fmin(a, b) - top));
    *slope = exp(a - sum) * (left - x) + exp(b - sum) * (right - x);
    return sum - log(2 * M_PI) / 2;
}

/* Log p of two targets: the target of the paper (section 4.1), whose hills are
 * far apart, and near_hills, whose hills are close together. */
static double far_hills(double x, double *slope)
{
    return hills(x, -6, 4, slope);
}

static const double near_means[2] = {-2.4, 1.6};

static double near_hills(double x, double *slope)
{
    return hills(x, near_means[0], near_means[1], slope);
}

enum { WALL = 3 };

static double box(const double *x, double *g)
{
    double logp = near_hills(x[0], g);
    return fabs(x[0]) <= WALL ? logp : -HUGE_VAL;
}
SMALL(box, CS_CONTINUOUS, 1, 0, 0);

static cs_target *target_for(const contour *c)
{
    const double weights[2] = {0.4, 0.6};
    const cs_value given[] = {{.name = "means",
                               .kind = CS_PARAM_ARRAY,
                               .given = 1,
                               .array = near_means,
                               .rows = 2,
                               .cols = 1},
                              {.name = "weights",
                               .kind = CS_PARAM_ARRAY,
                               .given = 1,
                               .array = weights,
                               .rows = 2,
                               .cols = 1}};
    cs_target *t = NULL;
    const cs_target_type *type =
        c->boxed ? &small_box : cs_target_find("mixture");
    bool near = !c->boxed && c->log_density == near_hills;
    assert_int_equal(
        cs_target_create(type, near ? given : NULL, near ? 2 : 0, &t, NULL),
        CS_OK);
    return t;
}

/* ---- the kernel ---- */

static double *parameter(setting *s, const char *name)
{
    const cs_kernel_type *type = s->kernel.type;
    int k = cs_param_find(type->params, type->n_params, name);
    if (k < 0)
        fail_msg("kernel %s has no parameter %s", type->name, name);
    return &s->kernel.values[k];
}

static void choose(setting *s, const char *name, const char *choice)
{
    double *value = parameter(s, name);
    const cs_param *row = s->kernel.type->params + (value - s->kernel.values);
    for (size_t i = 0; row->choices[i]; i++)
        if (strcmp(row->choices[i], choice) == 0) {
            *value = (double)i;
            return;
        }
    fail_msg("%s cannot be %s", name, choice);
}

static setting kernel_for(const contour *c)
{
    const char *name = c->moving ? "csghmc" : "csgld";
    setting s = {.kernel = kernel_of(name), .formula = name};
    if (c->moving)
        *parameter(&s, "momentum") = c->momentum;
    *parameter(&s, "rate") = c->rate;
    *parameter(&s, "temperature") = c->temperature;
    *parameter(&s, "zeta") = c->zeta;
    *parameter(&s, "first") = c->first;
    *parameter(&s, "width") = c->width;
    *parameter(&s, "bins") = (double)c->bins;
    *parameter(&s, "clamp") = c->clamp;
    *parameter(&s, "gradient_noise") = c->gradient_noise;
    *parameter(&s, "energy_noise") = c->energy_noise;
    choose(&s, "multiplier", c->forward ? "forward" : "backward");
    choose(&s, "update",
           c->plain    ? "plain"
           : c->by_rho ? "high_zeta"
                       : "power");
    *parameter(&s, "rho") = c->rho;
    return s;
}

/* Copies the reported weights of lane l to theta[bins]; checks that they sum to
 * 1. */
static void theta_of(const cs_block *b, size_t l, double *theta)
{
    cs_aux_rows aux;
    double shown[CONTOUR_BINS + 8], sum = 0;
    size_t i = 0, bins = 0;
    do
        assert_true(cs_kernel_aux(b->kernel, b->target, i++, &aux));
    while (strcmp(aux.variable->name, "theta") != 0);
    size_t first = cs_kernel_aux_first(b->kernel, b->target) + aux.first;
    assert_true(aux.rows <= sizeof shown / sizeof *shown);
    cs_kernel_aux_show(&aux, b->target, b->move.memory + first * b->lanes + l,
                       b->lanes, shown);
    for (; bins < aux.rows; bins++)
        sum += theta[bins] = shown[bins];
    assert_near(sum, 1, 1e-12, 0);
}

/* ---- each step, recomputed ---- */

enum { FOLLOWED = 8, LONG = 100000, SHORT = 20000 };

/* Returns the gain at step k, which decreases with k. The tests are long enough
 * for the kernel to renormalise its scale. */
static double gain_of(uint64_t k)
{
    return 1 / (sqrt((double)k) / 2 + 25);
}

typedef struct follower {
    contour c;
    bool by_energy;
    double energy[FOLLOWED]; /* energies, including their noise */
    double velocity[FOLLOWED];
    double theta[FOLLOWED][CONTOUR_BINS];
} follower;

/* Computes the energy of the state in lane l of the block, with the noise z,
 * and stores it in the follower. Returns the bin of this energy. */
static size_t arrive(follower *f, const cs_block *b, size_t l, double z)
{
    double slope, logp = f->c.log_density(b->move.x[l], &slope);
    f->energy[l] = f->c.energy_noise * z - logp;
    return contour_bin(&f->c, f->energy[l]);
}

/* Random numbers of a step, and the gain of the step. The random numbers are
 * standard normal: for the move, for the noise of the gradient and for the
 * noise of the energy. */
typedef struct numbers {
    double z, w, e, gain;
} numbers;

static void compare_step(follower *f, const cs_block *b, size_t l, double from,
                         numbers is)
{
    const contour *c = &f->c;
    const cs_info *info = &b->move.info;
    double slope, *theta = f->theta[l];
    c->log_density(from, &slope);
    double by = contour_multiplier(c, theta, contour_bin(c, f->energy[l]));
    double left = c->moving ? c->momentum : 0, *v = &f->velocity[l];
    double go = left * *v + c->rate * by * (slope + c->gradient_noise * is.w) +
                sqrt(2 * (1 - left) * c->rate * c->temperature) * is.z;
    bool refused = c->boxed && fabs(from + go) > WALL;
    double to = refused ? from : from + go;
    *v = refused ? -*v : go;
    assert_near(b->move.x[l], to, 1e-9, 1e-9);
    size_t j = arrive(f, b, l, is.e);
    contour_update(c, theta, j, is.gain);
    double weight =
        f->by_energy ? contour_log_psi(c, theta, f->energy[l]) : log(theta[j]);
    assert_near(info->log_weight[l], c->zeta * weight, 1e-9, 1e-9);
    /* The first statistic, bin__, counts bins from 1. */
    assert_int_equal((size_t)info->stat[l], j + 1);
    assert_near(info->stat[b->lanes + l], by, 1e-9, 1e-9);
}

/* Compares theta after k steps with the formula, and allows one rounding error
 * per step. */
static void compare_theta(const follower *f, const cs_block *b, uint64_t k)
{
    for (size_t l = 0; l < FOLLOWED; l++) {
        double theta[CONTOUR_BINS + 8];
        theta_of(b, l, theta);
        for (size_t i = 0; i < f->c.bins; i++)
            assert_near(theta[i], f->theta[l][i], 1e-12 + 1e-16 * (double)k, 0);
    }
}

static void start_following(follower *f, const contour *c, const cs_block *b)
{
    static _Alignas(CS_ALIGN) double e[LANES];
    f->c = *c;
    cs_fill_normal(&b->move.streams, CS_FOR_AUXILIARY, 1, e);
    for (size_t l = 0; l < FOLLOWED; l++) {
        arrive(f, b, l, e[l]);
        for (size_t i = 0; i < c->bins; i++)
            f->theta[l][i] = 1 / (double)c->bins;
    }
}

/* Sets the annealed parameters to the values of their schedules at step k. */
static void anneal(follower *f, setting *s, uint64_t k)
{
    f->c.rate *= 0.9999;
    f->c.temperature *= k % 2 ? 0.9998 : 1;
    *parameter(s, "rate") = f->c.rate;
    *parameter(s, "temperature") = f->c.temperature;
}

static void follow_so(const contour *c, bool by_energy, bool annealed,
                      uint64_t steps)
{
    static _Alignas(CS_ALIGN) double z[2 * LANES], e[LANES];
    static follower f;
    const double start = 1;
    cs_target *t = target_for(c);
    setting s = kernel_for(c);
    choose(&s, "weighing", by_energy ? "energy" : "bin");
    cs_block *b = open_block(&s, t, 31, FOLLOWED, &start);
    size_t refused = 0, n = b->lanes;
    f.by_energy = by_energy;
    memset(f.velocity, 0, sizeof f.velocity);
    start_following(&f, c, b);
    for (uint64_t k = 1; k <= steps; k++) {
        double from[FOLLOWED], gain = gain_of(k);
        memcpy(from, b->move.x, sizeof from);
        *parameter(&s, "gain") = gain;
        if (annealed)
            anneal(&f, &s, k);
        one_step(&s, b);
        cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, 2, z);
        cs_fill_normal(&b->move.streams, CS_FOR_AUXILIARY, 1, e);
        for (size_t l = 0; l < FOLLOWED; l++) {
            compare_step(&f, b, l, from[l],
                         (numbers){z[l], z[n + l], e[l], gain});
            refused += b->move.x[l] == from[l];
        }
        if (k < 100 || k % 1000 == 0)
            compare_theta(&f, b, k);
    }
    assert_true(c->boxed ? refused > steps / 100 : refused == 0);
    cs_block_destroy(b);
    cs_target_release(t);
}

static void follow(const contour *c, bool by_energy, uint64_t steps)
{
    follow_so(c, by_energy, false, steps);
}

/* Compares steps with every variant of the formula. */
static void steps_are_the_formulas(void **state)
{
    (void)state;
    contour c = {.log_density = near_hills,
                 .rate = 0.1,
                 .temperature = 1,
                 .zeta = 0.75,
                 .first = 2,
                 .width = 0.5,
                 .clamp = 5,
                 .bins = 8};
    follow(&c, false, LONG);
    c.boxed = true; /* moves out of the interval are rejected */
    follow(&c, true, SHORT);
    c.forward = true;
    c.temperature = 1.5;
    follow(&c, true, SHORT);
    c.boxed = false;
    c.plain = true;
    c.zeta = 2;
    follow(&c, false, SHORT);
    c.forward = false;
    c.gradient_noise = 0.3;
    c.zeta = 1;
    c.clamp = 0.4;
    c.energy_noise = 0.7;
    follow(&c, true, SHORT);
    c.boxed = true;
    follow(&c, false, SHORT);
    c.plain = false;
    c.by_rho = true;
    c.rho = 3; /* large enough to change the weights noticeably */
    c.zeta = 0.8;
    follow(&c, true, SHORT);
    c.boxed = false;
    c.forward = true;
    follow(&c, false, SHORT);
}

static void steps_with_a_velocity_are_too(void **state)
{
    (void)state;
    contour c = {.log_density = near_hills,
                 .rate = 0.02,
                 .temperature = 1,
                 .zeta = 0.75,
                 .first = 2,
                 .width = 0.5,
                 .clamp = 5,
                 .bins = 8,
                 .moving = true,
                 .momentum = 0.8};
    follow(&c, false, SHORT);
    c.boxed = true;
    c.gradient_noise = 0.3;
    follow(&c, true, SHORT);
    c.boxed = false;
    c.forward = true;
    c.by_rho = true;
    c.rho = 2;
    follow(&c, false, SHORT);
    follow_so(&c, false, true, SHORT / 4);
}

/* ---- stationary values --------- */

/* Makes n steps, or fewer if all chains fail, with the gain 1 / (k^power +
 * 100). The power in the paper is 0.6 (section 4.1). */
static void learn(const setting *s, cs_block *b, uint64_t n, double power)
{
    double *gain = cs_alloc(n, sizeof *gain);
    cs_driven driven = {.n = 1, .value = gain};
    setting own = *s;
    driven.param[0] = (size_t)(parameter(&own, "gain") - own.kernel.values);
    for (uint64_t k = 0; k < n; k++)
        gain[k] = 1 / (pow((double)k + 1, power) + 100);
    cs_block_run(b, &driven, n, NULL);
    cs_free(gain);
}

/* For each bin, the mean of the learned weights over the lanes agrees with the
 * stationary weight. The tolerance allows for Monte Carlo error and for the
 * effect of the gain. */
static void compare_rest(const contour *c, const cs_block *b)
{
    static double rest[CONTOUR_BINS], theta[LANES][CONTOUR_BINS];
    const double by_gain = 0.04, least = 1e-3;
    contour_rest_of_chain(c, rest);
    for (size_t l = 0; l < LANES; l++)
        theta_of(b, l, theta[l]);
    for (size_t i = 0; i < c->bins; i++) {
        double mean = 0, square = 0;
        for (size_t l = 0; l < LANES; l++)
            mean += theta[l][i] / LANES;
        for (size_t l = 0; l < LANES; l++)
            square += pow(theta[l][i] - mean, 2);
        double error = sqrt(square / (LANES - 1) / LANES);
        if (rest[i] > least &&
            !(fabs(mean - rest[i]) < by_gain * rest[i] + 4 * error))
            fail_msg("theta(%zu) converges to %g +- %g, not %g", i, mean, error,
                     rest[i]);
    }
}

typedef struct frozen {
    const contour *c;
    contour_law law;
    size_t bin;
} frozen;

/* Returns 1 + w (x - mean) / E w, where w is the weight and `mean` the expected
 * weighted mean. The expectation of this value is 1. */
static double weighted_x(const void *self, const cs_block *b, size_t l)
{
    const frozen *f = self;
    return 1 + exp(b->move.info.log_weight[l]) / f->law.weight *
                   (b->move.x[l] - f->law.mean);
}

static double weighted_x_by_energy(const void *self, const cs_block *b,
                                   size_t l)
{
    const frozen *f = self;
    return 1 + exp(b->move.info.log_weight[l]) / f->law.weight_by_energy *
                   (b->move.x[l] - f->law.mean_by_energy);
}

static double visits(const void *self, const cs_block *b, size_t l)
{
    const frozen *f = self;
    double bin = b->move.info.stat[l] - 1; /* bin__ counts from 1 */
    return (bin == (double)f->bin) / f->law.share[f->bin];
}

/* A kernel, the length of a run that learns the kernel's weights, and the
 * length of the test that follows. */
typedef struct trial {
    contour c;
    bool by_energy;
    uint64_t steps;     /* number of steps in which the weights are learned */
    size_t thin, first; /* as in mean_test */
} trial;

static void compare_frozen(const trial *r, cs_block *b, const double *theta)
{
    frozen f = {.c = &r->c, .law = contour_chain(&r->c, theta)};
    mean_test test = {.block = b,
                      .value = r->by_energy ? weighted_x_by_energy : weighted_x,
                      .self = &f,
                      .want = 1,
                      .thin = r->thin,
                      .first = r->first};
    if (!mean_test_holds(&test))
        fail_msg("the weighted mean differs from %g",
                 r->by_energy ? f.law.mean_by_energy : f.law.mean);
    test.value = visits;
    for (f.bin = 0; f.bin < 2; f.bin++)
        if (!mean_test_holds(&test))
            fail_msg("the share of bin %zu differs from %g", f.bin,
                     f.law.share[f.bin]);
}

/* Lets all chains learn. Then sets the state and the weights of all chains to
 * those of the first chain, and lets all chains continue. */
static void try_rest(const trial *r)
{
    const double start = 1;
    double theta[CONTOUR_BINS];
    cs_target *t = target_for(&r->c);
    setting s = kernel_for(&r->c);
    choose(&s, "weighing", r->by_energy ? "energy" : "bin");
    cs_block *b = open_block(&s, t, 32, LANES, &start);
    learn(&s, b, r->steps, 0.75);
    compare_rest(&r->c, b);
    double *first = cs_alloc(b->slab_words, sizeof *first);
    cs_block_save_lane(b, 0, first);
    for (size_t l = 1; l < LANES; l++)
        cs_block_load_lane(b, l, first);
    cs_free(first);
    *parameter(&s, "gain") = 0;
    cs_block_set_values(b);
    cs_block_run(b, NULL, 40 * r->thin, NULL);
    theta_of(b, LANES - 1, theta);
    compare_frozen(r, b, theta);
    cs_block_destroy(b);
    cs_target_release(t);
}

static const contour near = {.log_density = near_hills,
                             .low = -12,
                             .high = 11,
                             .rate = 0.1,
                             .temperature = 1,
                             .zeta = 0.75,
                             .first = 2,
                             .width = 1,
                             .clamp = 100,
                             .bins = 8};

static contour the_papers(size_t bins, double width, double first)
{
    contour c = near;
    c.log_density = far_hills;
    c.low = -14;
    c.high = 12;
    c.bins = bins;
    c.width = width;
    c.first = first;
    return c;
}

static void rests_by_the_power(void **state)
{
    (void)state;
    trial r = {near, false, 200000, 20, 800};
    try_rest(&r);
    r.by_energy = true;
    try_rest(&r);
    r.c.energy_noise = 0.5; /* noise that Psi does not include */
    r.by_energy = false;
    try_rest(&r);
    r.c = near;
    r.c.forward = true;
    r.c.rate = 0.2;
    r.c.gradient_noise = 0.5;
    r.c.width = 1.5;
    r.c.bins = 5;
    try_rest(&r);
    r.c = near;
    r.c.forward = true;
    r.c.width = 0.5;
    r.c.bins = 12;
    r.by_energy = true;
    r.steps = 800000; /* moves between the first bins are rare */
    try_rest(&r);
}

/* Tests the stationary weights of the update of Eq. 57, with small gains. */
static void rests_by_the_update_for_high_zeta(void **state)
{
    (void)state;
    trial r = {near, false, 200000, 20, 800};
    r.c.by_rho = true;
    r.c.rho = 1;
    try_rest(&r);
}

/* With the update of Eq. 15 all bins are visited equally often. */
static void rests_by_the_plain_update(void **state)
{
    (void)state;
    trial r = {near, false, 300000, 20, 1000};
    r.c.plain = r.c.forward = true;
    r.c.clamp = 5;
    r.c.zeta = 2;
    r.c.first = 2.5;
    r.c.width = 1.5;
    r.c.bins = 4;
    try_rest(&r);
    r.c.forward = false;
    r.c.rate = 0.03;
    r.thin = 60;
    try_rest(&r);
}

static void rests_in_a_box(void **state)
{
    (void)state;
    trial r = {near, false, 300000, 20, 1000};
    r.c.boxed = true;
    r.c.low = -WALL;
    r.c.high = WALL;
    r.c.width = 0.4;
    r.c.bins = 5;
    try_rest(&r);
}

/* Tests the stationary weights for the paper's own settings, except that the
 * multiplier is clamped. */
static void rests_on_the_papers_mixture(void **state)
{
    (void)state;
    trial r = {the_papers(50, 1, 2), false, 200000, 500, 300};
    r.c.clamp = 5;
    r.c.gradient_noise = 0.1;
    try_rest(&r);
}

/* ---- the limit of small steps, and unbiased weights ------------- */

/* Computes the limit of small steps, and compares it with values computed by
 * other means. If the bins are bins of the energy, the mean is exactly 0. */
static void limits_of_small_steps(void **state)
{
    (void)state;
    static const struct {
        size_t bins;
        double width, first, mean, theta[3];
    } is[] = {{50, 1, 2, 0.375, {0.730, 0.205, 0.042}},
              {100, 0.5, 2, 0.309, {0.700, 0.124, 0.091}},
              {200, 0.25, 2, 0.187, {0.657, 0.062, 0.110}},
              {200, 0.25, 1.5, -0.020, {0.177, 0.169, 0.333}},
              {20, 2, 3.43, 0.059, {0}},
              {10, 5, 6.43, 0.002, {0}},
              {50, 1, 2.43, 0.185, {0}}};
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        static double theta[CONTOUR_BINS];
        contour c = the_papers(is[i].bins, is[i].width, is[i].first);
        contour_law law = contour_rest_of_limit(&c, theta);
        assert_near(law.mean, is[i].mean, 0, 6e-4);
        assert_near(law.mean_by_energy, 0, 0, 1e-6);
        for (size_t k = 0; k < 3 && is[i].theta[0] > 0; k++)
            assert_near(theta[k], is[i].theta[k], 0, 6e-4);
    }
}

/* The Euler chain converges to the limit as its rate goes to 0. */
static void small_steps_have_the_limit(void **state)
{
    (void)state;
    static double theta[CONTOUR_BINS];
    for (int forward = 0; forward < 2; forward++) {
        contour c = near;
        c.forward = forward;
        contour_law limit = contour_rest_of_limit(&c, theta);
        c.rate = 0.04;
        contour_law coarse = contour_chain(&c, theta);
        c.rate = 0.02;
        contour_law fine = contour_chain(&c, theta);
        assert_near(2 * fine.mean - coarse.mean, limit.mean, 0, 3e-3);
        assert_near(2 * fine.mean_by_energy - coarse.mean_by_energy, 0, 0,
                    3e-3);
        assert_near(2 * fine.share[0] - coarse.share[0], limit.share[0], 0,
                    3e-3);
    }
}

/* ---- without weights ---- */

/* Checks that two kernels make the same moves from one state, bit for bit. */
static void same_moves(const setting *a, const setting *b, cs_target *t,
                       const double *x)
{
    cs_block *one = open_block(a, t, 6, LANES, x);
    cs_block *two = open_block(b, t, 6, LANES, x);
    for (int k = 0; k < 200; k++) {
        one_step(a, one);
        one_step(b, two);
        assert_memory_equal(one->move.x, two->move.x,
                            t->space.dim * one->lanes * sizeof(double));
        assert_memory_equal(one->move.info.logp, two->move.info.logp,
                            LANES * sizeof(double));
    }
    cs_block_destroy(one);
    cs_block_destroy(two);
}

static void compare_with(bool moving, cs_target *t, double zeta, double gain,
                         double batch, const double *x)
{
    setting s = {.kernel = kernel_of(moving ? "csghmc" : "csgld")}, plain = s;
    plain.kernel = kernel_of(moving ? "sghmc" : "sgld");
    setting *const both[] = {&s, &plain};
    for (size_t i = 0; i < 2; i++) {
        *parameter(both[i], "rate") = 0.05;
        *parameter(both[i], "batch") = batch;
        *parameter(both[i], "gradient_noise") = 0.5;
        *parameter(both[i], "temperature") = 1.3;
        if (moving)
            *parameter(both[i], "noise_variance") = 2;
    }
    *parameter(&s, "zeta") = zeta;
    *parameter(&s, "gain") = gain;
    *parameter(&s, "energy_noise") = 0.5;
    same_moves(&s, &plain, t, x);
    choose(&s, "multiplier", "forward");
    choose(&s, "update", "plain");
    choose(&s, "weighing", "energy");
    *parameter(&s, "clamp") = 0;
    same_moves(&s, &plain, t, x);
}

static void compare_with_sgld(cs_target *t, double zeta, double gain,
                              double batch, const double *x)
{
    compare_with(false, t, zeta, gain, batch, x);
    compare_with(true, t, zeta, gain, batch, x);
}

/* With zeta = 0, or with constant weights, contour SGLD equals sgld. With a
 * velocity, contour SGLD then equals sghmc. */
static void without_weights_it_is_sgld(void **state)
{
    (void)state;
    static const double x[SMALL_ROWS_DIM] = {0.9, -0.4};
    const contour boxed = {.boxed = true};
    cs_target *rows = small_rows_of(7, 0.1), *walled = target_for(&boxed);
    for (int learns = 0; learns < 3; learns++) {
        double zeta = learns ? 0 : 0.75, gain = learns > 1 ? 1 : 0.1 * learns;
        compare_with_sgld(rows, zeta, gain, 0, x);
        compare_with_sgld(rows, zeta, gain, 2, x);
        compare_with_sgld(walled, zeta, gain, 0, x);
    }
    cs_target_release(rows);
    cs_target_release(walled);
}

/* ---- settings stated in the paper ---------------------------------------- */

/* Returns the number of chains that diverge with the paper's own settings
 * (section 4.1) and this clamp. Without a clamp every chain diverges sooner or
 * later; with a clamp no chain diverges. */
static size_t thrown_out(double clamp, uint64_t steps)
{
    const double start = 4;
    contour c = the_papers(50, 1, 2);
    size_t n = 0;
    char said[256];
    c.clamp = clamp;
    c.gradient_noise = 0.1;
    cs_target *t = target_for(&c);
    setting s = kernel_for(&c);
    cs_block *b = open_block(&s, t, 33, FOLLOWED, &start);
    learn(&s, b, steps, 0.6);
    for (size_t l = 0; l < FOLLOWED; l++) {
        if (!b->move.failed[l])
            continue;
        cs_reason why = cs_block_reason(b, l);
        cs_kernel_explain(&s.kernel, &why, said, sizeof said);
        if (!strstr(said, "clamp"))
            fail_msg("\"%s\" does not name the clamp", said);
        n++;
    }
    cs_block_destroy(b);
    cs_target_release(t);
    return n;
}

static void as_printed_it_diverges(void **state)
{
    (void)state;
    assert_int_equal(thrown_out(0, 400000), FOLLOWED);
    assert_int_equal(thrown_out(5, 400000), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_are_the_formulas),
    cmocka_unit_test(steps_with_a_velocity_are_too),
    cmocka_unit_test(limits_of_small_steps),
    cmocka_unit_test(small_steps_have_the_limit),
    cmocka_unit_test(rests_by_the_power),
    cmocka_unit_test(rests_by_the_plain_update),
    cmocka_unit_test(rests_by_the_update_for_high_zeta),
    cmocka_unit_test(rests_in_a_box),
    cmocka_unit_test(rests_on_the_papers_mixture),
    cmocka_unit_test(without_weights_it_is_sgld),
    cmocka_unit_test(as_printed_it_diverges),
};
TESTS(test_contour)
