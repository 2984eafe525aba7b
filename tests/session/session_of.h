/* A session that runs scripts in a separate process, and the client of this
 * session. */
#ifndef TESTS_SESSION_SESSION_OF_H
#define TESTS_SESSION_SESSION_OF_H

#include "leave.h"
#include "support/support.h"

#include "base/clock.h"
#include "script/host.h"
#include "session/client/client.h"
#include "session/session.h"

enum { PATIENCE = 60 }; /* seconds until a session is considered to hang */

/* Runs the session and returns its exit code. A call of a script may take at
 * most `seconds` seconds. */
static inline int serve(int fd, cs_snapshots *snapshots, int wake,
                        double seconds)
{
    cs_host host;
    const cs_script_limits limits = {.seconds = seconds};
    if (cs_script_host_create(&host, &limits, NULL, NULL) != CS_OK)
        return 1;
    int code = cs_session_main(fd, snapshots, wake, &host);
    cs_script_host_destroy(&host);
    return code;
}

static inline int child(int fd, cs_snapshots *snapshots, int wake,
                        void *argument)
{
    (void)argument;
    return without_leaks(serve(fd, snapshots, wake, 30));
}

/* Returns the reply to a command, which must succeed. The reply is valid until
 * the next command. */
static inline const char *ask(cs_client *c, const char *line)
{
    static uint32_t id;
    assert_int_equal(cs_client_send(c, line, ++id, NULL), CS_OK);
    for (double end = cs_clock() + PATIENCE; cs_clock() < end;
         cs_client_wait(c, 50)) {
        const cs_message *m = cs_client_reply(c);
        if (m && m->status)
            fail_msg("%s: %s", line, (const char *)m->body);
        if (m)
            return (const char *)m->body;
    }
    fail_msg("no reply to %s", line);
    return NULL;
}

#endif
