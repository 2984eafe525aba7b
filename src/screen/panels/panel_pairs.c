/* Pairs of coordinates: joint densities, marginals, correlations. */
#include "run/draws/quantity_rows.h"
#include "screen/panels/quantity.h"

#include "session/client/snapshot_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST = 2, WIDTH = 14, HEIGHT = 4 };

typedef struct pairs {
    const double *range, *correlation, *scalar;
    size_t n, arm, k;
    const cs_window *window;
} pairs;

/* Returns the displayed range of coordinate i. */
static cs_scale shown_of(const pairs *p, size_t i)
{
    return cs_window_shows(
        p->window, (int)i,
        (cs_scale){p->range[2 * i], p->range[2 * i + 1], false});
}

/* Returns the displayed part of coordinate i's range: both ends as shares of
 * the range. */
static cs_scale shares_of(const pairs *p, size_t i)
{
    double low = p->range[2 * i], span = p->range[2 * i + 1] - low;
    cs_scale s = shown_of(p, i);
    return span > 0
               ? (cs_scale){(s.low - low) / span, (s.high - low) / span, false}
               : (cs_scale){0, 1, false};
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

static bool read_pairs(const cs_shot *s, const cs_selection *at, size_t arm,
                       size_t k, pairs *p)
{
    size_t r, c;
    p->window = &at->window;
    p->arm = arm;
    p->k = k;
    p->range = cs_shot_array(s, &p->n, &c, "arm/%zu/draws/%zu/range", arm, k);
    if (!p->range || c != 2 || p->n < LEAST || p->n > CS_QUANTITY_MOST)
        return false;
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

/* Returns the number of cells of an axis, the same as in its histogram. */
static size_t cells_of(const cs_shot *s, const pairs *p, size_t i)
{
    size_t r, c;
    return cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/share/%zu", p->arm, p->k,
                         i)
               ? r * c
               : 0;
}

/* Finds the cells that position k covers if the part `share` of all cells is
 * displayed at n positions. */
static void cells_at(cs_scale share, size_t all, int k, int n, size_t *first,
                     size_t *end)
{
    double low = share.low * (double)all, span = share.high - share.low;
    double each = span * (double)all / n;
    *first = cs_shot_whole(low + k * each + 1e-9, all);
    *end = cs_shot_whole(low + (k + 1) * each + 1e-9, all);
    *end = *end > *first ? *end : *first + 1;
    *end = *end < all ? *end : all;
}

/* Returns the largest level among the cells that one dot covers. Rows are
 * counted from the top. */
static unsigned level_of(const unsigned char *plane, size_t wide, size_t high,
                         const size_t column[2], const size_t row[2])
{
    unsigned most = 0;
    for (size_t j = row[0]; j < row[1] && j < high; j++)
        for (size_t i = column[0]; i < column[1] && i < wide; i++)
            if (plane[j * wide + i] > most)
                most = plane[j * wide + i];
    return most;
}

static cs_role role_of(unsigned level)
{
    return cs_theme_ramp(level > 1 ? (level - 1) / 254.0 : 0);
}

static void draw_plane(const cs_area *a, const cs_shot *s, const pairs *p,
                       size_t i, size_t j)
{
    const char *text =
        cs_shot_text(s, "arm/%zu/draws/%zu/plane/%zu/%zu", p->arm, p->k, i, j);
    size_t wide = cells_of(s, p, i), high = cells_of(s, p, j);
    const unsigned char *plane = (const unsigned char *)text;
    if (!wide || strlen(text) != wide * high)
        return;
    cs_scale across = shares_of(p, i), up = shares_of(p, j);
    const cs_scale down = {1 - up.high, 1 - up.low, false};
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++) {
            size_t column[2], upper[2], lower[2];
            cells_at(across, wide, x, a->w, &column[0], &column[1]);
            cells_at(down, high, 2 * y, 2 * a->h, &upper[0], &upper[1]);
            cells_at(down, high, 2 * y + 1, 2 * a->h, &lower[0], &lower[1]);
            cs_put_two(a, x, y,
                       role_of(level_of(plane, wide, high, column, upper)),
                       role_of(level_of(plane, wide, high, column, lower)));
        }
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

static void draw_marginal(const cs_area *a, const cs_shot *s, const pairs *p,
                          size_t i, const char *word)
{
    size_t r, c;
    char name[64];
    const double *share = cs_shot_array(
        s, &r, &c, "arm/%zu/draws/%zu/share/%zu", p->arm, p->k, i);
    double low, high;
    name_of(word, i, name, sizeof name);
    int x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_VALUE, "%s", name);
    cs_scale part = shown_of(p, i), across = shares_of(p, i);
    cs_print_fit(a, x + 1, 0, a->w - x - 1,
                 cs_window_part(p->window, (int)i).on ? CS_ROLE_VALUE
                                                      : CS_ROLE_LABEL,
                 "%s to %s", cs_num(part.low).text, cs_num(part.high).text);
    cs_area bars = cs_area_part(a, 0, 1, a->w, a->h - 1);
    double bar[CS_CANVAS_MAX];
    if (!share || !cs_range(share, r * c, &low, &high))
        return;
    for (int k = 0; k < a->w; k++) {
        size_t first, end;
        cells_at(across, r * c, k, a->w, &first, &end);
        bar[k] = first < r * c ? share[first] : 0;
    }
    cs_bars(&bars, bar, (size_t)a->w, high, cs_theme_chain(p->arm));
}

static void draw_correlation(const cs_area *a, const pairs *p, size_t i,
                             size_t j)
{
    double r = p->correlation[i * p->n + j];
    char text[24] = "-";
    if (isfinite(r))
        snprintf(text, sizeof text, "%+.2f", r);
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
    if (k == CS_QUANTITY_NONE || !read_pairs(s, at, arm, k, &p))
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
        "on a square-root scale); on the diagonal are the histograms with the "
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
