/* Restricted Boltzmann machines of bits v, the hidden units summed out:
 *
 *     U(v) = sum_j log(1 + exp p_j) + sum_i b_i v_i,   p = W v + c,
 *
 * as the papers on gradient-based discrete samplers use them (Grathwohl et
 * al., Oops I took a gradient, 2021, appendix). The cache of a lane is p, so
 * that a site difference passes over the hidden units once.
 *
 * With few units on either side everything is known: U over the states of the
 * hidden units alone, F(h) = c'h + sum_i log(1 + exp(b_i + W_i'h)), gives the
 * partition function, the means and exact draws. */
#include "base/memory.h"
#include "base/product.h"
#include "base/simd.h"
#include "base/table.h"
#include "base/vmath.h"
#include "model/target.h"
#include "rng/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VISIBLE, HIDDEN, SD, SEED, WEIGHTS, FILE_, COLS, N_PARAMS };

enum { MOST_UNITS = 1 << 16, MOST_KNOWN = 12 /* hidden units */ };

typedef struct rbm {
    size_t visible, hidden, cols; /* cols: of the picture, 0: none */
    double *w, *wt;          /* [hidden][visible] and its transpose [own] */
    double *b, *c;           /* [visible], [hidden] [own] */
    double *running;         /* [2^hidden] P(h <= ...) or NULL [own] */
    double *mean, *variance; /* [visible] or NULL [own] */
} rbm;

/* ---- hot ----------------------------------------------------------------- */

/* p and U, eight lanes at a time. */
static void activate(const rbm *m, const cs_point *at, double *u)
{
    size_t lanes = at->lanes;
    cs_product(m->w, m->hidden, m->visible, m->visible, at->x, lanes,
               at->cache);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = {0};
        for (size_t j = 0; j < m->hidden; j++) {
            cs_vd *p = (cs_vd *)(at->cache + j * lanes + l);
            *p += m->c[j];
            sum += cs_vsoftplus(*p);
        }
        for (size_t i = 0; i < m->visible; i++)
            sum += m->b[i] * *(const cs_vd *)(at->x + i * lanes + l);
        *(cs_vd *)(u + l) = sum;
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *u)
{
    activate(t->self, at, u);
}

/* g = b + W' sigmoid(p) */
static void gradient(const cs_target *t, const cs_point *at, double *u,
                     double *g)
{
    const rbm *m = t->self;
    size_t lanes = at->lanes;
    activate(m, at, u);
    for (size_t k = 0; k < m->hidden * lanes; k += CS_VECTOR)
        *(cs_vd *)(at->scratch + k) =
            cs_vsigmoid(*(const cs_vd *)(at->cache + k));
    cs_product(m->wt, m->visible, m->hidden, m->hidden, at->scratch, lanes, g);
    for (size_t i = 0; i < m->visible; i++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            *(cs_vd *)(g + i * lanes + l) += m->b[i];
}

/* sum_j log(1 + exp(p_j + change w_j)) - log(1 + exp p_j), eight lanes, each
 * with a site of its own. */
static cs_vd rise(const rbm *m, const cs_point *at, size_t l,
                  const uint32_t *where, cs_vd change)
{
    cs_vd sum = {0};
    for (size_t j = 0; j < m->hidden; j++) {
        cs_vd w, p = *(const cs_vd *)(at->cache + j * at->lanes + l);
        for (size_t k = 0; k < CS_VECTOR; k++)
            w[k] = m->wt[where[l + k] * m->hidden + j];
        sum += cs_vsoftplus(p + change * w) - cs_vsoftplus(p);
    }
    return sum;
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const rbm *m = t->self;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd x, b;
        for (size_t k = 0; k < CS_VECTOR; k++) {
            x[k] = at->x[where[l + k] * at->lanes + l + k];
            b[k] = m->b[where[l + k]];
        }
        cs_vd change = 1.0 - 2.0 * x;
        cs_vd flip = rise(m, at, l, where, change) + change * b;
        *(cs_vd *)(d + l) = cs_vselect(x != 0.0, flip, cs_vset(0));
        *(cs_vd *)(d + at->lanes + l) = cs_vselect(x != 0.0, cs_vset(0), flip);
    }
}

