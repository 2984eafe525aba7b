/* The energies of trajectories, and the changes of these energies from draw to
 * draw. For kernels without trajectories: the change of energy per step. */
#include "screen/panels/panel.h"

#include <math.h>
#include <string.h>

enum { BINS = 512, LEAST_EBFMI = 100 };
static const double bad_ebfmi = 0.3; /* limit of E-BFMI (Betancourt 2016) */

/* Two histograms around 0: the energies minus their mean, and the changes of
 * the energy (from draw to draw or, without trajectories, per step). */
typedef struct histograms {
    double edge[2][BINS + 1], share[2][BINS];
    size_t bins[2]; /* 0: no histogram */
    double draws;
    bool trajectories;
} histograms;

static void read_one(const cs_shot *s, size_t arm, const char *name,
                     double less, double *edge, double *share, size_t *bins)
{
    size_t r, c, n;
    const double *e =
        cs_shot_array(s, &r, &c, "arm/%zu/transitions/%s/edges", arm, name);
    const double *k =
        cs_shot_array(s, &r, &n, "arm/%zu/transitions/%s/counts", arm, name);
    double all = 0;
    if (!e || !k || n > BINS || c != n + 1)
        return;
    for (size_t b = 0; b < n; b++)
        all += k[b];
    for (size_t b = 0; b <= n; b++)
        edge[b] = e[b] - less;
    for (size_t b = 0; b < n; b++)
        share[b] = k[b] / all;
    *bins = n;
}

static bool read_trajectories(const cs_shot *s, size_t arm, histograms *h)
{
    double mean = cs_shot_number(s, 0, "arm/%zu/transitions/mean", arm);
    h->draws = cs_shot_number(s, 0, "arm/%zu/transitions/draws", arm);
    h->trajectories = true;
    read_one(s, arm, "energy", mean, h->edge[0], h->share[0], &h->bins[0]);
    read_one(s, arm, "change", 0, h->edge[1], h->share[1], &h->bins[1]);
    return h->bins[0] && h->bins[1];
}

/* Adds `one` to the bin that contains x, among bins of equal width from low to
 * high. */
static void count(double x, double low, double high, size_t bins, double one,
                  double *share)
{
    double at = floor((x - low) / (high - low) * (double)bins);
    if (at >= 0 && at <= (double)bins)
        share[at < (double)bins ? (size_t)at : bins - 1] += one;
}

/* Counts the newest steps of each chain, which the trace stores
 * individually. */
static bool read_steps(const cs_shot *s, size_t arm, histograms *h)
{
    enum { PARTS = 64 };
    size_t chains, n;
    const double *e =
        cs_shot_array(s, &chains, &n, "arm/%zu/trace/0/recent", arm);
    double mean = 0, far = 0, seen = 0;
    for (size_t i = 0; e && i < chains * n; i++)
        if (isfinite(e[i])) {
            mean += e[i];
            seen++;
        }
    if (!(seen > (double)chains))
        return false;
    mean /= seen;
    for (size_t i = 0; i < chains * n; i++)
        far = fmax(far, isfinite(e[i]) ? fabs(e[i] - mean) : 0);
    far = far > 0 ? 1.05 * far : 1;
    for (size_t k = 0; k < 2; k++) {
        h->bins[k] = PARTS;
        for (size_t b = 0; b <= PARTS; b++)
            h->edge[k][b] = far * (2.0 * (double)b / PARTS - 1);
    }
    double steps = seen - (double)chains;
    for (size_t i = 0; i < chains * n; i++) {
        if (isfinite(e[i]))
            count(e[i] - mean, -far, far, PARTS, 1 / seen, h->share[0]);
        if (i % n && isfinite(e[i]) && isfinite(e[i - 1]))
            count(e[i] - e[i - 1], -far, far, PARTS, 1 / steps, h->share[1]);
    }
    h->draws = steps;
    return true;
}

static bool read_histograms(const cs_shot *s, size_t arm, histograms *h)
{
    memset(h, 0, sizeof *h);
    if (read_trajectories(s, arm, h))
        return true;
    memset(h, 0, sizeof *h);
    return read_steps(s, arm, h);
}

/* Returns the distance from 0 of the farthest bin, without the rarest bins
 * at both ends. */
static double reach_of(const histograms *h)
{
    double far = 0;
    for (size_t k = 0; k < 2; k++) {
        double low = 0, high = 0;
        for (size_t b = 0; b < h->bins[k]; b++) {
            low += h->share[k][b];
            if (low > 5e-4) {
                far = fmax(far, -h->edge[k][b]);
                break;
            }
        }
        for (size_t b = h->bins[k]; b-- > 0;) {
            high += h->share[k][b];
            if (high > 5e-4) {
                far = fmax(far, h->edge[k][b + 1]);
                break;
            }
        }
    }
    return far;
}

