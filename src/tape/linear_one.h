/* Cumulative sums, matrix products, triangular systems and Cholesky factors of
 * one state: see cs_op_linear for the definitions, linear_lanes.h for the order
 * of summation. */
#pragma once

#include "tape/sum_one.h"

#include <math.h>

static inline void cs_one_cumulate(const double *a, size_t n, int from_end,
                                   double *out)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = from_end ? n - 1 - k : k;
        sum += a[i];
        out[i] = sum;
    }
}

static inline void cs_one_bilinear(const double *term, size_t n,
                                   const double *a, const double *b,
                                   size_t size, double *out)
{
    for (size_t i = 0, k = 0; i < size; i++) {
        double sum = 0;
        for (; k < n && term[4 * k + 1] == (double)i; k++) {
            const double *t = term + 4 * k;
            sum += t[0] * a[(size_t)t[2]] * b[(size_t)t[3]];
        }
        out[i] = sum;
    }
}

/* Multiplies a matrix and a vector, with the order of summation of cs_matmul.
 * Computes several independent rows in parallel. */
static inline void cs_one_product(const double *a, size_t rows, size_t cols,
                                  const double *x, double *y)
{
    enum { TALL = 8 };
    size_t i = 0;
    for (; i + TALL <= rows; i += TALL) {
        double sum[TALL] = {0};
        for (size_t j = 0; j < cols; j++)
#pragma GCC unroll 8
            for (size_t t = 0; t < TALL; t++)
                sum[t] = __builtin_fma(a[(i + t) * cols + j], x[j], sum[t]);
        memcpy(y + i, sum, sizeof sum);
    }
    for (; i < rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum = __builtin_fma(a[i * cols + j], x[j], sum);
        y[i] = sum;
    }
}

/* Subtracts f v[n] from rest[n]. */
INLINE void subtract(double *rest, double f, const double *v, size_t n)
{
    size_t e = 0;
    for (; e + CS_VECTOR <= n; e += CS_VECTOR)
        store_any(rest + e, load_any(rest + e) - f * load_any(v + e));
    for (; e < n; e++)
        rest[e] -= f * v[e];
}

static inline void cs_one_solve(const double *a, size_t n, int transposed,
                                const double *b, size_t m, double *x)
{
    for (size_t i = 0; i < n * m; i++)
        x[i] = b[i];
    for (size_t k = 0; k < n; k++) {
        size_t i = transposed ? n - 1 - k : k;
        double over = 1 / a[i * n + i];
        for (size_t q = 0; m > 1 && q < k; q++) {
            size_t j = transposed ? n - 1 - q : q;
            subtract(x + i * m, transposed ? a[j * n + i] : a[i * n + j],
                     x + j * m, m);
        }
        for (size_t j = 0; m == 1 && !transposed && j < i; j++)
            x[i] -= a[i * n + j] * x[j];
        for (size_t c = 0; c < m; c++)
            x[i * m + c] *= over;
        if (m == 1 && transposed) /* this order reads rows of a, not columns */
            subtract(x, x[i], a + i * n, i);
    }
}

/* Computes acc[i] -= sum of v[j][i] f[j * step] over j = from .. to - 1, in
 * registers, for i < n. The rows of v have `width` numbers. */
INLINE void subtract_rows(double *acc, const double *v, size_t width,
                          const double *f, size_t step, size_t from, size_t to,
                          size_t n)
{
    size_t i = 0;
    for (; i + 4 * CS_VECTOR <= n; i += 4 * CS_VECTOR) {
        cs_vd sum[4];
#pragma GCC unroll 4
        for (int w = 0; w < 4; w++)
            sum[w] = load_any(acc + i + w * CS_VECTOR);
        for (size_t j = from; j < to; j++) {
            const double *row = v + j * width + i;
            cs_vd by = cs_vset(f[j * step]);
#pragma GCC unroll 4
            for (int w = 0; w < 4; w++)
                sum[w] -= load_any(row + w * CS_VECTOR) * by;
        }
#pragma GCC unroll 4
        for (int w = 0; w < 4; w++)
            store_any(acc + i + w * CS_VECTOR, sum[w]);
    }
    for (; i + CS_VECTOR <= n; i += CS_VECTOR) {
        cs_vd sum = load_any(acc + i);
        for (size_t j = from; j < to; j++)
            sum -= load_any(v + j * width + i) * cs_vset(f[j * step]);
        store_any(acc + i, sum);
    }
    for (; i < n; i++)
        for (size_t j = from; j < to; j++)
            acc[i] -= v[j * width + i] * f[j * step];
}

/* Computes the Cholesky factor. The upper triangle of `out` holds the transpose
 * of the factor until the function returns. */
static inline void cs_one_cholesky(const double *a, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            out[j * n + i] = a[i * n + j];
    for (size_t j = 0; j < n; j++) {
        double *row = out + j * n + j;
        subtract_rows(row, out + j, n, out + j, n, 0, j, n - j);
        double pivot = row[0];
        int real = pivot > 0;
        row[0] = sqrt(real ? pivot : 0);
        for (size_t i = 1; i < n - j; i++)
            row[i] = real ? row[i] / row[0] : 0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            out[i * n + j] = out[j * n + i];
            out[j * n + i] = 0;
        }
}

static inline void cs_one_cholesky_back(const double *l, const double *w,
                                        size_t n, double *f)
{
    for (size_t k = n; k-- > 0;) {
        double rest = w[k * n + k], over = 1 / l[k * n + k];
        double *row = f + k * n + k + 1;
        size_t left = n - k - 1;
        for (size_t i = 0; i < left; i++)
            row[i] = w[(k + 1 + i) * n + k];
        subtract_rows(row, f + k + 1, n, l + k, n, k + 1, n, left);
        for (size_t i = 0; i < left; i++) {
            row[i] *= over;
            f[(k + 1 + i) * n + k] = row[i];
        }
        for (size_t i = 0; i < left; i++)
            rest -= l[(k + 1 + i) * n + k] * row[i];
        f[k * n + k] = rest * over;
    }
    for (size_t i = 0; i < n; i++) {
        f[i * n + i] *= 0.5;
        for (size_t j = i + 1; j < n; j++)
            f[i * n + j] = 0;
    }
}

static inline double cs_one_norm(const double *a, size_t n)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = most < fabs(a[i]) ? fabs(a[i]) : most;
    int plain = most > 0 && most < CS_VM_INF;
    double over = plain ? most : 1;
    for (size_t i = 0; i < n; i++) {
        double v = a[i] / over;
        sum += v * v;
    }
    return plain ? most * sqrt(sum) : sum;
}
