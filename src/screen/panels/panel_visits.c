/* Visits to modes. There is one row per mode, with columns for time and for the
 * first visits. As an option, the panel shows a table of modes by chains. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct visits {
    const double *visits, *first, *weight, *shares;
    const double *mass; /* [chains][modes] total weight of the visits */
    const double *time; /* [bins] step at the end of each bin, or NULL */
    size_t chains, modes, bins;
    size_t group; /* row k is chain k * group of the arm */
    cs_axis axis; /* axis for `time` and first visits */
} visits;

static bool find_visits(const cs_shot *s, size_t arm, cs_unit unit, visits *v)
{
    size_t r, c;
    *v = (visits){.axis = cs_axis_of(s, arm, unit)};
    v->visits =
        cs_shot_array(s, &v->chains, &v->modes, "arm/%zu/modes/visits", arm);
    if (!v->visits)
        return false;
    double group = cs_shot_number(s, 1, "arm/%zu/group", arm);
    v->group = group >= 1 && group < 1e9 ? (size_t)group : 1;
    v->mass = cs_shot_array(s, &r, &c, "arm/%zu/modes/mass", arm);
    if (!v->mass || r != v->chains || c != v->modes)
        v->mass = v->visits;
    v->first = cs_shot_array(s, &r, &c, "arm/%zu/modes/first", arm);
    if (r != v->chains || c != v->modes)
        v->first = NULL;
    v->weight = cs_shot_array(s, &r, &c, "arm/%zu/modes/weight", arm);
    if (r * c != v->modes)
        v->weight = NULL;
    v->shares = cs_shot_array(s, &r, &v->bins, "arm/%zu/modes/shares", arm);
    if (r != v->modes)
        v->shares = NULL;
    v->time = cs_shot_array(s, &r, &c, "arm/%zu/modes/time", arm);
    if (r * c != v->bins)
        v->time = NULL;
    return true;
}

/* Returns the sum over the chains of a mode's entries in `row`
 * ([chains][modes]). */
static double sum_of(const visits *v, const double *row, size_t mode)
{
    double sum = 0;
    for (size_t c = 0; c < v->chains; c++)
        sum += row[c * v->modes + mode];
    return sum;
}

static double first_of(const visits *v, size_t mode)
{
    double first = NAN;
    for (size_t c = 0; v->first && c < v->chains; c++)
        first = fmin(first, v->first[c * v->modes + mode]); /* fmin skips NAN */
    return first;
}

/* The layout of a row: the mode's name, one cell per chain, time, and the
 * values of the mode. */
typedef struct cut {
    int tall; /* lines per row */
    /* chains: first column of the chains; width: columns per chain, 0 if no
     * chains are shown */
    int chains, width;
    /* time: first column of time; span: number of columns, 0 if time is not
     * shown */
    int time, span;
    int figures;  /* first column of the mode's values */
    cs_plot plot; /* plot over the columns of time */
    double top;   /* share that is shown in the brightest colour */
} cut;

enum { NAME = 4, FIGURES = 20, HEAD = 2, TALLEST = 6 };

static cut cut_row(const cs_area *a, const visits *v, unsigned variant)
{
    int lines = v->modes ? (a->h - HEAD) / (int)v->modes : 1;
    cut c = {.chains = NAME, .time = NAME, .figures = a->w - FIGURES};
    c.tall = lines < 1 ? 1 : lines < TALLEST ? lines : TALLEST;
    int capacity = c.figures - NAME - 1, n = (int)v->chains;
    bool chains = variant % 3 != 2 || !v->shares;
    bool time = variant % 3 != 1 && v->shares;
    int widest = 3 + 2 * (c.tall - 1); /* maximum width of a cell in columns */
    for (int w = widest; chains && w >= 1 && !c.width; w--)
        if (n * w + (time && w > 1 ? w > 3 ? capacity / 2 : 9 : 0) <= capacity)
            c.width = w;
    if (c.width)
        c.time = NAME + n * c.width + 1;
    else
        time = v->shares != NULL; /* the chains do not fit: show time instead */
    c.span = c.figures - 1 - c.time;
    if (!time || c.span < 4)
        c.span = 0;
    return c;
}

