/* The plane of two coordinates: visits next to the exact density, and the
 * chosen chain with its proposal. */
#include "screen/panels/map_grid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef cs_map_plane plane;

/* Cells at or below this level of the colour scale are not drawn. */
#define FAINT 0.03

double cs_map_share(const cs_scale *s, double v)
{
    return s->log ? log(fmax(v, DBL_MIN) / s->low) / log(s->high / s->low)
                  : (v - s->low) / (s->high - s->low);
}

/* Returns a plot of the part of the plane that the user has chosen. */
static cs_plot plot_of(const cs_area *a, const plane *p, const cs_window *w)
{
    const cs_row_view *v = p->view;
    return cs_window_plane(a, w, (cs_scale){v->left, v->right, true},
                           (cs_scale){v->bottom, v->top, true}, 0, 1);
}

static void show_part(plane *p, const cs_area *a, const cs_window *w)
{
    cs_plot q = plot_of(a, p, w);
    p->shown[0] = (cs_scale){q.x0, q.x1, q.log_x};
    p->shown[1] = (cs_scale){q.y0, q.y1, q.log_y};
}

bool cs_map_find(const cs_shot *s, size_t arm, cs_map_plane *p)
{
    size_t r, c;
    p->counts =
        cs_shot_array(s, &p->rows, &p->cols, "arm/%zu/plane/counts", arm);
    p->truth = cs_shot_array(s, &r, &c, "arm/%zu/plane/truth", arm);
    if (r != p->rows || c != p->cols)
        p->truth = NULL;
    p->view = CS_SHOT_ROWS(s, cs_row_view, &r, CS_KEY_PLANE_VIEW, arm);
    if (p->view && !(cs_map_span(p, 0) > 0 && cs_map_span(p, 1) > 0))
        p->view = NULL;
    const double *axes = cs_shot_array(s, &r, &c, "arm/%zu/plane/axes", arm);
    bool given = axes && r * c == 2;
    for (int i = 0; i < 2; i++)
        p->axis[i] = given && axes[i] >= 0 && axes[i] < 1e9 ? (size_t)axes[i]
                                                            : (size_t)i;
    p->modes = cs_shot_array(s, &p->n_modes, &p->dim, "target/modes");
    if (!p->modes || p->axis[0] >= p->dim || p->axis[1] >= p->dim)
        p->n_modes = 0;
    if (p->view) {
        p->shown[0] = (cs_scale){p->view->left, p->view->right, false};
        p->shown[1] = (cs_scale){p->view->bottom, p->view->top, false};
    }
    return p->counts && p->view;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the density that is shown in the brightest colour. It is the same for
 * all arms that are shown side by side. If the exact density is known, it is
 * the largest exact density. Otherwise, each arm has a density that 9 of 10
 * draws do not exceed, and the median of these over the arms is returned. */
static double find_top(const plane *p, const cs_shot *s, const cs_selection *at,
                       size_t arm)
{
    double own[CS_SHOT_ARMS], top = 0;
    size_t n = 0, arms = cs_shot_arms(s);
    for (size_t i = 0; i < arms; i++) {
        plane other = *p;
        if ((i != arm && !cs_panel_shows(at, i)) || !cs_map_find(s, i, &other))
            continue;
        memcpy(other.shown, p->shown, sizeof other.shown);
        double unit = cs_map_density(&other);
        if (other.truth)
            top = fmax(top, unit * cs_map_largest(&other, other.truth));
        else
            own[n++] = unit * cs_map_upper(&other, other.counts);
    }
    if (top > 0 || n == 0)
        return top;
    qsort(own, n, sizeof *own, compare);
    return own[(n - 1) / 2];
}

/* Divides the plane finely for a terminal with graphics. Returns false if there
 * are no pixels. */
static bool make_fine(const cs_area *a, const plane *p, cs_raster *r, plane *q,
                      cs_map_mesh *m)
{
    if (a->w == 0 || a->h == 0 || !cs_raster_open(a, r))
        return false;
    *q = *p;
    q->cells[0] = a->w * cs_raster_parts(r->wide, a->w, CS_CANVAS_MAX);
    q->cells[1] = a->h * cs_raster_parts(r->high, a->h, 2 * CS_CANVAS_MAX);
    cs_map_mesh_make(m, q);
    return true;
}

/* Fills one cell of a fine grid. */
static void fill_fine(const cs_raster *r, const cs_map_mesh *m, int x, int y,
                      cs_role role)
{
    cs_raster_fill(r, x * r->w / m->w, y * r->h / m->h, (x + 1) * r->w / m->w,
                   (y + 1) * r->h / m->h, role);
}

/* Draws the heat map of draw_mass in pixels. */
static void draw_fine_mass(const cs_area *a, const double *mass, const plane *p,
                           double scale)
{
    plane q;
    cs_raster r;
    cs_map_mesh m;
    if (!make_fine(a, p, &r, &q, &m))
        return;
    for (int y = 0; y < m.h; y++)
        for (int x = 0; x < m.w; x++) {
            double v = cs_map_level(mass, &q, &m, x, y) / scale;
            if (sqrt(v) > FAINT)
                fill_fine(&r, &m, x, y, cs_theme_ramp(sqrt(fmin(v, 1))));
        }
}

/* Draws the heat map of the mass, two cells per character, on a square-root
 * scale up to `top`. The square root keeps thin islands visible. Returns
 * true if some density exceeds the end of the scale. */
static bool draw_mass(const cs_area *a, const double *mass, const plane *p,
                      double top)
{
    cs_map_mesh m;
    cs_map_mesh_make(&m, p);
    double total = cs_map_total(mass, p) / cs_map_density(p);
    bool beyond = false;
    for (int y = 0; y < a->h && top > 0 && total > 0; y++)
        for (int x = 0; x < a->w; x++) {
            double half[2];
            for (int i = 0; i < 2; i++) {
                double v = cs_map_level(mass, p, &m, x / p->zoom[0],
                                        (2 * y + i) / p->zoom[1]) /
                           total / top;
                beyond = beyond || v > 1 + 1e-9;
                half[i] = sqrt(fmin(v, 1));
            }
            if (fmax(half[0], half[1]) > FAINT)
                cs_put_two(a, x, y, cs_theme_ramp(half[0]),
                           cs_theme_ramp(half[1]));
        }
    if (top > 0 && total > 0)
        draw_fine_mass(a, mass, p, total * top);
    return beyond;
}

/* Draws each known mode as a symbol of one character on an empty background, so
 * that neighbouring symbols do not merge. Its colour shows the mode's share of
 * the mass; the brightest colour is the largest exact share, and small shares
 * have a colour that can be seen. */
static void draw_symbols(const cs_area *a, const double *mass, const plane *p)
{
    enum { MODES = 64 };
    const double faintest = 0.25;
    double share[MODES], top = 0;
    if (p->n_modes > MODES)
        return;
    cs_map_shares(p, p->truth ? p->truth : mass, share);
    for (size_t m = 0; m < p->n_modes; m++)
        top = fmax(top, share[m]);
    cs_map_shares(p, mass, share);
    for (size_t m = 0; m < p->n_modes && top > 0; m++) {
        int at[2];
        double level = sqrt(fmin(share[m] / top, 1));
        if (!cs_map_cell(a, p, p->modes + m * p->dim, at))
            continue;
        bool seen = share[m] > 0;
        cs_put(a, at[0], at[1],
               seen ? cs_theme_ramp(fmax(level, faintest)) : CS_ROLE_LABEL,
               seen ? 0x25CF : 0x25CB);
    }
}

/* Draws a ring at each known mode. */
static void ring_modes(const cs_area *a, const plane *p)
{
    if (p->symbols || p->n_modes * 5 > (size_t)(a->w * a->h))
        return;
    for (size_t m = 0; m < p->n_modes; m++) {
        int at[2], half[2];
        const cs_area fine = {.w = a->w, .h = 2 * a->h};
        const double *x = p->modes + m * p->dim;
        if (cs_map_cell(a, p, x, at) && cs_map_cell(&fine, p, x, half))
            cs_map_over(a, at, half[1] % 2, CS_ROLE_LABEL, 0x25CB);
    }
}

/* Draws the colour scale at the right end of a line, from x. */
static int draw_bar(const cs_area *a, int x, double top)
{
    char end[32];
    snprintf(end, sizeof end, "%s%s", top < 0 ? ">" : "",
             cs_num(fabs(top)).text);
    return fabs(top) > 0 ? cs_plot_scale(a, x, 0, "density 0", end, 1) : a->w;
}

/* Draws a difference, given as a share (-1 to 1) of the end of the difference
 * scale. Each side of 0 has its colour; a large difference also has a sign. */
static void put_side(const cs_area *a, int x, int y, double share)
{
    cs_role role = cs_theme_sides(0.5 + share / 2);
    if (role == cs_theme_sides(0.5))
        return;
    bool much = fabs(share) >= 0.5;
    unsigned sign = share > 0 ? '+' : '-';
    cs_put(a, x, y, much ? CS_ROLE_INK : role, much ? sign : 0xB7);
    if (much)
        cs_ground(a, x, y, role);
}

/* Draws the heat map of draw_difference in pixels. n and all: numbers of visits
 * and exact mass; top: end of the scale. */
static void draw_fine_difference(const cs_area *a, const plane *p, double n,
                                 double all, double top)
{
    plane q;
    cs_raster r;
    cs_map_mesh m;
    if (!make_fine(a, p, &r, &q, &m))
        return;
    for (int y = 0; y < m.h; y++)
        for (int x = 0; x < m.w; x++) {
            double more = cs_map_level(p->counts, &q, &m, x, y) / n -
                          cs_map_level(p->truth, &q, &m, x, y) / all;
            cs_role role =
                cs_theme_sides(0.5 + fmin(fmax(more / top, -1), 1) / 2);
            if (role != cs_theme_sides(0.5))
                fill_fine(&r, &m, x, y, role);
        }
}

/* Draws the difference between visits and exact density. The scale ends at half
 * of the largest exact density, so that colours fade as the visits approach the
 * exact distribution. Returns the end of the scale. */
static double draw_difference(const cs_area *a, const plane *p)
{
    cs_map_mesh m;
    cs_map_mesh_make(&m, p);
    double n = cs_map_total(p->counts, p), all = cs_map_total(p->truth, p);
    double top = cs_map_largest(p, p->truth) / 2;
    for (int y = 0; y < a->h && n > 0 && top > 0; y++)
        for (int x = 0; x < a->w; x++) {
            double more = 0;
            for (int i = 0; i < 2; i++) {
                int row = (2 * y + i) / p->zoom[1], column = x / p->zoom[0];
                more += cs_map_level(p->counts, p, &m, column, row) / n / 2 -
                        cs_map_level(p->truth, p, &m, column, row) / all / 2;
            }
            put_side(a, x, y, fmin(fmax(more / top, -1), 1));
        }
    if (n > 0 && top > 0)
        draw_fine_difference(a, p, n, all, top);
    return top * cs_map_density(p);
}

/* Draws the difference scale at the right end of a line, like draw_bar. */
static int draw_sides(const cs_area *a, int x, double top)
{
    enum { WIDE = CS_SIDES_ROLES };
    char end[2][40];
    snprintf(end[0], sizeof end[0], "too few -%s", cs_num(top).text);
    snprintf(end[1], sizeof end[1], "+%s too many", cs_num(top).text);
    for (int brief = 0; brief < 2 && top > 0; brief++) {
        const char *low = brief ? "few" : end[0];
        const char *high = brief ? "many" : end[1];
        int wide = cs_text_width(low) + WIDE + cs_text_width(high) + 2;
        int from = a->w - wide;
        if (from < x)
            continue;
        int at = cs_print(a, from, 0, CS_ROLE_LABEL, "%s ", low);
        for (int i = 0; i < WIDE; i++)
            put_side(a, at + i, 0, (2 * i - WIDE + 1) / (WIDE - 1.0));
        cs_print(a, at + WIDE + 1, 0, CS_ROLE_LABEL, "%s", high);
        return from;
    }
    return a->w;
}

/* Reports the share of draws outside the window if it is not negligible. */
static void tell_outside(const cs_area *a, int x, const cs_shot *s,
                         const plane *p, size_t arm)
{
    double out = cs_shot_number(s, 0, "arm/%zu/plane/outside", arm);
    double share = out / (out + cs_map_total(p->counts, p));
    if (share >= 0.001)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_WARN, "%.2g%% outside",
                     100 * share);
}

