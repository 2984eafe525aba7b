/* The bench: cases that measure and print rows (bench/row.h). A case is a const
 * table cs_bench_case_NAME at the end of its file, and one line in bench.def. */
#pragma once

#include "base/status.h"
#include "bench/row.h"
#include "run/arms/spec.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_bench_case {
    /* Measures and prints those of its rows that the plan wants. */
    cs_status (*run)(const cs_bench_plan *plan, cs_error *err);
    /* Their beginning, of rows that take minutes: without names they are left
     * out. NULL: they do not. */
    const char *minutes;
} cs_bench_case;

/* Whether one of the names is the beginning of this id; no names: all. */
bool cs_bench_wants(const cs_bench_plan *plan, const char *id);

/* The beginning of the rows that a plan leaves out, of the first such case, or
 * NULL. */
const char *cs_bench_left_out(const cs_bench_plan *plan);

/* A run of one kernel on one target, from seed 1, as cases measure it. */
typedef struct cs_bench_setting {
    const char *target;
    const cs_value *target_values;
    size_t n_target_values;
    const char *kernel;
    const cs_value *kernel_values;
    size_t n_kernel_values;
    size_t chains;
    size_t workers;      /* 0: one */
    size_t keep;         /* draws of each chain, 0: the last two */
    const double *start; /* [dim], NULL: the target's own */
    const char *probe;   /* NULL: none */
} cs_bench_setting;
cs_status cs_bench_open(const cs_bench_setting *s, cs_run **run, cs_error *err);

/* A number for a parameter, and a setting of it. */
cs_value cs_bench_value(const char *name, double value);

/* CPU seconds of the calling thread for some steps of every chain. */
cs_status cs_bench_advance(cs_run *run, uint64_t steps, double *seconds,
                           cs_error *err);

/* Measures and prints the cases. Fails when one cannot be run; a missed limit
 * is not a failure: plan->count counts those. */
cs_status cs_bench_main(const cs_bench_plan *plan, cs_error *err);
