/* The arrangement of pictures of the same size side by side, each with a line
 * of text above it. */
#pragma once

#include "screen/canvas/pixels.h"

enum { CS_TILE_GAP = 1 }; /* number of columns between two tiles */

typedef struct cs_tiling {
    cs_grain grain;
    int w, h;         /* size of a tile with its line of text */
    size_t across, n; /* across: number of tiles per row; n: number of tiles,
                       * 0 if none fits */
} cs_tiling;

/* Arranges n pictures of `field` as large as possible. Shows at least a dozen
 * pictures, or all if n is smaller. Shows only half of that number if the
 * pictures then cover more than twice the area in total. If not even half of
 * them fit, shows two pictures or one, shrunk if needed. `field` is NULL for
 * places in the plane, which can be drawn in any size. */
cs_tiling cs_tiling_make(const cs_area *a, const cs_pixels *field, size_t n);
