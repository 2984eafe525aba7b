/* Bayesian logistic regression on a table.
 *
 *     log p(b) = sum_i [y_i e_i - log(1 + exp e_i)] - |b|^2 / (2 s^2),
 *     e_i = b_0 + sum_j b_j x_ij,
 *     grad log p = sum_i (y_i - 1 / (1 + exp -e_i)) x_i - b / s^2
 *
 * with an intercept b_0, and columns brought to mean 0 and deviation 1 unless
 * told otherwise. Rows come in groups of eight, the last one filled up with
 * rows of weight 0. Row r of every group adds to partial sum r, and the eight
 * partial sums are added in one order at the end: so the vectors may run over
 * the lanes or, with one live lane, over the rows, and give the same bits.
 *
 * Data at hand: "challenger", distress of O-rings against temperature in 23
 * flights, from Dalal, Fowlkes and Hoadley, Journal of the American
 * Statistical Association 84 (1989) 945-957. */
#include "base/memory.h"
#include "data/table.h"
#include "simd/simd.h"
#include "simd/vmath.h"
#include "target/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { DATA, PRIOR_SD, STANDARDISE, N_PARAMS };

/* Groups that go through a pass together, and sums side by side. */
enum { NEAR = 16, SIDE = 4 };

/* x, y and weight share a layout: group after group of `record` columns of
 * eight rows: y, weight, x_1 ... x_p. */
typedef struct logistic {
    size_t groups, p, record;
    double *group; /* [groups][record][8] */
    char (*names)[CS_TABLE_NAME];
    double rate; /* 1 / s^2 */
} logistic;

/* x_j of the rows of a group, `k` groups on from `row`. */
INLINE const cs_vd *column(const logistic *m, const double *row, size_t k,
                           size_t j)
{
    return (const cs_vd *)(row + (k * m->record + 2 + j) * 8);
}

/* What one row adds to log p, and to the slope of its predictor e, from
 * small = exp -|e|. */
static inline cs_vd row_value(cs_vd e, cs_vd y, cs_vd weight, cs_vd small)
{
    cs_vd above = cs_vselect(e > 0, e, cs_vset(0));
    return weight * (y * e - (above + cs_vlog1p(small)));
}

static inline cs_vd row_rest(cs_vd e, cs_vd y, cs_vd weight, cs_vd small)
{
    return weight * (y - cs_vselect(e > 0, cs_vset(1), small) / (1 + small));
}

