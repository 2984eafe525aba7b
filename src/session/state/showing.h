/* The user's selection, the data published for it, and the time of
 * publication. */
#pragma once

#include "session/state/background_reports.h"

typedef struct cs_session cs_session;

enum { CS_SESSION_REPORTS = 1024 };

/* Selected indices, from 0. */
typedef struct cs_look_at {
    size_t arm, chain, coordinate;
} cs_look_at;

typedef struct cs_showing {
    double at;                        /* time of the last snapshot, s */
    double took;                      /* duration of that publication, s */
    bool overfull;                    /* ... and it did not fit completely */
    char reports[CS_SESSION_REPORTS]; /* displayed reports: probes, "*": all;
                                         words of cs_run_want */
    double rate, rate_time, rate_steps;
    size_t pictures; /* chains per arm that snapshots show as pictures */
    bool dirty;      /* something has changed since the last snapshot */
    bool news;       /* a report was computed since, while paused */
    char lesson[64]; /* scenario to which the warnings of the selected arm lead,
                       "": none */
} cs_showing;

/* True if the report of the probe of that name is displayed. */
cs_background_reports_wanted cs_session_reports; /* self: a cs_session */

/* True if a report that does not come from a probe is displayed: a front names
 * it, or all reports are requested and the scenario shows the panel. */
bool cs_session_wants(const cs_session *s, const char *report,
                      const char *panel);

/* True if a step of the chosen arm is fast, judged by its steps so far: keys
 * wait for such a step. */
bool cs_session_is_quick(const cs_session *s);
