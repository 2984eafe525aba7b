/* The distance to the exact answer, or to a reference, against steps, rows of
 * data or seconds, all arms in one plot. */
#include "screen/distances.h"

#include <math.h>
#include <stdio.h>

/* Whether the axis counts steps. Of other work it is logarithmic. */
static bool is_of_steps(const cs_selection *at)
{
    return cs_unit_of_axis(at->unit) == CS_UNIT_STEPS;
}

/* Of an arm that has a place on the axis. */
static bool find(const cs_shot *s, const cs_selection *at, size_t arm,
                 cs_distance_curve *c)
{
    return cs_distance_find(s, at, arm, c) && c->axis.known;
}

/* Where point i stands on the axis. */
static double place_of(const cs_distance_curve *c, const cs_selection *at,
                       size_t i)
{
    double x = cs_axis_at(&c->axis, c->time[i]);
    return is_of_steps(at) ? x : log10(x);
}

/* log10 of the range of all arms, floors included. */
static bool find_range(const cs_shot *s, const cs_selection *at, double *y0,
                       double *y1, double *x0, double *x1)
{
    *y0 = *x0 = HUGE_VAL;
    *y1 = *x1 = -HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        cs_distance_curve c;
        if (!find(s, at, arm, &c))
            continue;
        for (size_t i = 0; i < c.n; i++) {
            double v = cs_distance_at(&c, i);
            double x = place_of(&c, at, i);
            if (v > 0 && isfinite(v) && isfinite(x)) {
                *y0 = fmin(*y0, log10(v));
                *y1 = fmax(*y1, log10(v));
                *x0 = fmin(*x0, x);
                *x1 = fmax(*x1, x);
            }
        }
        if (c.floor > 0)
            *y0 = fmin(*y0, log10(c.floor));
    }
    *y1 = fmax(*y1, *y0 + 0.5);
    if (is_of_steps(at))
        *x0 = 0;
    return isfinite(*y0) && isfinite(*y1) && isfinite(*x0) && isfinite(*x1);
}

/* Powers of ten, and three between them when there is room. */
static cs_area draw_axis(const cs_area *a, double y0, double y1)
{
    static const double parts[] = {1, 3};
    cs_plot p = cs_plot_make(a, 0, 1, y0, y1);
    cs_area left = cs_area_part(a, 0, 0, 6, a->h);
    int last = -2;
    if (a->w < 24)
        return *a;
    for (double power = ceil(y1); power >= floor(y0); power--)
        for (size_t k = 2; k-- > 0;) {
            double v = parts[k] * pow(10, power);
            int row = cs_plot_row(&p, log10(v));
            if (row < last + 2 && last >= 0)
                continue;
            if (row >= 0) {
                cs_print_right(&left, row, CS_ROLE_LABEL, "%.3g", v);
                last = row;
            }
        }
    return cs_area_part(a, 7, 0, a->w - 7, a->h);
}

/* Powers of ten under the plot, as many as there is room for. */
static void draw_powers(const cs_area *a, const cs_plot *p, const char *unit)
{
    int end = cs_print_right(a, 0, CS_ROLE_LABEL, " %s", unit), x = -1;
    for (double k = ceil(p->x0); k <= floor(p->x1); k++) {
        int column = cs_plot_column(p, k) + p->area.x - a->x;
        cs_number power = cs_num(pow(10, k));
        if (column > x + (x >= 0))
            x = cs_print_fit(a, column, 0, end - column, CS_ROLE_LABEL, "%s",
                             power.text);
    }
}

