/* Transfers the state of a run to a new run with other arms.
 *
 * The arms of a run do not depend on each other. Adding an arm therefore does
 * not change the others, and the new arm is the same as if it had existed from
 * the start. Arms that both runs have are copied; a new arm makes its steps
 * later.
 *
 * If the arms are the same and the target has other parameters, the chains
 * continue from their states, and the draws begin at this step. */
#include "run/transfer.h"
#include "base/memory.h"
#include "chain/tally.h"
#include "run/arms/run_state.h"
#include "run/draws/diagnosed.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/marks.h"
#include "run/history/remembered.h"
#include "run/history/run_timeline.h"
#include "run/run_replay.h"
#include "run/save_arm.h"

#include <stdio.h>
#include <string.h>

uint64_t cs_run_behind(const cs_run *r)
{
    uint64_t most = 0;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        uint64_t at = cs_arm_step(r, a);
        if (!a->finished && !cs_arm_waits(a) && at < r->steps &&
            r->steps - at > most)
            most = r->steps - at;
    }
    return most;
}

/* Returns true if the two runs have different densities on the same states. */
static bool is_other_target(const cs_run *r, const cs_run *from)
{
    const char *now = r->target->parts.text, *was = from->target->parts.text;
    return strcmp(now ? now : "", was ? was : "") != 0;
}

static cs_status check(const cs_run *r, const cs_run *from, cs_error *err)
{
    if (!cs_space_is_same(&r->target->space, &from->target->space)) {
        cs_fail(err, CS_UNSUPPORTED,
                "the state space of the target differs: the chains cannot "
                "continue");
        cs_hint(err, "start a new run: give the value with --set, or in the "
                     "scenario's file");
        return CS_UNSUPPORTED;
    }

    if (r->target->n_learned || from->target->n_learned)
        return cs_fail(err, CS_UNSUPPORTED,
                       "target %s learns from all arms together",
                       r->target->name);
    if (r->steps || r->seed != from->seed)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the two runs differ in target, seed or arms");
    return CS_OK;
}

/* Copies changes number begin to end - 1 from the other run's journal. A change
 * is copied to each arm whose source is the changed arm. */
static cs_status copy_changes(cs_run *r, const cs_run *from,
                              const size_t *source, size_t begin, size_t end,
                              cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t k = begin; k < end && s == CS_OK; k++) {
        const cs_change *c = &from->timeline->journal[k];
        const cs_redo *how = &from->timeline->redo[k];
        if (c->arm == CS_NO_ARM)
            s = cs_journal_copy_of(r, c->arm, c, how, err);
        for (size_t i = 0; i < r->n_arms && s == CS_OK; i++)
            if (source[i] == c->arm && c->arm != CS_NO_ARM)
                s = cs_journal_copy_of(r, i, c, how, err);
    }
    return s;
}

/* Removes the changes that were made when the run was opened, but only for arms
 * with a source, since the changes of the source are copied instead. */
static void strike(cs_run *r, const size_t *source)
{
    cs_timeline *t = r->timeline;
    size_t n = 0;
    for (size_t k = 0; k < t->n_all; k++) {
        size_t arm = t->journal[k].arm;
        if (arm == CS_NO_ARM || source[arm] == CS_NO_ARM) {
            t->journal[n] = t->journal[k];
            t->redo[n++] = t->redo[k];
        } else {
            cs_redo_clear(&t->redo[k]);
        }
    }
    t->n = t->n_all = n;
}

/* Returns true if this change replaced the target after some steps. The steps
 * before it cannot be repeated with the present target. */
static bool changes_target(const cs_change *c, const cs_redo *how)
{
    static const char head[] = CS_CHANGE_TARGET;
    return how->kind == CHANGED_RUN && c->step > 0 &&
           strncmp(c->what, head, sizeof head - 1) == 0;
}

/* Returns true if the run can be repeated from step 0 to its present step. */
static bool is_known(const cs_run *r)
{
    for (size_t k = 0; k < r->timeline->n_all; k++)
        if (r->timeline->redo[k].kind == CHANGED_BY_SCRIPT ||
            changes_target(&r->timeline->journal[k], &r->timeline->redo[k]))
            return false;
    return !r->ending.lifted;
}

static void place(cs_run *r, const cs_run *from)
{
    r->steps = r->timeline->end = from->steps;
    r->ending.seconds = from->ending.seconds;
    r->ending.lifted = from->ending.lifted;
    r->ending.lifted_at = from->ending.lifted_at;
    r->epoch++;
}

/* Returns the size of the probes' memory in a block before the first step. */
static size_t probe_words(const cs_block *b)
{
    return cs_block_probe_words(b) * b->lanes;
}

/* Starts the draws at this step, as after a warm-up, since draws of the earlier
 * target do not count. Resets the work, and sets the probes' memory of block i
 * to fresh[i][probe_words]. */
static void begin_here(cs_arm *a, double *const *fresh)
{
    uint64_t every;
    a->warmup_steps = a->steps;
    a->loaded.work = a->loaded.observed = (cs_work){0};
    a->loaded.seconds = 0;
    for (size_t i = 0; i < a->n_blocks; i++) {
        cs_block *b = a->block[i];
        b->warmup_steps = a->steps;
        memcpy(b->probes.memory[0], fresh[i], probe_words(b) * sizeof(double));
        memset(b->tally, 0, CS_TALLY_ROWS * b->lanes * sizeof(double));
        b->recorder[CS_KEPT].used = b->recorder[CS_KEPT].valid = 0;
        cs_block_refresh(b);
    }
    cs_diagnosed_rows(a, &every);
    cs_diagnosed_place(a, every, 0);
}

