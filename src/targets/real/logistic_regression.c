/* Bayesian logistic regression on a table,
 *
 *     log p(b) = sum_i [y_i e_i - log(1 + exp e_i)] - |b|^2 / (2 s^2),
 *     e_i = b_0 + sum_j b_j x_ij,
 *     grad log p = sum_i (y_i - 1 / (1 + exp -e_i)) x_i - b / s^2,
 *
 * with an intercept b_0 (x_i0 = 1) and, by default, columns standardised to
 * mean 0 and standard deviation 1. Instead of the normal prior the prior may be
 * uniform in a ball, |b| <= radius, with log p = -infinity outside, as in Yuan
 * and Wang, "Markov Chain Monte Carlo without Evaluating the Target: an
 * Auxiliary Variable Approach" (ICML 2026), section 5.3.
 *
 * Rows are processed in groups of eight, with the columns of a group
 * contiguous. Row r of every group adds to partial sum r, and the eight partial
 * sums are added in a fixed order at the end. Each row of the table is
 * contiguous (see row_table.h), so that the rows of a batch are in few cache
 * lines. A pass transposes a few groups at a time; each chain of the block then
 * uses the transposed groups. A table that fits the caches is stored in both
 * layouts, because transposing it at each pass would increase the cost of a
 * single chain by up to 50 %.
 *
 * Built-in data: "challenger", distress of O-rings against temperature in 23
 * flights, from Dalal, Fowlkes and Hoadley, Journal of the American Statistical
 * Association 84 (1989) 945-957. */
#include "base/memory.h"
#include "target/lower_bound.h"
#include "targets/network/held_out.h"
#include "targets/real/logistic_data.h"
#include "targets/real/row_pass.h"

#include <stdio.h>

#define NAME "logistic_regression"

enum {
    FILE_,
    PRIOR_SD,
    STANDARDISE,
    TABLE,
    INTERCEPT,
    RADIUS,
    HELD_OUT,
    N_PARAMS
};

/* NEAR: number of groups that are processed together. SIDE: number of sums that
 * are held in registers together. */
enum { NEAR = 16, SIDE = 4 };

/* Largest size, in bytes, of a table that is stored in both layouts. */
static const size_t small_table = 32 << 20;

typedef struct logistic {
    cs_row_table t;    /* the rows of `data`, with the tail copy */
    size_t p, skipped; /* p: number of predictors; skipped: 1 if there is no
                        * intercept, otherwise 0 */
    size_t padded;     /* cols, padded to whole vectors */
    double *group; /* [groups][cols][8] the rows, transposed [own]; NULL: the
                      table is too large */
    cs_logistic_data data;
    double rate, square; /* rate: 1 / s^2 for the normal prior, otherwise 0;
                          * square: radius^2 for the uniform prior, otherwise
                          * 0 */
} logistic;

/* Scratch of one chain, in the order of memory. */
typedef struct chain {
    double *b;     /* [padded] b_1 ... b_p, then zeros */
    double *head;  /* [8] b_0, then 1 if the chain is to be evaluated */
    double *total; /* [8] partial sums of log p */
    double *sum;   /* [1 + p][8] slopes with respect to b_0, ..., b_p; for a
                    * batch, [padded] slopes with respect to b_1, ..., b_p */
} chain;

CS_ROW_INLINE chain chain_of(const logistic *m, const cs_point *at, size_t l)
{
    double *from = at->scratch + l * (m->padded + 16 + 8 * m->t.cols);
    double *head = from + m->padded;
    return (chain){from, head, head + 8, head + 16};
}

/* Returns the part of the scratch that follows the scratch of the chains in
 * memory: [NEAR][cols][8] transposed rows. */
static double *room_of(const logistic *m, const cs_point *at)
{
    return at->scratch + at->lanes * (m->padded + 16 + 8 * m->t.cols);
}

