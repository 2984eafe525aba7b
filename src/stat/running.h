/* The running mean over time, and its standard error. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>

/* Draws are cut into `times` batches of n / times draws each. The last draws,
 * which do not fill a batch, are left out. Batch t, from 0, ends at draw (t +
 * 1) (n / times). With weights w[chains][n] (NULL: equal weights) the means are
 * ratios of weighted sums. The error at a time is computed from the batches up
 * to that time: by cs_mcse_mean of the batch means if the weights are equal,
 * else by cs_weighted_error. The error is NAN for fewer than eight batches. */
typedef struct cs_running {
    size_t times;
    double *mean, *error; /* [times] over all chains [own cs_free(mean)] */
    double *chain;        /* [chains][times] of each chain */
} cs_running;

/* Computes the running means. Returns false if memory is short or there are
 * fewer draws than times. */
bool cs_running_means(cs_draws d, const double *w, size_t times,
                      cs_running *out);
