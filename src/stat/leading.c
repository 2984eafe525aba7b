/* The method improves a block of vectors in cycles. Each cycle makes the block
 * orthonormal and replaces it by the Ritz vectors of its subspace. If the
 * required vectors have not converged, the cycle then filters the block by the
 * polynomial T_m(2 s / b - 1). This polynomial is small on [0, b], where b is
 * the smallest Ritz value, and grows quickly above b. */
#include "stat/leading.h"

#include "base/cancellation.h"
#include "base/hash.h"
#include "base/memory.h"
#include "stat/products.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

enum { CYCLES = 60, MOST_DEGREE = 10 };

static const double close_enough = 1e-12;

/* Largest factor, per cycle, by which a filter amplifies the first direction
 * relative to the last required direction. Other vectors contain a remainder of
 * the first direction, which is amplified by this factor too. The remainder
 * becomes smaller from cycle to cycle, so later factors may be larger. */
static const double favour[] = {1e5, 1e8, 1e12, 1e16};

typedef struct block {
    size_t n, wide, lanes; /* n: size of s; wide: padded size; lanes: columns of
                            * the block */
    const double *s;
    /* [wide][lanes] [own]: the block, s times the block, scratch */
    double *v, *w, *u;
    double *packed; /* [wide][lanes] scratch [own] */
    double *g, *y;  /* [lanes][lanes] [own] */
    double *value;  /* [lanes] Ritz values in descending order [own] */
    const cs_products *op;
    gsl_eigen_symmv_workspace *scratch;
} block;

bool cs_leading_pays(size_t n, size_t k)
{
    return n >= 128 && 5 * k <= n;
}

