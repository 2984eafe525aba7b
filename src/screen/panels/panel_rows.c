/* The data rows that a kernel draws at random. Shows how many rows were
 * drawn and how many were kept in each of the chosen chain's newest steps,
 * and histograms of the two counts. Also shows the expected count and the
 * total number of rows. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

enum { BOTH, STEPS, HISTOGRAM, VARIANTS };
/* FEET: number of lines of text below the plots; LEAST: minimum number of lines
 * of a plot */
enum { FEET = 2, LEAST = 5 };

typedef struct drawn {
    const cs_row_rows *all, *kept;
    double of, expected;
    const double *time, *now, *kept_now; /* [steps] for the chosen chain */
    size_t steps;
    cs_axis axis;                               /* axis for `time` */
    const double *edges, *counts, *kept_counts; /* [bins] */
    size_t bins;
} drawn;

static bool draws_rows(const cs_shot *s, size_t arm)
{
    size_t n;
    return CS_SHOT_ROWS(s, cs_row_rows, &n, CS_KEY_ROWS_DRAWN, arm) && n == 1;
}

/* Returns the row of chain c in an array [chains][n]; NULL: not available. */
static const double *find_chain(const cs_shot *s, const char *what, size_t arm,
                                size_t c, size_t n)
{
    size_t rows, cols;
    const double *at =
        cs_shot_array(s, &rows, &cols, "arm/%zu/rows/%s/recent", arm, what);
    return at && c < rows && cols == n ? at + c * n : NULL;
}

static const double *find_counts(const cs_shot *s, const char *what, size_t arm,
                                 size_t n)
{
    size_t r, c;
    const double *at =
        cs_shot_array(s, &r, &c, "arm/%zu/rows/%s/counts", arm, what);
    return at && r * c == n ? at : NULL;
}

static bool find(const cs_shot *s, const cs_selection *at, size_t arm, drawn *d)
{
    size_t r, n;
    *d = (drawn){0};
    if (!draws_rows(s, arm))
        return false;
    d->all = CS_SHOT_ROWS(s, cs_row_rows, &n, CS_KEY_ROWS_DRAWN, arm);
    d->kept = CS_SHOT_ROWS(s, cs_row_rows, &n, CS_KEY_ROWS_KEPT, arm);
    if (d->kept && (n != 1 || !(d->kept->steps > 0)))
        d->kept = NULL;
    d->of = cs_shot_number(s, NAN, "arm/%zu/rows/of", arm);
    d->expected = cs_shot_number(s, NAN, "arm/%zu/expected_rows", arm);
    d->axis = cs_axis_of(s, arm, at->unit);
    d->time = cs_shot_array(s, &r, &d->steps, "arm/%zu/rows/recent", arm);
    size_t chain = at->chain < cs_shot_chains(s, arm) ? at->chain : 0;
    d->now = find_chain(s, "drawn", arm, chain, d->steps);
    d->kept_now = d->kept ? find_chain(s, "kept", arm, chain, d->steps) : NULL;
    d->edges = cs_shot_array(s, &r, &n, "arm/%zu/rows/edges", arm);
    d->bins = d->edges && n > 1 ? n - 1 : 0;
    d->counts = find_counts(s, "drawn", arm, d->bins);
    d->kept_counts = d->kept ? find_counts(s, "kept", arm, d->bins) : NULL;
    return d->all->steps > 0;
}

/* ---- the newest steps ---- */

static void draw_steps(const cs_area *a, const drawn *d, size_t arm,
                       const cs_window *w)
{
    double low, high, kept, top = d->expected > 0 ? d->expected : 1;
    if (!d->time || !d->now || d->steps < 1)
        return;
    if (cs_range(d->now, d->steps, &low, &high))
        top = fmax(top, high);
    if (d->kept_now && cs_range(d->kept_now, d->steps, &low, &kept))
        top = fmax(top, kept);
    cs_area upper = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_area field = cs_plot_axis(&upper, 0, top);
    cs_plot p = cs_window_plot(&field, w, cs_axis_at(&d->axis, d->time[0]),
                               cs_axis_at(&d->axis, d->time[d->steps - 1]),
                               (cs_scale){0, top, false});
    if (d->expected > 0)
        cs_plot_level(&p, d->expected, CS_ROLE_FAINT, 0xB7, 2);
    for (size_t i = 0; i < d->steps; i++)
        cs_plot_point(&p, cs_axis_at(&d->axis, d->time[i]), d->now[i],
                      cs_theme_chain(arm), '+');
    for (size_t i = 0; d->kept_now && i < d->steps; i++)
        cs_plot_point(&p, cs_axis_at(&d->axis, d->time[i]), d->kept_now[i],
                      CS_ROLE_EVENT, 'o');
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&foot, &p, d->axis.name);
}

