/* The energy histogram, with the exact histogram as a line if known; or, with
 * the probe curvature, the histogram of the Hessian's eigenvalues. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the total variation distance from the exact shares. *floor_out is its
 * expectation for `size` independent draws: the sum over the bins of E |share -
 * p| / 2, about sqrt(p (1 - p) / (2 pi size)) per bin. */
static double total_variation(const double *sum, const double *truth,
                              size_t bins, double n, double size,
                              double *floor_out)
{
    double tv = 0, noise = 0;
    for (size_t b = 0; b < bins; b++) {
        tv += fabs(sum[b] / n - truth[b]) / 2;
        noise += sqrt(fmax(truth[b] * (1 - truth[b]), 0) /
                      (2 * 3.14159265358979323846 * size));
    }
    *floor_out = noise;
    return tv;
}

/* The quantity of the histogram: its probe, the name of its axis, and the unit
 * of the counts. */
typedef struct subject {
    const char *probe, *axis, *seen;
} subject;

static const subject subjects[] = {
    {"energy", "energy = -log p (nats)", "steps"},
    {"curvature", "eigenvalue of the Hessian", "eigenvalues"},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

enum { MOST_BINS = 512 };

/* The histogram of one arm, pooled over its chains. */
typedef struct histogram {
    const double *counts, *edges, *truth;
    size_t chains, bins;
    double size;   /* effective sample size of weighted draws (Kish), or 0 */
    bool awaited;  /* the exact shares are being computed */
    bool estimate; /* the energy is an estimate, so the exact shares do not
                    * apply */
} histogram;

static bool is_there(const cs_shot *s, const subject *what)
{
    size_t r, c;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (cs_shot_array(s, &r, &c, "arm/%zu/%s/counts", arm, what->probe))
            return true;
    return false;
}

/* Returns the chosen histogram among the available ones. */
static const subject *chosen(const cs_shot *s, const cs_selection *at)
{
    const subject *list[SUBJECTS];
    size_t n = 0;
    for (size_t i = 0; i < SUBJECTS; i++)
        if (i == 0 || is_there(s, &subjects[i]))
            list[n++] = &subjects[i];
    return list[at->option % n];
}

static bool find_histogram(const cs_shot *s, const char *probe, size_t arm,
                           histogram *h)
{
    size_t r, c;
    h->counts =
        cs_shot_array(s, &h->chains, &h->bins, "arm/%zu/%s/counts", arm, probe);
    h->edges = cs_shot_array(s, &r, &c, "arm/%zu/%s/edges", arm, probe);
    bool edged = h->edges && r * c == h->bins + 1 &&
                 h->edges[h->bins] > h->edges[0] &&
                 isfinite(h->edges[h->bins] - h->edges[0]);
    h->truth = cs_shot_array(s, &r, &c, "arm/%zu/%s/truth", arm, probe);
    h->estimate = *cs_shot_text(s, "arm/%zu/%s/logp", arm, probe) != 0;
    h->truth = h->truth && r * c == h->bins && !h->estimate ? h->truth : NULL;
    h->size = cs_shot_number(s, 0, "arm/%zu/%s/size", arm, probe);
    h->awaited = cs_shot_number(s, 1, "run/settled") == 0;
    return h->counts && edged;
}

static double count_of(const histogram *h, size_t bin)
{
    double sum = 0;
    for (size_t c = 0; c < h->chains; c++)
        sum += h->counts[c * h->bins + bin];
    return sum;
}

static double total_of(const histogram *h)
{
    double sum = 0;
    for (size_t b = 0; b < h->bins; b++)
        sum += count_of(h, b);
    return sum;
}

/* Finds the common axis of all arms. It leaves out 1/2000 of an arm's steps on
 * either side, so that a distant start does not compress the other values. */
static bool find_range(const cs_shot *s, const char *probe, double *low,
                       double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        histogram h;
        if (!find_histogram(s, probe, arm, &h))
            continue;
        double tail = total_of(&h) / 2000, below = 0, above = 0;
        size_t first = 0, last = h.bins;
        while (first + 1 < last && (below += count_of(&h, first)) <= tail &&
               !(h.truth && h.truth[first] > 5e-4))
            first++;
        while (last > first + 1 && (above += count_of(&h, last - 1)) <= tail &&
               !(h.truth && h.truth[last - 1] > 5e-4))
            last--;
        *low = fmin(*low, h.edges[first]);
        *high = fmax(*high, h.edges[last]);
    }
    return *high > *low;
}

