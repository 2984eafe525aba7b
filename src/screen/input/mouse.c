#include "screen/input/mouse.h"

#include "screen/input/key_acts.h"
#include "screen/input/window.h"

#include <math.h>
#include <stdio.h>

static bool is_at(const cs_hit *h, int x, int y)
{
    return y == h->y && x >= h->x && x < h->x + h->w;
}

static const cs_hit *hit_at(const cs_ui *ui, int x, int y)
{
    for (size_t i = ui->mouse.n_hits; i-- > 0;)
        if (is_at(&ui->mouse.hit[i], x, y))
            return &ui->mouse.hit[i];
    for (size_t i = 0; ui->drawn.n_parts && i < 2; i++)
        if (is_at(&ui->mouse.choice[i], x, y))
            return &ui->mouse.choice[i];
    return NULL;
}

/* Returns the panel at a cell, or n_panels if no panel is there. */
static size_t panel_at(const cs_ui *ui, int x, int y)
{
    for (size_t i = 0; i < ui->drawn.n_parts; i++) {
        const cs_area *a = &ui->drawn.part[i];
        if (x >= a->x && x < a->x + a->w && y >= a->y && y < a->y + a->h)
            return ui->drawn.part_of[i];
    }
    return ui->slots.n;
}

/* Moves a slider with the pointer, limited to the ends of the slider. An
 * unchanged value is not sent again. */
static void slide(const cs_key_press *p, const cs_hit *h, int x)
{
    cs_ui *ui = p->ui;
    double share = h->w > 1 ? (double)(x - h->x) / (h->w - 1) : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    if (ui->mouse.dragged.w > 0 && ui->mouse.dragged_to == share)
        return;
    ui->mouse.dragged = *h;
    ui->mouse.dragged_to = share;
    cs_set_param(p, h->key,
                 cs_slider_value(p->shot, ui->look.arm, h->key, share));
}

/* Returns the border at a cell. A border is the empty column between a panel or
 * the strip and its neighbour at the right, or the title line of the panel
 * below. */
static cs_border border_at(const cs_ui *ui, int x, int y)
{
    const cs_layout *l = &ui->drawn.layout;
    x -= ui->drawn.field.x;
    y -= ui->drawn.field.y;
    for (size_t i = 0; i < l->n; i++) {
        const cs_layout_place *p = l->place + i;
        int right = p->x + p->w, bottom = p->y + p->h;
        if (x == right && right < ui->drawn.field.w && y >= p->y && y < bottom)
            return (cs_border){i, false, true};
        if (y == bottom && bottom < ui->drawn.field.h && x >= p->x && x < right)
            return (cs_border){i, true, true};
    }
    bool strip = l->n && x == l->strip.w && x > 0 && x < ui->drawn.field.w &&
                 y >= 0 && y < l->strip.h;
    return strip ? (cs_border){CS_LAYOUT_STRIP, false, true}
                 : (cs_border){.held = false};
}

static void pull(cs_ui *ui, const cs_mouse *m)
{
    const cs_border *b = &ui->mouse.border;
    bool strip = b->place == CS_LAYOUT_STRIP;
    if (ui->drawn.layout.n == 0 || (b->place >= ui->drawn.layout.n && !strip))
        return;
    const cs_layout_place *p =
        strip ? &ui->drawn.layout.strip : ui->drawn.layout.place + b->place;
    int by = b->down ? m->y - ui->drawn.field.y - (p->y + p->h)
                     : m->x - ui->drawn.field.x - (p->x + p->w);
    cs_layout_move(&ui->drawn.layout, b->place, b->down, by, &ui->slots.sizes);
}

/* Handles a click on an axis of steps or on the timeline, and displays the run
 * at that step. The axis is the nearest one below the click in its panel; the
 * timeline is in no panel. */
static bool travel(const cs_key_press *p, size_t panel, const cs_mouse *m)
{
    const cs_ui *ui = p->ui;
    const cs_x_axis *best = NULL;
    char line[64];
    for (size_t i = 0; i < ui->drawn.canvas->n_axes; i++) {
        const cs_x_axis *a = &ui->drawn.canvas->axis[i];
        bool at = panel < ui->slots.n ? m->y <= a->y : m->y == a->y;
        if (a->steps && m->x >= a->x && m->x < a->x + a->w && at &&
            panel_at(ui, a->x, a->y) == panel && (!best || a->y < best->y))
            best = a;
    }
    if (!best || best->w < 2)
        return false;
    double share = (double)(m->x - best->x) / (best->w - 1);
    double step = cs_axis_value(best, share);
    double end = fmax(cs_shot_number(p->shot, 0, "run/end"),
                      cs_shot_number(p->shot, 0, "run/steps"));
    snprintf(line, sizeof line, "rewind to %.0f", fmax(0, fmin(step, end)));
    return p->to->send(p->to->self, line);
}

