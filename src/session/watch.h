/* A run that another process writes, as one of the session's: its draws are read
 * from a folder of files (io/watched.h, run/recorded.h), and it goes on when
 * these grow. */
#pragma once

#include "session/host.h"

typedef struct cs_watch cs_watch;

/* Whether the path is of a folder, which is watched; else it is a scenario's. */
bool cs_watch_is_folder(const char *path);

/* What is there by now. On success out->run and out->watch are the receiver's,
 * and the run goes first. */
cs_status cs_watch_open(cs_opened *out, const char *folder, cs_error *err);
void cs_watch_close(cs_watch *w); /* NULL is fine */

/* For poll: see io/watched.h. */
int cs_watch_fd(const cs_watch *w);
double cs_watch_wait(const cs_watch *w);

/* Looks at what has changed, and lets the run go on so far. Why it has to be
 * opened anew, in words, or NULL. */
const char *cs_watch_tend(cs_watch *w, cs_run *run);

/* Of one that could not be opened anew: whether something has changed since. */
bool cs_watch_stirs(cs_watch *w);
/* It could not be opened anew. */
void cs_watch_failed(cs_watch *w);

/* The next thing to be said; false: there is nothing. */
bool cs_watch_tell(cs_watch *w, char *text, size_t size);
