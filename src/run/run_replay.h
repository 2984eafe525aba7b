/* A run made again from its journal. */
#pragma once

#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* Takes a fresh run of the same spec through the text of a journal: every change at its
 * step, to the step of its end. Then it is the other run, bit for bit. Stops
 * where a line makes no sense, or the run ends. */
cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err);
/* Makes it here and now, as a change of arm number `arm`. */
cs_status cs_change_again(cs_run *r, size_t arm, const cs_change *c,
                          const cs_redo *how, cs_error *err);
