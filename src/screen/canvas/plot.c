#include "screen/canvas/plot.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int per_column(cs_glyphs g)
{
    return g == CS_BRAILLE ? 2 : 1;
}

static int per_row(cs_glyphs g)
{
    return g == CS_BRAILLE ? 4 : g == CS_BLOCK ? 2 : 1;
}

cs_plot cs_plot_make(const cs_area *area, double x0, double x1, double y0,
                     double y1)
{
    cs_glyphs g = area->canvas->glyphs;
    if (!isfinite(x0) || !isfinite(x1) || !(x1 > x0)) {
        x0 = isfinite(x0) ? x0 : 0;
        x1 = x0 + 1;
    }
    if (!isfinite(y0) || !isfinite(y1))
        y0 = 0, y1 = 1;
    if (!(y1 > y0)) {
        double pad = y0 == 0 ? 1 : fabs(y0) * 0.05;
        y1 = y0 + pad;
        y0 -= pad;
    }
    return (cs_plot){.area = *area,
                     .columns = area->w * per_column(g),
                     .rows = area->h * per_row(g),
                     .x0 = x0,
                     .x1 = x1,
                     .y0 = y0,
                     .y1 = y1,
                     .whole0 = x0,
                     .whole1 = x1};
}

cs_plot cs_plot_scaled(const cs_area *area, cs_scale x, cs_scale y)
{
    cs_plot p = cs_plot_make(area, x.low, x.high, y.low, y.high);
    p.log_x = x.log && p.x0 > 0;
    p.log_y = y.log && p.y0 > 0;
    return p;
}

cs_scale cs_window_y(const cs_window *w, double low, double high)
{
    return (cs_scale){low, high, w->log_y && low > 0};
}

cs_stretch cs_window_part(const cs_window *w, int k)
{
    return k > 0 ? w->more[k - 1] : (cs_stretch){w->on, w->from, w->to};
}

void cs_window_set_part(cs_window *w, int k, cs_stretch part)
{
    if (k > 0) {
        w->more[k - 1] = part;
        return;
    }
    w->on = part.on;
    w->from = part.from;
    w->to = part.to;
}

/* Returns the range of an axis. A logarithmic axis starts no lower than a
 * thousandth of its end. */
static cs_scale above_zero(cs_scale s)
{
    if (s.log && s.low < s.high / 1000)
        s.low = s.high / 1000;
    return s;
}

cs_scale cs_window_shows(const cs_window *w, int k, cs_scale whole)
{
    cs_stretch part = cs_window_part(w, k);
    whole = above_zero(whole);
    double from = fmax(part.from, whole.low), to = fmin(part.to, whole.high);
    bool on = part.on && from < to;
    return (cs_scale){on ? from : whole.low, on ? to : whole.high, whole.log};
}

cs_plot cs_window_plot(const cs_area *area, const cs_window *w, double x0,
                       double x1, cs_scale y)
{
    cs_plot all = cs_plot_make(area, x0, x1, 0, 1);
    cs_scale whole =
        above_zero((cs_scale){all.x0, all.x1, w->log_x && all.x1 > 0});
    cs_plot p = cs_plot_scaled(area, cs_window_shows(w, 0, whole), y);
    p.whole0 = whole.low;
    p.whole1 = whole.high;
    p.windowed = true;
    return p;
}

cs_plot cs_window_plane(const cs_area *area, const cs_window *w, cs_scale x,
                        cs_scale y, int part, int part_up)
{
    bool linear = !x.log && !y.log;
    x.log = x.log && w->log_x && x.low >= 0 && x.high > 0;
    y.log = y.log && w->log_y && y.low >= 0 && y.high > 0;
    x = above_zero(x);
    y = above_zero(y);
    cs_plot p = cs_plot_scaled(area, cs_window_shows(w, part, x),
                               cs_window_shows(w, part_up, y));
    p.whole0 = x.low;
    p.whole1 = x.high;
    p.whole_y0 = y.low;
    p.whole_y1 = y.high;
    p.windowed = p.plane = true;
    p.linear = linear;
    p.part = part;
    p.part_up = part_up;
    return p;
}

