/* The search of a tuner: the acceptance of every trial against the value tried,
 * in each phase. */
#include "screen/panels/panel.h"
#include "screen/panels/typed_set.h"

#include <math.h>
#include <stdio.h>

typedef struct search {
    const cs_row_trial *trial; /* [n] */
    /* shown: index of the displayed parameter among the parameters that
     * the tuner changes */
    size_t n, shown;
    size_t param; /* index of the kernel's parameter */
    bool log;
    double low, high; /* displayed range of the values */
    double typed;     /* value in the line being typed; NAN: none */
    /* acceptance at the typed value, predicted from the trials; NAN: not
     * known */
    double predicted;
} search;

static double value_of(const search *h, size_t i)
{
    double x = h->trial[i].value[h->shown];
    return h->log ? log10(x) : x;
}

/* Finds the typed value of the displayed parameter. If the trials varied no
 * other value, also predicts the acceptance at the typed value. */
static void find_typed(const cs_selection *at, size_t arm, size_t driven,
                       search *h)
{
    enum { MOST = 1024 };
    double value[MOST], acceptance[MOST];
    const cs_typed_set *t = at->typed;
    size_t n = h->n < MOST ? h->n : MOST;
    h->typed = h->predicted = (double)NAN;
    if (!t || !t->number || t->arm != arm || t->param != h->param)
        return;
    h->typed = t->then.values[0];
    for (size_t i = 0; i < n; i++) {
        value[i] = h->trial[i].value[h->shown];
        acceptance[i] = h->trial[i].acceptance;
    }
    if (driven == 1)
        h->predicted =
            cs_typed_acceptance(value, acceptance, n, h->log, h->typed);
}

/* Returns false if the arm has no tuner or the tuner has not tried a value
 * yet. */
static bool find(const cs_shot *s, const cs_selection *at, size_t arm,
                 search *h)
{
    *h = (search){.low = HUGE_VAL, .high = -HUGE_VAL};
    h->trial = CS_SHOT_ROWS(s, cs_row_trial, &h->n, CS_KEY_TRIALS, arm);
    size_t driven = cs_shot_whole(
        cs_shot_number(s, 0, "arm/%zu/tuner/driven", arm), CS_ROW_DRIVEN);
    if (!h->trial || !driven)
        return false;
    h->shown = at->option % driven;
    h->param = cs_shot_whole(
        cs_shot_number(s, 0, "arm/%zu/tuner/param/%zu", arm, h->shown), 64);
    const cs_row_param *row = cs_shot_param(s, arm, h->param);
    h->log = row && (unsigned)row->flags & CS_PARAM_LOG;
    find_typed(at, arm, driven, h);
    bool tried = false;
    for (size_t i = 0; i < h->n; i++) {
        double x = value_of(h, i);
        if (!isfinite(x) || !isfinite(h->trial[i].acceptance))
            continue;
        cs_widen(&h->low, &h->high, x);
        tried = true;
    }
    return tried;
}

static const char *name_of(const cs_shot *s, size_t arm, const search *h)
{
    return cs_shot_text(s, "arm/%zu/param/%zu/name", arm, h->param);
}

/* Draws the ends of the axis under the plot; most parameters have a logarithmic
 * axis. */
static void draw_axis(const cs_area *a, const cs_shot *s, size_t arm,
                      const search *h)
{
    double low = h->log ? pow(10, h->low) : h->low;
    double high = h->log ? pow(10, h->high) : h->high;
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "%s", cs_num(low).text);
    int end = cs_print_right(a, 0, CS_ROLE_LABEL, "%s", cs_num(high).text);
    const char *name = name_of(s, arm, h);
    int capacity = end - x - 3;
    int at = cs_print_fit(a, x + 2, 0, capacity, CS_ROLE_LABEL, "%s%s", name,
                          h->log ? ", logarithmic" : "");
    if (at == x + 2)
        at = cs_print_fit(a, x + 2, 0, capacity, CS_ROLE_LABEL, "%s%s", name,
                          h->log ? ", log" : "");
    if (at == x + 2)
        cs_print_fit(a, x + 2, 0, capacity, CS_ROLE_LABEL, "%s", name);
}

static size_t phase_of(const cs_row_trial *t)
{
    return cs_shot_whole(t->phase, 1000);
}