/* Draws the numbers of the hills in the landscape editor. */
static void draw_hills(const cs_area *a, const cs_shot *s, const plane *p,
                       size_t chosen)
{
    size_t n;
    const cs_row_hill *h = CS_SHOT_ROWS(s, cs_row_hill, &n, CS_KEY_HILLS);
    for (size_t k = 0; h && chosen && k < n && p->axis[0] < 2 && p->axis[1] < 2;
         k++) {
        const double top[2] = {h[k].x, h[k].y};
        int at[2];
        if (!cs_map_cell(a, p, top, at))
            continue;
        cs_put(a, at[0], at[1], k + 1 == chosen ? CS_ROLE_FOCUS : CS_ROLE_EVENT,
               k < 9 ? '1' + (unsigned)k : 'a' + (unsigned)(k - 9));
        cs_attribute(a, at[0], at[1], 1,
                     k + 1 == chosen ? CS_REVERSE : CS_BOLD);
    }
}

/* Writes a description of the chosen hill. It replaces the name of the
 * picture. */
static void name_hill(const cs_shot *s, const cs_selection *at, char *name,
                      size_t size)
{
    size_t n;
    const cs_row_hill *h = CS_SHOT_ROWS(s, cs_row_hill, &n, CS_KEY_HILLS);
    if (h && at->hill >= 1 && at->hill <= n) {
        h += at->hill - 1;
        snprintf(name, size, "hill %zu (%.3g, %.3g) width %.3g, %.3g %%",
                 at->hill, h->x, h->y, h->sd, 100 * h->share);
    }
}

