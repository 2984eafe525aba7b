/* Changes of a run between steps. Each change is recorded in a journal, from
 * which it can be repeated. */
#pragma once

#include "chain/plan.h"
#include "run/arms/spec.h"

cs_status cs_run_set(cs_run *r, size_t arm, const char *param, double value,
                     cs_error *err);
cs_status cs_run_set_schedule(cs_run *r, size_t arm, const char *param,
                              const cs_schedule *schedule, cs_error *err);

/* Changes a parameter to a value that a user typed. `name` names a parameter, a
 * field of the schedule that drives a parameter ("step.max"), or an element of
 * a list ("step.3"). `text` is a number, a choice, or a schedule as in
 * schedule/typed_schedule.h or chain/kernel_text.h. */
cs_status cs_run_set_text(cs_run *r, size_t arm, const char *name,
                          const char *text, cs_error *err);

cs_status cs_run_set_kernel(cs_run *r, size_t arm, const cs_kernel *kernel,
                            const cs_plan *plan, cs_error *err);
cs_status cs_run_set_state(cs_run *r, size_t arm, size_t chain, const double *x,
                           cs_error *err);

/* Replaces the metric. covariance[cs_metric_words] and centre[dim] describe the
 * new metric; centre is NULL for no centre. Ends the tuner. */
cs_status cs_run_set_metric(cs_run *r, size_t arm, cs_metric_kind kind,
                            const double *covariance, const double *centre,
                            cs_error *err);

/* A journal entry: a change, and the number of steps after which it was
 * made. */
typedef struct cs_change {
    uint64_t step; /* number of steps before the change */
    size_t arm;
    char what[48]; /* name of the parameter */
    double value;
} cs_change;

/* The name of the change that continues a run beyond its budget (cs_run_lift);
 * a replay repeats it. */
#define CS_CHANGE_LIFT "beyond_budget"
/* How the name of a change of the target begins: "target.beta". Such a change
 * is not repeated, since it needs another run (run/transfer.h). */
#define CS_CHANGE_TARGET "target."

/* Records a change without making it, since it was made in another way. The
 * record is only information for people who read the journal. */
cs_status cs_run_note_change(cs_run *r, const char *what, double value,
                             cs_error *err);

size_t cs_run_journal(const cs_run *r, const cs_change **changes);
/* Sets *changes to all changes of the run, and returns their number. If the run
 * went back, this includes the changes after the present step. */
size_t cs_run_changes(const cs_run *r, const cs_change **changes);

/* Writes the journal as lines of text (run/history/journal_text.c) to *text
 * [own, cs_free]. It contains everything needed to repeat the run. */
cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err);
/* Writes the journal without the values kept by functions of a script. */
cs_status cs_run_changes_text(const cs_run *r, char **text, cs_error *err);

/* Prefix of the line that gives the newest step of a run that went back. The
 * text does not contain the changes after the present step. */
#define CS_JOURNAL_AHEAD "# ahead "

/* Returns the newest step of the run. */
uint64_t cs_run_end(const cs_run *r);
/* Returns the newest step of the branch that the run has left. If there is no
 * such branch, returns 0. If a run goes back and is then changed, its later
 * steps become this branch. */
uint64_t cs_run_branch(const cs_run *r);

/* Returns the oldest step that rewind can reach. */
uint64_t cs_run_oldest(const cs_run *r);
