#include "screen/window.h"

#include <math.h>
#include <stdio.h>

/* Where a panel stands in the last frame; false: it is not there. */
static bool area_of(const cs_ui *ui, size_t panel, cs_area *out)
{
    for (size_t i = 0; i < ui->n_parts; i++)
        if (ui->part_of[i] == panel) {
            *out = ui->part[i];
            return true;
        }
    *out = ui->focused; /* without a frame */
    return panel == ui->focus && ui->focused.w > 0;
}

static bool holds(const cs_area *a, int x, int y)
{
    return x >= a->x && x < a->x + a->w && y >= a->y && y < a->y + a->h;
}

const cs_x_axis *cs_window_axis(const cs_ui *ui, size_t panel, int x, int y)
{
    cs_area a;
    if (!ui->canvas || !area_of(ui, panel, &a))
        return NULL;
    for (size_t i = 0; i < ui->canvas->n_axes; i++) {
        const cs_x_axis *axis = &ui->canvas->axis[i];
        bool under = x < 0 || (x >= axis->x && x < axis->x + axis->w &&
                               y >= axis->top && y <= axis->y);
        if (holds(&a, axis->x, axis->y) && under && axis->windowed &&
            axis->w > 1)
            return axis;
    }
    return NULL;
}

/* Sets what is shown; all of it is no part. */
static void show(cs_window *w, const cs_x_axis *axis, double from, double to)
{
    double whole = axis->whole_to - axis->whole_from;
    from = fmax(from, axis->whole_from);
    to = fmin(to, axis->whole_to);
    w->on = from > axis->whole_from + 1e-9 * whole ||
            to < axis->whole_to - 1e-9 * whole;
    w->from = from;
    w->to = to;
}

void cs_window_zoom(cs_window *w, const cs_x_axis *axis, double share,
                    double factor)
{
    double left = share - share * factor;
    double from = cs_axis_value(axis, left);
    double to = cs_axis_value(axis, left + factor);
    double whole = axis->whole_to - axis->whole_from;
    double least = fmax(1e-6 * whole, axis->steps ? 4 : 0);
    if (factor >= 1 || to - from >= least)
        show(w, axis, from, to);
}

void cs_window_pan(cs_window *w, const cs_x_axis *axis, double by)
{
    double from = cs_axis_value(axis, by), to = cs_axis_value(axis, 1 + by);
    double span = axis->to - axis->from;
    if (by < 0 && from < axis->whole_from) {
        from = axis->whole_from;
        to = axis->log ? from * axis->to / axis->from : from + span;
    }
    if (by > 0 && to > axis->whole_to) {
        to = axis->whole_to;
        from = axis->log ? to * axis->from / axis->to : to - span;
    }
    show(w, axis, from, to);
}

/* The axis of the focused panel; NULL, and why is said: it has none. */
static const cs_x_axis *focused(const cs_key_press *p)
{
    char text[160];
    const cs_x_axis *axis = cs_window_axis(p->ui, p->ui->focus, -1, 0);
    if (!axis) {
        snprintf(text, sizeof text,
                 "the panel %s shows no axis: tab chooses another panel",
                 p->ui->panel[p->ui->focus]->name);
        cs_log_add(&p->ui->log, CS_LOG_ERROR, text);
    }
    return axis;
}

/* Where the cursor of time stands on an axis of steps, looking back; else the
 * middle. */
static double cursor(const cs_shot *s, const cs_x_axis *axis)
{
    double now = cs_shot_number(s, NAN, "run/steps");
    double end = cs_shot_number(s, now, "run/end");
    if (!axis->steps || !(end > now) || !(now > axis->from && now < axis->to))
        return 0.5;
    return axis->log ? log(now / axis->from) / log(axis->to / axis->from)
                     : (now - axis->from) / (axis->to - axis->from);
}

void cs_key_part(const cs_key_press *p)
{
    const cs_x_axis *axis = focused(p);
    if (axis)
        cs_window_zoom(&p->ui->window[p->ui->focus], axis,
                       cursor(p->shot, axis), p->key == ')' ? 2 : 0.5);
}

void cs_key_pan(const cs_key_press *p)
{
    const cs_x_axis *axis = focused(p);
    if (axis)
        cs_window_pan(&p->ui->window[p->ui->focus], axis,
                      p->key == CS_KEY_SHIFT_LEFT ? -0.25 : 0.25);
}

void cs_key_whole(const cs_key_press *p)
{
    p->ui->window[p->ui->focus].on = false;
}

/* The horizontal axis, then the values, then both, of a panel that has both. */
void cs_key_scale(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    cs_window *w = &ui->window[ui->focus];
    bool values = ui->panel[ui->focus]->log_values;
    if (!focused(p))
        return;
    if (values && w->log_x)
        w->log_y = !w->log_y;
    w->log_x = !w->log_x;
}

/* Whole steps; of others as many digits as they need. */
static cs_number end_of(const cs_x_axis *axis, double v)
{
    return axis->steps ? cs_count(round(v)) : cs_num(v);
}

int cs_window_tell(const cs_area *edge, const cs_ui *ui, size_t panel)
{
    const cs_window *w = &ui->window[panel];
    const cs_x_axis *axis =
        w->on || w->log_x || w->log_y ? cs_window_axis(ui, panel, -1, 0) : NULL;
    char text[120] = "";
    int n = 0;
    if (!axis)
        return 0;
    if (axis->from > axis->whole_from || axis->to < axis->whole_to)
        n = snprintf(text, sizeof text, "zoomed: %s to %s, w the whole",
                     end_of(axis, axis->from).text,
                     end_of(axis, axis->to).text);
    if (axis->log)
        n += snprintf(text + n, sizeof text - (size_t)n, "%slog axis",
                      n ? ", " : "");
    if (w->log_y)
        snprintf(text + n, sizeof text - (size_t)n, "%s%s", n ? ", " : "",
                 axis->log_values ? "log values"
                                  : "values that are not above 0 stay linear");
    int wide = cs_text_width(text), x = edge->w - wide - 1;
    return x > 0 && wide &&
                   cs_print_fit(edge, x, 0, wide, CS_ROLE_VALUE, "%s", text) > x
               ? wide + 2
               : 0;
}
