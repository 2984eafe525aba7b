/* The plane of two coordinates: visits beside the true density, where the
 * chosen chain is and what it proposes. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct plane {
    const double *counts, *truth, *view;
    size_t rows, cols;
    size_t axis[2];
} plane;

static bool find_plane(const cs_shot *s, size_t arm, plane *p)
{
    size_t r, c;
    p->counts =
        cs_shot_array(s, &p->rows, &p->cols, "arm/%zu/plane/counts", arm);
    p->truth = cs_shot_array(s, &r, &c, "arm/%zu/plane/truth", arm);
    if (r != p->rows || c != p->cols)
        p->truth = NULL;
    p->view = cs_shot_array(s, &r, &c, "arm/%zu/plane/view", arm);
    if (r * c != 4 || !(p->view[1] > p->view[0]) || !(p->view[3] > p->view[2]))
        p->view = NULL;
    const double *axes = cs_shot_array(s, &r, &c, "arm/%zu/plane/axes", arm);
    bool given = axes && r * c == 2;
    for (int i = 0; i < 2; i++)
        p->axis[i] = given && axes[i] >= 0 && axes[i] < 1e9 ? (size_t)axes[i]
                                                            : (size_t)i;
    return p->counts && p->view;
}

/* The mass under one cell of w x h: bins count by what the cell covers. */
static double mass_at(const double *mass, const plane *p, const cs_area *a,
                      int x, int y)
{
    double high = (double)p->rows / a->h, wide = (double)p->cols / a->w;
    double top = y * high, left = x * wide, sum = 0;
    double bottom = top + high, right = left + wide;
    for (size_t r = (size_t)top; r < p->rows && (double)r < bottom; r++) {
        double part = 0;
        for (size_t c = (size_t)left; c < p->cols && (double)c < right; c++) {
            double k = (double)c, end = k + 1 < right ? k + 1 : right;
            part += mass[r * p->cols + c] * (end - (k > left ? k : left));
        }
        double k = (double)r, end = k + 1 < bottom ? k + 1 : bottom;
        sum += part * (end - (k > top ? k : top));
    }
    return sum;
}

static double total_of(const double *mass, const plane *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->rows * p->cols; i++)
        sum += mass[i];
    return sum;
}

static double largest_of(const double *mass, const plane *p, const cs_area *a)
{
    double top = 0;
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++)
            top = fmax(top, mass_at(mass, p, a, x, y));
    return top;
}

/* The heat map of mass per half a cell of the screen, on a square-root scale:
 * thin islands stay visible. */
static void draw_mass(const cs_area *a, const double *mass, const plane *p)
{
    const cs_area fine = {.w = a->w, .h = 2 * a->h};
    double top = largest_of(mass, p, &fine);
    for (int y = 0; y < a->h && top > 0; y++)
        for (int x = 0; x < a->w; x++) {
            double half[2];
            for (int i = 0; i < 2; i++) {
                double m = mass_at(mass, p, &fine, x, 2 * y + i);
                half[i] = sqrt(fmin(m / top, 1));
            }
            if (fmax(half[0], half[1]) > 0.03)
                cs_put_two(a, x, y, cs_theme_ramp(half[0]),
                           cs_theme_ramp(half[1]));
        }
}

/* Where there were too many visits, and where too few, as shares of all. */
static void draw_difference(const cs_area *a, const plane *p)
{
    double n = total_of(p->counts, p), all = total_of(p->truth, p);
    double top = fmax(largest_of(p->truth, p, a) / all,
                      n > 0 ? largest_of(p->counts, p, a) / n : 0);
    for (int y = 0; y < a->h && n > 0; y++)
        for (int x = 0; x < a->w; x++) {
            double more = mass_at(p->counts, p, a, x, y) / n -
                          mass_at(p->truth, p, a, x, y) / all;
            double share = fabs(more) / top;
            if (share > 0.05)
                cs_put(a, x, y, more > 0 ? CS_ROLE_REJECT : CS_ROLE_ACCEPT,
                       share > 0.3 ? more > 0 ? '+' : '-' : 0xB7);
        }
}

/* The cell of a point, false when it is outside. */
static bool cell_of(const cs_area *a, const plane *p, const double *x, int *at)
{
    const double *v = p->view;
    double column = (x[p->axis[0]] - v[0]) / (v[1] - v[0]) * a->w;
    double row = (v[3] - x[p->axis[1]]) / (v[3] - v[2]) * a->h;
    if (!(column >= 0 && column < a->w && row >= 0 && row < a->h))
        return false;
    at[0] = (int)column;
    at[1] = (int)row;
    return true;
}

