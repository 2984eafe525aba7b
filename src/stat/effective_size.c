#include "stat/effective_size.h"

#include "base/memory.h"
#include "stat/diagnostics.h"
#include "stat/lag_sums.h"
#include "stat/moments.h"

#include <gsl/gsl_cdf.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Lags up to which products are summed directly, lags of the first transform,
 * and lags up to which pairs of bits are counted. */
enum { DIRECT = CS_LAG_SUMS_FIRST, LAGS = 1024, COUNTED = 512 };

static const cs_lag_sums *sums(void)
{
    static const cs_lag_sums *const all[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_lag_sums_hot)};
    return all[0][cs_simd_level()];
}

cs_halves cs_halves_of(const double *x, size_t n, size_t chains)
{
    return (cs_halves){x, n / 2, 2 * chains, n, n - n / 2};
}

static const double *part_of(const cs_halves *h, size_t c)
{
    return h->x + c / 2 * h->stride + c % 2 * h->second;
}

double cs_geyer(double *rho, size_t lags, size_t n, size_t *cut)
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

/* Converts the mean autocovariances cov[lags] of n draws per part to
 * autocorrelations, in place, and returns tau. `apart` is the variance of the
 * means of the parts. */
static double tau_of(double *cov, size_t lags, size_t n, double apart)
{
    size_t cut;
    double within = cov[0] * (double)n / ((double)n - 1), var = cov[0] + apart;
    for (size_t t = 0; t < lags; t++)
        cov[t] = 1 - (within - cov[t]) / var;
    return cs_geyer(cov, lags, n, &cut);
}

static double size_of(const cs_halves *h, double tau)
{
    double size = (double)h->n * (double)h->parts;
    return size / fmax(tau, 1 / log10(size));
}

/* ---- numbers ---- */

/* Computes the mean of each part. Returns false if a draw is not finite, or if
 * all draws are equal. */
static bool look_at(const cs_halves *h, double *mean)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    bool all = true;
    for (size_t c = 0; c < h->parts; c++) {
        double least, most;
        bool finite;
        mean[c] = sums()->mean(part_of(h, c), h->n, &least, &most, &finite);
        low = fmin(low, least);
        high = fmax(high, most);
        all &= finite;
    }
    return all && high - low >= DBL_EPSILON;
}

/* Computes cov[lags], of which the first `known` lags are known. */
static void cov_directly(const cs_halves *h, const double *mean, size_t known,
                         size_t lags, double *cov)
{
    for (; known < lags; known += CS_LAG_SUMS) {
        double sum[CS_LAG_SUMS] = {0};
        for (size_t c = 0; c < h->parts; c++)
            sums()->products(part_of(h, c), h->n, mean[c], known, sum);
        for (size_t k = 0; k < CS_LAG_SUMS && known + k < lags; k++)
            cov[known + k] = sum[k] / ((double)h->n * (double)h->parts);
    }
}

/* Computes tau from at most DIRECT lags; NAN: more lags are needed. Geyer's
 * sequence changes its argument, which is therefore a copy. */
static double tau_directly(const cs_halves *h, const double *mean, double apart)
{
    double cov[DIRECT + 2] = {0}, copy[DIRECT + 2], tau = (double)NAN;
    size_t most = h->n < DIRECT ? h->n : DIRECT, known = 0;
    while (isnan(tau) && known < most) {
        size_t lags = known + CS_LAG_SUMS < most ? known + CS_LAG_SUMS : most;
        cov_directly(h, mean, known, lags, cov);
        known = lags;
        memcpy(copy, cov, sizeof copy);
        tau = tau_of(copy, lags, h->n, apart);
    }
    return tau;
}

/* Computes cov[lags] by transforms. */
static bool cov_by_transforms(const cs_halves *h, size_t lags, double *cov)
{
    const double **part = cs_alloc(h->parts, sizeof *part);
    for (size_t c = 0; part && c < h->parts; c++)
        part[c] = part_of(h, c);
    bool good =
        part && cs_autocovariance_of(part, h->parts, h->n, lags, cov) == CS_OK;
    cs_free((void *)part);
    return good;
}

/* Returns the effective size of finite draws that are not all equal, whose parts
 * have the means mean[parts]. */
