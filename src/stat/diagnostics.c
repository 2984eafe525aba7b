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
const char cs_why_not_finite[] = "a draw is not finite";
static const char all_equal[] = "all draws are equal";

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

/* Returns the reason why the draws cannot be diagnosed, or NULL. */
static const char *unusable(cs_draws d)
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
    return high - low < DBL_EPSILON ? all_equal : NULL;
}

/* ---- copies of the draws: each draw is transformed, then chains are split
 * ----- */

typedef enum change {
    AS_IT_IS,
    DISTANCE,  /* |x - at| */
    INDICATOR, /* 1 if x <= at */
} change;

static double changed(double x, change how, double at)
{
    switch (how) {
    case DISTANCE:
        return fabs(x - at);
    case INDICATOR:
        return x <= at;
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

/* ---- R-hat --------------------------------------------------------------- */

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
    if (isnan(bulk) || why_folded == all_equal)
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

/* Computes tau for n draws by Geyer's initial monotone sequence from the
 * autocorrelations rho[lags + 2] (section 3.2 of Vehtari et al.). The details
 * are those of the R package posterior: the loop ends at n - 5, a first
 * negative pair is left out, and the last even term, if positive, counts once.
 * Returns NAN if more lags are needed. Sets *cut to the number of lags in the
 * sum. */
static double geyer(double *rho, size_t lags, size_t n, size_t *cut)
{
    size_t t = 0;
    double even = 1, odd = rho[1], sum = 0;
    rho[0] = 1;
    while (t + 5 < n && even + odd > 0) {
        t += 2;
        if (t + 1 >= lags && lags < n)
            return (double)NAN;
        even = rho[t];
        odd = rho[t + 1];
    }
    size_t last = *cut = t;
    rho[last] = even > 0 || even + odd >= 0 ? even : 0;
    for (t = 2; t + 2 <= last; t += 2)
        if (rho[t] + rho[t + 1] > rho[t - 2] + rho[t - 1])
            rho[t] = rho[t + 1] = 0.5 * (rho[t - 2] + rho[t - 1]);
    for (t = 0; t < last; t++)
        sum += rho[t];
    return -1 + 2 * (last ? sum : 1) + rho[last];
}

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
    return geyer(rho, lags, d.n, &out->cut);
}

/* Returns the effective size and fills in `out`. */
static double ess(cs_draws d, bool apart, cs_lags *out, const char **reason)
{
    enum { LAGS = 1024 }; /* number of lags that is usually sufficient */
    const char *why = unusable(d);
    if (!why && d.n < 3)
        why = too_short;
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
        return undefined(reason, no_memory);
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
    const char *why = unusable(d);
    cs_draws halves;
    if (why)
        return undefined(reason, why);
    double *x = split(d, AS_IT_IS, 0, &halves);
    if (!x)
        return undefined(reason, no_memory);
    double size = ess(halves, true, lags, reason);
    cs_free(x);
    return size;
}

double cs_ess_bulk(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, true, cs_ess_basic, reason);
}

double cs_ess_mean(cs_draws d, const char **reason)
{
    return of_split(d, AS_IT_IS, 0, false, cs_ess_basic, reason);
}

static double ess_below(cs_draws d, double at, const char **reason)
{
    const char *why;
    double size = of_split(d, INDICATOR, at, false, cs_ess_basic, &why);
    if (!isnan(size))
        return defined(reason, size);
    if (!unusable(d) && d.n / 2 >= 3)
        why = "no draw is above the quantile";
    return undefined(reason, why);
}

static double ess_tail(cs_draws d, double at_low, double at_high,
                       const char **reason)
{
    double low = ess_below(d, at_low, reason);
    if (isnan(low))
        return low;
    double high = ess_below(d, at_high, reason);
    return isnan(high) || high < low ? high : low;
}

double cs_ess_tail(cs_draws d, const char **reason)
{
    size_t size = d.n * d.chains;
    return ess_tail(d, cs_quantile(d.x, size, 0.05),
                    cs_quantile(d.x, size, 0.95), reason);
}

/* ---- Monte Carlo standard errors ----------------------------------------- */

double cs_mcse_mean(cs_draws d, const char **reason)
{
    double ess = cs_ess_mean(d, reason);
    return sqrt(cs_variance(d.x, d.n * d.chains) / ess);
}

/* ---- all diagnostics of a quantity --------------------------------------- */

/* Returns a p-value by the F test of the variance of the means. It is the
 * probability that chains with equal distributions and equal autocorrelations
 * have means at least this far apart. The number of draws in the test is the
 * effective size within chains. The autocorrelation time is itself an estimate.
 * If autocorrelations up to a lag of about five times this time are summed, the
 * estimate has a relative variance of 20 / size (Sokal 1997, section 3), like a
 * chi-square variable with size / 10 degrees of freedom. */