/* Loads the coefficients of a chain and clears its sums. */
static void load_chain(const logistic *m, const cs_point *at, size_t l,
                       size_t sums)
{
    chain c = chain_of(m, at, l);
    memset(c.b, 0, (m->padded + 16 + sums) * sizeof *c.b);
    for (size_t j = 0; j < m->p; j++)
        c.b[j] = at->x[(j + 1 - m->skipped) * at->lanes + l];
    c.head[0] = m->skipped ? 0 : at->x[l];
}

/* Returns whether a chain is outside the ball; a NaN counts as inside. */
static bool is_outside(const logistic *m, const cs_point *at, size_t l)
{
    double sum = 0;
    for (size_t j = 0; j <= m->p - m->skipped; j++)
        sum += at->x[j * at->lanes + l] * at->x[j * at->lanes + l];
    return m->square > 0 && sum > m->square;
}

/* ---- all rows ------------------------------------------------------------ */

/* Transposes four columns of four rows. */
CS_ROW_INLINE void turn_four(const double *row, size_t w, double *to)
{
    cs_four a = cs_row_four(row), b = cs_row_four(row + w);
    cs_four c = cs_row_four(row + 2 * w), d = cs_row_four(row + 3 * w);
    cs_four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    cs_four cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    cs_four ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    cs_four dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(cs_four *)to = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    *(cs_four *)(to + 8) = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
    *(cs_four *)(to + 16) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    *(cs_four *)(to + 24) = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}

/* Transposes eight rows of w columns to to[w][8]. */
CS_ROW_INLINE void turn(const double *row, size_t w, double *to)
{
    size_t j = 0;
    for (; j + 4 <= w; j += 4)
        for (size_t r = 0; r < 8; r += 4)
            turn_four(row + r * w + j, w, to + 8 * j + r);
    for (; j < w; j++)
        for (size_t r = 0; r < 8; r++)
            to[8 * j + r] = row[r * w + j];
}

/* Returns column j of the group that is `k` groups after `group`. */
CS_ROW_INLINE const double *column(const logistic *m, const double *group,
                                   size_t k, size_t j)
{
    return group + (k * m->t.cols + j) * 8;
}

/* Return the term of a row in log p, and its slope in the linear predictor e;
 * small = exp -|e|. */
CS_ROW_INLINE cs_vd row_value(cs_vd e, cs_vd y, cs_vd small)
{
    cs_vd above = cs_vselect(e > 0, e, cs_vset(0));
    return y * e - (above + cs_vlog1p(small));
}

CS_ROW_INLINE cs_vd row_rest(cs_vd e, cs_vd y, cs_vd small)
{
    return y - cs_vselect(e > 0, cs_vset(1), small) / (1 + small);
}

/* Computes the linear predictors of a vector of rows in each of `wide` groups.
 * Prefetches the groups at `ahead`, unless `ahead` is NULL. */
CS_ROW_INLINE void predict(const logistic *m, const double *group,
                           const double *ahead, int wide, chain c, cs_vd *e)
{
    cs_vd s[SIDE];
    for (int w = 0; w < wide; w++)
        s[w] = cs_vset(c.head[0]);
    for (size_t j = 0; j < m->p; j++) {
        cs_vd f = cs_vset(c.b[j]);
        for (int w = 0; w < wide; w++)
            s[w] += f * cs_load(column(m, group, (size_t)w, j));
        for (int w = 0; ahead && w < wide; w++)
            __builtin_prefetch(column(m, ahead, (size_t)w, j));
    }
    for (int w = 0; w < wide; w++)
        e[w] = s[w];
}

/* Adds the contributions of n groups to the slopes with respect to `wide`
 * coefficients, starting at column j. */
CS_ROW_INLINE void collect(const logistic *m, const double *group, size_t n,
                           int wide, size_t j, const cs_vd *rest, double *sum)
{
    cs_vd s[SIDE];
    for (int w = 0; w < wide; w++)
        s[w] = cs_load(sum + 8 * w);
    for (size_t k = 0; k < n; k++)
        for (int w = 0; w < wide; w++)
            s[w] += rest[k] * cs_load(column(m, group, k, j + (size_t)w));
    for (int w = 0; w < wide; w++)
        cs_store(sum + 8 * w, s[w]);
}

