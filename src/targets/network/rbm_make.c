/* Constructs restricted Boltzmann machines and their reference values. If there
 * are only a few hidden units, the sum of exp F(h) over the hidden states h,
 *
 *     F(h) = c'h + sum_i log(1 + exp(b_i + W_i'h)),
 *
 * gives the partition function, the means and exact draws. */
#include "base/memory.h"
#include "data/table.h"
#include "rng/stream.h"
#include "simd/matmul_winograd.h"
#include "simd/simd.h"
#include "targets/network/rbm.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_UNITS = 1 << 16,
    MOST_KNOWN = 12, /* largest number of hidden units for which reference
                        values are computed */
    MOST_WEIGHT = 600
};

/* Largest magnitude of a bias. With a larger bias the effect of the weights is
 * lost in the rounding of log p, and floats soon overflow. */
static const double max_bias = 1e15;

/* ---- reference values ---------------------------------------------------- */

/* Returns b_i + W_i'h. The bits of `state` are the hidden state h. */
static double field(const cs_rbm *m, size_t state, size_t i)
{
    double sum = m->b[i];
    for (size_t j = 0; j < m->hidden; j++)
        if (state >> j & 1)
            sum += m->wt[i * m->stride + j];
    return sum;
}

static double softplus(double x)
{
    return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}

static double free_energy(const cs_rbm *m, size_t state)
{
    double sum = 0;
    for (size_t j = 0; j < m->hidden; j++)
        if (state >> j & 1)
            sum += m->c[j];
    for (size_t i = 0; i < m->visible; i++)
        sum += softplus(field(m, state, i));
    return sum;
}

/* Computes log Z, the moments of the bits, and the cumulative probabilities of
 * the hidden states. */
static void sum_hidden(cs_target *t)
{
    cs_rbm *m = t->self;
    size_t states = (size_t)1 << m->hidden;
    double most = -HUGE_VAL, total = 0;
    for (size_t s = 0; s < states; s++) {
        m->running[s] = free_energy(m, s);
        most = fmax(most, m->running[s]);
    }
    for (size_t s = 0; s < states; s++) {
        double p = exp(m->running[s] - most);
        for (size_t i = 0; i < m->visible; i++)
            m->mean[i] += p / (1 + exp(-field(m, s, i)));
        m->running[s] = total += p;
    }
    for (size_t s = 0; s < states; s++)
        m->running[s] /= total;
    for (size_t i = 0; i < m->visible; i++) {
        m->mean[i] /= total;
        m->variance[i] = m->mean[i] * (1 - m->mean[i]);
    }
    t->exact.log_z = most + log(total);
    t->exact.mean = m->mean;
    t->exact.variance = m->variance;
    t->n_uniform = m->visible + 1;
}

/* Draws the hidden state h from its distribution, then v given h. */
void cs_rbm_draw(const cs_target *t, const double *logp, double *x)
{
    const cs_rbm *m = t->self;
    size_t s = 0, last = ((size_t)1 << m->hidden) - 1;
    while (s < last && m->running[s] < logp[0])
        s++;
    for (size_t i = 0; i < m->visible; i++)
        x[i] = logp[1 + i] * (1 + exp(-field(m, s, i))) < 1;
}

void cs_rbm_coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const cs_rbm *m = t->self;
    if (m->cols)
        snprintf(text, size, "v.%zu.%zu", i / m->cols + 1, i % m->cols + 1);
    else
        snprintf(text, size, "v.%zu", i + 1);
}

/* ---- instances ----------------------------------------------------------- */

void cs_rbm_destroy(cs_target *t)
{
    cs_rbm *m = t->self;
    CS_FREE_ALL(m->w, m->wt, m->grow, m->shrink, m->b, m->c, m->running,
                m->mean, m->variance, m->pairs, m->centre, m->grains, m->single,
                m->pairs_single, t->learned);
    t->learned = NULL;
}

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target rbm");
}

