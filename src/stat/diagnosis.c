/* All diagnostics of one quantity. The draws are sorted once. */
#include "stat/diagnostics.h"

#include "base/memory.h"
#include "stat/effective_size.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const char no_memory[] = "out of memory";
static const char too_short[] = "too few draws in a chain";

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

double cs_mcse_quantile(const double *sorted, size_t n, double p, double ess)
{
    static const double ends[] = {0.1586553, 0.8413447};
    if (isnan(ess) || n == 0)
        return (double)NAN;
    double a = ess * p + 1, b = ess * (1 - p) + 1, size = (double)n;
    double low = floor(beta_inverse(ends[0], a, b) * size);
    double high = ceil(beta_inverse(ends[1], a, b) * size);
    return (sorted[(size_t)fmin(high, size) - 1] -
            sorted[(size_t)fmax(low, 1) - 1]) /
           2;
}

/* ---- ranks ---- */

typedef struct ranked {
    cs_draws d;
    cs_sort_order all;    /* all draws in order */
    cs_sort_order folded; /* their distances from the median, in order */
    cs_sort_order split;  /* the draws of the halves in order */
    double *z;            /* [d.n * d.chains] scratch */
    double median;
    bool full; /* memory was short */
} ranked;

/* Takes an order of n draws from the scratch memory at *at. */
static cs_sort_order take_order(double **at, size_t n)
{
    double *value = *at;
    *at += n + (n + 1) / 2;
    return (cs_sort_order){value, (uint32_t *)(value + n), n};
}

/* Computes the order of the distances from the median. The distances of the
 * draws below and above the median are two ascending sequences, which are
 * merged. */
static void fold(ranked *r)
{
    size_t n = r->all.n, low = 0;
    const double *x = r->all.value, at = r->median;
    while (low < n && x[low] <= at)
        low++;
    for (size_t i = 0, high = low; i < n; i++) {
        double below = low ? fabs(x[low - 1] - at) : HUGE_VAL;
        double above = high < n ? fabs(x[high] - at) : HUGE_VAL;
        bool down = low && below <= above;
        r->folded.value[i] = down ? below : above;
        r->folded.at[i] = r->all.at[down ? --low : high++];
    }
}

/* Sorts the draws. All arrays are in the scratch memory of `scores`. */
static bool begin_ranks(cs_draws d, cs_scores *scores, ranked *r)
{
    size_t size = d.n * d.chains, order = size + (size + 1) / 2;
    double *at =
        size > SIZE_MAX / 8
            ? NULL
            : cs_scores_scratch(scores, size + (d.n % 2 ? 3 : 2) * order);
    if (!at)
        return false;
    *r = (ranked){.d = d, .z = at};
    at += size;
    r->all = take_order(&at, size);
    r->folded = take_order(&at, size);
    if (d.n % 2)
        r->split = take_order(&at, size);
    if (!cs_sort_order_of(d.x, &r->all, (uint64_t *)r->folded.value))
        return false;
    r->median = cs_quantile_of(r->all.value, size, 0.5);
    fold(r);
    return true;
}

/* Returns the order of the draws of the halves. If n is odd, the middle draw of
 * a chain belongs to neither half. */
static const cs_sort_order *halves_in_order(ranked *r, const cs_sort_order *o)
{
    size_t n = r->d.n, used = 0;
    if (n % 2 == 0)
        return o;
    for (size_t k = 0; k < o->n; k++) {
        size_t chain = o->at[k] / n, i = o->at[k] % n;
        if (i == n / 2)
            continue;
        r->split.value[used] = o->value[k];
        r->split.at[used++] = (uint32_t)(o->at[k] - chain - (i > n / 2));
    }
    r->split.n = used;
    return &r->split;
}

/* Returns the normal score of the draws that are equal to draw i in order, and
 * sets *end to the end of these draws. */
static inline double score_at(const cs_sort_order *o, cs_scores *scores,
                              size_t i, size_t *end)
{
    size_t k = i + 1;
    while (k < o->n && o->value[k] == o->value[i])
        k++;
    *end = k;
    if (k == i + 1 && scores->known[0] && scores->n == o->n &&
        !isnan(scores->known[0][i]))
        return scores->known[0][i];
    return cs_score(scores, 0.5 * (double)(i + 1 + k), o->n);
}