static void draw_trials(const cs_area *a, const cs_shot *s, size_t arm,
                        const search *h)
{
    double pad = 0.03 * (h->high - h->low);
    cs_plot p = cs_plot_make(a, h->low - pad, h->high + pad, 0, 1);
    cs_plot_level(&p,
                  cs_shot_number(s, (double)NAN, "arm/%zu/tuner/target", arm),
                  CS_ROLE_FAINT, 0x2500, 1);
    for (size_t i = 0; i < h->n; i++) {
        size_t phase = phase_of(&h->trial[i]);
        cs_plot_point(&p, value_of(h, i), h->trial[i].acceptance,
                      cs_theme_chain(phase), cs_theme_glyph(phase));
    }
    double typed = h->log ? log10(h->typed) : h->typed;
    int column = isfinite(typed) ? cs_plot_column(&p, typed) : -1;
    for (int y = 0; y < a->h && column >= 0; y++)
        cs_put(a, column, y, CS_ROLE_FOCUS, y % 2 ? ' ' : ':');
    cs_plot_point(&p, typed, h->predicted, CS_ROLE_FOCUS, 'o');
    /* Accepted trials are drawn over rejected ones. */
    for (size_t i = 0; i < h->n; i++) {
        const cs_row_trial *t = &h->trial[i];
        int x = cs_plot_column(&p, value_of(h, i));
        int y = cs_plot_row(&p, t->acceptance);
        if (t->taken != 0 && x >= 0 && y >= 0)
            cs_put(a, x, y, cs_theme_chain(phase_of(t)),
                   (unsigned char)cs_theme_glyph(phase_of(t)));
    }
}

/* Writes "v balance 140" and returns the width of the text, or 0 if the
 * phase had no trial. */
static int text_of_phase(const cs_shot *s, size_t arm, const search *h,
                         size_t k, char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++)
        n += h->trial[i].phase == (double)k;
    snprintf(text, size, "%c %s %zu", cs_theme_glyph(k),
             cs_shot_text(s, "arm/%zu/tuner/phase/%zu", arm, k), n);
    return n ? cs_text_width(text) : 0;
}

/* Draws the phases that have started, in their colours. If not all fit,
 * draws the last ones. */
static void draw_phases(const cs_area *a, const cs_shot *s, size_t arm,
                        const search *h)
{
    enum { PHASES = 16 };
    double last = h->trial[h->n - 1].phase;
    size_t end = last >= 0 && last < PHASES ? (size_t)last + 1 : 0, k = end;
    char text[64];
    int x = 0, room = a->w + 2;
    while (k > 0) {
        int width = text_of_phase(s, arm, h, k - 1, text, sizeof text);
        if (width && width + 2 > room && k < end)
            break;
        room -= width ? width + 2 : 0;
        k--;
    }
    for (; k < end; k++)
        if (text_of_phase(s, arm, h, k, text, sizeof text))
            x = cs_print_cut(a, x, 0, a->w - x, cs_theme_chain(k), "%s", text) +
                2;
}

/* Writes "; metric dense, sd 0.02 to 50" if it fits. */
static void tell_metric(const cs_area *a, int x, const cs_shot *s, size_t arm)
{
    size_t r, n;
    const char *kind = cs_shot_text(s, "arm/%zu/metric", arm);
    const double *sd = cs_shot_array(s, &r, &n, "arm/%zu/metric/sd", arm);
    if (!*kind || !sd || n != 2)
        return;
    int end = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_VALUE,
                           "; metric %s, sd %s to %s", kind, cs_num(sd[0]).text,
                           cs_num(sd[1]).text);
    if (end == x)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_VALUE, "; metric %s", kind);
}

static void tell_typed(const cs_area *a, const cs_shot *s, size_t arm,
                       const search *h)
{
    int x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_FOCUS, "%s = %s",
                         name_of(s, arm, h), cs_num(h->typed).text);
    if (isfinite(h->predicted))
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FOCUS,
                     ": predicted acceptance %.2f", h->predicted);
    else
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FOCUS,
                     ": no trials to predict the acceptance");
}

