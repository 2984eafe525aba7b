/* Changes between steps, and the journal of them. */
#pragma once

#include "run/history/changes.h"
#include "run/history/run_timeline.h"

/* Makes a change of this arm, to it and to its blocks; of a kernel that was
 * reserved, or a state that was, it cannot fail for want of memory. */
cs_status cs_change_arm(cs_arm *a, const cs_change *c, const cs_redo *how,
                        cs_error *err);

/* The row of a parameter of the arm that may be changed. */
cs_status cs_arm_find(const cs_run *r, size_t arm, const char *param,
                      size_t *at, cs_error *err);

/* Does change number i of the journal once more. */
cs_status cs_change_replay(cs_run *r, size_t i, cs_error *err);
/* Room for kernel `k`: cs_arm_set_kernel then cannot fail. */
cs_status cs_arm_reserve(cs_arm *a, const cs_kernel *k, cs_error *err);
void cs_arm_set_kernel(cs_arm *a, const cs_kernel *k, const cs_plan *plan);
/* The same; the arm then holds the plan as it is. */
void cs_arm_go_on(cs_arm *a, const cs_kernel *k, cs_held_plan *plan);

/* The next line of a journal (journal.c): what was changed, which the caller
 * owns, or with *end its end. */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err);
/* Where the next line says what was kept (kept_text.h): true, its step, the rest of it
 * [borrowed], and *text is the line after it. */
bool cs_journal_kept(const char **text, uint64_t *step, const char **line);

/* Adds a change, of this or another run, behind all of the journal, as one of
 * arm number `arm`. What only a script knows of it is but a name then. */
cs_status cs_journal_copy_of(cs_run *r, size_t arm, const cs_change *c,
                             const cs_redo *how, cs_error *err);

/* Refuses a text of another version. */
cs_status cs_journal_check(const char *text, cs_error *err);
/* A change as it is written, of arm number `arm`, read again by run r: *to, and *made,
 * which the caller owns. */
cs_status cs_journal_again(cs_run *r, size_t arm, const cs_change *c,
                           const cs_redo *how, cs_change *to, cs_redo *made,
                           cs_error *err);