/* Records the plane's position for the mouse. */
static void note_plane(const cs_area *a, const plane *p, size_t arm)
{
    cs_canvas_note_plane(a->canvas, (cs_plane){.x = a->x,
                                               .y = a->y,
                                               .w = a->w,
                                               .h = a->h,
                                               .left = p->shown[0].low,
                                               .right = p->shown[0].high,
                                               .bottom = p->shown[1].low,
                                               .top = p->shown[1].high,
                                               .log_x = p->shown[0].log,
                                               .log_y = p->shown[1].log,
                                               .axis = {p->axis[0], p->axis[1]},
                                               .arm = arm});
}

/* The layout of a picture, which is the same for all arms and for the exact
 * density: lines of the heading, and the size of the picture with its axes. */
typedef struct form {
    bool two, roomy, detail;
    int w, h;
} form;

enum { BAR = 13 }; /* minimum width of the colour scale */

static form form_of(const cs_area *a, const cs_shot *s, const cs_selection *at,
                    const plane *p)
{
    char y[64], name[80] = "draws";
    form f = {.w = a->w, .h = a->h};
    if (at->tile[0] > 0 && at->tile[1] > 0) {
        f.w = at->tile[0] < f.w ? at->tile[0] : f.w;
        f.h = at->tile[1] < f.h ? at->tile[1] : f.h;
    }
    name_hill(s, at, name, sizeof name);
    cs_map_axis_name(s, p->axis[1], y, sizeof y);
    int up = cs_text_width(name) + cs_text_width("up: ") + cs_text_width(y) + 2;
    f.detail = at->detail;
    f.two = f.detail && up + BAR > f.w && f.h >= 7;
    f.roomy = f.w >= 24 && f.h >= 8;
    return f;
}

