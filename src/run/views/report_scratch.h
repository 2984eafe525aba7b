/* Memory of a run for its reports. */
#pragma once

#include "run/draws/quantities.h"
#include "run/views/bin_truth.h"

#include <pthread.h>

/* Memory for reports, and results that are computed once. */
typedef struct cs_report_scratch {
    cs_lane_memory *lane; /* [largest number of chains of an arm] [own] */
    pthread_mutex_t lock; /* held by a costly report */
    cs_binned binned[CS_BINNED];
    bool bins_looked; /* for kernels with bins */
    cs_quantities wanted;
    double *state; /* [2 * dim + 2 * shown] for views [own] */
} cs_report_scratch;

/* Writes the kernel's report; false: none. Exact masses of bins that take time
 * are computed only with `now` (run/views/bin_truth.h). */
bool cs_arm_report(cs_run *r, cs_arm *a, const char *prefix, bool now,
                   cs_flat *out);
