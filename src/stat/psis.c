#include "stat/psis.h"

#include "base/cancellation.h"
#include "base/memory.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the generalised Pareto distribution ---- */

/* Returns the mean of log(1 + a x). */
static double mean_log(const double *x, size_t n, double a)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += log1p(a * x[i]);
    return sum / (double)n;
}

void cs_pareto_fit(const double *x, size_t n, double *scratch, double *k,
                   double *sigma)
{
    enum { PRIOR = 3, LEAST = 30, TOWARDS = 10 };
    size_t m = LEAST + (size_t)sqrt((double)n);
    double quarter = x[(size_t)((double)n / 4 + 0.5) - 1], size = (double)n;
    double most = -HUGE_VAL, sum = 0, theta = 0;
    for (size_t j = 0; j < m; j++) {
        double at = 1 / x[n - 1] +
                    (1 - sqrt((double)m / ((double)j + 0.5))) / PRIOR / quarter;
        double shape = mean_log(x, n, -at);
        scratch[j] = size * (log(-at / shape) - shape - 1);
        most = scratch[j] > most ? scratch[j] : most;
    }
    for (size_t j = 0; j < m; j++) {
        double at = 1 / x[n - 1] +
                    (1 - sqrt((double)m / ((double)j + 0.5))) / PRIOR / quarter;
        double w = exp(scratch[j] - most);
        sum += isnan(w) ? 0 : w;
        theta += isnan(w) ? 0 : w * at;
    }
    theta /= sum;
    *k = mean_log(x, n, -theta);
    *sigma = -*k / theta;
    *k = (*k * size + 0.5 * TOWARDS) / (size + TOWARDS);
    if (isnan(*k) || isnan(*sigma))
        *k = HUGE_VAL;
}

/* Returns the quantile of a generalised Pareto distribution. */
static double pareto_quantile(double p, double k, double sigma)
{
    double log_above = log1p(-p);
    return k == 0 ? -sigma * log_above : sigma * expm1(-k * log_above) / k;
}

/* ---- smoothing ---- */

/* Smooths the log weights of the tail, in ascending order, which exceed the log
 * weight `cut`. Returns the shape. */
static double smooth_tail(cs_sort_place *tail, size_t n, double cut,
                          double *scratch)
{
    double k, sigma, *x = scratch, base = exp(cut);
    for (size_t i = 0; i < n; i++)
        x[i] = exp(tail[i].value) - base;
    cs_pareto_fit(x, n, scratch + n, &k, &sigma);
    for (size_t i = 0; i < n && isfinite(k); i++) {
        double p = ((double)i + 0.5) / (double)n;
        tail[i].value = log(pareto_quantile(p, k, sigma) + base);
    }
    return k;
}

bool cs_psis(double *lw, size_t n, double relative, double *k)
{
    enum { LEAST = 5 };
    double most = -HUGE_VAL, least = HUGE_VAL, size = (double)n;
    double want = ceil(fmin(0.2 * size, 3 * sqrt(size / relative)));
    size_t tail = want >= LEAST && want < size ? (size_t)want : 0;
    for (size_t i = 0; i < n; i++) {
        most = lw[i] > most ? lw[i] : most;
        least = lw[i] < least ? lw[i] : least;
    }
    *k = most == least ? (double)NAN : HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        lw[i] -= most;
    if (!tail || most == least)
        return true;
    cs_sort_place *order = cs_alloc(n, sizeof *order);
    double *scratch = cs_alloc(2 * tail + 64, sizeof *scratch);
    for (size_t i = 0; order && i < n; i++)
        order[i] = (cs_sort_place){lw[i], i};
    if (order && scratch) {
        cs_sort_places(order, n);
        cs_sort_place *last = order + n - tail;
        if (last[tail - 1].value - last[0].value >= DBL_EPSILON / 100)
            *k = smooth_tail(last, tail, last[-1].value, scratch);
        for (size_t i = 0; i < tail; i++)
            lw[last[i].at] = fmin(last[i].value, 0);
    }
    bool good = order && scratch;
    CS_FREE_ALL(order, scratch);
    return good;
}

/* ---- leave-one-out densities ---- */

double cs_psis_reliable(double draws)
{
    return fmin(1 - 1 / log10(draws), 0.7);
}

/* Returns log sum exp of x[n]. */
static double log_sum(const double *x, size_t n)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    if (most == -HUGE_VAL)
        return most;
    for (size_t i = 0; i < n; i++)
        sum += exp(x[i] - most);
    return most + log(sum);
}

