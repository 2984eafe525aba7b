#include "run/draws/chosen.h"

#include "base/memory.h"
#include "run/draws/diagnosed.h"
#include "stat/weighted.h"

#include <math.h>

/* the same message as in src/stat */
static const char no_memory[] = "out of memory";
const char cs_why_no_weight[] = "a log weight is not a number";

cs_chosen cs_choose(const cs_target *t, cs_diagnosed_view *v)
{
    cs_chosen g = {.target = t, .view = v, .all = v->n, .kish = NAN};
    size_t most = 0;
    for (size_t i = 0; i < v->n; i++) {
        most = v->chain[i].draws > most ? v->chain[i].draws : most;
        g.failed += v->chain[i].failed;
    }
    g.draws = most;
    for (size_t i = 0; i < v->n; i++) {
        cs_diagnosed_chain c = v->chain[i];
        if (g.failed < g.all ? c.failed : c.draws < most)
            continue;
        v->chain[g.n++] = c;
        g.draws = c.draws < g.draws ? c.draws : g.draws;
    }
    return g;
}

size_t cs_chosen_scalars(const cs_diagnosed_view *v)
{
    return v->quantities + 1;
}

/* Copies n neighbouring columns of `rows` rows to x[n][stride]. The processor
 * does not foresee the next row if rows are wide. */
static void copy_rows(const double *from, size_t width, size_t rows, size_t n,
                      double *x, size_t stride)
{
    enum { AHEAD = 16 }; /* rows */
    for (size_t i = 0; i < rows; i++, from += width) {
        __builtin_prefetch(from + AHEAD * width);
        for (size_t k = 0; k < n; k++)
            x[k * stride + i] = from[k];
    }
}

/* The same as copy_one for a chain of which all rows are copied. */
static void copy_whole(const cs_diagnosed_view *v, const cs_diagnosed_chain *c,
                       size_t column, size_t n, double *x, size_t stride)
{
    enum { WORDS = 1 << 18 }; /* read between two releases of pages */
    size_t some = WORDS / v->width + 1;
    for (size_t i = 0; i < v->rows; i += some) {
        size_t rows = v->rows - i < some ? v->rows - i : some;
        const double *from = c->row + i * v->width;
        copy_rows(from + column, v->width, rows, n, x + i, stride);
        if (v->memory)
            cs_spill_release(v->memory, from, rows * v->width * sizeof *from);
    }
}

/* Copies n neighbouring columns of a chain to x[n][stride], `draws` numbers per
 * column. If the chain has more than `draws` draws, thins the columns
 * evenly. */
static void copy_one(const cs_chosen *g, const cs_diagnosed_chain *c,
                     size_t column, size_t n, double *x, size_t stride)
{
    const cs_diagnosed_view *v = g->view;
    size_t width = v->width, seen = 0, left = g->draws;
    bool whole = !v->bytes && c->draws == v->rows && g->draws == v->rows;
    cs_row_reader r;
    for (size_t k = 0; whole && v->tiles && k < n; k++)
        cs_tiles_column(v->tiles, c->index, column + k, 0, v->rows,
                        x + k * stride);
    if (whole && !v->tiles)
        copy_whole(v, c, column, n, x, stride);
    if (whole || !cs_rows_begin(&r, v, c))
        return;
    for (size_t i = 0; left; i++) {
        const double *from = cs_rows_at(&r, i);
        if (!cs_is_draw(from))
            continue;
        seen += g->draws;
        if (seen < c->draws)
            continue;
        seen -= c->draws;
        for (size_t k = 0; k < n; k++)
            x[k * stride] = cs_diagnosed_number(v, from, column + k);
        x++;
        left--;
    }
    if (v->memory)
        cs_spill_release(v->memory, c->row, v->rows * width * sizeof *c->row);
    cs_rows_end(&r);
}