/* Draws the heading: the name of the picture and the name of the vertical axis
 * and, with details, the colour scale. `top` below 0: some value exceeds the
 * end of the scale. */
static void draw_head(const cs_area *a, const form *f, const char *name,
                      const char *axis, double top, bool difference)
{
    if (!f->detail) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, *axis ? "%s; up: %s" : "%s",
                     name, axis);
        return;
    }
    int end = cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", name) + 1;
    int up = end + cs_text_width("up: ") + cs_text_width(axis) + 1;
    cs_area head = cs_area_part(a, 0, f->two, a->w, 1);
    int least = f->two ? 0 : up + BAR > a->w ? end : up;
    int bar = difference ? draw_sides(&head, least, top)
                         : draw_bar(&head, least, top);
    cs_print_fit(a, end, 0, (f->two ? a->w : bar) - end, CS_ROLE_LABEL,
                 "up: %s", axis);
}

/* Chooses the grid of a picture and draws its vertical axis. */
static cs_area lay_field(const cs_area *body, plane *p, const cs_window *w,
                         bool roomy)
{
    show_part(p, body, w);
    if (!roomy)
        return cs_map_fit(body, p);
    cs_area in = cs_plot_axis_scaled(body, p->shown[1]);
    cs_area field = cs_map_fit(&in, p);
    cs_area rest = cs_area_part(body, 0, body->h - field.h, body->w, field.h);
    cs_fill(body, CS_ROLE_NORMAL, ' ');
    in = cs_plot_axis_scaled(&rest, p->shown[1]); /* for the chosen grid */
    if (in.w < field.w) {
        show_part(p, body, w);
        return cs_map_fit(&in, p);
    }
    return cs_area_part(&in, 0, 0, field.w, field.h);
}

