#include "screen/commands.h"

#include "base/clock.h"
#include "kernel/kernel.h"
#include "screen/calibrations.h"
#include "screen/keyboards.h"
#include "screen/keys_prompt.h"
#include "screen/pace.h"
#include "screen/plot.h"
#include "screen/replicates.h"
#include "screen/wishes.h"
#include "session/command.h"
#include "session/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The index of the panel that a word names, which from now on shows what the
 * word says behind `=` or `@`; n_panels: there is none. */
static size_t find_panel(cs_ui *ui, const char *word)
{
    cs_panel_word told = cs_panel_read(&ui->own, word);
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
        if (!cs_panel_read(&ui->own, word).type) {
            snprintf(text, sizeof text,
                     "there is no panel '%.50s': Tab lists them", word);
            cs_log_add(&ui->log, CS_LOG_ERROR, text);
            return false;
        }
    return true;
}

static void panel(cs_ui *ui, const cs_shot *s, const char *rest)
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
        ui->on[k] = !ui->on[k] || *cs_panel_read(&ui->own, word).of;
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

static const char files_stay[] =
    "files that were written stay: remove them yourself";

/* Says how a command went: `said` of it, or the error. */
static void tell(cs_ui *ui, cs_status status, const cs_error *err,
                 const char *said)
{
    char text[CS_LOG_WIDTH * 2];
    if (status)
        cs_error_format(err, text, sizeof text);
    cs_log_add(&ui->log, status ? CS_LOG_ERROR : CS_LOG_REPLY,
               status ? text : said);
}

static void save_layout(cs_ui *ui, const char *name)
{
    char said[CS_LOG_WIDTH];
    cs_error err = {0};
    cs_status status = cs_layout_save(ui, name, &err);
    snprintf(said, sizeof said, "layout %.40s is saved", name);
    tell(ui, status, &err, said);
}

/* A layout's name comes before a panel's. */
static void layout(cs_ui *ui, const cs_shot *s, const char *rest)
{
    static const char save[] = "save ";
    char words[2048];
    if (strncmp(rest, save, strlen(save)) == 0) {
        save_layout(ui, rest + strlen(save));
        return;
    }
    if (*rest && !strchr(rest, ' ') &&
        cs_layout_named(ui, s, rest, words, sizeof words))
        rest = words;
    if (known(ui, rest))
        cs_ui_panels(ui, *rest ? rest : cs_ui_own_panels(s));
    ui->view = CS_VIEW_RUN;
}

static void keep(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "";
    cs_status status =
        ui->seen ? cs_keep(ui->seen, rest, said, sizeof said, &err)
                 : cs_fail(&err, CS_UNSUPPORTED, "nothing was seen yet");
    if (status == CS_OK)
        cs_undo_instead(ui, files_stay);
    tell(ui, status, &err, said);
}

/* Alone it ends what is being recorded. */
static void record(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    char line[1024], said[1100], *word[CS_WORDS];
    size_t n;
    snprintf(line, sizeof line, "%s", rest);
    cs_status status = cs_words_cut(line, word, &n, &err);
    bool force = n == 2 && strcmp(word[1], "force") == 0;
    const char *dot = status == CS_OK && n ? strrchr(word[0], '.') : NULL;
    if (status == CS_OK && (n == 0 || ui->recorder)) {
        cs_ui_end_recording(ui);
        if (n == 0)
            return;
    }
    if (status == CS_OK && (n != 1u + force || !dot || strcmp(dot, ".cast"))) {
        status = cs_fail(&err, CS_INPUT, "a recording is a file NAME.cast");
        cs_hint(&err, "write record NAME.cast, and V to end it");
    } else if (status == CS_OK && !ui->seen) {
        status = cs_fail(&err, CS_UNSUPPORTED, "nothing was seen yet");
    } else if (status == CS_OK) {
        status = cs_recording_start(&ui->recorder, word[0], force, ui->seen, s,
                                    cs_clock(), &err);
        snprintf(said, sizeof said, "recording to %s; V ends it", word[0]);
        cs_undo_instead(ui, files_stay);
    }
    tell(ui, status, &err, said);
}

