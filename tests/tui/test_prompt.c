/* The command line and the Lua console: editing, completion, history, errors;
 * and the gallery. */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    term_send(&t, ":step 8\033OD\1\033OC\033[3~"); /* left ^A right delete */
    term_wait_line(&t, 23, ":sep 8");
    if (t.hidden)
        term_fail(&t, "a line is typed without a cursor");
    term_send(&t, "t\5\17717\r"); /* ^E backspace */
    term_wait_line(&t, 0, "paused  step 17");
    term_send(&t, ":abc\033");
    term_wait_line(&t, 23, "space run/pause");
    if (!t.hidden)
        term_fail(&t, "the cursor stays");
    term_send(&t, ":\033OA"); /* up: the last line */
    term_wait_line(&t, 23, ":step 17");
    term_send(&t, "\r");
    term_wait_line(&t, 0, "paused  step 34");
    leave();
}

static void test_completion(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ":rew\t");
    term_wait_line(&t, 23, ":rewind");
    term_send(&t, "\025set walk.st\t"); /* ^log p kills what was typed */
    term_wait_line(&t, 23, ":set walk.step");
    term_send(&t, "\025look ma\t");
    term_wait_line(&t, 23, ":look mala");
    term_send(&t, "\025re\t"); /* several: all are shown */
    term_wait(&t, "restart");
    term_wait(&t, "replay");
    term_send(&t, "\033");
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
    term_wait_line(&t, 0, "Scene"); /* what was open stays open */
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
    term_send(&t, "while true do end\r");
    term_pass(&t, 100);
    term_send(&t, "\003"); /* ^C stops the script, not the screen */
    term_wait(&t, "stopped on request");
    term_send(&t, "run:step(2\003run:step(1)\r"); /* the console stays open */
    term_wait_line(&t, 0, "step 6");
    term_send(&t, "\033.");
    term_wait_line(&t, 0, "step 7");
    leave();
}

/* The gallery leads back to the run that is open; what would end it is asked
 * twice. */
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
    term_wait(&t, "enter again opens it: the run at step 100 is lost");
    term_send(&t, "\033");
    term_wait_line(&t, 0, "step 100");
    term_send(&t, "Q");
    term_wait(&t, "Q again leaves: the run at step 100 is lost");
    term_send(&t, "qq");
    term_wait(&t, "q again leaves: the run at step 100 is lost");
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
        int x, y, now;
        term_send(&t, "jjk");
        term_quiet(&t, 50);
        for (now = 0; now < t.rows; now++)
            if (term_cell(&t, 3, now).attrs.reverse)
                break;
        if (now == t.rows)
            term_fail(&t, "no line is chosen");
        for (int k = 0; k < 60; k++) { /* to the walk, wherever it stands */
            term_find(&t, "A first random walk", &x, &y);
            if (y > 0 && term_cell(&t, 3, y).attrs.reverse)
                break;
            term_send(&t, k == 0 ? "\033[5~\033[5~\033[5~" : "\033OB");
            term_quiet(&t, 30);
        }
        term_send(&t, "\r");
        term_wait_line(&t, 0, "A first random walk");
        term_wait_line(&t, 0, "step 0");
        term_send(&t, "q");
        term_wait(&t, "chainscope: the gallery");
        leave();
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_editing, stop),
        cmocka_unit_test_teardown(test_completion, stop),
        cmocka_unit_test_teardown(test_errors, stop),
        cmocka_unit_test_teardown(test_lua, stop),
        cmocka_unit_test_teardown(test_way_back, stop),
        cmocka_unit_test_teardown(test_gallery, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
