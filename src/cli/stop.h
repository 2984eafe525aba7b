/* Ctrl-C, SIGTERM and a hang-up end a sub-command in good order: each counts,
 * who waits or works looks at the count now and then, and in the end one line on
 * stderr says how far the work came and how it goes on; the exit code is 128 and
 * the signal. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* From now on these signals only count; waits end with EINTR, and long work in C
 * is given up (base/patience.h). A hang-up that was ignored stays so (nohup). One
 * signal after another, without end in between, ends the process at once. */
void cs_stop_listen(void);
/* They are another process's to answer. */
void cs_stop_ignore(void);

/* The first of them, 0 while none came; how many came. */
int cs_stop_signal(void);
unsigned cs_stop_count(void);

/* A signal that another handler has taken, which ends the program. */
void cs_stop_take(int signal);
/* What came was no end, but asked for something else (Ctrl-C of a prompt). */
void cs_stop_forget(void);

/* What is asked of a session from now on belongs to the end: cs_front_ask, which
 * after a signal asks nothing more, asks again. */
void cs_stop_finish(void);
/* Whether nothing more is to be begun. */
bool cs_stop_refuses(void);

/* "chainscope: ended by SIGTERM " and the text: how far the work came, and how it
 * goes on. Of several calls the first is heard; without a signal none. */
void cs_stop_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* If an error is only that a signal came (the work or its session was stopped),
 * says so in the same way, and returns true. */
bool cs_stop_explains(const cs_error *err);

/* The exit code: 128 and the signal where one came, of which a line has then been
 * printed; else `code`. */
int cs_stop_end(int code);
