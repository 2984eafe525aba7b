#include "screen/canvas/canvas.h"

#include "base/memory.h"
#include "base/text.h"
#include "screen/canvas/raster.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

cs_status cs_canvas_resize(cs_canvas *c, int width, int height, cs_error *err)
{
    width = clamp(width, 1, CS_CANVAS_MAX);
    height = clamp(height, 1, CS_CANVAS_MAX);
    size_t n = (size_t)width * (size_t)height;
    if (n > c->capacity) {
        cs_cell *cell =
            cs_resize(c->cell, c->capacity * sizeof *cell, n * sizeof *cell);
        if (!cell)
            return cs_fail(err, CS_MEMORY,
                           "out of memory for a screen of %d x %d", width,
                           height);
        c->cell = cell;
        c->capacity = n;
    }
    c->width = width;
    c->height = height;
    c->pixels.n = 0;
    cs_canvas_clear(c);
    cs_canvas_pixels(c, c->pixels.wide, c->pixels.high);
    return CS_OK;
}

cs_status cs_canvas_init(cs_canvas *c, int width, int height, cs_glyphs glyphs,
                         cs_error *err)
{
    *c = (cs_canvas){.glyphs = glyphs, .theme = cs_theme_at(0)};
    return cs_canvas_resize(c, width, height, err);
}

cs_status cs_canvas_copy(cs_canvas *to, const cs_canvas *from, cs_error *err)
{
    size_t n = (size_t)from->width * (size_t)from->height;
    cs_status status = CS_OK;
    if (to->width != from->width || to->height != from->height)
        status = cs_canvas_resize(to, from->width, from->height, err);
    if (status)
        return status;
    memcpy(to->cell, from->cell, n * sizeof *to->cell);
    to->glyphs = from->glyphs;
    to->theme = from->theme;
    to->cursor_x = from->cursor_x;
    to->cursor_y = from->cursor_y;
    return CS_OK;
}

void cs_canvas_fini(cs_canvas *c)
{
    cs_free(c->cell);
    cs_free(c->pixels.role);
    *c = (cs_canvas){0};
}

void cs_canvas_clear(cs_canvas *c)
{
    size_t n = (size_t)c->width * (size_t)c->height;
    for (size_t i = 0; i < n; i++)
        c->cell[i] = (cs_cell){.code = ' '};
    c->cursor_x = c->cursor_y = -1;
    c->n_axes = c->n_planes = 0;
    cs_canvas_drop_pictures(c);
}

static bool stays_at(const cs_area *part, const bool *stays, size_t n, int x,
                     int y)
{
    bool found = false;
    for (size_t i = 0; i < n && !found; i++)
        found = stays[i] && x >= part[i].x && x < part[i].x + part[i].w &&
                y >= part[i].y && y < part[i].y + part[i].h;
    return found;
}

static void clear_line(cs_canvas *c, int y, const cs_area *part,
                       const bool *stays, size_t n)
{
    cs_cell *line = c->cell + (size_t)y * (size_t)c->width;
    bool kept[CS_CANVAS_MAX] = {false};
    for (size_t i = 0; i < n; i++)
        if (stays[i] && y >= part[i].y && y < part[i].y + part[i].h)
            memset(kept + part[i].x, true, (size_t)part[i].w);
    for (int x = 0; x < c->width; x++)
        if (!kept[x])
            line[x] = (cs_cell){.code = ' '};
}

void cs_canvas_clear_but(cs_canvas *c, const cs_area *part, const bool *stays,
                         size_t n)
{
    size_t axes = 0, planes = 0;
    for (int y = 0; y < c->height; y++)
        clear_line(c, y, part, stays, n);
    for (size_t i = 0; i < c->n_axes; i++)
        if (stays_at(part, stays, n, c->axis[i].x, c->axis[i].y))
            c->axis[axes++] = c->axis[i];
    for (size_t i = 0; i < c->n_planes; i++)
        if (stays_at(part, stays, n, c->plane[i].x, c->plane[i].y))
            c->plane[planes++] = c->plane[i];
    c->n_axes = axes;
    c->n_planes = planes;
    for (size_t i = c->pixels.n; i-- > 0;) {
        cs_pixel_picture *p = &c->pixels.picture[i];
        p->waits = false;
        if (!stays_at(part, stays, n, p->x, p->y))
            cs_canvas_drop_picture(c, i);
    }
    c->cursor_x = c->cursor_y = -1;
}

