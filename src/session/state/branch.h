/* Handles a change of an arm after the run went back: the arm without the
 * change (its old branch) continues as a separate arm. */
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

/* Continues the old branch of an arm as another arm. Call this after an arm was
 * changed at a past step. Returns false if the old branch cannot continue; in
 * this case the command `branch` returns to the old branch. */
bool cs_session_branch(cs_session *s);
