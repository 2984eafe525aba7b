#include "screen/commands.h"

#include "session/command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The index of the panel that a word names, which from now on shows what the
 * word says behind `=` or `@`; n_panels: there is none. */
static size_t find_panel(cs_ui *ui, const char *word)
{
    cs_panel_word told = cs_panel_read(word);
    size_t i = 0;
    while (i < ui->n_panels && ui->panel[i] != told.type)
        i++;
    if (i < ui->n_panels && (*told.of || *told.arm)) {
        ui->told[i] = told;
        ui->option[i] = 0;
    }
    return i;
}

/* Whether each word of `rest` is the name of a panel. */
static bool known(cs_ui *ui, const char *rest)
{
    char word[192], text[120];
    for (size_t i = 0; cs_shot_word(rest, i, word, sizeof word); i++)
        if (!cs_panel_read(word).type) {
            snprintf(text, sizeof text,
                     "there is no panel '%.50s': Tab lists them", word);
            cs_log_add(&ui->log, CS_LOG_ERROR, text);
            return false;
        }
    return true;
}

static void panel(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char word[192];
    for (size_t i = 0;
         known(ui, rest) && cs_shot_word(rest, i, word, sizeof word); i++) {
        size_t k = find_panel(ui, word);
        ui->on[k] = !ui->on[k] || *cs_panel_read(word).of;
        if (ui->on[k])
            ui->focus = k;
    }
    ui->view = CS_VIEW_RUN;
}

static void zoom(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char word[192];
    if (!known(ui, rest))
        return;
    ui->zoom = !ui->zoom;
    if (cs_shot_word(rest, 0, word, sizeof word)) {
        ui->focus = find_panel(ui, word);
        ui->on[ui->focus] = ui->zoom = true;
    }
    ui->view = CS_VIEW_RUN;
}

static void layout(cs_ui *ui, const cs_shot *s, const char *rest)
{
    if (known(ui, rest))
        cs_ui_panels(ui, *rest ? rest : cs_ui_own_panels(s));
    ui->view = CS_VIEW_RUN;
}

/* Without `act`: the action of that name, see keys.h. */
static const cs_ui_command_row table[] = {
    {"quit", "", "leave", NULL, false},
    {"gallery", "", "the gallery of scenarios", NULL, false},
    {"help", "", "panels, keys and commands", NULL, false},
    {"messages", "", "message log", NULL, false},
    {"panel", "NAME[=OF][@ARM] ...",
     "show or hide panels: trace=x.1 is of x.1, @ARM puts that arm first",
     panel, true},
    {"zoom", "[NAME]", "one panel alone, and back", zoom, true},
    {"layout", "[NAME ...]", "these panels; alone: the scenario's", layout,
     true},
};

const cs_ui_command_row *cs_ui_command_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

static const cs_ui_command_row *find(const char *line)
{
    size_t n = strcspn(line, " ");
    if (n == 1 && *line == 'q')
        return &table[0];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, line, n) == 0)
            return &table[i];
    return NULL;
}

bool cs_ui_command(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                   const char *line)
{
    line += strspn(line, " ");
    const cs_ui_command_row *c = find(line);
    if (!c)
        return false;
    line += strcspn(line, " ");
    if (c->act)
        c->act(ui, s, line + strspn(line, " "));
    else
        cs_action_find(c->name)->act(&(cs_key_press){ui, s, to, 0});
    return true;
}

const char *cs_ui_offer(const char *before, size_t i)
{
    if (!strchr(before, ' '))
        return cs_ui_command_at(i) ? cs_ui_command_at(i)->name : NULL;
    const cs_ui_command_row *c = find(before);
    return c && c->panels && cs_panel_at(i) ? cs_panel_at(i)->name : NULL;
}

/* ---- hints ------------------------------------------------------------- */

static void hint_row(const cs_shot *s, size_t arm, size_t k,
                     const cs_row_param *p, char *out, size_t size)
{
    char value[40], def[40], range[300];
    const char *list = cs_shot_text(s, "arm/%zu/param/%zu/choices", arm, k);
    cs_shot_value(s, arm, k, p->value, value, sizeof value);
    cs_shot_value(s, arm, k, p->def, def, sizeof def);
    snprintf(range, sizeof range, "from %s to %s", cs_num(p->min).text,
             cs_num(p->max).text);
    if (*list)
        snprintf(range, sizeof range, "one of %s", list);
    snprintf(out, size, "%s is %s, %s, default %s %s: %s",
             cs_shot_text(s, "arm/%zu/param/%zu/name", arm, k), value, range,
             def, cs_shot_text(s, "arm/%zu/param/%zu/unit", arm, k),
             cs_shot_text(s, "arm/%zu/param/%zu/help", arm, k));
}

/* The row of "arm.param", or of "param" of the arm that is looked at. */
static bool hint_param(const cs_ui *ui, const cs_shot *s, const char *word,
                       char *out, size_t size)
{
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        double n = cs_shot_number(s, 0, "arm/%zu/params", arm);
        for (size_t k = 0; k < 64 && (double)k < n; k++) {
            char full[160];
            const char *name =
                cs_shot_text(s, "arm/%zu/param/%zu/name", arm, k);
            const cs_row_param *p = cs_shot_param(s, arm, k);
            snprintf(full, sizeof full, "%s.%s", cs_shot_arm(s, arm), name);
            bool here = arm == ui->look.arm && strcmp(word, name) == 0;
            if (!p || (!here && strcmp(word, full) != 0))
                continue;
            hint_row(s, arm, k, p, out, size);
            return true;
        }
    }
    return false;
}

static void hint_command(const char *word, char *out, size_t size)
{
    const cs_ui_command_row *own = find(word);
    const cs_command *c;
    snprintf(out, size, "Tab completes, ; types Lua, Esc cancels");
    if (own)
        snprintf(out, size, "%s %s: %s", own->name, own->args, own->help);
    for (size_t i = 0; !own && (c = cs_command_at(i)); i++)
        if (strcmp(c->name, word) == 0)
            snprintf(out, size, "%s %s: %s", c->name, c->args, c->help);
}

void cs_prompt_hint(const cs_ui *ui, const cs_shot *s, char *out, size_t size)
{
    char first[64] = "", second[160] = "";
    const char *line = ui->prompt.text + 1;
    if (ui->prompt.mark == '/') {
        snprintf(out, size,
                 "words to look for; up, down choose, Enter opens, "
                 "Esc shows all");
        return;
    }
    if (ui->prompt.mark == ';') {
        snprintf(out, size,
                 "Lua: an expression prints its value; cs and run "
                 "are there; Tab completes; Esc closes");
        return;
    }
    cs_shot_word(line, 0, first, sizeof first);
    if (strcmp(first, "set") == 0 &&
        cs_shot_word(line, 1, second, sizeof second) &&
        hint_param(ui, s, second, out, size))
        return;
    hint_command(first, out, size);
}
