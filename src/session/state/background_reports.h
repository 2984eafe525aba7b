/* Background reports: the costly reports of a displayed run
 * (cs_probe_type.costly), computed by a thread of low priority from copies of
 * the probes' memories, for one arm at a time. A snapshot contains the last
 * report of each probe and the report's age. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_background_reports cs_background_reports;

/* Name of the report on the displayed quantities of the draws. Its number
 * follows the number of the last probe. */
#define CS_DRAWS_REPORT "draws"

/* Creates the background reports. Returns NULL if memory runs out. The thread
 * starts with the first report. */
cs_background_reports *cs_background_reports_create(void);
void cs_background_reports_destroy(cs_background_reports *a);

/* Returns a descriptor that becomes readable when a report is complete. */
int cs_background_reports_fd(const cs_background_reports *a);

/* Waits for the report in progress and drops all reports. Call this before the
 * run is destroyed, and after it was moved to another step. */
void cs_background_reports_forget(cs_background_reports *a);

/* Returns true if the report of a probe is wanted. */
typedef bool cs_background_reports_wanted(const void *self, const char *probe);

/* Stores a completed report, and starts to replace the oldest wanted report if
 * it is older than the current step. While the run advances, only a few reports
 * are started, so that they hardly slow down the run. Call this between steps.
 * Returns true if a report was stored. */
bool cs_background_reports_tend(cs_background_reports *a, cs_run *r,
                                bool running,
                                cs_background_reports_wanted *wanted,
                                const void *self);

/* Returns true if a report is being computed, or is complete but not yet
 * stored; cs_background_reports_fd then becomes readable. */
bool cs_background_reports_is_busy(cs_background_reports *a);

/* Returns true if every wanted report describes the current step. */
bool cs_background_reports_is_current(const cs_background_reports *a,
                                      const cs_run *r,
                                      cs_background_reports_wanted *wanted,
                                      const void *self);

/* Returns the last report of an arm by a probe, a cs_flat table, and the
 * report's step. If there is no report yet, returns NULL. The table is valid
 * until the next cs_background_reports_tend. */
const unsigned char *cs_background_reports_last(const cs_background_reports *a,
                                                size_t arm, size_t probe,
                                                size_t *used, uint64_t *step);

/* Publishes the last report on an arm by a probe, and its age in seconds under
 * "arm/i/PROBE/age". The age is 0 for a report of the current step. If the
 * number of the probe follows that of the last probe, publishes
 * CS_DRAWS_REPORT. */
void cs_background_reports_put(const cs_background_reports *a, const cs_run *r,
                               size_t arm, size_t probe, cs_flat *f);