static void theme(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char text[160] = "there is no such theme:";
    const cs_theme *t = *rest ? cs_theme_find(rest) : cs_theme_next(ui->theme);
    if (t) {
        ui->theme = t;
        return;
    }
    for (size_t i = 0; (t = cs_theme_at(i)); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s",
                 cs_theme_name(t));
    cs_log_add(&ui->log, CS_LOG_ERROR, text);
}

/* What is on or off from now on: as `rest` says, or without it the other. */
static bool switched(cs_ui *ui, const char *what, bool was, const char *rest)
{
    bool on = strcmp(rest, "on") == 0;
    if (!*rest || on || strcmp(rest, "off") == 0)
        return *rest ? on : !was;
    char text[80];
    snprintf(text, sizeof text, "%s on or off", what);
    cs_log_add(&ui->log, CS_LOG_ERROR, text);
    return was;
}

static void mouse(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    ui->mouse = switched(ui, "the mouse is", ui->mouse, rest);
}

/* Off: what is being tried is ended. */
static void laws(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    ui->laws_off = !switched(ui, "laws are tried:", !ui->laws_off, rest);
}

/* Begins a line, as a key that asks for more than it says. */
static void type(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cs_begin_line(ui, ':', "%.100s%s", rest, *rest ? " " : "");
}

/* Sets *to, or, alone, says what it is. */
static void cap(cs_ui *ui, const char *rest, const char *what, double usual,
                double least, double most, double *to)
{
    char text[200], *end;
    double v = strtod(rest, &end);
    bool is_usual = strcmp(rest, "usual") == 0;
    bool good = is_usual || (end != rest && !*end && v >= least && v <= most);
    if (*rest && good)
        *to = is_usual ? 0 : v;
    if (*rest && !good)
        snprintf(text, sizeof text, "a number of %s from %g to %g, or usual",
                 what, least, most);
    else
        snprintf(text, sizeof text, "at most %g %s a second%s",
                 *to > 0 ? *to : usual, what, *to > 0 ? "" : ", as is usual");
    cs_log_add(&ui->log, *rest && !good ? CS_LOG_ERROR : CS_LOG_REPLY, text);
}

static void frames(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cap(ui, rest, "pictures", CS_UI_FRAMES, CS_UI_FRAMES_LEAST, CS_UI_FRAMES,
        &ui->frames);
}

static void bandwidth(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cap(ui, rest, "KiB", CS_PACE_RATE / 1024, CS_UI_BANDWIDTH_LEAST,
        CS_PACE_RATE / 1024, &ui->bandwidth);
}

/* Reduced: a picture a second, unless a key was pressed. */
static void motion(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    bool reduced = strcmp(rest, "reduced") == 0;
    if (*rest && !reduced && strcmp(rest, "full") != 0) {
        cs_log_add(&ui->log, CS_LOG_ERROR, "motion is full or reduced");
        return;
    }
    ui->reduced = *rest ? reduced : !ui->reduced;
    cs_log_add(&ui->log, CS_LOG_REPLY,
               ui->reduced ? "reduced motion: a picture a second, and one for "
                             "each key"
                           : "full motion");
}

/* Of the panel with the focus, or of all: what plots are drawn with, at most what
 * the terminal has. */
static void glyphs(cs_ui *ui, const cs_shot *s, const char *rest)
{
    static const char *const words[] = {"ascii", "block", "braille"};
    char word[64], which[64] = "";
    (void)s;
    bool given = cs_shot_word(rest, 0, word, sizeof word);
    bool all =
        cs_shot_word(rest, 1, which, sizeof which) && strcmp(which, "all") == 0;
    size_t k = 0;
    while (given && k < 3 && strcmp(word, words[k]) != 0)
        k++;
    if (k == 3 || (*which && !all)) {
        cs_log_add(&ui->log, CS_LOG_ERROR,
                   "glyphs are ascii, block or braille; all behind them: of "
                   "every panel");
        return;
    }
    if (!given)
        k = ((size_t)ui->glyphs[ui->focus] + 2) % 3;
    for (size_t i = 0; i < ui->n_panels; i++)
        if (all || i == ui->focus)
            ui->glyphs[i] = (cs_glyphs)k;
}

