/* Tests the marks in a run's history. Marks share the plan of an arm and do not
 * copy it. A rewind to a step restores the plan that the arm had at that
 * step. */
#include "support/by_name.h"
#include "support/small.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/views/view.h"

#include <string.h>

enum { ARMS = 3, MARKS = 40, ONE_MARK = 16384 };

static cs_run *opened(cs_target *t)
{
    static cs_arm_spec arm[ARMS];
    for (size_t i = 0; i < ARMS; i++)
        arm[i] = (cs_arm_spec){.kernel = kernel_of("random_walk")};
    arm[0].name = "a";
    arm[1].name = "b";
    arm[2].name = "c";
    const cs_run_spec spec = {
        .target = t, .arms = arm, .n_arms = ARMS, .chains = 1, .seed = 4};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static void move(cs_run *r, uint64_t n)
{
    uint64_t done;
    assert_int_equal(cs_run_advance(r, n, &done, NULL), CS_OK);
}

/* Makes a mark at the end of the run, by rewinding and returning to the end. */
static void mark(cs_run *r)
{
    uint64_t end = cs_run_steps(r);
    assert_int_equal(cs_run_travel(r, end - 1, NULL), CS_OK);
    assert_int_equal(cs_run_travel(r, end, NULL), CS_OK);
}

static size_t held(void)
{
    size_t limit;
    return cs_memory_held(&limit);
}

/* Returns the number of bytes that n additional marks need. */
static size_t marks(cs_run *r, size_t n)
{
    size_t before = held();
    for (size_t i = 0; i < n; i++) {
        move(r, 10);
        mark(r);
    }
    return held() - before;
}

static void marks_share_a_plan(void **state)
{
    (void)state;
    const double list[] = {1, 2};
    const cs_schedule cycle = cs_schedule_cycle(list, 2);
    cs_memory_limit((size_t)1 << 40);
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    cs_run *r = opened(t);
    move(r, 10);
    mark(r); /* the first mark stores the arms' plans */
    size_t each = marks(r, MARKS) / MARKS;
    if (each > ONE_MARK)
        fail_msg("a mark of %d arms takes %zu bytes", ARMS, each);
    assert_int_equal(cs_run_set(r, 1, "step", 0.5, NULL), CS_OK);
    size_t other = marks(r, 1); /* the plans have not changed */
    assert_true(other < ONE_MARK);
    assert_int_equal(cs_run_set_schedule(r, 1, "step", &cycle, NULL), CS_OK);
    other = marks(r, 1);
    assert_true(other > sizeof(cs_plan));
    /* Only one arm has a new plan. The factor of two allows for a mark that the
     * run makes by itself on a very slow machine. */
    assert_true(other < 2 * (sizeof(cs_plan) + ONE_MARK));
    assert_true(marks(r, 1) < ONE_MARK);
    print_message("%zu bytes a mark, a plan %zu\n", each, sizeof(cs_plan));
    cs_run_destroy(r);
    cs_target_release(t);
    cs_memory_limit(0);
}

static bool driven(cs_run *r, uint64_t step)
{
    assert_int_equal(cs_run_travel(r, step, NULL), CS_OK);
    return cs_run_arm(r, 1).plan->driven[0];
}

static void the_past_has_its_plan(void **state)
{
    (void)state;
    const double list[] = {1, 2};
    const cs_schedule cycle = cs_schedule_cycle(list, 2);
    const cs_kernel other = kernel_of("random_walk");
    cs_plan plan = {.driven = {false}};
    assert_true(cs_plan_drive(&plan, 0, &cycle));
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    cs_run *r = opened(t);
    marks(r, 2); /* up to step 20 */
    assert_int_equal(cs_run_set_schedule(r, 1, "step", &cycle, NULL), CS_OK);
    marks(r, 2); /* up to step 40 */
    assert_int_equal(cs_run_set(r, 1, "step", 0.5, NULL), CS_OK);
    marks(r, 2); /* up to step 60 */
    assert_int_equal(cs_run_set_kernel(r, 1, &other, &plan, NULL), CS_OK);
    plan.driven[0] = false; /* the run has a copy of its own */
    marks(r, 2);            /* up to step 80 */
    const uint64_t way[] = {15, 35, 55, 75, 38, 12, 61, 59, 30, 80};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++)
        assert_int_equal(driven(r, way[i]),
                         (way[i] > 20 && way[i] <= 40) || way[i] > 60);
    assert_int_equal(cs_run_rewind(r, 30, NULL), CS_OK);
    assert_true(cs_run_arm(r, 1).plan->driven[0]);
    assert_int_equal(cs_run_set(r, 1, "step", 0.5, NULL), CS_OK);
    marks(r, 1);
    assert_false(driven(r, 31));
    assert_true(driven(r, 29));
    cs_run_destroy(r);
    cs_target_release(t);
}

/* The plan of a finished tuner is restored. No mark that was made during the
 * tuner's trials contains this plan. */
static void tuned_plans_come_back(void **state)
{
    (void)state;
    const cs_value given[] = {{.name = "trials", .given = 1, .number = 4},
                              {.name = "burn_in", .given = 1, .number = 5},
                              {.name = "settle", .given = 1, .number = 5}};
    cs_target *t = NULL;
    cs_arm_spec arm = {.name = "a", .kernel = kernel_of("dmala")};
    assert_int_equal(
        cs_tuner_init(&arm.tuner, cs_tuner_find("acs"), given, 3, NULL), CS_OK);
    assert_int_equal(cs_target_create(&small_spins, NULL, 0, &t, NULL), CS_OK);
    const cs_run_spec spec = {
        .target = t, .arms = &arm, .n_arms = 1, .chains = 2, .seed = 4};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    while (cs_run_arm(r, 0).tuning.active)
        marks(r, 1);
    marks(r, 2);
    uint64_t end = cs_run_steps(r);
    assert_true(cs_run_arm(r, 0).plan->driven[0]);
    assert_int_equal(cs_run_travel(r, end - 10, NULL), CS_OK);
    assert_true(cs_run_arm(r, 0).plan->driven[0]);
    assert_int_equal(cs_run_travel(r, 10, NULL), CS_OK);
    assert_false(cs_run_arm(r, 0).plan->driven[0]);
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(marks_share_a_plan),
    cmocka_unit_test(the_past_has_its_plan),
    cmocka_unit_test(tuned_plans_come_back),
};
TESTS(test_held_plans)
