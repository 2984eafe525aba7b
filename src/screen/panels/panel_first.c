/* First visits: the step at which each chain first visited each mode, sorted by
 * step. In a large panel also the number of modes visited over time. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MODES = 1024 };

typedef struct table {
    const double *first; /* [chains][modes] steps; NAN: never */
    size_t chains, modes, group;
    cs_axis axis;             /* axis for the steps */
    size_t order[MOST_MODES]; /* modes in the order of the rows */
} table;

/* Returns the step of the first visit by any chain; NAN: never. */
static double earliest(const table *t, size_t mode)
{
    double first = NAN;
    for (size_t c = 0; c < t->chains; c++)
        first = fmin(first, t->first[c * t->modes + mode]); /* fmin skips NAN */
    return first;
}

static size_t seen_by(const table *t, size_t mode)
{
    size_t n = 0;
    for (size_t c = 0; c < t->chains; c++)
        n += isfinite(t->first[c * t->modes + mode]);
    return n;
}

/* Returns true if mode a is listed after mode b: mode a was visited later,
 * or it was visited at the same step and has a higher number. */
static bool is_behind(const table *t, size_t a, size_t b)
{
    double x = earliest(t, a), y = earliest(t, b);
    if (isnan(x) || isnan(y))
        return isnan(x) && (!isnan(y) || a > b);
    return x > y || (x == y && a > b);
}

static void sort(table *t, bool by_number)
{
    for (size_t i = 0; i < t->modes; i++) {
        size_t k = i;
        for (; !by_number && k > 0 && is_behind(t, t->order[k - 1], i); k--)
            t->order[k] = t->order[k - 1];
        t->order[k] = i;
    }
}

static bool find_table(const cs_shot *s, const cs_selection *at, size_t arm,
                       table *t)
{
    t->first =
        cs_shot_array(s, &t->chains, &t->modes, "arm/%zu/modes/first", arm);
    if (!t->first || t->modes > MOST_MODES)
        return false;
    double group = cs_shot_number(s, 1, "arm/%zu/group", arm);
    t->group = group >= 1 && group < 1e9 ? (size_t)group : 1;
    t->axis = cs_axis_of(s, arm, at->unit);
    sort(t, at->variant % 2 == 1);
    return true;
}

static double place_of(const table *t, size_t chain, size_t mode)
{
    return cs_axis_at(&t->axis, t->first[chain * t->modes + mode]);
}

enum { NAME = 5, SEEN = 9, WIDTH = 7, LEAST = 8 };

static void draw_head(const cs_area *a, const table *t, size_t columns)
{
    cs_print(a, 0, 0, CS_ROLE_LABEL, "mode");
    cs_print(a, NAME, 0, CS_ROLE_LABEL, "chains");
    for (size_t c = 0; c < columns; c++) {
        char text[24];
        size_t chain = c * t->group;
        snprintf(text, sizeof text, "%zu%c", chain + 1, cs_theme_glyph(chain));
        cs_print(a, NAME + SEEN + (int)(c + 1) * WIDTH - cs_text_width(text), 0,
                 cs_theme_chain(chain), "%s", text);
    }
    if (columns < t->chains)
        cs_print_fit(a, NAME + SEEN + (int)columns * WIDTH + 1, 0,
                     a->w - NAME - SEEN - (int)columns * WIDTH - 1,
                     CS_ROLE_FAINT, "+%zu", t->chains - columns);
}

static void draw_row(const cs_area *a, const table *t, size_t mode, int y,
                     size_t columns)
{
    size_t seen = seen_by(t, mode);
    cs_print(a, 0, y, CS_ROLE_LABEL, "%4zu", mode + 1);
    cs_print(a, NAME, y,
             seen == t->chains ? CS_ROLE_VALUE
             : seen            ? CS_ROLE_WARN
                               : CS_ROLE_ERROR,
             "%zu of %zu", seen, t->chains);
    for (size_t c = 0; c < columns; c++) {
        double first = place_of(t, c, mode);
        cs_number text = cs_num(first);
        const char *word = isfinite(first) ? text.text : "never";
        cs_print(a, NAME + SEEN + (int)(c + 1) * WIDTH - cs_text_width(word), y,
                 isfinite(first) ? CS_ROLE_VALUE : CS_ROLE_WARN, "%s", word);
    }
}