bool cs_plot_is_part(const cs_plot *p)
{
    return p->x0 > p->whole0 || p->x1 < p->whole1;
}

static cs_cell *cell_at(const cs_area *a, int x, int y)
{
    return a->canvas->cell + (size_t)(a->y + y) * (size_t)a->canvas->width +
           a->x + x;
}

/* Returns the cell to which a new dot of the given role is added. If the
 * cell shows a level or a bar, this becomes the background of the dot. */
static cs_cell beneath(const cs_cell *cell, cs_role role)
{
    unsigned was = cell->role;
    bool level = was >= CS_ROLE_RAMP && was < CS_ROLE_SIDES;
    bool bar = ((was >= CS_ROLE_CHAIN && was < CS_ROLE_RAMP) ||
                was == CS_ROLE_ACCEPT || was == CS_ROLE_EVENT) &&
               cell->code >= 0x2585 && cell->code <= 0x2588;
    bool dotted = (cell->code & ~0xFFu) == 0x2800 || was == CS_ROLE_LINE ||
                  was == CS_ROLE_INK;
    cs_cell out = {.code = dotted ? cell->code : ' ', .role = (uint8_t)role};
    if (dotted && cell->ground != CS_ROLE_NORMAL) {
        out.role = cell->role;
        out.ground = cell->ground;
    } else if (level || bar) {
        out.role = (uint8_t)(level ? cs_theme_over(was) : CS_ROLE_INK);
        out.ground = (uint8_t)was;
    }
    return out;
}

static void dot_block(cs_cell *cell, int row, cs_role role)
{
    cs_cell under = beneath(cell, role);
    if (under.ground != CS_ROLE_NORMAL)
        *cell = under;
    unsigned half = row % 2 ? 0x2584 : 0x2580;
    bool other = cell->code == (row % 2 ? 0x2580u : 0x2584u);
    cell->code = other || cell->code == 0x2588 ? 0x2588 : half;
    if (under.ground == CS_ROLE_NORMAL)
        *cell = (cs_cell){.code = cell->code, .role = (uint8_t)role};
}