/* Where the chosen chain is (its glyph) and what it proposed last. */
static void draw_look(const cs_area *a, const cs_shot *s, const plane *p,
                      size_t arm)
{
    size_t r, c, n, m;
    int at[2];
    const double *look = cs_shot_array(s, &r, &c, "look/at");
    const double *x = cs_shot_array(s, &r, &n, "look/x");
    const double *y = cs_shot_array(s, &r, &m, "look/proposal");
    if (!look || !x || look[0] != (double)arm || p->axis[0] >= n ||
        p->axis[1] >= n)
        return;
    if (y && m == n && cell_of(a, p, y, at))
        cs_put(a, at[0], at[1], CS_ROLE_EVENT, '?');
    if (cell_of(a, p, x, at)) {
        cs_put(a, at[0], at[1], CS_ROLE_FOCUS, '@');
        cs_attribute(a, at[0], at[1], 1, CS_REVERSE);
    }
}

static void axis_name(const cs_shot *s, size_t axis, char *out, size_t size)
{
    if (!cs_shot_word(cs_shot_text(s, "coordinates"), axis, out, size))
        snprintf(out, size, "x.%zu", axis + 1);
}

/* One picture with its axes; `mass` NULL: the difference. */
static void draw_one(const cs_area *a, const cs_shot *s, const plane *p,
                     const double *mass, const char *name, size_t arm)
{
    char x[64], y[64], unit[80];
    axis_name(s, p->axis[0], x, sizeof x);
    axis_name(s, p->axis[1], y, sizeof y);
    int end = cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", name);
    cs_area body = cs_area_part(a, 0, 1, a->w, a->h - 2);
    bool roomy = a->w >= 24 && a->h >= 8;
    cs_area field = roomy ? cs_plot_axis(&body, p->view[2], p->view[3]) : body;
    if (mass)
        draw_mass(&field, mass, p);
    else
        draw_difference(&field, p);
    if (mass != p->truth)
        draw_look(&field, s, p, arm);
    if (roomy && end + cs_text_width(y) + 4 < a->w)
        cs_print_right(a, 0, CS_ROLE_FAINT, "up: %s", y);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot q = cs_plot_make(&field, p->view[0], p->view[1], 0, 1);
    snprintf(unit, sizeof unit, "%s", x);
    cs_plot_axis_x(&foot, &q, unit);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                     size_t arm)
{
    plane p;
    const char *names[] = {"visits", "exact", "visits - exact"};
    if (!find_plane(s, arm, &p)) {
        cs_panel_empty(a, s, "This run keeps no map of a plane.",
                       "Add the probe \"plane\" to the scenario; a discrete "
                       "target without a plane has none.");
        return;
    }
    if (!p.truth && cs_shot_number(s, 1, "run/settled") == 0)
        names[0] = "visits (exact: being computed)";
    unsigned kind = p.truth ? at->variant % 4 : 1;
    const double *mass[] = {p.counts, p.truth, NULL};
    if (kind == 0 && a->w >= 30) {
        int half = (a->w - 1) / 2;
        cs_area left = cs_area_part(a, 0, 0, half, a->h);
        cs_area right = cs_area_part(a, half + 1, 0, a->w - half - 1, a->h);
        draw_one(&left, s, &p, p.counts, names[0], arm);
        draw_one(&right, s, &p, p.truth, names[1], arm);
    } else {
        kind = kind ? kind - 1 : 0;
        draw_one(a, s, &p, mass[kind], names[kind], arm);
    }
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    cs_panel_arms(a, s, at, (cs_tile){18, 6, 3}, draw_arm);
}

const cs_panel_type cs_panel_map = {
    .name = "map",
    .title = "map",
    .reports = "plane",
    .help = "Two coordinates as a plane: where the chains of the arm have "
            "been, and beside it the exact density where it can be computed. "
            "Shades follow the square root of the mass. @ is the chosen chain, "
            "? its last proposal. In the difference + stands where there were "
            "too many visits, - where too few.",
    .options = "v visits beside exact, visits, exact, their difference",
    .width = 20,
    .height = 7,
    .weight = 1.3,
    .draw = draw,
};
