#include "stat/series.h"

#include "base/memory.h"
#include "stat/moments.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>

#include <math.h>
#include <stdlib.h>

cs_status cs_autocovariance(const double *x, size_t n, size_t lags, double *out,
                            cs_error *err)
{
    size_t size = 2;
    if (lags > n)
        return cs_fail(err, CS_RANGE, "%zu lags of a series of %zu", lags, n);
    while (size < 2 * n)
        size *= 2;
    double *f = cs_alloc(size, sizeof *f);
    if (!f)
        return cs_fail(err, CS_MEMORY, "out of memory");
    double mean = cs_mean(x, n);
    for (size_t i = 0; i < n; i++)
        f[i] = x[i] - mean;
    gsl_fft_real_radix2_transform(f, 1, size);
    f[0] *= f[0];
    f[size / 2] *= f[size / 2];
    for (size_t k = 1; k < size / 2; k++) {
        f[k] = f[k] * f[k] + f[size - k] * f[size - k];
        f[size - k] = 0;
    }
    gsl_fft_halfcomplex_radix2_inverse(f, 1, size);
    for (size_t k = 0; k < lags; k++)
        out[k] = f[k] / (double)n;
    cs_free(f);
    return CS_OK;
}

typedef struct place {
    double value;
    size_t at;
} place;

static int by_value(const void *a, const void *b)
{
    double x = ((const place *)a)->value, y = ((const place *)b)->value;
    return (x > y) - (x < y);
}

cs_status cs_ranks(const double *x, size_t n, double *rank, cs_error *err)
{
    place *order = cs_alloc(n, sizeof *order);
    if (!order)
        return cs_fail(err, CS_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        order[i] = (place){x[i], i};
    if (n > 1)
        qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value == order[i].value; end++)
            ;
        for (size_t j = i; j < end; j++)
            rank[order[j].at] = 0.5 * (double)(i + 1 + end);
    }
    cs_free(order);
    return CS_OK;
}

cs_status cs_normal_scores(const double *x, size_t n, double *z, cs_error *err)
{
    cs_status status = cs_ranks(x, n, z, err);
    for (size_t i = 0; status == CS_OK && i < n; i++)
        z[i] = gsl_cdf_ugaussian_Pinv((z[i] - 0.375) / ((double)n + 0.25));
    return status;
}
