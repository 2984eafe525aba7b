#include "screen/places.h"

#include "screen/plot.h"

#include <math.h>

#define PI 3.14159265358979323846

static void place_at(const cs_places *p, size_t i, double *x, double *y)
{
    double turn = 2 * PI * (double)i / (double)p->n;
    *x = p->place ? p->place[2 * i] : sin(turn);
    *y = p->place ? p->place[2 * i + 1] : cos(turn);
}

/* Widens the axes until a unit is as long on either. */
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

static cs_plot plot_of(const cs_area *a, const cs_places *p)
{
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, y0 = HUGE_VAL, y1 = -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        double x, y;
        place_at(p, i, &x, &y);
        if (!isfinite(x) || !isfinite(y))
            continue;
        x0 = fmin(x0, x);
        x1 = fmax(x1, x);
        y0 = fmin(y0, y);
        y1 = fmax(y1, y);
    }
    if (x0 <= x1 && y0 <= y1)
        even_out(a, &x0, &x1, &y0, &y1);
    return cs_plot_make(a, x0, x1, y0, y1);
}

/* A line between two places, of every nth of its dots. */
static void line(const cs_plot *f, const cs_places *p, size_t from, size_t to,
                 cs_role role, int every)
{
    double x0, y0, x1, y1;
    place_at(p, from, &x0, &y0);
    place_at(p, to, &x1, &y1);
    double across = fabs(x1 - x0) / (f->x1 - f->x0) * f->columns;
    double down = fabs(y1 - y0) / (f->y1 - f->y0) * f->rows;
    double most = fmax(across, down);
    int n = most > 1 && most < 4000 ? (int)ceil(most) : 1;
    for (int k = 0; k <= n; k += every) {
        double share = (double)k / n;
        cs_plot_point(f, x0 + share * (x1 - x0), y0 + share * (y1 - y0), role,
                      '.');
    }
}

static void mark(const cs_plot *f, const cs_places *p, size_t i, cs_role role,
                 unsigned code)
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

/* What stands for the place that is visited in turn k of n. */
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

void cs_places_tour(const cs_area *a, const cs_places *p, const double *order)
{
    cs_plot f = plot_of(a, p);
    size_t from, to;
    for (size_t k = 0; k < p->n; k++)
        if (number_of(order[k], p->n, &from) &&
            number_of(order[(k + 1) % p->n], p->n, &to))
            line(&f, p, from, to,
                 cs_theme_ramp(0.3 + 0.7 * (double)k / (double)p->n), 1);
    for (size_t k = p->n; k-- > 0;)
        if (number_of(order[k], p->n, &from))
            mark(&f, p, from, k ? CS_ROLE_NORMAL : CS_ROLE_FOCUS,
                 sign_of(k, p->n));
}

void cs_places_graph(const cs_area *a, const cs_places *p, const cs_pixels *x)
{
    cs_plot f = plot_of(a, p);
    size_t from, to, n = p->n < x->n ? p->n : x->n;
    for (int parted = 0; parted < 2; parted++)
        for (size_t k = 0; k < p->edges; k++)
            if (number_of(p->edge[2 * k], n, &from) &&
                number_of(p->edge[2 * k + 1], n, &to) &&
                (x->level[from] != x->level[to]) == parted)
                line(&f, p, from, to, parted ? CS_ROLE_ACCEPT : CS_ROLE_FAINT,
                     parted ? 1 : 3);
    for (size_t i = 0; i < n; i++) {
        unsigned code;
        cs_role role = cs_pixels_role(x, x->level[i], &code);
        mark(&f, p, i, role, code);
    }
}
