/* All diagnostics of one quantity. The draws are sorted once. */
#include "stat/diagnostics.h"

#include "base/memory.h"
#include "stat/effective_size.h"
#include "stat/moments.h"
#include "stat/ranked.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>

#include <float.h>
#include <math.h>
#include <string.h>

const cs_probabilities cs_usual_quantiles = {{0.05, 0.5, 0.95}, 3};

/* ---- quantiles ---- */

/* Returns the inverse of the beta distribution function, a and b at least 1.
 * Newton steps that leave the bracket become bisections. gsl_cdf_beta_Pinv does
 * not converge for the large a and b of long runs. */
static double beta_inverse(double p, double a, double b)
{
    double low = 0, high = 1, x = a / (a + b);
    double norm = gsl_sf_lnbeta(a, b); /* lgamma writes to a global variable */
    for (int i = 0; i < 200 && high - low > 1e-16 * high; i++) {
        double off = gsl_cdf_beta_P(x, a, b) - p;
        double log_density = (a - 1) * log(x) + (b - 1) * log1p(-x) - norm;
        low = off < 0 ? x : low;
        high = off < 0 ? high : x;
        double next = x - off / exp(log_density);
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (fabs(next - x) <= 1e-15 * x)
            return next;
        x = next;
    }
    return x;
}

/* Sets at[0] and at[1] to the indices of the draws at the ends of the interval
 * of a quantile. Returns false if the standard error is undefined. */
static bool interval_of(size_t n, double p, double ess, size_t at[2])
{
    static const double ends[] = {0.1586553, 0.8413447};
    if (isnan(ess) || n == 0)
        return false;
    double a = ess * p + 1, b = ess * (1 - p) + 1, size = (double)n;
    double low = floor(beta_inverse(ends[0], a, b) * size);
    double high = ceil(beta_inverse(ends[1], a, b) * size);
    at[0] = (size_t)fmax(low, 1) - 1;
    at[1] = (size_t)fmin(high, size) - 1;
    return true;
}

double cs_mcse_quantile(const double *sorted, size_t n, double p, double ess)
{
    size_t at[2];
    if (!interval_of(n, p, ess, at))
        return (double)NAN;
    return (sorted[at[1]] - sorted[at[0]]) / 2;
}

/* The same for the median of the distances from the median. */
static double mcse_distance(const cs_ranked *r, double ess)
{
    size_t at[2];
    if (!interval_of(r->all.n, 0.5, ess, at))
        return (double)NAN;
    return (cs_ranked_distance(r, at[1]) - cs_ranked_distance(r, at[0])) / 2;
}

/* ---- R-hat ---- */

/* Returns the larger of the bulk and the folded R-hat. If |x - median| is equal
 * for all draws (for example fair coin tosses), chains cannot differ in scale
 * and only the bulk R-hat counts. */
static double larger_rhat(cs_ranked *r, cs_scores *scores, cs_diagnosis *o)
{
    const char *why;
    double bulk = cs_ranked_rhat(r, CS_BY_VALUE, scores, &o->figures.bulk,
                                 &o->chance, &o->why);
    if (o->why)
        return bulk;
    double folded =
        cs_ranked_rhat(r, CS_BY_DISTANCE, scores, NULL, &o->chance, &why);
    if (why == cs_why_all_equal)
        return bulk;
    o->why = why;
    return why ? (double)NAN : fmax(folded, bulk);
}

/* ---- drift ---- */

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

/* Stores in by[chains], for each chain, the mean of its first quarter minus the
 * mean of its last quarter. */
