/* Compares a restricted Boltzmann machine with values computed by hand and with
 * sums over both layers. */
#include "support/laws.h"
#include "support/support.h"

#include "chain/block.h"
#include "target/enumeration.h"
#include "targets/network/rbm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* b = (0.5, -1), c = (0.25, 2, -0.5), then the rows of W */
static const double rows[12] = {0, 0.5, -1, 0.25, 1, -2, 2, 0.5, 3, -0.5, 0, 1};

static cs_target *make(const cs_value *given, size_t n)
{
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(cs_target_find("rbm"), given, n, &t, &err) != CS_OK)
        fail_msg("%s", err.what);
    return t;
}

/* Returns log sum_h exp(b'v + c'h + h'Wv) by a sum over all hidden states. */
static double by_states(const double *v)
{
    double sum = 0;
    for (int h = 0; h < 8; h++) {
        double e = rows[1] * v[0] + rows[2] * v[1];
        for (int j = 0; j < 3; j++) {
            const double *row = rows + 3 * (j + 1);
            if (h >> j & 1)
                e += row[0] + row[1] * v[0] + row[2] * v[1];
        }
        sum += exp(e);
    }
    return log(sum);
}

static void hidden_units_are_summed_out(void **state)
{
    (void)state;
    FILE *file = fopen("rbm.tmp", "w");
    assert_non_null(file);
    for (int k = 0; k < 12; k++)
        fprintf(file, "%g%c", rows[k], k % 3 == 2 ? '\n' : ',');
    fclose(file);
    const cs_value given[2] = {
        {.name = "weights",
         .kind = CS_PARAM_ARRAY,
         .array = rows,
         .rows = 4,
         .cols = 3},
        {.name = "file", .kind = CS_PARAM_TEXT, .text = "rbm.tmp"}};
    for (int k = 0; k < 2; k++) {
        cs_target *t = make(&given[k], 1);
        double z = 0, x[2], logp;
        for (size_t s = 0; s < 4; s++) {
            cs_space_state(&t->space, s, x);
            assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
            assert_near(logp, by_states(x), 1e-14, 1e-14);
            z += exp(logp);
        }
        assert_near(t->exact.log_z, log(z), 1e-14, 0);
        cs_target_release(t);
    }
    remove("rbm.tmp");
}

/* Computes p[states], the probabilities of the states of the small machine. */
static void law_of(cs_target *t, double *p)
{
    double x[4], logp;
    for (size_t s = 0; s < 16; s++) {
        cs_space_state(&t->space, s, x);
        assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
        p[s] = exp(logp - t->exact.log_z);
    }
}

static size_t state_of(const cs_block *b, size_t lane)
{
    double x[4];
    cs_block_state(b, lane, x);
    return (size_t)(8 * x[0] + 4 * x[1] + 2 * x[2] + x[3]);
}

/* Makes `steps` steps of 1000 chains of a random machine with 4 visible units,
 * and counts the states of the chains. The chains start at exact draws, or all
 * at state `from`. */
enum { LIVE = 1000 };
static void count_states(cs_target *t, const cs_kernel *kernel, size_t from,
                         size_t steps, double *count)
{
    static double x[LIVE][4];
    const double *start[LIVE];
    for (uint64_t round = 0; round < 20; round++) {
        cs_block *b;
        assert_true(cs_enumeration_draws(t, LIVE, &x[0][0]));
        for (size_t l = 0; l < LIVE; l++) {
            start[l] = x[l];
            if (from < 16)
                cs_space_state(&t->space, from, x[l]);
        }
        cs_block_create(&b, t, kernel, 100 * from + round, 0, LIVE, NULL, 0,
                        NULL);
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        for (size_t k = 0; k < steps; k++)
            cs_block_run(b, NULL, 1, NULL);
        for (size_t l = 0; l < LIVE; l++)
            count[state_of(b, l)]++;
        cs_block_destroy(b);
    }
}

static cs_kernel kernel_of(const char *name, const char *param, double value)
{
    const cs_value given = {
        .name = param, .kind = CS_PARAM_REAL, .number = value};
    cs_kernel k;
    cs_error err = {0};
    if (cs_kernel_init(&k, cs_kernel_find(name), &given, param != NULL, &err))
        fail_msg("%s", err.what);
    return k;
}

static cs_target *small_machine(void)
{
    const cs_value size[3] = {
        {.name = "visible", .kind = CS_PARAM_INT, .number = 4},
        {.name = "hidden", .kind = CS_PARAM_INT, .number = 3},
        {.name = "sd", .kind = CS_PARAM_REAL, .number = 1.5}};
    return make(size, 3);
}

/* The chains have the distribution of the target, even if the force is
 * inaccurate. */
static void a_force_leaves_the_law_alone(void **state)
{
    (void)state;
    cs_target *t = small_machine();
    double p[16];
    law_of(t, p);
    for (int force = 0; force <= CS_GRADIENT_FLOAT; force++) {
        const cs_kernel k = kernel_of("dmala", "gradient_precision", force);
        double count[16] = {0};
        count_states(t, &k, 16, 10, count);
        assert_true(cs_check_cells_p(count, p, 16) > 1e-4);
    }
    cs_target_release(t);
}

/* Returns the probability of bit b: logistic(a) or 1 - logistic(a). */
static double chance(double a, int b)
{
    double p = 1 / (1 + exp(-a));
    return b ? p : 1 - p;
}

/* Returns P(v' | v), which is the sum over h of p(h | v) p(v' | h). W is
 * computed from the rows of the machine. */
