/* Diagnosed draws that do not fit in memory, of chains that only advance. They
 * are kept in a file without a name (files/spill.h), in tiles: a tile is some
 * rows of a chain, column after column. Each draw is written once, and a column
 * is read in large pieces. The rows that do not yet fill a tile are in a window
 * of memory. */
#pragma once

#include "files/spill.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_tiles {
    cs_spill file; /* [chains][capacity / height][width][height] [own] */
    size_t height; /* rows of a tile */
    size_t chains, width;
    size_t capacity; /* rows of a chain, a multiple of `height` */
    size_t stored;   /* rows of each chain in complete tiles */
    double *window;  /* [chains][room][width] rows from `stored` on [own] */
    size_t room;     /* rows of the window: two tiles */
    double *tile;    /* [width][height] the tile that is written [own] */
    size_t *draws;   /* [chains] rows in complete tiles that are draws (see
                         * cs_is_draw) [own] */
    bool broken;     /* writing failed: all draws in the file are read as NAN */
} cs_tiles;

/* Returns tiles for `rows` rows of `width` words per chain; NULL: no file of this
 * size can be made, or the window would not fit in the cache. */
cs_tiles *cs_tiles_new(size_t chains, size_t width, size_t rows);
void cs_tiles_free(cs_tiles *t); /* NULL is allowed */

/* Moves complete tiles from the window to the file. `rows` is the number of rows
 * of each chain that exist now. Afterwards the window has room for a tile. */
void cs_tiles_store(cs_tiles *t, size_t rows);

/* Copies rows `from` to from + n of a column of a chain to x[n]. NAN: the disk
 * failed. */
void cs_tiles_column(const cs_tiles *t, size_t chain, size_t column,
                     size_t from, size_t n, double *x);

/* Copies the tile that contains row i to rows[height][width]; scratch has the
 * same size. NAN: the disk failed. */
void cs_tiles_rows(const cs_tiles *t, size_t chain, size_t i, double *scratch,
                   double *rows);

/* Returns how many of the first `rows` rows of a chain are draws, if at least
 * `stored` rows exist. */
size_t cs_tiles_draws(const cs_tiles *t, size_t chain, size_t rows);
