#include "stat/series.h"

#include "base/memory.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>

#include <math.h>
#include <stdbool.h>

/* Sums of products at the lags first ... first + EIGHT - 1. */
enum { EIGHT = 8 };
static void some_lags(const double *x, size_t n, size_t first, double *sum)
{
    size_t last = first + EIGHT - 1, i = 0;
    for (size_t k = 0; k < EIGHT; k++)
        sum[k] = 0;
    for (; i + last < n; i++)
        for (size_t k = 0; k < EIGHT; k++)
            sum[k] += x[i] * x[i + first + k];
    for (; i + first < n; i++)
        for (size_t k = 0; i + first + k < n; k++)
            sum[k] += x[i] * x[i + first + k];
}

/* A few lags are soonest summed as they are. */
static void few_lags(const double *x, size_t n, size_t lags, double *out)
{
    for (size_t first = 0; first < lags; first += EIGHT) {
        double sum[EIGHT];
        some_lags(x, n, first, sum);
        for (size_t k = 0; k < EIGHT && first + k < lags; k++)
            out[first + k] = sum[k] / (double)n;
    }
}

cs_status cs_autocovariance(const double *x, size_t n, size_t lags, double *out,
                            cs_error *err)
{
    enum { FEW = 64 };
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
    if (lags <= FEW) {
        few_lags(f, n, lags, out);
        cs_free(f);
        return CS_OK;
    }
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

/* out[i] = the mean rank of x[i], or its normal score: of equal ones once. */
static cs_status rank(const double *x, size_t n, bool scores, double *out,
                      cs_error *err)
{
    cs_sort_place *order = cs_alloc(n, sizeof *order);
    if (!order)
        return cs_fail(err, CS_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        order[i] = (cs_sort_place){x[i], i};
    cs_sort_places(order, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value == order[i].value; end++)
            ;
        double value = 0.5 * (double)(i + 1 + end);
        if (scores)
            value =
                gsl_cdf_ugaussian_Pinv((value - 0.375) / ((double)n + 0.25));
        for (size_t j = i; j < end; j++)
            out[order[j].at] = value;
    }
    cs_free(order);
    return CS_OK;
}

cs_status cs_ranks(const double *x, size_t n, double *out, cs_error *err)
{
    return rank(x, n, false, out, err);
}

cs_status cs_normal_scores(const double *x, size_t n, double *z, cs_error *err)
{
    return rank(x, n, true, z, err);
}
