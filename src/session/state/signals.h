/* Signals that stop the run, and moves of it that they stop. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

/* Begins to obey signals, and messages that come to `fd`. */
void cs_signals_listen(const cs_host *host, int fd);
/* Call it before commands are read from the socket: it clears the note that
 * one has arrived, which would stop the next advance. */
void cs_signals_look(void);
/* Whether the last advance was interrupted (SIGUSR1, SIGTERM). */
bool cs_signals_asked(void);
/* Whether the session is to end (SIGTERM). */
bool cs_signals_ended(void);
/* From now on the first rank's signals count, and this process ends with its
 * front. */
void cs_signals_follow(void);
/* There is nothing left to stop: only the other ranks are waited for. */
void cs_signals_end(void);
/* There is no script any more that a signal could interrupt. */
void cs_signals_leave(void);

/* Moves the open run by n steps, by fewer where a signal or the arrival of a
 * command stops it; *done: how many were made. */
cs_status cs_session_advance(cs_session *s, uint64_t n, uint64_t *done,
                             cs_error *err);
/* Moves the run as the first rank has ordered. */
void cs_session_follow_to(cs_session *s, uint64_t goal);
/* Replays a journal (run/run.h) on the open run; signals stop it, commands do
 * not. */
cs_status cs_session_replay(cs_session *s, const char *journal, cs_error *err);
