/* Columns that do not vary are left out of the matrix S; in images of digits,
 * for example, one pixel in four is constant. S is a sum over blocks of rows.
 * The columns of a block are stored in panels, and the sum is computed for each
 * pair of panels. */
#include "stat/principal.h"

#include "base/cancellation.h"
#include "base/memory.h"
#include "stat/leading.h"
#include "stat/products.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

enum { ROWS = 128, COLS = CS_PRODUCT_COLS };

typedef struct work {
    const cs_row_source *from;
    const double *mean; /* [cols] */
    double *row;        /* [cols] the row being read */
    double *panel;      /* [panels][ROWS][COLS] */
    /* [wide][wide] (rows - 1) S, where wide is COLS times the number of panels.
     * Only the panels of S on and above the diagonal are computed. */
    double *s;
    size_t *column; /* [varying] indices of the columns that vary */
    size_t varying, panels;
} work;

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for principal components");
}

static cs_status refuse(cs_error *err, const char *what, const char *hint)
{
    cs_fail(err, CS_INPUT, "principal components: %s", what);
    cs_hint(err, "%s", hint);
    return CS_INPUT;
}

void cs_principal_free(cs_principal *p)
{
    CS_FREE_ALL(p->mean, p->direction, p->variance);
    *p = (cs_principal){0};
}

/* ---- means --------------------------------------------------------------- */

/* Computes the mean of each column and finds the columns that vary. */
static cs_status find_means(work *w, double *mean, cs_error *err)
{
    size_t rows = w->from->rows, cols = w->from->cols;
    double *first = cs_alloc(cols, sizeof *first);
    bool *varies = cs_alloc(cols, sizeof *varies), finite = true;
    size_t bad = 0;
    for (size_t i = 0; first && varies && finite && i < rows; i++) {
        w->from->row(w->from->self, i, w->row);
        for (size_t j = 0; j < cols; j++) {
            finite &= isfinite(w->row[j]);
            first[j] = i ? first[j] : w->row[j];
            varies[j] |= w->row[j] != first[j];
            mean[j] += w->row[j] / (double)rows;
        }
        bad = finite ? bad : i + 1;
    }
    for (size_t j = 0; varies && j < cols; j++)
        if (varies[j])
            w->column[w->varying++] = j;
    bool good = first && varies;
    cs_free(first);
    cs_free(varies);
    if (!good)
        return no_memory(err);
    if (finite)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "principal components: row %zu has a number that is not finite",
            bad);
    cs_hint(err, "omit rows with missing numbers");
    return CS_INPUT;
}

/* ---- the matrix ---------------------------------------------------------- */

/* Subtracts the mean from n rows, starting at row `first`, and stores them as
 * panels padded with zeros. */
static void fill_panels(work *w, size_t first, size_t n)
{
    memset(w->panel, 0, w->panels * ROWS * COLS * sizeof *w->panel);
    for (size_t r = 0; r < n; r++) {
        w->from->row(w->from->self, first + r, w->row);
        for (size_t k = 0; k < w->varying; k++) {
            size_t j = w->column[k];
            w->panel[(k / COLS * ROWS + r) * COLS + k % COLS] =
                w->row[j] - w->mean[j];
        }
    }
}

static void add_products(const work *w)
{
    static const cs_products *const op[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_products_hot)};
    size_t wide = w->panels * COLS;
    for (size_t p = 0; p < w->panels; p++)
        for (size_t q = p; q < w->panels; q++)
            op[0][cs_simd_level()]->inner(
                w->panel + p * ROWS * COLS, COLS, COLS,
                w->panel + q * ROWS * COLS, COLS, COLS, ROWS,
                w->s + p * COLS * wide + q * COLS, wide);
}

static cs_status stopped(cs_error *err)
{
    return cs_fail(err, CS_STOPPED, "principal components: stopped on request");
}

static cs_status add_rows(work *w, cs_error *err)
{
    for (size_t i = 0; i < w->from->rows; i += ROWS) {
        size_t left = w->from->rows - i;
        if (cs_cancelled())
            return stopped(err);
        fill_panels(w, i, left < ROWS ? left : ROWS);
        add_products(w);
    }
    return CS_OK;
}

/* ---- directions ---------------------------------------------------------- */

