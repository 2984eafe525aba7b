/* Runs the learner of an arm: see run/arms/learner.h. */
#include "run/tuning/learn.h"
#include "base/clock.h"
#include "base/memory.h"
#include "run/arms/learner.h"
#include "run/arms/run_state.h"
#include "run/arms/workers.h"
#include "run/arms/world.h"
#include "run/ranks/rank_words.h"
#include "run/tuning/tune.h"

#include <math.h>

/* Words at the start of the memory, before the words of the learner. */
enum { UPDATES, SINCE /* steps since the last update */, LEAD };

/* ---- memory -------------------------------------------------------------- */

static void alone(cs_run *r, cs_target **own, cs_error *err, cs_status *s)
{
    *s = cs_target_learner(r->target, own, err);
}

static cs_status check(const cs_run *r, const cs_arm *a, const cs_learner *how,
                       cs_error *err)
{
    if (r->target->n_learned && !(r->target->flags & CS_TARGET_LEARNS))
        return cs_fail(
            err, CS_UNSUPPORTED,
            "arm %s and its target both learn, but only one of them can",
            a->name);
    if (how->steps < 1 || how->updates < 1)
        return cs_fail(err, CS_RANGE,
                       "arm %s: the number of updates and the steps per update "
                       "must be positive",
                       a->name);
    if (how->retune && !a->tuning) {
        cs_fail(err, CS_INPUT, "arm %s has 'retune' but no tuner", a->name);
        cs_hint(err, "give the arm a tuner, or omit 'retune'");
        return CS_INPUT;
    }
    if (how->cycle && !a->kernel.type->step_unadjusted) {
        cs_fail(err, CS_UNSUPPORTED, "arm %s: kernel %s cannot run unadjusted",
                a->name, a->kernel.type->name);
        cs_hint(err, "omit 'cycle'");
        return CS_UNSUPPORTED;
    }
    return CS_OK;
}

static cs_status take_memory(cs_arm *a, cs_error *err)
{
    cs_learns *l = a->learns;
    const cs_learner *how = &l->how;
    size_t dim = a->target->space.dim;
    l->words = LEAD + how->type->words(how->self, a->target, a->chains);
    l->memory = cs_alloc(l->words, sizeof *l->memory);
    l->scratch =
        cs_alloc(how->type->scratch_words(how->self, a->target, a->chains) + 1,
                 sizeof *l->scratch);
    l->x = cs_alloc(a->chains * dim, sizeof *l->x);
    l->failed = cs_alloc(a->chains, sizeof *l->failed);
    l->met = cs_alloc(a->chains, sizeof *l->met);
    if (l->memory && l->scratch && l->x && l->failed && l->met)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for the learner of arm %s",
                   a->name);
}

cs_status cs_learns_create(cs_run *r, cs_arm *a, const cs_learner *how,
                           cs_error *err)
{
    if (!how->type)
        return CS_OK;
    cs_target *own = NULL;
    cs_status s = check(r, a, how, err);
    if (!s)
        alone(r, &own, err, &s);
    if (!s)
        s = how->type->fits(how->self, own, a->chains, err);
    if (!s) {
        cs_target_release(a->target);
        a->target = own;
        own = NULL;
        a->learns = cs_alloc(1, sizeof *a->learns);
        s = a->learns ? CS_OK
                      : cs_fail(err, CS_MEMORY, "out of memory for a learner");
    }
    cs_target_release(own);
    if (s)
        return s;
    a->learns->how = *how;
    how->type->hold(how->self);
    return take_memory(a, err);
}

void cs_learns_free(cs_arm *a)
{
    cs_learns *l = a->learns;
    if (!l)
        return;
    if (l->how.type)
        l->how.type->release(l->how.self);
    CS_FREE_ALL(l->memory, l->scratch, l->x, l->failed, l->met, l);
    a->learns = NULL;
}

double cs_learns_words(const cs_arm *a)
{
    const cs_learns *l = a->learns;
    return l ? (double)(l->words + a->target->n_learned) : 0;
}

/* ---- progress ------------------------------------------------------------ */

static uint64_t made(const cs_learns *l)
{
    return (uint64_t)l->memory[UPDATES];
}

bool cs_learns_now(const cs_arm *a)
{
    const cs_learns *l = a->learns;
    return l && made(l) < l->how.updates;
}

uint64_t cs_learns_updates(const cs_arm *a)
{
    return a->learns ? made(a->learns) : 0;
}

bool cs_learns_by_update(const cs_arm *a)
{
    return cs_learns_now(a) && a->learns->how.by_update;
}

static bool tunes(const cs_arm *a)
{
    return a->tuning && a->tuning->active;
}

/* Returns true if the next update is the first of a cycle. */
static bool is_first(const cs_learns *l)
{
    return l->how.cycle && made(l) % l->how.cycle == 0;
}

bool cs_learns_unadjusted(const cs_arm *a)
{
    return cs_learns_now(a) && !tunes(a) && is_first(a->learns);
}

/* Returns the number of steps between the last update and the next. */
static uint64_t asked(const cs_learns *l)
{
    return is_first(l) ? l->how.first : l->how.steps;
}

/* returns at least 1, since a run that was loaded from a file may already have
 * made more steps than the next update needs */
uint64_t cs_learns_left(const cs_arm *a)
{
    const cs_learns *l = a->learns;
    if (!cs_learns_now(a) || tunes(a))
        return UINT64_MAX;
    uint64_t all = asked(l), since = (uint64_t)l->memory[SINCE];
    return since < all ? all - since : 1;
}

