/* Opens and closes runs, and describes the source of the open run. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

/* Opens `path` with the stored settings. If `from` is NULL, the inputs are read
 * from files; otherwise they are taken from `from`, the copy in a recording. On
 * failure the previous run remains open. */
cs_status cs_session_open(cs_session *s, const char *path, cs_inputs *from,
                          cs_error *err);
/* Opens the present scenario again with the stored settings. The speed remains. */
cs_status cs_session_open_again(cs_session *s, cs_error *err);
/* Destroys the open run, if any. */
void cs_session_drop(cs_session *s);
/* Completes the files that are being written. If no files are being written,
 * does nothing. */
cs_status cs_session_finish(cs_session *s, cs_error *err);

/* cs_session_make lets the host open `path` as *next. cs_session_take replaces
 * the open run by *next [own: next]. cs_session_leave destroys *next and keeps
 * the open run. cs_session_put_aside moves the open run to *to, so that no run
 * is open; cs_session_install makes *next, a run that was put aside, the open
 * run [own: next]. */
cs_status cs_session_make(cs_session *s, const char *path,
                          const char *const *set, size_t n, cs_inputs *from,
                          cs_opened *next, cs_error *err);
void cs_session_take(cs_session *s, cs_opened *next);
void cs_session_leave(cs_session *s, cs_opened *next);
void cs_session_put_aside(cs_session *s, cs_opened *to);
void cs_session_install(cs_session *s, const cs_opened *next);

/* cs_opened_recorded returns the recorded inputs from which the open run was
 * opened. If the run was opened from files, it returns NULL. cs_opened_differs
 * returns true if the files differ from these inputs, so that opening the file
 * again produces a different run. */
cs_inputs *cs_opened_recorded(const cs_opened *o);
bool cs_opened_differs(const cs_opened *o);
/* Returns a digest of the provenance of the open run's arms and target. */
uint64_t cs_opened_made(const cs_opened *o);

/* Evaluates the claims of the open scenario (cs_host.claims). [own
 * cs_free(base)] `base` is NULL if memory runs out. */
cs_flat cs_session_judge(cs_session *s);