static bool press_hit(const cs_key_press *p, const cs_hit *h, int x)
{
    cs_ui *ui = p->ui;
    if (h->kind == CS_HIT_KEY)
        return cs_press(ui, p->shot, p->to, h->key);
    if (h->kind == CS_HIT_ARM) {
        if (cs_shot_plays(p->shot)) /* the move also chooses the arm */
            cs_say(p, "game mark %s", cs_shot_arm(p->shot, h->key));
        else
            cs_choose_arm(p, h->key);
        return true;
    }
    ui->param = h->key;
    if (h->kind == CS_HIT_SLIDER)
        slide(p, h, x);
    if (h->kind == CS_HIT_CHOICE)
        cs_set_param(p, h->key, h->value);
    return true;
}

static bool press(const cs_key_press *p, const cs_mouse *m)
{
    cs_ui *ui = p->ui;
    const cs_hit *h = hit_at(ui, m->x, m->y);
    size_t panel = panel_at(ui, m->x, m->y);
    ui->mouse.dragged.w = 0;
    ui->mouse.border.held = false;
    if (h)
        return press_hit(p, h, m->x);
    if (ui->drawn.n_parts > 0) /* the panels are not covered */
        ui->mouse.border = border_at(ui, m->x, m->y);
    if (panel == ui->slots.n)
        return ui->mouse.border.held || travel(p, panel, m);
    bool had = ui->slots.focus == panel; /* otherwise the click only moves the
                                          * focus */
    ui->slots.focus = panel;
    if (!ui->mouse.border.held && had && !cs_map_mouse(p, m))
        travel(p, panel, m);
    return true;
}

#define FINE 1.25 /* zoom factor per wheel notch over an axis */

/* Handles the wheel: zooms the axis of a plot, or scrolls a panel or a list. */
static bool wheel(const cs_key_press *p, const cs_mouse *m)
{
    enum { LINES = 3 };
    cs_ui *ui = p->ui;
    bool up = m->kind == CS_MOUSE_WHEEL_UP;
    size_t panel = panel_at(ui, m->x, m->y);
    bool any = false;
    if (ui->view != CS_VIEW_RUN) {
        for (int i = 0; i < LINES; i++)
            any = cs_press(ui, p->shot, p->to, up ? CS_KEY_UP : CS_KEY_DOWN);
        return any;
    }
    if (panel == ui->slots.n)
        return false;
    const cs_x_axis *axis = cs_window_axis(ui, panel, m->x, m->y);
    if (axis) {
        double down =
            axis->h > 1 ? (double)(m->y - axis->top) / (axis->h - 1) : 0.5;
        cs_window_zoom(&ui->slots.of[panel].window, axis,
                       (double)(m->x - axis->x) / (axis->w - 1),
                       1 - fmin(down, 1), up ? 1 / FINE : FINE);
        return true;
    }
    size_t *at = &ui->slots.of[panel].scroll;
    *at = up ? *at < LINES ? 0 : *at - LINES : *at + LINES;
    return true;
}

static bool act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                const cs_mouse *m)
{
    const cs_key_press p = {ui, s, to, 0, false};
    if (ui->prompt.mark)
        return false;
    if (m->kind == CS_MOUSE_RELEASE)
        ui->mouse.border.held = false;
    if (m->kind == CS_MOUSE_PRESS)
        return press(&p, m);
    if (!ui->mouse.border.held && ui->mouse.dragged.w == 0 &&
        cs_map_mouse(&p, m))
        return true;
    if (m->kind == CS_MOUSE_DRAG && ui->mouse.dragged.w > 0) {
        const cs_hit h = ui->mouse.dragged;
        slide(&p, &h, m->x);
        return true;
    }
    if (m->kind == CS_MOUSE_DRAG && ui->mouse.border.held) {
        pull(ui, m);
        return true;
    }
    return (m->kind == CS_MOUSE_WHEEL_UP || m->kind == CS_MOUSE_WHEEL_DOWN) &&
           wheel(&p, m);
}

bool cs_mouse_act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  const cs_mouse *m)
{
    bool meant = act(ui, s, to, m);
    cs_undo_look(ui);
    return meant;
}
