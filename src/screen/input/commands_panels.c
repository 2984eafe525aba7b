/* Typed commands that choose panels and their presentation. */
#include "screen/input/commands_parts.h"

#include "screen/state/preferences.h"

#include <stdio.h>
#include <string.h>

/* Returns the index of the panel that a word names, and sets its quantity
 * (after `=`) and first arm (after `@`). Returns n_panels for an unknown
 * panel. */
static size_t find_panel(cs_ui *ui, const char *word)
{
    cs_panel_word reported = cs_panel_read(&ui->own, word);
    size_t i = 0;
    while (i < ui->slots.n && ui->slots.of[i].type != reported.type)
        i++;
    if (i < ui->slots.n && (*reported.of || *reported.arm)) {
        ui->slots.of[i].shows = reported;
        ui->slots.of[i].option = 0;
    }
    return i;
}

/* Returns true if each word of `rest` names a panel; otherwise logs an
 * error. */
static bool known(cs_ui *ui, const char *rest)
{
    char word[192], text[120];
    for (size_t i = 0; cs_shot_word(rest, i, word, sizeof word); i++)
        if (!cs_panel_read(&ui->own, word).type) {
            snprintf(text, sizeof text, "unknown panel '%.50s': Tab lists them",
                     word);
            cs_log_add(&ui->log, CS_LOG_ERROR, text);
            return false;
        }
    return true;
}

/* Returns true if the last frame showed a panel that is switched on. A panel
 * that is switched on is not shown if it did not fit. */
static bool is_visible(const cs_ui *ui, size_t panel)
{
    const cs_layout *l = &ui->drawn.layout;
    if (ui->slots.zoom)
        return panel == ui->slots.focus;
    for (size_t i = 0; i < l->n; i++)
        if (l->place[i].panel == panel)
            return true;
    return l->n == 0; /* no frame with a layout yet */
}

void cs_typed_panel(cs_ui *ui, const cs_shot *s, const char *rest)
{
    char word[192];
    if (*rest >= '0' && *rest <= '9' && !rest[1]) {
        cs_action_find("panel")->act(
            &(cs_key_press){ui, s, NULL, (unsigned char)*rest, true});
        return;
    }
    for (size_t i = 0;
         known(ui, rest) && cs_shot_word(rest, i, word, sizeof word); i++) {
        size_t k = find_panel(ui, word);
        bool hide = ui->slots.of[k].on && is_visible(ui, k) &&
                    !*cs_panel_read(&ui->own, word).of;
        ui->slots.of[k].on = !hide;
        if (!hide)
            ui->slots.focus = k;
        else if (ui->slots.focus == k)
            cs_action_find("focus")->act(
                &(cs_key_press){ui, s, NULL, '\t', true});
    }
    ui->view = CS_VIEW_RUN;
}

void cs_typed_zoom(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char word[192];
    if (!known(ui, rest))
        return;
    ui->slots.zoom = !ui->slots.zoom;
    if (cs_shot_word(rest, 0, word, sizeof word)) {
        ui->slots.focus = find_panel(ui, word);
        ui->slots.of[ui->slots.focus].on = ui->slots.zoom = true;
    }
    ui->view = CS_VIEW_RUN;
}

static void save_layout(cs_ui *ui, const char *name)
{
    char said[CS_LOG_WIDTH];
    cs_error err = {0};
    cs_status status = cs_layout_save(ui, name, &err);
    snprintf(said, sizeof said, "layout %.40s saved", name);
    cs_typed_say(ui, status, &err, said);
}

/* A layout takes precedence over a panel of the same name. */
void cs_typed_layout(cs_ui *ui, const cs_shot *s, const char *rest)
{
    static const char save[] = "save ";
    char words[2048];
    if (strncmp(rest, save, strlen(save)) == 0) {
        save_layout(ui, rest + strlen(save));
        return;
    }
    bool lecture = strcmp(rest, "lecture") == 0;
    if (*rest && !strchr(rest, ' ') &&
        cs_layout_named(ui, s, rest, words, sizeof words))
        rest = words;
    bool good = known(ui, rest);
    if (good)
        cs_ui_panels(ui, *rest ? rest : cs_ui_own_panels(s));
    if (good)
        cs_ui_lecture(ui, lecture);
    ui->view = CS_VIEW_RUN;
}

