/* The chosen chain: its coordinates, its proposal, and the factors of its last
 * decision. */
#include "screen/canvas/factors.h"
#include "screen/panels/panel.h"
#include "screen/parts/turns_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct looked {
    const char *kernel;
    const double *x, *y;
    const cs_decision *step; /* NULL: not known */
    /* [4] as in the key look/tree; NULL: the kernel builds no trajectory */
    const double *tree;
    /* [n_from] state before the last step; NULL: not known */
    const double *from;
    size_t n_from;
    /* estimate: the kernel uses an estimate of log p; no_logp: it computes no
     * log p */
    bool estimate, no_logp;
    bool compares; /* the user has requested true acceptance ratios */
    /* acceptance ratio of the last step from the exact log p; NAN: not known */
    double true_ratio;
    size_t dim, arm, chain, coordinate;
    const double *aux,
        *aux_next; /* [dim] an auxiliary variable of the kernel */
    char aux_name[16];
    bool noisy; /* the kernel uses a noisy gradient */
    /* standard deviations of the change of `coordinate` in one step:
     * `gradient` for the noise of the gradient, `injected` for the noise
     * that the kernel adds; NAN: not known */
    double gradient, injected;
} looked;

/* Finds the first auxiliary variable of the kernel that has one number per
 * coordinate. */
static void find_aux(const cs_shot *s, looked *l)
{
    size_t r, c;
    l->aux = cs_shot_array(s, &r, &c, "look/own/0");
    if (!l->aux || r * c != l->dim)
        l->aux = NULL;
    l->aux_next = cs_shot_array(s, &r, &c, "look/own/0/proposal");
    if (!l->aux || (l->aux_next && r * c != l->dim))
        l->aux_next = NULL;
    if (!cs_shot_word(cs_shot_text(s, "look/own"), 0, l->aux_name,
                      sizeof l->aux_name))
        l->aux = NULL;
}

static void find_noise(const cs_shot *s, looked *l)
{
    size_t r, n, k, i = l->coordinate;
    const double *g = cs_shot_array(s, &r, &n, "look/noise/gradient");
    const double *added = cs_shot_array(s, &r, &k, "look/noise/injected");
    l->noisy = g && added && k == n;
    l->gradient = l->injected = (double)NAN;
    if (l->noisy && i < n) {
        l->gradient = sqrt(g[i * n + i]);
        l->injected = sqrt(added[i]);
    }
}

/* Finds the state before the last step. If the proposal was rejected, this
 * is the current state. */
static void find_from(const cs_selection *at, looked *l)
{
    l->from = at->from;
    l->n_from = at->n_from;
    if (l->step && l->step->accepted == 0) {
        l->from = l->x;
        l->n_from = l->dim;
    }
}

static bool find_look(const cs_shot *s, const cs_selection *look, looked *l)
{
    size_t r, c, n;
    const cs_row_look *at = cs_shot_look(s);
    *l = (looked){0};
    if (!at)
        return false;
    l->arm = (size_t)at->arm;
    l->chain = (size_t)at->chain;
    l->coordinate = (size_t)at->coordinate;
    l->x = cs_shot_array(s, &r, &c, "look/x");
    l->dim = r * c;
    l->y = cs_shot_array(s, &r, &n, "look/proposal");
    if (r * n != l->dim)
        l->y = NULL;
    l->step = CS_SHOT_ROWS(s, cs_decision, &n, CS_KEY_STEP);
    const char *logp = cs_shot_text(s, "look/logp");
    l->estimate = strcmp(logp, "estimate") == 0;
    l->no_logp = strcmp(logp, "none") == 0;
    l->compares = cs_shot_number(s, 0, "look/compares") != 0;
    const cs_ratio *ratio = CS_SHOT_ROWS(s, cs_ratio, &n, CS_KEY_RATIOS);
    double steps = cs_shot_number(s, NAN, "arm/%zu/steps", l->arm);
    bool last = ratio && n > 0 && ratio[n - 1].step == steps;
    l->true_ratio = last ? ratio[n - 1].truth : (double)NAN;
    l->tree = cs_shot_array(s, &r, &n, "look/tree");
    if (n != 4)
        l->tree = NULL;
    find_aux(s, l);
    find_noise(s, l);
    find_from(look, l);
    l->kernel = cs_shot_text(s, "arm/%zu/kernel", l->arm);
    return l->x != NULL;
}

