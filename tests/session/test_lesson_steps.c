/* Tests that a session obeys commands while it completes a step of a lesson, and
 * that the next step follows when the run has stopped, in the order of the
 * commands. */
#include "session/client/client.h"
#include "session_of.h"

#include <stdlib.h>
#include <string.h>

/* Waits for a snapshot with this step of the lesson. Returns the step of its
 * run. */
static double wait_step(cs_client *c, const char *step)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &e, "course/step") &&
            strcmp(e.text, step) == 0 &&
            cs_flat_find(base, used, &e, "run/steps"))
            return e.data[0];
    fail_msg("the lesson did not reach step %s", step);
    return 0;
}

static cs_client *open_lesson(void)
{
    cs_client *c = NULL;
    assert_int_equal(cs_client_create(&c, child, NULL, NULL), CS_OK);
    ask(c, "open session/lesson.lua");
    ask(c, "course next");
    ask(c, "speed 100");
    return c;
}

/* Sends two commands at once, and waits for both replies. */
static void ask_both(cs_client *c, const char *one, const char *two)
{
    size_t replies = 0;
    assert_int_equal(cs_client_send(c, one, 1001, NULL), CS_OK);
    assert_int_equal(cs_client_send(c, two, 1002, NULL), CS_OK);
    for (double end = cs_clock() + PATIENCE; replies < 2 && cs_clock() < end;
         cs_client_wait(c, 50))
        for (const cs_message *m; (m = cs_client_reply(c)); replies++)
            assert_int_equal(m->status, CS_OK);
    if (replies < 2)
        fail_msg("no reply to %s", two);
}

static void the_next_step_follows_the_run(void **state)
{
    (void)state;
    cs_client *c = open_lesson();
    ask_both(c, "course next", "look walk");
    assert_true(wait_step(c, "3") >= 20000);
    assert_int_equal(leave(c), 0);
}

static void a_pause_drops_the_next_step(void **state)
{
    (void)state;
    cs_client *c = open_lesson();
    ask(c, "course next"); /* the third step runs without an end */
    ask_both(c, "course next", "pause");
    double steps = wait_step(c, "3");
    assert_true(steps >= 20000 && steps < 1e8);
    ask(c, "step");
    assert_true(wait_step(c, "3") < 1e8);
    assert_int_equal(leave(c), 0);
}

static void requests_of_the_lesson_keep_their_order(void **state)
{
    (void)state;
    cs_client *c = open_lesson();
    ask_both(c, "course next", "course back");
    assert_true(wait_step(c, "2") == 20000);
    assert_int_equal(leave(c), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_next_step_follows_the_run),
    cmocka_unit_test(a_pause_drops_the_next_step),
    cmocka_unit_test(requests_of_the_lesson_keep_their_order),
};
TESTS(test_lesson_steps)
