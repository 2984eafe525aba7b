/* The autocorrelation of one quantity, and the effective sample size computed
 * from it. */
#include "run/draws/quantity_rows.h"
#include "screen/panels/quantity.h"

#include "session/client/snapshot_rows.h"

#include <math.h>
#include <stdio.h>

typedef struct lags {
    const double *lag, *mean, *chain;
    const cs_row_lags *figures;
    size_t points, chains;
    double unit;      /* units of the axis per step */
    const char *name; /* name of the unit: "steps" */
} lags;

static bool read_lags(const cs_shot *s, const cs_selection *at, size_t arm,
                      size_t k, lags *l)
{
    size_t r, c, n;
    l->lag = cs_shot_array(s, &r, &l->points, "arm/%zu/draws/%zu/lag", arm, k);
    l->mean = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/mean", arm, k);
    if (!l->lag || !l->mean || c != l->points)
        return false;
    l->chain =
        cs_shot_array(s, &l->chains, &c, "arm/%zu/draws/%zu/rho", arm, k);
    l->chains = l->chain && c == l->points ? l->chains : 0;
    cs_axis axis = cs_axis_of(s, arm, at->unit);
    cs_unit unit = axis.known ? cs_unit_of_axis(at->unit) : CS_UNIT_STEPS;
    l->unit = axis.each;
    l->name = cs_unit_at(unit)->many;
    l->figures = CS_SHOT_ROWS(s, cs_row_lags, &n, CS_KEY_LAGS, arm, k);
    return l->figures && n == 1;
}

/* Returns the lag at which the axis ends, which is the same for all arms. */
static double farthest(const cs_shot *s, const cs_selection *at,
                       const char *word, const lags *own)
{
    lags l;
    double end = own->unit * own->lag[own->points - 1];
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        size_t k = cs_quantity_there(s, i, word);
        if (k != CS_QUANTITY_NONE && cs_panel_shows(at, i) &&
            read_lags(s, at, i, k, &l) && l.points)
            end = fmax(end, l.unit * l.lag[l.points - 1]);
    }
    return end;
}

static void draw_curve(const cs_plot *p, const lags *l, const double *y,
                       cs_role role, char mark)
{
    enum { MOST = 512 };
    double x[MOST];
    for (size_t i = 0; i < l->points && i < MOST; i++)
        x[i] = l->unit * l->lag[i];
    cs_plot_curve(p, x, y, l->points < MOST ? l->points : MOST, role, mark);
}

/* Draws a vertical broken line at the lag where the sum for the effective
 * sample size ends, and a horizontal one at autocorrelation 0. */
static void draw_marks(const cs_plot *p, const lags *l)
{
    int x = cs_plot_column(p, l->unit * l->figures->cut);
    cs_plot_level(p, 0, CS_ROLE_FAINT, 0x2508, 1);
    for (int y = 0; x >= 0 && y < p->area.h; y++)
        cs_put(&p->area, x, y, CS_ROLE_EVENT, 0x2506);
    if (x >= 0 && p->area.h > 2)
        cs_print_fit(&p->area, x + 2, 0, p->area.w - x - 2, CS_ROLE_EVENT,
                     "the sum ends here");
}

static void draw_foot(const cs_area *a, const cs_shot *s, size_t arm,
                      const lags *l)
{
    const cs_row_lags *f = l->figures;
    int y = a->h - 1;
    bool unseen = f->every > 1 && f->time < 2 * f->every;
    int x = cs_print_fit(a, 0, y, a->w, CS_ROLE_VALUE, "ESS %s",
                         cs_count(round(f->size)).text);
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_VALUE,
                     ", integrated time %s%s %s", unseen ? "at most " : "",
                     cs_num(f->time * l->unit).text, l->name);
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", sum to lag %s",
                     cs_num(f->cut * l->unit).text);
    cs_quantity_count(a, x + 2, y, s, arm);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    lags l;
    char word[128];
    double low = 0, high = 0, unused;
    cs_quantity_ask(s, at, word, sizeof word);
    size_t k = cs_quantity_find(a, s, arm, word);
    if (k == CS_QUANTITY_NONE)
        return;
    if (!read_lags(s, at, arm, k, &l) || !l.points) {
        if (cs_shot_asks(s)) /* the curve is covered with the figures */
            cs_panel_empty(a, s, "", "");
        return;
    }
    cs_range(l.mean, l.points, &low, &unused);
    if (l.chains && cs_range(l.chain, l.chains * l.points, &high, &unused))
        low = fmin(low, fmax(high, -0.5));
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area axis = cs_area_part(a, 0, a->h - 2, a->w, 1);
    low = fmin(low, -0.1);
    cs_area field = cs_plot_axis(&top, low, 1);
    cs_plot p =
        cs_window_plot(&field, &at->window, 0, farthest(s, at, word, &l),
                       (cs_scale){low, 1, false});
    draw_marks(&p, &l);
    cs_plot single = p;
    single.dashed = true;
    for (size_t c = 0; c < l.chains; c++)
        draw_curve(&single, &l, l.chain + c * l.points, CS_ROLE_FAINT, '.');
    draw_curve(&p, &l, l.mean, cs_theme_chain(arm), cs_theme_glyph(arm));
    char unit[48];
    snprintf(unit, sizeof unit, "lag (%s)", l.name);
    cs_plot_axis_x(&axis, &p, unit);
    draw_foot(a, s, arm, &l);
}

const cs_panel_type cs_panel_autocorrelation = {
    .name = "autocorrelation",
    .title = "autocorrelation",
    .help =
        "Autocorrelation: the correlation between the value of a chain and "
        "its value a number of steps (the lag) later. Faint broken lines are "
        "the single chains. The line in the arm's colour is the estimate for "
        "all chains; if the chains disagree, it stays above 0 at every "
        "lag.\n"
        "The autocorrelations are summed up to the broken line (Geyer's "
        "initial monotone sequence). The integrated time is twice the sum "
        "minus one, in steps per effective draw of the mean. ESS is the "
        "number of steps divided by the integrated time.\n"
        "Long runs are thinned, so correlations over less than the "
        "thinning interval are not visible. u shows lags in units of work "
        "per chain, so that arms with unequal cost can be compared.",
    .options = "o the next quantity",
    .tile = {28, 6, 3},
    .draw_arm = draw_arm,
    .caption = cs_quantity_name,
    .ask = cs_quantity_ask,
};
