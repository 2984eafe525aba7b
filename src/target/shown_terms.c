#include "target/shown_terms.h"

#include "base/memory.h"
#include "data/parts.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 64, NAME = 64 }; /* CHUNK: rows per call */

/* Scratch rows for a chunk: the terms and the row numbers of all lanes, and the
 * index of the first row of each lane. */
enum { TERMS = CHUNK, NUMBERS = CHUNK / 2, FIRST = 2 };

typedef struct shown_terms {
    cs_outputs before; /* generated quantities that come first [own] */
    const cs_target *rows;
    cs_target *held; /* `rows`, if it is another target; else NULL [held] */
    size_t
        scratch_words; /* scratch rows that the terms of `rows` need; those of
                           * the target grow with its outputs */
    char name[NAME];
    uint32_t *coordinate; /* [before.n + n_rows] as in cs_outputs [own] */
} shown_terms;

/* Computes the terms of n rows from row `from` on, and stores them in
 * y[n][lanes]. */
static void fill_chunk(const shown_terms *s, const cs_point *at, size_t from,
                       size_t n, double *y)
{
    size_t lanes = at->lanes;
    double *logp = at->scratch + s->scratch_words * lanes;
    uint32_t *row = (uint32_t *)(void *)(logp + TERMS * lanes);
    size_t *first = (size_t *)(void *)(logp + (TERMS + NUMBERS) * lanes);
    for (size_t l = 0; l <= at->live; l++)
        first[l] = l * n;
    for (size_t i = 0; i < at->live * n; i++)
        row[i] = (uint32_t)(from + i % n);
    s->rows->type->rows.terms(s->rows, at,
                              &(cs_batch){.row = row, .first = first}, logp);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < lanes; l++)
            y[i * lanes + l] = logp[(l < at->live ? l : 0) * n + i];
}

static void fill(const void *self, const cs_point *at, double *y)
{
    const shown_terms *s = self;
    size_t all = s->rows->n_rows;
    s->before.fill(s->before.self, at, y);
    for (size_t from = 0; from < all; from += CHUNK) {
        size_t n = all - from < CHUNK ? all - from : CHUNK;
        fill_chunk(s, at, from, n, y + (s->before.n + from) * at->lanes);
    }
}

static void name(const void *self, size_t i, char *text, size_t size)
{
    const shown_terms *s = self;
    if (i < s->before.n)
        s->before.name(s->before.self, i, text, size);
    else
        snprintf(text, size, "%s.%zu", s->name, i - s->before.n + 1);
}

static void destroy(void *self)
{
    shown_terms *s = self;
    if (s->before.destroy)
        s->before.destroy(s->before.self);
    cs_target_release(s->held);
    CS_FREE_ALL(s->coordinate, s);
}

static shown_terms *create(const cs_target *t, cs_target *rows,
                           const char *called)
{
    shown_terms *s = cs_alloc(1, sizeof *s);
    size_t before = t->outputs.n;
    if (!s)
        return NULL;
    s->coordinate = cs_alloc(before + rows->n_rows, sizeof *s->coordinate);
    if (!s->coordinate) {
        cs_free(s);
        return NULL;
    }
    if (t->outputs.coordinate)
        memcpy(s->coordinate, t->outputs.coordinate,
               before * sizeof *s->coordinate);
    s->before = t->outputs;
    s->rows = rows;
    s->scratch_words = rows->scratch_words;
    s->held = rows == t ? NULL : cs_target_hold(rows);
    snprintf(s->name, sizeof s->name, "%s", called);
    return s;
}

cs_status cs_target_show_terms(cs_target *t, cs_target *rows,
                               const char *called, cs_error *err)
{
    assert(t->outputs.n && strlen(called) < NAME);
    assert(rows->space.dim == t->space.dim);
    if (!rows->n_rows) {
        cs_fail(err, CS_INPUT, "the log density has no terms of rows");
        cs_hint(err, "write it as term = function(p, row) ... end with data");
        return CS_INPUT;
    }
    shown_terms *s = create(t, rows, called);
    if (!s)
        return cs_fail(err, CS_MEMORY, "out of memory for the terms of rows");
    cs_parts_number(&t->parts, called, (double)rows->n_rows);
    if (s->held)
        cs_parts_of(&t->parts, called, rows->parts.text);
    size_t words = s->scratch_words + TERMS + NUMBERS + FIRST;
    size_t least = s->before.scratch_words;
    cs_target_set_outputs(
        t, (cs_outputs){.n = s->before.n + rows->n_rows,
                        .scratch_words = words > least ? words : least,
                        .fill = fill,
                        .name = name,
                        .destroy = destroy,
                        .self = s,
                        .coordinate = s->coordinate});
    return CS_OK;
}
