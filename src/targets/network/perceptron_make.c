#include "targets/network/perceptron.h"

#include "base/memory.h"
#include "targets/network/network_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Selects the columns that are standardised: all, only the inputs, or none. */
enum { ALL, INPUTS, NOTHING };
static const char *const standards[] = {"all", "inputs", "nothing", NULL};

enum { MOST_NUMBERS = 1 << 28 /* largest size of a table or a state */ };

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target perceptron");
}

/* ---- tables -------------------------------------------------------------- */

/* Copies a matrix that was given as a parameter to the table t. */
static cs_status copy_table(const cs_value *v, cs_table *t, cs_error *err)
{
    *t = (cs_table){.rows = v->rows, .cols = v->cols};
    for (size_t i = 0; i < v->rows * v->cols; i++)
        if (!isfinite(v->array[i])) {
            cs_fail(err, CS_INPUT, "perceptron: %s has %g in row %zu", v->name,
                    v->array[i], i / v->cols + 1);
            cs_hint(err, "leave out rows with missing numbers");
            return CS_INPUT;
        }
    t->data = cs_alloc(v->rows * v->cols, sizeof *t->data);
    if (!t->data)
        return no_memory(err);
    memcpy(t->data, v->array, v->rows * v->cols * sizeof *t->data);
    return CS_OK;
}

/* Reads a table from a file or a matrix, whichever is given; returns false if
 * neither is given. */
static bool take_table(const cs_value *file, const cs_value *array, cs_table *t,
                       cs_status *s, cs_error *err)
{
    if (file->given && array->given) {
        *s = cs_fail(err, CS_INPUT, "perceptron: both %s and %s are given",
                     file->name, array->name);
        cs_hint(err, "leave one of them out");
    } else if (file->given) {
        *s = cs_table_read(file->text, t, err);
    } else if (array->given) {
        *s = copy_table(array, t, err);
    }
    return file->given || array->given;
}

/* Makes a random table: inputs from N(0, 1), and their sum s with coefficients
 * from N(0, 1). A real response is sin s plus a normal number times 0.1. A
 * class is the k with k / classes <= 1 / (1 + exp -s) < (k + 1) / classes. The
 * rows are part of an infinite table, starting at its row `first`. */
static cs_status make_table(const cs_value *v, size_t first, size_t rows,
                            cs_table *t, cs_error *err)
{
    size_t inputs = (size_t)v[CS_PERCEPTRON_INPUTS].number;
    uint64_t seed = (uint64_t)v[CS_PERCEPTRON_SEED].number;
    double classes = v[CS_PERCEPTRON_CLASSES].number;
    *t = (cs_table){.rows = rows, .cols = inputs + 1};
    t->data = cs_alloc(rows * t->cols, sizeof *t->data);
    if (!t->data)
        return no_memory(err);
    for (size_t i = 0; i < rows; i++) {
        double *row = t->data + i * t->cols, s = 0;
        uint64_t k = (first + i + 1) * t->cols;
        for (size_t j = 0; j < inputs; j++) {
            row[j] = cs_network_normal(seed, k + j);
            s += row[j] * cs_network_normal(seed, j);
        }
        row[inputs] = classes > 0
                          ? floor(classes / (1 + exp(-s)))
                          : sin(s) + 0.1 * cs_network_normal(seed, k + inputs);
    }
    return CS_OK;
}

/* Reads or generates both tables, and checks that they have equal columns. */
static cs_status take_tables(const cs_value *v, cs_table *train, cs_table *test,
                             cs_error *err)
{
    const cs_value *held = &v[CS_PERCEPTRON_HELD_OUT];
    size_t rows = (size_t)v[CS_PERCEPTRON_RANDOM_ROWS].number;
    cs_status s = CS_OK;
    bool given = take_table(&v[CS_PERCEPTRON_FILE], &v[CS_PERCEPTRON_TABLE],
                            train, &s, err);
    if (!given)
        s = make_table(v, 0, rows, train, err);
    if (!s && !take_table(held, &v[CS_PERCEPTRON_HELD_TABLE], test, &s, err) &&
        !given)
        s = make_table(v, rows, (rows + 1) / 2, test, err);
    if (!s)
        s = cs_network_fits("perceptron", train, test,
                            held->given ? held->text : "held_table", err);
    if (s || (train->cols >= 2 && train->rows))
        return s;
    cs_fail(err, CS_INPUT,
            "perceptron: a table of %zu rows and %zu columns is too small",
            train->rows, train->cols);
    cs_hint(err, "give rows of inputs, each with the response at the end");
    return CS_INPUT;
}

/* ---- rows ---------------------------------------------------------------- */