static cs_status transfer_restarted(cs_run *r, cs_arm *a, cs_run *from,
                                    cs_arm *old, cs_error *err)
{
    cs_status s = CS_OK;
    if (a->tuning && old->tuning && old->tuning->active) {
        cs_fail(err, CS_UNSUPPORTED, "arm %s is in its warm-up", old->name);
        cs_hint(err, "change the target after the warm-up");
        return CS_UNSUPPORTED;
    }
    double **fresh = cs_alloc(a->n_blocks, sizeof *fresh);
    for (size_t i = 0; fresh && i < a->n_blocks && s == CS_OK; i++) {
        size_t n = probe_words(a->block[i]);
        fresh[i] = cs_alloc(n + 1, sizeof(double));
        if (fresh[i] && n)
            memcpy(fresh[i], a->block[i]->probes.memory[0], n * sizeof(double));
        if (!fresh[i])
            s = cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    }
    if (!fresh)
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    if (s == CS_OK)
        s = cs_arm_transfer(r, a, from, old, true, err);
    if (s == CS_OK)
        begin_here(a, fresh);
    for (size_t i = 0; i < a->n_blocks; i++)
        cs_free(fresh[i]);
    cs_free((void *)fresh);
    return s;
}

static cs_status transfer_arm(cs_run *r, cs_arm *a, cs_run *from, cs_arm *old,
                              bool anew, cs_error *err)
{
    return anew ? transfer_restarted(r, a, from, old, err)
                : cs_arm_transfer(r, a, from, old, false, err);
}

cs_status cs_run_transfer(cs_run *r, cs_run *from, const size_t *source,
                          cs_error *err)
{
    cs_status s = check(r, from, err);
    if (s != CS_OK)
        return s;
    bool anew = is_other_target(r, from);
    cs_marks_begin(r);
    strike(r, source);
    s = copy_changes(r, from, source, 0, from->timeline->n, err);
    r->timeline->n = r->timeline->n_all;
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++)
        if (source[i] != CS_NO_ARM)
            s = transfer_arm(r, &r->arm[i], from, &from->arm[source[i]], anew,
                             err);
    if (s != CS_OK)
        return s;
    place(r, from);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->limit.lifted = source[i] == CS_NO_ARM
                              ? from->ending.lifted_at
                              : from->arm[source[i]].limit.lifted;
        a->finished = cs_arm_is_finished(r, a);
    }
    cs_remembered_transfer(r, from);
    if (anew || !is_known(r))
        cs_marks_forget(r->marks);
    cs_marks_take(r);
    return CS_OK;
}

/* Sorts by step the changes that are made later than the current step. Those
 * before number `from` are already sorted. The sort is stable. */
static void sort_ahead(cs_run *r, size_t from)
{
    cs_timeline *t = r->timeline;
    for (size_t i = from; i < t->n_all; i++) {
        cs_change c = t->journal[i];
        cs_redo how = t->redo[i];
        size_t k = i;
        for (; k > t->n && t->journal[k - 1].step > c.step; k--) {
            t->journal[k] = t->journal[k - 1];
            t->redo[k] = t->redo[k - 1];
        }
        t->journal[k] = c;
        t->redo[k] = how;
    }
}

cs_status cs_run_keep_ahead(cs_run *r, size_t arm, cs_error *err)
{
    cs_timeline *t = r->timeline;
    const cs_branch *b = &t->branch;
    size_t had = t->n_all;
    cs_status s = CS_OK;
    for (size_t k = 0; k < b->n && s == CS_OK; k++)
        if (b->journal[k].arm != arm)
            s = cs_journal_copy_of(r, b->journal[k].arm, &b->journal[k],
                                   &b->redo[k], err);
    sort_ahead(r, had);
    if (s == CS_OK)
        s = cs_remembered_keep_ahead(r->remembered, b->memory, b->n_memory,
                                     err);
    if (s == CS_OK && b->there && b->end > t->end)
        t->end = b->end;
    return s;
}

cs_status cs_run_transfer_branch(cs_run *r, const cs_run *from,
                                 const size_t *source, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t k = 0; k < from->timeline->branch.n && s == CS_OK; k++) {
        const cs_change *c = &from->timeline->branch.journal[k];
        size_t arm = 0;
        while (arm < r->n_arms && source[arm] != c->arm)
            arm++;
        if (c->step != r->steps || arm == r->n_arms)
            continue;
        s = cs_change_again(r, arm, c, &from->timeline->branch.redo[k], err);
        if (s == CS_OK)
            s = cs_run_keep_ahead(r, arm, err);
    }
    return s;
}

cs_status cs_run_transfer_ahead(cs_run *r, const cs_run *from,
                                const size_t *source, cs_error *err)
{
    if (is_other_target(r, from))
        return CS_OK; /* with another target, later changes do not apply */
    cs_status s = copy_changes(r, from, source, from->timeline->n,
                               from->timeline->n_all, err);
    if (s == CS_OK)
        r->timeline->end = cs_run_end(from);
    return s;
}
