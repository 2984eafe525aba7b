/* Tests the gallery in a terminal. The gallery has the list of recently opened
 * files, and small pictures of scenarios. The pictures never block the
 * screen. */
#define _GNU_SOURCE /* prlimit */
#include "term.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST = 8 };
static term t;
static char folder[] = "/tmp/chainscope_gallery_XXXXXX", home[128], cache[128];

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(home, sizeof home, "XDG_STATE_HOME=%s", folder);
    snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char line[128];
    term_stop(&t);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = system(line);
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone;
}

static void start(const char *file)
{
    const char *const more[] = {home, cache, NULL};
    const char *const argv[] = {CS_PROGRAM, file, NULL};
    term_start(&t, 40, 120, argv, more);
}

static void quit(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
}

static void leave(void)
{
    quit();
    term_stop(&t);
}

/* Writes a file with this text into the folder. */
static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Waits until the file is in the list of opened files. */
static void wait_recent(const char *name)
{
    char line[256];
    double until = term_clock() + TERM_PATIENCE;
    snprintf(line, sizeof line, "grep -qs %s %s/chainscope/recent", name,
             folder);
    while (system(line) != 0) {
        if (term_clock() > until)
            term_fail(&t, "%s is not kept as opened", name);
        term_pass(&t, 20);
    }
}

/* The file that was opened last comes first in the list. Its tags and its
 * picture are shown. */
static void test_recent(void **state)
{
    (void)state;
    start("scene.lua");
    term_wait_line(&t, 0, "paused  step 0");
    wait_recent("scene.lua");
    leave();
    start(NULL);
    term_wait_line(&t, 1, "recent");
    term_wait_line(&t, 2, "> Scene");
    term_wait(&t, "energy = -log p"); /* a label of the picture */
    term_send(&t, "/#mala");
    term_wait(&t, "/#mala");
    term_wait_line(&t, 2, "> Scene");
    term_send(&t, "\033");
    term_wait_gone(&t, "/#mala");
    term_send(&t, "q");
    leave();
}

static const char endless[] =
    "local cs = require \"chainscope\"\n"
    "return cs.scenario { title = \"E\",\n"
    "  target = cs.target.gaussian { dim = 2000 },\n"
    "  arms = { a = cs.kernel.hmc { leapfrogs = 100000 } } }\n";

/* Finds the processes of this kind that compute for endless.lua in the
 * background. Also finds the child processes of these processes. */
static size_t find(const char *kind, pid_t pid[static MOST])
{
    char line[256];
    size_t n = 0;
    snprintf(line, sizeof line, "pgrep -f '%s %s/[e]ndless.lua'", kind, folder);
    FILE *f = popen(line, "r");
    assert_non_null(f);
    for (long id; fscanf(f, "%ld", &id) == 1;)
        if (n < MOST)
            pid[n++] = (pid_t)id;
    pclose(f);
    return n;
}

/* Waits until there are n background processes of this kind. */
static void wait_works(const char *kind, size_t n, pid_t pid[static MOST])
{
    double until = term_clock() + TERM_PATIENCE;
    while (find(kind, pid) < n) {
        if (term_clock() > until)
            term_fail(&t, "%s does not begin", kind);
        term_pass(&t, 50);
    }
}

/* Waits until no background process of this kind is left. Returns the CPU
 * seconds that these processes used during the wait. On a loaded machine, a
 * killed process is listed for a while but uses no CPU time. A process that was
 * not killed would run until its limit. */
static double cpu_to_end(const char *kind)
{
    double until = term_clock() + TERM_PATIENCE, first = -1, last = 0;
    pid_t pid[MOST];
    for (size_t n; (n = find(kind, pid)) > 0; term_pass(&t, 50)) {
        double sum = 0;
        while (n > 0)
            sum += term_cpu(pid[--n]);
        first = first < 0 ? sum : first;
        last = fmax(last, sum); /* the processes may end at different times */
        if (term_clock() > until)
            term_fail(&t, "%s does not end", kind);
    }
    return last - fmax(first, 0);
}

/* Checks the limits on CPU time and priority of these processes and of their
 * children. */
static void assert_bounded(const pid_t *pid, size_t n, rlim_t cpu, int nice)
{
    for (size_t i = 0; i < n; i++) {
        struct rlimit most;
        assert_int_equal(prlimit(pid[i], RLIMIT_CPU, NULL, &most), 0);
        assert_int_equal(most.rlim_max, cpu);
        assert_true(getpriority(PRIO_PROCESS, (id_t)pid[i]) >= nice);
    }
}

/* The picture of this scenario is never completed. Keys still work, and the
 * process that computes the picture is ended. */
static void test_endless(void **state)
{
    (void)state;
    char list[256];
    pid_t pid[MOST];
    write_file("endless.lua", endless);
    snprintf(list, sizeof list, "mkdir -p %s/chainscope", folder);
    assert_int_equal(system(list), 0);
    snprintf(list, sizeof list, "%s/endless.lua\n", folder);
    write_file("chainscope/recent", list);
    start(NULL);
    term_wait_line(&t, 1, "recent");
    term_wait_line(&t, 2, "> E");
    wait_works("shot", 2, pid);
    assert_bounded(pid, 2, 5, 10);
    term_wait_painted(&t);
    if (find("shot", pid) < 2)
        term_fail(&t, "a key waits for a picture");
    quit();
    double used = cpu_to_end("shot");
    if (used > 1) /* without a signal each process ends after 5 s */
        term_fail(&t, "the picture is made for nobody: %.1f s", used);
}

/* When a file is opened, the laws of its target and kernels are checked once in
 * the background. A badge then shows the result. */
static void test_laws(void **state)
{
    (void)state;
    start("scene.lua");
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ":layout summary\r");
    term_wait(&t, " hold");
    leave();
    start(NULL);
    term_wait_line(&t, 2, ">+Scene");
    leave();
}

/* A long check of laws ends on request. No other work waits for this check. */
static void test_laws_off(void **state)
{
    (void)state;
    char file[128];
    pid_t pid[MOST];
    write_file("endless.lua", endless);
    snprintf(file, sizeof file, "%s/endless.lua", folder);
    start(file);
    term_wait_line(&t, 0, "paused  step 0");
    wait_works("check", 2, pid);
    assert_bounded(pid, 2, 15, 19);
    term_send(&t, ":laws off\r");
    double used = cpu_to_end("check");
    if (used > 3) /* without a signal each process ends after 15 s */
        term_fail(&t, "a key waits for the laws: %.1f s", used);
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_recent, begin, end),
    cmocka_unit_test_setup_teardown(test_endless, begin, end),
    cmocka_unit_test_setup_teardown(test_laws, begin, end),
    cmocka_unit_test_setup_teardown(test_laws_off, begin, end),
};
TESTS(test_gallery)
