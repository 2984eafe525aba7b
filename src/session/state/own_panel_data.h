/* Data of the panels that the scenario defines. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

typedef struct cs_own_panels {
    bool there;   /* true if the scenario defines panels */
    cs_flat flat; /* the panels' data [own base] */
    bool known;
    /* begun: slow panels remain to be called before `flat` describes a single
     * step; took: seconds spent in the calls since `begun` was set */
    bool begun;
    double took;
    /* hash of the numbers of steps of the run and of its arms, and of the
     * number of changes, when the first panel was called */
    uint64_t place;
    double made, next; /* time of the last call, and earliest time of the next
                          * call, in s */
    uint64_t sample;   /* step of the curves' next point */
    /* since: time at which counting started; spent: seconds spent since then
     * in calls for curves */
    double since, spent;
    double last; /* seconds spent in the last call for a curve */
} cs_own_panels;

/* Resets the data after another run was opened and attached, or at the end. */
void cs_own_opened(cs_own_panels *o, const cs_host *h);
void cs_own_close(cs_own_panels *o);
/* Updates the step of the next point after the run was moved to another
 * step. */
void cs_own_placed(cs_own_panels *o, const cs_host *h);
/* Makes the data due, because other panels are now displayed. */
void cs_own_ask(cs_own_panels *o);
/* cs_own_limit returns the number of steps, at most n, from step `now` to the
 * next point of the curves. cs_own_sample adds that point if `now` is its
 * step. */
uint64_t cs_own_limit(const cs_own_panels *o, uint64_t now, uint64_t n);
void cs_own_sample(cs_own_panels *o, const cs_host *h, uint64_t now);
/* Computes the panels' data if they are due. Returns true if they were
 * computed. */
bool cs_own_tend(cs_session *s);
/* cs_own_is_current returns true if the panels' data describe the current step
 * of the run `r`, or if `r` is NULL. cs_own_wait returns the number of seconds
 * until the data are computed. */
bool cs_own_is_current(const cs_own_panels *o, const cs_run *r);
double cs_own_wait(const cs_own_panels *o, const cs_run *r);
void cs_own_put(const cs_own_panels *o, cs_flat *f);
