/* The steps of cycles and mixtures. */
#include "kernel/composed.h"
#include "kernel/member_metrics.h"
#include "kernel/turns.h"

#include "base/clock.h"
#include "target/part_window.h"

#include <math.h>
#include <string.h>

/* Rows of the scratch: log p before the step of the whole, of a member, and of
 * the turn of a member that sums out coordinates; the mean acceptance of a
 * member; flags of a member, and of the whole step. */
enum {
    LOGP_FIRST,
    LOGP_BEFORE,
    LOGP_JOINT,
    ACCEPT_STAT,
    MASKS,
    STEP_MASKS,
    FIXED_ROWS
};

size_t cs_composed_scratch(const cs_composed *c)
{
    return FIXED_ROWS + 2 * c->x_rows + c->memory_rows + c->eval_rows +
           c->kernel_rows;
}

cs_streams cs_member_streams(const cs_member *q, const cs_streams *whole,
                             uint64_t turn)
{
    cs_streams s = *whole;
    for (size_t p = 0; p < CS_PURPOSES; p++)
        for (size_t w = 0; w < 2; w++)
            s.key[p].word[w] ^= q->mix.word[w];
    s.step = whole->step ? (whole->step - 1) * q->times + turn + 1 : 0;
    s.ahead = whole->ahead ? whole->ahead + q->ahead : NULL;
    return s;
}

size_t cs_mixture_choice(const cs_composed *c, const cs_streams *whole)
{
    uint64_t word[2];
    size_t k = 0;
    cs_threefry2x64(20, (uint64_t[2]){whole->step, UINT64_MAX},
                    whole->key[CS_FOR_LENGTH].word, word);
    double left = ((double)(word[0] >> 12) + 0.5) * 0x1p-52;
    while (k + 1 < c->n && left >= c->member[k].weight)
        left -= c->member[k++].weight;
    return k;
}

/* A member at work: the move that its kernel sees, and its evaluator. */
typedef struct turn {
    const cs_composed *of;
    const cs_member *member;
    const cs_part_window *window; /* NULL: the member moves the whole state */
    cs_move *whole;
    cs_move move;
    cs_eval eval;
    double *before;   /* [dim][lanes] copy of x for failed lanes */
    double *spare;    /* copy of the member's memory */
    double *old_logp; /* [lanes] */
    bool *ask, *rest, *moved, *odd, *diverged; /* [lanes] */
    cs_turns *notes; /* NULL: the step is not inspected */
} turn;

static double *take(double **at, size_t rows, size_t lanes)
{
    double *mine = *at;
    *at += rows * lanes;
    return mine;
}

/* Returns the evaluator of a member. It has the caches of the whole. */
static cs_eval eval_of(const cs_move *m, const cs_target *target,
                       double *scratch)
{
    cs_eval e;
    cs_eval_open(&e, target, m->lanes, m->live, NULL, scratch);
    e.cache[CS_NOW] = m->eval->cache[CS_NOW];
    e.cache[CS_NEXT] = m->eval->cache[CS_NEXT];
    e.failed = m->eval->failed;
    e.power = m->eval->power;
    e.unasked = m->eval->unasked;
    e.work = m->eval->work;
    e.around = m->x;
    return e;
}

/* Fills q for a member of the move m. (q->move refers to q->eval, so q must
 * stay in place.) */
