/* Advances a run. The clock determines only how often control returns to the
 * owner. The results depend only on the spec, the changes, and the steps at
 * which the changes were made. */
#include "base/clock.h"
#include "run/arms/limits.h"
#include "run/arms/run_state.h"
#include "run/arms/workers.h"
#include "run/arms/world.h"
#include "run/draws/diagnosed.h"
#include "run/draws/draw_store.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/history/marks.h"
#include "run/history/remembered.h"
#include "run/history/run_timeline.h"
#include "run/ranks/chain_exchange.h"
#include "run/ranks/orders.h"
#include "run/ranks/rank_words.h"
#include "run/rounds.h"
#include "run/run.h"
#include "run/transfer.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"

#include <math.h>
#include <stdio.h>

static const double quantum_seconds = 0.005;

/* ---- budgets ---- */

/* Returns how many of the `wanted` steps an arm may make at once. If no step
 * costs more than the most expensive step so far, these steps spend at most
 * half of the remaining budget. Therefore the arm ends at the first step that
 * spends the budget, unless the cost of one step is more than twice the cost of
 * every earlier step. */
static size_t allowed(const cs_run *r, const cs_arm *a, uint64_t wanted)
{
    uint64_t n = wanted < CS_QUANTUM ? wanted : CS_QUANTUM;
    if (a->limit.on && n > a->limit.at - a->steps)
        n = a->limit.at - a->steps;
    if (r->ending.lifted)
        return (size_t)n;
    if (r->budget.steps && n > r->budget.steps - a->steps)
        n = r->budget.steps - a->steps;
    if (!r->budget.gradients && !r->budget.log_densities &&
        !r->budget.data_terms)
        return (size_t)n;
    double left = 1 - cs_arm_spent(r, a);
    double most = a->round.max_step_cost > 0
                      ? floor(left / (2 * a->round.max_step_cost))
                      : 1;
    return most < 1 ? 1 : most < (double)n ? (size_t)most : (size_t)n;
}

void cs_run_lift(cs_run *r)
{
    bool apart = false;
    if (r->ending.lifted)
        return;
    cs_run_note_change(r, CS_CHANGE_LIFT, (double)r->steps, NULL);
    r->ending.lifted = true;
    r->ending.lifted_at = r->steps;
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->limit.lifted = a->steps;
        a->finished = cs_arm_is_finished(r, a);
        apart |= !a->finished && a->steps != r->steps;
    }
    if (!apart)
        /* all arms are at the same step, so the run can still be rewound to
         * earlier steps */
        return;
    cs_future_part(r);
    cs_branch_free(r->timeline);
    cs_marks_forget(r->marks);
    cs_marks_take(r);
}

/* ---- rounds ---- */

/* Rounds that take less time than this use no workers. If chains exchange
 * states every few steps, waking a worker takes longer than a round. With
 * workers, most of the time would then be spent in system calls. */
static const double short_seconds = 50e-6;

static void move_item(cs_run *r, size_t i, double (*clock)(void))
{
    cs_item *item = &r->item[i];
    double t = clock();
    cs_block_run(item->block, &item->arm->round.driven, item->arm->round.steps,
                 r->rounds->stop_flag);
    item->seconds += clock() - t;
    item->steps += item->arm->round.steps;
}

static void move_pool_item(void *self, size_t i)
{
    cs_run *r = self;
    move_item(r, r->rounds->pool_item[i], cs_clock_thread);
}

/* Predicts whether a round is too short for workers. The prediction uses the
 * time that the blocks have taken so far. */
static bool is_short(const cs_run *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->rounds->n_pool && sum < short_seconds; i++) {
        const cs_item *item = &r->item[r->rounds->pool_item[i]];
        double each =
            item->steps ? item->seconds / (double)item->steps : short_seconds;
        sum += each * (double)item->arm->round.steps;
    }
    return sum < short_seconds;
}

static void move_all(cs_run *r)
{
    cs_rounds *o = r->rounds;
    bool here = is_short(r);
    if (!here)
        cs_pool_run(r->pool, move_pool_item, r, o->n_pool);
    for (size_t i = 0; here && i < o->n_pool; i++)
        move_item(r, o->pool_item[i], cs_clock);
    for (size_t i = 0; i < o->n_main; i++)
        move_item(r, o->main_item[i], here ? cs_clock : cs_clock_thread);
}

static bool owners_only(const cs_run *r, const cs_arm *a)
{
    return (r->target->flags & CS_TARGET_MAIN_THREAD) ||
           (a->kernel.type->flags & CS_KERNEL_MAIN_THREAD);
}

