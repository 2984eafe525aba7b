/* The session, which owns the open run. A loop advances the run in quanta of a
 * few milliseconds, obeys command lines between quanta, and publishes
 * snapshots. While the run is paused, the loop sleeps in poll and uses no
 * processor time. */
#pragma once

#include "session/client/snapshot.h"
#include "session/host/script_host.h"

/* Obeys command lines from the socket `fd` (session/client/wire.h) until the
 * socket is closed, `quit` is read or SIGTERM arrives. Returns an exit code.
 * Writes 1 to the eventfd `wake` after each snapshot and reply. Sets handlers
 * for SIGUSR1 (interrupt) and SIGTERM, so it must run in a separate process. */
int cs_session_main(int fd, cs_snapshots *snapshots, int wake,
                    const cs_host *host);
