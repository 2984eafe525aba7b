/* Draws the result of a scenario's panel function: curves, bars, a table,
 * lines, a histogram or a drawing. */
#include "screen/panels/own_panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 }; /* maximum number of labels or rows */

/* Returns the index of the panel with this name, or CS_OPENED_OWN if the
 * snapshot does not have it. */
static size_t number_of(const cs_shot *s, const char *name)
{
    for (size_t k = 0; k < CS_OPENED_OWN; k++)
        if (strcmp(cs_shot_text(s, "own/%zu/name", k), name) == 0)
            return k;
    return CS_OPENED_OWN;
}

static const char *label_of(const cs_shot *s, size_t k, size_t i)
{
    return cs_shot_text(s, "own/%zu/label/%zu", k, i);
}

/* Returns the arm with this name, or the number of arms if the name is
 * unknown. */
static size_t arm_of(const cs_shot *s, const char *label)
{
    size_t i = 0;
    while (i < cs_shot_arms(s) && strcmp(cs_shot_arm(s, i), label) != 0)
        i++;
    return i;
}

/* Returns the number that selects the colour and the glyph of an entry. An
 * entry with the name of an arm has the colour and the glyph of that arm. */
static size_t look_of(const cs_shot *s, size_t k, size_t i)
{
    size_t arms = cs_shot_arms(s), arm = arm_of(s, label_of(s, k, i));
    return arm < arms ? arm : arms + i;
}

static void widen(double range[2], const double *x, size_t n)
{
    double low, high;
    if (!cs_range(x, n, &low, &high))
        return;
    range[0] = fmin(range[0], low);
    range[1] = fmax(range[1], high);
}

/* Explains that the function returned no numbers. */
static void draw_nothing(const cs_area *a, const cs_shot *s)
{
    cs_panel_empty(a, s, "Nothing to show yet.",
                   "The panel's function returned no numbers.");
}

/* Writes "o walk 1.5" to text; returns the number of columns. */
static int entry_text(const cs_shot *s, size_t k, size_t i, const double *value,
                      char *text, size_t size)
{
    snprintf(text, size, "%c %.80s%s%s", cs_theme_glyph(look_of(s, k, i)),
             label_of(s, k, i), value ? " " : "",
             value ? cs_num(value[i]).text : "");
    return cs_text_width(text);
}

/* Draws the names with their glyphs in the last line, and the values if they
 * fit. */
static void draw_legend(const cs_area *a, const cs_shot *s, size_t k, size_t n,
                        const double *value)
{
    char text[160];
    int x = 0, y = a->h - 1, width = 0;
    for (size_t i = 0; i < n; i++)
        width += entry_text(s, k, i, value, text, sizeof text) + 2;
    value = width - 2 > a->w ? NULL : value;
    for (size_t i = 0; i < n; i++) {
        entry_text(s, k, i, value, text, sizeof text);
        int end = cs_print_fit(a, x, y, a->w - x,
                               cs_theme_chain(look_of(s, k, i)), "%s", text);
        x = end > x ? end + 2 : x;
    }
}

/* ---- curves ---------------------------------------------------------------- */

typedef struct series {
    const double *time, *value; /* [points], [curves][points] */
    size_t points, curves;
} series;

static bool read_series(const cs_shot *s, size_t k, series *c)
{
    size_t rows, cols;
    c->time = cs_shot_array(s, &rows, &c->points, "own/%zu/time", k);
    c->value = cs_shot_array(s, &c->curves, &cols, "own/%zu/curves", k);
    return c->time && rows == 1 && c->value && cols == c->points &&
           c->curves <= MOST;
}

/* Returns the chosen unit if each curve belongs to an arm, otherwise steps. */
static cs_unit unit_of(const cs_shot *s, const cs_selection *at, size_t k,
                       const series *c)
{
    cs_unit unit = at->unit;
    for (size_t i = 0; i < c->curves; i++)
        if (arm_of(s, label_of(s, k, i)) == cs_shot_arms(s))
            unit = CS_UNIT_STEPS;
    return unit;
}

