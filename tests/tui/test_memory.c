/* Tests the memory of the front, which is the process with the terminal. The
 * run is in the session, a child process. The front stores only one snapshot at
 * a time. */
#include "support/sanitized.h"
#include "term.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KIB = 60 << 10, MOST_OWN_KIB = 10 << 10 };

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

/* Returns the sum, in KiB, of some fields of the front's smaps_rollup. The
 * names of these fields start with `name`. */
static long kib_of(const char *name)
{
    char path[64], line[256];
    long sum = 0, kib;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)t.child);
    FILE *f = fopen(path, "r");
    if (!f)
        term_fail(&t, "%s: no such file", path);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strcspn(line, ":"), ": %ld", &kib) == 1)
            sum += kib;
    fclose(f);
    return sum;
}

/* Opens a scenario and runs it at full speed. Enlarges panels, because a panel
 * allocates memory when it is displayed. */
static void stays_small(const char *file, double steps)
{
    term_chainscope(&t, 60, 200, file, NULL, NULL);
    term_wait_line(&t, 0, "paused");
    term_send(&t, "= ");
    term_wait_step(&t, steps);
    for (const char *key = "123456789"; *key; key++) {
        char one[2] = {*key, 0};
        term_send(&t, one);
        term_wait_painted(&t);
    }
    long all = kib_of("Rss"), own = kib_of("Private_");
    if (all <= 0 || all > MOST_KIB)
        term_fail(&t, "%s: the front has %ld KiB, at most %d", file, all,
                  MOST_KIB);
    if (own > MOST_OWN_KIB)
        term_fail(&t, "%s: %ld KiB are private to the front, at most %d", file,
                  own, MOST_OWN_KIB);
    term_stop(&t);
}

/* Tests three scenarios. The first has a Boltzmann machine of 784 bits, with
 * five arms of 16 chains. The second has spectra of the Hessian along the
 * chains of five arms. The third has pictures of 30 tours. */
static void test_the_front_is_small(void **state)
{
    (void)state;
    if (SANITIZED) /* a sanitizer has memory of its own */
        return;
    stays_small("../../scenarios/acs/rbm.lua", 5);
    stays_small("../../scenarios/edlp/spectrum.lua", 5);
    stays_small("../../scenarios/edlp/tsp.lua", 50);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_the_front_is_small, stop),
};
TESTS(test_memory)