bool cs_learns_sound(const cs_arm *a, size_t i, double x)
{
    const cs_learner *how = &a->learns->how;
    double most =
        how->first > how->steps ? (double)how->first : (double)how->steps;
    double limit = i == UPDATES ? (double)how->updates : most - 1;
    if (i >= LEAD)
        return how->type->sound(how->self, a->target, i - LEAD, x);
    return x >= 0 && x <= limit && x == floor(x);
}

/* ---- updates ------------------------------------------------------------- */

static cs_learning shown(const cs_run *r, const cs_arm *a, bool *placed)
{
    const cs_learns *l = a->learns;
    return (cs_learning){.self = l->how.self,
                         .target = a->target,
                         .seed = r->seed,
                         .updates = l->how.updates,
                         .chains = a->chains,
                         .x = l->x,
                         .failed = l->failed,
                         .placed = placed,
                         .memory = l->memory + LEAD,
                         .scratch = l->scratch,
                         .pool = r->pool};
}

/* Receives the states of chains that other ranks move. At the start of the run,
 * every rank has the states of all chains. */
static void meet(cs_run *r, cs_arm *a)
{
    const cs_learns *l = a->learns;
    for (size_t c = 0; c < a->chains; c++)
        l->met[c] = l->failed[c];
    cs_ranks_gather(r, a, CS_WORDS_LEARNERS, a->target->space.dim, l->x);
    cs_ranks_gather(r, a, CS_WORDS_LEARNERS, 1, l->met);
    for (size_t c = 0; c < a->chains; c++)
        l->failed[c] = l->met[c] != 0;
}

static void gather(const cs_arm *a)
{
    const cs_learns *l = a->learns;
    size_t dim = a->target->space.dim;
    for (size_t c = 0; c < a->chains; c++) {
        const cs_block *b = cs_arm_block(a, c);
        cs_block_state(b, cs_arm_lane(a, c), l->x + c * dim);
        l->failed[c] = b->failed[cs_arm_lane(a, c)] != 0;
    }
}

/* Copies the states set by the learner to a block. Padding lanes copy the last
 * chain. */
static void place(const cs_arm *a, cs_block *b)
{
    size_t dim = a->target->space.dim, last = b->live - 1;
    for (size_t l = 0; l < b->lanes; l++) {
        size_t c = (size_t)b->chain[l < last ? l : last];
        for (size_t d = 0; b->failed[l < last ? l : last] == 0 && d < dim; d++)
            b->move.x[d * b->lanes + l] = a->learns->x[c * dim + d];
    }
}

static void follow(void *self, size_t i)
{
    cs_arm *a = self;
    if (a->share.of_rank && !cs_arm_moves(a, a->block[i]))
        /* a block that another rank moves is only marked as up to date */
        a->block[i]->generation = a->target->generation;
    else
        cs_block_follow_target(a->block[i]);
}

/* Makes the chains continue with the present parameters of the target. */
static void renew(cs_run *r, cs_arm *a, bool placed)
{
    a->target->type->model->changed(a->target);
    a->target->generation++;
    for (size_t b = 0; placed && b < a->n_blocks; b++)
        place(a, a->block[b]);
    cs_share_jobs(r->pool, follow, a, a->n_blocks);
}

void cs_learns_begin(cs_run *r, cs_arm *a)
{
    if (!a->learns)
        return;
    bool placed = false;
    gather(a);
    cs_learning l = shown(r, a, &placed);
    a->learns->how.type->begin(&l);
    renew(r, a, placed);
    cs_arm_tell_blocks(a);
}

/* Starts the draws. From now on, counts belong to the draws, not to the
 * warm-up. */
static void end(cs_arm *a)
{
    a->warmup_steps = a->steps;
    cs_arm_begin_draws(a);
}

static void update(cs_run *r, cs_arm *a)
{
    cs_learns *l = a->learns;
    bool placed = false;
    double t = cs_clock_process();
    gather(a);
    if (cs_run_is_split(r))
        meet(r, a);
    cs_learning at = shown(r, a, &placed);
    at.update = made(l) + 1;
    l->how.type->update(&at);
    l->memory[UPDATES] += 1;
    l->memory[SINCE] = 0;
    renew(r, a, placed);
    l->seconds += cs_clock_process() - t;
    uint64_t n = made(l);
    if (n == l->how.updates)
        end(a);
    else if (l->how.retune && n % l->how.retune == 0)
        cs_tuning_again(a);
    cs_arm_tell_blocks(a);
}

void cs_learns_settle(cs_run *r, cs_arm *a, uint64_t steps, bool tuned)
{
    if (!cs_learns_now(a) || tunes(a))
        return;
    a->learns->memory[SINCE] += tuned ? 0 : (double)steps;
    if (tuned || a->learns->memory[SINCE] >= (double)asked(a->learns))
        update(r, a);
}

void cs_learns_restored(cs_arm *a)
{
    if (!a->learns)
        return;
    a->target->type->model->changed(a->target);
    a->target->generation++;
    for (size_t b = 0; b < a->n_blocks; b++)
        a->block[b]->generation = a->target->generation;
    cs_arm_tell_blocks(a);
}

/* ---- reports ------------------------------------------------------------- */

bool cs_learns_report(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out)
{
    if (!a->learns)
        return false;
    bool placed;
    cs_learning l = shown(r, a, &placed);
    l.update = made(a->learns);
    l.x = NULL;
    a->learns->how.type->report(&l, prefix, out);
    return true;
}

cs_learner_view cs_learns_look(const cs_arm *a)
{
    const cs_learns *l = a->learns;
    if (!l)
        return (cs_learner_view){.there = false};
    return (cs_learner_view){.there = true,
                             .active = cs_learns_now(a),
                             .update = made(l),
                             .updates = l->how.updates,
                             .seconds = l->seconds,
                             .step_seconds = cs_arm_seconds(a)};
}
