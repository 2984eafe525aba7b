/* Marks: copies of all slabs at past steps, within a fixed amount of memory.
 * Recent marks are close together, and earlier marks are further apart. States
 * between marks are recomputed, with the recorded changes. */
#include "run/history/marks.h"
#include "base/clock.h"
#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/world.h"
#include "run/history/changes.h"
#include "run/history/run_timeline.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"

#include <math.h>
#include <string.h>

enum { LEAST_BYTES = 64 /* minimum size of a mark */ };

static const double least_seconds = 0.05, times_the_cost = 20;

static void free_mark(cs_marks *k, cs_mark *m)
{
    k->bytes -= m->pack.capacity;
    for (size_t i = 0; m->arm && i < m->n_arms; i++) {
        cs_plan_let_go(m->arm[i].plan);
        cs_metric_let_go(m->arm[i].metric);
    }
    cs_free(m->arm);
    cs_free(m->work);
    cs_pack_free(&m->pack);
    *m = (cs_mark){.arm = NULL};
}

void cs_marks_forget(cs_marks *k)
{
    while (k->n)
        free_mark(k, &k->mark[--k->n]);
}

/* Returns the index of the mark that is least useful: the number of steps
 * between its neighbours is smallest compared with its age. The first mark is
 * never removed. */
static size_t least_missed(const cs_marks *k, uint64_t now)
{
    size_t best = 1;
    double least = 0;
    for (size_t i = 1; i + 1 < k->n; i++) {
        double gap = (double)(k->mark[i + 1].step - k->mark[i - 1].step);
        double age = fabs((double)now - (double)k->mark[i].step) + 1;
        if (i == 1 || gap / age < least) {
            least = gap / age;
            best = i;
        }
    }
    return best;
}

static cs_mark take_out(cs_marks *k, size_t i)
{
    cs_mark m = k->mark[i];
    k->n--;
    memmove(&k->mark[i], &k->mark[i + 1], (k->n - i) * sizeof k->mark[0]);
    return m;
}

void cs_marks_forget_before(cs_marks *k, uint64_t step)
{
    while (k->n && k->mark[0].step < step) {
        cs_mark m = take_out(k, 0);
        free_mark(k, &m);
    }
}

void cs_marks_forget_after(cs_marks *k, uint64_t step)
{
    while (k->n && k->mark[k->n - 1].step > step)
        free_mark(k, &k->mark[--k->n]);
}

/* Removes the least useful marks until one more mark of `bytes` bytes fits. */
static bool make_room(cs_marks *k, uint64_t now, size_t bytes)
{
    while (bytes <= k->limit && k->n > 1 &&
           (k->n == CS_MARKS || k->bytes + bytes > k->limit)) {
        cs_mark m = take_out(k, k->n > 2 ? least_missed(k, now) : 1);
        free_mark(k, &m);
    }
    return k->bytes + bytes <= k->limit;
}

/* Returns a held copy of the arm's plan. If the plan has not changed since the
 * previous mark, returns the copy that the previous mark holds. */
static cs_held_plan *hold_plan(cs_arm *a)
{
    if (!a->held)
        a->held = cs_plan_held(&a->plan);
    return a->held ? cs_plan_hold(a->held) : NULL;
}

/* Adds the parameters that an arm has learned, the learner's memory, and the
 * results of its tuner, which may run again. */
static void add_learned(cs_mark *m, const cs_arm *a)
{
    if (!a->learns)
        return;
    cs_pack_add(&m->pack, a->target->learned, a->target->n_learned);
    cs_pack_add(&m->pack, a->learns->memory, a->learns->words);
    if (a->tuning) {
        cs_pack_add(&m->pack, a->tuning->result,
                    cs_tuning_results(a, a->tuning->capacity));
        cs_pack_add(&m->pack, a->tuning->tuner.past, CS_TUNER_PAST);
    }
}

/* Fills in a mark. Returns false if memory runs out, or if the mark exceeds the
 * limit for all marks. */
static bool fill_mark(cs_run *r, cs_mark *m)
{
    bool good = true;
    m->step = r->steps;
    m->journal = r->timeline->n;
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
        if (m->pack.n > r->marks->limit)
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
                         .finished = a->finished,
                         .work_loaded = a->loaded.work,
                         .observed_loaded = a->loaded.observed,
                         .tuning = {.active = g && g->active,
                                    .trials = g ? g->n_results : 0,
                                    .trial_steps = g ? g->trial_steps : 0,
                                    .warmup_steps = a->warmup_steps}};
}

bool cs_marks_due(const cs_marks *k)
{
    return k->since >= least_seconds && k->since >= times_the_cost * k->cost;
}

/* Returns the index of the mark of this step. If there is no such mark, returns
 * the index at which to insert it. Sets *there to true if the mark exists. */
static size_t place_of(const cs_marks *k, uint64_t step, bool *there)
{
    size_t i = k->n;
    while (i && k->mark[i - 1].step >= step)
        i--;
    *there = i < k->n && k->mark[i].step == step;
    return i;
}

static void put_in(cs_marks *k, const cs_mark *m)
{
    bool there;
    size_t i = place_of(k, m->step, &there);
    memmove(&k->mark[i + 1], &k->mark[i], (k->n - i) * sizeof k->mark[0]);
    k->mark[i] = *m;
    k->n++;
}

/* Stores a mark. If memory runs out, no mark is stored, which only makes later
 * rewinding slower. */
void cs_marks_take(cs_run *r)
{
    cs_marks *k = r->marks;
    bool there;
    double t = cs_clock();
    k->since = 0;
    if (cs_run_is_split(r))
        return; /* marks cannot store states of chains on other ranks */
    place_of(k, r->steps, &there);
    if (there || k->limit < LEAST_BYTES)
        return;
    cs_mark m = {.n_arms = r->n_arms,
                 .arm = cs_alloc(r->n_arms, sizeof *m.arm),
                 .work = cs_alloc(r->n_items, sizeof *m.work)};
    bool good = m.arm && m.work && fill_mark(r, &m) &&
                make_room(k, r->steps, m.pack.capacity);
    k->bytes += m.pack.capacity;
    if (good)
        put_in(k, &m);
    else
        free_mark(k, &m);
    k->cost = cs_clock() - t;
}

void cs_marks_begin(cs_run *r)
{
    if (r->marks->begun)
        return;
    cs_marks_take(r);
    /* if there was not enough memory, marks are stored later */
    r->marks->begun = r->marks->n > 0 || r->steps > 0;
}

uint64_t cs_run_oldest(const cs_run *r)
{
    return r->marks->n ? r->marks->mark[0].step : r->steps;
}
