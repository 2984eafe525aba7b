/* The costly reports of a run that is watched (cs_probe_type.costly), made on
 * a thread of low priority from copies of the probes' memories, one arm at a
 * time. A snapshot shows the last report of each with its age. */
#pragma once

#include "run/run.h"

typedef struct cs_aside cs_aside;

/* What is looked at of the draws, as the report past the last probe. */
#define CS_DRAWS_REPORT "draws"

/* NULL: no memory. The thread begins with the first report. */
cs_aside *cs_aside_create(void);
void cs_aside_destroy(cs_aside *a);

/* Becomes readable when a report is done. */
int cs_aside_fd(const cs_aside *a);

/* To be called before the run is destroyed and after it was put at another
 * step: waits for the report under way and drops all reports. */
void cs_aside_forget(cs_aside *a);

/* Whether the report of a probe is wanted. */
typedef bool cs_aside_wanted(const void *self, const char *probe);

/* Call it between steps: takes a report that is done, and begins the oldest
 * one that is wanted and not of this step; while the run goes on, seldom enough
 * to slow it little. Returns whether a report was taken. */
bool cs_aside_tend(cs_aside *a, cs_run *r, bool running,
                   cs_aside_wanted *wanted, const void *self);

/* Whether a report is under way or done: cs_aside_fd becomes readable. */
bool cs_aside_is_busy(cs_aside *a);

/* Whether every report that is wanted is of this step. */
bool cs_aside_is_current(const cs_aside *a, const cs_run *r,
                         cs_aside_wanted *wanted, const void *self);

/* What a probe last reported of an arm, a cs_flat table, and of which step; NULL:
 * nothing yet. It is there until the next cs_aside_tend. */
const unsigned char *cs_aside_last(const cs_aside *a, size_t arm, size_t probe,
                                   size_t *used, uint64_t *step);

/* What a probe (past the last one: CS_DRAWS_REPORT) last reported of an arm, and
 * its age: under "arm/i/PROBE/age"
 * the seconds since, 0 where it is of this step. */
void cs_aside_put(const cs_aside *a, const cs_run *r, size_t arm, size_t probe,
                  cs_flat *f);
