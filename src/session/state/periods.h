/* The periods of the open run: its steps before and after changes of the
 * target.
 *
 * A change of a target's parameter opens a new run, which continues the chains
 * from their states (state/reopen.h). The run before the change is put aside as
 * a period, with all of its states, figures and changes. Going back over the
 * change makes it the open run again, and going forward over the change takes
 * the run that follows it. Each period thus has the target, the draws and the
 * diagnostics that it had when its steps were made. */
#pragma once

#include "session/host/script_host.h"
#include "session/state/sets.h"

typedef struct cs_session cs_session;

/* Maximum number of periods, and of bytes of the runs put aside; beyond it
 * the oldest is removed. */
enum { CS_PERIODS = 64 };
#define CS_PERIOD_BYTES (UINT64_C(256) << 20)

typedef struct cs_period {
    cs_opened open; /* the run put aside [own]; run NULL: it is the open run of
                       the session */
    cs_sets sets;   /* the settings "target.NAME=value" of the run [own] */
    uint64_t until; /* last step, after which the next period follows;
                     * UINT64_MAX: this is the last period */
} cs_period;

/* A list of periods, the earliest first [own: the periods]. */
typedef struct cs_period_list {
    cs_period *at[CS_PERIODS];
    size_t n;
} cs_period_list;

typedef struct cs_periods {
    cs_period_list all; /* empty: the target was not changed */
    size_t now;         /* index of the open run */
    cs_sets sets;       /* settings of the target of the open run [own] */
    /* The steps that a change at an earlier step has replaced: `branch` follows
     * the period `fork` at the step `fork_until`. If `inner` is true, the run of
     * `fork` has a branch of its own as well (cs_run_undo). fork NULL: no such
     * steps are stored. */
    cs_period_list branch;
    const cs_period *fork;
    uint64_t fork_until;
    bool inner;
    bool parted; /* the last command made such a branch */
} cs_periods;

/* The oldest step to which the session can go back, and the newest step to
 * which it can go forward. */
uint64_t cs_session_oldest(const cs_session *s);
uint64_t cs_session_end(const cs_session *s);

/* Goes to a step between them, as cs_run_travel. The open run may be another
 * one afterwards; if this fails, it is the same. */
cs_status cs_session_travel(cs_session *s, uint64_t step, cs_error *err);

/* cs_session_undo goes back to the last change that was made at an earlier
 * step, and swaps the steps after the change for those that it has replaced.
 * cs_session_branch_end returns the newest of the replaced steps; 0: none. */
cs_status cs_session_undo(cs_session *s, cs_error *err);
uint64_t cs_session_branch_end(const cs_session *s);

/* Returns the run of period i [borrowed]; period `now` is the open run. Returns
 * NULL if i is beyond the last period. */
const cs_run *cs_period_run(const cs_session *s, size_t i);

/* cs_periods_limit returns the number of steps, at most n, up to the end of
 * the period. cs_periods_follows returns true if the run is at the end of
 * its period, and another period follows; cs_periods_next opens the run of that
 * period. */
uint64_t cs_periods_limit(const cs_session *s, uint64_t n);
bool cs_periods_follows(const cs_session *s);
cs_status cs_periods_next(cs_session *s, cs_error *err);

/* Call this before `next` replaces the open run. Puts the open run aside if
 * `next` cannot go back over its steps; then s->open.run is NULL. */
void cs_periods_keep(cs_session *s, const cs_run *next);
/* Call this after a run was opened: notes the settings of its target. */
void cs_periods_opened(cs_session *s);
/* Call this after a command. If it has changed the run at a step before later
 * periods, these become the branch. */
void cs_periods_check(cs_session *s);
/* cs_periods_forget_branch removes the branch. cs_periods_forget destroys
 * all runs that were put aside. */
void cs_periods_forget_branch(cs_session *s);
void cs_periods_forget(cs_session *s);
