#include "screen/canvas/facets.h"

#include <math.h>

enum { WIDTH = 38, HEIGHT = 14, LEAST_HEIGHT = 5, LEAST_WIDTH = 18 };

typedef struct ends {
    double x0, x1, y0, y1;
    double above; /* smallest y above 0 */
} ends;

static void stretch(double v, double *low, double *high)
{
    if (isfinite(v))
        cs_widen(low, high, v);
}

/* Finds the range of all points with their error bars. Error bars may at most
 * double the height that the values need. */
static ends ends_of(const cs_multiple *m)
{
    ends e = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->curve[i].n; k++) {
            const cs_multiple_point *p = &m->curve[i].at[k];
            stretch(p->x, &e.x0, &e.x1);
            stretch(p->y, &e.y0, &e.y1);
            stretch(isfinite(p->y) ? p->low : (double)NAN, &low, &high);
            stretch(isfinite(p->y) ? p->high : (double)NAN, &low, &high);
            if (p->y > 0)
                e.above = fmin(e.above, p->y);
        }
    if (!(e.y1 >= e.y0))
        return e;
    double room = fmax((e.y1 - e.y0) / 2, fabs(e.y1) / 20);
    e.y0 = fmin(e.y0, fmax(low, e.y0 - room));
    e.y1 = fmax(e.y1, fmin(high, e.y1 + room));
    return e;
}

/* Finds the axes of one facet. All facets share the x axis; facets of the same
 * figure share the y axis. */
static ends shared(const cs_multiple *one, size_t n, size_t which,
                   const cs_facets_axis *axis)
{
    ends all = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
    for (size_t i = 0; i < axis->n_x; i++)
        stretch(axis->x[i], &all.x0, &all.x1);
    for (size_t i = 0; i < n; i++) {
        ends e = ends_of(&one[i]);
        stretch(e.x0, &all.x0, &all.x1);
        stretch(e.x1, &all.x0, &all.x1);
        if (one[i].figure != one[which].figure)
            continue;
        stretch(e.y0, &all.y0, &all.y1);
        stretch(e.y1, &all.y0, &all.y1);
        all.above = fmin(all.above, e.above);
    }
    return all;
}

/* Draws error bars and lines between neighbouring points; the glyphs are drawn
 * last. */
static void draw_curve(const cs_plot *p, const cs_multiple_curve *c)
{
    cs_role role = cs_theme_chain(c->number);
    for (size_t k = 0; k + 1 < c->n; k++) {
        enum { STEPS = 200 };
        const cs_multiple_point *from = &c->at[k], *to = from + 1;
        for (int i = 0; i <= STEPS; i++) {
            double s = (double)i / STEPS;
            double x = p->log_x ? from->x * pow(to->x / from->x, s)
                                : from->x + s * (to->x - from->x);
            double y = p->log_y && from->y > 0 && to->y > 0
                           ? from->y * pow(to->y / from->y, s)
                           : from->y + s * (to->y - from->y);
            cs_plot_point(p, x, y, role, '.');
        }
    }
    for (size_t k = 0; k < c->n; k++) {
        const cs_multiple_point *at = &c->at[k];
        int column = cs_plot_column(p, at->x);
        int dots = p->area.w > 0 ? p->columns / p->area.w : 1;
        if (column >= 0 && isfinite(at->y))
            cs_plot_stroke(p, column * dots, at->low, at->high, role, '|');
    }
}

static void draw_glyphs(const cs_plot *p, const cs_multiple_curve *c)
{
    for (size_t k = 0; k < c->n; k++) {
        const cs_multiple_point *at = &c->at[k];
        int column = cs_plot_column(p, at->x), row = cs_plot_row(p, at->y);
        if (column < 0 || row < 0)
            continue;
        cs_put(&p->area, column, row,
               at->best ? CS_ROLE_TITLE : cs_theme_chain(c->number),
               at->best ? '*' : (unsigned char)cs_theme_glyph(c->number));
        if (at->best)
            cs_attribute(&p->area, column, row, 1, CS_BOLD | CS_REVERSE);
    }
}

