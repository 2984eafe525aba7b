/* Tests that annealed importance sampling estimates Z without bias, for
 * Boltzmann machines small enough to enumerate. The moves are those of the
 * sampler itself, or those of a kernel. Each check also fails on a planted
 * fault. */
#include "support/by_name.h"
#include "support/fake_model.h"

#include "base/memory.h"
#include "learn/anneal.h"

#include <math.h>

enum { LANES = 8 };

/* Returns the distance from 1 of the mean of the ratios estimate / Z, in
 * standard errors. */
static double annealed_off(cs_target *t, double log_z, size_t temperatures)
{
    double base[64], sum = 0, squares = 0;
    enum { TRIES = 400 };
    cs_target *own;
    assert_int_equal(cs_target_learner(t, &own, NULL), CS_OK);
    own->type = t->type;
    for (size_t i = 0; i < t->space.dim; i++)
        base[i] = uniform(5, 0, i) - 0.5;
    for (size_t k = 0; k < TRIES; k++) {
        cs_annealed z;
        const cs_anneal_spec spec = {
            .base = base, .runs = 50, .temperatures = temperatures, .seed = k};
        assert_int_equal(cs_anneal_own(own, &spec, &z, NULL), CS_OK);
        double ratio = exp(z.log_z - log_z);
        sum += ratio / TRIES;
        squares += ratio * ratio / TRIES;
    }
    cs_target_release(own);
    return fabs(sum - 1) / sqrt((squares - sum * sum) / (TRIES - 1));
}

static void annealing_finds_log_z_without_bias(void **state)
{
    (void)state;
    static const size_t temperatures[] = {1, 2, 3, 10, 50};
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.6);
    for (size_t k = 0; k < 5; k++) {
        double off = annealed_off(t, t->exact.log_z, temperatures[k]);
        if (!(off < 4.5))
            fail_msg("%zu temperatures: %.3g standard errors off",
                     temperatures[k], off);
    }
    cs_target_release(t);
}

/* Returns the distance from 1 of the mean of the ratios estimate / Z, in
 * standard errors. Annealing starts from a random base distribution and makes
 * steps of the kernel `name`. */
static double annealed_by_off(cs_target *t, double log_z, const char *name,
                              double step, size_t temperatures)
{
    enum { TRIES = 200 };
    double base[64], sum = 0, squares = 0;
    cs_kernel kernel = kernel_of(name);
    int row = cs_param_find(kernel.type->params, kernel.type->n_params, "step");
    if (row >= 0)
        kernel.values[row] = step;
    for (size_t i = 0; i < t->space.dim; i++)
        base[i] = uniform(5, 0, i) - 0.5;
    for (size_t k = 0; k < TRIES; k++) {
        cs_annealed z;
        const cs_anneal_spec spec = {.base = base,
                                     .runs = 50,
                                     .temperatures = temperatures,
                                     .seed = 1000 + k};
        assert_int_equal(cs_anneal_by(t, &kernel, &spec, &z, NULL), CS_OK);
        double ratio = exp(z.log_z - log_z);
        sum += ratio / TRIES;
        squares += ratio * ratio / TRIES;
    }
    return fabs(sum - 1) / sqrt((squares - sum * sum) / (TRIES - 1));
}

static void annealing_by_kernels_is_unbiased_too(void **state)
{
    (void)state;
    static const char *const names[] = {"gwg", "dmala", "gibbs"};
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.6);
    for (size_t k = 0; k < 3; k++) {
        double off = annealed_by_off(t, t->exact.log_z, names[k], 0.4, 20);
        if (!(off < 4.5))
            fail_msg("%s: %.3g standard errors off", names[k], off);
    }
    /* Without an accept step the estimate is biased. */
    assert_true(annealed_by_off(t, t->exact.log_z, "dula", 2, 20) > 8);
    cs_target_release(t);
}

/* Fault: the weights at the next temperature are computed from the state after
 * the move. */
static void late(const cs_target *t, const cs_point *at, const cs_anneal *a)
{
    _Alignas(64) double none[LANES * 16] = {0};
    cs_anneal move = *a, weigh = *a;
    double *kept = cs_alloc(t->space.dim * at->lanes, sizeof *kept);
    move.log_weight = none;
    cs_target_find("rbm")->model->anneal(t, at, &move);
    weigh.x = kept;
    cs_target_find("rbm")->model->anneal(t, at, &weigh);
    cs_free(kept);
}

/* Fault: all moves are made at the model's temperature, as in one published
 * program. */
static void hot(const cs_target *t, const cs_point *at, const cs_anneal *a)
{
    _Alignas(64) double none[LANES * 16] = {0};
    cs_anneal move = *a, weigh = *a;
    double *kept = cs_alloc(t->space.dim * at->lanes, sizeof *kept);
    weigh.x = kept;
    cs_target_find("rbm")->model->anneal(t, at, &weigh);
    move.log_weight = none;
    move.from = move.to = 1;
    cs_target_find("rbm")->model->anneal(t, at, &move);
    cs_free(kept);
}

static void wrong_annealing_is_caught(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.6);
    f.model.anneal = late;
    assert_true(annealed_off(t, t->exact.log_z, 3) > 8);
    f.model.anneal = hot;
    assert_true(annealed_off(t, t->exact.log_z, 3) > 8);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(annealing_finds_log_z_without_bias),
    cmocka_unit_test(annealing_by_kernels_is_unbiased_too),
    cmocka_unit_test(wrong_annealing_is_caught),
};
TESTS(test_annealing)
