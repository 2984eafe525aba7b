#include "run/tuning/state_moments.h"

#include "run/tuning/correlated.h"

#include <math.h>
#include <string.h>

enum { COUNT, MEAN };

/* if more than this fraction of the trajectories is cut off, the metric may be
 * dense even if correlations are not known to be large */
static const double most_deep = 0.1;

/* Returns the index of the first of the words that describe the dependence
 * between successive states. These words are the number of pairs, the sums of
 * their squared differences, and the last state of each chain. */
static size_t pairs_at(const cs_moments_shape *m)
{
    return MEAN + m->dim + cs_metric_words(m->kind, m->dim);
}

static bool has_pairs(const cs_moments_shape *m)
{
    return m->chooses && m->kind == CS_METRIC_DENSE;
}

size_t cs_moments_words(const cs_moments_shape *m)
{
    if (m->kind == CS_METRIC_UNIT)
        return 0;
    return pairs_at(m) +
           (has_pairs(m) ? (1 + m->dim) * (1 + m->chains) + 1 : 0);
}

static double *deep_of(const cs_moments_shape *m, double *words)
{
    return words + pairs_at(m) + (1 + m->dim) * (1 + m->chains);
}

static void add_pair(const cs_moments_shape *m, double *words, size_t chain,
                     const double *x)
{
    double *pairs = words + pairs_at(m);
    double *last = pairs + (1 + m->dim) * (1 + chain);
    bool first = last[0] == 0;
    pairs[0] += first ? 0 : 1;
    for (size_t i = 1; !first && i <= m->dim; i++)
        pairs[i] += (x[i - 1] - last[i]) * (x[i - 1] - last[i]);
    last[0]++;
    memcpy(last + 1, x, m->dim * sizeof *x);
}

void cs_moments_add(const cs_moments_shape *m, double *words, size_t chain,
                    const double *x, bool deep)
{
    size_t dim = m->dim;
    double n = ++words[COUNT], *mean = words + MEAN, *square = mean + dim;
    for (size_t i = 0; i < dim; i++) {
        /* deviation from the new mean */
        double off = (x[i] - mean[i]) * (n - 1) / n;
        if (m->kind == CS_METRIC_DIAGONAL)
            square[i] += off * (x[i] - mean[i]);
        for (size_t j = 0; m->kind == CS_METRIC_DENSE && j < dim; j++)
            square[i * dim + j] += off * (x[j] - mean[j]);
    }
    for (size_t i = 0; i < dim; i++)
        mean[i] += (x[i] - mean[i]) / n;
    if (!has_pairs(m))
        return;
    add_pair(m, words, chain, x);
    *deep_of(m, words) += deep;
}

double cs_moments_ess(const cs_moments_shape *m, const double *words)
{
    const double *pairs = words + pairs_at(m), *square = words + MEAN + m->dim;
    double n = words[COUNT], r = 1;
    for (size_t i = 0; i < m->dim; i++)
        r -= pairs[1 + i] / pairs[0] /
             (2 * square[i * (m->dim + 1)] / (n - 1)) / (double)m->dim;
    return pairs[0] > 0 ? n * fmax((1 - r * r) / (1 + r * r), 0) : 0;
}

/* Returns the variance of a coordinate. */
static double variance_of(const cs_metric *m, size_t i)
{
    return m ? m->sd[i] * m->sd[i] : 1;
}

cs_metric *cs_moments_metric(const cs_moments_shape *m, double *words,
                             const cs_metric *before)
{
    size_t dim = m->dim;
    double n = words[COUNT], *square = words + MEAN + dim;
    cs_metric_kind kind = m->kind;
    if (n < 2)
        return NULL;
    double worth = has_pairs(m) ? cs_moments_ess(m, words) : n;
    for (size_t i = 0; i < cs_metric_words(kind, dim); i++)
        square[i] *= n / (n - 1) / (n + 5);
    size_t apart = kind == CS_METRIC_DENSE ? dim + 1 : 1;
    for (size_t i = 0; i < dim; i++)
        square[i * apart] += 5e-3 * variance_of(before, i) / (n + 5);
    bool deep = has_pairs(m) && *deep_of(m, words) > most_deep * n;
    if (has_pairs(m) && !deep && !cs_is_correlated(square, dim, worth)) {
        for (size_t i = 0; i < dim; i++)
            square[i] = square[i * apart];
        kind = CS_METRIC_DIAGONAL;
    }
    cs_metric *metric;
    if (!cs_metric_make(&metric, kind, dim, square, NULL))
        cs_metric_set_centre(metric, words + MEAN, NULL);
    return metric;
}