static void draw_one(const cs_area *a, const cs_multiple *m, ends e,
                     cs_facets_axis axis)
{
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_TITLE, "%s", m->title);
    cs_area box = cs_area_part(a, 0, 1, a->w, a->h - 2);
    if (!(e.y1 >= e.y0)) {
        cs_print_cut(&box, 0, 0, box.w, CS_ROLE_FAINT, "no known figures");
        return;
    }
    bool log_y = axis.log_y && isfinite(e.above);
    cs_scale y = {log_y ? fmin(e.above, fmax(e.y0, e.above / 2)) : e.y0, e.y1,
                  log_y};
    if (!(y.high > y.low)) {
        y.low -= fmax(fabs(y.low) / 10, 1e-9);
        y.high += fmax(fabs(y.high) / 10, 1e-9);
    }
    cs_area in = cs_plot_axis_scaled(&box, y);
    double margin = e.x1 > e.x0 || e.x0 == 0 ? 0 : fabs(e.x0) / 2;
    cs_plot p = cs_plot_scaled(
        &in,
        (cs_scale){e.x0 - margin, e.x1 + margin, axis.log_x && e.x0 > margin},
        y);
    for (size_t i = 0; i < m->n; i++)
        draw_curve(&p, &m->curve[i]);
    for (size_t i = 0; i < m->n; i++)
        draw_glyphs(&p, &m->curve[i]);
    cs_area under = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&under, &p, a->w >= WIDTH ? axis.name : "");
}

/* Draws "o small  # large  * best, against small.step". */
static void draw_legend(const cs_area *a, const cs_multiple *m,
                        const char *name)
{
    int x = 0;
    for (size_t i = 0; i < m->n && x < a->w; i++)
        x = cs_print_cut(a, x, 0, a->w - x, cs_theme_chain(m->curve[i].number),
                         "%c %s  ", cs_theme_glyph(m->curve[i].number),
                         m->curve[i].name);
    cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, "* best, against %s", name);
}

static int columns_of(size_t n, size_t together, int width)
{
    int most = width / WIDTH;
    most = most < 1 ? 1 : most > (int)n ? (int)n : most;
    if (together > 1 && (int)together <= most)
        most -= most % (int)together;
    return most;
}

int cs_facets_height(size_t n, size_t together, int width)
{
    int columns = n ? columns_of(n, together, width) : 1;
    return 1 + (int)((n + (size_t)columns - 1) / (size_t)columns) * HEIGHT;
}

void cs_facets_draw(const cs_area *a, const cs_multiple *one, size_t n,
                    cs_facets_axis axis)
{
    if (n == 0 || a->w < LEAST_WIDTH || a->h < LEAST_HEIGHT + 1)
        return;
    int columns = columns_of(n, axis.together, a->w), rows;
    do
        rows = (int)((n + (size_t)columns - 1) / (size_t)columns);
    while ((a->h - 1) / rows < LEAST_HEIGHT &&
           a->w / (columns + 1) >= LEAST_WIDTH && columns++ < (int)n);
    int height = (a->h - 1) / rows, width = a->w / columns;
    if (height < LEAST_HEIGHT)
        height = LEAST_HEIGHT;
    int fit = (a->h - 1) / height * columns;
    for (int i = 0; i < (int)n && i < fit; i++) {
        cs_area part =
            cs_area_part(a, i % columns * width, i / columns * height,
                         width - (columns > 1), height);
        draw_one(&part, &one[i], shared(one, n, (size_t)i, &axis), axis);
    }
    cs_area last = cs_area_part(a, 0, a->h - 1, a->w, 1);
    draw_legend(&last, &one[0], axis.name);
    if (fit < (int)n)
        cs_print_right(&last, 0, CS_ROLE_FAINT, "%d more: z", (int)n - fit);
}
