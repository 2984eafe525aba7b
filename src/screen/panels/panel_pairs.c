/* Pairs of coordinates: joint densities, marginals, correlations. */
#include "base/memory.h"
#include "run/draws/quantity_rows.h"
#include "screen/canvas/pair_plane.h"
#include "screen/panels/quantity.h"

#include "session/client/snapshot_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST = 2, WIDTH = 14, HEIGHT = 4 };

typedef struct pairs {
    double range[2 * CS_QUANTITY_MOST]; /* common to the arms shown */
    const double *correlation, *scalar;
    size_t n, arm, k;
    /* [n_arms] the arms that share the scales, and their reports */
    size_t arms[CS_SHOT_ARMS], reports[CS_SHOT_ARMS], n_arms;
    const cs_window *window;
} pairs;

/* Returns the displayed range of coordinate i. */
static cs_scale shown_of(const pairs *p, size_t i)
{
    return cs_window_shows(
        p->window, (int)i,
        (cs_scale){p->range[2 * i], p->range[2 * i + 1], false});
}

static cs_plot plot_of(const cs_area *a, const pairs *p, size_t i, size_t j)
{
    return cs_window_plane(
        a, p->window, (cs_scale){p->range[2 * i], p->range[2 * i + 1], false},
        (cs_scale){p->range[2 * j], p->range[2 * j + 1], false}, (int)i,
        (int)j);
}

static void ask(const cs_shot *s, const cs_selection *at, char *word,
                size_t size)
{
    char names[256];
    if (cs_quantity_names(s, at, CS_QUANTITY_MOST, names, sizeof names) < LEAST)
        *word = 0;
    else
        snprintf(word, size, "pairs=%s", names);
}

/* Adds an arm to those that share the scales, and widens the ranges to those of
 * its report k. Returns false if the report is not about the same number of
 * coordinates. */
static bool add_arm(const cs_shot *s, size_t arm, size_t k, pairs *p)
{
    size_t n, c;
    const double *range =
        cs_shot_array(s, &n, &c, "arm/%zu/draws/%zu/range", arm, k);
    if (!range || c != 2 || n < LEAST || n > CS_QUANTITY_MOST ||
        (p->n_arms && n != p->n))
        return false;
    for (size_t i = 0; i < 2 * n; i++)
        p->range[i] = !p->n_arms ? range[i]
                      : i % 2    ? fmax(p->range[i], range[i])
                                 : fmin(p->range[i], range[i]);
    p->n = n;
    p->arms[p->n_arms] = arm;
    p->reports[p->n_arms++] = k;
    return true;
}

static bool read_pairs(const cs_shot *s, const cs_selection *at, size_t arm,
                       size_t k, const char *word, pairs *p)
{
    size_t r, c;
    *p = (pairs){.window = &at->window, .arm = arm, .k = k};
    if (!add_arm(s, arm, k, p))
        return false;
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        size_t other = cs_quantity_there(s, i, word);
        if (i != arm && other != CS_QUANTITY_NONE && cs_panel_shows(at, i))
            add_arm(s, i, other, p);
    }
    p->correlation =
        cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/correlation", arm, k);
    if (!p->correlation || r != p->n || c != p->n)
        return false;
    p->scalar = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/scalars", arm, k);
    return p->scalar && r * c == p->n;
}

/* Copies name number i of a comma-separated list. */
static void name_of(const char *word, size_t i, char *name, size_t size)
{
    const char *at = strchr(word, '=');
    at = at ? at + 1 : word;
    for (; i > 0 && *at; i--) {
        at += strcspn(at, ",");
        at += *at == ',';
    }
    snprintf(name, size, "%.*s", (int)strcspn(at, ","), at);
}

/* Finds the density of a pair of coordinates in the half cells of a tile,
 * out[2 * h][w]. Returns the largest density. */
static double density_of(const cs_shot *s, const pairs *p, size_t arm, size_t k,
                         const size_t pair[2], const cs_area *a, double *out)
{
    cs_pair_plane plane;
    return cs_pair_plane_find(s, arm, k, pair[0], pair[1], &plane)
               ? cs_pair_plane_density(&plane, shown_of(p, pair[0]),
                                       shown_of(p, pair[1]), a->w, 2 * a->h,
                                       out)
               : 0;
}

/* Returns the density that is shown in the brightest colour. It is the same for
 * all arms that are shown side by side. */
static double find_top(const cs_shot *s, const pairs *p, const size_t pair[2],
                       const cs_area *a, double *scratch)
{
    double own[CS_SHOT_ARMS];
    size_t n = 0;
    for (size_t i = 0; i < p->n_arms; i++) {
        double top =
            density_of(s, p, p->arms[i], p->reports[i], pair, a, scratch);
        if (top > 0)
            own[n++] = top;
    }
    return cs_common_top(own, n);
}

/* Draws the density in pixels. The brightest colour is that of the density
 * `top`. */
