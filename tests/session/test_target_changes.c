/* Tests that a run can go back over changes of the target's parameters, and
 * forward again, to the same bits. */
#include "session_of.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lua: a text that has all bits of the chains, their log densities under the
 * target, and the figures of the draws. */
static const char look[] =
    "lua function signature() "
    "local t = { ('step %d'):format(run.steps) } "
    "for i = 1, #run.arms do local a = run:arm(i) for c = 1, 3 do "
    "local x = a:chain(c):state() "
    "t[#t + 1] = table.concat(x, ' ') .. (' %a'):format(a:chain(c):logp()) "
    "end end t[#t + 1] = run:summary() return table.concat(t, '\\n') end";

enum { MOST = 16 };

/* The signatures of a run at some steps. */
typedef struct seen {
    char *text[MOST];
    unsigned long at[MOST];
    size_t n;
} seen;

static int start(void **state)
{
    int failed = cs_client_create((cs_client **)state, child, NULL, NULL);
    if (failed)
        return failed;
    ask(*state, "open session/bits.lua");
    ask(*state, look);
    return 0;
}

static int end(void **state)
{
    return leave(*state);
}

static void said(cs_client *c, const char *line, const char *want)
{
    const char *text = ask(c, line);
    if (!strstr(text, want))
        fail_msg("%s: '%s' does not contain '%s'", line, text, want);
}

static char *signature(cs_client *c)
{
    char *text = strdup(ask(c, "lua signature()"));
    assert_non_null(text);
    return text;
}

static unsigned long step_of(const char *text)
{
    return strtoul(text + strlen("step "), NULL, 10);
}

static void note(cs_client *c, seen *s)
{
    assert_true(s->n < MOST);
    s->text[s->n] = signature(c);
    s->at[s->n] = step_of(s->text[s->n]);
    s->n++;
}

static void compare(cs_client *c, const seen *s, size_t i)
{
    char *text = signature(c);
    if (strcmp(text, s->text[i]) != 0)
        fail_msg("step %lu differs:\n%s\n%s", s->at[i], text, s->text[i]);
    free(text);
}

/* Goes to all steps that were seen, in another order, and compares them. Then
 * makes the steps between them forward. */
static void compare_all(cs_client *c, const seen *s)
{
    char line[64];
    for (size_t k = 0; k < s->n; k++) {
        size_t i = k * 7 % s->n;
        snprintf(line, sizeof line, "rewind to %lu", s->at[i]);
        ask(c, line);
        compare(c, s, i);
    }
    snprintf(line, sizeof line, "rewind to %lu", s->at[0]);
    ask(c, line);
    for (size_t i = 1; i < s->n; i++) {
        for (unsigned long k = s->at[i - 1]; k < s->at[i]; k++)
            ask(c, "step 1");
        compare(c, s, i);
    }
}

static void forget(seen *s)
{
    while (s->n)
        free(s->text[--s->n]);
}

/* Makes steps with three changes of the target and one of a kernel. */
static void make(cs_client *c, seen *s)
{
    note(c, s);
    ask(c, "step 13");
    note(c, s);
    ask(c, "set target.beta 0.9");
    ask(c, "step 7");
    note(c, s);
    ask(c, "set two.step 2");
    ask(c, "step 9");
    note(c, s);
    ask(c, "set target.beta 0.1");
    ask(c, "set target.beta 0.2");
    ask(c, "step 1");
    note(c, s);
    ask(c, "step 8");
    note(c, s);
    ask(c, "set target.field 0.5");
    ask(c, "step 5");
    note(c, s);
}

static void test_back_and_forth(void **state)
{
    cs_client *c = *state;
    seen s = {.n = 0};
    make(c, &s);
    compare_all(c, &s);
    said(c, "rewind to 14", "");
    said(c, "lua run.oldest", "13"); /* the draws of this target begin here */
    said(c, "rewind +3", "");
    said(c, "lua run.steps", "17");
    ask(c, "rewind to 0");
    ask(c, "step 43"); /* makes the steps of all four targets */
    for (const char *at = "";; ask(c, "lua 0")) {
        at = ask(c, "lua run.steps");
        if (strtoul(at, NULL, 10) == 43)
            break;
    }
    compare(c, &s, s.n - 1);
    forget(&s);
}

/* Undoing a change of the target is a change at the present step. A change that
 * is later than this step cannot be undone here. */
