/* Tests a run in a terminal at three sizes. The screen must show the effect of
 * each key. */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

static void open_scene(int rows, int cols)
{
    term_chainscope(&t, rows, cols, "scene.lua", NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
}

static void leave(void)
{
    term_send(&t, "QQ");
    if (term_end(&t) != 0)
        term_fail(&t, "left with status %#x", (unsigned)t.status);
    term_assert_clean(&t);
    term_stop(&t);
}

/* Types a command and waits until it is shown on the screen. */
static void command(const char *line)
{
    char text[200];
    snprintf(text, sizeof text, ":%s", line);
    term_send(&t, text);
    term_wait(&t, text);
    term_send(&t, "\r");
}

static void test_steps(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        open_scene(sizes[i][0], sizes[i][1]);
        term_send(&t, ".");
        term_wait_line(&t, 0, "paused  step 1");
        term_send(&t, ">");
        term_wait_line(&t, 0, "paused  step 101");
        term_send(&t, ",");
        term_wait_line(&t, 0, "paused  step 100");
        term_send(&t, "<");
        term_wait_line(&t, 0, "paused  step 0");
        leave();
    }
}

/* For figures and warnings, the screen uses the words of the command
 * `chainscope run`. */
static void test_warnings(void **state)
{
    (void)state;
    term_chainscope(&t, 30, 80, "islands.lua", NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
    command("zoom summary");
    term_send(&t, " ");
    term_wait_line(&t, 0, "done");
    term_wait(&t, "walk:"); /* a line of the table of scalars, which is a
                             * background report */
    term_send(&t, " ");
    term_wait(&t, "The budget ended at step 300. Run on?");
    term_send(&t, "."); /* no */
    term_wait_gone(&t, "Run on?");
    term_wait_line(&t, 0, "done  step 300");
    term_wait(&t, "missed modes   0.5");
    term_wait(&t, "1 of 2 known modes were never visited, with 0.5 of the");
    term_wait(&t, "all chains start at one place: R-hat cannot detect modes");
    leave();
}

/* Copies to out the four lines about the chain from the state panel. The state
 * panel is the only panel. */
static void copy_state(char out[4][200])
{
    int x, y;
    term_wait_painted(&t);
    term_find(&t, "state and last step", &x, &y);
    if (y < 0)
        term_fail(&t, "there is no panel of the state");
    for (int i = 0; i < 4; i++)
        snprintf(out[i], 200, "%.190s", term_line(&t, y + 1 + i));
}

static void test_run_and_pause(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        open_scene(sizes[i][0], sizes[i][1]);
        term_send(&t, " ");
        term_wait_line(&t, 0, "running");
        term_wait_line(&t, 0, " steps/s");
        term_wait_gone(&t, "running  step 0 ");
        term_send(&t, " ");
        term_wait_line(&t, 0, "paused");
        if (strstr(term_line(&t, 0), "step 0"))
            term_fail(&t, "it ran and made no step");
        leave();
    }
}

static void test_speed(void **state)
{
    (void)state;
    open_scene(24, 80);
    command("speed 50");
    double from = term_clock();
    term_send(&t, " ");
    term_wait_step(&t, 10);
    term_send(&t, "+"); /* 100 steps per second */
    term_wait_step(&t, 40);
    term_send(&t, " ");
    term_wait_line(&t, 0, "paused");
    double most = (term_clock() - from) * 1e-3 * 100 + 2;
    const char *at = strstr(term_line(&t, 0), "step ");
    double steps = strtod(at + 5, NULL);
    if (steps > most) /* a loaded machine may make fewer steps */
        term_fail(&t, "%g steps, %g at most", steps, most);
    leave();
}

static void test_restart_and_reseed(void **state)
{
    (void)state;
    char first[4][200], again[4][200], other[4][200];
    open_scene(24, 80);
    command("zoom state");
    term_send(&t, ">");
    term_wait_line(&t, 0, "paused  step 100");
    copy_state(first);
    term_send(&t, "r");
    term_wait(&t, "r again restarts: the run at step 100 would be lost");
    term_send(&t, "cr"); /* after another key, the key r asks again */
    term_wait(&t, "r again restarts");
    term_wait_line(&t, 0, "paused  step 100");
    term_send(&t, "r");
    term_wait(&t, "restarted: seed 5");
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ">");
    term_wait_line(&t, 0, "paused  step 100");
    copy_state(again);
    term_send(&t, "RR");
    term_wait(&t, "reseeded: seed 6");
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ">");
    term_wait_line(&t, 0, "paused  step 100");
    copy_state(other);
    for (int i = 0; i < 4; i++)
        assert_string_equal(first[i], again[i]);
    assert_string_not_equal(first[3], other[3]);
    leave();
}

