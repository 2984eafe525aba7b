#include "run/tuning/chain_reach.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median; for even n, the larger of the two middle values. */
static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, by_size);
    return x[n / 2];
}

cs_reach cs_reach_of(double *logp, size_t n, size_t dim)
{
    enum { LEAST = 3 };
    if (n < LEAST)
        return (cs_reach){-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < n; i++)
        if (isnan(logp[i]))
            logp[i] = -HUGE_VAL;
    double middle = median(logp, n);
    for (size_t i = 0; i < n; i++)
        logp[i] = fabs(logp[i] - middle);
    double spread = median(logp, n);
    double least = middle - 10 - (double)dim - 6 * spread;
    return (cs_reach){middle, isfinite(least) ? least : -HUGE_VAL};
}