static double range_of(const cs_shot *s, const cs_selection *at, size_t arm)
{
    histograms h;
    double far = 0;
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if ((cs_panel_shows(at, i) || i == arm) && read_histograms(s, i, &h))
            far = fmax(far, reach_of(&h));
    return far;
}

/* Returns the smallest E-BFMI of the chains; NAN: not known. */
static double least_ebfmi(const cs_shot *s, size_t arm, size_t *chain)
{
    size_t r, c;
    double least = NAN;
    const double *each =
        cs_shot_array(s, &r, &c, "arm/%zu/transitions/ebfmi", arm);
    for (size_t i = 0; each && i < r * c; i++)
        if (isfinite(each[i]) && !(each[i] >= least)) {
            least = each[i];
            *chain = i;
        }
    return least;
}

/* Displays the legend, and an interpretation of the values. */
static void draw_foot(const cs_area *a, const cs_shot *s, size_t arm,
                      const histograms *h)
{
    size_t chain = 0;
    double ebfmi = h->trajectories ? least_ebfmi(s, arm, &chain) : (double)NAN;
    int y = a->h - 2;
    int x = cs_print_fit(a, 0, y, a->w, cs_theme_chain(arm), "bars: energies");
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_ACCEPT,
                     ", line: changes per step");
    cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT, ", %s %s",
                 cs_count(h->draws).text,
                 h->trajectories ? "trajectories" : "newest steps");
    y++;
    if (!h->trajectories || h->draws < LEAST_EBFMI || isnan(ebfmi)) {
        cs_print_fit(a, 0, y, a->w, CS_ROLE_LABEL, "%s",
                     h->trajectories
                         ? "E-BFMI needs at least 100 trajectories"
                         : "no trajectories: a narrow line means small steps");
        return;
    }
    bool bad = ebfmi < bad_ebfmi;
    x = cs_print_fit(a, 0, y, a->w, bad ? CS_ROLE_WARN : CS_ROLE_VALUE,
                     "E-BFMI %.2f, chain %zu", ebfmi, chain + 1);
    cs_print_fit(a, x, y, a->w - x, bad ? CS_ROLE_WARN : CS_ROLE_LABEL, "%s",
                 bad ? ": momenta do not reach the tails; reparameterise"
                     : ": momenta reach all energies");
}

enum { ROOMY = 40 }; /* columns needed for the full name of the axis */

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    histograms h;
    if (cs_panel_lacks_logp(a, s, arm, "trace"))
        return;
    if (!read_histograms(s, arm, &h)) {
        cs_panel_empty(a, s, "No energies of this arm are recorded.",
                       "Add the probes \"transitions\" and \"trace\" to the "
                       "scenario.");
        return;
    }
    double far = range_of(s, at, arm);
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 3);
    cs_area axis = cs_area_part(a, 0, a->h - 3, a->w, 1);
    cs_plot p =
        cs_window_plot(&field, &at->window, -far, far, (cs_scale){0, 1, false});
    cs_bars_and_line(
        &field, &p, (cs_plot_bins){h.share[0], h.edge[0], h.bins[0]},
        cs_theme_chain(arm), (cs_plot_bins){h.share[1], h.edge[1], h.bins[1]},
        CS_ROLE_ACCEPT, 0);
    cs_plot_axis_x(&axis, &p,
                   a->w < ROOMY ? "nats" : "energy minus its mean (nats)");
    draw_foot(a, s, arm, &h);
}

const cs_panel_type cs_panel_transitions = {
    .name = "transitions",
    .title = "transitions of the energy",
    .help =
        "The bars are the histogram of the energies of trajectories (potential "
        "plus kinetic) around their mean; the line is the histogram of the "
        "changes of the energy from draw to draw, which the new momenta cause. "
        "If the line is much narrower than the bars, the momenta cannot take a "
        "chain from the bulk to the tails in one step; the chain then explores "
        "the tails in many small steps (Betancourt 2016).\nE-BFMI, the mean "
        "square change of the energy divided by its variance, is shown for the "
        "worst chain: about 1 is good, and below 0.3 is bad. A "
        "reparameterisation or another mass helps; a smaller step does not "
        "help.\nFor kernels without trajectories, the panel shows -log p of "
        "the newest steps and the change of -log p per step.",
    .tile = {30, 7, 2.5},
    .draw_arm = draw_arm,
};