/* Takes a text screenshot of the scene, as on a terminal without colours.
 * Removes the blanks at the ends of lines. The screenshot is taken at step 100,
 * when all background reports are complete. */
static void shoot(char line[60][700], int rows, int cols)
{
    char command[200];
    snprintf(command, sizeof command,
             CS_PROGRAM " shot scene.lua --steps 100 --size %dx%d", cols, rows);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    for (int y = 0; y < rows; y++) {
        assert_non_null(fgets(line[y], 700, f));
        size_t n = strcspn(line[y], "\n");
        while (n > 0 && line[y][n - 1] == ' ')
            n--;
        line[y][n] = 0;
    }
    assert_int_equal(pclose(f), 0);
}

/* Compares the lines of the panels. Returns the index of the first line that
 * differs, or 0 if no line differs. */
static int differs(char line[60][700], int end)
{
    for (int y = 1; y < end; y++)
        if (!strstr(line[y], "ESS/s") && /* a figure that depends on the
                                          * clock */
            strcmp(line[y], term_line(&t, y)) != 0)
            return y;
    return 0;
}

static void wait_same(char line[60][700], int end)
{
    int y;
    for (double until = term_clock() + TERM_PATIENCE;
         (y = differs(line, end)) != 0; term_read(&t, 20))
        if (term_clock() > until)
            term_fail(&t, "line %d is not\n %s", y, line[y]);
}

static void test_rewind(void **state)
{
    (void)state;
    static char shot[60][700];
    static const char *const argv[] = {CS_PROGRAM, "scene.lua", NULL};
    static const char *const plain[] = {"NO_COLOR=1", NULL};
    for (int i = 0; i < SIZES; i++) {
        int rows = sizes[i][0], time = rows - 3; /* row of the timeline */
        term_start(&t, rows, sizes[i][1], argv, plain);
        shoot(shot, rows, sizes[i][1]);
        term_send(&t, ">");
        term_wait_line(&t, 0, "paused  step 100");
        wait_same(shot, time);
        term_send(&t, ">");
        term_wait_line(&t, 0, "paused  step 200");
        command("rewind -100");
        term_wait_line(&t, 0, "paused  step 100");
        term_wait(&t, "back to step 100");
        wait_same(shot, time);
        if (!strstr(term_line(&t, 0), "step 100 of 200") ||
            !strstr(term_line(&t, time), "at 100 of 200"))
            term_fail(&t, "the way forward is not told");
        leave();
    }
}

static void test_choose(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        open_scene(sizes[i][0], sizes[i][1]);
        /* the panel is on; if the panel does not fit, its name shows the
         * panel */
        command(i == 0 ? "panel state" : "look mala");
        term_wait(&t, "chain 1 of mala");
        term_send(&t, "c");
        term_wait(&t, "chain 2 of mala");
        term_send(&t, "CC");
        term_wait(&t, "chain 3 of mala");
        term_send(&t, "a");
        term_wait(&t, "chain 1 of walk");
        term_send(&t, "a");
        term_wait(&t, "chain 1 of mala");
        term_send(&t, "\033OB"); /* the down key */
        term_wait(&t, "chain 1 of walk");
        leave();
    }
}

/* Waits until the n-th coordinate in the state panel is bold, or until it is
 * not bold. The panel moves while its report grows, so the position is searched
 * each time. */
static void wait_bold(int n, bool bold)
{
    for (double until = term_clock() + TERM_PATIENCE;;) {
        int x, y;
        term_find(&t, "coordinate ", &x, &y);
        if (y >= 0 && term_cell(&t, x, y + n).attrs.bold == bold)
            return;
        if (term_clock() > until)
            term_fail(&t, "coordinate %d does not become %s", n,
                      bold ? "bold" : "plain");
        term_read(&t, 20);
    }
}

