/* A program on a terminal of its own: a pty on its side, on ours libvterm,
 * which shows what a user would see. What fails prints the screen first. */
#pragma once

#include "support/support.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

/* Milliseconds after which the program is considered to hang. This is not a measure of
 * speed: a test that passes never waits that long, even on a busy machine. */
enum { TERM_PATIENCE = 60000 };

typedef struct term {
    int master, slave, rows, cols;
    pid_t child; /* leads a session of its own, this is its terminal */
    bool ended;
    int status; /* of waitpid, once ended */
    VTerm *vt;
    VTermScreen *screen;
    bool alternate, hidden; /* the other screen; no cursor */
    bool mouse;             /* it is asked for the mouse */
    unsigned long bytes;    /* that the program has written */
    unsigned high;          /* how many of them are above 127 */
    unsigned long colours;  /* sequences that set a colour */
    int escape;
    struct termios before;
    char text[1024];
} term;

/* Starts argv[0] (a path); more: "NAME=value" or, to unset, "NAME", up to
 * NULL. TERM is xterm-256color and the locale UTF-8 if they are not among
 * them. */
void term_start(term *t, int rows, int cols, const char *const *argv,
                const char *const *more);
/* The program under test with up to three words, NULL beyond the last. */
void term_chainscope(term *t, int rows, int cols, const char *one,
                     const char *two, const char *three);
/* Kills the remaining processes and frees. A second call does nothing. */
void term_stop(term *t);

void term_send(term *t, const char *keys);
/* The terminal vanishes; what happens now is not seen. */
void term_hang_up(term *t);
void term_resize(term *t, int rows, int cols);

/* Reads for at most that time; returns after the first piece, with its size, or
 * 0 without input. */
size_t term_read(term *t, int milliseconds);
/* Reads until no input has come for that time: not while chains run. */
void term_quiet(term *t, int milliseconds);
/* Reads for that time, whatever arrives. */
void term_pass(term *t, int milliseconds);
/* Waits for the program's end and returns waitpid's status. */
int term_end(term *t);

/* Line y as UTF-8, without blanks at its end; valid until the next call. */
const char *term_line(term *t, int y);
bool term_shows(term *t, const char *text);
/* Its position, in reading order; both -1 when it is not shown. */
void term_find(term *t, const char *text, int *x, int *y);
void term_wait(term *t, const char *text);
void term_wait_gone(term *t, const char *text);
/* Waits until line y contains it. */
void term_wait_line(term *t, int y, const char *text);
/* Waits until the first line shows this step of the run, or a later one. */
void term_wait_step(term *t, double step);
/* Waits until all that was painted so far has come: frames come one after the other,
 * so a prompt is opened and closed. */
void term_wait_painted(term *t);
VTermScreenCell term_cell(const term *t, int x, int y);

/* Prints the screen and fails. */
void term_fail(term *t, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The terminal is as it was before the program started. */
void term_assert_clean(term *t);

/* Milliseconds of a steady clock. */
double term_clock(void);
/* The only child of a process, 0 when it has none. */
pid_t term_child_of(pid_t parent);
bool term_lives(pid_t pid);
/* Waits until a process is gone; false if it hangs. */
bool term_gone(pid_t pid);
/* Seconds of processor that a process has used. */
double term_cpu(pid_t pid);
/* The same for its first thread only. */
double term_cpu_first(pid_t pid);
