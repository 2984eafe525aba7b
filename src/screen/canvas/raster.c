#include "screen/canvas/raster.h"

#include "base/memory.h"

#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most_of(int a, int b)
{
    return a > b ? a : b;
}

static size_t stride_of(const cs_canvas *c)
{
    return (size_t)c->width * (size_t)c->pixels.wide;
}

/* Returns line y of the pixels of a rectangle of cells. */
static uint8_t *line_of(const cs_canvas *c, int x, int y)
{
    return c->pixels.role + (size_t)y * stride_of(c) +
           (size_t)x * (size_t)c->pixels.wide;
}

void cs_canvas_pixels(cs_canvas *c, int wide, int high)
{
    cs_pixel_grid *g = &c->pixels;
    size_t n =
        (size_t)c->width * (size_t)c->height * (size_t)wide * (size_t)high;
    g->n = 0;
    if (n > CS_RASTER_MOST)
        n = 0;
    if (n > g->capacity) {
        cs_free(g->role);
        g->role = cs_alloc(n, 1);
        g->capacity = g->role ? n : 0;
        n = g->capacity;
    }
    g->wide = n ? wide : 0;
    g->high = n ? high : 0;
    if (n)
        memset(g->role, CS_ROLE_NORMAL, n);
}

void cs_canvas_drop_picture(cs_canvas *c, size_t i)
{
    cs_pixel_grid *g = &c->pixels;
    const cs_pixel_picture p = g->picture[i];
    for (int y = p.y * g->high; y < (p.y + p.h) * g->high; y++)
        memset(line_of(c, p.x, y), CS_ROLE_NORMAL,
               (size_t)p.w * (size_t)g->wide);
    g->picture[i] = g->picture[--g->n];
}

void cs_canvas_drop_pictures(cs_canvas *c)
{
    while (c->pixels.n)
        cs_canvas_drop_picture(c, c->pixels.n - 1);
}

/* Returns true if two rectangles overlap. */
static bool overlap(const cs_pixel_picture *p, const cs_area *a)
{
    return p->x < a->x + a->w && a->x < p->x + p->w && p->y < a->y + a->h &&
           a->y < p->y + p->h;
}

/* Extends the first picture that overlaps the area to contain the area, or adds
 * a picture. Returns false if there is no space for another picture. */
static bool add_picture(const cs_area *a)
{
    cs_pixel_grid *g = &a->canvas->pixels;
    for (size_t i = 0; i < g->n; i++) {
        cs_pixel_picture *p = &g->picture[i];
        if (!overlap(p, a))
            continue;
        int right = most_of(p->x + p->w, a->x + a->w);
        int bottom = most_of(p->y + p->h, a->y + a->h);
        p->x = least(p->x, a->x);
        p->y = least(p->y, a->y);
        p->w = right - p->x;
        p->h = bottom - p->y;
        return true;
    }
    if (g->n == CS_PICTURES)
        return false;
    g->picture[g->n++] = (cs_pixel_picture){a->x, a->y, a->w, a->h, false};
    return true;
}

bool cs_raster_open(const cs_area *a, cs_raster *r)
{
    const cs_canvas *c = a->canvas;
    if (c->pixels.wide == 0 || c->glyphs == CS_ASCII || a->w < 2 || a->h < 2 ||
        !add_picture(a))
        return false;
    *r = (cs_raster){.area = *a,
                     .wide = c->pixels.wide,
                     .high = c->pixels.high,
                     .w = a->w * c->pixels.wide,
                     .h = a->h * c->pixels.high};
    return true;
}

/* Returns true if a cell is blank or contains a part of a picture. */
static bool is_drawn(const cs_cell *cell)
{
    return cell->pixels || cell->code == ' ' || cell->code == 0xB7 ||
           (cell->code >= 0x2580 && cell->code < 0x25A0) ||
           (cell->code & ~0xFFu) == 0x2800;
}

static cs_cell *cell_at(const cs_area *a, int x, int y)
{
    return a->canvas->cell + (size_t)(a->y + y) * (size_t)a->canvas->width +
           (size_t)(a->x + x);
}

