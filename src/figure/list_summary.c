#include "figure/list_summary.h"

#include "stat/moments.h"

#include <math.h>

double cs_list_mean(const double *x, size_t n, size_t apart)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i * apart];
    return sum / (double)n;
}

double cs_list_median(double *x, size_t n)
{
    if (n == 0)
        return (double)NAN;
    cs_sort(x, n);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}