/* For a kernel without an accept step, displays the outcome of the step and
 * the share of noise in it. */
static int draw_noise(const cs_area *a, const looked *l)
{
    cs_role role;
    const char *verdict = cs_outcome(l->step, false, &role);
    int x = cs_print(a, 0, 0, role, "%s", verdict);
    cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, ", no accept step");
    if (a->h < 2 || !isfinite(l->gradient))
        return 1;
    x = cs_print_fit(a, 0, 1, a->w, CS_ROLE_LABEL,
                     "noise of the gradient %.3g, added %.3g (sd per step)",
                     l->gradient, l->injected);
    if (x == 0)
        cs_print_cut(a, 0, 1, a->w, CS_ROLE_LABEL, "noise %.3g, added %.3g",
                     l->gradient, l->injected);
    return 2;
}

/* For a kernel that selects a point of a trajectory, displays the step. */
static int draw_tree(const cs_area *a, const looked *l)
{
    const double *t = l->tree;
    bool moved = l->step->moved != 0;
    cs_draw_factor(a, 0, "change of log p", l->step->logp_change);
    int x = cs_print(a, 0, 1, moved ? CS_ROLE_ACCEPT : CS_ROLE_REJECT, "%s",
                     moved ? "\u25B2 moved" : "\u25CB same point");
    int end = cs_print_fit(a, x, 1, a->w - x, CS_ROLE_LABEL,
                           ", drawn from %s points of %.0f doublings",
                           cs_count(t[1] + 1).text, t[0]);
    if (end == x)
        cs_print_fit(a, x, 1, a->w - x, CS_ROLE_LABEL, " of %s points",
                     cs_count(t[1] + 1).text);
    cs_print_cut(a, 0, 2, a->w, t[2] != 0 ? CS_ROLE_WARN : CS_ROLE_LABEL,
                 t[2] != 0 ? "diverged; mean acceptance %.3g"
                           : "mean acceptance %.3g",
                 t[3]);
    return 3;
}

/* Returns the heading of the first column: log p, or the prior, which is exact
 * when the likelihood is estimated. */
static const char *first_column(const cs_shot *s, bool estimates)
{
    bool estimate = !strcmp(cs_shot_text(s, "look/logp"), "estimate");
    return estimates ? "prior" : estimate ? "est log p" : "log p";
}

/* Displays the last decision of every chain of the arm, one per line. A kernel
 * without an accept step has no ratios. */
static void draw_decisions(const cs_area *a, const cs_shot *s, size_t chosen,
                           bool accepts)
{
    size_t chains;
    const cs_decision *all =
        CS_SHOT_ROWS(s, cs_decision, &chains, CS_KEY_STEPS);
    if (!all || a->h < 3)
        return;
    bool estimates = chains > 0 && all[0].estimates != 0;
    int head = cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%-5s %9s %9s",
                            "chain", first_column(s, estimates),
                            estimates ? "estimate" : "change");
    if (accepts)
        cs_print_cut(a, head, 0, a->w - head, CS_ROLE_LABEL, " %9s %9s %7s",
                     "q ratio", "log ratio", "u");
    size_t capacity = cs_panel_fit(a, 1, chains);
    size_t first = chosen >= capacity ? chosen + 1 - capacity : 0;
    for (size_t i = 0; i < capacity && first + i < chains; i++) {
        size_t k = first + i;
        const cs_decision *d = &all[k];
        cs_role role;
        const char *verdict = cs_outcome(d, accepts, &role);
        int y = (int)i + 1;
        int x = cs_print(a, 0, y, cs_theme_chain(k), "%c%-4zu",
                         cs_theme_glyph(k), k + 1);
        if (d->failed_at > 0)
            cs_print_cut(a, x, y, a->w - x, CS_ROLE_ERROR,
                         " %9s stopped at step %s", cs_num(d->logp).text,
                         cs_count(d->failed_at).text);
        else
            x = cs_print(a, x, y, CS_ROLE_NORMAL, " %9s %9s ",
                         cs_num(estimates ? d->logp_change : d->logp).text,
                         cs_nats(estimates ? d->log_aux : d->logp_change).text);
        if (d->failed_at == 0 && accepts)
            x = cs_print(a, x, y, CS_ROLE_NORMAL, "%9s %9s %7.3f ",
                         cs_nats(d->log_q_back - d->log_q_forward).text,
                         cs_nats(d->log_ratio).text, exp(d->log_uniform));
        if (d->failed_at == 0)
            cs_print_cut(a, x, y, a->w - x, role, "%s", verdict);
        if (k == chosen)
            cs_attribute(a, 0, y, a->w, CS_BOLD);
    }
}

