/* The distance to the exact answer, or to a reference, over the steps, all
 * arms in one plot. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

/* Of one arm; `log`: the values are natural logarithms. */
typedef struct curve {
    const double *time, *value;
    size_t n;
    double warmup_steps; /* steps of a warm-up, before the first */
    double floor, now;
    bool log;
    char name[64];
} curve;

static double value_of(const curve *c, const double *row, size_t k, size_t n)
{
    if (!row || k >= n)
        return (double)NAN;
    return c->log ? exp(row[k]) : row[k];
}

/* The discrepancy from a reference. */
static bool find_discrepancy(const cs_shot *s, size_t arm, curve *out)
{
    size_t r, c, n;
    out->time = cs_shot_array(s, &r, &n, "arm/%zu/mmd/time", arm);
    out->value = cs_shot_array(s, &r, &c, "arm/%zu/mmd/curve", arm);
    out->n = n;
    out->log = true;
    if (!out->time || !out->value || c != n)
        return false;
    const cs_row_mmd *v = CS_SHOT_ROWS(s, cs_row_mmd, &c, CS_KEY_MMD, arm);
    out->now = value_of(out, out->value, n - 1, n);
    out->floor = v ? exp(v->floor) : (double)NAN;
    snprintf(out->name, sizeof out->name, "mmd");
    return true;
}

static bool find_curve(const cs_shot *s, const cs_selection *at, size_t arm,
                       curve *out)
{
    size_t r, c, n = 0, names = 0;
    *out = (curve){.warmup_steps =
                       cs_shot_number(s, 0, "arm/%zu/tuner/steps", arm)};
    out->time = cs_shot_array(s, &r, &c, "arm/%zu/distance/time", arm);
    out->value = cs_shot_array(s, &names, &n, "arm/%zu/distance/curve", arm);
    bool there = out->time && out->value && r * c == n;
    bool more = cs_shot_array(s, &r, &c, "arm/%zu/mmd/curve", arm) != NULL;
    size_t all = (there ? names : 0) + more;
    char list[512];
    snprintf(list, sizeof list, "%s%s",
             there ? cs_shot_text(s, "arm/%zu/distance/names", arm) : "",
             more ? " mmd" : "");
    size_t k = cs_panel_choice(at, list, all);
    if (!there || k == names)
        return find_discrepancy(s, arm, out);
    out->n = n;
    out->value += k * n;
    const double *v = cs_shot_array(s, &r, &c, "arm/%zu/distance/values", arm);
    out->now = value_of(out, v, k, v ? r * c : 0);
    v = cs_shot_array(s, &r, &c, "arm/%zu/distance/floor", arm);
    out->floor = value_of(out, v, k, v ? r * c : 0);
    if (!cs_shot_word(cs_shot_text(s, "arm/%zu/distance/names", arm), k,
                      out->name, sizeof out->name))
        snprintf(out->name, sizeof out->name, "distance");
    return true;
}

/* log10 of the range of all arms, floors included. */
static bool find_range(const cs_shot *s, const cs_selection *at, double *y0,
                       double *y1, double *x1)
{
    *y0 = HUGE_VAL;
    *y1 = *x1 = -HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        curve c;
        if (!find_curve(s, at, arm, &c))
            continue;
        for (size_t i = 0; i < c.n; i++) {
            double v = value_of(&c, c.value, i, c.n);
            if (v > 0 && isfinite(v)) {
                *y0 = fmin(*y0, log10(v));
                *y1 = fmax(*y1, log10(v));
                *x1 = fmax(*x1, c.warmup_steps + c.time[i]);
            }
        }
        if (c.floor > 0)
            *y0 = fmin(*y0, log10(c.floor));
    }
    *y1 = fmax(*y1, *y0 + 0.5);
    return isfinite(*y0) && isfinite(*y1);
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

static void draw_curve(const cs_plot *p, const curve *c, size_t arm)
{
    cs_role role = cs_theme_chain(arm);
    int row = c->floor > 0 ? cs_plot_row(p, log10(c->floor)) : -1;
    for (int x = 0; x < p->area.w && row >= 0; x += 2)
        cs_put(&p->area, x, row, CS_ROLE_FAINT, 0xB7);
    double lx = NAN, ly = NAN;
    for (size_t i = 0; i < c->n; i++) {
        double value = value_of(c, c->value, i, c->n);
        double y = value > 0 ? log10(value) : (double)NAN;
        double t = c->warmup_steps + c->time[i];
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
    double y0, y1, x1;
    if (!find_range(s, at, &y0, &y1, &x1)) {
        cs_panel_empty(a, s, "There is no distance to the truth.",
                       "Targets whose exact answer is known have one, runs "
                       "with the probe mmd another.");
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area field = draw_axis(&top, y0, y1);
    cs_plot p = cs_plot_make(&field, 0, x1, y0, y1);
    int x = 0;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        curve c;
        if (!find_curve(s, at, arm, &c))
            continue;
        draw_curve(&p, &c, arm);
        int end = cs_print_fit(a, x, a->h - 1, a->w - x, cs_theme_chain(arm),
                               "%c %s %.3g", cs_theme_glyph(arm),
                               cs_shot_arm(s, arm), c.now);
        if (end == x) /* its glyph stands at the curve's end */
            end = cs_print_fit(a, x, a->h - 1, a->w - x, cs_theme_chain(arm),
                               "%c %.3g", cs_theme_glyph(arm), c.now);
        x = end > x ? end + 2 : x;
    }
    cs_area foot = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_plot_axis_x(&foot, &p, "step");
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    curve c;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (find_curve(s, at, arm, &c)) {
            snprintf(out, size, "%s, dots: floor", c.name);
            return;
        }
}

const cs_panel_type cs_panel_distance = {
    .name = "distance",
    .title = "distance to the exact answer",
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
        "one time, from a reference: it goes down to its floor.",
    .options = "o another distance",
    .width = 26,
    .height = 4,
    .weight = 1.1,
    .draw = draw,
    .caption = caption,
};