double cs_axis_value(const cs_x_axis *axis, double share)
{
    return axis->log ? axis->from * pow(axis->to / axis->from, share)
                     : axis->from + (axis->to - axis->from) * share;
}

void cs_canvas_note_axis(cs_canvas *c, cs_x_axis axis)
{
    if (c->n_axes < CS_X_AXES)
        c->axis[c->n_axes++] = axis;
}

void cs_canvas_note_plane(cs_canvas *c, cs_plane plane)
{
    if (c->n_planes < CS_PLANES)
        c->plane[c->n_planes++] = plane;
}

cs_area cs_canvas_area(cs_canvas *c)
{
    return (cs_area){c, 0, 0, c->width, c->height};
}

cs_area cs_area_part(const cs_area *a, int x, int y, int w, int h)
{
    int x0 = clamp(x, 0, a->w), y0 = clamp(y, 0, a->h);
    return (cs_area){a->canvas, a->x + x0, a->y + y0,
                     clamp(w - (x0 - x), 0, a->w - x0),
                     clamp(h - (y0 - y), 0, a->h - y0)};
}

/* Returns the ASCII substitute of a character. */
static unsigned to_ascii(unsigned code)
{
    static const struct {
        unsigned code;
        char ascii;
    } table[] = {{0x2500, '-'}, {0x2502, '|'}, {0x2591, ':'}, {0x2592, '+'},
                 {0x2593, '%'}, {0x2588, '#'}, {0xB7, '.'},   {0x2580, '\''},
                 {0x2506, '|'}, {0x2584, '.'}, {0x25B2, '^'}, {0x25BC, 'v'},
                 {0x25CB, 'o'}, {0x2026, '~'}, {0x254E, ':'}, {0x2022, '*'},
                 {0x2192, '>'}, {0x25B6, '>'}, {0x2190, '<'}, {0x2191, '^'},
                 {0x2193, 'v'}, {0x25B8, '>'}, {0x25CF, '*'}, {0x2501, '='},
                 {0x2508, '='}, {0x2575, '\''}};
    if (code < 0x7F)
        return code;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return (unsigned)table[i].ascii;
    if (code >= 0x2500 && code < 0x2580)
        return '+';
    if (code >= 0x2581 && code <= 0x2587)
        return code < 0x2584 ? '.' : ':';
    return '?';
}

void cs_put(const cs_area *a, int x, int y, cs_role role, unsigned code)
{
    if (x < 0 || y < 0 || x >= a->w || y >= a->h)
        return;
    if (a->canvas->glyphs == CS_ASCII)
        code = to_ascii(code);
    int width = cs_utf8_width(code);
    cs_cell *at = a->canvas->cell +
                  (size_t)(a->y + y) * (size_t)a->canvas->width + a->x + x;
    if (width == 0)
        return;
    if (width == 2 && x + 1 >= a->w)
        code = ' ', width = 1;
    *at = (cs_cell){.code = code, .role = (uint8_t)role};
    if (width == 2)
        at[1] = (cs_cell){.code = 0, .role = (uint8_t)role};
}

void cs_put_two(const cs_area *a, int x, int y, cs_role upper, cs_role lower)
{
    if (x < 0 || y < 0 || x >= a->w || y >= a->h)
        return;
    if (a->canvas->glyphs == CS_ASCII) {
        cs_role ground = lower == CS_ROLE_NORMAL ? upper : lower;
        cs_put(a, x, y, upper,
               cs_theme_paint(a->canvas->theme, upper, ground, 0x2580,
                              CS_TIER_MONO)
                   .code);
        return;
    }
    /* A cell is drawn with the same two colours in all four cases in which each
     * half is at an end of the scale. This takes fewer bytes than a change of
     * colours at every cell. */
    static const unsigned pattern[2][2] = {{' ', 0x2584}, {0x2580, 0x2588}};
    const cs_role off = CS_ROLE_RAMP, on = off + CS_RAMP_ROLES - 1;
    bool ends = (upper == off || upper == on) && (lower == off || lower == on);
    cs_put(a, x, y, ends ? on : upper,
           ends             ? pattern[upper == on][lower == on]
           : upper == lower ? 0x2588u
                            : 0x2580u);
    a->canvas
        ->cell[(size_t)(a->y + y) * (size_t)a->canvas->width +
               (size_t)(a->x + x)]
        .ground = (uint8_t)(ends ? off : lower);
}

