/* Tests a scenario's own panels in a session: the contents and the limits of
 * the panels. A run must not depend on whether the panels are shown or
 * hidden. */
#include "session/client/client.h"
#include "session_of.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int start(void **state)
{
    return (int)cs_client_create((cs_client **)state, child, NULL, NULL);
}

static int end(void **state)
{
    return leave(*state);
}

/* the newest snapshot */
static const unsigned char *base;
static size_t used;

static const char *text(const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(base, used, &e, "%s", key) && e.text ? e.text : "";
}

static double number(const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(base, used, &e, "%s", key) && e.data ? e.data[0]
                                                             : (double)NAN;
}

/* Waits until the run is stopped and all visible results belong to its current
 * step. */
static void stands(cs_client *c)
{
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        cs_client_snapshot(c, &base, &used);
        if (used && strcmp(text("run/state"), "running") != 0 &&
            number("run/reported") == 1)
            return;
    }
    fail_msg("the run did not stop");
}

static void open_own(cs_client *c, const char *reports)
{
    char line[256];
    ask(c, "open session/own_panels.lua");
    snprintf(line, sizeof line, "reports %s", reports);
    ask(c, line);
}

static void run_to(cs_client *c, unsigned steps)
{
    char line[64];
    snprintf(line, sizeof line, "run %u", steps);
    ask(c, line);
    stands(c);
}

/* Only visible panels are computed. Even so, the curves of all panels start at
 * the first step. */
static void test_shown(void **state)
{
    cs_client *c = *state;
    cs_flat_entry time, curve;
    open_own(c, "trace");
    run_to(c, 500);
    assert_string_equal(text("run/panels"), "trace where tries");
    assert_string_equal(text("own/0/title"), "where: where it is");
    assert_string_equal(text("own/2/name"), "endless");
    assert_false(cs_flat_find(base, used, &time, "own/0/time"));
    ask(c, "reports panel/where");
    stands(c);
    assert_true(cs_flat_find(base, used, &time, "own/0/time"));
    assert_true(cs_flat_find(base, used, &curve, "own/0/curves"));
    assert_true(time.cols > 60 && time.cols < 130);
    assert_near(time.data[0], 4, 0, 0);
    assert_near(time.data[time.cols - 1], 500, 0, 0);
    assert_int_equal(curve.rows, 2);
    assert_string_equal(text("own/0/label/0"), "walk");
    double last = curve.data[curve.cols - 1];
    assert_near(strtod(ask(c, "lua run.arms.walk.chains[1]:state()[1]"), NULL),
                last, 1e-9, 0);
    ask(c, "rewind -300");
    stands(c);
    assert_true(cs_flat_find(base, used, &time, "own/0/time"));
    assert_near(time.data[time.cols - 1], 200, 0, 0);
}

/* The run advances between the calls of slow panels, so that pictures follow
 * each other closely. When the run is paused, all panels show its step. */
static void test_slow_panels(void **state)
{
    cs_client *c = *state;
    bool apart = false;
    ask(c, "open session/slow_panels.lua");
    ask(c, "reports panel/one panel/two panel/three");
    ask(c, "run");
    for (double until = cs_clock() + PATIENCE; !apart && cs_clock() < until;
         cs_client_wait(c, 20)) {
        cs_client_snapshot(c, &base, &used);
        char first[64];
        snprintf(first, sizeof first, "%s", text("own/0/row/0"));
        apart = *first && *text("own/2/row/0") &&
                strcmp(first, text("own/2/row/0")) != 0;
    }
    assert_true(apart);
    ask(c, "pause");
    stands(c);
    char step[64];
    snprintf(step, sizeof step, "step %.0f", number("run/steps"));
    assert_string_equal(text("own/0/row/0"), step);
    assert_string_equal(text("own/1/row/0"), step);
    assert_string_equal(text("own/2/row/0"), step);
}

/* The function of a panel cannot call functions that change a run. This does
 * not depend on how the panel obtained these functions. */