static bool whole_bits(const looked *l)
{
    for (size_t i = 0; i < l->dim; i++)
        if (l->x[i] != 0 && l->x[i] != 1)
            return false;
    return l->dim > 4;
}

/* Returns the number of bits per row: if the sites form a square that fits,
 * the side of the square. */
static size_t row_of_bits(const looked *l, int width)
{
    size_t side = (size_t)(sqrt((double)l->dim) + 0.5);
    if (side * side == l->dim && side >= 3 && (int)side <= width)
        return side;
    return (size_t)(width > 0 ? width : 1);
}

/* Returns the size of one site, in lines, in a square of sites drawn in `w`
 * x `h` cells (a site has two columns per line); 0: one column per site. */
static int size_of_site(size_t side, int w, int h)
{
    int zoom = w / (2 * (int)side), down = h / (int)side;
    return zoom > 1 && down < zoom ? down > 1 ? down : 1 : zoom;
}

/* Draws site i of a picture with `row` sites per row. */
static void draw_site(const cs_area *a, size_t i, size_t row, int zoom,
                      cs_role role, unsigned code, bool chosen)
{
    int wide = zoom ? 2 * zoom : 1, high = zoom ? zoom : 1;
    int x = (int)(i % row) * wide, y = (int)(i / row) * high;
    for (int k = 0; k < wide * high; k++)
        cs_put(a, x + k % wide, y + k / wide, role, code);
    for (int k = 0; chosen && k < high; k++)
        cs_attribute(a, x, y + k, wide, CS_REVERSE);
}

static void draw_bits(const cs_area *a, const looked *l, size_t row, int zoom)
{
    for (size_t i = 0; i < l->dim; i++) {
        bool on = l->x[i] != 0, flips = l->y && l->y[i] != l->x[i];
        draw_site(a, i, row, zoom, flips ? CS_ROLE_REJECT : CS_ROLE_ACCEPT,
                  on      ? flips ? 0x2593 : 0x2588
                  : flips ? 0x2591
                          : 0xB7,
                  i == l->coordinate);
    }
}

/* Draws the auxiliary variable as a picture; a fuller cell means a value
 * closer to 1. */
static void draw_shades(const cs_area *a, const looked *l, size_t row, int zoom)
{
    static const unsigned shade[] = {0xB7, 0x2591, 0x2592, 0x2593, 0x2588};
    cs_area body = cs_area_part(a, 0, 1, a->w, a->h - 1);
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", l->aux_name);
    for (size_t i = 0; i < l->dim; i++) {
        double level = fmin(fmax(l->aux[i], 0), 1);
        if (isfinite(l->aux[i]))
            draw_site(&body, i, row, zoom, CS_ROLE_VALUE,
                      shade[(int)(level * 4 + 0.5)], i == l->coordinate);
    }
}

/* Draws the bits, with an auxiliary variable on the right, or below if the area
 * is narrow. */
static void draw_pictures(const cs_area *a, const looked *l)
{
    size_t row = row_of_bits(l, a->w);
    /* showing all bits is more important than a square */
    if ((int)(l->dim / row) > a->h && a->w > 0)
        row = (size_t)a->w;
    bool square = row * row == l->dim;
    int rows = (int)((l->dim + row - 1) / row);
    int zoom = square ? size_of_site(row, a->w, a->h) : 0;
    if (!l->aux) {
        draw_bits(a, l, row, zoom);
        return;
    }
    bool beside = square && 2 * (int)row + 2 <= a->w;
    if (beside)
        zoom = size_of_site(row, a->w / 2 - 1, a->h - 1);
    int w = (int)row * (zoom ? 2 * zoom : 1), h = rows * (zoom ? zoom : 1);
    cs_area left = cs_area_part(a, 0, beside, beside ? w : a->w, a->h - beside);
    cs_area right = beside ? cs_area_part(a, w + 2, 0, a->w - w - 2, a->h)
                           : cs_area_part(a, 0, h, a->w, a->h - h);
    if (beside)
        cs_print_cut(a, 0, 0, w, CS_ROLE_LABEL, "x");
    draw_bits(&left, l, row, zoom);
    draw_shades(&right, l, row, zoom);
}

