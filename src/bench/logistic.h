/* The data of case B10: rows of ten numbers x ~ N(0, I), and y from a logistic
 * model with coefficients +-1 / sqrt(10). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    CS_BENCH_LOGISTIC = 10,
    CS_BENCH_LOGISTIC_ROWS = 1000 /* number of rows
                                                              * in W3 */
};

/* Lua chunk that returns the target on these data, with one term per row and
 * prior N(0, 100 I). FILE is the path of the table. */
extern const char cs_bench_logistic_code[];

/* Fills x[n][CS_BENCH_LOGISTIC], and y[n] with 0 or 1. The values of x have six
 * decimals, so that the file contains exactly the values used. */
void cs_bench_logistic_make(size_t n, double *x, double *y);

/* Writes the data to the file, as columns x1 .. x10, y. Returns false on
 * failure. */
bool cs_bench_logistic_write(const char *file, size_t n, const double *x,
                             const double *y);