static double ess_about(const cs_halves *h, const double *mean, bool across,
                        bool *full)
{
    double apart = across ? cs_variance(mean, h->parts) : 0;
    double tau = tau_directly(h, mean, apart);
    size_t lags = h->n > 2 * LAGS ? LAGS : h->n;
    bool good = h->n > DIRECT;
    while (good && isnan(tau)) {
        double *cov = cs_alloc(lags + 2, sizeof *cov);
        good = cov && cov_by_transforms(h, lags, cov);
        *full |= !good;
        if (good)
            tau = tau_of(cov, lags, h->n, apart);
        cs_free(cov);
        good &= lags < h->n;
        lags = h->n;
    }
    return isnan(tau) ? tau : size_of(h, tau);
}

static double ess(const cs_halves *h, bool across, bool *full)
{
    if (h->n < 3)
        return (double)NAN;
    double *mean = cs_alloc(h->parts, sizeof *mean), size = (double)NAN;
    *full |= !mean;
    if (mean && look_at(h, mean))
        size = ess_about(h, mean, across, full);
    cs_free(mean);
    return size;
}

double cs_halves_ess_about(const cs_halves *h, const double *mean, bool *full)
{
    return h->n < 3 ? (double)NAN : ess_about(h, mean, true, full);
}

/* Returns the mean of all parts; the reason for which they are unusable goes to
 * *why. */
static double mean_of_all(const cs_halves *h, const char **why)
{
    double all = 0, low = HUGE_VAL, high = -HUGE_VAL;
    bool good = true;
    for (size_t c = 0; c < h->parts; c++) {
        double least, most;
        bool finite;
        all += sums()->mean(part_of(h, c), h->n, &least, &most, &finite) /
               (double)h->parts;
        low = fmin(low, least);
        high = fmax(high, most);
        good &= finite;
    }
    *why = !good                      ? cs_why_not_finite
           : high - low < DBL_EPSILON ? cs_why_all_equal
                                      : NULL;
    return all;
}

double cs_halves_mean(const cs_halves *h)
{
    const char *why;
    return mean_of_all(h, &why);
}

const char *cs_halves_look(const cs_halves *h, double *mean, double *variance)
{
    const char *why;
    double size = (double)h->n * (double)h->parts, sum = 0;
    *mean = mean_of_all(h, &why);
    for (size_t c = 0; c < h->parts; c++)
        sum += sums()->squares(part_of(h, c), h->n, *mean);
    *variance = size > 1 ? sum / (size - 1) : (double)NAN;
    return why;
}

double cs_halves_variance(const cs_halves *h, double *mean)
{
    double variance, unused;
    cs_halves_look(h, mean ? mean : &unused, &variance);
    return variance;
}

double cs_halves_ess(const cs_halves *h, bool *full)
{
    return ess(h, true, full);
}

double cs_halves_ess_within(const cs_halves *h, bool *full)
{
    return ess(h, false, full);
}

/* ---- R-hat ---- */

/* Returns the mean variance of the parts, with divisor n - 1. */
static double variance_within(const cs_halves *h, const double *mean)
{
    double all = 0;
    for (size_t c = 0; c < h->parts; c++)
        all +=
            sums()->squares(part_of(h, c), h->n, mean[c]) / ((double)h->n - 1);
    return all / (double)h->parts;
}

/* Returns a p-value by the F test of the variance of the means. The number of
 * draws in the test is the effective size within the parts. The autocorrelation
 * time is itself an estimate. If autocorrelations up to a lag of about five
 * times this time are summed, the estimate has a relative variance of 20 / size
 * (Sokal 1997, section 3), like a chi-square variable with size / 10 degrees of
 * freedom. */
static double chance(const cs_halves *h, double within, double between,
                     bool *full)
{
    double m = (double)h->parts, n = (double)h->n;
    double size = cs_halves_ess_within(h, full);
    if (isnan(size))
        return size;
    return gsl_cdf_fdist_Q(n * between / (within * (m * n / size)), m - 1,
                           fmax(fmin(size - m, size / 10), 1));
}

double cs_halves_rhat(const cs_halves *h, double *odds, bool *full)
{
    if (h->n < 2)
        return (double)NAN;
    double *mean = cs_alloc(h->parts, sizeof *mean);
    bool good = mean && look_at(h, mean);
    *full |= !mean;
    double within = good ? variance_within(h, mean) : (double)NAN;
    double between = good ? cs_variance(mean, h->parts) : (double)NAN;
    double n = (double)h->n;
    cs_free(mean);
    if (good && odds)
        *odds = chance(h, within, between, full);
    if (!good)
        return (double)NAN;
    return within > 0 ? sqrt((n * between / within + n - 1) / n) : HUGE_VAL;
}