static size_t lanes_for(size_t k)
{
    size_t more = k + (k < 32 ? 16 : k / 2);
    return (more + CS_PRODUCT_COLS - 1) / CS_PRODUCT_COLS * CS_PRODUCT_COLS;
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Computes y[m][lanes] = a[m][lanes] t[lanes][lanes] in scratch memory and
 * replaces a by y. */
static void turn(block *b, double **a, const double *t)
{
    b->op->times(*a, b->lanes, b->wide, t, b->lanes, b->lanes, b->lanes,
                 b->packed, b->u, b->lanes);
    swap(a, &b->u);
}

static void gram(block *b, const double *left, const double *right)
{
    size_t p = b->lanes;
    memset(b->g, 0, p * p * sizeof *b->g);
    b->op->inner(left, p, p, right, p, p, b->wide, b->g, p);
}

static void scale_columns(const block *b, double *v)
{
    size_t p = b->lanes;
    double *norm = b->y;
    memset(norm, 0, p * sizeof *norm);
    for (size_t i = 0; i < b->wide; i++)
        for (size_t j = 0; j < p; j++)
            norm[j] += v[i * p + j] * v[i * p + j];
    for (size_t j = 0; j < p; j++)
        norm[j] = norm[j] > 0 ? 1 / sqrt(norm[j]) : 0;
    for (size_t i = 0; i < b->wide; i++)
        for (size_t j = 0; j < p; j++)
            v[i * p + j] *= norm[j];
}

/* Computes y = the inverse of L', where g = L L'. */
static bool invert_root(block *b)
{
    size_t p = b->lanes;
    gsl_matrix_view g = gsl_matrix_view_array(b->g, p, p);
    if (gsl_linalg_cholesky_decomp1(&g.matrix))
        return false;
    memset(b->y, 0, p * p * sizeof *b->y);
    for (size_t j = 0; j < p; j++) /* row j of y is column j of L^-1 */
        for (size_t i = j; i < p; i++) {
            double sum = i == j;
            for (size_t k = j; k < i; k++)
                sum -= b->g[i * p + k] * b->y[j * p + k];
            b->y[j * p + i] = sum / b->g[i * p + i];
        }
    return true;
}

static bool make_orthonormal(block *b)
{
    scale_columns(b, b->v);
    for (int pass = 0; pass < 2; pass++) {
        gram(b, b->v, b->v);
        if (!invert_root(b))
            return false;
        turn(b, &b->v, b->y);
    }
    return true;
}

/* Computes w = s v, then rotates v and w by the eigenvectors of v' w and stores
 * the eigenvalues. */
static bool find_ritz(block *b)
{
    size_t p = b->lanes;
    b->op->times(b->s, b->wide, b->wide, b->v, p, p, b->n, b->packed, b->w, p);
    gram(b, b->v, b->w);
    gsl_matrix_view g = gsl_matrix_view_array(b->g, p, p);
    gsl_matrix_view y = gsl_matrix_view_array(b->y, p, p);
    gsl_vector_view value = gsl_vector_view_array(b->value, p);
    if (gsl_eigen_symmv(&g.matrix, &value.vector, &y.matrix, b->scratch) ||
        gsl_eigen_symmv_sort(&value.vector, &y.matrix, GSL_EIGEN_SORT_VAL_DESC))
        return false;
    turn(b, &b->v, b->y);
    turn(b, &b->w, b->y);
    return b->value[0] > 0;
}

static bool has_converged(const block *b, size_t k)
{
    double most = 0;
    for (size_t j = 0; j < k; j++) {
        double sum = 0;
        for (size_t i = 0; i < b->n; i++) {
            size_t at = i * b->lanes + j;
            double off = b->w[at] - b->value[j] * b->v[at];
            sum += off * off;
        }
        most = fmax(most, sum);
    }
    return sqrt(most) <= close_enough * b->value[0];
}

/* Returns the factor by which one more degree of the polynomial amplifies an
 * eigenvalue above b. */
static double growth(double value, double b)
{
    double x = fmax(2 * value / b - 1, 1);
    return x + sqrt(x * x - 1);
}

static size_t degree_of(const block *b, size_t k, size_t cycle, double last)
{
    size_t most = sizeof favour / sizeof *favour - 1;
    double by = log(favour[cycle < most ? cycle : most]);
    double each =
        log(growth(b->value[0], last) / growth(b->value[k - 1], last));
    double m = floor(by / fmax(each, 0.1));
    return m < 1 ? 1 : m > MOST_DEGREE ? MOST_DEGREE : (size_t)m;
}

/* Computes v = T_m(2 s / b - 1) v. On entry, w = s v. */
static void filter(block *b, size_t m, double last)
{
    size_t p = b->lanes, n = b->wide * p;
    for (size_t i = 0; i < n; i++)
        b->w[i] = 2 / last * b->w[i] - b->v[i];
    for (size_t d = 1; d < m; d++) {
        b->op->times(b->s, b->wide, b->wide, b->w, p, p, b->n, b->packed, b->u,
                     p);
        for (size_t i = 0; i < n; i++)
            b->v[i] = 2 * (2 / last * b->u[i] - b->w[i]) - b->v[i];
        swap(&b->v, &b->w);
    }
    swap(&b->v, &b->w);
}

static bool iterate(block *b, size_t k)
{
    for (size_t cycle = 0; cycle < CYCLES; cycle++) {
        if (cs_cancelled() || !make_orthonormal(b) || !find_ritz(b))
            return false;
        if (has_converged(b, k))
            return true;
        double last = b->value[b->lanes - 1];
        if (!(last > 1e-14 * b->value[0]))
            return false;
        filter(b, degree_of(b, k, cycle, last), last);
    }
    return false;
}

static bool open_block(block *b)
{
    static const cs_products *const op[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_products_hot)};
    size_t n = b->wide * b->lanes;
    b->op = op[0][cs_simd_level()];
    b->v = cs_alloc(n, sizeof *b->v);
    b->w = cs_alloc(n, sizeof *b->w);
    b->u = cs_alloc(n, sizeof *b->u);
    b->packed = cs_alloc(n, sizeof *b->packed);
    b->g = cs_alloc(b->lanes * b->lanes, sizeof *b->g);
    b->y = cs_alloc(b->lanes * b->lanes, sizeof *b->y);
    b->value = cs_alloc(b->lanes, sizeof *b->value);
    b->scratch = gsl_eigen_symmv_alloc(b->lanes);
    return b->v && b->w && b->u && b->packed && b->g && b->y && b->value &&
           b->scratch;
}

static void close_block(const block *b)
{
    CS_FREE_ALL(b->v, b->w, b->u, b->packed, b->g, b->y, b->value);
    if (b->scratch)
        gsl_eigen_symmv_free(b->scratch);
}

/* Fills the block with pseudorandom numbers. Every call uses equal numbers. */
static void fill(const block *b)
{
    for (size_t i = 0; i < b->n * b->lanes; i++)
        b->v[i] = (double)(cs_hash_word(1, i) >> 11) * 0x1p-52 - 1;
}

static void mirror(double *s, size_t n, size_t wide)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            s[i * wide + j] = s[j * wide + i];
}

bool cs_leading(double *s, size_t n, size_t wide, size_t k, double *value,
                double *vector)
{
    block b = {.n = n, .wide = wide, .lanes = lanes_for(k), .s = s};
    gsl_error_handler_t *kept = gsl_set_error_handler_off();
    bool good = open_block(&b);
    if (good) {
        mirror(s, n, wide);
        fill(&b);
        good = iterate(&b, k);
    }
    for (size_t j = 0; good && j < k; j++) {
        value[j] = b.value[j];
        for (size_t i = 0; i < n; i++)
            vector[j * n + i] = b.v[i * b.lanes + j];
    }
    gsl_set_error_handler(kept);
    close_block(&b);
    return good;
}