/* Returns the number of scratch rows. The scratch holds activations or sums
 * of rows. For points without a cache, it holds a cache, and the log p for
 * the state in that cache. It also holds the number and the list of changed
 * bits. */
static size_t scratch_words(const cs_rbm *m)
{
    return 3 * m->stride + 1 + (m->most + 1) / 2;
}

/* Allocates a machine of this size and sets the sizes of the target. */
static cs_status size_up(cs_target *t, size_t hidden, size_t visible,
                         size_t cols, cs_error *err)
{
    cs_rbm *m = t->self;
    if (cols && visible % cols) {
        cs_fail(err, CS_INPUT, "rbm: %zu visible units do not fill rows of %zu",
                visible, cols);
        cs_hint(
            err,
            "use a number of columns that divides the number of visible units");
        return CS_INPUT;
    }
    *m = (cs_rbm){.visible = visible,
                  .hidden = hidden,
                  .cols = cols,
                  .stride = cs_pad_lanes(hidden),
                  .most = visible / 8 + 1};
    m->w = cs_alloc(hidden * visible, sizeof(double));
    m->wt = cs_alloc(m->stride * visible, sizeof(double));
    m->grow = cs_alloc(m->stride * visible, sizeof(double));
    m->shrink = cs_alloc(m->stride * visible, sizeof(double));
    m->grains = cs_alloc(m->stride * visible, sizeof(int32_t));
    m->single = cs_alloc(hidden * visible, sizeof(float));
    m->pairs_single = cs_alloc(visible, sizeof(float));
    m->pairs = cs_alloc(visible, sizeof(double));
    m->centre = cs_alloc(visible, sizeof(double));
    m->b = cs_alloc(visible, sizeof(double));
    m->c = cs_alloc(hidden, sizeof(double));
    t->space = (cs_space){.kind = CS_BINARY, .dim = visible, .values = 2};
    t->cache_words = 2 * hidden;
    t->scratch_words = scratch_words(m);
    t->resample_words = 3 * (m->stride + visible);
    t->shared_words = hidden * visible;
    t->exact = (cs_exact){.log_z = NAN, .view = {-0.5, 1.5, -0.5, 1.5}};
    if (cols)
        t->picture = (cs_picture){
            .kind = CS_PICTURE_PIXELS, .rows = visible / cols, .cols = cols};
    bool whole = m->w && m->wt && m->grow && m->shrink && m->grains &&
                 m->single && m->pairs && m->pairs_single && m->centre;
    return whole && m->b && m->c ? CS_OK : no_memory(err);
}

/* Reads rows[hidden + 1][visible + 1]: first an unused number and b, then for
 * each hidden unit c_j and row j of W. */
static cs_status from_rows(cs_target *t, const double *rows, size_t n,
                           size_t width, size_t cols, cs_error *err)
{
    cs_rbm *m = t->self;
    if (n < 2 || width < 2 || n > MOST_UNITS || width > MOST_UNITS) {
        cs_fail(err, CS_INPUT, "rbm: `weights` has %zu rows of %zu numbers", n,
                width);
        cs_hint(err, "give a row 0, b_1, b_2, ... and for each hidden unit a "
                     "row c_j, w_j1, w_j2, ...");
        return CS_INPUT;
    }
    cs_status s = size_up(t, n - 1, width - 1, cols, err);
    if (s)
        return s;
    memcpy(m->b, rows + 1, m->visible * sizeof(double));
    for (size_t j = 0; j < m->hidden; j++) {
        const double *row = rows + (j + 1) * width;
        m->c[j] = row[0];
        memcpy(m->w + j * m->visible, row + 1, m->visible * sizeof(double));
    }
    return CS_OK;
}

static cs_status from_file(cs_target *t, const char *path, size_t cols,
                           cs_error *err)
{
    cs_table table;
    cs_status s = cs_table_read(path, &table, err);
    if (s)
        return s;
    s = from_rows(t, table.data, table.rows, table.cols, cols, err);
    cs_table_free(&table);
    return s;
}