/* Computes x[points], the positions of a curve's points on the axis. If the
 * axis counts steps, they are steps of the run. For steps after the end of
 * an arm, the position is that of the arm's last step. Returns the name of
 * the axis. */
static const char *place(const cs_shot *s, cs_unit unit, size_t k,
                         const series *c, size_t i, double *x)
{
    size_t arm = arm_of(s, label_of(s, k, i));
    cs_axis axis = cs_axis_of(s, arm, unit);
    double made = cs_shot_number(s, HUGE_VAL, "arm/%zu/steps", arm);
    for (size_t j = 0; j < c->points; j++)
        x[j] = cs_axis_at(&axis, fmin(c->time[j] - axis.warmup, made));
    return axis.name;
}

enum { POINTS = 1024 };

static void draw_curves(const cs_area *a, const cs_shot *s,
                        const cs_selection *at, size_t k)
{
    series c;
    double x[POINTS], last[MOST], rx[2] = {0, 0}, ry[2] = {HUGE_VAL, -HUGE_VAL};
    const char *name = "";
    if (!read_series(s, k, &c) || c.points > POINTS) {
        draw_nothing(a, s);
        return;
    }
    cs_unit unit = unit_of(s, at, k, &c);
    widen(ry, c.value, c.curves * c.points);
    for (size_t i = 0; i < c.curves; i++) {
        name = place(s, unit, k, &c, i, x);
        widen(rx, x, c.points);
        last[i] = c.value[(i + 1) * c.points - 1];
    }
    if (!(ry[0] <= ry[1])) {
        draw_nothing(a, s);
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area under = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_scale y = cs_window_y(&at->window, ry[0], ry[1]);
    cs_area field = cs_plot_axis_scaled(&top, y);
    cs_plot p = cs_window_plot(&field, &at->window, rx[0], rx[1], y);
    for (size_t i = 0; i < c.curves; i++) {
        size_t look = look_of(s, k, i);
        place(s, unit, k, &c, i, x);
        cs_plot_curve(&p, x, c.value + i * c.points, c.points,
                      cs_theme_chain(look), cs_theme_glyph(look));
    }
    cs_plot_axis_x(&under, &p, name);
    draw_legend(a, s, k, c.curves, last);
}

/* ---- bars ------------------------------------------------------------------ */

typedef struct bars {
    const double *value, *error; /* [n] */
    size_t n;
    double low, high; /* ends of the axis */
} bars;

static bool read_bars(const cs_shot *s, size_t k, bars *b)
{
    size_t rows, n;
    b->value = cs_shot_array(s, &rows, &b->n, "own/%zu/value", k);
    b->error = cs_shot_array(s, &rows, &n, "own/%zu/error", k);
    if (!b->value || !b->error || n != b->n || n > MOST)
        return false;
    b->low = b->high = 0;
    for (size_t i = 0; i < n; i++) {
        double e = b->error[i] > 0 && b->error[i] < HUGE_VAL ? b->error[i] : 0;
        if (!isfinite(b->value[i]))
            continue;
        b->low = fmin(b->low, b->value[i] - e);
        b->high = fmax(b->high, b->value[i] + e);
    }
    return true;
}

/* Draws a name, its value and error, and the bar from 0. */
static void draw_bar(const cs_area *a, const cs_shot *s, size_t k,
                     const bars *b, size_t i, int name, int number)
{
    size_t look = look_of(s, k, i);
    cs_role role = cs_theme_chain(look);
    double v = b->value[i], e = b->error[i];
    cs_print_cut(a, 0, 0, name - 1, role, "%c %s", cs_theme_glyph(look),
                 label_of(s, k, i));
    cs_print_cut(a, name, 0, number - 1, CS_ROLE_VALUE, "%s%s%s",
                 isfinite(v) ? cs_num(v).text : "-", e > 0 ? " +- " : "",
                 e > 0 ? cs_num(e).text : "");
    cs_area field = cs_area_part(a, name + number, 0, a->w - name - number, 1);
    if (!isfinite(v) || field.w < 4 || !(b->high > b->low))
        return;
    cs_plot p = cs_plot_make(&field, b->low, b->high, 0, 1);
    int zero = cs_plot_column(&p, 0), end = cs_plot_column(&p, v);
    for (int x = zero < end ? zero : end; x <= (zero < end ? end : zero); x++)
        cs_put(&field, x, 0, role, 0x2588);
    if (e > 0 && e < HUGE_VAL)
        cs_plot_interval(&field, &p, v - e, v + e, end, role);
}

static void draw_bars(const cs_area *a, const cs_shot *s,
                      const cs_selection *at, size_t k)
{
    bars b;
    int name = 4, number = 2;
    char text[80];
    if (!read_bars(s, k, &b) || !b.n) {
        draw_nothing(a, s);
        return;
    }
    for (size_t i = 0; i < b.n; i++) {
        int n = cs_text_width(label_of(s, k, i)) + 3;
        snprintf(text, sizeof text, "%s%s%s", cs_num(b.value[i]).text,
                 b.error[i] > 0 ? " +- " : "",
                 b.error[i] > 0 ? cs_num(b.error[i]).text : "");
        int m = cs_text_width(text) + 1;
        name = n > name ? n : name;
        number = m > number ? m : number;
    }
    name = name < a->w / 3 ? name : a->w / 3;
    number = number < a->w - name ? number : a->w - name;
    size_t top = cs_panel_top(at, b.n, (size_t)a->h);
    for (size_t i = top; i < b.n && (int)(i - top) < a->h; i++) {
        cs_area line = cs_area_part(a, 0, (int)(i - top), a->w, 1);
        draw_bar(&line, s, k, &b, i, name, number);
    }
}

/* ---- a table --------------------------------------------------------------- */

enum { COLUMNS = 8 };

/* Finds cell c of a row, whose cells are separated by tabs; returns its number
 * of bytes. */
static int cell_of(const char *row, size_t c, const char **at)
{
    for (; c > 0 && *row; c--)
        row += strcspn(row, "\t"), row += *row == '\t';
    *at = row;
    return c > 0 ? 0 : (int)strcspn(row, "\t");
}

static int cell_width(const char *row, size_t c)
{
    char text[256];
    const char *at;
    int n = cell_of(row, c, &at);
    snprintf(text, sizeof text, "%.*s", n < 255 ? n : 255, at);
    return cs_text_width(text);
}

static void draw_row(const cs_area *a, int y, cs_role role, const char *row,
                     const int *width)
{
    int x = 0;
    for (size_t c = 0; c < COLUMNS && x < a->w; x += width[c++] + 2) {
        const char *at;
        int n = cell_of(row, c, &at);
        if (n > 0)
            cs_print_cut(a, x, y, a->w - x, role, "%.*s", n, at);
    }
}

static void draw_table(const cs_area *a, const cs_shot *s,
                       const cs_selection *at, size_t k)
{
    int width[COLUMNS] = {0};
    size_t n = 0;
    const char *head = cs_shot_text(s, "own/%zu/head", k), *row;
    for (size_t c = 0; c < COLUMNS; c++)
        width[c] = cell_width(head, c);
    for (; n < MOST && *(row = cs_shot_text(s, "own/%zu/row/%zu", k, n)); n++)
        for (size_t c = 0; c < COLUMNS; c++) {
            int w = cell_width(row, c);
            width[c] = w > width[c] ? w : width[c];
        }
    if (n == 0) {
        draw_nothing(a, s);
        return;
    }
    int y = *head ? 1 : 0;
    draw_row(a, 0, CS_ROLE_LABEL, head, width);
    for (size_t i = cs_panel_top(at, n, (size_t)(a->h > y ? a->h - y : 1));
         i < n && y < a->h; i++, y++)
        draw_row(a, y, CS_ROLE_NORMAL, cs_shot_text(s, "own/%zu/row/%zu", k, i),
                 width);
}

/* ---- lines ----------------------------------------------------------------- */

typedef struct points {
    const double *x, *y, *exact; /* [n]; exact may be NULL */
    size_t n;
} points;

static bool read_points(const cs_shot *s, size_t k, size_t i, points *o)
{
    size_t rows, n;
    o->x = cs_shot_array(s, &rows, &o->n, "own/%zu/x/%zu", k, i);
    o->y = cs_shot_array(s, &rows, &n, "own/%zu/y/%zu", k, i);
    if (!o->x || !o->y || n != o->n)
        return false;
    o->exact = cs_shot_array(s, &rows, &n, "own/%zu/exact/%zu", k, i);
    o->exact = n == o->n ? o->exact : NULL;
    return true;
}

static void draw_line(const cs_area *a, const cs_shot *s,
                      const cs_selection *at, size_t k)
{
    points o;
    double rx[2] = {HUGE_VAL, -HUGE_VAL}, ry[2] = {HUGE_VAL, -HUGE_VAL};
    size_t n = 0;
    for (; n < MOST && read_points(s, k, n, &o); n++) {
        widen(rx, o.x, o.n);
        widen(ry, o.y, o.n);
        if (o.exact)
            widen(ry, o.exact, o.n);
    }
    if (!(rx[0] <= rx[1] && ry[0] <= ry[1])) {
        draw_nothing(a, s);
        return;
    }
    int feet = *label_of(s, k, 0) ? 2 : 1;
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - feet);
    cs_area under = cs_area_part(a, 0, a->h - feet, a->w, 1);
    cs_scale y = cs_window_y(&at->window, ry[0], ry[1]);
    cs_area field = cs_plot_axis_scaled(&top, y);
    cs_plot p = cs_window_plot(&field, &at->window, rx[0], rx[1], y);
    for (size_t i = 0; i < n && read_points(s, k, i, &o); i++) {
        size_t look = look_of(s, k, i);
        if (o.exact)
            cs_plot_curve(&p, o.x, o.exact, o.n, CS_ROLE_TRUTH, '.');
        cs_plot_curve(&p, o.x, o.y, o.n, cs_theme_chain(look),
                      cs_theme_glyph(look));
    }
    cs_plot_axis_x(&under, &p, cs_shot_text(s, "own/%zu/axis", k));
    if (feet > 1)
        draw_legend(a, s, k, n, NULL);
}

