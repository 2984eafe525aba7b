/* The events that the timeline shows: those seen when snapshots were made. */
#pragma once

#include "run/history/event_list.h"

enum { CS_MOMENTS = 512, CS_HELD = CS_EVENT_KINDS };

/* An event that was seen, or (CS_HELD) where a breakpoint held the run. */
typedef struct cs_moment {
    uint64_t step;
    size_t arm, chain;
    unsigned kind;
} cs_moment;

/* What was seen: of the most frequent kinds only each so many are kept. */
typedef struct cs_history {
    cs_moment at[CS_MOMENTS];
    size_t n;
    size_t kept[CS_HELD + 1]; /* rows of each kind */
    uint64_t every[CS_HELD + 1], met[CS_HELD + 1];
    uint64_t seen; /* those up to this step are in it */
} cs_history;

/* Takes what has happened since the last time. */
void cs_history_follow(cs_history *m, const cs_run *r);
void cs_history_add(cs_history *m, const cs_moment *e);
/* Forgets what was seen after `step`. */
void cs_history_cut(cs_history *m, uint64_t step);