static void test_undo(void **state)
{
    cs_client *c = *state;
    seen s = {.n = 0};
    note(c, &s);
    ask(c, "step 5");
    ask(c, "set target.beta 0.9");
    ask(c, "step 5");
    note(c, &s);
    said(c, "undo", "target.beta from 0.9 back to 0.35");
    ask(c, "step 5");
    note(c, &s);
    said(c, "redo", "back to 0.9");
    ask(c, "step 5");
    note(c, &s);
    compare_all(c, &s);
    forget(&s);
}

/* A change at an earlier step replaces the later steps, and `undo` takes them
 * back, also if they have other targets. */
static void change_at(cs_client *c, const char *step, const char *change)
{
    seen s = {.n = 0}, other = {.n = 0};
    char line[64];
    make(c, &s);
    snprintf(line, sizeof line, "rewind to %s", step);
    ask(c, line);
    ask(c, change);
    ask(c, "step 4");
    note(c, &other);
    ask(c, "set target.beta 0.7");
    ask(c, "step 4");
    note(c, &other);
    compare_all(c, &other);
    ask(c, "branch");
    compare_all(c, &s);
    ask(c, "branch");
    compare_all(c, &other);
    ask(c, "branch");
    compare_all(c, &s);
    forget(&s);
    forget(&other);
}

static void test_target_in_the_past(void **state)
{
    change_at(*state, "6", "set target.beta 0.5");
}

static void test_target_in_the_last_period(void **state)
{
    change_at(*state, "40", "set target.beta 0.5");
}

static void test_kernel_in_the_past(void **state)
{
    change_at(*state, "15", "set two.step 3");
}

/* Step 13 is the last step before the change of the target. */
static void test_kernel_at_a_change(void **state)
{
    change_at(*state, "13", "set two.step 3");
}

static void test_undo_in_the_past(void **state)
{
    cs_client *c = *state;
    seen s = {.n = 0};
    make(c, &s);
    ask(c, "rewind to 6");
    ask(c, "set target.beta 0.5");
    ask(c, "step 3");
    said(c, "undo", "the branch before the change");
    compare_all(c, &s);
    forget(&s);
}

/* An arm that is added after a change of the target is not there before it, and
 * the earlier steps remain as they were. */
static void test_arms(void **state)
{
    cs_client *c = *state;
    seen s = {.n = 0};
    make(c, &s);
    ask(c, "arm add gibbs as more");
    while (strtoul(ask(c, "lua run:arm('more').steps"), NULL, 10) < 42)
        cs_client_wait(c, 5);
    said(c, "lua #run.arms", "3");
    compare_all(c, &(seen){.n = s.n - 1,
                           .text = {s.text[0], s.text[1], s.text[2], s.text[3],
                                    s.text[4], s.text[5]},
                           .at = {s.at[0], s.at[1], s.at[2], s.at[3], s.at[4],
                                  s.at[5]}});
    said(c, "lua #run.arms", "2");
    ask(c, "rewind +1000");
    said(c, "lua #run.arms", "2");
    ask(c, "step 1");
    said(c, "lua #run.arms", "3");
    forget(&s);
}

/* A restart after going back opens the target with the parameters that it has
 * at this step. */
static void test_restart(void **state)
{
    cs_client *c = *state;
    seen s = {.n = 0};
    ask(c, "step 13");
    note(c, &s);
    ask(c, "set target.beta 0.9");
    ask(c, "step 13");
    ask(c, "rewind to 6");
    ask(c, "restart");
    said(c, "lua run.steps", "0");
    ask(c, "step 13");
    compare(c, &s, 0);
    forget(&s);
}

/* More changes than the session stores remove the earliest steps only. */
static void test_many(void **state)
{
    cs_client *c = *state;
    seen s = {.n = 0};
    char line[64];
    for (int i = 0; i < 100; i++) {
        snprintf(line, sizeof line, "set target.beta 0.%02d", i + 1);
        ask(c, line);
        ask(c, "step 1");
        if (i >= 90)
            note(c, &s);
    }
    compare_all(c, &s);
    forget(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_back_and_forth, start, end),
    cmocka_unit_test_setup_teardown(test_undo, start, end),
    cmocka_unit_test_setup_teardown(test_target_in_the_past, start, end),
    cmocka_unit_test_setup_teardown(test_target_in_the_last_period, start, end),
    cmocka_unit_test_setup_teardown(test_kernel_in_the_past, start, end),
    cmocka_unit_test_setup_teardown(test_kernel_at_a_change, start, end),
    cmocka_unit_test_setup_teardown(test_undo_in_the_past, start, end),
    cmocka_unit_test_setup_teardown(test_arms, start, end),
    cmocka_unit_test_setup_teardown(test_restart, start, end),
    cmocka_unit_test_setup_teardown(test_many, start, end),
};
TESTS(test_target_changes)