/* ---- a histogram ----------------------------------------------------------- */

/* Computes out[columns]: for each column of the plot, the value of the bin
 * that contains the middle of the column. Bins may have different widths. */
static void read_off(const double *edge, const double *value, size_t n,
                     const cs_plot *p, size_t columns, double *out)
{
    size_t b = 0;
    for (size_t x = 0; x < columns; x++) {
        double at =
            p->x0 + ((double)x + 0.5) / (double)columns * (p->x1 - p->x0);
        while (b + 1 < n && edge[b + 1] <= at)
            b++;
        out[x] = isfinite(value[b]) ? value[b] : 0;
    }
}

static void draw_histogram(const cs_area *a, const cs_shot *s,
                           const cs_selection *at, size_t k)
{
    (void)at;
    size_t rows, edges, n, m;
    double bar[CS_CANVAS_MAX], line[CS_CANVAS_MAX], top = 0;
    const double *edge = cs_shot_array(s, &rows, &edges, "own/%zu/edges", k);
    const double *count = cs_shot_array(s, &rows, &n, "own/%zu/counts", k);
    const double *exact = cs_shot_array(s, &rows, &m, "own/%zu/exact", k);
    if (!edge || !count || edges != n + 1 || !(edge[0] < edge[n]) ||
        !isfinite(edge[n] - edge[0])) {
        draw_nothing(a, s);
        return;
    }
    cs_area above = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_area under = cs_area_part(a, 0, a->h - 1, a->w, 1);
    exact = m == n ? exact : NULL;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, fmax(count[i], exact ? exact[i] : 0));
    top = top > 0 && top < HUGE_VAL ? top : 1;
    cs_area field = cs_plot_axis(&above, 0, top);
    cs_plot p = cs_plot_make(&field, edge[0], edge[n], 0, top);
    size_t w = field.w < CS_CANVAS_MAX ? (size_t)field.w : CS_CANVAS_MAX;
    read_off(edge, count, n, &p, w, bar);
    cs_bars(&field, bar, w, top, CS_ROLE_VALUE);
    if (exact) {
        read_off(edge, exact, n, &p, w, line);
        cs_steps_over(&field, line, top, CS_ROLE_TRUTH);
    }
    cs_plot_axis_x(&under, &p, cs_shot_text(s, "own/%zu/axis", k));
}

