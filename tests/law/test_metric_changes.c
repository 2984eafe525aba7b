/* Tests metrics that are set during a run: their entries in the journal, the
 * replay of these entries, rewinding, damaged checkpoints, and plans. */
#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "run/save.h"
#include "run/views/plans.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/far.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = FAR_DIM, CHAINS = 8, SHORT = 240 };

/* ---- metrics set during a run -------------------------------------------- */

static const double few[DIM] = {1e-4, 0.1, 100.0 / 3, 1e4};
static const double all[DIM * DIM] = {1e-4,    0,  0, 0, 0, 0.1, 1.0 / 3, 0, 0,
                                      1.0 / 3, 50, 0, 0, 0, 0,   1e4};

static const double middle[DIM] = {-1.0 / 7, 2e5, 0, 3};

static const cs_metric *metric_at(const cs_run *r)
{
    return cs_run_arm(r, 0).metric;
}

static cs_run *changed(cs_target *t, size_t lanes)
{
    cs_tuner tuner = window_tuner(SHORT, CS_METRIC_DIAGONAL);
    cs_run *r = far_run(t, "nuts", &tuner, CHAINS, 1, lanes);
    run_steps(r, 110); /* within a window of the warm-up */
    assert_int_equal(cs_run_set_metric(r, 0, CS_METRIC_DENSE, all, NULL, NULL),
                     CS_OK);
    assert_false(cs_run_arm(r, 0).tuning.active);
    run_steps(r, 20);
    assert_int_equal(cs_run_set_metric(r, 0, CS_METRIC_UNIT, NULL, NULL, NULL),
                     CS_OK);
    assert_null(metric_at(r));
    run_steps(r, 20);
    assert_int_equal(
        cs_run_set_metric(r, 0, CS_METRIC_DIAGONAL, few, middle, NULL), CS_OK);
    run_steps(r, 20);
    return r;
}

static void changes_are_replayed(void **state)
{
    cs_target *t = far_away();
    cs_tuner tuner = window_tuner(SHORT, CS_METRIC_DIAGONAL);
    cs_run *one = changed(t, 8), *three = changed(t, 8);
    cs_run *two = far_run(t, "nuts", &tuner, CHAINS, 2, 3);
    char *text, *again;
    (void)state;
    assert_int_equal(cs_run_journal_text(one, &text, NULL), CS_OK);
    assert_non_null(strstr(text, "\n110 1 metric dense {"));
    assert_non_null(strstr(text, "\n130 1 metric unit {"));
    assert_non_null(strstr(text, "\n150 1 metric diagonal {"));
    assert_int_equal(cs_run_replay(two, text, NULL), CS_OK);
    assert_true(same_run(one, two, true));
    assert_int_equal(cs_run_journal_text(two, &again, NULL), CS_OK);
    assert_string_equal(text, again);
    assert_int_equal(metric_at(one)->kind, CS_METRIC_DIAGONAL);
    assert_memory_equal(metric_at(one)->covariance, few, sizeof few);
    assert_memory_equal(metric_at(one)->centre, middle, sizeof middle);
    assert_memory_equal(metric_at(two)->centre, middle, sizeof middle);
    for (uint64_t k = 0; k < 170; k += 9) { /* rewinds past every change */
        assert_int_equal(cs_run_travel(one, 170 - k, NULL), CS_OK);
        assert_int_equal(cs_run_travel(one, 170, NULL), CS_OK);
        assert_true(same_run(one, three, true));
    }
    assert_int_equal(cs_run_rewind(one, 125, NULL), CS_OK);
    assert_memory_equal(metric_at(one)->covariance, all, sizeof all);
    assert_int_equal(cs_run_rewind(one, 105, NULL), CS_OK);
    assert_true(cs_run_arm(one, 0).tuning.active);
    cs_free(text);
    cs_free(again);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_run_destroy(three);
    cs_target_release(t);
}

static void lines_that_are_no_metric_are_refused(void **state)
{
    static const char *const bad[] = {"0 1 metric round { 1, 1, 1, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, 1, 1, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, -1, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, nan, 1 }\n",
                                      "0 1 metric diagonal\n",
                                      "0 1 metric dense { 1, 1, 1, 1 }\n",
                                      "0 1 metric unit { 1 }\n",
                                      "0 1 metric\n",
                                      "0 1 metric diagonal { 1, 1, 1, 1 } 3\n",
                                      "0 1 metric diagonal { 1, 1, 1\n",
                                      "0 1 metric unit { } { 1, 1, 1, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, 1, 1 } "
                                      "{ 1, 1, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, 1, 1 } "
                                      "{ 1, 1, nan, 1 }\n",
                                      "0 1 metric diagonal { 1, 1, 1, 1 } "
                                      "{ 1, 1, 1, 1 } { 1, 1, 1, 1 }\n"};
    cs_target *t = far_away();
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[256];
        cs_error err;
        cs_run *r = far_run(t, "nuts", NULL, 2, 1, 8);
        snprintf(text, sizeof text, "# chainscope journal 3\n%s1 end\n",
                 bad[i]);
        if (cs_run_replay(r, text, &err) == CS_OK)
            fail_msg("taken: %s", bad[i]);
        assert_null(metric_at(r));
        cs_run_destroy(r);
    }
    cs_target_release(t);
}