static void draw_fine(const cs_area *a, const cs_pair_plane *plane,
                      const cs_scale shown[2], double top)
{
    cs_raster r;
    if (!cs_raster_open(a, &r))
        return;
    int w = a->w * cs_raster_parts(r.wide, a->w, r.w);
    int h = a->h * cs_raster_parts(r.high, a->h, r.h);
    double *v = cs_alloc((size_t)w * (size_t)h, sizeof *v);
    if (v && cs_pair_plane_density(plane, shown[0], shown[1], w, h, v) > 0)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                cs_raster_fill(
                    &r, x * r.w / w, y * r.h / h, (x + 1) * r.w / w,
                    (y + 1) * r.h / h,
                    cs_theme_ramp(sqrt(fmin(v[y * w + x] / top, 1))));
    cs_free(v);
}

static void draw_plane(const cs_area *a, const cs_shot *s, const pairs *p,
                       size_t i, size_t j)
{
    const size_t pair[2] = {i, j};
    if (a->w < 1 || a->h < 1)
        return;
    double *v = cs_alloc(2 * (size_t)a->w * (size_t)a->h, sizeof *v);
    double top = v ? find_top(s, p, pair, a, v) : 0;
    if (top > 0 && density_of(s, p, p->arm, p->k, pair, a, v) > 0)
        for (int y = 0; y < a->h; y++)
            for (int x = 0; x < a->w; x++) {
                double upper = v[2 * y * a->w + x] / top;
                double lower = v[(2 * y + 1) * a->w + x] / top;
                cs_put_two(a, x, y, cs_theme_ramp(sqrt(fmin(upper, 1))),
                           cs_theme_ramp(sqrt(fmin(lower, 1))));
            }
    cs_free(v);
    cs_pair_plane plane;
    if (top > 0 && cs_pair_plane_find(s, p->arm, p->k, i, j, &plane))
        draw_fine(a, &plane, (cs_scale[]){shown_of(p, i), shown_of(p, j)}, top);
    cs_plot q = plot_of(a, p, i, j);
    cs_plot_note(&q, a->y + a->h - 1, "");
}

/* Marks with a glyph the draws whose trajectory diverged. */
static size_t mark_divergent(const cs_area *a, const cs_shot *s, const pairs *p,
                             size_t i, size_t j)
{
    size_t n, c, marked = 0;
    const double *x =
        cs_shot_array(s, &n, &c, "arm/%zu/divergent/points", p->arm);
    size_t xi = cs_shot_whole(p->scalar[i], c + 1);
    size_t yj = cs_shot_whole(p->scalar[j], c + 1);
    if (!x || !xi || !yj || xi > c || yj > c)
        return 0;
    cs_plot plot = plot_of(a, p, i, j);
    for (size_t k = 0; k < n; k++) {
        int column = cs_plot_column(&plot, x[k * c + xi - 1]);
        int row = cs_plot_row(&plot, x[k * c + yj - 1]);
        if (column < 0 || row < 0)
            continue;
        cs_put(a, column, row, CS_ROLE_ERROR, 'x');
        marked++;
    }
    return marked;
}

/* Finds the shares of the draws in the columns of a histogram of coordinate i.
 * Returns the largest share. */
static double shares_of(const cs_shot *s, size_t arm, size_t k, size_t i,
                        const cs_plot *q, double *bar)
{
    enum { MOST = 512 };
    size_t r, c, n;
    double edge[MOST + 1], top = 0;
    const double *range =
        cs_shot_array(s, &n, &c, "arm/%zu/draws/%zu/range", arm, k);
    const double *share =
        cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/share/%zu", arm, k, i);
    if (!share || !range || i >= n || r * c < 1 || r * c > MOST)
        return 0;
    for (size_t b = 0; b <= r * c; b++)
        edge[b] = range[2 * i] + (range[2 * i + 1] - range[2 * i]) * (double)b /
                                     (double)(r * c);
    cs_rebin(share, edge, r * c, q, (size_t)q->area.w, bar);
    for (int x = 0; x < q->area.w; x++)
        top = fmax(top, bar[x]);
    return top;
}

static void draw_marginal(const cs_area *a, const cs_shot *s, const pairs *p,
                          size_t i, const char *word)
{
    char name[64];
    double bar[CS_CANVAS_MAX], own[CS_SHOT_ARMS];
    name_of(word, i, name, sizeof name);
    int x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_VALUE, "%s", name);
    cs_scale part = shown_of(p, i);
    cs_print_fit(a, x + 1, 0, a->w - x - 1,
                 cs_window_part(p->window, (int)i).on ? CS_ROLE_VALUE
                                                      : CS_ROLE_LABEL,
                 "%s to %s", cs_num(part.low).text, cs_num(part.high).text);
    cs_area bars = cs_area_part(a, 0, 1, a->w, a->h - 1);
    cs_plot q = cs_plot_make(&bars, part.low, part.high, 0, 1);
    for (size_t k = 0; k < p->n_arms; k++)
        own[k] = shares_of(s, p->arms[k], p->reports[k], i, &q, bar);
    double top = cs_common_top(own, p->n_arms);
    if (shares_of(s, p->arm, p->k, i, &q, bar) > 0)
        cs_bars(&bars, bar, (size_t)bars.w, top, cs_theme_chain(p->arm));
}

