/* What is open: the run, and what it was opened from. */
#pragma once

#include "session/host/script_host.h"

typedef struct cs_session cs_session;

/* Opens `path` with the sets, as its files are now; or, unless `from` is NULL, from
 * what a recording carries. On failure what was open stays open. */
cs_status cs_session_open(cs_session *s, const char *path, cs_inputs *from,
                          cs_error *err);
/* Destroys the open run, if any. */
void cs_session_drop(cs_session *s);
/* Completes the files that are being written, if any. */
cs_status cs_session_finish(cs_session *s, cs_error *err);

/* Has the host open `path` as *next, which is not taken yet; takes it in the place
 * of the run that is open [own: next]; or leaves it: the run that is open stays. */
cs_status cs_session_make(cs_session *s, const char *path,
                          const char *const *set, size_t n, cs_inputs *from,
                          cs_opened *next, cs_error *err);
void cs_session_take(cs_session *s, cs_opened *next);
void cs_session_leave(cs_session *s, cs_opened *next);

/* What the run that is open was opened from, if a recording carries it; NULL: from
 * files. Whether these are others by now: nothing that opens the file again makes
 * this run. */
cs_inputs *cs_opened_recorded(const cs_opened *o);
bool cs_opened_differs(const cs_opened *o);
/* A digest of what the arms and the target of the open run were made of. */
uint64_t cs_opened_made(const cs_opened *o);

/* What the open scenario claims, judged now (cs_host.claims). [own
 * cs_free(base)]; base NULL: there is no memory. */
cs_flat cs_session_judge(cs_session *s);
