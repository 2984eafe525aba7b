/* The figures of the bench. */
#ifndef CS_BENCH_CASES_H
#define CS_BENCH_CASES_H

#include "base/status.h"
#include "bench/row.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether one of the names is the beginning of this id; no names: all. */
bool cs_bench_wants(const cs_bench_plan *plan, const char *id);

/* Measures and prints the cases. Fails when one cannot be run; a figure that
 * misses what is asked of it is no failure: plan->missed counts those. */
cs_status cs_bench_main(const cs_bench_plan *plan, cs_error *err);

#endif