static double through_hidden(const cs_rbm *m, size_t v, size_t to)
{
    double sum = 0;
    for (size_t h = 0; h < 8; h++) {
        double p = 1;
        for (size_t j = 0; j < 3; j++) {
            double a = m->c[j];
            for (size_t i = 0; i < 4; i++)
                a += (v >> (3 - i) & 1) ? m->w[4 * j + i] : 0;
            p *= chance(a, h >> j & 1);
        }
        for (size_t i = 0; i < 4; i++) {
            double a = m->b[i];
            for (size_t j = 0; j < 3; j++)
                a += (h >> j & 1) ? m->w[4 * j + i] : 0;
            p *= chance(a, to >> (3 - i) & 1);
        }
        sum += p;
    }
    return sum;
}

static void block_gibbs_goes_through_the_hidden_units(void **state)
{
    (void)state;
    cs_target *t = small_machine();
    double P[16][16], twice[16], p[16];
    law_of(t, p);
    for (size_t v = 0; v < 16; v++)
        for (size_t to = 0; to < 16; to++)
            P[v][to] = through_hidden(t->self, v, to);
    for (size_t to = 0; to < 16; to++) {
        double mass = 0;
        for (size_t v = 0; v < 16; v++)
            mass += p[v] * P[v][to];
        assert_near(mass, p[to], 0, 1e-14);
    }
    for (size_t v = 0; v < 16; v += 5)
        for (int sweeps = 1; sweeps <= 2; sweeps++) {
            const cs_kernel k = kernel_of("block_gibbs", "sweeps", sweeps);
            double count[16] = {0};
            for (size_t to = 0; to < 16; to++) {
                twice[to] = 0;
                for (size_t by = 0; by < 16; by++)
                    twice[to] += P[v][by] * P[by][to];
            }
            count_states(t, &k, v, 1, count);
            assert_true(
                cs_check_cells_p(count, sweeps == 1 ? P[v] : twice, 16) > 1e-4);
        }
    cs_target_release(t);
}

/* Makes more than a thousand steps and then recomputes everything. Sums of
 * weights are exact, so cached values equal recomputed values bit for bit. The
 * kernel gibbs updates log p by differences, so its log p may differ by
 * rounding. */
static void nothing_drifts(void **state)
{
    (void)state;
    static const char *const kernels[] = {"dmala", "gibbs", "hamming_ball"};
    const cs_value size[2] = {
        {.name = "visible", .kind = CS_PARAM_INT, .number = 50},
        {.name = "hidden", .kind = CS_PARAM_INT, .number = 70}};
    cs_target *t = make(size, 2);
    size_t words = t->cache_words * 8;
    for (size_t k = 0; k < 3; k++) {
        cs_kernel kernel;
        cs_block *b;
        cs_kernel_init(&kernel, cs_kernel_find(kernels[k]), NULL, 0, NULL);
        cs_block_create(&b, t, &kernel, 1, 0, 5, NULL, 0, NULL);
        assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
        for (int i = 0; i < 2000; i++)
            cs_block_run(b, NULL, 1, NULL);
        double *cache = b->eval.cache[CS_NOW], logp[5];
        double *kept = malloc(words * sizeof *kept);
        assert_non_null(kept);
        memcpy(kept, cache, words * sizeof *kept);
        memcpy(logp, b->move.info.logp, sizeof logp);
        cs_block_refresh(b);
        assert_memory_equal(kept, cache, words * sizeof *kept);
        for (int l = 0; l < 5; l++)
            assert_near(logp[l], b->move.info.logp[l], 0, 1e-10);
        free(kept);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    const cs_value odd[2][2] = {
        {{.name = "weights",
          .kind = CS_PARAM_ARRAY,
          .array = rows,
          .rows = 1,
          .cols = 3}},
        {{.name = "visible", .kind = CS_PARAM_INT, .number = 10},
         {.name = "cols", .kind = CS_PARAM_INT, .number = 4}}};
    for (int k = 0; k < 2; k++) {
        cs_target *t = NULL;
        cs_error err = {0};
        assert_int_equal(cs_target_create(cs_target_find("rbm"), odd[k],
                                          (size_t)k + 1, &t, &err),
                         CS_INPUT);
        assert_true(err.what[0] && err.hint[0]);
    }
}

/* Checks the sizes of b, c and W. Values that are not finite are rejected. */
static void sizes_are_checked(void **state)
{
    (void)state;
    static const double bad[][4] = {{0, 1e16, 0, 1},
                                    {0, 0, -1e16, 1},
                                    {0, 0, 0, 601},
                                    {0, 0, 0, NAN},
                                    {0, NAN, 0, 1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const cs_value given = {.name = "weights",
                                .kind = CS_PARAM_ARRAY,
                                .array = bad[k],
                                .rows = 2,
                                .cols = 2};
        cs_target *t = NULL;
        cs_error err = {0};
        assert_int_equal(
            cs_target_create(cs_target_find("rbm"), &given, 1, &t, &err),
            CS_INPUT);
        assert_true(err.what[0] && err.hint[0]);
    }
    FILE *file = fopen("rbm.tmp", "w");
    assert_non_null(file);
    fputs("0,0\n0,601\n", file);
    fclose(file);
    const cs_value given = {
        .name = "file", .kind = CS_PARAM_TEXT, .text = "rbm.tmp"};
    cs_target *t = NULL;
    cs_error err = {0};
    assert_int_equal(
        cs_target_create(cs_target_find("rbm"), &given, 1, &t, &err), CS_INPUT);
    assert_string_equal(err.where, "rbm.tmp");
    remove("rbm.tmp");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hidden_units_are_summed_out),
    cmocka_unit_test(a_force_leaves_the_law_alone),
    cmocka_unit_test(block_gibbs_goes_through_the_hidden_units),
    cmocka_unit_test(nothing_drifts),
    cmocka_unit_test(what_is_wrong_is_said),
    cmocka_unit_test(sizes_are_checked),
};
TESTS(test_rbm)
