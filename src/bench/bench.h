/* Benchmarks: cases that measure and print rows (bench/row.h). To add a case,
 * define a const table cs_bench_case_NAME at the end of a file, and add one
 * line to bench.def. */
#pragma once

#include "base/status.h"
#include "bench/row.h"
#include "run/arms/spec.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_bench_case {
    /* Measures and prints the case's rows that the plan selects. */
    cs_status (*run)(const cs_bench_plan *plan, cs_error *err);
    /* Prefix of the ids of rows that take minutes. Such rows are skipped unless
     * the plan names them. NULL: no row of the case takes minutes. */
    const char *minutes;
} cs_bench_case;

/* Returns true if one of the names in the plan is a prefix of this id. A plan
 * without names selects all rows. */
bool cs_bench_wants(const cs_bench_plan *plan, const char *id);

/* Finds the first case with skipped rows and returns the prefix of their ids.
 * Returns NULL if no rows are skipped. */
const char *cs_bench_left_out(const cs_bench_plan *plan);

/* A setting that a case measures: a run of one kernel on one target, from seed
 * 1. */
typedef struct cs_bench_setting {
    const char *target;
    const cs_value *target_values;
    size_t n_target_values;
    const char *kernel;
    const cs_value *kernel_values;
    size_t n_kernel_values;
    size_t chains;
    size_t workers;      /* number of workers; 0: one worker */
    size_t keep;         /* draws kept per chain; 0: the last two */
    const double *start; /* [dim] starting state; NULL: the target's own */
    const char *probe;   /* name of a probe; NULL: no probe */
} cs_bench_setting;
cs_status cs_bench_open(const cs_bench_setting *s, cs_run **run, cs_error *err);

/* Returns `value` as the value of the parameter `name`. */
cs_value cs_bench_value(const char *name, double value);

/* Advances every chain by `steps` steps, and sets *seconds to the CPU time that
 * the calling thread needed. */
cs_status cs_bench_advance(cs_run *run, uint64_t steps, double *seconds,
                           cs_error *err);

/* Measures and prints the cases. Fails if a case cannot be run. A requirement
 * that is not met is not a failure; plan->count counts the
 * requirements that are not met. */
cs_status cs_bench_main(const cs_bench_plan *plan, cs_error *err);
