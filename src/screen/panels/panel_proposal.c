/* The preview of the chosen chain's next step, before its decision: formula
 * and factors, the odds at each site of a discrete proposal, the drift and
 * the noise of a move, the data rows drawn, the swaps of a temperature
 * ladder, and the proposals that other step sizes would give. */
#include "screen/canvas/factors.h"
#include "screen/canvas/step_trace_view.h"
#include "screen/panels/panel.h"
#include "screen/parts/turns_view.h"
#include "session/client/preview_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct preview {
    const char *kernel, *scaled, *names;
    /* name of the kernel, if a change by the user precedes the step; else "" */
    const char *changed;
    const cs_decision *step;
    const double *x, *y; /* [dim]; y NULL: no proposal */
    const double *drift, *noise, *carried, *slope; /* [dim]; NULL: not known */
    /* numbers of data rows: drawn, kept, total; NULL: the step draws no rows */
    const double *rows;
    size_t dim;
    const cs_proposal_odds *odds; /* NULL: not known */
    const cs_site_odds *site;
    const cs_other_step *other;
    size_t n_sites, n_others, arm, chain, coordinate;
    cs_step_trace_rows drawn;
    cs_step_trace_swaps swaps;
    double multiplier, coupled, coupled_there;
} preview;

static const double *numbers(const cs_shot *s, const char *key, size_t n)
{
    size_t rows, cols;
    const double *x = cs_shot_array(s, &rows, &cols, "%s", key);
    return x && rows * cols == n ? x : NULL;
}

static bool find(const cs_shot *s, preview *c)
{
    size_t n, rows;
    const cs_row_look *at = cs_shot_look(s);
    *c = (preview){.step =
                       CS_SHOT_ROWS(s, cs_decision, &n, CS_KEY_PREVIEW_STEP)};
    if (!at || !c->step)
        return false;
    c->arm = (size_t)at->arm;
    c->chain = (size_t)at->chain;
    c->coordinate = (size_t)at->coordinate;
    c->changed = cs_shot_text(s, "look/preview/kernel");
    c->kernel =
        *c->changed ? c->changed : cs_shot_text(s, "arm/%zu/kernel", c->arm);
    c->scaled = cs_shot_text(s, "look/preview/scaled");
    c->x = cs_shot_array(s, &rows, &c->dim, "look/preview/x");
    c->y = numbers(s, "look/preview/proposal", c->dim);
    /* true if the displayed state is known */
    bool shown = numbers(s, "look/x", c->dim) != NULL;
    c->names = shown ? cs_shot_text(s, "coordinates") : "";
    c->drift = numbers(s, "look/preview/drift", c->dim);
    c->noise = numbers(s, "look/preview/noise", c->dim);
    c->carried = numbers(s, "look/preview/carried", c->dim);
    c->slope = numbers(s, "look/preview/slope", c->dim);
    c->rows = numbers(s, "look/preview/rows", 3);
    c->odds = CS_SHOT_ROWS(s, cs_proposal_odds, &n, CS_KEY_ODDS);
    c->site = CS_SHOT_ROWS(s, cs_site_odds, &c->n_sites, CS_KEY_SITES);
    c->other = CS_SHOT_ROWS(s, cs_other_step, &c->n_others, CS_KEY_OTHERS);
    c->multiplier = cs_shot_number(s, NAN, "look/preview/multiplier");
    c->drawn.row = CS_SHOT_ROWS(s, cs_row_note, &c->drawn.n, CS_KEY_DRAWN);
    c->drawn.n = c->drawn.row ? c->drawn.n : 0;
    c->drawn.of =
        cs_shot_number(s, (double)c->drawn.n, "look/preview/drawn_of");
    c->swaps = (cs_step_trace_swaps){
        .kernel = c->kernel,
        .chain = c->chain,
        .step = cs_shot_number(s, 0, "look/preview/swap_step"),
        .steps = cs_shot_number(s, 0, "arm/%zu/steps", c->arm),
        .within = cs_shot_number(s, 0, "look/preview/swap_within") != 0};
    c->swaps.swap = CS_SHOT_ROWS(s, cs_swap_note, &c->swaps.n, CS_KEY_SWAPS);
    c->swaps.n = c->swaps.swap ? c->swaps.n : 0;
    const double *coupled = numbers(s, "look/preview/coupled", 2);
    c->coupled = coupled ? coupled[0] : (double)NAN;
    c->coupled_there = coupled ? coupled[1] : (double)NAN;
    return c->x != NULL;
}