/* Sets z to the normal scores of the draws of the halves. */
static cs_halves score(ranked *r, const cs_sort_order *o, cs_scores *scores)
{
    for (size_t i = 0, end; i < o->n; i = end) {
        double value = score_at(o, scores, i, &end);
        for (size_t j = i; j < end; j++)
            r->z[o->at[j]] = value;
    }
    return cs_halves_of(r->z, r->d.n / 2 * 2, r->d.chains);
}

/* Returns R-hat of the normal scores, from their sums in each half. Visits them
 * in their order: storing a million scores at the places of the draws takes
 * longer than all other steps. The mean of all scores is near 0 and their
 * variance near 1, so the sums of squares lose no digits. */
static double rhat_in_order(ranked *r, const cs_sort_order *o,
                            cs_scores *scores)
{
    size_t half = r->d.n / 2, parts = 2 * r->d.chains;
    double *sum = cs_alloc(2 * parts, sizeof *sum), within = 0;
    r->full |= !sum;
    if (!sum || half < 2) {
        cs_free(sum);
        return (double)NAN;
    }
    for (size_t i = 0, end; i < o->n; i = end) {
        double value = score_at(o, scores, i, &end);
        for (size_t j = i; j < end; j++) {
            double *to = sum + 2 * (o->at[j] / (uint32_t)half);
            to[0] += value;
            to[1] += value * value;
        }
    }
    double n = (double)half;
    for (size_t c = 0; c < parts; c++) {
        double mean = sum[2 * c] / n;
        within += (sum[2 * c + 1] - n * mean * mean) / (n - 1);
        sum[c] = mean;
    }
    within /= (double)parts;
    double between = cs_variance(sum, parts);
    cs_free(sum);
    return within > 0 ? sqrt((n * between / within + n - 1) / n) : HUGE_VAL;
}

/* Returns R-hat of the normal scores. If R-hat is above the limit, *odds
 * becomes the smaller of *odds and the p-value of R-hat. If `bulk` is not NULL,
 * also stores the bulk effective size in *bulk. */
static double judge(ranked *r, const cs_sort_order *order, cs_scores *scores,
                    double *bulk, double *odds, const char **why)
{
    const cs_sort_order *o = halves_in_order(r, order);
    double p, rhat;
    *why = o->n == 0 ? "there are no draws" : NULL;
    if (!*why && o->value[o->n - 1] - o->value[0] < DBL_EPSILON)
        *why = cs_why_all_equal;
    if (*why)
        return (double)NAN;
    if (!bulk) {
        rhat = rhat_in_order(r, o, scores);
        if (rhat <= CS_RHAT_MOST)
            return rhat;
    }
    const cs_halves h = score(r, o, scores);
    rhat = cs_halves_rhat(&h, NULL, &r->full);
    if (isnan(rhat))
        *why = r->full ? no_memory : too_short;
    if (bulk && !*why)
        *bulk = cs_halves_ess(&h, &r->full);
    if (rhat > CS_RHAT_MOST && !isnan(cs_halves_rhat(&h, &p, &r->full)))
        *odds = fmin(*odds, p);
    return rhat;
}

/* Returns the larger of the bulk and the folded R-hat. If |x - median| is equal
 * for all draws (for example fair coin tosses), chains cannot differ in scale
 * and only the bulk R-hat counts. */
