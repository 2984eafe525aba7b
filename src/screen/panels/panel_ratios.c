/* Estimated against true acceptance ratios of the chosen chain's newest steps:
 * a scatter plot around the diagonal. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct pairs {
    const cs_ratio *row;
    size_t n;
    double low, high; /* common range of both axes */
    double mean, sd;  /* mean and standard deviation of the estimated minus the
                       * true ratio */
} pairs;

static bool find(const cs_shot *s, pairs *p)
{
    double seen = 0, square = 0;
    *p = (pairs){.low = HUGE_VAL, .high = -HUGE_VAL};
    p->row = CS_SHOT_ROWS(s, cs_ratio, &p->n, CS_KEY_RATIOS);
    for (size_t i = 0; p->row && i < p->n; i++) {
        double x = p->row[i].truth, y = p->row[i].estimate;
        if (!isfinite(x) || !isfinite(y))
            continue;
        double off = y - x - p->mean;
        cs_widen(&p->low, &p->high, x);
        cs_widen(&p->low, &p->high, y);
        p->mean += off / ++seen;
        square += off * (y - x - p->mean);
    }
    p->sd = seen > 1 ? sqrt(square / (seen - 1)) : (double)NAN;
    return seen > 0;
}

static void draw_newest(const cs_area *field, const cs_plot *plot,
                        const cs_ratio *row)
{
    int x = cs_plot_column(plot, row->truth);
    int y = cs_plot_row(plot, row->estimate);
    if (x >= 0 && y >= 0)
        cs_put(field, x, y, CS_ROLE_FOCUS, 0x25CF);
}

static void draw_scatter(const cs_area *a, const pairs *p)
{
    double room = fmax(0.05 * (p->high - p->low), 1e-3);
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_area field = cs_plot_axis(&top, p->low - room, p->high + room);
    cs_plot plot = cs_plot_make(&field, p->low - room, p->high + room,
                                p->low - room, p->high + room);
    /* draws the diagonal, where both ratios are equal */
    for (int x = 0; x < field.w; x++) {
        double at = plot.x0 + (plot.x1 - plot.x0) * (x + 0.5) / field.w;
        int row = cs_plot_row(&plot, at);
        if (row >= 0)
            cs_put(&field, x, row, CS_ROLE_FAINT, 0xB7);
    }
    for (size_t i = 0; i + 1 < p->n; i++)
        cs_plot_point(&plot, p->row[i].truth, p->row[i].estimate, CS_ROLE_EVENT,
                      '+');
    draw_newest(&field, &plot, &p->row[p->n - 1]);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&foot, &plot, "true log ratio (nats)");
}

static void draw_words(const cs_area *a, const pairs *p)
{
    int x =
        cs_print_fit(a, 0, 0, a->w, CS_ROLE_VALUE,
                     "estimate - truth: mean %+.3g, sd %.3g", p->mean, p->sd);
    if (x == 0)
        x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_VALUE, "off %+.2g, sd %.2g",
                         p->mean, p->sd);
    cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, "; newest %zu steps", p->n);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    pairs p;
    (void)at;
    if (find(s, &p)) {
        cs_area below = cs_area_part(a, 0, 1, a->w, a->h - 1);
        draw_words(a, &p);
        draw_scatter(&below, &p);
        return;
    }
    size_t n;
    const cs_decision *step = CS_SHOT_ROWS(s, cs_decision, &n, CS_KEY_STEP);
    if (cs_shot_number(s, 0, "look/compares") != 0)
        cs_panel_empty(a, s, "No step of this chain has been compared yet.",
                       "Run some steps of a kernel that draws rows of data.");
    else if (step && n == 1 && step->estimates != 0)
        cs_panel_empty(a, s, "True ratios are not evaluated.",
                       "Press l to evaluate true ratios for the chosen chain "
                       "(two passes over all rows per step).");
    else
        cs_panel_empty(
            a, s, "The ratios of this arm are exact, not estimates.",
            "Press a to choose another arm, for example one with poisson_mh.");
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    pairs p;
    (void)at;
    if (find(s, &p))
        snprintf(out, size, "sd %.3g", p.sd);
}

const cs_panel_type cs_panel_ratios = {
    .name = "ratios",
    .title = "ratios, estimated and true",
    .help = "Log acceptance ratios that a kernel estimated from some rows of "
            "data (vertical) against the true log ratios (horizontal), for up "
            "to 512 of the chosen chain's newest steps. The dotted diagonal is "
            "where both are equal, and the newest step is a disc. Proposals "
            "that the prior rejects are left out.\nl starts or stops the "
            "computation of the true ratios, which needs one or two passes "
            "over all rows per step, but is not counted as work of the arm and "
            "does not change the draws. The estimate of an exact kernel may "
            "also be far from the true ratio in a single step; the method by "
            "which the kernel draws rows corrects for this. If the points are "
            "scattered more widely, the acceptance rate is lower.",
    .draw = draw,
    .caption = caption,
};
