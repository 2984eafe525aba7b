#include "theory/convergence.h"

#include "base/memory.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static double variation(const double *p, const double *q, size_t n)
{
    double sum = 0;
    for (size_t b = 0; b < n; b++)
        sum += fabs(p[b] - q[b]) / 2;
    return sum;
}

/* Computes out = P Q; all three matrices are [n][n]. */
static void multiply(const double *P, const double *Q, size_t n, double *out)
{
    gsl_matrix_const_view a = gsl_matrix_const_view_array(P, n, n);
    gsl_matrix_const_view b = gsl_matrix_const_view_array(Q, n, n);
    gsl_matrix_view c = gsl_matrix_view_array(out, n, n);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &a.matrix, &b.matrix, 0,
                   &c.matrix);
}

cs_status cs_chain_distances(const double *P, const double *pi, size_t n,
                             size_t powers, double *tv, cs_error *err)
{
    double *now = cs_alloc(2 * n * n, sizeof *now), *next = now + n * n;
    if (!now)
        return cs_fail(err, CS_MEMORY, "out of memory for a matrix");
    memcpy(now, P, n * n * sizeof *now);
    for (size_t j = 0; j < powers; j++) {
        tv[j] = 0;
        for (size_t a = 0; a < n; a++)
            tv[j] = fmax(tv[j], variation(now + a * n, pi, n));
        if (j + 1 == powers)
            break;
        multiply(now, now, n, next);
        memcpy(now, next, n * n * sizeof *now);
    }
    cs_free(now);
    return CS_OK;
}

cs_status cs_chain_convergence(const double *P, const double *pi, size_t n,
                               size_t start, size_t steps, double *tv,
                               cs_error *err)
{
    double *now = cs_alloc(2 * n, sizeof *now), *next = now + n;
    if (!now)
        return cs_fail(err, CS_MEMORY, "out of memory for a distribution");
    memset(now, 0, n * sizeof *now);
    now[start] = 1;
    for (size_t k = 0; k <= steps; k++) {
        tv[k] = variation(now, pi, n);
        memset(next, 0, n * sizeof *next);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                next[b] += now[a] * P[a * n + b];
        memcpy(now, next, n * sizeof *now);
    }
    cs_free(now);
    return CS_OK;
}

cs_status cs_chain_times(double *P, const double *Q, size_t n, cs_error *err)
{
    double *out = cs_alloc(n * n, sizeof *out);
    if (!out)
        return cs_fail(err, CS_MEMORY, "out of memory for a matrix");
    multiply(P, Q, n, out);
    memcpy(P, out, n * n * sizeof *P);
    cs_free(out);
    return CS_OK;
}

double cs_chain_minorant(const double *P, size_t n)
{
    double sum = 0;
    for (size_t b = 0; b < n; b++) {
        double least = HUGE_VAL;
        for (size_t a = 0; a < n; a++)
            least = fmin(least, P[a * n + b]);
        sum += least;
    }
    return sum;
}

bool cs_chain_balance(const double *P, size_t n, double *pi)
{
    double sum = 0;
    for (size_t b = 0; b < n; b++)
        sum += pi[b] = P[b] / P[b * n];
    for (size_t b = 0; b < n; b++)
        pi[b] /= sum;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++) {
            double there = pi[a] * P[a * n + b], back = pi[b] * P[b * n + a];
            if (!(fabs(there - back) <= 1e-9 * there))
                return false;
        }
    return true;
}

/* ---- eigenvalues --------------------------------------------------------- */

/* Returns the second largest modulus of n eigenvalues. */
static double second_size(const gsl_vector_complex *value)
{
    double first = 0, second = 0;
    for (size_t k = 0; k < value->size; k++) {
        double size = gsl_complex_abs(gsl_vector_complex_get(value, k));
        second = size > first ? first : fmax(second, size);
        first = fmax(first, size);
    }
    return second;
}

cs_status cs_chain_any_gap(const double *P, size_t n, double *gap,
                           cs_error *err)
{
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    gsl_vector_complex *value = gsl_vector_complex_alloc(n);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(n);
    cs_status status = CS_OK;
    if (!m || !value || !work) {
        status = cs_fail(err, CS_MEMORY, "out of memory for eigenvalues");
    } else {
        memcpy(m->data, P, n * n * sizeof *P);
        if (gsl_eigen_nonsymm(m, value, work))
            status = cs_fail(err, CS_NUMERIC,
                             "the eigenvalue iteration did not converge");
        else
            *gap = 1 - second_size(value);
    }
    gsl_matrix_free(m);
    gsl_vector_complex_free(value);
    gsl_eigen_nonsymm_free(work);
    return status;
}

/* ---- averages ------------------------------------------------------------ */

/* Solves (I - P + 1 pi') g = f - mean of f; the solution has mean 0. */
static cs_status solve(gsl_matrix *m, gsl_permutation *p, gsl_vector *g,
                       cs_error *err)
{
    int sign;
    double least = HUGE_VAL;
    gsl_linalg_LU_decomp(m, p, &sign);
    for (size_t a = 0; a < m->size1; a++)
        least = fmin(least, fabs(gsl_matrix_get(m, a, a)));
    if (!(least > 1e-14) || gsl_linalg_LU_svx(m, p, g))
        return cs_fail(err, CS_NUMERIC,
                       "the chain has more than one stationary distribution");
    return CS_OK;
}

cs_status cs_chain_time(const double *P, const double *pi, const double *f,
                        size_t n, double *time, cs_error *err)
{
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    gsl_vector *g = gsl_vector_alloc(n);
    double mean = 0, variance = 0, both = 0;
    cs_status status =
        m && p && g
            ? CS_OK
            : cs_fail(err, CS_MEMORY, "out of memory for a linear system");
    for (size_t a = 0; a < n; a++)
        mean += pi[a] * f[a];
    for (size_t a = 0; !status && a < n; a++) {
        gsl_vector_set(g, a, f[a] - mean);
        for (size_t b = 0; b < n; b++)
            gsl_matrix_set(m, a, b, (a == b) - P[a * n + b] + pi[b]);
    }
    if (!status)
        status = solve(m, p, g, err);
    for (size_t a = 0; !status && a < n; a++) {
        variance += pi[a] * (f[a] - mean) * (f[a] - mean);
        both += pi[a] * (f[a] - mean) * gsl_vector_get(g, a);
    }
    *time = 2 * both / variance - 1;
    gsl_matrix_free(m);
    gsl_permutation_free(p);
    gsl_vector_free(g);
    return status;
}