static void look_how_far(cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->round.reached = a->steps;
        for (size_t b = 0; b < a->n_blocks; b++)
            if (a->block[b]->step > a->round.reached)
                a->round.reached = a->block[b]->step;
    }
    if (cs_run_is_split(r))
        cs_ranks_meet(r);
}

/* Advances the blocks that have made fewer steps than other blocks of the arm.
 * Such blocks exist after a stop, and after all chains of a block have
 * failed. */
static void catch_up(cs_arm *a)
{
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_block *block = a->block[b];
        if (!cs_arm_moves(a, block) && a->share.of_rank)
            /* the block is moved by another rank */
            block->step = a->round.reached;
        while (cs_arm_moves(a, block) && block->step < a->round.reached) {
            size_t n = (size_t)(a->round.reached - block->step);
            cs_arm_fill(a, block->step + 1, n);
            cs_block_run(block, &a->round.driven, n, NULL);
        }
    }
}

/* Sets the parameters of the next steps. If one of an arm's schedules has no
 * value for a step, the arm stops at this step. */
static void plan_ahead(cs_run *r, cs_arm *a)
{
    size_t wanted = a->round.steps;
    const uint64_t cycle_from = cs_arm_cycle_from(a);
    for (size_t i = 0; i < a->n_blocks; i++)
        a->block[i]->cycle_from = cycle_from;
    a->round.steps = cs_arm_fill(a, a->steps + 1, wanted);
    if (a->round.steps && a->round.steps < wanted)
        cs_arm_fill(a, a->steps + 1, a->round.steps);
    if (a->round.steps == 0)
        r->rounds->stuck = a;
}

static void prepare(cs_run *r, uint64_t goal)
{
    cs_rounds *o = r->rounds;
    o->n_pool = o->n_main = 0;
    cs_draws_end_warmups(r);
    cs_run_follow_target(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        bool go = !a->finished && !cs_arm_waits(a) && cs_arm_step(r, a) < goal;
        a->round.steps = go ? allowed(r, a, goal - cs_arm_step(r, a)) : 0;
        uint64_t period = cs_exchange_period(a);
        if (period && a->round.steps > period - a->steps % period)
            a->round.steps = (size_t)(period - a->steps % period);
        if (a->round.steps > cs_tuning_left(a))
            a->round.steps = (size_t)cs_tuning_left(a);
        if (a->round.steps > cs_learns_left(a))
            a->round.steps = (size_t)cs_learns_left(a);
        a->round.budget_before = cs_arm_spent(r, a);
        if (a->round.steps)
            plan_ahead(r, a);
        cs_diagnosed_make_room(a);
    }
    for (size_t i = 0; i < r->n_items; i++) {
        const cs_arm *a = r->item[i].arm;
        if (!cs_arm_moves(a, r->item[i].block))
            continue;
        if (a->round.steps && owners_only(r, a))
            o->main_item[o->n_main++] = i;
        else if (a->round.steps)
            o->pool_item[o->n_pool++] = i;
    }
}

static void settle(cs_run *r, cs_arm *a)
{
    if (a->round.steps == 0)
        return;
    uint64_t from = a->steps;
    a->steps = a->round.reached;
    uint64_t period = cs_exchange_period(a);
    if (period && a->steps > from && a->steps % period == 0)
        cs_arm_exchange(r, a);
    bool tunes = cs_tuning_left(a) != UINT64_MAX;
    cs_tuning_settle(r, a, a->steps - from);
    cs_learns_settle(r, a, a->steps - from, tunes);
    a->finished = cs_arm_is_finished(r, a);
    double part = cs_arm_spent(r, a);
    if (a->steps > from)
        a->round.max_step_cost =
            fmax(a->round.max_step_cost,
                 (part - a->round.budget_before) / (double)(a->steps - from));
}

/* Returns true if at least one arm can advance, on this rank or on another
 * rank. */
static bool goes_on(const cs_run *r)
{
    bool any = r->rounds->n_pool + r->rounds->n_main > 0;
    for (size_t i = 0; cs_run_is_split(r) && i < r->n_arms; i++)
        any |= r->arm[i].round.steps > 0;
    return any;
}

static void move_round(cs_run *r)
{
    move_all(r);
    look_how_far(r);
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].round.steps)
            catch_up(&r->arm[i]);
    if (cs_run_is_split(r))
        cs_ranks_count(r);
}

