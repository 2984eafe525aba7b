#include "learn/data_set.h"

#include "base/hash.h"
#include "base/memory.h"
#include "data/idx.h"
#include "data/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 256 };

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for the data");
}

static cs_status check_space(const cs_space *s, cs_error *err)
{
    if (cs_space_is_discrete(s) && s->values <= MOST_VALUES)
        return CS_OK;
    return cs_fail(err, CS_UNSUPPORTED,
                   "learning needs data with 2 to %d values; the values of %s "
                   "cannot be learned",
                   MOST_VALUES, cs_space_name(s->kind));
}

static cs_status make(cs_data_set **out, size_t n, size_t dim, int low,
                      const char *from, cs_error *err)
{
    cs_data_set *d = *out = cs_alloc(1, sizeof *d);
    if (!d)
        return no_memory(err);
    *d = (cs_data_set){.n = n, .dim = dim, .holders = 1, .low = low};
    d->byte = cs_alloc(n * dim, 1);
    d->mean = cs_alloc(dim, sizeof *d->mean);
    d->from = cs_copy_text(from);
    if (d->byte && d->mean && d->from)
        return CS_OK;
    cs_data_release(d);
    *out = NULL;
    return no_memory(err);
}

static void know(cs_data_set *d)
{
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < d->dim; k++)
            d->mean[k] += d->byte[i * d->dim + k];
    for (size_t k = 0; k < d->dim; k++)
        d->mean[k] = d->low + d->mean[k] / (double)d->n;
    d->digest = cs_checksum(d->byte, d->n * d->dim);
}

cs_data_set *cs_data_hold(cs_data_set *d)
{
    if (d)
        d->holders++;
    return d;
}

void cs_data_release(cs_data_set *d)
{
    if (!d || --d->holders)
        return;
    CS_FREE_ALL(d->byte, d->mean, d->from, d);
}

/* Writes a description of the source to from[size], such as "500 images of
 * digits.gz". */
static void name(const char *path, size_t n, const char *what, char *from,
                 size_t size)
{
    const char *last = strrchr(path, '/');
    snprintf(from, size, "%zu %s of %.100s", n, what, last ? last + 1 : path);
}

/* ---- images -------------------------------------------------------------- */

static cs_status refuse(const char *path, cs_error *err, const char *hint)
{
    cs_where(err, path, 0);
    cs_hint(err, "%s", hint);
    return CS_INPUT;
}

/* Images of rows x cols pixels; each image gives a state of `dim` numbers. */
typedef struct shape {
    size_t rows, cols, pool, dim;
} shape;

static cs_status fit(const cs_idx *idx, const cs_data_wanted *w, size_t dim,
                     shape *s, cs_error *err)
{
    if (idx->sizes != 3) {
        cs_fail(
            err, CS_INPUT,
            "not a file of images: the data must have 3 dimensions, not %zu",
            idx->sizes);
        return refuse(w->path, err,
                      "give an IDX file of images (its name contains idx3)");
    }
    *s = (shape){.rows = idx->size[1], .cols = idx->size[2], .pool = w->pool};
    s->dim = (s->rows / w->pool) * (s->cols / w->pool);
    if (s->rows % w->pool || s->cols % w->pool) {
        cs_fail(err, CS_INPUT, "images of %zu x %zu cannot be pooled by %zu",
                s->rows, s->cols, w->pool);
        return refuse(w->path, err, "use a pool that divides both sizes");
    }
    if (s->dim != dim) {
        cs_fail(
            err, CS_INPUT,
            "images of %zu x %zu pixels do not match states of %zu coordinates",
            s->rows / w->pool, s->cols / w->pool, dim);
        return refuse(w->path, err, "give the target one coordinate per pixel");
    }
    if (w->first >= idx->size[0] || w->count > idx->size[0] - w->first) {
        cs_fail(err, CS_RANGE, "the file has only %zu images", idx->size[0]);
        return refuse(w->path, err, "request fewer images");
    }
    return CS_OK;
}

/* Maps a level between 0 and `top` to the nearest of `values` evenly spaced
 * values. Returns the index of this value, counted from 0. */
static unsigned char value_of(double level, double top, int values)
{
    int v = (int)(level / top * (values - 1) + 0.5);
    return (unsigned char)(v < values ? v : values - 1);
}

static void shrink(const shape *s, const unsigned char *from, double top,
                   int values, unsigned char *to)
{
    size_t p = s->pool, cols = s->cols / p;
    for (size_t i = 0; i < s->dim; i++) {
        double sum = 0;
        for (size_t r = 0; r < p; r++)
            for (size_t c = 0; c < p; c++)
                sum += from[(i / cols * p + r) * s->cols + i % cols * p + c];
        to[i] = value_of(sum / (double)(p * p), top, values);
    }
}