static void dot_braille(cs_cell *cell, int column, int row, cs_role role)
{
    static const unsigned bit[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    unsigned old = (cell->code & ~0xFFu) == 0x2800 ? cell->code : 0x2800;
    *cell = beneath(cell, role);
    cell->code = old | bit[row % 4][column % 2];
}

bool cs_plot_pass(const cs_plot *p, int k, cs_plot *out)
{
    *out = *p;
    out->pass = k ? CS_PLOT_PIXELS : CS_PLOT_CELLS;
    bool fine = cs_raster_open(&p->area, &out->raster);
    out->hides = k == 0 && fine;
    if (k == 0)
        return true;
    out->columns = p->area.w * p->area.canvas->pixels.wide;
    out->rows = p->area.h * p->area.canvas->pixels.high;
    return fine;
}

/* Puts a dot at (column, row), in dots, with row 0 at the top. */
static void put_dot(const cs_plot *p, int column, int row, cs_role role,
                    char mark)
{
    if (column < 0 || row < 0 || column >= p->columns || row >= p->rows)
        return;
    cs_glyphs g = p->area.canvas->glyphs;
    cs_cell *cell = cell_at(&p->area, column / per_column(g), row / per_row(g));
    if (g == CS_BRAILLE)
        dot_braille(cell, column, row, role);
    else if (g == CS_BLOCK)
        dot_block(cell, row, role);
    else
        *cell = (cs_cell){.code = (unsigned char)mark, .role = (uint8_t)role};
    cell->pixels |= p->hides;
}

/* Returns the dot nearest to `at`. The result is limited to one million in
 * absolute value, because positions on an axis without width are infinite. */
static int dot(double at)
{
    return at > -1e6 && at < 1e6 ? (int)floor(at + 0.5)
           : at > 0              ? 1000000
                                 : -1000000;
}

/* Returns the position of v between the two ends, as a share. */
static double share_of(double v, double from, double to, bool log_scale)
{
    if (!log_scale)
        return (v - from) / (to - from);
    return log(fmax(v, DBL_MIN) / from) / log(to / from);
}

double cs_plot_fall(const cs_plot *p, double y)
{
    return share_of(y, p->y1, p->y0, p->log_y);
}

static int dot_row(const cs_plot *p, double y)
{
    return dot(cs_plot_fall(p, y) * (p->rows - 1));
}

static int dot_column(const cs_plot *p, double x)
{
    return dot(share_of(x, p->x0, p->x1, p->log_x) * (p->columns - 1));
}

double cs_plot_at(const cs_plot *p, double share)
{
    return cs_axis_value(
        &(cs_x_axis){.from = p->x0, .to = p->x1, .log = p->log_x}, share);
}

/* Draws a stroke in pixels, from column `from` to before column `to`. */
static void stroke_pixels(const cs_plot *p, int from, int to, double low,
                          double high, cs_role role)
{
    int thick = p->raster.high / 8 > 1 ? p->raster.high / 8 : 1;
    int top = dot_row(p, high), bottom = dot_row(p, low);
    if (bottom < 0 || top >= p->rows)
        return;
    top -= thick / 2;
    bottom += thick - thick / 2;
    cs_raster_line(&p->raster, from, top, to, bottom, role);
}

static void stroke_cells(const cs_plot *p, int column, double low, double high,
                         cs_role role, char mark)
{
    int top = dot_row(p, high), bottom = dot_row(p, low);
    top = top < 0 ? 0 : top;
    bottom = bottom >= p->rows ? p->rows - 1 : bottom;
    for (int r = top; r <= bottom; r++)
        put_dot(p, column, r, role, mark);
}

void cs_plot_stroke(const cs_plot *p, int column, double low, double high,
                    cs_role role, char mark)
{
    cs_plot pass;
    if (!isfinite(low) || !isfinite(high) || column < 0 || column >= p->columns)
        return;
    if (p->pass == CS_PLOT_PIXELS) {
        stroke_pixels(p, column, column + 1, low, high, role);
    } else if (p->pass == CS_PLOT_CELLS) {
        stroke_cells(p, column, low, high, role, mark);
    } else {
        cs_plot_pass(p, 0, &pass);
        stroke_cells(&pass, column, low, high, role, mark);
        if (cs_plot_pass(p, 1, &pass))
            stroke_pixels(&pass, column * pass.columns / p->columns,
                          (column + 1) * pass.columns / p->columns, low, high,
                          role);
    }
}

/* Draws a point in pixels, nearly as large as a dot of braille. */
static void point_pixels(const cs_plot *p, double x, double y, cs_role role)
{
    int column = dot_column(p, x), row = dot_row(p, y);
    int size = (p->raster.wide + 1) / 2 - 1;
    if (column < 0 || row < 0 || column >= p->columns || row >= p->rows)
        return;
    size = size > 1 ? size : 1;
    cs_raster_line(&p->raster, column - size / 2, row - size / 2,
                   column - size / 2 + size, row - size / 2 + size, role);
}

void cs_plot_point(const cs_plot *p, double x, double y, cs_role role,
                   char mark)
{
    cs_plot pass;
    if (!isfinite(x) || !isfinite(y))
        return;
    if (p->pass != CS_PLOT_PIXELS) {
        cs_plot_pass(p, 0, &pass);
        put_dot(&pass, dot_column(p, x), dot_row(p, y), role, mark);
    }
    if (p->pass != CS_PLOT_CELLS && cs_plot_pass(p, 1, &pass))
        point_pixels(&pass, x, y, role);
}

int cs_plot_row(const cs_plot *p, double y)
{
    int row = isfinite(y) ? dot_row(p, y) : -1;
    return row >= 0 && row < p->rows ? row / per_row(p->area.canvas->glyphs)
                                     : -1;
}

int cs_plot_column(const cs_plot *p, double x)
{
    int column = isfinite(x) ? dot_column(p, x) : -1;
    return column >= 0 && column < p->columns
               ? column / per_column(p->area.canvas->glyphs)
               : -1;
}

cs_ticks cs_ticks_make(double low, double high, int most)
{
    cs_ticks t = {0};
    double span = high - low;
    if (most < 1 || !isfinite(span) || !(span > 0))
        return t;
    double unit = pow(10, floor(log10(span / most)));
    static const double factor[] = {1, 2, 5, 10, 20};
    if (!(unit > 0)) /* the range is close to the smallest positive number */
        return t;
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        t.step = unit * factor[i];
        t.first = ceil(low / t.step - 1e-9) * t.step;
        double n = floor((high - t.first) / t.step + 1e-9) + 1;
        t.n = n >= 1 ? (int)fmin(n, most) : 0;
        if (!(n > most))
            break;
    }
    return t;
}

