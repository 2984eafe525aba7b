#include "targets/network/binary_table.h"

#include "base/memory.h"
#include "targets/network/network_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 28 /* largest number of elements of a table */ };

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target binary_network");
}

/* ---- tables -------------------------------------------------------------- */

/* Returns whether the comma-separated list `names` contains `name`. */
static bool lists(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = names; at && *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (length == n && strncmp(at, name, n) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Removes the named columns. The last column cannot be removed. */
static cs_status leave_out(cs_table *t, const char *names, const char *path,
                           cs_error *err)
{
    size_t kept = 0, cols = t->cols, named = *names ? 1 : 0;
    for (const char *at = names; *at; at++)
        named += *at == ',';
    for (size_t j = 0; j < cols; j++) {
        if (j + 1 < cols && lists(names, t->names[j]))
            continue;
        for (size_t i = 0; i < t->rows; i++)
            t->data[i * cols + kept] = t->data[i * cols + j];
        memmove(t->names[kept++], t->names[j], sizeof *t->names);
    }
    for (size_t i = 0; i < t->rows; i++)
        memmove(t->data + i * kept, t->data + i * cols, kept * sizeof(double));
    t->cols = kept;
    if (kept + named == cols && kept >= 2)
        return CS_OK;
    if (kept + named == cols)
        cs_fail(err, CS_INPUT,
                "binary_network: no input columns are left, only the last "
                "column, which is the response");
    else
        cs_fail(err, CS_INPUT,
                "binary_network: only %zu of the %zu names in leave_out are "
                "input columns",
                cols - kept, named);
    cs_where(err, path, 0);
    cs_hint(
        err,
        "name only input columns of the file, and leave at least one input");
    return CS_INPUT;
}

/* Reads every `every`-th row of a file, and removes the columns to be left out.
 * Sets *rows to the number of rows in the file. */
static cs_status read_table(const cs_value *v, const cs_value *path,
                            size_t every, cs_table *t, size_t *rows,
                            cs_error *err)
{
    const char *without = v[CS_NET_WITHOUT].given ? v[CS_NET_WITHOUT].text : "";
    cs_status s = cs_table_read_thinned(path->text, every, t, rows, err);
    if (!s)
        s = leave_out(t, without, path->text, err);
    if (s)
        cs_table_free(t);
    return s;
}

/* Keeps every `thin`-th row of the first part of the file. `all` is the number
 * of rows in the file. The parameter `share` is the fraction of these rows that
 * belongs to the first part. (The table has only every `every`-th row of the
 * file.) */
static cs_status choose_rows(const cs_value *v, size_t all, size_t every,
                             cs_table *t, cs_error *err)
{
    size_t thin = (size_t)v[CS_NET_THIN].number, kept = 0;
    size_t rows = (size_t)(v[CS_NET_SHARE].number * (double)all);
    for (size_t i = 0; i < rows; i += thin)
        memmove(t->data + kept++ * t->cols, t->data + i / every * t->cols,
                t->cols * sizeof *t->data);
    t->rows = kept;
    if (kept)
        return CS_OK;
    cs_fail(err, CS_INPUT, "binary_network: no training rows are left");
    cs_hint(err, "give more rows, or a larger share");
    return CS_INPUT;
}

/* Makes a random table: inputs from N(0, 1), binary responses from a logistic
 * model with coefficients from N(0, 1). The rows are part of an infinite table,
 * starting at its row `first`. */
static cs_status make_table(const cs_value *v, size_t first, size_t rows,
                            cs_table *t, cs_error *err)
{
    size_t inputs = (size_t)v[CS_NET_INPUTS].number;
    uint64_t seed = (uint64_t)v[CS_NET_SEED].number;
    *t = (cs_table){.rows = rows, .cols = inputs + 1};
    t->data = cs_alloc(rows * t->cols, sizeof *t->data);
    if (!t->data)
        return no_memory(err);
    for (size_t i = 0; i < rows; i++) {
        double *row = t->data + i * t->cols, f = 0;
        uint64_t k = (first + i + 1) * t->cols;
        for (size_t j = 0; j < inputs; j++) {
            row[j] = cs_network_normal(seed, k + j);
            f += row[j] * cs_network_normal(seed, j);
        }
        row[inputs] = cs_network_uniform(seed, k + inputs) < 1 / (1 + exp(-f));
    }
    return CS_OK;
}

/* ---- rows for passes ----------------------------------------------------- */

static cs_status lay_rows(const cs_binary *m, const cs_table *t,
                          const double *about, cs_binary_rows *d, cs_error *err)
{
    size_t inputs = m->inputs, rows = t->rows;
    *d = (cs_binary_rows){.rows = rows, .padded = (rows + 7) / 8 * 8};
    size_t number = m->single ? sizeof(float) : sizeof(double);
    if (d->padded <= MOST_NUMBERS / (inputs + 2))
        d->x = cs_alloc(d->padded * inputs, number);
    d->y = cs_alloc(d->padded, sizeof(double));
    d->counts = cs_alloc(d->padded, sizeof(double));
    if (!d->x || !d->y || !d->counts)
        return no_memory(err);
    for (size_t i = 0; i < rows; i++) {
        const double *row = t->data + i * t->cols;
        d->y[i] = row[inputs];
        d->counts[i] = 1;
        for (size_t j = 0; j < inputs; j++) {
            size_t at = (i / 8 * inputs + j) * 8 + i % 8;
            double x = (row[j] - about[2 * j]) / about[2 * j + 1];
            if (m->single)
                ((float *)d->x)[at] = (float)x;
            else
                ((double *)d->x)[at] = x;
        }
    }
    return CS_OK;
}

static cs_status fill(cs_binary *m, const cs_value *v, const cs_table *train,
                      const cs_table *test, cs_error *err)
{
    bool standardise = v[CS_NET_STANDARDISE].number != 0;
    double *about = cs_alloc(m->inputs, 2 * sizeof *about);
    if (!about)
        return no_memory(err);
    for (size_t j = 0; j < m->inputs; j++) {
        about[2 * j + 1] = 1;
        if (standardise)
            cs_network_moments(train, j, about + 2 * j, about + 2 * j + 1);
    }
    cs_status s = lay_rows(m, train, about, &m->train, err);
    if (!s)
        s = lay_rows(m, test, about, &m->test, err);
    cs_free(about);
    return s;
}

/* ---- instances ----------------------------------------------------------- */

void cs_binary_destroy(cs_target *t)
{
    cs_binary *m = t->self;
    CS_FREE_ALL(m->train.x, m->train.y, m->train.counts, m->test.x, m->test.y,
                m->test.counts);
}

void cs_binary_coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const cs_binary *m = t->self;
    size_t row = i / m->hidden, unit = i % m->hidden + 1;
    if (row < m->inputs)
        snprintf(text, size, "w.%zu.%zu", row + 1, unit);
    else if (row < m->inputs + 2)
        snprintf(text, size, row == m->inputs ? "c.%zu" : "v.%zu", unit);
    else
        snprintf(text, size, "b");
}

static cs_status build(cs_target *t, const cs_value *v, const cs_table *train,
                       const cs_table *test, cs_error *err)
{
    cs_binary *m = t->self;
    m->inputs = train->cols - 1;
    m->hidden = (size_t)v[CS_NET_HIDDEN].number;
    m->padded = (m->hidden + 1) / 2 * 2;
    m->scale = v[CS_NET_SCALE].number;
    m->single = v[CS_NET_PRECISION].number != 0;
    size_t dim = (m->inputs + 2) * m->hidden + 1;
    t->space = (cs_space){.kind = CS_BINARY, .dim = dim, .values = 2};
    t->scratch_words = cs_binary_scratch(m);
    t->exact = (cs_exact){.log_z = NAN, .view = {-0.5, 1.5, -0.5, 1.5}};
    cs_status s = fill(m, v, train, test, err);
    t->data_terms = m->train.rows;
    t->cache_words = m->train.padded + 1;
    return s;
}

cs_status cs_binary_create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_table train = {0}, test = {0};
    size_t rows = (size_t)v[CS_NET_ROWS].number;
    bool given = v[CS_NET_FILE].given;
    size_t every = given ? (size_t)v[CS_NET_THIN].number : 1, all = rows, held;
    cs_status s = given
                      ? read_table(v, &v[CS_NET_FILE], every, &train, &all, err)
                      : make_table(v, 0, rows, &train, err);
    if (!s && v[CS_NET_HELD_OUT].given)
        s = read_table(v, &v[CS_NET_HELD_OUT], 1, &test, &held, err);
    else if (!s && !given)
        s = make_table(v, rows, (rows + 1) / 2, &test, err);
    if (!s)
        s = cs_network_fits("binary_network", &train, &test,
                            v[CS_NET_HELD_OUT].text, err);
    if (!s)
        s = choose_rows(v, all, every, &train, err);
    if (!s)
        s = build(t, v, &train, &test, err);
    cs_table_free(&train);
    cs_table_free(&test);
    return s;
}