static void quarters(cs_draws d, double *by)
{
    size_t quarter = d.n / 4;
    for (size_t c = 0; c < d.chains && quarter; c++) {
        const double *from = d.x + c * d.n;
        double first = cs_halves_mean(&(cs_halves){from, quarter, 1, 0, 0});
        from += d.n - quarter;
        double last = cs_halves_mean(&(cs_halves){from, quarter, 1, 0, 0});
        by[c] = first - last;
    }
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
    double *by = cs_alloc(d.chains, sizeof *by);
    const double level = d.chains == 2 ? 0.2 : 0.05;
    bool full = false;
    *chance = 1;
    if (!by)
        return (double)NAN;
    const cs_halves last = {d.x + d.n - half, half / 2, 2 * d.chains, d.n,
                            half - half / 2};
    double size = cs_halves_ess(&last, &full);
    if (!(size >= LEAST)) {
        cs_free(by);
        return (double)NAN;
    }
    quarters(d, by);
    double agree = chance_of_chains(by, d.chains);
    const cs_halves whole = {d.x + d.n - half, half, d.chains, 2 * d.n, d.n};
    double far = cs_mean(by, d.chains) /
                 (2 * sqrt(cs_halves_variance(&whole, NULL) / size));
    cs_free(by);
    if (isfinite(far) && agree < level)
        *chance = 2 * gsl_cdf_tdist_Q(fabs(far), fmax(3, size / 40));
    return far;
}

/* ---- all figures ---- */

cs_diagnosis cs_no_diagnosis(const char *why)
{
    const double x = (double)NAN;
    cs_diagnosis o = {.figures = {x, x, x, x, x, x, x, x, x, x, x, x, x, x},
                      .chance = 1,
                      .drift = x,
                      .drift_chance = 1,
                      .heavy = x,
                      .alike = {x, x, x, x},
                      .why = why};
    for (size_t i = 0; i < CS_QUANTILES_MOST; i++)
        o.quantile[i] = (cs_quantile_figures){x, x, x};
    return o;
}

/* Returns Hill's estimate of the tail index from the k draws farthest from the
 * median. k = 3 sqrt(size^2 / tail), where `tail` is the tail ESS: k draws are
 * worth 3 sqrt(tail) independent draws (Vehtari, Simpson, Gelman, Yao and Gabry
 * 2024). k is at most 1/20 of the draws, because the tail does not begin closer
 * to the median. */
static double heaviness(const cs_ranked *r, double tail)
{
    enum { LEAST = 20, PART = 20 };
    size_t size = r->all.n, n = size / PART;
    double want = 3 * (double)size / sqrt(tail);
    if (!(want >= (double)n))
        n = want >= LEAST ? (size_t)want : 0;
    if (n < LEAST)
        return (double)NAN;
    double sum = cs_ranked_log_tail(r, n);
    double at = cs_ranked_distance(r, size - 1 - n);
    return at > 0 ? sum / (double)n - log(at) : (double)NAN;
}

/* Squares z[n]. Sets *two to the mean of z^2 and *spread to its variance. `about`
 * is a rough mean of z^2, without which the variance loses digits. */
static void square(double *z, size_t n, double about, double *two,
                   double *spread)
{
    enum { LANES = 4 };
    double a[LANES] = {0}, b[LANES] = {0}, part = 1 / (double)n, mean, more;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            double v = z[i + k] * z[i + k], off = v - about;
            z[i + k] = v;
            a[k] += off * part;
            b[k] += off * off * part;
        }
    for (; i < n; i++) {
        z[i] *= z[i];
        a[0] += (z[i] - about) * part;
        b[0] += (z[i] - about) * (z[i] - about) * part;
    }
    mean = a[0] + a[1] + (a[2] + a[3]);
    more = b[0] + b[1] + (b[2] + b[3]);
    *two = about + mean;
    *spread = more - mean * mean;
}

/* Computes the figures of the spread. The error of the sd follows from the
 * effective size of (x - mean)^2 and the fourth moment. */
static void find_spread(cs_ranked *r, cs_figures *f)
{
    const cs_draws d = r->d;
    size_t size = d.n * d.chains;
    const cs_halves h = cs_halves_of(r->z, d.n, d.chains);
    double two, spread, mean = f->mean;
    for (size_t i = 0; i < size; i++)
        r->z[i] = fabs(d.x[i] - mean);
    f->ess_sd = cs_halves_ess(&h, &r->full);
    square(r->z, size, f->sd * f->sd, &two, &spread);
    double ess = cs_halves_ess(&h, &r->full);
    f->mcse_sd = sqrt(spread / ess / two / 4);
    for (size_t i = 0; i < size; i++)
        r->z[i] = fabs(d.x[i] - r->median);
    double mad = cs_ranked_mad(r);
    f->mad = CS_MAD_FACTOR * mad;
    ess = cs_halves_ess_below(&h, mad, &r->full);
    f->mcse_mad = CS_MAD_FACTOR * mcse_distance(r, ess);
}