/* Returns the ESS per draw of the likelihoods, for the length of the tail. */
static double efficiency(cs_draws d, double *scratch)
{
    size_t size = d.n * d.chains;
    double most = -HUGE_VAL;
    for (size_t i = 0; i < size; i++)
        most = d.x[i] > most ? d.x[i] : most;
    for (size_t i = 0; i < size; i++)
        scratch[i] = exp(d.x[i] - most);
    double ess = cs_ess_mean((cs_draws){scratch, d.n, d.chains}, NULL);
    return isnan(ess) ? 1 : ess / (double)size;
}

/* Returns the error of the log of the weighted mean of the likelihoods, by the
 * delta method from the normalised weights w: the sd of the weighted mean,
 * divided by this mean, whose log is `elpd`. */
static double error_of(const double *ll, const double *w, size_t n, double elpd,
                       double relative)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double off = w[i] * (exp(ll[i] - elpd) - 1);
        sum += off * off;
    }
    return sqrt(sum / relative);
}

/* Sets lpd and its error; w[n] is scratch. */
static void find_lpd(cs_draws d, double relative, double *w, cs_loo *out)
{
    size_t size = d.n * d.chains;
    out->lpd = log_sum(d.x, size) - log((double)size);
    for (size_t i = 0; i < size; i++)
        w[i] = 1 / (double)size;
    out->lpd_error = error_of(d.x, w, size, out->lpd, relative);
}

/* Returns the smallest log likelihood; NAN if one is NAN or infinity. */
static double least_of(cs_draws d)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < d.n * d.chains; i++) {
        if (isnan(d.x[i]) || d.x[i] == HUGE_VAL)
            return (double)NAN;
        least = fmin(least, d.x[i]);
    }
    return least;
}

bool cs_loo_of(cs_draws d, cs_loo *out)
{
    const double nan = (double)NAN;
    size_t size = d.n * d.chains;
    double least = least_of(d);
    *out =
        (cs_loo){nan, nan, nan, nan, nan, nan, cs_psis_reliable((double)size)};
    if (isnan(least))
        return true;
    double *lw = cs_alloc(size, sizeof *lw), *sum = cs_alloc(size, sizeof *sum);
    bool good = lw && sum && size;
    double relative = good ? efficiency(d, lw) : 1;
    if (good)
        find_lpd(d, relative, lw, out);
    for (size_t i = 0; good && i < size; i++)
        lw[i] = -d.x[i];
    if (good && least == -HUGE_VAL) { /* the mean of the ratios is infinite */
        out->elpd = out->waic = -HUGE_VAL;
        out->k = HUGE_VAL;
    } else if ((good = good && cs_psis(lw, size, relative, &out->k))) {
        double total = log_sum(lw, size);
        for (size_t i = 0; i < size; i++) {
            lw[i] -= total;
            sum[i] = lw[i] + d.x[i];
        }
        out->elpd = log_sum(sum, size);
        out->waic = out->lpd - cs_variance(d.x, size);
        for (size_t i = 0; i < size; i++)
            lw[i] = exp(lw[i]);
        out->error = error_of(d.x, lw, size, out->elpd, relative);
    }
    CS_FREE_ALL(lw, sum);
    return good || !size;
}

/* ---- stacking ---- */

/* Sets p[n][models] to the densities of each observation, divided by its
 * largest one. */
static void densities(const double *elpd, size_t models, size_t n, double *p)
{
    for (size_t i = 0; i < n; i++) {
        double most = -HUGE_VAL;
        for (size_t k = 0; k < models; k++)
            most = elpd[k * n + i] > most ? elpd[k * n + i] : most;
        for (size_t k = 0; k < models; k++)
            p[i * models + k] = exp(elpd[k * n + i] - most);
    }
}

bool cs_stacking(const double *elpd, size_t models, size_t n, double *w)
{
    enum { ROUNDS = 20000 };
    assert(models <= CS_STACKED);
    double change = 1, *p = cs_alloc(n * models, sizeof *p);
    if (p)
        densities(elpd, models, n, p);
    for (size_t k = 0; k < models; k++)
        w[k] = 1 / (double)models;
    for (int round = 0; p && round < ROUNDS && !(change < 1e-12); round++) {
        double next[CS_STACKED] = {0};
        if (cs_cancelled())
            break;
        for (size_t i = 0; i < n; i++) {
            double all = 0;
            for (size_t k = 0; k < models; k++)
                all += w[k] * p[i * models + k];
            for (size_t k = 0; k < models; k++)
                next[k] += p[i * models + k] / all;
        }
        change = 0;
        for (size_t k = 0; k < models; k++) {
            next[k] *= w[k] / (double)n;
            change = fmax(change, fabs(next[k] - w[k]));
            w[k] = next[k];
        }
    }
    cs_free(p);
    return p != NULL;
}
