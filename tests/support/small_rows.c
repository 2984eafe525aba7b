#include "support/small_rows.h"

#include "base/memory.h"
#include "support/support.h"
#include "target/lower_bound.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

const double small_rows_prior = 0.5, small_rows_weight = 0.25;

double small_rows_datum(size_t r, size_t d)
{
    return sin((double)(3 * r + 2 * d + 1)) + 0.4 * (double)d;
}

enum { ROWS, CURVE };

typedef struct rows {
    double curve, y[SMALL_ROWS_MOST][SMALL_ROWS_DIM];
} rows;

static double precision_of(size_t n)
{
    return small_rows_prior + (double)n * small_rows_weight;
}

static double mean_datum(size_t n, size_t d)
{
    double sum = 0;
    for (size_t r = 0; r < n; r++)
        sum += small_rows_datum(r, d);
    return sum / (double)n;
}

double small_rows_mean(size_t n, size_t d)
{
    return (double)n * small_rows_weight * mean_datum(n, d) / precision_of(n);
}

double small_rows_variance(size_t n)
{
    return 1 / precision_of(n);
}

double small_rows_spread(size_t n, size_t d)
{
    double sum = 0, mean = mean_datum(n, d);
    for (size_t r = 0; r < n; r++)
        sum += pow(small_rows_datum(r, d) - mean, 2);
    return small_rows_weight * small_rows_weight * sum / (double)n;
}

/* ---- one lane ---- */

static double prior_at(const cs_point *at, size_t l, double *g)
{
    double logp = 0;
    for (size_t d = 0; d < SMALL_ROWS_DIM; d++) {
        double x = at->x[d * at->lanes + l];
        logp -= small_rows_prior * x * x / 2;
        if (g)
            g[d * at->lanes + l] = -small_rows_prior * x;
    }
    return logp;
}

/* Returns the term of a row, and adds `weight` times the gradient of the term
 * to g. */
static double term_at(const rows *t, const cs_point *at, size_t l, size_t r,
                      double weight, double *g)
{
    double logp = 0;
    for (size_t d = 0; d < SMALL_ROWS_DIM; d++) {
        double off = t->y[r][d] - at->x[d * at->lanes + l], square = off * off;
        logp -= small_rows_weight * square / 2 + t->curve * square * square / 4;
        if (g)
            g[d * at->lanes + l] +=
                weight * (small_rows_weight + t->curve * square) * off;
    }
    return logp;
}

/* ---- the table ---- */

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = prior_at(at, l, g);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    prior(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        for (size_t r = 0; r < t->n_rows; r++)
            logp[l] += term_at(t->self, at, l, r, 1, g);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    gradient(t, at, logp, NULL);
}

static void slope(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g)
{
    for (size_t i = 0; g && i < SMALL_ROWS_DIM * at->lanes; i++)
        g[i] = 0;
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i++)
            logp[i] = term_at(t->self, at, l, b->row[i],
                              b->weight ? b->weight[i] : 1, g);
}

static void terms(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp)
{
    slope(t, at, b, logp, NULL);
}

/* The bound of a term is log B = 1.5 term - 0.1, that is, term - |x - y_r|^2 w
 * / 4 - 0.1. The bound is loose. The point x can be drawn exactly from the
 * product of the bounds. */
static const double looser = 1.5, offset = 0.1;

static void lower_rows(const cs_target *t, cs_lower_bound *b)
{
    static const double axis[2][SMALL_ROWS_DIM] = {{1, 0}, {0, 1}};
    const rows *own = t->self;
    for (size_t r = 0; r < t->n_rows; r++)
        for (size_t d = 0; d < SMALL_ROWS_DIM; d++) {
            double w = looser * small_rows_weight;
            double off = own->y[r][d] - b->mode[d];
            cs_lower_bound_add(b, axis[d],
                               -offset / SMALL_ROWS_DIM - w * off * off / 2,
                               w * off, -w / 2);
        }
}

static void lower_terms(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *log_b)
{
    slope(t, at, b, logp, NULL);
    for (size_t i = 0; i < b->first[at->live]; i++)
        log_b[i] = looser * logp[i] - offset;
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    double sd = sqrt(small_rows_variance(t->n_rows));
    for (size_t d = 0; d < SMALL_ROWS_DIM; d++)
        x[d] = small_rows_mean(t->n_rows, d) +
               gsl_cdf_gaussian_Pinv(uniform[d], sd);
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    rows *own = t->self = cs_alloc(1, sizeof *own);
    if (!own)
        return cs_fail(err, CS_MEMORY, "out of memory");
    own->curve = values[CURVE].number;
    for (size_t r = 0; r < SMALL_ROWS_MOST; r++)
        for (size_t d = 0; d < SMALL_ROWS_DIM; d++)
            own->y[r][d] = small_rows_datum(r, d);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = SMALL_ROWS_DIM};
    t->n_rows = t->data_terms = (size_t)values[ROWS].number;
    if (own->curve > 0)
        t->n_uniform = 0; /* no exact draws */
    else
        t->row_bounds = CS_ROW_LOWER; /* the bound is a parabola */
    return CS_OK;
}

static void destroy(cs_target *t)
{
    cs_free(t->self);
}

static const cs_param params[] = {[ROWS] = {.name = "rows",
                                            .kind = CS_PARAM_INT,
                                            .flags = CS_PARAM_FIXED,
                                            .min = 1,
                                            .max = SMALL_ROWS_MOST,
                                            .def = 7},
                                  [CURVE] = {.name = "curve", .max = 10}};

const cs_target_type small_rows = {.name = "small_rows",
                                   .title = "small rows",
                                   .params = params,
                                   .n_params = 2,
                                   .create = create,
                                   .destroy = destroy,
                                   .log_density = log_density,
                                   .gradient = gradient,
                                   .prior = prior,
                                   .rows.terms = terms,
                                   .rows.slope = slope,
                                   .rows.lower = lower_rows,
                                   .rows.lower_terms = lower_terms,
                                   .exact.n_uniform = SMALL_ROWS_DIM,
                                   .exact.draw = draw};

cs_target *small_rows_of(size_t n, double curve)
{
    const cs_value given[] = {
        {.name = "rows", .kind = CS_PARAM_INT, .number = (double)n},
        {.name = "curve", .number = curve}};
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&small_rows, given, 2, &t, NULL), CS_OK);
    return t;
}
