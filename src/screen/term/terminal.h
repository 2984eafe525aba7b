/* The terminal: the only code that uses curses. It paints the changes of a
 * canvas, reads keys, and restores the terminal however the program ends. */
#pragma once

#include "base/status.h"
#include "screen/canvas/colours.h"
#include "screen/term/mouse_event.h"

typedef struct cs_terminal cs_terminal;

/* The user's choices. The strings are keywords defined in colours.h; NULL: no
 * choice. [borrowed] */
typedef struct cs_terminal_preferences {
    const char *colour, *glyphs;
    cs_graphics_choice graphics;
} cs_terminal_preferences;

/* Takes control of the terminal of stdin and stdout. Returns CS_UNSUPPORTED,
 * with a message, if there is no terminal or it is unsuitable (TERM unset,
 * dumb). Only one instance may exist at a time. [own: cs_terminal_stop] */
cs_status cs_terminal_start(cs_terminal **out,
                            const cs_terminal_preferences *preference,
                            cs_error *err);
void cs_terminal_stop(cs_terminal *t);
/* Must be called in a child of the process that controls the terminal: the
 * child then no longer handles the terminal and its signals. */
void cs_terminal_disown(void);

void cs_terminal_size(cs_terminal *t, int *width, int *height);
cs_glyphs cs_terminal_glyphs(const cs_terminal *t);
cs_tier cs_terminal_tier(const cs_terminal *t);

/* Returns the displayed canvas. If everything must be painted, returns NULL. */
const cs_canvas *cs_terminal_shown(const cs_terminal *t, const cs_canvas *c);
/* Paints the differences from the last paint. Returns the approximate number of
 * bytes written. */
size_t cs_terminal_paint(cs_terminal *t, const cs_canvas *c);
/* Sets the choice between pixels and characters. With `again`, asks the
 * terminal again unless the choice is off. */
void cs_terminal_graphics(cs_terminal *t, cs_graphics_choice choice,
                          bool again);
/* Writes which of the two is in use, and why. */
void cs_terminal_graphics_text(const cs_terminal *t, char *out, size_t size);
/* Gets the size of a cell in pixels on a canvas of this size; 0: pictures are
 * drawn in characters. */
void cs_terminal_cell(const cs_terminal *t, int width, int height, int *wide,
                      int *high);
/* Returns true once after the terminal's replies have changed the result of
 * cs_terminal_cell. */
bool cs_terminal_changed(cs_terminal *t);
/* Called after cs_terminal_paint: sends the pictures that have changed and
 * deletes those that are gone. If `all` is false, sends pictures only until
 * `credit` bytes are used up, and each picture at most four times per second; sets
 * *late if some are left. Returns the number of bytes. */
size_t cs_terminal_pictures(cs_terminal *t, const cs_canvas *c, bool all,
                            double credit, bool *late);
/* Writes the caller's bytes. The next paint then paints every cell. */
void cs_terminal_write(cs_terminal *t, const char *bytes, size_t n);
/* Makes the next paint write every cell. */
void cs_terminal_repaint(cs_terminal *t);

/* Restores the terminal while use(self) runs, then takes control of it
 * again. */
void cs_terminal_lend(cs_terminal *t, void (*use)(void *), void *self);
/* Restores the terminal, stops the process, and takes control again when the
 * process continues. */
void cs_terminal_suspend(cs_terminal *t);
/* Called after the process was continued: sets the modes again and repaints
 * every cell. */
void cs_terminal_resume(cs_terminal *t);

/* Returns the next key (a code point or CS_KEY_..., see key_codes.h), or 0 if
 * no key is pending. It also returns 0 after each block of bytes, so that long
 * input does not keep the caller from painting; poll() then shows whether more
 * has arrived. Sequences without a meaning are skipped. */
unsigned cs_terminal_key(cs_terminal *t);
/* Returns the text pasted with the last key CS_KEY_PASTE, as the terminal sent
 * it. If the text is longer than CS_INPUT_PASTE bytes, returns NULL. Valid
 * until the next key. */
const char *cs_terminal_pasted(const cs_terminal *t);

/* Switches mouse reports on or off. While Shift is held, the terminal still
 * handles the mouse itself. */
void cs_terminal_listen(cs_terminal *t, bool mouse);
/* Gets the event of the last key CS_KEY_MOUSE. Returns false for an unknown
 * event. */
bool cs_terminal_mouse(cs_terminal *t, cs_mouse *out);

/* Gets the descriptors for poll(): the keyboard, and a pipe to which signals
 * write. */
void cs_terminal_fds(const cs_terminal *t, int fd[2]);

/* Sets the folder that the message after a crash of this process names; "":
 * the draws are not stored in files. */
void cs_terminal_set_report(const char *folder);

/* Returns the signal that requested the end, or 0; also valid after
 * cs_terminal_stop. */
int cs_terminal_signal(void);

/* Returns the requests by signals since the last call: CS_ASKED_... bits. */
enum {
    CS_ASKED_STOP = 1,
    CS_ASKED_INTERRUPT = 2,
    CS_ASKED_RESIZE = 4,
    CS_ASKED_SUSPEND = 8,
    CS_ASKED_RESUME = 16
};
unsigned cs_terminal_asked(cs_terminal *t);
