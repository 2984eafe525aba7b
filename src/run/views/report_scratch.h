/* Memory that a run uses for its reports. */
#pragma once

#include "run/draws/quantities.h"
#include "run/views/bin_truth.h"

#include <pthread.h>

/* Memory for reports, and for results that are computed only once. */
typedef struct cs_report_scratch {
    cs_lane_memory *lane; /* [largest number of chains of an arm] [own] */
    pthread_mutex_t lock; /* held while an expensive report is made */
    cs_binned binned[CS_BINNED];
    bool bins_looked; /* the kernels were searched for bins */
    cs_quantities wanted;
    double *state; /* [2 * dim + 2 * shown] state shown in views [own] */
} cs_report_scratch;

/* Writes the kernel's report. Returns false if the kernel has no report. Exact
 * masses of bins that take long to compute are computed only if `now` is set
 * (run/views/bin_truth.h). */
bool cs_arm_report(cs_run *r, cs_arm *a, const char *prefix, bool now,
                   cs_flat *out);
