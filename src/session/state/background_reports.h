/* Background reports: the costly reports of a displayed run
 * (cs_probe_type.costly), computed on a low-priority thread from copies of the
 * probes' memories, one arm at a time. A snapshot has the last report of each
 * with its age. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_background_reports cs_background_reports;

/* Report of the displayed quantities of the draws, numbered after the last
 * probe. */
#define CS_DRAWS_REPORT "draws"

/* Returns NULL if there is no memory. The thread starts with the first
 * report. */
cs_background_reports *cs_background_reports_create(void);
void cs_background_reports_destroy(cs_background_reports *a);

/* Returns a descriptor that becomes readable when a report is done. */
int cs_background_reports_fd(const cs_background_reports *a);

/* Call before the run is destroyed and after it was moved to another step:
 * waits for the report in progress and drops all reports. */
void cs_background_reports_forget(cs_background_reports *a);

/* True if the report of a probe is wanted. */
typedef bool cs_background_reports_wanted(const void *self, const char *probe);

/* Call between steps: stores a finished report and starts the oldest wanted one
 * that is not of this step; while the run advances, seldom enough to slow it
 * little. Returns true if a report was stored. */
bool cs_background_reports_tend(cs_background_reports *a, cs_run *r,
                                bool running,
                                cs_background_reports_wanted *wanted,
                                const void *self);

/* True if a report is in progress or done: cs_background_reports_fd becomes readable. */
bool cs_background_reports_is_busy(cs_background_reports *a);

/* True if every wanted report is of this step. */
bool cs_background_reports_is_current(const cs_background_reports *a,
                                      const cs_run *r,
                                      cs_background_reports_wanted *wanted,
                                      const void *self);

/* Returns a probe's last report of an arm, a cs_flat table, and its step; NULL:
 * none yet. It is valid until the next cs_background_reports_tend. */
const unsigned char *cs_background_reports_last(const cs_background_reports *a,
                                                size_t arm, size_t probe,
                                                size_t *used, uint64_t *step);

/* Publishes the last report of an arm by a probe (past the last one:
 * CS_DRAWS_REPORT) and its age in seconds under "arm/i/PROBE/age", 0 if it is
 * of this step. */
void cs_background_reports_put(const cs_background_reports *a, const cs_run *r,
                               size_t arm, size_t probe, cs_flat *f);
