/* Tests breakpoints in a run of a scenario. Each breakpoint stops the run at
 * the step of its event. The test finds this step in a second run, which is
 * advanced one step at a time. Breakpoints do not change later steps. */
#include "session/client/client.h"
#include "session_of.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double ask_number(cs_client *c, const char *code)
{
    char line[4096];
    snprintf(line, sizeof line, "lua %s", code);
    return strtod(ask(c, line), NULL);
}

/* Waits until the run is stopped and a message contains `what`. */
static uint64_t stands(cs_client *c, const char *what)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry state, said;
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 20))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &state, "run/state") &&
            cs_flat_find(base, used, &said, "run/message") && said.text &&
            strcmp(state.text, "paused") == 0 && strstr(said.text, what))
            return (uint64_t)ask_number(c, "run.steps");
    fail_msg("no message with %s", what);
    return 0;
}

/* Lua code that runs the scenario a second time and records the events in the
 * global `seen`. Each event has the form "step chain mode". */
static const char watch[] =
    "function watch(n) "
    "  local r = cs.open { target = cs.target.mixture "
    "    { means = { { -2 }, { 2 } } }, chains = 4, seed = 5, "
    "    arms = { walk = cs.kernel.random_walk { step = 3 } } } "
    "  local last, out, refused = {}, {}, { 0, 0, 0, 0 } "
    "  for i = 1, n do r:step(1) "
    "    for c = 1, 4 do local chain = r.arms.walk.chains[c] "
    "      local x = chain:state()[1] "
    "      local mode = (x + 2) ^ 2 <= (x - 2) ^ 2 and 1 or 2 "
    "      if mode ~= last[c] then "
    "        out[#out + 1] = { i, c, mode } end "
    "      last[c] = mode "
    "    end end "
    "  return r, out end "
    "other, seen = watch(3000)";

static int start(void **state)
{
    return (int)cs_client_create((cs_client **)state, child, NULL, NULL);
}

static int end(void **state)
{
    return leave(*state);
}

static void open_walk(cs_client *c)
{
    char line[4096];
    ask(c, "open session/walk.lua");
    snprintf(line, sizeof line, "lua %s", watch);
    ask(c, line);
}

/* Returns a column of event number k, counted from 1. */
static double seen(cs_client *c, unsigned k, unsigned column)
{
    char code[64];
    snprintf(code, sizeof code, "seen[%u][%u]", k, column);
    return ask_number(c, code);
}

static void test_every_jump_holds(void **state)
{
    cs_client *c = *state;
    open_walk(c);
    ask(c, "break jump");
    unsigned k = 1, n = (unsigned)ask_number(c, "#seen");
    assert_true(n > 40);
    for (int i = 0; i < 40; i++) {
        char what[64];
        uint64_t step = (uint64_t)seen(c, k, 1);
        ask(c, "run");
        snprintf(what, sizeof what, "at step %llu:", (unsigned long long)step);
        assert_int_equal(stands(c, what), step);
        /* several chains may have an event at the same step */
        while (seen(c, k, 1) == (double)step)
            k++;
    }
    ask(c, "break off");
    assert_near(ask_number(c, "select(2, run:journal():gsub('\\n', '\\n'))"),
                ask_number(c, "select(2, other:journal():gsub('\\n', '\\n'))"),
                0, 0);
}

/* Runs to the events of one chain and one mode, then backwards from event to
 * event. Later steps are unchanged. */
