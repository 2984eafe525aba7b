#include "screen/canvas/graph_layout.h"

#include "screen/canvas/plot.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static void place_at(const cs_graph_layout *p, size_t i, double *x, double *y)
{
    double turn = 2 * PI * (double)i / (double)p->n;
    *x = p->place ? p->place[2 * i] : sin(turn);
    *y = p->place ? p->place[2 * i + 1] : cos(turn);
}

/* Widens the axes until both have the same scale. */
static void even_out(const cs_area *a, double *x0, double *x1, double *y0,
                     double *y1)
{
    double wide = fmax(*x1 - *x0, 1e-300), high = fmax(*y1 - *y0, 1e-300);
    double shape = fmax(a->w, 1) / (2 * fmax(a->h, 1));
    double more = shape * high - wide, taller = wide / shape - high;
    if (more > 0) {
        *x0 -= more / 2;
        *x1 += more / 2;
    } else if (taller > 0) {
        *y0 -= taller / 2;
        *y1 += taller / 2;
    }
}

static cs_plot plot_of(const cs_area *a, const cs_graph_layout *p)
{
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        double x, y;
        place_at(p, i, &x, &y);
        if (!isfinite(x) || !isfinite(y))
            continue;
        cs_widen(&x0, &x1, x);
        cs_widen(&y0, &y1, y);
    }
    if (x0 <= x1 && y0 <= y1)
        even_out(a, &x0, &x1, &y0, &y1);
    return cs_plot_make(a, x0, x1, y0, y1);
}

/* The style of a line: `on` dots of every `of` dots are drawn. `mark` is used
 * where a cell has only one dot. */
typedef struct stroke {
    cs_role role;
    int on, of;
    char mark;
} stroke;

static void line(const cs_plot *f, const cs_graph_layout *p, size_t from,
                 size_t to, stroke s)
{
    double x0, y0, x1, y1;
    place_at(p, from, &x0, &y0);
    place_at(p, to, &x1, &y1);
    double across = fabs(x1 - x0) / (f->x1 - f->x0) * f->columns;
    double down = fabs(y1 - y0) / (f->y1 - f->y0) * f->rows;
    double most = fmax(across, down);
    int n = most > 1 && most < 4000 ? (int)ceil(most) : 1;
    for (int k = 0; k <= n; k++) {
        double share = (double)k / n;
        if (k % s.of < s.on)
            cs_plot_point(f, x0 + share * (x1 - x0), y0 + share * (y1 - y0),
                          s.role, s.mark);
    }
}

static void mark(const cs_plot *f, const cs_graph_layout *p, size_t i,
                 cs_role role, unsigned code)
{
    double x, y;
    place_at(p, i, &x, &y);
    int column = cs_plot_column(f, x), row = cs_plot_row(f, y);
    if (column >= 0 && row >= 0)
        cs_put(&f->area, column, row, role, code);
}

static bool number_of(double v, size_t n, size_t *out)
{
    bool good = v >= 0 && v < (double)n;
    *out = good ? (size_t)v : 0;
    return good;
}

/* Returns the character for the k-th of n places that a tour visits. */
static unsigned sign_of(size_t k, size_t n)
{
    static const char few[] = "123456789abcdefghijklmnopqrstuvwxyz";
    if (n < sizeof few)
        return (unsigned char)few[k];
    for (size_t third = 0; third < 3; third++)
        if (k == third * n / 3)
            return '1' + (unsigned)third;
    return 0x2022;
}

void cs_graph_layout_tour(const cs_area *a, const cs_graph_layout *p,
                          const double *order)
{
    cs_plot f = plot_of(a, p);
    size_t from, to;
    for (size_t k = 0; k < p->n; k++)
        if (number_of(order[k], p->n, &from) &&
            number_of(order[(k + 1) % p->n], p->n, &to))
            line(&f, p, from, to,
                 (stroke){cs_theme_ramp(0.3 + 0.7 * (double)k / (double)p->n),
                          1, 1, '.'});
    for (size_t k = p->n; k-- > 0;)
        if (number_of(order[k], p->n, &from))
            mark(&f, p, from, k ? CS_ROLE_NORMAL : CS_ROLE_FOCUS,
                 sign_of(k, p->n));
}

/* ---- two tours ----------------------------------------------------------- */

enum { KEPT, REMOVED, ADDED, WAYS };
enum { MISSED = 'x' };

static const stroke strokes[WAYS] = {[KEPT] = {CS_ROLE_FAINT, 1, 4, '.'},
                                     [REMOVED] = {CS_ROLE_REJECT, 3, 6, '-'},
                                     [ADDED] = {CS_ROLE_ACCEPT, 1, 1, '+'}};

