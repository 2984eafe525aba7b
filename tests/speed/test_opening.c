/* Tests that scenarios open fast. Each scenario of the gallery is opened in a
 * process of its own, as in a session. The CPU time is at most a given multiple
 * of the CPU time of a reference task. OPENING=PATTERN prints these multiples
 * for the scenarios that match. */
#include "script/host.h"
#include "support/cost.h"
#include "support/support.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 6 };

/* In units of cost_of_sorting, which takes 6 to 11 ms. 30 units are about 0.3
 * s, three times the 0.1 s that the documentation promises. */
static const double max_units = 30;

/* scenarios that take longer to open if their data files exist, each with the
 * reason */
static const struct exception {
    const char *name, *why;
    double units;
} exceptions[] = {
    {"acs/table_1", "images to unpack and to make smaller", 50},
    {"acs/table_4_omniglot", "31,115 images to unpack", 60},
    {"auxiliary/digits_", "fifty principal components of 12,000 images", 50},
    {"edlp/binary_networks_blog",
     "six arms of 50 chains of 27,801 numbers; a file of 46,830 rows", 180},
    {"edlp/binary_networks", "six arms of 50 chains; a file of many rows", 70},
};

static void open_one(const char *path)
{
    cs_host host;
    cs_error err = {0};
    cs_opened opened;
    const cs_script_limits limits = {.seconds = 300};
    cs_status status = cs_script_host_create(&host, &limits, NULL, &err);
    if (!status)
        status = host.open(host.self, path, NULL, 0, &opened, &err);
    if (status) {
        char text[1100];
        cs_error_format(&err, text, sizeof text);
        fprintf(stderr, "%s: %s\n", path, text);
    }
    _exit(status ? 1 : 0);
}

/* Returns the CPU seconds of a process that opens the file `path` and ends. */
static double cost_of_opening(void *path)
{
    struct rusage use;
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        open_one(path);
    if (child < 0 || wait4(child, &status, 0, &use) != child || status)
        fail_msg("%s does not open", (char *)path);
    return cost_of_use(&use);
}

static double units_of(char *path, double enough)
{
    return cost_ratio(cost_of_opening, path, cost_of_sorting, NULL, ROUNDS,
                      enough);
}

static double bound_of(const char *path)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strstr(path, exceptions[i].name))
            return exceptions[i].units;
    return max_units;
}

static void every_scenario_opens_soon(void **state)
{
    (void)state;
    glob_t all;
    size_t bad = 0;
    const char *shown = getenv("OPENING");
    const char *files = shown ? shown : "../scenarios/*/*.lua";
    assert_int_equal(glob(files, 0, NULL, &all), 0);
    assert_true(shown || all.gl_pathc >= 7);
    for (size_t i = 0; i < all.gl_pathc; i++) {
        double most = bound_of(all.gl_pathv[i]);
        double units = units_of(all.gl_pathv[i], shown ? 0 : most);
        if (shown)
            print_message("%6.2f units: %s\n", units, all.gl_pathv[i]);
        if (units <= most)
            continue;
        print_error("%s takes %.1f units of CPU time to open, at most %g\n",
                    all.gl_pathv[i], units, most);
        bad++;
    }
    globfree(&all);
    assert_int_equal(bad, 0);
}

/* Checks that a scenario that takes too long to open is detected. */
static void waste_is_seen(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope-opening-XXXXXX";
    static const char text[] =
        "local cs, n = require 'chainscope', 0 "
        "for i = 1, 1e8 do n = n + i % 7 end "
        "return cs.scenario { title = 'much', chains = 1, budget = { steps = 1 "
        "}, target = cs.target.gaussian { dim = 2 }, arms = { "
        "cs.kernel.random_walk {} } }";
    int out = mkstemp(path);
    assert_true(out >= 0 && write(out, text, sizeof text - 1) > 0);
    close(out);
    double units =
        cost_ratio(cost_of_opening, path, cost_of_sorting, NULL, 2, 0);
    unlink(path);
    print_message("waste takes %.1f units\n", units);
    assert_true(units > max_units);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_scenario_opens_soon),
    cmocka_unit_test(waste_is_seen),
};
TESTS(test_opening)
