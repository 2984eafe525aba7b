/* Acceptance by chain: the current rate, the rate over time, and the share
 * of steps in which the chain moved. */
#include "screen/canvas/density_band.h"
#include "screen/panels/panel.h"
#include "screen/parts/member_bars.h"

#include <stdio.h>

/* Displays the acceptance rates over time: the chosen chain as a line over the
 * density of all chains, a faint line at the mean over all steps, and dotted
 * lines at the ends of the rates that suit the kernel. */
static void draw_time(const cs_area *a, const cs_shot *s,
                      const cs_selection *at, size_t arm, double mean)
{
    const cs_axis x = cs_axis_of(s, arm, at->unit);
    size_t chains, bins, r, c;
    const double *rate =
        cs_shot_array(s, &chains, &bins, "arm/%zu/acceptance/rate", arm);
    const double *time =
        cs_shot_array(s, &r, &c, "arm/%zu/acceptance/time", arm);
    if (!rate || a->h < 2)
        return;
    bool timed = time && r * c == bins;
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - (a->h >= 4 && timed));
    cs_area field = cs_plot_axis(&top, 0, 1);
    double last = timed ? time[bins - 1] : (double)bins - 1;
    cs_plot p =
        cs_window_plot(&field, &at->window, cs_axis_at(&x, timed ? time[0] : 0),
                       cs_axis_at(&x, last), (cs_scale){0, 1, false});
    const double *good =
        cs_shot_array(s, &r, &c, "arm/%zu/acceptance/good", arm);
    for (size_t i = 0; good && i < c; i++)
        cs_plot_level(&p, good[i], CS_ROLE_LABEL, 0x2508, 1);
    cs_plot_level(&p, mean, CS_ROLE_FAINT, 0x2500, 1);
    double ends[CS_DENSITY_BAND_BINS];
    cs_density_band b = {
        .low = rate, .high = rate, .chains = chains, .bins = bins};
    if (timed && chains > 1) { /* the rate of each bin is one draw */
        b.draw = rate;
        b.draw_time = time;
        b.draws = bins;
        b.axis = &x;
    }
    if (timed)
        cs_density_band_place(&b, &p, &x, time, ends);
    cs_density_band_draw(&p, &b, at->chain < chains ? at->chain : 0);
    if (top.h < a->h) {
        cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
        cs_plot_axis_x(&foot, &p, x.name);
    }
}

/* Displays the temperatures of a tempered kernel, the share of accepted
 * swaps between neighbours, and the number of round trips to the hottest
 * temperature. Returns the number of rows used, from the bottom. */
static int draw_ladder(const cs_area *a, const cs_shot *s, size_t arm)
{
    size_t r, n, pairs;
    const double *hot =
        cs_shot_array(s, &r, &n, "arm/%zu/kernel/temperature", arm);
    const double *swaps =
        cs_shot_array(s, &r, &pairs, "arm/%zu/kernel/swaps", arm);
    if (!hot || !swaps || pairs + 1 != n || a->h < 5)
        return 0;
    int x = cs_print(a, 0, a->h - 1, CS_ROLE_LABEL, "swaps: 1");
    for (size_t k = 0; k < pairs && x < a->w - 10; k++)
        x = cs_print(a, x, a->h - 1, CS_ROLE_VALUE, " <%.2f> %.3g", swaps[k],
                     hot[k + 1]);
    if (x < a->w - 12)
        cs_print(
            a, x, a->h - 1, CS_ROLE_LABEL, "  %s trips",
            cs_count(cs_shot_number(s, 0, "arm/%zu/kernel/trips", arm)).text);
    return 1;
}

/* Displays the acceptance rate over all steps. If the share of steps that moved
 * differs from it, also displays this share. If `lines` is positive, also
 * displays the colours of a plot of this height. */
static void draw_mean(const cs_area *a, const cs_shot *s, size_t arm,
                      double accepted, double moved, int lines, int y)
{
    char trouble[80], more[40] = "";
    if (fabs(accepted - moved) >= 0.0005)
        snprintf(more, sizeof more, ", moved %.3f", moved);
    int x = cs_print_fit(a, 0, y, a->w, CS_ROLE_VALUE, "accepted %.3f%s",
                         accepted, more);
    x = x ? x : cs_print_fit(a, 0, y, a->w, CS_ROLE_VALUE, "%.3f", accepted);
    if (cs_panel_failures(s, arm, trouble, sizeof trouble))
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_WARN, ", %s", trouble);
    if (cs_shot_chains(s, arm) > 1 && lines > 0)
        cs_density_band_legend(a, x + 2, y, lines);
}

