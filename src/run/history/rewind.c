/* The kept past: copies of every slab, close together lately and ever further
 * apart going back, within a fixed memory; what lies between is computed
 * again, change by change. */
#include "base/clock.h"
#include "base/memory.h"
#include "run/internal.h"

#include <math.h>
#include <string.h>

enum { NEAR_STEPS = 5, LEAST_BYTES = 64 /* that any mark takes */ };

static const double least_seconds = 0.05, times_the_cost = 20;

static void free_mark(cs_run *r, cs_mark *m)
{
    r->mark_bytes -= m->pack.room;
    for (size_t i = 0; m->arm && i < r->n_arms; i++) {
        cs_plan_let_go(m->arm[i].plan);
        cs_metric_let_go(m->arm[i].metric);
    }
    cs_free(m->arm);
    cs_free(m->work);
    cs_pack_free(&m->pack);
    *m = (cs_mark){.arm = NULL};
}

void cs_marks_forget(cs_run *r)
{
    while (r->n_marks)
        free_mark(r, &r->mark[--r->n_marks]);
}

/* The mark that is missed least: its neighbours are near, seen from now. The
 * first is kept for ever. */
static size_t least_missed(const cs_run *r)
{
    size_t best = 1;
    double least = 0;
    for (size_t i = 1; i + 1 < r->n_marks; i++) {
        double gap = (double)(r->mark[i + 1].step - r->mark[i - 1].step);
        double age = fabs((double)r->steps - (double)r->mark[i].step) + 1;
        if (i == 1 || gap / age < least) {
            least = gap / age;
            best = i;
        }
    }
    return best;
}

static cs_mark take_out(cs_run *r, size_t i)
{
    cs_mark m = r->mark[i];
    r->n_marks--;
    memmove(&r->mark[i], &r->mark[i + 1], (r->n_marks - i) * sizeof r->mark[0]);
    return m;
}

void cs_marks_forget_before(cs_run *r, uint64_t step)
{
    while (r->n_marks && r->mark[0].step < step) {
        cs_mark m = take_out(r, 0);
        free_mark(r, &m);
    }
}

/* Takes out marks that are missed least until there is room for one more of
 * so many bytes. */
static bool make_room(cs_run *r, size_t bytes)
{
    while (bytes <= r->mark_limit && r->n_marks > 1 &&
           (r->n_marks == CS_MARKS || r->mark_bytes + bytes > r->mark_limit)) {
        cs_mark m = take_out(r, r->n_marks > 2 ? least_missed(r) : 1);
        free_mark(r, &m);
    }
    return r->mark_bytes + bytes <= r->mark_limit;
}

/* The arm's plan: that of the mark before, as long as nothing changed it. */
static cs_held_plan *hold_plan(cs_arm *a)
{
    if (!a->held)
        a->held = cs_plan_held(&a->plan);
    return a->held ? cs_plan_hold(a->held) : NULL;
}

/* What an arm has learned, how, and the results of its tuner, which may begin
 * again. */
static void add_learned(cs_mark *m, const cs_arm *a)
{
    if (!a->learns)
        return;
    cs_pack_add(&m->pack, a->target->learned, a->target->n_learned);
    cs_pack_add(&m->pack, a->learns->memory, a->learns->words);
    if (a->tuning) {
        cs_pack_add(&m->pack, a->tuning->result, a->tuning->room);
        cs_pack_add(&m->pack, a->tuning->tuner.past, CS_TUNER_PAST);
    }
}

/* The tuner is placed once more: by the results of then. */
static void take_learned(const uint8_t **at, const uint8_t *end,
                         const cs_arm_mark *m, cs_arm *a)
{
    if (!a->learns)
        return;
    cs_pack_take(at, end, a->target->learned, a->target->n_learned);
    cs_pack_take(at, end, a->learns->memory, a->learns->words);
    if (a->tuning) {
        cs_pack_take(at, end, a->tuning->result, a->tuning->room);
        cs_pack_take(at, end, a->tuning->tuner.past, CS_TUNER_PAST);
        cs_tuning_place(a, m, NULL);
    }
    cs_learns_restored(a);
}