static void test_there_and_back(void **state)
{
    cs_client *c = *state;
    open_walk(c);
    ask(c, "break mode walk 2 1");
    ask(c, "break off");
    ask(c, "break mode 1 walk 2"); /* another form of the same breakpoint */
    unsigned k = 1, first = 0, second = 0;
    for (; !second; k++)
        if (seen(c, k, 2) == 2 && seen(c, k, 3) == 1) {
            second = first ? k : 0;
            first = first ? first : k;
        }
    ask(c, "run");
    assert_int_equal(stands(c, "breakpoint 2"), (int)seen(c, first, 1));
    ask(c, "run");
    char what[64];
    snprintf(what, sizeof what, "at step %.0f:", seen(c, second, 1));
    assert_int_equal(stands(c, what), (int)seen(c, second, 1));
    ask(c, "break off");
    for (k = second - 1; k > second - 5 && k > 0; k--) {
        if (seen(c, k, 1) == seen(c, k + 1, 1))
            continue;
        ask(c, "event previous jump");
        if (seen(c, k, 1) > 1)
            assert_near(ask_number(c, "run.steps"), seen(c, k, 1), 0, 0);
    }
    ask(c, "event next jump");
    stands(c, "jump from mode");
    ask(c, "break steps > 3000");
    ask(c, "run");
    assert_int_equal(stands(c, "steps > 3000"), 3000);
    for (int i = 1; i <= 4; i++) {
        char code[160];
        snprintf(code, sizeof code,
                 "run.arms.walk.chains[%d]:state()[1] - "
                 "other.arms.walk.chains[%d]:state()[1]",
                 i, i);
        assert_near(ask_number(c, code), 0, 0, 0);
    }
}

/* Tests breakpoints on work and on modes, which stop the run at the exact step.
 * Also tests a breakpoint on a figure from reports. */
static void test_rules(void **state)
{
    cs_client *c = *state;
    open_walk(c);
    ask(c, "break log_densities > 1000 walk");
    ask(c, "run");
    uint64_t at = stands(c, "log_densities > 1000");
    assert_true(ask_number(c, "run.arms.walk.log_densities") >= 1000);
    assert_near((double)at, 249, 0, 1); /* four chains, whose starts are counted
                                         * too */
    ask(c, "break off");
    ask(c, "break modes = all");
    ask(c, "rewind to 0");
    ask(c, "run");
    unsigned k = 1, modes = 0;
    for (; modes != 3; k++)
        modes |= 1u << ((unsigned)seen(c, k, 3) - 1);
    assert_int_equal(stands(c, "modes = all"), (int)seen(c, k - 1, 1));
    ask(c, "break off");
    ask(c, "break ess > 200");
    ask(c, "run");
    stands(c, "ess > 200 in every arm");
    ask(c, "summary");
    assert_true(ask_number(c, "run.arms.walk:figure 'ess'") > 200);
}

/* While draws are written, the run cannot be rewound. If an event is found
 * later than its step, the run stays at its current step, and the step of the
 * event is reported. */
static void test_while_draws_are_written(void **state)
{
    cs_client *c = *state;
    char folder[] = "/tmp/chainscope-breaks-XXXXXX", line[128];
    assert_non_null(mkdtemp(folder));
    open_walk(c);
    snprintf(line, sizeof line, "out %s/o", folder);
    ask(c, line);
    ask(c, "break jump walk 1");
    ask(c, "run");
    unsigned k = 1;
    while (seen(c, k, 2) != 1 || seen(c, k, 1) < 1)
        k++;
    snprintf(line, sizeof line, "at step %.0f:", seen(c, k, 1));
    assert_true((double)stands(c, line) >= seen(c, k, 1));
    ask(c, "out");
    snprintf(line, sizeof line, "rm -rf %s", folder);
    assert_int_equal(system(line), 0);
}

/* An arm that was added later may have an event at an earlier step. If this
 * event would have stopped the run, its step is reported, and the run is not
 * moved. A breakpoint on another arm is ignored. */
static void test_arm_that_catches_up(void **state)
{
    cs_client *c = *state;
    open_walk(c);
    ask(c, "run 500");
    stands(c, "");
    ask(c, "break jump walk");
    ask(c, "arm add random_walk step=3 as quiet");
    stands(c, "quiet was added");
    ask(c, "break off");
    ask(c, "break jump");
    ask(c, "arm add random_walk step=3 as late");
    assert_int_equal(stands(c, "of arm late"), 500);
    stands(c, "first had to make these steps; use `rewind to");
    assert_near(ask_number(c, "run:arm('late').steps"), 500, 0, 0);
}

#define WITH_SESSION(test) cmocka_unit_test_setup_teardown(test, start, end)

static const struct CMUnitTest tests[] = {
    WITH_SESSION(test_every_jump_holds),
    WITH_SESSION(test_there_and_back),
    WITH_SESSION(test_rules),
    WITH_SESSION(test_while_draws_are_written),
    WITH_SESSION(test_arm_that_catches_up),
};
TESTS(test_breaks)
