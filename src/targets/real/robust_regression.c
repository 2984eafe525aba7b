/* Linear regression with Student's t errors instead of normal errors, tempered:
 *
 *     log p(b) = -beta (nu + 1) / 2 sum_i log(1 + (y_i - x_i b)^2 / nu),
 *                |b| <= radius, -infinity outside,
 *     grad log p = beta (nu + 1) sum_i (r_i / (nu + r_i^2)) x_i,
 *                r_i = y_i - x_i b
 *
 * as in Yuan and Wang, "Markov Chain Monte Carlo without Evaluating the Target:
 * an Auxiliary Variable Approach" (ICML 2026), section 5.2. There is no
 * intercept; constants of the likelihood are left out.
 *
 * Each chain of the block processes a tile of rows while the tile is in the
 * nearest cache. Vectors run over columns and rows, for any number of chains.
 * For every four rows of a tile only one logarithm is computed, the logarithm
 * of the product of their factors. The residuals are bounded, so that the
 * product cannot overflow. Rows of zeros, which add nothing, fill the last
 * tile. */
#define CS_VECTOR_WHOLE
#include "base/memory.h"
#include "target/lower_bound.h"
#include "targets/real/row_pass.h"

#include <stdio.h>

#define NAME "robust_regression"

enum { FILE_, TABLE, ROWS, DIM, SEED, NU, BETA, RADIUS, N_PARAMS };
enum { TILE = CS_ROW_TILE };

/* Bound on |y - x b| in the ball. Within this bound the product of four factors
 * 1 + r^2 / nu does not overflow. */
static const double most = 1e30;

typedef struct robust {
    cs_row_table t;                     /* the rows: x_1 ... x_d, y */
    size_t padded;                      /* cols, padded to whole vectors */
    double per_nu, scale, push, square; /* per_nu: 1 / nu;
                                           scale: beta (nu + 1) / 2;
                                           push: beta (nu + 1) / nu;
                                           square: radius^2 */
} robust;

/* Scratch of one chain, in the order of memory. */
typedef struct chain {
    double *b;     /* [padded] -b, then 1, then zeros */
    double *total; /* [CS_VECTOR] partial sums of log p */
    double *g;     /* [padded] the gradient */
} chain;

CS_ROW_INLINE chain chain_of(const robust *m, const cs_point *at, size_t l)
{
    double *from = at->scratch + l * (2 * m->padded + CS_VECTOR);
    return (chain){from, from + m->padded, from + m->padded + CS_VECTOR};
}

static void load_chain(const robust *m, const cs_point *at, size_t l)
{
    chain c = chain_of(m, at, l);
    size_t d = m->t.cols - 1;
    memset(c.b, 0, (2 * m->padded + CS_VECTOR) * sizeof *c.b);
    for (size_t j = 0; j < d; j++)
        c.b[j] = -at->x[j * at->lanes + l];
    c.b[d] = 1;
}

/* Returns 1 + r^2 / nu. */
CS_ROW_INLINE cs_vd factor(const robust *m, cs_vd r)
{
    return 1 + r * r * m->per_nu;
}

/* Processes a tile for one chain. */
CS_ROW_INLINE void pass(const robust *m, const double *row, chain c, bool value,
                        bool slope)
{
    union {
        cs_vd v[TILE / CS_VECTOR];
        cs_four four[TILE / 4];
        double one[TILE];
    } r;
    size_t w = m->t.cols;
    cs_vd q[TILE / CS_VECTOR];
    for (size_t k = 0; k < TILE / 4; k++, row += 4 * w)
        r.four[k] =
            cs_row_products(w, c.b, row, row + w, row + 2 * w, row + 3 * w);
    for (size_t k = 0; k < TILE / CS_VECTOR; k++)
        q[k] = factor(m, r.v[k]);
    cs_vd product = (q[0] * q[1]) * (q[2] * q[3]);
    if (slope) {
        for (size_t k = 0; k < TILE / CS_VECTOR; k++)
            r.v[k] /= q[k];
        cs_row_collect(row - TILE * w, w, NULL, TILE, w, r.one, c.g);
    }
    if (value)
        cs_store(c.total, cs_load(c.total) + cs_vlog(product));
}

