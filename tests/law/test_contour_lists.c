/* Tests contour SGLD with given bin borders and given weights. Equally spaced
 * borders give the same results, bit for bit, as `first` and `width`. With
 * other borders every step follows the formula. With fixed weights the draws
 * have the stationary distribution of the Euler chain, which for small rates
 * tends to p / Psi^zeta. */
#include "base/memory.h"
#include "support/by_name.h"
#include "support/contour.h"
#include "support/laws.h"
#include "support/mean_test.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 32, BINS = 8, CHAINS = 4 };

static const double means[2] = {-2.4, 1.6}, shares[2] = {0.4, 0.6};

/* Returns log p of a mixture of two normals, shares[k] N(means[k], 1). */
static double hills(double x, double *slope)
{
    double a = log(shares[0]) - pow(x - means[0], 2) / 2;
    double b = log(shares[1]) - pow(x - means[1], 2) / 2;
    double top = fmax(a, b), sum = top + log1p(exp(fmin(a, b) - top));
    *slope = exp(a - sum) * (means[0] - x) + exp(b - sum) * (means[1] - x);
    return sum - log(2 * M_PI) / 2;
}

static cs_value list_of(const char *name, const double *x, size_t n)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = x,
                      .rows = n,
                      .cols = 1};
}

static cs_target *target(void)
{
    const cs_value given[] = {list_of("means", means, 2),
                              list_of("weights", shares, 2)};
    cs_target *t = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("mixture"), given, 2, &t, NULL), CS_OK);
    return t;
}

static const double borders[BINS - 1] = {1.9, 2.0, 2.3, 2.35, 3, 4.5, 5},
                                   equal[BINS - 1] = {2, 2.5, 3, 3.5,
                                                      4, 4.5, 5},
                                   known[BINS] = {7, 8.3, 8, 7.5, 7.2, 7, 5, 4};

static const contour unequal = {.log_density = hills,
                                .low = -12,
                                .high = 11,
                                .rate = 0.1,
                                .temperature = 1,
                                .zeta = 0.75,
                                .clamp = 100,
                                .border = borders,
                                .bins = BINS};

/* Creates the kernel with the borders of `c` and these log weights [BINS]. A
 * parameter that is NULL (the borders or the log weights) is not given to the
 * kernel. [own: cs_kernel_release] */
static setting kernel_for(const contour *c, const double *log_weight,
                          const char *weighing, double gain)
{
    setting s = {.formula = "csgld"};
    cs_error err;
    cs_value given[12] = {
        {.name = "rate", .given = 1, .number = c->rate},
        {.name = "zeta", .given = 1, .number = c->zeta},
        {.name = "clamp", .given = 1, .number = c->clamp},
        {.name = "gain", .given = 1, .number = gain},
        {.name = "multiplier", .given = 1, .number = c->forward},
        {.name = "weighing",
         .kind = CS_PARAM_TEXT,
         .given = 1,
         .text = weighing}};
    size_t n = 6;
    if (c->border) {
        given[n++] = list_of("borders", c->border, c->bins - 1);
    } else {
        given[n++] =
            (cs_value){.name = "first", .given = 1, .number = c->first};
        given[n++] =
            (cs_value){.name = "width", .given = 1, .number = c->width};
        given[n++] =
            (cs_value){.name = "bins", .given = 1, .number = (double)c->bins};
    }
    if (log_weight)
        given[n++] = list_of("log_weights", log_weight, BINS);
    if (cs_kernel_init(&s.kernel, cs_kernel_find("csgld"), given, n, &err))
        fail_msg("%s", err.what);
    return s;
}

static void theta_known(double *theta)
{
    double sum = 0;
    for (size_t i = 0; i < BINS; i++)
        sum += exp(known[i]);
    for (size_t i = 0; i < BINS; i++)
        theta[i] = exp(known[i]) / sum;
}

static void theta_of(const cs_block *b, size_t l, double *theta)
{
    cs_aux_rows aux;
    assert_true(cs_kernel_aux(b->kernel, b->target, 0, &aux));
    assert_int_equal(aux.rows, BINS);
    size_t first = cs_kernel_aux_first(b->kernel, b->target) + aux.first;
    cs_kernel_aux_show(&aux, b->target, b->move.memory + first * b->lanes + l,
                       b->lanes, theta);
}

/* ---- equal borders ---- */

static void same_bits(bool forward, const char *weighing)
{
    const double start = 1;
    contour c = unequal, plain = unequal;
    c.forward = plain.forward = forward;
    c.border = equal;
    plain.border = NULL;
    plain.first = 2;
    plain.width = 0.5;
    cs_target *t = target();
    setting a = kernel_for(&c, NULL, weighing, 0.01);
    setting b = kernel_for(&plain, NULL, weighing, 0.01);
    cs_block *with = open_block(&a, t, 9, CHAINS, &start);
    cs_block *without = open_block(&b, t, 9, CHAINS, &start);
    for (int k = 0; k < 5000; k++) {
        one_step(&a, with);
        one_step(&b, without);
        const cs_info *i = &with->move.info, *j = &without->move.info;
        size_t n = with->lanes, bytes = CHAINS * sizeof(double);
        assert_memory_equal(with->move.x, without->move.x, bytes);
        assert_memory_equal(i->log_weight, j->log_weight, bytes);
        for (size_t r = 0; r < 3; r++)
            assert_memory_equal(i->stat + r * n, j->stat + r * n, bytes);
    }
    cs_block_destroy(with);
    cs_block_destroy(without);
    cs_kernel_release(&a.kernel);
    cs_target_release(t);
}

