#include "screen/state/undo.h"

#include "screen/state/ui.h"

#include <stdio.h>
#include <string.h>

static void take(const cs_ui *ui, cs_shown *to)
{
    to->theme = ui->theme;
    to->slots = ui->slots;
    to->unit = ui->look.unit;
    to->every_arm = ui->look.every_arm;
}

static void show(cs_ui *ui, const cs_shown *from)
{
    ui->theme = from->theme;
    ui->slots = from->slots;
    ui->look.unit = from->unit;
    ui->look.every_arm = from->every_arm;
}

/* ---- differences and their names ------------------------------------------- */

static bool other_panels(const cs_shown *a, const cs_shown *b)
{
    bool differ = a->slots.n != b->slots.n;
    for (size_t i = 0; !differ && i < a->slots.n; i++)
        differ =
            a->slots.of[i].type != b->slots.of[i].type ||
            a->slots.of[i].on != b->slots.of[i].on ||
            strcmp(a->slots.of[i].shows.of, b->slots.of[i].shows.of) != 0 ||
            strcmp(a->slots.of[i].shows.arm, b->slots.of[i].shows.arm) != 0;
    return differ;
}

static bool other_theme(const cs_shown *a, const cs_shown *b)
{
    return a->theme != b->theme;
}

static bool other_unit(const cs_shown *a, const cs_shown *b)
{
    return a->unit != b->unit;
}

static bool other_zoom(const cs_shown *a, const cs_shown *b)
{
    return a->slots.zoom != b->slots.zoom;
}

static bool other_arms(const cs_shown *a, const cs_shown *b)
{
    return a->every_arm != b->every_arm;
}

static bool other_option(const cs_shown *a, const cs_shown *b)
{
    bool differ = false;
    for (size_t i = 0; i < CS_LAYOUT_PANELS; i++)
        differ |= a->slots.of[i].option != b->slots.of[i].option;
    return differ;
}

static bool other_variant(const cs_shown *a, const cs_shown *b)
{
    bool differ = false;
    for (size_t i = 0; i < CS_LAYOUT_PANELS; i++)
        differ |= a->slots.of[i].variant != b->slots.of[i].variant;
    return differ;
}

static bool other_window(const cs_shown *a, const cs_shown *b)
{
    bool differ = false;
    for (size_t i = 0; !differ && i < CS_LAYOUT_PANELS; i++) {
        const cs_window *v = &a->slots.of[i].window,
                        *w = &b->slots.of[i].window;
        differ = v->log_x != w->log_x || v->log_y != w->log_y;
        for (int k = 0; !differ && k < CS_WINDOW_PARTS; k++) {
            cs_stretch one = cs_window_part(v, k), other = cs_window_part(w, k);
            differ = one.on != other.on ||
                     (one.on && (one.from != other.from || one.to != other.to));
        }
    }
    return differ;
}

static bool other_sizes(const cs_shown *a, const cs_shown *b)
{
    return memcmp(&a->slots.sizes, &b->slots.sizes, sizeof a->slots.sizes) != 0;
}

static bool other_glyphs(const cs_shown *a, const cs_shown *b)
{
    bool differ = false;
    for (size_t i = 0; i < CS_LAYOUT_PANELS; i++)
        differ |= a->slots.of[i].glyphs != b->slots.of[i].glyphs;
    return differ;
}

static const struct {
    bool (*differs)(const cs_shown *a, const cs_shown *b);
    const char *said;
} parts[] = {
    {other_zoom, "the zoom"},
    {other_panels, "the visible panels"},
    {other_theme, "the colours"},
    {other_unit, "the unit of work"},
    {other_arms, "all arms or one"},
    {other_window, "the part of the axis"},
    {other_option, "the quantity of the panel"},
    {other_variant, "the view of the panel"},
    {other_sizes, "the borders"},
    {other_glyphs, "the characters of the panel"},
};

/* Returns the name of the first difference between the two states. If both
 * states are equal, returns NULL. */
static const char *difference(const cs_shown *a, const cs_shown *b)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].differs(a, b))
            return parts[i].said;
    return NULL;
}

/* ---- steps ------------------------------------------------------------------ */

static void push(cs_undo *u, bool of_run, const cs_shown *before)
{
    if (u->at == CS_UNDO_STEPS)
        memmove(u->step, u->step + 1, --u->at * sizeof *u->step);
    u->step[u->at].of_run = of_run;
    if (before)
        u->step[u->at].shown = *before;
    u->n = ++u->at;
    u->instead = NULL;
}

void cs_undo_clear(cs_ui *ui, double changes)
{
    ui->undo.at = ui->undo.n = 0;
    ui->undo.changes = changes;
    ui->undo.instead = NULL;
    cs_undo_accept(ui);
}

/* The new position of a border is recorded when the border is released, not
 * while it is dragged. */
void cs_undo_accept(cs_ui *ui)
{
    if (!ui->mouse.border.held)
        take(ui, &ui->undo.now);
}

void cs_undo_look(cs_ui *ui)
{
    cs_shown now = {0};
    take(ui, &now);
    if (ui->mouse.border.held || !difference(&ui->undo.now, &now))
        return;
    push(&ui->undo, false, &ui->undo.now);
    ui->undo.now = now;
}

void cs_undo_changes(cs_ui *ui, double changes)
{
    if (changes > ui->undo.changes + CS_UNDO_STEPS)
        ui->undo.changes = changes - CS_UNDO_STEPS;
    for (; ui->undo.changes < changes; ui->undo.changes++)
        push(&ui->undo, true, NULL);
}

void cs_undo_instead(cs_ui *ui, const char *what)
{
    ui->undo.instead = what;
}

/* Swaps the current state with the state stored in an undo step. `back`: the
 * step is undone, not redone. */
static void turn(cs_ui *ui, cs_shown *step, bool back)
{
    char text[160];
    cs_shown before = {0};
    take(ui, &before);
    const char *what = difference(&before, step);
    show(ui, step);
    *step = before;
    cs_undo_accept(ui);
    snprintf(text, sizeof text, "%s: %s%s", back ? "undone" : "redone",
             what ? what : "nothing", back ? ", restored" : "");
    cs_log_add(&ui->log, CS_LOG_EVENT, text);
}

const char *cs_undo_back(cs_ui *ui)
{
    cs_undo *u = &ui->undo;
    char text[256];
    if (u->instead) {
        snprintf(text, sizeof text, "this cannot be undone: %s%s", u->instead,
                 u->at ? "; U again undoes the change before" : "");
        cs_log_add(&ui->log, CS_LOG_EVENT, text);
        u->instead = NULL;
    } else if (u->at == 0) {
        cs_log_add(&ui->log, CS_LOG_ERROR, "nothing to undo");
    } else if (u->step[--u->at].of_run) {
        return "undo";
    } else {
        turn(ui, &u->step[u->at].shown, true);
    }
    return NULL;
}

const char *cs_undo_again(cs_ui *ui)
{
    cs_undo *u = &ui->undo;
    if (u->at == u->n)
        cs_log_add(&ui->log, CS_LOG_ERROR, "nothing to redo");
    else if (u->step[u->at++].of_run)
        return "redo";
    else
        turn(ui, &u->step[u->at - 1].shown, false);
    return NULL;
}