static double chance(cs_draws d)
{
    double m = (double)d.chains, n = (double)d.n, within = 0;
    cs_lags none = {.capacity = 0};
    double size = ess(d, false, &none, NULL),
           *mean = cs_alloc(d.chains, sizeof *mean);
    for (size_t c = 0; mean && c < d.chains; c++) {
        mean[c] = cs_mean(d.x + c * d.n, d.n);
        within += cs_variance(d.x + c * d.n, d.n) / m;
    }
    double between = mean ? cs_variance(mean, d.chains) : (double)NAN;
    cs_free(mean);
    if (isnan(size) || isnan(between))
        return (double)NAN;
    double tau = m * n / size;
    return gsl_cdf_fdist_Q(n * between / (within * tau), m - 1,
                           fmax(fmin(size - m, size / 10), 1));
}

/* The draws of a diagnosis in ascending order, sorted once for all diagnostics
 * that use ranks. */
typedef struct ranked {
    /* [size] [own]: all draws in order; the draws of the halves in order */
    cs_sort_place *order, *split;
    double *sorted, *z; /* [size] [own]; z: scratch */
    cs_draws halves;    /* their draws are in z */
} ranked;

static void end_ranks(ranked *r)
{
    CS_FREE_ALL(r->order, r->split, r->sorted, r->z);
}

static bool begin_ranks(cs_draws d, ranked *r)
{
    size_t size = d.n * d.chains;
    *r = (ranked){.order = cs_alloc(size, sizeof *r->order),
                  .split = cs_alloc(size, sizeof *r->split),
                  .sorted = cs_alloc(size, sizeof *r->sorted),
                  .z = cs_alloc(size, sizeof *r->z)};
    if (!r->order || !r->split || !r->sorted || !r->z) {
        end_ranks(r);
        return false;
    }
    r->halves = (cs_draws){r->z, d.n / 2, 2 * d.chains};
    for (size_t i = 0; i < size; i++)
        r->order[i] = (cs_sort_place){d.x[i], i};
    cs_sort_places(r->order, size);
    for (size_t i = 0; i < size; i++)
        r->sorted[i] = r->order[i].value;
    return true;
}

/* Returns the index of a draw among the draws of the halves. If n is odd, the
 * middle draw of a chain belongs to neither half; for this draw sets *drop. */
static size_t place_in_halves(size_t at, size_t n, bool *drop)
{
    size_t chain = at / n, i = at % n;
    *drop = i == n / 2;
    return at - chain - (i > n / 2);
}

/* Derives the order of the halves from the order of all draws. */
static void split_order(cs_draws d, ranked *r)
{
    size_t size = d.n * d.chains, used = 0;
    bool drop = false;
    for (size_t i = 0; i < size; i++) {
        cs_sort_place p = r->order[i];
        if (d.n % 2)
            p.at = place_in_halves(p.at, d.n, &drop);
        if (!drop)
            r->split[used++] = p;
    }
}

/* Changes `split` from the order of the values to the order of their distances
 * from `at`. The distances of the draws below `at` and of the draws above `at`
 * are two ascending sequences, which are merged. `order` is no longer needed
 * and serves as scratch memory. */
static void fold_order(ranked *r, double at)
{
    size_t n = r->halves.n * r->halves.chains, low = 0;
    cs_sort_place *from = r->split, *to = r->order;
    while (low < n && from[low].value <= at)
        low++;
    for (size_t i = 0, high = low; i < n; i++) {
        double below = low ? fabs(from[low - 1].value - at) : HUGE_VAL;
        double above = high < n ? fabs(from[high].value - at) : HUGE_VAL;
        bool down = low && below <= above;
        to[i] = (cs_sort_place){down ? below : above,
                                down ? from[--low].at : from[high++].at};
    }
    r->split = to;
    r->order = from;
}

static const char *unusable_order(const ranked *r)
{
    size_t n = r->halves.n * r->halves.chains;
    if (n == 0)
        return "there are no draws";
    return r->split[n - 1].value - r->split[0].value < DBL_EPSILON ? all_equal
                                                                   : NULL;
}

/* Returns R-hat of the normal scores of the sorted draws. If R-hat is above the
 * limit, *odds becomes the smaller of *odds and the p-value of R-hat. If `bulk`
 * is not NULL, also stores the bulk effective size in *bulk. */
static double judge(ranked *r, cs_scores *scores, double *bulk, double *odds,
                    const char **why)
{
    cs_draws halves = r->halves;
    double rhat = (double)NAN;
    *why = unusable_order(r);
    if (*why)
        return rhat;
    cs_scores_in_order(scores, r->split, halves.n * halves.chains, r->z);
    rhat = cs_rhat_basic(halves, why);
    const char *wanting = NULL;
    if (!*why && bulk)
        *bulk = cs_ess_basic(halves, &wanting);
    if (!*why && rhat > CS_RHAT_MOST)
        *odds = fmin(*odds, chance(halves));
    if (wanting == no_memory)
        *why = no_memory;
    return rhat;
}

/* Stores in by[chains], for each chain, the mean of its first quarter minus the
 * mean of its last quarter. Returns the mean of these differences. */
static double quarters(cs_draws d, double *by)
{
    size_t quarter = d.n / 4;
    for (size_t c = 0; c < d.chains; c++) {
        const double *from = d.x + c * d.n;
        by[c] = cs_mean(from, quarter) - cs_mean(from + d.n - quarter, quarter);
    }
    return cs_mean(by, d.chains);
}

