#include "session/state/motion.h"

#include "base/clock.h"
#include "base/count.h"
#include "kernel/composed.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/draws/recorded.h"
#include "run/history/changes.h"
#include "run/transfer.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "session/state/follow_ranks.h"
#include "session/state/session_state.h"
#include "session/state/signals.h"

#include <assert.h>
#include <math.h>

#define QUANTUM 0.0025 /* seconds per advance; see on_command in signals.c */

static void put_at(cs_session *s, double fired, bool loaded)
{
    assert(s->open.run);
    if (s->host->placed)
        s->host->placed(s->host->self, fired, loaded);
    cs_background_reports_forget(s->reports);
    s->move.event_at = 0;
    s->show.dirty = true;
    cs_own_placed(&s->own, s->host);
}

void cs_session_placed(cs_session *s, uint64_t step, bool redo)
{
    put_at(s, (double)step - redo, false);
}

void cs_session_loaded(cs_session *s)
{
    put_at(s, (double)cs_run_steps(s->open.run), true);
}

/* Returns the number of turns of members in a step of a composed kernel. Steps of
 * a mixture may differ; the largest number counts. */
static uint64_t count_turns(const cs_composed *c)
{
    enum { MOST = 16 };
    uint64_t n = 0;
    for (size_t k = 0; k < c->n && n < MOST; k++) {
        const cs_composed *inner = cs_composed_of(&c->member[k].kernel);
        uint64_t some = inner ? count_turns(inner) * c->member[k].times : 1;
        n = !c->mixture ? n + some : some > n ? some : n;
    }
    return n < 1 ? 1 : n < MOST ? n : MOST;
}

double cs_session_turns(const cs_session *s)
{
    if (s->look.arm >= cs_run_arms(s->open.run))
        return 1;
    const cs_composed *c =
        cs_composed_of(cs_run_arm(s->open.run, s->look.arm).kernel);
    return c ? (double)count_turns(c) : 1;
}

void cs_session_pace(cs_session *s)
{
    s->move.speed_from = cs_clock();
    s->move.speed_step = s->open.run ? cs_run_steps(s->open.run) : 0;
    s->move.turns = s->open.run ? cs_session_turns(s) : 1;
}

void cs_session_slow(cs_session *s, uint64_t until)
{
    s->move.slow_until = until;
    s->show.dirty = true;
    cs_session_pace(s);
}

cs_status cs_session_go(cs_session *s, uint64_t goal, bool beyond,
                        cs_error *err)
{
    if (!s->open.run) {
        cs_fail(err, CS_UNSUPPORTED, "no scenario is open");
        cs_hint(err, "open a scenario first");
        return CS_UNSUPPORTED;
    }
    if (s->host->afresh)
        s->host->afresh(s->host->self);
    if (beyond && cs_run_finished(s->open.run) && cs_run_lives(s->open.run) &&
        !cs_periods_follows(s) && !s->open.watch) {
        cs_run_lift(s->open.run);
        cs_session_say(s, "running beyond the budget from step %s on",
                       cs_count((double)cs_run_steps(s->open.run)).text);
    }
    s->move.failed = false;
    s->move.goal = goal;
    s->move.running = true;
    s->move.waits = false;
    cs_session_pace(s);
    s->show.rate_time = 0;
    s->move.calling = 0;
    s->show.dirty = true;
    return CS_OK;
}

void cs_session_pause(cs_session *s)
{
    cs_error err;
    if (cs_session_gather(s, &err))
        cs_session_say(s, "%s", err.what);
    s->show.dirty |= s->move.running || s->move.waits;
    s->move.turn = 0;
    s->move.running = s->move.waits = false;
    s->breaks.next.kinds = 0;
    s->breaks.by_hand = false;
    s->show.rate = 0;
}

static void fail(cs_session *s, const cs_error *err)
{
    char text[1024];
    cs_error_format(err, text, sizeof text);
    cs_session_pause(s);
    s->move.failed = true;
    cs_session_say(s, "%s", text);
}

/* Returns true in slow motion if another arm or kernel was chosen, whose steps
 * have another number of turns. */
static bool slow_pace_changed(const cs_session *s)
{
    return cs_run_steps(s->open.run) < s->move.slow_until &&
           s->move.turns != cs_session_turns(s);
}

