/* Changes between steps, and their journal. */
#pragma once

#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* Makes a change of this arm and its blocks. For a kernel or state with
 * reserved memory it cannot fail. */
cs_status cs_change_arm(cs_arm *a, const cs_change *c, const cs_redo *how,
                        cs_error *err);

/* Finds the row of a parameter of the arm that may be changed. */
cs_status cs_arm_find(const cs_run *r, size_t arm, const char *param,
                      size_t *at, cs_error *err);

/* Makes change number i of the journal again. */
cs_status cs_change_replay(cs_run *r, size_t i, cs_error *err);
/* Reserves memory for kernel `k`, so that cs_arm_set_kernel cannot fail. */
cs_status cs_arm_reserve(cs_arm *a, const cs_kernel *k, cs_error *err);
void cs_arm_set_kernel(cs_arm *a, const cs_kernel *k, const cs_plan *plan);
/* Does the same; the arm then holds the given plan. */
void cs_arm_go_on(cs_arm *a, const cs_kernel *k, cs_held_plan *plan);

/* Reads the next line of a journal (journal_text.c): a change, which the caller
 * owns, or with *end its end. */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err);
/* True if the next line has a script's kept values (kept_text.h): returns its
 * step and the rest of it [borrowed], and moves *text past the line. */
bool cs_journal_kept(const char **text, uint64_t *step, const char **line);

/* Appends a change of this or another run to the journal, as one of arm number
 * `arm`. If only a script knows the changed object, only its name is kept. */
cs_status cs_journal_copy_of(cs_run *r, size_t arm, const cs_change *c,
                             const cs_redo *how, cs_error *err);

/* Rejects a text of another version. */
cs_status cs_journal_check(const char *text, cs_error *err);
/* Writes a change of arm number `arm` and reads it again in run r: *to and
 * *made, which the caller owns. */
cs_status cs_journal_again(cs_run *r, size_t arm, const cs_change *c,
                           const cs_redo *how, cs_change *to, cs_redo *made,
                           cs_error *err);
