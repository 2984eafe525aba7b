/* The race: all arms ranked by one figure, with its error, and a sentence about
 * the result. */
#include "screen/panels/quantity.h"
#include "screen/panels/race_series.h"
#include "screen/panels/sentence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 16, VALUE = 24, LEAST_BAR = 8, SENTENCE = 1000 };

/* Lists the figures that some arm has, as names for cs_panel_choice. */
static size_t list_figures(const cs_racers *field,
                           cs_race_figure list[CS_RACE_FIGURES], char *names,
                           size_t size)
{
    size_t n = 0, used = 0;
    for (cs_race_figure f = CS_RACE_ESS; f < CS_RACE_FIGURES; f++) {
        if (f != CS_RACE_ESS && !cs_race_has(field, f))
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s",
                                 n ? " " : "", cs_race_name(f));
        list[n++] = f;
    }
    return n;
}

static cs_race_figure choose(const cs_racers *f)
{
    cs_race_figure list[CS_RACE_FIGURES];
    char names[200];
    size_t n = list_figures(f, list, names, sizeof names);
    return list[cs_look_choice(&f->at, names, n)];
}

/* ---- one line per arm ---------------------------------------------------- */

/* Returns the value at the right end of the axis: the largest value plus its
 * error. The error is limited so that the longest bar covers at least half
 * of the width. */
static double top_of(const cs_race *r)
{
    double top = 0, ends = 0, low, high;
    for (size_t i = 0; i < r->ranking.n; i++) {
        top = fmax(top, r->arm[i].value);
        ends = fmax(ends, cs_race_interval(r, i, &low, &high) ? high : 0);
    }
    return fmax(top, fmin(ends, 2 * top));
}

static void draw_bar(const cs_area *a, const cs_race *r, size_t arm, double top)
{
    const cs_contender *c = &r->arm[arm];
    double low, high;
    if (!(top > 0) || !(c->value >= 0))
        return;
    cs_plot p = cs_plot_make(a, 0, top, 0, 1);
    cs_role role = c->barred ? CS_ROLE_FAINT : cs_theme_chain(arm);
    int end = cs_plot_column(&p, c->value);
    for (int x = 0; x <= end && x < a->w; x++)
        cs_put(a, x, 0, role, c->barred ? 0x2591 : 0x2588);
    if (cs_race_interval(r, arm, &low, &high))
        cs_plot_interval(a, &p, low, high, end, role);
}

/* Writes "12.3 (9.1 to 15)", or only the value if that does not fit. */
static void value_text(const cs_race *r, size_t arm, int capacity, char *text,
                       size_t size)
{
    double low, high, value = r->arm[arm].value;
    cs_number middle = cs_num(value);
    if (r->figure == CS_RACE_MODES)
        snprintf(middle.text, sizeof middle.text, "%.*f of %.0f",
                 r->ranking.runs ? 1 : 0, value, r->ranking.modes);
    snprintf(text, size, "%s", middle.text);
    if (!cs_race_interval(r, arm, &low, &high))
        return;
    char whole[80];
    snprintf(whole, sizeof whole, "%s (%s to %s)", middle.text,
             cs_num(low).text, cs_num(high).text);
    if (cs_text_width(whole) <= capacity)
        snprintf(text, size, "%s", whole);
}

/* Writes the reason why an arm cannot win or be compared. For other arms, writes
 * that the arm has found fewer modes than another arm, or the verdict on its
 * draws. */
static void remark(const cs_shot *s, const cs_race *r, size_t arm, char *text,
                   size_t size)
{
    const cs_contender *c = &r->arm[arm];
    cs_arm_verdict verdict;
    bool fewer = false;
    for (size_t i = 0; i < r->ranking.n; i++)
        fewer |= !r->arm[i].barred && c->modes < r->arm[i].modes;
    *text = 0;
    const char *out = c->barred ? c->barred : c->apart ? c->apart : c->vague;
    if (out)
        snprintf(text, size, "%s", out);
    else if (fewer && r->figure != CS_RACE_MODES)
        snprintf(text, size, "%.0f/%.0f modes", c->modes, r->ranking.modes);
    else if (cs_verdict_of(s, arm, &verdict) && verdict != CS_VERDICT_GOOD)
        snprintf(text, size, "%s", cs_verdict_name(verdict, true));
}

/* Returns the number of columns, out of `capacity`, for the warnings of all
 * arms, so that all bars start and end at the same columns. Returns 0 if there
 * is no warning or no space. */
