#include "chain/bad_row.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

enum { CHUNK = 256 };

/* Evaluates the n rows from `at` on for lane `lane`, and searches for a row
 * whose term is not finite. */
static size_t find(cs_eval *e, const double *x, size_t lane, size_t at,
                   size_t n, size_t *first)
{
    _Alignas(64) uint32_t row[CHUNK];
    _Alignas(64) double term[CHUNK];
    for (size_t i = 0; i < n; i++)
        row[i] = (uint32_t)(at + i);
    for (size_t l = 0; l <= e->live; l++)
        first[l] = l > lane ? n : 0;
    const cs_batch batch = {.row = row, .first = first};
    cs_eval_terms(e, x, &batch, term);
    size_t i = 0;
    while (i < n && isfinite(term[i]))
        i++;
    return i;
}

bool cs_bad_row(cs_eval *e, const double *x, size_t lane, size_t *row)
{
    assert(lane < e->live && row);
    const cs_target *t = e->target;
    assert(lane < e->live);
    size_t *first = t->n_rows ? cs_alloc(e->live + 1, sizeof *first) : NULL;
    bool found = false;
    for (size_t at = 0; first && at < t->n_rows && !found; at += CHUNK) {
        size_t n = t->n_rows - at < CHUNK ? t->n_rows - at : CHUNK;
        *row = at + find(e, x, lane, at, n, first);
        found = *row < at + n;
    }
    cs_free(first);
    return found;
}
