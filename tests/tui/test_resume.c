/* Tests background runs after the screen was closed or killed. They continue
 * when their scenario is opened again, and finished work is not repeated. */
#include "term.h"

#include "support/sanitized.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VALUES = 12 };
static term t;
static char folder[] = "/tmp/chainscope_resume_XXXXXX", home[128], jobs[128];

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(home, sizeof home, "XDG_STATE_HOME=%s", folder);
    snprintf(jobs, sizeof jobs, "%s/chainscope/jobs", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char line[160];
    term_stop(&t);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = system(line);
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone;
}

static void start(const char *more)
{
    const char *const variables[] = {home, more, NULL};
    const char *const argv[] = {CS_PROGRAM, "scene.lua", NULL};
    term_start(&t, 40, 120, argv, variables);
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ":laws off\r");
}

static void leave(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
    term_stop(&t);
}

/* Returns the number of stored results. Copies the path of one of their files
 * to `path`. */
static size_t count_results(char path[300])
{
    size_t n = 0;
    DIR *d = opendir(jobs);
    const struct dirent *e;
    while (d && (e = readdir(d)))
        if (strncmp(e->d_name, "job_", 4) == 0) {
            snprintf(path, 300, "%s/%.99s", jobs, e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}

/* Waits until n results are stored. In addition to the results, the folder
 * contains one file with the request. */
static void wait_results(size_t n)
{
    char path[300];
    double until = term_clock() + TERM_PATIENCE;
    while (count_results(path) < n + 1) {
        if (term_clock() > until)
            term_fail(&t, "there are no %zu results", n);
        term_pass(&t, 5);
    }
}

/* Starts a sweep. If `is_long`, the runs of the sweep take long enough to be
 * interrupted; otherwise the runs are short. */
static void sweep(bool is_long)
{
    long steps = !is_long ? 2000 : SANITIZED ? 10000 : 150000;
    char line[40];
    snprintf(line, sizeof line, ":step %ld\r", steps);
    term_send(&t, line);
    snprintf(line, sizeof line, "paused  step %ld,000", steps / 1000);
    term_wait_line(&t, 0, line);
    term_send(&t, ":sweep walk.step=0.5..2:12\r");
}

/* Waits for the message "the sweep is resumed: N of 12 runs were kept", and
 * returns N. */
static size_t wait_resumed(void)
{
    int x, y;
    size_t n = 0;
    term_send(&t, "m");
    term_wait(&t, "the sweep is resumed: ");
    term_find(&t, "resumed: ", &x, &y);
    const char *at = strstr(term_line(&t, y), "resumed: ");
    assert_int_equal(sscanf(at, "resumed: %zu of 12 runs were kept", &n), 1);
    term_send(&t, "m");
    return n;
}

static void expect_nothing(void)
{
    term_send(&t, "m");
    term_wait(&t, "laws");
    term_wait_painted(&t);
    assert_false(term_shows(&t, "resumed"));
}

static void test_goes_on(void **state)
{
    (void)state;
    char path[300];
    size_t kept = 0;
    start(NULL);
    sweep(true);
    for (int killed = 0; killed < 2; killed++) {
        wait_results(2 + 3 * (size_t)killed);
        if (killed) {
            kill(t.child, SIGKILL);
            term_end(&t);
            term_stop(&t);
        } else {
            leave();
        }
        size_t made = count_results(path) - 1;
        start(NULL);
        kept = wait_resumed();
        assert_in_range(kept, 2 + 3 * (size_t)killed, VALUES - 1);
        assert_int_equal(kept, made);
    }
    term_wait(&t, "sweep over walk.step finished: 12 runs");
    assert_int_equal(count_results(path), VALUES); /* nothing is left to
                                                    * compute */
    leave();
    start(NULL);
    expect_nothing();
    leave();
}

static struct timespec time_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mtim;
}

/* If the file of one result is damaged, only the damaged result is computed
 * again. */
static void test_broken_file(void **state)
{
    (void)state;
    char path[300], line[400];
    start(NULL);
    sweep(false);
    term_wait(&t, "sweep over walk.step finished: 12 runs");
    leave();
    assert_int_equal(count_results(path), VALUES);
    snprintf(line, sizeof line, "touch -d @1000000000 %s/*", jobs);
    assert_int_equal(system(line), 0);
    assert_int_equal(truncate(path, 100), 0);
    start(NULL);
    sweep(false);
    term_wait(&t, "sweep over walk.step finished: 12 runs");
    leave();
    assert_int_equal(count_results(line), VALUES);
    assert_true(time_of(path).tv_sec > 1000000000);
    assert_int_equal(unlink(path), 0);
    for (size_t n = VALUES - 1; n > 0; n--) {
        assert_int_equal(count_results(path), n);
        assert_true(time_of(path).tv_sec == 1000000000);
        assert_int_equal(unlink(path), 0);
    }
}

/* On a full disk background runs continue, and a message says that no results
 * are stored. */
static void test_full_disk(void **state)
{
    (void)state;
    char path[300];
    start("CHAINSCOPE_IOFAIL=1");
    sweep(false);
    term_wait(&t, "background runs are not kept: ");
    term_wait(&t, "sweep over walk.step finished: 12 runs");
    leave();
    assert_int_equal(count_results(path), 0);
}

/* If the user has discarded runs, these runs are not resumed. */
static void test_dropped(void **state)
{
    (void)state;
    start(NULL);
    sweep(true);
    wait_results(1);
    term_send(&t, ":sweep 0\r");
    term_wait(&t, "sweep stopped and discarded");
    leave();
    start(NULL);
    expect_nothing();
    leave();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    TEST(test_goes_on),
    TEST(test_broken_file),
    TEST(test_full_disk),
    TEST(test_dropped),
};
TESTS(test_resume)
