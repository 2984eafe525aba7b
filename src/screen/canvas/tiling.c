#include "screen/canvas/tiling.h"

#include <assert.h>

enum { LABEL = 8, MANY = 12, WIDTH = 12, HEIGHT = 5 };

/* Counts the tiles of this size that fit. Returns true if at least `least`
 * tiles fit. */
static bool count(const cs_area *a, size_t n, size_t least, cs_tiling *out)
{
    int across = (a->w + CS_TILE_GAP) / (out->w + CS_TILE_GAP);
    int down = a->h / out->h;
    out->n = (size_t)(across > 0 ? across : 0) * (size_t)(down > 0 ? down : 0);
    out->across = (size_t)across;
    bool enough = out->n >= least;
    out->n = out->n < n ? out->n : n;
    return enough;
}

/* Finds the largest tiles such that at least `least` fit, for pictures of
 * places in the plane, which can be drawn in any size. */
static bool fit_places(const cs_area *a, size_t n, size_t least, cs_tiling *out)
{
    for (int across = 1; across <= a->w; across++) {
        out->w = (a->w + CS_TILE_GAP) / across - CS_TILE_GAP;
        out->h = out->w / 2 + 1 < a->h ? out->w / 2 + 1 : a->h;
        if (across > 1 && (out->w < WIDTH || out->h < HEIGHT))
            return false;
        if (out->w > 0 && count(a, n, least, out))
            return true;
    }
    return false;
}

/* Finds the largest grain at which at least `least` of n pictures fit. */
static bool fit(const cs_area *a, const cs_pixels *field, size_t n,
                size_t least, bool shrunk, cs_tiling *out)
{
    if (!field)
        return fit_places(a, n, least, out);
    bool two = field->palette == CS_PALETTE_TWO;
    for (int i = 0; cs_grain_at(i, two, a->canvas->glyphs, &out->grain); i++) {
        if (out->grain.shrink > 1 && !shrunk)
            break;
        cs_grain_size(&out->grain, field, &out->w, &out->h);
        out->w = out->w < LABEL && n > 1 ? LABEL : out->w;
        out->h++;
        if (count(a, n, least, out))
            return true;
    }
    return false;
}

static int covered(const cs_tiling *t)
{
    return (int)t->n * t->w * (t->h - 1);
}

cs_tiling cs_tiling_make(const cs_area *a, const cs_pixels *field, size_t n)
{
    assert(!field || field->rows * field->cols > 0);
    cs_tiling out = {.n = 0}, larger = {.n = 0};
    if (a->w < 1 || a->h < 2 || n == 0)
        return out;
    size_t many = n < MANY ? n : MANY, half = (many + 1) / 2;
    bool all = fit(a, field, n, many, false, &out);
    bool fewer = half >= 2 && fit(a, field, n, half, false, &larger);
    if (all && !(fewer && covered(&larger) > 2 * covered(&out)))
        return out;
    if (fewer)
        return larger;
    if (fit(a, field, n, n < 2 ? n : 2, false, &out) ||
        fit(a, field, n, 1, true, &out))
        return out;
    return (cs_tiling){.n = 0};
}