/* Returns the p-value of the differences by Student's t over chains. The test
 * does not estimate the autocorrelation. If a chain moves slowly in a tail (as
 * in a banana-shaped target), such an estimate is too small. */
static double chance_of_chains(const double *by, size_t chains)
{
    double error = sqrt(cs_variance(by, chains) / (double)chains);
    double far = fabs(cs_mean(by, chains)) / error;
    return chains > 1 && error > 0
               ? 2 * gsl_cdf_tdist_Q(far, (double)chains - 1)
               : 0;
}

/* Returns the drift: the difference between the first and the last quarters, in
 * standard errors. If the warm-up was too short, the quarters differ, and
 * standard errors from all draws are large. The standard error is therefore
 * computed from the last halves. A drift counts only if the chains agree on it
 * at 5 % (20 % for two chains). */
static double drift(cs_draws d, double *chance)
{
    enum { LEAST = 50 };
    size_t half = d.n / 2;
    double *x = cs_alloc(half * d.chains + d.chains, sizeof *x), by = 0;
    const double level = d.chains == 2 ? 0.2 : 0.05;
    *chance = 1;
    if (!x)
        return (double)NAN;
    for (size_t c = 0; c < d.chains; c++)
        memcpy(x + c * half, d.x + c * d.n + d.n - half, half * sizeof *x);
    cs_draws last = {x, half, d.chains};
    double size = cs_ess_mean(last, NULL);
    double error = sqrt(cs_variance(x, half * d.chains) / size);
    by = quarters(d, x + half * d.chains);
    double agree = chance_of_chains(x + half * d.chains, d.chains);
    cs_free(x);
    if (!(size >= LEAST))
        return (double)NAN;
    double far = by / (2 * error);
    if (isfinite(far) && agree < level)
        *chance = 2 * gsl_cdf_tdist_Q(fabs(far), fmax(3, size / 40));
    return far;
}

cs_diagnosis cs_no_diagnosis(const char *why)
{
    const double x = (double)NAN;
    return (cs_diagnosis){{x, x, x, x, x, x, x},
                          {{x, x, x}, {x, x, x}},
                          1,
                          x,
                          1,
                          x,
                          {x, x, x, x},
                          why};
}

/* Returns Hill's estimate of the tail index from the k draws farthest from the
 * median. k = 3 sqrt(size^2 / tail), where `tail` is the tail ESS: k draws are
 * worth 3 sqrt(tail) independent draws (Vehtari, Simpson, Gelman, Yao and Gabry
 * 2024). k is at most 1/20 of the draws, because the tail does not begin closer
 * to the median. */
static double heaviness(const double *sorted, size_t size, double median,
                        double tail)
{
    enum { LEAST = 20, PART = 20 };
    double want = 3 * (double)size / sqrt(tail), sum = 0, at = 0;
    size_t n = size / PART, low = 0, high = size;
    if (!(want >= (double)n))
        n = want >= LEAST ? (size_t)want : 0;
    if (n < LEAST)
        return (double)NAN;
    for (size_t i = 0; i <= n; i++) {
        double below = median - sorted[low], above = sorted[high - 1] - median;
        at = fmax(below, above);
        low += below >= above;
        high -= below < above;
        sum += i < n ? log(at) : 0;
    }
    return at > 0 ? sum / (double)n - log(at) : (double)NAN;
}

cs_diagnosis cs_diagnose_with(cs_draws d, cs_scores *scores)
{
    cs_diagnosis o = cs_no_diagnosis(NULL);
    size_t size = d.n * d.chains;
    const char *why = unusable(d), *folded = NULL;
    ranked r = {.order = NULL};
    o.figures.mean = cs_mean(d.x, size);
    o.figures.sd = sqrt(cs_variance(d.x, size));
    o.why = !why && !begin_ranks(d, &r) ? no_memory : why;
    if (o.why)
        return o;
    double median = cs_quantile_of(r.sorted, size, 0.5);
    double low = cs_quantile_of(r.sorted, size, 0.05);
    double high = cs_quantile_of(r.sorted, size, 0.95);
    split_order(d, &r);
    double bulk = judge(&r, scores, &o.figures.bulk, &o.chance, &o.why);
    double fold = bulk;
    if (!o.why) {
        fold_order(&r, median);
        fold = judge(&r, scores, NULL, &o.chance, &folded);
    }
    o.figures.rhat = larger(bulk, fold, folded, &o.why);
    o.figures.tail = ess_tail(d, low, high, &why);
    o.heavy = heaviness(r.sorted, size, median, o.figures.tail);
    end_ranks(&r);
    o.figures.ess = cs_ess_mean(d, &folded);
    o.figures.mcse = o.figures.sd / sqrt(o.figures.ess);
    o.drift = drift(d, &o.drift_chance);
    if (why == no_memory || folded == no_memory)
        o.why = no_memory;
    return o;
}

cs_diagnosis cs_diagnose(cs_draws d)
{
    cs_scores scores = {0};
    cs_diagnosis o = cs_diagnose_with(d, &scores);
    cs_scores_free(&scores);
    return o;
}