/* Returns whether a chain is outside the ball; a NaN counts as inside. */
static bool is_outside(const robust *m, const cs_point *at, size_t l)
{
    double sum = 0;
    for (size_t j = 0; j + 1 < m->t.cols; j++)
        sum += at->x[j * at->lanes + l] * at->x[j * at->lanes + l];
    return sum > m->square;
}

/* Evaluates all rows. logp or g may be NULL. The function is inlined, so that
 * the compiler knows which of the two is NULL. */
CS_ROW_INLINE void whole(const cs_target *t, const cs_point *at, double *logp,
                         double *g)
{
    const robust *m = t->self;
    size_t d = m->t.cols - 1, first = at->live, last = 0;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        load_chain(m, at, l);
        c.b[d] = cs_row_asked(at, l) && !is_outside(m, at, l);
        first = c.b[d] != 0 && first == at->live ? l : first;
        last = c.b[d] != 0 ? l + 1 : last;
    }
    for (size_t i = 0; i < m->t.rows && first < last; i += TILE)
        for (size_t l = first; l < last; l++)
            if (chain_of(m, at, l).b[d] != 0)
                pass(m, cs_row_at(&m->t, i), chain_of(m, at, l), logp != NULL,
                     g != NULL);
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        if (logp)
            logp[l] =
                c.b[d] != 0 ? -m->scale * cs_row_tree(c.total) : -HUGE_VAL;
        for (size_t j = 0; g && j < d; j++)
            g[j * at->lanes + l] = m->push * c.g[j];
    }
    if (logp)
        cs_row_repeat(at, logp, 1);
    if (g)
        cs_row_repeat(at, g, d);
}

/* ---- rows ---------------------------------------------------------------- */

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = is_outside(t->self, at, l) ? -HUGE_VAL : 0;
    if (g)
        memset(g, 0, t->space.dim * at->lanes * sizeof *g);
}

/* Evaluates the batches of all lanes: computes the terms and, unless g is NULL,
 * the gradients of the weighted sums of the terms. */
CS_ROW_INLINE void some(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *g)
{
    const robust *m = t->self;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        load_chain(m, at, l);
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_VECTOR) {
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_VECTOR ? left : CS_VECTOR;
            const double *row[CS_VECTOR];
            cs_row_eight r = cs_row_picked(&m->t, c.b, b->row + i, left, row);
            cs_vd q = factor(m, r.v[0]);
            cs_row_eight term = {{-m->scale * cs_vlog(q)}};
            memcpy(logp + i, &term, n * sizeof *logp);
            if (!g)
                continue;
            r.v[0] = r.v[0] / q * cs_row_weights(b, l, i, n, &term).v[0];
            cs_row_collect(NULL, 0, row, CS_VECTOR, m->t.cols,
                           (const double *)&r, c.g);
        }
        for (size_t j = 0; g && j < t->space.dim; j++)
            g[j * at->lanes + l] = m->push * c.g[j];
    }
    if (g)
        cs_row_repeat(at, g, t->space.dim);
}

CS_ROW_HOOKS

/* Properties of a row: |x|, and the smallest and the largest |y - x b| in the
 * ball. */
typedef struct reach {
    double norm, least, most;
} reach;

static reach reach_of(const robust *m, size_t i)
{
    const double *row = cs_row_at(&m->t, i);
    double norm = cs_row_norm(row, m->t.cols - 1);
    double y = fabs(row[m->t.cols - 1]), part = sqrt(m->square) * norm;
    double off = cs_row_slack(m->t.cols) * (y + part);
    return (reach){norm, fmax(y - part - off, 0), y + part + off};
}

/* Bounds the terms by their values at the largest and at the smallest residual
 * of the row in the ball. (For most rows the smallest residual is 0; appendix
 * F.2 of the paper uses 0 for all rows.) */