static void site_moved(const cs_target *t, const cs_point *at,
                       const uint32_t *where, const double *value)
{
    const rbm *m = t->self;
    for (size_t l = 0; l < at->lanes; l++) {
        double change = value[l] - at->x[where[l] * at->lanes + l];
        const double *w = m->wt + where[l] * m->hidden;
        for (size_t j = 0; change != 0 && j < m->hidden; j++)
            at->cache[j * at->lanes + l] += change * w[j];
    }
}

/* ---- what is known ------------------------------------------------------- */

/* b_i + W_i'h, the bits of h being those of `state`. */
static double field(const rbm *m, size_t state, size_t i)
{
    double sum = m->b[i];
    for (size_t j = 0; j < m->hidden; j++)
        if (state >> j & 1)
            sum += m->wt[i * m->hidden + j];
    return sum;
}

static double softplus(double x)
{
    return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}

static double free_energy(const rbm *m, size_t state)
{
    double sum = 0;
    for (size_t j = 0; j < m->hidden; j++)
        if (state >> j & 1)
            sum += m->c[j];
    for (size_t i = 0; i < m->visible; i++)
        sum += softplus(field(m, state, i));
    return sum;
}

/* Sums over the states of the hidden units. */
static void sum_hidden(cs_target *t)
{
    rbm *m = t->self;
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

/* h from its law, then v given h. */
static void draw(const cs_target *t, const double *u, double *x)
{
    const rbm *m = t->self;
    size_t s = 0, last = ((size_t)1 << m->hidden) - 1;
    while (s < last && m->running[s] < u[0])
        s++;
    for (size_t i = 0; i < m->visible; i++)
        x[i] = u[1 + i] * (1 + exp(-field(m, s, i))) < 1;
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const rbm *m = t->self;
    if (m->cols)
        snprintf(text, size, "v.%zu.%zu", i / m->cols + 1, i % m->cols + 1);
    else
        snprintf(text, size, "v.%zu", i + 1);
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    rbm *m = t->self;
    if (!m)
        return;
    double *const all[] = {m->w,       m->wt,   m->b,       m->c,
                           m->running, m->mean, m->variance};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        cs_free(all[k]);
    cs_free(m);
    t->self = NULL;
}

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "rbm: out of memory");
}

/* Makes room for a machine of this size, and sets what follows from it. */
static cs_status size_up(cs_target *t, size_t hidden, size_t visible,
                         size_t cols, cs_error *err)
{
    rbm *m = t->self;
    if (cols && visible % cols) {
        cs_fail(err, CS_INPUT, "rbm: %zu visible units do not fill rows of %zu",
                visible, cols);
        cs_mend(err, "use a number of columns that divides them");
        return CS_INPUT;
    }
    *m = (rbm){.visible = visible, .hidden = hidden, .cols = cols};
    m->w = cs_alloc(hidden * visible, sizeof(double));
    m->wt = cs_alloc(hidden * visible, sizeof(double));
    m->b = cs_alloc(visible, sizeof(double));
    m->c = cs_alloc(hidden, sizeof(double));
    t->space = (cs_space){.kind = CS_BINARY, .dim = visible, .values = 2};
    t->cache_words = t->scratch_words = hidden;
    t->exact = (cs_exact){.log_z = NAN, .view = {-0.5, 1.5, -0.5, 1.5}};
    return m->w && m->wt && m->b && m->c ? CS_OK : no_memory(err);
}

/* rows[hidden + 1][visible + 1]: first a number that is not used and b, then
 * c_j and row j of W. */
static cs_status from_rows(cs_target *t, const double *rows, size_t n,
                           size_t width, size_t cols, cs_error *err)
{
    rbm *m = t->self;
    if (n < 2 || width < 2 || n > MOST_UNITS || width > MOST_UNITS) {
        cs_fail(err, CS_INPUT, "rbm: weights of %zu rows of %zu", n, width);
        cs_mend(err, "give a row 0, b_1, b_2, ... and for each hidden unit a "
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
    if (s == CS_INPUT)
        cs_where(err, path, 0);
    cs_table_free(&table);
    return s;
}

/* Number k of a stream of standard normals. */
static double normal(uint64_t seed, uint64_t k)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){k, 0}, (const uint64_t[]){seed, 3},
                    word);
    double u = ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
    double turn = (double)(word[1] >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * turn);
}

