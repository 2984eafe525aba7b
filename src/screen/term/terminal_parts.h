/* Inside of the terminal: what its files share. terminal.c takes and gives back
 * the terminal, terminal_signals.c sees to it that it is given back however the
 * program ends, terminal_paint.c writes cells, terminal_input.c reads keys and the
 * mouse. */
#pragma once

#include "screen/canvas/colours.h"
#include "screen/term/terminal.h"

#include <curses.h>

enum { CS_TERMINAL_OUT = 1 << 16 };

/* Colours as the terminal takes them, -1: its own. */
typedef struct cs_pen {
    int ink, ground;
    unsigned attributes;
    bool known; /* false: whatever curses left */
} cs_pen;

struct cs_terminal {
    SCREEN *screen;  /* [own] */
    cs_canvas shown; /* what the terminal shows now [own] */
    bool all;        /* paint everything */
    cs_tier tier;
    cs_glyphs glyphs;
    int colours; /* that the terminal says it has */
    bool mouse;  /* it reports what is done with it */
    bool iso;    /* it takes colours and attributes back one by one */
    cs_pen now;  /* how it writes at the moment */
    char *out;   /* [own] what is to be written, of size CS_TERMINAL_OUT */
    size_t used, sent;
    int pipe[2];
};

/* ---- mouse (terminal_input.c) ---- */

/* Reports of presses, of moves while a button is pressed, numbers in decimal.
 * curses asks for the first and the last. */
#define CS_MOUSE_MOVES "\033[?1002h"
#define CS_MOUSE_OFF "\033[?1002l\033[?1000l\033[?1006l"

/* Whether the terminal reports its mouse, by terminfo. */
bool cs_terminal_has_mouse(void);
/* Writes fixed bytes past what waits in t->out. */
void cs_terminal_write_now(const char *bytes);

/* ---- signals (terminal_signals.c) ---- */

/* Before curses takes the terminal: keeps its modes, and the descriptor that a byte
 * is written to when a signal comes. */
void cs_terminal_signals_begin(int pipe);
/* curses has it: from now on handlers give it back, by the modes and by these bytes,
 * which are copied. */
void cs_terminal_signals_take(const char *restore, size_t n);
/* While somebody else has the terminal; and when we have it again. */
void cs_terminal_signals_pause(void);
void cs_terminal_signals_resume(void);
/* It is given back: its modes, and every signal as it was. */
void cs_terminal_signals_end(void);