void cs_run_rounds(cs_run *r, uint64_t goal)
{
    for (;;) {
        prepare(r, goal);
        if (!goes_on(r))
            break;
        move_round(r);
        uint64_t most = 0;
        for (size_t i = 0; i < r->n_arms; i++) {
            settle(r, &r->arm[i]);
            if (cs_arm_step(r, &r->arm[i]) > most)
                most = cs_arm_step(r, &r->arm[i]);
        }
        if (r->rounds->stop_flag && atomic_load(r->rounds->stop_flag)) {
            /* after a stop, all arms continue to the same step of the run */
            goal = most;
            r->rounds->stop_flag = NULL;
        }
    }
    r->steps = 0;
    for (size_t i = 0; i < r->n_arms; i++)
        if (cs_arm_step(r, &r->arm[i]) > r->steps)
            r->steps = cs_arm_step(r, &r->arm[i]);
}

/* ---- advancing ---- */

/* Adapts the number of steps per round so that a round takes about
 * quantum_seconds. */
static void adapt(cs_run *r, uint64_t steps, double seconds)
{
    cs_rounds *o = r->rounds;
    if (seconds < quantum_seconds / 2 && steps >= o->quantum &&
        o->quantum < CS_QUANTUM)
        o->quantum *= 2;
    if (seconds > 2 * quantum_seconds && o->quantum > 1)
        o->quantum /= 2;
}

/* Repeats the changes recorded for this step, and limits *goal to the next step
 * with changes. */
static cs_status go_through(cs_run *r, uint64_t *goal, cs_error *err)
{
    cs_timeline *t = r->timeline;
    while (cs_remembered_step(r->remembered) <= r->steps) {
        cs_status s = cs_remembered_next(r, err);
        if (s != CS_OK)
            return s;
    }
    if (cs_remembered_step(r->remembered) < *goal)
        *goal = cs_remembered_step(r->remembered);
    for (; t->n < t->n_all; t->n++) {
        uint64_t step = t->journal[t->n].step;
        if (step > r->steps) {
            *goal = step < *goal ? step : *goal;
            break;
        }
        cs_status s = cs_change_replay(r, t->n, err);
        if (s != CS_OK)
            return s;
    }
    return CS_OK;
}

cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err)
{
    cs_rounds *o = r->rounds;
    uint64_t from = r->steps;
    uint64_t goal = n > UINT64_MAX - from ? UINT64_MAX : from + n;
    cs_status status = CS_OK;
    *r->ending.why = 0;
    o->stuck = NULL; /* plan_ahead sets it if a schedule has no value */
    cs_marks_begin(r);
    cs_draws_touch(r);
    while ((r->steps < goal || cs_run_behind(r)) && !o->stuck && !status &&
           !atomic_load(&o->stop) && !cs_run_finished(r) && !cs_run_waits(r)) {
        uint64_t behind = cs_run_behind(r), at = r->steps - behind;
        uint64_t next = behind ? r->steps : goal;
        if (!behind && (status = go_through(r, &next, err)) != CS_OK)
            break;
        uint64_t left = next - at, most = cs_draws_steps(r);
        left = left < most ? left : most;
        double t = cs_clock(), busy = cs_run_clock(r);
        uint64_t to = at + (left < o->quantum ? left : o->quantum);
        cs_run_order(r, (cs_order){.kind = CS_ORDER_ADVANCE, .goal = to});
        o->stop_flag = cs_run_is_split(r) ? NULL : &o->stop;
        cs_run_rounds(r, to);
        o->stop_flag = NULL;
        if (cs_run_is_split(r))
            status = cs_ranks_agree(r->ranks, CS_OK, err);
        r->timeline->end =
            r->timeline->end > r->steps ? r->timeline->end : r->steps;
        cs_draws_flush(r);
        r->epoch++;
        t = cs_clock() - t;
        r->ending.seconds += t;
        r->marks->since += t;
        busy = cs_run_clock(r) - busy;
        adapt(r, r->steps - at - (behind ? cs_run_behind(r) : 0), busy);
        if (cs_marks_due(r->marks))
            cs_marks_take(r);
    }
    atomic_store(&o->stop, false);
    if (done)
        *done = r->steps - from;
    if (!o->stuck)
        return status;
    return cs_fail(err, CS_NUMERIC,
                   "a schedule of arm %s has no value at step %llu",
                   o->stuck->name, (unsigned long long)o->stuck->steps + 1);
}

void cs_run_stop(cs_run *r)
{
    atomic_store(&r->rounds->stop, true);
}
