/* The running mean of one quantity, with its standard error. */
#include "run/draws/quantity_rows.h"
#include "screen/panels/quantity.h"

#include "session/client/snapshot_rows.h"

#include <math.h>

enum { POOLED, CHAINS, VARIANTS };
enum { MOST = 256 };
#define ERRORS 2 /* half the width of the band, in standard errors */

typedef struct series {
    const double *time, *mean, *error, *chain;
    const cs_row_running *figures;
    size_t n, chains;
    cs_axis axis;
    double at[MOST]; /* position of each time on the axis */
} series;

static bool read_series(const cs_shot *s, size_t arm, cs_unit unit, size_t k,
                        series *o)
{
    size_t r, c, n;
    o->time = cs_shot_array(s, &r, &o->n, "arm/%zu/draws/%zu/time", arm, k);
    o->mean = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/mean", arm, k);
    if (!o->time || !o->mean || r != 2 || c != o->n || o->n < 2 || o->n > MOST)
        return false;
    o->axis = cs_axis_of(s, arm, unit);
    for (size_t i = 0; i < o->n; i++)
        o->at[i] = cs_axis_at(&o->axis, o->time[i]);
    o->error = o->mean + o->n;
    o->chain =
        cs_shot_array(s, &o->chains, &c, "arm/%zu/draws/%zu/chain", arm, k);
    o->chains = o->chain && c == o->n ? o->chains : 0;
    o->figures = CS_SHOT_ROWS(s, cs_row_running, &n, CS_KEY_RUNNING, arm, k);
    return o->figures && n == 1;
}

static double half_band(const series *o, size_t i)
{
    return isfinite(o->error[i]) ? ERRORS * o->error[i] : 0;
}

/* Extends the range to all values after the first quarter, and to the exact
 * mean. */
static void widen(const series *o, bool chains, double *low, double *high)
{
    for (size_t i = o->n / 4; i < o->n; i++) {
        *low = fmin(*low, o->mean[i] - half_band(o, i));
        *high = fmax(*high, o->mean[i] + half_band(o, i));
        for (size_t c = 0; chains && c < o->chains; c++)
            cs_widen(low, high, o->chain[c * o->n + i]);
    }
    if (isfinite(o->figures->exact))
        cs_widen(low, high, o->figures->exact);
}

/* Finds the common axes of all arms. */
static void find_range(const cs_shot *s, const cs_selection *at, size_t arm,
                       const char *word, double range[4])
{
    series o;
    range[0] = range[2] = HUGE_VAL;
    range[1] = range[3] = -HUGE_VAL;
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        size_t k = cs_quantity_there(s, i, word);
        if ((!cs_panel_shows(at, i) && i != arm) || k == CS_QUANTITY_NONE ||
            !read_series(s, i, at->unit, k, &o))
            continue;
        range[0] = fmin(range[0], o.at[0]);
        range[1] = fmax(range[1], o.at[o.n - 1]);
        widen(&o, at->variant % VARIANTS == CHAINS, &range[2], &range[3]);
    }
}

/* Draws dots at two standard errors above and below the mean. */
static void draw_band(const cs_plot *p, const series *o)
{
    for (int x = 0; x < p->columns; x += 2) {
        double at = cs_plot_at(p, (x + 0.5) / p->columns);
        size_t i = 0;
        while (i + 1 < o->n && o->at[i] < at)
            i++;
        double half = half_band(o, i), mean = o->mean[i];
        if (at < o->at[0] || at > o->at[o->n - 1] || !(half > 0))
            continue;
        cs_plot_stroke(p, x, mean - half, mean - half, CS_ROLE_LABEL, '.');
        cs_plot_stroke(p, x, mean + half, mean + half, CS_ROLE_LABEL, '.');
    }
}

static void draw_foot(const cs_area *a, const cs_shot *s, size_t arm,
                      const series *o)
{
    const cs_row_running *f = o->figures;
    double off = (f->mean - f->exact) / f->error;
    int y = a->h - 1;
    int x = cs_print_fit(a, 0, y, a->w, CS_ROLE_VALUE, "mean %s +- %s",
                         cs_num(f->mean).text, cs_num(f->error).text);
    if (isfinite(f->exact))
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_TRUTH, ", exact %s",
                         cs_num(f->exact).text);
    if (isfinite(off))
        x = cs_print_fit(a, x, y, a->w - x,
                         fabs(off) > 3 ? CS_ROLE_WARN : CS_ROLE_LABEL,
                         " (%.1f errors off%s)", fabs(off),
                         fabs(off) > 3 ? ": not by chance" : "");
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT,
                     "; dots: %d errors either side", ERRORS);
    cs_quantity_count(a, x + 2, y, s, arm);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    series o;
    char word[128];
    double range[4];
    cs_quantity_ask(s, at, word, sizeof word);
    size_t k = cs_quantity_find(a, s, arm, word);
    if (k == CS_QUANTITY_NONE || !read_series(s, arm, at->unit, k, &o))
        return;
    find_range(s, at, arm, word, range);
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area axis = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_scale y = cs_window_y(&at->window, range[2], range[3]);
    cs_area field = cs_plot_axis_scaled(&top, y);
    cs_plot p = cs_window_plot(&field, &at->window, range[0], range[1], y);
    draw_band(&p, &o);
    cs_plot_level(&p, o.figures->exact, CS_ROLE_TRUTH, 0x2504, 1);
    for (size_t c = 0; at->variant % VARIANTS == CHAINS && c < o.chains; c++) {
        size_t chain = cs_quantity_chain(s, arm, c);
        cs_plot_curve(&p, o.at, o.chain + c * o.n, o.n, cs_theme_chain(chain),
                      cs_theme_glyph(chain));
    }
    cs_plot_curve(&p, o.at, o.mean, o.n, cs_theme_chain(arm),
                  cs_theme_glyph(arm));
    cs_plot_axis_x(&axis, &p, o.axis.name);
    draw_foot(a, s, arm, &o);
}

const cs_panel_type cs_panel_running = {
    .name = "running",
    .title = "running mean",
    .help =
        "Running mean of one coordinate or of the energy, from the kept draws "
        "and their weights. Dots are two standard errors above and below the "
        "mean, from batch means of all chains so far; the distance is larger "
        "if chains disagree. The broken line is the exact mean, if known.\nIf "
        "the mean later moves outside of its own dots, the run is too short "
        "for a reliable standard error. v adds the mean of each chain, and u "
        "chooses the unit of work on the axis; the first quarter of the curve "
        "may be outside of the vertical range.",
    .options = "o the next quantity; v all chains, also each chain",
    .log_values = true,
    .tile = {28, 6, 3},
    .draw_arm = draw_arm,
    .caption = cs_quantity_name,
    .ask = cs_quantity_ask,
};
