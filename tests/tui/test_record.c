/* Tests recordings in a terminal. A key starts and ends a recording, and a kill
 * interrupts a recording. A recording is played, and is opened as a run at one
 * of its steps. */
#include "term.h"

#include "base/memory.h"
#include "data/cast.h"
#include "files/file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static term t;
static char path[64];

static int begin(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/chainscope_rec_%d.cast", (int)getpid());
    remove(path);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    remove(path);
    return 0;
}

static void open_and_record(void)
{
    char line[128];
    term_chainscope(&t, 24, 80, "scene.lua", NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
    snprintf(line, sizeof line, ":record %s\r", path);
    term_send(&t, line);
    term_wait_line(&t, 0, "[rec]");
}

static char *text; /* [own] */

static cs_cast read_cast(void)
{
    cs_cast c;
    cs_error err = {0};
    unsigned char *bytes;
    size_t size;
    if (cs_file_read(path, CS_CAST_MOST, &bytes, &size, &err))
        term_fail(&t, "%s", err.what);
    text = (char *)bytes;
    if (cs_cast_read(&c, text, size, path, &err))
        term_fail(&t, "line %d: %s", err.line, err.what);
    return c;
}

static void forget(cs_cast *c)
{
    cs_cast_fini(c);
    cs_free(text);
}

/* Records a change of a parameter and a change of the terminal's size. Playback
 * shows the same screen, and Enter opens the run at the displayed step. */
static void test_there_and_back(void **state)
{
    (void)state;
    open_and_record();
    term_send(&t, ".");
    term_wait_line(&t, 0, "paused  step 1");
    term_send(&t, ":set mala.step 0.25\r");
    term_wait(&t, "mala.step = 0.25 from step 1");
    term_send(&t, ":step 40\r");
    term_wait_line(&t, 0, "paused  step 41");
    term_send(&t, "M");
    term_wait(&t, "mark: 1");
    term_resize(&t, 30, 90);
    term_wait_line(&t, 29, "space run/pause");
    term_quiet(&t, 300);
    term_send(&t, "V");
    term_wait(&t, path);
    term_wait_gone(&t, "[rec]");
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_stop(&t);

    cs_cast c = read_cast();
    assert_false(c.torn);
    assert_true(cs_cast_step(&c, c.n - 1) == 41);
    forget(&c);
    term_chainscope(&t, 31, 90, "replay", path, NULL);
    term_wait(&t, "end");
    term_wait_line(&t, 0, "paused  step 41");
    term_wait_line(&t, 29, "space run/pause");
    term_wait_line(&t, 30, "step 41");
    term_send(&t, "\033OH"); /* home: the first frame */
    term_wait_line(&t, 0, "paused  step 0");
    /* the marks of the change and of the messages come before mark 1 */
    for (int i = 0; i < 8 && !strstr(term_line(&t, 30), "step 41  1 "); i++) {
        term_send(&t, ">");
        term_quiet(&t, 100);
    }
    term_wait_line(&t, 30, "step 41  1 ");
    term_send(&t, "\033OF"); /* end: the last frame */
    term_wait_line(&t, 0, "paused  step 41");
    term_send(&t, "\r");
    term_wait_gone(&t, "[rec]");
    term_wait_line(&t, 0, "paused  step 41");
    term_wait(&t, "the run of the recording, at step 41");
    term_send(&t, "s"); /* a step with the changed parameter */
    term_wait(&t, "0.25");
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
}

/* If the program is killed at any time, the file has only complete lines and
 * can be replayed. */
static void test_killed(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        open_and_record();
        term_send(&t, " ");
        for (int k = 0; k < 3; k++) { /* waits until some frames have been
                                       * painted */
            char title[1024];
            snprintf(title, sizeof title, "%s", term_line(&t, 0));
            term_wait_gone(&t, title);
        }
        term_pass(&t, 73 * i);
        kill(t.child, SIGKILL);
        term_end(&t);
        cs_cast c = read_cast();
        assert_false(c.torn);
        assert_true(c.n > 3);
        forget(&c);
        term_stop(&t);
        remove(path);
    }
}

/* A full disk ends the recording, but not the run. */
static void test_full_disk(void **state)
{
    (void)state;
    static const char *const more[] = {"CHAINSCOPE_IOFAIL=30", NULL};
    static const char *const argv[] = {CS_PROGRAM, "scene.lua", NULL};
    char line[128];
    term_start(&t, 24, 80, argv, more);
    term_wait_line(&t, 0, "paused  step 0");
    snprintf(line, sizeof line, ":record %s\r", path);
    term_send(&t, line);
    term_wait_line(&t, 0, "[rec]");
    term_send(&t, ":speed 20\r ");
    term_wait(&t, "No space left");
    term_wait_gone(&t, "[rec]");
    term_wait_line(&t, 0, "running"); /* the run continues */
    cs_cast c = read_cast();
    assert_false(c.torn);
    forget(&c);
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_there_and_back, begin, stop),
    cmocka_unit_test_setup_teardown(test_killed, begin, stop),
    cmocka_unit_test_setup_teardown(test_full_disk, begin, stop),
};
TESTS(test_record)
