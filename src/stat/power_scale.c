#include "stat/power_scale.h"

#include "base/memory.h"
#include "stat/psis.h"
#include "stat/sort.h"

#include <math.h>

bool cs_power_weights(const double *log_c, size_t n, double alpha, double *w,
                      double *k)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        w[i] = (alpha - 1) * log_c[i];
    if (!cs_psis(w, n, 1, k))
        return false;
    for (size_t i = 0; i < n; i++)
        sum += w[i] = exp(w[i]);
    for (size_t i = 0; i < n; i++)
        w[i] /= sum;
    return true;
}

/* Returns p log2(2 p / (p + q)), which is 0 at p = 0. */
static double term(double p, double q)
{
    return p > 0 ? p * log2(2 * p / (p + q)) : 0;
}

/* Returns the distance from sorted draws. If `mirror` is true, the draws are
 * -x, whose distribution functions are 1 - P and 1 - Q with the order
 * reversed. */
static double distance(const cs_sort_place *sorted, const double *w, size_t n,
                       bool mirror)
{
    double sum = 0, bound = 0, p = 0, q = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t from = mirror ? n - 1 - i : i;
        size_t to = mirror ? from - 1 : from + 1;
        double width = fabs(sorted[to].value - sorted[from].value);
        p += 1 / (double)n;
        q += w[sorted[from].at];
        /* the terms int (Q - P) of both directions cancel */
        sum += width * (term(p, q) + term(q, p));
        bound += width * (p + q);
    }
    return bound > 0 ? sqrt(fmax(sum, 0) / bound) : 0;
}

double cs_cumulative_distance(const double *x, const double *w, size_t n)
{
    cs_sort_place *sorted = cs_alloc(n, sizeof *sorted);
    bool good = sorted != NULL;
    for (size_t i = 0; good && i < n; i++) {
        good = isfinite(x[i]) && isfinite(w[i]);
        sorted[i] = (cs_sort_place){x[i], i};
    }
    double found = (double)NAN;
    if (good) {
        cs_sort_places(sorted, n);
        found =
            fmax(distance(sorted, w, n, false), distance(sorted, w, n, true));
    }
    cs_free(sorted);
    return found;
}

double cs_power_sensitivity(double low, double high, double alpha)
{
    return (low + high) / (2 * log2(alpha));
}

const char *cs_power_verdict(double prior, double likelihood)
{
    if (isnan(prior) || isnan(likelihood))
        return "unknown";
    if (prior < CS_SENSITIVE)
        return "-";
    return likelihood < CS_SENSITIVE ? "strong prior or weak likelihood"
                                     : "prior-data conflict";
}
