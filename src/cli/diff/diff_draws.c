#include "cli/diff/diff_draws.h"

#include "base/cancellation.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "files/open.h"
#include "io/cmdstan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of draws that is read row by row. */
typedef struct reader {
    FILE *from;
    char *line;
    size_t capacity;
    /* named: the header was read; warmup: the current row is warm-up */
    bool named, warmup;
    bool binary; /* the rows are doubles: a temporary file */
    size_t columns;
    double *row;  /* [columns] of such a file [own] */
    char *number; /* the row as text [own] */
    uint64_t thin;
    uint64_t at;   /* number of the chain's draws that precede the next row */
    bool unplaced; /* true if `at` is unknown */
} reader;

/* Returns the next row of doubles as text, in the form of other files. */
static const char *next_binary(reader *r)
{
    if (!r->row) {
        r->row = cs_alloc(r->columns, sizeof *r->row);
        r->number = cs_alloc(r->columns + 2, CS_DECIMAL);
    }
    if (!r->row || !r->number ||
        fread(r->row, sizeof *r->row, r->columns, r->from) < r->columns)
        return NULL;
    char *at = r->number;
    for (size_t i = 0; i < r->columns; i++) {
        at += cs_decimal_put(r->row[i], at);
        *at++ = ',';
    }
    at[-1] = 0;
    return r->number;
}

/* Keeps the number of columns. */
static const char *take_header(reader *r)
{
    r->named = true;
    r->columns = 1;
    for (const char *c = r->line; *c; c++)
        r->columns += *c == ',';
    return r->line;
}

/* Returns the header at the first call. Later calls return one row of draws
 * each, and NULL at the end. If the file contains the warm-up, its rows are
 * skipped. */
static const char *next(reader *r)
{
    static const char thin[] = "#     thin = ", before[] = "# draws_before = ";
    if (r->binary && r->named)
        return r->from && !cs_cancelled() ? next_binary(r) : NULL;
    while (r->from && !cs_cancelled() &&
           getline(&r->line, &r->capacity, r->from) >= 0) {
        r->warmup = cs_cmdstan_is_warmup(r->line, r->warmup);
        r->binary |= !r->named && cs_cmdstan_is_binary(r->line);
        if (!strchr(r->line, '\n'))
            break; /* the line is incomplete, because it is still being written
                    * or was truncated */
        r->line[strcspn(r->line, "\r\n")] = 0;
        if (strncmp(r->line, thin, strlen(thin)) == 0)
            r->thin = strtoull(r->line + strlen(thin), NULL, 10);
        if (strncmp(r->line, before, strlen(before)) == 0) {
            r->unplaced = strcmp(r->line + strlen(before), "unknown") == 0;
            r->at = strtoull(r->line + strlen(before), NULL, 10);
        }
        bool names = strncmp(r->line, "lp__", 4) == 0;
        if (!*r->line || *r->line == '#' || (names ? r->named : r->warmup))
            continue;
        return names ? take_header(r) : r->line;
    }
    return NULL;
}

static void close_reader(reader *r)
{
    if (r->from)
        fclose(r->from);
    free(r->line);
    CS_FREE_ALL(r->row, r->number);
}

/* If the other run started later, skips the draws that precede its first
 * draw. */
static void leave_out(reader *r, uint64_t until)
{
    while (r->at < until && next(r))
        r->at++;
}

/* ---- files with different columns ---- */

/* A field of a line. */
typedef struct field {
    const char *at;
    size_t n, column;
} field;

/* The columns of the quantities that are in both files. */
typedef struct shared {
    size_t *column[2]; /* [n] [own] */
    size_t n;          /* 0: the files have the same columns */
    field *row[2];     /* [columns] scratch [own] */
} shared;

static void split(const char *line, field *to, size_t columns)
{
    for (size_t k = 0; k < columns; k++) {
        size_t n = strcspn(line, ",");
        to[k] = (field){line, n, k};
        line += n + (line[n] == ',');
    }
}

