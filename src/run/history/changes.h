/* Changes of a run between steps. Each is written to the journal, by which it can be
 * made again. */
#pragma once

#include "chain/plan.h"
#include "run/arms/spec.h"

cs_status cs_run_set(cs_run *r, size_t arm, const char *param, double value,
                     cs_error *err);
cs_status cs_run_set_schedule(cs_run *r, size_t arm, const char *param,
                              const cs_schedule *schedule, cs_error *err);

/* As a user types it. `name`: a parameter, or with a point a field of the
 * schedule that drives it, "step.max"; "step.3" is number 3 of a list. `text`: a
 * number, the name of a choice, or a schedule, as schedule/words.h or
 * chain/kernel_text.h have it. */
cs_status cs_run_set_text(cs_run *r, size_t arm, const char *name,
                          const char *text, cs_error *err);

cs_status cs_run_set_kernel(cs_run *r, size_t arm, const cs_kernel *kernel,
                            const cs_plan *plan, cs_error *err);
cs_status cs_run_set_state(cs_run *r, size_t arm, size_t chain, const double *x,
                           cs_error *err);

/* Another metric, covariance[cs_metric_words], with centre[dim] or, NULL, none;
 * ends a tuner. */
cs_status cs_run_set_metric(cs_run *r, size_t arm, cs_metric_kind kind,
                            const double *covariance, const double *centre,
                            cs_error *err);

/* One entry of the journal: what was changed, and before which step. */
typedef struct cs_change {
    uint64_t step; /* steps done when it took effect */
    size_t arm;
    char what[48]; /* parameter */
    double value;
} cs_change;

/* `what` of going on beyond the budget (cs_run_lift), which a replay does too. */
#define CS_CHANGE_LIFT "beyond_budget"

/* Notes in the journal what was changed here by other means, for its reader. */
cs_status cs_run_note_change(cs_run *r, const char *what, double value,
                             cs_error *err);

size_t cs_run_journal(const cs_run *r, const cs_change **changes);
/* The same with those that lie ahead, after going back. */
size_t cs_run_changes(const cs_run *r, const cs_change **changes);

/* The journal with all that it takes to make the run again, as lines of text
 * (run/history/journal_text.c), to *text [own, cs_free]. */
cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err);
/* The same without what the functions of a script kept. */
cs_status cs_run_changes_text(const cs_run *r, char **text, cs_error *err);

/* A line of it that begins so has the step up to which something lay ahead of the run,
 * which had gone back: that is no part of the text. */
#define CS_JOURNAL_AHEAD "# ahead "

/* The farthest step there was. */
uint64_t cs_run_end(const cs_run *r);
/* How far the branch went, 0: there is none. */
uint64_t cs_run_branch(const cs_run *r);

/* The oldest step that rewind can reach. */
uint64_t cs_run_oldest(const cs_run *r);
