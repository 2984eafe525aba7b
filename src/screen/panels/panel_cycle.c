/* One cycle of the schedules: the scheduled parameters and the acceptance at
 * each position. */
#include "screen/panels/panel.h"
#include "screen/panels/typed_set.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 256, DRIVEN = 4, AXIS = 5 };

typedef struct series {
    size_t n, param, next; /* next: position of the next step */
    double value[MOST];    /* value at each position */
} series;

/* Finds the future values of a parameter, rotated so that the first value is
 * the start of the cycle. Returns false if the parameter has no schedule, if
 * the schedule never repeats, or if its cycle is longer than the values in the
 * snapshot. */
static bool find(const cs_shot *s, size_t arm, size_t param, series *c)
{
    size_t rows, n;
    const cs_row_schedule *row =
        CS_SHOT_ROWS(s, cs_row_schedule, &rows, CS_KEY_SCHEDULE, arm, param);
    const double *value =
        cs_shot_array(s, &rows, &n, CS_KEY_PLAN_VALUES, arm, param);
    if (!row || !value || rows != 1 || n < 2 || n > MOST ||
        row->period != (double)n)
        return false;
    double first = row->first - row->from - 1;
    *c = (series){.n = n, .param = param};
    for (size_t i = 0; i < n; i++) {
        double at = fmod(first + (double)i, (double)n);
        c->value[at >= 0 ? (size_t)at : i] = value[i];
        c->next = i == 0 && at >= 0 ? (size_t)at : c->next;
    }
    return true;
}

static size_t find_all(const cs_shot *s, size_t arm, series c[DRIVEN])
{
    double params = cs_shot_number(s, 0, "arm/%zu/params", arm);
    size_t n = 0;
    for (size_t k = 0; k < cs_shot_whole(params, 64) && n < DRIVEN; k++)
        n += find(s, arm, k, &c[n]);
    return n;
}

static bool goes_round(const cs_shot *s, size_t arm)
{
    series c[DRIVEN];
    return find_all(s, arm, c) > 0;
}

/* The preview of a `:set` command for an arm: the current values of the
 * parameter as bars, the new values as dots, and the acceptance measured
 * earlier at similar values. */
typedef struct typed {
    const cs_typed_set *set; /* NULL: no line is being typed */
    cs_typed_series series;
    size_t known; /* number of positions whose acceptance is known */
    double acceptance[CS_TYPED_SERIES];
} typed;

static void find_typed(const cs_selection *at, size_t arm, typed *t)
{
    *t = (typed){.set = at->typed && at->typed->arm == arm ? at->typed : NULL};
    if (t->set)
        cs_typed_set_series(t->set, &t->series);
}

/* Predicts the acceptance from the values measured at the positions of the
 * cycle. Possible only if no other parameter is scheduled, because the other
 * parameter would have different values. */
static void predict(typed *t, const cs_shot *s, size_t arm, const series *c,
                    size_t scheduled)
{
    size_t r, n;
    const double *v = cs_shot_array(s, &r, &n, "arm/%zu/cycle/acceptance", arm);
    if (!t->set || scheduled != 1 || c->param != t->set->param || !v ||
        n != c->n)
        return;
    const cs_row_param *p = cs_shot_param(s, arm, c->param);
    bool log = p && (unsigned)p->flags & CS_PARAM_LOG;
    for (size_t i = 0; i < t->series.n; i++) {
        t->acceptance[i] =
            cs_typed_acceptance(c->value, v, n, log, t->series.then[i]);
        t->known += isfinite(t->acceptance[i]);
    }
}

/* Draws bars from 0 to `high` below the name, with the axis on the left and
 * dots over the bars. */
static void draw_bars(const cs_area *a, const double *value, size_t n,
                      double high, cs_role role, const double *dots,
                      size_t n_dots)
{
    cs_area below = cs_area_part(a, 0, 1, a->w, a->h - 1);
    cs_area field = cs_plot_axis(&below, 0, high);
    cs_area bars = cs_area_part(&below, AXIS, 0, below.w - AXIS, below.h);
    if (field.x - a->x <= AXIS) /* aligns all bars at the same column */
        field = bars;
    cs_bars(&field, value, n, high, role);
    cs_dots_over(&field, dots, n_dots, high, CS_ROLE_FOCUS);
}

static int draw_name(const cs_area *a, const cs_shot *s, size_t arm,
                     size_t param)
{
    return cs_print_cut(a, 0, 0, a->w, CS_ROLE_EVENT, "%s",
                        cs_shot_text(s, "arm/%zu/param/%zu/name", arm, param));
}

/* Draws "from A to B" after a name, in the longest form that fits. */
static void draw_ends(const cs_area *a, int x, cs_role role, cs_number from,
                      cs_number to)
{
    for (size_t i = 0, end = (size_t)x; i < 2 && end == (size_t)x; i++) {
        char text[80];
        snprintf(text, sizeof text, i ? ", %s to %s" : ", from %s to %s",
                 from.text, to.text);
        end = (size_t)cs_print_fit(a, x, 0, a->w - x, role, "%s", text);
    }
}

static void draw_series(const cs_area *a, const cs_shot *s, size_t arm,
                        const series *c)
{
    double high = 0;
    for (size_t i = 0; i < c->n; i++)
        high = fmax(high, c->value[i]);
    int x = draw_name(a, s, arm, c->param);
    draw_ends(a, x, CS_ROLE_EVENT, cs_num(c->value[0]),
              cs_num(c->value[c->n - 1]));
    draw_bars(a, c->value, c->n, high, CS_ROLE_EVENT, NULL, 0);
}

