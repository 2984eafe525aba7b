/* Tests that a command does not wait for the end of a time quantum if steps
 * suddenly become much slower. The number of steps in the quantum was computed
 * from the earlier, faster steps. */
#include "session/client/client.h"
#include "session_of.h"

#include <signal.h>
#include <time.h>

static int late_child(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    int code = serve(fd, snapshots, wake, 30);
    (void)argument;
    raise(SIGTERM); /* a front may send SIGTERM after the session has ended */
    return without_leaks(code);
}

static void wait_steps(cs_client *c, double steps)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 10))
        if (cs_client_snapshot(c, &base, &used) &&
            cs_flat_find(base, used, &e, "run/steps") && e.data[0] >= steps)
            return;
    fail_msg("the run did not reach %g steps", steps);
}

static void test_a_late_quantum_is_cut(void **state)
{
    (void)state;
    const struct timespec moment = {.tv_sec = 1};
    cs_client *c = NULL;
    assert_int_equal(cs_client_create(&c, late_child, NULL, NULL), CS_OK);
    ask(c, "open session/late.lua");
    ask(c, "toggle");
    wait_steps(c, 50000);
    nanosleep(&moment, NULL); /* after this second the steps are slow */
    ask(c, "pause");
    assert_int_equal(leave(c), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_late_quantum_is_cut),
};
TESTS(test_late)
