#include "run/run_replay.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/kept_text.h"
#include "run/history/remembered.h"
#include "run/history/run_timeline.h"
#include "run/run.h"

#include <string.h>

static cs_status do_change(cs_run *r, const cs_change *c, const cs_redo *how,
                           cs_error *err)
{
    /* changes of budget or workers are not repeated: this run has its own */
    if (how->kind == CHANGED_RUN) {
        if (strcmp(c->what, CS_CHANGE_LIFT) == 0)
            cs_run_lift(r);
        return CS_OK;
    }
    if (how->kind == CHANGED_VALUE)
        return cs_run_set(r, c->arm, c->what, c->value, err);
    if (how->kind == CHANGED_SCHEDULE)
        return cs_run_set_schedule(r, c->arm, c->what, &how->schedule, err);
    if (how->kind == CHANGED_KERNEL)
        return cs_run_set_kernel(r, c->arm, &how->kernel, how->plan->plan, err);
    if (how->kind == CHANGED_METRIC)
        return cs_run_set_metric(r, c->arm, cs_metric_kind_of(how->metric),
                                 how->metric ? how->metric->covariance : NULL,
                                 how->metric ? how->metric->centre : NULL, err);
    if (how->kind == CHANGED_STATE)
        return cs_run_set_state(r, c->arm, how->chain, how->x, err);
    cs_fail(err, CS_UNSUPPORTED, "%s was set to an object created by a script",
            c->what);
    cs_hint(err, "replay the journal in the script that creates the object");
    return CS_UNSUPPORTED;
}

cs_status cs_change_again(cs_run *r, size_t arm, const cs_change *c,
                          const cs_redo *how, cs_error *err)
{
    cs_change to;
    cs_redo made;
    cs_status s = cs_journal_again(r, arm, c, how, &to, &made, err);
    if (s == CS_OK)
        s = do_change(r, &to, &made, err);
    cs_redo_clear(&made);
    return s;
}

static cs_status move_to(cs_run *r, uint64_t step, cs_error *err)
{
    uint64_t done = 0;
    if (step < r->steps)
        return cs_fail(err, CS_INPUT, "the run is at step %llu already",
                       (unsigned long long)r->steps);
    cs_status s = cs_run_advance(r, step - r->steps, &done, err);
    if (s == CS_OK && r->steps < step)
        return cs_fail(err, CS_RANGE, "the run ended at step %llu",
                       (unsigned long long)r->steps);
    return s;
}

/* Passes the values of this line to the functions of the script. */
static cs_status keep_again(cs_run *r, uint64_t step, const char *line,
                            cs_error *err)
{
    char *kept = NULL;
    cs_status s = move_to(r, step, err);
    if (s == CS_OK)
        s = cs_kept_read(r->remembered, line, &kept, err);
    if (s == CS_OK)
        s = cs_remembered_again(r, kept, err);
    cs_free(kept);
    return s;
}

static cs_status again(cs_run *r, const char **text, bool *end, cs_error *err)
{
    cs_change c;
    cs_redo how;
    uint64_t step;
    const char *line;
    if (cs_journal_kept(text, &step, &line))
        return keep_again(r, step, line, err);
    cs_status s = cs_journal_read(r, text, &c, &how, end, err);
    if (s == CS_OK)
        s = move_to(r, c.step, err);
    if (s == CS_OK && !*end)
        s = do_change(r, &c, &how, err);
    cs_redo_clear(&how);
    return s;
}

cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err)
{
    cs_status s = cs_journal_check(text, err);
    if (s != CS_OK)
        return s;
    cs_future_part(r);
    for (bool end = false; !end && s == CS_OK;)
        s = again(r, &text, &end, err);
    return s;
}