static cs_status term_range(const cs_target *t, double *low, double *high,
                            cs_error *err)
{
    (void)err;
    const robust *m = t->self;
    const double part = 8 * DBL_EPSILON, more = m->scale * 2 * DBL_EPSILON;
    for (size_t i = 0; i < m->t.rows; i++) {
        reach r = reach_of(m, i);
        low[i] = -m->scale * log1p(r.most * r.most * m->per_nu) * (1 + part);
        low[i] -= r.most > 0 ? more : 0;
        high[i] = -m->scale * log1p(r.least * r.least * m->per_nu) * (1 - part);
        high[i] = fmin(high[i] + more, 0);
    }
    return CS_OK;
}

/* Bounds the change of a term. The slope |d term / d r| = beta (nu + 1) r / (nu
 * + r^2) increases up to its maximum at r^2 = nu. A move from b to b' changes r
 * by at most |x| |b - b'|. */
static cs_status term_change(const cs_target *t, double *c, cs_error *err)
{
    (void)err;
    const robust *m = t->self;
    double top = sqrt(1 / m->per_nu);
    for (size_t i = 0; i < m->t.rows; i++) {
        reach r = reach_of(m, i);
        double at = fmin(fmax(top, r.least), r.most);
        double steep = m->push * at / (1 + at * at * m->per_nu);
        c[i] = steep * r.norm * (1 + cs_row_slack(m->t.cols));
    }
    return CS_OK;
}

/* ---- lower bounds -------------------------------------------------------- */

/* log(1 + r^2 / nu) is concave in r^2, and therefore below its tangent at the
 * residual xi of the mode:
 *
 *     log B = -beta (nu + 1) / 2 [log(1 + xi^2 / nu) + k (r^2 - xi^2)],
 *     k = 1 / (nu + xi^2).
 *
 * The bound is stored as log B = -(row[0] + row[1] r^2). */
static void lower_rows(const cs_target *t, cs_lower_bound *b)
{
    const robust *m = t->self;
    size_t d = m->t.cols - 1;
    for (size_t i = 0; i < m->t.rows; i++) {
        const double *row = cs_row_at(&m->t, i);
        double xi = row[d];
        for (size_t j = 0; j < d; j++)
            xi -= row[j] * b->mode[j];
        double square = xi * xi, k = m->per_nu / (1 + square * m->per_nu);
        double *keep = b->row[i];
        keep[0] = m->scale * (log1p(square * m->per_nu) - k * square);
        keep[1] = m->scale * k;
        cs_lower_bound_add(b, row, -(keep[0] + keep[1] * square),
                           2 * keep[1] * xi, -keep[1]);
    }
}

static void lower_terms(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *log_b)
{
    const robust *m = t->self;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        if (b->first[l] < b->first[l + 1])
            load_chain(m, at, l);
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_VECTOR) {
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_VECTOR ? left : CS_VECTOR;
            const double *row[CS_VECTOR];
            cs_vd r = cs_row_picked(&m->t, c.b, b->row + i, left, row).v[0];
            cs_vd term = -m->scale * cs_vlog(factor(m, r));
            memcpy(logp + i, &term, n * sizeof *logp);
            for (size_t a = 0; a < n; a++) {
                const double *keep = t->lower->row[b->row[i + a]];
                log_b[i + a] = -(keep[0] + keep[1] * r[a] * r[a]);
            }
        }
    }
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    robust *m = t->self;
    cs_row_table_free(&m->t);
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    (void)t;
    snprintf(text, size, "b.%zu", i + 1);
}

/* Makes random rows: x from N(0, 1), and y = the sum of x plus a standard
 * normal. */
static cs_status make_rows(cs_row_table *t, const cs_value *v, cs_error *err)
{
    size_t d = (size_t)v[DIM].number;
    cs_status s = cs_row_table_random(t, NAME, (size_t)v[ROWS].number, d + 1,
                                      (uint64_t)v[SEED].number, err);
    for (size_t i = 0; !s && i < t->rows; i++)
        for (size_t j = 0; j < d; j++)
            t->data[i * (d + 1) + d] += t->data[i * (d + 1) + j];
    return s;
}

