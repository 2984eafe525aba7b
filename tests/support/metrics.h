/* Metrics for tests, and the kernels that use one. */
#pragma once

#include "kernel/lanes.h"
#include "run/arms/spec.h"
#include "support/laws.h"

enum { MOST = 19 }; /* coordinates */

/* With n distinct coordinates; `even`: the unit matrix. [own] */
cs_metric *metric_of(cs_metric_kind kind, size_t dim, bool even);

/* out = L v, L' v, L^-1 v, over the arrays of a step. */
typedef enum product { FACTOR, TRANSPOSED, SOLVE, PRODUCTS } product;
void multiply(const cs_metric *m, product which, cs_span s, const double *v,
              double *out);

cs_target *small(const cs_target_type *type); /* [own] */

/* Calls `f` for every kernel that uses a metric, with every setting of the law
 * book that fits, and with `wrapped` for wrappers around these; returns their
 * number. */
typedef void each_setting(const setting *s, cs_target *t);
size_t for_all(each_setting *f, cs_target *t, bool wrapped);

/* A run of 11 chains, its arm with the metric of the setting. */
cs_run *run_of(const setting *s, cs_target *t, size_t workers, size_t lanes);

void run_on(cs_block *b, size_t n);
