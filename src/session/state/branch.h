/* Handles a change at a past step: the old branch of the changed arm continues
 * as a separate arm. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_session cs_session;

typedef struct cs_branched {
    uint64_t step;
    size_t arm; /* arm that was changed */
    /* true if the arm's old branch was kept when the arm was changed at
     * `step` */
    bool there;
} cs_branched;

/* Call after a change of an arm at a past step: continues the arm's old branch
 * as another arm. Returns false if the old branch cannot continue; the command
 * `branch` then returns to the old branch. */
bool cs_session_branch(cs_session *s);
