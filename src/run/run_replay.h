/* Repeats a run from its journal. */
#pragma once

#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* Applies the text of a journal to a new run with the same spec: makes every
 * change at its step, and stops at the step where the journal ends. The run
 * then equals the original bit for bit. Fails if a line is invalid or if the
 * run ends too early. */
cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err);
/* Makes a change at the present step, as a change of arm number `arm`. */
cs_status cs_change_again(cs_run *r, size_t arm, const cs_change *c,
                          const cs_redo *how, cs_error *err);