static int words_of(const cs_shot *s, const cs_race *r, int capacity)
{
    int most = 0;
    char text[96];
    for (size_t i = 0; i < r->ranking.n; i++) {
        remark(s, r, i, text, sizeof text);
        int n =
            isfinite(r->arm[i].value) && *text ? cs_text_width(text) + 1 : 0;
        most = n > most ? n : most;
    }
    /* at most half of the width; longer texts are cut after a word */
    int part = capacity / 2;
    most = most < part ? most : part;
    return most >= LEAST_BAR ? most : 0;
}

/* Draws the rank and the name of an arm, and its figure or the reason why it
 * has none. */
static void draw_line(const cs_area *a, const cs_shot *s, const cs_race *r,
                      size_t place, size_t arm, double top)
{
    const cs_contender *c = &r->arm[arm];
    bool has = isfinite(c->value);
    char text[96];
    int x = 0;
    if (a->w >= 40 && has && !c->barred && !c->vague && !c->apart)
        cs_print(a, 0, 0, CS_ROLE_LABEL, "%zu", place);
    else if (a->w >= 40)
        cs_print(a, 0, 0, CS_ROLE_WARN, "%c", has ? 'x' : '-');
    x = a->w >= 40 ? 3 : 0;
    cs_print_cut(a, x, 0, NAME - 1,
                 c->barred ? CS_ROLE_FAINT : cs_theme_chain(arm), "%c %s",
                 cs_theme_glyph(arm), c->name);
    x += NAME;
    if (!has) {
        cs_print_cut(a, x, 0, a->w - x, CS_ROLE_FAINT, "%s",
                     c->missing ? c->missing : "");
        return;
    }
    int capacity = a->w - x >= VALUE + LEAST_BAR ? VALUE : a->w - x;
    value_text(r, arm, capacity - 1, text, sizeof text);
    cs_print_cut(a, x, 0, capacity, CS_ROLE_VALUE, "%s", text);
    x += capacity;
    remark(s, r, arm, text, sizeof text);
    int words = words_of(s, r, a->w - x - LEAST_BAR);
    if (words)
        cs_print_cut(a, a->w - words + 1, 0, words - 1, CS_ROLE_WARN, "%s",
                     text);
    cs_area bar = cs_area_part(a, x, 0, a->w - x - words, 1);
    if (bar.w >= LEAST_BAR)
        draw_bar(&bar, r, arm, top);
}

/* ---- replicates ---------------------------------------------------------- */

/* Draws "replicates: 2 of 5, 0:40 left", or the number of steps if all
 * replicates are done. */
static void draw_progress(const cs_area *a, const cs_replicas *all)
{
    char left[32] = "", steps[48] = "";
    long s = all->left < 1e7 ? (long)ceil(all->left) : -1;
    if (s >= 3600)
        snprintf(left, sizeof left, ", %ld:%02ld:%02ld left", s / 3600,
                 s / 60 % 60, s % 60);
    else if (s >= 0)
        snprintf(left, sizeof left, ", %ld:%02ld left", s / 60, s % 60);
    if (all->n == all->of && isfinite(all->steps))
        snprintf(steps, sizeof steps, ", %s steps each",
                 cs_count(all->steps).text);
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "replicates: %zu of %zu%s",
                 all->n, all->of, all->n < all->of ? left : steps);
}

/* Writes "2.0x (1.4 to 2.8)"; for differences, without the x. */
static void lead_text(const cs_race *r, size_t leader, size_t arm, double level,
                      char *text, size_t size)
{
    cs_lead l;
    const char *times = r->ranking.seen ? "" : "x";
    bool known = cs_race_pair(r, leader, arm, level, &l);
    if (known)
        snprintf(text, size, "%s%s (%s to %s)", cs_num(l.ratio).text, times,
                 cs_num(l.low).text, cs_num(l.high).text);
    else if (isfinite(l.ratio))
        snprintf(text, size, "%s%s", cs_num(l.ratio).text, times);
    else
        snprintf(text, size, "-");
}

enum { MEAN = 12 };

/* Draws the means over the seeds, and the leader's advantage over each other
 * arm, computed from pairs with the same seed. Returns the number of lines. */