static void draw_foot(const cs_area *a, const histogram *h, double n,
                      const char *seen)
{
    int x =
        cs_print(a, 0, a->h - 1, CS_ROLE_LABEL, "%s %s", cs_num(n).text, seen);
    if (!h->truth) {
        const char *why = h->estimate  ? " no exact answer for an estimate"
                          : h->awaited ? " exact: being computed"
                                       : " no exact answer";
        if (x + (int)strlen(why) + 2 < a->w)
            cs_print_right(a, a->h - 1, CS_ROLE_FAINT, "%s", why);
        return;
    }
    double sum[MOST_BINS], noise, tv;
    if (h->bins > MOST_BINS)
        return;
    for (size_t b = 0; b < h->bins; b++)
        sum[b] = count_of(h, b);
    tv = total_variation(sum, h->truth, h->bins, n, h->size > 0 ? h->size : n,
                         &noise);
    char text[80];
    snprintf(text, sizeof text, "TV %.3f (floor %.3f)%s", tv, noise,
             x + 38 < a->w ? "  line: exact" : "");
    if (x + 2 + (int)strlen(text) > a->w)
        snprintf(text, sizeof text, "TV %.3f", tv);
    cs_role role = tv > 3 * noise ? CS_ROLE_WARN : CS_ROLE_VALUE;
    cs_area end = cs_area_part(a, 0, a->h - 1, a->w, 1);
    if (x + 1 + (int)strlen(text) > a->w) /* the line has space only for this
                                           * text */
        cs_fill(&end, CS_ROLE_NORMAL, ' ');
    cs_print_right(&end, 0, role, "%s", text);
}

/* Draws bars and exact shares, one column each, over the common axis. */
static void draw_field(const cs_area *a, const histogram *h, const cs_plot *p,
                       double n, cs_role role)
{
    double share[MOST_BINS];
    if (h->bins > MOST_BINS)
        return;
    for (size_t b = 0; b < h->bins; b++)
        share[b] = count_of(h, b) / n;
    cs_bars_and_line(a, p, (cs_plot_bins){share, h->edges, h->bins}, role,
                     (cs_plot_bins){h->truth, h->edges, h->bins},
                     CS_ROLE_TRUTH);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    histogram h;
    double low, high;
    const subject *what = chosen(s, at);
    if (what == subjects && cs_panel_lacks_logp(a, s, arm, "energy"))
        return;
    if (!find_histogram(s, what->probe, arm, &h) ||
        !find_range(s, what->probe, &low, &high)) {
        cs_panel_empty(a, s, "This run does not record an energy histogram.",
                       "Add the probe \"energy\" to the scenario.");
        return;
    }
    double n = total_of(&h);
    if (!(n > 0)) {
        cs_panel_empty(a, s, "No energy is within the histogram's range yet.",
                       "Run more steps.");
        return;
    }
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area axis = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_plot p =
        cs_window_plot(&field, &at->window, low, high, (cs_scale){0, 1, false});
    draw_field(&field, &h, &p, n, cs_theme_chain(arm));
    cs_plot_axis_x(&axis, &p,
                   what == subjects ? cs_panel_energy_name(s, arm, "energy")
                                    : what->axis);
    draw_foot(a, &h, n, what->seen);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    const subject *what = chosen(s, at);
    snprintf(out, size, "%s", what == subjects ? "" : what->probe);
}

const cs_panel_type cs_panel_energy = {
    .name = "energy",
    .title = "energy histogram",
    .help =
        "Histogram of the energy -log p (nats) after every step, for all "
        "chains of the arm. All arms share one axis, which leaves out the "
        "rarest 1/2000 of the values on either side. Weighted draws count by "
        "their weights.\nThe line is the exact distribution, if it can be "
        "computed. TV is half the sum of the absolute differences between "
        "histogram and exact distribution. The floor is the TV of the same "
        "number of independent draws, the best that a sampler can reach.\nFor "
        "a kernel that only estimates log p, the energy is this estimate "
        "unless the probe has true_logp = true. With the probe curvature, the "
        "panel also shows the eigenvalues of the Hessian.",
    .options = "o the eigenvalues of the Hessian, if recorded",
    .width = 26,
    .height = 5,
    .weight = 1.0,
    .tile = {26, 5, 3},
    .draw_arm = draw_arm,
    .caption = caption,
};