/* Returns the number of steps that may be made now. If it is 0, *wait is the
 * number of seconds until the next step, or the next turn of a member, is due,
 * and *turn the number of turns that are due. */
static uint64_t allowed(const cs_session *s, double *wait, uint64_t *turn)
{
    uint64_t done = cs_run_steps(s->open.run), n = s->move.quantum;
    *wait = 0;
    *turn = 0;
    if (s->move.goal - done < n)
        n = s->move.goal - done;
    n = cs_periods_limit(s, n);
    if (cs_run_behind(s->open.run))
        return n;
    if (s->move.event_at > done && s->move.event_at - done < n)
        n = s->move.event_at - done;
    n = cs_own_limit(&s->own, done, cs_breaks_limit(s, n));
    bool slow = done < s->move.slow_until;
    double speed = slow ? CS_SLOW : s->move.speed;
    if (speed <= 0 || s->breaks.next.kinds)
        return n;
    double turns = slow ? cs_session_turns(s) : 1;
    double due = (cs_clock() - s->move.speed_from) * speed / turns -
                 (double)(done - s->move.speed_step);
    if (due < 1) {
        double made = fmax(floor(due * turns), 0);
        *wait = (made + 1 - due * turns) / speed;
        *turn = (uint64_t)made;
        return 0;
    }
    if (slow && s->move.slow_until - done < n)
        n = s->move.slow_until - done;
    return due < (double)n ? (uint64_t)due : n;
}

/* Collects a script's output while the run advances, and reports each line as
 * one message. */
typedef struct listener {
    cs_session *s;
    char line[256];
    size_t used;
} listener;

static void hear(void *to, const char *text, size_t n)
{
    listener *l = to;
    for (size_t i = 0; i < n; i++) {
        bool end = text[i] == '\n';
        if (!end && l->used + 1 < sizeof l->line)
            l->line[l->used++] = text[i];
        if (!end || l->used == 0)
            continue;
        l->line[l->used] = 0;
        cs_session_say(l->s, "%s", l->line);
        l->used = 0;
    }
}

static void events(cs_session *s)
{
    cs_error err = {0};
    listener l = {.s = s};
    bool ended = cs_run_ended(s->open.run) != NULL;
    uint64_t next =
        s->host->events
            ? s->host->events(s->host->self, s->open.run, hear, &l, &err)
            : UINT64_MAX;
    hear(&l, "\n", 1);
    uint64_t now = cs_run_steps(s->open.run);
    s->move.event_at = next > UINT64_MAX - now ? UINT64_MAX : now + next;
    if (!err.status && !ended && cs_run_ended(s->open.run))
        cs_breaks_rule(s, cs_run_ended(s->open.run));
    if (!err.status)
        return;
    cs_record_tear(s->record); /* a step or an event was interrupted */
    fail(s, &err);
}

static void tell_faults(cs_session *s)
{
    char text[512];
    while (cs_run_fault(s->open.run, text, sizeof text))
        cs_session_say(s, "%s", text);
}

static void end_dead(cs_session *s)
{
    cs_error err;
    cs_fail(&err, CS_NUMERIC, "all chains have stopped");
    cs_hint(&err, cs_run_is_recorded(s->open.run)
                      ? "see the reasons above"
                      : "see the reasons above; change the start or the "
                        "density, then restart with r");
    fail(s, &err);
}

/* Returns true if the goal is reached and all arms have the same number of
 * steps. */
static bool is_there(const cs_session *s)
{
    const cs_run *r = s->open.run;
    return (cs_run_finished(r) && !cs_periods_follows(s)) ||
           (cs_run_steps(r) >= s->move.goal && !cs_run_behind(r));
}

/* Reports that the run has ended, and that the event that was searched for has
 * not happened. */
static void give_up_search(cs_session *s)
{
    char words[256];
    if (!s->breaks.next.kinds)
        return;
    cs_break_words(s, &s->breaks.next, words, sizeof words);
    cs_session_say(s, "no %s up to step %s, where the run ends", words,
                   cs_count((double)cs_run_steps(s->open.run)).text);
}