/* The groups that are processed together. */
typedef struct tile {
    const double *group; /* [n][cols][8] transposed rows of the groups */
    const double *ahead; /* the next groups in memory, or NULL */
    size_t n, last;      /* n: number of groups, at most NEAR; last: number of
                            rows in the last group */
} tile;

/* Returns the tile that starts at row i; transposed rows are stored in
 * `scratch`. */
CS_ROW_INLINE tile tile_at(const logistic *m, size_t i, double *scratch)
{
    enum { ROWS = 8 * NEAR };
    size_t left = m->t.rows - i, rows = left < ROWS ? left : ROWS;
    const double *from = m->group ? m->group : m->t.data;
    tile of = {.n = (rows + 7) / 8, .group = from + i * m->t.cols};
    of.last = rows - 8 * (of.n - 1);
    of.ahead = left < 2 * ROWS ? NULL : of.group + ROWS * m->t.cols;
    for (size_t k = 0; !m->group && k < of.n; k++)
        turn(cs_row_at(&m->t, i + 8 * k), m->t.cols,
             scratch + k * 8 * m->t.cols);
    of.group = m->group ? of.group : scratch;
    return of;
}

/* Processes a vector of rows of each group, starting at row `part` of the
 * group. Computes linear predictors, exponentials and terms in separate loops,
 * which keeps the processor's pipelines full. */
CS_ROW_INLINE void pass_part(const logistic *m, const tile *of, chain c,
                             size_t part, bool value, bool slope)
{
    cs_vd e[NEAR], small[NEAR], rest[NEAR];
    const double *group = of->group + part;
    const double *ahead = part ? NULL : of->ahead;
    double *total = c.total + part, *sum = c.sum + part;
    size_t w = 8 * m->t.cols, n = of->n, k = 0, j = 0;
    size_t last = of->last > part ? of->last - part : 0;
    for (; k + SIDE <= n; k += SIDE)
        predict(m, group + k * w, ahead ? ahead + k * w : NULL, SIDE, c, e + k);
    for (; k < n; k++)
        predict(m, group + k * w, NULL, 1, c, e + k);
    for (k = 0; k < n; k++)
        small[k] = cs_vexp(-cs_vabs(e[k]));
    for (k = 0; value && k < n; k++) {
        cs_vd v = row_value(e[k], cs_load(column(m, group, k, m->p)), small[k]);
        v = k + 1 < n ? v : cs_first(v, last);
        cs_store(total, cs_load(total) + v);
    }
    if (!slope)
        return;
    for (k = 0; k < n; k++) {
        rest[k] = row_rest(e[k], cs_load(column(m, group, k, m->p)), small[k]);
        rest[k] = k + 1 < n ? rest[k] : cs_first(rest[k], last);
        cs_store(sum, cs_load(sum) + rest[k]);
    }
    for (; j + SIDE <= m->p; j += SIDE)
        collect(m, group, n, SIDE, j, rest, sum + 8 * (1 + j));
    for (; j < m->p; j++)
        collect(m, group, n, 1, j, rest, sum + 8 * (1 + j));
}

/* Processes a tile for one chain. */
CS_ROW_INLINE void pass(const logistic *m, const tile *of, chain c, bool value,
                        bool slope)
{
    for (size_t part = 0; part < CS_PAD; part += CS_VECTOR)
        pass_part(m, of, c, part, value, slope);
}

/* Adds the log prior of lane l to logp, and the gradient of the log prior to g.
 * Either may be NULL. */
CS_ROW_INLINE void add_prior(const logistic *m, const cs_point *at, size_t l,
                             double *logp, double *g)
{
    for (size_t j = 0; j <= m->p - m->skipped; j++) {
        double b = at->x[j * at->lanes + l];
        if (logp)
            logp[l] -= 0.5 * m->rate * b * b;
        if (g)
            g[j * at->lanes + l] -= m->rate * b;
    }
}

