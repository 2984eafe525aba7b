/* The line of keys: the main keys of the view; "? help" is always at the end. A
 * click on a key presses it. The title of a panel names its own keys. */
#include "screen/input/keys.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 2 };

/* Finds the label of key k of an action on the line of keys. Returns false if
 * the action has no such key. */
static bool label_of(const cs_action *act, const cs_ui *ui, size_t k,
                     char label[16], unsigned *key)
{
    if (!cs_action_label(ui, act, k, label, 16, key))
        return false;
    if (act->brief && strcmp(label, act->label) == 0)
        snprintf(label, 16, "%s", act->brief);
    return true;
}

static int width_of(const cs_action *act, const cs_ui *ui)
{
    char label[16];
    unsigned key;
    int width = cs_text_width(act->word);
    for (size_t k = 0; label_of(act, ui, k, label, &key); k++)
        width += cs_text_width(label) + 1;
    return width;
}

static bool is_spare(const cs_action *act)
{
    return (act->views & CS_SPARE) != 0;
}

/* Returns the views whose actions are on the line of keys: during a game only
 * its own, since the game refuses most commands of a run. */
static unsigned views_of(const cs_ui *ui)
{
    unsigned views = cs_ui_views(ui), game = 1u << CS_VIEW_GAME;
    return views & game ? game : views;
}

/* Returns true if an action is shown on the line of keys. An action is not
 * shown if the user has bound its first key to another command. */
static bool has_place(const cs_action *act, const cs_ui *ui, size_t arms)
{
    char label[16];
    unsigned key;
    return cs_action_label(ui, act, 0, label, sizeof label, &key) && key != 0 &&
           act->word && act->views & views_of(ui) && !(act->views & CS_OWN) &&
           (arms > 1 || !(act->views & CS_ARMS)) &&
           strcmp(act->name, "help") != 0;
}

/* Draws the labels of an action's keys, then the action's word, which describes
 * the effect of the first key. */
static int draw_key(const cs_area *a, int x, const cs_action *act, cs_ui *ui)
{
    char label[16];
    unsigned key;
    for (size_t k = 0; label_of(act, ui, k, label, &key); k++) {
        int end = cs_print(a, x, 0, CS_ROLE_KEY, "%s", label);
        cs_ui_hit(ui, a, (cs_hit){CS_HIT_KEY, x, 0, end - x, key, 0});
        x = end + 1;
    }
    int end = cs_print(a, x, 0, CS_ROLE_LABEL, "%s", act->word);
    cs_ui_hit(ui, a, (cs_hit){CS_HIT_KEY, x, 0, end - x, act->keys[0], 0});
    return end + GAP;
}

void cs_view_keys(const cs_area *a, cs_ui *ui, size_t arms)
{
    const cs_action *act = cs_action_find("help");
    int capacity = a->w, x = 1;
    if (a->w >= 8) {
        capacity = a->w - 8;
        draw_key(a, capacity + 1, act, ui);
    }
    int spare = capacity - x;
    for (size_t i = 0; (act = cs_action_at(i)); i++)
        if (has_place(act, ui, arms) && !is_spare(act))
            spare -= width_of(act, ui) + GAP;
    for (size_t i = 0; (act = cs_action_at(i)); i++) {
        if (!has_place(act, ui, arms))
            continue;
        int width = width_of(act, ui);
        if (x + width > capacity || (is_spare(act) && width > spare))
            continue;
        spare -= is_spare(act) ? width + GAP : 0;
        x = draw_key(a, x, act, ui);
    }
}