static void draw_curve(const cs_plot *p, const cs_distance_curve *c, size_t arm,
                       const cs_selection *at)
{
    cs_role role = cs_theme_chain(arm);
    int row = c->floor > 0 ? cs_plot_row(p, log10(c->floor)) : -1;
    for (int x = 0; x < p->area.w && row >= 0; x += 2)
        cs_put(&p->area, x, row, CS_ROLE_FAINT, 0xB7);
    double lx = NAN, ly = NAN;
    for (size_t i = 0; i < c->n; i++) {
        double value = cs_distance_at(c, i);
        double y = value > 0 ? log10(value) : (double)NAN;
        double t = place_of(c, at, i);
        if (isfinite(y) && isfinite(ly)) {
            double x[] = {lx, t}, v[] = {ly, y};
            cs_plot_curve(p, x, v, 2, role, cs_theme_glyph(arm));
        } else {
            cs_plot_point(p, t, y, role, cs_theme_glyph(arm));
        }
        if (isfinite(y)) {
            lx = t;
            ly = y;
        }
    }
    cs_put(&p->area, p->area.w - 1, cs_plot_row(p, ly), role,
           (unsigned char)cs_theme_glyph(arm));
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    double y0, y1, x0, x1;
    if (!find_range(s, at, &y0, &y1, &x0, &x1)) {
        cs_panel_empty(a, s, "There is no distance to the truth.",
                       "Targets whose exact answer is known have one, runs "
                       "with the probe mmd or means others.");
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area field = draw_axis(&top, y0, y1);
    cs_plot p = cs_plot_make(&field, x0, x1, y0, y1);
    int x = 0;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        cs_distance_curve c;
        if (!find(s, at, arm, &c))
            continue;
        draw_curve(&p, &c, arm, at);
        int end = cs_print_fit(a, x, a->h - 1, a->w - x, cs_theme_chain(arm),
                               "%c %s %.3g", cs_theme_glyph(arm),
                               cs_shot_arm(s, arm), c.now);
        if (end == x) /* its glyph stands at the curve's end */
            end = cs_print_fit(a, x, a->h - 1, a->w - x, cs_theme_chain(arm),
                               "%c %.3g", cs_theme_glyph(arm), c.now);
        x = end > x ? end + 2 : x;
    }
    cs_area foot = cs_area_part(a, 0, a->h - 2, a->w, 1);
    const char *unit = cs_unit_at(at->unit)->axis;
    if (is_of_steps(at))
        cs_plot_axis_x(&foot, &p, unit);
    else
        draw_powers(&foot, &p, unit);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    cs_distance_curve c;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (find(s, at, arm, &c)) {
            snprintf(out, size, "%s%s%s", c.name,
                     c.floor > 0    ? ", dots: floor"
                     : *c.reference ? " from "
                                    : "",
                     c.reference);
            return;
        }
}

const cs_panel_type cs_panel_distance = {
    .name = "distance",
    .title = "distance from exact",
    .help =
        "How far the visits of an arm are from the exact answer, on a "
        "logarithmic scale: tv is total variation, kl Kullback-Leibler "
        "(nats), chi2 chi-square, ks Kolmogorov-Smirnov of one coordinate. "
        "Curves: the mean "
        "over the chains of each chain's own distance. The figure beside "
        "the name of an arm is that of all its chains together; dots: its "
        "floor, what as many independent draws would have. A sampler that "
        "is right goes down for ever; one that is stuck, or biased by "
        "design, does not. mmd is the discrepancy of the chains' states, at "
        "one "
        "time, from a reference: it goes down to its floor. mse, of the probe "
        "means, is the mean square error of each chain's mean so far, in "
        "variances: 1 / n after n independent draws. Where nothing is known "
        "exactly it is told from the last mean of that exact arm whose chains "
        "agree best, which is named; then its own curve is too low in the end. "
        "missed, of the same probe, is the share of the rows held out whose "
        "class the mean so far does not find. "
        "u chooses the work that the axis counts. Against all but steps both "
        "axes are logarithmic, and the work is that of one chain: what "
        "a step takes in the mean, times the steps.",
    .options = "o another distance",
    .width = 26,
    .height = 4,
    .weight = 1.1,
    .draw = draw,
    .caption = caption,
};
