/* Typed commands that set the screen's colours, rates and input. */
#include "screen/input/commands_parts.h"

#include "screen/state/pace.h"
#include "screen/term/keyboards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cs_typed_theme(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char text[160] = "unknown theme; available:";
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

/* Returns the new state of a switch: the state named by `rest`, or the opposite
 * state if `rest` is empty. */
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

void cs_typed_mouse(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    ui->mouse.listens = switched(ui, "the mouse is", ui->mouse.listens, rest);
}

/* Switches the background checks of laws on or off. Switching off also stops a
 * check in progress. */
void cs_typed_laws(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    ui->prefs.laws_off = !switched(ui, "background checks of laws are",
                                   !ui->prefs.laws_off, rest);
}

/* Stores the typed number in *to. If no number was typed, reports the current
 * value. */
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
        snprintf(text, sizeof text,
                 "number of %s must be between %g and %g, or usual", what,
                 least, most);
    else
        snprintf(text, sizeof text, "at most %g %s per second%s",
                 *to > 0 ? *to : usual, what, *to > 0 ? "" : " (default)");
    cs_log_add(&ui->log, *rest && !good ? CS_LOG_ERROR : CS_LOG_REPLY, text);
}

void cs_typed_frames(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cap(ui, rest, "frames", CS_UI_FRAMES, CS_UI_FRAMES_LEAST, CS_UI_FRAMES,
        &ui->prefs.frames);
}

void cs_typed_bandwidth(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    cap(ui, rest, "KiB", CS_PACE_RATE / 1024, CS_UI_BANDWIDTH_LEAST,
        CS_PACE_RATE / 1024, &ui->prefs.bandwidth);
}

/* Sets full or reduced motion. With reduced motion, there is one frame per
 * second unless a key was pressed. */
void cs_typed_motion(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    bool reduced = strcmp(rest, "reduced") == 0;
    if (*rest && !reduced && strcmp(rest, "full") != 0) {
        cs_log_add(&ui->log, CS_LOG_ERROR, "motion must be full or reduced");
        return;
    }
    ui->prefs.reduced = *rest ? reduced : !ui->prefs.reduced;
    cs_log_add(&ui->log, CS_LOG_REPLY,
               ui->prefs.reduced
                   ? "reduced motion: one frame per second, and one per key"
                   : "full motion");
}

/* Chooses between pixels and characters. Without a word, reports which of them
 * the last frame used. */
void cs_typed_graphics(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char text[200];
    cs_graphics_choice choice = cs_graphics_read(rest);
    if (*rest && strcmp(rest, cs_graphics_word(choice)) != 0) {
        cs_log_add(&ui->log, CS_LOG_ERROR, "graphics must be on, off or auto");
        return;
    }
    if (*rest) {
        ui->prefs.graphics = choice;
        ui->prefs.ask_graphics = choice != CS_GRAPHICS_OFF;
        snprintf(text, sizeof text,
                 choice == CS_GRAPHICS_OFF
                     ? "pictures in characters"
                     : "asking the terminal; :graphics prints the result");
    } else {
        snprintf(text, sizeof text, "%s",
                 ui->drawn.graphics ? ui->drawn.graphics
                                    : "pictures in characters: no terminal");
    }
    cs_log_add(&ui->log, CS_LOG_REPLY, text);
}

void cs_typed_keyboard(cs_ui *ui, const cs_shot *s, const char *rest)
{
    (void)s;
    char text[300] = "unknown keyboard; available:";
    const cs_keyboard *k = cs_keyboard_find(rest);
    if (k) {
        ui->prefs.keyboard = k;
        snprintf(text, sizeof text, "keyboard %s: %s", k->name, k->help);
    }
    for (size_t i = 0; !k && cs_keyboard_at(i); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s",
                 cs_keyboard_at(i)->name);
    cs_log_add(&ui->log, k ? CS_LOG_REPLY : CS_LOG_ERROR, text);
}

const char *cs_typed_theme_word(const cs_ui *ui, size_t i, char buffer[CS_WORD])
{
    (void)ui, (void)buffer;
    return cs_theme_at(i) ? cs_theme_name(cs_theme_at(i)) : NULL;
}

const char *cs_typed_switch_word(const cs_ui *ui, size_t i,
                                 char buffer[CS_WORD])
{
    static const char *const words[] = {"on", "off"};
    (void)ui, (void)buffer;
    return i < 2 ? words[i] : NULL;
}

const char *cs_typed_motion_word(const cs_ui *ui, size_t i,
                                 char buffer[CS_WORD])
{
    static const char *const words[] = {"full", "reduced"};
    (void)ui, (void)buffer;
    return i < 2 ? words[i] : NULL;
}

const char *cs_typed_graphics_word(const cs_ui *ui, size_t i,
                                   char buffer[CS_WORD])
{
    (void)ui, (void)buffer;
    return i < CS_GRAPHICS_CHOICES ? cs_graphics_word((cs_graphics_choice)i)
                                   : NULL;
}

const char *cs_typed_keyboard_word(const cs_ui *ui, size_t i,
                                   char buffer[CS_WORD])
{
    (void)ui, (void)buffer;
    return cs_keyboard_at(i) ? cs_keyboard_at(i)->name : NULL;
}
