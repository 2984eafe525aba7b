/* Changes of a run between steps, and the journal of these changes. */
#pragma once

#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* Applies a change to this arm and its blocks. Cannot fail if the change is a
 * new kernel or a new state, and memory for it was reserved. */
cs_status cs_change_arm(cs_arm *a, const cs_change *c, const cs_redo *how,
                        cs_error *err);

/* Finds the row of an arm's parameter in the kernel's table of parameters;
 * fails if the parameter cannot be changed. */
cs_status cs_arm_find(const cs_run *r, size_t arm, const char *param,
                      size_t *at, cs_error *err);

/* Applies change number i of the journal again. */
cs_status cs_change_replay(cs_run *r, size_t i, cs_error *err);
/* Reserves memory for kernel `k`, so that cs_arm_set_kernel cannot fail. */
cs_status cs_arm_reserve(cs_arm *a, const cs_kernel *k, cs_error *err);
void cs_arm_set_kernel(cs_arm *a, const cs_kernel *k, const cs_plan *plan);
/* Replaces the arm's kernel like cs_arm_set_kernel. Also replaces the arm's
 * plan by `plan`. */
void cs_arm_go_on(cs_arm *a, const cs_kernel *k, cs_held_plan *plan);

/* Reads the next line of a journal (journal_text.c). The line is either a
 * change, which the caller then owns, or the end of the journal; at the end,
 * *end is true. */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err);
/* Returns true if the next line contains values kept by a script (kept_text.h).
 * *step is the step and *line the rest of that line [borrowed]; *text moves
 * past the line. */
bool cs_journal_kept(const char **text, uint64_t *step, const char **line);

/* Appends a change to the journal, as a change of arm number `arm`. The change
 * was made in this run or in another run. If an object can be created only by a
 * script, its name is recorded. */
cs_status cs_journal_copy_of(cs_run *r, size_t arm, const cs_change *c,
                             const cs_redo *how, cs_error *err);

/* Fails if the text is a journal in the format of another version. */
cs_status cs_journal_check(const char *text, cs_error *err);
/* Writes a change as text, and reads this text as a change of arm number `arm`
 * in run r. The caller owns *to and *made. */
cs_status cs_journal_again(cs_run *r, size_t arm, const cs_change *c,
                           const cs_redo *how, cs_change *to, cs_redo *made,
                           cs_error *err);
