/* Computes gaps from the eigenvalues of the symmetric matrix
 *
 *     S_ab = sqrt(P_ab P_ba) = sqrt(pi_a / pi_b) P_ab,
 *
 * which has the eigenvector sqrt(pi) for the eigenvalue 1. */
#include "theory/finite.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

double cs_chain_imbalance(const double *P, const double *pi, size_t n)
{
    double worst = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            worst =
                fmax(worst, fabs(pi[a] * P[a * n + b] - pi[b] * P[b * n + a]));
    return worst;
}

double cs_chain_excess(const double *P, const double *Q, size_t n)
{
    double worst = -HUGE_VAL;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            if (a != b)
                worst = fmax(worst, P[a * n + b] - Q[a * n + b]);
    return worst;
}

/* ---- eigenvalues --------------------------------------------------------- */

typedef struct spectrum {
    gsl_matrix *s, *vector;
    gsl_vector *value;
    gsl_eigen_symmv_workspace *work;
} spectrum;

static void close_spectrum(spectrum *e)
{
    gsl_matrix_free(e->s);
    gsl_matrix_free(e->vector);
    gsl_vector_free(e->value);
    gsl_eigen_symmv_free(e->work);
}

static cs_status open_spectrum(spectrum *e, size_t n, cs_error *err)
{
    *e = (spectrum){gsl_matrix_alloc(n, n), gsl_matrix_alloc(n, n),
                    gsl_vector_alloc(n), gsl_eigen_symmv_alloc(n)};
    if (e->s && e->vector && e->value && e->work)
        return CS_OK;
    close_spectrum(e);
    return cs_fail(err, CS_MEMORY, "out of memory for eigenvalues");
}

/* Computes the eigenvalues, in descending order; the first eigenvalue belongs
 * to the constant function. */
static cs_status solve(spectrum *e, const double *P, size_t n, cs_error *err)
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            gsl_matrix_set(e->s, a, b, sqrt(P[a * n + b] * P[b * n + a]));
    if (gsl_eigen_symmv(e->s, e->value, e->vector, e->work))
        return cs_fail(err, CS_NUMERIC,
                       "the eigenvalue iteration did not converge");
    gsl_eigen_symmv_sort(e->value, e->vector, GSL_EIGEN_SORT_VAL_DESC);
    return CS_OK;
}

static double time_of(const spectrum *e, const double *pi, const double *f,
                      size_t n)
{
    double sum = 0, all = 0, mean = 0;
    for (size_t a = 0; a < n; a++)
        mean += pi[a] * f[a];
    for (size_t k = 1; k < n; k++) {
        double c = 0, value = gsl_vector_get(e->value, k);
        for (size_t a = 0; a < n; a++)
            c += sqrt(pi[a]) * (f[a] - mean) * gsl_matrix_get(e->vector, a, k);
        all += c * c;
        sum += c * c * (1 + value) / (1 - value);
    }
    return sum / all;
}

cs_status cs_chain_gaps(const double *P, const double *pi, size_t n,
                        cs_chain_gap *out, const double *f, double *time,
                        cs_error *err)
{
    spectrum e;
    cs_status status = open_spectrum(&e, n, err);
    if (status)
        return status;
    status = solve(&e, P, n, err);
    if (!status) {
        double second = gsl_vector_get(e.value, 1),
               last = gsl_vector_get(e.value, n - 1);
        out->right = 1 - second;
        out->absolute = 1 - fmax(fabs(second), fabs(last));
        if (time)
            *time = time_of(&e, pi, f, n);
    }
    close_spectrum(&e);
    return status;
}

/* ---- any chain ----------------------------------------------------------- */

/* Solves the equations (P' - I) pi = 0, of which the last is replaced by sum pi
 * = 1. */
static cs_status solve_stationary(gsl_matrix *m, gsl_permutation *p,
                                  gsl_vector *b, double *pi, cs_error *err)
{
    size_t n = m->size1;
    int sign;
    double least = HUGE_VAL;
    gsl_vector_view x = gsl_vector_view_array(pi, n);
    gsl_vector_set_zero(b);
    gsl_vector_set(b, n - 1, 1);
    for (size_t a = 0; a < n; a++)
        gsl_matrix_set(m, n - 1, a, 1);
    gsl_linalg_LU_decomp(m, p, &sign);
    for (size_t a = 0; a < n; a++)
        least = fmin(least, fabs(gsl_matrix_get(m, a, a)));
    if (!(least > 1e-14) || gsl_linalg_LU_solve(m, p, b, &x.vector))
        return cs_fail(err, CS_NUMERIC,
                       "the chain has more than one stationary distribution");
    for (size_t a = 0; a < n; a++)
        pi[a] = fmax(pi[a], 0);
    return CS_OK;
}

cs_status cs_chain_stationary(const double *P, size_t n, double *pi,
                              cs_error *err)
{
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    gsl_vector *b = gsl_vector_alloc(n);
    cs_status status = CS_MEMORY;
    if (m && p && b) {
        for (size_t a = 0; a < n; a++)
            for (size_t c = 0; c < n; c++)
                gsl_matrix_set(m, c, a, P[a * n + c] - (a == c));
        status = solve_stationary(m, p, b, pi, err);
    } else {
        cs_fail(err, CS_MEMORY, "out of memory for a stationary distribution");
    }
    gsl_matrix_free(m);
    gsl_permutation_free(p);
    gsl_vector_free(b);
    return status;
}
