/* A target far from the initial states, and runs that warm up on it. */
#pragma once

#include "run/arms/spec.h"

enum { FAR_DIM = 4 };

/* Normal: sds 0.01 .. 100, means 50 of them away from 0; the middle two have a
 * correlation. */
extern const double far_sds[FAR_DIM];
double far_covariance(size_t i, size_t j);
cs_target *far_away(void); /* [own] */

/* window_adaptation of n steps, with a metric of the kind. */
cs_tuner window_tuner(uint64_t steps, cs_metric_kind kind);

/* A run of one arm, all chains at 0. `tuner`: NULL, none. */
cs_run *far_run(cs_target *t, const char *kernel, const cs_tuner *tuner,
                size_t chains, size_t workers, size_t lanes);

/* Equal bit for bit: states, metric, trials, results; with `work`, the
 * counts. */
bool same_run(cs_run *a, cs_run *b, bool work);
