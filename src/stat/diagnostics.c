#include "stat/diagnostics.h"

#include "base/memory.h"
#include "stat/moments.h"
#include "stat/series.h"

#include <gsl/gsl_cdf.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char no_memory[] = "out of memory";
static const char no_chains[] = "needs at least two chains";
static const char too_short[] = "too few draws in a chain";

static double undefined(const char **reason, const char *why)
{
    if (reason)
        *reason = why;
    return (double)NAN;
}

static double defined(const char **reason, double value)
{
    if (reason)
        *reason = NULL;
    return value;
}

/* Why nothing can be said about these draws; NULL when something can. */
static const char *unusable(cs_draws d)
{
    size_t size = d.n * d.chains;
    if (size == 0)
        return "there are no draws";
    double low = d.x[0], high = d.x[0];
    for (size_t i = 0; i < size; i++) {
        if (!isfinite(d.x[i]))
            return "a draw is not finite";
        low = fmin(low, d.x[i]);
        high = fmax(high, d.x[i]);
    }
    return high - low < DBL_EPSILON ? "all draws are equal" : NULL;
}

size_t cs_stuck_chain(cs_draws d)
{
    for (size_t c = 0; c < d.chains; c++) {
        const double *x = d.x + c * d.n;
        size_t i = 1;
        while (i < d.n && x[i] == x[0])
            i++;
        if (d.n > 1 && i == d.n)
            return c;
    }
    return d.chains;
}

/* ---- transformed copies: a change of each draw, then a split -------------- */

typedef enum change {
    AS_IT_IS,
    DISTANCE,  /* |x - at| */
    SQUARE,    /* (x - at)^2 */
    INDICATOR, /* 1 if x <= at */
} change;

static double changed(double x, change how, double at)
{
    switch (how) {
    case DISTANCE:
        return fabs(x - at);
    case SQUARE:
        return (x - at) * (x - at);
    case INDICATOR:
        return x <= at;
    case AS_IT_IS:
        break;
    }
    return x;
}

/* The first and the last n / 2 draws of each chain as chains of their own:
 * the middle draw of an odd length is dropped. [own] NULL: no memory. */
static double *split(cs_draws d, change how, double at, cs_draws *out)
{
    size_t half = d.n / 2;
    double *x = cs_alloc(2 * half * d.chains, sizeof *x);
    if (!x)
        return NULL;
    for (size_t c = 0; c < d.chains; c++)
        for (size_t i = 0; i < half; i++) {
            const double *from = d.x + c * d.n;
            x[2 * c * half + i] = changed(from[i], how, at);
            x[(2 * c + 1) * half + i] = changed(from[d.n - half + i], how, at);
        }
    *out = (cs_draws){x, half, 2 * d.chains};
    return x;
}

typedef double (*measure)(cs_draws d, const char **reason);

/* `f` of the changed and split draws, perhaps as normal scores. */
static double of_split(cs_draws d, change how, double at, bool scores,
                       measure f, const char **reason)
{
    const char *why = unusable(d);
    cs_draws halves;
    if (why)
        return undefined(reason, why);
    double *x = split(d, how, at, &halves);
    if (!x)
        return undefined(reason, no_memory);
    size_t size = halves.n * halves.chains;
    if (scores && !unusable(halves) &&
        cs_normal_scores(x, size, x, NULL) != CS_OK) {
        cs_free(x);
        return undefined(reason, no_memory);
    }
    double value = f(halves, reason);
    cs_free(x);
    return value;
}

/* ---- R-hat ---------------------------------------------------------------- */