/* Loads the live chains that are to be evaluated; returns whether there is
 * any. */
static bool load_all(const logistic *m, const cs_point *at)
{
    bool some = false;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        load_chain(m, at, l, 8 * m->t.cols);
        c.head[1] = cs_row_asked(at, l) && !is_outside(m, at, l);
        some |= c.head[1] != 0;
    }
    return some;
}

/* Evaluates all rows. logp or g may be NULL. The function is inlined, so that
 * the compiler knows which of the two is NULL. */
CS_ROW_INLINE void whole(const cs_target *t, const cs_point *at, double *logp,
                         double *g)
{
    const logistic *m = t->self;
    size_t end = load_all(m, at) ? m->t.rows : 0, lanes = at->lanes;
    for (size_t i = 0; i < end; i += 8 * NEAR) {
        tile of = tile_at(m, i, room_of(m, at));
        for (size_t l = 0; l < at->live; l++) {
            chain c = chain_of(m, at, l);
            if (c.head[1] == 0)
                continue;
            pass(m, &of, c, logp != NULL, g != NULL);
            of.ahead = NULL;
        }
    }
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        if (logp)
            logp[l] = cs_row_tree(c.total);
        for (size_t j = m->skipped; g && j <= m->p; j++)
            g[(j - m->skipped) * lanes + l] = cs_row_tree(c.sum + 8 * j);
        add_prior(m, at, l, logp, g);
        if (logp && is_outside(m, at, l))
            logp[l] = -HUGE_VAL;
    }
    if (logp)
        cs_row_repeat(at, logp, 1);
    if (g)
        cs_row_repeat(at, g, t->space.dim);
}

/* ---- rows ---------------------------------------------------------------- */

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    const logistic *m = t->self;
    if (g)
        memset(g, 0, t->space.dim * at->lanes * sizeof *g);
    for (size_t l = 0; l < at->lanes; l++) {
        logp[l] = is_outside(m, at, l) ? -HUGE_VAL : 0;
        add_prior(m, at, l, logp, g);
    }
}

/* The terms of eight rows. With side = 2 y - 1 = +-1 they are -log(1 +
 * exp(-side e)), with slopes side / (1 + exp(side e)) in e. Small terms have
 * full relative accuracy, unlike the sum y e - log(1 + exp e). */
typedef struct eight {
    cs_row_eight s, term, slope; /* s is side * e for each row */
} eight;

CS_ROW_INLINE eight eight_rows(const logistic *m, chain c, const uint32_t *pick,
                               size_t left, const double **row)
{
    eight of;
    cs_row_eight picked = cs_row_picked(&m->t, c.b, pick, left, row);
    for (size_t p = 0, a = 0; a < CS_PAD; p++, a += CS_VECTOR) {
        cs_vd side = cs_vset(0);
        for (size_t k = 0; k < CS_VECTOR; k++)
            side[k] = 2 * row[a + k][m->p] - 1;
        cs_vd e = side * (picked.v[p] + c.head[0]);
        cs_vd small = cs_vexp(-cs_vabs(e));
        of.s.v[p] = e;
        of.term.v[p] = cs_vselect(e > 0, cs_vset(0), e) - cs_vlog1p(small);
        of.slope.v[p] =
            side * cs_vselect(e > 0, small, cs_vset(1)) / (1 + small);
    }
    return of;
}

/* Evaluates the batches of all lanes: computes the terms and, unless g is NULL,
 * the gradients of the weighted sums of the terms. */
