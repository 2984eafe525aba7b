/* Tests the command line and the Lua console: editing, completion, history and
 * errors. Also tests the gallery. */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

static void open_scene(void)
{
    term_chainscope(&t, 24, 80, "scene.lua", NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
}

static void leave(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
    term_stop(&t);
}

static void test_editing(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ":step 8\033OD\1\033OC\033[3~"); /* the keys left, ^A, right,
                                                    * delete */
    term_wait_line(&t, 23, ":sep 8");
    if (t.hidden)
        term_fail(&t, "a line is typed without a cursor");
    term_send(&t, "t\5\17717\r"); /* the keys ^E and backspace */
    term_wait_line(&t, 0, "paused  step 17");
    term_send(&t, ":abc\033");
    term_wait_line(&t, 23, "space run/pause");
    if (!t.hidden)
        term_fail(&t, "the cursor stays");
    term_send(&t, ":\033OA"); /* the up key recalls the last line */
    term_wait_line(&t, 23, ":step 17");
    term_send(&t, "\r");
    term_wait_line(&t, 0, "paused  step 34");
    leave();
}

/* A screenshot shows the screen as it was before the user typed the command for
 * the screenshot. Therefore the command is not visible. */
static void test_keep(void **state)
{
    (void)state;
    char path[64], line[128], text[8192];
    snprintf(path, sizeof path, "/tmp/chainscope_kept_%d.txt", (int)getpid());
    open_scene();
    term_send(&t, ".");
    term_wait_line(&t, 0, "paused  step 1");
    term_send(&t, "y");
    term_wait_line(&t, 23, ":screenshot scene_1.svg");
    snprintf(line, sizeof line, "\025screenshot %s\r", path);
    term_send(&t, line);
    term_wait(&t, path);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    remove(path);
    if (!strstr(text, "paused  step 1") || !strstr(text, "space run/pause") ||
        strstr(text, ":screenshot"))
        term_fail(&t, "another frame was kept:\n%s", text);
    leave();
}

static void test_completion(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ":rew\t");
    term_wait_line(&t, 23, ":rewind");
    term_send(&t, "\025set walk.st\t"); /* ^U deletes the typed text */
    term_wait_line(&t, 23, ":set walk.step");
    term_send(&t, "\025look ma\t");
    term_wait_line(&t, 23, ":look mala");
    term_send(&t, "\025arm add barke\t");
    term_wait_line(&t, 23, ":arm add barker");
    term_wait_line(&t, 22, "parameters of barker: step=");
    term_send(&t, "st\t");
    term_wait_line(&t, 23, ":arm add barker step=");
    term_wait_line(&t, 22, "step: ");
    term_send(&t, "\025re\t"); /* several matches are all shown */
    term_wait(&t, "restart");
    term_wait(&t, "replay");
    term_send(&t, "\033");
    term_wait_line(&t, 23, "space run/pause");
    leave();
}

static void test_errors(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ":stp\r");
    term_wait(&t, "did you mean 'step'?");
    term_send(&t, ":set walk.stp 1\r");
    term_wait(&t, "did you mean 'step'?");
    term_send(&t, ":set walk.step -1\r");
    term_wait(&t, "step");
    term_send(&t, ":open nowhere.lua\r");
    term_wait(&t, "nowhere.lua");
    term_wait_line(&t, 0, "Scene"); /* the earlier run is still open */
    leave();
}

static void test_lua(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ";6 * 7\r");
    term_wait(&t, "42");
    term_send(&t, "error('oh')\r");
    term_wait(&t, "console:1: oh");
    term_send(&t, "run:step(5)\r");
    term_wait_line(&t, 0, "step 5");
    pid_t session = term_child_of(t.child);
    double cpu = term_cpu_first(session);
    term_send(&t, "while true do end\r");
    while (term_cpu_first(session) < cpu + 0.1)
        term_pass(&t, 10);
    term_send(&t, "\003"); /* ^C stops the script, not the screen */
    term_wait(&t, "stopped on request");
    term_send(&t, "run:step(2\003run:step(1)\r"); /* the console remains open */
    term_wait_line(&t, 0, "step 6");
    term_send(&t, "\033");
    term_wait_line(&t, 23, "space run/pause");
    term_send(&t, ".");
    term_wait_line(&t, 0, "step 7");
    leave();
}

/* From the gallery the user can return to the open run. A command that would
 * end the run needs a confirmation. */