static int compare_fields(const field *x, const field *y)
{
    size_t n = x->n < y->n ? x->n : y->n;
    int order = memcmp(x->at, y->at, n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static int by_name(const void *a, const void *b)
{
    return compare_fields(a, b);
}

static bool is_named(const field *f, const char *name)
{
    return f->n == strlen(name) && memcmp(f->at, name, f->n) == 0;
}

/* Finds the columns that both headers have, without quantities of the sampler.
 * Returns false if only lp__ is left, or memory runs out. */
static bool find_shared(const reader *a, const reader *b, shared *s)
{
    s->row[0] = cs_alloc(a->columns, sizeof(field));
    s->row[1] = cs_alloc(b->columns, sizeof(field));
    for (size_t k = 0; k < 2; k++)
        s->column[k] = cs_alloc(a->columns, sizeof(size_t));
    if (!s->row[0] || !s->row[1] || !s->column[0] || !s->column[1])
        return false;
    split(a->line, s->row[0], a->columns);
    split(b->line, s->row[1], b->columns);
    qsort(s->row[1], b->columns, sizeof(field), by_name);
    for (size_t k = 0; k < a->columns; k++) {
        const field *f = &s->row[0][k];
        bool sampler = f->n > 2 && memcmp(f->at + f->n - 2, "__", 2) == 0;
        const field *there =
            bsearch(f, s->row[1], b->columns, sizeof(field), by_name);
        if (!there || (sampler && !is_named(f, "lp__")))
            continue;
        s->column[0][s->n] = k;
        s->column[1][s->n++] = there->column;
    }
    return s->n > 1; /* lp__ is in all files */
}

static void free_shared(shared *s)
{
    for (size_t k = 0; k < 2; k++) {
        cs_free(s->column[k]);
        cs_free(s->row[k]);
    }
}

/* Returns true if two rows have the same draw. A log density that one file lacks
 * is not compared. */
static bool is_same(shared *s, const reader *a, const char *x, const reader *b,
                    const char *y)
{
    if (!s->n)
        return strcmp(x, y) == 0;
    split(x, s->row[0], a->columns);
    split(y, s->row[1], b->columns);
    for (size_t k = 0; k < s->n; k++) {
        const field *f = &s->row[0][s->column[0][k]];
        const field *g = &s->row[1][s->column[1][k]];
        bool lacks =
            s->column[0][k] == 0 && (is_named(f, "NaN") || is_named(g, "NaN"));
        if (!lacks && compare_fields(f, g) != 0)
            return false;
    }
    return true;
}

/* ---- chains ---- */

/* Compares the draws after the headers. */
static void compare_rows(reader *a, reader *b, shared *s, uint64_t chain,
                         cs_draws_differ *d)
{
    const char *x, *y = NULL;
    if (a->unplaced || b->unplaced) {
        d->unplaced = true;
        return;
    }
    uint64_t first = a->at > b->at ? a->at : b->at, i = first;
    leave_out(a, first);
    leave_out(b, first);
    while ((x = next(a)) && (y = next(b)) && is_same(s, a, x, b, y))
        i++;
    bool differs = x && y;
    if (d->chains++ == 0 || i - first < d->same)
        d->same = i - first;
    d->before = first > d->before ? first : d->before;
    if (!differs || (d->differ && d->draw <= i + 1))
        return;
    d->differ = true;
    d->draw = i + 1;
    d->chain = chain;
    d->step = (i + 1) * (a->thin ? a->thin : 1);
}

/* Compares the files of a chain. The first line of each file is the header. */
static void compare_files(reader *a, reader *b, uint64_t chain,
                          cs_draws_differ *d)
{
    const char *x = next(a), *y = next(b);
    shared s = {.n = 0};
    if (!x || !y)
        return;
    if (strcmp(x, y) != 0)
        d->other_columns |= !find_shared(a, b, &s);
    d->shared = s.n;
    if (!d->other_columns)
        compare_rows(a, b, &s, chain, d);
    free_shared(&s);
}

static cs_status compare_chain(const char *a, const char *b, uint64_t chain,
                               cs_draws_differ *d, cs_error *err)
{
    reader x = {.from = cs_open_stream(a)}, y = {.from = cs_open_stream(b)};
    cs_status status = CS_OK;
    if (!x.from || !y.from)
        status = cs_fail(err, CS_IO, "%s cannot be read", x.from ? b : a);
    else
        compare_files(&x, &y, chain, d);
    close_reader(&x);
    close_reader(&y);
    if (status == CS_OK && cs_cancelled()) {
        cs_fail(err, CS_STOPPED, "while comparing draws of %s", a);
        cs_hint(err, "nothing was written; repeat the command");
        return CS_STOPPED;
    }
    return status;
}

/* Returns the chain's number, which is at the end of its file's name. */
static uint64_t number_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *at = dot;
    while (at && at > path && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at && at < dot ? strtoull(at, NULL, 10) : 0;
}

/* Compares the draws of an arm. Both lists of files are ordered by chain. */
cs_status cs_draws_compare(const cs_draw_folder *a, const cs_draw_folder *b,
                           const char *name, cs_draws_differ *d, cs_error *err)
{
    size_t n, m, pairs = 0;
    const cs_draw_file *x = cs_draw_folder_arm(a, name, &n);
    const cs_draw_file *y = cs_draw_folder_arm(b, name, &m);
    *d = (cs_draws_differ){.known = x && y};
    for (size_t i = 0, k = 0; d->known && i < n; i++) {
        uint64_t chain = number_of(x[i].path);
        while (k < m && number_of(y[k].path) < chain)
            k++;
        if (k == m || number_of(y[k].path) != chain)
            continue;
        pairs++;
        cs_status status = compare_chain(x[i].path, y[k].path, chain, d, err);
        if (status)
            return status;
    }
    d->alone = n + m - 2 * pairs;
    return CS_OK;
}
