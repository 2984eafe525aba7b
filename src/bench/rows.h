/* B10: logistic regression over the rows of a table, as the built-in target
 * and as a term written in Lua, beside the loop that one writes with GSL. */
#ifndef CS_BENCH_ROWS_H
#define CS_BENCH_ROWS_H

#include "bench/cases.h"

/* Measures and prints the rows of B10 that the plan wants. */
cs_status cs_bench_rows(const cs_bench_plan *plan, cs_error *err);

#endif
