#include "run/tuning/correlated.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

static const double gain = 2; /* required ratio k / q (see the header) */

/* Computes the correlation matrix of a covariance. */
static void correlations(const double *s, size_t dim, gsl_matrix *r)
{
    for (size_t i = 0; i < dim * dim; i++) {
        double a = s[i / dim * (dim + 1)], b = s[i % dim * (dim + 1)];
        gsl_matrix_set(r, i / dim, i % dim, s[i] / sqrt(a * b));
    }
}

/* Returns the ratio of the largest to the smallest eigenvalue of the
 * correlation matrix; 1 if memory runs out. */
static double condition(const double *s, size_t dim)
{
    gsl_matrix *r = gsl_matrix_alloc(dim, dim);
    gsl_vector *e = gsl_vector_alloc(dim);
    gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc(dim);
    double low = 1, high = 1;
    if (r && e && w) {
        correlations(s, dim, r);
        gsl_eigen_symm(r, e, w);
        gsl_vector_minmax(e, &low, &high);
    }
    gsl_eigen_symm_free(w);
    gsl_vector_free(e);
    gsl_matrix_free(r);
    return low > 0 ? high / low : (double)INFINITY;
}

bool cs_is_correlated(const double *s, size_t dim, double n)
{
    double b = sqrt((double)dim / n);
    if (!(b < 1))
        return false;
    double q = pow((1 + b) / (1 - b), 2);
    return condition(s, dim) / q > gain * q;
}