static void begin(turn *q, cs_move *m, const cs_member *member)
{
    const cs_composed *c = m->self;
    size_t n = m->lanes;
    double *at = m->scratch + FIXED_ROWS * n;
    bool *masks = (bool *)(void *)(m->scratch + MASKS * n);
    *q = (turn){.of = c,
                .member = member,
                .window = cs_part_window_of(member->target),
                .whole = m,
                .move = *m,
                .notes = cs_turns_of(m),
                .old_logp = m->scratch + LOGP_BEFORE * n,
                .ask = masks,
                .rest = masks + n,
                .moved = masks + 2 * n,
                .odd = masks + 3 * n,
                .diverged = masks + 4 * n};
    double *x = take(&at, c->x_rows, n);
    q->before = take(&at, c->x_rows, n);
    q->spare = take(&at, c->memory_rows, n);
    double *scratch = take(&at, c->eval_rows, n);
    cs_move *to = &q->move;
    if (q->window) {
        q->eval = eval_of(m, member->target, scratch);
        to->eval = &q->eval;
        to->x = x;
        q->eval.now = x;
        q->eval.watch = q->notes ? &q->notes->inside.watch : NULL;
        cs_part_window_gather(q->window, m->x, n, x);
        q->eval.around_is_now = true;
    }
    /* A symmetric kernel writes these rows in `init` only. */
    memset(to->info.log_q_forward, 0, n * sizeof(double));
    memset(to->info.log_q_back, 0, n * sizeof(double));
    to->space = &member->target->space;
    to->dim = member->target->space.dim;
    to->memory += member->memory * n;
    to->scratch = at;
    to->param += member->first_param * n;
    to->info.stat += member->first_stat * n;
    to->info.accept_stat = m->scratch + ACCEPT_STAT * n;
    to->info.proposal = to->info.aux_proposal = NULL;
    to->self = member->kernel.self;
    to->stop = NULL; /* a step of a member must not be abandoned */
    to->multi_step = to->packed_valid = false;
    to->packed_x = to->packed_proposal = NULL;
    to->metric = cs_member_metric(c, (size_t)(member - c->member), m->metric);
    to->streams = cs_member_streams(member, &m->streams, 0);
}

/* Writes the states of the member back, unless they are there. */
static void end(turn *q)
{
    if (!q->window)
        return;
    if (!q->eval.around_is_now)
        cs_part_window_scatter(q->window, q->move.x, q->whole->lanes,
                               q->whole->x);
    q->whole->eval->work = q->eval.work;
}

static size_t index_of(const turn *q)
{
    return (size_t)(q->member - q->of->member);
}

static double *stale_of(const turn *q)
{
    return q->whole->memory + index_of(q) * q->whole->lanes;
}

static double *counter_of(const turn *q, size_t row)
{
    return q->whole->memory +
           (cs_member_counters(q->of, index_of(q)) + row) * q->whole->lanes;
}

/* Counts a step of the lanes that have not failed. */
static void count_step(turn *q)
{
    const cs_info *i = &q->move.info;
    double *steps = counter_of(q, CS_MEMBER_STEPS),
           *accepted = counter_of(q, CS_MEMBER_ACCEPTED),
           *moved = counter_of(q, CS_MEMBER_MOVED);
    bool tells = q->member->kernel.type->flags & CS_KERNEL_ACCEPT_STAT;
    for (size_t l = 0; l < q->whole->live; l++) {
        double by = tells ? i->accept_stat[l] : i->accepted[l];
        bool counts = !q->rest[l];
        steps[l] += counts;
        moved[l] += counts && i->moved[l];
        accepted[l] += counts && isfinite(by) ? by : 0;
    }
}

/* Adds the work since `before`. */
static void count_work(turn *q, const cs_work *before)
{
    const cs_work *now = &q->whole->eval->work;
    *counter_of(q, CS_MEMBER_LOG_DENSITIES) +=
        (double)(now->log_densities - before->log_densities);
    *counter_of(q, CS_MEMBER_GRADIENTS) +=
        (double)(now->gradients - before->gradients);
    *counter_of(q, CS_MEMBER_SITES) +=
        (double)(now->site_differences - before->site_differences);
}

/* Calls the member's `init` for the lanes in which another member has moved.
 * The memory of the other lanes is unchanged. */
