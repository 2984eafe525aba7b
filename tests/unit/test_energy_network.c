/* Compares networks that define an energy with their formula. */
#include "support/support.h"

#include "base/memory.h"
#include "target/target.h"
#include "targets/network/energy_network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096, LANES = 8 };

static cs_value number(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = value};
}

static cs_value numbers(const char *name, const double *value, size_t n)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = value,
                      .rows = n,
                      .cols = 1};
}

/* A test case: an image, a network, and the number of the network's weights. */
typedef struct setting {
    size_t rows, cols, levels, channels, blocks, halvings;
    bool dense, base;
    size_t numbers;
} setting;

static const setting settings[] = {
    {3, 3, 2, 2, 1, 1, .base = false, .numbers = 20 + 38 + 38 + 6 + 2},
    {5, 4, 2, 3, 3, 2, .base = true, .numbers = 30 + 6 * 84 + 2 * 12 + 3},
    {4, 6, 5, 2, 2, 0, .base = true, .numbers = 20 + 4 * 38 + 2},
    {1, 1, 2, 1, 0, 0, .base = false, .numbers = 11},
    {4, 3, 2, 5, 2, 1, .dense = true, .base = true, .numbers = 65 + 120 + 5}};

static double weight[MOST], mean[64];

static cs_target *open_network(const setting *s)
{
    cs_target *t = NULL;
    cs_error err = {0};
    for (size_t i = 0; i < s->numbers; i++)
        weight[i] = sin(1.7 * (double)i * (double)i + 0.3) * 0.8;
    for (size_t i = 0; i < s->rows * s->cols; i++)
        mean[i] = 0.1 + 0.8 * fabs(sin((double)i));
    cs_value given[] = {number("rows", (double)s->rows),
                        number("cols", (double)s->cols),
                        number("levels", (double)s->levels),
                        number("kind", s->dense),
                        number("channels", (double)s->channels),
                        number("blocks", (double)s->blocks),
                        number("halvings", (double)s->halvings),
                        numbers("weights", weight, s->numbers),
                        numbers("mean", mean, s->rows * s->cols)};
    size_t n = sizeof given / sizeof *given - !s->base;
    if (cs_target_create(cs_target_find("energy_network"), given, n, &t, &err))
        fail_msg("%s", err.what);
    return t;
}

/* ---- the formula --------------------------------------------------------- */

/* The feature maps of one layer. */
typedef struct maps {
    size_t n, rows, cols;
    double v[MOST];
} maps;

static double at(const maps *a, size_t i, long r, long c)
{
    if (r < 0 || c < 0 || r >= (long)a->rows || c >= (long)a->cols)
        return 0;
    return a->v[(i * a->rows + (size_t)r) * a->cols + (size_t)c];
}

/* Computes the next layer of n maps, with weights taken from *w. */
static maps layer(const maps *in, size_t out, long size, long step,
                  const double **w)
{
    maps y = {.n = out,
              .rows = (in->rows + (size_t)step - 1) / (size_t)step,
              .cols = (in->cols + (size_t)step - 1) / (size_t)step};
    const double *bias = *w + out * in->n * (size_t)(size * size);
    for (size_t o = 0; o < out; o++)
        for (long r = 0; r < (long)y.rows; r++)
            for (long c = 0; c < (long)y.cols; c++) {
                double sum = bias[o];
                for (size_t i = 0; i < in->n; i++)
                    for (long u = 0; u < size; u++)
                        for (long v = 0; v < size; v++)
                            sum += (*w)[((o * in->n + i) * (size_t)size +
                                         (size_t)u) *
                                            (size_t)size +
                                        (size_t)v] *
                                   at(in, i, step * r + u - size / 2,
                                      step * c + v - size / 2);
                y.v[(o * y.rows + (size_t)r) * y.cols + (size_t)c] = sum;
            }
    *w = bias + out;
    return y;
}

static void swish(maps *a)
{
    for (size_t i = 0; i < a->n * a->rows * a->cols; i++)
        a->v[i] /= 1 + exp(-a->v[i]);
}

static void add(const maps *a, maps *to)
{
    for (size_t i = 0; i < a->n * a->rows * a->cols; i++)
        to->v[i] += a->v[i];
}

static double base(const setting *s, const double *x)
{
    double sum = 0;
    for (size_t i = 0; s->base && i < s->rows * s->cols; i++)
        sum += s->levels == 2
                   ? x[i] * log(mean[i]) + (1 - x[i]) * log(1 - mean[i])
                   : -2 * pow(x[i] / (double)(s->levels - 1) - mean[i], 2);
    return sum;
}