static void equal_borders_are_a_width(void **state)
{
    (void)state;
    same_bits(false, "bin");
    same_bits(true, "energy");
}

/* ---- each step by hand ---- */

static void compare(const contour *c, const cs_block *b, double from,
                    double *energy, double *theta, double gain, double z)
{
    const cs_info *i = &b->move.info;
    double slope;
    hills(from, &slope);
    double by = contour_multiplier(c, theta, contour_bin(c, *energy));
    double to = from + c->rate * by * slope + sqrt(2 * c->rate) * z;
    assert_near(b->move.x[0], to, 1e-9, 1e-9);
    *energy = -hills(b->move.x[0], &slope);
    size_t j = contour_bin(c, *energy);
    contour_update(c, theta, j, gain);
    double psi = contour_log_psi(c, theta, *energy);
    assert_near(i->log_weight[0], c->zeta * psi, 1e-9, 1e-9);
    assert_int_equal((size_t)i->stat[0], j + 1);
    assert_near(i->stat[b->lanes], by, 1e-9, 1e-9);
}

static void follow(const contour *c, const double *log_weight, double gain)
{
    static _Alignas(CS_ALIGN) double z[LANES];
    const double start = 1;
    double slope, theta[BINS], is[BINS], energy = -hills(start, &slope);
    cs_target *t = target();
    setting s = kernel_for(c, log_weight, "energy", gain);
    cs_block *b = open_block(&s, t, 31, 1, &start);
    theta_known(theta);
    for (size_t i = 0; i < BINS && !log_weight; i++)
        theta[i] = 1 / (double)BINS;
    for (uint64_t k = 1; k <= 20000; k++) {
        double from = b->move.x[0];
        one_step(&s, b);
        cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, 1, z);
        compare(c, b, from, &energy, theta, gain, z[0]);
    }
    theta_of(b, 0, is);
    for (size_t i = 0; i < BINS; i++)
        assert_near(is[i], theta[i], 1e-11, 0);
    cs_block_destroy(b);
    cs_kernel_release(&s.kernel);
    cs_target_release(t);
}

static void steps_are_the_formulas(void **state)
{
    (void)state;
    contour c = unequal;
    follow(&c, NULL, 0.01);
    follow(&c, known, 0.002);
    c.forward = true;
    follow(&c, known, 0.01);
}

/* ---- fixed weights -------- */

typedef struct frozen {
    contour_law law;
    size_t bin;
} frozen;

/* Returns 1 + w (x - mean) / E w, where w is the weight and `mean` the expected
 * weighted mean. The expectation of this value is 1. */
static double weighted_x(const void *self, const cs_block *b, size_t l)
{
    const frozen *f = self;
    /* The third statistic, learning__, is 0 because the weights are fixed. */
    assert_true(b->move.info.stat[2 * b->lanes + l] == 0);
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
    return (b->move.info.stat[l] - 1 == (double)f->bin) / f->law.share[f->bin];
}

static void stays(const contour *c, bool by_energy)
{
    const double start = 1;
    double theta[BINS], is[BINS];
    theta_known(theta);
    frozen f = {.law = contour_chain(c, theta)};
    cs_target *t = target();
    setting s = kernel_for(c, known, by_energy ? "energy" : "bin", 0);
    cs_block *b = open_block(&s, t, 32, LANES, &start);
    cs_block_run(b, NULL, 2000, NULL);
    mean_test test = {.block = b,
                      .value = by_energy ? weighted_x_by_energy : weighted_x,
                      .self = &f,
                      .want = 1,
                      .thin = 50,
                      .first = 200};
    if (!mean_test_holds(&test))
        fail_msg("the weighted mean differs from %g",
                 by_energy ? f.law.mean_by_energy : f.law.mean);
    test.value = visits;
    for (f.bin = 0; f.bin < BINS; f.bin++)
        if (!mean_test_holds(&test))
            fail_msg("the share of bin %zu differs from %g", f.bin,
                     f.law.share[f.bin]);
    theta_of(b, LANES - 1, is);
    for (size_t i = 0; i < BINS; i++)
        assert_near(is[i], theta[i], 0, 1e-14);
    cs_block_destroy(b);
    cs_kernel_release(&s.kernel);
    cs_target_release(t);
}

static void known_weights_have_their_law(void **state)
{
    (void)state;
    contour c = unequal;
    stays(&c, false);
    c.forward = true;
    stays(&c, true);
}

/* Computes the limits by quadrature. For small rates the stationary
 * distribution tends to p / Psi^zeta, and weighting by Psi^zeta gives p
 * again. */
static void small_rates_have_the_limit(void **state)
{
    (void)state;
    contour c = unequal;
    double theta[BINS], off[2];
    theta_known(theta);
    const contour_law limit = contour_limit(&c, theta);
    assert_near(limit.mean_by_energy,
                shares[0] * means[0] + shares[1] * means[1], 0, 1e-4);
    assert_true(fabs(limit.mean) > 1e-3); /* bias due to the positions of the
                                           * bins */
    for (int k = 0; k < 2; k++) {
        c.rate = k ? 0.02 : 0.04;
        const contour_law law = contour_chain(&c, theta);
        off[k] = 0;
        for (size_t i = 0; i < BINS; i++)
            off[k] += fabs(law.share[i] - limit.share[i]);
    }
    assert_true(off[0] < 0.15 && off[1] < 0.65 * off[0]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_borders_are_a_width),
    cmocka_unit_test(steps_are_the_formulas),
    cmocka_unit_test(known_weights_have_their_law),
    cmocka_unit_test(small_rates_have_the_limit),
};
TESTS(test_contour_lists)
