/* A target that is far from the initial states, and runs with a warm-up on this
 * target. */
#pragma once

#include "run/arms/spec.h"

enum { FAR_DIM = 4 };

/* The standard deviations of a normal target, which range from 0.01 to 100. The
 * mean of each coordinate is 50 standard deviations of this coordinate. The
 * middle two coordinates are correlated. */
extern const double far_sds[FAR_DIM];
double far_covariance(size_t i, size_t j);
cs_target *far_away(void); /* [own] */

/* Returns window_adaptation with n steps and this kind of metric. */
cs_tuner window_tuner(uint64_t steps, cs_metric_kind kind);

/* Opens a run of one arm with all chains at 0. `tuner` may be NULL. */
cs_run *far_run(cs_target *t, const char *kernel, const cs_tuner *tuner,
                size_t chains, size_t workers, size_t lanes);

/* Returns true if states, metric, trials and results of two runs are equal bit
 * for bit. If `work`, the counts of work must be equal too. */
bool same_run(cs_run *a, cs_run *b, bool work);