static double largest(const double *value, size_t n)
{
    double top = 0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, value[i]);
    return top;
}

static double total_of(const double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return sum;
}

/* Returns the share that is shown in the brightest colour. It is four times the
 * largest exact share; if all modes are equally likely, this is four times the
 * share of each mode. It does not depend on the draws, so all arms have the
 * same colours. */
static double bright_share(const visits *v)
{
    double most = v->weight  ? largest(v->weight, v->modes)
                  : v->modes ? 1 / (double)v->modes
                             : 1;
    return most > 0 ? fmin(4 * most, 1) : 1;
}

/* Returns the position of a share on the square-root scale. */
static double level_of(const cut *c, double share)
{
    return sqrt(fmin(share / c->top, 1));
}

/* Draws one cell per chain: the share of the chain's visits that went to this
 * mode. */
static void draw_chains(const cs_area *a, int y, const visits *v, size_t mode,
                        const cut *c)
{
    for (size_t k = 0; c->width && k < v->chains; k++) {
        const double *row = v->mass + k * v->modes;
        double sum = total_of(row, v->modes);
        double share = sum > 0 ? level_of(c, row[mode] / sum) : 0;
        int wide = c->width > 1 ? c->width - 1 : 1;
        for (int i = 0; i < wide * c->tall; i++)
            cs_put(a, c->chains + (int)k * c->width + i % wide, y + i / wide,
                   cs_theme_ramp(share), cs_theme_shade(share));
    }
}

/* Returns the first bin of a column of time. */
static size_t bin_at(const visits *v, const cut *c, int x)
{
    size_t i = 0;
    if (!v->time || (!c->plot.log_x && !cs_plot_is_part(&c->plot)))
        return (size_t)x * v->bins / (size_t)c->span;
    double from = cs_plot_at(&c->plot, (double)x / c->span);
    while (i < v->bins && cs_axis_at(&v->axis, v->time[i]) < from)
        i++;
    return i;
}

/* Returns the level of a mode in column x of time. */
static double level_at(const visits *v, size_t mode, const cut *c, int x)
{
    const double *row = v->shares + mode * v->bins;
    size_t i = bin_at(v, c, x), end = bin_at(v, c, x + 1);
    i = i < v->bins ? i : v->bins - 1;
    end = end > i ? end : i + 1;
    return level_of(c, total_of(row + i, end - i) / (double)(end - i));
}

/* Draws a row of time in pixels: one column per pixel, and a gap of one pixel
 * between rows. */
static void draw_fine_time(const cs_area *a, int y, const visits *v,
                           size_t mode, const cut *c)
{
    cs_raster r;
    cut fine = *c;
    const cs_area table = cs_area_part(a, c->time, 1, c->span, a->h - HEAD);
    int top = y - 1;
    if (!cs_raster_open(&table, &r))
        return;
    fine.span = r.w;
    for (int x = 0; x < r.w && c->top > 0; x++)
        cs_raster_fill(&r, x, top * r.high, x + 1, (top + c->tall) * r.high - 1,
                       cs_theme_ramp(level_at(v, mode, &fine, x)));
}

static void draw_time(const cs_area *a, int y, const visits *v, size_t mode,
                      const cut *c)
{
    for (int x = 0; x < c->span && c->top > 0; x++) {
        double share = level_at(v, mode, c, x);
        for (int k = 0; k < c->tall; k++)
            cs_put(a, c->time + x, y + k, cs_theme_ramp(share),
                   cs_theme_shade(share));
    }
    draw_fine_time(a, y, v, mode, c);
}

static void draw_row(const cs_area *a, const visits *v, size_t mode, int y,
                     double total, const cut *c)
{
    enum { SHARE = 6 }; /* columns of a share */
    double sum = sum_of(v, v->mass, mode), first = first_of(v, mode);
    cs_print(a, 0, y, CS_ROLE_LABEL, "%3zu", mode + 1);
    draw_chains(a, y, v, mode, c);
    if (c->span)
        draw_time(a, y, v, mode, c);
    int x = c->figures;
    if (total > 0)
        cs_print(a, x, y, sum > 0 ? CS_ROLE_VALUE : CS_ROLE_FAINT, "%5.1f%%",
                 100 * sum / total);
    x += SHARE;
    if (v->weight)
        cs_print(a, x, y, CS_ROLE_TRUTH, " %4.1f%%", 100 * v->weight[mode]);
    if (isfinite(first))
        cs_print_right(a, y, CS_ROLE_LABEL, " %s",
                       cs_num(cs_axis_at(&v->axis, first)).text);
    else
        cs_print_right(a, y, CS_ROLE_FAINT, v->first ? " never" : "");
}