/* Displays the acceptance rates of the newest steps by chain. If not all
 * chains fit, displays only the chains with the lowest and the highest rate
 * and the chosen chain. */
static void draw_now(const cs_area *a, const cs_row_acceptance *row,
                     size_t chains, size_t chosen)
{
    enum { EACH = 8 };
    size_t low = 0, high = 0;
    int y = a->h - 1;
    int x = cs_print_fit(a, 0, y, a->w - EACH, CS_ROLE_LABEL, "last 256: ");
    bool all = (int)chains * EACH <= a->w - x + 1;
    for (size_t c = 1; c < chains; c++) {
        low = row[c].rolling < row[low].rolling ? c : low;
        high = row[c].rolling > row[high].rolling ? c : high;
    }
    for (size_t c = 0; c < chains; c++)
        if (all || c == chosen || c == low || c == high)
            x = cs_print_fit(a, x, y, a->w - x + 1, cs_theme_chain(c),
                             "%zu%c %.2f ", c + 1, cs_theme_glyph(c),
                             row[c].rolling);
}

/* Displays the members of a cycle or a mixture, whose own steps are always
 * accepted. */
static void draw_members(const cs_area *a, const cs_shot *s, size_t arm)
{
    char trouble[80];
    bool failed = cs_panel_failures(s, arm, trouble, sizeof trouble);
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - failed);
    int y = cs_draw_members(&top, s, arm);
    if (failed)
        cs_print_cut(a, 0, y, a->w, CS_ROLE_WARN, "%s", trouble);
}

static void draw_arm(const cs_area *whole, const cs_shot *s,
                     const cs_selection *at, size_t arm)
{
    size_t chains;
    cs_area part = cs_area_part(whole, 0, 0, whole->w,
                                whole->h - draw_ladder(whole, s, arm));
    const cs_area *a = &part;
    const cs_row_acceptance *row =
        CS_SHOT_ROWS(s, cs_row_acceptance, &chains, CS_KEY_ACCEPTANCE, arm);
    if (!row) {
        cs_panel_empty(a, s, "This run does not record acceptance.",
                       "Add the probe \"acceptance\" to the scenario.");
        return;
    }
    if (!(row->steps > 0)) {
        cs_panel_empty(a, s, "No draws yet.",
                       "Draws begin after learning or tuning.");
        return;
    }
    if (cs_members_count(s, arm) > 0) {
        draw_members(a, s, arm);
        return;
    }
    double accepted = 0, moved = 0, steps = 0;
    for (size_t c = 0; c < chains; c++) {
        steps += row[c].steps;
        accepted += row[c].steps * row[c].accepted;
        moved += row[c].steps * row[c].moved;
    }
    int foot = at->detail ? 2 : 1;
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - foot);
    draw_time(&top, s, at, arm, accepted / steps);
    draw_mean(a, s, arm, accepted / steps, moved / steps,
              at->detail ? top.h - (top.h >= 4) : 0, a->h - foot);
    if (at->detail)
        draw_now(a, row, chains, at->chain < chains ? at->chain : 0);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    char trouble[80];
    if (cs_panel_failures(s, at->arm, trouble, sizeof trouble))
        snprintf(out, size, "%s", trouble);
    else if (!cs_shot_number(s, 1, "arm/%zu/exact", at->arm))
        snprintf(out, size, "biased by design");
}

const cs_panel_type cs_panel_acceptance = {
    .name = "acceptance",
    .title = "acceptance",
    .help =
        "Acceptance rate (0 to 1) over the steps. The heat map is the "
        "density of all chains, the line is the chosen chain, and the "
        "faint line is the rate over all steps. Between the dotted lines, the "
        "kernel has at least 80 % of its best efficiency according to the "
        "theory of high dimensions.\nThe rate \"moved\" counts "
        "only steps that changed the state. The number in the last line is "
        "the rate over about the last 256 steps. For a tempered kernel, "
        "the panel also shows the temperatures and the share of accepted "
        "swaps between them.\nFor a cycle or a mixture, the panel lists its "
        "members: the share of accepted steps (the mean acceptance along a "
        "trajectory for nuts), the rate at which a kernel of this kind works "
        "best, the share of steps that moved, the share of the time, and the "
        "work per step. The mark in a bar is the best rate; a member without "
        "a mark has no step size.\nA high acceptance rate is not always good. "
        "Very small steps are nearly always accepted, but explore nothing.",
    .tile = {26, 5, 5},
    .draw_arm = draw_arm,
    .caption = caption,
};
