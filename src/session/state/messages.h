/* Messages to the user. */
#pragma once

#include "session/client/snapshot.h"

typedef struct cs_session cs_session;

typedef struct cs_messages {
    char newest[1024];
    uint64_t n;
    char said[CS_SAID][256]; /* the newest ones, cut, in turn */
    double said_at[CS_SAID]; /* the run's step at each */
} cs_messages;

/* Adds one, said at the step where the run is, for the next snapshot. */
void cs_session_say(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