/* Draws the range of the time axis, in steps or work, in the longest form that
 * fits. */
static void name_time(const cs_area *a, const visits *v, const cut *c)
{
    int x = c->time;
    const cs_plot *p = &c->plot;
    if (v->time)
        x = cs_print_fit(a, x, 0, c->span, CS_ROLE_LABEL, "%s %s to %s",
                         v->axis.name, cs_count(p->x0).text,
                         cs_count(p->x1).text);
    if (x == c->time)
        cs_print_fit(a, x, 0, c->span, CS_ROLE_LABEL, "%s", v->axis.name);
}

static void draw_head(const cs_area *a, const visits *v, const cut *c,
                      const cs_selection *at)
{
    cs_print(a, 0, 0, CS_ROLE_LABEL, "no.");
    for (size_t k = 0; c->width && k < v->chains; k++) {
        int x = c->chains + (int)k * c->width;
        size_t chain = k * v->group;
        /* a cell with two columns and a gap has space for the chain's number */
        if (v->group > 1 && c->width >= 3)
            cs_print_cut(a, x, 0, 2, cs_theme_chain(chain), "%zu", chain + 1);
        else
            cs_put(a, x, 0, cs_theme_chain(chain),
                   (unsigned char)cs_theme_glyph(chain));
        if (chain == at->chain)
            cs_attribute(a, x, 0, 1, CS_UNDERLINE);
    }
    if (c->span)
        name_time(a, v, c);
    cs_print_right(a, 0, CS_ROLE_LABEL, "%s%s first", " share",
                   v->weight ? " exact" : "");
}

/* Returns the number of modes visited by chain k or, if there is no chain k,
 * by any chain. seen_by_all returns the number of modes that every chain has
 * visited. */
static size_t seen_by(const visits *v, size_t k)
{
    size_t seen = 0;
    for (size_t m = 0; m < v->modes; m++)
        seen += k < v->chains ? v->visits[k * v->modes + m] > 0
                              : sum_of(v, v->visits, m) > 0;
    return seen;
}

static size_t seen_by_all(const visits *v)
{
    size_t seen = 0;
    for (size_t m = 0; m < v->modes; m++) {
        size_t k = 0;
        while (k < v->chains && v->visits[k * v->modes + m] > 0)
            k++;
        seen += k == v->chains;
    }
    return seen;
}

/* Displays the number of rows that do not fit, in the longest form that
 * fits. */
static int tell_below(const cs_area *a, int x, size_t below)
{
    int end = x;
    for (size_t i = 0; below && end == x && i < 2; i++) {
        char text[48];
        snprintf(text, sizeof text, i ? ", %zu below" : ", %zu below: pgdn",
                 below);
        end = cs_print_fit(a, x, a->h - 1, a->w - x, CS_ROLE_FAINT, "%s", text);
    }
    return end;
}

/* Displays the numbers of modes visited by any chain, by every chain, and by
 * the chosen chain. The last two are necessary: if no chain ever left its
 * first mode, the chains together could still have visited all modes. */
