/* Messages to the user, published with the next snapshot. */
#pragma once

#include "session/client/snapshot.h"

typedef struct cs_session cs_session;

typedef struct cs_messages {
    char newest[1024]; /* the newest message */
    uint64_t n;        /* number of messages so far */
    /* number (from 1) of the message that reports the last opening, if it has
     * no note; 0: none */
    uint64_t opening;
    /* the newest messages, shortened to fit: message i, counted from 0, has
     * the index i % CS_SAID */
    char said[CS_SAID][256];
    double said_at[CS_SAID]; /* step of the run at each of these messages */
} cs_messages;

/* Adds a message, with the run's current step, for the next snapshot. */
void cs_session_say(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
