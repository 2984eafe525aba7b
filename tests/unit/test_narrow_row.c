/* Recorded draws of a discrete space take one byte per coordinate. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "chain/narrow_row.h"
#include "run/arms/run_state.h"
#include "run/draws/diagnosed.h"
#include "run/draws/kept_draws.h"
#include "run/run.h"

#include <math.h>

static void values_survive(void **state)
{
    double x[11], y[11], bytes[2] = {0};
    (void)state;
    assert_int_equal(cs_narrow_words(true, 11), 2);
    assert_int_equal(cs_narrow_words(false, 11), 11);
    for (size_t k = 0; k < 11; k++)
        x[k] = (double)k - 5;
    x[0] = INT8_MIN;
    x[10] = INT8_MAX;
    cs_narrow_copy(bytes, true, x, false, 11);
    cs_narrow_copy(y, false, bytes, true, 11);
    assert_memory_equal(x, y, sizeof x);
    for (size_t k = 0; k < 11; k++)
        assert_near(cs_narrow_get(bytes, true, k), x[k], 0, 0);
    cs_narrow_put(bytes, true, 3, (double)NAN); /* from a corrupt file */
    assert_near(cs_narrow_get(bytes, true, 3), 0, 0, 0);
}

/* The last kept and the last diagnosed draw are the state of the chain. */
static void draws_are_the_states(void **state)
{
    enum { DIM = 4, STEPS = 40 };
    cs_arm_spec arm = {.name = "a"};
    const cs_probe_spec probe = {.type = cs_probe_find("diagnostics")};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = 3,
                        .seed = 3,
                        .probes = &probe,
                        .n_probes = 1,
                        .workers = 1};
    cs_run *r = NULL;
    double kept[STEPS * (1 + DIM)];
    cs_diagnosed_view v;
    (void)state;
    assert_int_equal(cs_target_create(cs_target_find("bernoulli4"), NULL, 0,
                                      &spec.target, NULL),
                     CS_OK);
    assert_int_equal(
        cs_kernel_init(&arm.kernel, cs_kernel_find("gibbs"), NULL, 0, NULL),
        CS_OK);
    assert_int_equal(spec.target->space.dim, DIM);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    assert_int_equal(cs_diagnosed_row(r->arm[0].diagnosed), 2);
    for (size_t n = 1; n <= STEPS; n++) {
        run_steps(r, 1);
        assert_true(cs_diagnosed_look(&r->arm[0], NULL, &v));
        for (size_t c = 0; c < 3; c++) {
            const cs_block *b = cs_arm_block(&r->arm[0], c);
            const double *row = v.chain[c].row + (n - 1) * v.width;
            assert_int_equal(cs_run_draws(r, 0, c, kept, NULL), n);
            for (size_t d = 0; d < DIM; d++) {
                double x = b->shown[d * b->lanes + cs_arm_lane(&r->arm[0], c)];
                assert_near(kept[(n - 1) * (1 + DIM) + 1 + d], x, 0, 0);
                assert_near(cs_diagnosed_number(&v, row, 1 + d), x, 0, 0);
            }
        }
        cs_diagnosed_end(&v);
    }
    cs_run_destroy(r);
    cs_target_release(spec.target);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_survive),
    cmocka_unit_test(draws_are_the_states),
};
TESTS(test_narrow_row)
