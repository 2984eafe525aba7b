/* Diagnostics of weighted draws from several chains. */
#include "stat/weighted.h"

#include "base/memory.h"

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

static cs_quantiles quantiles_of(cs_draws d, const double *w,
                                 const cs_weighted_order *o, double *z)
{
    static const double p[CS_QUANTILES] = {0.05, 0.5, 0.95};
    cs_quantiles q;
    for (size_t i = 0; i < CS_QUANTILES; i++) {
        q.at[i] = cs_weighted_quantile_of(o, p[i]);
        double e = error_below(d, w, q.at[i], z);
        q.mcse[i] = (double)NAN;
        if (!isnan(e))
            q.mcse[i] = (cs_weighted_quantile_of(o, fmin(p[i] + e, 1)) -
                         cs_weighted_quantile_of(o, fmax(p[i] - e, 0))) /
                        2;
    }
    return q;
}

cs_diagnosis cs_diagnose_weighted(cs_draws d, const double *w)
{
    size_t size = d.n * d.chains;
    cs_diagnosis o = cs_no_diagnosis(cs_why_weights);
    cs_weighted_order order;
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
    if (cs_weighted_sort(d.x, w, size, &order)) {
        o.quantiles = quantiles_of(d, w, &order, z);
        cs_free(order.x);
    }
    cs_free(z);
    return o;
}
