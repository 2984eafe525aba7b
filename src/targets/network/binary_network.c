/* Bayesian neural networks with weights +-1 = 2 x - 1:
 *
 *     log p(x) = -scale / N sum_n (sigmoid f(in_n) - y_n)^2,
 *     f(in) = b + sum_j v_j tanh(c_j + sum_i w_ij in_i),
 *
 * where x holds the bits of w (inputs x hidden, row by row), then of c, v and
 * b.
 *
 * Mohanty, Bhattacharya and Zhang, "Entropy-Guided Sampling of Flat Modes in
 * Discrete Spaces" (ICML 2025), section 6.4, as in the released program. The
 * paper states the sum of squared errors of f itself; the program uses 100
 * times the mean squared error of the sigmoid of f. Weights are not divided by
 * the square root of the number of units.
 *
 * Each chain has its own weights. The lanes of a vector are chains, which share
 * each row of the table. In single precision the sums over a block of rows are
 * floats, and the sums over the whole table are doubles. log p is a function of
 * x only, so a sampler with an accept step is exact for this log p. Site
 * differences are computed from cached outputs and have rounding errors. */
#include "base/memory.h"
#include "simd/vmath.h"
#include "targets/network/binary_table.h"
#include "targets/network/held_out.h"

#include <math.h>
#include <string.h>

/* ---- doubles ------------------------------------------------------------- */

static inline cs_vd load_doubles(const double *p)
{
    return *(const cs_vd *)p;
}

static inline cs_vd sign_sum(cs_vd a, cs_vd b, cs_vd c)
{
#if defined(__FMA__)
    return cs_vfma(a, b, c);
#else
    return a * b + c;
#endif
}

#define NET(name) double_##name
#define NET_REAL double
#define NET_VECTOR cs_vd
#define NET_LANES CS_VECTOR
#define NET_ALL(a) cs_vset(a)
#define NET_FMA cs_vfma
#define NET_SIGN sign_sum
#define NET_TANH cs_vtanh
#define NET_DOUBLES load_doubles
#define NET_KEEP(p, v) (*(cs_vd *)(p) = (v))
#define NET_TILE 4
#define NET_UNIT(m) ((m)->inputs + 2)
#define NET_TABLES 0
#define NET_PREDICTS 1
#include "targets/network/binary_pass.h"

/* ---- floats -------------------------------------------------------------- */

/* Computes table[n][quads][16] from n rows x[n / 8][inputs][8]. The last input
 * of each row is 1, so that the weight of this input is the bias. */
static void tabulate(const cs_binary *m, const float *x, size_t n, float *table)
{
    for (size_t r = 0; r < n; r++)
        for (size_t q = 0; q < cs_binary_quads(m); q++, table += 16) {
            float in[4] = {0};
            for (size_t b = 0; b < 4 && 4 * q + b <= m->inputs; b++)
                in[b] = 4 * q + b < m->inputs
                            ? x[(r / 8 * m->inputs + 4 * q + b) * 8 + r % 8]
                            : 1;
            for (size_t i = 0; i < 16; i++)
                table[i] = (i & 1 ? in[0] : -in[0]) + (i & 2 ? in[1] : -in[1]) +
                           (i & 4 ? in[2] : -in[2]) + (i & 8 ? in[3] : -in[3]);
        }
}

typedef float eight __attribute__((vector_size(32), may_alias));
typedef uint32_t eight_whole __attribute__((vector_size(32), may_alias));

static inline eight all_eight(float a)
{
    return (eight){a, a, a, a, a, a, a, a};
}