static double by_hand(const setting *s, const double *x)
{
    long size = s->dense ? 1 : 3;
    size_t dim = s->rows * s->cols;
    const double *w = weight;
    maps in = {.n = s->dense ? dim : 1,
               .rows = s->dense ? 1 : s->rows,
               .cols = s->dense ? 1 : s->cols};
    for (size_t i = 0; i < dim; i++)
        in.v[i] = x[i] / (double)(s->levels - 1);
    maps h = layer(&in, s->channels, size, 1, &w);
    swish(&h);
    for (size_t k = 0; k < s->blocks; k++) {
        bool halves = !s->dense && k < s->halvings;
        maps a = layer(&h, s->channels, size, halves ? 2 : 1, &w);
        swish(&a);
        maps y = layer(&a, s->channels, size, 1, &w);
        maps shortcut = halves ? layer(&h, s->channels, 1, 2, &w) : h;
        add(&shortcut, &y);
        swish(&y);
        h = y;
    }
    double sum = base(s, x);
    for (size_t c = 0; c < h.n; c++)
        for (size_t i = 0; i < h.rows * h.cols; i++)
            sum +=
                w[c] * h.v[c * h.rows * h.cols + i] / (double)(h.rows * h.cols);
    return sum;
}

/* ---- tests --------------------------------------------------------------- */

static double state_of(const setting *s, size_t lane, size_t i)
{
    size_t k = (lane * 37 + i * (lane + 3) + i * i) % 101;
    return (double)(k % s->levels);
}

/* The formula also gives log p between states, as a continuous extension. */
static void has_its_formula(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *s = &settings[k];
        cs_target *t = open_network(s);
        size_t dim = t->space.dim;
        double *x = cs_alloc(dim * LANES, sizeof *x);
        double *g = cs_alloc(dim * LANES, sizeof *g);
        double *scratch = cs_alloc(t->scratch_words * LANES, sizeof *scratch);
        _Alignas(64) double logp[LANES], again[LANES];
        double one[64];
        assert_true(x && g && scratch);
        assert_int_equal(dim, s->rows * s->cols);
        for (size_t i = 0; i < dim; i++)
            for (size_t l = 0; l < LANES; l++)
                x[i * LANES + l] =
                    state_of(s, l, i) + (l > 4 ? 0.25 * sin((double)i) : 0);
        cs_point p = {
            .x = x, .scratch = scratch, .lanes = LANES, .live = LANES};
        t->type->gradient(t, &p, logp, g);
        t->type->log_density(t, &p, again);
        assert_memory_equal(logp, again, sizeof logp);
        for (size_t l = 0; l < LANES; l++) {
            for (size_t i = 0; i < dim; i++)
                one[i] = x[i * LANES + l];
            assert_near(logp[l], by_hand(s, one), 1e-12, 1e-12);
            for (size_t i = 0; i < dim; i++) {
                double kept = one[i], h = 1e-5;
                one[i] = kept + h;
                double up = by_hand(s, one);
                one[i] = kept - h;
                double down = by_hand(s, one);
                one[i] = kept;
                assert_near(g[i * LANES + l], (up - down) / (2 * h), 1e-7,
                            1e-8);
            }
        }
        cs_free(x);
        cs_free(g);
        cs_free(scratch);
        cs_target_release(t);
    }
}

/* Checks that an invalid network is rejected with this message. */
static void refuses(const cs_value *given, size_t n, const char *why)
{
    cs_target *t = NULL;
    cs_error err = {0};
    cs_status s =
        cs_target_create(cs_target_find("energy_network"), given, n, &t, &err);
    assert_int_equal(s, CS_INPUT);
    if (!strstr(err.what, why))
        fail_msg("\"%s\" does not contain \"%s\"", err.what, why);
}

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    static const double few[3] = {1, 2, 3}, sure[9] = {0.5, 1};
    refuses(&(cs_value){.name = "weights",
                        .kind = CS_PARAM_ARRAY,
                        .given = 1,
                        .array = few,
                        .rows = 3,
                        .cols = 1},
            1, "3 weights are given, but the layers need");
    refuses(&(cs_value){.name = "mean",
                        .kind = CS_PARAM_ARRAY,
                        .given = 1,
                        .array = few,
                        .rows = 3,
                        .cols = 1},
            1, "3 means are given for 9 pixels");
    refuses(&(cs_value){.name = "mean",
                        .kind = CS_PARAM_ARRAY,
                        .given = 1,
                        .array = sure,
                        .rows = 9,
                        .cols = 1},
            1, "the mean of pixel 2 is 1");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(has_its_formula),
    cmocka_unit_test(refuses_what_does_not_fit),
};
TESTS(test_energy_network)
