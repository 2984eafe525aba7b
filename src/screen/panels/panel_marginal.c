/* The distribution of one quantity: a histogram of the draws, with the exact
 * distribution as a line. */
#include "run/draws/quantity_rows.h"
#include "screen/canvas/chain_bins.h"
#include "screen/panels/quantity.h"

#include "session/client/snapshot_rows.h"

#include <math.h>
#include <stdio.h>

enum { POOLED, CHAINS, VARIANTS, MOST_BINS = 512 };

typedef struct histogram {
    const double *edges, *all, *shares, *truth; /* truth NULL: not known */
    const cs_row_marginal *figures;
    const char *from;
    size_t bins, chains;
} histogram;

static bool read_histogram(const cs_shot *s, size_t arm, size_t k, histogram *h)
{
    size_t r, c, n;
    h->edges = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/edges", arm, k);
    h->bins = h->edges && r * c > 1 ? r * c - 1 : 0;
    h->all = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/all", arm, k);
    if (!h->bins || h->bins > MOST_BINS || !h->all || r * c != h->bins)
        return false;
    h->shares =
        cs_shot_array(s, &h->chains, &c, "arm/%zu/draws/%zu/shares", arm, k);
    if (!h->shares || c != h->bins)
        return false;
    h->truth = cs_shot_array(s, &r, &c, "arm/%zu/draws/%zu/truth", arm, k);
    if (h->truth && r * c != h->bins)
        h->truth = NULL;
    h->from = cs_shot_text(s, "arm/%zu/draws/%zu/from", arm, k);
    h->figures = CS_SHOT_ROWS(s, cs_row_marginal, &n, CS_KEY_MARGINAL, arm, k);
    return h->figures && n == 1;
}

static bool find(const cs_shot *s, const char *word, size_t arm, histogram *h)
{
    size_t k = cs_quantity_there(s, arm, word);
    return k != CS_QUANTITY_NONE && read_histogram(s, arm, k, h);
}

/* Finds the common axis of all arms. */
static void find_range(const cs_shot *s, const cs_selection *at,
                       const char *word, const histogram *own, double *low,
                       double *high)
{
    histogram h;
    *low = own->edges[0];
    *high = own->edges[own->bins];
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if (cs_panel_shows(at, i) && find(s, word, i, &h)) {
            *low = fmin(*low, h.edges[0]);
            *high = fmax(*high, h.edges[h.bins]);
        }
}

/* Displays the mean, the standard deviation and the central 90 % interval,
 * then the distance from the exact distribution. They take two lines, or one
 * line in a shorter form. */
static void draw_foot(const cs_area *a, const histogram *h, int lines)
{
    const cs_row_marginal *f = h->figures;
    int y = a->h - lines;
    if (isnan(f->draws)) {
        cs_print_cut(a, 0, y, a->w, CS_ROLE_LABEL, "hidden until the answer");
        return;
    }
    int x = cs_print_fit(a, 0, y, a->w, CS_ROLE_VALUE, "mean %s, sd %s",
                         cs_num(f->mean).text, cs_num(f->sd).text);
    if (lines > 1 || !h->truth)
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                         ", 90 %% in %s to %s", cs_num(f->low).text,
                         cs_num(f->high).text);
    if (lines > 1) {
        y++;
        x = -2;
    }
    cs_role role = f->tv > 2 * f->tv_floor ? CS_ROLE_WARN : CS_ROLE_TRUTH;
    if (!h->truth) {
        cs_print_fit(a, x + 2, y, a->w - x - 2, CS_ROLE_FAINT,
                     lines > 1 ? "exact distribution unknown" : "");
        return;
    }
    x = cs_print_fit(a, x + 2, y, a->w - x - 2, role, "TV %.3f (floor %.3f)%s",
                     f->tv, f->tv_floor,
                     role == CS_ROLE_WARN ? ", not by chance" : "");
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_TRUTH, ", KS %.3f (%.3f)",
                     f->ks, f->ks_floor);
    cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT, ", exact: %s", h->from);
}

/* Finds the height of the plots, which is the same for all arms: that of the
 * highest bar of an arm's moving chains, or of the exact distribution. */
static double find_top(const cs_shot *s, const cs_selection *at, size_t arm,
                       const char *word, const cs_plot *p)
{
    double own[CS_SHOT_ARMS], sum[MOST_BINS], exact = 0;
    size_t n = 0;
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        histogram h;
        if ((i != arm && !cs_panel_shows(at, i)) || !find(s, word, i, &h))
            continue;
        const cs_chain_bins bins = {h.shares, h.chains, h.bins};
        bool all = cs_chain_bins_sum(&bins, sum);
        double top =
            cs_bins_top(p, (cs_plot_bins){all ? h.all : sum, h.edges, h.bins});
        if (top > 0)
            own[n++] = all ? top : top / (double)h.chains;
        exact = fmax(exact,
                     cs_bins_top(p, (cs_plot_bins){h.truth, h.edges, h.bins}));
    }
    return fmax(cs_common_top(own, n), exact);
}

