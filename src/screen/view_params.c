/* The parameters of the chosen arm as sliders. */
#include "screen/state/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct row {
    double value, min, max, def;
    unsigned k; /* index of the parameter */
    bool log, driven, number, field;
    char text[40];
    const char *name, *unit, *help, *choices;
} row;

static bool find_row(const cs_shot *s, size_t arm, size_t k, row *out)
{
    const cs_row_param *p = cs_shot_param(s, arm, k);
    if (!p || p->idle != 0)
        return false;
    *out =
        (row){.k = (unsigned)k,
              .value = p->value,
              .min = p->min,
              .max = p->max,
              .def = p->def,
              .log = ((unsigned)p->flags & CS_PARAM_LOG) != 0,
              .driven = p->driven != 0,
              .field = p->of != 0,
              .number = p->kind == CS_PARAM_REAL || p->kind == CS_PARAM_INT,
              .name = cs_shot_text(s, "arm/%zu/param/%zu/name", arm, k),
              .unit = cs_shot_text(s, "arm/%zu/param/%zu/unit", arm, k),
              .help = cs_shot_text(s, "arm/%zu/param/%zu/help", arm, k),
              .choices = cs_shot_text(s, "arm/%zu/param/%zu/choices", arm, k)};
    cs_shot_value(s, arm, k, p->value, out->text, sizeof out->text);
    return true;
}

/* Finds the ends of the slider. They are the ends of the parameter's range. On
 * a logarithmic scale over many decades, they are two decades beyond the
 * default and the value on either side. */
static void ends_of(const row *p, double *low, double *high)
{
    *low = p->min;
    *high = p->max;
    if (!p->log || !(p->value > 0) || !(p->def > 0))
        return;
    double least = pow(10, floor(log10(fmin(p->value, p->def)) + 1e-9) - 2);
    double most = pow(10, ceil(log10(fmax(p->value, p->def)) - 1e-9) + 2);
    *low = fmax(*low, least);
    *high = fmin(*high, most);
}

/* Returns the position of a value between the ends, 0 .. 1. If an end is
 * missing, returns NAN. */
static double place(const row *p, double v)
{
    double low, high;
    ends_of(p, &low, &high);
    if (p->log && low > 0 && high > low)
        return fmax(0, fmin(1, log(fmax(v, low) / low) / log(high / low)));
    return (v - low) / (high - low);
}

double cs_slider_value(const cs_shot *s, size_t arm, size_t k, double share)
{
    double low, high;
    row p;
    if (!find_row(s, arm, k, &p))
        return (double)NAN;
    const cs_row_param *kept = cs_shot_param(s, arm, k);
    ends_of(&p, &low, &high);
    bool whole = kept->kind != CS_PARAM_REAL;
    double v = p.log && low > 0 && high > low ? low * pow(high / low, share)
                                              : low + (high - low) * share;
    return fmax(p.min, fmin(p.max, whole ? round(v) : v));
}

static void draw_slider(const cs_area *a, int y, const row *p, cs_role role,
                        cs_ui *ui)
{
    double least, most;
    ends_of(p, &least, &most);
    if (!p->log && most >= 1e15)
        return; /* no slider for a number of steps without an upper limit */
    cs_number low = cs_num(least), high = cs_num(most);
    int x = cs_print(a, 3, y, CS_ROLE_FAINT, "%s ", low.text);
    int w = a->w - x - (int)strlen(high.text) - 2;
    double at = place(p, p->value), def = place(p, p->def);
    if (w < 4 || !isfinite(at))
        return;
    cs_ui_hit(ui, a, (cs_hit){CS_HIT_SLIDER, x, y, w, p->k, 0});
    for (int i = 0; i < w; i++)
        cs_put(a, x + i, y, i <= at * (w - 1) ? role : CS_ROLE_FAINT, 0x2500);
    if (def >= 0 && def <= 1)
        cs_put(a, x + (int)(def * (w - 1) + 0.5), y, CS_ROLE_FAINT, 0x2502);
    at = fmax(0, fmin(1, at));
    cs_put(a, x + (int)(at * (w - 1) + 0.5), y, role, 0x2022);
    cs_print(a, x + w + 1, y, CS_ROLE_FAINT, "%s", high.text);
}

/* Draws the names of a choice instead of a slider, and marks the chosen
 * name. */
static void draw_choices(const cs_area *a, int y, const row *p, cs_role role,
                         cs_ui *ui)
{
    char name[40];
    const char *list = *p->choices ? p->choices : "false true";
    int x = 3;
    for (size_t i = 0; cs_shot_word(list, i, name, sizeof name); i++) {
        bool on = (double)i == p->value;
        int end = cs_print_cut(a, x, y, a->w - x, on ? role : CS_ROLE_FAINT,
                               on ? "[%s]" : "%s", name);
        cs_ui_hit(ui, a,
                  (cs_hit){CS_HIT_CHOICE, x, y, end - x, p->k, (double)i});
        x = end + 1;
    }
}

/* Returns the short name of a field, ".max", which is listed below its
 * parameter. */
static const char *short_name(const row *p)
{
    const char *point = p->field ? strchr(p->name, '.') : NULL;
    return point ? point : p->name;
}

/* Draws the name and the value, with the slider below. Returns the number of
 * lines. */
