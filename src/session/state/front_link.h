/* The connection between a session and its front. */
#pragma once

#include "session/client/snapshot.h"
#include "session/client/wire.h"

typedef struct cs_front_link {
    int fd, wake; /* socket for commands and replies; eventfd that wakes the
                   * front */
    cs_snapshot_end end;
    cs_message in, out; /* current command, and reply to this command */
    bool quit;
} cs_front_link;

/* Wakes the front. */
void cs_front_poke(const cs_front_link *l);
