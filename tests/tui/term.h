/* Runs a program on a pseudo-terminal. The test reads the terminal with
 * libvterm, so the test sees what a user would see. If a test fails, the screen
 * is printed first. */
#pragma once

#include "support/support.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

/* Milliseconds after which the program is considered to hang. This is not a
 * limit on speed: a test that passes does not wait that long, even on a loaded
 * machine. */
enum { TERM_PATIENCE = 60000 };

typedef struct term {
    int master, slave, rows, cols;
    pid_t child; /* leader of its own session, whose terminal is the
                  * pseudo-terminal */
    bool ended;
    int status; /* status from waitpid after the program has ended */
    VTerm *vt;
    VTermScreen *screen;
    bool alternate, hidden; /* alternate screen is in use; cursor is hidden */
    bool mouse;             /* mouse reports are switched on */
    bool paste;             /* bracketed paste requested */
    size_t mark;         /* received bytes of the request for bracketed paste */
    unsigned long bytes; /* bytes written by the program */
    unsigned high;       /* number of bytes above 127 */
    unsigned long colours; /* number of sequences that set a colour */
    int escape;
    bool string, after_escape; /* in an APC or DCS sequence; after ESC */
    struct termios before;
    char text[1024];
} term;

/* Receives all output of the program before libvterm does; NULL: unused. */
typedef void term_hook(term *t, const char *bytes, size_t n);
extern term_hook *term_output;

/* Starts argv[0], which is a path. Each string of `more` is "NAME=value", or
 * "NAME" to unset a variable; the last element is NULL. By default TERM is
 * xterm-256color and the locale is UTF-8. */
void term_start(term *t, int rows, int cols, const char *const *argv,
                const char *const *more);
/* Starts the program under test with up to three arguments. The argument after
 * the last one is NULL. */
void term_chainscope(term *t, int rows, int cols, const char *one,
                     const char *two, const char *three);
/* Kills the remaining processes and frees all memory. A second call does
 * nothing. */
void term_stop(term *t);

void term_send(term *t, const char *keys);
/* Closes the terminal. Later output is not read. */
void term_hang_up(term *t);
void term_resize(term *t, int rows, int cols);

/* Waits for input for at most this time. If input arrives, returns the number
 * of bytes read at once; otherwise returns 0. */
size_t term_read(term *t, int milliseconds);
/* Reads until no input has arrived for this time. While chains run, this
 * function must not be called. */
void term_quiet(term *t, int milliseconds);
/* Reads for this time, whatever arrives. */
void term_pass(term *t, int milliseconds);
/* Waits for the end of the program and returns the status from waitpid. */
int term_end(term *t);

/* Returns line y as UTF-8, without trailing blanks; valid until the next call. */
const char *term_line(term *t, int y);
bool term_shows(term *t, const char *text);
/* Finds the position of a text in reading order. If the text is not shown, x
 * and y are -1. */
void term_find(term *t, const char *text, int *x, int *y);
void term_wait(term *t, const char *text);
void term_wait_gone(term *t, const char *text);
/* Waits until line y contains the text. */
void term_wait_line(term *t, int y, const char *text);
/* Waits until the first line shows this step of the run, or a later one. */
void term_wait_step(term *t, double step);
/* Waits until all frames painted so far have arrived. For this purpose, the
 * function opens and closes a prompt, because frames are painted in order. */
void term_wait_painted(term *t);
VTermScreenCell term_cell(const term *t, int x, int y);

/* Prints the screen and fails. */
void term_fail(term *t, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Fails unless the terminal has the same state as before the program started. */
void term_assert_clean(term *t);

/* Returns milliseconds of a monotonic clock. */
double term_clock(void);
/* Returns the only child of a process, or 0 if the process has no child. */
pid_t term_child_of(pid_t parent);
bool term_lives(pid_t pid);
/* Waits until a process has ended; returns false if the process hangs. */
bool term_gone(pid_t pid);
/* Returns the CPU seconds that a process has used. */
double term_cpu(pid_t pid);
/* Returns the CPU seconds that the first thread of a process has used. */
double term_cpu_first(pid_t pid);