static const char *glyph_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    static const char *const words[] = {"ascii", "block", "braille", "all"};
    (void)ui, (void)room;
    return i < 4 ? words[i] : NULL;
}

static void keyboard(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char text[300] = "there is no such keyboard:";
    const cs_keyboard *k = cs_keyboard_find(rest);
    if (k) {
        ui->keyboard = k;
        snprintf(text, sizeof text, "keyboard %s: %s", k->name, k->help);
    }
    for (size_t i = 0; !k && cs_keyboard_at(i); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s",
                 cs_keyboard_at(i)->name);
    cs_log_add(&ui->log, k ? CS_LOG_REPLY : CS_LOG_ERROR, text);
}

static const char *keyboard_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    (void)ui, (void)room;
    return cs_keyboard_at(i) ? cs_keyboard_at(i)->name : NULL;
}

static const char *motion_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    static const char *const words[] = {"full", "reduced"};
    (void)ui, (void)room;
    return i < 2 ? words[i] : NULL;
}

static const char *switch_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    static const char *const words[] = {"on", "off"};
    (void)ui, (void)room;
    return i < 2 ? words[i] : NULL;
}

static const char *panel_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    (void)room;
    if (i < ui->own.n)
        return ui->own.row[i].name;
    i -= ui->own.n;
    return cs_panel_at(i) ? cs_panel_at(i)->name : NULL;
}

static const char *theme_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    (void)ui, (void)room;
    return cs_theme_at(i) ? cs_theme_name(cs_theme_at(i)) : NULL;
}

/* Layouts, then panels. */
static const char *layout_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    size_t n = 0;
    if (cs_layout_name(ui, i, room, CS_WORD))
        return room;
    while (cs_layout_name(ui, n, room, CS_WORD))
        n++;
    return i == n ? "save" : panel_word(ui, i - n - 1, room);
}

