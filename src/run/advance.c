/* Moving a run on. Time only decides how often the owner looks around; what
 * is computed depends on the spec and on the changes made at given steps. */
#include "base/clock.h"
#include "run/draws/draw_store.h"
#include "run/internal.h"

#include <math.h>
#include <stdio.h>

static const double quantum_seconds = 0.005;

cs_work cs_arm_work(const cs_arm *a)
{
    cs_work work = cs_work_add(a->work_loaded, a->elsewhere.own);
    for (size_t b = 0; b < a->n_blocks; b++)
        if (cs_arm_moves(a, a->block[b]))
            work = cs_work_add(work, a->block[b]->eval.work);
    return work;
}

double cs_arm_seconds(const cs_arm *a)
{
    double seconds = 0;
    for (size_t b = 0; b < a->n_blocks; b++)
        seconds += a->item[b].seconds;
    return seconds;
}

cs_work cs_arm_observed(const cs_arm *a)
{
    cs_work work = cs_work_add(a->observed_loaded, a->elsewhere.observed);
    for (size_t b = 0; b < a->n_blocks; b++)
        if (cs_arm_moves(a, a->block[b]))
            work = cs_work_add(work, a->block[b]->observer.work);
    return work;
}

/* ---- budgets ---- */

/* The share of the work budget that is spent: 1 = all. */
static double spent(const cs_run *r, const cs_arm *a)
{
    cs_work work = cs_arm_work(a);
    double part = 0;
    if (r->budget.gradients)
        part = (double)work.gradients / (double)r->budget.gradients;
    if (r->budget.log_densities)
        part = fmax(part, (double)work.log_densities /
                              (double)r->budget.log_densities);
    if (r->budget.data_terms)
        part =
            fmax(part, (double)work.data_terms / (double)r->budget.data_terms);
    return part;
}

/* How many steps of `wanted` an arm may make at once. Never more than half of
 * what is left at the costliest price seen, so that the arm ends at the first
 * step that spends the budget, unless a step costs more than twice what any
 * did before. */
static size_t allowed(const cs_run *r, const cs_arm *a, uint64_t wanted)
{
    uint64_t n = wanted < QUANTUM ? wanted : QUANTUM;
    if (a->limited && n > a->limit - a->steps)
        n = a->limit - a->steps;
    if (r->lifted)
        return (size_t)n;
    if (r->budget.steps && n > r->budget.steps - a->steps)
        n = r->budget.steps - a->steps;
    if (!r->budget.gradients && !r->budget.log_densities &&
        !r->budget.data_terms)
        return (size_t)n;
    double left = 1 - spent(r, a);
    double most =
        a->max_step_cost > 0 ? floor(left / (2 * a->max_step_cost)) : 1;
    return most < 1 ? 1 : most < (double)n ? (size_t)most : (size_t)n;
}

bool cs_arm_is_finished(const cs_run *r, const cs_arm *a)
{
    if (a->own.end == 0 && !cs_run_is_split(r))
        return true;
    if (cs_arm_waits(a) && a->last)
        return true;
    bool spends =
        (r->budget.steps && a->steps >= r->budget.steps) || spent(r, a) >= 1;
    return (spends && !r->lifted) || !cs_run_arm_lives(r, (size_t)(a - r->arm));
}

void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last)
{
    cs_arm *a = &r->arm[arm];
    a->limited = true;
    a->limit = steps;
    a->last = last;
    a->finished = cs_arm_is_finished(r, a);
}

bool cs_run_waits(const cs_run *r)
{
    bool waits = true;
    for (size_t i = 0; i < r->n_arms; i++)
        waits &= r->arm[i].finished || cs_arm_waits(&r->arm[i]);
    return waits && !cs_run_finished(r);
}

void cs_run_end_here(cs_run *r, const char *why)
{
    snprintf(r->ended, sizeof r->ended, "%s", why);
    r->ended_at = r->steps;
}

const char *cs_run_ended(const cs_run *r)
{
    return *r->ended && r->ended_at == r->steps ? r->ended : NULL;
}

bool cs_run_lifted(const cs_run *r)
{
    return r->lifted;
}

void cs_run_lift(cs_run *r)
{
    bool apart = false;
    if (r->lifted)
        return;
    cs_run_note_change(r, CS_CHANGE_LIFT, (double)r->steps, NULL);
    r->lifted = true;
    r->lifted_at = r->steps;
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        a->lifted = a->steps;
        a->finished = cs_arm_is_finished(r, a);
        apart |= !a->finished && a->steps != r->steps;
    }
    if (!apart)
        return; /* the way here is the same without a budget */
    cs_future_part(r);
    cs_branch_free(r);
    cs_marks_forget(r);
    cs_marks_take(r);
}

uint64_t cs_arm_step(const cs_run *r, const cs_arm *a)
{
    return r->lifted ? r->lifted_at + (a->steps - a->lifted) : a->steps;
}