/* Finds the height of the lanes of an arm's chains. */
static double lanes_top(const histogram *h, const cs_plot *p)
{
    enum { MOST = 64 };
    double own[MOST];
    size_t n = 0;
    const cs_chain_bins bins = {h->shares, h->chains, h->bins};
    for (size_t c = 0; c < h->chains && n < MOST; c++)
        if (cs_chain_bins_move(&bins, c))
            own[n++] = cs_bins_top(
                p, (cs_plot_bins){h->shares + c * h->bins, h->edges, h->bins});
    return fmax(cs_common_top(own, n),
                cs_bins_top(p, (cs_plot_bins){h->truth, h->edges, h->bins}));
}

static void draw_bars(const cs_area *a, const histogram *h, const cs_plot *p,
                      const double *share, double top, cs_role role)
{
    cs_bars_and_line(a, p, (cs_plot_bins){share, h->edges, h->bins}, role,
                     (cs_plot_bins){h->truth, h->edges, h->bins}, CS_ROLE_TRUTH,
                     top);
}

/* Draws each chain in its own lane. Chains that do not fit are left out. */
static void draw_chains(const cs_area *a, const cs_shot *s, size_t arm,
                        const histogram *h, const cs_plot *all)
{
    enum { NAME = 4 };
    size_t capacity = a->h > 1 ? (size_t)a->h / 2 : 1;
    size_t n = h->chains < capacity ? h->chains : capacity;
    double top = lanes_top(h, all);
    for (size_t k = 0; k < n; k++) {
        int y = (int)(k * (size_t)a->h / n);
        int end = (int)((k + 1) * (size_t)a->h / n);
        size_t chain = cs_quantity_chain(s, arm, k);
        cs_area lane = cs_area_part(a, NAME, y, a->w - NAME, end - y);
        cs_plot p =
            cs_plot_scaled(&lane, (cs_scale){all->x0, all->x1, all->log_x},
                           (cs_scale){0, 1, false});
        draw_bars(&lane, h, &p, h->shares + k * h->bins, top,
                  cs_theme_chain(chain));
        cs_print(a, 0, end - 1, cs_theme_chain(chain), "%zu%c", chain + 1,
                 cs_theme_glyph(chain));
    }
}

/* Displays the number of draws, and the share of them beyond the axis. */
static void tell_draws(const cs_area *a, const histogram *h)
{
    char text[64];
    double beyond = 1;
    for (size_t b = 0; b < h->bins; b++)
        beyond -= h->all[b];
    int n = snprintf(text, sizeof text, "%s draws",
                     cs_count(h->figures->draws).text);
    if (beyond >= 0.005)
        snprintf(text + n, sizeof text - (size_t)n, ", %.*f%% beyond",
                 beyond < 0.1, 100 * beyond);
    cs_print_right(a, 0, beyond >= 0.005 ? CS_ROLE_WARN : CS_ROLE_FAINT, "%s",
                   text);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    histogram h;
    char word[128], name[64];
    double low, high;
    cs_quantity_ask(s, at, word, sizeof word);
    cs_quantity_name(s, at, name, sizeof name);
    size_t k = cs_quantity_find(a, s, arm, word);
    if (k == CS_QUANTITY_NONE || !read_histogram(s, arm, k, &h))
        return;
    bool chains = at->variant % VARIANTS == CHAINS;
    int lines = a->h >= 8 ? 2 : 1, side = chains ? 4 : 0;
    find_range(s, at, word, &h, &low, &high);
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 1 - lines);
    cs_area axis = cs_area_part(a, side, a->h - 1 - lines, a->w - side, 1);
    cs_area under = cs_area_part(a, side, 0, a->w - side, field.h);
    cs_plot p =
        cs_window_plot(&under, &at->window, low, high, (cs_scale){0, 1, false});
    if (chains)
        draw_chains(&field, s, arm, &h, &p);
    else
        draw_bars(&field, &h, &p, h.all, find_top(s, at, arm, word, &p),
                  cs_theme_chain(arm));
    cs_plot_axis_x(&axis, &p, cs_quantity_axis(s, arm, name));
    if (!chains && field.h > 3)
        tell_draws(&field, &h);
    draw_foot(a, &h, lines);
}

const cs_panel_type cs_panel_marginal = {
    .name = "marginal",
    .title = "marginal of a quantity",
    .help =
        "Weighted histogram of one coordinate or of the energy, from the "
        "draws of all chains that are kept for diagnostics. All arms share one "
        "axis, which leaves out the rarest 1/2000 of the values on either "
        "side, and one height; stuck chains set neither. A triangle marks a "
        "higher bar, and draws beyond the axis are counted.\nThe line is the "
        "exact distribution, computed from the target's "
        "formula, by summing over all states, on a grid, or from 8192 exact "
        "draws (which have sampling noise). TV is half the sum of the absolute "
        "differences over the bins, and KS is the largest difference between "
        "the distribution functions. Values in brackets are those that the "
        "same number of independent draws would have.\nPress o for another "
        "quantity and n for the next coordinate, or type marginal=x.3.",
    .options = "o the next quantity; v all chains, each chain",
    .tile = {26, 5, 3},
    .draw_arm = draw_arm,
    .caption = cs_quantity_name,
    .ask = cs_quantity_ask,
};
