#include "stat/series.h"

#include "base/memory.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fft_complex.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A transform of `size` complex numbers and its memory. Two real series are
 * transformed together: the real part of the autocovariance of u + iv is the
 * sum of the autocovariances of u and v. */
typedef struct transform {
    size_t size;
    gsl_fft_complex_wavetable *table; /* allocated by GSL */
    /* [own] memory of the four arrays below, `size` complex numbers each */
    double *all;
    double *sum, *scratch, *block, *before;
} transform;

static bool begin_transform(transform *t, size_t size)
{
    size_t n = 2 * size;
    *t = (transform){.size = size, .all = cs_alloc(4 * n, sizeof(double))};
    if (t->all)
        t->table = gsl_fft_complex_wavetable_alloc(size);
    if (!t->table) {
        cs_free(t->all);
        return false;
    }
    t->sum = t->all;
    t->scratch = t->sum + n;
    t->block = t->scratch + n;
    t->before = t->block + n;
    return true;
}

static void end_transform(transform *t)
{
    gsl_fft_complex_wavetable_free(t->table);
    cs_free(t->all);
}

/* Adds the product of conj(before) and the block, for every frequency. `before`
 * may precede the block by half a transform; the product then changes its sign
 * at odd frequencies. */
static void add_product(transform *t, const double *before, bool shifted)
{
    const double *z = t->block;
    for (size_t k = 0; k < 2 * t->size; k += 2) {
        double sign = shifted && k & 2 ? -1 : 1;
        t->sum[k] += sign * (before[k] * z[k] + before[k + 1] * z[k + 1]);
        t->sum[k + 1] += sign * (before[k] * z[k + 1] - before[k + 1] * z[k]);
    }
}

/* Adds the autocovariances of two series (v may be NULL) at lags below half the
 * size. Works in blocks of half the size. Multiplies each block with itself and
 * with the preceding block. */
static void add_two(transform *t, const double *u, const double *v, size_t n)
{
    gsl_fft_complex_workspace work = {t->size, t->scratch};
    double mean_u = cs_mean(u, n), mean_v = v ? cs_mean(v, n) : 0;
    for (size_t from = 0; from < n; from += t->size / 2) {
        double *z = t->before;
        size_t left = n - from < t->size / 2 ? n - from : t->size / 2;
        t->before = t->block;
        t->block = z;
        for (size_t i = 0; i < left; i++) {
            z[2 * i] = u[from + i] - mean_u;
            z[2 * i + 1] = v ? v[from + i] - mean_v : 0;
        }
        memset(z + 2 * left, 0, 2 * (t->size - left) * sizeof *z);
        gsl_fft_complex_forward(z, 1, t->size, t->table, &work);
        add_product(t, z, false);
        if (from)
            add_product(t, t->before, true);
    }
}

static size_t transform_size(size_t lags)
{
    size_t size = 2;
    while (size < 2 * lags)
        size *= 2;
    return size;
}

/* Sets out[lags] to the sums divided by `by`. */
static void end_sums(transform *t, size_t lags, double by, double *out)
{
    gsl_fft_complex_workspace work = {t->size, t->scratch};
    gsl_fft_complex_inverse(t->sum, 1, t->size, t->table, &work);
    for (size_t k = 0; k < lags; k++)
        out[k] = t->sum[2 * k] / by;
    end_transform(t);
}

cs_status cs_autocovariance(const double *x, size_t n, size_t chains,
                            size_t lags, double *out, cs_error *err)
{
    assert(out && (x || n * chains == 0));
    transform t;
    if (lags > n)
        return cs_fail(err, CS_RANGE,
                       "%zu lags were requested from a series of length %zu",
                       lags, n);
    if (!begin_transform(&t, transform_size(lags)))
        return cs_fail(err, CS_MEMORY, "out of memory for an autocorrelation");
    for (size_t c = 0; c < chains; c += 2)
        add_two(&t, x + c * n, c + 1 < chains ? x + (c + 1) * n : NULL, n);
    end_sums(&t, lags, (double)(n * chains), out);
    return CS_OK;
}

