/* Background reports: the costly reports of a displayed run
 * (cs_probe_type.costly), computed on a low-priority thread from copies of the
 * probes' memories, one arm at a time. A snapshot has the last report of each
 * with its age. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_aside cs_aside;

/* Report of the displayed quantities of the draws, numbered after the last
 * probe. */
#define CS_DRAWS_REPORT "draws"

/* Returns NULL if there is no memory. The thread starts with the first
 * report. */
cs_aside *cs_aside_create(void);
void cs_aside_destroy(cs_aside *a);

/* Returns a descriptor that becomes readable when a report is done. */
int cs_aside_fd(const cs_aside *a);

/* Call before the run is destroyed and after it was moved to another step:
 * waits for the report in progress and drops all reports. */
void cs_aside_forget(cs_aside *a);

/* True if the report of a probe is wanted. */
typedef bool cs_aside_wanted(const void *self, const char *probe);

/* Call between steps: stores a finished report and starts the oldest wanted one
 * that is not of this step; while the run advances, seldom enough to slow it
 * little. Returns true if a report was stored. */
bool cs_aside_tend(cs_aside *a, cs_run *r, bool running,
                   cs_aside_wanted *wanted, const void *self);

/* True if a report is in progress or done: cs_aside_fd becomes readable. */
bool cs_aside_is_busy(cs_aside *a);

/* True if every wanted report is of this step. */
bool cs_aside_is_current(const cs_aside *a, const cs_run *r,
                         cs_aside_wanted *wanted, const void *self);

/* Returns a probe's last report of an arm, a cs_flat table, and its step; NULL:
 * none yet. It is valid until the next cs_aside_tend. */
const unsigned char *cs_aside_last(const cs_aside *a, size_t arm, size_t probe,
                                   size_t *used, uint64_t *step);

/* Publishes the last report of an arm by a probe (past the last one:
 * CS_DRAWS_REPORT) and its age in seconds under "arm/i/PROBE/age", 0 if it is
 * of this step. */
void cs_aside_put(const cs_aside *a, const cs_run *r, size_t arm, size_t probe,
                  cs_flat *f);