static double larger_rhat(ranked *r, cs_scores *scores, cs_diagnosis *o)
{
    const char *why;
    double bulk =
        judge(r, &r->all, scores, &o->figures.bulk, &o->chance, &o->why);
    if (o->why)
        return bulk;
    double folded = judge(r, &r->folded, scores, NULL, &o->chance, &why);
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
        double first, last;
        cs_halves_variance(&(cs_halves){from, quarter, 1, 0, 0}, &first);
        cs_halves_variance(&(cs_halves){from + d.n - quarter, quarter, 1, 0, 0},
                           &last);
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
static double heaviness(const double *distance, size_t size, double tail)
{
    enum { LEAST = 20, PART = 20 };
    double want = 3 * (double)size / sqrt(tail), sum = 0;
    size_t n = size / PART;
    if (!(want >= (double)n))
        n = want >= LEAST ? (size_t)want : 0;
    if (n < LEAST)
        return (double)NAN;
    for (size_t i = 0; i < n; i++)
        sum += log(distance[size - 1 - i]);
    double at = distance[size - 1 - n];
    return at > 0 ? sum / (double)n - log(at) : (double)NAN;
}

/* Computes the figures of the spread. The error of the sd follows from the
 * effective size of (x - mean)^2 and the fourth moment. */
static void find_spread(ranked *r, cs_figures *f)
{
    const cs_draws d = r->d;
    size_t size = d.n * d.chains;
    const cs_halves h = cs_halves_of(r->z, d.n, d.chains);
    double two = 0, four = 0;
    for (size_t i = 0; i < size; i++)
        r->z[i] = fabs(d.x[i] - f->mean);
    f->ess_sd = cs_halves_ess(&h, &r->full);
    for (size_t i = 0; i < size; i++) {
        r->z[i] *= r->z[i];
        two += r->z[i] / (double)size;
        four += r->z[i] * r->z[i] / (double)size;
    }
    double ess = cs_halves_ess(&h, &r->full);
    f->mcse_sd = sqrt((four - two * two) / ess / two / 4);
    for (size_t i = 0; i < size; i++)
        r->z[i] = fabs(d.x[i] - r->median);
    double mad = cs_quantile_of(r->folded.value, size, 0.5);
    f->mad = CS_MAD_FACTOR * mad;
    ess = cs_halves_ess_below(&h, mad, &r->full);
    f->mcse_mad =
        CS_MAD_FACTOR * cs_mcse_quantile(r->folded.value, size, 0.5, ess);
}

static cs_quantile_figures quantile(ranked *r, double p)
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
static cs_quantile_figures known_quantile(ranked *r, const cs_probabilities *p,
                                          const cs_quantile_figures *q,
                                          double at)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->p[i] == at)
            return q[i];
    return quantile(r, at);
}

static void find_quantiles(ranked *r, const cs_probabilities *p,
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

/* Computes the figures that draws with a single value have. */
static void find_points(const ranked *r, const cs_probabilities *p,
                        cs_diagnosis *o)
{
    o->figures.median = r->median;
    o->figures.mad =
        CS_MAD_FACTOR * cs_quantile_of(r->folded.value, r->folded.n, 0.5);
    for (size_t i = 0; i < p->n; i++)
        o->quantile[i].at = cs_quantile_of(r->all.value, r->all.n, p->p[i]);
}

cs_diagnosis cs_diagnose_with(cs_draws d, const cs_probabilities *p,
                              cs_scores *scores)
{
    cs_diagnosis o = cs_no_diagnosis(cs_draws_unusable(d));
    size_t size = d.n * d.chains;
    ranked r;
    const cs_halves whole = {d.x, size, 1, 0, 0};
    double variance =
        size ? cs_halves_variance(&whole, &o.figures.mean) : (double)NAN;
    o.figures.sd = sqrt(variance);
    if (o.why && o.why != cs_why_all_equal)
        return o;
    if (!begin_ranks(d, scores, &r)) {
        o.why = no_memory;
        return o;
    }
    find_points(&r, p, &o);
    if (!o.why) {
        o.figures.rhat = larger_rhat(&r, scores, &o);
        find_quantiles(&r, p, &o);
        find_spread(&r, &o.figures);
        o.heavy = heaviness(r.folded.value, size, o.figures.tail);
        const cs_halves h = cs_halves_of(d.x, d.n, d.chains);
        o.figures.ess = cs_halves_ess(&h, &r.full);
        o.figures.mcse = o.figures.sd / sqrt(o.figures.ess);
        o.drift = drift(d, &o.drift_chance);
    }
    if (r.full)
        o.why = no_memory;
    return o;
}

cs_diagnosis cs_diagnose(cs_draws d)
{
    cs_scores scores = {0};
    cs_diagnosis o = cs_diagnose_with(d, &cs_usual_quantiles, &scores);
    cs_scores_free(&scores);
    return o;
}
