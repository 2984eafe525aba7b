/* Compares the target `perceptron` with its formula. */
#include "support/support.h"

#include "target/enumeration.h"
#include "target/eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { IN = 3, H = 5, ROWS = 11, HELD = 6, MOST = 200 };

static cs_value number(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = value};
}

static cs_value text(const char *name, const char *value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_TEXT, .given = 1, .text = value};
}

static cs_value table(const char *name, const double *rows, size_t n)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = rows,
                      .rows = n,
                      .cols = IN + 1};
}

/* A network and its two tables. The last column of a table is the response or
 * the class. */
typedef struct network {
    double row[ROWS + HELD][IN + 1];
    size_t classes, outputs;
    bool relu;
    double noise, mean[IN + 1], sd[IN + 1];
    cs_target *t;
} network;

static void fill(network *n, size_t classes)
{
    n->classes = classes;
    n->outputs = classes > 2 ? classes : 1;
    for (int i = 0; i < ROWS + HELD; i++) {
        for (int j = 0; j < IN; j++)
            n->row[i][j] = j == 1 ? 7 : sin(3 * i + j) * (j + 2) + j;
        n->row[i][IN] = classes ? (double)((size_t)(i * i + 1) % classes)
                                : 10 + 4 * cos(2 * i);
    }
}

static void moments(network *n)
{
    for (int j = 0; j <= IN; j++) {
        double mean = 0, square = 0;
        for (int i = 0; i < ROWS; i++)
            mean += n->row[i][j] / ROWS;
        for (int i = 0; i < ROWS; i++)
            square += pow(n->row[i][j] - mean, 2) / ROWS;
        n->mean[j] = j == IN && n->classes ? 0 : mean;
        n->sd[j] = j == 1 || (j == IN && n->classes) ? 1 : sqrt(square);
    }
}

/* Opens a network; `standard` selects the columns that are standardised. */
static void open_network(network *n, size_t classes, bool relu,
                         const char *standard)
{
    cs_error err = {0};
    *n = (network){.relu = relu, .noise = 0.3};
    fill(n, classes);
    moments(n);
    for (int j = 0; j <= IN; j++)
        if (j < IN ? strcmp(standard, "nothing") == 0
                   : strcmp(standard, "all") != 0) {
            n->mean[j] = 0;
            n->sd[j] = 1;
        }
    cs_value given[] = {table("table", n->row[0], ROWS),
                        table("held_table", n->row[ROWS], HELD),
                        number("hidden", H),
                        number("classes", (double)classes),
                        number("noise", n->noise),
                        number("precision", 0.5),
                        text("activation", relu ? "relu" : "tanh"),
                        text("standardise", standard)};
    if (cs_target_create(cs_target_find("perceptron"), given, 8, &n->t, &err))
        fail_msg("%s", err.what);
}

/* Computes the outputs for row i, in the units of the data. */
static void outputs(const network *n, const double *x, int i, double *f)
{
    const double *v = x + (IN + 1) * H;
    for (size_t o = 0; o < n->outputs; o++)
        f[o] = v[n->outputs * H + o];
    for (size_t h = 0; h < H; h++) {
        double z = x[IN * H + h];
        for (size_t j = 0; j < IN; j++)
            z += x[j * H + h] * (n->row[i][j] - n->mean[j]) / n->sd[j];
        double a = n->relu ? fmax(z, 0) : tanh(z);
        for (size_t o = 0; o < n->outputs; o++)
            f[o] += v[o * H + h] * a;
    }
}

/* Computes the probability of each class. */
static void shares(const network *n, const double *f, double *p)
{
    double sum = 0;
    if (n->classes == 2) {
        p[1] = 1 / (1 + exp(-f[0]));
        p[0] = 1 - p[1];
        return;
    }
    for (size_t o = 0; o < n->outputs; o++)
        sum += p[o] = exp(f[o]);
    for (size_t o = 0; o < n->outputs; o++)
        p[o] /= sum;
}