/* Returns the colour of a line's pixel over a pixel `was`. The line in the cell
 * that was drawn in characters has the role of `cell` over bars. */
static unsigned colour_over(const cs_cell *cell, unsigned was, unsigned role)
{
    bool contrast = cell->role == CS_ROLE_LINE || cell->role == CS_ROLE_INK;
    if (role >= CS_ROLE_RAMP) /* the line's colour shows a level */
        return role;
    if (was >= CS_ROLE_RAMP)
        return CS_ROLE_LINE;
    return contrast && was != CS_ROLE_NORMAL ? cell->role : role;
}

/* Fills a part of one cell. */
static void fill_cell(const cs_raster *r, cs_cell *cell, const int *from,
                      const int *to, cs_role role, bool line)
{
    const cs_canvas *c = r->area.canvas;
    if (is_drawn(cell))
        cell->pixels = 1;
    for (int y = from[1]; y < to[1]; y++) {
        uint8_t *at = line_of(c, r->area.x, r->area.y * r->high + y);
        for (int x = from[0]; x < to[0]; x++)
            at[x] = (uint8_t)(line ? colour_over(cell, at[x], role) : role);
    }
}

static void fill(const cs_raster *r, const int *from, const int *to,
                 cs_role role, bool line)
{
    int x0 = most_of(from[0], 0), x1 = least(to[0], r->w);
    int y0 = most_of(from[1], 0), y1 = least(to[1], r->h);
    for (int y = y0; y < y1; y = (y / r->high + 1) * r->high)
        for (int x = x0; x < x1; x = (x / r->wide + 1) * r->wide) {
            const int end[2] = {least((x / r->wide + 1) * r->wide, x1),
                                least((y / r->high + 1) * r->high, y1)};
            fill_cell(r, cell_at(&r->area, x / r->wide, y / r->high),
                      (const int[2]){x, y}, end, role, line);
        }
}

void cs_raster_fill(const cs_raster *r, int x0, int y0, int x1, int y1,
                    cs_role role)
{
    if (role != CS_ROLE_NORMAL)
        fill(r, (const int[2]){x0, y0}, (const int[2]){x1, y1}, role, false);
}

void cs_raster_line(const cs_raster *r, int x0, int y0, int x1, int y1,
                    cs_role role)
{
    fill(r, (const int[2]){x0, y0}, (const int[2]){x1, y1},
         role == CS_ROLE_NORMAL ? CS_ROLE_VALUE : role, true);
}

void cs_raster_two(const cs_raster *r, int x, int y, cs_role upper,
                   cs_role lower)
{
    int left = x * r->wide, right = left + r->wide;
    int top = y * r->high, middle = top + r->high / 2;
    cs_raster_fill(r, left, top, right, middle, upper);
    cs_raster_fill(r, left, middle, right, top + r->high, lower);
}

int cs_raster_parts(int pixels, int n, int most)
{
    int parts = pixels / 2;
    if (n > 0)
        parts = least(parts, most / n);
    return most_of(parts, 1);
}

/* Makes the pixels of one cell of a copy transparent. */
static void hide(const cs_canvas *c, size_t stride, uint8_t *out)
{
    for (int y = 0; y < c->pixels.high; y++)
        memset(out + (size_t)y * stride, CS_ROLE_NORMAL,
               (size_t)c->pixels.wide);
}

bool cs_raster_copy(const cs_canvas *c, const cs_pixel_picture *p, bool over,
                    uint8_t *out)
{
    size_t wide = (size_t)c->pixels.wide, high = (size_t)c->pixels.high;
    size_t stride = (size_t)p->w * wide;
    bool any = false;
    for (int y = 0; y < p->h * c->pixels.high; y++)
        memcpy(out + (size_t)y * stride,
               line_of(c, p->x, p->y * c->pixels.high + y), stride);
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++) {
            const cs_cell *cell = c->cell +
                                  (size_t)(p->y + y) * (size_t)c->width +
                                  (size_t)(p->x + x);
            bool shown = cell->pixels || (over && cell->ground);
            any |= cell->pixels;
            if (!shown)
                hide(c, stride,
                     out + (size_t)y * high * stride + (size_t)x * wide);
        }
    return any;
}
