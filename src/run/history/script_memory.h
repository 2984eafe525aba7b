/* Values that the functions of a script keep, as a part of the state of a
 * run. */
#pragma once

#include "run/arms/spec.h"

/* Restores what functions of a script kept when `text` was passed to
 * cs_run_remember. With `only_look` nothing is changed, and the status says
 * whether it could be. An error changes nothing. */
typedef cs_status cs_recall(void *self, cs_run *r, const char *text,
                            bool only_look, cs_error *err);
void cs_run_remembers(cs_run *r, cs_recall *recall, void *self);

/* Stores the values that they keep after the events at this step, as lines.
 * From then on they are a part of the run's state, which is saved and goes back
 * and forward with it. */
cs_status cs_run_remember(cs_run *r, const char *text, cs_error *err);
/* Returns the latest text at the present step; NULL: none. [borrowed] */
const char *cs_run_remembered(const cs_run *r);
/* Returns a number that changes with this text and with earlier ones. */
uint64_t cs_run_remembered_sign(const cs_run *r);
