/* Rewinds a run: restores the last mark before a step, then advances to the
 * step and repeats the changes. */
#include "run/rewind.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/pack.h"
#include "run/arms/run_state.h"
#include "run/draws/diagnosed.h"
#include "run/draws/draw_store.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/marks.h"
#include "run/history/remembered.h"
#include "run/history/run_timeline.h"
#include "run/rounds.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"

#include <string.h>

enum { NEAR_STEPS = 5 };

/* Reserves all memory needed to restore the mark and to advance to `step`, so
 * that nothing can fail in between. */
static cs_status reserve(cs_run *r, const cs_mark *m, uint64_t step,
                         cs_error *err)
{
    cs_timeline *t = r->timeline;
    cs_status s = CS_OK;
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++)
        s = cs_arm_reserve(&r->arm[i], &m->arm[i].kernel, err);
    /* the first pass handles the kernels, since they determine which states are
     * valid */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = m->journal; i < t->n_all && s == CS_OK; i++) {
            const cs_redo *how = &t->redo[i];
            if (t->journal[i].step >= step)
                break;
            if (how->kind == CHANGED_RUN)
                continue;
            cs_arm *a = &r->arm[t->journal[i].arm];
            if (pass == 0 && how->kind == CHANGED_KERNEL)
                s = cs_arm_reserve(a, &how->kernel, err);
            if (pass == 1 && how->kind == CHANGED_STATE)
                s = cs_block_reserve_place(cs_arm_block(a, how->chain), err);
        }
    return s;
}

/* Restores the learned parameters, the learner's memory and the tuner from a
 * mark. */
static void take_learned(const uint8_t **at, const uint8_t *end,
                         const cs_arm_mark *m, cs_arm *a)
{
    if (!a->learns)
        return;
    cs_pack_take(at, end, a->target->learned, a->target->n_learned);
    cs_pack_take(at, end, a->learns->memory, a->learns->words);
    if (a->tuning) {
        cs_pack_take(at, end, a->tuning->result,
                     cs_tuning_results(a, a->tuning->capacity));
        cs_pack_take(at, end, a->tuning->tuner.past, CS_TUNER_PAST);
        cs_tuning_place(a, &m->tuning, NULL);
    }
    cs_learns_restored(a);
}

static void restore(cs_run *r, const cs_mark *m)
{
    const uint8_t *at = m->pack.byte, *end = at + m->pack.n;
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        cs_arm_go_on(a, &m->arm[i].kernel, m->arm[i].plan);
        cs_arm_set_metric(a, m->arm[i].metric);
        a->steps = m->arm[i].steps;
        a->finished = m->arm[i].finished;
        a->loaded.work = m->arm[i].work_loaded;
        a->loaded.observed = m->arm[i].observed_loaded;
        cs_tuning_place(a, &m->arm[i].tuning, NULL);
    }
    for (size_t i = 0; i < r->n_items; i++) {
        cs_block *b = r->item[i].block;
        b->step = r->item[i].arm->steps;
        cs_pack_take(&at, end, b->slab, b->slab_words * b->lanes);
        cs_block_loaded(b);
        b->eval.work = m->work[i].own;
        b->observer.work = m->work[i].observed;
        cs_block_trim(b);
    }
    cs_pack_take(&at, end, r->target->learned, r->target->n_learned);
    if (r->target->n_learned)
        cs_run_learned(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        size_t held = cs_tuning_held(&r->arm[i]);
        if (held)
            cs_pack_take(&at, end, r->arm[i].tuning->state, held);
        take_learned(&at, end, &m->arm[i], &r->arm[i]);
    }
    r->steps = m->step;
    for (size_t i = 0; r->ending.lifted && i < r->n_arms; i++)
        r->arm[i].finished = cs_arm_is_finished(r, &r->arm[i]);
}

/* Advances to `step`, and restores the values that the script kept at the steps
 * in between. */
static cs_status run_on(cs_run *r, uint64_t step, cs_error *err)
{
    for (uint64_t at; (at = cs_remembered_step(r->remembered)) < step;) {
        cs_run_rounds(r, at);
        cs_status s = cs_remembered_next(r, err);
        if (s != CS_OK)
            return s;
    }
    cs_run_rounds(r, step);
    return CS_OK;
}

/* Advances almost to `step`. If it advances by many steps, stores a mark, so
 * that the next rewind is fast. */
static cs_status approach(cs_run *r, uint64_t step, cs_error *err)
{
    double t = cs_clock();
    if (step < r->steps + NEAR_STEPS)
        return CS_OK;
    cs_status s = run_on(r, step - NEAR_STEPS, err);
    if (s == CS_OK && cs_clock() - t > r->marks->cost)
        cs_marks_take(r);
    return s;
}