double cs_rhat_basic(cs_draws d, const char **reason)
{
    const char *why = unusable(d);
    if (!why && d.chains < 2)
        why = no_chains;
    if (!why && d.n < 2)
        why = too_short;
    if (why)
        return undefined(reason, why);
    double *mean = cs_alloc(d.chains, sizeof *mean), within = 0;
    if (!mean)
        return undefined(reason, no_memory);
    for (size_t c = 0; c < d.chains; c++) {
        mean[c] = cs_mean(d.x + c * d.n, d.n);
        within += cs_variance(d.x + c * d.n, d.n) / (double)d.chains;
    }
    double n = (double)d.n, between = n * cs_variance(mean, d.chains);
    cs_free(mean);
    if (!(within > 0))
        return defined(reason, HUGE_VAL);
    return defined(reason, sqrt((between / within + n - 1) / n));
}

double cs_rhat_split(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, false, cs_rhat_basic, reason);
}

double cs_rhat_bulk(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, true, cs_rhat_basic, reason);
}

double cs_rhat_folded(cs_draws d, const char **reason)
{
    double median = cs_quantile(d.x, d.n * d.chains, 0.5);
    return of_split(d, DISTANCE, median, true, cs_rhat_basic, reason);
}

double cs_rhat(cs_draws d, const char **reason)
{
    double bulk = cs_rhat_bulk(d, reason);
    if (isnan(bulk))
        return bulk;
    double folded = cs_rhat_folded(d, reason);
    return isnan(folded) || folded > bulk ? folded : bulk;
}

/* ---- effective size ------------------------------------------------------- */

/* Geyer's initial monotone sequence on rho[n + 2] (rho[t] as in section 3.2
 * of Vehtari et al.), in the steps of posterior: the loop ends at n - 5, a
 * first negative pair is left out, and the last even term, if positive,
 * counts once. Returns tau. */
static double geyer(double *rho, size_t n)
{
    size_t t = 0;
    double even = 1, odd = rho[1], sum = 0;
    rho[0] = 1;
    while (t + 5 < n && even + odd > 0) {
        t += 2;
        even = rho[t];
        odd = rho[t + 1];
    }
    size_t last = t;
    rho[last] = even > 0 || even + odd >= 0 ? even : 0;
    for (t = 2; t + 2 <= last; t += 2)
        if (rho[t] + rho[t + 1] > rho[t - 2] + rho[t - 1])
            rho[t] = rho[t + 1] = 0.5 * (rho[t - 2] + rho[t - 1]);
    for (t = 0; t < last; t++)
        sum += rho[t];
    return -1 + 2 * (last ? sum : 1) + rho[last];
}

/* The mean over chains of the autocovariances, acov[n]; false: no memory. */
static bool mean_autocovariance(cs_draws d, double *acov, double *one,
                                double *mean)
{
    memset(acov, 0, d.n * sizeof *acov);
    for (size_t c = 0; c < d.chains; c++) {
        if (cs_autocovariance(d.x + c * d.n, d.n, d.n, one, NULL) != CS_OK)
            return false;
        mean[c] = cs_mean(d.x + c * d.n, d.n);
        for (size_t k = 0; k < d.n; k++)
            acov[k] += one[k] / (double)d.chains;
    }
    return true;
}

double cs_ess_basic(cs_draws d, const char **reason)
{
    const char *why = unusable(d);
    if (!why && d.n < 3)
        why = too_short;
    if (why)
        return undefined(reason, why);
    double *work = cs_alloc(2 * d.n + 2 + d.chains, sizeof *work);
    double *rho = work, *one = work + d.n + 2;
    if (!work || !mean_autocovariance(d, rho, one, one + d.n)) {
        cs_free(work);
        return undefined(reason, no_memory);
    }
    double n = (double)d.n, size = n * (double)d.chains;
    double within = rho[0] * n / (n - 1), var = rho[0];
    if (d.chains > 1)
        var += cs_variance(one + d.n, d.chains);
    for (size_t t = 0; t < d.n; t++)
        rho[t] = 1 - (within - rho[t]) / var;
    double tau = geyer(rho, d.n);
    cs_free(work);
    return defined(reason, size / fmax(tau, 1 / log10(size)));
}