void cs_ground(const cs_area *a, int x, int y, cs_role ground)
{
    if (x >= 0 && y >= 0 && x < a->w && y < a->h)
        a->canvas
            ->cell[(size_t)(a->y + y) * (size_t)a->canvas->width +
                   (size_t)(a->x + x)]
            .ground = (uint8_t)ground;
}

void cs_attribute(const cs_area *a, int x, int y, int n, unsigned attributes)
{
    for (int i = x < 0 ? 0 : x; i < x + n && i < a->w; i++)
        if (y >= 0 && y < a->h)
            a->canvas
                ->cell[(size_t)(a->y + y) * (size_t)a->canvas->width +
                       (size_t)(a->x + i)]
                .attributes |= (uint8_t)attributes;
}

static int put_clean(const cs_area *a, int x, int y, cs_role role,
                     const char *text)
{
    size_t left = strlen(text);
    while (left) {
        unsigned code = '?';
        size_t n = cs_utf8_decode(text, left, &code);
        n = n ? n : 1;
        cs_put(a, x, y, role, code);
        x += a->canvas->glyphs == CS_ASCII ? 1 : cs_utf8_width(code);
        text += n;
        left -= n;
    }
    return x;
}

enum { LINE = 2048 };

static void format_clean(char clean[LINE], const char *format, va_list args)
{
    char text[LINE];
    vsnprintf(text, sizeof text, format, args);
    cs_text_clean(text, clean, LINE);
}

int cs_print(const cs_area *a, int x, int y, cs_role role, const char *format,
             ...)
{
    char clean[LINE];
    va_list args;
    va_start(args, format);
    format_clean(clean, format, args);
    va_end(args);
    return put_clean(a, x, y, role, clean);
}

/* Returns the number of bytes of the characters that fit into `columns`. */
static size_t bytes_of(const char *text, int columns)
{
    size_t used = 0;
    for (size_t left = strlen(text), n; left; used += n, left -= n) {
        unsigned code = '?';
        n = cs_utf8_decode(text + used, left, &code);
        n = n ? n : 1;
        columns -= cs_utf8_width(code);
        if (columns < 0)
            break;
    }
    return used;
}

/* Returns the position at which to cut a text of n bytes. It is after the last
 * complete word, unless less than half of the text would remain. */
static size_t end_of_words(const char *text, size_t n)
{
    size_t at = n;
    while (at > 0 && text[at] != ' ')
        at--;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    return 2 * at >= n ? at : n;
}

int cs_print_cut(const cs_area *a, int x, int y, int w, cs_role role,
                 const char *format, ...)
{
    char clean[LINE];
    va_list args;
    va_start(args, format);
    format_clean(clean, format, args);
    va_end(args);
    if (cs_text_width(clean) <= w)
        return put_clean(a, x, y, role, clean);
    clean[end_of_words(clean, bytes_of(clean, w - 1))] = 0;
    x = put_clean(a, x, y, role, clean);
    if (w > 0)
        cs_put(a, x++, y, role, 0x2026);
    return x;
}

int cs_print_fit(const cs_area *a, int x, int y, int w, cs_role role,
                 const char *format, ...)
{
    char clean[LINE];
    va_list args;
    va_start(args, format);
    format_clean(clean, format, args);
    va_end(args);
    return cs_text_width(clean) <= w ? put_clean(a, x, y, role, clean) : x;
}

int cs_print_right(const cs_area *a, int y, cs_role role, const char *format,
                   ...)
{
    char clean[LINE];
    va_list args;
    va_start(args, format);
    format_clean(clean, format, args);
    va_end(args);
    int x = a->w - cs_text_width(clean);
    put_clean(a, x, y, role, clean);
    return x;
}

