/* The energy histogram. If the exact histogram is known, it is drawn as a line.
 * With the probe curvature, the panel shows the histogram of the Hessian's
 * eigenvalues instead. */
#include "screen/canvas/chain_bins.h"
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

/* The quantity of the histogram: its probe, the name of its axis, the unit
 * of the counts, and the share of a chain's counts that may be beyond the
 * axis on either side. */
typedef struct subject {
    const char *probe, *axis, *seen;
    double tail;
} subject;

static const subject subjects[] = {
    {"energy", "energy = -log p (nats)", "steps", 0.01},
    {"curvature", "eigenvalue of the Hessian", "eigenvalues", 0.0005},
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

/* A range of bins first .. last - 1. */
typedef struct bin_range {
    size_t first, last;
} bin_range;

/* Finds the bins that remain if the share `tail` of the sum is left out on
 * either side. */
static bin_range inner_bins(const double *mass, size_t bins, double tail)
{
    double sum = 0, below = 0, above = 0;
    bin_range r = {0, bins};
    for (size_t b = 0; b < bins; b++)
        sum += mass[b];
    while (r.first + 1 < r.last && (below += mass[r.first]) <= tail * sum)
        r.first++;
    while (r.last > r.first + 1 && (above += mass[r.last - 1]) <= tail * sum)
        r.last--;
    return r;
}

/* Finds the range of the exact distribution, if most of it is within the
 * bins. */
static bool law_range(const histogram *h, double *low, double *high)
{
    const double tail = 0.0005;
    double sum = 0;
    for (size_t b = 0; h->truth && b < h->bins; b++)
        sum += h->truth[b];
    if (!(sum > 0.5))
        return false;
    bin_range r = inner_bins(h->truth, h->bins, tail);
    *low = h->edges[r.first];
    *high = h->edges[r.last];
    return true;
}

/* Finds the range of the inner quantiles of all chains, widened on both
 * sides for the tails. Chains that stay in far fewer bins than the others
 * are ignored. */
static bool chains_range(const histogram *h, double tail, double *low,
                         double *high)
{
    size_t widest = 0, first = h->bins, last = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < h->chains; c++) {
            const double *mass = h->counts + c * h->bins;
            bin_range r = inner_bins(mass, h->bins, tail);
            size_t wide = mass[r.first] > 0 ? r.last - r.first : 0;
            if (pass == 0)
                widest = wide > widest ? wide : widest;
            if (pass == 0 || !wide || wide * 20 < widest)
                continue;
            first = r.first < first ? r.first : first;
            last = r.last > last ? r.last : last;
        }
    if (last <= first)
        return false;
    size_t more = (last - first + 3) / 4;
    *low = h->edges[first > more ? first - more : 0];
    *high = h->edges[last + more < h->bins ? last + more : h->bins];
    return true;
}

/* Finds the common axis of all arms: the range of the exact distribution if
 * it is known for some arm, otherwise the range of the chains' inner
 * quantiles. The axis depends neither on the first states nor on stuck
 * chains. */
static bool find_range(const cs_shot *s, const subject *what, double *low,
                       double *high)
{
    for (int law = 1; law >= 0; law--) {
        *low = HUGE_VAL;
        *high = -HUGE_VAL;
        for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
            histogram h;
            double l, r;
            if (!find_histogram(s, what->probe, arm, &h) ||
                !(law ? law_range(&h, &l, &r)
                      : chains_range(&h, what->tail, &l, &r)))
                continue;
            *low = fmin(*low, l);
            *high = fmax(*high, r);
        }
        if (*high > *low)
            return true;
    }
    return false;
}

/* Displays the shares of the counts below and above the displayed range. */
static void tell_beyond(const cs_area *a, const histogram *h, double low,
                        double high, double n)
{
    enum { WIDE = 36 };
    double out[2] = {0};
    for (size_t b = 0; b < h->bins; b++) {
        double middle = (h->edges[b] + h->edges[b + 1]) / 2;
        if (middle < low || middle > high)
            out[middle > high] += count_of(h, b) / n;
    }
    bool wide = a->w >= WIDE;
    for (int side = 0; side < 2; side++) {
        char text[32];
        cs_role role = out[side] > 0.05 ? CS_ROLE_WARN : CS_ROLE_LABEL;
        double percent = 100 * out[side];
        if (side)
            snprintf(text, sizeof text, "%.2g%%%s>", percent,
                     wide ? " above " : "");
        else
            snprintf(text, sizeof text, "<%s%.2g%%%s", wide ? " " : "", percent,
                     wide ? " below" : "");
        if (out[side] >= 0.001)
            cs_print(a, side ? a->w - cs_text_width(text) : 0, 0, role, "%s",
                     text);
    }
}

