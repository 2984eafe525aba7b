/* Diagnostics of weighted draws from several chains. */
#include "stat/weighted.h"

#include "base/memory.h"
#include "stat/moments.h"

#include <math.h>

const char cs_why_weights[] = "the draws have weights: R-hat, bulk and tail "
                              "ESS are defined for equal weights only";

/* Returns the error of the weighted mean of z[chains][n]; overwrites z with w
 * (z - mean).
 */
static double error_of(cs_draws d, const double *w, double *z)
{
    size_t size = d.n * d.chains;
    double mean = cs_weighted_mean(z, w, size);
    for (size_t i = 0; i < size; i++)
        z[i] = w[i] > 0 ? w[i] * (z[i] - mean) : 0;
    return cs_mcse_mean((cs_draws){z, d.n, d.chains}, NULL);
}

double cs_weighted_error(cs_draws d, const double *w)
{
    double *z = cs_alloc(d.n * d.chains, sizeof *z), error = NAN;
    for (size_t i = 0; z && i < d.n * d.chains; i++)
        z[i] = d.x[i];
    if (z)
        error = error_of(d, w, z);
    cs_free(z);
    return error;
}

static double error_below(cs_draws d, const double *w, double at, double *z)
{
    for (size_t i = 0; i < d.n * d.chains; i++)
        z[i] = d.x[i] <= at;
    return error_of(d, w, z);
}

/* Returns a quantile of draws whose order is o. Its effective size is that of
 * the weighted distribution function at the quantile. */
static cs_quantile_figures quantile(cs_draws d, const double *w,
                                    const cs_weighted_order *o, double p,
                                    double *z)
{
    double at = cs_weighted_quantile_of(o, p), e = error_below(d, w, at, z);
    double mcse = (double)NAN;
    if (!isnan(e))
        mcse = (cs_weighted_quantile_of(o, fmin(p + e, 1)) -
                cs_weighted_quantile_of(o, fmax(p - e, 0))) /
               2;
    return (cs_quantile_figures){at, mcse, e > 0 ? p * (1 - p) / (e * e) : e};
}

/* Computes the figures of the median and of the distances from it. */
static bool find_distances(cs_draws d, const double *w, cs_figures *f,
                           double *z)
{
    size_t size = d.n * d.chains;
    cs_weighted_order order;
    double *y = cs_alloc(size, sizeof *y);
    for (size_t i = 0; y && i < size; i++)
        y[i] = fabs(d.x[i] - f->median);
    if (y && cs_weighted_sort(y, w, size, &order)) {
        cs_quantile_figures m =
            quantile((cs_draws){y, d.n, d.chains}, w, &order, 0.5, z);
        f->mad = CS_MAD_FACTOR * m.at;
        f->mcse_mad = CS_MAD_FACTOR * m.mcse;
        cs_free(order.x);
    }
    cs_free(y);
    return y != NULL;
}

/* Computes the error of the sd by the delta method, from the error of the
 * weighted mean of (x - mean)^2. */
static void find_spread(cs_draws d, const double *w, cs_figures *f, double *z)
{
    size_t size = d.n * d.chains;
    for (size_t i = 0; i < size; i++)
        z[i] = (d.x[i] - f->mean) * (d.x[i] - f->mean);
    double spread = cs_weighted_variance(z, w, size), error = error_of(d, w, z);
    f->mcse_sd = error / (2 * f->sd);
    f->ess_sd = spread / (error * error);
}

/* Computes the median, the MAD and the quantiles. */
static bool find_quantiles(cs_draws d, const double *w,
                           const cs_probabilities *p, cs_diagnosis *o,
                           double *z)
{
    cs_weighted_order order;
    if (!cs_weighted_sort(d.x, w, d.n * d.chains, &order))
        return true;
    for (size_t i = 0; i < p->n; i++)
        o->quantile[i] = quantile(d, w, &order, p->p[i], z);
    cs_quantile_figures median = quantile(d, w, &order, 0.5, z);
    o->figures.median = median.at;
    o->figures.mcse_median = median.mcse;
    o->figures.ess_median = median.ess;
    cs_free(order.x);
    return find_distances(d, w, &o->figures, z);
}

cs_diagnosis cs_diagnose_weighted(cs_draws d, const double *w,
                                  const cs_probabilities *p)
{
    size_t size = d.n * d.chains;
    cs_diagnosis o = cs_no_diagnosis(cs_why_weights);
    double *z = cs_alloc(size, sizeof *z);
    if (!z || size == 0)
        o.why = z ? "there are no draws" : "out of memory";
    if (!z || size == 0) {
        cs_free(z);
        return o;
    }
    for (size_t i = 0; i < size; i++)
        z[i] = d.x[i];
    o.figures.mean = cs_weighted_mean(d.x, w, size);
    o.figures.sd = sqrt(cs_weighted_variance(d.x, w, size));
    o.figures.mcse = error_of(d, w, z);
    o.figures.ess = pow(o.figures.sd / o.figures.mcse, 2);
    if (!find_quantiles(d, w, p, &o, z))
        o.why = "out of memory";
    find_spread(d, w, &o.figures, z);
    cs_free(z);
    return o;
}
