/* A run written by another process and displayed in this session. The draws are
 * read from a folder of files (io/watched.h, run/draws/recorded.h), and the run
 * advances when the files grow. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_watch cs_watch;

/* Opens the draws written so far. If `once` is true, the run can neither go back
 * nor be saved (cs_run_read_once). On success the caller owns out->run and
 * out->watch, and must destroy the run first. */
cs_status cs_watch_open(cs_opened *out, const char *folder, bool once,
                        cs_error *err);
void cs_watch_close(cs_watch *w); /* NULL is allowed */

/* Returns a descriptor for poll (see cs_watched_fd in io/watched.h). */
int cs_watch_fd(const cs_watch *w);
double cs_watch_wait(const cs_watch *w);

/* Checks the files for changes and advances the run accordingly. If the folder
 * must be reopened, returns the reason; otherwise returns NULL. */
const char *cs_watch_tend(cs_watch *w, cs_run *run);

/* Returns true if the files may have changed (see cs_watched_stirs in
 * io/watched.h). Call this after the folder could not be opened again. */
bool cs_watch_stirs(cs_watch *w);
/* Records that reopening the folder has failed. */
void cs_watch_failed(cs_watch *w);

/* Writes the next message. Returns false if there are no more messages. */
bool cs_watch_tell(cs_watch *w, char *text, size_t size);