enum { BOTH, VISITS, EXACT, DIFFERENCE, VARIANTS };

/* Draws one picture with its axes. `mass` NULL: draws the difference. The exact
 * picture beside others has no ticks. */
static void draw_one(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     plane *p, const double *mass, const char *what, size_t arm)
{
    enum { LEAST_WORDS = 30 };
    char x[64], y[64], name[80];
    const form f = form_of(a, s, at, p);
    bool alone = at->variant % VARIANTS == EXACT;
    size_t chains = cs_shot_chains(s, arm);
    bool counts = mass && mass != p->truth && chains > 1 && !f.detail;
    snprintf(name, sizeof name, "%s", what);
    if (counts && f.w >= LEAST_WORDS)
        snprintf(name, sizeof name, "%s of %zu chains", what, chains);
    if (mass != p->truth)
        name_hill(s, at, name, sizeof name);
    cs_map_axis_name(s, p->axis[0], x, sizeof x);
    cs_map_axis_name(s, p->axis[1], y, sizeof y);
    cs_area body = cs_area_part(a, 0, 1 + f.two, f.w, f.h - 2 - f.two);
    cs_area field = lay_field(&body, p, &at->window, f.roomy);
    double top = 0;
    if (!mass) {
        top = draw_difference(&field, p);
    } else {
        top = find_top(p, s, at, arm);
        if (draw_mass(&field, mass, p, top))
            top = -top;
        if (p->symbols && !at->hill)
            draw_symbols(&field, mass, p);
    }
    /* the exact picture beside the draws has the same axes */
    bool bare = !at->detail && mass && mass == p->truth && !alone;
    if (bare) {
        cs_area left = cs_area_part(&body, 0, 0, field.x - body.x, body.h);
        cs_fill(&left, CS_ROLE_NORMAL, ' ');
    }
    note_plane(&field, p, arm);
    if (!at->hill)
        ring_modes(&field, p);
    if (mass != p->truth) {
        cs_map_divergent(&field, s, p, arm);
        cs_map_chain(&field, s, p, arm);
        tell_outside(&body, 0, s, p, arm);
    }
    draw_hills(&field, s, p, at->hill);
    draw_head(a, &f, name, bare ? "" : y, top, !mass);
    cs_area foot = cs_area_part(a, 0, f.h - 1, f.w, 1);
    cs_plot q = plot_of(&field, p, &at->window);
    q.x0 = p->shown[0].low;
    q.x1 = p->shown[0].high;
    q.y0 = p->shown[1].low;
    q.y1 = p->shown[1].high;
    if (bare)
        cs_plot_note(&q, foot.y, x);
    else
        cs_plot_axis_x(&foot, &q, x);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    plane p;
    if (!cs_map_find(s, arm, &p)) {
        cs_panel_empty(a, s, "This run does not record visits of a plane.",
                       "Add the probe \"plane\"; a discrete target must have a "
                       "plane for this probe.");
        return;
    }
    bool awaited = !p.truth && cs_shot_number(s, 1, "run/settled") == 0;
    unsigned kind = p.truth ? at->variant % VARIANTS : VISITS;
    if (kind == DIFFERENCE)
        draw_one(a, s, at, &p, NULL, "draws - exact", arm);
    else
        draw_one(a, s, at, &p, p.counts,
                 awaited ? "draws (exact: being computed)" : "draws", arm);
}