static void test_way_back(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ">");
    term_wait_line(&t, 0, "step 100");
    term_send(&t, "q");
    term_wait(&t, "> back to: Scene, step 100");
    term_send(&t, "\r");
    term_wait_line(&t, 0, "step 100");
    term_send(&t, "qj\r");
    term_wait(&t, "enter again opens it: the run at step 100 would be lost");
    term_send(&t, "\033");
    term_wait_line(&t, 0, "step 100");
    term_send(&t, "Q");
    term_wait(&t, "Q again quits: the run at step 100 would be lost");
    term_send(&t, "qq");
    term_wait(&t, "q again quits: the run at step 100 would be lost");
    term_send(&t, "k\r.");
    term_wait_line(&t, 0, "step 101");
    leave();
}

static void test_gallery(void **state)
{
    (void)state;
    static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};
    for (int i = 0; i < 3; i++) {
        term_chainscope(&t, sizes[i][0], sizes[i][1], NULL, NULL, NULL);
        term_wait(&t, "chainscope: the gallery");
        term_wait(&t, "A first random walk");
        int now;
        term_send(&t, "jjk");
        term_wait_painted(&t);
        for (now = 0; now < t.rows; now++)
            if (term_cell(&t, 3, now).attrs.reverse)
                break;
        if (now == t.rows)
            term_fail(&t, "no line is chosen");
        term_send(&t, "/first random walk");
        term_wait(&t, "/first random walk");
        term_wait(&t, "> A first random walk");
        term_send(&t, "\033OB"); /* the down key: another match */
        term_wait_gone(&t, "> A first random walk");
        term_send(&t, "\033OA");
        term_wait(&t, "> A first random walk");
        term_send(&t, "\r");
        term_wait_line(&t, 0, "A first random walk");
        term_wait_line(&t, 0, "step 0");
        term_send(&t, "q");
        term_wait(&t, "chainscope: the gallery");
        leave();
    }
}

static void wait_mouse(bool asked)
{
    double until = term_clock() + TERM_PATIENCE;
    while (t.mouse != asked) {
        if (term_clock() > until)
            term_fail(&t, "the mouse is %s", asked ? "not asked for" : "kept");
        term_read(&t, 20);
    }
}

/* A click on a panel moves the focus to the panel. A click on a key label acts
 * like the key. If the mouse is switched off, or if the program ends, the
 * terminal handles the mouse itself again. */
static void test_mouse(void **state)
{
    (void)state;
    int x, y;
    char click[80];
    open_scene();
    term_wait_line(&t, 23, "? help");
    wait_mouse(true);
    term_find(&t, "? help", &x, &y);
    snprintf(click, sizeof click, "\033[<0;%d;%dM\033[<0;%d;%dm", x + 3, y + 1,
             x + 3, y + 1);
    term_send(&t, click);
    term_wait(&t, "letters find");
    term_send(&t, "w"); /* starts the search */
    term_wait_line(&t, 23, "/w");
    term_send(&t, "ay back");
    term_wait_line(&t, 23, "/way back");
    term_send(&t, "\033");
    term_wait_gone(&t, "/way back");
    term_send(&t, "q");
    term_wait(&t, "2 map");
    term_find(&t, "2 map", &x, &y);
    snprintf(click, sizeof click, "\033[<0;%d;%dM\033[<0;%d;%dm", x + 2, y + 2,
             x + 2, y + 2);
    term_send(&t, click);
    term_send(&t, "z");
    term_wait_gone(&t, "1 trace");
    term_wait(&t, "2 map");
    term_send(&t, ":mouse off\r");
    wait_mouse(false);
    term_send(&t, ":mouse on\r");
    wait_mouse(true);
    leave();
}