CS_ROW_INLINE void some(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *g)
{
    const logistic *m = t->self;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        double *sum = c.sum, first = 0;
        load_chain(m, at, l, m->padded);
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_PAD) {
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_PAD ? left : CS_PAD;
            const double *row[CS_PAD];
            eight of = eight_rows(m, c, b->row + i, left, row);
            memcpy(logp + i, &of.term, n * sizeof *logp);
            if (!g)
                continue;
            cs_row_eight rest = cs_row_weights(b, l, i, n, &of.term);
            for (size_t p = 0; p < CS_PAD / CS_VECTOR; p++)
                rest.v[p] = of.slope.v[p] * rest.v[p];
            first += cs_row_tree((const double *)&rest);
            cs_row_collect(NULL, 0, row, CS_PAD, m->p, (const double *)&rest,
                           sum);
        }
        for (size_t j = 0; g && j < m->p; j++)
            g[(j + 1 - m->skipped) * at->lanes + l] = sum[j];
        if (g && !m->skipped)
            g[l] = first;
    }
    if (g)
        cs_row_repeat(at, g, t->space.dim);
}

CS_ROW_HOOKS

/* Returns an upper bound on |x|, where x includes the 1 of the intercept. */
static double norm_of(const logistic *m, size_t i)
{
    double norm = cs_row_norm(cs_row_at(&m->t, i), m->p);
    return hypot(norm, m->skipped ? 0 : 1) * (1 + cs_row_slack(m->t.cols));
}

/* Bounds the terms in the ball, where |e| <= radius |x|. */
static cs_status term_range(const cs_target *t, double *low, double *high,
                            cs_error *err)
{
    (void)err;
    const logistic *m = t->self;
    for (size_t i = 0; i < m->t.rows; i++) {
        double most = sqrt(m->square) * norm_of(m, i);
        double off = (1 + most) * 4 * DBL_EPSILON, end = log1p(exp(-most));
        low[i] = -(most + end) - off;
        high[i] = fmin(-end + off, 0);
    }
    return CS_OK;
}

/* Bounds the slope of a term: |d term / d e| is at most 1 / (1 + exp -|e|).
 * Without a ball, the bound is |x|, as in appendix F.3 of the paper. */
static cs_status term_change(const cs_target *t, double *c, cs_error *err)
{
    (void)err;
    const logistic *m = t->self;
    for (size_t i = 0; i < m->t.rows; i++) {
        double norm = norm_of(m, i), most = sqrt(m->square) * norm;
        c[i] = m->square > 0 ? norm / (1 + exp(-most)) : norm;
    }
    return CS_OK;
}

/* ---- lower bounds -------------------------------------------------------- */

/* Computes the lower bound of Jaakkola and Jordan, "A variational approach to
 * Bayesian logistic regression models and their extensions" (1997), on a term
 * -log(1 + exp -s), s = side e:
 *
 *     log B = (s - xi) / 2 - k (s^2 - xi^2) - log(1 + exp -xi),
 *     k = tanh(xi / 2) / (4 xi).
 *
 * The bound is tight for s = xi or -xi, where xi is the value of s at the mode.
 * It is stored as log B = s / 2 + row[0] - row[1] s^2. */
static void keep_bound(double xi, double *row)
{
    double k = xi > 1e-6 ? tanh(xi / 2) / (4 * xi) : 0.125;
    row[0] = k * xi * xi - xi / 2 - log1p(exp(-xi));
    row[1] = k;
}

static void lower_rows(const cs_target *t, cs_lower_bound *b)
{
    const logistic *m = t->self;
    double *by = b->trial;
    for (size_t i = 0; i < m->t.rows; i++) {
        const double *row = cs_row_at(&m->t, i);
        double side = 2 * row[m->p] - 1, s = 0, *keep = b->row[i];
        by[0] = 1; /* for the intercept, if the model has one */
        memcpy(by + 1 - m->skipped, row, m->p * sizeof *by);
        for (size_t j = 0; j < b->dim; j++)
            s += side * by[j] * b->mode[j];
        keep_bound(fabs(s), keep);
        cs_lower_bound_add(b, by, s / 2 + keep[0] - keep[1] * s * s,
                           side * (0.5 - 2 * keep[1] * s), -keep[1]);
    }
}

