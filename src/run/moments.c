#include "run/moments.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

enum { COUNT, MEAN };
enum { STATES = 50 }; /* a coordinate, for a matrix */
static const double narrow = 5;

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

/* Whether the correlations make a long and narrow target of a round one: the
 * eigenvalues of their matrix differ by more than `narrow`. */
static bool is_slanted(const double *square, size_t dim)
{
    gsl_matrix *r = gsl_matrix_alloc(dim, dim);
    gsl_vector *e = gsl_vector_alloc(dim);
    gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc(dim);
    double low = 0, high = 0;
    for (size_t i = 0; r && e && w && i < dim * dim; i++) {
        double a = square[i / dim * (dim + 1)], b = square[i % dim * (dim + 1)];
        gsl_matrix_set(r, i / dim, i % dim, square[i] / sqrt(a * b));
    }
    if (r && e && w && gsl_eigen_symm(r, e, w) == 0)
        gsl_vector_minmax(e, &low, &high);
    gsl_eigen_symm_free(w);
    gsl_vector_free(e);
    gsl_matrix_free(r);
    return high > narrow * low;
}

cs_metric *cs_moments_metric(double *words, cs_metric_kind kind, size_t dim,
                             bool grows, const cs_metric *before)
{
    double n = words[COUNT], *square = words + MEAN + dim;
    if (n < 2)
        return NULL;
    for (size_t i = 0; i < cs_metric_words(kind, dim); i++)
        square[i] *= n / (n - 1) / (n + 5);
    size_t apart = kind == CS_METRIC_DENSE ? dim + 1 : 1;
    for (size_t i = 0; i < dim; i++)
        square[i * apart] += 5e-3 * variance_of(before, i) / (n + 5);
    if (grows && kind == CS_METRIC_DENSE &&
        (n < STATES * (double)dim || !is_slanted(square, dim))) {
        for (size_t i = 0; i < dim; i++)
            square[i] = square[i * apart];
        kind = CS_METRIC_DIAGONAL;
    }
    cs_metric *metric;
    cs_metric_make(&metric, kind, dim, square, NULL);
    return metric;
}
