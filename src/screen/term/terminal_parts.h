/* Internal to the terminal's files: terminal.c takes control of the terminal
 * and restores it, terminal_signals.c restores it however the program ends,
 * terminal_paint.c writes cells, terminal_input.c reads keys and the mouse. */
#pragma once

#include "screen/canvas/colours.h"
#include "screen/term/input_parser.h"
#include "screen/term/terminal.h"

#include <curses.h>

enum { CS_TERMINAL_OUT = 1 << 16 };

/* Colours as numbers of the terminal; -1: the terminal's default. */
typedef struct cs_pen {
    int ink, ground;
    unsigned attributes;
    bool known; /* false: unknown, because curses has written */
} cs_pen;

struct cs_terminal {
    SCREEN *screen;  /* [own] */
    cs_canvas shown; /* canvas that the terminal displays [own] */
    bool all;        /* the next paint writes every cell */
    cs_tier tier;
    cs_glyphs glyphs;
    int colours; /* number of colours of the terminal */
    bool mouse;  /* mouse reports are on */
    bool iso;    /* colours and attributes can be switched off one by one */
    cs_pen now;  /* current colours and attributes of the terminal */
    char *out;   /* [own] pending output, of size CS_TERMINAL_OUT */
    size_t used, sent;
    int pipe[2];
    struct {
        unsigned char bytes[256]; /* block of bytes from the keyboard */
        size_t at, used;          /* next byte; number of bytes */
        bool read;   /* a block was read since no key was pending */
        double time; /* time of the block (cs_clock) */
    } in;
    cs_input_parser parser;
    cs_key_input last; /* last input from the parser */
};

/* ---- keyboard and mouse (terminal_input.c) ---- */

/* Mouse reports: presses, and moves while a button is pressed; the reports
 * contain decimal numbers. */
#define CS_MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define CS_MOUSE_OFF "\033[?1002l\033[?1000l\033[?1006l"

/* Bracketed paste: the terminal marks the start and the end of pasted text. */
#define CS_PASTE_ON "\033[?2004h"
#define CS_PASTE_OFF "\033[?2004l"

/* Writes to out[64] the sequences that request the inputs in use, or that
 * switch all of them off; terminated with a zero. */
void cs_terminal_input_modes(const cs_terminal *t, bool on, char out[64]);
/* Returns true if the terminal reports mouse events, according to terminfo. */
bool cs_terminal_has_mouse(void);
/* Writes fixed bytes immediately, before the pending output in t->out. */
void cs_terminal_write_now(const char *bytes);

/* ---- signals (terminal_signals.c) ---- */

/* Called before curses takes control of the terminal: saves the terminal's
 * modes, and the descriptor to which a byte is written for each signal. */
void cs_terminal_signals_begin(int pipe);
/* Called after curses has taken control: from now on, handlers restore the
 * terminal with the saved modes and the bytes restore[n], which are copied. */
void cs_terminal_signals_take(const char *restore, size_t n);
/* Called before and after another program controls the terminal. */
void cs_terminal_signals_pause(void);
void cs_terminal_signals_resume(void);
/* Called after the terminal is restored: resets its modes and every signal
 * handler. */
void cs_terminal_signals_end(void);
