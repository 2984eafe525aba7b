/* What the scenario's own panels show. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

typedef struct cs_own_panels {
    bool there;   /* it has some */
    cs_flat flat; /* [own base] what they show: of ... */
    bool known;
    uint64_t place;      /* ... the state of the run that this is */
    double made, next;   /* when; not made again before that, in seconds */
    uint64_t sample;     /* the step at which their curves have a point */
    double since, spent; /* seconds of calls for curves, since then, */
    double last;         /* and of the last of them */
} cs_own_panels;

/* Another run is open, and attached; the end. */
void cs_own_opened(cs_own_panels *o, const cs_host *h);
void cs_own_close(cs_own_panels *o);
/* The run was put at another step. */
void cs_own_placed(cs_own_panels *o, const cs_host *h);
/* Others are looked at. */
void cs_own_ask(cs_own_panels *o);
/* How many of n steps from `now` on lead to the next point of their curves; adds
 * that point where the run is there. */
uint64_t cs_own_limit(const cs_own_panels *o, uint64_t now, uint64_t n);
void cs_own_sample(cs_own_panels *o, const cs_host *h, uint64_t now);
/* Makes what they show where that is due; true: it did. */
bool cs_own_tend(cs_session *s);
/* Whether what they show is of this step of the run (NULL: none is open); seconds
 * until it will be made. */
bool cs_own_is_current(const cs_own_panels *o, const cs_run *r);
double cs_own_wait(const cs_own_panels *o, const cs_run *r);
void cs_own_put(const cs_own_panels *o, cs_flat *f);