/* Formats tick number i with no more digits than the step needs. */
static cs_number text_of_tick(const cs_ticks *t, int i)
{
    cs_number out;
    double v = t->first + i * t->step;
    double last = fmax(fabs(t->first), fabs(t->first + t->n * t->step));
    if (fabs(v) < t->step / 2)
        v = 0;
    /* place value of the third digit: short labels have three significant
     * digits */
    double third = pow(10, floor(log10(last)) - 2);
    if (last >= 1e4 && last < 1e15 && t->step < third)
        return cs_count(v);
    bool tiny = t->step < 1e-4 && (t->step >= third || t->step < 1e-12);
    if (last >= 1e4 || tiny)
        return cs_num(v);
    int digits = t->step >= 1 ? 0 : (int)ceil(-log10(t->step) - 1e-9);
    if (digits == 0)
        return cs_num(round(v));
    snprintf(out.text, sizeof out.text, "%.*f", digits, v);
    return out;
}

enum { TICKS = 64 };

/* The ticks along an axis, in order. */
typedef struct marks {
    int n;
    double at[TICKS];
    cs_number text[TICKS];
} marks;

/* Finds the ticks of every `step`-th decade of a logarithmic axis: 1; 1 and 3;
 * or 1, 2 and 5 (`each` = 1, 2 or 3). */
static void find_each(double low, double high, int each, int step, marks *m)
{
    static const double parts[][3] = {{1}, {1, 3}, {1, 2, 5}};
    int first = (int)floor(log10(low)), last = (int)floor(log10(high));
    m->n = 0;
    for (int k = first; k <= last; k += step)
        for (int i = 0; i < each && m->n < TICKS; i++) {
            double v = parts[each - 1][i] * pow(10, k);
            if (v < low * (1 - 1e-9) || v > high * (1 + 1e-9))
                continue;
            m->at[m->n] = v;
            m->text[m->n++] = cs_num(v);
        }
}

/* Finds at most `most` ticks of a logarithmic axis. Uses the densest of these
 * sets that fits: 1, 2 and 5 in each decade; 1 and 3 in each decade; 1 in each
 * decade; 1 in every few decades. */
static void find_powers(double low, double high, int most, marks *m)
{
    int decades = (int)floor(log10(high)) - (int)floor(log10(low)) + 1;
    int each = 3 * decades <= most ? 3 : 2 * decades <= most ? 2 : 1;
    find_each(low, high, each, (decades + most - 1) / most, m);
}

static void find_marks(double low, double high, bool log_scale, int most,
                       marks *m)
{
    most = most < 1 ? 1 : most > TICKS ? TICKS : most;
    m->n = 0;
    if (log_scale)
        find_powers(low, high, most, m);
    if (m->n > 1)
        return;
    cs_ticks t = cs_ticks_make(low, high, most);
    for (m->n = 0; m->n < t.n; m->n++) {
        m->at[m->n] = t.first + m->n * t.step;
        m->text[m->n] = text_of_tick(&t, m->n);
    }
}

/* Returns the number of ticks of an axis of `length` cells: two or three on
 * an axis of usual size, more on a long one. `each` is the number of cells per
 * tick of a long axis. */
static int ticks_of(int length, int each)
{
    return length < 3 * each ? 2 : length < 8 * each ? 3 : length / (2 * each);
}

/* Keeps every second tick, or every third one and so on, so that at most
 * `most` remain. Keeps the tick at 0. */
