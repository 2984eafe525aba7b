/* The distance from the exact answer, or from a reference, against steps, rows
 * of data or seconds. All arms are in one plot. */
#include "figure/distances.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

/* Returns the window of the plot. The time axis is logarithmic unless it counts
 * steps; the key L inverts this choice. */
static cs_window window_of(const cs_selection *at)
{
    cs_window w = at->window;
    bool steps = cs_unit_of_axis(at->unit) == CS_UNIT_STEPS;
    w.log_x = w.log_x == steps;
    return w;
}

/* Finds the curve of an arm, if it has values on the axis. */
static bool find(const cs_shot *s, const cs_selection *at, size_t arm,
                 cs_distance_curve *c)
{
    const cs_figure_look look = cs_panel_look(at);
    return cs_look_distance(s, &look, arm, c) && c->axis.known;
}

/* Finds the ranges of both axes over all arms, floors included. The vertical
 * range is at least half a decade. */
static bool find_range(const cs_shot *s, const cs_selection *at, cs_scale *x,
                       cs_scale *y)
{
    *x = *y = (cs_scale){HUGE_VAL, -HUGE_VAL, true};
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        cs_distance_curve c;
        if (!find(s, at, arm, &c))
            continue;
        for (size_t i = 0; i < c.n; i++) {
            double v = cs_distance_at(&c, i);
            double place = cs_axis_at(&c.axis, c.time[i]);
            if (!(v > 0) || !isfinite(v) || !isfinite(place))
                continue;
            cs_widen(&x->low, &x->high, place);
            cs_widen(&y->low, &y->high, v);
        }
        if (c.floor > 0)
            y->low = fmin(y->low, c.floor);
    }
    y->high = fmax(y->high, y->low * sqrt(10));
    return isfinite(y->low) && isfinite(y->high) && isfinite(x->low) &&
           isfinite(x->high);
}

static void draw_curve(const cs_plot *p, const cs_distance_curve *c, size_t arm)
{
    cs_role role = cs_theme_chain(arm);
    double x[CS_DISTANCE_POINTS], y[CS_DISTANCE_POINTS];
    size_t n = 0;
    if (c->floor > 0)
        cs_plot_level(p, c->floor, CS_ROLE_FAINT, 0xB7, 2);
    for (size_t i = 0; i < c->n && n < CS_DISTANCE_POINTS; i++) {
        x[n] = cs_axis_at(&c->axis, c->time[i]);
        y[n] = cs_distance_at(c, i);
        n += y[n] > 0;
    }
    cs_plot_curve(p, x, y, n, role, cs_theme_glyph(arm));
    if (n && x[n - 1] <= p->x1)
        cs_put(&p->area, p->area.w - 1, cs_plot_row(p, y[n - 1]), role,
               (unsigned char)cs_theme_glyph(arm));
}

/* Writes the current value of a curve after the name of its arm or, if the
 * name does not fit, after the arm's glyph. With `more`, reserves space for
 * the number of further arms. */
static int name_curve(const cs_area *a, int x, const cs_shot *s, size_t arm,
                      bool more, const cs_distance_curve *c)
{
    enum { MORE = 5 }; /* columns of "  +12", the number of further arms */
    int w = a->w - x - (more ? MORE : 0);
    cs_role role = cs_theme_chain(arm);
    int end = cs_print_fit(a, x, a->h - 1, w, role, "%c %s %.3g",
                           cs_theme_glyph(arm), cs_shot_arm(s, arm), c->now);
    return end > x ? end
                   : cs_print_fit(a, x, a->h - 1, w, role, "%c %.3g",
                                  cs_theme_glyph(arm), c->now);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_scale wide, high;
    if (!find_range(s, at, &wide, &high)) {
        cs_panel_empty(
            a, s, "No distance from the exact answer is known.",
            "Use a target with a known answer, or add the probe mmd or means.");
        return;
    }
    const cs_window w = window_of(at);
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area field = cs_plot_axis_scaled(&top, high);
    cs_plot p =
        cs_window_plot(&field, &w, w.log_x ? wide.low : 0, wide.high, high);
    int x = 0;
    size_t arms = cs_shot_arms(s), left = 0;
    for (size_t arm = 0; arm < arms; arm++) {
        cs_distance_curve c;
        if (!find(s, at, arm, &c))
            continue;
        draw_curve(&p, &c, arm);
        if (!at->detail && arm != at->arm)
            continue; /* the glyph at the end of the curve names the arm */
        int end = left ? x : name_curve(a, x, s, arm, arm + 1 < arms, &c);
        left += end == x;
        x = end > x ? end + 2 : x;
    }
    if (left)
        cs_print_fit(a, x, a->h - 1, a->w - x, CS_ROLE_FAINT, "+%zu", left);
    cs_area foot = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_plot_axis_x(&foot, &p, cs_unit_at(at->unit)->axis);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    cs_distance_curve c;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (find(s, at, arm, &c)) {
            snprintf(out, size, "%s%s%s", c.name,
                     c.floor > 0 && at->detail ? ", dots: floor"
                     : *c.reference            ? " from "
                                               : "",
                     c.reference);
            return;
        }
}

const cs_panel_type cs_panel_distance = {
    .name = "distance",
    .title = "distance from exact",
    .help =
        "Distance between the draws of an arm and the exact distribution, on a "
        "logarithmic scale. A curve is the distance of a single chain, "
        "averaged over the chains; the number after an arm's name is the "
        "distance of all chains pooled. Dots are the floor: the distance that "
        "the same number of independent draws would have.\ntv is the total "
        "variation distance, kl the Kullback-Leibler divergence (nats), chi2 "
        "the chi-square distance, ks the Kolmogorov-Smirnov distance of one "
        "coordinate, and mmd the discrepancy between the chains' current "
        "states and a reference sample. mse (probe means) is the mean square "
        "error of a chain's running mean, in units of the variance (1 / n "
        "after n independent draws). missed is the share of held-out rows that "
        "the running mean classifies wrongly.\nIf the exact mean is not known, "
        "mse is measured from the final mean of the exact arm whose chains "
        "agree best. The panel names this arm, and the curve of this arm is "
        "too low at the end.\nThe distance of a correct sampler keeps falling "
        "(mmd: down to the floor); the distance of a stuck or biased sampler "
        "does not. u chooses the unit of work per chain on the horizontal axis "
        "(mean work per step times steps). Both axes are logarithmic unless "
        "the horizontal axis counts steps; L switches this.",
    .options = "o another distance",
    .no_arm = true,
    .draw = draw,
    .caption = caption,
};
