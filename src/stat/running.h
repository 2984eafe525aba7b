/* The running mean over time, and its standard error. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>

/* Draws are cut into `times` batches of n / times each (the last draws, which
 * fill none, are left out). Number t of them ends at draw (t + 1) (n / times).
 * With weights w[chains][n], NULL: all alike, means are ratios. The error at a
 * time is that of the batches until then (cs_weighted_error: with equal weights
 * cs_mcse_mean of batch means); NAN of fewer than eight of them. */
typedef struct cs_running {
    size_t times;
    double *mean, *error; /* [times] of all chains [own cs_free(mean)] */
    double *chain;        /* [chains][times] of each */
} cs_running;

/* false: no memory, or fewer draws than times. */
bool cs_running_means(cs_draws d, const double *w, size_t times,
                      cs_running *out);
