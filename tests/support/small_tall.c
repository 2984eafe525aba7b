#include "support/small_tall.h"

#include "simd/simd.h"
#include "support/support.h"

#include <math.h>

static const double height[SMALL_TALL_ROWS][SMALL_TALL_DIM] = {
    {0.9, 0.4}, {-0.5, 0.7}, {0.3, 0.1}};
static const double shift[SMALL_TALL_ROWS][SMALL_TALL_DIM] = {
    {0.2, -0.6}, {1.1, 0.3}, {-0.4, 2}};

double small_tall_term(size_t r, const double *x, double *g)
{
    double sum = 0;
    for (size_t d = 0; d < SMALL_TALL_DIM; d++) {
        sum += height[r][d] * sin(x[d] + shift[r][d]);
        if (g)
            g[d] = height[r][d] * cos(x[d] + shift[r][d]);
    }
    return sum;
}

double small_tall_most(size_t r)
{
    double sum = 0;
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        sum += fabs(height[r][d]);
    return sum;
}

/* ---- the target ---- */

/* Returns term_r of lane l; `slope` receives its gradient. */
static double term_at(const cs_point *at, size_t l, size_t r, double *slope)
{
    double x[SMALL_TALL_DIM];
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        x[d] = at->x[d * at->lanes + l];
    return small_tall_term(r, x, slope);
}

static void add(const cs_point *at, size_t l, double weight,
                const double *slope, double *g)
{
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        g[d * at->lanes + l] += weight * slope[d];
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        logp[l] = 0;
        for (size_t d = 0; d < SMALL_TALL_DIM; d++) {
            double x = at->x[d * at->lanes + l];
            logp[l] -= x * x / 2;
            if (g)
                g[d * at->lanes + l] = -x;
        }
    }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    double slope[SMALL_TALL_DIM];
    prior(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
            logp[l] += term_at(at, l, r, slope);
            if (g)
                add(at, l, 1, slope, g);
        }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    gradient(t, at, logp, NULL);
}

/* Computes the weights of up to eight rows of a batch. */
static void weigh(const cs_batch *b, size_t l, size_t at, size_t n,
                  const double *logp, double *weight)
{
    double term[CS_PAD] = {0};
    for (size_t i = 0; i < n; i++) {
        term[i] = logp[at + i];
        weight[i] = b->weight ? b->weight[at + i] : 1;
    }
    if (b->weigh)
        b->weigh(b->of, l, at, n, term, weight);
}

static void slope(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g)
{
    (void)t;
    for (size_t i = 0; i < SMALL_TALL_DIM * at->lanes; i++)
        g[i] = 0;
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_PAD) {
            double by[CS_PAD][SMALL_TALL_DIM], weight[CS_PAD];
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_PAD ? left : CS_PAD;
            for (size_t k = 0; k < n; k++)
                logp[i + k] = term_at(at, l, b->row[i + k], by[k]);
            weigh(b, l, i, n, logp, weight);
            for (size_t k = 0; k < n; k++)
                add(at, l, weight[k], by[k], g);
        }
}

static void terms(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i++)
            logp[i] = term_at(at, l, b->row[i], NULL);
}

static cs_status term_range(const cs_target *t, double *low, double *high,
                            cs_error *err)
{
    (void)t;
    (void)err;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
        high[r] = small_tall_most(r);
        low[r] = -high[r];
    }
    return CS_OK;
}

static cs_status term_change(const cs_target *t, double *c, cs_error *err)
{
    (void)t;
    (void)err;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
        c[r] = small_tall_most(r);
    return CS_OK;
}

static void change_measure(const cs_target *t, const double *x, const double *y,
                           size_t lanes, double *m)
{
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        m[l] = 0;
        for (size_t d = 0; d < SMALL_TALL_DIM; d++)
            m[l] = fmax(m[l], fabs(x[d * lanes + l] - y[d * lanes + l]));
    }
}

/* ---- exact draws: tables of distribution functions ----------------------- */

enum { POINTS = 20001 };
static const double reach = 8;
static double below[SMALL_TALL_DIM][POINTS];

static double place(size_t i)
{
    return reach * (2 * (double)i / (POINTS - 1) - 1);
}

/* Tabulates the distribution functions by the trapezoidal rule (error 2e-9). */
static void tabulate(void)
{
    for (size_t d = 0; d < SMALL_TALL_DIM; d++) {
        double before = 0;
        for (size_t i = 0; i < POINTS; i++) {
            double x = place(i), logp = -x * x / 2;
            for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
                logp += height[r][d] * sin(x + shift[r][d]);
            double now = exp(logp);
            below[d][i] = i ? below[d][i - 1] + (before + now) / 2 : 0;
            before = now;
        }
        for (size_t i = 0; i < POINTS; i++)
            below[d][i] /= below[d][POINTS - 1];
    }
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    for (size_t d = 0; d < SMALL_TALL_DIM; d++) {
        size_t low = 0, high = POINTS - 1;
        while (high - low > 1) {
            size_t middle = (low + high) / 2;
            *(below[d][middle] <= uniform[d] ? &low : &high) = middle;
        }
        double share =
            (uniform[d] - below[d][low]) / (below[d][high] - below[d][low]);
        x[d] = place(low) + share * (place(high) - place(low));
    }
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    if (below[0][POINTS - 1] < 1)
        tabulate();
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = SMALL_TALL_DIM};
    t->n_rows = t->data_terms = SMALL_TALL_ROWS;
    t->row_bounds = CS_ROW_RANGE | CS_ROW_CHANGE;
    return CS_OK;
}

static void destroy(cs_target *t)
{
    (void)t;
}

const cs_target_type small_tall = {.name = "small_tall",
                                   .title = "small rows with bounds",
                                   .create = create,
                                   .destroy = destroy,
                                   .log_density = log_density,
                                   .gradient = gradient,
                                   .prior = prior,
                                   .rows.terms = terms,
                                   .rows.slope = slope,
                                   .rows.range = term_range,
                                   .rows.change = term_change,
                                   .rows.change_measure = change_measure,
                                   .exact.n_uniform = SMALL_TALL_DIM,
                                   .exact.draw = draw};