/* ---- indicators ---- */

/* The indicators of all parts as bits. */
typedef struct bits {
    uint64_t *word;      /* [parts][words] the last word of a part is 0 [own] */
    size_t words, *ones; /* [parts] number of ones [own] */
} bits;

static bool bits_begin(const cs_halves *h, double at, bits *b)
{
    b->words = h->n / 64 + 2;
    b->word = cs_alloc(h->parts * b->words, sizeof *b->word);
    b->ones = cs_alloc(h->parts, sizeof *b->ones);
    if (!b->word || !b->ones) {
        CS_FREE_ALL(b->word, b->ones);
        return false;
    }
    for (size_t c = 0; c < h->parts; c++)
        b->ones[c] =
            sums()->below(part_of(h, c), h->n, at, b->word + c * b->words);
    return true;
}

static bool bit_of(const uint64_t *w, size_t i)
{
    return w[i / 64] >> i % 64 & 1;
}

/* Computes cov[lags] from counts of ones and of pairs. */
static void cov_of_bits(const cs_halves *h, const bits *b, size_t lags,
                        double *cov)
{
    memset(cov, 0, lags * sizeof *cov);
    for (size_t c = 0; c < h->parts; c++) {
        const uint64_t *w = b->word + c * b->words;
        size_t first = b->ones[c], last = first; /* ones in either end */
        double m = (double)b->ones[c] / (double)h->n;
        for (size_t k = 0; k < lags; k++) {
            if (k) {
                first -= bit_of(w, h->n - k);
                last -= bit_of(w, k - 1);
            }
            cov[k] += (double)sums()->pairs(w, b->words, k) -
                      m * (double)(first + last) + (double)(h->n - k) * m * m;
        }
    }
    for (size_t k = 0; k < lags; k++)
        cov[k] /= (double)h->n * (double)h->parts;
}

/* Computes tau from at most COUNTED lags; NAN: more lags are needed. */
static double tau_of_bits(const cs_halves *h, const bits *b, double apart,
                          bool *full)
{
    size_t most = h->n < COUNTED ? h->n : COUNTED;
    double *cov = cs_alloc(most + 2, sizeof *cov), tau = (double)NAN;
    *full |= !cov;
    for (size_t lags = most < 16 ? most : 16; cov && isnan(tau);) {
        cov_of_bits(h, b, lags, cov);
        tau = tau_of(cov, lags, h->n, apart);
        if (lags == most)
            break;
        lags = 4 * lags < most ? 4 * lags : most;
    }
    cs_free(cov);
    return tau;
}

/* Returns the effective size from a copy of the indicators as numbers, for
 * chains that need more lags. */
static double ess_of_copy(const cs_halves *h, double at, bool *full)
{
    double *x = cs_alloc(h->n * h->parts, sizeof *x);
    cs_halves copy = {x, h->n, h->parts, 2 * h->n, h->n};
    *full |= !x;
    if (!x)
        return (double)NAN;
    for (size_t c = 0; c < h->parts; c++)
        for (size_t i = 0; i < h->n; i++)
            x[c * h->n + i] = part_of(h, c)[i] <= at;
    double size = cs_halves_ess(&copy, full);
    cs_free(x);
    return size;
}

double cs_halves_ess_below(const cs_halves *h, double at, bool *full)
{
    bits b;
    size_t all = 0;
    if (h->n < 3)
        return (double)NAN;
    if (!bits_begin(h, at, &b)) {
        *full = true;
        return (double)NAN;
    }
    double *mean = cs_alloc(h->parts, sizeof *mean), tau = (double)NAN;
    *full |= !mean;
    for (size_t c = 0; mean && c < h->parts; c++) {
        mean[c] = (double)b.ones[c] / (double)h->n;
        all += b.ones[c];
    }
    bool varies = mean && all > 0 && all < h->n * h->parts;
    if (varies)
        tau = tau_of_bits(h, &b, cs_variance(mean, h->parts), full);
    CS_FREE_ALL(b.word, b.ones, mean);
    if (!varies)
        return (double)NAN;
    return isnan(tau) ? ess_of_copy(h, at, full) : size_of(h, tau);
}
