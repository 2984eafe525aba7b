/* Updates of the screen from new snapshots. */
#include "screen/state/ui.h"

#include "race/race.h"
#include "screen/state/preferences.h"
#include "session/client/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Logs a message with its step. If the text of the message contains a step,
 * logs only the text. */
static void hear_one(cs_ui *ui, const cs_shot *s, size_t i, cs_log_kind kind)
{
    char text[320];
    size_t r, n;
    const double *at = cs_shot_array(s, &r, &n, "run/said_at");
    const char *said = cs_shot_text(s, "run/said/%zu", i);
    double step = at && i < n ? at[i] : 0;
    bool reported = strstr(said, "step") != NULL || !(step > 0);
    snprintf(text, sizeof text, "step %s: %.255s", cs_count(step).text, said);
    cs_log_add(&ui->log, kind, reported ? said : text);
}

/* Logs the messages since the last snapshot. The session stores only the newest
 * messages. */
static void hear(cs_ui *ui, const cs_shot *s)
{
    double n = cs_shot_number(s, 0, "run/messages");
    double from = fmax(ui->heard.messages, n - CS_SAID);
    bool failed = strcmp(cs_shot_text(s, "run/state"), "failed") == 0;
    double opening = cs_shot_number(s, 0, "run/opening");
    for (double i = n < ui->heard.messages ? n : from; i < n; i++)
        hear_one(ui, s, (size_t)fmod(i, CS_SAID),
                 failed && i + 1 >= n ? CS_LOG_ERROR
                 : i + 1 == opening   ? CS_LOG_OPENED
                                      : CS_LOG_EVENT);
    ui->heard.messages = n;
}

/* Stores the state of the chosen chain. The state that was stored before is the
 * state before the last step only if exactly one step was made in between. */
static void remember(cs_trail *t, const cs_shot *s)
{
    size_t r, n;
    const cs_row_look *at = cs_shot_look(s);
    const double *x = cs_shot_array(s, &r, &n, "look/x");
    if (!at || !x)
        return;
    n = n < CS_TRAIL ? n : CS_TRAIL;
    size_t arm = cs_shot_whole(at->arm, CS_SHOT_ARMS);
    double steps = cs_shot_number(s, 0, "arm/%zu/steps", arm);
    bool same = t->arm == at->arm && t->chain == at->chain && t->n == n;
    if (same && t->steps == steps && memcmp(t->x, x, n * sizeof *x) == 0)
        return;
    t->known = same && steps == t->steps + 1;
    if (t->known)
        memcpy(t->from, t->x, n * sizeof *x);
    memcpy(t->x, x, n * sizeof *x);
    t->arm = at->arm;
    t->chain = at->chain;
    t->steps = steps;
    t->n = n;
}

bool cs_ui_rank(cs_ui *ui, const cs_shot *s, cs_log_kind kind)
{
    char text[1000];
    cs_racers arms;
    if (cs_shot_arms(s) < 2)
        return false;
    const cs_figure_look look = cs_panel_look(&ui->look);
    cs_race_line_up(s, &look, &arms);
    if (!cs_race_has(&arms, CS_RACE_ESS))
        return false;
    cs_race_say(&arms, text, sizeof text);
    for (char *end = text; (end = strstr(end, "; "));) /* one clause per line */
        end[1] = '\n';
    cs_log_add(&ui->log, kind, text);
    return true;
}

/* Logs the ranking of a finished run when its reports are up to date, and no
 * question of a lesson is left that it could answer. */
static void rank(cs_ui *ui, const cs_shot *s, bool done)
{
    bool waits = done && !ui->heard.ranked && !cs_shot_hides(s);
    ui->heard.ranked &= done;
    if (waits && cs_shot_number(s, 1, "run/reported") != 0)
        ui->heard.ranked = cs_ui_rank(ui, s, CS_LOG_EVENT);
}

/* Returns what the user can do when the budget has ended. */
static const char *next_after(const cs_shot *s)
{
    return cs_shot_plays(s) ? "enter runs 50 steps more"
           : *cs_shot_text(s, "course/step") && !cs_shot_is_game(s)
               ? "enter makes the next step of the lesson"
               : "space continues, r starts again, R with a new seed";
}

/* Logs that the budget has ended, and sets the gallery's row for the open
 * run. */
static void follow_state(cs_ui *ui, const cs_shot *s)
{
    const char *state = cs_shot_text(s, "run/state");
    cs_number steps = cs_count(cs_shot_number(s, 0, "run/steps"));
    char text[160];
    if (strcmp(state, "done") == 0 && strcmp(ui->heard.state, "running") == 0) {
        snprintf(text, sizeof text, "Finished: %s steps. %s", steps.text,
                 next_after(s));
        if (*cs_shot_text(s, "run/watched"))
            snprintf(text, sizeof text, "All %s draws have been read",
                     steps.text);
        cs_log_add(&ui->log, CS_LOG_EVENT, text);
    }
    rank(ui, s, strcmp(state, "done") == 0);
    snprintf(ui->heard.state, sizeof ui->heard.state, "%s", state);
    snprintf(ui->gallery.back, sizeof ui->gallery.back, "%.100s, step %s",
             cs_shot_text(s, "run/title"), steps.text);
    if (cs_shot_arms(s) == 0)
        *ui->gallery.back = 0;
}

static void show_state(cs_ui *ui)
{
    for (size_t i = 0; i < ui->slots.n; i++)
        if (strcmp(ui->slots.of[i].type->name, "state") == 0) {
            ui->slots.of[i].on = true;
            ui->slots.focus = i;
        }
}

