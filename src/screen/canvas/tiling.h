/* How pictures of one size stand side by side, a line of text above each. */
#pragma once

#include "screen/canvas/pixels.h"

enum { CS_TILE_GAP = 1 }; /* columns between two */

typedef struct cs_tiling {
    cs_grain grain;
    int w, h;         /* of a tile, its line of text included */
    size_t across, n; /* tiles in a row, in all: 0 where there is no room */
} cs_tiling;

/* Room for n pictures of `field`, all of them or a dozen; half of these where
 * they then cover more than twice as much; else two, else one, shrunk if need
 * be: as large as can be. NULL: of places in the plane, which have any size. */
cs_tiling cs_tiling_make(const cs_area *a, const cs_pixels *field, size_t n);
