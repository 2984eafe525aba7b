/* Ends a sub-command in an orderly way after Ctrl-C, SIGTERM or a hang-up.
 * Signals are counted; code that waits or computes tests the count regularly.
 * At the end one line on stderr reports the progress of the work, and how to
 * continue the work. The exit code is 128 plus the signal. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Starts counting these signals: waits end with EINTR, and long computations in
 * C are cancelled (base/cancellation.h). An ignored hang-up remains ignored
 * (nohup). If several signals arrive before the program ends, the process is
 * terminated at once. */
void cs_stop_listen(void);
/* Ignores these signals because another process handles them. */
void cs_stop_ignore(void);

/* cs_stop_signal returns the first signal (0: none); cs_stop_count returns the
 * number of signals. */
int cs_stop_signal(void);
unsigned cs_stop_count(void);

/* Counts a signal that another handler received and that must end the
 * program. */
void cs_stop_take(int signal);
/* Forgets a signal that must not end the program (Ctrl-C at a prompt). */
void cs_stop_forget(void);

/* Permits the final queries to the session. After a signal, cs_front_ask sends
 * nothing until this function is called. */
void cs_stop_finish(void);
/* Returns true if a signal has arrived, so that no new work may start (unless
 * cs_stop_finish was called). */
bool cs_stop_refuses(void);

/* Prints "chainscope: ended by SIGTERM " followed by the formatted text. The
 * text reports the progress and how to continue. Only the first call prints;
 * without a signal no call prints. */
void cs_stop_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns true if the error only reports that a signal arrived, so that the
 * work or its session was stopped. In this case also prints the line of
 * cs_stop_say. */
bool cs_stop_explains(const cs_error *err);

/* Returns the exit code. Without a signal the exit code is `code`. With a
 * signal it is 128 plus the signal, and the line about the signal is printed
 * before. */
int cs_stop_end(int code);