/* Turns the large letters of the lesson on or off. */
void cs_typed_big(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    if (*rest) {
        cs_log_add(&ui->log, CS_LOG_ERROR,
                   "big has no argument; typed again, it is turned off");
        return;
    }
    ui->slots.big = !ui->slots.big;
    ui->view = CS_VIEW_RUN;
}

/* Words in the order of cs_glyphs; the last word applies to every panel. */
static const char *const glyph_words[] = {"ascii", "block", "braille", "all"};
enum { GLYPHS = 3 };

/* Sets the characters of plots in the focused panel or in all panels, limited
 * to the characters that the terminal supports. */
void cs_typed_glyphs(cs_ui *ui, const cs_shot *s, const char *rest)
{
    char word[64], which[64] = "";
    (void)s;
    bool given = cs_shot_word(rest, 0, word, sizeof word);
    bool all = cs_shot_word(rest, 1, which, sizeof which) &&
               strcmp(which, glyph_words[GLYPHS]) == 0;
    size_t k = 0;
    while (given && k < GLYPHS && strcmp(word, glyph_words[k]) != 0)
        k++;
    if (k == GLYPHS || (*which && !all)) {
        cs_log_add(
            &ui->log, CS_LOG_ERROR,
            "glyphs must be ascii, block or braille; add all for every panel");
        return;
    }
    if (!given)
        k = ((size_t)ui->slots.of[ui->slots.focus].glyphs + GLYPHS - 1) %
            GLYPHS;
    for (size_t i = 0; i < ui->slots.n; i++)
        if (all || i == ui->slots.focus)
            ui->slots.of[i].glyphs = (cs_glyphs)k;
}

/* Sets the unit of work. If no name is given, selects the next unit, as the key
 * does. */
void cs_typed_unit(cs_ui *ui, const cs_shot *s, const char *rest)
{
    char word[64], text[400] = "unknown unit of work; available:";
    if (!cs_shot_word(rest, 0, word, sizeof word)) {
        cs_ui_unit(ui, cs_unit_next(s, ui->look.unit));
        return;
    }
    cs_unit found = cs_unit_find(word);
    if (found < CS_UNITS) {
        cs_ui_unit(ui, found);
        return;
    }
    size_t at = strlen(text);
    for (cs_unit i = CS_UNIT_USUAL; i < CS_UNITS && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s %s",
                               i ? "," : "", cs_unit_at(i)->name);
    cs_log_add(&ui->log, CS_LOG_ERROR, text);
}

const char *cs_typed_panel_word(const cs_ui *ui, size_t i, char buffer[CS_WORD])
{
    (void)buffer;
    if (i < ui->own.n)
        return ui->own.row[i].name;
    i -= ui->own.n;
    return cs_panel_at(i) ? cs_panel_at(i)->name : NULL;
}

/* Returns word number i of a list: the names of layouts, "save", and the names
 * of panels. */
const char *cs_typed_layout_word(const cs_ui *ui, size_t i,
                                 char buffer[CS_WORD])
{
    size_t n = 0;
    if (cs_layout_name(ui, i, buffer, CS_WORD))
        return buffer;
    while (cs_layout_name(ui, n, buffer, CS_WORD))
        n++;
    return i == n ? "save" : cs_typed_panel_word(ui, i - n - 1, buffer);
}

const char *cs_typed_glyph_word(const cs_ui *ui, size_t i, char buffer[CS_WORD])
{
    (void)ui, (void)buffer;
    return i <= GLYPHS ? glyph_words[i] : NULL;
}

const char *cs_typed_unit_word(const cs_ui *ui, size_t i, char buffer[CS_WORD])
{
    (void)ui, (void)buffer;
    return i < CS_UNITS ? cs_unit_at((cs_unit)i)->name : NULL;
}
