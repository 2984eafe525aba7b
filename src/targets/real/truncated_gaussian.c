/* The mean of normal data, tempered, in a cube:
 *
 *     log p(x) = -beta/2 sum_i sum_j (y_ij - x_j)^2 / s_j,  |x_j| <= box,
 *                -infinity outside,
 *     grad_j log p = beta / s_j sum_i (y_ij - x_j)
 *
 * with variances s_j, as in Yuan and Wang, "Markov Chain Monte Carlo without
 * Evaluating the Target: an Auxiliary Variable Approach" (ICML 2026), section
 * 5.1. Each evaluation sums over the rows, although the mean of the rows would
 * suffice, so that the cost of the target is typical of targets that need such
 * sums. Exact results use the mean of the rows: coordinate j is N(mean_j, v_j),
 * v_j = s_j / (beta N), truncated to the cube, independent of the others.
 *
 * Each chain of the block processes a tile of rows while the tile is in the
 * nearest cache; vectors run over columns. Constants of the likelihood are left
 * out. */
#define CS_VECTOR_WHOLE
#include "base/memory.h"
#include "targets/real/row_pass.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_erf.h>

#define NAME "truncated_gaussian"

enum { FILE_, TABLE, ROWS, DIM, SEED, VARIANCES, BETA, BOX, BOUND, N_PARAMS };
enum { TILE = CS_ROW_TILE };

enum { COORDINATES, EIGENVALUE };
static const char *const bounds[] = {"coordinates", "eigenvalue", NULL};

/* Bound on |y - x|. Within this bound the square divided by a variance does not
 * overflow. */
static const double most = 1e100;

typedef struct cut {
    cs_row_table t; /* the rows: y_1 ... y_d */
    size_t padded;  /* cols, padded to whole vectors */
    double beta, box;
    int bound;                      /* kind of bound on the terms: COORDINATES
                                       or EIGENVALUE */
    double *rate;                   /* [padded] 1 / s, then zeros */
    double *centre, *sd;            /* [d] centre and standard deviation of the
                                       normal before truncation */
    double *mean, *variance, *mode; /* [d] exact mean, variance and mode of the
                                       target */
} cut;

/* ---- rows ---------------------------------------------------------------- */

/* Scratch of one chain, in the order of memory. */
typedef struct chain {
    double *x;      /* [padded] the state, then zeros */
    double *g;      /* [padded] sums of y - x */
    double *square; /* [padded] sums of (y - x)^2 */
} chain;

CS_ROW_INLINE chain chain_of(const cut *m, const cs_point *at, size_t l)
{
    double *from = at->scratch + l * 3 * m->padded;
    return (chain){from, from + m->padded, from + 2 * m->padded};
}

static void load_chain(const cut *m, const cs_point *at, size_t l)
{
    chain c = chain_of(m, at, l);
    memset(c.x, 0, 3 * m->padded * sizeof *c.x);
    for (size_t j = 0; j < m->t.cols; j++)
        c.x[j] = at->x[j * at->lanes + l];
}

