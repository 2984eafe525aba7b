/* Ends a sub-command in good order after Ctrl-C, SIGTERM or a hang-up. Signals
 * are counted; code that waits or works tests the count, and finally one line
 * on stderr reports how far the work came and how to continue it. The exit code
 * is 128 plus the signal. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Starts counting these signals: waits end with EINTR, and long work in C is
 * cancelled (base/cancellation.h). An ignored hang-up stays ignored (nohup).
 * Several signals without an end in between terminate the process at once. */
void cs_stop_listen(void);
/* Ignores these signals: another process answers them. */
void cs_stop_ignore(void);

/* Return the first signal (0: none) and the number of signals. */
int cs_stop_signal(void);
unsigned cs_stop_count(void);

/* Counts a signal that another handler received and that ends the program. */
void cs_stop_take(int signal);
/* Forgets a signal that did not mean the end (Ctrl-C at a prompt). */
void cs_stop_forget(void);

/* Allows queries again: cs_front_ask, which sends nothing after a signal, works
 * again for the final queries to the session. */
void cs_stop_finish(void);
/* Returns true if no new work may start. */
bool cs_stop_refuses(void);

/* Prints "chainscope: ended by SIGTERM " and the text: how far the work came
 * and how to continue. Only the first call prints; without a signal none
 * does. */
void cs_stop_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* If the error only means that a signal arrived (the work or its session was
 * stopped), reports it in the same way and returns true. */
bool cs_stop_explains(const cs_error *err);

/* Returns the exit code: 128 plus the signal after printing its line, or `code`
 * if there was no signal. */
int cs_stop_end(int code);
