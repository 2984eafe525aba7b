#include "screen/input/window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Finds the area of a panel in the last frame. Returns false if the panel is
 * not visible. */
static bool area_of(const cs_ui *ui, size_t panel, cs_area *out)
{
    for (size_t i = 0; i < ui->drawn.n_parts; i++)
        if (ui->drawn.part_of[i] == panel) {
            *out = ui->drawn.part[i];
            return true;
        }
    *out = ui->drawn.focused; /* before the first frame, only the focused
                               * panel's area may be known */
    return panel == ui->slots.focus && ui->drawn.focused.w > 0;
}

static bool holds(const cs_area *a, int x, int y)
{
    return x >= a->x && x < a->x + a->w && y >= a->y && y < a->y + a->h;
}

/* Returns the next windowed axis of a panel, starting at axis number *i of the
 * canvas. If there are no more axes, returns NULL. */
static const cs_x_axis *next_axis(const cs_ui *ui, size_t panel, size_t *i)
{
    cs_area a;
    if (!ui->drawn.canvas || !area_of(ui, panel, &a))
        return NULL;
    while (*i < ui->drawn.canvas->n_axes) {
        const cs_x_axis *axis = &ui->drawn.canvas->axis[(*i)++];
        if (holds(&a, axis->x, axis->y) && axis->windowed && axis->w > 1)
            return axis;
    }
    return NULL;
}

const cs_x_axis *cs_window_axis(const cs_ui *ui, size_t panel, int x, int y)
{
    const cs_x_axis *axis;
    for (size_t i = 0; (axis = next_axis(ui, panel, &i));)
        if (x < 0 || (x >= axis->x && x < axis->x + axis->w && y >= axis->top &&
                      y <= axis->y))
            return axis;
    return NULL;
}

static cs_axis_ends level_of(const cs_x_axis *a)
{
    return (cs_axis_ends){a->from,       a->to,       a->log,
                          a->whole_from, a->whole_to, a->part};
}

static double value_at(const cs_axis_ends *e, double share)
{
    return cs_axis_value(
        &(cs_x_axis){.from = e->from, .to = e->to, .log = e->log}, share);
}

/* Sets the displayed range. Setting the whole range ends the zoom. */
static void show(cs_window *w, const cs_axis_ends *e, double from, double to)
{
    double whole = e->whole_to - e->whole_from;
    from = fmax(from, e->whole_from);
    to = fmin(to, e->whole_to);
    bool on =
        from > e->whole_from + 1e-9 * whole || to < e->whole_to - 1e-9 * whole;
    cs_window_set_part(w, e->part, (cs_stretch){on, from, to});
}

static void zoom(cs_window *w, const cs_axis_ends *e, bool steps, double share,
                 double factor)
{
    double left = share - share * factor;
    double from = value_at(e, left), to = value_at(e, left + factor);
    double least = fmax(1e-6 * (e->whole_to - e->whole_from), steps ? 4 : 0);
    if (factor >= 1 || to - from >= least)
        show(w, e, from, to);
}

void cs_window_zoom(cs_window *w, const cs_x_axis *axis, double share,
                    double share_up, double factor)
{
    cs_axis_ends level = level_of(axis);
    zoom(w, &level, axis->steps, share, factor);
    if (axis->plane)
        zoom(w, &axis->up, false, share_up, factor);
}

void cs_window_pan(cs_window *w, const cs_x_axis *axis, bool up, double by)
{
    cs_axis_ends e = up ? axis->up : level_of(axis);
    double from = value_at(&e, by), to = value_at(&e, 1 + by);
    double span = e.to - e.from;
    if (by < 0 && from < e.whole_from) {
        from = e.whole_from;
        to = e.log ? from * e.to / e.from : from + span;
    }
    if (by > 0 && to > e.whole_to) {
        to = e.whole_to;
        from = e.log ? to * e.from / e.to : to - span;
    }
    show(w, &e, from, to);
}

/* ---- keys that zoom and pan ------------------------------------------------ */

/* Logs the reason why a key has no effect in the focused panel. */
static void complain(const cs_key_press *p, const char *why)
{
    char text[160];
    snprintf(text, sizeof text, "the panel %s %s",
             p->ui->slots.of[p->ui->slots.focus].type->name, why);
    cs_log_add(&p->ui->log, CS_LOG_ERROR, text);
}

/* Returns the axis of the focused panel. If the panel has no axis, logs a
 * message and returns NULL. */
static const cs_x_axis *focused(const cs_key_press *p)
{
    const cs_x_axis *axis = cs_window_axis(p->ui, p->ui->slots.focus, -1, 0);
    if (!axis)
        complain(p, "has no axis: tab chooses another panel");
    return axis;
}

/* If the displayed step is not the newest, returns the position of the
 * displayed step on an axis of steps. Otherwise returns the middle. */
static double cursor(const cs_shot *s, const cs_x_axis *axis)
{
    double now = cs_shot_number(s, NAN, "run/steps");
    double end = cs_shot_number(s, now, "run/end");
    if (!axis->steps || !(end > now) || !(now > axis->from && now < axis->to))
        return 0.5;
    return axis->log ? log(now / axis->from) / log(axis->to / axis->from)
                     : (now - axis->from) / (axis->to - axis->from);
}

/* Zooms each part of the window once, since several plots may share a part. */
void cs_key_part(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    const cs_x_axis *axis = focused(p);
    bool done[CS_WINDOW_PARTS] = {false};
    double factor = p->key == ')' ? 2 : 0.5;
    for (size_t i = 0; axis && (axis = next_axis(ui, ui->slots.focus, &i));) {
        cs_window *w = &ui->slots.of[ui->slots.focus].window;
        cs_axis_ends level = level_of(axis);
        if (!done[level.part])
            zoom(w, &level, axis->steps, cursor(p->shot, axis), factor);
        done[level.part] = true;
        if (axis->plane && !done[axis->up.part]) {
            zoom(w, &axis->up, false, 0.5, factor);
            done[axis->up.part] = true;
        }
    }
}