static void thin(marks *m, int most)
{
    int each = (m->n + most - 1) / most, n = 0, zero = m->n - 1;
    for (int i = 0; i < m->n; i++)
        zero = m->at[i] == 0 ? i : zero;
    for (int i = each > 0 ? zero % each : 0; i < m->n; i += each) {
        m->at[n] = m->at[i];
        m->text[n++] = m->text[i];
    }
    m->n = n;
}

/* Finds the sparsest set of three ticks or more in every decade of a
 * logarithmic axis, since two do not show that it is logarithmic. Returns false
 * if there are fewer, or more than fit. */
static bool find_three(double low, double high, int most, marks *m)
{
    enum { LEAST = 3 };
    m->n = 0;
    for (int each = 1; each <= 3 && m->n < LEAST; each++)
        find_each(low, high, each, 1, m);
    return m->n >= LEAST && m->n <= 2 * most;
}

/* Finds at most `most` ticks, but if possible two, since one tick shows no
 * scale. On a logarithmic axis the maximum is twice `most`. */
static void find_few(double low, double high, bool log_scale, int most,
                     marks *m)
{
    enum { MORE = 5 };
    if (log_scale && find_three(low, high, most, m))
        return;
    m->n = 0;
    for (int more = 0; more < MORE && m->n < 2; more++)
        find_marks(low, high, log_scale, most + more, m);
    if (m->n > most)
        thin(m, most);
}

cs_area cs_plot_axis(const cs_area *a, double y0, double y1)
{
    return cs_plot_axis_scaled(a, (cs_scale){y0, y1, false});
}

cs_area cs_plot_axis_scaled(const cs_area *a, cs_scale y)
{
    cs_plot p = cs_plot_scaled(a, (cs_scale){0, 1, false}, y);
    marks m;
    int w = 0, last = a->h;
    find_few(p.y0, p.y1, p.log_y, ticks_of(a->h, 3), &m);
    for (int i = 0; i < m.n; i++) {
        int n = (int)strlen(m.text[i].text);
        w = n > w ? n : w;
    }
    if (w == 0 || w * 3 > a->w || a->h < 2)
        return *a;
    cs_area left = cs_area_part(a, 0, 0, w, a->h);
    for (int i = 0; i < m.n; i++) {
        int row = cs_plot_row(&p, m.at[i]);
        if (row >= last)
            continue;
        cs_print_right(&left, row, CS_ROLE_LABEL, "%s", m.text[i].text);
        last = row;
    }
    return cs_area_part(a, w + 1, 0, a->w - w - 1, a->h);
}

/* Finds the columns of the ticks that fit before column `capacity`; -1 for
 * ticks that do not fit. Returns the number of ticks that fit. */
static int place_marks(const cs_plot *p, const marks *m, int from, int capacity,
                       int *at)
{
    int end = 0, n = 0;
    for (int i = 0; i < m->n; i++) {
        int wide = (int)strlen(m->text[i].text);
        int x = from + cs_plot_column(p, m->at[i]) - wide / 2;
        x = x < 0 ? 0 : x;
        bool fits = x >= end && x + wide <= capacity;
        at[i] = fits ? x : -1;
        end = fits ? x + wide + 1 : end;
        n += fits;
    }
    return n;
}

/* Returns true if the cells of line 0 from x - 1 to x + 1 are blank. */
static bool is_free(const cs_area *a, int x)
{
    for (int at = x - 1; at <= x + 1; at++)
        if (at >= 0 && at < a->w && cell_at(a, at, 0)->code > ' ')
            return false;
    return x >= 0 && x < a->w;
}

/* Marks 1 to 9 times each power of ten on a logarithmic axis where the axis has
 * no text, or only the powers of ten if these are close together. */
static void mark_decades(const cs_area *a, const cs_plot *p, int from,
                         int capacity)
{
    enum { CLOSE = 12 /* columns per decade */, MOST = 400 };
    double decades = p->log_x ? log10(p->x1 / p->x0) : 0;
    if (!(decades > 0) || decades > MOST)
        return;
    int digits = p->area.w >= CLOSE * decades ? 9 : 1;
    for (int k = (int)floor(log10(p->x0)); k <= log10(p->x1); k++)
        for (int i = 1; i <= digits; i++) {
            int column = cs_plot_column(p, i * pow(10, k)), x = from + column;
            if (column >= 0 && x < capacity && is_free(a, x))
                cs_put(a, x, 0, CS_ROLE_BORDER, 0x2575);
        }
}