static void draw_end(const cs_area *a, const cs_shot *s, size_t arm,
                     const search *h)
{
    const cs_row_trial *last = &h->trial[h->n - 1];
    double steps = cs_shot_number(s, 0, "arm/%zu/tuner/steps", arm);
    double part = cs_shot_number(s, 1, "arm/%zu/tuner/part", arm);
    if (isfinite(h->typed)) {
        tell_typed(a, s, arm, h);
    } else if (cs_shot_number(s, 0, "arm/%zu/tuner/active", arm) != 0) {
        cs_number value = cs_num(last->value[h->shown]);
        int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_VALUE, "trying %s = %s",
                             name_of(s, arm, h), value.text);
        if (x == 0)
            x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_VALUE, "%s = %s",
                             name_of(s, arm, h), value.text);
        int end = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_VALUE,
                               "; %s of at most %s steps", cs_count(steps).text,
                               cs_count(round(steps / fmax(part, 1e-9))).text);
        if (end == x)
            end = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_VALUE, "; %.0f%%",
                               100 * part);
        tell_metric(a, end, s, arm);
    } else {
        int end = cs_print_fit(a, 0, 0, a->w, CS_ROLE_VALUE,
                               "tuned in %s steps (%zu trials)",
                               cs_count(steps).text, h->n);
        if (end == 0)
            end = cs_print_cut(a, 0, 0, a->w, CS_ROLE_VALUE,
                               "tuned in %s steps", cs_count(steps).text);
        tell_metric(a, end, s, arm);
    }
}

static bool has_tuner(const cs_shot *s, size_t arm)
{
    return *cs_shot_text(s, "arm/%zu/tuner", arm) != 0;
}

/* Draws the learned metric and the number of steps, for a tuner that runs no
 * trials. */
static void draw_learner(const cs_area *a, const cs_shot *s, size_t arm)
{
    double steps = cs_shot_number(s, 0, "arm/%zu/tuner/steps", arm);
    bool active = cs_shot_number(s, 0, "arm/%zu/tuner/active", arm) != 0;
    cs_area line = cs_area_part(a, 1, a->h / 3, a->w - 1, 1);
    int x = cs_print_cut(&line, 0, 0, line.w, CS_ROLE_VALUE,
                         active ? "learning, %s steps so far"
                                : "learned in %s steps",
                         cs_count(steps).text);
    tell_metric(&line, x, s, arm);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    search h;
    if (!has_tuner(s, arm)) {
        cs_panel_empty(a, s, "No arm has a tuner.",
                       "Add arms = { a = { kernel = ..., tuner = cs.tuner... } "
                       "} to the scenario.");
        return;
    }
    if (cs_shot_number(s, 1, "arm/%zu/tuner/driven", arm) == 0) {
        draw_learner(a, s, arm);
        return;
    }
    if (!find(s, at, arm, &h)) {
        cs_print_wrapped(a, 1, a->h / 3, CS_ROLE_LABEL,
                         "The tuner has not started.");
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 3);
    cs_area field = cs_plot_axis(&top, 0, 1);
    draw_trials(&field, s, arm, &h);
    cs_print_fit(&field, 1, (field.h - 1) / 4, field.w - 1, CS_ROLE_FAINT,
                 "acceptance");
    cs_area line = cs_area_part(a, field.x - a->x, a->h - 3, field.w, 1);
    draw_axis(&line, s, arm, &h);
    line = cs_area_part(a, 0, a->h - 2, a->w, 1);
    draw_phases(&line, s, arm, &h);
    line = cs_area_part(a, 0, a->h - 1, a->w, 1);
    draw_end(&line, s, arm, &h);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    const char *name = cs_shot_text(s, "arm/%zu/tuner", at->arm);
    if (cs_shot_number(s, 0, "arm/%zu/tuner/active", at->arm) != 0)
        snprintf(out, size, "%s, %.0f%%", name,
                 100 * cs_shot_number(s, 0, "arm/%zu/tuner/part", at->arm));
    else
        snprintf(out, size, "%s", name);
}

const cs_panel_type cs_panel_tuner = {
    .name = "tuner",
    .title = "tuner",
    .help = "The search of the arm's tuner. Each point is a trial: the "
            "value of the parameter, and the mean acceptance of all chains "
            "with this value. Colours are the phases of the search, a letter "
            "marks the best trial of a round, and the faint line is the target "
            "acceptance.\nDuring the search no draws are recorded; after the "
            "search the parameter keeps the value that was found.",
    .options = "o another parameter",
    .tile = {26, 7, 4},
    .has = has_tuner,
    .draw_arm = draw_arm,
    .caption = caption,
};