/* ---- rounds ---- */

/* Where chains exchange at every few steps a round is shorter than the way to a
 * worker and back, and the time of a thread, a system call, would be most of
 * it. */
static const double short_seconds = 50e-6;

static void move_item(cs_run *r, size_t i, double (*clock)(void))
{
    cs_item *item = &r->item[i];
    double t = clock();
    cs_block_run(item->block, &item->arm->driven, item->arm->round_steps,
                 r->stop_flag);
    item->seconds += clock() - t;
    item->steps += item->arm->round_steps;
}

static void move_pool_item(void *self, size_t i)
{
    cs_run *r = self;
    move_item(r, r->pool_item[i], cs_clock_thread);
}

/* What the blocks that workers may move will take, by what they took so far. */
static bool is_short(const cs_run *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n_pool && sum < short_seconds; i++) {
        const cs_item *item = &r->item[r->pool_item[i]];
        double each =
            item->steps ? item->seconds / (double)item->steps : short_seconds;
        sum += each * (double)item->arm->round_steps;
    }
    return sum < short_seconds;
}

static void move_all(cs_run *r)
{
    bool here = is_short(r);
    if (!here)
        cs_pool_run(r->pool, move_pool_item, r, r->n_pool);
    for (size_t i = 0; here && i < r->n_pool; i++)
        move_item(r, r->pool_item[i], cs_clock);
    for (size_t i = 0; i < r->n_main; i++)
        move_item(r, r->main_item[i], here ? cs_clock : cs_clock_thread);
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
        a->reached = a->steps;
        for (size_t b = 0; b < a->n_blocks; b++)
            if (a->block[b]->step > a->reached)
                a->reached = a->block[b]->step;
    }
    if (cs_run_is_split(r))
        cs_ranks_meet(r);
}

/* A stop, or the failure of all chains of a block, leaves the blocks of an arm
 * at different steps: those that are behind catch up. */
static void catch_up(cs_arm *a)
{
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_block *block = a->block[b];
        if (!cs_arm_moves(a, block) && a->of_rank)
            block->step = a->reached; /* on another rank */
        while (cs_arm_moves(a, block) && block->step < a->reached) {
            size_t n = (size_t)(a->reached - block->step);
            cs_arm_fill(a, block->step + 1, n);
            cs_block_run(block, &a->driven, n, NULL);
        }
    }
}

/* The parameters of the coming steps; an arm goes no farther than its
 * schedules have values. */
static void plan_ahead(cs_run *r, cs_arm *a)
{
    size_t wanted = a->round_steps;
    const uint64_t cycle_from = cs_arm_cycle_from(a);
    for (size_t i = 0; i < a->n_blocks; i++)
        a->block[i]->cycle_from = cycle_from;
    a->round_steps = cs_arm_fill(a, a->steps + 1, wanted);
    if (a->round_steps && a->round_steps < wanted)
        cs_arm_fill(a, a->steps + 1, a->round_steps);
    if (a->round_steps == 0)
        r->stuck = a;
}

static void prepare(cs_run *r, uint64_t goal)
{
    r->n_pool = r->n_main = 0;
    cs_draws_end_warmups(r);
    cs_run_follow_target(r);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        bool go = !a->finished && !cs_arm_waits(a) && cs_arm_step(r, a) < goal;
        a->round_steps = go ? allowed(r, a, goal - cs_arm_step(r, a)) : 0;
        uint64_t period = cs_exchange_period(a);
        if (period && a->round_steps > period - a->steps % period)
            a->round_steps = (size_t)(period - a->steps % period);
        if (a->round_steps > cs_tuning_left(a))
            a->round_steps = (size_t)cs_tuning_left(a);
        if (a->round_steps > cs_learns_left(a))
            a->round_steps = (size_t)cs_learns_left(a);
        a->budget_before = spent(r, a);
        if (a->round_steps)
            plan_ahead(r, a);
        cs_judged_make_room(a);
    }
    for (size_t i = 0; i < r->n_items; i++) {
        const cs_arm *a = r->item[i].arm;
        if (!cs_arm_moves(a, r->item[i].block))
            continue;
        if (a->round_steps && owners_only(r, a))
            r->main_item[r->n_main++] = i;
        else if (a->round_steps)
            r->pool_item[r->n_pool++] = i;
    }
}

static void settle(cs_run *r, cs_arm *a)
{
    if (a->round_steps == 0)
        return;
    uint64_t from = a->steps;
    a->steps = a->reached;
    uint64_t period = cs_exchange_period(a);
    if (period && a->steps > from && a->steps % period == 0)
        cs_arm_exchange(r, a);
    bool tunes = cs_tuning_left(a) != UINT64_MAX;
    cs_tuning_settle(r, a, a->steps - from);
    cs_learns_settle(r, a, a->steps - from, tunes);
    a->finished = cs_arm_is_finished(r, a);
    double part = spent(r, a);
    if (a->steps > from)
        a->max_step_cost =
            fmax(a->max_step_cost,
                 (part - a->budget_before) / (double)(a->steps - from));
}