static int draw_pairs(const cs_area *a, const cs_race *r)
{
    char text[96];
    size_t n = r->ranking.n, leader = cs_ranking_leader(&r->ranking);
    bool pairs = leader < n && n > 1 && r->ranking.merit != CS_MERIT_NONE;
    double level = pairs ? 1 - 0.05 / (double)(n - 1) : 0.95;
    cs_print_cut(a, 0, 0, NAME - 1, CS_ROLE_LABEL, "over %zu seed%s", r->runs,
                 r->runs > 1 ? "s" : "");
    cs_print_cut(a, NAME, 0, MEAN - 1, CS_ROLE_LABEL, "mean");
    if (pairs)
        cs_print_cut(a, NAME + MEAN, 0, a->w - NAME - MEAN, CS_ROLE_LABEL,
                     "%s is better, seed by seed", r->arm[leader].name);
    int y = 1;
    for (size_t i = 0; i < n && y < a->h; i++, y++) {
        size_t arm = r->order[i];
        cs_print_cut(a, 0, y, NAME - 1, cs_theme_chain(arm), "%c %s",
                     cs_theme_glyph(arm), r->arm[arm].name);
        bool has = isfinite(r->mean[arm]);
        cs_print_cut(a, NAME, y, MEAN - 1, CS_ROLE_NORMAL, "%s",
                     has ? cs_num(r->mean[arm]).text : "-");
        if (!pairs || arm == leader)
            continue;
        lead_text(r, leader, arm, level, text, sizeof text);
        cs_print_cut(a, NAME + MEAN, y, a->w - NAME - MEAN, CS_ROLE_VALUE, "%s",
                     text);
    }
    return y;
}

/* ---- all figures --------------------------------------------------------- */

enum { CELL = 40, MOST_WIDE = 24 };

/* A figure of all arms: its name, then one cell per arm. */
typedef struct column {
    char text[1 + CS_SHOT_ARMS][CELL];
    int width;
} column;

static void find_column(const cs_racers *f, cs_race_figure figure,
                        const size_t *order, column *c)
{
    cs_race r;
    cs_race_find(f, figure, &r);
    snprintf(c->text[0], CELL, "%s", r.brief);
    for (size_t i = 0; i < f->n; i++) {
        char text[96] = "-";
        if (isfinite(r.arm[order[i]].value))
            value_text(&r, order[i], 0, text, sizeof text);
        snprintf(c->text[1 + i], CELL, "%.*s", CELL - 1, text);
    }
    c->width = 0;
    for (size_t i = 0; i <= f->n; i++) {
        int wide = cs_text_width(c->text[i]);
        c->width = wide > c->width ? wide : c->width;
    }
    c->width = c->width < MOST_WIDE ? c->width : MOST_WIDE;
}

/* Returns the width of the arms' names. */
static int names_of(const cs_racers *f)
{
    int most = (int)strlen("arm");
    for (size_t i = 0; i < f->n; i++) {
        int wide = 2 + cs_text_width(f->arm[i].name);
        most = wide > most ? wide : most;
    }
    return most < NAME - 1 ? most : NAME - 1;
}

/* Draws one column per figure, with the width of its contents. Columns that do
 * not fit are left out. */
static void draw_table(const cs_area *a, const cs_racers *f,
                       const size_t *order)
{
    cs_race_figure list[CS_RACE_FIGURES];
    char names[200];
    size_t n = list_figures(f, list, names, sizeof names);
    int wide = names_of(f), x = wide + 2;
    cs_print(a, 0, 0, CS_ROLE_LABEL, "arm");
    for (size_t i = 0; i < f->n && (int)i + 1 < a->h; i++)
        cs_print_cut(a, 0, (int)i + 1, wide, cs_theme_chain(order[i]), "%c %s",
                     cs_theme_glyph(order[i]), f->arm[order[i]].name);
    for (size_t k = 0; k < n; k++) {
        column c;
        find_column(f, list[k], order, &c);
        if (x + c.width > a->w)
            return;
        for (size_t i = 0; i <= f->n && (int)i < a->h; i++)
            cs_print_cut(a, x, (int)i, c.width,
                         i ? CS_ROLE_NORMAL : CS_ROLE_LABEL, "%s", c.text[i]);
        x += c.width + 2;
    }
}

/* ---- the panel ----------------------------------------------------------- */

/* Draws the name of the figure and the amount of work, in the longest form that
 * fits. */
static void draw_head(const cs_area *a, const cs_race *r)
{
    char text[400];
    snprintf(text, sizeof text, "%s%s: %s", r->title,
             isfinite(r->work) ? r->where : "", r->note);
    if (cs_text_width(text) > a->w)
        snprintf(text, sizeof text, "%s%s", r->title,
                 isfinite(r->work) ? r->where : "");
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", text);
}

