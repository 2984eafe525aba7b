#include "stat/cholesky.h"

#include "base/cancellation.h"
#include "base/memory.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

/* Above this size GSL is slow, and GSL does not check whether the work is
 * cancelled. */
enum { LARGE = 256 };

static double dot(const double *a, const double *b, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add(double *to, double scale, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += scale * from[i];
}

/* Computes L row by row: each entry is an inner product of two rows. */
static bool factor_large(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        if (cs_cancelled())
            return false;
        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - dot(row, a + j * n, j)) / a[j * n + j];
        double left = row[i] - dot(row, row, i);
        if (!(left > 0))
            return false;
        row[i] = sqrt(left);
    }
    return true;
}

/* Replaces L by M = L^-1: row i is (e_i - sum_k L_ik M_k) / L_ii. */
static bool invert_factor(double *a, size_t n, double *row)
{
    for (size_t i = 0; i < n; i++) {
        double *l = a + i * n;
        if (cs_cancelled())
            return false;
        for (size_t k = 0; k < i; k++)
            row[k] = 0;
        for (size_t k = 0; k < i; k++)
            add(row, -l[k], a + k * n, k + 1);
        for (size_t k = 0; k < i; k++)
            l[k] = row[k] / l[i];
        l[i] = 1 / l[i];
    }
    return true;
}

/* Replaces M by M' M, row by row. Row i of M contributes only to the rows up to
 * i of the result, so row i of the result may overwrite row i of M. */
static bool square(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        if (cs_cancelled())
            return false;
        for (size_t k = 0; k < i; k++) /* lower triangle only */
            add(a + k * n, row[k], row, k + 1);
        double own = row[i];
        for (size_t k = 0; k <= i; k++)
            row[k] *= own;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = a[j * n + i];
    return true;
}

bool cs_cholesky(double *a, size_t n)
{
    /* GSL's default error handler would end the program. */
    gsl_error_handler_t *kept = gsl_set_error_handler_off();
    gsl_matrix_view m = gsl_matrix_view_array(a, n, n);
    bool done = n > LARGE
                    ? factor_large(a, n)
                    : gsl_linalg_cholesky_decomp1(&m.matrix) == GSL_SUCCESS;
    gsl_set_error_handler(kept);
    for (size_t i = 0; i < n; i++) {
        done &= isfinite(a[i * n + i]) != 0;
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = 0;
    }
    return done;
}

bool cs_cholesky_invert(double *factor, size_t n)
{
    assert(factor || n == 0);
    if (n <= LARGE) {
        gsl_matrix_view m = gsl_matrix_view_array(factor, n, n);
        gsl_linalg_cholesky_invert(&m.matrix);
        return true;
    }
    double *row = cs_alloc(n, sizeof *row);
    bool done = row && invert_factor(factor, n, row) && square(factor, n);
    cs_free(row);
    return done;
}