/* Whether there is anything to move, here or on another rank. */
static bool goes_on(const cs_run *r)
{
    bool any = r->n_pool + r->n_main > 0;
    for (size_t i = 0; cs_run_is_split(r) && i < r->n_arms; i++)
        any |= r->arm[i].round_steps > 0;
    return any;
}

static void move_round(cs_run *r)
{
    move_all(r);
    look_how_far(r);
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].round_steps)
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
        if (r->stop_flag && atomic_load(r->stop_flag)) {
            goal = most; /* the arms meet where the first one is */
            r->stop_flag = NULL;
        }
    }
    r->steps = 0;
    for (size_t i = 0; i < r->n_arms; i++)
        if (cs_arm_step(r, &r->arm[i]) > r->steps)
            r->steps = cs_arm_step(r, &r->arm[i]);
}

/* ---- advancing ---- */

bool cs_run_finished(const cs_run *r)
{
    if (!r->lifted && r->budget.seconds > 0 && r->seconds >= r->budget.seconds)
        return true;
    for (size_t i = 0; i < r->n_arms; i++)
        if (!r->arm[i].finished)
            return false;
    return true;
}

/* The next look around comes after about quantum_seconds. */
static void adapt(cs_run *r, uint64_t steps, double seconds)
{
    if (seconds < quantum_seconds / 2 && steps >= r->quantum &&
        r->quantum < QUANTUM)
        r->quantum *= 2;
    if (seconds > 2 * quantum_seconds && r->quantum > 1)
        r->quantum /= 2;
}

/* In the past what was changed is changed again; *goal: no farther than to the
 * next such step. */
static cs_status go_through(cs_run *r, uint64_t *goal, cs_error *err)
{
    while (cs_remembered_step(r) <= r->steps) {
        cs_status s = cs_remembered_next(r, err);
        if (s != CS_OK)
            return s;
    }
    if (cs_remembered_step(r) < *goal)
        *goal = cs_remembered_step(r);
    for (; r->n_journal < r->n_all; r->n_journal++) {
        uint64_t step = r->journal[r->n_journal].step;
        if (step > r->steps) {
            *goal = step < *goal ? step : *goal;
            break;
        }
        cs_status s = cs_change_replay(r, r->n_journal, err);
        if (s != CS_OK)
            return s;
    }
    return CS_OK;
}

cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err)
{
    uint64_t from = r->steps;
    uint64_t goal = n > UINT64_MAX - from ? UINT64_MAX : from + n;
    cs_status status = CS_OK;
    *r->ended = 0;
    r->stuck = NULL; /* a step cannot fail; a chain can: cs_run_fault */
    cs_marks_begin(r);
    cs_draws_touch(r);
    while ((r->steps < goal || cs_run_behind(r)) && !r->stuck && !status &&
           !atomic_load(&r->stop) && !cs_run_finished(r) && !cs_run_waits(r)) {
        uint64_t behind = cs_run_behind(r), at = r->steps - behind;
        uint64_t next = behind ? r->steps : goal;
        if (!behind && (status = go_through(r, &next, err)) != CS_OK)
            break;
        uint64_t left = next - at, most = cs_draws_steps(r);
        left = left < most ? left : most;
        double t = cs_clock(), busy = cs_run_clock(r);
        uint64_t to = at + (left < r->quantum ? left : r->quantum);
        cs_run_order(r, (cs_order){.kind = CS_ORDER_ADVANCE, .goal = to});
        r->stop_flag = cs_run_is_split(r) ? NULL : &r->stop;
        cs_run_rounds(r, to);
        r->stop_flag = NULL;
        if (cs_run_is_split(r))
            status = cs_ranks_agree(r->ranks, CS_OK, err);
        r->end = r->end > r->steps ? r->end : r->steps;
        cs_draws_flush(r);
        r->epoch++;
        t = cs_clock() - t;
        r->seconds += t;
        r->since_mark += t;
        busy = cs_run_clock(r) - busy;
        adapt(r, r->steps - at - (behind ? cs_run_behind(r) : 0), busy);
        if (cs_marks_due(r))
            cs_marks_take(r);
    }
    atomic_store(&r->stop, false);
    if (done)
        *done = r->steps - from;
    if (!r->stuck)
        return status;
    return cs_fail(err, CS_NUMERIC,
                   "a schedule of arm %s has no value at step %llu",
                   r->stuck->name, (unsigned long long)r->stuck->steps + 1);
}

void cs_run_stop(cs_run *r)
{
    atomic_store(&r->stop, true);
}
