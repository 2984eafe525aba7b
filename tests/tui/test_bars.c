/* Tests the speed of the screen: frames per second at full speed, CPU time per
 * frame, bytes per second, and the response time of keys. The number of frames
 * is compared with the number of wake-ups of a reference process (the peer).
 * Times are compared with cost_of_sorting, measured during the test. The
 * program bars.c prints these results. */
#include "support/cost.h"
#include "term.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 6, KEYS = 15 };
/* KiB per second: the limit of 24, plus parts of the screen that must be
 * painted at once */
enum { MOST_KIB = 44 };

/* LEAST_SHARE is the minimum number of frames per wake-up of the reference
 * process. The other limits are in units of cost_of_sorting. */
static const double LEAST_SHARE = 0.7, MOST_CPU = 0.8, MOST_ANSWER = 2,
                    MOST_STEP = 2;

static term t;
static struct {
    pid_t child; /* 0: none */
    int end;     /* read end of the peer's pipe */
} peer;

static int stop(void **state)
{
    (void)state;
    if (peer.child > 0) {
        kill(peer.child, SIGKILL);
        waitpid(peer.child, NULL, 0);
        close(peer.end);
        peer.child = 0;
    }
    term_stop(&t);
    return 0;
}

static void open_running(const char *file)
{
    term_chainscope(&t, 60, 200, file, NULL, NULL);
    term_wait_line(&t, 0, "paused");
    term_send(&t, "= "); /* starts the run at full speed */
    term_wait_line(&t, 0, "running");
}

/* Starts the reference process. Ten times per second it wakes up with the
 * session's priority, does more work than a frame needs, and writes a byte. */
static void start_peer(void)
{
    const struct timespec tenth = {.tv_nsec = 100000000};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    peer.end = ends[0];
    peer.child = fork();
    assert_true(peer.child >= 0);
    if (peer.child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpriority(PRIO_PROCESS, 0, 5);
        while (nanosleep(&tenth, NULL) == 0 && cost_of_sorting(NULL) > 0 &&
               write(ends[1], "", 1) == 1)
            continue;
        _exit(0);
    }
    close(ends[1]);
}

/* Returns the number of wake-ups of the reference process since the last call
 * of this function. */
static int wakes_of_peer(void)
{
    char bytes[4096];
    int ready = 0;
    ioctl(peer.end, FIONREAD, &ready);
    return ready > 0 ? (int)read(peer.end, bytes, sizeof bytes) : 0;
}

typedef struct second {
    int pictures, wakes; /* frames with a new step; wake-ups of the peer */
    double rate;         /* KiB per second; HUGE_VAL: the run has ended */
    double cpu;          /* CPU seconds of the front per frame */
} second;

/* Measures one second of a run at full speed. */
static second watch_a_second(void)
{
    char title[1024];
    second s = {0};
    if (!strstr(term_line(&t, 0), "running"))
        term_send(&t, ":toggle\r"); /* the run continues beyond its budget */
    term_wait_line(&t, 0, "running");
    term_pass(&t, 300); /* after a key press everything is painted */
    snprintf(title, sizeof title, "%s", term_line(&t, 0));
    wakes_of_peer();
    double bytes = (double)t.bytes, cpu = term_cpu(t.child);
    double from = term_clock();
    while (term_clock() - from < 1000) {
        term_read(&t, 5);
        s.pictures += strcmp(title, term_line(&t, 0)) != 0;
        snprintf(title, sizeof title, "%s", term_line(&t, 0));
    }
    s.wakes = wakes_of_peer();
    s.rate = ((double)t.bytes - bytes) * 1e3 / 1024 / (term_clock() - from);
    s.cpu = s.pictures ? (term_cpu(t.child) - cpu) / s.pictures : HUGE_VAL;
    if (!strstr(title, "running"))
        s.rate = HUGE_VAL;
    return s;
}

/* Measures scenarios with slow reports. Earlier versions of the program needed
 * one or two seconds per frame for these scenarios. Each scenario has four or
 * five arms with sixteen chains each; the screen has 200 x 60 cells. */