/* Advances to `step` and repeats the changes made before it. */
static cs_status replay(cs_run *r, uint64_t step, cs_error *err)
{
    cs_timeline *t = r->timeline;
    size_t *next = &t->n;
    r->rounds->stop_flag = NULL;
    for (; *next < t->n_all && t->journal[*next].step < step; ++*next) {
        cs_status s = run_on(r, t->journal[*next].step, err);
        if (s == CS_OK)
            s = cs_change_replay(r, *next, err);
        if (s != CS_OK)
            return s;
    }
    cs_status s = approach(r, step, err);
    return s ? s : run_on(r, step, err);
}

static void sink_off(cs_run *r, bool off)
{
    for (size_t i = 0; i < r->n_items; i++)
        r->item[i].block->recorder[CS_WRITTEN].every = off ? 0 : r->draws->thin;
}

/* Finds the mark to start from. If the present state is nearer than every mark,
 * returns NULL. */
static cs_status find_mark(cs_run *r, uint64_t step, const cs_mark **from,
                           cs_error *err)
{
    cs_marks *k = r->marks;
    size_t i = k->n;
    while (i && k->mark[i - 1].step > step)
        i--;
    *from = i ? &k->mark[i - 1] : NULL;
    if (r->steps < step && (!i || k->mark[i - 1].step <= r->steps))
        *from = NULL;
    else if (i == 0) {
        cs_fail(err, CS_RANGE, "step %llu is no longer stored",
                (unsigned long long)step);
        cs_hint(err, "the earliest step that can be restored is %llu",
                (unsigned long long)cs_run_oldest(r));
        return CS_RANGE;
    }
    return CS_OK;
}

static cs_status go(cs_run *r, uint64_t step, cs_error *err)
{
    const cs_mark *from;
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].diagnosed->once)
            return cs_fail(err, CS_UNSUPPORTED,
                           "the draws are read only once: the run cannot go "
                           "back");
    cs_marks_begin(r);
    cs_status s = find_mark(r, step, &from, err);
    if (s == CS_OK && from)
        s = reserve(r, from, step, err);
    if (s != CS_OK)
        return s;
    r->epoch++;
    *r->ending.why = 0;
    if (from) {
        r->timeline->n = from->journal;
        restore(r, from);
        s = cs_remembered_place(r, from->step, err);
    }
    sink_off(r, true);
    if (s == CS_OK)
        s = replay(r, step, err);
    sink_off(r, false);
    return s;
}

static cs_status still_to_come(const cs_run *r, uint64_t step, cs_error *err)
{
    cs_fail(err, CS_RANGE, "step %llu has not been run yet",
            (unsigned long long)step);
    cs_hint(err, "the newest step of the run is %llu",
            (unsigned long long)cs_run_end(r));
    return CS_RANGE;
}

cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err)
{
    if (step > r->steps)
        return still_to_come(r, step, err);
    cs_status s = go(r, step, err);
    if (s != CS_OK)
        return s;
    cs_change_forget(r->timeline, r->timeline->n);
    cs_future_cut(r);
    return CS_OK;
}

cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err)
{
    if (step > cs_run_end(r))
        return still_to_come(r, step, err);
    if (cs_run_end(r) == r->steps && step < r->steps) {
        r->timeline->end = r->steps;
        cs_marks_take(r); /* makes a later return to this step fast */
    }
    return go(r, step, err);
}

cs_status cs_run_undo(cs_run *r, cs_error *err)
{
    cs_timeline *t = r->timeline;
    cs_branch old = t->branch;
    if (!old.there || old.from > cs_run_end(r)) {
        cs_fail(err, CS_UNSUPPORTED, "the run has no other branch");
        cs_hint(err, "a branch is kept when a change is made after going back");
        return CS_UNSUPPORTED;
    }
    cs_status s = cs_change_room(t, t->n_all + old.n, err);
    if (s == CS_OK)
        s = cs_run_travel(r, old.from, err);
    if (s != CS_OK)
        return s;
    t->branch = (cs_branch){.there = false};
    cs_future_part(r);
    memcpy(t->journal + t->n, old.journal, old.n * sizeof *old.journal);
    memcpy(t->redo + t->n, old.redo, old.n * sizeof *old.redo);
    t->n_all = t->n + old.n;
    cs_remembered_join(r->remembered, old.memory, old.n_memory);
    t->end = old.end;
    cs_free(old.journal);
    cs_free(old.redo);
    return CS_OK;
}