/* Returns number k of a stream of standard normals. */
static double normal(uint64_t seed, uint64_t k)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){k, 0}, (const uint64_t[]){seed, 3},
                    word);
    double logp = ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
    double turn = (double)(word[1] >> 11) * 0x1p-53;
    return sqrt(-2 * log(logp)) * cos(6.283185307179586 * turn);
}

static cs_status at_random(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_rbm *m = t->self;
    uint64_t seed = (uint64_t)v[CS_RBM_SEED].number, k = 0;
    cs_status s = size_up(t, (size_t)v[CS_RBM_HIDDEN].number,
                          (size_t)v[CS_RBM_VISIBLE].number,
                          (size_t)v[CS_RBM_COLS].number, err);
    for (size_t i = 0; !s && i < m->hidden * m->visible; i++)
        m->w[i] = v[CS_RBM_SD].number * normal(seed, k++);
    for (size_t i = 0; !s && i < m->visible; i++)
        m->b[i] = normal(seed, k++);
    for (size_t j = 0; !s && j < m->hidden; j++)
        m->c[j] = normal(seed, k++);
    return s;
}

/* Fails if a number is larger than the limit. */
static cs_status check_size(double most, const char *of, double limit,
                            cs_error *err)
{
    if (most <= limit)
        return CS_OK;
    cs_fail(err, CS_INPUT, "rbm: a %s is %g", of, most);
    cs_hint(err,
            "use values within +-%g; a larger value fixes a unit permanently",
            limit);
    return CS_INPUT;
}

/* Returns the larger absolute value; NaN if either is NaN. */
static double larger(double most, double x)
{
    return fabs(x) > most || isnan(x) ? fabs(x) : most;
}

/* Computes the largest weight, and the largest possible |p|. */
static cs_status measure(const cs_rbm *m, double *most, double *span,
                         cs_error *err)
{
    double bias = 0;
    *most = *span = 0;
    for (size_t i = 0; i < m->visible; i++)
        bias = larger(bias, m->b[i]);
    for (size_t j = 0; j < m->hidden; j++) {
        double sum = fabs(m->c[j]);
        bias = larger(bias, sum);
        for (size_t i = 0; i < m->visible; i++) {
            sum += fabs(m->w[j * m->visible + i]);
            *most = larger(*most, m->w[j * m->visible + i]);
        }
        *span = fmax(*span, sum);
    }
    cs_status s = check_size(*most, "weight", MOST_WEIGHT, err);
    return s ? s : check_size(bias, "bias", max_bias, err);
}

/* Chooses the grain, a power of two. The grain is the larger of two numbers:
 * 2^-29 times the largest weight (so that a weight in units of the grain fits
 * in 32 bits), and 2^-51 times the largest sum (so that sums are exact).
 * Returns the exponent of the grain. */
static int find_grain(cs_rbm *m, double most, double span)
{
    int weight, sum;
    frexp(most, &weight);
    frexp(span, &sum);
    int grain = weight - 30 > sum - 51 ? weight - 30 : sum - 51;
    grain = grain > -1000 ? grain : -1000; /* otherwise 2^grain
                                            * could underflow to 0 */
    m->grain = ldexp(1, grain);
    m->group = (size_t)(1000 / (1 + 1.4427 * most));
    return grain;
}

/* Rounds W and c to multiples of the grain. */
static cs_status round_off(cs_rbm *m, cs_error *err)
{
    double most, span;
    cs_status s = measure(m, &most, &span, err);
    if (s)
        return s;
    int grain = find_grain(m, most, span);
    for (size_t k = 0; k < m->hidden * m->visible; k++)
        m->w[k] = ldexp(rint(ldexp(m->w[k], -grain)), grain);
    for (size_t j = 0; j < m->hidden; j++)
        m->c[j] = ldexp(rint(ldexp(m->c[j], -grain)), grain);
    return CS_OK;
}