static void name_of(const preview *c, size_t k, char *name, size_t size)
{
    if (!cs_shot_word(c->names, k, name, size))
        snprintf(name, size, "x.%zu", k + 1);
}

/* ---- the decision --------------------------------------------------------- */

static int draw_decision(const cs_area *a, const preview *c)
{
    if (cs_has_accept_step(c->kernel))
        return cs_draw_factors(
            a, &(cs_factors){.kernel = c->kernel,
                             .step = c->step,
                             .true_ratio = (double)NAN,
                             .coupled = c->coupled,
                             .coupled_there = c->coupled_there});
    bool moved = c->step->moved != 0;
    int x = cs_print(a, 0, 0, moved ? CS_ROLE_ACCEPT : CS_ROLE_LABEL, "%s",
                     moved ? "\u25B2 moves" : "\u25CB stays");
    x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, ", no accept step");
    cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, "; log p changes by %s",
                 cs_num(c->step->logp_change).text);
    return 1;
}

/* ---- other step sizes ------------------------------------------------------ */

/* Displays one line per other step size: the move that this step size gives with
 * the same random numbers, and the probability that it is accepted. */
static int draw_others(const cs_area *a, const preview *c)
{
    enum { BAR = 41 };
    bool accepts = cs_has_accept_step(c->kernel);
    if (a->h < 2 || a->w < BAR - 10)
        return 0;
    if (!c->other || c->n_others == 0)
        return cs_print_fit(a, 0, 0, a->w, CS_ROLE_FAINT,
                            "no parameter sets the size of the moves") > 0;
    cs_print(a, 0, 0, CS_ROLE_LABEL, "%9s %9s%s", c->scaled, "distance",
             accepts ? "     log a  prob." : "");
    int y = 1;
    for (size_t i = 0; i < c->n_others && y < a->h; i++, y++) {
        const cs_other_step *o = &c->other[i];
        double chance = isnan(o->log_ratio) ? 0 : exp(fmin(o->log_ratio, 0));
        bool taken = c->step->log_uniform < o->log_ratio;
        cs_role role = taken ? CS_ROLE_ACCEPT : CS_ROLE_REJECT;
        cs_print(a, 0, y, o->factor == 1 ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
                 "%9.4g %9.4g", o->value, o->distance);
        if (!accepts)
            continue;
        cs_print(a, 19, y, CS_ROLE_NORMAL, " %9s %6.3f ",
                 cs_nats(o->log_ratio).text, chance);
        cs_print(a, 37, y, role, "%s", taken ? "\u25B2" : "\u25BC");
        int capacity = a->w - BAR, n = (int)(chance * capacity + 0.5);
        for (int k = 0; k < n; k++)
            cs_put(a, BAR - 2 + k, y, role, 0x2588);
    }
    return y;
}

/* ---- sites ------------------------------------------------------------------ */

enum { NAME = 10, FIXED = NAME + 4 + 4 + 8 + 8 + 8 + 9 };

static void draw_site(const cs_area *a, int y, const preview *c,
                      const cs_site_odds *o)
{
    char name[32];
    bool flips = o->now != o->proposed;
    name_of(c, (size_t)o->site, name, sizeof name);
    cs_print(a, 0, y,
             (size_t)o->site == c->coordinate ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
             "%-*.*s", NAME, NAME - 1, name);
    cs_print(a, NAME, y, CS_ROLE_NORMAL, "%3.4g", o->now);
    cs_print(a, NAME + 3, y, flips ? CS_ROLE_REJECT : CS_ROLE_FAINT, "%c%3.4g",
             flips ? '>' : ' ', flips ? o->proposed : o->value);
    cs_print(a, NAME + 7, y, CS_ROLE_VALUE, " %7.4f", o->leaves);
    cs_print(a, NAME + 15, y, CS_ROLE_NORMAL, " %7.4f %7.4f %8s", o->there,
             o->back, cs_num(o->change).text);
    int capacity = a->w - FIXED - 1, n = (int)(o->leaves * capacity + 0.5);
    for (int i = 0; i < n; i++)
        cs_put(a, FIXED + 1 + i, y, flips ? CS_ROLE_REJECT : CS_ROLE_ACCEPT,
               flips ? 0x2593 : 0x2588);
}

/* Draws the number of sites that change, and the column headings. */
static int draw_head(const cs_area *a, const preview *c)
{
    size_t flips = 0;
    for (size_t d = 0; c->y && d < c->dim; d++)
        flips += c->x[d] != c->y[d];
    int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL,
                         "%zu of %zu coordinates change", flips, c->dim);
    if (c->odds->known < c->odds->sites)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FAINT,
                     "; the likeliest %.0f are shown", c->odds->known);
    cs_print(a, 0, 1, CS_ROLE_LABEL, "%-*s  x  to%8s%8s%8s%9s", NAME,
             "coordinate", c->odds->one != 0 ? "drawn" : "changes", "there",
             "back", c->odds->gradient != 0 ? "gradient" : "d log p");
    return 2;
}

