#include "stat/distance.h"

#include <assert.h>
#include <math.h>

double cs_ks_two(const double *a, size_t n, const double *b, size_t m)
{
    double worst = n && m ? 0 : (double)NAN;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        double x = fmin(a[i], b[j]);
        if (isnan(x)) /* the remaining values of both samples are NaN */
            break;
        while (i < n && a[i] <= x)
            i++;
        while (j < m && b[j] <= x)
            j++;
        worst =
            fmax(worst, fabs((double)i / (double)n - (double)j / (double)m));
    }
    return worst;
}

/* Stephens, "Use of the Kolmogorov-Smirnov, Cramer-von Mises and related
 * statistics without extensive tables" (1970), with Kolmogorov's series. */
double cs_ks_p(double distance, double n)
{
    assert(n > 0);
    double t = distance * (sqrt(n) + 0.12 + 0.11 / sqrt(n)), sum = 0;
    if (t < 0.2)
        return 1;
    for (int k = 1; k < 40; k++)
        sum += (k % 2 ? 2 : -2) * exp(-2.0 * k * k * t * t);
    return fmin(fmax(sum, 0), 1);
}

double cs_total_variation(const double *p, const double *q, size_t n)
{
    double sum_p = 0, sum_q = 0, distance = 0;
    for (size_t i = 0; i < n; i++) {
        sum_p += p[i];
        sum_q += q[i];
    }
    if (!(sum_p > 0) || !(sum_q > 0))
        return (double)NAN;
    for (size_t i = 0; i < n; i++)
        distance += 0.5 * fabs(p[i] / sum_p - q[i] / sum_q);
    return distance;
}

double cs_total_variation_floor(const double *p, size_t bins, double n)
{
    double sum = 0;
    for (size_t i = 0; i < bins; i++)
        sum += fmin(p[i], sqrt(fmax(p[i] * (1 - p[i]), 0) / (2 * M_PI * n)));
    return n > 0 ? sum : (double)NAN;
}
