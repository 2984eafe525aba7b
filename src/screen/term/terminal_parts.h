/* Internal to the terminal's files: terminal.c takes over and restores the
 * terminal, terminal_signals.c restores it however the program ends,
 * terminal_paint.c writes cells, terminal_input.c reads keys and the mouse. */
#pragma once

#include "screen/canvas/colours.h"
#include "screen/term/terminal.h"

#include <curses.h>

enum { CS_TERMINAL_OUT = 1 << 16 };

/* Colours as the terminal's numbers; -1: its own. */
typedef struct cs_pen {
    int ink, ground;
    unsigned attributes;
    bool known; /* false: unknown, after curses wrote */
} cs_pen;

struct cs_terminal {
    SCREEN *screen;  /* [own] */
    cs_canvas shown; /* what the terminal displays now [own] */
    bool all;        /* paint everything */
    cs_tier tier;
    cs_glyphs glyphs;
    int colours; /* number reported by the terminal */
    bool mouse;  /* mouse reports are on */
    bool iso;    /* colours and attributes can be switched off one by one */
    cs_pen now;  /* its present look */
    char *out;   /* [own] pending output, of size CS_TERMINAL_OUT */
    size_t used, sent;
    int pipe[2];
};

/* ---- mouse (terminal_input.c) ---- */

/* Mouse reports: presses, moves while a button is pressed, numbers in decimal.
 * curses requests the first and the last. */
#define CS_MOUSE_MOVES "\033[?1002h"
#define CS_MOUSE_OFF "\033[?1002l\033[?1000l\033[?1006l"

/* Returns whether the terminal reports its mouse, according to terminfo. */
bool cs_terminal_has_mouse(void);
/* Writes fixed bytes at once, ahead of the output pending in t->out. */
void cs_terminal_write_now(const char *bytes);

/* ---- signals (terminal_signals.c) ---- */

/* Before curses takes over the terminal: saves its modes, and the descriptor to
 * which a byte is written for each signal. */
void cs_terminal_signals_begin(int pipe);
/* After curses has taken over: handlers now restore the terminal by the modes
 * and these bytes, which are copied. */
void cs_terminal_signals_take(const char *restore, size_t n);
/* While another program has the terminal, and after that. */
void cs_terminal_signals_pause(void);
void cs_terminal_signals_resume(void);
/* After the terminal is restored: resets its modes and every signal handler. */
void cs_terminal_signals_end(void);