static cs_status check_rows(const cs_row_table *t, double radius, cs_error *err)
{
    for (size_t i = 0; i < t->rows; i++) {
        const double *row = t->data + i * t->cols;
        double norm = cs_row_norm(row, t->cols - 1);
        if (fabs(row[t->cols - 1]) + radius * norm < most)
            continue;
        cs_fail(err, CS_RANGE, NAME ": the numbers of row %zu are too large",
                i + 1);
        cs_hint(err,
                "scale the table down or reduce radius, so that |y| + radius "
                "|x| is below %g",
                most);
        return CS_RANGE;
    }
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    robust *m = t->self;
    double nu = v[NU].number, beta = v[BETA].number, radius = v[RADIUS].number;
    cs_status s = cs_row_table_take(&m->t, NAME, &v[FILE_], &v[TABLE], err);
    if (!s && !m->t.data)
        s = make_rows(&m->t, v, err);
    if (!s && m->t.cols < 2) {
        s = cs_fail(err, CS_INPUT, NAME ": the table has only one column");
        cs_hint(err, "give the predictors first, then the response");
    }
    if (!s)
        s = check_rows(&m->t, radius, err);
    if (!s)
        s = cs_row_table_close(&m->t, NAME, err);
    if (s)
        return s;
    m->padded = cs_pad_lanes(m->t.cols);
    m->per_nu = 1 / nu;
    m->scale = beta * (nu + 1) / 2;
    m->push = beta * (nu + 1) / nu;
    m->square = radius * radius;
    double seen = fmin(radius, 5);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = m->t.cols - 1};
    t->data_terms = t->n_rows = m->t.rows;
    t->row_bounds = CS_ROW_RANGE | CS_ROW_CHANGE | CS_ROW_LOWER;
    t->scratch_words = 2 * m->padded + CS_VECTOR;
    t->exact = (cs_exact){.log_z = NAN, .view = {-seen, seen, -seen, seen}};
    return CS_OK;
}

/* Starts uniformly in a cube inside the ball. The cube extends at most from -2
 * to 2. */
static void start(const cs_target *t, const double *uniform, double *x)
{
    const robust *m = t->self;
    double half = fmin(2, sqrt(m->square / (double)t->space.dim));
    for (size_t j = 0; j < t->space.dim; j++)
        x[j] = half * (2 * uniform[j] - 1);
}

static const cs_param params[N_PARAMS] = {
    CS_ROW_TABLE_PARAMS(" whose last column is the response",
                        "predictors from N(0, 1), and the sum of the "
                        "predictors plus a normal as the response",
                        4095, "predictors"),
    [NU] = {.name = "nu",
            CS_FIXED_SCALE,
            CS_PARAM_RANGE(1e-3, 1e9, 4),
            .help = "degrees of freedom of the Student's t errors"},
    [BETA] = {.name = "beta",
              CS_FIXED_SCALE,
              CS_PARAM_RANGE(1e-12, 1e6, 1),
              .help = "inverse temperature: the power to which the likelihood "
                      "is raised"},
    [RADIUS] =
        {.name = "radius",
         CS_FIXED_SCALE,
         CS_PARAM_RANGE(1e-6, 1e9, 15),
         .help =
             "radius of the ball around 0 in which the prior of the "
             "coefficients is uniform; outside of the ball the density is 0"},
};

const cs_target_type CS_VARIANT(cs_target_robust_regression) = {
    .name = NAME,
    .title = "Robust linear regression",
    .flags = CS_TARGET_EIGHTS,
    .ref = "Yuan and Wang 2026, section 5.2",
    .help = "The coefficients of a linear regression with Student's t errors, "
            "given a table of data. The prior is uniform in a ball. The "
            "likelihood may be tempered.",
    CS_PARAM_TABLE(params),
    .size = sizeof(robust),
    .create = create,
    .destroy = destroy,
    CS_ROW_MEMBERS,
    .prior = prior,
    .rows.lower = lower_rows,
    .rows.lower_terms = lower_terms,
    .rows.range = term_range,
    .rows.change = term_change,
    .rows.change_measure = cs_row_state_distance,
    .coordinate = coordinate,
    .start = start,
};
