/* Tests input from a terminal: the sequences that various terminals send for
 * keys, sequences without a meaning, and pasted text. */
#include "term.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define ESC "\033"
#define PASTE(text) ESC "[200~" text ESC "[201~"

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

/* Every sequence for the key End moves to the newest step. Sequences for the
 * key Home have no effect, because Home has no function in this view. */
static void test_home_and_end(void **state)
{
    (void)state;
    static const char *const ends[] = {ESC "[F",  ESC "OF",      ESC "[4~",
                                       ESC "[8~", ESC "[57424u", ESC "[1;129F"};
    static const char *const homes[] = {ESC "[H", ESC "OH", ESC "[1~",
                                        ESC "[7~"};
    open_scene();
    term_send(&t, ">");
    term_wait_line(&t, 0, "step 100");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        term_send(&t, "<.");
        term_wait_line(&t, 0, "step 1 ");
        term_send(&t, ends[i]);
        term_wait_line(&t, 0, "step 100");
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        term_send(&t, homes[i]);
    term_wait_painted(&t);
    term_wait_line(&t, 0, "step 100");
    /* while a line is typed, both keys move the cursor */
    term_send(&t, ":tep 1" ESC "[1~s" ESC "[4~7\r");
    term_wait_line(&t, 0, "step 117");
    leave();
}

/* Unknown sequences have no effect. The sequences contain letters and brackets.
 * If these characters were read as keys, they would make a step, go back, or
 * restart the run. */
static void test_unknown(void **state)
{
    (void)state;
    static const char *const bytes[] = {
        ESC "[99~",         ESC "[4;2~",    ESC "[1;5F",
        ESC "[?62;22c",     ESC "[I",       ESC "[O",
        ESC "[24;80R",      ESC "[97;9u",   ESC "[8$",
        ESC "Oz",           ESC "r",        ESC "[q",
        ESC "]11;rr\a",     ESC "]0;r\a",   ESC "P>|r" ESC "\\",
        ESC "_Gq" ESC "\\", ESC "[<2;3;4M", ESC "[201~"};
    open_scene();
    term_send(&t, ">");
    term_wait_line(&t, 0, "step 100");
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        term_send(&t, bytes[i]);
        term_wait_painted(&t);
        term_wait_line(&t, 0, "paused  step 100");
        term_wait_line(&t, 23, "space run/pause");
    }
    leave();
}

/* A sequence may arrive in two parts with a pause in between, as on a slow
 * link. It is still read correctly. */
static void test_parts(void **state)
{
    (void)state;
    static const char *const parts[][2] = {
        {ESC "[", "F"}, {ESC "[4", "~"}, {ESC "O", "F"}, {ESC "[1;1", "29F"}};
    open_scene();
    term_send(&t, ">");
    term_wait_line(&t, 0, "step 100");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        term_send(&t, "<");
        term_wait_line(&t, 0, "step 0 ");
        term_send(&t, parts[i][0]);
        term_pass(&t, 100);
        term_send(&t, parts[i][1]);
        term_wait_line(&t, 0, "step 100");
    }
    leave();
}

static void wait_paste(bool on)
{
    double until = term_clock() + TERM_PATIENCE;
    while (t.paste != on) {
        if (term_clock() > until)
            term_fail(&t, "bracketed paste is %s", on ? "off" : "on");
        term_read(&t, 20);
    }
}

static void test_paste(void **state)
{
    (void)state;
    open_scene();
    wait_paste(true);
    term_send(&t, PASTE("r.>QQ\r:step 5\r"));
    term_wait(&t, "pasted text is ignored");
    term_wait_line(&t, 0, "paused  step 0");
    /* one pasted line acts as if it had been typed */
    term_send(&t, ":st" PASTE("ep 1") "7");
    term_wait_line(&t, 23, ":step 17");
    term_send(&t, "\r");
    term_wait_line(&t, 0, "step 17");
    /* several pasted lines are run only after Enter */
    term_send(&t, ":" PASTE("step 1\r\nstep 2\r"));
    term_wait_line(&t, 23, ":step 1 step 2");
    term_wait(&t, "2 pasted lines");
    term_wait_line(&t, 0, "step 17");
    term_send(&t, ESC);
    term_wait_line(&t, 23, "space run/pause");
    term_send(&t, ";" PASTE("run:step(1)\nrun:step(2)\n"));
    term_wait_line(&t, 23, ";run:step(1) run:step(2)");
    term_wait_line(&t, 0, "step 17");
    term_send(&t, "\r");
    term_wait_line(&t, 0, "step 20");
    term_send(&t, ESC);
    term_wait_line(&t, 23, "space run/pause");
    leave();
}

/* If the end mark of a paste is lost, ^C ends the paste, so that the keyboard
 * is not locked. */
static void test_lost_end(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ESC "[200~...");
    term_pass(&t, 50);
    term_send(&t, "\003");
    term_wait(&t, "interrupted");
    term_send(&t, ".");
    term_wait_line(&t, 0, "step 1");
    leave();
}

/* In a command line, Alt with a letter moves the cursor by words. */
static void test_alt(void **state)
{
    (void)state;
    open_scene();
    term_send(&t, ":step 8" ESC "b" ESC "[1;5D" ESC "d" ESC "[3;5~");
    term_wait_line(&t, 23, ":");
    term_send(&t, "step 9\r");
    term_wait_line(&t, 0, "step 9");
    leave();
}

/* More bytes arrive at once than the program reads in one call. */
static void test_burst(void **state)
{
    (void)state;
    char line[1000];
    snprintf(line, sizeof line, ":step%900s7\r", "");
    open_scene();
    term_send(&t, line);
    term_wait_line(&t, 0, "step 7");
    leave();
}

/* Bracketed paste is switched off even if the program crashes. Otherwise the
 * shell would receive the marks around pasted text. */
static void test_off(void **state)
{
    (void)state;
    open_scene();
    wait_paste(true);
    kill(t.child, SIGSEGV);
    term_end(&t);
    term_assert_clean(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_home_and_end, stop),
    cmocka_unit_test_teardown(test_unknown, stop),
    cmocka_unit_test_teardown(test_parts, stop),
    cmocka_unit_test_teardown(test_paste, stop),
    cmocka_unit_test_teardown(test_lost_end, stop),
    cmocka_unit_test_teardown(test_alt, stop),
    cmocka_unit_test_teardown(test_burst, stop),
    cmocka_unit_test_teardown(test_off, stop),
};
TESTS(test_input)