/* False: out of memory, or more than all marks may take. */
static bool fill_mark(cs_run *r, cs_mark *m)
{
    bool good = true;
    m->step = r->steps;
    m->journal = r->n_journal;
    for (size_t i = 0; i < r->n_arms; i++) {
        m->arm[i] = cs_arm_mark_of(&r->arm[i]);
        m->arm[i].plan = hold_plan(&r->arm[i]);
        m->arm[i].metric = cs_metric_hold(r->arm[i].metric);
        good = good && m->arm[i].plan;
    }
    for (size_t i = 0; i < r->n_items; i++) {
        const cs_block *b = r->item[i].block;
        m->work[i] = (cs_block_work){b->eval.work, b->observer.work};
        cs_pack_add(&m->pack, b->slab, b->slab_words * b->lanes);
        if (m->pack.n > r->mark_limit)
            return false;
    }
    cs_pack_add(&m->pack, r->target->learned, r->target->n_learned);
    for (size_t i = 0; i < r->n_arms; i++) {
        size_t held = cs_tuning_held(&r->arm[i]);
        if (held)
            cs_pack_add(&m->pack, r->arm[i].tuning->state, held);
        add_learned(m, &r->arm[i]);
    }
    cs_pack_trim(&m->pack);
    return good && !m->pack.failed;
}

cs_arm_mark cs_arm_mark_of(const cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    return (cs_arm_mark){.kernel = a->kernel,
                         .steps = a->steps,
                         .warmup_steps = a->warmup_steps,
                         .finished = a->finished,
                         .work_loaded = a->work_loaded,
                         .observed_loaded = a->observed_loaded,
                         .tuning = g && g->active,
                         .trials = g ? g->n_results : 0,
                         .trial_steps = g ? g->trial_steps : 0};
}

bool cs_marks_due(const cs_run *r)
{
    return r->since_mark >= least_seconds &&
           r->since_mark >= times_the_cost * r->mark_cost;
}

/* Where a mark of this step belongs; `there`: one is. */
static size_t place_of(const cs_run *r, bool *there)
{
    size_t i = r->n_marks;
    while (i && r->mark[i - 1].step >= r->steps)
        i--;
    *there = i < r->n_marks && r->mark[i].step == r->steps;
    return i;
}

static void put_in(cs_run *r, const cs_mark *m)
{
    bool there;
    size_t i = place_of(r, &there);
    memmove(&r->mark[i + 1], &r->mark[i], (r->n_marks - i) * sizeof r->mark[0]);
    r->mark[i] = *m;
    r->n_marks++;
}

/* Without memory for a mark the past is only kept less well. */
void cs_marks_take(cs_run *r)
{
    bool there;
    double t = cs_clock();
    r->since_mark = 0;
    if (cs_run_is_split(r))
        return; /* the past of the others is not here */
    place_of(r, &there);
    if (there || r->mark_limit < LEAST_BYTES)
        return;
    cs_mark m = {.arm = cs_alloc(r->n_arms, sizeof *m.arm),
                 .work = cs_alloc(r->n_items, sizeof *m.work)};
    bool good =
        m.arm && m.work && fill_mark(r, &m) && make_room(r, m.pack.room);
    r->mark_bytes += m.pack.room;
    if (good)
        put_in(r, &m);
    else
        free_mark(r, &m);
    r->mark_cost = cs_clock() - t;
}

void cs_marks_begin(cs_run *r)
{
    if (r->begun)
        return;
    cs_marks_take(r);
    r->begun = r->n_marks > 0 || r->steps > 0; /* refused: once more, later */
}

uint64_t cs_run_oldest(const cs_run *r)
{
    return r->n_marks ? r->mark[0].step : r->steps;
}

/* ---- going back ---- */

/* Makes sure of all memory that going back to the mark and on to `step` will
 * ask for, so that nothing can be refused on the way. */
