#include "stat/uniformity.h"

#include "base/memory.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { MOST_BINS = 16, LEAST_IN_BIN = 5, HALVINGS = 40 };

/* Returns log k! for k = 0 .. n [own]; NULL if memory is short. */
static double *log_factorials(size_t n)
{
    double *out = cs_alloc(n + 1, sizeof *out);
    for (size_t k = 1; out && k <= n; k++)
        out[k] = out[k - 1] + log((double)k);
    return out;
}

static double binomial(const double *lf, size_t n, size_t k, double p)
{
    if (p >= 1)
        return k == n;
    return exp(lf[n] - lf[k] - lf[n - k] + (double)k * log(p) +
               (double)(n - k) * log1p(-p));
}

/* ---- probability of staying within a band ---- */

typedef struct range {
    size_t low, high;
} range;

static range range_at(const double *low, const double *high, size_t k, size_t n)
{
    double a = fmax(low[k], 0), b = fmin(high[k], (double)n);
    return (range){(size_t)ceil(a), b < 0 ? 0 : (size_t)floor(b)};
}

/* Computes the probabilities of the values of R_k+1 from the probabilities of
 * the values of R_k, inside the band. p: the probability that one of the
 * remaining ranks is equal to k. */
static void step(const double *lf, size_t n, double p, range from, range to,
                 const double *was, double *is)
{
    double log_p = log(p), log_q = p < 1 ? log1p(-p) : 0;
    memset(is, 0, (n + 1) * sizeof *is);
    for (size_t r = from.low; r <= from.high; r++) {
        size_t first = r > to.low ? r : to.low;
        if (was[r] < 1e-18)
            continue;
        for (size_t s = first; s <= to.high; s++) {
            size_t others = n - r, k = s - r;
            double log_pdf = lf[others] - lf[k] - lf[others - k] +
                             (double)k * log_p + (double)(others - k) * log_q;
            is[s] += was[r] * exp(log_pdf);
        }
    }
}

double cs_ecdf_coverage(size_t n, size_t places, const double *low,
                        const double *high)
{
    assert(n >= 1 && places >= 2);
    double *lf = log_factorials(n), sum = (double)NAN;
    double *was = cs_alloc(n + 1, sizeof *was),
           *is = cs_alloc(n + 1, sizeof *is);
    if (lf && was && is) {
        range from = {0, 0};
        was[0] = 1;
        for (size_t k = 1; k < places; k++) {
            range to = range_at(low, high, k - 1, n);
            step(lf, n, 1 / (double)(places - k + 1), from, to, was, is);
            double *swap = was;
            was = is;
            is = swap;
            from = to;
        }
        sum = 0;
        for (size_t r = from.low; r <= from.high; r++)
            sum += was[r];
    }
    CS_FREE_ALL(lf, was, is);
    return sum;
}

/* ---- bands ---- */

/* Finds the smallest r with P(R <= r) > tail, and the largest r with P(R >= r)
 * > tail, where R is the binomial count. */
static void band_at(const double *lf, size_t n, double z, double tail,
                    double *low, double *high)
{
    double below = 0;
    size_t r = 0;
    while (r < n && below + binomial(lf, n, r, z) <= tail)
        below += binomial(lf, n, r++, z);
    *low = (double)r;
    double above = 0;
    for (r = n; r > 0 && above + binomial(lf, n, r, z) <= tail; r--)
        above += binomial(lf, n, r, z);
    *high = (double)r;
}

static void fill_band(const double *lf, size_t n, size_t places, double gamma,
                      double *low, double *high)
{
    for (size_t k = 1; k < places; k++)
        band_at(lf, n, (double)k / (double)places, gamma / 2, &low[k - 1],
                &high[k - 1]);
}

void cs_ecdf_band(size_t n, size_t places, double gamma, double *low,
                  double *high)
{
    double *lf = log_factorials(n);
    for (size_t k = 0; !lf && k + 1 < places; k++)
        low[k] = high[k] = (double)NAN;
    if (lf)
        fill_band(lf, n, places, gamma, low, high);
    cs_free(lf);
}

/* Returns the probability that all R_k are within the band of level gamma. */
static double covered(const double *lf, size_t n, size_t places, double gamma,
                      double *low, double *high)
{
    fill_band(lf, n, places, gamma, low, high);
    return cs_ecdf_coverage(n, places, low, high);
}

