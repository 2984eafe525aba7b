/* Tests that a start of the program is cheap. The test measures the CPU time of
 * a run of one draw, without and with a session. This time is at most a small
 * multiple of the CPU time of a stock Lua interpreter that loads the same
 * libraries. */
#include "support/cost.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 40 };
static const double most = 7;

static const char scenario[] =
    "local cs = require 'chainscope' return cs.scenario { title = 'one draw',"
    " target = cs.target.gaussian { dim = 2 }, chains = 1, seed = 1,"
    " arms = { cs.kernel.random_walk {} }, budget = { steps = 1 } }\n";

/* Writes to text[size] the paths of the shared libraries with which the program
 * is linked, separated by colons. */
static void find_libraries(char *text, size_t size)
{
    FILE *f = popen("ldd " CS_PROGRAM " | awk '$3 ~ \"^/\" { print $3 }' | "
                    "paste -sd:",
                    "r");
    assert_non_null(f);
    assert_non_null(fgets(text, (int)size, f));
    assert_int_equal(pclose(f), 0);
    text[strcspn(text, "\n")] = 0;
    assert_non_null(strchr(text, ':'));
}

static void a_start_costs_few_units(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope-start-XXXXXX", libraries[4096];
    int out = mkstemp(path);
    assert_true(out >= 0 && write(out, scenario, sizeof scenario - 1) > 0);
    close(out);
    find_libraries(libraries, sizeof libraries);
    const char *const run[] = {CS_PROGRAM, "run", path, NULL};
    const char *const lua[] = {CS_LUA, "-e", "", NULL};
    cost_command ours = {run, NULL}, peer = {lua, libraries};
    double ratio =
        cost_ratio(cost_of_command, &ours, cost_of_command, &peer, ROUNDS, 0);
    unlink(path);
    print_message("a start takes the CPU time of %.2f starts of Lua\n", ratio);
    assert_true(ratio < most);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_start_costs_few_units),
};
TESTS(test_start)
