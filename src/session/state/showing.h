/* The user's selection, the data that are published, and the times of
 * publication. */
#pragma once

#include "session/state/background_reports.h"

typedef struct cs_session cs_session;

enum { CS_SESSION_REPORTS = 1024 };

/* The user's selection of an arm, a chain and a coordinate; indices from 0. */
typedef struct cs_look_at {
    size_t arm, chain, coordinate;
} cs_look_at;

typedef struct cs_showing {
    double at;                        /* time of the last snapshot, s */
    double took;                      /* duration of the last publication, s */
    bool overfull;                    /* the last snapshot did not fit
                                       * completely */
    char reports[CS_SESSION_REPORTS]; /* displayed reports: names of probes
                                       * ("*": all) and other words of
                                       * cs_run_want */
    double rate, rate_time, rate_steps;
    size_t pictures; /* number of chains per arm whose states are published as
                      * pictures */
    bool dirty;      /* true if something has changed since the last snapshot */
    bool news;       /* a report was computed since the last snapshot, while
                      * paused */
    char lesson[64]; /* scenario that explains a warning of the selected arm,
                      * "": none */
} cs_showing;

/* Returns true if the report of the probe called `probe` is displayed. `self`
 * is a cs_session. */
cs_background_reports_wanted cs_session_reports;

/* Returns true if this report, which no probe computes, is displayed. This is
 * the case if the front requests the report by its name, or if the front
 * requests all reports and the scenario shows the panel. */
bool cs_session_wants(const cs_session *s, const char *report,
                      const char *panel);

/* Returns true if steps of the selected arm have been fast so far. The next
 * step is previewed only in this case, since a key press must wait for the
 * preview. */
bool cs_session_is_quick(const cs_session *s);