static cs_status reserve(cs_run *r, const cs_mark *m, uint64_t step,
                         cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; i < r->n_arms && s == CS_OK; i++)
        s = cs_arm_reserve(&r->arm[i], &m->arm[i].kernel, err);
    for (int pass = 0; pass < 2; pass++) /* kernels decide what a state takes */
        for (size_t i = m->journal; i < r->n_all && s == CS_OK; i++) {
            const cs_redo *how = &r->redo[i];
            if (r->journal[i].step >= step)
                break;
            if (how->kind == CHANGED_RUN)
                continue;
            cs_arm *a = &r->arm[r->journal[i].arm];
            if (pass == 0 && how->kind == CHANGED_KERNEL)
                s = cs_arm_reserve(a, &how->kernel, err);
            if (pass == 1 && how->kind == CHANGED_STATE)
                s = cs_block_reserve_place(cs_arm_block(a, how->chain), err);
        }
    return s;
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
        a->work_loaded = m->arm[i].work_loaded;
        a->observed_loaded = m->arm[i].observed_loaded;
        cs_tuning_place(a, &m->arm[i], NULL);
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
    for (size_t i = 0; r->lifted && i < r->n_arms; i++)
        r->arm[i].finished = cs_arm_is_finished(r, &r->arm[i]);
}

/* On to `step`, with what the script remembered on the way. */
static cs_status run_on(cs_run *r, uint64_t step, cs_error *err)
{
    for (uint64_t at; (at = cs_remembered_step(r)) < step;) {
        cs_run_rounds(r, at);
        cs_status s = cs_remembered_next(r, err);
        if (s != CS_OK)
            return s;
    }
    cs_run_rounds(r, step);
    return CS_OK;
}

/* Nearly to `step`; after a long way there is a mark, so that going back once
 * more need not go it again. */
static cs_status approach(cs_run *r, uint64_t step, cs_error *err)
{
    double t = cs_clock();
    if (step < r->steps + NEAR_STEPS)
        return CS_OK;
    cs_status s = run_on(r, step - NEAR_STEPS, err);
    if (s == CS_OK && cs_clock() - t > r->mark_cost)
        cs_marks_take(r);
    return s;
}

