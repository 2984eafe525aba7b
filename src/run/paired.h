/* Two arms in runs of several seeds, each seed the same for both: what one seed
 * makes easy or hard for both is not in their difference, so that its error is
 * less than that of two means, where they have a start or data in common. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_paired {
    double mean, error; /* of the differences; error: its standard error,
                           NAN of fewer than 2 */
    size_t n;           /* pairs of numbers; others are left out */
} cs_paired;

/* Of x - y over n runs, x and y `apart` numbers from run to run; y NULL: of x
 * alone. `logs`: of their logarithms, so that the mean is that of log(x / y). */
cs_paired cs_paired_of(const double *x, const double *y, size_t n, size_t apart,
                       bool logs);

/* How far the interval at `level` reaches to either side of the mean: Student's
 * t with n - 1 degrees of freedom. NAN: no error is known. */
double cs_paired_reach(const cs_paired *p, double level);