static void remember_again(turn *q)
{
    size_t n = q->whole->lanes;
    size_t words =
        cs_kernel_memory_words(&q->member->kernel, q->member->target);
    double *stale = stale_of(q), *logp = q->move.info.logp;
    bool any = false;
    for (size_t l = 0; l < n; l++) {
        q->ask[l] = stale[l] != 0 && !q->whole->failed[l];
        q->rest[l] = !q->ask[l];
        any |= q->ask[l];
        stale[l] = 0;
    }
    if (!any)
        return;
    memcpy(q->spare, q->move.memory, words * n * sizeof *q->spare);
    memcpy(q->old_logp, logp, n * sizeof *logp);
    const bool *failed = q->move.eval->failed;
    q->move.eval->failed = q->rest;
    cs_eval_ask(q->move.eval, q->ask);
    q->move.fresh = false;
    q->member->kernel.type->init(&q->move);
    cs_eval_ask(q->move.eval, NULL);
    q->move.eval->failed = failed;
    for (size_t l = 0; l < n; l++) {
        if (q->rest[l] || !isnan(logp[l]))
            logp[l] = q->old_logp[l];
        for (size_t at = l; q->rest[l] && at < words * n; at += n)
            q->move.memory[at] = q->spare[at];
    }
}

/* Keeps failed chains at the states that they had before the member's step. */
static void hold_failed(turn *q)
{
    size_t n = q->whole->lanes;
    for (size_t l = 0; l < n; l++) {
        if (!q->rest[l])
            continue;
        for (size_t at = l; at < q->move.dim * n; at += n)
            q->move.x[at] = q->before[at];
        q->move.info.logp[l] = q->old_logp[l];
        q->move.info.moved[l] = false;
        q->move.eval->around_is_now = false;
    }
}

/* Adds the index of the member to the reasons of the chains that failed in its
 * step (cs_composed_explain). */
static void give_reasons(const turn *q)
{
    for (size_t l = 0; l < q->whole->live; l++) {
        cs_reason *why = &q->whole->why[l];
        if (!q->rest[l] && q->whole->failed[l] && why->code)
            why->code = why->code * (int)q->of->n + (int)index_of(q);
    }
}

/* Makes one step of the member. A composed member holds the failed chains
 * itself. */
static void step_member(turn *q, uint64_t number)
{
    size_t n = q->whole->lanes;
    const cs_info *i = &q->move.info;
    bool any = false;
    for (size_t l = 0; l < n; l++)
        any |= q->rest[l] = q->whole->failed[l];
    any &= !q->member->kernel.type->composes;
    if (any) {
        memcpy(q->before, q->move.x, q->move.dim * n * sizeof *q->before);
        memcpy(q->old_logp, i->logp, n * sizeof *i->logp);
    }
    q->move.streams = cs_member_streams(q->member, &q->whole->streams, number);
    cs_turns *notes = q->member->kernel.type->composes ? NULL : q->notes;
    if (notes)
        cs_turns_before(notes, q->member, number, q->whole, &q->move);
    q->member->kernel.type->step(&q->move);
    if (any)
        hold_failed(q);
    give_reasons(q);
    if (notes)
        cs_turns_after(notes, q->member, q->whole, &q->move);
    if (!q->member->kernel.type->composes)
        count_step(q);
    for (size_t l = 0; l < n; l++) {
        q->moved[l] |= i->moved[l];
        q->odd[l] |= isnan(i->log_ratio[l]);
    }
    const double *divergent = q->member->divergent < 0
                                  ? NULL
                                  : i->stat + (size_t)q->member->divergent * n;
    for (size_t l = 0; divergent && l < n; l++)
        q->diverged[l] |= !q->rest[l] && divergent[l] != 0;
}

static void forget_sum(double *known, const bool *moved, size_t n)
{
    for (size_t l = 0; l < n; l++)
        known[l] = moved[l] ? HUGE_VAL : known[l];
}

/* Marks the memories of all members but one that depend on the state, and those
 * of the members of composed members. `memory` is that of the composed
 * kernel. */
static void mark_stale(const cs_composed *c, const cs_member *but,
                       double *memory, const bool *moved, size_t n)
{
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        if (q == but)
            continue;
        if (inner)
            mark_stale(inner, NULL, memory + q->memory * n, moved, n);
        for (size_t l = 0; q->remembers && l < n; l++)
            if (moved[l])
                memory[k * n + l] = 1;
        if (q->sums && !(but && but->sums && but->owner == q->owner))
            forget_sum(memory + cs_member_sum(c, k) * n, moved, n);
    }
}