static void pictures_of(const char *file)
{
    double best = 0, rate = HUGE_VAL, cpu = HUGE_VAL, unit = HUGE_VAL;
    open_running(file);
    for (int k = 0; k < TRIES; k++) {
        unit = fmin(unit, cost_of_sorting(NULL));
        second s = watch_a_second();
        best = fmax(best, (double)s.pictures / fmax(s.wakes, 1));
        rate = fmin(rate, s.rate);
        cpu = fmin(cpu, s.cpu);
        if (best >= LEAST_SHARE && rate <= MOST_KIB && cpu <= MOST_CPU * unit)
            break;
    }
    print_message("%s: %.2f frames per wake of the peer, %.2f units and %.1f "
                  "KiB/s\n",
                  file, best, cpu / unit, rate);
    if (best < LEAST_SHARE || rate > MOST_KIB || cpu > MOST_CPU * unit)
        term_fail(&t, "%s misses a bar", file);
    term_stop(&t);
}

static void test_pictures_at_full_speed(void **state)
{
    (void)state;
    start_peer();
    pictures_of("../../scenarios/acs/25_modes.lua");
    pictures_of("../../scenarios/targets/ising.lua");
    pictures_of("../../scenarios/start/08_tempering.lua");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* While chains run at full speed, measures two times in turn: the response time
 * of a key that the session handles, and the time of the work of the reference
 * process. Compares the lower quartile of the response times with that of the
 * work times. */
static void test_keys_at_full_speed(void **state)
{
    (void)state;
    double ms[KEYS], unit[KEYS];
    char shows[40];
    open_running("../../scenarios/acs/25_modes.lua");
    term_send(&t, ":zoom state\r");
    term_wait(&t, "chain 1 of");
    for (int i = 0; i < KEYS; i++) {
        double from = term_clock();
        cost_of_sorting(NULL);
        unit[i] = term_clock() - from;
        term_pass(&t, 20 + 7 * i % 30);
        from = term_clock();
        snprintf(shows, sizeof shows, "chain %d of", i % 16 + 2);
        term_send(&t, "c");
        while (!term_shows(&t, shows) && term_clock() - from < TERM_PATIENCE)
            term_read(&t, 1);
        ms[i] = term_clock() - from;
    }
    qsort(ms, KEYS, sizeof *ms, ascending);
    qsort(unit, KEYS, sizeof *unit, ascending);
    double units = ms[KEYS / 4] / unit[KEYS / 4];
    print_message("a key takes %.2f units\n", units);
    if (units > MOST_ANSWER)
        term_fail(&t, "a key takes %.2f units", units);
    term_stop(&t);
}

/* Returns the CPU time that the session's thread uses for one step forward or
 * back. Reports are computed in another thread. */
static double cost_of_a_step(void *session)
{
    double cpu = term_cpu_first(*(pid_t *)session);
    for (int i = 0; i < 10; i++) {
        char title[1024];
        snprintf(title, sizeof title, "%s", term_line(&t, 0));
        term_send(&t, i % 2 ? "." : ",");
        term_wait_gone(&t, title);
        term_quiet(&t, 50);
    }
    return fmax(term_cpu_first(*(pid_t *)session) - cpu, 1e-3) / 10;
}

/* Checks that a step back and a step forward use little CPU time of the
 * session. */
static void test_back_and_forth(void **state)
{
    (void)state;
    open_running("../../scenarios/acs/25_modes.lua");
    term_wait_gone(&t, "running  step 0 ");
    term_send(&t, ":pause\r"); /* well before the end of the budget */
    term_wait_line(&t, 0, "paused");
    pid_t session = term_child_of(t.child);
    term_send(&t, ",");
    term_wait_line(&t, 0, " of "); /* shown when the newest step has been
                                    * recorded */
    term_quiet(&t, 300);
    double units = cost_ratio(cost_of_a_step, &session, cost_of_sorting, NULL,
                              4, MOST_STEP);
    print_message("a step back takes %.2f units\n", units);
    if (units > MOST_STEP)
        term_fail(&t, "a step back takes %.2f units", units);
    term_stop(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_pictures_at_full_speed, stop),
    cmocka_unit_test_teardown(test_keys_at_full_speed, stop),
    cmocka_unit_test_teardown(test_back_and_forth, stop),
};
TESTS(test_bars)
