/* A perceptron with one hidden layer; the target is the posterior of its
 * weights and biases:
 *
 *     log p(w, c, v, b) = -precision/2 |w, c, v, b|^2 + sum over rows of term,
 *     f_k(in) = b_k + sum_h v_kh a(c_h + sum_i w_ih in_i),  a = tanh or relu,
 *     regression    term = -(y - f)^2 / (2 noise^2)
 *     two classes   term = y f - log(1 + exp f),  y = 0 or 1
 *     K > 2 classes term = f_y - log sum_k exp f_k,  y = 0 .. K - 1
 *
 * The network of Hernandez-Lobato and Adams, "Probabilistic Backpropagation for
 * Scalable Learning of Bayesian Neural Networks" (ICML 2015), as sampled by
 * Deng, Lin and Liang, "A Contour Stochastic Gradient Langevin Dynamics
 * Algorithm for Simulations of Multi-modal Distributions" (2020), section 4.2.
 * Precision and noise are given; constants of the likelihood are left out.
 *
 * The state is w (input by input), c, v (output by output), b. Each chain has
 * its own weights and, in a batch, its own rows. Therefore the elements of a
 * vector are hidden units, and the chains are evaluated one after another. The
 * bits of the result for a row do not depend on the other rows and chains that
 * are evaluated with it. Eight rows are evaluated together; sums over rows are
 * in the order of the rows. */
#define CS_VECTOR_WHOLE
#include "targets/network/perceptron.h"
#include "simd/vlanes.h"
#include "simd/vmath.h"
#include "simd/vwide.h"
#include "targets/network/held_out.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    TILE = CS_PERCEPTRON_ROWS,
    NEAR = 4, /* number of rows whose sums are in registers at the same time */
    SIDE = 2  /* number of registers that hold the units of a row */
};

/* Arrays of a pass: the weights of a chain and their gradient (in the layout of
 * cs_perceptron_words), and the arrays for a tile of rows. */
typedef struct work {
    const double *w;
    double *g;    /* gradient in the same layout; NULL: not needed */
    double *unit; /* [TILE][padded] activations a(...) */
    double *back; /* [TILE][padded] backpropagated errors of the units */
    cs_vd *out;   /* [outputs] outputs for the rows of the tile */
    cs_vd *error; /* [outputs] d term / d f, times the weight of the row */
    const double *x[TILE]; /* inputs of each row; elements beyond the last row
                              repeat the first row */
} work;

/* A tile of up to eight rows. */
typedef struct tile {
    size_t n;
    cs_vd y, weight; /* responses and weights of the rows; 0 for missing rows */
} tile;

