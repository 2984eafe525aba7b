/* Computes the noise of the estimated gradient at a state, from the gradients
 * of single rows of data. The formulas are in stochastic_gradient.h. */
#include "base/memory.h"
#include "kernel/metric.h"
#include "kernels/real/stochastic_gradient.h"

#include <assert.h>

/* MOST_ROWS: largest number of rows that are read; they are evenly spaced in
 * the table. MOST_DIM: largest dimension of the state. */
enum { MOST_ROWS = 256, MOST_DIM = 4096, LANES = CS_PAD };
/* Largest dimension with a metric, because the products then have dim^2
 * numbers. */
enum { MOST_METRIC = 256 };

typedef struct row_gradients {
    const cs_noise *at;
    cs_eval eval;
    double *x, *g, *point, *there; /* [dim][LANES] arrays; point is NULL without
                                      control variates */
    size_t rows;                   /* number of rows of the table that are
                                      read */
    double *sum;                   /* [n] sum of the gradients; the sum of their
                                      products is in at->gradient */
} row_gradients;

static void fill_lanes(const cs_noise *at, const double *from, double *to)
{
    for (size_t d = 0; d < at->target->space.dim; d++)
        for (size_t l = 0; l < LANES; l++)
            to[d * LANES + l] = from[d * at->stride];
}

/* Computes the gradients of the selected rows k, k + 1, ..., one per lane.
 * Returns the number of these rows. */
static size_t take_rows(row_gradients *w, size_t k)
{
    uint32_t row[LANES];
    size_t first[LANES + 1] = {0}, all = w->at->target->n_rows, n = 0;
    _Alignas(CS_ALIGN) double logp[LANES];
    for (size_t l = 0; l < LANES; l++) {
        if (k + l < w->rows)
            row[n++] = (uint32_t)((k + l) * all / w->rows);
        first[l + 1] = n;
    }
    const cs_batch batch = {.row = row, .first = first};
    cs_eval_slope(&w->eval, w->x, &batch, logp, w->g);
    if (w->point)
        cs_eval_slope(&w->eval, w->point, &batch, logp, w->there);
    for (size_t i = 0; w->point && i < w->at->n * LANES; i++)
        w->g[i] -= w->there[i];
    return n;
}

static void add_row(row_gradients *w, size_t l)
{
    size_t n = w->at->n;
    for (size_t i = 0; i < n; i++) {
        double g = w->g[i * LANES + l];
        w->sum[i] += g;
        for (size_t j = 0; j < n; j++)
            w->at->gradient[i * n + j] += g * w->g[j * LANES + l];
    }
}

/* Writes the covariance of the rows' gradients to at->gradient. */
static void spread_rows(row_gradients *w)
{
    size_t n = w->at->n;
    double count = (double)w->rows;
    for (size_t k = 0; k < w->rows; k += LANES)
        for (size_t l = take_rows(w, k); l-- > 0;)
            add_row(w, l);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double *c = w->at->gradient + i * n + j;
            *c = *c / count - w->sum[i] / count * w->sum[j] / count;
        }
}

static bool look_at_rows(const cs_noise *at, const double *point)
{
    const cs_target *t = at->target;
    size_t rows = t->space.dim * LANES, caches = 2 * t->cache_words * LANES;
    size_t words = 4 * rows + at->n + caches + cs_eval_scratch_words(t) * LANES;
    double *memory = cs_alloc(words, sizeof *memory);
    if (!memory)
        return false;
    row_gradients w = {.at = at, .x = memory, .g = memory + rows};
    w.there = w.g + rows;
    w.point = point ? w.there + rows : NULL;
    w.rows = t->n_rows < MOST_ROWS ? t->n_rows : MOST_ROWS;
    double *cache = memory + 4 * rows;
    w.sum = cache + caches + cs_eval_scratch_words(t) * LANES;
    cs_eval_open(&w.eval, t, LANES, LANES, cache, cache + caches);
    fill_lanes(at, at->x, w.x);
    if (point)
        fill_lanes(at, point, w.point);
    spread_rows(&w);
    cs_free(memory);
    return true;
}

/* Fills at->gradient with the covariance of the estimated gradient at the
 * state. The covariance is N^2 / n times the covariance of the rows' gradients
 * (times (N - n) / (N - 1) without replacement), plus the declared noise. If
 * the table has many rows, a sample of the rows is used. Returns false if out
 * of memory or if the state is too large. */
static bool fill_gradient(const cs_noise *at, cs_sg_layout layout)
{
    const cs_target *t = at->target;
    size_t n = cs_sg_rows(t, at->values), dim = t->space.dim;
    bool control = n && at->values[CS_SG_CONTROL_VARIATES] != 0;
    const double *point =
        at->memory + (layout.next + layout.kept) * dim * at->stride;
    double declared = at->values[CS_SG_GRADIENT_NOISE],
           rows = (double)t->n_rows;
    memset(at->gradient, 0, at->n * at->n * sizeof *at->gradient);
    if (n && (dim > MOST_DIM || !look_at_rows(at, control ? point : NULL)))
        return false;
    double scale = n ? rows * rows / (double)n : 0;
    if (at->values[CS_SG_ORDER] != CS_BATCH_WITH_REPLACEMENT && rows > 1)
        scale *= (rows - (double)n) / (rows - 1);
    for (size_t i = 0; i < at->n * at->n; i++)
        at->gradient[i] *= scale;
    for (size_t i = 0; i < at->n; i++)
        at->gradient[i * at->n + i] += declared * declared;
    return true;
}

bool cs_sg_noise_of_step(const cs_noise *at, cs_sg_layout layout, double rate,
                         double heat)
{
    assert(at->n <= at->target->space.dim && at->gradient && at->injected);
    if (!fill_gradient(at, layout))
        return false;
    for (size_t i = 0; i < at->n * at->n; i++)
        at->gradient[i] *= rate * rate;
    for (size_t i = 0; i < at->n; i++)
        at->injected[i] = 2 * rate * heat;
    return true;
}

/* Returns element [i][j] of the covariance S of the metric. */
static double covariance(const cs_metric *g, size_t i, size_t j)
{
    return g->kind == CS_METRIC_DENSE ? g->covariance[i * g->dim + j]
           : i == j                   ? g->covariance[i]
                                      : 0;
}

/* Returns element [i][j] of S C S, for C [dim][dim]. */
static double twice(const cs_metric *g, const double *c, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < g->dim; k++)
        for (size_t l = 0; l < g->dim; l++)
            sum +=
                covariance(g, i, k) * c[k * g->dim + l] * covariance(g, l, j);
    return sum;
}

bool cs_sg_noise_along(const cs_noise *at, cs_sg_layout layout, double rate,
                       double heat)
{
    assert(at->n <= at->target->space.dim && at->gradient && at->injected);
    size_t dim = at->target->space.dim;
    if (!at->metric)
        return cs_sg_noise_of_step(at, layout, rate, heat);
    cs_noise all = *at;
    double *scratch =
        dim <= MOST_METRIC ? cs_alloc(dim * (dim + 1), sizeof *scratch) : NULL;
    all.n = dim;
    all.gradient = scratch;
    all.injected = scratch ? scratch + dim * dim : NULL;
    bool known = scratch && cs_sg_noise_of_step(&all, layout, rate, heat);
    for (size_t i = 0; known && i < at->n; i++) {
        at->injected[i] = all.injected[i] * covariance(at->metric, i, i);
        for (size_t j = 0; j < at->n; j++)
            at->gradient[i * at->n + j] = twice(at->metric, scratch, i, j);
    }
    cs_free(scratch);
    return known;
}