static inline double tree(cs_vd s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static inline cs_vd tree_of(const cs_vd *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* ---- one lane ------------------------------------------------------------ */

/* The predictors of `wide` groups. */
INLINE void predict(const logistic *m, const double *row, int wide,
                    const double *b, cs_vd *e)
{
    cs_vd s[SIDE];
    for (int w = 0; w < wide; w++)
        s[w] = cs_vset(b[0]);
    for (size_t j = 0; j < m->p; j++) {
        cs_vd f = cs_vset(b[j + 1]);
        for (int w = 0; w < wide; w++)
            s[w] += f * *column(m, row, (size_t)w, j);
    }
    for (int w = 0; w < wide; w++)
        e[w] = s[w];
}

/* Adds n groups to the slopes by `wide` coefficients, from that of column j. */
INLINE void collect(const logistic *m, const double *row, size_t n, int wide,
                    size_t j, const cs_vd *rest, cs_vd *sum)
{
    cs_vd s[SIDE];
    for (int w = 0; w < wide; w++)
        s[w] = sum[w];
    for (size_t k = 0; k < n; k++)
        for (int w = 0; w < wide; w++)
            s[w] += rest[k] * *column(m, row, k, j + (size_t)w);
    for (int w = 0; w < wide; w++)
        sum[w] = s[w];
}

/* n <= NEAR groups from `row`, in passes that keep the pipes full: predictors,
 * exponentials, what is wanted of them. */
INLINE void near_groups(const logistic *m, const double *row, size_t n,
                        const double *b, cs_vd *total, cs_vd *sum)
{
    cs_vd e[NEAR], small[NEAR], rest[NEAR];
    size_t k = 0, j = 0;
    for (; k + SIDE <= n; k += SIDE)
        predict(m, row + k * m->record * 8, SIDE, b, e + k);
    for (; k < n; k++)
        predict(m, row + k * m->record * 8, 1, b, e + k);
    for (k = 0; k < n; k++)
        small[k] = cs_vexp(-cs_vabs(e[k]));
    for (k = 0; total && k < n; k++) {
        const cs_vd *head = (const cs_vd *)(row + k * m->record * 8);
        *total += row_value(e[k], head[0], head[1], small[k]);
    }
    if (!sum)
        return;
    for (k = 0; k < n; k++) {
        const cs_vd *head = (const cs_vd *)(row + k * m->record * 8);
        rest[k] = row_rest(e[k], head[0], head[1], small[k]);
        sum[0] += rest[k];
    }
    for (; j + SIDE <= m->p; j += SIDE)
        collect(m, row, n, SIDE, j, rest, sum + 1 + j);
    for (; j < m->p; j++)
        collect(m, row, n, 1, j, rest, sum + 1 + j);
}

/* b[1 + p], vectors over rows; log p and sum[1 + p], unless NULL. */
INLINE double one_lane(const logistic *m, const double *b, bool value,
                       cs_vd *sum)
{
    cs_vd total = cs_vset(0);
    for (size_t j = 0; sum && j <= m->p; j++)
        sum[j] = cs_vset(0);
    for (size_t k = 0; k < m->groups; k += NEAR) {
        size_t n = m->groups - k < NEAR ? m->groups - k : NEAR;
        near_groups(m, m->group + k * m->record * 8, n, b,
                    value ? &total : NULL, sum);
    }
    return tree(total);
}

/* ---- eight lanes --------------------------------------------------------- */

/* From b, stride `lanes`: vectors over lanes. log p and sum[1 + p][8], unless
 * NULL. */
INLINE cs_vd eight_lanes(const logistic *m, const double *b, size_t lanes,
                         bool value, cs_vd *sum)
{
    cs_vd total[8] = {cs_vset(0)};
    for (size_t j = 0; sum && j < 8 * (m->p + 1); j++)
        sum[j] = cs_vset(0);
    for (size_t k = 0; k < m->groups; k++) {
        const double *row = m->group + k * m->record * 8, *x = row + 16;
        cs_vd rest[8];
        for (size_t r = 0; r < 8; r++) {
            cs_vd e = *(const cs_vd *)b;
            for (size_t j = 0; j < m->p; j++)
                e += *(const cs_vd *)(b + (j + 1) * lanes) * x[8 * j + r];
            cs_vd y = cs_vset(row[r]), weight = cs_vset(row[8 + r]);
            cs_vd small = cs_vexp(-cs_vabs(e));
            if (value)
                total[r] += row_value(e, y, weight, small);
            if (!sum)
                continue;
            rest[r] = row_rest(e, y, weight, small);
            sum[r] += rest[r];
        }
        for (size_t j = 0; sum && j < m->p; j++)
            for (size_t r = 0; r < 8; r++)
                sum[8 * (j + 1) + r] += rest[r] * x[8 * j + r];
    }
    return tree_of(total);
}

/* ---- of a block ---------------------------------------------------------- */

/* With one live lane, in every lane alike. */
INLINE void of_one(const logistic *m, const cs_point *at, double *logp,
                   double *g)
{
    size_t dim = m->p + 1, lanes = at->lanes;
    cs_vd *sum = (cs_vd *)at->scratch;
    double *b = at->scratch + 8 * dim;
    for (size_t j = 0; j < dim; j++)
        b[j] = at->x[j * lanes];
    double total = one_lane(m, b, logp != NULL, g ? sum : NULL);
    for (size_t l = 0; logp && l < lanes; l++)
        logp[l] = total;
    for (size_t j = 0; g && j < dim; j++)
        for (size_t l = 0; l < lanes; l++)
            g[j * lanes + l] = tree(sum[j]);
}

INLINE void of_many(const logistic *m, const cs_point *at, double *logp,
                    double *g)
{
    size_t dim = m->p + 1, lanes = at->lanes;
    cs_vd *sum = (cs_vd *)at->scratch;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd total =
            eight_lanes(m, at->x + l, lanes, logp != NULL, g ? sum : NULL);
        if (logp)
            *(cs_vd *)(logp + l) = total;
        for (size_t j = 0; g && j < dim; j++)
            *(cs_vd *)(g + j * lanes + l) = tree_of(sum + 8 * j);
    }
}

/* u and g, unless NULL: known where this is inlined. */
INLINE void posterior(const cs_target *t, const cs_point *at, double *logp,
                      double *g)
{
    const logistic *m = t->self;
    size_t lanes = at->lanes;
    if (at->live == 1)
        of_one(m, at, logp, g);
    else
        of_many(m, at, logp, g);
    for (size_t j = 0; j <= m->p; j++)
        for (size_t l = 0; l < lanes; l++) {
            double b = at->x[j * lanes + l];
            if (logp)
                logp[l] -= 0.5 * m->rate * b * b;
            if (g)
                g[j * lanes + l] -= m->rate * b;
        }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    posterior(t, at, logp, g);
}

static void gradient_alone(const cs_target *t, const cs_point *at, double *g)
{
    posterior(t, at, NULL, g);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    posterior(t, at, logp, NULL);
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const logistic *m = t->self;
    snprintf(text, size, "%s", i ? m->names[i - 1] : "intercept");
}

static void destroy(cs_target *t)
{
    logistic *m = t->self;
    if (!m)
        return;
    cs_free(m->group);
    cs_free(m->names);
    cs_free(m);
    t->self = NULL;
}

/* Mean and deviation of column j, and whether it says anything at all. */
static int moments(const cs_table *table, size_t j, double *mean, double *sd)
{
    double sum = 0, square = 0, n = (double)table->rows;
    for (size_t i = 0; i < table->rows; i++)
        sum += table->data[i * table->cols + j];
    *mean = sum / n;
    for (size_t i = 0; i < table->rows; i++) {
        double r = table->data[i * table->cols + j] - *mean;
        square += r * r;
    }
    *sd = sqrt(square / n);
    return *sd > 0 && isfinite(*sd);
}

static cs_status fill_column(logistic *m, const cs_table *table, size_t j,
                             int standardise, cs_error *err)
{
    double mean = 0, sd = 1;
    if (standardise && !moments(table, j, &mean, &sd)) {
        cs_fail(err, CS_INPUT, "logistic_regression: column %zu is constant",
                j + 1);
        cs_hint(err, "leave it out: an intercept is always added");
        return CS_INPUT;
    }
    for (size_t i = 0; i < table->rows; i++)
        m->group[(i / 8 * m->record + 2 + j) * 8 + i % 8] =
            (table->data[i * table->cols + j] - mean) / sd;
    memcpy(m->names[j], table->names[j], CS_TABLE_NAME);
    return CS_OK;
}

static cs_status fill(cs_target *t, const cs_table *table, const cs_value *v,
                      cs_error *err)
{
    logistic *m = t->self;
    cs_status s = CS_OK;
    m->rate = 1 / (v[PRIOR_SD].number * v[PRIOR_SD].number);
    for (size_t i = 0; i < table->rows; i++) {
        double y = table->data[i * table->cols + m->p];
        double *row = m->group + i / 8 * m->record * 8 + i % 8;
        if (y != 0 && y != 1) {
            cs_fail(err, CS_INPUT,
                    "logistic_regression: the response of row %zu is %g", i + 1,
                    y);
            cs_hint(err, "the last column must be 0 or 1");
            return CS_INPUT;
        }
        row[0] = y;
        row[8] = 1;
    }
    for (size_t j = 0; !s && j < m->p; j++)
        s = fill_column(m, table, j, v[STANDARDISE].number != 0, err);
    return s;
}

static cs_status build(cs_target *t, const cs_table *table, const cs_value *v,
                       cs_error *err)
{
    logistic *m = t->self = cs_alloc(1, sizeof *m);
    if (!m)
        return cs_fail(err, CS_MEMORY, "logistic_regression: out of memory");
    m->p = table->cols - 1;
    m->record = m->p + 2;
    m->groups = (table->rows + 7) / 8;
    m->group = cs_alloc(m->groups * m->record, 8 * sizeof(double));
    m->names = cs_alloc(m->p, sizeof *m->names);
    size_t dim = m->p + 1;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = dim};
    t->data_terms = table->rows;
    t->scratch_words = 8 * dim + dim;
    t->exact = (cs_exact){.log_z = NAN, .view = {-5, 5, -5, 5}};
    cs_status s =
        m->group && m->names
            ? fill(t, table, v, err)
            : cs_fail(err, CS_MEMORY, "logistic_regression: out of memory");
    if (s)
        destroy(t);
    return s;
}