static int draw_row(const cs_area *a, int y, const row *p, bool chosen,
                    bool slider, cs_ui *ui)
{
    cs_role role = chosen ? CS_ROLE_FOCUS : CS_ROLE_NORMAL;
    cs_ui_hit(ui, a, (cs_hit){CS_HIT_PARAM, 0, y, a->w, p->k, 0});
    int x = cs_print_cut(a, 1, y, 14, role, "%c %s%s", chosen ? '>' : ' ',
                         p->field ? " " : "", short_name(p));
    x = x < 16 ? 16 : x + 1;
    x = cs_print(a, x, y, role, "%s", p->text);
    if (p->driven)
        x = cs_print(a, x + 1, y, CS_ROLE_EVENT, "~");
    if (x + 2 < a->w)
        cs_print_cut(a, x + 1, y, a->w - x - 1, CS_ROLE_FAINT, "%s", p->unit);
    if (slider && y + 1 < a->h && p->number)
        draw_slider(a, y + 1, p, role, ui);
    else if (slider && y + 1 < a->h)
        draw_choices(a, y + 1, p, role, ui);
    return 1 + slider;
}

/* Draws the lists of numbers that the kernel was given. Returns the number of
 * lines. */
static int draw_lists(const cs_area *a, int y, const cs_shot *s, size_t arm)
{
    int lines = 0;
    for (size_t i = 0; y + lines < a->h; i++) {
        const char *name = cs_shot_text(s, "arm/%zu/list/%zu/name", arm, i);
        if (!*name)
            break;
        int x = cs_print_cut(a, 3, y + lines, 12, CS_ROLE_NORMAL, "%s", name);
        x = x < 16 ? 16 : x + 1;
        cs_print_cut(a, x, y + lines++, a->w - x, CS_ROLE_NORMAL, "%s",
                     cs_shot_text(s, "arm/%zu/list/%zu/text", arm, i));
    }
    return lines;
}

/* Displays the next values of a parameter with a schedule. */
static int draw_schedule(const cs_area *a, int y, const cs_shot *s, size_t arm,
                         size_t k)
{
    size_t r, n;
    const cs_row_schedule *series =
        CS_SHOT_ROWS(s, cs_row_schedule, &r, CS_KEY_SCHEDULE, arm, k);
    const double *value = cs_shot_array(s, &r, &n, CS_KEY_PLAN_VALUES, arm, k);
    if (!series || !value || y + 1 >= a->h)
        return 0;
    cs_print_cut(a, 1, y, a->w - 1, CS_ROLE_EVENT, "driven: steps %s to %s",
                 cs_num(series->first).text, cs_num(series->last).text);
    cs_sparkline(a, 1, y + 1, a->w - 2, value, r * n, CS_ROLE_EVENT);
    return 2;
}

/* Displays the effect of the typed line. */
static int draw_typed(const cs_area *a, int y, const cs_typed_set *t,
                      size_t arm, size_t k)
{
    cs_typed_series c;
    char text[160];
    if (!t->valid || t->arm != arm || t->param != k || y + 1 >= a->h)
        return 0;
    cs_typed_set_series(t, &c);
    cs_typed_set_tell(&t->then, t->next, text, sizeof text);
    cs_print_cut(a, 1, y, a->w - 1, CS_ROLE_FOCUS, "then %s", text);
    cs_sparkline(a, 1, y + 1, a->w - 2, c.then, c.n, CS_ROLE_FOCUS);
    return 2;
}

/* Returns the first row to show, such that the chosen row is visible. */
static size_t first_row(const size_t *order, size_t rows, size_t chosen, int h)
{
    size_t at = 0, room = h > 8 ? (size_t)h - 5 : 3;
    while (at < rows && order[at] != chosen)
        at++;
    return rows <= room || at < room ? 0 : at - room + 1;
}

/* If the row is a field of a schedule, returns the parameter that the
 * schedule drives; otherwise returns the row itself. */
static size_t driven_by(const cs_shot *s, size_t arm, size_t k)
{
    const cs_row_param *p = cs_shot_param(s, arm, k);
    return p && p->of > 0 ? cs_shot_whole(p->of - 1, CS_SHOT_PARAMS) : k;
}

void cs_view_params(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    char title[80];
    size_t arm = ui->look.arm;
    snprintf(title, sizeof title, "parameters of %.40s", cs_shot_arm(s, arm));
    cs_area in = cs_box(a, CS_ROLE_FOCUS, title, "");
    size_t order[CS_SHOT_PARAMS], rows = cs_shot_params(s, arm, order);
    size_t chosen = cs_ui_param(ui, s, 0);
    if (chosen == CS_NO_PARAM) {
        cs_print_wrapped(&in, 1, 0, CS_ROLE_LABEL,
                         "This kernel has no parameters.");
        return;
    }
    bool sliders = in.h >= (int)rows * 2 + 5;
    int y = 0;
    row p;
    for (size_t i = first_row(order, rows, chosen, in.h);
         i < rows && y < in.h - 1; i++) {
        bool on = order[i] == chosen;
        if (find_row(s, arm, order[i], &p))
            y += draw_row(&in, y, &p, on, sliders || on, ui);
    }
    y += draw_lists(&in, y, s, arm);
    size_t driven = driven_by(s, arm, chosen);
    y += draw_schedule(&in, y + 1, s, arm, driven) + 1;
    y += draw_typed(&in, y, &ui->typed, arm, driven);
    cs_area rest = cs_area_part(&in, 0, y, in.w, in.h - y - 2);
    if (find_row(s, arm, chosen, &p))
        cs_print_wrapped(&rest, 1, 0, CS_ROLE_LABEL, p.help);
    if (in.h >= 5)
        cs_print_cut(&in, 1, in.h - 1, in.w - 1, CS_ROLE_FAINT,
                     "left right change  enter types  ~ driven");
}
