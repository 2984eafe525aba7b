#include "screen/input/keys.h"

#include "screen/input/key_acts.h"
#include "screen/state/undo.h"
#include "screen/term/keyboards.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void cs_say(const cs_key_press *p, const char *format, ...)
{
    char line[3072];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    p->to->send(p->to->self, line);
}

void cs_act(const cs_key_press *p, const cs_action *action, size_t k)
{
    cs_key_press as = *p;
    as.key = action->keys[k];
    if (action->act)
        action->act(&as);
    else
        cs_obey(&as, action->line[k]);
}

/* Returns the command line that the user has bound to a key. If the user has
 * bound none, returns the command line that the keyboard binds to it. */
static const char *bound(const cs_ui *ui, unsigned key)
{
    for (size_t i = 0; i < ui->prefs.n_bindings; i++)
        if (ui->prefs.binding[i].key == key)
            return ui->prefs.binding[i].line;
    return cs_keyboard_line(ui->prefs.keyboard, key);
}

/* Runs the action with the key in one of the views. Returns false if there is
 * no such action. */
static bool press_of(const cs_key_press *p, unsigned views)
{
    const cs_action *a;
    for (size_t i = 0; (a = cs_action_at(i)); i++)
        for (size_t k = 0; k < CS_ACTION_KEYS; k++)
            if (a->views & views && a->keys[k] == p->key) {
                cs_act(p, a, k);
                return true;
            }
    return false;
}

/* Sends a key to the focused panel if the panel is defined by the scenario and
 * uses the key. */
static bool press_own(const cs_key_press *p)
{
    const cs_ui *ui = p->ui;
    char line[64];
    if (ui->slots.focus >= ui->slots.n || !ui->slots.of[ui->slots.focus].type ||
        !cs_own_takes(&ui->own, p->shot,
                      ui->slots.of[ui->slots.focus].type->name, p->key))
        return false;
    snprintf(line, sizeof line, "key %s %c",
             ui->slots.of[ui->slots.focus].type->name, (int)p->key);
    return p->to->send(p->to->self, line);
}

static bool press(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  unsigned key)
{
    const cs_key_press p = {ui, s, to, key, false};
    const unsigned view = 1u << ui->view, build = 1u << CS_VIEW_BUILD,
                   lesson = 1u << CS_VIEW_LESSON, game = 1u << CS_VIEW_GAME;
    if (key == 0)
        return false;
    ui->again = ui->asked;
    ui->asked = 0;
    *ui->ask = 0;
    if (ui->beyond) {
        ui->beyond = false;
        cs_key_answer(&p);
        return true;
    }
    if (cs_ui_views(ui) & build && press_of(&p, build))
        return true;
    if (ui->view == CS_VIEW_RUN && press_own(&p))
        return true;
    const char *line = ui->view == CS_VIEW_RUN ? bound(ui, key) : NULL;
    if (line) {
        cs_obey(&(cs_key_press){ui, s, to, 0, true}, line);
        return true;
    }
    if (cs_ui_views(ui) & game && press_of(&p, game))
        return true;
    if (cs_ui_views(ui) & lesson &&
        (cs_key_answer_lesson(&p) || press_of(&p, lesson)))
        return true;
    if (ui->view == CS_VIEW_RUN && key >= '0' && key <= '9') {
        cs_key_digit(&p);
        return true;
    }
    return press_of(&p, view) || cs_key_type_ahead(ui, key);
}

bool cs_press(cs_ui *ui, const cs_shot *s, const cs_sender *to, unsigned key)
{
    assert(to && to->send);
    bool meant = press(ui, s, to, key);
    cs_undo_look(ui);
    return meant;
}
