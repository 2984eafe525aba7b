/* Results of an arm that learns a model: energies of data and chains, log
 * likelihoods, filters. */
#include "run/summary/learned_figures.h"
#include "screen/canvas/tiling.h"
#include "screen/panels/panel.h"

#include "learn/divergence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALL, ENERGIES, LIKELIHOODS, FILTERS, OPTIONS };
enum { MOST = 512, PLOT = 6 /* number of lines of a plot */ };

typedef struct learned {
    double update, updates;
    const cs_learned_row *way;
    const cs_judgement *judged;
    const char *filters; /* [n][dim] levels */
    size_t n_way, n_judged, n_filters, dim, cols;
    double independent;
} learned;

static bool is_learning(const cs_shot *s, size_t arm)
{
    return cs_shot_number(s, 0, "arm/%zu/learn/updates", arm) > 0;
}

static bool find(const cs_shot *s, size_t arm, learned *o)
{
    if (!is_learning(s, arm))
        return false;
    o->update = cs_shot_number(s, 0, "arm/%zu/learn/update", arm);
    o->updates = cs_shot_number(s, 0, "arm/%zu/learn/updates", arm);
    o->way =
        CS_SHOT_ROWS(s, cs_learned_row, &o->n_way, "arm/%zu/learn/way", arm);
    o->n_way = o->n_way < MOST ? o->n_way : MOST;
    o->judged = CS_SHOT_ROWS(s, cs_judgement, &o->n_judged,
                             "arm/%zu/learn/judged", arm);
    o->n_judged = o->n_judged < MOST ? o->n_judged : MOST;
    o->independent =
        cs_shot_number(s, (double)NAN, "arm/%zu/learn/independent", arm);
    o->filters = cs_shot_text(s, "arm/%zu/learn/filters", arm);
    o->n_filters = cs_shot_whole(
        cs_shot_number(s, 0, "arm/%zu/learn/filters_n", arm), CS_FILTERS);
    o->cols = cs_shot_whole(
        cs_shot_number(s, 0, "arm/%zu/learn/filters_cols", arm), 1 << 16);
    size_t all = strlen(o->filters);
    o->dim = o->n_filters ? all / o->n_filters : 0;
    if (!o->cols || !o->dim || o->dim * o->n_filters != all)
        o->n_filters = 0;
    return true;
}

/* ---- curves -------------------------------------------------------------- */

/* The values y[n] of a curve. Dashes and, where a cell has one dot, a mark
 * identify the curve without colour. */
typedef struct curve {
    const double *y;
    cs_role role;
    char mark;
    bool dashed;
} curve;

typedef struct sign {
    char text[4];
} sign;

/* Returns the sign that is written before the name of a curve. */
static sign sign_of(const cs_area *a, bool dashed, size_t arm)
{
    if (a->canvas->glyphs != CS_ASCII)
        return dashed ? (sign){"\u254C"} : (sign){"\u2500"};
    return (sign){{dashed ? '.' : cs_theme_glyph(arm)}};
}

static void draw_curves(const cs_area *a, const double *x, size_t n,
                        const curve *list, size_t curves, double line)
{
    double low = HUGE_VAL, high = -HUGE_VAL, l, h;
    for (size_t k = 0; k < curves; k++)
        if (cs_range(list[k].y, n, &l, &h)) {
            low = fmin(low, l);
            high = fmax(high, h);
        }
    if (isfinite(line))
        cs_widen(&low, &high, line);
    if (!(low <= high) || n < 1)
        return;
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 1);
    cs_area axis = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_area field = cs_plot_axis(&top, low, high);
    double aside = n < 2; /* a single value is drawn in the middle */
    cs_plot p = cs_plot_make(&field, x[0] - aside, x[n - 1] + aside, low, high);
    cs_plot_level(&p, line, CS_ROLE_TRUTH, 0x2504, 1);
    for (size_t k = 0; k < curves; k++) {
        p.dashed = list[k].dashed && a->canvas->glyphs != CS_ASCII;
        cs_plot_curve(&p, x, list[k].y, n, list[k].role, list[k].mark);
    }
    cs_plot_axis_x(&axis, &p, "update");
}