/* GSL's workspace to find all eigenvectors. */
typedef struct solver {
    gsl_matrix *s, *vector;
    gsl_vector *value;
    gsl_eigen_symmv_workspace *own;
} solver;

static void free_solver(const solver *g)
{
    gsl_matrix_free(g->s);
    gsl_matrix_free(g->vector);
    gsl_vector_free(g->value);
    if (g->own)
        gsl_eigen_symmv_free(g->own);
}

/* Finds the eigenvectors of S, ordered by descending variance. */
static cs_status solve(const work *w, solver *g, cs_error *err)
{
    size_t n = w->varying, wide = w->panels * COLS;
    double scale = 1 / ((double)w->from->rows - 1);
    *g = (solver){gsl_matrix_alloc(n, n), gsl_matrix_alloc(n, n),
                  gsl_vector_alloc(n), gsl_eigen_symmv_alloc(n)};
    if (!g->s || !g->vector || !g->value || !g->own)
        return no_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double x = w->s[i * wide + j] * scale;
            gsl_matrix_set(g->s, i, j, x);
            gsl_matrix_set(g->s, j, i, x);
        }
    if (gsl_eigen_symmv(g->s, g->value, g->vector, g->own) ||
        gsl_eigen_symmv_sort(g->value, g->vector, GSL_EIGEN_SORT_VAL_DESC))
        return cs_fail(err, CS_NUMERIC,
                       "principal components: no eigenvectors were found");
    return CS_OK;
}

/* Returns the smallest variance that is distinguishable from rounding
 * errors. */
static double least_of(const work *w, double most)
{
    return most * DBL_EPSILON * 4 * (double)(w->varying + 8);
}

static size_t rank_of(const work *w, const solver *g)
{
    double least = least_of(w, gsl_vector_get(g->value, 0));
    size_t k = 0, most = w->from->rows - 1;
    while (k < w->varying && k < most && gsl_vector_get(g->value, k) > least)
        k++;
    return k;
}

/* Returns the sign that makes the largest entry of v[n] positive. */
static double sign_of(const double *v, size_t n)
{
    const double near = 1 - 1e-9;
    double most = 0;
    size_t at = 0;
    for (size_t j = 0; j < n; j++)
        most = fmax(most, fabs(v[j]));
    while (fabs(v[at]) < near * most)
        at++;
    return v[at] < 0 ? -1 : 1;
}

/* Stores direction k from v[varying], whose entries are `step` apart. */
static void take_direction(const work *w, const double *v, size_t step,
                           size_t k, double variance, cs_principal *out)
{
    double *to = out->direction + k * out->cols;
    for (size_t j = 0; j < w->varying; j++)
        to[w->column[j]] = v[j * step];
    double sign = sign_of(to, out->cols);
    for (size_t j = 0; j < out->cols; j++)
        to[j] = sign * to[j] + 0.0; /* no -0 */
    out->variance[k] = variance;
}

static void take_directions(const work *w, const solver *g, cs_principal *out)
{
    for (size_t k = 0; k < out->components; k++)
        take_direction(w, gsl_matrix_const_ptr(g->vector, 0, k), g->vector->tda,
                       k, gsl_vector_get(g->value, k), out);
}

/* Finds only the requested directions, if they are a small part of all
 * directions. Otherwise returns false; then all directions must be found. */
static bool find_leading(const work *w, cs_principal *out)
{
    size_t n = w->varying, k = out->components;
    double scale = 1 / ((double)w->from->rows - 1);
    if (!cs_leading_pays(n, k) || k >= w->from->rows)
        return false;
    double *value = cs_alloc(k, sizeof *value);
    double *vector = cs_alloc(k * n, sizeof *vector);
    bool good = value && vector &&
                cs_leading(w->s, n, w->panels * COLS, k, value, vector) &&
                value[k - 1] > least_of(w, value[0]);
    for (size_t i = 0; good && i < k; i++)
        take_direction(w, vector + i * n, 1, i, value[i] * scale, out);
    cs_free(value);
    cs_free(vector);
    return good;
}

/* Computes the directions from the matrix. Turns off GSL's default error
 * handler, which would end the program. */
