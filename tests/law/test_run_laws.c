/* Applies the laws of runs to every registered kernel on every compatible
 * registered target. The law book (support/laws.h) applies the same laws to the
 * small targets and to kernels with planted faults. */
#include "run/run.h"
#include "run/views/stopped.h"
#include "support/by_name.h"
#include "support/run_laws.h"
#include "support/support.h"

#include <string.h>

static void no_kernel_minds_blocks(void **state)
{
    (void)state;
    assert_true(for_all_fits(run_blocks, false) > 0);
}

static void every_kernel_goes_on(void **state)
{
    (void)state;
    assert_true(for_all_fits(run_resume, false) > 0);
}

static void every_kernel_goes_back(void **state)
{
    (void)state;
    assert_true(for_all_fits(run_rewind, false) > 0);
}

/* ---- a density that becomes NaN ---- */

enum { CHAINS = 11 };

static size_t no_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 0;
}

static void nothing(cs_move *m)
{
    (void)m;
}

static void spoil(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        m->x[l] += 1;
        if (m->streams.chain[l] == 4 && m->streams.step == 7)
            m->failed[l] = true;
    }
}

static void nan_stops_its_chain_only(void **state)
{
    const cs_kernel_type type = {.name = "spoiler",
                                 .spaces = CS_CONTINUOUS,
                                 .memory_words = no_words,
                                 .scratch_words = no_words,
                                 .init = nothing,
                                 .step = spoil};
    cs_arm_spec arm = {.name = "a", .kernel.type = &type};
    cs_target *t = target_of("gaussian");
    cs_run *r;
    char text[256];
    (void)state;
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .workers = 2,
                        .block_lanes = 8};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_advance(r, 20, NULL, NULL), CS_OK);
    for (size_t c = 0; c < CHAINS; c++) {
        cs_chain_view v = cs_run_chain(r, 0, c);
        assert_true(v.failed == (c == 4));
        assert_true(v.tally.steps == (c == 4 ? 6 : 20));
    }
    assert_true(cs_run_fault(r, text, sizeof text));
    assert_non_null(strstr(text, "chain 5 of arm a at step 7, x = ("));
    assert_false(cs_run_fault(r, text, sizeof text));
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_kernel_minds_blocks),
    cmocka_unit_test(every_kernel_goes_on),
    cmocka_unit_test(every_kernel_goes_back),
    cmocka_unit_test(nan_stops_its_chain_only),
};
TESTS(test_run_laws)