static void draw_foot(const cs_area *a, const table *t, size_t below)
{
    size_t pairs = t->chains * t->modes, seen = 0, y = (size_t)a->h - 1;
    double last = 0;
    for (size_t i = 0; i < pairs; i++)
        if (isfinite(t->first[i])) {
            seen++;
            last = fmax(last, cs_axis_at(&t->axis, t->first[i]));
        }
    int x = cs_print_fit(
        a, 0, (int)y, a->w, seen < pairs ? CS_ROLE_WARN : CS_ROLE_VALUE,
        seen < pairs ? "%zu of %zu never" : "every chain has met every mode",
        pairs - seen, pairs);
    if (below)
        x = cs_print_fit(a, x, (int)y, a->w - x, CS_ROLE_FAINT,
                         "%s%zu below: pgdn", x ? ", " : "", below);
    if (seen)
        cs_print_fit(a, x, (int)y, a->w - x, CS_ROLE_LABEL, "%slast at %s",
                     x ? ", " : "", cs_axis_say(&t->axis, last).text);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Draws the number of modes that a chain has visited as a step curve. */
static void draw_stairs(const cs_plot *p, const table *t, size_t chain)
{
    double at[MOST_MODES];
    size_t n = 0, k = chain * t->group;
    for (size_t m = 0; m < t->modes; m++)
        if (isfinite(t->first[chain * t->modes + m]))
            at[n++] = place_of(t, chain, m);
    qsort(at, n, sizeof *at, ascending);
    double from = p->whole0;
    for (size_t i = 0; i <= n; i++) {
        double to = i < n ? at[i] : p->whole1, now = (double)i;
        double x[] = {from, to, to}, y[] = {now, now, now + (i < n)};
        cs_plot_curve(p, x, y, 3, cs_theme_chain(k), cs_theme_glyph(k));
        from = to;
    }
}

/* Draws the step curves of all chains, the chosen chain on top. */
static void draw_series(const cs_area *a, const cs_shot *s,
                        const cs_selection *at, size_t arm, const table *t)
{
    double end = cs_shot_number(s, NAN, "arm/%zu/steps", arm) * t->axis.each;
    cs_area title = cs_area_part(a, 0, 0, a->w, 1);
    cs_area top = cs_area_part(a, 0, 1, a->w, a->h - 2);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_print_cut(&title, 0, 0, a->w, CS_ROLE_LABEL, "modes met by each chain");
    cs_scale y = {0, (double)t->modes, false};
    cs_area field = cs_plot_axis_scaled(&top, y);
    cs_plot p = cs_window_plot(&field, &at->window, 0, end, y);
    size_t chosen = at->chain / t->group;
    for (size_t c = 1; c <= t->chains; c++)
        draw_stairs(&p, t, (chosen + c) % t->chains);
    cs_plot_axis_x(&foot, &p, t->axis.name);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    table t;
    if (!find_table(s, at, arm, &t)) {
        cs_panel_empty(a, s, "The modes of this target are not known.",
                       "Use a target with known modes, or give the scenario a "
                       "list of modes.");
        return;
    }
    int capacity = (a->w - NAME - SEEN) / WIDTH;
    size_t columns = capacity > 0 ? (size_t)capacity : 0;
    if (columns < t.chains && (a->w - NAME - SEEN) % WIDTH < 4 && columns)
        columns--; /* leaves space for "+12", the number of chains that do not
                    * fit */
    columns = columns < t.chains ? columns : t.chains;
    size_t rows = a->h > 2 ? (size_t)a->h - 2 : 0;
    size_t top = cs_panel_top(at, t.modes, rows), y = 0;
    draw_head(a, &t, columns);
    for (; y < rows && top + y < t.modes; y++)
        draw_row(a, &t, t.order[top + y], (int)y + 1, columns);
    draw_foot(a, &t, t.modes - top - y);
    cs_area rest = cs_area_part(a, 0, (int)y + 2, a->w, a->h - (int)y - 3);
    if (rest.h >= LEAST)
        draw_series(&rest, s, at, arm, &t);
}

const cs_panel_type cs_panel_first = {
    .name = "first",
    .title = "first visits to modes",
    .help = "The step at which each chain first visited each mode, and the "
            "number of chains that have visited the mode. Modes are sorted by "
            "the first visit of any chain; modes that were never visited are "
            "last. A tall panel also shows the number of modes visited by each "
            "chain over time.\nu counts work per chain instead of steps. If "
            "all chains start in the same state, the panel shows how long they "
            "take to find the other modes. If the chains start at many places, "
            "it does not show this.",
    .options = "v sort by first visit, by mode; page keys scroll",
    .tile = {36, 5, 3},
    .draw_arm = draw_arm,
};
