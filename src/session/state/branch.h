/* A change in the past: the course that the run had goes on beside the new one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_session cs_session;

typedef struct cs_branched {
    uint64_t step;
    size_t arm; /* the old course of which goes on beside it ... */
    bool there; /* ... from that step on */
} cs_branched;

/* After a change of an arm at a step in the past: its old course goes on as an
 * arm beside it. False: it does not, `course` leads back. */
bool cs_session_branch(cs_session *s);