/* On to `step`, through the changes made before it. */
static cs_status replay(cs_run *r, uint64_t step, cs_error *err)
{
    size_t *next = &r->n_journal;
    r->stop_flag = NULL;
    for (; *next < r->n_all && r->journal[*next].step < step; ++*next) {
        cs_status s = run_on(r, r->journal[*next].step, err);
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
        r->item[i].block->recorder[CS_WRITTEN].every = off ? 0 : r->sink_thin;
}

/* The mark to begin at, NULL: at the present, which is nearer. */
static cs_status find_mark(cs_run *r, uint64_t step, const cs_mark **from,
                           cs_error *err)
{
    size_t i = r->n_marks;
    while (i && r->mark[i - 1].step > step)
        i--;
    *from = i ? &r->mark[i - 1] : NULL;
    if (r->steps < step && (!i || r->mark[i - 1].step <= r->steps))
        *from = NULL;
    else if (i == 0) {
        cs_fail(err, CS_RANGE, "step %llu is no longer kept",
                (unsigned long long)step);
        cs_hint(err, "go back to step %llu at the earliest",
                (unsigned long long)cs_run_oldest(r));
        return CS_RANGE;
    }
    return CS_OK;
}

static cs_status go(cs_run *r, uint64_t step, cs_error *err)
{
    const cs_mark *from;
    cs_marks_begin(r);
    cs_status s = find_mark(r, step, &from, err);
    if (s == CS_OK && from)
        s = reserve(r, from, step, err);
    if (s != CS_OK)
        return s;
    r->epoch++;
    *r->ended = 0;
    if (from) {
        r->n_journal = from->journal;
        restore(r, from);
        s = cs_remembered_place(r, from->step, err);
    }
    sink_off(r, true);
    if (s == CS_OK)
        s = replay(r, step, err);
    sink_off(r, false);
    return s;
}

/* Nothing lies ahead any more. */
static void cut(cs_run *r)
{
    r->end = r->steps;
    cs_remembered_cut(r, NULL, NULL);
    while (r->n_marks && r->mark[r->n_marks - 1].step > r->steps)
        free_mark(r, &r->mark[--r->n_marks]);
    for (size_t i = 0; i < CS_RECORDERS * r->n_items; i++) {
        cs_recorder *recorder =
            &r->item[i / CS_RECORDERS].block->recorder[i % CS_RECORDERS];
        recorder->valid = recorder->used;
    }
}

uint64_t cs_run_end(const cs_run *r)
{
    return r->end > r->steps ? r->end : r->steps;
}

static cs_status still_to_come(const cs_run *r, uint64_t step, cs_error *err)
{
    cs_fail(err, CS_RANGE, "step %llu has not been run yet",
            (unsigned long long)step);
    cs_hint(err, "the run has been to step %llu",
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
    cs_change_forget(r, r->n_journal);
    cut(r);
    return CS_OK;
}

cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err)
{
    if (step > cs_run_end(r))
        return still_to_come(r, step, err);
    if (cs_run_end(r) == r->steps && step < r->steps) {
        r->end = r->steps;
        cs_marks_take(r); /* to come back to it at once */
    }
    return go(r, step, err);
}

/* ---- branches ---- */

void cs_branch_free(cs_run *r)
{
    cs_branch *b = &r->branch;
    for (size_t i = 0; i < b->n; i++)
        cs_redo_clear(&b->redo[i]);
    cs_free(b->journal);
    cs_free(b->redo);
    cs_remembered_free_list(b->memory, b->n_memory);
    *b = (cs_branch){.there = false};
}

uint64_t cs_run_branch(const cs_run *r)
{
    return r->branch.there ? r->branch.end : 0;
}

/* Without memory for it there is none. */
void cs_future_part(cs_run *r)
{
    size_t n = r->n_all - r->n_journal;
    cs_marks_begin(r);
    if (cs_run_end(r) == r->steps && n == 0)
        return;
    cs_branch_free(r);
    cs_branch *b = &r->branch;
    *b = (cs_branch){.from = r->steps, .end = cs_run_end(r)};
    b->journal = cs_alloc(n + 1, sizeof *b->journal);
    b->redo = cs_alloc(n + 1, sizeof *b->redo);
    b->there = b->journal && b->redo;
    if (b->there) {
        memcpy(b->journal, r->journal + r->n_journal, n * sizeof *b->journal);
        memcpy(b->redo, r->redo + r->n_journal, n * sizeof *b->redo);
        b->n = n;
        r->n_all = r->n_journal;
        cs_remembered_cut(r, &b->memory, &b->n_memory);
    }
    cs_change_forget(r, r->n_journal);
    cut(r);
}

cs_status cs_run_undo(cs_run *r, cs_error *err)
{
    cs_branch old = r->branch;
    if (!old.there || old.from > cs_run_end(r)) {
        cs_fail(err, CS_UNSUPPORTED, "there is no other course of the run");
        cs_hint(err, "one is kept when something is changed after going back");
        return CS_UNSUPPORTED;
    }
    cs_status s = cs_change_room(r, r->n_all + old.n, err);
    if (s == CS_OK)
        s = cs_run_travel(r, old.from, err);
    if (s != CS_OK)
        return s;
    r->branch = (cs_branch){.there = false};
    cs_future_part(r);
    memcpy(r->journal + r->n_journal, old.journal, old.n * sizeof *old.journal);
    memcpy(r->redo + r->n_journal, old.redo, old.n * sizeof *old.redo);
    r->n_all = r->n_journal + old.n;
    cs_remembered_join(r, old.memory, old.n_memory);
    r->end = old.end;
    cs_free(old.journal);
    cs_free(old.redo);
    return CS_OK;
}