static inline eight fuse_eight(eight a, eight b, eight c)
{
#if defined(__FMA__)
    return (eight)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    for (unsigned i = 0; i < 8; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
#endif
}

static inline eight look_up_eight(const float *table, eight index)
{
#if defined(__AVX512VL__)
    return (eight)_mm256_permutex2var_ps(_mm256_load_ps(table), (__m256i)index,
                                         _mm256_load_ps(table + 8));
#elif defined(__AVX2__)
    __m256 low =
        _mm256_permutevar8x32_ps(_mm256_load_ps(table), (__m256i)index);
    __m256 high =
        _mm256_permutevar8x32_ps(_mm256_load_ps(table + 8), (__m256i)index);
    return (eight)_mm256_blendv_ps(low, high, (__m256)index);
#else
    eight out;
    for (unsigned i = 0; i < 8; i++)
        out[i] = table[((eight_whole)index)[i] & 15];
    return out;
#endif
}

/* Returns a with its magnitude limited to `most`. */
static inline eight within_eight(eight a, float most)
{
#if defined(__AVX__)
    __m256 low = _mm256_max_ps((__m256)a, _mm256_set1_ps(-most));
    return (eight)_mm256_min_ps(low, _mm256_set1_ps(most));
#else
    for (unsigned i = 0; i < 8; i++)
        a[i] = a[i] > most ? most : a[i] < -most ? -most : a[i];
    return a;
#endif
}

/* Computes 1 - 2 / (1 + exp 2a) with an error of at most 2e-7. The exponential
 * is 2^k 2^r, |r| <= 1/2, with 2^r from a polynomial with a relative error of
 * 7.5e-8 (fitted by least squares with weights that make the error uniform). */
#define TANH(vector, whole, a, all, within, fuse)                              \
    do {                                                                       \
        vector y = within((a)*2.885390043258667f, 60.0f);                      \
        vector shifted = y + 12582912.0f; /* 1.5 * 2^23: k in the low bits */  \
        vector r = y - (shifted - 12582912.0f);                                \
        vector p =                                                             \
            fuse(all(0.0013276470126584172f), r, all(0.009675540961325169f));  \
        p = fuse(p, r, all(0.05550713092088699f));                             \
        p = fuse(p, r, all(0.24022120237350464f));                             \
        p = fuse(p, r, all(0.6931469440460205f));                              \
        p = fuse(p, r, all(1.0f));                                             \
        vector e = (vector)((whole)p + ((whole)shifted << 23));                \
        return 1.0f - 2.0f / (1.0f + e);                                       \
    } while (0)

static inline eight tanh_eight(eight a)
{
    TANH(eight, eight_whole, a, all_eight, within_eight, fuse_eight);
}

static inline eight sign_eight(eight a, eight b, eight c)
{
#if defined(__FMA__)
    return fuse_eight(a, b, c);
#else
    return a * b + c;
#endif
}

#define NET(name) eight_##name
#define NET_REAL float
#define NET_VECTOR eight
#define NET_WHOLE eight_whole
#define NET_LANES 8
#define NET_ALL all_eight
#define NET_FMA fuse_eight
#define NET_SIGN sign_eight
#define NET_TANH tanh_eight
#define NET_DOUBLES cs_vwiden
#define NET_KEEP cs_vnarrow
#define NET_TILE 4
#define NET_UNIT(m) (cs_binary_quads(m) + 1)
#define NET_TABLES 1
#define NET_LOOK_UP look_up_eight
#define NET_PREDICTS 1
#include "targets/network/binary_pass.h"

#if defined(__AVX512F__)
typedef float many __attribute__((vector_size(64), may_alias));
typedef uint32_t many_whole __attribute__((vector_size(64), may_alias));

static inline many all_many(float a)
{
    return (many)_mm512_set1_ps(a);
}

static inline many fuse_many(many a, many b, many c)
{
    return (many)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

static inline many look_up_many(const float *table, many index)
{
    return (many)_mm512_permutexvar_ps((__m512i)index, _mm512_load_ps(table));
}

static inline many within_many(many a, float most)
{
    __m512 low = _mm512_max_ps((__m512)a, _mm512_set1_ps(-most));
    return (many)_mm512_min_ps(low, _mm512_set1_ps(most));
}

static inline many tanh_many(many a)
{
    TANH(many, many_whole, a, all_many, within_many, fuse_many);
}

#define NET(name) many_##name
#define NET_REAL float
#define NET_VECTOR many
#define NET_WHOLE many_whole
#define NET_LANES 16
#define NET_ALL all_many
#define NET_FMA fuse_many
#define NET_SIGN fuse_many
#define NET_TANH tanh_many
#define NET_DOUBLES cs_vwiden
#define NET_KEEP cs_vnarrow
#define NET_TILE 8
#define NET_UNIT(m) (cs_binary_quads(m) + 1)
#define NET_TABLES 1
#define NET_LOOK_UP look_up_many
#define NET_PREDICTS 0
#include "targets/network/binary_pass.h"
#endif

/* ---- both precisions ----------------------------------------------------- */

/* Scales the sums over the rows. The factor includes 2, because a change of x
 * by 1 changes a weight by 2. */
static void scale(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    const cs_binary *m = t->self;
    double by = -m->scale / (double)m->train.rows;
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] *= by;
    for (size_t i = 0; g && i < t->space.dim * at->lanes; i++)
        g[i] *= 4 * by;
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const cs_binary *m = t->self;
    if (g)
        memset(g, 0, t->space.dim * at->lanes * sizeof *g);
    size_t l = 0;
#if defined(__AVX512F__)
    for (; m->single && l + 16 <= at->lanes; l += 16)
        many_pass(m, at, l, logp, g);
#endif
    for (; l < at->lanes; l += m->single ? 8 : CS_VECTOR)
        (m->single ? eight_pass : double_pass)(m, at, l, logp, g);
    memcpy(at->cache + m->train.padded * at->lanes, logp,
           at->lanes * sizeof *logp);
    scale(t, at, logp, g);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    gradient(t, at, logp, NULL);
}

/* ---- a single weight ----------------------------------------------------- */

static cs_vd turn_over(const cs_binary *m, const cs_point *at, size_t l,
                       const uint32_t *where, const double *value)
{
    return (m->single ? eight_turn_over : double_turn_over)(m, at, l, where,
                                                            value);
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const cs_binary *m = t->self;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd was = load_doubles(at->cache + m->train.padded * at->lanes + l),
              x;
        cs_vd change = turn_over(m, at, l, where, NULL) - was;
        change *= -m->scale / (double)m->train.rows;
        for (size_t k = 0; k < CS_VECTOR; k++)
            x[k] = at->x[where[l + k] * at->lanes + l + k];
        *(cs_vd *)(d + l) = cs_vselect(x != 0.0, change, cs_vset(0));
        *(cs_vd *)(d + at->lanes + l) =
            cs_vselect(x != 0.0, cs_vset(0), change);
    }
}

