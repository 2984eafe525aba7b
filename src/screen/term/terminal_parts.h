/* Internal to the terminal's files: terminal.c takes control of the terminal
 * and restores it, terminal_signals.c restores it however the program ends,
 * terminal_paint.c writes cells, terminal_pictures.c writes pictures in pixels,
 * terminal_input.c reads keys and the mouse. */
#pragma once

#include "screen/canvas/colours.h"
#include "screen/term/image_bytes.h"
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

/* A picture that the terminal displays. */
typedef struct cs_shown_picture {
    cs_pixel_picture at;
    uint64_t hash; /* hash of its pixels; 0: it must be sent again */
    unsigned id;   /* number of the image in kitty's protocol */
    bool seen;     /* the current frame has a picture at this place */
    double time;   /* time when it was sent (cs_clock) */
} cs_shown_picture;

/* Pictures in pixels (terminal_pictures.c). */
typedef struct cs_terminal_pixels {
    cs_graphics_choice choice;
    bool sixel, kitty; /* protocols that the terminal has reported */
    cs_protocol used;  /* protocol in use */
    bool asked;        /* a query was sent */
    bool changed;      /* `used` or the size of cells has changed */
    /* time until which replies are accepted (cs_clock); 0: none are */
    double until;
    int wide, high; /* reported size of a cell in pixels; 0: unknown */
    cs_shown_picture shown[CS_PICTURES];
    size_t n;
    unsigned last;  /* the last number given to an image */
    uint8_t *image; /* [own] pixels of one picture */
    size_t capacity;
} cs_terminal_pixels;

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
    cs_terminal_pixels graphics;
};

/* ---- cells (terminal_paint.c) ---- */

/* Adds bytes to the pending output, or writes the pending output. */
void cs_terminal_add(cs_terminal *t, const char *bytes, size_t n);
void cs_terminal_flush(cs_terminal *t);
/* Moves the cursor. */
void cs_terminal_move(cs_terminal *t, int x, int y);
/* Writes the displayed cell (x, y) again. */
void cs_terminal_rewrite(cs_terminal *t, int x, int y);
/* Erases n cells from (x, y) to the theme's background. */
void cs_terminal_erase(cs_terminal *t, int x, int y, int n);

/* ---- pictures in pixels (terminal_pictures.c) ---- */

/* Deletes the displayed images of kitty's protocol. */
#define CS_IMAGES_OFF "\033_Ga=d,q=2\033\\"

/* Reads the reply that the parser has recorded. */
void cs_terminal_take_reply(cs_terminal *t);
/* Waits for at most this time for replies to a query, so that they do not reach
 * the program that uses the terminal next. Keys are lost. */
void cs_terminal_await_replies(cs_terminal *t, int milliseconds);
/* Returns true if the pixels of a cell hide its character. */
bool cs_terminal_hides(const cs_terminal *t, const cs_cell *cell);
/* Records that a blank was written over the pixels of a cell. */
void cs_terminal_touch(cs_terminal *t, int x, int y);
/* Forgets the displayed pictures; deletes images of kitty's protocol. */
void cs_terminal_forget_pictures(cs_terminal *t);

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
/* Adds bytes that handlers write before the other bytes. */
void cs_terminal_signals_first(const char *bytes);
/* Called before and after another program controls the terminal. */
void cs_terminal_signals_pause(void);
void cs_terminal_signals_resume(void);
/* Called after the terminal is restored: resets its modes and every signal
 * handler. */
void cs_terminal_signals_end(void);
