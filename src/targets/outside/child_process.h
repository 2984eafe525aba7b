/* Another program, to which requests and answers are sent as lines of text on
 * pipes. This module starts the program, and terminates it together with all
 * processes that it starts. Only the last line of the program's output on
 * stderr is used; error messages quote it. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_child_process cs_child_process;

/* Starts command[0] with its arguments; a NULL ends the list. The command is
 * found in the same way as a shell finds a command. The program runs in
 * `folder` (NULL: the current folder), and is terminated when the calling
 * thread ends. [own] */
cs_status cs_child_process_start(cs_child_process **out,
                                 const char *const *command, const char *folder,
                                 cs_error *err);

/* Terminates the process, by force if necessary. `c` may be NULL. */
void cs_child_process_end(cs_child_process *c);

/* Returns true if it is known that SIGKILL has ended the process. */
bool cs_child_process_was_killed(const cs_child_process *c);

/* Handles a line of output, without its line end; sets *more to false after the
 * last line. The function may modify the line. */
typedef struct cs_child_listener {
    cs_status (*hear)(void *self, char *line, bool *more, cs_error *err);
    void *self;
    size_t most; /* maximum length of a line in bytes */
} cs_child_listener;

/* Sends text[n] and reads lines until the last one. Fails if a line is
 * wrong; the error then names the line. Also fails if the process ends, or
 * does not answer within `seconds`. After an error the process can only be
 * terminated. Fails with CS_STOPPED after a cancellation (see
 * cs_cancellation_requested). */
cs_status cs_child_process_ask(cs_child_process *c, const char *text, size_t n,
                               double seconds, const cs_child_listener *to,
                               cs_error *err);
