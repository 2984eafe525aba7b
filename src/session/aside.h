/* The dear reports of a run that is watched (probe/probe.h), made on a thread
 * of its own that gives way to the chains: each from a copy of what it needs,
 * one arm at a time. What it last said is shown with its age. */
#ifndef CS_SESSION_ASIDE_H
#define CS_SESSION_ASIDE_H

#include "run/run.h"

typedef struct cs_aside cs_aside;

/* NULL: no memory. The thread begins with the first report. */
cs_aside *cs_aside_create(void);
void cs_aside_destroy(cs_aside *a);

/* Becomes readable when a report is done. */
int cs_aside_fd(const cs_aside *a);

/* The run goes, or goes back: waits for the report under way and forgets all
 * that was reported. */
void cs_aside_forget(cs_aside *a);

/* Whether the report of a probe is wanted. */
typedef bool cs_aside_wanted(const void *self, const char *probe);

/* Between steps: takes what is done and begins the next report that is wanted
 * and not of this step; while the run goes on not too often. Whether there is
 * something new. */
bool cs_aside_tend(cs_aside *a, cs_run *r, bool running,
                   cs_aside_wanted *wanted, const void *self);

/* Whether every report that is wanted is of this step. */
bool cs_aside_is_current(const cs_aside *a, const cs_run *r,
                         cs_aside_wanted *wanted, const void *self);

/* What a probe last reported of an arm, and its age: under "arm/i/PROBE/age"
 * the seconds since, 0 where it is of this step. */
void cs_aside_put(const cs_aside *a, const cs_run *r, size_t arm, size_t probe,
                  cs_flat *f);

#endif