/* Shortens "energy = -log p (nats)" to "energy (nats)". */
static void shorten(const char *name, char *out, size_t size)
{
    const char *from = strstr(name, " = "), *unit = strrchr(name, '(');
    if (from && unit > from)
        snprintf(out, size, "%.*s %s", (int)(from - name), name, unit);
    else
        snprintf(out, size, "%s", name);
}

void cs_plot_note(const cs_plot *p, int line, const char *name)
{
    cs_canvas_note_axis(p->area.canvas,
                        (cs_x_axis){.x = p->area.x,
                                    .y = line,
                                    .top = p->area.y,
                                    .w = p->area.w,
                                    .from = p->x0,
                                    .to = p->x1,
                                    .log = p->log_x,
                                    .windowed = p->windowed,
                                    .log_values = p->log_y,
                                    .steps = strcmp(name, "step") == 0,
                                    .whole_from = p->whole0,
                                    .whole_to = p->whole1,
                                    .part = p->part,
                                    .h = p->area.h,
                                    .plane = p->plane,
                                    .linear = p->linear,
                                    .up = {.from = p->y0,
                                           .to = p->y1,
                                           .log = p->log_y,
                                           .whole_from = p->whole_y0,
                                           .whole_to = p->whole_y1,
                                           .part = p->part_up}});
}

void cs_plot_axis_x(const cs_area *a, const cs_plot *p, const char *name)
{
    cs_plot_note(p, a->y, name);
    enum { LEAST = 12 };
    marks m;
    int at[TICKS], from = p->area.x - a->x, w = a->w;
    char brief[64];
    shorten(name, brief, sizeof brief);
    find_few(p->x0, p->x1, p->log_x, ticks_of(p->area.w, 12), &m);
    int most = m.n < 2 ? m.n : 2, beside = w - cs_text_width(name) - 1;
    /* if few ticks do not fit beside the whole name, tries more of them */
    if (place_marks(p, &m, from, beside, at) < most)
        find_marks(p->x0, p->x1, p->log_x, p->area.w / 10 + 1, &m);
    if (place_marks(p, &m, from, beside, at) < most) {
        name = brief;
        find_few(p->x0, p->x1, p->log_x, ticks_of(p->area.w, 12), &m);
    }
    int width = cs_text_width(name);
    int capacity = width > 0 && width + LEAST <= p->area.w ? w - width - 1 : w;
    if (capacity < w)
        cs_print_right(a, 0, CS_ROLE_LABEL, "%s", name);
    /* tries more ticks if none fits, or if only a tick at 0 fits, which shows
     * no scale */
    bool zero = m.n > 0 && m.at[0] == 0;
    if (place_marks(p, &m, from, capacity, at) <= zero) {
        find_marks(p->x0, p->x1, p->log_x, p->area.w / 8 + 1, &m);
        if (place_marks(p, &m, from, capacity, at) <= zero) {
            find_marks(p->x0, p->x1, p->log_x, p->area.w / 5 + 1, &m);
            place_marks(p, &m, from, capacity, at);
        }
    }
    for (int i = 0; i < m.n; i++)
        if (at[i] >= 0)
            cs_print(a, at[i], 0, CS_ROLE_LABEL, "%s", m.text[i].text);
    mark_decades(a, p, from, capacity);
}

int cs_plot_scale(const cs_area *a, int x, int y, const char *low,
                  const char *high, double most)
{
    enum { LEAST = 4, MOST = 12 };
    int end = a->w - cs_text_width(high) - 1;
    /* if space is short, keeps only the last word of the label */
    const char *bare = strrchr(low, ' ');
    if (bare && end - x - cs_text_width(low) - 1 < LEAST)
        low = bare + 1;
    int capacity = end - x - cs_text_width(low) - 1;
    if (capacity < LEAST)
        return a->w;
    int wide = capacity < MOST ? capacity : MOST;
    for (int i = 0; i < wide; i++) {
        cs_role level = cs_theme_ramp(most * (i + 0.5) / wide);
        cs_put_two(a, end - wide + i, y, level, level);
    }
    cs_print(a, end + 1, y, CS_ROLE_LABEL, "%s", high);
    x = end - wide - 1 - cs_text_width(low);
    cs_print(a, x, y, CS_ROLE_LABEL, "%s", low);
    return x;
}