static void site_moved(const cs_target *t, const cs_point *at,
                       const uint32_t *where, const double *value)
{
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        bool any = false;
        for (size_t k = l; k < l + CS_VECTOR; k++)
            any |= value[k] != at->x[where[k] * at->lanes + k];
        if (any)
            turn_over(t->self, at, l, where, value);
    }
}

/* ---- held out ------------------------------------------------------------ */

static void predict(const cs_target *t, const cs_point *at, double *p,
                    double *fit)
{
    const cs_binary *m = t->self;
    (void)fit;
    for (size_t l = 0; l < at->lanes; l += m->single ? 8 : CS_VECTOR)
        (m->single ? eight_predict : double_predict)(m, at, l, p);
}

static void held_out(const cs_target *t, const double *x,
                     const double *log_weight, size_t n, const size_t *group,
                     size_t groups, cs_held_out *out)
{
    const cs_binary *m = t->self;
    const cs_held_model model = {.rows = m->test.rows,
                                 .values = 1,
                                 .y = m->test.y,
                                 .y_sd = 1,
                                 .predict = predict};
    cs_held_out_of(t, &model, x, log_weight, n, group, groups, out);
}

/* ---- parameters ---------------------------------------------------------- */

static const char *const precisions[] = {"double", "single", NULL};

