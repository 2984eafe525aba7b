#include "screen/input/key_acts.h"

#include "screen/state/presets.h"

#include <stdio.h>
#include <string.h>

size_t cs_turn(size_t at, size_t n, bool up)
{
    return n == 0 ? 0 : up ? (at + 1) % n : (at + n - 1) % n;
}

void cs_key_every_arm(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->look.every_arm = !ui->look.every_arm;
}

void cs_key_pin(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->look.pinned =
        ui->look.pinned == ui->look.arm ? (size_t)CS_NO_PIN : ui->look.arm;
}

void cs_key_option(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->slots.of[ui->slots.focus].option++;
}

void cs_key_variant(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->slots.of[ui->slots.focus].variant++;
}

/* Scrolls the focused panel. Each panel limits the position to its last
 * line. */
void cs_key_scroll(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t *at = &ui->slots.of[ui->slots.focus].scroll;
    if (p->key == CS_KEY_PAGE_UP)
        *at = *at < 5 ? 0 : *at - 5;
    else
        *at = *at < 100000 ? *at + 5 : *at;
}

void cs_key_focus(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    for (size_t i = 0; i < ui->slots.n; i++) {
        ui->slots.focus = cs_turn(ui->slots.focus, ui->slots.n, p->key == '\t');
        if (ui->slots.of[ui->slots.focus].on)
            return;
    }
}

/* A digit shows a panel and focuses it, or hides it if it has the focus. */
void cs_key_digit(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t i = p->key == '0' ? 9 : p->key - '1';
    if (i >= ui->slots.n)
        return;
    bool hide = ui->slots.of[i].on && ui->slots.focus == i;
    ui->slots.of[i].on = !hide;
    ui->slots.focus = i;
    if (hide)
        cs_key_focus(&(cs_key_press){p->ui, p->shot, p->to, '\t', false});
}

void cs_key_leave_zoom(cs_ui *ui)
{
    cs_slots *slots = &ui->slots;
    slots->zoom = false;
    if (!slots->alone)
        return;
    slots->of[slots->alone - 1].on = slots->alone_on;
    if (slots->focus == slots->alone - 1)
        slots->focus = slots->alone_from;
    slots->alone = 0;
}

void cs_key_zoom(const cs_key_press *p)
{
    if (p->ui->slots.zoom)
        cs_key_leave_zoom(p->ui);
    else
        p->ui->slots.zoom = true;
}

void cs_key_unit(const cs_key_press *p)
{
    cs_unit next = cs_unit_next(p->shot, p->ui->look.unit);
    cs_ui_unit(p->ui, next);
}

void cs_key_legend(const cs_key_press *p)
{
    p->ui->legend = p->ui->legend > 0 ? -1 : 1;
}

/* Shows only one panel, or restores the panels shown before. */
static void alone(const cs_key_press *p, const char *name)
{
    cs_ui *ui = p->ui;
    size_t i = 0;
    while (i < ui->slots.n && strcmp(ui->slots.of[i].type->name, name) != 0)
        i++;
    if (i == ui->slots.n)
        return;
    if (ui->slots.zoom && ui->slots.focus == i) {
        cs_key_leave_zoom(ui);
        return;
    }
    ui->slots.alone = i + 1;
    ui->slots.alone_on = ui->slots.of[i].on;
    ui->slots.alone_from = ui->slots.focus;
    ui->slots.of[i].on = ui->slots.zoom = true;
    ui->slots.focus = i;
}

void cs_key_race(const cs_key_press *p)
{
    alone(p, "race");
}

/* The preview needs a paused run. */
void cs_key_inside(const cs_key_press *p)
{
    if (strcmp(cs_shot_text(p->shot, "run/state"), "running") == 0)
        cs_say(p, "pause");
    alone(p, "proposal");
}

void cs_key_preset(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t n = 0;
    char said[256];
    while (cs_preset_at(n))
        n++;
    ui->slots.preset = cs_turn(ui->slots.preset, n, p->key == 'p');
    const cs_preset *to = cs_preset_at(ui->slots.preset);
    cs_ui_panels(ui, to->panels ? to->panels : cs_ui_own_panels(p->shot));
    cs_ui_lecture(ui, strcmp(to->name, "lecture") == 0);
    snprintf(said, sizeof said, "layout %s, %zu of %zu", to->name,
             ui->slots.preset + 1, n);
    cs_log_add(&ui->log, CS_LOG_EVENT, said);
}
