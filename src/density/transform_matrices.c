#include "density/transform_matrices.h"

#include "base/memory.h"
#include "stat/cholesky.h"

#include <math.h>
#include <string.h>

static const cs_arg none = {0};

size_t cs_dim_correlation(size_t n)
{
    return n * (n - 1) / 2;
}

size_t cs_dim_covariance(size_t n)
{
    return n * (n + 1) / 2;
}

/* Index of entry (i, j), j < i, from 0, among the entries below the diagonal in
 * row-major order. */
static size_t below(size_t i, size_t j)
{
    return i * (i - 1) / 2 + j;
}

static cs_arg sum(cs_calc *c, cs_arg a)
{
    return cs_calc_reduce(c, CS_OP_SUM, a);
}

/* ---- Cholesky factors of correlation matrices ----------------------------- */

/* Sums entries of `left` for the free entries: those of the same row before the
 * entry if `before`, else, for each row, all of its entries. */
static cs_arg sums_of_rows(cs_calc *c, cs_arg left, size_t n, bool before)
{
    size_t at = 0, size = before ? cs_dim_correlation(n) : n;
    cs_matmul_term *t = cs_alloc(n * n * n, sizeof *t);
    for (size_t i = 1; t && i < n; i++)
        for (size_t j = 0; j < i; j++)
            for (size_t k = before ? 0 : j; k < (before ? j : j + 1); k++)
                t[at++] =
                    (cs_matmul_term){1, (double)(before ? below(i, j) : i),
                                     (double)below(i, k), 0};
    cs_arg one = cs_calc_number(c, 1);
    cs_arg y =
        t ? cs_calc_bilinear(c, left, one, t, at, size) : cs_calc_no_memory(c);
    cs_free(t);
    return y;
}

/* Entry (i, j) is tanh(u_ij) times the square root of what the entries before
 * it leave of the row's sum of squares, which is 1. */
static cs_arg correlation_factor(cs_calc *c, cs_arg u, size_t n,
                                 cs_arg *log_jacobian, cs_arg *log_diagonal)
{
    size_t free = cs_dim_correlation(n);
    double *place = cs_calc_numbers(c, n * n);
    for (size_t i = 0; place && i < n; i++)
        for (size_t j = 0; j < n; j++)
            place[i * n + j] = (double)(j < i    ? below(i, j)
                                        : j == i ? free + i
                                                 : free + n);
    cs_arg left = cs_calc_from(c, CS_OP_SUB, M_LN2, u);
    cs_arg twice = cs_calc_from(c, CS_OP_MUL, -2, u);
    left =
        cs_calc_op2(c, CS_OP_SUB, left, cs_calc_op1(c, CS_OP_SOFTPLUS, twice));
    cs_arg used = n > 2 ? sums_of_rows(c, left, n, true)
                        : cs_calc_from(c, CS_OP_MUL, 0, u);
    cs_arg entry = cs_calc_op1(c, CS_OP_TANH, u);
    cs_arg part[3] = {
        cs_calc_op2(c, CS_OP_MUL, entry, cs_calc_op1(c, CS_OP_EXP, used))};
    *log_diagonal = sums_of_rows(c, left, n, false);
    part[1] = cs_calc_op1(c, CS_OP_EXP, *log_diagonal);
    part[2] = cs_calc_number(c, 0);
    cs_arg all = cs_calc_pack(c, part, 3);
    if (!place || !all.size)
        return none;
    cs_arg y = cs_calc_shape(cs_calc_gather(c, all, place, n * n), n, n);
    cs_arg first = cs_calc_from(c, CS_OP_MUL, 2, sum(c, left));
    *log_jacobian = cs_calc_op2(c, CS_OP_ADD, first, sum(c, used));
    return y;
}

cs_arg cs_map_cholesky_corr(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                            cs_arg *log_jacobian)
{
    cs_arg log_diagonal;
    return correlation_factor(c, u, s->rows, log_jacobian, &log_diagonal);
}

void cs_free_cholesky_corr(const double *y, const cs_transform_shape *s,
                           double *u)
{
    size_t n = s->rows;
    for (size_t i = 1; i < n; i++) {
        double rest = 1;
        for (size_t j = 0; j < i; j++) {
            double entry = y[i * n + j], z = entry / sqrt(rest);
            u[below(i, j)] = 0.5 * (log1p(z) - log1p(-z));
            rest -= entry * entry;
        }
    }
}

/* ---- matrices from their factors ------------------------------------------ */