/* COLUMNS: maximum number of columns of numbers (previous state, proposal,
 * current state, an auxiliary variable and its proposal). NAMES: width of
 * the names. */
enum { COLUMNS = 5, NAMES = 10 };
typedef struct columns {
    const double *of[COLUMNS];
    const char *name[COLUMNS];
    size_t known[COLUMNS]; /* number of known values in each column */
    int n, width;
} columns;

static void add_column(columns *c, const char *name, const double *of, size_t n)
{
    if (!of)
        return;
    c->of[c->n] = of;
    c->known[c->n] = n;
    c->name[c->n++] = name;
}

/* Chooses the columns that fit; the kernel's own variable is a detail. All
 * columns have the same width. */
static columns choose_columns(const looked *l, int capacity, bool detail)
{
    enum { LEAST = 8, MOST = 11 };
    columns c = {.n = 0};
    if (l->y) {
        add_column(&c, "from", l->from, l->n_from);
        add_column(&c, "proposed", l->y, l->dim);
    }
    add_column(&c, "now", l->x, l->dim);
    if (detail)
        add_column(&c, l->aux_name, l->aux, l->dim);
    if (l->aux && detail)
        add_column(&c, "proposed", l->aux_next, l->dim);
    while (c.n > 1 && capacity / c.n - 1 < LEAST)
        c.n--;
    c.width = capacity / c.n - 1 < MOST ? capacity / c.n - 1 : MOST;
    return c;
}

/* Returns the role of a number; a proposed value that equals the previous one
 * is faint. */
static cs_role role_of(const looked *l, const columns *c, int i, size_t k)
{
    if (c->of[i] == l->x || c->of[i] == l->from)
        return c->of[i] == l->from && i == 0 && c->n > 1 ? CS_ROLE_LABEL
               : k == l->coordinate                      ? CS_ROLE_FOCUS
                                                         : CS_ROLE_NORMAL;
    if (c->of[i] == l->aux)
        return CS_ROLE_VALUE;
    const double *was = c->of[i] == l->y ? l->from : l->aux;
    bool same = was && k < (was == l->from ? l->n_from : l->dim) &&
                c->of[i][k] == was[k];
    return same ? CS_ROLE_FAINT : CS_ROLE_REJECT;
}

/* Draws coordinates from `first` on, one per line, under a heading. */
static void draw_list(const cs_area *a, const cs_shot *s, const looked *l,
                      size_t first, bool detail)
{
    const char *names = cs_shot_text(s, "coordinates");
    columns c = choose_columns(l, a->w - NAMES, detail);
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "%-*s", NAMES, "coordinate");
    for (int i = 0; i < c.n; i++)
        x = cs_print(a, x, 0, CS_ROLE_LABEL, " %*.*s", c.width, c.width,
                     c.name[i]);
    for (int y = 1; y < a->h && first + (size_t)y - 1 < l->dim; y++) {
        char name[32];
        size_t k = first + (size_t)y - 1;
        if (!cs_shot_word(names, k, name, sizeof name))
            snprintf(name, sizeof name, "x.%zu", k + 1);
        x = cs_print(a, 0, y,
                     k == l->coordinate ? CS_ROLE_FOCUS : CS_ROLE_NORMAL,
                     "%-*.*s", NAMES, NAMES, name);
        for (int j = 0; j < c.n; j++)
            x = k < c.known[j]
                    ? cs_print(a, x, y, role_of(l, &c, j, k), " %*.*g", c.width,
                               c.width < 11 ? 3 : 5, c.of[j][k])
                    : x + 1 + c.width;
    }
}

/* Draws the coordinates in several lists side by side, if needed and if they
 * fit. The chosen coordinate is always included. */