double cs_ecdf_level(size_t n, size_t places, double level)
{
    double *lf = log_factorials(n);
    double *low = cs_alloc(places, sizeof *low);
    double *high = cs_alloc(places, sizeof *high);
    double least = 0, most = 1; /* positions on a log scale: 0 means 1e-12,
                                 * 1 means 1 */
    if (!lf || !low || !high)
        least = (double)NAN;
    for (int i = 0; i < HALVINGS && !isnan(least); i++) {
        double middle = (least + most) / 2;
        double c =
            covered(lf, n, places, pow(10, 12 * (middle - 1)), low, high);
        if (isnan(c))
            least = c;
        else if (c >= level)
            least = middle;
        else
            most = middle;
    }
    CS_FREE_ALL(lf, low, high);
    return isnan(least) ? least : pow(10, 12 * (least - 1));
}

/* ---- ranks ---- */

void cs_rank_histogram(const double *rank, size_t n, size_t places, size_t bins,
                       double *count)
{
    assert(bins && places % bins == 0);
    memset(count, 0, bins * sizeof *count);
    for (size_t i = 0; i < n; i++)
        count[(size_t)rank[i] / (places / bins)]++;
}

static size_t bins_of(size_t n, size_t places)
{
    size_t bins = 1;
    while (2 * bins <= MOST_BINS && places % (2 * bins) == 0 &&
           n >= 2 * bins * LEAST_IN_BIN)
        bins *= 2;
    return bins;
}

static void find_chi2(const double *rank, size_t n, size_t places,
                      cs_uniformity *out)
{
    double count[MOST_BINS];
    out->bins = bins_of(n, places);
    double expected = (double)n / (double)out->bins;
    cs_rank_histogram(rank, n, places, out->bins, count);
    out->chi2 = 0;
    for (size_t i = 0; i < out->bins; i++)
        out->chi2 += (count[i] - expected) * (count[i] - expected) / expected;
    out->chi2_p =
        out->bins > 1 ? gsl_cdf_chisq_Q(out->chi2, (double)(out->bins - 1)) : 1;
}

/* Uses the standard errors for uniform ranks. For the variance, the error
 * follows from the fourth moment: (1/80 - 1/144) / (1/12)^2 = 4/5. */
static void find_moments(const double *rank, size_t n, size_t places,
                         cs_uniformity *out)
{
    double sum = 0, squares = 0, p = (double)places, m = (double)n;
    double variance = (1 - 1 / (p * p)) / 12;
    for (size_t i = 0; i < n; i++) {
        double u = (rank[i] + 0.5) / p;
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
    }
    out->mean = sum / m;
    out->mean_error = sqrt(variance / m);
    out->spread = squares / m / variance;
    out->spread_error = sqrt(0.8 / m);
}

/* Returns the smallest of the two-sided tail probabilities of all R_k. */
static double least_tail(const double *lf, const double *count, size_t n,
                         size_t places, double *where)
{
    double least = 2, r = 0;
    for (size_t k = 1; k < places; k++) {
        double below = 0, above = 0;
        r += count[k - 1];
        for (size_t i = 0; i <= n; i++) {
            double p = binomial(lf, n, i, (double)k / (double)places);
            below += (double)i <= r ? p : 0;
            above += (double)i >= r ? p : 0;
        }
        double tail = 2 * fmin(below, above);
        if (tail < least) {
            least = tail;
            *where = (double)k / (double)places;
        }
    }
    return fmin(least, 1);
}

/* Computes the p-value: the probability that the smallest tail probability of
 * uniform ranks is at most the smallest tail probability of these ranks. This
 * is 1 minus the probability that all tail probabilities are larger. The level
 * is raised by 1e-9, so that rounding does not count the smallest one itself as
 * larger. */
static bool find_p(const double *rank, size_t n, size_t places,
                   cs_uniformity *out)
{
    double *lf = log_factorials(n);
    double *count = cs_alloc(places, sizeof *count);
    double *low = cs_alloc(places, sizeof *low);
    double *high = cs_alloc(places, sizeof *high);
    bool good = lf && count && low && high;
    if (good) {
        cs_rank_histogram(rank, n, places, places, count);
        double tail = least_tail(lf, count, n, places, &out->where);
        double inside = covered(lf, n, places, tail * (1 + 1e-9), low, high);
        good = !isnan(inside);
        out->p = fmin(fmax(1 - inside, 0), 1);
    }
    CS_FREE_ALL(lf, count, low, high);
    return good;
}

bool cs_uniformity_of(const double *rank, size_t n, size_t places,
                      cs_uniformity *out)
{
    if (n < 2 || places < 2)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(rank[i] >= 0 && rank[i] < (double)places &&
              rank[i] == floor(rank[i])))
            return false;
    find_chi2(rank, n, places, out);
    find_moments(rank, n, places, out);
    return find_p(rank, n, places, out);
}
