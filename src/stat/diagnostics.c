#include "stat/diagnostics.h"

#include "base/memory.h"
#include "stat/effective_size.h"
#include "stat/moments.h"
#include "stat/series.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

const char cs_why_no_memory[] = "out of memory";
static const char no_chains[] = "needs at least two chains";
const char cs_why_too_short[] = "too few draws in a chain";
const char cs_why_not_finite[] = "a draw is not finite";
const char cs_why_all_equal[] = "all draws are equal";

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

const char *cs_draws_unusable(cs_draws d)
{
    size_t size = d.n * d.chains;
    if (size == 0)
        return "there are no draws";
    double low = d.x[0], high = d.x[0];
    for (size_t i = 0; i < size; i++) {
        if (!isfinite(d.x[i]))
            return cs_why_not_finite;
        low = d.x[i] < low ? d.x[i] : low;
        high = d.x[i] > high ? d.x[i] : high;
    }
    return high - low < DBL_EPSILON ? cs_why_all_equal : NULL;
}

/* ---- copies of the draws: each draw is transformed, then chains are split
 * ----- */

typedef enum change {
    AS_IT_IS,
    DISTANCE, /* |x - at| */
} change;

static double changed(double x, change how, double at)
{
    switch (how) {
    case DISTANCE:
        return fabs(x - at);
    case AS_IT_IS:
        break;
    }
    return x;
}

/* Splits each chain into its first n / 2 and its last n / 2 draws; if n is odd,
 * drops the middle draw. Returns the draws of all new chains [own], or NULL if
 * memory is short. */
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

/* Copies the draws, and transforms and splits the copy. Returns `f` of the copy
 * or, if `scores` is true, `f` of the normal scores of the copy. */
static double of_split(cs_draws d, change how, double at, bool scores,
                       measure f, const char **reason)
{
    const char *why = cs_draws_unusable(d);
    cs_draws halves;
    if (why)
        return undefined(reason, why);
    double *x = split(d, how, at, &halves);
    if (!x)
        return undefined(reason, cs_why_no_memory);
    size_t size = halves.n * halves.chains;
    if (scores && !cs_draws_unusable(halves) &&
        cs_normal_scores(x, size, x, NULL) != CS_OK) {
        cs_free(x);
        return undefined(reason, cs_why_no_memory);
    }
    double value = f(halves, reason);
    cs_free(x);
    return value;
}

/* ---- R-hat --------------------------------------------------------------- */

double cs_rhat_basic(cs_draws d, const char **reason)
{
    const char *why = cs_draws_unusable(d);
    if (!why && d.chains < 2)
        why = no_chains;
    if (!why && d.n < 2)
        why = cs_why_too_short;
    if (why)
        return undefined(reason, why);
    double *mean = cs_alloc(d.chains, sizeof *mean), within = 0;
    if (!mean)
        return undefined(reason, cs_why_no_memory);
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

double cs_rhat_bulk(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, true, cs_rhat_basic, reason);
}

double cs_rhat_folded(cs_draws d, const char **reason)
{
    double median = cs_quantile(d.x, d.n * d.chains, 0.5);
    return of_split(d, DISTANCE, median, true, cs_rhat_basic, reason);
}

/* Returns the larger of the bulk and the folded R-hat. If |x - median| is equal
 * for all draws (for example fair coin tosses), chains cannot differ in scale
 * and only the bulk R-hat counts. */
static double larger(double bulk, double folded, const char *why_folded,
                     const char **reason)
{
    if (isnan(bulk) || why_folded == cs_why_all_equal)
        return bulk;
    if (isnan(folded))
        return undefined(reason, why_folded);
    return fmax(folded, bulk);
}

double cs_rhat(cs_draws d, const char **reason)
{
    const char *why;
    double bulk = cs_rhat_bulk(d, reason);
    if (isnan(bulk))
        return bulk;
    double folded = cs_rhat_folded(d, &why);
    return larger(bulk, folded, why, reason);
}

/* ---- effective size ------------------------------------------------------ */

/* Returns tau, or NAN if more lags or more memory are needed. If `apart` is
 * true, the total variance includes the variance of the chains' means. Needs
 * scratch memory work[lags + 2 + chains]. */
