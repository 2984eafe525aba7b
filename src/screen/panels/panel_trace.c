/* The trace: the envelope of a scalar over time, for all chains of an arm. */
#include "screen/canvas/density_band.h"
#include "screen/canvas/jumps.h"
#include "screen/panels/scalar_series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOTH, LANES, RECENT, ONE, MEANS, VARIANTS };

/* Returns the R-hat of a scalar of the trace. Scalar 0 is the energy in the
 * trace and log p in the diagnostics; both have the same R-hat. */
static double r_hat(const cs_shot *s, size_t arm, size_t scalar,
                    const char *name)
{
    size_t n;
    const cs_figures *row =
        CS_SHOT_ROWS(s, cs_figures, &n, CS_KEY_FIGURES, arm);
    const char *list = cs_shot_text(s, "arm/%zu/diagnostics/names", arm);
    char word[64];
    for (size_t i = 0; i < n; i++)
        if (cs_shot_word(list, i, word, sizeof word) &&
            (scalar == 0 ? i == 0 : !strcmp(word, name)))
            return row[i].rhat;
    return NAN;
}

/* Returns the plot of a series in `field`. */
static cs_plot plot_of(const cs_area *field, const cs_series *t)
{
    return cs_window_plot(field, &t->window, t->begin, t->end,
                          cs_window_y(&t->window, t->bottom, t->top));
}

static cs_area axis_of(const cs_area *a, const cs_series *t)
{
    return cs_plot_axis_scaled(a, cs_window_y(&t->window, t->bottom, t->top));
}

/* Draws a broken line at each step at which a parameter of this arm was
 * changed. */
static void mark_changes(const cs_plot *p, const cs_shot *s, size_t arm,
                         const cs_axis *axis)
{
    size_t n;
    const cs_row_event *e = CS_SHOT_ROWS(s, cs_row_event, &n, CS_KEY_EVENTS);
    for (size_t i = 0; i < n; i++) {
        double at = e[i].step * axis->each; /* converted to a step of the run */
        int x = e[i].arm == (double)arm ? cs_plot_column(p, at) : -1;
        for (int y = 0; x >= 0 && y < p->area.h; y++)
            cs_put(&p->area, x, y, CS_ROLE_EVENT, 0x2506);
    }
}

/* Draws R-hat of the displayed scalar. Returns the column after it. */
static int draw_r_hat(const cs_area *a, int x, double r)
{
    bool large = r > CS_RHAT_MOST;
    return !isfinite(r) ? x
                        : cs_print_fit(a, x, a->h - 1, a->w - x,
                                       large ? CS_ROLE_WARN : CS_ROLE_VALUE,
                                       "R-hat %.3f", r);
}

/* Displays the name of the chain that is drawn as a line and, if they fit, the
 * glyphs of all chains. Returns the column after them. */
static int tell_chosen(const cs_area *a, int x, size_t chains, size_t chosen)
{
    int y = a->h - 1;
    x = cs_print_fit(a, x, y, a->w - x, cs_theme_chain(chosen), "chain %zu%c",
                     chosen + 1, cs_theme_glyph(chosen)) +
        2;
    if (a->w - x >= cs_panel_legend_width(chains) + 6)
        x = cs_panel_legend(
            a, 1 + cs_print(a, x - 2, y, CS_ROLE_LABEL, ", all:"), y, chains);
    return x;
}

/* Draws the line below a plot that has the whole screen: the name of the
 * scalar, R-hat, the chain that is drawn as a line, the glyphs of all chains,
 * and the colour scale for a density of this height (0: no density). */
static void draw_foot(const cs_area *a, const cs_shot *s, size_t arm,
                      const cs_series *t, size_t chosen, int lines)
{
    char name[64];
    cs_series_name(s, arm, t->scalar, name, sizeof name);
    const char *energy =
        t->scalar ? name : cs_panel_energy_name(s, arm, "trace");
    int y = a->h - 1, x = 0;
    if (cs_text_width(energy) + 14 <= a->w)
        x = cs_print(a, 0, y, CS_ROLE_LABEL, "%s", energy) + 2;
    x = draw_r_hat(a, x, r_hat(s, arm, t->scalar, name)) + 2;
    if (lines == 0)
        return;
    if (t->chains > 1)
        x = tell_chosen(a, x, t->chains, chosen);
    cs_density_band_legend(a, x, y, lines);
}

/* The form of the plot: only the chosen chain, all chains as lines, or all
 * chains as a density. */
typedef enum cs_strands { ALONE, LINES, DENSITY } cs_strands;

/* Draws the chosen chain, or all chains with the chosen chain on top, on common
 * axes. */