cs_status cs_autocovariance_of(const double *const *series, size_t parts,
                               size_t n, size_t lags, double *out)
{
    transform t;
    assert(out && series && lags <= n);
    if (!begin_transform(&t, transform_size(lags)))
        return CS_MEMORY;
    for (size_t c = 0; c < parts; c += 2)
        add_two(&t, series[c], c + 1 < parts ? series[c + 1] : NULL, n);
    end_sums(&t, lags, (double)parts * (double)n, out);
    return CS_OK;
}

static double score_of(double rank, size_t n)
{
    return gsl_cdf_ugaussian_Pinv((rank - 0.375) / ((double)n + 0.25));
}

void cs_scores_free(cs_scores *s)
{
    CS_FREE_ALL(s->known[0], s->known[1], s->scratch);
    *s = (cs_scores){0};
}

double *cs_scores_scratch(cs_scores *s, size_t words)
{
    if (words > s->words) {
        cs_free(s->scratch);
        s->scratch = cs_alloc(words, sizeof *s->scratch);
        s->words = s->scratch ? words : 0;
        if (s->scratch)
            cs_memory_large(s->scratch, words * sizeof *s->scratch);
    }
    return s->scratch;
}

/* Without memory for the cache, each score is computed at every use. */
static void begin_scores(cs_scores *s, size_t n)
{
    if (s->n == n)
        return;
    CS_FREE_ALL(s->known[0], s->known[1]);
    s->known[0] = s->known[1] = NULL;
    s->n = n;
}

/* Scores of ranks above the middle are minus those of the ranks below. */
static double *begin_known(size_t n)
{
    double *known = cs_alloc(n / 2 + 1, sizeof *known);
    for (size_t i = 0; known && i < n / 2 + 1; i++)
        known[i] = (double)NAN;
    return known;
}

static double known_score(cs_scores *s, double rank)
{
    bool up = 2 * rank > (double)s->n + 1;
    double low = up ? (double)s->n + 1 - rank : rank;
    size_t i = (size_t)(2 * low) - 2;
    double **known = &s->known[i % 2];
    if (!*known)
        *known = begin_known(s->n);
    double score = *known ? (*known)[i / 2] : (double)NAN;
    if (isnan(score))
        score = score_of(low, s->n);
    if (*known)
        (*known)[i / 2] = score;
    return up ? -score : score;
}

/* Sets out[order[i].at] to the mean rank of the value order[i].value. If
 * `scores` is given, sets it to the normal score of this rank instead. */
static void rank_in_order(const cs_sort_place *order, size_t n,
                          cs_scores *scores, double *out)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value == order[i].value; end++)
            ;
        double value = 0.5 * (double)(i + 1 + end);
        if (scores)
            value = known_score(scores, value);
        for (size_t j = i; j < end; j++)
            out[order[j].at] = value;
    }
}

double cs_score(cs_scores *s, double rank, size_t n)
{
    begin_scores(s, n);
    return known_score(s, rank);
}

const double *cs_scores_known(cs_scores *s, size_t n, size_t half)
{
    begin_scores(s, n);
    if (!s->known[half])
        s->known[half] = begin_known(n);
    return s->known[half];
}

void cs_scores_in_order(cs_scores *s, const cs_sort_place *order, size_t n,
                        double *z)
{
    begin_scores(s, n);
    rank_in_order(order, n, s, z);
}

static cs_status rank(const double *x, size_t n, cs_scores *scores, double *out,
                      cs_error *err)
{
    cs_sort_place *order = cs_alloc(n, sizeof *order);
    if (!order)
        return cs_fail(err, CS_MEMORY, "out of memory for ranks");
    for (size_t i = 0; i < n; i++)
        order[i] = (cs_sort_place){x[i], i};
    cs_sort_places(order, n);
    rank_in_order(order, n, scores, out);
    cs_free(order);
    return CS_OK;
}

cs_status cs_ranks(const double *x, size_t n, double *out, cs_error *err)
{
    return rank(x, n, NULL, out, err);
}

cs_status cs_normal_scores(const double *x, size_t n, double *z, cs_error *err)
{
    cs_scores s = {.n = n};
    cs_status status = rank(x, n, &s, z, err);
    cs_scores_free(&s);
    return status;
}
