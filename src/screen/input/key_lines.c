/* Keys and the command lines that have the same effect. */
#include "screen/input/keys.h"
#include "screen/term/key_names.h"
#include "screen/term/keyboards.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

/* Returns true if both lines are equal up to trailing blanks. */
static bool is_line(const char *typed, const char *line)
{
    size_t n = strlen(line);
    return strncmp(typed, line, n) == 0 &&
           typed[n + strspn(typed + n, " ")] == 0;
}

const cs_action *cs_action_of_line(const char *line, unsigned views, size_t *k)
{
    const cs_action *a, *found = NULL;
    for (size_t i = 0; (a = cs_action_at(i)); i++)
        for (size_t j = 0; j < CS_ACTION_KEYS && a->line[j]; j++) {
            bool here = (a->views & views) != 0;
            if (!a->act || !is_line(line, a->line[j]) || (found && !here))
                continue;
            *k = j;
            found = a;
            if (here)
                return found;
        }
    return found;
}

/* Returns true if the line starts with this word, which contains no blank. */
static bool begins(const char *line, const char *word)
{
    size_t n = strcspn(word, " ");
    return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == 0);
}

const cs_action *cs_action_beginning(const char *word)
{
    const cs_action *a;
    for (size_t i = 0; *word && (a = cs_action_at(i)); i++)
        for (size_t j = 0; a->act && j < CS_ACTION_KEYS && a->line[j]; j++)
            if (begins(a->line[j], word))
                return a;
    return NULL;
}

void cs_action_lines(const cs_action *action, char *out, size_t size)
{
    size_t used = 0;
    *out = 0;
    for (size_t j = 0; j < CS_ACTION_KEYS && action->line[j]; j++)
        if (used < size && (j == 0 || strcmp(action->line[j], action->line[0])))
            used += (size_t)snprintf(out + used, size - used, "%s:%s",
                                     j ? ", " : "", action->line[j]);
}

const char *cs_action_word(const char *first, size_t i, char buffer[CS_WORD])
{
    const cs_action *a;
    for (size_t at = 0; (a = cs_action_at(at)); at++)
        for (size_t j = 0; a->act && j < CS_ACTION_KEYS && a->line[j]; j++) {
            const char *blank = strchr(a->line[j], ' ');
            if (*first ? !blank || !begins(a->line[j], first)
                       : cs_command_named(a->line[j]) != NULL)
                continue; /* the session completes its own commands */
            if (i-- > 0)
                continue;
            if (*first)
                snprintf(buffer, CS_WORD, "%s", blank + 1);
            else
                snprintf(buffer, CS_WORD, "%.*s", (int)strcspn(a->line[j], " "),
                         a->line[j]);
            return buffer;
        }
    return NULL;
}

static bool has_own_meaning(const cs_ui *ui, unsigned key)
{
    for (size_t i = 0; i < ui->prefs.n_bindings; i++)
        if (ui->prefs.binding[i].key == key)
            return true;
    return false;
}

/* Finds the key of an action: first the user's own key, otherwise the
 * keyboard's key. */
void cs_action_key(const cs_ui *ui, const cs_action *action, size_t k,
                   char *out, size_t size, unsigned *key)
{
    const char *name = NULL, *line = action->line[k];
    *key = action->keys[k];
    for (size_t i = 0; ui->prefs.keyboard && i < CS_KEYBOARD_KEYS; i++)
        if (ui->prefs.keyboard->key[i].name &&
            is_line(ui->prefs.keyboard->key[i].line, line))
            name = ui->prefs.keyboard->key[i].name;
    for (size_t i = ui->prefs.n_bindings; i-- > 0;)
        if (is_line(ui->prefs.binding[i].line, line))
            name = ui->prefs.binding[i].name;
    if (!name && !has_own_meaning(ui, *key))
        return;
    snprintf(out, size, "%s", name ? name : "-");
    *key = name ? cs_key_read(name) : 0;
}

bool cs_action_label(const cs_ui *ui, const cs_action *action, size_t k,
                     char *out, size_t size, unsigned *key)
{
    bool has_key = k < CS_ACTION_KEYS && action->keys[k];
    if (action->label ? !cs_shot_word(action->label, k, out, size) : !has_key)
        return false;
    if (!action->label)
        cs_key_name(action->keys[k], out, size);
    *key = action->keys[0];
    if (has_key && ui)
        cs_action_key(ui, action, k, out, size, key);
    return true;
}

void cs_action_labels(const cs_ui *ui, const cs_action *action, char *out,
                      size_t size)
{
    char word[32];
    unsigned key;
    size_t used = 0;
    *out = 0;
    for (size_t k = 0;
         used < size && cs_action_label(ui, action, k, word, sizeof word, &key);
         k++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", k ? " " : "",
                                 word);
}