static cs_status at_random(cs_target *t, const cs_value *v, cs_error *err)
{
    rbm *m = t->self;
    uint64_t seed = (uint64_t)v[SEED].number, k = 0;
    cs_status s =
        size_up(t, (size_t)v[HIDDEN].number, (size_t)v[VISIBLE].number,
                (size_t)v[COLS].number, err);
    for (size_t i = 0; !s && i < m->hidden * m->visible; i++)
        m->w[i] = v[SD].number * normal(seed, k++);
    for (size_t i = 0; !s && i < m->visible; i++)
        m->b[i] = normal(seed, k++);
    for (size_t j = 0; !s && j < m->hidden; j++)
        m->c[j] = normal(seed, k++);
    return s;
}

static cs_status know(cs_target *t, cs_error *err)
{
    rbm *m = t->self;
    for (size_t j = 0; j < m->hidden; j++)
        for (size_t i = 0; i < m->visible; i++)
            m->wt[i * m->hidden + j] = m->w[j * m->visible + i];
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

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    size_t cols = (size_t)v[COLS].number;
    const cs_value *w = &v[WEIGHTS];
    t->self = cs_alloc(1, sizeof(rbm));
    if (!t->self)
        return no_memory(err);
    cs_status s = v[FILE_].given ? from_file(t, v[FILE_].text, cols, err)
                  : w->given
                      ? from_rows(t, w->array, w->rows, w->cols, cols, err)
                      : at_random(t, v, err);
    if (!s)
        s = know(t, err);
    if (s)
        destroy(t);
    return s;
}

static const cs_param params[N_PARAMS] = {
    [VISIBLE] = {.name = "visible",
                 .kind = CS_PARAM_INT,
                 .flags = CS_PARAM_FIXED,
                 .min = 1,
                 .max = MOST_UNITS,
                 .def = 12,
                 .help = "visible units of a random machine"},
    [HIDDEN] = {.name = "hidden",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_FIXED,
                .min = 1,
                .max = MOST_UNITS,
                .def = 6,
                .help = "hidden units of a random machine; up to 12 are summed "
                        "out exactly"},
    [SD] = {.name = "sd",
            .kind = CS_PARAM_REAL,
            .flags = CS_PARAM_FIXED | CS_PARAM_LOG,
            .min = 1e-6,
            .max = 100,
            .def = 0.22360679774997896,
            .help = "standard deviation of the weights of a random machine; "
                    "its biases are standard normal",
            .ref = "variance 0.05 in the papers"},
    [SEED] = {.name = "seed",
              .kind = CS_PARAM_INT,
              .flags = CS_PARAM_FIXED,
              .min = 0,
              .max = 1e9,
              .def = 1,
              .help = "of a random machine"},
    [WEIGHTS] = {.name = "weights",
                 .kind = CS_PARAM_ARRAY,
                 .flags = CS_PARAM_FIXED,
                 .help = "a row 0, b_1, b_2, ..., then for each hidden unit a "
                         "row c_j, w_j1, w_j2, ..."},
    [FILE_] = {.name = "file",
               .kind = CS_PARAM_TEXT,
               .flags = CS_PARAM_FIXED,
               .help = "path of a CSV file of such rows"},
    [COLS] = {.name = "cols",
              .kind = CS_PARAM_INT,
              .flags = CS_PARAM_FIXED,
              .min = 0,
              .max = MOST_UNITS,
              .def = 0,
              .help = "the visible units are an image of so many columns; 0: "
                      "no image"},
};

const cs_target_type CS_VARIANT(cs_target_rbm) = {
    .name = "rbm",
    .title = "Restricted Boltzmann machine",
    .ref = "Smolensky 1986; Hinton, Training products of experts by minimizing "
           "contrastive divergence, 2002",
    .help = "The visible units of a two-layer network of bits, the hidden ones "
            "summed out.",
    .params = params,
    .n_params = N_PARAMS,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .site = site,
    .site_moved = site_moved,
    .draw = draw,
    .coordinate = coordinate,
};