static void draw_energies(const cs_area *a, const learned *o, size_t arm)
{
    double x[MOST], data[MOST], chains[MOST];
    for (size_t i = 0; i < o->n_way; i++) {
        x[i] = o->way[i].update;
        data[i] = o->way[i].data;
        chains[i] = o->way[i].chains;
    }
    if (o->n_way == 0) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT, "no update yet");
        return;
    }
    const cs_learned_row *now = &o->way[o->n_way - 1];
    int at = cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "energy (nats): ");
    at = cs_print_fit(a, at, 0, a->w - at, CS_ROLE_VALUE, "%s data %s",
                      sign_of(a, true, arm).text, cs_num(now->data).text);
    cs_print_fit(a, at, 0, a->w - at, cs_theme_chain(arm), ", %s chains %s",
                 sign_of(a, false, arm).text, cs_num(now->chains).text);
    const curve list[] = {
        {data, CS_ROLE_VALUE, '.', true},
        {chains, cs_theme_chain(arm), cs_theme_glyph(arm), false}};
    cs_area plot = cs_area_part(a, 0, 1, a->w, a->h - 1);
    if (plot.h > 2)
        draw_curves(&plot, x, o->n_way, list, 2, (double)NAN);
}

/* ---- likelihoods --------------------------------------------------------- */

/* A pen that writes the parts of a sentence: each part on the current line if
 * the part fits, otherwise on the next line. */
typedef struct pen {
    const cs_area *a;
    int x, y, lines; /* number of lines available */
} pen;

static void say(pen *p, cs_role role, const char *text)
{
    int x = cs_print_fit(p->a, p->x, p->y, p->a->w - p->x, role, "%s", text);
    if (x == p->x && p->x > 0 && p->y + 1 < p->lines) {
        text += strspn(text, ":, ");
        p->y++;
        x = cs_print_fit(p->a, 0, p->y, p->a->w, role, "%s", text);
    }
    p->x = x;
}

/* Writes the likelihoods. Returns the number of lines used. */
static int likelihood_words(const cs_area *a, const learned *o,
                            const cs_shot *s, size_t arm)
{
    const cs_judgement *j = &o->judged[o->n_judged - 1];
    double runs = cs_shot_number(s, 0, "arm/%zu/learn/runs", arm);
    pen p = {.a = a, .lines = a->h > 2 ? a->h - 1 : 1};
    char text[96];
    bool both = isfinite(j->test);
    say(&p, CS_ROLE_LABEL, "log p per row (nats): ");
    if (both) {
        snprintf(text, sizeof text, "%s test %s +- %s",
                 sign_of(a, true, arm).text, cs_num(j->test).text,
                 cs_num(j->test_error).text);
        say(&p, CS_ROLE_VALUE, text);
    }
    snprintf(text, sizeof text, "%s%s data %s +- %s", both ? ", " : "",
             sign_of(a, false, arm).text, cs_num(j->train).text,
             cs_num(j->train_error).text);
    say(&p, cs_theme_chain(arm), text);
    if (isfinite(o->independent)) {
        snprintf(text, sizeof text, ", independent bits %s",
                 cs_num(o->independent).text);
        say(&p, CS_ROLE_TRUTH, text);
    }
    bool few = j->kish < 10;
    if (a->h > 1) {
        p = (pen){.a = a, .y = p.y + 1, .lines = a->h};
        snprintf(text, sizeof text, "log Z %s +- %s", cs_num(j->log_z).text,
                 cs_num(j->error).text);
        say(&p, few ? CS_ROLE_WARN : CS_ROLE_FAINT, text);
        snprintf(text, sizeof text, ", from %.0f runs, ESS %.1f", runs,
                 j->kish);
        say(&p, few ? CS_ROLE_WARN : CS_ROLE_FAINT, text);
        if (few)
            say(&p, CS_ROLE_WARN, ": too few for the error");
    }
    return p.y + 1;
}

static void draw_likelihoods(const cs_area *a, const learned *o,
                             const cs_shot *s, size_t arm)
{
    double x[MOST], test[MOST], train[MOST];
    if (o->n_judged == 0) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT,
                     cs_shot_number(s, 0, "arm/%zu/learn/runs", arm) > 0
                         ? "log p: not evaluated yet"
                         : "log p is not evaluated (add judge = { ... })");
        return;
    }
    for (size_t i = 0; i < o->n_judged; i++) {
        x[i] = o->judged[i].update;
        test[i] = o->judged[i].test;
        train[i] = o->judged[i].train;
    }
    int words = likelihood_words(a, o, s, arm);
    const curve list[] = {
        {test, CS_ROLE_VALUE, '.', true},
        {train, cs_theme_chain(arm), cs_theme_glyph(arm), false}};
    cs_area plot = cs_area_part(a, 0, words, a->w, a->h - words);
    if (plot.h > 2)
        draw_curves(&plot, x, o->n_judged, list, 2, o->independent);
}

