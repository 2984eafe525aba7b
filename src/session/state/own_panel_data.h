/* Data of the scenario's own panels. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

typedef struct cs_own_panels {
    bool there;   /* the scenario has such panels */
    cs_flat flat; /* [own base] the panels' data at ... */
    bool known;
    uint64_t place;      /* ... this state of the run */
    double made, next;   /* s: time of the last call, earliest next */
    uint64_t sample;     /* step of the next point of the curves */
    double since, spent; /* start of counting; s of calls for curves, */
    double last;         /* and in the last of these calls */
} cs_own_panels;

/* Resets after another run was opened and attached, or at the end. */
void cs_own_opened(cs_own_panels *o, const cs_host *h);
void cs_own_close(cs_own_panels *o);
/* Updates after the run was moved to another step. */
void cs_own_placed(cs_own_panels *o, const cs_host *h);
/* Updates after the selection of panels has changed. */
void cs_own_ask(cs_own_panels *o);
/* Returns how many of n steps from `now` on lead to the next point of the
 * curves. cs_own_sample adds the point if the run is at its step. */
uint64_t cs_own_limit(const cs_own_panels *o, uint64_t now, uint64_t n);
void cs_own_sample(cs_own_panels *o, const cs_host *h, uint64_t now);
/* Computes the panels' data if due; true: it did. */
bool cs_own_tend(cs_session *s);
/* True if the panels' data are those of the current step of the run (NULL: none
 * is open); cs_own_wait returns the seconds until they are computed. */
bool cs_own_is_current(const cs_own_panels *o, const cs_run *r);
double cs_own_wait(const cs_own_panels *o, const cs_run *r);
void cs_own_put(const cs_own_panels *o, cs_flat *f);
