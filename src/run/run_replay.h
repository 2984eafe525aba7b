/* Repeats a run from its journal. */
#pragma once

#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* Applies the text of a journal to a fresh run of the same spec: every change
 * at its step, up to the step of its end. The run then equals the other bit for
 * bit. Fails if a line is invalid or the run ends early. */
cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err);
/* Makes a change now, as one of arm number `arm`. */
cs_status cs_change_again(cs_run *r, size_t arm, const cs_change *c,
                          const cs_redo *how, cs_error *err);
