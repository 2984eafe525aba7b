/* Tests that a session ends on request at any time. If a step does not end, the
 * session interrupts it. If the session cannot interrupt the step, the process
 * of the session exits. */
#include "session_of.h"
#include "support/cost.h"

#include <string.h>

/* Serves without a time limit on steps. */
static int endless(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    (void)argument;
    return without_leaks(serve(fd, snapshots, wake, 1e6));
}

/* Waits for a snapshot in which the state of the run is `want` or, if `is` is
 * false, another state. */
static bool see(cs_client *c, const char *want, bool is)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &e, "run/state") && e.text &&
            (strcmp(e.text, want) == 0) == is)
            return true;
    return false;
}

static void test_an_idle_one_ends(void **state)
{
    (void)state;
    cs_client *c = NULL;
    assert_int_equal(cs_client_create(&c, endless, NULL, NULL), CS_OK);
    assert_true(see(c, "empty", true)); /* the session is ready */
    assert_int_equal(leave(c), 0);
}

#if !defined(__SANITIZE_THREAD__) /* TSan delays signals during a loop */
static void tell(cs_client *c, const char *line)
{
    assert_int_equal(cs_client_send(c, line, 1, NULL), CS_OK);
}

/* Waits until the session uses CPU time. An idle session uses none. */
static void wait_busy(cs_client *c)
{
    double before = cost_of_children();
    while (cost_of_children() < before + 0.3)
        cs_client_wait(c, 10);
}

static cs_client *get_stuck(void)
{
    cs_client *c = NULL;
    assert_int_equal(cs_client_create(&c, endless, NULL, NULL), CS_OK);
    tell(c, "open session/stuck.lua");
    assert_true(see(c, "paused", true));
    tell(c, "toggle");
    wait_busy(c);
    return c;
}

static void test_a_step_without_end_is_interrupted(void **state)
{
    (void)state;
    cs_client *c = get_stuck();
    cs_client_interrupt(c);
    bool stands = see(c, "running", false);
    if (!stands)
        cs_client_close(c, 0);
    assert_true(stands);
    assert_int_equal(leave(c), 0);
}

static void test_a_step_without_end_is_left(void **state)
{
    (void)state;
    assert_int_equal(leave(get_stuck()), 0);
}

static cs_status be_deaf(void *self, const char *code, cs_host_print *print,
                         void *to, cs_error *err)
{
    (void)self, (void)code, (void)print, (void)to, (void)err;
    for (volatile bool deaf = true; deaf;)
        ;
    return CS_OK;
}

static int deaf_child(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    const cs_host host = {.eval = be_deaf};
    (void)argument;
    return cs_session_main(fd, snapshots, wake, &host);
}

/* The session exits by itself. If the front (the process with the screen) has
 * died, no other process would kill the session. */
static void test_a_deaf_script_is_left(void **state)
{
    (void)state;
    cs_client *c = NULL;
    assert_int_equal(cs_client_create(&c, deaf_child, NULL, NULL), CS_OK);
    tell(c, "lua deaf");
    wait_busy(c);
    assert_int_equal(leave(c), 1);
}
#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_idle_one_ends),
#if !defined(__SANITIZE_THREAD__)
    cmocka_unit_test(test_a_step_without_end_is_interrupted),
    cmocka_unit_test(test_a_step_without_end_is_left),
    cmocka_unit_test(test_a_deaf_script_is_left),
#endif
};
TESTS(test_ends)