CS_ROW_INLINE cs_wide four_sums(const cs_wide *s)
{
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* Processes n rows for one chain; row r of the tile adds to partial sum r %
 * 4. */
CS_ROW_INLINE void pass(const cut *m, const double *row, size_t n, chain c,
                        bool value, bool slope)
{
    size_t w = m->t.cols;
    for (size_t j = 0; j < w; j += CS_WIDE) {
        cs_wide x = cs_wide_at(c.x + j), zero = cs_wide_of(0);
        cs_wide s[4] = {zero, zero, zero, zero},
                q[4] = {zero, zero, zero, zero};
        const double *at = row + j;
        size_t r = 0;
        for (; r + 4 <= n; r += 4, at += 4 * w)
            for (size_t a = 0; a < 4; a++) {
                cs_wide d = cs_wide_at(at + a * w) - x;
                s[a] += d;
                q[a] = cs_wide_fma(d, d, q[a]);
            }
        for (size_t a = 0; r + a < n; a++) {
            cs_wide d = cs_wide_at(at + a * w) - x;
            s[a] += d;
            q[a] = cs_wide_fma(d, d, q[a]);
        }
        if (slope)
            cs_wide_put(c.g + j, cs_wide_at(c.g + j) + four_sums(s));
        if (value)
            cs_wide_put(c.square + j, cs_wide_at(c.square + j) + four_sums(q));
    }
}

/* Returns whether a chain is outside the cube; a NaN counts as inside. */
static bool is_outside(const cut *m, const cs_point *at, size_t l)
{
    bool outside = false;
    for (size_t j = 0; j < m->t.cols; j++)
        outside |= fabs(at->x[j * at->lanes + l]) > m->box;
    return outside;
}

static double value_of(const cut *m, chain c)
{
    double sum = 0;
    for (size_t j = 0; j < m->t.cols; j++)
        sum += c.square[j] * m->rate[j];
    return -0.5 * m->beta * sum;
}

static void slope_of(const cut *m, chain c, const cs_point *at, size_t l,
                     double *g)
{
    for (size_t j = 0; j < m->t.cols; j++)
        g[j * at->lanes + l] = m->beta * m->rate[j] * c.g[j];
}

/* Evaluates all rows. logp or g may be NULL. The function is inlined, so that
 * the compiler knows which of the two is NULL. */
CS_ROW_INLINE void whole(const cs_target *t, const cs_point *at, double *logp,
                         double *g)
{
    const cut *m = t->self;
    bool some = false;
    for (size_t l = 0; l < at->live; l++) {
        load_chain(m, at, l);
        some |= cs_row_asked(at, l) && !is_outside(m, at, l);
    }
    for (size_t i = 0; some && i < m->t.rows; i += TILE) {
        size_t n = m->t.rows - i < TILE ? m->t.rows - i : TILE;
        for (size_t l = 0; l < at->live; l++)
            if (cs_row_asked(at, l))
                pass(m, cs_row_at(&m->t, i), n, chain_of(m, at, l),
                     logp != NULL, g != NULL);
    }
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        bool outside = is_outside(m, at, l);
        if (outside)
            memset(c.g, 0, m->padded * sizeof *c.g);
        if (logp)
            logp[l] = outside ? -HUGE_VAL : value_of(m, c);
        if (g)
            slope_of(m, c, at, l, g);
    }
    if (logp)
        cs_row_repeat(at, logp, 1);
    if (g)
        cs_row_repeat(at, g, m->t.cols);
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = is_outside(t->self, at, l) ? -HUGE_VAL : 0;
    if (g)
        memset(g, 0, t->space.dim * at->lanes * sizeof *g);
}

/* Computes sum_j (y_j - x_j)^2 / s_j of four rows. */
CS_ROW_INLINE cs_four squares(const cut *m, const double *x,
                              const double *const *row)
{
    cs_four s[4] = {{0}, {0}, {0}, {0}};
    for (size_t j = 0; j < m->t.cols; j += 4) {
        cs_four rate = *(const cs_four *)(m->rate + j);
        cs_four here = *(const cs_four *)(x + j);
        for (size_t a = 0; a < 4; a++) {
            cs_four d = cs_row_four(row[a] + j) - here;
            s[a] = cs_row_fma(d * rate, d, s[a]);
        }
    }
    return cs_row_sums(s);
}

/* Evaluates the batches of all lanes. Computes the terms and, unless g is NULL,
 * the gradients of the weighted sums of the terms. A gradient is computed from
 * the sum of the weighted rows minus the state times the sum of the weights. */
CS_ROW_INLINE void some(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *g)
{
    const cut *m = t->self;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        double weight = 0;
        load_chain(m, at, l);
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_VECTOR) {
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_VECTOR ? left : CS_VECTOR;
            const double *row[CS_VECTOR];
            union {
                cs_row_eight all;
                cs_four four[2];
                double one[CS_VECTOR];
            } s, by;
            cs_row_picks(&m->t, b->row + i, n, left, row);
            for (size_t k = 0; k < 2; k++)
                s.four[k] = squares(m, c.x, row + 4 * k);
            s.all.v[0] *= -0.5 * m->beta;
            memcpy(logp + i, &s, n * sizeof *logp);
            if (!g)
                continue;
            by.all = cs_row_weights(b, l, i, n, &s.all);
            weight += cs_row_tree(by.one);
            cs_row_collect(NULL, 0, row, CS_VECTOR, m->t.cols, by.one, c.g);
        }
        for (size_t j = 0; j < m->t.cols; j++)
            c.g[j] -= weight * c.x[j];
        if (g)
            slope_of(m, c, at, l, g);
    }
    if (g)
        cs_row_repeat(at, g, m->t.cols);
}

CS_ROW_HOOKS

/* Computes the smallest and the largest sum_j (y_j - x_j)^2 / s_j of a row in
 * the cube. */
static void reach_of(const cut *m, size_t i, double *least, double *largest)
{
    const double *row = cs_row_at(&m->t, i);
    *least = *largest = 0;
    for (size_t j = 0; j < m->t.cols; j++) {
        double far = fabs(row[j]) + m->box;
        double near = fmax(fabs(row[j]) - m->box, 0);
        *largest += m->rate[j] * far * far;
        *least += m->rate[j] * near * near;
    }
}

