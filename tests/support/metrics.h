/* Metrics for tests, and a function that calls a test for every kernel that
 * uses a metric. */
#pragma once

#include "kernel/lanes.h"
#include "run/arms/spec.h"
#include "support/laws.h"

enum { MOST = 19 }; /* largest number of coordinates */

/* Creates a metric. If `even`, the metric is the unit matrix; otherwise the
 * standard deviations are unequal. [own] */
cs_metric *metric_of(cs_metric_kind kind, size_t dim, bool even);

/* The products L v, L' v and L^-1 v, computed over the arrays of a step. */
typedef enum product { FACTOR, TRANSPOSED, SOLVE, PRODUCTS } product;
void multiply(const cs_metric *m, product which, cs_span s, const double *v,
              double *out);

cs_target *small(const cs_target_type *type); /* [own] */

/* Calls `f` for every kernel that uses a metric, with every compatible setting
 * of the law book (support/laws.h). If `wrapped`, also calls `f` for wrappers
 * around such kernels. Returns the number of calls. */
typedef void each_setting(const setting *s, cs_target *t);
size_t for_all(each_setting *f, cs_target *t, bool wrapped);

/* Opens a run of 11 chains; its arm has the metric of the setting. */
cs_run *run_of(const setting *s, cs_target *t, size_t workers, size_t lanes);

void run_on(cs_block *b, size_t n);