static void transpose(cs_rbm *m)
{
    for (size_t i = 0; i < m->visible; i++)
        for (size_t j = 0; j < m->stride; j++) {
            size_t to = i * m->stride + j;
            double w = j < m->hidden ? m->w[j * m->visible + i] : 0;
            m->wt[to] = w;
            m->grains[to] = (int32_t)(w / m->grain);
            m->grow[to] = exp(w);
            m->shrink[to] = exp(-w);
        }
}

/* Computes the size to which activations are scaled, and the parts of products
 * with centred activations that do not depend on the state (see
 * simd/matmul_winograd.h). */
void cs_rbm_remake_rest(cs_rbm *m)
{
    size_t n = m->hidden * m->visible;
    double square = 0;
    int exponent;
    for (size_t k = 0; k < n; k++)
        square += m->w[k] * m->w[k] / (double)n;
    frexp(fmax(sqrt(square), 0x1p-100), &exponent);
    m->size = ldexp(1, exponent);
    for (size_t i = 0; i < m->visible; i++) {
        const double *row = m->wt + i * m->stride;
        float *single = m->single + i * m->hidden;
        double sum = 0;
        for (size_t j = 0; j < m->hidden; j++) {
            single[j] = (float)row[j];
            sum += row[j];
        }
        m->pairs[i] = cs_winograd_row(row, m->hidden);
        m->pairs_single[i] = cs_winograd_row_float(single, m->hidden);
        m->centre[i] = m->b[i] + sum / 2;
    }
}

static cs_status know(cs_target *t, cs_error *err)
{
    cs_rbm *m = t->self;
    cs_status s = round_off(m, err);
    if (s)
        return s;
    transpose(m);
    cs_rbm_remake_rest(m);
    if (m->hidden > MOST_KNOWN)
        return CS_OK;
    m->running = cs_alloc((size_t)1 << m->hidden, sizeof(double));
    m->mean = cs_alloc(m->visible, sizeof(double));
    m->variance = cs_alloc(m->visible, sizeof(double));
    if (!m->running || !m->mean || !m->variance)
        return no_memory(err);
    sum_hidden(t);
    return CS_OK;
}

/* ---- learning ------------------------------------------------------------ */

cs_status cs_rbm_copy(const cs_target *from, cs_target *t, cs_error *err)
{
    const cs_rbm *m = from->self;
    cs_rbm *to = t->self;
    size_t n = m->hidden * m->visible;
    cs_status s = size_up(t, m->hidden, m->visible, m->cols, err);
    if (s)
        return s;
    t->n_learned = n + m->visible + m->hidden;
    t->learned = cs_alloc(t->n_learned, sizeof(double));
    t->slope_words = 3 * (to->stride + cs_pad_lanes(to->visible));
    if (!t->learned)
        return no_memory(err);
    memcpy(t->learned, m->w, n * sizeof(double));
    memcpy(t->learned + n, m->b, m->visible * sizeof(double));
    memcpy(t->learned + n + m->visible, m->c, m->hidden * sizeof(double));
    t->type->model->changed(t);
    return CS_OK;
}

/* Sets the initial values that the papers on discrete samplers use: b is the
 * logit of the means, clipped to 0.01 .. 0.99; W is uniform between -1 /
 * sqrt(visible) and 1 / sqrt(visible); and c is 0. */
void cs_rbm_begin(cs_target *t, const double *mean, const double *uniform)
{
    assert(t->learned && mean && uniform);
    const cs_rbm *m = t->self;
    size_t n = m->hidden * m->visible;
    double *b = t->learned + n, *c = b + m->visible;
    double edge = 1 / sqrt((double)m->visible);
    for (size_t k = 0; k < n; k++)
        t->learned[k] = edge * (2 * uniform[k] - 1);
    for (size_t i = 0; i < m->visible; i++) {
        double p = fmin(fmax(mean[i], 0.01), 0.99);
        b[i] = log(p / (1 - p));
    }
    for (size_t j = 0; j < m->hidden; j++)
        c[j] = 0;
}