/* Returns the paper's upper bound of sum_j (y_j - x_j)^2 / s_j in the cube. In
 * this bound the smallest variance replaces every variance. (The paper's lower
 * bound is 0.) */
static double reach_of_all(const cut *m, size_t i)
{
    const double *row = cs_row_at(&m->t, i);
    double rate = 0, sum = 0;
    for (size_t j = 0; j < m->t.cols; j++) {
        double far = fabs(row[j]) + m->box;
        rate = fmax(rate, m->rate[j]);
        sum += far * far;
    }
    return rate * sum;
}

/* Bounds the terms by appendix F.1 of the paper, or by the exact extremes for
 * each coordinate. */
static cs_status term_range(const cs_target *t, double *low, double *high,
                            cs_error *err)
{
    (void)err;
    const cut *m = t->self;
    double slack = cs_row_slack(m->t.cols);
    for (size_t i = 0; i < m->t.rows; i++) {
        double least = 0, largest = 0;
        if (m->bound == COORDINATES)
            reach_of(m, i, &least, &largest);
        else
            largest = reach_of_all(m, i);
        low[i] = -0.5 * m->beta * largest * (1 + slack);
        high[i] = -0.5 * m->beta * least * (1 - slack);
    }
    return CS_OK;
}

/* Bounds the change of a term over a move of length M = sqrt(sum (x_j - x'_j)^2
 * / s_j). The slopes are d term / d x_j = beta (y_j - x_j) / s_j. By
 * Cauchy-Schwarz, the change per unit of M is at most
 * beta sqrt(sum (y_j - x_j)^2 / s_j). */
static cs_status term_change(const cs_target *t, double *c, cs_error *err)
{
    (void)err;
    const cut *m = t->self;
    double slack = cs_row_slack(m->t.cols);
    for (size_t i = 0; i < m->t.rows; i++) {
        double least, largest;
        reach_of(m, i, &least, &largest);
        c[i] = m->beta * sqrt(largest) * (1 + slack);
    }
    return CS_OK;
}

static void change_measure(const cs_target *t, const double *x, const double *y,
                           size_t lanes, double *m)
{
    const cut *of = t->self;
    cs_row_distance(x, y, t->space.dim, lanes, of->rate, m);
}

/* ---- exact values -------------------------------------------------------- */

/* Returns the log of the upper tail of N(0, 1). */
static double log_tail(double z)
{
    return gsl_sf_log_erfc(z * M_SQRT1_2) - M_LN2;
}

/* Computes P(x_j <= value) from the smaller tail, which avoids cancellation. */
static double marginal(const cs_target *t, size_t j, double value)
{
    const cut *m = t->self;
    double side = m->centre[j] > 0 ? -1 : 1;
    double about = side * m->centre[j], at = side * value;
    if (!(fabs(at) < m->box))
        return value > 0;
    double low = log_tail((-m->box - about) / m->sd[j]);
    double part = expm1(log_tail((at - about) / m->sd[j]) - low);
    part /= expm1(log_tail((m->box - about) / m->sd[j]) - low);
    return side > 0 ? part : 1 - part;
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    const cut *m = t->self;
    for (size_t j = 0; j < t->space.dim; j++) {
        double side = m->centre[j] > 0 ? -1 : 1, about = side * m->centre[j];
        double low = gsl_cdf_ugaussian_Q((-m->box - about) / m->sd[j]);
        double high = gsl_cdf_ugaussian_Q((m->box - about) / m->sd[j]);
        double z = gsl_cdf_ugaussian_Qinv(low - uniform[j] * (low - high));
        x[j] = side * fmax(-m->box, fmin(m->box, about + m->sd[j] * z));
    }
}

/* Returns the density of two coordinates, scaled to 1 at the centre of the
 * normal. */
static double pair(const cs_target *t, size_t i, size_t j, double x, double y)
{
    const cut *m = t->self;
    double a = (x - m->centre[i]) / m->sd[i], b = (y - m->centre[j]) / m->sd[j];
    bool outside = fabs(x) > m->box || fabs(y) > m->box;
    return outside ? 0 : exp(-0.5 * (a * a + b * b));
}

/* Computes mean and variance of coordinate j, and returns the log of the
 * integral of exp(-(x - centre)^2 / 2 v). The quadrature is centred at the
 * mode, which avoids cancellation. Outside the range of the quadrature the
 * density is below e^-40 of its maximum. */