static void draw_exact(const cs_area *a, const cs_shot *s,
                       const cs_selection *at, size_t arm)
{
    plane p;
    if (cs_map_find(s, arm, &p) && p.truth)
        draw_one(a, s, at, &p, p.truth, "exact", arm);
}

/* Returns true if there is space for a third picture: the difference between
 * the visits of the chosen arm and the exact density. */
static bool shows_difference(const cs_area *a, const cs_shot *s,
                             const cs_selection *at)
{
    enum { WIDE = 105, HIGH = 12 };
    size_t arms = 0;
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        arms += cs_panel_shows(at, i);
    return arms == 1 && a->w >= WIDE && a->h >= HIGH;
}

static void draw_third(const cs_area *a, const cs_shot *s,
                       const cs_selection *at, plane *p, int x)
{
    for (int y = 0; y < a->h; y++)
        cs_put(a, x, y, CS_ROLE_BORDER, 0x2502);
    cs_area third = cs_area_part(a, x + 1, 0, a->w - x - 1, a->h);
    /* the third picture has the size of the other two */
    cs_selection of_third = *at;
    of_third.tile[0] = (x + 1) / 2 - 1;
    of_third.tile[1] = third.h;
    draw_one(&third, s, &of_third, p, NULL, "draws - exact", at->arm);
}

/* Returns the smallest distance between two modes along an axis, as a share of
 * the window. */
static double gap_of(const plane *p, int axis)
{
    double least = 1, span = cs_map_span(p, axis);
    for (size_t m = 1; m < p->n_modes; m++)
        for (size_t k = 0; k < m && p->n_modes <= 64; k++) {
            double d = fabs(p->modes[m * p->dim + p->axis[axis]] -
                            p->modes[k * p->dim + p->axis[axis]]) /
                       span;
            least = d > 1e-3 ? fmin(least, d) : least;
        }
    return least;
}

/* Returns the smallest useful tile: modes are at least two half cells apart. */
static cs_tile least_tile(const plane *p)
{
    enum { AROUND = 3, AXIS = 4, WIDEST = 40, TALLEST = 16 };
    cs_tile t = {18, 6, 2};
    int w = (int)ceil(2 / gap_of(p, 0)) + AXIS;
    int h = (int)ceil(1 / gap_of(p, 1)) + AROUND;
    t.width = w > t.width ? w < WIDEST ? w : WIDEST : t.width;
    t.height = h > t.height ? h < TALLEST ? h : TALLEST : t.height;
    return t;
}

