/* Estimated acceptance ratios of the chosen chain against the true ones, over its
 * newest steps: a scatter about the diagonal. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct pairs {
    const cs_ratio *row;
    size_t n;
    double low, high; /* of both, for both axes */
    double mean, sd;  /* of the estimate less the truth */
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

static void draw_scatter(const cs_area *a, const pairs *p)
{
    double room = fmax(0.05 * (p->high - p->low), 1e-3);
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_area field = cs_plot_axis(&top, p->low - room, p->high + room);
    cs_plot plot = cs_plot_make(&field, p->low - room, p->high + room,
                                p->low - room, p->high + room);
    for (int x = 0; x < field.w; x++) { /* where both agree */
        double at = plot.x0 + (plot.x1 - plot.x0) * (x + 0.5) / field.w;
        int row = cs_plot_row(&plot, at);
        if (row >= 0)
            cs_put(&field, x, row, CS_ROLE_FAINT, 0xB7);
    }
    for (size_t i = 0; i < p->n; i++)
        cs_plot_point(&plot, p->row[i].truth, p->row[i].estimate,
                      i + 1 == p->n ? CS_ROLE_FOCUS : CS_ROLE_EVENT,
                      i + 1 == p->n ? '@' : '+');
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot_axis_x(&foot, &plot, "true log ratio (nats)");
}

static void draw_words(const cs_area *a, const pairs *p)
{
    int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_VALUE,
                         "estimate less truth: mean %+.3g, sd %.3g", p->mean,
                         p->sd);
    if (x == 0)
        x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_VALUE, "off %+.2g, sd %.2g",
                         p->mean, p->sd);
    cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, "; the newest %zu steps",
                 p->n);
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
        cs_panel_empty(a, s, "No step of this chain was compared yet.",
                       "Run some steps of a kernel that draws rows of data.");
    else if (step && n == 1 && step->estimates != 0)
        cs_panel_empty(a, s, "True ratios are not evaluated.",
                       "l evaluates them, step by step, for the chosen chain: "
                       "each is two passes over all rows.");
    else
        cs_panel_empty(a, s, "The ratios of this arm are no estimates.",
                       "a chooses another arm: poisson_mh has estimates.");
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
    .help = "Of a kernel that draws rows of data: the log acceptance ratios "
            "that it estimated (upwards) against the true ones (to the right), "
            "at up to 512 of the newest steps of the chosen chain; dots where "
            "both agree, the newest step brighter. l begins to evaluate the "
            "true ones, and ends it: two passes over all rows a step, or one, "
            "which are not the arm's work; its draws stay the same. An exact "
            "kernel may be far off in one step: what it gets wrong is made "
            "good by how it draws. The wider the scatter, the lower the "
            "acceptance. Proposals that the prior refuses are left out.",
    .width = 24,
    .height = 6,
    .weight = 1.0,
    .draw = draw,
    .caption = caption,
};