/* Opens the program with a configuration file that contains this text. */
static void open_configured(const char *text)
{
    const char *const argv[] = {CS_PROGRAM, "scene.lua", NULL};
    char home[] = "/tmp/chainscope_config_XXXXXX", path[128], variable[128];
    assert_non_null(mkdtemp(home));
    snprintf(path, sizeof path, "%s/chainscope", home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/chainscope/config.lua", home);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    snprintf(variable, sizeof variable, "XDG_CONFIG_HOME=%s", home);
    const char *const more[] = {variable, NULL};
    term_start(&t, 24, 80, argv, more);
    term_wait_line(&t, 0, "paused  step 0");
    unlink(path);
    snprintf(path, sizeof path, "%s/chainscope", home);
    rmdir(path);
    rmdir(home);
}

/* The settings in the configuration file apply. If the file has an error, the
 * error is reported with its line, and the program starts nevertheless. */
static void test_config(void **state)
{
    (void)state;
    open_configured("return { mouse = false, keys = { f5 = 'step 3' } }");
    term_wait_painted(&t);
    if (t.mouse)
        term_fail(&t, "the mouse is asked for");
    term_send(&t, "\033[15~");
    term_wait_line(&t, 0, "paused  step 3");
    leave();
    open_configured("\nx = = 3");
    term_wait(&t, "config.lua:2: unexpected symbol");
    term_send(&t, "q.");
    term_wait_line(&t, 0, "paused  step 1");
    leave();
}

static void write_scenario(const char *path, const char *title, double mean,
                           double step, const char *more)
{
    char part[200];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *f = fopen(part, "w");
    assert_non_null(f);
    fprintf(f,
            "local cs = require 'chainscope'\n"
            "return cs.scenario { title = '%s',\n"
            "  target = cs.target.mixture { means = { { %g } } },\n"
            "  arms = { a = cs.kernel.random_walk { step = %g }%s } }\n",
            title, mean, step, more);
    fclose(f);
    assert_int_equal(rename(part, path), 0);
}

/* If an open file changes, it is opened again. If only the title changed or an
 * arm was added, the chains continue. If an arm or the target changed, the
 * difference is reported, and the run is lost only after a confirmation. :edit
 * starts an editor in the terminal. When the editor ends, the program uses the
 * terminal again. */
static void test_edit(void **state)
{
    (void)state;
    char folder[] = "/tmp/chainscope_edit_XXXXXX", path[128], editor[200];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/own.lua", folder);
    snprintf(editor, sizeof editor, "VISUAL=sed -i s/Second/Third/");
    const char *const argv[] = {CS_PROGRAM, path, NULL};
    const char *const more[] = {editor, NULL};
    write_scenario(path, "First", 0, 1, "");
    term_start(&t, 24, 80, argv, more);
    term_wait_line(&t, 0, "First");
    term_send(&t, ".");
    term_wait_line(&t, 0, "paused  step 1");
    write_scenario(path, "Second", 0, 1, "");
    term_wait(&t, "own.lua reloaded: all chains continue");
    term_wait_line(&t, 0, "Second");
    term_wait_line(&t, 0, "paused  step 1");
    term_wait_gone(&t, "rejected"); /* no step was made after the change */
    term_send(&t, ":edit\r");
    term_wait_line(&t, 0, "Third");
    term_wait_line(&t, 0, "paused  step 1");
    write_scenario(path, "Third", 0, 1, ", b = cs.kernel.random_walk {}");
    term_wait(&t, "1 of 2 arms start again");
    term_wait_line(&t, 0, "paused  step 1");
    write_scenario(path, "Fourth", 0, 2, ", b = cs.kernel.random_walk {}");
    term_wait(&t, "own.lua: arm a: step was 1, is 2; :reload restarts it, r "
                  "restarts all");
    term_wait_line(&t, 0, "Third");
    term_send(&t, ":reload\r");
    term_wait_line(&t, 0, "Fourth");
    term_wait_line(&t, 0, "paused  step 1");
    write_scenario(path, "Fourth", 0, 2, "");
    term_wait(&t, "own.lua: arm b is gone; :reload continues without it, r "
                  "restarts all");
    write_scenario(path, "Fifth", 3, 2, "");
    term_wait(&t, "own.lua: target: means.1 was 0, is 3; restart with r");
    term_wait_line(&t, 0, "Fourth");
    term_send(&t, "rr");
    term_wait_line(&t, 0, "Fifth");
    leave();
    unlink(path);
    rmdir(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_editing, stop),
    cmocka_unit_test_teardown(test_keep, stop),
    cmocka_unit_test_teardown(test_completion, stop),
    cmocka_unit_test_teardown(test_errors, stop),
    cmocka_unit_test_teardown(test_lua, stop),
    cmocka_unit_test_teardown(test_way_back, stop),
    cmocka_unit_test_teardown(test_gallery, stop),
    cmocka_unit_test_teardown(test_mouse, stop),
    cmocka_unit_test_teardown(test_config, stop),
    cmocka_unit_test_teardown(test_edit, stop),
};
TESTS(test_prompt)
