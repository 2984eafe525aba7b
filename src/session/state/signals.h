/* Signals that stop the run, and advances that they can stop. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

/* Starts to handle signals, and messages that arrive on `fd`. */
void cs_signals_listen(const cs_host *host, int fd);
/* Call before commands are read from the socket: clears the flag that one has
 * arrived, which would stop the next advance. */
void cs_signals_look(void);
/* True if the last advance was interrupted (SIGUSR1, SIGTERM). */
bool cs_signals_asked(void);
/* True if the session is to end (SIGTERM). */
bool cs_signals_ended(void);
/* Leaves signals to the first rank; this process ends with its front. */
void cs_signals_follow(void);
/* Call when only the other ranks are waited for: there is nothing left to
 * stop. */
void cs_signals_end(void);
/* Call when no script is left that a signal could interrupt. */
void cs_signals_leave(void);

/* Advances the open run by n steps, or fewer if a signal or the arrival of a
 * command stops it; *done: steps made. */
cs_status cs_session_advance(cs_session *s, uint64_t n, uint64_t *done,
                             cs_error *err);
/* Advances the run as ordered by the first rank. */
void cs_session_follow_to(cs_session *s, uint64_t goal);
/* Replays a journal (run/run.h) on the open run; signals stop it, commands do
 * not. */
cs_status cs_session_replay(cs_session *s, const char *journal, cs_error *err);
