/* Handles signals that stop the run, and advances the run so that signals can
 * stop it. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

/* Starts to handle signals, and the arrival of messages on `fd`. */
void cs_signals_listen(const cs_host *host, int fd);
/* Clears the flag that marks the arrival of a command; otherwise the flag would
 * stop the next advance. Call this before commands are read from the socket. */
void cs_signals_look(void);
/* Returns true if the last advance was interrupted (SIGUSR1, SIGTERM). */
bool cs_signals_asked(void);
/* Returns true if the session must end (SIGTERM). */
bool cs_signals_ended(void);
/* For ranks other than the first, since only the first rank handles signals.
 * This process ends when its front ends. */
void cs_signals_follow(void);
/* Call this when the session only waits for the other ranks. Then there is no
 * run that a signal could stop. */
void cs_signals_end(void);
/* Stops interrupting scripts. Call this when no script is running that a signal
 * could interrupt. */
void cs_signals_leave(void);

/* Advances the open run by n steps, or by fewer if a signal or an arriving
 * command stops the advance. *done is the number of steps made. */
cs_status cs_session_advance(cs_session *s, uint64_t n, uint64_t *done,
                             cs_error *err);
/* Advances the run to the step ordered by the first rank. */
void cs_session_follow_to(cs_session *s, uint64_t goal);
/* Replays a journal (run/run.h) on the open run; signals stop the replay,
 * commands do not. */
cs_status cs_session_replay(cs_session *s, const char *journal, cs_error *err);
