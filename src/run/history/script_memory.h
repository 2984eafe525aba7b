/* What the functions of a script keep, as a part of the state of a run. */
#pragma once

#include "run/arms/spec.h"

/* Takes back what functions of a script kept when `text` was said. With `only_look`
 * nothing is changed: it says whether it could. After an error nothing was changed. */
typedef cs_status cs_recall(void *self, cs_run *r, const char *text,
                            bool only_look, cs_error *err);
void cs_run_remembers(cs_run *r, cs_recall *recall, void *self);

/* What they keep now, after the events at this step, as lines: from here on it is a
 * part of the run's state, which is saved, and goes back and forth with it. */
cs_status cs_run_remember(cs_run *r, const char *text, cs_error *err);
/* What was said last of where the run stands, NULL: nothing. [borrowed] */
const char *cs_run_remembered(const cs_run *r);
/* A number that changes with it, and with what was said before. */
uint64_t cs_run_remembered_sign(const cs_run *r);