static void draw_lane(const cs_area *a, const cs_shot *s, size_t arm,
                      const cs_series *t, size_t chosen, cs_strands strands,
                      bool axis)
{
    cs_area top = cs_area_part(a, 0, 0, a->w - 1, a->h - axis);
    cs_area field = axis_of(&top, t);
    cs_area edge = cs_area_part(a, a->w - 1, 0, 1, a->h - axis);
    cs_plot p = plot_of(&field, t);
    double ends[CS_DENSITY_BAND_BINS];
    cs_density_band b = {.low = t->low,
                         .high = t->high,
                         .chains = t->chains,
                         .bins = t->bins,
                         .draw = t->drawn,
                         .draw_time = t->drawn_time,
                         .draws = t->draws,
                         .axis = &t->axis};
    cs_density_band_place(&b, &p, &t->axis, t->time, ends);
    mark_changes(&p, s, arm, &t->axis);
    if (strands == DENSITY)
        cs_density_band_draw(&p, &b, chosen);
    else if (strands == LINES)
        cs_density_band_lines(&p, &b, chosen);
    else
        cs_density_band_line(&p, &b, chosen, false);
    cs_plot top_row = p;
    top_row.area.h = 1;
    /* drawn last, so that the plot does not cover the marks */
    mark_changes(&top_row, s, arm, &t->axis);
    for (size_t c = 0; c < t->chains; c++)
        if (strands != ALONE || c == chosen)
            cs_density_band_end(&p, &edge, &b, c);
    if (axis) {
        cs_area foot = cs_area_part(a, 0, a->h - 1, a->w - 1, 1);
        cs_plot_axis_x(&foot, &p, t->axis.name);
    }
}

/* Marks the newest steps in which the chosen chain went uphill against the
 * gradient, and explains the mark in the first line. */
static void mark_uphill(const cs_area *a, const cs_shot *s, size_t arm,
                        const cs_series *t, size_t chosen, bool axis)
{
    static const char word[] = "uphill: multiplier < 0";
    const cs_jumps jumps = cs_jumps_find(s, arm, t->chains, t->bins);
    cs_area top = cs_area_part(a, 0, 0, a->w - 1, a->h - axis);
    cs_area field = axis_of(&top, t);
    cs_plot p = plot_of(&field, t);
    cs_role role = cs_jump_role(CS_JUMP_UPHILL);
    unsigned glyph = cs_jump_glyph(CS_JUMP_UPHILL);
    bool any = false;
    for (size_t i = 0; i < t->bins; i++) {
        int x = cs_plot_column(&p, cs_axis_at(&t->axis, t->time[i]));
        int y = cs_plot_row(&p, t->low[chosen * t->bins + i]);
        if (cs_jump_of(&jumps, chosen, i) != CS_JUMP_UPHILL || x < 0 || y < 0)
            continue;
        any = true;
        cs_put(&field, x, y, role, glyph);
    }
    int from = field.w - (int)strlen(word);
    if (any && from > 2 && field.h > 3) {
        cs_put(&field, from - 1, 0, role, glyph);
        cs_print(&field, from, 0, role, "%s", word);
    }
}

/* Draws each chain in its own lane. Chains that do not fit are left out. */
static void draw_lanes(const cs_area *a, const cs_shot *s, size_t arm,
                       const cs_series *t, size_t chosen)
{
    size_t capacity = a->h > 1 ? (size_t)(a->h - 1) / 2 : 1;
    size_t n = t->chains < capacity ? t->chains : capacity;
    size_t first = chosen + n > t->chains ? t->chains - n : chosen;
    first = n == t->chains ? 0 : first;
    bool axis = a->h >= 4;
    for (size_t i = 0; i < n; i++) {
        int y = (int)(i * (size_t)(a->h - axis) / n);
        int end = (int)((i + 1) * (size_t)(a->h - axis) / n);
        bool last = axis && i + 1 == n;
        cs_area lane = cs_area_part(a, 0, y, a->w, end - y + last);
        draw_lane(&lane, s, arm, t, first + i, ALONE, last);
    }
}

/* Minimum width at which all steps are shown beside the newest steps. */
enum { WIDE = 72 };

/* Number of chains that can be distinguished as lines. */
enum { FEW = 4 };

/* Returns true if the panel compares arms. */
static bool has_others(const cs_shot *s, const cs_selection *at)
{
    return cs_shot_arms(s) > 1 &&
           (at->every_arm ||
            (at->pinned < cs_shot_arms(s) && at->pinned != at->arm));
}