bool cs_chosen_rows(const cs_chosen *g, size_t i, cs_chosen_visit *visit,
                    void *self)
{
    const cs_diagnosed_chain *c = &g->view->chain[i];
    cs_row_reader r;
    bool good = cs_rows_begin(&r, g->view, c);
    for (size_t k = 0, left = g->draws, seen = 0; good && left; k++) {
        const double *row = cs_rows_at(&r, k);
        if (!cs_is_draw(row))
            continue;
        seen += g->draws;
        if (seen < c->draws)
            continue;
        seen -= c->draws;
        left--;
        good = visit(self, row);
    }
    cs_rows_end(&r);
    return good;
}

/* Copies n neighbouring columns of each chain to x[n][g->n][draws]. */
static void copy_all(const cs_chosen *g, size_t column, size_t n, double *x)
{
    for (size_t i = 0; i < g->n; i++)
        copy_one(g, &g->view->chain[i], column, n, x + i * g->draws,
                 g->n * g->draws);
}

void cs_chosen_copy(const cs_chosen *g, size_t scalar, double *x)
{
    copy_all(g, scalar ? g->view->lead - 1 + scalar : 0, 1, x);
}

void cs_chosen_copy_some(const cs_chosen *g, size_t scalar, size_t n, double *x)
{
    if (scalar == 0 && n > 0) { /* log p is not next to the coordinates */
        copy_all(g, 0, 1, x);
        x += g->n * g->draws;
        scalar++;
        n--;
    }
    if (n > 0)
        copy_all(g, g->view->lead - 1 + scalar, n, x);
}

/* Copies n neighbouring columns of a chain to a file, in which the columns have
 * `stride` numbers each and the chain's draws start at number `at`. */
static bool store_whole(const cs_diagnosed_view *v, const cs_diagnosed_chain *c,
                        size_t column, size_t n, const cs_spill *columns,
                        size_t at, size_t stride)
{
    enum { ROWS = 4096, MOST = 8 };
    size_t width = v->width;
    double *part = cs_alloc(ROWS * n, sizeof *part);
    bool good = part && n <= MOST;
    for (size_t i = 0; good && i < v->rows; i += ROWS) {
        size_t rows = v->rows - i < ROWS ? v->rows - i : ROWS;
        const double *from = c->row + i * width;
        copy_rows(from + column, width, rows, n, part, ROWS);
        cs_spill_release(v->memory, from, rows * width * sizeof *from);
        for (size_t k = 0; good && k < n; k++)
            good = cs_spill_write(columns, (k * stride + at + i) * sizeof *part,
                                  part + k * ROWS, rows * sizeof *part);
    }
    cs_free(part);
    return good;
}

bool cs_chosen_store_some(const cs_chosen *g, size_t scalar, size_t n,
                          const cs_spill *columns)
{
    const cs_diagnosed_view *v = g->view;
    size_t size = g->n * g->draws, lead = scalar == 0 && n > 0;
    bool good =
        v->memory && v->memory->in_file && !v->bytes && g->draws == v->rows;
    for (size_t i = 0; i < g->n && good; i++) {
        const cs_diagnosed_chain *c = &v->chain[i];
        size_t at = i * g->draws;
        good = c->draws == v->rows &&
               (!lead || store_whole(v, c, 0, 1, columns, at, size)) &&
               (n == lead ||
                store_whole(v, c, v->lead - 1 + scalar + lead, n - lead,
                            columns, lead * size + at, size));
    }
    return good;
}

void cs_chosen_weigh(cs_chosen *g)
{
    size_t n = g->n * g->draws;
    if (g->view->lead < 2 || n == 0)
        return;
    g->w = cs_alloc(n, sizeof *g->w);
    if (!g->w) {
        g->why = no_memory;
        return;
    }
    copy_all(g, 1, 1, g->w);
    bool alike = cs_weights_alike(g->w, g->n, g->draws);
    if (!alike && !cs_weights_of_chains(g->w, g->n, g->draws, g->w))
        g->why = cs_why_no_weight;
    if (!alike && !g->why) {
        g->kish = cs_weight_size(g->w, n);
        return;
    }
    cs_free(g->w);
    g->w = NULL;
}