/* Returns the centre and the scale of each column. */
static double *scales_of(const cs_perceptron *m, const cs_value *v,
                         const cs_table *train)
{
    double *about = cs_alloc(m->inputs + 1, 2 * sizeof *about);
    double which = v[CS_PERCEPTRON_STANDARDISE].number;
    for (size_t j = 0; about && j <= m->inputs; j++) {
        about[2 * j + 1] = 1;
        bool input = j < m->inputs;
        if (input ? which != NOTHING : which == ALL && !m->classes)
            cs_network_moments(train, j, about + 2 * j, about + 2 * j + 1);
    }
    return about;
}

static cs_status check_class(const cs_perceptron *m, double y, size_t row,
                             cs_error *err)
{
    if (!m->classes || (y >= 0 && y < (double)m->classes && y == floor(y)))
        return CS_OK;
    cs_fail(err, CS_INPUT, "perceptron: the class of row %zu is %g", row + 1,
            y);
    cs_hint(
        err,
        "the values of the last column must be 0 to %zu, since classes = %zu",
        m->classes - 1, m->classes);
    return CS_INPUT;
}

static cs_status lay_rows(const cs_perceptron *m, const cs_table *t,
                          const double *about, cs_perceptron_rows *d,
                          cs_error *err)
{
    d->rows = t->rows;
    if (t->rows <= MOST_NUMBERS / m->inputs)
        d->x = cs_alloc(t->rows * m->inputs, sizeof *d->x);
    d->y = cs_alloc(t->rows, sizeof *d->y);
    if (!d->x || !d->y)
        return no_memory(err);
    for (size_t i = 0; i < t->rows; i++) {
        const double *row = t->data + i * t->cols;
        cs_status s = check_class(m, row[m->inputs], i, err);
        if (s)
            return s;
        for (size_t j = 0; j < m->inputs; j++)
            d->x[i * m->inputs + j] =
                (row[j] - about[2 * j]) / about[2 * j + 1];
        d->y[i] =
            (row[m->inputs] - about[2 * m->inputs]) / about[2 * m->inputs + 1];
    }
    return CS_OK;
}

static cs_status fill(cs_perceptron *m, const cs_value *v,
                      const cs_table *train, const cs_table *test,
                      cs_error *err)
{
    double *about = scales_of(m, v, train);
    if (!about)
        return no_memory(err);
    m->y_mean = about[2 * m->inputs];
    m->y_sd = about[2 * m->inputs + 1];
    cs_status s = lay_rows(m, train, about, &m->train, err);
    if (!s)
        s = lay_rows(m, test, about, &m->test, err);
    cs_free(about);
    return s;
}

/* ---- instances ----------------------------------------------------------- */

void cs_perceptron_destroy(cs_target *t)
{
    cs_perceptron *m = t->self;
    CS_FREE_ALL(m->train.x, m->train.y, m->test.x, m->test.y);
}

void cs_perceptron_coordinate(const cs_target *t, size_t i, char *text,
                              size_t size)
{
    const cs_perceptron *m = t->self;
    size_t row = i / m->hidden, unit = i % m->hidden + 1;
    size_t output = row - m->inputs; /* index of the output, from 1 */
    if (row < m->inputs)
        snprintf(text, size, "w.%zu.%zu", row + 1, unit);
    else if (row == m->inputs)
        snprintf(text, size, "c.%zu", unit);
    else if (output > m->outputs || i + m->outputs >= t->space.dim)
        snprintf(text, size, "b.%zu", i + m->outputs - t->space.dim + 1);
    else
        snprintf(text, size, "v.%zu.%zu", output, unit);
}

/* Starts from weights drawn uniformly between -1 / sqrt(n) and 1 / sqrt(n),
 * where n is the number of inputs of the unit. Such weights are near 0 but not
 * equal, as is usual for neural networks. */
void cs_perceptron_start(const cs_target *t, const double *uniform, double *x)
{
    const cs_perceptron *m = t->self;
    for (size_t i = 0; i < t->space.dim; i++) {
        bool first = i < (m->inputs + 1) * m->hidden;
        double n = (double)(first ? m->inputs : m->hidden);
        x[i] = (2 * uniform[i] - 1) / sqrt(n);
    }
}