/* ---- a drawing ------------------------------------------------------------- */

/* A row of "own/i/shape". */
typedef struct shape {
    double kind; /* 1: a line, 2: text */
    double x, y, to_x, to_y;
    double look; /* index into `looks`, or ARM + index of an arm */
    double word;
} shape;
enum { ARM = 100 };

static cs_role role_of(double look)
{
    static const cs_role looks[] = {CS_ROLE_VALUE,  CS_ROLE_LABEL,
                                    CS_ROLE_ACCEPT, CS_ROLE_REJECT,
                                    CS_ROLE_TRUTH,  CS_ROLE_WARN};
    size_t n = sizeof looks / sizeof *looks;
    if (look >= ARM)
        return cs_theme_chain(cs_shot_whole(look - ARM, CS_SHOT_ARMS));
    return look >= 0 && look < (double)n ? looks[(size_t)look] : CS_ROLE_VALUE;
}

static void draw_shape(const cs_plot *p, const cs_shot *s, size_t k,
                       const shape *o)
{
    const cs_area *a = &p->area;
    bool back = o->to_x < o->x;
    const double x[2] = {back ? o->to_x : o->x, back ? o->x : o->to_x};
    const double y[2] = {back ? o->to_y : o->y, back ? o->y : o->to_y};
    if (o->kind == 1) {
        cs_plot_curve(p, x, y, 2, role_of(o->look), '.');
        return;
    }
    int column = cs_plot_column(p, o->x), row = cs_plot_row(p, o->y);
    if (column < 0 || row < 0 || column >= a->w || row >= a->h ||
        !(o->word >= 0 && o->word < 1e6))
        return;
    cs_print_cut(a, column, row, a->w - column, role_of(o->look), "%s",
                 cs_shot_text(s, "own/%zu/word/%zu", k, (size_t)o->word));
}

