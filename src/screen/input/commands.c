#include "screen/input/commands.h"

#include "kernel/kernel.h"
#include "screen/input/commands_parts.h"
#include "screen/input/key_acts.h"
#include "screen/state/preferences.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

void cs_typed_say(cs_ui *ui, cs_status status, const cs_error *err,
                  const char *said)
{
    char text[CS_LOG_WIDTH * 2];
    if (status)
        cs_error_format(err, text, sizeof text);
    cs_log_add(&ui->log, status ? CS_LOG_ERROR : CS_LOG_REPLY,
               status ? text : said);
}

/* Starts typing a line, for a key whose command needs arguments. */
static void type(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cs_begin_line(ui, ':', "%.100s%s", rest, *rest ? " " : "");
}

/* A row without `act` runs the action that has the row's name (see keys.h). The
 * exception is `share`, which cs_ui_command runs itself. */
static const cs_ui_command_row table[] = {
    {.name = "quit", .args = "", .help = "quit"},
    {.name = "gallery", .args = "", .help = "the gallery of scenarios"},
    {.name = "help", .args = "", .help = "panels, keys and commands"},
    {.name = "messages", .args = "", .help = "message log"},
    {.name = "panel",
     .args = "NAME[=QUANTITY][@ARM] ... | DIGIT",
     .help =
         "show or hide panels; trace=x.1 shows x.1 in the panel trace, @ARM "
         "shows this arm first, and a digit does the same as pressing that key",
     .act = cs_typed_panel,
     .word = cs_typed_panel_word},
    {.name = "zoom",
     .args = "[NAME]",
     .help = "show only one panel; typed again, show all panels",
     .act = cs_typed_zoom,
     .word = cs_typed_panel_word},
    {.name = "screenshot",
     .args = "[panel] FILE [force]",
     .help = "save the screen as an .svg, .txt or .ans file (text with "
             "colours); with `panel`, save only the focused panel; with "
             "`force`, overwrite the file",
     .act = cs_typed_screenshot},
    {.name = "record",
     .args = "[FILE.cast [force]]",
     .help = "record the screen (asciicast v2) with all data that are needed "
             "to reproduce the run; without FILE: stop recording",
     .act = cs_typed_record},
    {.name = "mark",
     .args = "TEXT",
     .help = "add a mark with this text to the recording; `chainscope replay` "
             "jumps between marks",
     .act = cs_typed_mark},
    {.name = "layout",
     .args = "[NAME] | PANEL ... | save NAME",
     .help = "show a layout (Tab lists the layouts) or the named panels; with "
             "`save`, save the shown panels as a layout; without arguments, "
             "show the scenario's panels",
     .act = cs_typed_layout,
     .word = cs_typed_layout_word},
    {.name = "big",
     .args = "",
     .help = "show the lesson in large letters, for a projector, or no longer; "
             "`layout lecture` has them, and no more than two pictures",
     .act = cs_typed_big},
    {.name = "theme",
     .args = "[NAME]",
     .help = "choose the colours: dark, light or contrast",
     .act = cs_typed_theme,
     .word = cs_typed_theme_word},
    {.name = "race",
     .args = "",
     .help = "show the race of all arms; typed again, return"},
    {.name = "undo",
     .args = "",
     .help = "undo the last change of the screen or of the run"},
    {.name = "redo",
     .args = "",
     .help = "redo the last change that was undone"},
    {.name = "unit",
     .args = "[NAME]",
     .help = "choose the unit of work: usual, steps, gradients, densities, "
             "evaluations, terms or seconds; without a name: the next unit",
     .act = cs_typed_unit,
     .word = cs_typed_unit_word},
    {.name = "replicate",
     .args = "[N]",
     .help = "repeat this run N times (5) with other seeds in the background; "
             "the panel race then compares means over seeds; 0 stops",
     .act = cs_typed_replicate},
    {.name = "sweep",
     .args = "ARM.PARAM=VALUES | 0",
     .help = "run the scenario with each value of a parameter (1,4 or "
             "0.1..2:log:8) in the background; the panel sweep shows the "
             "results; 0 stops",
     .act = cs_typed_sweep},
    {.name = "sbc",
     .args = "[N]",
     .help = "run simulation-based calibration with N data sets (100) in the "
             "background; the panel calibration shows the ranks; 0 stops",
     .act = cs_typed_calibrate},
    {.name = "edit",
     .args = "",
     .help = "edit the scenario's file in an editor ($VISUAL, $EDITOR or vi); "
             "then press r to open the file again",
     .act = cs_typed_edit},
    {.name = "mouse",
     .args = "[on|off]",
     .help = "switch the screen's mouse input on or off; while Shift is held, "
             "the terminal handles the mouse",
     .act = cs_typed_mouse,
     .word = cs_typed_switch_word},
    {.name = "laws",
     .args = "[on|off]",
     .help = "test the laws of each opened scenario once, in the background; "
             "the command `check` tests them immediately",
     .act = cs_typed_laws,
     .word = cs_typed_switch_word},
    {.name = "type",
     .args = "[WORDS]",
     .help = "start a command line with these words",
     .act = type},
    {.name = "frames",
     .args = "[N | usual]",
     .help = "set the maximum number of frames per second during a run; "
             "without a number: print the maximum",
     .act = cs_typed_frames},
    {.name = "bandwidth",
     .args = "[KIB | usual]",
     .help = "set the maximum number of KiB per second sent to the terminal, "
             "for a slow connection",
     .act = cs_typed_bandwidth},
    {.name = "motion",
     .args = "[full | reduced]",
     .help = "with `reduced`, display one frame per second and one frame after "
             "each key; with `full`, display all frames",
     .act = cs_typed_motion,
     .word = cs_typed_motion_word},
    {.name = "share",
     .args = "[FILE.lua]",
     .help = "print a shell command that reproduces this screen; changes "
             "made during the run are saved to FILE.lua"},
    {.name = "glyphs",
     .args = "[ascii | block | braille] [all]",
     .help = "choose the characters for the plots of the focused panel, or of "
             "all panels; without arguments: simpler characters",
     .act = cs_typed_glyphs,
     .word = cs_typed_glyph_word},
    {.name = "graphics",
     .args = "[on | off | auto]",
     .help = "draw pictures in pixels if the terminal has kitty's graphics "
             "protocol or sixel; `on` asks the terminal again, `off` draws "
             "characters; without arguments: print which is in use, and why",
     .act = cs_typed_graphics,
     .word = cs_typed_graphics_word},
    {.name = "keyboard",
     .args = "NAME",
     .help = "use other keys on keyboards where [ ] { } are hard to reach: "
             "qwertz, azerty, nordic, letters; with `us`, use the keys [ ] { }",
     .act = cs_typed_keyboard,
     .word = cs_typed_keyboard_word},
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

const cs_ui_command_row *cs_ui_command_find(const char *name)
{
    return strchr(name, ' ') ? NULL : find(name);
}

/* Sends the command `share` with the words for the visible panels to the
 * session. */
static void share(const cs_key_press *p, const char *rest)
{
    char panels[2048];
    cs_layout_words(p->ui, panels, sizeof panels);
    cs_say(p, "share %.800s panels%.2000s", rest, panels);
}

/* Performs an action as if its key number k had been pressed. */
static void act_as_key(const cs_key_press *p, const cs_action *a, size_t k)
{
    char text[160];
    if (a->views & cs_ui_views(p->ui)) {
        cs_act(p, a, k);
        return;
    }
    snprintf(text, sizeof text, "%.40s does nothing here: %.60s", a->line[k],
             a->help);
    cs_log_add(&p->ui->log, CS_LOG_ERROR, text);
}

bool cs_ui_command(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                   const char *line)
{
    size_t k;
    line += strspn(line, " ");
    const cs_key_press p = {ui, s, to, 0, true};
    const cs_ui_command_row *c = find(line);
    const cs_action *a =
        cs_action_of_line(c && !c->act ? c->name : line, cs_ui_views(ui), &k);
    if (!c && !a)
        return false;
    line += strcspn(line, " ");
    line += strspn(line, " ");
    if (a)
        act_as_key(&p, a, k);
    else if (c->act)
        c->act(ui, s, line);
    else
        share(&p, line);
    cs_undo_look(ui);
    return true;
}

void cs_obey(const cs_key_press *p, const char *line)
{
    if (!cs_ui_command(p->ui, p->shot, p->to, line))
        p->to->send(p->to->self, line);
}

const char *cs_ui_offer(const cs_ui *ui, const char *before, size_t i,
                        char buffer[CS_WORD])
{
    size_t n = 0;
    if (!strchr(before, ' ')) {
        while (cs_ui_command_at(n))
            n++;
        return i < n ? cs_ui_command_at(i)->name
                     : cs_action_word("", i - n, buffer);
    }
    const cs_ui_command_row *c = find(before);
    while (c && c->word && c->word(ui, n, buffer))
        n++;
    return i < n ? c->word(ui, i, buffer)
                 : cs_action_word(before, i - n, buffer);
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

/* Describes the parameter "arm.param", or "param" of the displayed arm. */
static bool hint_param(const cs_ui *ui, const cs_shot *s, const char *word,
                       char *out, size_t size)
{
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
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

/* Lists a kernel's parameters with their defaults. */
static void hint_params(const cs_kernel_type *type, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "parameters of %s:", type->name);
    for (size_t i = 0; i < type->n_params && used < size; i++) {
        const cs_param *p = &type->params[i];
        bool named = p->kind == CS_PARAM_CHOICE && p->choices;
        used += (size_t)snprintf(
            out + used, size - used, "%s %s=%s", i ? "," : "", p->name,
            named ? p->choices[(size_t)p->def] : cs_num(p->def).text);
    }
    if (!type->n_params && used < size)
        snprintf(out + used, size - used, " none");
}

/* Gives a hint for "arm add KERNEL ..." and "arm kernel ARM KERNEL ...": the
 * kernel's parameters, or the parameter that is being typed. */
static bool hint_kernel(const char *line, char *out, size_t size)
{
    char word[80] = "", kernel[80] = "";
    cs_shot_word(line, 1, word, sizeof word);
    size_t at = strcmp(word, "add") == 0 ? 2 : strcmp(word, "kernel") ? 0 : 3;
    if (!at || !cs_shot_word(line, at, kernel, sizeof kernel))
        return false;
    const cs_kernel_type *type = cs_kernel_find(kernel);
    if (!type)
        return false;
    hint_params(type, out, size);
    const char *last = strrchr(line, ' ');
    size_t n = last ? strcspn(last + 1, "=") : 0;
    for (size_t i = 0; n && last && i < type->n_params; i++) {
        const cs_param *p = &type->params[i];
        if (strlen(p->name) == n && strncmp(p->name, last + 1, n) == 0)
            snprintf(out, size, "%s: %s; default %s", p->name, p->help,
                     cs_num(p->def).text);
    }
    return true;
}

/* Describes the effect of the typed value, or the reason why it is invalid.
 * This replaces the description of the parameter. */
static void hint_typed(const cs_typed_set *t, const cs_shot *s, char *out,
                       size_t size)
{
    char now[100] = "a function", then[100];
    if (*t->why)
        snprintf(out, size, "%s", t->why);
    if (!t->valid || t->number)
        return;
    if (t->knows_now)
        cs_typed_set_tell(&t->now, t->next, now, sizeof now);
    cs_typed_set_tell(&t->then, t->next, then, sizeof then);
    snprintf(out, size, "Enter sets %s.%s: %s; now %s", cs_shot_arm(s, t->arm),
             cs_shot_text(s, "arm/%zu/param/%zu/name", t->arm, t->param), then,
             now);
}

static void hint_command(const char *word, char *out, size_t size)
{
    const cs_ui_command_row *own = find(word);
    const cs_action *a = cs_action_beginning(word);
    const cs_command *c;
    snprintf(out, size, "Tab completes, ; types Lua, Esc cancels");
    if (a) {
        char lines[200];
        cs_action_lines(a, lines, sizeof lines);
        snprintf(out, size, "%s: %s", lines, a->help);
    }
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
        bool help = ui->view == CS_VIEW_HELP;
        snprintf(out, size,
                 "words to find%s; up, down choose, Enter %s, Esc shows all",
                 help ? "" : ", #word a tag", help ? "runs" : "opens");
        return;
    }
    if (ui->prompt.mark == ';') {
        snprintf(out, size,
                 "Lua: an expression prints its value; cs and run are defined; "
                 "Tab completes; Esc closes");
        return;
    }
    cs_shot_word(line, 0, first, sizeof first);
    if (cs_shot_word(line, 1, second, sizeof second))
        second[strcspn(second, "=")] = 0;
    if (strcmp(first, "break") == 0 && cs_break_help(second)) {
        snprintf(out, size, "break %s %s", second, cs_break_help(second));
        return;
    }
    if (strcmp(first, "arm") == 0 && hint_kernel(line, out, size))
        return;
    if (strcmp(first, "set") != 0 || !hint_param(ui, s, second, out, size))
        hint_command(first, out, size);
    hint_typed(&ui->typed, s, out, size);
}