/* Writes filter i to out[visible]: the weights of hidden unit i; after the last
 * hidden unit, one more filter, which is b. */
bool cs_rbm_filter(const cs_target *t, size_t i, double *out)
{
    assert(out);
    const cs_rbm *m = t->self;
    if (i > m->hidden)
        return false;
    memcpy(out, t->learned + i * m->visible, m->visible * sizeof *out);
    return true;
}

double cs_rbm_log_z0(const cs_target *t, const double *base)
{
    const cs_rbm *m = t->self;
    double sum = (double)m->hidden * log(2);
    for (size_t i = 0; i < m->visible; i++)
        sum += softplus(base[i]);
    return sum;
}

static double within(double x, double limit)
{
    return fmin(fmax(x, -limit), limit);
}

void cs_rbm_bound(cs_rbm *m, double *learned)
{
    assert(learned);
    size_t n = m->hidden * m->visible;
    double *b = learned + n, *c = b + m->visible, most = 0, span = 0;
    for (size_t k = 0; k < n; k++) {
        learned[k] = within(learned[k], MOST_WEIGHT);
        most = fmax(most, fabs(learned[k]));
    }
    for (size_t i = 0; i < m->visible; i++)
        b[i] = within(b[i], max_bias);
    for (size_t j = 0; j < m->hidden; j++) {
        c[j] = within(c[j], max_bias);
        span = fmax(span, fabs(c[j]));
    }
    find_grain(m, most, span + (double)m->visible * most);
}

cs_status cs_rbm_create(cs_target *t, const cs_value *v, cs_error *err)
{
    size_t cols = (size_t)v[CS_RBM_COLS].number;
    const cs_value *w = &v[CS_RBM_WEIGHTS];
    cs_status s =
        v[CS_RBM_FILE].given ? from_file(t, v[CS_RBM_FILE].text, cols, err)
        : w->given ? from_rows(t, w->array, w->rows, w->cols, cols, err)
                   : at_random(t, v, err);
    if (!s)
        s = know(t, err);
    if (s == CS_INPUT && v[CS_RBM_FILE].given)
        cs_where(err, v[CS_RBM_FILE].text, 0);
    return s;
}

const cs_param cs_rbm_params[CS_RBM_PARAMS] = {
    [CS_RBM_VISIBLE] = {.name = "visible",
                        CS_FIXED(INT),
                        CS_PARAM_RANGE(1, MOST_UNITS, 12),
                        .help = "visible units of a random machine"},
    [CS_RBM_HIDDEN] = {.name = "hidden",
                       CS_FIXED(INT),
                       CS_PARAM_RANGE(1, MOST_UNITS, 6),
                       .help = "hidden units of a random machine; with up to "
                               "12 hidden units, log Z is computed exactly"},
    [CS_RBM_SD] = {.name = "sd",
                   CS_FIXED_SCALE,
                   CS_PARAM_RANGE(1e-6, 100, 0.22360679774997896),
                   .help = "standard deviation of the weights of a random "
                           "machine; its biases are standard normal",
                   .ref = "variance 0.05 in the papers"},
    [CS_RBM_SEED] = {.name = "seed",
                     CS_FIXED(INT),
                     CS_PARAM_RANGE(0, 1e9, 1),
                     .help = "seed of a random machine"},
    [CS_RBM_WEIGHTS] = {.name = "weights",
                        CS_FIXED(ARRAY),
                        .help =
                            "weights as rows: first the row 0, b_1, b_2, ... "
                            "with the biases of the visible units, then for "
                            "each hidden unit j the row c_j, w_j1, w_j2, ..."},
    [CS_RBM_FILE] =
        {.name = "file",
         CS_FIXED_PATH,
         .help = "path of a CSV file that contains the rows of `weights`"},
    [CS_RBM_COLS] = {.name = "cols",
                     CS_FIXED(INT),
                     CS_PARAM_RANGE(0, MOST_UNITS, 0),
                     .help = "number of columns of the image that the visible "
                             "units form; 0: the image is nearly square"},
};