static void test_coordinate(void **state)
{
    (void)state;
    open_scene(24, 80);
    command("panel state");
    term_send(&t, ">");
    term_wait_line(&t, 0, "paused  step 100");
    wait_bold(1, true);
    term_send(&t, "n");
    wait_bold(2, true);
    wait_bold(1, false);
    term_send(&t, "n"); /* with two coordinates, the key returns to the first */
    wait_bold(1, true);
    command("zoom trace");
    term_wait_line(&t, 20, " energy = -log p (nats)"); /* the legend */
    term_send(&t, "o");                                /* the next scalar */
    term_wait_line(&t, 20, " x.1 ");
    leave();
}

static void test_panels(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        /* the smallest screen has two panels, and one line of sentences */
        const char *last = i == 0 ? "2 map" : "3 acceptance";
        int top = i == 0 ? 2 : 3;
        open_scene(sizes[i][0], sizes[i][1]);
        term_wait(&t, last);
        term_send(&t, "z");
        term_wait_gone(&t, last);
        term_wait_line(&t, top, "1 trace");
        term_send(&t, "\t");
        term_wait_line(&t, top, "2 map");
        term_send(&t, "z");
        term_wait(&t, "1 trace");
        term_wait(&t, last);
        term_send(&t, "2"); /* the key 2 hides panel 2, which has the focus */
        term_wait_gone(&t, "2 map");
        term_wait(&t, "3 acceptance");
        term_send(&t, "2");
        term_wait(&t, "2 map");
        leave();
    }
}

static void test_parameter(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        open_scene(sizes[i][0], sizes[i][1]);
        term_send(&t, ">s");
        term_wait_line(&t, 0, "paused  step 100");
        term_wait(&t, "parameters of mala");
        term_send(&t, "\033OC"); /* the right key: up by a tenth of a decade */
        term_wait(&t, "mala.step = 1.00714 from step 100");
        term_send(&t, "e");
        term_wait_line(&t, t.rows - 1, ":set mala.step");
        term_send(&t, "0.25\r");
        term_wait(&t, "mala.step = 0.25 from step 100");
        term_send(&t, "s");
        term_wait_gone(&t, "parameters of mala");
        leave();
    }
}

static void test_help(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        open_scene(sizes[i][0], sizes[i][1]);
        term_send(&t, "?");
        term_wait(&t, "one step, a hundred steps");
        static const char sought[] = "start again; with another seed";
        for (int page = 0; page < 12 && !term_shows(&t, sought); page++) {
            term_send(&t, "\033[6~"); /* page down */
            term_quiet(&t, 100);
        }
        term_wait(&t, sought);
        term_send(&t, "\033"); /* one escape closes the help */
        term_wait_gone(&t, "start again; with another seed");
        term_wait_line(&t, 0, "paused  step 0");
        leave();
    }
}

/* However much of the screen changes, an active run does not send more bytes
 * than a slow link can transfer. */
static void test_bytes(void **state)
{
    (void)state;
    open_scene(60, 200);
    term_send(&t, " ");
    term_wait_line(&t, 0, "running");
    term_pass(&t, 500);
    unsigned long before = t.bytes;
    double from = term_clock(), until = from + TERM_PATIENCE;
    do
        term_pass(&t, 1500);
    while (t.bytes == before && term_clock() < until);
    double rate = (double)(t.bytes - before) / (term_clock() - from);
    assert_true(t.bytes > before);
    if (rate * 1000 / 1024 > 120) /* KiB: the size of about 10 frames */
        term_fail(&t, "%.1f KiB/s are written", rate * 1000 / 1024);
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_steps, stop),
    cmocka_unit_test_teardown(test_warnings, stop),
    cmocka_unit_test_teardown(test_run_and_pause, stop),
    cmocka_unit_test_teardown(test_speed, stop),
    cmocka_unit_test_teardown(test_restart_and_reseed, stop),
    cmocka_unit_test_teardown(test_rewind, stop),
    cmocka_unit_test_teardown(test_choose, stop),
    cmocka_unit_test_teardown(test_coordinate, stop),
    cmocka_unit_test_teardown(test_panels, stop),
    cmocka_unit_test_teardown(test_parameter, stop),
    cmocka_unit_test_teardown(test_help, stop),
    cmocka_unit_test_teardown(test_bytes, stop),
};
TESTS(test_run)
