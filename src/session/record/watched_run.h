/* A run written by another process, opened in this session: its draws are read
 * from a folder of files (io/watched.h, run/draws/recorded.h), and it advances
 * when the files grow. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_watch cs_watch;

/* True if the path is a folder, which is watched; otherwise it is a
 * scenario. */
bool cs_watch_is_folder(const char *path);

/* Opens the draws written so far. On success the caller owns out->run and
 * out->watch, and destroys the run first. */
cs_status cs_watch_open(cs_opened *out, const char *folder, cs_error *err);
void cs_watch_close(cs_watch *w); /* NULL is fine */

/* Returns a descriptor for poll: see io/watched.h. */
int cs_watch_fd(const cs_watch *w);
double cs_watch_wait(const cs_watch *w);

/* Checks for changes and advances the run accordingly. Returns the reason in
 * words if the folder must be reopened, else NULL. */
const char *cs_watch_tend(cs_watch *w, cs_run *run);

/* After a failed reopening: true if something has changed since. */
bool cs_watch_stirs(cs_watch *w);
/* Records that reopening has failed. */
void cs_watch_failed(cs_watch *w);

/* Writes the next message; false if there is none. */
bool cs_watch_tell(cs_watch *w, char *text, size_t size);