static cs_status find_directions(const work *w, cs_principal *out,
                                 cs_error *err)
{
    solver g = {0};
    if (find_leading(w, out))
        return CS_OK;
    gsl_error_handler_t *kept = gsl_set_error_handler_off();
    cs_status s = solve(w, &g, err);
    if (!s && rank_of(w, &g) < out->components) {
        s = cs_fail(err, CS_INPUT,
                    "principal components: %zu were requested, but the rows "
                    "vary in %zu directions",
                    out->components, rank_of(w, &g));
        cs_hint(err, "request at most %zu", rank_of(w, &g));
    }
    if (!s)
        take_directions(w, &g, out);
    free_solver(&g);
    gsl_set_error_handler(kept);
    return s;
}

/* ---- fit and scores ------------------------------------------------------ */

static cs_status check(const work *w, size_t components, cs_error *err)
{
    if (!w->varying)
        return refuse(err, "no column varies", "give rows that differ");
    if (w->varying > CS_PRINCIPAL_COLUMNS) {
        cs_fail(err, CS_INPUT,
                "principal components: %zu columns vary, more than %d",
                w->varying, CS_PRINCIPAL_COLUMNS);
        cs_hint(err, "give fewer columns, or smaller images");
        return CS_INPUT;
    }
    if (components <= w->varying)
        return CS_OK;
    cs_fail(
        err, CS_INPUT,
        "principal components: %zu were requested, but only %zu columns vary",
        components, w->varying);
    cs_hint(err, "request at most %zu", w->varying);
    return CS_INPUT;
}

/* Computes the total variance of all columns. */
static cs_status find_total(const work *w, cs_principal *out, cs_error *err)
{
    size_t wide = w->panels * COLS;
    for (size_t k = 0; k < w->varying; k++)
        out->total += w->s[k * wide + k] / ((double)w->from->rows - 1);
    if (out->total > 0 && isfinite(out->total))
        return CS_OK;
    return refuse(err, "the numbers are too large or too small to square",
                  "multiply the table by a power of ten");
}

static cs_status fit(work *w, cs_principal *out, cs_error *err)
{
    cs_status s = find_means(w, out->mean, err);
    if (!s)
        s = check(w, out->components, err);
    if (s)
        return s;
    w->mean = out->mean;
    w->panels = (w->varying + COLS - 1) / COLS;
    size_t wide = w->panels * COLS;
    w->panel = cs_alloc(wide * ROWS, sizeof *w->panel);
    w->s = cs_alloc(wide * wide, sizeof *w->s);
    if (!w->panel || !w->s)
        return no_memory(err);
    s = add_rows(w, err);
    if (!s)
        s = find_total(w, out, err);
    return s ? s : find_directions(w, out, err);
}

cs_status cs_principal_fit(cs_principal *out, const cs_row_source *from,
                           size_t components, cs_error *err)
{
    assert(components > 0 && from->cols > 0);
    *out = (cs_principal){.cols = from->cols, .components = components};
    if (from->rows < 2)
        return refuse(err, "fewer than two rows", "give more rows");
    if (components > from->cols) {
        cs_fail(err, CS_INPUT,
                "principal components: %zu were requested, but there are %zu "
                "columns",
                components, from->cols);
        cs_hint(err, "request at most %zu", from->cols);
        return CS_INPUT;
    }
    work w = {.from = from};
    w.row = cs_alloc(from->cols, sizeof *w.row);
    w.column = cs_alloc(from->cols, sizeof *w.column);
    out->mean = cs_alloc(from->cols, sizeof *out->mean);
    out->variance = cs_alloc(components, sizeof *out->variance);
    out->direction = cs_alloc(components * from->cols, sizeof(double));
    bool room =
        w.row && w.column && out->mean && out->variance && out->direction;
    cs_status s = room ? fit(&w, out, err) : no_memory(err);
    CS_FREE_ALL(w.row, w.column, w.panel, w.s);
    if (s)
        cs_principal_free(out);
    return s;
}

void cs_principal_score(const cs_principal *p, const double *x, double *score)
{
    for (size_t k = 0; k < p->components; k++) {
        const double *v = p->direction + k * p->cols;
        double sum[4] = {0};
        size_t j = 0;
        for (; j + 4 <= p->cols; j += 4)
            for (size_t i = 0; i < 4; i++)
                sum[i] += v[j + i] * (x[j + i] - p->mean[j + i]);
        for (; j < p->cols; j++)
            sum[0] += v[j] * (x[j] - p->mean[j]);
        score[k] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}