/* Displays the arm and chain of an event if the session has chosen them. If a
 * breakpoint holds the run, shows the panel state. */
static void follow_events(cs_ui *ui, const cs_shot *s)
{
    double chosen = cs_shot_number(s, 0, "look/chosen");
    double held = cs_shot_number(s, 0, "run/held");
    const cs_row_look *at = cs_shot_look(s);
    if (chosen > ui->heard.chosen && at) {
        ui->look.arm = cs_shot_whole(at->arm, CS_SHOT_ARMS);
        ui->look.chain = cs_shot_whole(at->chain, 1u << 20);
    }
    if (held > ui->heard.held)
        show_state(ui);
    ui->heard.chosen = chosen;
    ui->heard.held = held;
}

/* Shows the layout requested on the command line, once. */
static void begin_layout(cs_ui *ui, const cs_shot *s)
{
    char words[2048];
    const char *preference =
        cs_shot_text(&ui->prefs.preferences, CS_PREFERENCE_LAYOUT);
    if (!*preference || ui->prefs.laid_out)
        return;
    ui->prefs.laid_out = true;
    bool named = !strchr(preference, ' ') &&
                 cs_layout_named(ui, s, preference, words, sizeof words);
    cs_ui_panels(ui, named ? words : preference);
}

static bool is_lesson(const cs_slot *slot)
{
    return strcmp(slot->type->name, "lesson") == 0;
}

/* Returns true if the screen shows one panel only. */
static bool has_one_panel(const cs_ui *ui)
{
    const cs_canvas *c = ui->drawn.canvas;
    return c && !cs_layout_fits(c->width, c->height);
}

/* Gives the focus to the panel lesson if the screen shows one panel only;
 * otherwise shows it if the last frame has not drawn it. */
static void show_lesson(cs_ui *ui)
{
    for (size_t i = 0; has_one_panel(ui) && i < ui->slots.n; i++)
        if (is_lesson(&ui->slots.of[i])) {
            ui->slots.of[i].on = true;
            ui->slots.focus = i;
            return;
        }
    for (size_t i = 0; i < ui->drawn.n_parts; i++)
        if (is_lesson(&ui->slots.of[ui->drawn.part_of[i]]))
            return;
    for (size_t i = 0; i < ui->slots.n; i++)
        ui->slots.of[i].on |= is_lesson(&ui->slots.of[i]);
    ui->slots.zoom = false;
    cs_ui_focus_large(ui);
}

/* Enlarges the panel lesson, so that the answer of a game fits on a small
 * screen; or shows all panels. */
static void zoom_lesson(cs_ui *ui, bool large)
{
    for (size_t i = 0; i < ui->slots.n; i++)
        if (large && is_lesson(&ui->slots.of[i]))
            ui->slots.focus = i;
    ui->slots.zoom = large;
}

/* Notes whether the open scenario has a course or is a game, whose keys then
 * apply. A new step is shown even if its panel was hidden, and the present one if
 * the screen has become too small for other panels. */
static void follow_lesson(cs_ui *ui, const cs_shot *s)
{
    const char *step = cs_shot_text(s, "course/step");
    bool one = has_one_panel(ui), shrunk = one && !ui->heard.one_panel;
    bool anew = strcmp(step, ui->heard.lesson_step) != 0;
    ui->game = cs_shot_plays(s);
    ui->lesson = *step != 0 && !cs_shot_is_game(s);
    ui->heard.one_panel = one;
    if (*step && (shrunk || anew))
        show_lesson(ui);
    if (*step && anew && cs_shot_is_game(s))
        zoom_lesson(ui, !ui->game);
    snprintf(ui->heard.lesson_step, sizeof ui->heard.lesson_step, "%s", step);
}

void cs_ui_follow(cs_ui *ui, const cs_shot *s)
{
    char seen[sizeof ui->heard.panels_seen] = "";
    double changes = cs_shot_number(s, ui->undo.changes, "run/changes");
    cs_own_read(&ui->own, s);
    for (size_t i = 0, n = 0; i < ui->own.n; i++)
        n += (size_t)snprintf(seen + n, sizeof seen - n, "%s ",
                              ui->own.row[i].name);
    size_t n = strlen(seen);
    snprintf(seen + n, sizeof seen - n, "%s %.100s",
             cs_shot_text(s, "run/panels"), cs_shot_text(s, "run/file"));
    if (strcmp(seen, ui->heard.panels_seen) != 0) {
        memcpy(ui->heard.panels_seen, seen, sizeof seen);
        cs_ui_panels(ui, cs_ui_own_panels(s));
        begin_layout(ui, s);
        const cs_row_look *at = cs_shot_look(s);
        ui->look = (cs_selection){.pinned = CS_NO_PIN, .unit = ui->look.unit};
        if (at && at->arm < CS_SHOT_ARMS)
            ui->look.arm = (size_t)at->arm;
        cs_undo_clear(ui, changes);
    }
    cs_undo_changes(ui, changes);
    follow_lesson(ui, s);
    follow_events(ui, s);
    hear(ui, s);
    remember(&ui->trail, s);
    follow_state(ui, s);
    size_t arms = cs_shot_arms(s);
    size_t hills;
    if (!CS_SHOT_ROWS(s, cs_row_hill, &hills, CS_KEY_HILLS))
        ui->look.hill = 0; /* no landscape to edit */
    if (ui->look.arm >= arms)
        ui->look.arm = 0;
    if (ui->look.pinned >= arms)
        ui->look.pinned = CS_NO_PIN;
    if (ui->look.chain >= cs_shot_chains(s, ui->look.arm))
        ui->look.chain = 0;
    cs_undo_accept(ui);
}