static const cs_param params[] = {
    [CS_NET_FILE] =
        {.name = "file",
         CS_FIXED_PATH,
         .help = "path of a CSV file whose last column is the response, "
                 "between 0 and 1; without a file, a random table is used"},
    [CS_NET_HELD_OUT] = {.name = "held_out",
                         CS_FIXED_PATH,
                         .help = "path of a CSV file of held-out rows"},
    [CS_NET_WITHOUT] =
        {.name = "without",
         CS_FIXED(TEXT),
         .help = "names of columns to leave out, separated by commas"},
    [CS_NET_SHARE] = {.name = "share",
                      CS_FIXED(REAL),
                      CS_PARAM_RANGE(0, 1, 1),
                      .help = "share of the rows of `file` that are used, "
                              "starting with the first row"},
    [CS_NET_THIN] = {.name = "thin",
                     CS_FIXED(INT),
                     CS_PARAM_RANGE(1, 1e9, 1),
                     .help =
                         "thin = n uses only every n-th of the selected rows; "
                         "n = 10 takes a tenth of the time and hardly changes "
                         "the log density, which is a mean over rows"},
    [CS_NET_HIDDEN] = {.name = "hidden",
                       CS_FIXED(INT),
                       CS_PARAM_RANGE(1, 4096, 4),
                       .help = "hidden units"},
    [CS_NET_SCALE] = {.name = "scale",
                      .unit = "nats",
                      CS_FIXED_SCALE,
                      CS_PARAM_RANGE(1e-6, 1e9, 100),
                      .help = "inverse temperature, by which the mean squared "
                              "error is multiplied to give the energy"},
    [CS_NET_STANDARDISE] = {.name = "standardise",
                            CS_FIXED(BOOL),
                            .max = 1,
                            .def = 1,
                            .help =
                                "true: scale each input to mean 0 and standard "
                                "deviation 1 over the rows that are used"},
    [CS_NET_PRECISION] =
        {.name = "precision",
         CS_FIXED(CHOICE),
         .max = 1,
         .choices = precisions,
         .help =
             "floating-point precision of the network. Single precision takes "
             "less than half the time, and log p is accurate to a millionth"},
    [CS_NET_INPUTS] = {.name = "inputs",
                       CS_FIXED(INT),
                       CS_PARAM_RANGE(1, 4095, 3),
                       .help = "inputs of a random table"},
    [CS_NET_ROWS] = {.name = "rows",
                     CS_FIXED(INT),
                     CS_PARAM_RANGE(1, 1 << 24, 50),
                     .help = "rows of a random table; the number of additional "
                             "held-out rows is half of this number"},
    [CS_NET_SEED] = {.name = "seed",
                     CS_FIXED(INT),
                     CS_PARAM_RANGE(0, 1e9, 1),
                     .help = "seed of a random table"},
};

const cs_target_type CS_VARIANT(cs_target_binary_network) = {
    .name = "binary_network",
    .title = "Binary Bayesian neural network",
    .flags = CS_TARGET_EIGHTS,
    .ref = "Mohanty, Bhattacharya and Zhang, Entropy-Guided Sampling of Flat "
           "Modes in Discrete Spaces, 2025, section 6.4",
    .help = "The weights, each -1 or 1, of a network with one hidden layer. "
            "Weights with a smaller error on a table of data are more likely.",
    CS_PARAM_TABLE(params),
    .size = sizeof(cs_binary),
    .create = cs_binary_create,
    .destroy = cs_binary_destroy,
    .log_density = log_density,
    .gradient = gradient,
    .sites.site = site,
    .sites.moved = site_moved,
    .held_out = held_out,
    .coordinate = cs_binary_coordinate,
};