static void what_follows_none_is_refused(void **state)
{
    cs_target *t = far_away(), *bits = target_of("bernoulli4");
    cs_run *slow = far_run(t, "psgld", NULL, 2, 1, 8);
    (void)state;
    assert_int_equal(
        cs_run_set_metric(slow, 0, CS_METRIC_DIAGONAL, few, NULL, NULL),
        CS_UNSUPPORTED);
    assert_int_equal(
        cs_run_set_metric(slow, 3, CS_METRIC_DIAGONAL, few, NULL, NULL),
        CS_RANGE);
    cs_run_destroy(slow);
    cs_target_release(t);
    cs_target_release(bits);
}

/* ---- damaged checkpoints ------------------------------------------------- */

/* Returns the position of the metric's numbers in the checkpoint. */
static size_t place_of(const unsigned char *bytes, size_t size,
                       const double *numbers, size_t n)
{
    for (size_t at = 0; at + n * 8 <= size; at++)
        if (memcmp(bytes + at, numbers, n * 8) == 0)
            return at;
    fail_msg("the metric is not in the checkpoint");
    return 0;
}

/* Loads a checkpoint with one word changed and a correct checksum. */
static cs_status load_with(cs_run *r, const unsigned char *bytes, size_t size,
                           size_t at, const void *word)
{
    unsigned char *other = cs_alloc(size, 1);
    memcpy(other, bytes, size);
    memcpy(other + at, word, 8);
    uint64_t sum = cs_checksum(other, size - 8);
    memcpy(other + size - 8, &sum, 8);
    cs_status s = cs_run_load(r, other, size, NULL);
    cs_free(other);
    return s;
}

static void damaged_checkpoints_are_refused(void **state)
{
    cs_target *t = far_away();
    cs_run *one = far_run(t, "nuts", NULL, 2, 1, 8);
    cs_run *two = far_run(t, "nuts", NULL, 2, 1, 8);
    unsigned char *bytes;
    size_t size;
    const uint64_t kinds[] = {0, 2, 3, 77, UINT64_MAX, UINT64_C(1) << 62};
    const double odd[] = {(double)NAN, -1, 0, HUGE_VAL};
    (void)state;
    assert_int_equal(
        cs_run_set_metric(one, 0, CS_METRIC_DIAGONAL, few, middle, NULL),
        CS_OK);
    run_steps(one, 5);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    size_t at = place_of(bytes, size, few, DIM);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_not_equal(load_with(two, bytes, size, at - 16, &kinds[i]),
                             CS_OK);
    /* invalid kinds of the centre */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_not_equal(load_with(two, bytes, size, at - 8, &kinds[i]),
                             CS_OK);
    assert_int_not_equal(
        load_with(two, bytes, size, at + 8 * (DIM + 1), &odd[0]), CS_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_not_equal(load_with(two, bytes, size, at + 8, &odd[i]),
                             CS_OK);
    for (size_t n = at - 24; n < at + 64; n += 8) { /* truncated checkpoints */
        unsigned char *cut = cs_alloc(n + 8, 1);
        memcpy(cut, bytes, n);
        uint64_t sum = cs_checksum(cut, n);
        memcpy(cut + n, &sum, 8);
        assert_int_not_equal(cs_run_load(two, cut, n + 8, NULL), CS_OK);
        cs_free(cut);
    }
    assert_null(metric_at(two));
    assert_int_equal(cs_run_steps(two), 0);
    assert_int_equal(cs_run_load(two, bytes, size, NULL), CS_OK);
    assert_true(same_run(one, two, true));
    run_steps(one, 20);
    run_steps(two, 20);
    assert_true(same_run(one, two, true));
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_target_release(t);
}

/* ---- plans --------------------------------------------------------------- */

static void plans_have_the_metric(void **state)
{
    cs_target *t = far_away();
    cs_run *r = far_run(t, "nuts", NULL, 2, 1, 8);
    cs_page p = {.text = NULL};
    (void)state;
    assert_int_equal(cs_run_set_metric(r, 0, CS_METRIC_DENSE, all, NULL, NULL),
                     CS_OK);
    cs_plans_text(r, &p);
    char *at = strstr(p.text, ", metric = { { ");
    assert_non_null(at);
    at += strcspn(at, "{");
    for (size_t i = 0; i < DIM * DIM; i++) {
        at += strcspn(at, "0123456789");
        double x = strtod(at, &at);
        assert_true(x == all[i]);
    }
    assert_non_null(strstr(at, "} }, tuner = false }"));
    cs_free(p.text);
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(changes_are_replayed),
    cmocka_unit_test(lines_that_are_no_metric_are_refused),
    cmocka_unit_test(what_follows_none_is_refused),
    cmocka_unit_test(damaged_checkpoints_are_refused),
    cmocka_unit_test(plans_have_the_metric),
};
TESTS(test_metric_changes)