static void draw_foot(const cs_area *a, const cs_shot *s, const visits *v,
                      size_t arm, const cs_selection *at, size_t below,
                      double top)
{
    size_t seen = seen_by(v, v->chains), n, c, y = (size_t)a->h - 1;
    size_t every = seen_by_all(v);
    const double *j = cs_shot_array(s, &n, &c, "arm/%zu/modes/jumps", arm);
    double jumps = 0;
    n = j ? n * c : 0;
    for (size_t i = 0; i < n; i++)
        jumps += j[i];
    bool wide = at->detail && a->w >= 64;
    cs_role role = seen < v->modes ? CS_ROLE_WARN : CS_ROLE_VALUE;
    int x = cs_print_fit(a, 0, (int)y, a->w, role, "%s%zu of %zu modes",
                         wide ? "found: " : "", seen, v->modes);
    if (v->chains > 1 && every < seen)
        x = cs_print_fit(a, x, (int)y, a->w - x, CS_ROLE_WARN,
                         "; %zu in every chain", every);
    x = tell_below(a, x, below);
    size_t k = at->chain / v->group;
    char end[16];
    snprintf(end, sizeof end, "%s%.0f%%", top < 1 ? ">" : "", 100 * top);
    if (wide && v->chains > 1 && at->chain % v->group == 0 && k < v->chains &&
        at->arm == arm)
        x = cs_print_fit(a, x, (int)y, a->w - x, cs_theme_chain(at->chain),
                         "; %zu in chain %zu", seen_by(v, k), at->chain + 1);
    if (j && at->detail)
        x = cs_print_fit(a, x, (int)y, a->w - x, CS_ROLE_LABEL, ", %s jump%s",
                         cs_count(jumps).text, jumps == 1 ? "" : "s");
    if (top > 0 && at->detail)
        cs_plot_scale(a, x + 2, (int)y, "share 0", end, 1);
}

/* Finds the axis of the columns of time; its name is drawn in the heading. */
static void lay_time(const cs_area *a, const visits *v, const cs_selection *at,
                     cut *c)
{
    double end = v->bins && v->time ? v->time[v->bins - 1] : 1;
    cs_area field = cs_area_part(a, c->time, 1, c->span, a->h - HEAD);
    c->plot =
        cs_window_plot(&field, &at->window, cs_axis_at(&v->axis, 0),
                       cs_axis_at(&v->axis, end), (cs_scale){0, 1, false});
    if (c->span && v->time)
        cs_plot_note(&c->plot, field.y + field.h - 1, v->axis.name);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    visits v;
    if (!find_visits(s, arm, at->unit, &v)) {
        cs_panel_empty(a, s, "The modes of this target are not known.",
                       "Use a target with known modes, or give the scenario a "
                       "list of modes.");
        return;
    }
    double total = 0;
    for (size_t m = 0; m < v.modes; m++)
        total += sum_of(&v, v.mass, m);
    cut c = cut_row(a, &v, at->variant);
    c.top = bright_share(&v);
    lay_time(a, &v, at, &c);
    draw_head(a, &v, &c, at);
    size_t capacity = a->h > HEAD ? (size_t)((a->h - HEAD) / c.tall) : 0;
    size_t top = cs_panel_top(at, v.modes, capacity), y = 0;
    for (; y < capacity && top + y < v.modes; y++)
        draw_row(a, &v, top + y, (int)y * c.tall + 1, total, &c);
    draw_foot(a, s, &v, arm, at, v.modes - top - y, c.top);
}

/* Draws the arms in tiles. The best size of a tile has one line per mode. */
static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    enum { BEST = 60, AROUND = 2 };
    size_t chains, modes = 0;
    cs_shot_array(s, &chains, &modes, "arm/%zu/modes/visits", at->arm);
    cs_tile tile = {36, 5, 2};
    tile.shape = fmin(fmax(BEST / (double)(modes + AROUND), 0.8), 6);
    cs_panel_arms(a, s, at, tile, NULL, draw_arm, NULL);
}

const cs_panel_type cs_panel_visits = {
    .name = "visits",
    .title = "visits to modes",
    .help = "One row per mode, with several lines if they fit. From left to "
            "right, a row shows one cell per chain, which is brighter for a "
            "larger share of the chain's visits (shades on a square-root "
            "scale up to 4 times the largest exact share, the same for all "
            "arms); the mode's share of the visits of all chains over time; "
            "the mode's share of all visits; the exact share, if known; and "
            "the step (or the work per chain, chosen with u) of the first "
            "visit of any chain.\nWeighted draws count by their weights. The "
            "last line counts the modes visited by any chain, by every chain "
            "and by the chosen chain. If each chain remains in one row, the "
            "chains have not mixed, even if each trace looks good.",
    .options = "v chains and time, chains, time; page keys scroll",
    .draw = draw,
};