static double term(const network *n, const double *x, int i)
{
    double f[8], p[8], y = n->row[i][IN];
    outputs(n, x, i, f);
    if (!n->classes)
        return -pow(((y - n->mean[IN]) / n->sd[IN] - f[0]) / n->noise, 2) / 2;
    shares(n, f, p);
    return log(p[(size_t)y]);
}

static void state_of(const network *n, int k, double *x)
{
    for (size_t i = 0; i < n->t->space.dim; i++)
        x[i] = sin((double)(i + 1) * (k + 1)) * 0.7;
}

static void as_the_formula_says(const network *n)
{
    double x[MOST], logp, want = 0;
    assert_int_equal(n->t->space.dim, (IN + 1 + n->outputs) * H + n->outputs);
    assert_int_equal(n->t->n_rows, ROWS);
    state_of(n, 0, x);
    for (size_t i = 0; i < n->t->space.dim; i++)
        want -= 0.25 * x[i] * x[i];
    for (int i = 0; i < ROWS; i++)
        want += term(n, x, i);
    assert_true(cs_enumeration_evaluate(n->t, x, 1, &logp));
    assert_near(logp, want, 1e-13, 1e-13);
}

/* Returns the scores of a prediction. The prediction averages three states of
 * the network with these weights, some of which may be 0. */
static cs_held_out by_hand(const network *n, double x[3][MOST],
                           const double *weight)
{
    cs_held_out out = {NAN, NAN, 0};
    double square = 0, right = 0, all = weight[0] + weight[1] + weight[2];
    for (int i = ROWS; i < ROWS + HELD; i++) {
        double f[8], p[8], mean[8] = {0}, fit = 0, y = n->row[i][IN];
        for (int k = 0; k < 3; k++) {
            outputs(n, x[k], i, f);
            if (n->classes)
                shares(n, f, p);
            else
                p[0] = n->mean[IN] + n->sd[IN] * f[0];
            for (size_t o = 0; o < (n->classes ? n->classes : 1); o++)
                mean[o] += weight[k] * p[o] / all;
            double sd = n->sd[IN] * n->noise;
            fit += weight[k] / all *
                   (n->classes ? p[(size_t)y]
                               : exp(-pow((y - p[0]) / sd, 2) / 2) / sd /
                                     sqrt(6.283185307179586));
        }
        size_t best = 0;
        for (size_t o = 1; o < n->classes; o++)
            best = mean[o] > mean[best] ? o : best;
        square += pow(y - mean[0], 2) / HELD;
        right += (double)best == y;
        out.log_score += log(fit) / HELD;
    }
    if (n->classes)
        out.accuracy = right / HELD;
    else
        out.rmse = sqrt(square);
    return out;
}

static void same(double got, double want)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_near(got, want, 1e-12, 1e-12);
}

static void predicts_as_the_formula_says(const network *n)
{
    double x[3][MOST], packed[3 * MOST];
    const double log_weight[] = {-700, -701, -699.5}, one[] = {1, 1, 1};
    double weight[] = {1, exp(-1), exp(0.5)};
    const size_t group[] = {0, 1, 0};
    cs_held_out out[3], want;
    size_t dim = n->t->space.dim;
    for (int k = 0; k < 3; k++) {
        state_of(n, k, x[k]);
        memcpy(packed + (size_t)k * dim, x[k], dim * sizeof *packed);
    }
    n->t->type->held_out(n->t, packed, NULL, 3, NULL, 0, out);
    want = by_hand(n, x, one);
    same(out[0].rmse, want.rmse);
    same(out[0].accuracy, want.accuracy);
    same(out[0].log_score, want.log_score);
    n->t->type->held_out(n->t, packed, log_weight, 3, group, 2, out);
    for (int g = 0; g < 3; g++) {
        const double left[3][3] = {{1, 1, 1}, {0, 1, 0}, {1, 0, 1}};
        double with[3];
        for (int k = 0; k < 3; k++)
            with[k] = weight[k] * left[g][k];
        want = by_hand(n, x, with);
        same(out[g].rmse, want.rmse);
        same(out[g].accuracy, want.accuracy);
        same(out[g].log_score, want.log_score);
    }
}