static void lower_terms(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *log_b)
{
    const logistic *m = t->self;
    for (size_t l = 0; l < at->live; l++) {
        chain c = chain_of(m, at, l);
        if (b->first[l] < b->first[l + 1])
            load_chain(m, at, l, 0);
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_PAD) {
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_PAD ? left : CS_PAD;
            const double *row[CS_PAD];
            eight of = eight_rows(m, c, b->row + i, left, row);
            memcpy(logp + i, &of.term, n * sizeof *logp);
            for (size_t a = 0; a < n; a++) {
                const double *keep = t->lower->row[b->row[i + a]];
                double s = of.s.v[a / CS_VECTOR][a % CS_VECTOR];
                log_b[i + a] = 0.5 * s + keep[0] - keep[1] * s * s;
            }
        }
    }
}

/* ---- held out ------------------------------------------------------------ */

/* Returns b_0 + sum_j b_j x_j of a held-out row, for lane l. */
static double predictor(const logistic *m, const cs_point *at, size_t l,
                        const double *row)
{
    const double *b = at->x + l;
    double e = m->skipped ? 0 : b[0];
    b += m->skipped ? 0 : at->lanes;
    for (size_t j = 0; j < m->p; j++)
        e += b[j * at->lanes] * row[j];
    return e;
}

/* Computes the probabilities of 0 and 1, and the log probability of the
 * observed response. */
static void predict_held(const cs_target *t, const cs_point *at, double *p,
                         double *fit)
{
    const logistic *m = t->self;
    for (size_t r = 0; r < m->data.test.rows; r++)
        for (size_t l = 0; l < at->live; l++) {
            double e =
                predictor(m, at, l, m->data.test.data + r * m->data.test.cols);
            double one = 1 / (1 + exp(-e)), *to = p + 2 * r * at->lanes + l;
            double side = m->data.test_y[r] > 0 ? -e : e;
            to[0] = 1 - one;
            to[at->lanes] = one;
            fit[r * at->lanes + l] =
                side > 0 ? -side - log1p(exp(-side)) : -log1p(exp(side));
        }
}

static void held_out(const cs_target *t, const double *x,
                     const double *log_weight, size_t n, const size_t *group,
                     size_t groups, cs_held_out *out)
{
    const logistic *m = t->self;
    const cs_held_model model = {.rows = m->data.test.rows,
                                 .values = 2,
                                 .classes = true,
                                 .fits = true,
                                 .y = m->data.test_y,
                                 .y_sd = 1,
                                 .predict = predict_held};
    cs_held_out_of(t, &model, x, log_weight, n, group, groups, out);
}

/* ---- instances ----------------------------------------------------------- */

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const logistic *m = t->self;
    size_t j = i + m->skipped;
    snprintf(text, size, "%s", j ? m->data.names[j - 1] : "intercept");
}

static void destroy(cs_target *t)
{
    logistic *m = t->self;
    m->data.t = m->t; /* so that the rows and the tail are freed too */
    cs_logistic_data_free(&m->data);
    cs_free(m->group);
}

/* Stores the transposed groups of a small table. */
static cs_status keep_groups(logistic *m, cs_error *err)
{
    size_t n = (m->t.rows + 7) / 8, size = 8 * m->t.cols;
    if (n * size * sizeof(double) > small_table)
        return CS_OK;
    double *group = cs_alloc(n * size, sizeof *group);
    if (!group)
        return cs_fail(err, CS_MEMORY, "out of memory for target " NAME);
    for (size_t k = 0; k < n; k++)
        turn(cs_row_at(&m->t, 8 * k), m->t.cols, group + k * size);
    m->group = group;
    return CS_OK;
}

