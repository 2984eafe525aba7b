#include "run/summary/paired.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

cs_paired cs_paired_of(const double *x, const double *y, size_t n, size_t apart,
                       bool logs)
{
    cs_paired out = {(double)NAN, (double)NAN, 0};
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double a = x[i * apart], b = y ? y[i * apart] : logs;
        double v = logs ? log(a / b) : a - b;
        if (!isfinite(v))
            continue;
        double delta = v - mean;
        mean += delta / (double)++out.n;
        squares += delta * (v - mean);
    }
    if (out.n)
        out.mean = mean;
    if (out.n > 1)
        out.error = sqrt(squares / (double)(out.n - 1) / (double)out.n);
    return out;
}

double cs_paired_reach(const cs_paired *p, double level)
{
    assert(level > 0 && level < 1);
    if (p->n < 2)
        return (double)NAN;
    return gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)(p->n - 1)) * p->error;
}