/* Returns the sum of eight numbers, added as a balanced tree. */
INLINE double tree(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

INLINE cs_vd activation(const cs_perceptron *m, cs_vd a)
{
    return m->relu ? cs_vselect(a < 0, cs_vset(0), a) : cs_vtanh(a);
}

/* Returns the derivative of the activation function, computed from the value of
 * this function. */
INLINE cs_wide slope_of(const cs_perceptron *m, cs_wide t)
{
    if (!m->relu)
        return 1 - t * t;
    for (unsigned i = 0; i < CS_WIDE; i++)
        t[i] = t[i] > 0;
    return t;
}

/* ---- forward ------------------------------------------------------------- */

/* Computes the inputs of a group of units for NEAR rows. The group starts at
 * unit h and fills `side` registers; the rows start at row r. */
INLINE void take_in(const cs_perceptron *m, const work *k, size_t r, size_t h,
                    size_t side)
{
    cs_wide z[NEAR][SIDE];
    const double *w = k->w + h, *bias = w + m->inputs * m->padded;
    for (size_t a = 0; a < NEAR; a++)
        for (size_t s = 0; s < side; s++)
            z[a][s] = cs_wide_at(bias + s * CS_WIDE);
    for (size_t i = 0; i < m->inputs; i++, w += m->padded)
        for (size_t a = 0; a < NEAR; a++)
            for (size_t s = 0; s < side; s++)
                z[a][s] = cs_wide_fma(cs_wide_of(k->x[r + a][i]),
                                      cs_wide_at(w + s * CS_WIDE), z[a][s]);
    for (size_t a = 0; a < NEAR; a++)
        for (size_t s = 0; s < side; s++)
            cs_wide_put(k->unit + (r + a) * m->padded + h + s * CS_WIDE,
                        z[a][s]);
}

/* Computes all outputs for rows r .. r + NEAR - 1. The contribution of unit h
 * is added to partial sum h % 8. */
INLINE void outputs(const cs_perceptron *m, const work *k, size_t r)
{
    const double *v = k->w + (m->inputs + 1) * m->padded;
    const double *bias = v + m->outputs * m->padded;
    const double *unit = k->unit + r * m->padded;
    for (size_t o = 0; o < m->outputs; o++, v += m->padded) {
        cs_wide sum[NEAR][CS_VECTOR / CS_WIDE];
        for (size_t a = 0; a < NEAR; a++)
            for (size_t s = 0; s < CS_VECTOR / CS_WIDE; s++)
                sum[a][s] = cs_wide_of(0);
        for (size_t h = 0; h < m->padded; h += CS_VECTOR)
            for (size_t a = 0; a < NEAR; a++)
                for (size_t s = 0; s < CS_VECTOR / CS_WIDE; s++)
                    sum[a][s] = cs_wide_fma(
                        cs_wide_at(v + h + s * CS_WIDE),
                        cs_wide_at(unit + a * m->padded + h + s * CS_WIDE),
                        sum[a][s]);
        for (size_t a = 0; a < NEAR; a++)
            k->out[o][r + a] = bias[o] + tree((const double *)sum[a]);
    }
}

static void forward(const cs_perceptron *m, const work *k, size_t rows)
{
    for (size_t r = 0; r < rows; r += NEAR) {
        size_t h = 0;
        double *unit = k->unit + r * m->padded;
        for (; h + SIDE * CS_WIDE <= m->padded; h += SIDE * CS_WIDE)
            take_in(m, k, r, h, SIDE);
        for (; h < m->padded; h += CS_WIDE)
            take_in(m, k, r, h, 1);
        for (h = 0; h < NEAR * m->padded; h += CS_VECTOR)
            cs_store(unit + h, activation(m, cs_load(unit + h)));
        outputs(m, k, r);
    }
}

/* ---- terms --------------------------------------------------------------- */

/* Returns, for each row, the log of the sum of exp(output); fills k->error with
 * the softmax of the outputs. */
INLINE cs_vd shares(const cs_perceptron *m, const work *k)
{
    cs_vd most = k->out[0], sum = cs_vset(0);
    for (size_t o = 1; o < m->outputs; o++)
        most = cs_vmax(most, k->out[o]);
    for (size_t o = 0; o < m->outputs; o++)
        sum += k->error[o] = cs_vexp(k->out[o] - most);
    for (size_t o = 0; o < m->outputs; o++)
        k->error[o] /= sum;
    return most + cs_vlog(sum);
}

/* Computes the terms of the rows of a tile, and the derivatives of these terms,
 * k->error. */
INLINE cs_vd terms_of(const cs_perceptron *m, const work *k, const tile *t)
{
    cs_vd f = k->out[0], term;
    if (m->classes > 2) {
        term = -shares(m, k);
        for (size_t o = 0; o < m->outputs; o++) {
            cs_vi is = t->y == (double)o;
            term += cs_vselect(is, k->out[o], cs_vset(0));
            k->error[o] = cs_vselect(is, cs_vset(1), cs_vset(0)) - k->error[o];
        }
    } else if (m->classes) {
        term = t->y * f - cs_vsoftplus(f);
        k->error[0] = t->y - cs_vsigmoid(f);
    } else {
        cs_vd off = t->y - f;
        term = -0.5 * m->rate * off * off;
        k->error[0] = m->rate * off;
    }
    return term;
}

/* ---- backward ------------------------------------------------------------ */

/* Backpropagates n <= NEAR rows, starting at row r, to the units of one
 * register, starting at unit h. Adds their contribution to the gradient of the
 * output weights. */
INLINE void return_to(const cs_perceptron *m, const work *k, size_t r, size_t n,
                      size_t h)
{
    size_t at = (m->inputs + 1) * m->padded + h;
    cs_wide back[NEAR], unit[NEAR];
    for (size_t a = 0; a < n; a++) {
        back[a] = cs_wide_of(0);
        unit[a] = cs_wide_at(k->unit + (r + a) * m->padded + h);
    }
    for (size_t o = 0; o < m->outputs; o++, at += m->padded) {
        cs_wide v = cs_wide_at(k->w + at), sum = cs_wide_at(k->g + at);
        for (size_t a = 0; a < n; a++) {
            cs_wide error = cs_wide_of(k->error[o][r + a]);
            sum = cs_wide_fma(error, unit[a], sum);
            back[a] = cs_wide_fma(error, v, back[a]);
        }
        cs_wide_put(k->g + at, sum);
    }
    for (size_t a = 0; a < n; a++)
        cs_wide_put(k->back + (r + a) * m->padded + h,
                    back[a] * slope_of(m, unit[a]));
}

/* Adds the contribution of n rows, starting at row r, to the gradient of the
 * input weights and biases of the units in `side` registers. */
INLINE void collect(const cs_perceptron *m, const work *k, size_t r, size_t n,
                    size_t h, size_t side)
{
    cs_wide back[NEAR][SIDE], sum[SIDE];
    for (size_t a = 0; a < n; a++)
        for (size_t s = 0; s < side; s++)
            back[a][s] =
                cs_wide_at(k->back + (r + a) * m->padded + h + s * CS_WIDE);
    double *g = k->g + h;
    for (size_t i = 0; i < m->inputs; i++, g += m->padded) {
        for (size_t s = 0; s < side; s++)
            sum[s] = cs_wide_at(g + s * CS_WIDE);
        for (size_t a = 0; a < n; a++)
            for (size_t s = 0; s < side; s++)
                sum[s] =
                    cs_wide_fma(cs_wide_of(k->x[r + a][i]), back[a][s], sum[s]);
        for (size_t s = 0; s < side; s++)
            cs_wide_put(g + s * CS_WIDE, sum[s]);
    }
    for (size_t s = 0; s < side; s++) {
        cs_wide bias = cs_wide_at(g + s * CS_WIDE);
        for (size_t a = 0; a < n; a++)
            bias += back[a][s];
        cs_wide_put(g + s * CS_WIDE, bias);
    }
}

/* Backpropagates n rows, starting at row r. */
INLINE void rows_back(const cs_perceptron *m, const work *k, size_t r, size_t n)
{
    size_t h = 0;
    for (; h < m->padded; h += CS_WIDE)
        return_to(m, k, r, n, h);
    for (h = 0; h + SIDE * CS_WIDE <= m->padded; h += SIDE * CS_WIDE)
        collect(m, k, r, n, h, SIDE);
    for (; h < m->padded; h += CS_WIDE)
        collect(m, k, r, n, h, 1);
}

static void backward(const cs_perceptron *m, const work *k, size_t n)
{
    double *bias = k->g + (m->inputs + 1 + m->outputs) * m->padded;
    for (size_t o = 0; o < m->outputs; o++)
        for (size_t r = 0; r < n; r++)
            bias[o] += k->error[o][r];
    size_t r = 0;
    for (; r + NEAR <= n; r += NEAR)
        rows_back(m, k, r, NEAR);
    for (; r < n; r++)
        rows_back(m, k, r, 1);
}

/* ---- one chain ----------------------------------------------------------- */

/* Returns the weights of n rows of a batch, starting at number `at`, given the
 * terms of these rows. */
static cs_vd weights_of(const cs_batch *b, size_t l, size_t at, size_t n,
                        cs_vd term)
{
    cs_vd w = cs_vset(1);
    if (b && b->weigh)
        b->weigh(b->of, l, at, n, (const double *)&term, (double *)&w);
    for (size_t r = 0; b && b->weight && r < n; r++)
        w[r] = b->weight[at + r];
    return cs_first(w, n);
}

/* Evaluates n rows, starting at row `first`. The rows are rows of the table,
 * or of lane l's batch. Returns the terms, and adds their gradient to the
 * total. */
static cs_vd pass(const cs_perceptron *m, work *k, const cs_perceptron_rows *d,
                  const cs_batch *b, size_t l, size_t first, size_t n)
{
    tile t = {.n = n};
    double y[TILE];
    for (size_t r = 0; r < TILE; r++) {
        size_t at = r < n ? r : 0;
        size_t i = b ? b->row[first + at] : first + at;
        k->x[r] = d->x + i * m->inputs;
        y[r] = d->y[i];
    }
    memcpy(&t.y, y, sizeof t.y);
    forward(m, k, n);
    cs_vd term = terms_of(m, k, &t);
    if (k->g)
        t.weight = weights_of(b, l, first, n, term);
    for (size_t o = 0; k->g && o < m->outputs; o++)
        k->error[o] *= t.weight;
    if (k->g)
        backward(m, k, n);
    return term;
}

/* Returns the sum of the terms of all rows. */
static double whole(const cs_perceptron *m, work *k)
{
    double sum = 0;
    for (size_t r = 0; r < m->train.rows; r += TILE) {
        size_t n = m->train.rows - r < TILE ? m->train.rows - r : TILE;
        cs_vd term = pass(m, k, &m->train, NULL, 0, r, n);
        for (size_t a = 0; a < n; a++)
            sum += term[a];
    }
    return sum;
}

/* Computes the terms of the rows of a batch, and writes them to term[]. */
static void some(const cs_perceptron *m, work *k, const cs_batch *b, size_t l,
                 double *term)
{
    for (size_t r = b->first[l]; r < b->first[l + 1]; r += TILE) {
        size_t left = b->first[l + 1] - r, n = left < TILE ? left : TILE;
        cs_vd of = pass(m, k, &m->train, b, l, r, n);
        for (size_t a = 0; a < n; a++)
            term[r + a] = of[a];
    }
}

/* ---- a block ------------------------------------------------------------- */

/* Returns the number of weights in row `row` of the layout of
 * cs_perceptron_words. */
INLINE size_t numbers_in(const cs_perceptron *m, size_t row)
{
    return row <= m->inputs + m->outputs ? m->hidden : m->outputs;
}

/* Copies the weights of n lanes, starting at lane l, so that the weights of
 * each lane are contiguous. */
INLINE void pack(const cs_perceptron *m, const cs_point *at, size_t l, size_t n,
                 double *to)
{
    size_t words = cs_perceptron_words(m);
    const double *x = at->x + l;
    memset(to, 0, n * words * sizeof *to); /* clears the padding of the units */
    for (size_t row = 0; row <= m->inputs + 1 + m->outputs; row++)
        for (size_t j = 0; j < numbers_in(m, row); j++, x += at->lanes)
            for (size_t a = 0; a < n; a++)
                to[a * words + row * m->padded + j] = x[a];
}

/* Adds the gradients of n lanes, starting at lane l, to g. The padding lanes
 * get the same gradient as the last live lane. */
INLINE void unpack(const cs_perceptron *m, const cs_point *at, size_t l,
                   size_t n, const double *from, double *g)
{
    size_t words = cs_perceptron_words(m);
    cs_vd sum = cs_vset(0);
    g += l;
    for (size_t row = 0; row <= m->inputs + 1 + m->outputs; row++)
        for (size_t j = 0; j < numbers_in(m, row); j++, g += at->lanes) {
            const double *piece = from + row * m->padded + j;
            if (n == 1)
                sum = cs_vset(*piece);
            else
                for (size_t a = 0; a < CS_VECTOR; a++)
                    sum[a] = piece[(a < n ? a : n - 1) * words];
            cs_store(g, cs_load(g) + sum);
        }
}

static work work_of(const cs_perceptron *m, double *scratch, bool gradient)
{
    size_t words = cs_perceptron_words(m) * CS_VECTOR;
    work k = {.w = scratch, .g = gradient ? scratch + words : NULL};
    k.unit = scratch + 2 * words;
    k.back = k.unit + TILE * m->padded;
    k.out = (cs_vd *)(k.back + TILE * m->padded);
    k.error = k.out + m->outputs;
    return k;
}

/* Evaluates eight chains, starting at chain l. Adds the log likelihood to logp,
 * and its gradient to g; both hold the prior before the call. With a batch, g
 * starts at 0, and logp receives the terms of the rows of the batch. */
static void eight_chains(const cs_perceptron *m, const cs_point *at, size_t l,
                         const cs_batch *b, double *logp, double *g)
{
    size_t words = cs_perceptron_words(m);
    size_t n = at->live - l < CS_VECTOR ? at->live - l : CS_VECTOR;
    work k = work_of(m, at->scratch, g != NULL);
    double *piece = k.g;
    if (n == CS_VECTOR)
        pack(m, at, l, CS_VECTOR, at->scratch);
    else
        pack(m, at, l, n, at->scratch);
    if (g)
        memset(piece, 0, n * words * sizeof *g);
    for (size_t a = 0; a < n; a++) {
        k.w = at->scratch + a * words;
        k.g = g ? piece + a * words : NULL;
        if (at->failed && at->failed[l + a])
            continue;
        if (b)
            some(m, &k, b, l + a, logp);
        else
            logp[l + a] += whole(m, &k);
    }
    if (g)
        unpack(m, at, l, n, piece, g);
}

/* Evaluates all chains; padding lanes repeat the last chain. */
static void every_chain(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *g)
{
    size_t numbers = t->space.dim * at->lanes, l = 0;
    for (; l < at->live; l += CS_VECTOR)
        eight_chains(t->self, at, l, b, logp, g);
    for (; g && l < at->lanes; l++)
        for (size_t i = 0; i < numbers; i += at->lanes)
            g[i + l] = g[i + at->live - 1];
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    const cs_perceptron *m = t->self;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd square = cs_vset(0);
        for (size_t i = l; i < t->space.dim * at->lanes; i += at->lanes) {
            cs_vd x = cs_load(at->x + i);
            square += x * x;
            if (g)
                cs_store(g + i, -m->precision * x);
        }
        cs_store(logp + l, -0.5 * m->precision * square);
    }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    prior(t, at, logp, g);
    every_chain(t, at, NULL, logp, g);
    for (size_t l = at->live; l < at->lanes; l++)
        logp[l] = logp[at->live - 1];
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    gradient(t, at, logp, NULL);
}