static void draw_typed(const cs_area *a, const cs_shot *s, const typed *t)
{
    const cs_typed_series *c = &t->series;
    char text[160];
    double high = 0;
    for (size_t i = 0; i < c->n; i++)
        high = fmax(high, fmax(c->now[i], c->then[i]));
    int x = draw_name(a, s, t->set->arm, t->set->param);
    cs_typed_set_tell(&t->set->then, t->set->next, text, sizeof text);
    x = cs_print_cut(a, x, 0, a->w - x, CS_ROLE_FOCUS, ": then %s", text);
    if (!c->goes_round)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FOCUS, "; steps %s to %s",
                     cs_count(c->first).text, cs_count(c->last).text);
    draw_bars(a, c->now, c->n, high, CS_ROLE_EVENT, c->then, c->n);
}

static void tell_predicted(const cs_area *a, int x, const typed *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->series.n; i++)
        sum += isfinite(t->acceptance[i]) ? t->acceptance[i] : 0;
    double mean = sum / (double)t->known;
    if (t->known == t->series.n)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FOCUS, ": then about %.2f",
                     mean);
    else if (t->known)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FOCUS,
                     ": then about %.2f where known", mean);
}

static void draw_acceptance(const cs_area *a, const cs_shot *s, size_t arm,
                            size_t period, const typed *t)
{
    size_t r, n;
    const double *v = cs_shot_array(s, &r, &n, "arm/%zu/cycle/acceptance", arm);
    if (!v || n != period) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL,
                     "acceptance: add probes = { cycle = { period = %zu } }",
                     period);
        return;
    }
    double low, high;
    bool seen = cs_range(v, n, &low, &high);
    int x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_ACCEPT, "acceptance");
    if (t->known)
        tell_predicted(a, x, t);
    else if (seen)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_ACCEPT, ", %.3f to %.3f", low,
                     high);
    draw_bars(a, v, n, 1, CS_ROLE_ACCEPT, t->acceptance,
              t->known ? t->series.n : 0);
}

/* Draws the first and the last position, and a mark at the position of the next
 * step. */
static void draw_foot(const cs_area *a, const series *c)
{
    enum { LABEL = sizeof "next step" };
    int y = a->h - 1, room = a->w - AXIS;
    int x = AXIS + (int)((2 * c->next + 1) * (size_t)room / (2 * c->n));
    int first = cs_print(a, AXIS, y, CS_ROLE_LABEL, "1");
    int last = cs_print_right(&(cs_area){a->canvas, a->x, a->y, a->w, a->h}, y,
                              CS_ROLE_LABEL, "%zu", c->n);
    if (room < LABEL || x >= a->w)
        return;
    cs_put(a, x, y, CS_ROLE_VALUE, '^');
    if (x + LABEL + 2 < last)
        cs_print(a, x + 2, y, CS_ROLE_LABEL, "next step");
    else if (x - LABEL - 1 > first)
        cs_print(a, x - LABEL, y, CS_ROLE_LABEL, "next step");
}

static bool is_typed(const typed *t, size_t param)
{
    return t->set && t->set->param == param;
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    series c[DRIVEN];
    typed t;
    size_t n = find_all(s, arm, c), y = 0;
    find_typed(at, arm, &t);
    predict(&t, s, arm, c, n);
    /* true if a value is typed for a parameter that has no schedule yet */
    bool alone = t.set != NULL;
    for (size_t k = 0; k < n; k++)
        alone &= !is_typed(&t, c[k].param);
    if (!n && !alone) {
        cs_panel_empty(
            a, s, "This run has no cyclical schedule.",
            "Set step = cs.schedule.cosine { ... }, or use a tuner.");
        return;
    }
    size_t parts = n + alone + (n > 0), each = (size_t)(a->h - 1) / parts;
    for (size_t k = 0; k < n + alone && each > 1; k++, y += each) {
        cs_area part = cs_area_part(a, 0, (int)y, a->w, (int)each);
        if (k == n || is_typed(&t, c[k].param))
            draw_typed(&part, s, &t);
        else
            draw_series(&part, s, arm, &c[k]);
    }
    if (!n)
        return;
    cs_area part = cs_area_part(a, 0, (int)y, a->w, a->h - 1 - (int)y);
    draw_acceptance(&part, s, arm, c[0].n, &t);
    draw_foot(a, &c[0]);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_selection one = *at;
    if (at->typed && !goes_round(s, at->typed->arm)) {
        one.arm = at->typed->arm;
        one.every_arm = false;
        draw_arm(a, s, &one, one.arm);
        return;
    }
    cs_panel_arms(a, s, at, (cs_tile){24, 8, 3}, goes_round, draw_arm, NULL);
}

const cs_panel_type cs_panel_cycle = {
    .name = "cycle",
    .title = "cycle",
    .help = "The scheduled parameters over one cycle, each on a scale from 0 "
            "to its largest value; ^ marks the next step. With the probe "
            "\"cycle\", the panel also shows the mean acceptance (0 to 1) at "
            "each position of the cycle.\nWhile a :set command is typed, dots "
            "show the new values and the acceptance that was measured earlier "
            "at similar values. Large steps explore, and small steps sample "
            "locally; in a good cycle both are often accepted.",
    .draw = draw,
    .has = goes_round,
};