/* Alone: the next one, as by its key. */
static void unit(cs_ui *ui, const cs_shot *s, const char *rest)
{
    char word[64], text[400] = "the units of work are";
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

/* 0 ends them; alone: five. */
static void replicate(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    uint64_t n = 5;
    char said[CS_LOG_WIDTH] = "the replicates are dropped";
    cs_status status = *rest ? cs_command_count(rest, &n, &err) : CS_OK;
    if (status == CS_OK && !ui->replicates)
        status = cs_fail(&err, CS_UNSUPPORTED, "there can be no replicates");
    if (status == CS_OK && n == 0)
        cs_replicates_stop(ui->replicates);
    else if (status == CS_OK)
        status = cs_replicates_start(ui->replicates, s, n, &err);
    double steps = status == CS_OK && n
                       ? cs_replicates_made(ui->replicates)->steps
                       : (double)NAN;
    if (n)
        snprintf(said, sizeof said,
                 "%llu replicate%s, %s%s each, in the background: X shows the "
                 "race, :replicate 0 ends them",
                 (unsigned long long)n, n == 1 ? "" : "s",
                 isfinite(steps) ? cs_count(steps).text : "the budget",
                 isfinite(steps) ? " steps" : "");
    tell(ui, status, &err, said);
}

/* And shows its panel, where there is room for one more. */
static void sweep(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "the sweep is dropped";
    cs_status status = CS_OK;
    if (!ui->sweep)
        status = cs_fail(&err, CS_UNSUPPORTED, "there can be no sweep");
    else if (!*rest)
        status = cs_fail(&err, CS_INPUT,
                         "sweep over what? :sweep small.step=0.1..2:log:8");
    else if (strcmp(rest, "0") == 0)
        cs_replicates_stop(ui->sweep);
    else
        status = cs_replicates_sweep(ui->sweep, s, rest, &err);
    if (status == CS_OK && strcmp(rest, "0") != 0) {
        snprintf(
            said, sizeof said,
            "%zu run%s over %s, in the background: panel sweep shows them, "
            ":sweep 0 ends it",
            cs_replicates_made(ui->sweep)->of,
            cs_replicates_made(ui->sweep)->of == 1 ? "" : "s",
            cs_replicates_made(ui->sweep)->over);
        cs_ui_show(ui, cs_panel_find("sweep"));
    }
    tell(ui, status, &err, said);
}

/* And shows its panel. */
static void calibrate(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    uint64_t n = 100;
    char said[CS_LOG_WIDTH] = "the calibration is dropped";
    cs_status status = *rest ? cs_command_count(rest, &n, &err) : CS_OK;
    if (status == CS_OK && !ui->calibrations)
        status = cs_fail(&err, CS_UNSUPPORTED, "there can be no calibration");
    if (status == CS_OK)
        status = cs_calibrations_start(ui->calibrations, s, n, &err);
    if (status == CS_OK && n) {
        snprintf(said, sizeof said,
                 "%llu data sets, in the background: panel calibration shows "
                 "their ranks, :sbc 0 ends it",
                 (unsigned long long)n);
        cs_ui_show(ui, cs_panel_find("calibration"));
    }
    tell(ui, status, &err, said);
}

static void edit(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s, (void)rest;
    ui->edit = true;
}

static const char *unit_word(const cs_ui *ui, size_t i, char room[CS_WORD])
{
    (void)ui, (void)room;
    return i < CS_UNITS ? cs_unit_at((cs_unit)i)->name : NULL;
}

/* Without `act`: the action of that name, see keys.h; or `share`. */
static const cs_ui_command_row table[] = {
    {"quit", "", "leave", NULL, NULL},
    {"gallery", "", "the gallery of scenarios", NULL, NULL},
    {"help", "", "panels, keys and commands", NULL, NULL},
    {"messages", "", "message log", NULL, NULL},
    {"panel", "NAME[=OF][@ARM] ... | DIGIT",
     "show or hide panels: trace=x.1 is of x.1, @ARM puts that arm first; as "
     "the key of that digit",
     panel, panel_word},
    {"zoom", "[NAME]", "one panel alone, and back", zoom, panel_word},
    {"keep", "[panel] FILE [force]",
     "what was seen before this line, as .svg, .txt or (with colours) .ans; "
     "panel: the one with the focus alone; force: in the place of a file",
     keep, NULL},
    {"record", "[FILE.cast [force]]",
     "record the screen (asciicast v2), with what the run can be made of "
     "again; alone: end that",
     record, NULL},
    {"layout", "[NAME] | PANEL ... | save NAME",
     "the layout of that name (Tab lists them), or these panels; save: those "
     "that are shown, under a name; alone: the scenario's",
     layout, layout_word},
    {"theme", "[NAME]", "the colours: dark, light or contrast", theme,
     theme_word},
    {"race", "", "the race of all arms, and back", NULL, NULL},
    {"undo", "", "undo what was changed last, of the screen or of the run",
     NULL, NULL},
    {"redo", "", "do again what was undone last", NULL, NULL},
    {"unit", "[NAME]",
     "what work is counted in: usual, steps, gradients, densities, "
     "evaluations, terms or seconds; alone: the next",
     unit, unit_word},
    {"replicate", "[N]",
     "N runs like this one (5) with other seeds, in the background: the race "
     "is "
     "of their means, and its errors are over them; 0 ends and drops them",
     replicate, NULL},
    {"sweep", "ARM.PARAM=VALUES | 0",
     "a run like this one for each value (1,4 or 0.1..2:log:8), in the "
     "background: panel sweep shows figures against them; 0 ends and drops it",
     sweep, NULL},
    {"sbc", "[N]",
     "simulation-based calibration in the background: N data sets (100), where "
     "the scenario says how; panel calibration shows ranks; 0 ends and drops "
     "it",
     calibrate, NULL},
    {"edit", "",
     "the file that is open in your editor ($VISUAL, $EDITOR, vi); then r "
     "opens "
     "it again",
     edit, NULL},
    {"mouse", "[on|off]",
     "whether the screen or the terminal has the mouse; Shift leaves it to the "
     "terminal for once",
     mouse, switch_word},
    {"laws", "[on|off]",
     "whether the laws of what is opened are tried in the background, once: "
     "`check` tries them now",
     laws, switch_word},
    {"type", "[WORDS]", "begin a command line with these words", type, NULL},
    {"frames", "[N | usual]",
     "pictures a second at most, while the chains run; alone: how many", frames,
     NULL},
    {"bandwidth", "[KIB | usual]",
     "KiB a second at most that are sent to the terminal, for a slow link",
     bandwidth, NULL},
    {"motion", "[full | reduced]",
     "reduced: a picture a second, and one for each key", motion, motion_word},
    {"share", "[FILE.lua]",
     "a line for a shell that makes again what is seen; where something was "
     "changed on the way, with that in FILE.lua",
     NULL, NULL},
    {"glyphs", "[ascii | block | braille] [all]",
     "what the panel with the focus is drawn with, or all are; alone: fewer",
     glyphs, glyph_word},
    {"keyboard", "NAME",
     "keys for keyboards on which [ ] { } are hard to reach: qwertz, azerty, "
     "nordic, letters; us: none",
     keyboard, keyboard_word},
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

/* The session's line, with the panels that are shown. */
static void share(const cs_key_press *p, const char *rest)
{
    char panels[2048];
    cs_layout_words(p->ui, panels, sizeof panels);
    cs_say(p, "share %.800s panels%.2000s", rest, panels);
}

/* What a key does, by the line that it is. */
static void act_as_key(const cs_key_press *p, const cs_action *a, size_t k)
{
    char text[160];
    if (a->views & cs_ui_views(p->ui)) {
        cs_act(p, a, k);
        return;
    }
    snprintf(text, sizeof text, "%.40s has no meaning here: %.60s", a->line[k],
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
                        char room[CS_WORD])
{
    size_t n = 0;
    if (!strchr(before, ' ')) {
        while (cs_ui_command_at(n))
            n++;
        return i < n ? cs_ui_command_at(i)->name
                     : cs_action_word("", i - n, room);
    }
    const cs_ui_command_row *c = find(before);
    while (c && c->word && c->word(ui, n, room))
        n++;
    return i < n ? c->word(ui, i, room) : cs_action_word(before, i - n, room);
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

/* What a kernel takes, with what it has unless it is said. */
static void hint_params(const cs_kernel_type *type, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s takes", type->name);
    for (size_t i = 0; i < type->n_params && used < size; i++) {
        const cs_param *p = &type->params[i];
        bool named = p->kind == CS_PARAM_CHOICE && p->choices;
        used += (size_t)snprintf(
            out + used, size - used, "%s %s=%s", i ? "," : "", p->name,
            named ? p->choices[(size_t)p->def] : cs_num(p->def).text);
    }
    if (!type->n_params && used < size)
        snprintf(out + used, size - used, " no parameter");
}

/* Of "arm add KERNEL ..." and "arm kernel ARM KERNEL ...": what the kernel takes; of
 * the parameter that is being typed what it is. */
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
            snprintf(out, size, "%s: %s; %s unless it is said", p->name,
                     p->help, cs_num(p->def).text);
    }
    return true;
}

/* In the place of what is known of a parameter: what the value would do, or why
 * it is refused. */
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
        snprintf(
            out, size,
            "words to look for%s; up, down choose, Enter %s, Esc shows all",
            help ? "" : ", #word a tag", help ? "runs" : "opens");
        return;
    }
    if (ui->prompt.mark == ';') {
        snprintf(out, size,
                 "Lua: an expression prints its value; cs and run "
                 "are there; Tab completes; Esc closes");
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
