/* The stages of a lesson (the field `stages` of a scenario): a step of a lesson
 * can open the run again with another target. The session keeps the journal of
 * the run before, from which it reproduces that run when the user goes back. */
#pragma once

#include "base/page.h"
#include "base/status.h"

typedef struct cs_session cs_session;

/* Opens the run at a stage, at step 0, and keeps the journal of the run
 * before. On failure the run before remains open. */
cs_status cs_stage_open(cs_session *s, const char *name, cs_error *err);
/* Reproduces the run of the stage before. On failure the present run remains
 * open if the scenario cannot be opened; otherwise the run before is at an
 * earlier step. Fails if its journal is not known. */
cs_status cs_stage_back(cs_session *s, cs_error *err);
/* Forgets the runs before. The first of them has the stage with which the
 * scenario was opened; the setting `stage` becomes this stage again. */
void cs_stages_forget(cs_session *s);

/* Appends the journals of the runs before to a journal, as comments. */
void cs_stages_put_journal(const cs_session *s, cs_page *p);
/* Reads them from a journal, in place of those that are known, and opens the
 * stage of the journal's run, at step 0, unless the run is at this stage. On
 * failure nothing changes. Without a lesson, only forgets those that are
 * known. */
cs_status cs_stages_replay(cs_session *s, const char *journal, cs_error *err);