/* Returns l l'. */
static cs_arg square(cs_calc *c, cs_arg l)
{
    size_t n = l.rows, at = 0;
    if (!l.size)
        return none;
    cs_matmul_term *t = cs_alloc(n * n * n, sizeof *t);
    for (size_t i = 0; t && i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k <= (i < j ? i : j); k++)
                t[at++] =
                    (cs_matmul_term){1, (double)(i * n + j),
                                     (double)(i * n + k), (double)(j * n + k)};
    cs_arg y =
        t ? cs_calc_bilinear(c, l, l, t, at, n * n) : cs_calc_no_memory(c);
    cs_free(t);
    return cs_calc_shape(y, n, n);
}

/* Adds to *log_jacobian the sum of (n - k + more) log l_kk, k from 1, where
 * logs[n] are the log l_kk. */
static void add_diagonal(cs_calc *c, cs_arg logs, double more,
                         cs_arg *log_jacobian)
{
    size_t n = logs.size;
    double *power = cs_calc_numbers(c, n);
    for (size_t k = 0; power && k < n; k++)
        power[k] = (double)(n - k - 1) + more;
    if (!power || !n)
        return;
    logs = cs_calc_op2(c, CS_OP_MUL, logs, cs_known_vector(power, n));
    *log_jacobian = cs_calc_op2(c, CS_OP_ADD, *log_jacobian, sum(c, logs));
}

/* Applies the inverse of a factor's transform to the factor of y; if y is not
 * positive definite, u is NaN. */
static void free_by_factor(
    const double *y, const cs_transform_shape *s, double *u, size_t dim,
    void (*inverse)(const double *y, const cs_transform_shape *s, double *u))
{
    size_t size = s->rows * s->rows;
    double *l = cs_alloc(size, sizeof *l);
    if (l)
        memcpy(l, y, size * sizeof *l);
    bool good = l && cs_cholesky(l, s->rows);
    if (good)
        inverse(l, s, u);
    for (size_t i = 0; !good && i < dim; i++)
        u[i] = NAN;
    cs_free(l);
}

cs_arg cs_map_correlation(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                          cs_arg *log_jacobian)
{
    cs_arg logs = none;
    cs_arg l = correlation_factor(c, u, s->rows, log_jacobian, &logs);
    add_diagonal(c, logs, 0, log_jacobian);
    return square(c, l);
}

void cs_free_correlation(const double *y, const cs_transform_shape *s,
                         double *u)
{
    free_by_factor(y, s, u, cs_dim_correlation(s->rows), cs_free_cholesky_corr);
}

/* ---- covariance matrices -------------------------------------------------- */

/* Entries of the lower triangle in row-major order; those of the diagonal are
 * exponentials. */
static cs_arg covariance_factor(cs_calc *c, cs_arg u, size_t n,
                                cs_arg *log_diagonal)
{
    double *place = cs_calc_numbers(c, n * n);
    double *diagonal = cs_calc_numbers(c, n);
    for (size_t i = 0; place && diagonal && i < n; i++) {
        diagonal[i] = (double)(i * (i + 1) / 2 + i);
        for (size_t j = 0; j < n; j++)
            place[i * n + j] = (double)(j < i    ? i * (i + 1) / 2 + j
                                        : j == i ? cs_dim_covariance(n) + i
                                                 : cs_dim_covariance(n) + n);
    }
    if (!place || !diagonal || !u.size)
        return none;
    cs_arg logs = cs_calc_gather(c, u, diagonal, n);
    cs_arg part[3] = {u, cs_calc_op1(c, CS_OP_EXP, logs), cs_calc_number(c, 0)};
    *log_diagonal = logs;
    cs_arg all = cs_calc_pack(c, part, 3);
    return all.size ? cs_calc_shape(cs_calc_gather(c, all, place, n * n), n, n)
                    : none;
}

cs_arg cs_map_cholesky_cov(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                           cs_arg *log_jacobian)
{
    cs_arg logs = none, l = covariance_factor(c, u, s->rows, &logs);
    *log_jacobian = sum(c, logs);
    return l;
}

void cs_free_cholesky_cov(const double *y, const cs_transform_shape *s,
                          double *u)
{
    size_t n = s->rows;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            *u++ = j < i ? y[i * n + j] : log(y[i * n + j]);
}

/* The Jacobian of l l' is 2^n times the product of l_kk^(n - k + 1). */
cs_arg cs_map_covariance(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                         cs_arg *log_jacobian)
{
    cs_arg logs = none, l = covariance_factor(c, u, s->rows, &logs);
    *log_jacobian = sum(c, logs);
    add_diagonal(c, logs, 1, log_jacobian);
    *log_jacobian =
        cs_calc_with(c, CS_OP_ADD, *log_jacobian, (double)s->rows * M_LN2);
    return square(c, l);
}

void cs_free_covariance(const double *y, const cs_transform_shape *s, double *u)
{
    free_by_factor(y, s, u, cs_dim_covariance(s->rows), cs_free_cholesky_cov);
}
