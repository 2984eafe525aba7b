/* Tests that the open file may be changed in every way in which editors and
 * accidents change files. If the new file is invalid, the run continues
 * unchanged and the screen shows the reason. The next valid version of the file
 * is opened. */
#include "term.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static term t;
static char folder[] = "/tmp/chainscope-reload-XXXXXX";
static char path[100], other[100];
static int version;

static int start(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/own.lua", folder);
    snprintf(other, sizeof other, "%s/other.txt", folder);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    char line[100];
    term_stop(&t);
    snprintf(line, sizeof line, "rm -rf '%s' '%s.2'", folder, folder);
    return system(line);
}

/* Writes the source of a scenario with a new title to text[300]. All sources
 * that this function writes have equal lengths. */
static void text_of(char text[300])
{
    snprintf(text, 300,
             "local cs = require 'chainscope'\n"
             "return cs.scenario { title = 'Version%03d',\n"
             "  target = cs.target.mixture { means = { { 0 } } },\n"
             "  arms = { a = cs.kernel.random_walk { step = 1 } } }\n",
             ++version);
}

/* Writes n bytes of text into the existing file `to`. The file is not replaced
 * by a new file. */
static void put(const char *to, const char *text, size_t n, int flags)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    assert_int_equal(close(fd), 0);
}

static void write_next(const char *to)
{
    char text[300];
    text_of(text);
    put(to, text, strlen(text), O_TRUNC);
}

/* Fails unless the newest version of the file is open and the chain still has
 * its state. */
static void taken(void)
{
    char title[32];
    snprintf(title, sizeof title, "Version%03d", version);
    term_wait_line(&t, 0, title);
    term_wait_line(&t, 0, "paused  step 1");
}

static void refused(const char *why)
{
    term_wait(&t, why);
    term_wait_line(&t, 0, "paused  step 1");
}

static void open_own(void)
{
    write_next(path);
    term_chainscope(&t, 24, 110, path, NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ".");
    taken();
}

static void leave(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
}

/* Writes the open file so that its length and its modification time do not
 * change, as can happen after a clock was stopped or set back. Also writes a
 * file whose modification time is in the future. */
static void write_at_times(void)
{
    static const time_t at[] = {1, 4000000000};
    for (size_t i = 0; i < 4; i++) {
        char text[300];
        const struct timespec when[2] = {{.tv_sec = at[i / 2]},
                                         {.tv_sec = at[i / 2]}};
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        assert_true(fd >= 0);
        text_of(text);
        assert_int_equal(write(fd, text, strlen(text)), strlen(text));
        assert_int_equal(futimens(fd, when), 0);
        assert_int_equal(close(fd), 0);
        taken();
    }
}

static void test_contents(void **state)
{
    (void)state;
    char text[300];
    open_own();
    text_of(text);
    put(path, text, 100, O_TRUNC); /* half of the text */
    refused("own.lua:3: ");
    put(path, text + 100, strlen(text) - 100, O_APPEND);
    taken();
    put(path, "", 0, O_TRUNC);
    refused("the file returned no scenario");
    write_next(path);
    taken();
    assert_int_equal(truncate(path, 1 << 30), 0);
    put(path, "", 0, 0);
    refused("too long for a scenario");
    write_next(path);
    taken();
    write_at_times();
    leave();
}

/* Removes the folder and creates another one. */
static void replace_folder(void)
{
    char away[100];
    snprintf(away, sizeof away, "%s.2", folder);
    assert_int_equal(rename(folder, away), 0);
    refused("own.lua is missing");
    assert_int_equal(mkdir(folder, 0777), 0);
    write_next(path);
    taken();
    write_next(path);
    taken();
}

/* Replaces the file by objects that are not regular files. */
static void test_places(void **state)
{
    (void)state;
    open_own();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(unlink(path), 0);
        int made = i == 0   ? mkfifo(path, 0666)
                   : i == 1 ? mkdir(path, 0777)
                   : i == 2 ? symlink("own.lua", path)
                            : symlink("/dev/zero", path);
        assert_int_equal(made, 0);
        refused(i == 2 ? "own.lua is missing" : "is not a regular file");
        assert_int_equal(remove(path), 0);
        write_next(path);
        taken();
    }
    assert_int_equal(unlink(path), 0);
    refused("own.lua is missing: the run continues");
    write_next(path);
    taken();
    /* a link to a file outside of the folder; then the target of the link is
     * written and replaced */
    write_next(other);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("other.txt", path), 0);
    taken();
    write_next(other);
    taken();
    assert_int_equal(unlink(other), 0);
    write_next(other);
    taken();
    assert_int_equal(unlink(path), 0);
    write_next(path);
    taken();
    replace_folder();
    leave();
}

/* The file is written a thousand times per second, without end. The screen
 * still responds, and neither process uses CPU time all the time. */
static void test_storm(void **state)
{
    (void)state;
    open_own();
    pid_t session = term_child_of(t.child);
    char text[300];
    text_of(text);
    double from = term_clock(), cpu = term_cpu(t.child) + term_cpu(session);
    for (int i = 0; i < 1000; i++) {
        const struct timespec moment = {.tv_nsec = 1000000};
        put(path, text, strlen(text), 0);
        nanosleep(&moment, NULL);
        if (i % 100 == 0)
            term_read(&t, 0);
    }
    cpu = term_cpu(t.child) + term_cpu(session) - cpu;
    double seconds = 1e-3 * (term_clock() - from);
    if (cpu > 0.7 * seconds)
        term_fail(&t, "%g s of processor in %g s", cpu, seconds);
    taken();
    term_send(&t, ".");
    term_wait_line(&t, 0, "paused  step 2");
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_contents, start, stop),
    cmocka_unit_test_setup_teardown(test_places, start, stop),
    cmocka_unit_test_setup_teardown(test_storm, start, stop),
};
TESTS(test_reload)
