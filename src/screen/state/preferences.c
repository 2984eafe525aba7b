#include "screen/state/preferences.h"

#include "files/folders.h"
#include "files/open.h"
#include "files/replace.h"
#include "screen/state/presets.h"
#include "screen/term/key_names.h"
#include "screen/term/keyboards.h"

#include <stdio.h>
#include <string.h>

const char *cs_preference_name(const cs_shot *preferences, const char *list,
                               size_t i)
{
    return cs_shot_text(preferences, CS_PREFERENCE_NAME, list, i);
}

const char *cs_preference_value(const cs_shot *preferences, const char *list,
                                size_t i)
{
    return cs_shot_text(preferences, CS_PREFERENCE_VALUE, list, i);
}

static void take_keys(cs_ui *ui, const cs_shot *preferences)
{
    const char *name;
    for (size_t i = 0;
         *(name = cs_preference_name(preferences, CS_PREFERENCE_KEYS, i));
         i++) {
        unsigned key = cs_key_to_bind(name);
        if (key && i < CS_BINDINGS)
            ui->prefs.binding[ui->prefs.n_bindings++] = (cs_binding){
                key, name,
                cs_preference_value(preferences, CS_PREFERENCE_KEYS, i)};
    }
}

void cs_ui_preference(cs_ui *ui, const cs_shot *preferences)
{
    const cs_theme *theme =
        cs_theme_find(cs_shot_text(preferences, CS_PREFERENCE_THEME));
    const char *error = cs_shot_text(preferences, CS_PREFERENCE_ERROR);
    ui->prefs.preferences = *preferences;
    ui->theme = theme ? theme : ui->theme;
    ui->mouse.listens = cs_shot_number(preferences, ui->mouse.listens,
                                       CS_PREFERENCE_MOUSE) != 0;
    ui->prefs.frames = cs_shot_number(preferences, 0, CS_PREFERENCE_FRAMES);
    if (!(ui->prefs.frames < CS_UI_FRAMES))
        ui->prefs.frames = 0;
    ui->prefs.bandwidth =
        cs_shot_number(preferences, 0, CS_PREFERENCE_BANDWIDTH);
    ui->prefs.reduced =
        strcmp(cs_shot_text(preferences, CS_PREFERENCE_MOTION), "reduced") == 0;
    ui->prefs.graphics =
        cs_graphics_read(cs_shot_text(preferences, CS_PREFERENCE_GRAPHICS));
    ui->prefs.keyboard =
        cs_keyboard_find(cs_shot_text(preferences, CS_PREFERENCE_KEYBOARD));
    ui->prefs.n_bindings = 0;
    take_keys(ui, preferences);
    if (*error)
        cs_log_add(&ui->log, CS_LOG_ERROR, error);
}

/* ---- layouts: each line of the file has a name and panels
 * ----------------- */

enum { LAYOUTS_BYTES = 16 << 10 };

/* Reads the file of layouts as text; "" if the file is missing. */
static void read_layouts(const char *path, char text[LAYOUTS_BYTES])
{
    FILE *f = cs_open_stream(path);
    size_t n = f ? fread(text, 1, LAYOUTS_BYTES - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
}

/* Returns true if a line of the file defines the layout `name`. */
static bool is_layout(const char *line, const char *name)
{
    size_t n = strlen(name);
    return strncmp(line, name, n) == 0 && line[n] == ' ';
}

static bool find_saved(const char *name, char *out, size_t size)
{
    char path[1024], text[LAYOUTS_BYTES];
    if (!cs_folder_state("layouts", path, sizeof path))
        return false;
    read_layouts(path, text);
    for (char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (is_layout(at, name)) {
            at += strlen(name) + 1;
            snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
            return true;
        }
    return false;
}

bool cs_layout_named(const cs_ui *ui, const cs_shot *s, const char *name,
                     char *out, size_t size)
{
    const char *other;
    for (size_t i = 0; *(other = cs_preference_name(&ui->prefs.preferences,
                                                    CS_PREFERENCE_LAYOUTS, i));
         i++)
        if (strcmp(other, name) == 0) {
            snprintf(out, size, "%s",
                     cs_preference_value(&ui->prefs.preferences,
                                         CS_PREFERENCE_LAYOUTS, i));
            return true;
        }
    if (find_saved(name, out, size))
        return true;
    const cs_preset *preset = cs_preset_find(name);
    if (preset)
        snprintf(out, size, "%s",
                 preset->panels ? preset->panels : cs_ui_own_panels(s));
    return preset != NULL;
}

/* Finds the name in line i of the file; "" past the last. */
static void saved_name(size_t i, char *out, size_t size)
{
    char path[1024], text[LAYOUTS_BYTES] = "", *at = text;
    if (cs_folder_state("layouts", path, sizeof path))
        read_layouts(path, text);
    for (; i && *at; i--)
        at += strcspn(at, "\n"), at += *at == '\n';
    snprintf(out, size, "%.*s", (int)strcspn(at, " \n"), at);
}

bool cs_layout_name(const cs_ui *ui, size_t i, char *out, size_t size)
{
    size_t presets = 0, preferences = 0;
    while (cs_preset_at(presets))
        presets++;
    while (*cs_preference_name(&ui->prefs.preferences, CS_PREFERENCE_LAYOUTS,
                               preferences))
        preferences++;
    if (i < presets)
        snprintf(out, size, "%s", cs_preset_at(i)->name);
    else if (i < presets + preferences)
        snprintf(out, size, "%s",
                 cs_preference_name(&ui->prefs.preferences,
                                    CS_PREFERENCE_LAYOUTS, i - presets));
    else
        saved_name(i - presets - preferences, out, size);
    return *out != 0;
}

void cs_layout_words(const cs_ui *ui, char *out, size_t size)
{
    size_t used = 0;
    *out = 0;
    for (size_t i = 0; i < ui->slots.n && used < size; i++) {
        const cs_panel_word *w = &ui->slots.of[i].shows;
        char pulled[40] = "";
        if (ui->slots.sizes.wide[i] > 0 || ui->slots.sizes.tall[i] > 0)
            snprintf(pulled, sizeof pulled, ":%.0fx%.0f",
                     ui->slots.sizes.wide[i], ui->slots.sizes.tall[i]);
        if (ui->slots.of[i].on)
            used +=
                (size_t)snprintf(out + used, size - used, " %s%s%s%s%s%s",
                                 ui->slots.of[i].type->name, *w->of ? "=" : "",
                                 w->of, *w->arm ? "@" : "", w->arm, pulled);
    }
}

cs_status cs_layout_save(const cs_ui *ui, const char *name, cs_error *err)
{
    char path[1024], text[LAYOUTS_BYTES], words[2048];
    static char out[LAYOUTS_BYTES + 2048 + 64];
    size_t used = 0;
    if (!cs_folder_state("layouts", path, sizeof path))
        return cs_fail(err, CS_IO, "no folder for saved layouts");
    size_t n = strlen(name);
    if (n == 0 || n > 40 || strcspn(name, " \n=@:") != n ||
        cs_panel_read(&ui->own, name).type)
        return cs_fail(err, CS_INPUT,
                       "invalid layout name '%s': it must be one word and not "
                       "a panel's name",
                       name);
    read_layouts(path, text);
    cs_layout_words(ui, words, sizeof words);
    for (char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (!is_layout(at, name))
            used += (size_t)snprintf(out + used, sizeof out - used, "%.*s\n",
                                     (int)strcspn(at, "\n"), at);
    used +=
        (size_t)snprintf(out + used, sizeof out - used, "%s%s\n", name, words);
    return cs_file_replace(path, out, used, err);
}
