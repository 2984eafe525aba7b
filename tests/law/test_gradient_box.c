/* Tests the box parameters of kernels with a stochastic gradient. A box from
 * `low` to `high` gives the same results, bit for bit, as a target with log p =
 * -infinity outside the box. */
#include "chain/block.h"
#include "kernels/real/stochastic_gradient.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/small_make.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 32, STEPS = 500 };

static const double low = -1.2, high = 0.7;

/* Returns log p. The gradient outside of the box is NaN and must not be
 * used. */
static double open_hill(const double *x, double *g)
{
    bool out = x[0] > high || x[0] < low || x[1] > high || x[1] < low;
    g[0] = out ? (double)NAN : 0.3 - x[0] + 0.4 * x[1];
    g[1] = out ? (double)NAN : -x[1] + 0.4 * x[0];
    return 0.3 * x[0] - (x[0] * x[0] + x[1] * x[1]) / 2 + 0.4 * x[0] * x[1];
}

static double walled_hill(const double *x, double *g)
{
    double logp = open_hill(x, g);
    return isnan(g[0]) ? -HUGE_VAL : logp;
}
SMALL(open_hill, CS_CONTINUOUS, 2, 0, 0);
SMALL(walled_hill, CS_CONTINUOUS, 2, 0, 0);

static bool has_box(const cs_kernel_type *type)
{
    return cs_param_find(type->params, type->n_params, "gradient_noise") >= 0;
}

static setting boxed(const cs_kernel_type *type, bool walls)
{
    setting s = {.kernel = kernel_of(type->name)};
    s.kernel.values[CS_SG_RATE] = 0.2;
    if (strcmp(type->name, "psgld") == 0)
        s.kernel.values[CS_SG_RATE] = 0.02;
    s.kernel.values[CS_SG_LOW] = walls ? low : 0;
    s.kernel.values[CS_SG_HIGH] = walls ? high : 0;
    return s;
}

static cs_block *block_of(const setting *s, const cs_target_type *type)
{
    static const double x[2] = {0.1, -0.3};
    cs_target *t;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return open_block(s, t, 8, LANES, x);
}

static void close_block(cs_block *b)
{
    cs_target *t = b->target;
    cs_block_destroy(b);
    cs_target_release(t);
}

static size_t inside(const cs_block *b)
{
    size_t n = 0;
    for (size_t at = 0; at < 2 * b->lanes; at++)
        n += b->move.x[at] >= low && b->move.x[at] <= high;
    return n;
}

static void a_box_is_a_targets_wall(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    size_t tried = 0;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        if (!has_box(type))
            continue;
        setting own = boxed(type, true), none = boxed(type, false);
        cs_block *a = block_of(&own, &small_open_hill);
        cs_block *b = block_of(&none, &small_walled_hill);
        size_t refused = 0;
        for (int k = 0; k < STEPS; k++) {
            one_step(&own, a);
            one_step(&none, b);
            assert_memory_equal(a->move.x, b->move.x,
                                2 * a->lanes * sizeof(double));
            assert_memory_equal(a->move.info.logp, b->move.info.logp,
                                LANES * sizeof(double));
            assert_int_equal(inside(a), 2 * a->lanes);
            for (size_t l = 0; l < LANES; l++)
                refused += !a->move.info.accepted[l];
        }
        if (strstr(type->name, "sgd") == NULL)
            assert_true(refused > 0 && refused < (size_t)STEPS * LANES);
        close_block(a);
        close_block(b);
        tried++;
    }
    assert_true(tried >= 8);
}

/* The box also limits steps that use batches. The next step of a chain whose
 * move was rejected draws a new batch. */
static void batches_stay_inside(void **state)
{
    (void)state;
    static const double x[SMALL_ROWS_DIM] = {0.1, -0.3};
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        if (!has_box(type))
            continue;
        setting s = boxed(type, true);
        cs_target *t = small_rows_of(7, 0.1);
        s.kernel.values[CS_SG_BATCH] = 2;
        cs_block *b = open_block(&s, t, 8, LANES, x);
        for (int k = 0; k < STEPS; k++) {
            one_step(&s, b);
            assert_int_equal(inside(b), 2 * b->lanes);
        }
        for (size_t l = 0; l < LANES; l++)
            assert_false(b->move.failed[l]);
        close_block(b);
    }
}

static void a_box_has_a_low_end(void **state)
{
    (void)state;
    cs_target *t = target_of("gaussian");
    cs_kernel k = kernel_of("sgld");
    cs_error err;
    k.values[CS_SG_LOW] = 1;
    assert_int_equal(cs_kernel_fits(&k, t, &err), CS_RANGE);
    assert_non_null(strstr(err.what, "low = 1 is above high = 0"));
    cs_target_release(t);
}

/* A box with only one limit is open on the other side, and 0 is a valid
 * limit. */
static void a_box_of_one_wall_is_open(void **state)
{
    (void)state;
    static const double ends[][2] = {{0, 1e300}, {-1e300, 0}};
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        for (size_t side = 0; has_box(type) && side < 2; side++) {
            cs_value given = {.name = side ? "high" : "low",
                              .kind = CS_PARAM_REAL,
                              .given = 1};
            cs_kernel k;
            assert_int_equal(cs_kernel_init(&k, type, &given, 1, NULL), CS_OK);
            assert_true(k.values[CS_SG_LOW] == ends[side][0]);
            assert_true(k.values[CS_SG_HIGH] == ends[side][1]);
            cs_kernel_release(&k);
        }
}

/* A chain that starts outside the box may enter it, and then cannot leave it
 * again. */
static void outside_there_are_no_draws(void **state)
{
    (void)state;
    static const double x[SMALL_ROWS_DIM] = {0.1, 0.9};
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        size_t draws = 0, others = 0;
        if (!has_box(type))
            continue;
        setting s = boxed(type, true);
        cs_target *t = small_rows_of(7, 0.1);
        cs_block *b = open_block(&s, t, 8, LANES, x);
        for (int k = 0; k < STEPS; k++) {
            one_step(&s, b);
            for (size_t l = 0; l < LANES; l++) {
                const double *at = b->move.x + l;
                bool in = at[0] >= low && at[0] <= high &&
                          at[b->lanes] >= low && at[b->lanes] <= high;
                bool counts = b->move.info.log_weight[l] > -HUGE_VAL;
                assert_true(in || !counts);
                draws += counts;
                others += !in;
            }
        }
        if (strstr(type->name, "sgd") == NULL)
            assert_true(draws > 0 && others > 0);
        close_block(b);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_box_is_a_targets_wall),
    cmocka_unit_test(batches_stay_inside),
    cmocka_unit_test(a_box_has_a_low_end),
    cmocka_unit_test(a_box_of_one_wall_is_open),
    cmocka_unit_test(outside_there_are_no_draws),
};
TESTS(test_gradient_box)