/* A point of a curve: its horizontal position as a share of the width, and
 * its value. */
typedef struct knot {
    double share, y;
} knot;

/* Interpolates between two points at a share of the width. */
static double cross(knot a, knot b, double share)
{
    return a.y + (b.y - a.y) * (share - a.share) / (b.share - a.share);
}

/* Returns true if a column of dots is in a gap of a dashed curve: one cell in
 * three. */
static bool is_gap(const cs_plot *p, int column)
{
    enum { PERIOD = 3 };
    int cell = p->columns > 0 ? column * p->area.w / p->columns : 0;
    return p->dashed && cell % PERIOD == PERIOD - 1;
}

/* Connects two columns. If both are the same column, draws a vertical line. */
static void join(const cs_plot *p, int from, double low, int to, double high,
                 cs_role role, char mark)
{
    int steps = to > from ? to - from : 1;
    for (int k = 1; k <= steps; k++) {
        double a = low + (high - low) * (k - 1) / steps;
        double b = low + (high - low) * k / steps;
        int column = to - steps + k;
        if (!is_gap(p, column))
            cs_plot_stroke(p, column, fmin(a, b), fmax(a, b), role, mark);
    }
}

static void curve(const cs_plot *p, const double *x, const double *y, size_t n,
                  cs_role role, char mark)
{
    /* points at most this far beyond an end are treated as rounding errors */
    const double out = 1e-9;
    knot last = {NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        double at = x ? x[i] : (double)i;
        if (!isfinite(at) || !isfinite(y[i]))
            continue;
        knot now = {share_of(at, p->x0, p->x1, p->log_x), y[i]}, end = now;
        knot begin = isnan(last.share) ? now : last;
        if (begin.share < -out && now.share >= -out) {
            begin = (knot){0, cross(last, now, 0)};
            cs_plot_stroke(p, 0, begin.y, begin.y, role, mark);
        }
        if (now.share > 1 + out && begin.share <= 1 + out)
            end = (knot){1, cross(begin, now, 1)};
        last = now;
        if (begin.share < -out || end.share < -out || end.share > 1 + out ||
            begin.share > 1 + out)
            continue;
        join(p, dot(begin.share * (p->columns - 1)), begin.y,
             dot(end.share * (p->columns - 1)), end.y, role, mark);
    }
}

void cs_plot_curve(const cs_plot *p, const double *x, const double *y, size_t n,
                   cs_role role, char mark)
{
    cs_plot pass;
    for (int k = 0; k < 2; k++)
        if (cs_plot_pass(p, k, &pass))
            curve(&pass, x, y, n, role, mark);
}

void cs_plot_interval(const cs_area *a, const cs_plot *p, double low,
                      double high, int end, cs_role role)
{
    int from = cs_plot_column(p, low), to = cs_plot_column(p, high);
    bool cut = to < 0 || to >= a->w;
    from = from < 0 ? 0 : from;
    to = cut ? a->w - 1 : to;
    for (int x = from; x <= to; x++) {
        unsigned code = x == end    ? 0x253C
                        : x == from ? 0x251C
                        : x < to    ? 0x2500
                        : cut       ? '>'
                                    : 0x2524;
        cs_put(a, x, 0, x <= end ? CS_ROLE_INK : CS_ROLE_VALUE, code);
        if (x <= end)
            cs_ground(a, x, 0, role);
    }
}

void cs_plot_level(const cs_plot *p, double y, cs_role role, unsigned code,
                   int apart)
{
    int row = cs_plot_row(p, y);
    for (int x = 0; row >= 0 && x < p->area.w; x += apart)
        cs_put(&p->area, x, row, role, code);
}

bool cs_range(const double *value, size_t n, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i]))
            cs_widen(low, high, value[i]);
    return *low <= *high;
}