double cs_ess_bulk(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, true, cs_ess_basic, reason);
}

double cs_ess_mean(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, false, cs_ess_basic, reason);
}

double cs_ess_sd(cs_draws d, const char **reason)
{
    double mean = cs_mean(d.x, d.n * d.chains);
    return of_split(d, DISTANCE, mean, false, cs_ess_basic, reason);
}

double cs_ess_quantile(cs_draws d, double p, const char **reason)
{
    const char *why;
    double at = cs_quantile(d.x, d.n * d.chains, p);
    double ess = of_split(d, INDICATOR, at, false, cs_ess_basic, &why);
    if (!isnan(ess))
        return defined(reason, ess);
    if (!unusable(d) && d.n / 2 >= 3)
        why = "no draw is above the quantile";
    return undefined(reason, why);
}

double cs_ess_tail(cs_draws d, const char **reason)
{
    double low = cs_ess_quantile(d, 0.05, reason);
    if (isnan(low))
        return low;
    double high = cs_ess_quantile(d, 0.95, reason);
    return isnan(high) || high < low ? high : low;
}

/* ---- Monte Carlo standard errors ------------------------------------------ */

double cs_mcse_mean(cs_draws d, const char **reason)
{
    double ess = cs_ess_mean(d, reason);
    return sqrt(cs_variance(d.x, d.n * d.chains) / ess);
}

/* By the delta method on (x - mean)^2, without assuming normality. */
double cs_mcse_sd(cs_draws d, const char **reason)
{
    size_t size = d.n * d.chains;
    double mean = cs_mean(d.x, size), second = 0, fourth = 0;
    double ess = of_split(d, SQUARE, mean, false, cs_ess_basic, reason);
    if (isnan(ess))
        return ess;
    for (size_t i = 0; i < size; i++) {
        double square = (d.x[i] - mean) * (d.x[i] - mean);
        second += square / (double)size;
        fourth += square * square / (double)size;
    }
    return sqrt((fourth - second * second) / ess / second / 4);
}

/* The p quantile of Beta(a, b) with a, b >= 1, by bisection: GSL's inverse
 * does not always converge. Where its continued fraction gives up, a and b
 * are so large that the law is normal to all digits that matter. */
static double beta_quantile(double p, double a, double b)
{
    double low = 0, high = 1;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        double below = gsl_cdf_beta_P(middle, a, b);
        if (isnan(below)) {
            double mean = a / (a + b);
            double sd = sqrt(mean * (1 - mean) / (a + b + 1));
            return mean + sd * gsl_cdf_ugaussian_Pinv(p);
        }
        if (below < p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double cs_mcse_quantile(cs_draws d, double p, const char **reason)
{
    double ess = cs_ess_quantile(d, p, reason);
    size_t size = d.n * d.chains;
    if (isnan(ess))
        return ess;
    double *sorted = cs_alloc(size, sizeof *sorted);
    if (!sorted)
        return undefined(reason, no_memory);
    memcpy(sorted, d.x, size * sizeof *sorted);
    cs_sort(sorted, size);
    double a = ess * p + 1, b = ess * (1 - p) + 1, s = (double)size;
    double low = floor(beta_quantile(0.1586553, a, b) * s);
    double high = ceil(beta_quantile(0.8413447, a, b) * s);
    double error = 0.5 * (sorted[(size_t)fmin(high, s) - 1] -
                          sorted[(size_t)fmax(low, 1) - 1]);
    cs_free(sorted);
    return error;
}

double cs_ebfmi(const double *energy, size_t n, const char **reason)
{
    const char *why = unusable((cs_draws){energy, n, 1});
    if (why)
        return undefined(reason, why);
    double sum = 0, variance = cs_variance(energy, n);
    for (size_t i = 1; i < n; i++)
        sum += (energy[i] - energy[i - 1]) * (energy[i] - energy[i - 1]);
    return defined(reason, sum / (double)(n - 1) / variance);
}
