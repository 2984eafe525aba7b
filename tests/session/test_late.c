/* A command does not wait for the end of a quantum whose steps have become much
 * slower than those that it was sized by. */
#include "leave.h"
#include "support/support.h"

#include "base/clock.h"
#include "script/host.h"
#include "session/client/client.h"
#include "session/session.h"

#include <signal.h>
#include <time.h>

enum { PATIENCE = 30 }; /* seconds; the quantum would take minutes */

static int child(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    cs_host host;
    const cs_script_limits limits = {.seconds = 30};
    (void)argument;
    if (cs_script_host_create(&host, &limits, NULL, NULL) != CS_OK)
        return 1;
    int code = cs_session_main(fd, snapshots, wake, &host);
    cs_script_host_destroy(&host);
    raise(SIGTERM); /* from a front that closes it, and is late */
    return without_leaks(code);
}

static void ask(cs_client *c, const char *line)
{
    static uint32_t id;
    assert_int_equal(cs_client_send(c, line, ++id, NULL), CS_OK);
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 50)) {
        const cs_message *m = cs_client_reply(c);
        if (m && m->status)
            fail_msg("%s: %s", line, (const char *)m->body);
        if (m)
            return;
    }
    cs_client_destroy(c);
    fail_msg("no reply to %s", line);
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
    fail_msg("%g steps are never made", steps);
}

static void test_a_late_quantum_is_cut(void **state)
{
    (void)state;
    const struct timespec moment = {.tv_sec = 1};
    cs_client *c = NULL;
    assert_int_equal(cs_client_create(&c, child, NULL, NULL), CS_OK);
    ask(c, "open session/late.lua");
    ask(c, "toggle");
    wait_steps(c, 50000);
    nanosleep(&moment, NULL); /* by now its steps are slow */
    ask(c, "pause");
    assert_int_equal(leave(c), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_late_quantum_is_cut),
};
TESTS(test_late)
