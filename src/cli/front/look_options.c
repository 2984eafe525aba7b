#include "cli/front/look_options.h"

#include "base/text.h"
#include "files/folders.h"
#include "screen/state/preferences.h"
#include "screen/term/key_names.h"
#include "screen/term/keyboards.h"
#include "script/config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Lists the possible values of --theme. */
static const char *themes(char *out, size_t size)
{
    const cs_theme *t;
    *out = 0;
    for (size_t i = 0, used = 0; (t = cs_theme_at(i)) && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "",
                                 cs_theme_name(t));
    return out;
}

static const char *keyboards(char *out, size_t size)
{
    const cs_keyboard *k;
    *out = 0;
    for (size_t i = 0, used = 0; (k = cs_keyboard_at(i)) && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "",
                                 k->name);
    return out;
}

/* Checks a preference whose value is a word; "" means that it is not set. */
static cs_status check_word(const char *preference, const char *word,
                            cs_error *err)
{
    char names[80], boards[80];
    const struct {
        const char *preference, *words;
    } table[] = {{CS_PREFERENCE_THEME, themes(names, sizeof names)},
                 {CS_PREFERENCE_COLOUR, CS_COLOUR_WORDS},
                 {CS_PREFERENCE_GLYPHS, CS_GLYPH_WORDS},
                 {CS_PREFERENCE_GRAPHICS, CS_GRAPHICS_WORDS},
                 {CS_PREFERENCE_MOTION, "full reduced"},
                 {CS_PREFERENCE_KEYBOARD, keyboards(boards, sizeof boards)}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (*word && strcmp(table[i].preference, preference) == 0 &&
            !cs_word_among(table[i].words, word)) {
            cs_fail(err, CS_UNKNOWN, "unknown %s '%s'", preference, word);
            cs_hint(err, "use one of: %s", table[i].words);
            return CS_UNKNOWN;
        }
    return CS_OK;
}

/* The preferences whose values are words. The first OPTIONS of these
 * preferences are also options on the command line. */
static const char *const words[] = {
    CS_PREFERENCE_THEME,  CS_PREFERENCE_COLOUR,   CS_PREFERENCE_GLYPHS,
    CS_PREFERENCE_MOTION, CS_PREFERENCE_KEYBOARD, CS_PREFERENCE_GRAPHICS};
enum { WORDS = sizeof words / sizeof *words, OPTIONS = 3 };

cs_status cs_look_read(const cs_args *args, cs_look *out, cs_error *err)
{
    cs_status status = CS_OK;
    cs_flat_begin(&out->table, out->memory, sizeof out->memory);
    for (size_t i = 0; status == CS_OK && i < OPTIONS; i++) {
        const char *word = cs_args_value(args, words[i]);
        status = check_word(words[i], word ? word : "", err);
        if (word && status == CS_OK)
            cs_flat_text(&out->table, word, "%s", words[i]);
    }
    out->preferences =
        (cs_shot){.base = out->table.base, .used = out->table.used};
    return status;
}

/* Checks the keys. On failure *at is the invalid key. */
static cs_status check_keys(const cs_shot *preferences, const char **at,
                            cs_error *err)
{
    const char *name;
    for (size_t i = 0;
         *(name = cs_preference_name(preferences, CS_PREFERENCE_KEYS, i)); i++)
        if (!cs_key_to_bind(name)) {
            *at = name;
            cs_fail(err, CS_UNKNOWN, "unknown key '%s'", name);
            cs_hint(err, "give a character or one of " CS_KEY_NAMES);
            return CS_UNKNOWN;
        }
    return CS_OK;
}

/* Checks the layouts. On failure *at is the invalid layout. */
static cs_status check_layouts(const cs_shot *preferences, const char **at,
                               cs_error *err)
{
    const char *name;
    char word[192];
    for (size_t i = 0;
         *(name = cs_preference_name(preferences, CS_PREFERENCE_LAYOUTS, i));
         i++) {
        const char *panels =
            cs_preference_value(preferences, CS_PREFERENCE_LAYOUTS, i);
        for (size_t k = 0; cs_shot_word(panels, k, word, sizeof word); k++)
            if (!cs_panel_read(NULL, word).type) {
                *at = name;
                return cs_fail(err, CS_UNKNOWN,
                               "layout %.40s: unknown panel '%.50s'", name,
                               word);
            }
    }
    return CS_OK;
}

cs_status cs_look_file(const char *path, cs_flat *out, cs_error *err)
{
    cs_flat before = *out;
    cs_status status = cs_config_read(path, out, err);
    const cs_shot added = {.base = before.base + before.used,
                           .used = out->used - before.used};
    const char *at = "";
    for (size_t i = 0; status == CS_OK && i < WORDS; i++) {
        at = words[i];
        status = check_word(at, cs_shot_text(&added, "%s", at), err);
    }
    if (status == CS_OK)
        status = check_keys(&added, &at, err);
    if (status == CS_OK)
        status = check_layouts(&added, &at, err);
    if (status) {
        cs_config_where(err, path, at);
        *out = before;
    }
    return status;
}

void cs_look_configure(cs_look *look)
{
    char path[1024], text[1200], clean[1200];
    cs_error err;
    if (!cs_folder_config("config.lua", path, sizeof path) ||
        access(path, F_OK) != 0)
        return;
    if (cs_look_file(path, &look->table, &err)) {
        cs_error_format(&err, text, sizeof text);
        cs_text_clean(text, clean, sizeof clean);
        cs_flat_text(&look->table, clean, "%s", CS_PREFERENCE_ERROR);
    }
    look->preferences.used = look->table.used;
}