static void slope(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g)
{
    if (g)
        memset(g, 0, t->space.dim * at->lanes * sizeof *g);
    every_chain(t, at, b, logp, g);
}

static void terms(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp)
{
    slope(t, at, b, logp, NULL);
}

static void fetch(const cs_target *t, const uint32_t *row, size_t n)
{
    const cs_perceptron *m = t->self;
    for (size_t i = 0; i < n; i++) {
        const double *x = m->train.x + row[i] * m->inputs;
        __builtin_prefetch(m->train.y + row[i]);
        for (size_t j = 0; j < m->inputs; j += CS_VECTOR)
            __builtin_prefetch(x + j);
    }
}

/* ---- held out ------------------------------------------------------------ */

/* Writes a chain's predictions for n held-out rows, starting at row r, to
 * p[row][values][lanes] and fit[row][lanes]. */
static void predict_tile(const cs_perceptron *m, work *k, size_t lanes,
                         size_t r, size_t n, double *p, double *fit)
{
    size_t values = m->classes ? m->classes : 1;
    cs_vd term = pass(m, k, &m->test, NULL, 0, r, n);
    double unit =
        m->classes ? 0 : 0.5 * log(m->rate / 6.283185307179586) - log(m->y_sd);
    for (size_t a = 0; a < n; a++, p += values * lanes) {
        fit[(r + a) * lanes] = term[a] + unit;
        double f = k->out[0][a], high = 1 / (1 + exp(-f));
        p[0] = m->classes ? 1 - high : m->y_mean + m->y_sd * f;
        if (m->classes == 2)
            p[lanes] = high;
        for (size_t o = 0; m->classes > 2 && o < values; o++)
            p[o * lanes] =
                ((double)(m->test.y[r + a] == (double)o)) - k->error[o][a];
    }
}

