#include "run/draws/tiles.h"

#include "base/memory.h"
#include "chain/block.h"

#include <math.h>
#include <string.h>

/* The window and a tile stay in the cache of the processor. */
enum { HEIGHT = 512, WINDOW = 4 << 20 };

cs_tiles *cs_tiles_new(size_t chains, size_t width, size_t rows)
{
    cs_tiles *t = cs_alloc(1, sizeof *t);
    if (!t || chains * width > WINDOW / (2 * HEIGHT * sizeof(double))) {
        cs_free(t);
        return NULL;
    }
    *t = (cs_tiles){.height = HEIGHT,
                    .chains = chains,
                    .width = width,
                    .capacity = (rows / HEIGHT + 1) * HEIGHT,
                    .room = 2 * HEIGHT};
    t->window = cs_alloc(chains * t->room * width, sizeof *t->window);
    t->tile = cs_alloc(HEIGHT * width, sizeof *t->tile);
    t->draws = cs_alloc(chains, sizeof *t->draws);
    size_t bytes = chains * t->capacity * width * sizeof(double);
    if (!t->window || !t->tile || !t->draws ||
        !cs_spill_begin(&t->file, bytes, 1, 0)) {
        cs_tiles_free(t);
        return NULL;
    }
    return t;
}

void cs_tiles_free(cs_tiles *t)
{
    if (!t)
        return;
    if (t->file.at)
        cs_spill_end(&t->file);
    CS_FREE_ALL(t->window, t->tile, t->draws);
    cs_free(t);
}

/* Returns the byte of the file at which a column of a tile begins; `at` is the
 * tile's first row. */
static size_t place(const cs_tiles *t, size_t chain, size_t at, size_t column)
{
    return ((chain * t->capacity + at) * t->width + column * t->height) *
           sizeof(double);
}

/* Copies a transposed matrix: to[n][m] from from[m][n]. */
static void transpose(const double *from, size_t m, size_t n, double *to)
{
    enum { SIDE = 8 };
    for (size_t i = 0; i < m; i += SIDE)
        for (size_t j = 0; j < n; j++)
            for (size_t k = i; k < i + SIDE && k < m; k++)
                to[j * m + k] = from[k * n + j];
}

/* Writes the first tile of the window, which `later` rows follow. */
static void store(cs_tiles *t, size_t chain, size_t later)
{
    double *rows = t->window + chain * t->room * t->width;
    size_t words = t->height * t->width;
    for (size_t i = 0; i < t->height; i++)
        t->draws[chain] += cs_is_draw(rows + i * t->width);
    transpose(rows, t->height, t->width, t->tile);
    t->broken |= !cs_spill_write(&t->file, place(t, chain, t->stored, 0),
                                 t->tile, words * sizeof *t->tile);
    memcpy(rows, rows + words, later * t->width * sizeof *rows);
}

void cs_tiles_store(cs_tiles *t, size_t rows)
{
    while (rows - t->stored >= t->height) {
        for (size_t c = 0; c < t->chains; c++)
            store(t, c, rows - t->stored - t->height);
        t->stored += t->height;
    }
}

static const double *waiting(const cs_tiles *t, size_t chain, size_t i)
{
    return t->window + (chain * t->room + i - t->stored) * t->width;
}

void cs_tiles_column(const cs_tiles *t, size_t chain, size_t column,
                     size_t from, size_t n, double *x)
{
    size_t end = from + n;
    for (size_t i = from, part; i < end && i < t->stored; i += part) {
        size_t off = i % t->height;
        part = t->height - off < end - i ? t->height - off : end - i;
        size_t at = place(t, chain, i - off, column) + off * sizeof *x;
        bool good =
            !t->broken && cs_spill_read(&t->file, at, x, part * sizeof *x);
        for (size_t k = 0; k < part && !good; k++)
            x[k] = (double)NAN;
        x += part;
    }
    for (size_t i = from > t->stored ? from : t->stored; i < end; i++)
        *x++ = waiting(t, chain, i)[column];
}

void cs_tiles_rows(const cs_tiles *t, size_t chain, size_t i, double *scratch,
                   double *rows)
{
    size_t at = i / t->height * t->height, words = t->height * t->width;
    if (i >= t->stored) {
        memcpy(rows, waiting(t, chain, at), words * sizeof *rows);
        return;
    }
    bool good = !t->broken && cs_spill_read(&t->file, place(t, chain, at, 0),
                                            scratch, words * sizeof *rows);
    for (size_t k = 0; k < words && !good; k++)
        scratch[k] = (double)NAN;
    transpose(scratch, t->width, t->height, rows);
}

size_t cs_tiles_draws(const cs_tiles *t, size_t chain, size_t rows)
{
    size_t n = t->draws[chain];
    for (size_t i = t->stored; i < rows; i++)
        n += cs_is_draw(waiting(t, chain, i));
    return n;
}