/* Names the contents if the exact density is unknown, or does not fit beside
 * the visits. */
static const char *drawn(const cs_area *a, const cs_shot *s,
                         const cs_selection *at)
{
    plane p;
    unsigned kind = at->variant % VARIANTS;
    if (!cs_map_find(s, at->arm, &p) || kind == VISITS)
        return NULL;
    bool alone =
        !p.truth ||
        (kind == BOTH && !cs_panel_fits_beside(a, s, at, least_tile(&p), NULL));
    return alone ? "draws" : NULL;
}

/* Displays the visits of each arm, and the exact distribution once, because
 * it is the same for all arms. */
static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    plane p;
    cs_tile tile = {18, 6, 2};
    unsigned kind = at->variant % VARIANTS;
    bool there = cs_map_find(s, at->arm, &p);
    if (there)
        tile = least_tile(&p);
    if (there && p.truth && kind == EXACT) {
        draw_exact(a, s, at, at->arm);
        return;
    }
    bool both = there && p.truth && kind == BOTH;
    bool three = both && shows_difference(a, s, at);
    cs_area rest = cs_area_part(a, 0, 0, three ? a->w * 2 / 3 : a->w, a->h);
    cs_panel_arms(&rest, s, at, tile, NULL, draw_arm, both ? draw_exact : NULL);
    if (three)
        draw_third(a, s, at, &p, rest.w);
}

const cs_panel_type cs_panel_map = {
    .name = "map",
    .title = "map",
    .help =
        "Density of the draws of the arm's chains in the plane of two "
        "coordinates and, if it can be computed, the exact density; a large "
        "panel also shows the difference of the two. Colours follow the square "
        "root of the density up to the maximum of the exact density, if it is "
        "known; all arms share the colours and cells. > on the colour bar "
        "means that some densities exceed the end of the scale.\n"
        "The cells are placed so that each known mode is in the middle of one, "
        "which has a ring; where this is impossible or rings would touch, a "
        "symbol marks the mode, and its colour shows the mode's share of the "
        "draws. @ is the chosen "
        "chain, and draws outside the window are counted.\n"
        "If the run is paused or slower than 100 steps per second, dots are "
        "the newest steps of the chosen chain and triangles are its proposals "
        "(up: accepted, down: rejected; a line leads to the last proposal). In "
        "a faster run, ? is the last proposal. x marks the newest 16 draws of "
        "each chain whose trajectory diverged; where many of them are close "
        "together, the chain cannot follow the target.\n"
        "In the plot of the difference, orange (with + if large) means too "
        "many visits, and blue (with - if large) means too few. The scale ends "
        "at half of the largest exact density.\n"
        "For a noisy gradient, two ellipses of one standard deviation show how "
        "far a step is moved by the noise of the gradient (x) and by the noise "
        "that the kernel adds (o). For a kernel with energy bins, the path has "
        "128 steps: + is a step into another bin, and a triangle is a step "
        "that went uphill in energy because the multiplier of the gradient was "
        "below 0.\n"
        "If the run is paused, the preview of the next step shows the "
        "points of the trajectory of hmc, of a slice, or of nuts (with the "
        "number of "
        "the doubling); * is the end. For a Langevin step, while the panel "
        "proposal is open, the preview shows the drift (d) and then the noise "
        "(n).\n"
        "A click in the focused panel moves the chosen chain to this point. H "
        "edits a mixture in the plane as a landscape of hills: click to add a "
        "hill, drag a hill to move it (a hill dragged off the map is removed), "
        "and use the wheel to widen the nearest hill.",
    .options = "v draws with exact, draws, exact, their difference",
    .log_values = true,
    .draw = draw,
    .drawn = drawn,
};