static double moments(cut *m, size_t j, gsl_integration_glfixed_table *nodes)
{
    enum { NODES = 100 };
    double sd = m->sd[j], sum = 0, first = 0, second = 0;
    double mode = fmax(-m->box, fmin(m->box, m->centre[j]));
    double off = fabs(mode - m->centre[j]) / sd;
    double reach = sd * 80 / (off + sqrt(off * off + 80));
    double low = fmax(-m->box - mode, -reach);
    double high = fmin(m->box - mode, reach);
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < NODES; k++) {
            double x, weight;
            gsl_integration_glfixed_point(low, high, k, &x, &weight, nodes);
            double z = (mode + x - m->centre[j]) / sd;
            double mass = weight * exp(-0.5 * (z - off) * (z + off));
            sum += pass ? 0 : mass;
            first += pass ? 0 : mass * x;
            second += pass ? mass * (x - first / sum) * (x - first / sum) : 0;
        }
    m->mode[j] = mode;
    m->mean[j] = mode + first / sum;
    m->variance[j] = second / sum;
    return log(sum) - 0.5 * off * off;
}

/* Computes the mean of column j; returns the sum of squares about it. */
static double about_mean(cut *m, size_t j)
{
    size_t n = m->t.rows, w = m->t.cols;
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        sum += m->t.data[i * w + j];
    m->centre[j] = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double d = m->t.data[i * w + j] - m->centre[j];
        square += d * d;
    }
    return square;
}

static cs_status make_exact(cs_target *t, cs_error *err)
{
    cut *m = t->self;
    gsl_integration_glfixed_table *nodes =
        gsl_integration_glfixed_table_alloc(100);
    if (!nodes)
        return cs_fail(err, CS_MEMORY, "out of memory for target " NAME);
    double log_z = 0;
    t->n_uniform = t->space.dim;
    for (size_t j = 0; j < t->space.dim; j++) {
        log_z -= 0.5 * m->beta * about_mean(m, j) * m->rate[j];
        m->sd[j] = sqrt(1 / (m->rate[j] * m->beta * (double)m->t.rows));
        log_z += moments(m, j, nodes);
        /* The inverse distribution function fails if the tail underflows. */
        if ((fabs(m->centre[j]) - m->box) / m->sd[j] > 36)
            t->n_uniform = 0;
    }
    gsl_integration_glfixed_table_free(nodes);
    static const double all = 1;
    t->exact = (cs_exact){.mean = m->mean,
                          .variance = m->variance,
                          .log_z = log_z,
                          .n_modes = 1,
                          .modes = m->mode,
                          .mode_weight = &all};
    for (size_t i = 0; i < 2; i++) {
        size_t j = i < t->space.dim ? i : 0;
        double reach = 4 * sqrt(m->variance[j]), *view = t->exact.view + 2 * i;
        bool near = fabs(m->mean[j]) + reach > m->box;
        view[0] = near ? -m->box : m->mean[j] - reach;
        view[1] = near ? m->box : m->mean[j] + reach;
    }
    return CS_OK;
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    cut *m = t->self;
    cs_row_table_free(&m->t);
    cs_free(m->rate);
    cs_free(m->centre);
}

/* Returns variance j: the given variance, or by default one of 1, 1 - 1/d, ...,
 * 1/d. */
static double variance_of(const cs_value *v, size_t j, size_t d)
{
    return v->given ? v->array[j] : (double)(d - j) / (double)d;
}

static cs_status check(const cut *m, const cs_value *v, cs_error *err)
{
    size_t d = m->t.cols;
    if (v->given && v->rows * v->cols != d) {
        cs_fail(err, CS_INPUT, NAME ": %zu variances for %zu columns",
                v->rows * v->cols, d);
        cs_hint(err, "give one variance per column");
        return CS_INPUT;
    }
    for (size_t j = 0; j < d; j++) {
        double s = variance_of(v, j, d);
        if (s >= 1e-100 && s <= 1e100)
            continue;
        cs_fail(err, CS_RANGE, NAME ": variance %zu is %g", j + 1, s);
        cs_hint(err, "give variances between 1e-100 and 1e100");
        return CS_RANGE;
    }
    for (size_t k = 0; k < m->t.rows * d; k++)
        if (fabs(m->t.data[k]) > most) {
            cs_fail(err, CS_RANGE, NAME ": row %zu has %g", k / d + 1,
                    m->t.data[k]);
            cs_hint(err, "scale the table down to values within %g", most);
            return CS_RANGE;
        }
    return CS_OK;
}