size_t cs_text_line(const char *text, int columns)
{
    size_t take = bytes_of(text, columns), at = take;
    if (!text[take])
        return take;
    while (at > 0 && text[at] != ' ')
        at--;
    return at ? at : take;
}

/* Draws one line of a text, wrapped over several screen lines if needed.
 * Returns the number of screen lines. */
static int wrap_line(const cs_area *a, int x, int y, cs_role role,
                     const char *text)
{
    char clean[LINE];
    cs_text_clean(text, clean, sizeof clean);
    int lines = 0, room = a->w - x;
    for (char *p = clean; *p && y + lines < a->h && room > 0; lines++) {
        size_t take = cs_text_line(p, room);
        char kept = p[take];
        if (take == 0)
            break; /* a wide character does not fit in one column */
        if (p[take] && y + lines + 1 >= a->h) { /* the last available line */
            cs_print_cut(a, x, y + lines++, room, role, "%s", p);
            break;
        }
        p[take] = 0;
        put_clean(a, x, y + lines, role, p);
        p[take] = kept;
        p += take;
        while (*p == ' ')
            p++;
    }
    return lines;
}

int cs_print_wrapped(const cs_area *a, int x, int y, cs_role role,
                     const char *text)
{
    int lines = 0;
    while (*text && y + lines < a->h) {
        char line[LINE];
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        lines += wrap_line(a, x, y + lines, role, line);
        text += n + (text[n] == '\n');
    }
    return lines;
}

void cs_fill(const cs_area *a, cs_role role, unsigned code)
{
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++)
            cs_put(a, x, y, role, code);
}

/* `forms` has one form per line. Finds the first form that fits; "" if no form
 * fits. */
static void find_form(const char *forms, int capacity, char *out, size_t size)
{
    while (forms && *forms) {
        size_t n = strcspn(forms, "\n");
        snprintf(out, size, "%.*s", (int)n, forms);
        if (cs_text_width(out) <= capacity)
            return;
        forms += n + (forms[n] == '\n');
    }
    *out = 0;
}

cs_area cs_heading(const cs_area *a, cs_role role, const char *title,
                   const char *right, int *end)
{
    char form[160] = "";
    bool focus = role == CS_ROLE_FOCUS;
    int x =
        cs_print_cut(a, 0, 0, a->w, focus ? role : CS_ROLE_NORMAL, "%s", title);
    find_form(right, a->w - x - 3, form, sizeof form);
    *end = *form ? cs_print_right(a, 0, CS_ROLE_LABEL, "%s", form) : a->w;
    for (int i = x + 1; i < *end - 1 + (*form == 0); i++)
        cs_put(a, i, 0, role, 0x2500);
    return cs_area_part(a, 0, 1, a->w, a->h - 1);
}

cs_area cs_box(const cs_area *a, cs_role role, const char *title,
               const char *right)
{
    int r = a->w - 1, b = a->h - 1;
    for (int x = 1; x < r; x++) {
        cs_put(a, x, 0, role, 0x2500);
        cs_put(a, x, b, role, 0x2500);
    }
    for (int y = 1; y < b; y++) {
        cs_put(a, 0, y, role, 0x2502);
        cs_put(a, r, y, role, 0x2502);
    }
    cs_put(a, 0, 0, role, 0x250C);
    cs_put(a, r, 0, role, 0x2510);
    cs_put(a, 0, b, role, 0x2514);
    cs_put(a, r, b, role, 0x2518);
    cs_area top = cs_area_part(a, 1, 0, a->w - 2, 1);
    char form[160] = "";
    find_form(right, top.w - cs_text_width(title) - 1, form, sizeof form);
    cs_print_cut(&top, 0, 0, top.w,
                 role == CS_ROLE_FOCUS ? CS_ROLE_FOCUS : CS_ROLE_TITLE, "%s",
                 title);
    if (*form)
        cs_print_right(&top, 0, CS_ROLE_LABEL, "%s", form);
    return cs_area_part(a, 1, 1, a->w - 2, a->h - 2);
}