static void draw_numbers(const cs_area *a, const cs_shot *s, const looked *l,
                         bool detail)
{
    enum { LIST = NAMES + 3 * 12 + 3, FEW = 3 };
    size_t each = a->h > 1 ? (size_t)a->h - 1 : 1;
    if (!detail && l->dim > FEW - 1)
        each = each < FEW ? each : FEW;
    size_t most = a->w > LIST ? (size_t)(a->w / LIST) : 1;
    size_t n = (l->dim + each - 1) / each;
    n = n < most ? n : most;
    cs_area list = cs_area_part(a, 0, 0, a->w, (int)each + 1);
    if (n * each < l->dim && each > 2) { /* a line for "12 more" */
        list.h--;
        each--;
        cs_print_cut(a, 0, list.h, a->w, CS_ROLE_LABEL, "%s more",
                     cs_count((double)(l->dim - n * each)).text);
    }
    size_t capacity = n * each;
    size_t first = l->coordinate >= capacity ? l->coordinate + 1 - capacity : 0;
    for (size_t i = 0; i < n; i++) {
        int x = n > 1 ? (int)i * LIST : 0;
        cs_area part =
            cs_area_part(&list, x, 0, n > 1 ? LIST - 3 : a->w, list.h);
        draw_list(&part, s, l, first + i * each, detail);
    }
}

/* Displays one line about the kernel's substitute for log p. */
static int draw_logp(const cs_area *a, int y, const cs_shot *s, const looked *l)
{
    double truth = cs_shot_number(s, NAN, "look/true_logp");
    bool none = l->no_logp;
    if ((!none && !l->estimate) || a->h < 6)
        return 0;
    int x = cs_print(a, 0, y, CS_ROLE_LABEL, "log p ");
    if (!isnan(truth))
        x = cs_print(a, x, y, CS_ROLE_FOCUS, "%s", cs_num(truth).text);
    else if (none)
        x = cs_print(a, x, y, CS_ROLE_LABEL, "not computed");
    if (!none && l->step)
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%s%s",
                     isnan(truth) ? "" : ", estimate ",
                     cs_num(l->step->logp).text);
    bool ratios = l->step && l->step->estimates != 0;
    if (ratios)
        cs_print_cut(a, x, y, a->w - x, CS_ROLE_FAINT, "; l: true ratios %s",
                     l->compares ? "on" : "too");
    else if (isnan(truth))
        cs_print_cut(a, x, y, a->w - x, CS_ROLE_FAINT, "%s; l evaluates it",
                     none ? "" : ", estimate");
    return 1;
}

/* Displays the last step. If `whole` is true, displays all terms of the
 * acceptance ratio and, if it fits, the step's formula above them. */
static int draw_whole_step(const cs_area *a, const looked *l, bool whole)
{
    if (l->tree && a->h >= 3)
        return draw_tree(a, l);
    int y = whole && a->h >= 14 ? cs_draw_formula(a, 0, l->kernel, a->h < 28, 3)
                                : 0;
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    return y + cs_draw_factors(&rest,
                               &(cs_factors){l->kernel, l->step, l->estimate,
                                             l->no_logp, l->true_ratio,
                                             (double)NAN, (double)NAN, !whole});
}

/* Returns true if this step moves other members of the chain's ensemble, so
 * that the chain itself has no proposal. */
static bool rests(const looked *l)
{
    for (size_t i = 0; l->y && i < l->dim; i++)
        if (!isnan(l->y[i]))
            return false;
    return l->y && l->step->logp_proposal == -HUGE_VAL;
}

/* Displays the last step from line y on. Returns the number of lines used. */
static int draw_step(const cs_area *a, int y, const looked *l, bool whole)
{
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    cs_role role;
    bool accepts = cs_has_accept_step(l->kernel);
    if (!l->step || (!l->y && accepts))
        return 0;
    if (rests(l)) {
        cs_print_cut(&rest, 0, 0, a->w, CS_ROLE_LABEL,
                     "\u25CB rests: no proposal in this step");
        return 1;
    }
    if (l->noisy)
        return a->h < 3 ? 0 : draw_noise(&rest, l);
    if (a->h >= 10)
        return draw_whole_step(&rest, l, whole);
    if (a->h < 3)
        return 0;
    const char *verdict = cs_outcome(l->step, accepts, &role);
    int x = cs_print_cut(&rest, 0, 0, a->w, role, "%s", verdict);
    if (accepts)
        cs_print_cut(&rest, x, 0, a->w - x, role, "  log ratio %s",
                     cs_nats(l->step->log_ratio).text);
    return 1;
}