static bool find_all(const cs_shot *s, const cs_selection *at, size_t arm,
                     bool recent, cs_series *t)
{
    return cs_series_shown(s, at, arm, recent, t) &&
           cs_series_range(s, at, arm, recent, &t->bottom, &t->top);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    cs_series t, newest;
    unsigned kind = at->variant % VARIANTS;
    if (cs_series_find(s, at, arm, false, &t) && t.scalar == 0 &&
        cs_panel_lacks_logp(a, s, arm, "trace"))
        return;
    bool wide = a->w >= WIDE;
    bool recent = kind == RECENT || (kind == BOTH && !wide && !at->window.on);
    if (!find_all(s, at, arm, recent, &t)) {
        cs_panel_empty(a, s, "This run does not record a trace.",
                       "Add the probe \"trace\" to the scenario.");
        return;
    }
    size_t chosen = at->chain < t.chains ? at->chain : 0;
    bool axis = a->h >= 5;
    cs_strands all = t.chains > 1 || t.drawn ? DENSITY : ALONE;
    cs_strands few = t.chains > FEW ? ALONE : LINES;
    bool compares = has_others(s, at);
    bool foot = at->detail || compares;
    cs_area body = cs_area_part(a, 0, 0, a->w, a->h - foot);
    bool both = kind == BOTH && wide && !at->window.on &&
                find_all(s, at, arm, true, &newest);
    int x = a->w / 2;
    cs_area other = cs_area_part(&body, x, 0, a->w - x, body.h);
    if (both)
        body.w = x - 1;
    if (kind == LANES)
        draw_lanes(&body, s, arm, &t, chosen);
    else if (kind == ONE)
        draw_lane(&body, s, arm, &t, chosen, ALONE, axis);
    else
        draw_lane(&body, s, arm, &t, chosen, recent ? few : all, axis);
    if (recent)
        mark_uphill(&body, s, arm, &t, chosen, axis);
    if (both) {
        draw_lane(&other, s, arm, &newest, chosen, few, axis);
        mark_uphill(&other, s, arm, &newest, chosen, axis);
    }
    bool dense = kind == BOTH && !recent && all == DENSITY;
    char name[64];
    cs_series_name(s, arm, t.scalar, name, sizeof name);
    if (at->detail)
        draw_foot(a, s, arm, &t, chosen, dense ? body.h - axis : 0);
    else if (compares)
        draw_r_hat(a, 0, r_hat(s, arm, t.scalar, name));
}

/* ---- all arms against their work ------------------------------------------ */

enum { BINS = 512 };

/* The mean of an arm's chains in each bin, and the work of one chain up to the
 * end of the bin. */
typedef struct series {
    double work[BINS], mean[BINS];
    size_t n;
} series;

/* Computes the series of means, with work spread evenly over the steps. Returns
 * false if there was no work. */
static bool find_series(const cs_shot *s, const cs_selection *at, size_t arm,
                        series *out)
{
    cs_series t;
    if (!cs_series_find(s, at, arm, false, &t) || !t.axis.known)
        return false;
    out->n = t.bins < BINS ? t.bins : BINS;
    for (size_t i = 0; i < out->n; i++) {
        double sum = 0, live = 0;
        for (size_t c = 0; c < t.chains; c++) {
            size_t k = c * t.bins + i;
            double v = (t.low[k] + t.high[k]) / 2;
            sum += isfinite(v) ? v : 0;
            live += isfinite(v);
        }
        out->mean[i] = sum / live;
        out->work[i] = cs_axis_at(&t.axis, t.time[i]);
    }
    return out->n > 0;
}

/* Draws the name of each arm and its latest mean in one line. */
static void name_arms(const cs_area *a, const cs_shot *s,
                      const cs_selection *at)
{
    series k;
    int x = 0;
    for (size_t arm = 0; arm < cs_shot_arms(s) && x < a->w; arm++) {
        bool there = find_series(s, at, arm, &k);
        x = cs_print_fit(a, x, 0, a->w - x,
                         there ? cs_theme_chain(arm) : CS_ROLE_FAINT,
                         "%c %s %s", cs_theme_glyph(arm), cs_shot_arm(s, arm),
                         there ? cs_num(k.mean[k.n - 1]).text : "none") +
            2;
    }
}