static void draw_drawing(const cs_area *a, const cs_shot *s,
                         const cs_selection *at, size_t k)
{
    (void)at;
    enum { COLUMNS_OF = sizeof(shape) / sizeof(double) };
    size_t r, n, cols;
    const double *range = cs_shot_array(s, &r, &cols, "own/%zu/range", k);
    bool there =
        range && r * cols == 4 && range[0] < range[1] && range[2] < range[3];
    const double *o = cs_shot_array(s, &n, &cols, "own/%zu/shape", k);
    const char *axis = cs_shot_text(s, "own/%zu/axis", k);
    if (!there || !o || cols != COLUMNS_OF) {
        draw_nothing(a, s);
        return;
    }
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - (*axis != 0));
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    if (*axis)
        field = cs_plot_axis(&field, range[2], range[3]);
    cs_plot p = cs_plot_make(&field, range[0], range[1], range[2], range[3]);
    for (size_t i = 0; i < n; i++)
        draw_shape(&p, s, k, (const shape *)(o + i * cols));
    if (*axis)
        cs_plot_axis_x(&foot, &p, axis);
}

/* ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*draw)(const cs_area *a, const cs_shot *s, const cs_selection *at,
                 size_t k);
} forms[] = {{"curves", draw_curves},       {"bars", draw_bars},
             {"table", draw_table},         {"line", draw_line},
             {"histogram", draw_histogram}, {"draw", draw_drawing}};

void cs_own_draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    size_t k = at->panel ? number_of(s, at->panel) : CS_OPENED_OWN;
    const char *why = cs_shot_text(s, "own/%zu/why", k);
    const char *form = cs_shot_text(s, "own/%zu/form", k);
    if (*why) {
        int y = cs_print_wrapped(a, 1, 0, CS_ROLE_LABEL,
                                 "The scenario's function failed:");
        cs_print_wrapped(a, 1, y, CS_ROLE_ERROR, why);
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, form) == 0)
            forms[i].draw(a, s, at, k);
}