/* ---- the histogram ---- */

/* Displays the histogram of the rows drawn as bars, and the histogram of the
 * rows kept as a line. */
static void draw_histogram(const cs_area *a, const drawn *d, size_t arm)
{
    double bar[CS_CANVAS_MAX], line[CS_CANVAS_MAX], top = 0;
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 1);
    size_t n = a->w < CS_CANVAS_MAX ? (size_t)a->w : CS_CANVAS_MAX;
    if (!d->counts || n == 0 || field.h < 1)
        return;
    cs_plot p = cs_plot_make(&field, d->edges[0], d->edges[d->bins], 0, 1);
    cs_rebin(d->counts, d->edges, d->bins, &p, n, bar);
    if (d->kept_counts)
        cs_rebin(d->kept_counts, d->edges, d->bins, &p, n, line);
    for (size_t x = 0; x < n; x++)
        top = fmax(top, d->kept_counts ? fmax(bar[x], line[x]) : bar[x]);
    cs_bars(&field, bar, n, top, cs_theme_chain(arm));
    if (d->kept_counts)
        cs_steps_over(&field, line, top, CS_ROLE_EVENT);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&foot, &p, "rows");
}

/* ---- the lines of text ---- */

/* Displays the mean number of rows in the longest form that fits. */
static void draw_mean(const cs_area *a, int y, const drawn *d, size_t arm)
{
    double share = 100 * d->all->mean / d->of;
    cs_role role = cs_theme_chain(arm);
    char mean[24];
    snprintf(mean, sizeof mean, "%s", cs_num(d->all->mean).text);
    int x = cs_print_fit(a, 0, y, a->w, role,
                         "drawn %s per step, %.3g%% of %s rows", mean, share,
                         cs_count(d->of).text);
    if (x == 0)
        x = cs_print_fit(a, 0, y, a->w, role, "drawn %s, %.3g%% of %s", mean,
                         share, cs_num(d->of).text);
    if (x == 0)
        x = cs_print_cut(a, 0, y, a->w, role, "drawn %s (%.3g%%)", mean, share);
    cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", at most %s",
                 cs_count(d->all->most).text);
}

static void draw_kept(const cs_area *a, int y, const drawn *d)
{
    int x = 0;
    if (d->kept)
        x = cs_print_fit(a, 0, y, a->w, CS_ROLE_EVENT, "kept %s",
                         cs_num(d->kept->mean).text);
    bool loose = d->expected >= d->of / 2;
    cs_role role = loose ? CS_ROLE_WARN : CS_ROLE_LABEL;
    if (isnan(d->expected))
        return;
    int before = x;
    x = cs_print_fit(a, x, y, a->w - x, role, "%sexpected %s%s", x ? "; " : "",
                     cs_num(d->expected).text,
                     loose ? ": the bounds are too loose to help" : "");
    if (x == before)
        cs_print_fit(a, x, y, a->w - x, role, "%sexp. %s%s", x ? "; " : "",
                     cs_num(d->expected).text, loose ? ", loose" : "");
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    drawn d;
    if (!find(s, at, arm, &d)) {
        cs_panel_empty(
            a, s, "No kernel of this run draws rows of data.",
            "Use a kernel such as poisson_mh; others evaluate all rows.");
        return;
    }
    draw_mean(a, a->h - 2, &d, arm);
    draw_kept(a, a->h - 1, &d);
    unsigned variant = at->variant % VARIANTS;
    int h = a->h - FEET;
    if (variant == BOTH && h < 2 * LEAST)
        variant = STEPS;
    int upper = variant == BOTH ? (h + 1) / 2 : variant == STEPS ? h : 0;
    cs_area steps = cs_area_part(a, 0, 0, a->w, upper);
    cs_area below = cs_area_part(a, 0, upper, a->w, h - upper);
    if (upper > 1)
        draw_steps(&steps, &d, arm, &at->window);
    if (below.h > 1)
        draw_histogram(&below, &d, arm);
}

const cs_panel_type cs_panel_rows = {
    .name = "rows",
    .title = "rows drawn",
    .help =
        "Number of data rows that a kernel draws at random in each step. For "
        "the newest steps of the chosen chain, the panel shows the number "
        "drawn and, in another colour, the number that remains after thinning. "
        "Below is the histogram over all steps of all chains (bars: drawn; "
        "line: after thinning).\nDots are the expected number, computed from "
        "the kernel's bounds. If the expected number is half of all rows or "
        "more, the bounds are too loose and drawing rows saves no work. u "
        "chooses the unit of work on the axis.",
    .options =
        "v with the histogram, only the newest steps, only the histogram",
    .tile = {24, 6, 3},
    .has = draws_rows,
    .draw_arm = draw_arm,
};
