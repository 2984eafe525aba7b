/* A change in the past: the run's old branch continues beside the new one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_session cs_session;

typedef struct cs_branched {
    uint64_t step;
    size_t arm; /* arm whose old branch continues beside it ... */
    bool there; /* ... from that step on */
} cs_branched;

/* After a change of an arm at a step in the past: its old branch continues as
 * another arm. False: it does not; `course` leads back to it. */
bool cs_session_branch(cs_session *s);