/* ---- coordinates that are summed out -------------------------------------- */

static double *sum_of(const cs_move *m, size_t member)
{
    return m->memory + cs_member_sum(m->self, member) * m->lanes;
}

/* Gives the log density at which a member that sums out coordinates starts, and
 * computes it if it is not known. The lanes of failed chains are not restored
 * before draw_summed. */
static void begin_sums(turn *q)
{
    const cs_move *m = q->whole;
    double *logp = q->move.info.logp;
    const double *known = sum_of(m, index_of(q));
    bool any = false;
    memcpy(m->scratch + LOGP_JOINT * m->lanes, logp, m->lanes * sizeof *logp);
    for (size_t l = 0; l < m->lanes; l++)
        any |= q->ask[l] = known[l] == HUGE_VAL && !m->failed[l];
    if (any) {
        cs_eval_ask(&q->eval, q->ask);
        cs_eval_log_density(&q->eval, CS_NOW, q->move.x, logp);
        cs_eval_ask(&q->eval, NULL);
    }
    for (size_t l = 0; l < m->lanes; l++)
        if (!q->ask[l] && !m->failed[l])
            logp[l] = known[l];
}

/* Gives the reasons of the chains that failed in a draw. */
static void explain_sums(const turn *q, const cs_sum_draw *d)
{
    for (size_t l = 0; l < d->live; l++) {
        if (q->rest[l] || !d->failed[l])
            continue;
        cs_sum_fault f = cs_sum_out_fault(q->member->sum_out, d, l);
        int code = CS_REASON_SUMMED * (int)q->of->n + (int)index_of(q);
        q->whole->why[l] =
            (cs_reason){.code = code, .row = f.site, .value = f.value};
    }
}

/* Draws the coordinates that the member has summed out, and computes log p of
 * the whole. */
static void draw_summed(turn *q)
{
    cs_move *m = q->whole;
    size_t n = m->lanes;
    cs_streams streams = cs_member_streams(q->member->sums, &m->streams, 0);
    double *known = sum_of(m, index_of(q));
    streams.ahead = NULL;
    for (size_t l = 0; l < n; l++) {
        if (m->failed[l])
            m->info.logp[l] = m->scratch[LOGP_JOINT * n + l];
        else
            known[l] = m->info.logp[l];
        m->eval->work.log_densities += l < m->live && !m->failed[l];
    }
    if (q->notes)
        cs_turns_before_draw(q->notes, m);
    memcpy(q->rest, m->failed, n * sizeof *q->rest);
    const cs_sum_draw d = {.streams = &streams,
                           .lanes = n,
                           .live = m->live,
                           .x = m->x,
                           .logp = m->info.logp,
                           .failed = m->failed,
                           .moved = q->moved,
                           .scratch = m->scratch + FIXED_ROWS * n};
    cs_sum_out_draw(q->member->sum_out, &d);
    explain_sums(q, &d);
    if (q->notes)
        cs_turns_after_draw(q->notes, q->member->sums, m);
}

void cs_composed_init(cs_move *m)
{
    const cs_composed *c = m->self;
    memset(m->memory, 0, c->n * m->lanes * sizeof *m->memory); /* `stale` */
    for (size_t k = 0; k < c->n; k++)
        for (size_t l = 0; c->member[k].sums && l < m->lanes; l++)
            sum_of(m, k)[l] = HUGE_VAL;
    for (size_t k = 0; k < c->n; k++) {
        turn q;
        begin(&q, m, &c->member[k]);
        if (c->member[k].sums)
            begin_sums(&q);
        if (c->member[k].kernel.type->init)
            c->member[k].kernel.type->init(&q.move);
        if (c->member[k].sums)
            memcpy(m->info.logp, m->scratch + LOGP_JOINT * m->lanes,
                   m->lanes * sizeof *m->info.logp);
        end(&q);
    }
}

