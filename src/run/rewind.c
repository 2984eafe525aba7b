/* The kept past: copies of every slab, close together lately and ever further
 * apart going back, within a fixed memory; what lies between is computed
 * again, change by change. */
#include "base/clock.h"
#include "base/memory.h"
#include "run/inside.h"

#include <string.h>

enum { NEAR_STEPS = 5 };

static const double least_seconds = 0.05, times_the_cost = 20;

static void free_mark(cs_run *r, cs_mark *m)
{
    r->mark_bytes -= m->pack.room;
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
        double age = (double)(r->steps - r->mark[i].step) + 1;
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

static void fill_mark(const cs_run *r, cs_mark *m)
{
    m->step = r->steps;
    m->journal = r->n_journal;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        m->arm[i] = cs_arm_mark_of(a);
    }
    for (size_t i = 0; i < r->n_items; i++) {
        const cs_block *b = r->item[i].block;
        m->work[i] = b->eval.work;
        cs_pack_add(&m->pack, b->slab, b->slab_words * b->lanes);
    }
    cs_pack_add(&m->pack, r->target->learned, r->target->n_learned);
    for (size_t i = 0; i < r->n_arms; i++) {
        size_t held = cs_tuning_held(&r->arm[i]);
        if (held)
            cs_pack_add(&m->pack, r->arm[i].tuning->state, held);
    }
    cs_pack_trim(&m->pack);
}

cs_arm_mark cs_arm_mark_of(const cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    return (cs_arm_mark){.kernel = a->kernel,
                         .plan = a->plan,
                         .steps = a->steps,
                         .since = a->since,
                         .finished = a->finished,
                         .base = a->base,
                         .tuning = g && g->active,
                         .trials = g ? g->n : 0,
                         .trial_steps = g ? g->done : 0};
}

bool cs_marks_due(const cs_run *r)
{
    return r->since_mark >= least_seconds &&
           r->since_mark >= times_the_cost * r->mark_cost;
}

/* Without memory for a mark the past is only kept less well. */
void cs_marks_take(cs_run *r)
{
    double t = cs_clock();
    cs_mark m = {.arm = cs_alloc(r->n_arms, sizeof *m.arm),
                 .work = cs_alloc(r->n_items, sizeof *m.work)};
    bool good = m.arm && m.work;
    if (good)
        fill_mark(r, &m);
    good = good && !m.pack.failed && make_room(r, m.pack.room);
    r->mark_bytes += m.pack.room;
    if (good)
        r->mark[r->n_marks++] = m;
    else
        free_mark(r, &m);
    r->since_mark = 0;
    r->mark_cost = cs_clock() - t;
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
        for (size_t i = m->journal; i < r->n_journal && s == CS_OK; i++) {
            const cs_redo *how = &r->redo[i];
            cs_arm *a = &r->arm[r->journal[i].arm];
            if (r->journal[i].step >= step)
                break;
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
        cs_arm_set_kernel(a, &m->arm[i].kernel, &m->arm[i].plan);
        a->steps = m->arm[i].steps;
        a->finished = m->arm[i].finished;
        a->base = m->arm[i].base;
        cs_tuning_place(a, &m->arm[i], NULL);
    }
    for (size_t i = 0; i < r->n_items; i++) {
        cs_block *b = r->item[i].block;
        b->step = r->item[i].arm->steps;
        cs_pack_take(&at, end, b->slab, b->slab_words * b->lanes);
        cs_block_loaded(b);
        b->eval.work = m->work[i];
        cs_block_trim(b);
    }
    cs_pack_take(&at, end, r->target->learned, r->target->n_learned);
    if (r->target->n_learned)
        cs_run_learned(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        size_t held = cs_tuning_held(&r->arm[i]);
        if (held)
            cs_pack_take(&at, end, r->arm[i].tuning->state, held);
    }
    r->steps = m->step;
    for (size_t i = 0; r->lifted && i < r->n_arms; i++)
        r->arm[i].finished = cs_arm_is_finished(r, &r->arm[i]);
}

/* Nearly to `step`; after a long way there is a mark, so that going back once
 * more need not go it again. */
static void approach(cs_run *r, uint64_t step)
{
    double t = cs_clock();
    if (step < r->steps + NEAR_STEPS)
        return;
    cs_run_rounds(r, step - NEAR_STEPS);
    if (cs_clock() - t > r->mark_cost)
        cs_marks_take(r);
}

/* From the mark to `step`, through the changes made before it. */
static cs_status replay(cs_run *r, size_t change, uint64_t step, cs_error *err)
{
    r->heed = NULL;
    for (; change < r->n_journal && r->journal[change].step < step; change++) {
        cs_run_rounds(r, r->journal[change].step);
        cs_status s = cs_change_replay(r, change, err);
        if (s != CS_OK)
            return s;
    }
    cs_change_forget(r, change);
    approach(r, step);
    cs_run_rounds(r, step);
    return CS_OK;
}

static void sink_off(cs_run *r, bool off)
{
    for (size_t i = 0; i < r->n_items; i++)
        r->item[i].block->tap[1].every = off ? 0 : r->sink_thin;
}

cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err)
{
    if (step > r->steps)
        return cs_fail(err, CS_RANGE, "step %llu has not been run yet",
                       (unsigned long long)step);
    size_t i = r->n_marks;
    while (i && r->mark[i - 1].step > step)
        i--;
    if (i == 0) {
        cs_fail(err, CS_RANGE, "step %llu is no longer kept",
                (unsigned long long)step);
        cs_mend(err, "go back to step %llu at the earliest",
                (unsigned long long)cs_run_oldest(r));
        return CS_RANGE;
    }
    cs_status s = reserve(r, &r->mark[i - 1], step, err);
    if (s != CS_OK)
        return s;
    restore(r, &r->mark[i - 1]);
    r->epoch++;
    while (r->n_marks > i)
        free_mark(r, &r->mark[--r->n_marks]);
    sink_off(r, true);
    s = replay(r, r->mark[i - 1].journal, step, err);
    sink_off(r, false);
    return s;
}