static cs_status set_priors(logistic *m, const cs_value *v, cs_error *err)
{
    double sd = v[PRIOR_SD].number, radius = v[RADIUS].number;
    m->square = radius * radius;
    m->rate = radius > 0 ? 0 : 1 / (sd * sd);
    if (!(radius > 0 && v[PRIOR_SD].given))
        return CS_OK;
    cs_fail(err, CS_INPUT, NAME ": both prior_sd and radius are given");
    cs_hint(err,
            "leave one of them out: a normal prior, or a flat prior in a ball");
    return CS_INPUT;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    logistic *m = t->self;
    cs_status s = set_priors(m, v, err);
    if (!s)
        s = cs_logistic_data_take(&m->data, &v[FILE_], &v[TABLE], &v[HELD_OUT],
                                  v[STANDARDISE].number != 0, err);
    m->t = m->data.t;
    if (!s)
        s = cs_row_table_close(&m->t, NAME, err);
    if (!s)
        s = keep_groups(m, err);
    if (s)
        return s;
    m->p = m->t.cols - 1;
    m->skipped = v[INTERCEPT].number == 0;
    m->padded = cs_pad_lanes(m->t.cols);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = m->t.cols - m->skipped};
    t->data_terms = t->n_rows = m->t.rows;
    t->row_bounds =
        CS_ROW_CHANGE | CS_ROW_LOWER | (m->square > 0 ? CS_ROW_RANGE : 0);
    t->scratch_words = m->padded + 16 + 8 * m->t.cols;
    t->scratch_words += m->group ? 0 : cs_rows_for(NEAR * m->t.cols * 8);
    t->exact = (cs_exact){.log_z = NAN, .view = {-5, 5, -5, 5}};
    return CS_OK;
}

/* Starts uniformly in the cube from -2 to 2. If this cube is not inside the
 * ball, starts uniformly in a smaller cube. */
static void start(const cs_target *t, const double *uniform, double *x)
{
    const logistic *m = t->self;
    double dim = (double)t->space.dim;
    double half = m->square > 0 ? fmin(2, sqrt(m->square / dim)) : 2;
    for (size_t j = 0; j < t->space.dim; j++)
        x[j] = half * (2 * uniform[j] - 1);
}

static const cs_param params[N_PARAMS] = {
    [FILE_] = {.name = "file",
               CS_FIXED_PATH,
               .help = "path of a CSV file whose last column is 0 or 1, or "
                       "`challenger` (the default) for the built-in data"},
    [PRIOR_SD] = {.name = "prior_sd",
                  CS_FIXED_SCALE,
                  CS_PARAM_RANGE(1e-6, 1e6, 10),
                  .help = "prior standard deviation of every coefficient"},
    [STANDARDISE] =
        {.name = "standardise",
         CS_FIXED(BOOL),
         CS_PARAM_RANGE(0, 1, 1),
         .help = "true: scale each column to mean 0 and standard deviation 1"},
    [TABLE] = {.name = "table",
               CS_FIXED(ARRAY),
               .help = "the rows themselves, instead of `file`: a list of "
                       "lists"},
    [INTERCEPT] = {.name = "intercept",
                   CS_FIXED(BOOL),
                   CS_PARAM_RANGE(0, 1, 1),
                   .help = "true: add an intercept, which is a predictor with "
                           "the value 1 in every row"},
    [RADIUS] =
        {.name = "radius",
         CS_FIXED(REAL),
         CS_PARAM_RANGE(0, 1e9, 0),
         .help =
             "radius of a ball around 0. The prior is uniform in the ball and "
             "0 outside, instead of Gaussian; radius = 0: the Gaussian prior"},
    [HELD_OUT] = {.name = "held_out",
                  CS_FIXED(ARRAY),
                  .help = "held-out rows whose class is predicted: a list of "
                          "lists in the form of `table`"},
};

const cs_target_type CS_VARIANT(cs_target_logistic_regression) = {
    .name = "logistic_regression",
    .title = "Bayesian logistic regression",
    .ref = "Yuan and Wang 2026, section 5.3",
    .help = "The coefficients of a logistic regression, given a table of data. "
            "The priors are Gaussian, or uniform in a ball.",
    CS_PARAM_TABLE(params),
    .size = sizeof(logistic),
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
    .held_out = held_out,
};