/* ---- by parameter --------------------------------------------------------- */

/* Displays the change of log p in the last step of a composed kernel or, in slow
 * motion, the turn that was made last. */
static int draw_turn(const cs_area *a, int y, const cs_shot *s, const looked *l,
                     const cs_turns_view *t)
{
    char member[160];
    if (t->slow && t->note) {
        int x = cs_print(a, 0, y, CS_ROLE_LABEL, "next step, turn %zu of %zu",
                         t->made, t->n);
        if (t->made > 0) {
            cs_turn_member(s, t, t->made - 1, member, sizeof member);
            cs_print_fit(a, x, y, a->w - x, CS_ROLE_FOCUS, ": %s", member);
        }
        return 1;
    }
    if (!l->step || l->step->failed_at > 0)
        return 0;
    cs_role role;
    const char *verdict = cs_outcome(l->step, false, &role);
    int x = cs_print(a, 0, y, role, "%s", verdict);
    cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", log p %s, change %s",
                 cs_num(l->step->logp).text,
                 cs_nats(l->step->logp_change).text);
    return 1;
}

/* Returns the state to display: in slow motion, that after the last turn. */
static cs_shown_state state_of(const looked *l, const cs_turns_view *t)
{
    cs_shown_state out = {.x = l->x,
                          .n = l->dim,
                          .from = l->from,
                          .n_from = l->from ? l->n_from : 0,
                          .chosen = l->coordinate};
    if (!t->note || t->made == 0 || t->shown != l->dim)
        return out;
    out.x = t->after + (t->made - 1) * t->shown;
    out.from = t->before + (t->made - 1) * t->shown;
    out.n_from = t->shown;
    return out;
}

/* Draws the parameters by name and kind, and below them (beside them in a wide
 * area) the conditional distribution of the chosen coordinate. */
static void draw_parts(const cs_area *a, const cs_shot *s, const looked *l,
                       bool decisions)
{
    enum { BESIDE = 110, LEAST = 7 };
    cs_turns_view t;
    cs_turns_find(s, &t);
    const cs_shown_kinds k = cs_shown_find(s, l->arm);
    const cs_shown_state x = state_of(l, &t);
    bool composed = t.moved_by != NULL;
    int y = composed ? draw_turn(a, 0, s, l, &t) : draw_step(a, 0, l, false);
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    bool beside = t.conditional && a->w >= BESIDE;
    cs_area list =
        cs_area_part(&rest, 0, 0, beside ? rest.w / 2 : rest.w, rest.h);
    int lines = cs_shown_lines(&k, &x, list.w);
    if (t.conditional && !beside && rest.h - lines < LEAST &&
        rest.h > 2 * LEAST)
        list.h = rest.h - LEAST;
    size_t chains = cs_shot_chains(s, l->arm);
    y = cs_draw_shown(&list, &k, &x) + 1;
    cs_area below = beside ? cs_area_part(&rest, rest.w / 2 + 2, 0,
                                          rest.w - rest.w / 2 - 2, rest.h)
                           : cs_area_part(&rest, 0, y, rest.w, rest.h - y);
    int plot = cs_draw_conditional(&below, &k, &t);
    y = beside ? (y > plot + 1 ? y : plot + 1) : y + plot + (plot > 0);
    cs_area table = cs_area_part(&rest, 0, y, rest.w, rest.h - y);
    if (decisions && table.h > (int)chains)
        draw_decisions(&table, s, l->chain, false);
}

/* Returns the number of lines of the table of decisions, at most `most`; 0:
 * no table. For a state of bits, leaves the minimum number of lines for its
 * picture. */
