/* The terminal: all that is asked of curses is asked here. It paints a canvas,
 * differences only, reads keys, and gives the terminal back however the program
 * ends. */
#pragma once

#include "base/status.h"
#include "screen/canvas/colours.h"
#include "screen/term/mouse_event.h"

typedef struct cs_terminal cs_terminal;

/* What the user asked for; words of colours.h, NULL: nothing. [borrowed] */
typedef struct cs_terminal_wishes {
    const char *colour, *glyphs;
} cs_terminal_wishes;

/* Takes over the terminal of stdin and stdout. CS_UNSUPPORTED, with a
 * sentence, when there is none or it cannot do this (TERM unset, dumb). One at
 * a time. [own: cs_terminal_stop] */
cs_status cs_terminal_start(cs_terminal **out, const cs_terminal_wishes *wish,
                            cs_error *err);
void cs_terminal_stop(cs_terminal *t);
/* In a child of the process that has the terminal: its signals and its terminal
 * are none of the child's. */
void cs_terminal_disown(void);

void cs_terminal_size(cs_terminal *t, int *width, int *height);
cs_glyphs cs_terminal_glyphs(const cs_terminal *t);
cs_tier cs_terminal_tier(const cs_terminal *t);

/* What is there; NULL where everything is to be painted. */
const cs_canvas *cs_terminal_shown(const cs_terminal *t, const cs_canvas *c);
/* Paints what differs from the last paint; returns about how many bytes that
 * were. */
size_t cs_terminal_paint(cs_terminal *t, const cs_canvas *c);
/* Writes bytes of the caller's own; the next paint then paints everything. */
void cs_terminal_write(cs_terminal *t, const char *bytes, size_t n);
/* Paints everything next time. */
void cs_terminal_repaint(cs_terminal *t);

/* Gives the terminal back for as long as use(self) takes, and takes it again. */
void cs_terminal_lend(cs_terminal *t, void (*use)(void *), void *self);
/* Gives the terminal back, stops the process, and takes it again when it is
 * continued. */
void cs_terminal_suspend(cs_terminal *t);
/* After the process was continued: the modes again, and everything painted. */
void cs_terminal_resume(cs_terminal *t);

/* The next key (a code point or CS_KEY_..., see keys.h), 0 if none waits. */
unsigned cs_terminal_key(cs_terminal *t);

/* Whether it reports the mouse; Shift then leaves it to the terminal. */
void cs_terminal_listen(cs_terminal *t, bool mouse);
/* What the last key, a CS_KEY_MOUSE, was; false: nothing that is known. */
bool cs_terminal_mouse(cs_terminal *t, cs_mouse *out);

/* For poll: the keyboard, and a pipe that signals write to. */
void cs_terminal_fds(const cs_terminal *t, int fd[2]);

/* What is said once the terminal is given back after a crash of this process: where
 * the draws are, "": they are in no files. */
void cs_terminal_set_report(const char *folder);

/* The signal that asked for the end, 0 = none: also after cs_terminal_stop. */
int cs_terminal_signal(void);

/* What signals asked for since the last call: CS_ASKED_... bits. */
enum {
    CS_ASKED_STOP = 1,
    CS_ASKED_INTERRUPT = 2,
    CS_ASKED_RESIZE = 4,
    CS_ASKED_SUSPEND = 8,
    CS_ASKED_RESUME = 16
};
unsigned cs_terminal_asked(cs_terminal *t);
