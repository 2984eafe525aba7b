/* Tests slow motion: four steps per second, then the run's own speed. */
#include "session_of.h"

#include <math.h>
#include <string.h>

static int start(void **state)
{
    return (int)cs_client_create((cs_client **)state, child, NULL, NULL);
}

static int end(void **state)
{
    return leave(*state);
}

/* Waits until the run has made `steps` steps; returns the seconds since
 * `from`. */
static double reach(cs_client *c, double steps, double from)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &e, "run/steps") && *e.data >= steps)
            return cs_clock() - from;
    fail_msg("the run did not reach %g steps", steps);
    return 0;
}

static void is_in_state(cs_client *c, const char *state)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &e, "run/state") &&
            strcmp(e.text, state) == 0)
            return;
    fail_msg("the state did not become %s", state);
}

/* Five steps take more than a second in slow motion. The next two thousand
 * steps take, on average, less time than a step in slow motion. */
static void test_a_number_of_steps(void **state)
{
    cs_client *c = *state;
    ask(c, "open session/walk.lua");
    ask(c, "speed 0");
    double from = cs_clock();
    ask(c, "slow 5");
    assert_true(reach(c, 5, from) >= 1.2);
    from = cs_clock();
    reach(c, 2000, from);
    assert_true(cs_clock() - from < 2000 / 8.0);
    ask(c, "pause");
}

/* Without a number, slow motion lasts until `slow` is sent again. The run then
 * continues at its own speed. */
static void test_until_it_is_ended(void **state)
{
    cs_client *c = *state;
    ask(c, "open session/walk.lua");
    ask(c, "speed 0");
    double from = cs_clock();
    ask(c, "slow");
    double took = reach(c, 3, from);
    assert_true(took >= 0.7);
    is_in_state(c, "running");
    from = cs_clock();
    ask(c, "slow");
    double at = 2000;
    assert_true(reach(c, at, from) < at / 8);
    ask(c, "pause");
}

/* A step of a cycle of two members takes two turns, which are shown one after the
 * other: a step takes half a second. While the first turn is shown, the step is
 * not yet made. */
static void test_turns_of_members(void **state)
{
    cs_client *c = *state;
    const unsigned char *base;
    size_t used, seen = 0;
    cs_flat_entry e, steps, notes;
    ask(c, "open session/stairs.lua");
    ask(c, "speed 0");
    double from = cs_clock(), end = from + PATIENCE;
    ask(c, "slow");
    for (; cs_clock() < end && seen != 7; cs_client_wait(c, 10)) {
        if (!cs_client_snapshot(c, &base, &used) ||
            !cs_flat_find(base, used, &steps, "run/steps") ||
            !cs_flat_find(base, used, &e, "look/turns/made") ||
            !cs_flat_find(base, used, &notes, "look/turns/notes"))
            continue;
        assert_int_equal(notes.rows, 2);
        assert_true(*e.data == 0 || *e.data == 1);
        seen |= *steps.data == 1 ? 1u << (int)*e.data : 0;
        seen |= *steps.data == 2 ? 4u : 0;
    }
    assert_int_equal(seen, 7);
    assert_true(cs_clock() - from >= 0.9);
    ask(c, "pause");
    is_in_state(c, "paused");
}

/* Waits until the session has published a value from `low` to `high`. */
static void published(cs_client *c, const char *key, double low, double high)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    double last = (double)NAN;
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &e, "%s", key)) {
            last = *e.data;
            if (last >= low && last <= high)
                return;
        }
    fail_msg("%s is %g and not from %g to %g", key, last, low, high);
}

/* The speed of a scenario holds for this scenario and its restarts, and not for
 * the scenario that is opened after it. The time left is that of the speed. */
static void test_the_speed_of_a_scenario(void **state)
{
    cs_client *c = *state;
    ask(c, "open session/paced.lua");
    ask(c, "toggle"); /* the first 20 steps are slow */
    ask(c, "slow 0");
    published(c, "run/speed", 50, 50);
    reach(c, 4, cs_clock());
    published(c, "run/eta", 100, 400);
    ask(c, "pause");
    ask(c, "restart");
    published(c, "run/speed", 50, 50);
    ask(c, "open session/walk.lua");
    published(c, "run/speed", 0, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_a_number_of_steps, start, end),
    cmocka_unit_test_setup_teardown(test_until_it_is_ended, start, end),
    cmocka_unit_test_setup_teardown(test_turns_of_members, start, end),
    cmocka_unit_test_setup_teardown(test_the_speed_of_a_scenario, start, end),
};
TESTS(test_slow)