/* Makes random rows y from N(0, s). */
static cs_status make_rows(cs_row_table *t, const cs_value *v, cs_error *err)
{
    const cs_value *s = &v[VARIANCES];
    size_t d = s->given ? s->rows * s->cols : (size_t)v[DIM].number;
    if (!d)
        return cs_fail(err, CS_INPUT, NAME ": variances is empty");
    cs_status status = cs_row_table_random(t, NAME, (size_t)v[ROWS].number, d,
                                           (uint64_t)v[SEED].number, err);
    for (size_t j = 0; !status && j < d; j++) {
        double sd = sqrt(fmax(variance_of(s, j, d), 0));
        for (size_t i = 0; i < t->rows; i++)
            t->data[i * d + j] *= sd;
    }
    return status;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    cut *m = t->self;
    cs_status s = cs_row_table_take(&m->t, NAME, &v[FILE_], &v[TABLE], err);
    if (!s && !m->t.data)
        s = make_rows(&m->t, v, err);
    if (!s)
        s = check(m, &v[VARIANCES], err);
    if (!s)
        s = cs_row_table_close(&m->t, NAME, err);
    if (s)
        return s;
    size_t d = m->t.cols;
    m->padded = cs_pad_lanes(d);
    m->beta = v[BETA].number;
    m->box = v[BOX].number;
    m->bound = (int)v[BOUND].number;
    m->rate = cs_alloc(m->padded, sizeof *m->rate);
    m->centre = cs_alloc(5 * d, sizeof *m->centre);
    if (!m->rate || !m->centre)
        return cs_fail(err, CS_MEMORY, "out of memory for target " NAME);
    m->sd = m->centre + d;
    m->mean = m->sd + d;
    m->variance = m->mean + d;
    m->mode = m->variance + d;
    for (size_t j = 0; j < d; j++)
        m->rate[j] = 1 / variance_of(&v[VARIANCES], j, d);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = d};
    t->data_terms = t->n_rows = m->t.rows;
    t->row_bounds = CS_ROW_RANGE | CS_ROW_CHANGE;
    t->scratch_words = 3 * m->padded;
    return make_exact(t, err);
}

/* Starts uniformly in the cube, or, if the cube is larger, in the cube from -2
 * to 2. */
static void start(const cs_target *t, const double *uniform, double *x)
{
    const cut *m = t->self;
    for (size_t j = 0; j < t->space.dim; j++)
        x[j] = fmin(m->box, 2) * (2 * uniform[j] - 1);
}

static const cs_param params[N_PARAMS] = {
    CS_ROW_TABLE_PARAMS(", a column for each coordinate", "normal with mean 0",
                        4096, "columns"),
    [VARIANCES] =
        {.name = "variances",
         CS_FIXED(ARRAY),
         .help =
             "variances of the columns; by default 1, 1 - 1/dim, ..., 1/dim"},
    [BETA] = {.name = "beta",
              CS_FIXED_SCALE,
              CS_PARAM_RANGE(1e-12, 1e6, 1),
              .help = "inverse temperature: the power to which the likelihood "
                      "is raised"},
    [BOX] = {.name = "box",
             CS_FIXED_SCALE,
             CS_PARAM_RANGE(1e-6, 1e9, 3),
             .help =
                 "half the side of the cube around 0 in which the prior of the "
                 "means is uniform; outside of the cube the density is 0"},
    [BOUND] = {.name = "bound",
               CS_FIXED(CHOICE),
               .choices = bounds,
               .help =
                   "bound on the term of each row in the cube; some kernels "
                   "draw rows with probabilities proportional to this bound. "
                   "coordinates: a sharp bound; eigenvalue: the bound of the "
                   "paper's appendix F, which replaces every variance by the "
                   "smallest one"},
};

const cs_target_type CS_VARIANT(cs_target_truncated_gaussian) = {
    .name = NAME,
    .title = "Truncated Gaussian",
    .flags = CS_TARGET_EIGHTS,
    .ref = "Yuan and Wang 2026, section 5.1",
    .help = "The mean of normal data with known variances, given the rows of a "
            "table. The prior is uniform in a cube, and the likelihood may be "
            "tempered. Exact moments and exact draws are available.",
    CS_PARAM_TABLE(params),
    .size = sizeof(cut),
    .create = create,
    .destroy = destroy,
    CS_ROW_MEMBERS,
    .prior = prior,
    .rows.range = term_range,
    .rows.change = term_change,
    .rows.change_measure = change_measure,
    .exact.draw = draw,
    .exact.marginal = marginal,
    .exact.pair = pair,
    .start = start,
};