static void draw_means(const cs_area *a, const cs_shot *s,
                       const cs_selection *at)
{
    series k;
    double y0 = HUGE_VAL, y1 = -HUGE_VAL, x1 = 0, low, high;
    size_t arms = cs_shot_arms(s);
    for (size_t arm = 0; arm < arms; arm++)
        if (find_series(s, at, arm, &k) && cs_range(k.mean, k.n, &low, &high)) {
            y0 = fmin(y0, low);
            y1 = fmax(y1, high);
            x1 = fmax(x1, k.work[k.n - 1]);
        }
    if (!(y0 <= y1)) {
        cs_panel_empty(
            a, s, "No arm has both a trace and work in this unit.",
            "Press u for another unit, or v for the trace in steps.");
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area axis = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_scale y = cs_window_y(&at->window, y0, y1);
    cs_area field = cs_plot_axis_scaled(&top, y);
    cs_plot p = cs_window_plot(&field, &at->window, 0, x1, y);
    for (size_t arm = 0; arm < arms; arm++) {
        if (!find_series(s, at, arm, &k))
            continue;
        cs_plot_curve(&p, k.work, k.mean, k.n, cs_theme_chain(arm),
                      cs_theme_glyph(arm));
        cs_put(&field, cs_plot_column(&p, k.work[k.n - 1]),
               cs_plot_row(&p, k.mean[k.n - 1]), cs_theme_chain(arm),
               (unsigned char)cs_theme_glyph(arm));
    }
    cs_plot_axis_x(&axis, &p, cs_unit_at(at->unit)->axis);
    name_arms(&foot, s, at);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    unsigned kind = at->variant % VARIANTS;
    if (kind == MEANS) {
        draw_means(a, s, at);
        return;
    }
    cs_panel_arms(a, s, at, (cs_tile){24, 5, 5}, NULL, draw_arm, NULL);
}

/* Returns the largest R-hat known, and the name of its scalar. */
static double worst_r_hat(const cs_shot *s, size_t arm, char *name, size_t size)
{
    size_t rows, at = 1;
    double worst = NAN;
    const cs_figures *row =
        CS_SHOT_ROWS(s, cs_figures, &rows, CS_KEY_FIGURES, arm);
    const char *list = cs_shot_text(s, "arm/%zu/diagnostics/names", arm);
    for (size_t i = 0; i < rows; i++)
        if (isfinite(row[i].rhat) && !(row[i].rhat <= worst) &&
            cs_shot_word(list, i, name, size))
            worst = row[i].rhat, at = i;
    /* scalar 0 is displayed under the name that the trace gives it */
    if (at == 0)
        cs_series_name(s, arm, 0, name, size);
    return worst;
}

/* Writes the name of the displayed scalar and its R-hat. With the whole
 * screen, also writes the largest R-hat of all scalars. If arms are compared,
 * each has its R-hat below its plot. */
static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    char name[64] = "", shown[64], grade[64], old[24] = "";
    cs_series t;
    if (!cs_series_find(s, at, at->arm, false, &t))
        return;
    cs_series_name(s, at->arm, t.scalar, shown, sizeof shown);
    double r = r_hat(s, at->arm, t.scalar, shown);
    double worst = worst_r_hat(s, at->arm, name, sizeof name);
    double age = cs_panel_age(s, at->arm);
    if (age >= 1)
        snprintf(old, sizeof old, ", %.0f s old", floor(age));
    cs_series_grade(s, at, at->arm, grade, sizeof grade);
    if (*grade)
        snprintf(out, size, "%s; %s", shown, grade);
    else if (!isfinite(r) || has_others(s, at))
        snprintf(out, size, "%s", shown);
    else if (at->detail && worst > r)
        snprintf(out, size, "%s; R-hat %.3f, worst %.3f of %s%s\n%s", shown, r,
                 worst, name, old, shown);
    else
        snprintf(out, size, "%s; R-hat %.3f%s\n%s; R-hat %.3f\nR-hat %.3f\n%s",
                 shown, r, old, shown, r, r, shown);
}

const cs_panel_type cs_panel_trace = {
    .name = "trace",
    .title = "trace",
    .help = "A scalar over the newest steps, and with room over all steps. A "
            "heat map is the share of each column's draws, taken at random "
            "steps of all chains; the line on it is the chosen chain "
            "(smallest to largest value per column).\nThe "
            "glyphs at the right edge are the chains' current values. The "
            "energy is -log p in nats, or the kernel's estimate.\n"
            "A broken line marks a changed parameter, a triangle a value "
            "beyond the axis. Chains that mix form one even band. Bands that "
            "remain apart or drift mean that the chains have not converged, "
            "as does R-hat above 1.01 (in the colour of warnings).\n"
            "u counts work per chain instead of steps, and v can compare all "
            "arms by work in one plot of their means. Zoom with ( or the "
            "wheel to show kept draws, or single steps among the newest 128 "
            "(the title states the resolution).",
    .options = "o another scalar; v the newest steps (with room also all "
               "steps), one lane per chain, the newest steps one by one, only "
               "the chosen chain, all arms in one plot",
    .log_values = true,
    .draw = draw,
    .caption = caption,
    .ask = cs_series_ask,
};