static const char *const words[WAYS] = {"kept", "dropped", "new"};

/* Finds the two places that edge k of a tour connects. */
static bool way(const double *order, size_t n, size_t k, size_t *from,
                size_t *to)
{
    return number_of(order[k], n, from) && number_of(order[(k + 1) % n], n, to);
}

/* Returns true if a tour has an edge between two places, in either
 * direction. */
static bool has_way(const double *order, size_t n, size_t a, size_t b)
{
    size_t from, to;
    for (size_t k = 0; k < n; k++)
        if (way(order, n, k, &from, &to) &&
            ((from == a && to == b) || (from == b && to == a)))
            return true;
    return false;
}

static bool has_place(const double *order, size_t n, size_t i)
{
    size_t at;
    for (size_t k = 0; k < n; k++)
        if (number_of(order[k], n, &at) && at == i)
            return true;
    return false;
}

/* Draws the edges of a tour. If `shared` is true, draws the edges that the
 * other tour also has; otherwise the edges that the other tour lacks. If f is
 * NULL, only counts the edges. Returns the number of edges. */
static size_t compare(const cs_plot *f, const cs_graph_layout *p,
                      const double *of, const double *other, bool shared,
                      stroke s)
{
    size_t n = 0, from, to;
    for (size_t k = 0; k < p->n; k++) {
        if (!way(of, p->n, k, &from, &to) ||
            has_way(other, p->n, from, to) != shared)
            continue;
        if (f)
            line(f, p, from, to, s);
        n++;
    }
    return n;
}

static cs_detour detour(const cs_plot *f, const cs_graph_layout *p,
                        const double *was, const double *now)
{
    cs_detour d = {0};
    compare(f, p, was, now, true, strokes[KEPT]);
    compare(f, p, was, now, false, strokes[REMOVED]);
    d.added = compare(f, p, now, was, false, strokes[ADDED]);
    for (size_t i = 0; i < p->n; i++) {
        bool missed = !has_place(now, p->n, i);
        if (f)
            mark(f, p, i, missed ? CS_ROLE_REJECT : CS_ROLE_NORMAL,
                 missed ? MISSED : 0x2022);
        d.missed += missed;
    }
    return d;
}

cs_detour cs_graph_layout_compare(const cs_graph_layout *p, const double *was,
                                  const double *now)
{
    return detour(NULL, p, was, now);
}

cs_detour cs_graph_layout_detour(const cs_area *a, const cs_graph_layout *p,
                                 const double *was, const double *now)
{
    cs_plot f = plot_of(a, p);
    return detour(&f, p, was, now);
}

/* Draws a short line in each line style before the style's label. Styles that
 * do not fit are left out. */
void cs_graph_layout_detour_signs(const cs_area *a, int y, bool missed)
{
    enum { WIDE = 4 };
    int x = 0;
    if (missed) {
        cs_put(a, x, y, CS_ROLE_REJECT, MISSED);
        x = 2 + cs_print(a, x + 2, y, CS_ROLE_LABEL, "missed");
    }
    for (int k = WAYS; k-- > 0; x += 2) {
        if (x + WIDE + 1 + (int)strlen(words[k]) > a->w)
            return;
        cs_area piece = cs_area_part(a, x, y, WIDE, 1);
        cs_plot f = cs_plot_make(&piece, 0, 1, -1, 1);
        for (int dot = 0; dot < f.columns; dot++)
            if (dot % strokes[k].of < strokes[k].on)
                cs_plot_point(&f, (dot + 0.5) / f.columns, 0, strokes[k].role,
                              strokes[k].mark);
        x = cs_print(a, x + WIDE + 1, y, CS_ROLE_LABEL, "%s", words[k]);
    }
}

void cs_graph_layout_graph(const cs_area *a, const cs_graph_layout *p,
                           const cs_pixels *x)
{
    cs_plot f = plot_of(a, p);
    size_t from, to, n = p->n < x->n ? p->n : x->n;
    for (int parted = 0; parted < 2; parted++)
        for (size_t k = 0; k < p->edges; k++)
            if (number_of(p->edge[2 * k], n, &from) &&
                number_of(p->edge[2 * k + 1], n, &to) &&
                (x->level[from] != x->level[to]) == parted)
                line(&f, p, from, to,
                     (stroke){parted ? CS_ROLE_ACCEPT : CS_ROLE_FAINT, 1,
                              parted ? 1 : 3, '.'});
    for (size_t i = 0; i < n; i++) {
        unsigned code;
        cs_role role = cs_pixels_role(x, x->level[i], &code);
        mark(&f, p, i, role, code);
    }
}
