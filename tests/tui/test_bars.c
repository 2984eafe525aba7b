/* The bars of the screen that can be held on a machine that others use too:
 * pictures a second at full speed, what a picture costs in processor time and
 * in bytes, keys that are answered meanwhile. bars.c prints the figures. */
#include "term.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 6, KEYS = 15 };
enum { MOST_KIB = 44 }; /* a second: 36, and what cannot wait */

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

static void open_running(const char *file)
{
    term_chainscope(&t, 60, 200, file, NULL, NULL);
    term_wait_line(&t, 0, "paused");
    term_send(&t, "= "); /* as fast as it goes */
    term_wait_line(&t, 0, "running");
}

/* Titles with another step that came in so many milliseconds; KiB a second that
 * were written meanwhile, unless the run ended. */
static int pictures(double ms, double *rate)
{
    char title[1024];
    int n = 0;
    if (!strstr(term_line(&t, 0), "running"))
        term_send(&t, " "); /* beyond its budget */
    term_wait_line(&t, 0, "running");
    term_pass(&t, 300); /* a key is answered with all there is */
    snprintf(title, sizeof title, "%s", term_line(&t, 0));
    double bytes = (double)t.bytes;
    for (double end = term_clock() + ms; term_clock() < end;) {
        term_read(&t, 5);
        n += strcmp(title, term_line(&t, 0)) != 0;
        snprintf(title, sizeof title, "%s", term_line(&t, 0));
    }
    *rate = ((double)t.bytes - bytes) * 1e3 / ms / 1024;
    if (!strstr(title, "running"))
        *rate = HUGE_VAL;
    return n;
}

/* Scenarios whose reports took so long that a picture came in one or two
 * seconds: four arms or five, sixteen chains, at 200x60. */
static void test_pictures_at_full_speed(void **state)
{
    (void)state;
    static const char *const file[] = {
        "../../scenarios/acs/25_modes.lua", "../../scenarios/targets/ising.lua",
        "../../scenarios/start/08_tempering.lua"};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        open_running(file[i]);
        int best = 0;
        double cpu = term_cpu(t.child), all = 0, rate, least = HUGE_VAL;
        for (int k = 0; k < TRIES && (best < 8 || least > MOST_KIB); k++) {
            int n = pictures(1000, &rate);
            best = n > best ? n : best;
            least = fmin(least, rate);
            all += n;
        }
        cpu = (term_cpu(t.child) - cpu) / all;
        if (best < 8)
            term_fail(&t, "%s: %d pictures in a second", file[i], best);
        if (cpu > 0.02)
            term_fail(&t, "%s: %.1f ms for a picture", file[i], 1e3 * cpu);
        if (least > MOST_KIB)
            term_fail(&t, "%s: %.0f KiB/s", file[i], least);
        term_stop(&t);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A key that the session answers, while chains go at full speed: the lower
 * quarter, for the others may be the neighbours'. */
static void test_keys_at_full_speed(void **state)
{
    (void)state;
    double ms[KEYS];
    char shows[40];
    open_running("../../scenarios/acs/25_modes.lua");
    term_send(&t, ":zoom state\r");
    term_wait(&t, "chain 1 of");
    for (int i = 0; i < KEYS; i++) {
        double from = term_clock();
        snprintf(shows, sizeof shows, "chain %d of", i % 16 + 2);
        term_send(&t, "c");
        while (!term_shows(&t, shows) && term_clock() - from < 4000)
            term_read(&t, 1);
        ms[i] = term_clock() - from;
        term_pass(&t, 20 + 7 * i % 30);
    }
    qsort(ms, KEYS, sizeof *ms, ascending);
    if (ms[KEYS / 4] > 20)
        term_fail(&t, "a key is answered in %.1f ms", ms[KEYS / 4]);
    term_stop(&t);
}

/* One step back, and far back and forth, in processor time of the session. */
static void test_back_and_forth(void **state)
{
    (void)state;
    open_running("../../scenarios/acs/25_modes.lua");
    term_pass(&t, 300); /* well before the end of the budget */
    term_send(&t, ":pause\r");
    term_wait_line(&t, 0, "paused");
    pid_t session = term_child_of(t.child);
    term_send(&t, ",");
    term_wait_line(&t, 0, " of "); /* the newest step is kept by now */
    term_quiet(&t, 300);
    double cpu = term_cpu_first(session); /* reports are made aside */
    for (int i = 0; i < 20; i++) {
        term_send(&t, i % 2 ? "." : ",");
        term_quiet(&t, 50);
    }
    cpu = (term_cpu_first(session) - cpu) / 20;
    if (cpu > 0.07)
        term_fail(&t, "a step back takes %.0f ms", 1e3 * cpu);
    term_stop(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_pictures_at_full_speed, stop),
    cmocka_unit_test_teardown(test_keys_at_full_speed, stop),
    cmocka_unit_test_teardown(test_back_and_forth, stop),
};
TESTS(test_bars)
