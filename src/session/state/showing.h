/* What the user looks at, what is published of it, and when. */
#pragma once

#include "session/state/aside.h"

typedef struct cs_session cs_session;

enum { CS_SESSION_REPORTS = 1024 };

/* Numbers from 0. */
typedef struct cs_look_at {
    size_t arm, chain, coordinate;
} cs_look_at;

typedef struct cs_showing {
    double at;     /* when the last snapshot was published, in seconds */
    double took;   /* how long that took */
    bool overfull; /* ... and not all of it fitted */
    char reports[CS_SESSION_REPORTS]; /* what is looked at: probes, "*": all;
                                         words of cs_run_want */
    double rate, rate_time, rate_steps;
    size_t pictures; /* chains of an arm that snapshots show as pictures */
    bool dirty;      /* something changed since the last snapshot */
    bool news;       /* a report was made since, while the run rests */
    char
        lesson[64]; /* the scenario that the warnings of the arm which is looked
                        at lead to, "": none */
} cs_showing;

/* Whether somebody looks at what the probe of that name reports. */
cs_aside_wanted cs_session_reports; /* of a cs_session */

/* Whether a report that is no probe's is looked at: a front names it, or, where
 * all is asked for, the scenario shows the panel. */
bool cs_session_wants(const cs_session *s, const char *report,
                      const char *panel);

/* Whether a step of the chosen arm is soon made, by those so far: keys wait for
 * it. */
bool cs_session_is_quick(const cs_session *s);