/* Fills info for the whole step, which has no accept step of its own. */
static void close_step(cs_move *m, const bool *moved, const bool *odd,
                       const double *logp_before)
{
    cs_info *i = &m->info;
    i->proposal = i->aux_proposal = NULL;
    for (size_t l = 0; l < m->lanes; l++) {
        i->logp_change[l] = moved[l] ? i->logp[l] - logp_before[l] : 0;
        i->log_q_forward[l] = i->log_q_back[l] = i->log_uniform[l] = 0;
        i->log_ratio[l] = odd[l] ? (double)NAN : 0;
        i->logp_proposal[l] = i->logp[l];
        i->accepted[l] = true;
        i->moved[l] = moved[l];
    }
}

/* The lanes of a step of the whole: [lanes] each. */
typedef struct outcome {
    bool *moved, *odd, *diverged; /* odd: the ratio of a member was NaN */
} outcome;

/* Makes the steps of one member, and adds their outcome. */
static void take_turn(cs_move *m, const cs_member *member, const outcome *all)
{
    turn q;
    size_t n = m->lanes;
    bool timed = m->streams.step % CS_MEMBER_TIMED == 1;
    double start = timed ? cs_clock() : 0;
    begin(&q, m, member);
    const cs_work work = q.move.eval->work;
    memset(q.moved, 0, n);
    memset(q.odd, 0, n);
    memset(q.diverged, 0, n);
    if (member->sums)
        begin_sums(&q);
    if (member->remembers)
        remember_again(&q);
    for (uint64_t j = 0; j < member->times; j++)
        step_member(&q, j);
    end(&q);
    if (member->sums)
        draw_summed(&q);
    if (!member->kernel.type->composes)
        count_work(&q, &work);
    mark_stale(q.of, member, m->memory, q.moved, n);
    if (timed)
        atomic_fetch_add_explicit(
            member->time, (unsigned long long)((cs_clock() - start) * 1e9),
            memory_order_relaxed);
    for (size_t l = 0; l < n; l++) {
        all->moved[l] |= q.moved[l];
        all->odd[l] |= q.odd[l];
        all->diverged[l] |= q.diverged[l];
    }
}

void cs_composed_step(cs_move *m)
{
    const cs_composed *c = m->self;
    size_t n = m->lanes;
    double *first = m->scratch + LOGP_FIRST * n;
    bool *masks = (bool *)(void *)(m->scratch + STEP_MASKS * n);
    const outcome all = {masks, masks + n, masks + 2 * n};
    memcpy(first, m->info.logp, n * sizeof *first);
    memset(masks, 0, 3 * n * sizeof *masks);
    if (c->mixture) /* members that make no step have no stats */
        memset(m->info.stat, 0, c->n_stats * n * sizeof *m->info.stat);
    if (c->mixture)
        take_turn(m, &c->member[cs_mixture_choice(c, &m->streams)], &all);
    for (size_t k = 0; !c->mixture && k < c->n; k++)
        take_turn(m, &c->member[k], &all);
    for (size_t l = 0; l < m->live; l++)
        m->memory[c->n * n + l] += !m->failed[l];
    for (size_t l = 0; c->n_own && l < n; l++)
        m->info.stat[l] = all.diverged[l];
    close_step(m, all.moved, all.odd, first);
}

static bool has_member(const cs_composed *c, const cs_member *member)
{
    bool has = false;
    for (size_t k = 0; k < c->n && !has; k++) {
        const cs_composed *inner = cs_composed_of(&c->member[k].kernel);
        has = &c->member[k] == member || (inner && has_member(inner, member));
    }
    return has;
}

void cs_composed_turn(cs_move *m, const cs_member *member)
{
    const cs_composed *c = m->self;
    size_t n = m->lanes;
    bool *masks = (bool *)(void *)(m->scratch + STEP_MASKS * n);
    const outcome all = {masks, masks + n, masks + 2 * n};
    assert(has_member(c, member));
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        if (q == member) {
            take_turn(m, q, &all);
        } else if (inner && has_member(inner, member)) {
            turn t;
            begin(&t, m, q);
            cs_composed_turn(&t.move, member);
            end(&t);
        }
    }
}