static void predict(const cs_target *t, const cs_point *at, double *p,
                    double *fit)
{
    const cs_perceptron *m = t->self;
    size_t words = cs_perceptron_words(m), values = m->classes ? m->classes : 1;
    work k = work_of(m, at->scratch, false);
    pack(m, at, 0, at->live, at->scratch);
    for (size_t l = 0; l < at->live; l++) {
        k.w = at->scratch + l * words;
        for (size_t r = 0; r < m->test.rows; r += TILE) {
            size_t n = m->test.rows - r < TILE ? m->test.rows - r : TILE;
            predict_tile(m, &k, at->lanes, r, n, p + r * values * at->lanes + l,
                         fit + l);
        }
    }
}

static void held_out(const cs_target *t, const double *x,
                     const double *log_weight, size_t n, const size_t *group,
                     size_t groups, cs_held_out *out)
{
    const cs_perceptron *m = t->self;
    const cs_held_model model = {.rows = m->test.rows,
                                 .values = m->classes ? m->classes : 1,
                                 .classes = m->classes > 0,
                                 .fits = true,
                                 .y = m->test.y,
                                 .y_mean = m->y_mean,
                                 .y_sd = m->y_sd,
                                 .predict = predict};
    cs_held_out_of(t, &model, x, log_weight, n, group, groups, out);
}

const cs_target_type CS_VARIANT(cs_target_perceptron) = {
    .name = "perceptron",
    .title = "Perceptron",
    .flags = CS_TARGET_EIGHTS,
    .ref = "Hernandez-Lobato and Adams 2015",
    .help = "The weights and biases of a neural network with one hidden layer, "
            "given a table of data for regression or classification. The "
            "priors are Gaussian.",
    .params = cs_perceptron_params,
    .n_params = CS_PERCEPTRON_PARAMS,
    .size = sizeof(cs_perceptron),
    .create = cs_perceptron_create,
    .destroy = cs_perceptron_destroy,
    .log_density = log_density,
    .gradient = gradient,
    .prior = prior,
    .rows.terms = terms,
    .rows.slope = slope,
    .rows.fetch = fetch,
    .coordinate = cs_perceptron_coordinate,
    .start = cs_perceptron_start,
    .held_out = held_out,
};