static void draw_sites(const cs_area *a, const preview *c,
                       const cs_selection *at)
{
    if (a->h < 3 || a->w < FIXED)
        return;
    int y = draw_head(a, c);
    size_t capacity = cs_panel_fit(a, y, c->n_sites),
           top = cs_panel_top(at, c->n_sites, capacity);
    for (size_t i = top; i < c->n_sites && i - top < capacity; i++)
        draw_site(a, y++, c, &c->site[i]);
}

/* ---- coordinates ------------------------------------------------------------ */

/* A column of the table of coordinates, drawn between the columns x and x'. */
typedef struct part {
    const char *name;
    double (*of)(const preview *c, size_t d);
    bool chance; /* a probability; otherwise a number that may be negative */
    cs_role role;
} part;

static double drift_of(const preview *c, size_t d)
{
    return c->drift[d];
}

static double noise_of(const preview *c, size_t d)
{
    return c->noise[d];
}

static double carried_of(const preview *c, size_t d)
{
    return c->carried[d];
}

static double bare_of(const preview *c, size_t d)
{
    return c->drift[d] / c->multiplier;
}

static double slope_of(const preview *c, size_t d)
{
    return c->slope[d];
}

/* Returns the probability of the noise's sign. */
static double sign_of(const preview *c, size_t d)
{
    return 1 / (1 + exp(-(c->y[d] - c->x[d]) * c->slope[d]));
}

enum { WIDE = 10, PARTS = 4 };

/* Finds the columns for this step that fit in w columns of the screen. */
static size_t parts_of(const preview *c, int w, part *out)
{
    bool moved = c->drift && c->noise, turned = c->slope && c->y;
    bool contour = moved && isfinite(c->multiplier) && c->multiplier != 0;
    size_t n = 0, room = w > NAME ? (size_t)(w - NAME) / WIDE : 0;
    if (moved && c->carried)
        out[n++] = (part){"carried", carried_of, false, CS_ROLE_VALUE};
    if (moved) {
        out[n++] = (part){"drift", drift_of, false, CS_ROLE_VALUE};
        out[n++] = (part){"noise", noise_of, false, CS_ROLE_VALUE};
    }
    if (contour && n + 2 < room)
        out[n++] = (part){"drift/M", bare_of, false, CS_ROLE_LABEL};
    if (turned) {
        out[n++] = (part){"slope g", slope_of, false, CS_ROLE_VALUE};
        out[n++] = (part){"P(sign)", sign_of, true, CS_ROLE_VALUE};
    }
    return n + 2 <= room ? n : 0;
}

/* Displays the state, its displacements and the proposal. */
static void draw_coordinates(const cs_area *a, const preview *c,
                             const cs_selection *at)
{
    part list[PARTS];
    size_t n = parts_of(c, a->w, list);
    if (a->h < 2 || a->w < NAME + 2 * WIDE)
        return;
    int y = 1, x = cs_print(a, 0, 0, CS_ROLE_LABEL, "%-*s%*s", NAME,
                            "coordinate", WIDE, "x");
    for (size_t k = 0; k < n; k++)
        x = cs_print(a, x, 0, CS_ROLE_LABEL, "%*s", WIDE, list[k].name);
    cs_print(a, x, 0, CS_ROLE_LABEL, "%*s", WIDE, "x'");
    size_t capacity = cs_panel_fit(a, 1, c->dim),
           top = cs_panel_top(at, c->dim, capacity);
    for (size_t d = top; d < c->dim && d - top < capacity; d++, y++) {
        char name[32];
        name_of(c, d, name, sizeof name);
        x = cs_print(a, 0, y,
                     d == c->coordinate ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
                     "%-*.*s", NAME, NAME - 1, name);
        x = cs_print(a, x, y, CS_ROLE_NORMAL, "%*.4g", WIDE, c->x[d]);
        for (size_t k = 0; k < n; k++)
            x = cs_print(a, x, y, list[k].role,
                         list[k].chance ? "%10.3f" : "%+10.3g",
                         list[k].of(c, d));
        if (c->y)
            cs_print(a, x, y, CS_ROLE_REJECT, "%*.4g", WIDE, c->y[d]);
    }
}

/* ---- rows of data ----------------------------------------------------------- */