static void draw_correlation(const cs_area *a, const pairs *p, size_t i,
                             size_t j)
{
    double r = p->correlation[i * p->n + j];
    enum { ROOMY = 20 };
    char text[32] = "-";
    if (isfinite(r))
        snprintf(text, sizeof text, "%s%+.2f",
                 a->w >= ROOMY ? "correlation " : "", r);
    int x = (a->w - cs_text_width(text)) / 2, y = a->h / 2;
    cs_print(a, x > 0 ? x : 0, y,
             fabs(r) > 0.9   ? CS_ROLE_WARN
             : fabs(r) > 0.3 ? CS_ROLE_VALUE
                             : CS_ROLE_FAINT,
             "%s", text);
}

/* Draws row y of the tiles: densities below the diagonal, correlations above
 * it. */
static size_t draw_tiles(const cs_area *a, const cs_shot *s, const pairs *p,
                         size_t n, const char *word)
{
    size_t marked = 0;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            int left = (int)x * a->w / (int)n, top = (int)y * a->h / (int)n;
            int right = (int)(x + 1) * a->w / (int)n - 1;
            int bottom = (int)(y + 1) * a->h / (int)n;
            cs_area t = cs_area_part(a, left, top, right - left, bottom - top);
            if (x == y)
                draw_marginal(&t, s, p, x, word);
            else if (x > y)
                draw_correlation(&t, p, y, x);
            else {
                t.h -= t.h > 3; /* one empty line between tiles */
                draw_plane(&t, s, p, x, y);
                marked += mark_divergent(&t, s, p, x, y);
            }
        }
    return marked;
}

/* Displays the largest share of a coordinate's draws that is beyond its
 * axis. */
static int tell_beyond(const cs_area *a, int x, int y, const cs_shot *s,
                       const pairs *p)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t r, c;
        const double *share = cs_shot_array(
            s, &r, &c, "arm/%zu/draws/%zu/share/%zu", p->arm, p->k, i);
        double beyond = share ? 1 : 0;
        for (size_t b = 0; share && b < r * c; b++)
            beyond -= share[b];
        most = fmax(most, beyond);
    }
    return most >= 0.005 ? cs_print_fit(a, x, y, a->w - x, CS_ROLE_WARN,
                                        "%.2g%% beyond  ", 100 * most)
                         : x;
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    pairs p;
    char word[280];
    ask(s, at, word, sizeof word);
    if (!*word) {
        cs_panel_empty(a, s, "This target has only one coordinate.",
                       "Use the panel marginal instead.");
        return;
    }
    size_t k = cs_quantity_find(a, s, arm, word);
    if (k == CS_QUANTITY_NONE || !read_pairs(s, at, arm, k, word, &p))
        return;
    size_t n = p.n;
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 1);
    while (n > LEAST && (field.w / (int)n < WIDTH || field.h / (int)n < HEIGHT))
        n--;
    size_t marked = draw_tiles(&field, s, &p, n, word);
    int x = 0, y = a->h - 1;
    double divergent = cs_shot_number(s, 0, "arm/%zu/divergent", arm);
    if (divergent > 0)
        x = cs_print_fit(a, 0, y, a->w, CS_ROLE_ERROR, "%s%s divergent  ",
                         marked ? "x " : "", cs_count(divergent).text);
    x = tell_beyond(a, x, y, s, &p);
    cs_area foot = cs_area_part(a, x, y, a->w - x, 1);
    int end = cs_quantity_count(&foot, 0, 0, s, arm);
    cs_plot_scale(&foot, end + 2, 0, "density 0", "most", 1);
}

const cs_panel_type cs_panel_pairs = {
    .name = "pairs",
    .title = "pairs of coordinates",
    .help =
        "Two to five coordinates against each other, depending on the size of "
        "the panel. Below the diagonal are the densities of the draws (shades "
        "on a square-root scale, the same for all arms); on the diagonal are "
        "the histograms with the "
        "names and ranges of the coordinates; above the diagonal are the "
        "correlations, which are marked if above 0.9 in absolute value.\nx "
        "marks the newest draws of each chain whose trajectory diverged; where "
        "many of them are close together, the posterior is too narrow for the "
        "step size. Press n or o to start with another coordinate, or type "
        "pairs=log_tau,theta.1. ( and ) zoom all axes, and the wheel zooms the "
        "two axes under the pointer.",
    .options = "o start with the next coordinate",
    .tile = {30, 9, 2.2},
    .draw_arm = draw_arm,
    .ask = ask,
};
