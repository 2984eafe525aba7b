/* Tests the swap of replica_exchange_sgld between two chains. If the noise is
 * normal with known variance, the swap probability is that of the penalty
 * method. Swaps and their reverse satisfy detailed balance. */
#include "support/by_name.h"
#include "support/support.h"

#include "kernels/tempering/rungs.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { DIM = 2, WORDS = 16, TRIES = 200000 };
/* Rows of a chain's memory that come after the rows of the rung. */
enum { ENERGY = CS_RUNG_WORDS, VARIANCE };

typedef struct swaps_of {
    double energy[2], sd, hottest, intensity, given;
} swaps_of;

static cs_kernel kernel_with(const swaps_of *s)
{
    const cs_value given[] = {
        {.name = "hottest", .given = 1, .number = s->hottest},
        {.name = "intensity", .given = 1, .number = s->intensity},
        {.name = "energy_noise", .given = 1, .number = s->sd},
        {.name = "energy_variance", .given = 1, .number = s->given}};
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("replica_exchange_sgld"),
                                    given, 4, NULL),
                     CS_OK);
    return k;
}

/* Returns the share of accepted swaps when both energies have fresh noise. */
static double share_of(const swaps_of *s, gsl_rng *g)
{
    const cs_kernel k = kernel_with(s);
    cs_target *t;
    double memory[2][DIM + WORDS] = {{0}}, uniform[2], swapped = 0;
    size_t from[2];
    bool failed[2] = {false, false};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    const cs_chain_ref lane[2] = {{.memory = memory[0], .stride = 1},
                                  {.memory = memory[1], .stride = 1}};
    const cs_exchange m = {.target = t,
                           .values = k.values,
                           .chains = 2,
                           .step = 2,
                           .uniform = uniform,
                           .failed = failed,
                           .lane = lane,
                           .from = from};
    assert_int_equal(t->space.dim, DIM);
    for (int i = 0; i < TRIES; i++) {
        for (size_t c = 0; c < 2; c++) {
            memory[c][DIM + CS_RUNG_BETA] = c ? 1 / s->hottest : 1;
            memory[c][DIM + ENERGY] = s->energy[c] + gsl_ran_gaussian(g, s->sd);
            uniform[c] = gsl_rng_uniform_pos(g);
            from[c] = c;
        }
        k.type->exchange->run(&m);
        swapped += from[0] == 1;
    }
    cs_target_release(t);
    return swapped / TRIES;
}

/* Returns E min(1, exp(y)) for y normal with mean d - v / 2 and variance v. */
static double chance(double d, double v)
{
    if (v == 0)
        return fmin(1, exp(d));
    return exp(d) * gsl_cdf_ugaussian_P(-(d + v / 2) / sqrt(v)) +
           gsl_cdf_ugaussian_P((d - v / 2) / sqrt(v));
}

static void assert_share(double got, double want)
{
    double error = sqrt(want * (1 - want) / TRIES) + 1e-12;
    if (fabs(got - want) > 5 * error)
        fail_msg("%g of the swaps were accepted, not %g", got, want);
}

static void swaps_are_corrected(void **state)
{
    static const double sd[] = {0, 0.32, 1.5}, intensity[] = {1, 0.1};
    static const double gap[] = {0, 0.4, 2};
    gsl_rng *g = gsl_rng_alloc(gsl_rng_mt19937);
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < 3; k++) {
                swaps_of s = {.energy = {1 + gap[k], 1},
                              .sd = sd[i],
                              .hottest = 3,
                              .intensity = intensity[j]};
                double D = 1 - 1. / 3, v = D * D * 2 * sd[i] * sd[i];
                double there = share_of(&s, g);
                s.energy[0] = 1 - gap[k];
                double back = share_of(&s, g);
                assert_share(there, intensity[j] * chance(D * gap[k], v));
                assert_share(back, intensity[j] * chance(-D * gap[k], v));
                /* the formula itself satisfies detailed balance between both
                 * directions */
                assert_near(chance(D * gap[k], v) / chance(-D * gap[k], v),
                            exp(D * gap[k]), 1e-9, 1e-9);
            }
    gsl_rng_free(g);
}

/* A variance that is given as a parameter replaces the known variance. */
static void a_given_variance_is_used(void **state)
{
    gsl_rng *g = gsl_rng_alloc(gsl_rng_mt19937);
    const swaps_of s = {
        .energy = {1, 1}, .hottest = 3, .intensity = 1, .given = 5};
    double D = 1 - 1. / 3;
    (void)state;
    assert_share(share_of(&s, g), exp(-D * D * 5 / 2));
    gsl_rng_free(g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(swaps_are_corrected),
    cmocka_unit_test(a_given_variance_is_used),
};
TESTS(test_replica_exchange_sgld)
