#include "run/moments.h"

enum { COUNT, MEAN };

size_t cs_moments_words(cs_metric_kind kind, size_t dim)
{
    return kind == CS_METRIC_UNIT ? 0 : MEAN + dim + cs_metric_words(kind, dim);
}

void cs_moments_add(double *words, cs_metric_kind kind, size_t dim,
                    const double *x)
{
    double n = ++words[COUNT], *mean = words + MEAN, *square = mean + dim;
    for (size_t i = 0; i < dim; i++) {
        double off = (x[i] - mean[i]) * (n - 1) / n; /* from the new mean */
        if (kind == CS_METRIC_DIAGONAL)
            square[i] += off * (x[i] - mean[i]);
        for (size_t j = 0; kind == CS_METRIC_DENSE && j < dim; j++)
            square[i * dim + j] += off * (x[j] - mean[j]);
    }
    for (size_t i = 0; i < dim; i++)
        mean[i] += (x[i] - mean[i]) / n;
}

/* The variance of a coordinate. */
static double variance_of(const cs_metric *m, size_t i)
{
    return m ? m->sd[i] * m->sd[i] : 1;
}

cs_metric *cs_moments_metric(double *words, cs_metric_kind kind, size_t dim,
                             const cs_metric *before)
{
    double n = words[COUNT], *square = words + MEAN + dim;
    if (n < 2)
        return NULL;
    for (size_t i = 0; i < cs_metric_words(kind, dim); i++)
        square[i] *= n / (n - 1) / (n + 5);
    size_t apart = kind == CS_METRIC_DENSE ? dim + 1 : 1;
    for (size_t i = 0; i < dim; i++)
        square[i * apart] += 5e-3 * variance_of(before, i) / (n + 5);
    cs_metric *metric;
    cs_metric_make(&metric, kind, dim, square, NULL);
    return metric;
}