static void test_views_alone(void **state)
{
    cs_client *c = *state;
    char key[40];
    open_own(c, "panel/tries panel/where");
    run_to(c, 1000);
    assert_string_equal(text("own/1/why"), "");
    for (unsigned i = 0; i < 12; i++) {
        snprintf(key, sizeof key, "own/1/row/%u", i);
        if (!strstr(text(key), "a panel cannot advance or change") &&
            !strstr(text(key), "math.random cannot be used in panels"))
            fail_msg("'%s'", text(key));
    }
    char drawn[1024], state_there[256];
    snprintf(drawn, sizeof drawn, "%s", text("run/message"));
    snprintf(state_there, sizeof state_there, "%.255s",
             ask(c, "lua run.arms.walk.chains[3]:state()[1]"));
    assert_string_equal(ask(c, "lua #run:journal()"),
                        ask(c, "lua #cs.open { target = cs.target.mixture { "
                               "means = { { -2 }, { 2 } } }, chains = 4, seed "
                               "= 5, arms = { walk = cs.kernel.random_walk { "
                               "step = 3 } } }:journal()"));
    open_own(c, "trace");
    run_to(c, 1000);
    assert_true(strlen(drawn) > 100);
    assert_string_equal(text("run/message"), drawn);
    assert_string_equal(ask(c, "lua run.arms.walk.chains[3]:state()[1]"),
                        state_there);
}

/* If the function of a panel does not end or fails, only this panel stops. The
 * error names the line. */
static void test_stopped(void **state)
{
    cs_client *c = *state;
    open_own(c, "panel/endless panel/stubborn panel/wrong panel/says");
    run_to(c, 100);
    assert_non_null(strstr(text("own/2/why"), "stopped: "));
    assert_non_null(strstr(text("own/2/why"), "own_panels.lua:42: "));
    assert_non_null(strstr(text("own/3/why"), "own_panels.lua:43: "));
    assert_non_null(strstr(text("own/4/why"), "own_panels.lua:45: "));
    assert_non_null(strstr(text("own/4/why"), "nothing"));
    assert_string_equal(text("own/5/why"), "");
    assert_near(number("own/5/value"), 2, 0, 0);
    for (int i = 0; i < 20; i++)
        ask(c, "step");
    stands(c);
    /* stopped panels are not called again */
    assert_near(number("own/5/value"), 2, 0, 0);
    assert_non_null(strstr(text("own/2/why"), "stopped: "));
    assert_string_equal(ask(c, "lua run.steps"), "120");
}

static void write_own(const char *path, double mean)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "local cs = require 'chainscope'\n"
            "return cs.scenario { title = 'Own', arms = {\n"
            "  a = cs.kernel.random_walk {} },\n"
            "  target = cs.target.mixture { means = { { %g } } },\n"
            "  panels = { cs.panel { name = 'at', bars = function(run)\n"
            "    return { a = run.steps } end } },\n"
            "  setup = function(run) run:every(2, function()\n"
            "    print('at step ' .. run.steps) end) end }\n",
            mean);
    fclose(f);
}

/* Reloading an invalid file changes neither the run nor its console, events and
 * panels. */
static void test_refused_reload(void **state)
{
    cs_client *c = *state;
    char path[] = "/tmp/chainscope_reload_XXXXXX", line[80];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_own(path, 0);
    snprintf(line, sizeof line, "open %s", path);
    ask(c, line);
    ask(c, "reports panel/at");
    run_to(c, 3);
    write_own(path, 1);
    assert_non_null(strstr(ask(c, "reload careful"), "means.1 was 0, is 1"));
    assert_string_equal(ask(c, "lua run.steps"), "3");
    run_to(c, 3);
    assert_string_equal(ask(c, "lua run.steps"), "6");
    for (int i = 0; i < 1000 && number("run/steps") != 6; i++) {
        cs_client_wait(c, 20); /* the snapshot may still be an earlier one */
        stands(c);
    }
    assert_string_equal(text("run/message"), "at step 6");
    assert_string_equal(text("own/0/why"), "");
    ask(c, "reload careful"); /* loads the file again, then sends another
                               * command */
    ask(c, "open session/own_panels.lua");
    assert_string_equal(ask(c, "lua run.steps"), "0");
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_shown, start, end),
    cmocka_unit_test_setup_teardown(test_slow_panels, start, end),
    cmocka_unit_test_setup_teardown(test_views_alone, start, end),
    cmocka_unit_test_setup_teardown(test_stopped, start, end),
    cmocka_unit_test_setup_teardown(test_refused_reload, start, end),
};
TESTS(test_own_panels)
