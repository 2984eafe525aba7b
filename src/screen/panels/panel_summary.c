/* The table of arms, then the warnings for the chosen arm's draws and a table
 * of its scalars. */
#include "screen/panels/arm_table.h"
#include "screen/panels/panel.h"
#include "screen/panels/scalar_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Displays every distance of the chosen arm, each on a single line where
 * possible. Returns the number of lines used. */
static int draw_distances(const cs_area *a, const cs_shot *s, size_t arm)
{
    size_t r, n, m;
    const double *v = cs_shot_array(s, &r, &n, "arm/%zu/distance/values", arm);
    const double *f = cs_shot_array(s, &r, &m, "arm/%zu/distance/floor", arm);
    const char *names = cs_shot_text(s, "arm/%zu/distance/names", arm);
    char name[64];
    if (!v || a->h < 1)
        return 0;
    int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "to the exact answer"),
        y = 0;
    x += x ? 2 : 0;
    for (size_t i = 0;
         i < n && y < a->h && cs_shot_word(names, i, name, sizeof name); i++) {
        char floor_text[40] = "";
        if (f && i < m && isfinite(f[i]))
            snprintf(floor_text, sizeof floor_text, " (floor %s)",
                     cs_num(f[i]).text);
        cs_number value = cs_num(v[i]);
        int width = cs_text_width(name) + 1 + (int)strlen(value.text) +
                    (int)strlen(floor_text);
        /* starts a new line instead of breaking a distance */
        if (x > 0 && x + width > a->w) {
            x = 0;
            y++;
        }
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%s ", name);
        x = cs_print(a, x, y, CS_ROLE_VALUE, "%s", value.text);
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%s", floor_text) + 2;
    }
    return y + 1;
}

/* Displays, for a discrete state, the number of sites that never changed and
 * whether the chains agree. */
static int draw_sites(const cs_area *a, const cs_shot *s, size_t arm)
{
    size_t n;
    const cs_homogeneity *row =
        CS_SHOT_ROWS(s, cs_homogeneity, &n, "arm/%zu/diagnostics/sites", arm);
    double alike = cs_shot_number(s, NAN, "arm/%zu/diagnostics/alike", arm);
    double never = cs_shot_number(s, 0, "arm/%zu/diagnostics/never", arm);
    double apart = cs_shot_number(s, 0, "arm/%zu/diagnostics/apart", arm);
    if (!row || a->h < 1)
        return 0;
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "sites that never changed ");
    x = cs_print(a, x, 0, CS_ROLE_VALUE, "%.0f of %zu", never, n);
    if (apart > 0)
        x += cs_print_fit(a, x, 0, a->w - x, CS_ROLE_WARN,
                          ", %.0f differ between chains", apart);
    if (!isnan(alike))
        cs_print_fit(a, x, 0, a->w - x,
                     alike < 0.001 ? CS_ROLE_WARN : CS_ROLE_LABEL,
                     alike < 0.001 ? "  chains disagree, p %.2g (chi-square)"
                                   : "  chains agree, p %.2g (chi-square)",
                     alike);
    return 1;
}

/* Displays the warnings of an arm, each on one or more lines. If `all` is true,
 * also displays warnings about the arm's draws. Returns the number of lines
 * used. */
static int draw_words(const cs_area *a, const cs_shot *s, size_t arm, bool all)
{
    const char *warnings = cs_shot_text(s, "arm/%zu/warnings", arm);
    const char *words = cs_shot_text(s, "arm/%zu/words", arm);
    const char *lesson = cs_shot_text(s, "arm/%zu/lesson", arm);
    int y = cs_print_wrapped(a, 0, 0, CS_ROLE_WARN, all ? warnings : words);
    if (*lesson && all && y < a->h)
        cs_print_cut(a, 0, y++, a->w, CS_ROLE_LABEL,
                     "explained in %s: type :lesson to open it", lesson);
    return y;
}

/* Displays a line about evaluations of log p that are not part of an arm's
 * work. */
static int draw_observed(const cs_area *a, const cs_shot *s, size_t arm, int y)
{
    double n = cs_shot_number(s, 0, "arm/%zu/observed_log_densities", arm);
    double terms = cs_shot_number(s, 0, "arm/%zu/observed_data_terms", arm);
    if (!(n > 0) || y >= a->h)
        return 0;
    int x = cs_print(a, 0, y, CS_ROLE_LABEL,
                     "for probes and displays: log p of %s state%s",
                     cs_count(n).text, n == 1 ? "" : "s");
    if (terms > 0)
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", %s data terms",
                     cs_count(terms).text);
    return 1;
}

/* Displays a line that explains the kinds of ESS and gives the number of
 * draws from which each is computed. For weighted draws, displays the
 * effective sample size of the weights instead. */
static int draw_kept(const cs_area *a, const cs_shot *s, size_t arm, int y)
{
    double n = cs_shot_number(s, 0, "arm/%zu/diagnostics/n", arm);
    double whole = cs_shot_number(s, 1, "arm/%zu/diagnostics/whole", arm);
    double diagnosed =
        cs_shot_number(s, 0, "arm/%zu/diagnostics/diagnosed", arm);
    double of = cs_shot_number(s, 0, "arm/%zu/diagnostics/of", arm);
    double kish = cs_shot_number(s, NAN, "arm/%zu/diagnostics/kish", arm);
    if (!(n > 0) || y >= a->h)
        return 0;
    int x = 0;
    if (isnan(kish)) {
        x = cs_print_fit(a, 0, y, a->w, CS_ROLE_LABEL, "%s %s draws%s",
                         whole ? "ESS is for the mean; bulk and tail ESS are "
                                 "for ranks and quantiles of the same"
                               : "ESS is for the mean over all steps; R-hat, "
                                 "bulk and tail ESS are from",
                         cs_count(n).text,
                         whole ? " per chain" : " kept per chain");
        if (!x)
            x = cs_print_fit(
                a, 0, y, a->w, CS_ROLE_LABEL,
                "ESS: mean over %s; bulk and tail: %s draws per chain",
                whole ? "all draws" : "all steps", cs_count(n).text);
    } else
        x = cs_print(a, 0, y, CS_ROLE_LABEL,
                     "weighted: %s draws per chain, effective sample size of "
                     "the weights %s",
                     cs_count(n).text, cs_count(round(kish)).text);
    if (diagnosed < of)
        cs_print(a, x, y, CS_ROLE_LABEL, ", for %s of %s quantities",
                 cs_count(diagnosed).text, cs_count(of).text);
    return 1;
}