/* Writes "rows drawn 35 of 10,000 (0.35%), kept 12". */
static int draw_rows(const cs_area *a, const preview *c)
{
    if (!c->rows || a->h < 1)
        return 0;
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "rows drawn ");
    x = cs_print(a, x, 0, CS_ROLE_VALUE, "%s", cs_count(c->rows[0]).text);
    x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, " of %s",
                     cs_count(c->rows[2]).text);
    x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FAINT, " (%.3g%%)",
                     100 * c->rows[0] / c->rows[2]);
    if (isfinite(c->rows[1])) {
        x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_VALUE, ", kept %s",
                         cs_count(c->rows[1]).text);
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL,
                     " after thinning: sum of s_i");
    }
    return 1;
}

/* ---- the list below the decision -------------------------------------------- */

enum { BOTH, ROWS, COORDINATES, VARIANTS };

/* Displays the data rows that the step uses. Leaves space for coordinates
 * unless the variant shows only rows. */
static int draw_drawn(const cs_area *a, const preview *c,
                      const cs_selection *at)
{
    unsigned variant = at->variant % VARIANTS;
    cs_step_trace_rows rows = c->drawn;
    if (rows.n == 0 || variant == COORDINATES || a->h < 3)
        return 0;
    int least = c->dim + 2 < (size_t)a->h / 2 ? (int)c->dim + 2 : a->h / 2;
    cs_area top = *a;
    if (variant == BOTH)
        top.h -= least;
    else
        rows.top = cs_panel_top(at, rows.n, (size_t)(a->h - 2));
    return cs_draw_step_trace_rows(&top, &rows);
}

/* Displays the next swaps in at most two thirds of the space, then the data
 * rows, then the coordinates or sites. */
static void draw_parts(const cs_area *a, const preview *c,
                       const cs_selection *at)
{
    cs_area rest = *a;
    int used = 0;
    if (c->swaps.step > 0 && a->h > 1) {
        cs_area top = cs_area_part(a, 0, 0, a->w, a->h > 3 ? a->h * 2 / 3 : 1);
        used = cs_draw_step_trace_swaps(&top, &c->swaps);
        rest = cs_area_part(a, 0, used, a->w, a->h - used);
    }
    int rows = draw_drawn(&rest, c, at);
    rest = cs_area_part(&rest, 0, rows, rest.w, rest.h - rows);
    if (rows > 0 && at->variant % VARIANTS == ROWS)
        return;
    if (c->odds && c->site)
        draw_sites(&rest, c, at);
    else
        draw_coordinates(&rest, c, at);
}

/* ---- the whole panel
 * -------------------------------------------------------- */

static int draw_title(const cs_area *a, const cs_shot *s, const preview *c)
{
    double steps = cs_shot_number(s, 0, "arm/%zu/steps", c->arm);
    int x = cs_print(a, 0, 0, cs_theme_chain(c->chain), "%c chain %zu of %s",
                     cs_theme_glyph(c->chain), c->chain + 1,
                     cs_shot_arm(s, c->arm));
    x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, ", next step %s",
                     cs_count(steps + 1).text);
    if (*c->changed)
        x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_EVENT,
                         ", after the change made here");
    if (isfinite(c->multiplier))
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_VALUE,
                     "; multiplier of the gradient M = %.3g", c->multiplier);
    return 1;
}

static void draw_whole(const cs_area *a, const cs_shot *s, const preview *c,
                       const cs_selection *at)
{
    enum { SIDE = 52, BESIDE = 100 };
    bool beside = a->w >= BESIDE && c->n_others > 0;
    cs_area left = cs_area_part(a, 0, 0, beside ? a->w - SIDE : a->w, a->h);
    int y = draw_title(&left, s, c);
    if (a->h >= 12)
        y += cs_draw_formula(&left, y, c->kernel, false, a->h / 4);
    cs_area rest = cs_area_part(&left, 0, y, left.w, left.h - y);
    y += draw_decision(&rest, c);
    rest = cs_area_part(&left, 0, y, left.w, left.h - y);
    y += draw_rows(&rest, c) + (a->h >= 20);
    if (beside) {
        cs_area right = cs_area_part(a, a->w - SIDE + 2, 1, SIDE - 2, a->h - 1);
        draw_others(&right, c);
    } else if (a->h >= 20) {
        rest = cs_area_part(a, 0, y, a->w, a->h - y);
        int used = draw_others(&rest, c);
        y += used + (used > 0);
    }
    rest = cs_area_part(a, 0, y, left.w, a->h - y);
    draw_parts(&rest, c, at);
}

