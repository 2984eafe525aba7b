/* The events on the timeline, collected when snapshots are published. */
#pragma once

#include "run/history/event_list.h"

enum { CS_MOMENTS = 512, CS_HELD = CS_EVENT_KINDS };

/* An event found by a probe, or a stop at a breakpoint (kind CS_HELD). */
typedef struct cs_moment {
    uint64_t step;
    size_t arm, chain;
    unsigned kind;
} cs_moment;

/* The stored events. For the most frequent kinds, only every n-th event is
 * stored. */
typedef struct cs_history {
    cs_moment at[CS_MOMENTS];
    size_t n;
    size_t kept[CS_HELD + 1]; /* number of stored events, by kind */
    uint64_t every[CS_HELD + 1], met[CS_HELD + 1];
    uint64_t seen; /* events up to this step have been added */
} cs_history;

/* Adds the events of the run since the last call. `end` is the newest step of
 * the session (cs_session_end); later events are removed. */
void cs_history_follow(cs_history *m, const cs_run *r, uint64_t end);
void cs_history_add(cs_history *m, const cs_moment *e);
/* Removes the events after `step`. */
void cs_history_cut(cs_history *m, uint64_t step);