void cs_key_pan(const cs_key_press *p)
{
    const cs_x_axis *axis = focused(p);
    bool up = p->key == CS_KEY_SHIFT_UP || p->key == CS_KEY_SHIFT_DOWN;
    bool back = p->key == CS_KEY_SHIFT_LEFT || p->key == CS_KEY_SHIFT_DOWN;
    if (axis && up && !axis->plane)
        complain(p, "has no vertical axis to move along");
    else if (axis)
        cs_window_pan(&p->ui->slots.of[p->ui->slots.focus].window, axis, up,
                      back ? -0.25 : 0.25);
}

void cs_key_whole(const cs_key_press *p)
{
    for (int k = 0; k < CS_WINDOW_PARTS; k++)
        cs_window_set_part(&p->ui->slots.of[p->ui->slots.focus].window, k,
                           (cs_stretch){0});
}

/* Cycles through the logarithmic scales that the panel supports: horizontal
 * axis, values, both, none. */
void cs_key_scale(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    cs_window *w = &ui->slots.of[ui->slots.focus].window;
    bool values = ui->slots.of[ui->slots.focus].type->log_values;
    const cs_x_axis *axis = focused(p);
    if (axis && axis->linear)
        complain(p, "has equal cells: its axes are linear");
    if (!axis || axis->linear)
        return;
    if (values && w->log_x)
        w->log_y = !w->log_y;
    w->log_x = !w->log_x;
}

/* Formats an end of the range: steps as integers, other values in a few
 * characters. */
static cs_number end_of(const cs_x_axis *axis, double v)
{
    return axis->steps ? cs_count(round(v)) : cs_num(v);
}

static bool is_part(const cs_axis_ends *e)
{
    return e->from > e->whole_from || e->to < e->whole_to;
}

/* Returns true if the panel has several planes. These display their ranges
 * themselves. */
static bool has_planes(const cs_ui *ui, size_t panel, const cs_x_axis *first)
{
    const cs_x_axis *axis;
    for (size_t i = 0; (axis = next_axis(ui, panel, &i));)
        if (axis->part != first->part || axis->up.part != first->up.part)
            return true;
    return false;
}

static bool has_parts(const cs_window *w)
{
    bool any = w->log_x || w->log_y;
    for (int k = 0; k < CS_WINDOW_PARTS; k++)
        any = any || cs_window_part(w, k).on;
    return any;
}

/* Writes "zoomed: 1 to 2, up 3 to 4, w the whole" to text[size], or "zoomed, w
 * the whole" if `brief`. Returns the length. */
static int tell_part(const cs_x_axis *axis, bool brief, char *text, size_t size)
{
    cs_axis_ends level = level_of(axis);
    bool across = is_part(&level), up = axis->plane && is_part(&axis->up);
    char x[80] = "", y[80] = "";
    if (across)
        snprintf(x, sizeof x, ": %s to %s", end_of(axis, axis->from).text,
                 end_of(axis, axis->to).text);
    if (up)
        snprintf(y, sizeof y, "%s up %s to %s", across ? "," : ":",
                 cs_num(axis->up.from).text, cs_num(axis->up.to).text);
    return across || up ? snprintf(text, size, "zoomed%s%s, w the whole",
                                   brief ? "" : x, brief ? "" : y)
                        : 0;
}

/* Writes which axes are logarithmic, and which requested axis cannot be
 * logarithmic. */
static void tell_scales(const cs_window *w, const cs_x_axis *axis, bool first,
                        char *text, size_t size)
{
    const char *comma = first ? "" : ", ";
    bool log_up = axis->plane ? axis->up.log : axis->log_values;
    bool refused =
        (w->log_y && !log_up) || (axis->plane && w->log_x && !axis->log);
    snprintf(text, size, "%s%s%s%s%s", axis->log ? comma : "",
             axis->log ? axis->plane ? "log across" : "log axis" : "",
             w->log_y && log_up ? axis->log ? ", " : comma : "",
             w->log_y && log_up ? axis->plane ? "log up" : "log values" : "",
             refused && !axis->log && !(w->log_y && log_up) ? comma
             : refused                                      ? ", "
                                                            : "");
    size_t n = strlen(text);
    if (refused)
        snprintf(text + n, size - n, "%s",
                 axis->plane ? "an axis that starts below 0 stays linear"
                             : "values that are not above 0 stay linear");
}

int cs_window_tell(const cs_area *edge, const cs_ui *ui, size_t panel)
{
    const cs_window *w = &ui->slots.of[panel].window;
    const cs_x_axis *axis =
        has_parts(w) ? cs_window_axis(ui, panel, -1, 0) : NULL;
    if (!axis)
        return 0;
    bool planes = has_planes(ui, panel, axis);
    for (int brief = planes; brief < 2; brief++) {
        char text[200] = "";
        int n = planes ? snprintf(text, sizeof text, "zoomed, w the whole")
                       : tell_part(axis, brief, text, sizeof text);
        tell_scales(w, axis, n == 0, text + n, sizeof text - (size_t)n);
        int wide = cs_text_width(text), x = edge->w - wide - 1;
        if (x >= 0 && wide &&
            cs_print_fit(edge, x, 0, wide + 1, CS_ROLE_VALUE, " %s", text) > x)
            return wide + 1;
    }
    return 0;
}