static void draw_foot(const cs_area *a, const histogram *h, double n,
                      const char *seen)
{
    int x = cs_print(a, 0, a->h - 1, CS_ROLE_LABEL, "%s %s", cs_count(n).text,
                     seen);
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
    snprintf(text, sizeof text, "TV %.3f (floor %.3f)", tv, noise);
    if (x + 2 + (int)strlen(text) > a->w)
        snprintf(text, sizeof text, "TV %.3f", tv);
    cs_role role = tv > 3 * noise ? CS_ROLE_WARN : CS_ROLE_VALUE;
    cs_area end = cs_area_part(a, 0, a->h - 1, a->w, 1);
    if (x + 1 + (int)strlen(text) > a->w) /* the line has space only for this
                                           * text */
        cs_fill(&end, CS_ROLE_NORMAL, ' ');
    cs_print_right(&end, 0, role, "%s", text);
}

/* Finds the height of the plot, which is the same for all arms: that of the
 * highest bar of an arm's moving chains, or of the exact distribution. */
static double find_top(const cs_shot *s, const cs_selection *at, size_t arm,
                       const subject *what, const cs_plot *p)
{
    double own[CS_SHOT_ARMS], sum[MOST_BINS], exact = 0;
    size_t n = 0;
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        histogram h;
        if ((i != arm && !cs_panel_shows(at, i)) ||
            !find_histogram(s, what->probe, i, &h) || h.bins > MOST_BINS ||
            !(total_of(&h) > 0))
            continue;
        const cs_chain_bins bins = {h.counts, h.chains, h.bins};
        cs_chain_bins_sum(&bins, sum);
        double top = cs_bins_top(p, (cs_plot_bins){sum, h.edges, h.bins});
        if (top > 0)
            own[n++] = top / total_of(&h);
        exact = fmax(exact,
                     cs_bins_top(p, (cs_plot_bins){h.truth, h.edges, h.bins}));
    }
    return fmax(cs_common_top(own, n), exact);
}

/* Draws the bars and the exact shares over the common axis, one bar per
 * column. */
static void draw_field(const cs_area *a, const histogram *h, const cs_plot *p,
                       double n, double top, cs_role role)
{
    double share[MOST_BINS];
    if (h->bins > MOST_BINS)
        return;
    for (size_t b = 0; b < h->bins; b++)
        share[b] = count_of(h, b) / n;
    cs_bars_and_line(a, p, (cs_plot_bins){share, h->edges, h->bins}, role,
                     (cs_plot_bins){h->truth, h->edges, h->bins}, CS_ROLE_TRUTH,
                     top);
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
        !find_range(s, what, &low, &high)) {
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
    int below = at->detail ? 2 : 1; /* lines below the bars */
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - below);
    cs_area axis = cs_area_part(a, 0, a->h - below, a->w, 1);
    cs_plot p =
        cs_window_plot(&field, &at->window, low, high, (cs_scale){0, 1, false});
    draw_field(&field, &h, &p, n, find_top(s, at, arm, what, &p),
               cs_theme_chain(arm));
    if (!at->window.on)
        tell_beyond(&field, &h, low, high, n);
    cs_plot_axis_x(&axis, &p,
                   !at->detail        ? ""
                   : what == subjects ? cs_panel_energy_name(s, arm, "energy")
                                      : what->axis);
    if (at->detail)
        draw_foot(a, &h, n, what->seen);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    const subject *what = chosen(s, at);
    bool estimate = strcmp(cs_shot_text(s, "arm/%zu/energy/logp", at->arm),
                           "estimate") == 0;
    snprintf(out, size, "%s",
             what != subjects ? what->axis
             : estimate       ? "estimate, nats"
                              : "nats");
}

const cs_panel_type cs_panel_energy = {
    .name = "energy",
    .title = "energy",
    .help =
        "Histogram of the energy -log p (nats) after every step, for all "
        "chains of the arm. All arms share one axis: that of the exact "
        "distribution, or else of the inner 98 % of each chain that moves; the "
        "share beyond the axis is displayed. All arms share the height of the "
        "bars, which stuck chains do not set; a triangle marks a higher "
        "bar.\nWeighted draws count by their weights.\nThe line is the exact "
        "distribution, if it can be "
        "computed. TV is half the sum of the absolute differences between "
        "histogram and exact distribution. The floor is the TV of the same "
        "number of independent draws, the best that a sampler can reach.\nFor "
        "a kernel that only estimates log p, the energy is this estimate "
        "unless the probe has true_logp = true. With the probe curvature, the "
        "panel also shows the eigenvalues of the Hessian.",
    .options = "o the eigenvalues of the Hessian, if recorded",
    .tile = {26, 5, 3},
    .draw_arm = draw_arm,
    .caption = caption,
};