static const char challenger[] =
    "temperature,distress\n"
    "66,0\n70,1\n69,0\n68,0\n67,0\n72,0\n73,0\n70,0\n57,1\n63,1\n70,1\n78,0\n"
    "67,0\n53,1\n67,0\n75,0\n70,0\n81,0\n76,0\n79,0\n75,1\n76,0\n58,1\n";

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    const char *data = v[DATA].given ? v[DATA].text : "challenger";
    cs_table table;
    cs_status s = strcmp(data, "challenger") == 0
                      ? cs_table_parse(challenger, sizeof challenger - 1, data,
                                       &table, err)
                      : cs_table_read(data, &table, err);
    if (s)
        return s;
    if (table.cols < 2) {
        s = cs_fail(err, CS_INPUT, "logistic_regression: one column only");
        cs_where(err, data, 0);
        cs_hint(err, "give predictors and then the response, 0 or 1");
    } else {
        s = build(t, &table, v, err);
    }
    cs_table_free(&table);
    return s;
}

static const cs_param params[N_PARAMS] = {
    [DATA] = {.name = "file",
              .kind = CS_PARAM_TEXT,
              .flags = CS_PARAM_FIXED | CS_PARAM_PATH,
              .help = "path of a CSV file whose last column is 0 or 1, or "
                      "challenger (the default)"},
    [PRIOR_SD] = {.name = "prior_sd",
                  .kind = CS_PARAM_REAL,
                  .flags = CS_PARAM_FIXED | CS_PARAM_LOG,
                  .min = 1e-6,
                  .max = 1e6,
                  .def = 10,
                  .help = "prior standard deviation of every coefficient"},
    [STANDARDISE] = {.name = "standardise",
                     .kind = CS_PARAM_BOOL,
                     .flags = CS_PARAM_FIXED,
                     .min = 0,
                     .max = 1,
                     .def = 1,
                     .help = "bring columns to mean 0 and deviation 1"},
};

const cs_target_type CS_VARIANT(cs_target_logistic_regression) = {
    .name = "logistic_regression",
    .title = "Bayesian logistic regression",
    .ref = "",
    .help = "Coefficients of a logistic regression on a table, with Gaussian "
            "priors.",
    .params = params,
    .n_params = N_PARAMS,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .gradient_alone = gradient_alone,
    .coordinate = coordinate,
};