/* Draws the turns of the members of a cycle or a mixture, and beside or below
 * them the conditional distribution of the chosen coordinate. */
static void draw_members(const cs_area *a, const cs_shot *s,
                         const cs_turns_view *t)
{
    enum { BESIDE = 100, SIDE = 52, LEAST = 5 };
    const cs_row_look *at = cs_shot_look(s);
    const cs_shown_kinds k = cs_shown_find(s, t->arm);
    const preview c = {.arm = t->arm,
                       .chain = (size_t)at->chain,
                       .changed = "",
                       .multiplier = (double)NAN};
    bool beside = t->conditional && a->w >= BESIDE;
    int y = draw_title(a, s, &c);
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    cs_area list =
        cs_area_part(&rest, 0, 0, beside ? rest.w - SIDE : rest.w, rest.h);
    int lines = cs_turns_lines(&k, t);
    bool below = t->conditional && !beside && rest.h - lines >= LEAST;
    y = cs_draw_turns(&list, s, &k, t, (size_t)at->coordinate);
    y += below && rest.h - y > LEAST;
    cs_area plot =
        beside ? cs_area_part(&rest, rest.w - SIDE + 2, 0, SIDE - 2, rest.h)
               : cs_area_part(&rest, 0, y, rest.w, rest.h - y);
    if (beside || below)
        cs_draw_conditional(&plot, &k, t);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    preview c;
    cs_turns_view t;
    if (cs_turns_find(s, &t)) {
        draw_members(a, s, &t);
        return;
    }
    if (find(s, &c)) {
        draw_whole(a, s, &c, at);
        return;
    }
    const char *state = cs_shot_text(s, "run/state");
    if (!cs_shot_look(s))
        cs_panel_empty(a, s, "No chain is displayed.",
                       "Choose one with c or C.");
    else if (*cs_shot_text(s, "run/watched"))
        cs_panel_empty(a, s, "The next step is not known.", "");
    else if (strcmp(state, "running") == 0)
        cs_panel_empty(
            a, s, "The next step is only previewed while the run is paused.",
            "Press space to pause, . to step forward, , to step back.");
    else if (strcmp(state, "done") == 0)
        cs_panel_empty(a, s, "The run is finished, so there is no next step.",
                       "Press , to step back.");
    else
        cs_panel_empty(a, s, "The next step is not known.",
                       "Failed chains, scripted functions and slow steps have "
                       "no preview; press . or c.");
}

const cs_panel_type cs_panel_proposal = {
    .name = "proposal",
    .title = "proposal: preview of the next step",
    .help =
        "Preview of the chosen chain's next step while the run is paused, "
        "computed on a copy of the chain: the formula of the step, the "
        "terms of the log acceptance ratio log a (as in the panel state) and "
        "the result. If the kernel has the parameter step, the panel also "
        "shows log a for the same random numbers at a quarter, half, twice and "
        "four times the step.\nFor a discrete proposal, the table lists the "
        "coordinates that change (>), then the most likely of the other "
        "changes (for a kernel that changes one coordinate, the changes most "
        "likely to be drawn), with the probabilities of the proposed move "
        "and of the reverse move and the change of log p (from the gradient or "
        "exact). For a Langevin step it lists drift, noise and carried "
        "velocity; for a kernel with energy bins, also the drift without the "
        "multiplier M. For a Barker move it lists the gradient and the "
        "probability of the sign of the noise.\nFor a minibatch, the table "
        "lists the rows in the order in which they were drawn, with the bound, "
        "the terms at x and x' (- if not computed), the probability of being "
        "kept and the contribution to log a. For firefly it lists the log "
        "odds of being bright and the rows that switch. For a kernel without "
        "accept step it lists the rows that are used for the gradient at x' in "
        "the following step.\nFor a ladder of temperatures, copies of the "
        "chains are run up to the next exchange, and the table lists the "
        "swaps: temperatures, energies E = -log p of both states, the terms of "
        "log a, the swap probability and the uniform number u.\nFor a cycle or "
        "a "
        "mixture, the panel lists the turns of its members in the next step: "
        "the parameters that a member moves, its decision (u and the "
        "acceptance probability, the trajectory, or the number of draws from "
        "conditional distributions), and the values before, proposed and "
        "after, and at the right its acceptance so far, the best rate of its "
        "kind and its share of the time. The plot is the distribution of the "
        "chosen coordinate given "
        "the others, as in the panel state; n and N choose the "
        "coordinate.\nPress . to make the step and , to undo it; page up and "
        "page down scroll.",
    .options = "v with the rows of data, only the rows, without them",
    .draw = draw,
};