/* ---- filters ------------------------------------------------------------- */

static void draw_filters(const cs_area *a, const learned *o)
{
    if (!o->n_filters) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT, "this model has no filters");
        return;
    }
    cs_pixels p = {.n = o->dim,
                   .cols = o->cols,
                   .rows = (o->dim + o->cols - 1) / o->cols,
                   .layers = 1,
                   .most = CS_FILTER_LEVELS - 1,
                   .palette = CS_PALETTE_SIDES};
    cs_tiling f = cs_tiling_make(a, &p, o->n_filters);
    for (size_t i = 0; i < f.n && i < o->n_filters; i++) {
        int x = (int)(i % f.across) * (f.w + CS_TILE_GAP);
        int y = (int)(i / f.across) * f.h;
        cs_area tile = cs_area_part(a, x, y + 1, f.w, f.h - 1);
        p.level = (const unsigned char *)o->filters + i * o->dim;
        cs_print_cut(a, x, y, f.w, CS_ROLE_LABEL, "unit %zu", i + 1);
        cs_pixels_draw(&tile, &p, &f.grain);
    }
    if (!f.n)
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT, "no room for a filter");
}

/* ---- the panel ----------------------------------------------------------- */

static void draw_part(const cs_area *a, const cs_shot *s, const learned *o,
                      size_t arm, unsigned option)
{
    if (option == ENERGIES)
        draw_energies(a, o, arm);
    else if (option == LIKELIHOODS)
        draw_likelihoods(a, o, s, arm);
    else
        draw_filters(a, o);
}

static void draw_foot(const cs_area *a, const cs_shot *s, const learned *o,
                      size_t arm)
{
    double refused = cs_shot_number(s, 0, "arm/%zu/learn/refused", arm);
    double rate = cs_shot_number(s, 0, "arm/%zu/learn/rate", arm);
    int y = a->h - 1;
    int x = cs_print_fit(a, 0, y, a->w, CS_ROLE_VALUE, "update %s of %s",
                         cs_count(o->update).text, cs_count(o->updates).text);
    if (o->update < o->updates)
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", rate %s",
                         cs_num(rate).text);
    else
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                         ": learning finished");
    if (refused > 0)
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_WARN,
                         ", %.0f gradients not finite", refused);
    cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT, "; %s",
                 cs_shot_text(s, "arm/%zu/learn/data", arm));
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    learned o;
    if (!find(s, arm, &o)) {
        cs_panel_empty(a, s, "No arm of this run learns.",
                       "Add learn = { data = ..., updates = ... } to an arm.");
        return;
    }
    unsigned option = at->option % OPTIONS;
    cs_area body = cs_area_part(a, 0, 0, a->w, a->h - 1);
    int parts = body.h / PLOT, most = o.n_filters ? 3 : 2;
    parts = parts < 1 ? 1 : parts > most ? most : parts;
    if (option != ALL)
        draw_part(&body, s, &o, arm, option);
    for (int i = 0; option == ALL && i < parts; i++) {
        int y = i * body.h / parts, end = (i + 1) * body.h / parts;
        cs_area part = cs_area_part(&body, 0, y, body.w, end - y);
        draw_part(&part, s, &o, arm, ENERGIES + (unsigned)i);
    }
    draw_foot(a, s, &o, arm);
}

const cs_panel_type cs_panel_learn = {
    .name = "learn",
    .title = "learned",
    .help = "Learning from data: each update changes the parameters of the "
            "target, with the states of the chains as draws from the model; "
            "recording starts after the last update. The curves are the "
            "energies (-log p without log Z) of the data and of the chains. "
            "They agree when the model is learned; a growing gap means that "
            "the chains do not follow the model, or that the model does not "
            "fit the data.\nThe log likelihoods per row of training and test "
            "data use log Z from annealed importance sampling, and have the "
            "standard error of log Z. If the effective sample size (Kish) of "
            "the annealing runs is small, this error is unreliable and the log "
            "likelihoods are too high. The broken line is the log "
            "likelihood of a model of independent bits with the frequencies of "
            "the data; a learned model should be above this line.\nFilters are "
            "the weights of the first hidden units, each on its own scale "
            "around 0. For a model with few units, the biases are also shown.",
    .options = "o all, energies, likelihoods, filters",
    .tile = {28, PLOT, 3},
    .has = is_learning,
    .draw_arm = draw_arm,
};
