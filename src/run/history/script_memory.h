/* Values that the functions of a script keep. They are a part of the run's
 * state. */
#pragma once

#include "run/arms/spec.h"

/* Restores the values that were passed to cs_run_remember as `text`. If
 * `only_look` is true, only checks that they can be restored. After an error
 * nothing has changed. */
typedef cs_status cs_recall(void *self, cs_run *r, const char *text,
                            bool only_look, cs_error *err);
void cs_run_remembers(cs_run *r, cs_recall *recall, void *self);

/* Stores the values that functions of a script keep after the events at this
 * step, as lines of text. The values are then a part of the run's state: they
 * are saved with the run and restored when the run goes back. */
cs_status cs_run_remember(cs_run *r, const char *text, cs_error *err);
/* Returns the newest text at the present step [borrowed]; NULL: none. */
const char *cs_run_remembered(const cs_run *r);
/* Returns a number that identifies the present text and all earlier texts. If
 * one of these texts is different, so is the number. */
uint64_t cs_run_remembered_sign(const cs_run *r);