static double tau_of(cs_draws d, size_t lags, double *work, bool apart,
                     cs_lags *out, bool *good)
{
    double *rho = work, *mean = work + lags + 2, n = (double)d.n;
    *good = cs_autocovariance(d.x, d.n, d.chains, lags, rho, NULL) == CS_OK;
    if (!*good)
        return (double)NAN;
    double within = rho[0] * n / (n - 1), var = rho[0];
    for (size_t c = 0; c < d.chains; c++)
        mean[c] = cs_mean(d.x + c * d.n, d.n);
    if (d.chains > 1 && apart)
        var += cs_variance(mean, d.chains);
    for (size_t t = 0; t < lags; t++)
        rho[t] = 1 - (within - rho[t]) / var;
    for (size_t t = 0; t < out->capacity; t++)
        out->rho[t] = t < lags ? rho[t] : (double)NAN;
    return cs_geyer(rho, lags, d.n, &out->cut);
}

/* Returns the effective size and fills in `out`. */
static double ess(cs_draws d, bool apart, cs_lags *out, const char **reason)
{
    enum { LAGS = 1024 }; /* number of lags that is usually sufficient */
    const char *why = cs_draws_unusable(d);
    if (!why && d.n < 3)
        why = cs_why_too_short;
    if (why)
        return undefined(reason, why);
    size_t lags = d.n < 2 * LAGS || out->capacity > LAGS ? d.n : LAGS;
    double tau = (double)NAN, size = (double)d.n * (double)d.chains;
    for (bool good = true; isnan(tau) && good; lags = d.n) {
        double *work = cs_alloc(lags + 2 + d.chains, sizeof *work);
        good = work != NULL;
        if (good)
            tau = tau_of(d, lags, work, apart, out, &good);
        good = good && lags < d.n;
        cs_free(work);
    }
    if (isnan(tau))
        return undefined(reason, cs_why_no_memory);
    out->time = fmax(tau, 1 / log10(size));
    return defined(reason, size / out->time);
}

double cs_ess_basic(cs_draws d, const char **reason)
{
    cs_lags none = {.capacity = 0};
    return ess(d, true, &none, reason);
}

double cs_ess_lags(cs_draws d, cs_lags *lags, const char **reason)
{
    const char *why = cs_draws_unusable(d);
    cs_draws halves;
    if (why)
        return undefined(reason, why);
    double *x = split(d, AS_IT_IS, 0, &halves);
    if (!x)
        return undefined(reason, cs_why_no_memory);
    double size = ess(halves, true, lags, reason);
    cs_free(x);
    return size;
}

double cs_autocorrelation(cs_draws d, size_t lag, const char **reason)
{
    if (lag >= d.n / 2)
        return undefined(reason, "the lag is not less than half of the draws");
    cs_lags lags = {.rho = cs_alloc(lag + 1, sizeof *lags.rho),
                    .capacity = lag + 1};
    if (!lags.rho)
        return undefined(reason, cs_why_no_memory);
    double size = cs_ess_lags(d, &lags, reason);
    double rho = isnan(size) ? (double)NAN : lags.rho[lag];
    cs_free(lags.rho);
    return rho;
}

double cs_ess_bulk(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, true, cs_ess_basic, reason);
}

/* Returns the effective size of the halves, or the reason why it is undefined:
 * `why_not` if the draws themselves have a size. */
static double ess_of_halves(cs_draws d, const double *below,
                            const char *why_not, const char **reason)
{
    bool full = false;
    const char *why = cs_draws_unusable(d);
    if (why)
        return undefined(reason, why);
    cs_halves h = cs_halves_of(d.x, d.n, d.chains);
    double size = below ? cs_halves_ess_below(&h, *below, &full)
                        : cs_halves_ess(&h, &full);
    if (isnan(size))
        return undefined(reason, full      ? cs_why_no_memory
                                 : h.n < 3 ? cs_why_too_short
                                           : why_not);
    return defined(reason, size);
}

double cs_ess_mean(cs_draws d, const char **reason)
{
    return ess_of_halves(d, NULL, cs_why_all_equal, reason);
}

double cs_ess_below(cs_draws d, double at, const char **reason)
{
    return ess_of_halves(d, &at, "no draw is above the quantile", reason);
}

double cs_ess_tail(cs_draws d, const char **reason)
{
    size_t size = d.n * d.chains;
    double low = cs_ess_below(d, cs_quantile(d.x, size, 0.05), reason);
    if (isnan(low))
        return low;
    double high = cs_ess_below(d, cs_quantile(d.x, size, 0.95), reason);
    return isnan(high) || high < low ? high : low;
}

/* ---- Monte Carlo standard errors ----------------------------------------- */

double cs_mcse_mean(cs_draws d, const char **reason)
{
    double ess = cs_ess_mean(d, reason);
    return sqrt(cs_variance(d.x, d.n * d.chains) / ess);
}