static cs_quantile_figures quantile(cs_ranked *r, double p)
{
    const cs_draws d = r->d;
    const double *x = r->all.value;
    const cs_halves h = cs_halves_of(d.x, d.n, d.chains);
    double at = cs_quantile_of(x, r->all.n, p);
    double ess = cs_halves_ess_below(&h, at, &r->full);
    return (cs_quantile_figures){at, cs_mcse_quantile(x, r->all.n, p, ess),
                                 ess};
}

/* Returns a quantile, from q[p->n] if it is one of them. */
static cs_quantile_figures known_quantile(cs_ranked *r,
                                          const cs_probabilities *p,
                                          const cs_quantile_figures *q,
                                          double at)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->p[i] == at)
            return q[i];
    return quantile(r, at);
}

static void find_quantiles(cs_ranked *r, const cs_probabilities *p,
                           cs_diagnosis *o)
{
    for (size_t i = 0; i < p->n; i++)
        o->quantile[i] = quantile(r, p->p[i]);
    cs_quantile_figures median = known_quantile(r, p, o->quantile, 0.5);
    double low = known_quantile(r, p, o->quantile, 0.05).ess;
    double high = known_quantile(r, p, o->quantile, 0.95).ess;
    o->figures.median = median.at;
    o->figures.mcse_median = median.mcse;
    o->figures.ess_median = median.ess;
    o->figures.tail = isnan(low + high) ? (double)NAN : fmin(low, high);
}

/* Computes the figures that draws with a single value have. The errors of
 * quantiles are then 0: half the distance between two equal draws. (The package
 * posterior gives none.) */
static void find_points(const cs_ranked *r, const cs_probabilities *p,
                        cs_diagnosis *o)
{
    o->figures.median = r->median;
    o->figures.mad = CS_MAD_FACTOR * cs_ranked_mad(r);
    if (o->why == cs_why_all_equal)
        o->figures.mcse_median = o->figures.mcse_mad = 0;
    for (size_t i = 0; i < p->n; i++) {
        o->quantile[i].at = cs_quantile_of(r->all.value, r->all.n, p->p[i]);
        if (o->why == cs_why_all_equal)
            o->quantile[i].mcse = 0;
    }
}

cs_diagnosis cs_diagnose_with(cs_draws d, const cs_probabilities *p,
                              cs_scores *scores)
{
    cs_diagnosis o = cs_no_diagnosis(NULL);
    size_t size = d.n * d.chains;
    cs_ranked r;
    const cs_halves whole = {d.x, size, 1, 0, 0};
    double variance = (double)NAN;
    o.why = size ? cs_halves_look(&whole, &o.figures.mean, &variance)
                 : cs_draws_unusable(d);
    o.figures.sd = sqrt(variance);
    if (o.why && o.why != cs_why_all_equal)
        return o;
    if (!cs_ranked_begin(d, scores, &r)) {
        o.why = cs_why_no_memory;
        return o;
    }
    find_points(&r, p, &o);
    if (!o.why) {
        o.figures.rhat = larger_rhat(&r, scores, &o);
        find_quantiles(&r, p, &o);
        find_spread(&r, &o.figures);
        o.heavy = heaviness(&r, o.figures.tail);
        const cs_halves h = cs_halves_of(d.x, d.n, d.chains);
        o.figures.ess = cs_halves_ess(&h, &r.full);
        o.figures.mcse = o.figures.sd / sqrt(o.figures.ess);
        o.drift = drift(d, &o.drift_chance);
    }
    if (r.full)
        o.why = cs_why_no_memory;
    return o;
}

cs_diagnosis cs_diagnose(cs_draws d)
{
    cs_scores scores = {0};
    cs_diagnosis o = cs_diagnose_with(d, &cs_usual_quantiles, &scores);
    cs_scores_free(&scores);
    return o;
}
