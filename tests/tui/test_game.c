/* Tests `chainscope game` in a terminal: the keys that are moves, the test of an
 * arm, a click on an arm, and the reveal. */
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

/* Opens the game on the screen; it stores no score. */
static void open_game(int rows, int cols)
{
    static const char *const argv[] = {CS_PROGRAM, "game", "stale_pair",
                                       "--seed",   "4",    NULL};
    static const char *const more[] = {"XDG_STATE_HOME=/dev/null", NULL};
    term_start(&t, rows, cols, argv, more);
    term_wait_line(&t, 0, "paused  step 0");
    term_wait(&t, "enter: 50 steps");
    assert_false(term_shows(&t, "space run/pause")); /* not a move */
}

static void leave(void)
{
    term_send(&t, "QQ");
    if (term_end(&t) != 0)
        term_fail(&t, "left with status %#x", (unsigned)t.status);
    term_assert_clean(&t);
    term_stop(&t);
}

static void keys_play_the_game(void **state)
{
    (void)state;
    open_game(24, 80);
    term_send(&t, "\r");
    term_wait_line(&t, 0, "step 50");
    term_wait(&t, "the right arm scores 100");
    term_send(&t, " ");
    term_wait(&t, "only moves are possible");
    term_send(&t, "2");
    term_wait(&t, "2 b <");
    term_send(&t, "t");
    term_wait(&t, "check of b: no broken law found");
    term_send(&t, "1");
    term_wait(&t, "1: name this arm");
    term_send(&t, "1");
    term_wait(&t, "Right: 70 points after 50 steps.");
    term_wait(&t, "both coordinates are drawn from the old values");
    term_wait(&t, "R: another game");
    leave();
}

/* A click marks the arm of a row, and a second one names it. */
static void clicks_name_an_arm(void **state)
{
    (void)state;
    char click[64];
    int x, y;
    open_game(40, 120);
    term_send(&t, "\r");
    term_wait_line(&t, 0, "step 50");
    term_find(&t, "# b", &x, &y);
    assert_true(x >= 0);
    snprintf(click, sizeof click, "\033[<0;%d;%dM\033[<0;%d;%dm", x + 1, y + 1,
             x + 1, y + 1);
    term_send(&t, click);
    term_wait(&t, "2 b <");
    term_send(&t, click);
    term_wait(&t, "Wrong: -50 points after 50 steps.");
    term_wait(&t, "Arm a was broken: stale_pair");
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(keys_play_the_game, stop),
    cmocka_unit_test_teardown(clicks_name_an_arm, stop),
};
TESTS(test_game)
