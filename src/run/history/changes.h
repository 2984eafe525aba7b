/* Changes of a run between steps. Each is written to the journal, from which it
 * can be repeated. */
#pragma once

#include "chain/plan.h"
#include "run/arms/spec.h"

cs_status cs_run_set(cs_run *r, size_t arm, const char *param, double value,
                     cs_error *err);
cs_status cs_run_set_schedule(cs_run *r, size_t arm, const char *param,
                              const cs_schedule *schedule, cs_error *err);

/* Makes a change as typed by a user. `name`: a parameter; "step.max": a field
 * of the schedule that drives it; "step.3": number 3 of a list. `text`: a
 * number, the name of a choice, or a schedule as in schedule/words.h or
 * chain/kernel_text.h. */
cs_status cs_run_set_text(cs_run *r, size_t arm, const char *name,
                          const char *text, cs_error *err);

cs_status cs_run_set_kernel(cs_run *r, size_t arm, const cs_kernel *kernel,
                            const cs_plan *plan, cs_error *err);
cs_status cs_run_set_state(cs_run *r, size_t arm, size_t chain, const double *x,
                           cs_error *err);

/* Sets another metric, covariance[cs_metric_words], with centre[dim] or NULL:
 * none; ends a tuner. */
cs_status cs_run_set_metric(cs_run *r, size_t arm, cs_metric_kind kind,
                            const double *covariance, const double *centre,
                            cs_error *err);

/* One entry of the journal: the change, and the step before which it was
 * made. */
typedef struct cs_change {
    uint64_t step; /* steps done when it took effect */
    size_t arm;
    char what[48]; /* parameter */
    double value;
} cs_change;

/* `what` of continuing beyond the budget (cs_run_lift), which a replay
 * repeats. */
#define CS_CHANGE_LIFT "beyond_budget"

/* Records in the journal, for its reader, a change made by other means. */
cs_status cs_run_note_change(cs_run *r, const char *what, double value,
                             cs_error *err);

size_t cs_run_journal(const cs_run *r, const cs_change **changes);
/* Returns the changes, including those ahead of the present step after going
 * back. */
size_t cs_run_changes(const cs_run *r, const cs_change **changes);

/* Writes the journal with everything needed to repeat the run, as lines of text
 * (run/history/journal_text.c), to *text [own, cs_free]. */
cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err);
/* Writes the same without the values kept by functions of a script. */
cs_status cs_run_changes_text(const cs_run *r, char **text, cs_error *err);

/* A line with this prefix has the newest step of the run, which had gone back;
 * the steps between are not in the text. */
#define CS_JOURNAL_AHEAD "# ahead "

/* Returns the newest step of the run. */
uint64_t cs_run_end(const cs_run *r);
/* Returns the newest step of the other branch; 0: there is none. */
uint64_t cs_run_branch(const cs_run *r);

/* Returns the oldest step that rewind can reach. */
uint64_t cs_run_oldest(const cs_run *r);