static cs_status build(cs_target *t, const cs_value *v, const cs_table *train,
                       const cs_table *test, cs_error *err)
{
    cs_perceptron *m = t->self;
    m->inputs = train->cols - 1;
    m->hidden = (size_t)v[CS_PERCEPTRON_HIDDEN].number;
    m->padded = cs_pad_lanes(m->hidden);
    m->classes = (size_t)v[CS_PERCEPTRON_CLASSES].number;
    m->outputs = m->classes > 2 ? m->classes : 1;
    m->relu = v[CS_PERCEPTRON_ACTIVATION].number != 0;
    m->precision = v[CS_PERCEPTRON_PRECISION].number;
    m->rate =
        1 / (v[CS_PERCEPTRON_NOISE].number * v[CS_PERCEPTRON_NOISE].number);
    size_t dim = (m->inputs + 1 + m->outputs) * m->hidden + m->outputs;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = dim};
    t->scratch_words = cs_perceptron_scratch(m);
    t->exact = (cs_exact){.log_z = NAN, .view = {-3, 3, -3, 3}};
    cs_status s = fill(m, v, train, test, err);
    t->data_terms = t->n_rows = m->train.rows;
    return s;
}

cs_status cs_perceptron_create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_table train = {0}, test = {0};
    cs_status s = CS_OK;
    if (v[CS_PERCEPTRON_CLASSES].number == 1) {
        s = cs_fail(err, CS_INPUT,
                    "perceptron: classes = 1 is not a classification");
        cs_hint(err, "give classes = 0 for regression, or at least 2 for "
                     "classification");
    }
    if (!s)
        s = take_tables(v, &train, &test, err);
    if (!s)
        s = build(t, v, &train, &test, err);
    cs_table_free(&train);
    cs_table_free(&test);
    return s;
}

/* ---- parameters ---------------------------------------------------------- */

static const char *const activations[] = {"tanh", "relu", NULL};

const cs_param cs_perceptron_params[CS_PERCEPTRON_PARAMS] = {
    [CS_PERCEPTRON_FILE] =
        {.name = "file",
         CS_FIXED_PATH,
         .help = "path of a CSV file whose last column is the response, or the "
                 "class, numbered from 0. Without `file` and `table`, a random "
                 "table is used"},
    [CS_PERCEPTRON_HELD_OUT] = {.name = "held_out",
                                CS_FIXED_PATH,
                                .help = "path of a CSV file of held-out rows"},
    [CS_PERCEPTRON_TABLE] =
        {.name = "table",
         CS_FIXED(ARRAY),
         .help = "the rows themselves, instead of `file`: a list of lists"},
    [CS_PERCEPTRON_HELD_TABLE] = {.name = "held_table",
                                  CS_FIXED(ARRAY),
                                  .help =
                                      "the held-out rows themselves, "
                                      "instead of `held_out`: a list of lists"},
    [CS_PERCEPTRON_CLASSES] =
        {.name = "classes",
         CS_FIXED(INT),
         .max = 1000,
         .help = "number of classes. 0: regression; 2: logistic regression; "
                 "more: softmax with one output per class"},
    [CS_PERCEPTRON_HIDDEN] = {.name = "hidden",
                              CS_FIXED(INT),
                              CS_PARAM_RANGE(1, 10000, 50),
                              .help = "hidden units"},
    [CS_PERCEPTRON_ACTIVATION] = {.name = "activation",
                                  CS_FIXED(CHOICE),
                                  .max = 1,
                                  .choices = activations,
                                  .help = "activation of the hidden units"},
    [CS_PERCEPTRON_NOISE] =
        {.name = "noise",
         CS_FIXED_SCALE,
         CS_PARAM_RANGE(1e-6, 1e6, 1),
         .help = "for regression: standard deviation of the response about the "
                 "network's output; in units of the standard deviation of the "
                 "response, if the response is standardised"},
    [CS_PERCEPTRON_PRECISION] =
        {.name = "precision",
         CS_FIXED_SCALE,
         CS_PARAM_RANGE(1e-12, 1e12, 1),
         .help = "precision (1 / variance) of the normal prior of every weight "
                 "and bias; the same as L2 weight decay"},
    [CS_PERCEPTRON_STANDARDISE] =
        {.name = "standardise",
         CS_FIXED(CHOICE),
         .max = NOTHING,
         .choices = standards,
         .help = "columns that are scaled to mean 0 and standard deviation 1 "
                 "over the training rows. all: inputs and, for regression, the "
                 "response; inputs: only the inputs; nothing: no columns"},
    [CS_PERCEPTRON_INPUTS] = {.name = "inputs",
                              CS_FIXED(INT),
                              CS_PARAM_RANGE(1, 4095, 2),
                              .help = "inputs of the random table"},
    [CS_PERCEPTRON_RANDOM_ROWS] =
        {.name = "rows",
         CS_FIXED(INT),
         CS_PARAM_RANGE(1, 1000000, 12),
         .help = "rows of the random training table; the number of additional "
                 "held-out rows is half of this number"},
    [CS_PERCEPTRON_SEED] = {.name = "seed",
                            CS_FIXED(INT),
                            .max = 9007199254740992.0,
                            .def = 1,
                            .help = "seed of the random table"},
};
