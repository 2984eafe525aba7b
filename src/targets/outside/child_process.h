/* Another program, asked by lines of text on a pipe. It is started and ended
 * here, with all that it starts; what it writes to its standard error is not
 * shown, but for its last line, in messages. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_child_process cs_child_process;

/* Starts command[0] (looked for as a shell does) with the words up to a NULL, in
 * `folder` (NULL: here). It ends when the calling thread does. [own] */
cs_status cs_child_process_start(cs_child_process **out,
                                 const char *const *command, const char *folder,
                                 cs_error *err);

/* Ends it, if need be by force. NULL is fine. */
void cs_child_process_end(cs_child_process *c);

/* Whether it was found to be ended by a signal that none can refuse. */
bool cs_child_process_was_killed(const cs_child_process *c);

/* What becomes of a line that it wrote, without its end; false in *more: it was
 * the last one. The line may be changed. */
typedef struct cs_child_listener {
    cs_status (*hear)(void *self, char *line, bool *more, cs_error *err);
    void *self;
    size_t most; /* bytes of a line */
} cs_child_listener;

/* Sends text[n] and hears lines until the last one. An error, which names the
 * line, or says that the process has ended or did not answer within `seconds`,
 * leaves it good for nothing but its end. CS_STOPPED: see
 * cs_patience_ended. */
cs_status cs_child_process_ask(cs_child_process *c, const char *text, size_t n,
                               double seconds, const cs_child_listener *to,
                               cs_error *err);