static void regression_and_classes(void **state)
{
    (void)state;
    static const size_t classes[] = {0, 2, 4};
    static const char *const standard[] = {"all", "inputs", "nothing"};
    for (size_t k = 0; k < 18; k++) {
        network n;
        open_network(&n, classes[k % 3], k % 2, standard[k / 6]);
        as_the_formula_says(&n);
        predicts_as_the_formula_says(&n);
        cs_target_release(n.t);
    }
}

/* If the predictions of all states are far from the data, the probabilities of
 * the data are tiny. They must still contribute to the score. */
static void what_nobody_expects(void **state)
{
    (void)state;
    network n;
    double x[MOST] = {0};
    cs_held_out out;
    open_network(&n, 0, false, "all");
    for (size_t i = (IN + 1) * H; i < n.t->space.dim; i++)
        x[i] = 1000;
    n.t->type->held_out(n.t, x, NULL, 1, NULL, 0, &out);
    assert_true(isfinite(out.log_score) && out.log_score < -1e6);
    const double nobody = -HUGE_VAL;
    n.t->type->held_out(n.t, x, &nobody, 1, NULL, 0, &out);
    assert_true(isnan(out.rmse) && isnan(out.log_score));
    cs_target_release(n.t);
}

static void names_and_starts(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        const char *name;
    } named[] = {{0, "w.1.1"},
                 {H, "w.2.1"},
                 {IN * H + 2, "c.3"},
                 {(IN + 1) * H, "v.1.1"},
                 {(IN + 4) * H - 1, "v.3.5"},
                 {(IN + 4) * H, "b.1"},
                 {(IN + 4) * H + 2, "b.3"}};
    network n;
    char name[32];
    double uniform[MOST] = {0}, x[MOST];
    open_network(&n, 3, false, "all");
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        cs_target_coordinate(n.t, named[k].at, name, sizeof name);
        assert_string_equal(name, named[k].name);
    }
    cs_target_start(n.t, uniform, x);
    assert_near(x[0], -1 / sqrt(IN), 1e-15, 0);
    assert_near(x[(IN + 1) * H], -1 / sqrt(H), 1e-15, 0);
    cs_target_release(n.t);
}

static void refused(const cs_value *given, size_t n, const char *what)
{
    cs_target *t = NULL;
    cs_error err = {0};
    assert_int_equal(
        cs_target_create(cs_target_find("perceptron"), given, n, &t, &err),
        CS_INPUT);
    if (!strstr(err.what, what))
        fail_msg("'%s' does not say '%s'", err.what, what);
    assert_true(err.hint[0] != 0);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    const double rows[2][IN + 1] = {{1, 2, 3, 0}, {1, 2, 3, 1.5}};
    const double odd[2][IN + 1] = {{1, 2, NAN, 0}, {1, 2, 3, 1}};
    cs_value classes[] = {table("table", rows[0], 2), number("classes", 2)};
    refused(classes, 2, "the class of row 2 is 1.5");
    cs_value one = number("classes", 1);
    refused(&one, 1, "classes = 1 is not a classification");
    cs_value nan = table("table", odd[0], 2);
    refused(&nan, 1, "table has nan in row 1");
    cs_value narrow[] = {table("table", rows[0], 2),
                         table("held_table", rows[0], 2)};
    narrow[1].rows = 4;
    narrow[1].cols = 2;
    refused(narrow, 2, "2 columns, but the training file has 4");
    cs_value both[] = {table("table", rows[0], 2), text("file", "any.csv")};
    refused(both, 2, "both file and table");
    cs_value thin = table("table", rows[0], 8);
    thin.cols = 1;
    refused(&thin, 1, "8 rows and 1 columns");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(regression_and_classes),
    cmocka_unit_test(what_nobody_expects),
    cmocka_unit_test(names_and_starts),
    cmocka_unit_test(refuses_what_makes_no_sense),
};
TESTS(test_perceptron)
