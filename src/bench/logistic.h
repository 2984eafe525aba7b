/* The data of B10: rows x ~ N(0, I) of ten numbers, and y by the logistic law
 * with coefficients +-1 / sqrt(10). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_BENCH_LOGISTIC = 10, CS_BENCH_LOGISTIC_ROWS = 1000 /* for W3 */ };

/* The target on them in Lua, a term a row, prior N(0, 100 I): a chunk that
 * returns it, the table in the file FILE. */
extern const char cs_bench_logistic_code[];

/* x[n][CS_BENCH_LOGISTIC], y[n]: 0 or 1. Of six decimals, so that a file holds
 * what is computed with. */
void cs_bench_logistic_make(size_t n, double *x, double *y);

/* Writes them as columns x1 .. x10, y; false: it cannot. */
bool cs_bench_logistic_write(const char *file, size_t n, const double *x,
                             const double *y);
