/* A cycle: the parameters that schedules drive, and the acceptance, at each of
 * its positions. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 256, DRIVEN = 4, AXIS = 5 };

typedef struct course {
    size_t n, param, next; /* next: the position of the coming step */
    double value[MOST];    /* by position */
} course;

/* The coming values of a parameter, turned so that they begin with the cycle;
 * false where nothing drives it, it never repeats, or its cycle has more steps
 * than were sent. */
static bool find(const cs_shot *s, size_t arm, size_t param, course *c)
{
    size_t rows, n;
    const cs_row_schedule *row =
        CS_SHOT_ROWS(s, cs_row_schedule, &rows, CS_KEY_SCHEDULE, arm, param);
    const double *value =
        cs_shot_array(s, &rows, &n, CS_KEY_COMING, arm, param);
    if (!row || !value || rows != 1 || n < 2 || n > MOST ||
        row->period != (double)n)
        return false;
    double warmup_steps = cs_shot_number(s, 0, "arm/%zu/tuner/steps", arm);
    double first = row->first - warmup_steps - 1;
    *c = (course){.n = n, .param = param};
    for (size_t i = 0; i < n; i++) {
        double at = fmod(first + (double)i, (double)n);
        c->value[at >= 0 ? (size_t)at : i] = value[i];
        c->next = i == 0 && at >= 0 ? (size_t)at : c->next;
    }
    return true;
}

static size_t find_all(const cs_shot *s, size_t arm, course c[DRIVEN])
{
    double params = cs_shot_number(s, 0, "arm/%zu/params", arm);
    size_t n = 0;
    for (size_t k = 0; k < cs_shot_whole(params, 64) && n < DRIVEN; k++)
        n += find(s, arm, k, &c[n]);
    return n;
}

static bool goes_round(const cs_shot *s, size_t arm)
{
    course c[DRIVEN];
    return find_all(s, arm, c) > 0;
}

/* Bars from 0 to `high` below the name, the axis at their left. */
static void draw_bars(const cs_area *a, const double *value, size_t n,
                      double high, cs_role role)
{
    cs_area below = cs_area_part(a, 0, 1, a->w, a->h - 1);
    cs_area field = cs_plot_axis(&below, 0, high);
    cs_area bars = cs_area_part(&below, AXIS, 0, below.w - AXIS, below.h);
    if (field.x - a->x <= AXIS) /* all begin at one column */
        field = bars;
    cs_bars(&field, value, n, high, role);
}

/* From where to where, behind a name, as far as there is room. */
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

static void draw_course(const cs_area *a, const cs_shot *s, size_t arm,
                        const course *c)
{
    double high = 0;
    for (size_t i = 0; i < c->n; i++)
        high = fmax(high, c->value[i]);
    int x =
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_EVENT, "%s",
                     cs_shot_text(s, "arm/%zu/param/%zu/name", arm, c->param));
    draw_ends(a, x, CS_ROLE_EVENT, cs_num(c->value[0]),
              cs_num(c->value[c->n - 1]));
    draw_bars(a, c->value, c->n, high, CS_ROLE_EVENT);
}

static void draw_acceptance(const cs_area *a, const cs_shot *s, size_t arm,
                            size_t period)
{
    size_t r, n;
    const double *v = cs_shot_array(s, &r, &n, "arm/%zu/cycle/acceptance", arm);
    if (!v || n != period) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL,
                     "acceptance: probes = { cycle = { period = %zu } }",
                     period);
        return;
    }
    double low, high;
    bool seen = cs_range(v, n, &low, &high);
    int x = cs_print_cut(a, 0, 0, a->w, CS_ROLE_ACCEPT, "acceptance");
    if (seen)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_ACCEPT, ", %.3f to %.3f", low,
                     high);
    draw_bars(a, v, n, 1, CS_ROLE_ACCEPT);
}

/* The first and last position, and a mark under that of the coming step. */
static void draw_foot(const cs_area *a, const course *c)
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

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    course c[DRIVEN];
    size_t n = find_all(s, arm, c);
    (void)at;
    if (!n) {
        cs_panel_empty(a, s, "No cyclical schedule in this run.",
                       "step = cs.schedule.cosine { ... }, or a tuner.");
        return;
    }
    int each = (a->h - 1) / (int)(n + 1), y = 0;
    for (size_t k = 0; k < n && each > 1; k++, y += each) {
        cs_area part = cs_area_part(a, 0, y, a->w, each);
        draw_course(&part, s, arm, &c[k]);
    }
    cs_area part = cs_area_part(a, 0, y, a->w, a->h - 1 - y);
    draw_acceptance(&part, s, arm, c[0].n);
    draw_foot(a, &c[0]);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_panel_arms_with(a, s, at, (cs_tile){24, 8, 3}, goes_round, draw_arm);
}

const cs_panel_type cs_panel_cycle = {
    .name = "cycle",
    .title = "cycle",
    .help = "What schedules do to the arm's parameters along one cycle, from "
            "its first position to its last, each from 0 up to its largest "
            "value; and, with the probe \"cycle\", the mean acceptance at "
            "each position, from 0 to 1. A ^ stands under that of the coming "
            "step. Large steps explore, small ones "
            "describe where they are; a good balance lets both be accepted.",
    .width = 24,
    .height = 6,
    .weight = 1.0,
    .draw = draw,
};
