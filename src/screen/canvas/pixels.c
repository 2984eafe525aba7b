#include "screen/canvas/pixels.h"

#include "screen/canvas/raster.h"

#include <assert.h>

enum { ZOOMS = 8, FINE = 14, MOST = FINE + 7, CLASSES = CS_CHAIN_ROLES };

bool cs_grain_at(int i, bool two, cs_glyphs glyphs, cs_grain *out)
{
    bool dots = two && glyphs == CS_BRAILLE;
    *out = (cs_grain){.zoom = 1, .shrink = 1};
    if (i < ZOOMS) {
        out->zoom = ZOOMS - i;
        return true;
    }
    i -= ZOOMS;
    if (dots && i == 0) {
        out->dots = true;
        return true;
    }
    i -= dots;
    out->shrink = i < FINE ? i + 2 : 16 << (i < MOST ? i - FINE : 0);
    return i < MOST; /* sides of the blocks: 2, 3, ... 15, 16, 32, ... 1024 */
}

/* Returns the width of all layers side by side, with the gaps between them. */
static size_t width_of(const cs_pixels *p)
{
    return p->layers > 1 ? p->layers * (p->cols + 1) - 1 : p->cols;
}

void cs_grain_size(const cs_grain *g, const cs_pixels *p, int *w, int *h)
{
    assert(g->zoom >= 1 && g->shrink >= 1);
    enum { FAR = 1 << 20 };
    size_t across = g->dots ? 2 : (size_t)g->shrink;
    size_t down = g->dots ? 4 : 2 * (size_t)g->shrink;
    size_t zoom = (size_t)g->zoom, rows = p->rows, cols = width_of(p);
    if (rows > FAR || cols > FAR) {
        *w = *h = FAR;
        return;
    }
    *w = (int)((cols * zoom + across - 1) / across);
    *h = (int)((rows * zoom + down - 1) / down);
}

static unsigned level_at(const cs_pixels *p, size_t row, size_t col)
{
    size_t layer = p->layers > 1 ? col / (p->cols + 1) : 0;
    col -= layer * (p->cols + 1);
    size_t i = (layer * p->rows + row) * p->cols + col;
    return row < p->rows && col < p->cols && i < p->n ? p->level[i] : 0;
}

static cs_role role_of(const cs_pixels *p, double level)
{
    double share = p->most > 0 ? level / p->most : 0;
    if (p->palette == CS_PALETTE_CLASSES)
        return cs_theme_class((unsigned long)level);
    if (p->palette == CS_PALETTE_SIDES)
        return cs_theme_sides(share);
    return cs_theme_ramp(share);
}

cs_role cs_pixels_role(const cs_pixels *p, unsigned level, unsigned *code)
{
    double share = p->most > 0 ? (level - 1.0) / p->most : 0;
    *code = '?';
    if (level < 1 || level > p->most + 1)
        return CS_ROLE_ERROR;
    cs_role role = role_of(p, level - 1);
    if (p->palette == CS_PALETTE_CLASSES)
        *code = 'a' + (level - 1) % CLASSES;
    else
        *code = share < 0.25 ? 0x25CB : share < 0.75 ? '+' : '#';
    return p->palette == CS_PALETTE_SIDES || share > 0.5 ? role
                                                         : CS_ROLE_NORMAL;
}

/* Returns the role of a block of pixels: the role of its mean, or of its
 * most frequent class. */
static cs_role block(const cs_pixels *p, size_t row, size_t col, size_t side)
{
    size_t n = 0, count[CLASSES] = {0}, best = 0;
    double sum = 0;
    bool broken = false;
    for (size_t r = row; r < row + side; r++)
        for (size_t c = col; c < col + side; c++) {
            unsigned level = level_at(p, r, c);
            broken |= level > p->most + 1;
            if (level < 1 || level > p->most + 1)
                continue;
            n++;
            sum += level - 1;
            count[(level - 1) % CLASSES]++;
        }
    if (n == 0)
        return broken ? CS_ROLE_ERROR : CS_ROLE_NORMAL;
    for (size_t i = 1; i < CLASSES; i++)
        best = count[i] > count[best] ? i : best;
    bool classes = p->palette == CS_PALETTE_CLASSES;
    return role_of(p, classes ? (double)best : sum / (double)n);
}

/* Returns the role of a pixel, or of a block of pixels, at the given grain. */
static cs_role pixel(const cs_pixels *p, const cs_grain *g, size_t y, size_t x)
{
    size_t zoom = (size_t)g->zoom, side = (size_t)g->shrink;
    return block(p, y / zoom * side, x / zoom * side, side);
}

static void draw_dots(const cs_area *a, const cs_pixels *p, int w, int h)
{
    static const unsigned bit[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    for (int y = 0; y < h && y < a->h; y++)
        for (int x = 0; x < w && x < a->w; x++) {
            unsigned code = 0x2800;
            for (int i = 0; i < 8; i++)
                if (level_at(p, (size_t)(4 * y + i / 2),
                             (size_t)(2 * x + i % 2)) == p->most + 1)
                    code |= bit[i / 2][i % 2];
            cs_put(a, x, y, cs_theme_ramp(1), code);
        }
}

/* Returns the first dot on the screen that shows site `site` or a later site. A
 * cell of `pixels` dots shows `across` / `zoom` sites. */
static int dot_of(size_t site, int pixels, int across, int zoom)
{
    size_t dots = site * (size_t)pixels * (size_t)zoom;
    return (int)((dots + (size_t)across - 1) / (size_t)across);
}

/* Draws the sites on a terminal with graphics. Blocks of sites are smaller than
 * in characters: each fills at least one pixel. */
static void draw_raster(const cs_area *a, const cs_pixels *p, const cs_grain *g)
{
    cs_raster r;
    int w, h;
    cs_grain_size(g, p, &w, &h);
    const cs_area part = cs_area_part(a, 0, 0, w, h);
    int across = g->dots ? 2 : g->shrink, down = g->dots ? 4 : 2 * g->shrink;
    if (!cs_raster_open(&part, &r))
        return;
    int columns = across / r.wide, rows = down / r.high;
    size_t side = (size_t)(columns > rows ? columns : rows) + 1;
    for (size_t y = 0; y < p->rows; y += side)
        for (size_t x = 0; x < width_of(p); x += side)
            cs_raster_fill(&r, dot_of(x, r.wide, across, g->zoom),
                           dot_of(y, r.high, down, g->zoom),
                           dot_of(x + side, r.wide, across, g->zoom),
                           dot_of(y + side, r.high, down, g->zoom),
                           block(p, y, x, side));
}

void cs_pixels_draw(const cs_area *a, const cs_pixels *p, const cs_grain *g)
{
    assert(p->level || p->n == 0);
    int w, h;
    cs_grain_size(g, p, &w, &h);
    if (g->dots) {
        draw_dots(a, p, w, h);
        draw_raster(a, p, g);
        return;
    }
    for (int y = 0; y < h && y < a->h; y++)
        for (int x = 0; x < w && x < a->w; x++) {
            cs_role upper = pixel(p, g, 2 * (size_t)y, (size_t)x);
            cs_role lower = pixel(p, g, 2 * (size_t)y + 1, (size_t)x);
            if (lower == CS_ROLE_NORMAL && p->palette == CS_PALETTE_CLASSES)
                lower = upper; /* a letter fills a whole cell */
            if (upper != CS_ROLE_NORMAL)
                cs_put_two(a, x, y, upper, lower);
        }
    draw_raster(a, p, g);
}