static int lines_of_table(const looked *l, const cs_area *a, size_t rows,
                          int most)
{
    int h = rows + 1 < (size_t)most ? (int)rows + 1 : most;
    size_t row = row_of_bits(l, a->w);
    int picture = (int)((l->dim + row - 1) / row) + (l->aux != NULL);
    int spare = a->h - 1 - picture;
    if (whole_bits(l) && picture <= a->h && spare < h)
        h = spare;
    return h >= 3 ? h : 0;
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    looked l;
    if (!find_look(s, at, &l)) {
        cs_panel_empty(a, s, "No chain is displayed.",
                       "Choose one with c or C.");
        return;
    }
    bool named = cs_shot_arms(s) > 1;
    int x =
        cs_print(a, 0, 0, cs_theme_chain(l.chain),
                 named ? "%c chain %zu of %s" : "%c chain %zu",
                 cs_theme_glyph(l.chain), l.chain + 1, cs_shot_arm(s, l.arm));
    double steps = cs_shot_number(s, 0, "arm/%zu/steps", l.arm);
    double failed = l.step ? l.step->failed_at : 0;
    cs_print_cut(a, x, 0, a->w - x, CS_ROLE_LABEL, ", step %s",
                 cs_count(failed > 0 ? failed : steps).text);
    int used = 1;
    if (failed > 0)
        used += cs_print_wrapped(a, 0, 1, CS_ROLE_ERROR,
                                 cs_shot_text(s, "look/fault"));
    if (cs_shown_by_part(s, l.arm)) {
        cs_area parts = cs_area_part(a, 0, used, a->w, a->h - used);
        draw_parts(&parts, s, &l, at->variant % 2 == 0);
        return;
    }
    used += draw_logp(a, used, s, &l);
    bool whole = at->detail || cs_shot_arms(s) == 1 ||
                 cs_shot_number(s, 0, "run/slow") > 0;
    used += draw_step(a, used, &l, whole);
    cs_area rest = cs_area_part(a, 0, used, a->w, a->h - used);
    size_t rows;
    if (at->variant % 2 == 0 && a->w >= 64 && a->h >= 16 &&
        CS_SHOT_ROWS(s, cs_decision, &rows, CS_KEY_STEPS)) {
        int h = lines_of_table(&l, &rest, rows, a->h / 3);
        cs_area table = cs_area_part(&rest, 0, rest.h - h, rest.w, h);
        draw_decisions(&table, s, l.chain, cs_has_accept_step(l.kernel));
        rest.h -= h > 0 ? h + 1 : 0;
    }
    if (whole_bits(&l))
        draw_pictures(&rest, &l);
    else
        draw_numbers(&rest, s, &l, at->detail);
}

const cs_panel_type cs_panel_state = {
    .name = "state",
    .title = "state and last step",
    .help =
        "The chosen chain: the formula of the kernel (if there is enough "
        "space), then the terms of the last step in nats, which are the "
        "change of log p, the log densities of proposing the move and the "
        "reverse move, and their sum log a. A term between ~ cannot be "
        "computed, but cancels. The proposal is accepted if the uniform number "
        "u is below exp(log a).\nFor hmc, the panel shows the kinetic energy K "
        "before and after the trajectory and the change of H = K - log p. For "
        "a kernel that estimates the acceptance ratio from rows of data, it "
        "shows the change of the log prior and the estimate of the other "
        "terms. For a kernel with a noisy gradient, it shows how far the "
        "noise of the gradient, and the added noise, move the chosen "
        "coordinate per step.\nl switches on the true ratio or, if the kernel "
        "only estimates log p or does not compute it, log p of the state. This "
        "is not counted as work of the arm and does not change the "
        "draws.\nBelow are the previous state (known after one single step), "
        "the proposal, the current state and the kernel's own variable "
        "(theta_a). Bits that the proposal would flip are displayed at half "
        "height, and an arrow marks a bar that is cut off. A large panel also "
        "lists the last decision of every chain.\nFor parameters of several "
        "kinds, or a cycle or mixture of kernels, the panel lists each "
        "parameter with its kind and value: labels and integers as the script "
        "counts them, bits as a row of 0 and 1. The bar is the range from 5 to "
        "95 % of the draws, and the dot the present value. While paused or in "
        "slow motion, the plot is the distribution of the chosen coordinate "
        "given the others, just before its member moves it in the next step: "
        "the circle is the value before, the triangle the value after. Slow "
        "motion shows one turn of a member at a time.\nPause and press . to "
        "make a "
        "step; c and C choose the chain, n and N the coordinate.",
    .options = "v with the other chains' decisions, without",
    .draw = draw,
};