static cs_status fill(cs_data_set **out, const cs_idx *idx,
                      const cs_data_wanted *w, const cs_space *space,
                      cs_error *err)
{
    shape s = {0};
    char from[200];
    cs_status status = fit(idx, w, space->dim, &s, err);
    if (status)
        return status;
    size_t n = w->count ? w->count : idx->size[0] - w->first;
    double top = cs_idx_top(idx);
    name(w->path, n, "images", from, sizeof from);
    status = make(out, n, s.dim, space->low, from, err);
    for (size_t i = 0; !status && i < n; i++)
        shrink(&s, idx->byte + (w->first + i) * idx->row, top, space->values,
               (*out)->byte + i * s.dim);
    if (!status)
        know(*out);
    return status;
}

cs_status cs_data_of_images(cs_data_set **out, const cs_data_wanted *wanted,
                            const cs_space *space, cs_error *err)
{
    cs_idx idx;
    *out = NULL;
    cs_status s = check_space(space, err);
    if (!s)
        s = cs_idx_read_bytes(wanted->path, &idx, err);
    if (s)
        return s;
    s = fill(out, &idx, wanted, space, err);
    cs_idx_free(&idx);
    return s;
}

/* ---- states -------------------------------------------------------------- */

static cs_status take_states(cs_data_set **out, const double *x, size_t n,
                             size_t dim, const cs_space *space,
                             const char *from, cs_error *err)
{
    *out = NULL;
    cs_status s = check_space(space, err);
    if (s)
        return s;
    if (dim != space->dim || n == 0) {
        cs_fail(err, CS_INPUT,
                "the data have %zu states of %zu coordinates; the target has "
                "%zu coordinates",
                n, dim, space->dim);
        cs_hint(err, "give a list of states, { { 0, 1, ... }, ... }");
        return CS_INPUT;
    }
    for (size_t i = 0; i < n; i++)
        if (!cs_space_contains(space, x + i * dim, 1))
            return cs_fail(err, CS_INPUT,
                           "data: row %zu is not a state of the target", i + 1);
    s = make(out, n, dim, space->low, from, err);
    for (size_t k = 0; !s && k < n * dim; k++)
        (*out)->byte[k] = (unsigned char)(x[k] - space->low);
    if (!s)
        know(*out);
    return s;
}

cs_status cs_data_of_states(cs_data_set **out, const double *x, size_t n,
                            size_t dim, const cs_space *space, cs_error *err)
{
    char from[60];
    snprintf(from, sizeof from, "%zu states", n);
    return take_states(out, x, n, dim, space, from, err);
}

/* ---- tables -------------------------------------------------------------- */

cs_status cs_data_of_table(cs_data_set **out, const cs_data_wanted *w,
                           const cs_space *space, cs_error *err)
{
    cs_table t;
    char from[200];
    *out = NULL;
    cs_status s = cs_table_read(w->path, &t, err);
    if (s)
        return s;
    if (w->first >= t.rows || w->count > t.rows - w->first) {
        s = cs_fail(err, CS_RANGE, "the data have only %zu rows", t.rows);
        cs_where(err, w->path, 0);
    } else {
        size_t n = w->count ? w->count : t.rows - w->first;
        name(w->path, n, "rows", from, sizeof from);
        s = take_states(out, t.data + w->first * t.cols, n, t.cols, space, from,
                        err);
        if (s == CS_INPUT)
            cs_where(err, w->path, 0);
    }
    cs_table_free(&t);
    return s;
}

/* ---- independent bits ---------------------------------------------------- */

double cs_data_independent(const cs_data_set *train, const cs_data_set *test,
                           size_t rows, double *error)
{
    size_t all = rows && rows < test->n ? rows : test->n;
    double sum = 0, squares = 0, n = (double)all;
    for (size_t i = 0; i < all; i++) {
        double each = 0;
        for (size_t k = 0; k < test->dim; k++) {
            double ones = (train->mean[k] - train->low) * (double)train->n;
            double p = (ones + 1) / ((double)train->n + 2);
            if (test->byte[i * test->dim + k] > 1)
                return *error = (double)NAN;
            each += log(test->byte[i * test->dim + k] ? p : 1 - p);
        }
        sum += each;
        squares += each * each;
    }
    double variance = squares / n - sum / n * (sum / n);
    *error = sqrt(fmax(variance, 0) / n);
    return sum / n;
}
