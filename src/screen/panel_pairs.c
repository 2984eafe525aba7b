/* Some coordinates against each other: densities, marginals, correlations. */
#include "screen/quantity.h"

#include "session/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST = 2, WIDTH = 14, HEIGHT = 4 };

typedef struct pairs {
    const double *range, *correlation, *scalar;
    size_t n, arm, k;
    char names[256];
} pairs;

static void ask(const cs_shot *s, const cs_selection *at, char *word,
                size_t size)
{
    char names[256];
    if (cs_quantity_names(s, at, CS_QUANTITY_MOST, names, sizeof names) < LEAST)
        *word = 0;
    else
        snprintf(word, size, "pairs=%s", names);
}

static bool read_pairs(const cs_shot *s, size_t arm, size_t k, pairs *p)
{
    size_t r, c;
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

/* Name number i of a list between commas. */
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

/* The cells of an axis, as its histogram has them. */
static size_t cells_of(const cs_shot *s, const pairs *p, size_t i)
{
    size_t r, c;
    return cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/share/%zu", p->arm, p->k,
                         i)
               ? r * c
               : 0;
}

/* The largest level of what one dot covers. */
static unsigned level_of(const unsigned char *plane, size_t wide, size_t high,
                         int x, int y, int columns, int rows)
{
    size_t x0 = (size_t)x * wide / (size_t)columns;
    size_t x1 = ((size_t)x + 1) * wide / (size_t)columns;
    size_t y0 = (size_t)y * high / (size_t)rows;
    size_t y1 = ((size_t)y + 1) * high / (size_t)rows;
    unsigned most = 0;
    for (size_t j = y0; j < (y1 > y0 ? y1 : y0 + 1) && j < high; j++)
        for (size_t i = x0; i < (x1 > x0 ? x1 : x0 + 1) && i < wide; i++)
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
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++)
            cs_put_two(
                a, x, y,
                role_of(level_of(plane, wide, high, x, 2 * y, a->w, 2 * a->h)),
                role_of(
                    level_of(plane, wide, high, x, 2 * y + 1, a->w, 2 * a->h)));
}

/* A glyph over the draws whose trajectory diverged. */
static size_t mark_divergent(const cs_area *a, const cs_shot *s, const pairs *p,
                             size_t i, size_t j)
{
    size_t n, c, marked = 0;
    const double *x =
        cs_shot_array(s, &n, &c, "arm/%zu/divergent/points", p->arm);
    size_t xi = (size_t)p->scalar[i], yj = (size_t)p->scalar[j];
    if (!x || !xi || !yj || xi > c || yj > c)
        return 0;
    cs_plot plot = cs_plot_make(a, p->range[2 * i], p->range[2 * i + 1],
                                p->range[2 * j], p->range[2 * j + 1]);
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
    cs_print_fit(a, x + 1, 0, a->w - x - 1, CS_ROLE_LABEL, "%s to %s",
                 cs_num(p->range[2 * i]).text,
                 cs_num(p->range[2 * i + 1]).text);
    cs_area bars = cs_area_part(a, 0, 1, a->w, a->h - 1);
    double bar[CS_CANVAS_MAX];
    if (!share || !cs_range(share, r * c, &low, &high))
        return;
    for (int k = 0; k < a->w; k++)
        bar[k] = share[(size_t)k * r * c / (size_t)a->w];
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

/* Row number y of tiles, column number x: densities below the diagonal,
 * correlations above it. */
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
                t.h -= t.h > 3; /* a line free between two */
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
        cs_panel_empty(a, s, "This target has one coordinate only.",
                       "The panel marginal shows it.");
        return;
    }
    size_t k = cs_quantity_find(a, s, arm, word);
    if (k == CS_QUANTITY_NONE || !read_pairs(s, arm, k, &p))
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

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_panel_arms(a, s, at, (cs_tile){30, 9, 2.2}, draw_arm);
}

const cs_panel_type cs_panel_pairs = {
    .name = "pairs",
    .title = "pairs of coordinates",
    .help =
        "Two to five coordinates, as many as there is room for, each against "
        "each: below the diagonal where the draws are, in shades that follow "
        "the square root; on it each one's histogram with its name and range; "
        "above it their correlations, those beyond 0.9 marked. x: draws of "
        "trajectories that diverged, the newest of each chain; where they "
        "gather the posterior is too narrow for the step. n and o begin with "
        "another coordinate; told by a word: pairs=log_tau,theta.1.",
    .options = "o begin with the next coordinate",
    .width = 30,
    .height = 9,
    .weight = 1.3,
    .tall = 1.3,
    .draw = draw,
    .ask = ask,
};