static int lines_of(const char *text, int capacity)
{
    int lines = 0;
    for (size_t n; *text && (n = cs_text_line(text, capacity)); lines++) {
        text += n;
        text += strspn(text, " ");
    }
    return lines;
}

/* Displays the ranking sentence of the panel `race` from line `y` on, if the
 * whole sentence fits. */
static void draw_sentence(const cs_area *a, const cs_shot *s,
                          const cs_selection *at, int y)
{
    char text[1000] = "";
    cs_racers arms;
    cs_area rest = cs_area_part(a, 0, y + 1, a->w, a->h - y - 1);
    if (cs_shot_arms(s) < 2 || rest.h < 1)
        return;
    const cs_figure_look look = cs_panel_look(at);
    cs_race_line_up(s, &look, &arms);
    if (cs_race_has(&arms, CS_RACE_ESS))
        cs_race_say(&arms, text, sizeof text);
    if (*text && lines_of(text, rest.w) <= rest.h)
        cs_print_wrapped(&rest, 0, 0, CS_ROLE_NORMAL, text);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    size_t arms = cs_shot_arms(s);
    cs_arm_row row[CS_SHOT_ARMS];
    if (arms == 0) {
        cs_panel_empty(a, s, "No arms.", "Open a scenario.");
        return;
    }
    for (size_t i = 0; i < arms; i++)
        row[i] = cs_arm_row_of(s, i, at->unit);
    if (a->w < 64 && a->h > (int)arms + 3) {
        cs_area head = cs_area_part(a, 0, 0, a->w, a->h / 2);
        int used = draw_words(&head, s, at->arm, false);
        cs_area rest = cs_area_part(a, 0, used, a->w, a->h - used);
        cs_arm_table_draw_tall(&rest, row, arms, at->arm,
                               cs_panel_top(at,
                                            cs_arm_table_columns(row, arms) + 1,
                                            (size_t)rest.h));
        return;
    }
    int y = cs_arm_table_draw_wide(a, row, arms, at->arm);
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    y += draw_words(&rest, s, at->arm, true);
    size_t rows = 0;
    cs_figures_of(s, at->arm, &rows);
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    y += draw_distances(&rest, s, at->arm);
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    y += draw_sites(&rest, s, at->arm);
    y += draw_kept(a, s, at->arm, y);
    y += draw_observed(a, s, at->arm, y);
    rest = cs_area_part(a, 0, y + 1, a->w, a->h - y - 1);
    y += 1 + cs_scalar_table_draw(
                 &rest, s, at->arm,
                 cs_panel_top(at, rows + 1, (size_t)(rest.h > 0 ? rest.h : 0)));
    draw_sentence(a, s, at, y);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    double failed = 0, divergent = 0, odd = 0;
    (void)at;
    double age = cs_panel_age(s, CS_SHOT_ARMS);
    if (age >= 1)
        snprintf(out, size, "R-hat, ESS: %.0f s old", floor(age));
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        failed += cs_shot_number(s, 0, "arm/%zu/failed", i);
        divergent += cs_shot_number(s, 0, "arm/%zu/divergent", i);
        odd += cs_shot_number(s, 0, "arm/%zu/not_finite", i);
    }
    if (failed > 0)
        snprintf(out, size, "%.0f failed", failed);
    else if (divergent > 0)
        snprintf(out, size, "%s divergent", cs_count(divergent).text);
    else if (odd > 0)
        snprintf(out, size, "%s not finite", cs_count(odd).text);
}

const cs_panel_type cs_panel_summary = {
    .name = "summary",
    .title = "summary",
    .help =
        "One column per arm: steps per chain, acceptance rate, the largest "
        "R-hat and the smallest ESS of all scalars (ESS for the mean, from all "
        "steps), and ESS per work of all chains. u chooses the unit of work; "
        "1k ev is a thousand evaluations of the log density, where a gradient, "
        "the differences of all sites and a pass over all rows each count as "
        "one evaluation.\nThe next rows are the distance from the exact "
        "distribution (total variation, or the largest Kolmogorov distance of "
        "a coordinate) with the distance that independent draws would have "
        "(floor), the number of modes found and the work of all chains. For "
        "targets with rows of data, there are also data terms (evaluations of "
        "the term of one row) per step and in total, and passes over the data "
        "per chain.\nCompare arms at equal work. - means that a value is "
        "unknown or undefined; the verdict is explained below.\nBelow are "
        "warnings about the draws of the chosen "
        "arm, then its log density and coordinates, with the worst first if "
        "there are many. R-hat, bulk and tail ESS use thousands of draws per "
        "chain, evenly thinned. For weighted draws, these are replaced by "
        "quantiles and ESS = (sd / MCSE)^2.",
    .options = "page keys scroll",
    .text = true,
    .no_arm = true,
    .draw = draw,
    .caption = caption,
};
