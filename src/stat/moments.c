#include "stat/moments.h"

#include "base/memory.h"
#include "stat/sort.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double cs_mean(const double *x, size_t n)
{
    double sum = 0, rest = 0;
    if (n == 0)
        return (double)NAN;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    double mean = sum / (double)n;
    if (!isfinite(mean))
        return mean;
    for (size_t i = 0; i < n; i++)
        rest += x[i] - mean;
    return mean + rest / (double)n;
}

double cs_variance(const double *x, size_t n)
{
    if (n < 2)
        return (double)NAN;
    double mean = cs_mean(x, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)(n - 1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return (int)isnan(x) - (int)isnan(y);
    return (x > y) - (x < y);
}

void cs_sort(double *x, size_t n)
{
    cs_sort_place *place = cs_alloc(n, sizeof *place);
    if (!place) {
        qsort(x, n, sizeof *x, ascending);
        return;
    }
    for (size_t i = 0; i < n; i++)
        place[i].value = x[i];
    cs_sort_places(place, n);
    for (size_t i = 0; i < n; i++)
        x[i] = place[i].value;
    cs_free(place);
}

double cs_quantile_of(const double *sorted, size_t n, double p)
{
    assert(p >= 0 && p <= 1);
    if (n == 0 || !(p >= 0 && p <= 1) || isnan(sorted[n - 1]))
        return (double)NAN;
    double at = p * (double)(n - 1), low = floor(at);
    size_t i = (size_t)low;
    if (i + 1 >= n || at == low || sorted[i] == sorted[i + 1])
        return sorted[i];
    return (1 - (at - low)) * sorted[i] + (at - low) * sorted[i + 1];
}

double cs_quantile(const double *x, size_t n, double p)
{
    double *sorted = cs_alloc(n, sizeof *sorted);
    if (!sorted)
        return (double)NAN;
    if (n)
        memcpy(sorted, x, n * sizeof *x);
    cs_sort(sorted, n);
    double q = cs_quantile_of(sorted, n, p);
    cs_free(sorted);
    return q;
}
