/* The distribution of the weights. There are two histograms of log10 (weight /
 * mean weight): a histogram of the draws, and a histogram of the weight that
 * the draws carry. Also the effective sample size of the weights (Kish). */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct spread {
    const cs_row_weights *all;
    const double *edges, *counts, *shares;
    size_t bins;
} spread;

static bool has_weights(const cs_shot *s, size_t arm)
{
    size_t n;
    return CS_SHOT_ROWS(s, cs_row_weights, &n, CS_KEY_WEIGHTS, arm) && n == 1;
}

static bool find_spread(const cs_shot *s, size_t arm, spread *w)
{
    size_t r, n;
    *w = (spread){0};
    if (!has_weights(s, arm))
        return false;
    w->all = CS_SHOT_ROWS(s, cs_row_weights, &n, CS_KEY_WEIGHTS, arm);
    w->counts = cs_shot_array(s, &r, &w->bins, "arm/%zu/weights/counts", arm);
    w->shares = cs_shot_array(s, &r, &n, "arm/%zu/weights/shares", arm);
    bool good = w->counts && w->shares && n == w->bins;
    w->edges = cs_shot_array(s, &r, &n, "arm/%zu/weights/edges", arm);
    return good && w->edges && w->bins > 0 && n == w->bins + 1 &&
           w->edges[w->bins] > w->edges[0] &&
           isfinite(w->edges[w->bins] - w->edges[0]) && w->all->draws > 0;
}

/* Displays the shares of the draws as bars and the shares of the weight as a
 * line. */
static void draw_field(const cs_area *a, const spread *w, const cs_plot *p,
                       cs_role role)
{
    double bar[CS_CANVAS_MAX], line[CS_CANVAS_MAX], top = 0;
    size_t n = a->w < CS_CANVAS_MAX ? (size_t)a->w : CS_CANVAS_MAX;
    if (n == 0 || a->h < 1)
        return;
    cs_rebin(w->counts, w->edges, w->bins, p, n, bar);
    cs_rebin(w->shares, w->edges, w->bins, p, n, line);
    for (size_t x = 0; x < n; x++) {
        bar[x] /= w->all->draws;
        top = fmax(top, fmax(bar[x], line[x]));
    }
    cs_bars(a, bar, n, top, role);
    cs_steps_over(a, line, top, CS_ROLE_EVENT);
}

/* Returns true if a few draws carry most of the weight, so that the effective
 * sample size is small. */
static bool is_thin(const cs_row_weights *all)
{
    return all->size < 100 || all->largest > 0.1;
}

static void draw_foot(const cs_area *a, const cs_row_weights *all)
{
    cs_role role = is_thin(all) ? CS_ROLE_WARN : CS_ROLE_VALUE;
    double part = 100 * all->size / all->draws;
    int y = a->h - 2;
    int x = cs_print_fit(a, 0, y, a->w, role, "effective %s of %s draws",
                         cs_count(floor(all->size + 0.5)).text,
                         cs_count(all->draws).text);
    if (x == 0)
        x = cs_print_cut(a, 0, y, a->w, role, "size %s of %s",
                         cs_num(all->size).text, cs_num(all->draws).text);
    cs_print_fit(a, x, y, a->w - x, role, " (%.3g%%)", part);
    x = cs_print_fit(a, 0, y + 1, a->w, role, "largest share %.3g%%",
                     100 * all->largest);
    int before = x;
    if (all->left_out > 0)
        x = cs_print_fit(a, x, y + 1, a->w - x, CS_ROLE_LABEL,
                         ", %s have weight 0", cs_count(all->left_out).text);
    if (all->left_out > 0 && x == before)
        x = cs_print_fit(a, x, y + 1, a->w - x, CS_ROLE_LABEL, ", %s zero",
                         cs_num(all->left_out).text);
    if (x + 29 <= a->w) {
        cs_print_right(a, y + 1, CS_ROLE_EVENT, "line: weight");
        cs_area rest = cs_area_part(a, 0, y + 1, a->w - 12, 1);
        cs_print_right(&rest, 0, CS_ROLE_LABEL, "bars: draws  ");
    }
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    spread w;
    if (!find_spread(s, arm, &w)) {
        if (has_weights(s, arm))
            cs_panel_empty(a, s, "No draw of this run has a weight yet.",
                           "Run more steps.");
        else
            cs_panel_empty(a, s, "All draws of this run have equal weight.",
                           "Use a kernel with weights, for example sgld { "
                           "weight = cs.schedule... }.");
        return;
    }
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 3);
    cs_area axis = cs_area_part(a, 0, a->h - 3, a->w, 1);
    cs_plot p =
        cs_window_plot(&field, &at->window, fmin(w.edges[0], -0.5),
                       fmax(w.edges[w.bins], 0.5), (cs_scale){0, 1, false});
    draw_field(&field, &w, &p, cs_theme_chain(arm));
    cs_plot_axis_x(&axis, &p, "log10 weight / its mean");
    draw_foot(a, w.all);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    spread w;
    if (find_spread(s, at->arm, &w))
        snprintf(out, size, "%.3g%%", 100 * w.all->size / w.all->draws);
}

const cs_panel_type cs_panel_weights = {
    .name = "weights",
    .title = "weights of draws",
    .help = "Distribution of the weights of an arm's draws. Bars count the "
            "draws by log10(weight / mean weight of the chain); the line is "
            "the share of the total weight that these draws have. A line far "
            "to the right of the bars means that a few draws dominate all "
            "estimates.\nThe effective sample size of the weights (Kish), (sum "
            "w)^2 / sum w^2, is the number of equally weighted independent "
            "draws that would give the same precision. It does not include the "
            "autocorrelation of the draws (see ESS in the panel summary). "
            "\"Largest share\" is the share of the heaviest draw in the total "
            "weight; draws of weight 0 are counted separately.",
    .tile = {26, 6, 3},
    .has = has_weights,
    .draw_arm = draw_arm,
    .caption = caption,
};