/* Returns the arms that have fewer steps than the others, one bit per arm. Arms
 * beyond the 64th are not reported. */
static uint64_t behind(const cs_run *r)
{
    uint64_t bits = 0;
    for (size_t i = 0; cs_run_behind(r) && i < cs_run_arms(r) && i < 64; i++) {
        cs_arm_view a = cs_run_arm(r, i);
        bits |= (uint64_t)(!a.finished && a.steps < cs_run_steps(r)) << i;
    }
    return bits;
}

static bool look_at_caught_up(cs_session *s, uint64_t were)
{
    uint64_t now = were ? behind(s->open.run) : 0;
    bool held = false;
    for (size_t i = 0; were & ~now && i < 64 && !held; i++)
        if ((were & ~now) >> i & 1)
            held = cs_breaks_caught_up(s, i);
    return held;
}

static void advance(cs_session *s, uint64_t n)
{
    cs_error err = {0};
    uint64_t were = behind(s->open.run);
    uint64_t done = 0, begin = cs_run_steps(s->open.run),
             end = cs_run_end(s->open.run);
    double from = cs_run_clock(s->open.run);
    cs_status status = cs_session_advance(s, n, &done, &err);
    double spent = cs_run_clock(s->open.run) - from;
    double better = (double)n * QUANTUM / fmax(spent, 1e-6);
    better = fmin(fmax(better, 0.5 * (double)s->move.quantum),
                  2 * (double)s->move.quantum);
    if (n && done == n &&
        (n == s->move.quantum || better < (double)s->move.quantum))
        s->move.quantum = (uint64_t)fmin(fmax(better, 1), 1e9);
    bool rests = is_there(s) || cs_signals_asked() || status ||
                 !cs_run_lives(s->open.run);
    if (rests && !status)
        status = cs_session_gather(s, &err);
    bool held = status == CS_OK &&
                (look_at_caught_up(s, were) || cs_breaks_look(s, begin, end));
    /* Events are run before a checkpoint is written, so that the checkpoint
     * includes the events that are due at this step. If the script fails, the
     * script's error is reported, since it is the most useful message. */
    bool due = s->move.event_at <= cs_run_steps(s->open.run);
    from = cs_clock();
    events(s);
    s->move.calling += due ? cs_clock() - from : 0;
    cs_own_sample(&s->own, s->host, cs_run_steps(s->open.run));
    if (!s->move.failed && status != CS_OK && status != CS_STOPPED)
        fail(s, &err);
    if (!s->move.failed) /* after a failure, the message already includes the
                          * fault */
        tell_faults(s);
    if (!s->move.failed && !cs_run_lives(s->open.run))
        end_dead(s);
    if ((s->move.running || held) && s->record &&
        cs_record_tend(s->record, s->open.run, &err))
        fail(s, &err);
    if (cs_signals_asked())
        cs_session_pause(s);
    if (is_there(s)) {
        give_up_search(s);
        cs_session_pause(s);
    } else if (s->move.running && cs_run_waits(s->open.run)) {
        cs_session_pause(s);
        s->move.waits = true;
    }
}

/* Drops errors of callbacks that were called outside a step. */
static void forget_errors(const cs_host *h)
{
    if (h->forget)
        h->forget(h->self);
}

double cs_session_move(cs_session *s)
{
    assert(s->open.run && s->move.running);
    if (is_there(s)) {
        cs_session_pause(s);
        return 0;
    }
    if (cs_periods_follows(s) && !cs_run_behind(s->open.run)) {
        cs_error err;
        if (cs_periods_next(s, &err))
            fail(s, &err);
    }
    if (s->move.event_at <= cs_run_steps(s->open.run)) {
        forget_errors(s->host);
        events(s);
    }
    if (!s->move.running)
        return 0;
    double wait;
    if (slow_pace_changed(s))
        cs_session_pace(s);
    uint64_t turn, n = allowed(s, &wait, &turn);
    s->show.dirty |= turn != s->move.turn;
    s->move.turn = turn;
    if (n || cs_run_behind(s->open.run))
        advance(s, n);
    if (s->move.slow_until && cs_run_steps(s->open.run) >= s->move.slow_until)
        cs_session_slow(s, 0);
    return wait;
}