static int draw_sentence(const cs_area *a, const cs_shot *s, const cs_race *r)
{
    char text[SENTENCE];
    cs_ranking_say(&r->ranking, text, sizeof text);
    if (r->ranking.n == 1)
        snprintf(
            text, sizeof text,
            "There is only one arm; a race needs a scenario with several.");
    if (cs_shot_number(s, 1, "run/reported") == 0 &&
        r->figure <= CS_RACE_MULTIVARIATE)
        strncat(text, *text ? " (so far)" : "", sizeof text - strlen(text) - 1);
    return cs_print_wrapped(a, 0, 0, CS_ROLE_NORMAL, text);
}

/* Draws below the list of arms: the progress of replicates, the sentence about
 * the result, the pairs, the table and the plots, as far as they fit. */
static void draw_below(const cs_area *a, const cs_racers *f, const cs_window *w,
                       const cs_race *r)
{
    const cs_replicas *all = f->at.replicas;
    int y = 1;
    if (all && all->of && a->h > 0) {
        draw_progress(a, all);
        y++;
    }
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    if (rest.h < 1)
        return;
    y += 1 + draw_sentence(&rest, f->s, r);
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    if (r->runs && rest.h > 1)
        y += 1 + draw_pairs(&rest, r);
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    if (rest.h > 1)
        draw_table(&rest, f, r->order);
    y += (int)f->n + 2;
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    cs_race_series_draw(&rest, f, w, r->figure);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_race r;
    size_t arms = cs_shot_arms(s);
    if (arms == 0 || !(cs_shot_number(s, 0, "run/steps") > 0)) {
        cs_panel_empty(a, s, "No arm has made a step yet.",
                       "Open a scenario and press space.");
        return;
    }
    cs_racers f;
    cs_figure_look look = cs_panel_look(at);
    /* a coordinate that the panel was opened for is the chosen one */
    if (look.of && cs_quantity_is(s, look.of, &look.coordinate))
        look.of = cs_race_name(CS_RACE_CHOSEN);
    cs_race_line_up(s, &look, &f);
    cs_race_find(&f, choose(&f), &r);
    double top = top_of(&r);
    draw_head(a, &r);
    size_t first = cs_panel_top(at, arms, (size_t)(a->h > 1 ? a->h - 1 : 0));
    int y = 1;
    for (size_t i = 0, place = 0; i < arms; i++) {
        place += !r.arm[r.order[i]].barred;
        if (i < first || y >= a->h)
            continue;
        cs_area line = cs_area_part(a, 0, y, a->w, 1);
        draw_line(&line, s, &r, place, r.order[i], top);
        if (r.order[i] == at->arm && arms > 1)
            cs_attribute(a, 0, y, a->w < 3 + NAME ? a->w : 3 + NAME, CS_BOLD);
        y++;
    }
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    draw_below(&rest, &f, &at->window, &r);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    double age = cs_panel_age(s, CS_SHOT_ARMS);
    int n = snprintf(out, size, "work in %s",
                     cs_unit_at(cs_shot_unit(s, at->unit))->many);
    if (age >= 1 && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", ESS %.0f s old", floor(age));
}

const cs_panel_type cs_panel_race = {
    .name = "race",
    .title = "race",
    .help =
        "All arms compared by one figure (a measure of quality), the best arm "
        "first. Two figures are divided by the work of all chains, in the unit "
        "chosen with u: the effective draws of the mean from all steps (the "
        "smallest number for any quantity, or the number for the chosen "
        "coordinate, or for a quantity as in :panel race=mu), and the "
        "effective sample size of the weights (Kish). "
        "Distance from exact, modes found and lowest energy are compared at "
        "the largest amount of work that all arms have reached.\n"
        "Brackets and the line over each bar are 95 % intervals from the "
        "jackknife over chains; with fewer than 4 chains there is no interval. "
        "If the unit is seconds, the intervals include only the randomness of "
        "the draws, not the load of the machine.\n"
        "x marks an arm that is not exact or failed a law of :check, and so "
        "cannot win; - means that the figure is not known, and gives the "
        "reason. The words after a bar are the verdict on the draws. "
        "The sentence below the bars names a leader only if the interval of "
        "the ratio excludes 1, at 95 % for all comparisons jointly.\n"
        ":replicate 5 repeats the run with 5 other seeds in the background. "
        "From 3 replicates on, figures are means over seeds (for ratios, "
        "means of logarithms), intervals use Student's t, and arms are "
        "compared seed "
        "by seed. A tall panel also shows curves of the figures against work, "
        "starting with the figure of the bars.",
    .options = "o effective draws, those of the chosen coordinate, distance "
               "from exact, modes found, lowest energy, acceptance rate, "
               "effective sample size of weights, data terms; page keys scroll",
    .no_arm = true,
    .draw = draw,
    .caption = caption,
};
