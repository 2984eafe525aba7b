#include "session/state/periods.h"

#include "base/count.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/rest.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/views/view.h"
#include "session/state/opened.h"
#include "session/state/session_state.h"

#include <stdio.h>
#include <string.h>

/* ---- settings of the target ---- */

/* Replaces the settings of the target in `to` by those in `from`. */
static void copy_sets(cs_sets *to, const cs_sets *from)
{
    static const char head[] = CS_CHANGE_TARGET;
    char name[160];
    for (size_t i = to->n; i-- > 0;) {
        const char *set = to->set[i];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(set, "="), set);
        if (strncmp(name, head, sizeof head - 1) == 0)
            cs_sets_drop(to, name);
    }
    for (size_t i = 0; i < from->n; i++) {
        const char *set = from->set[i];
        size_t n = strcspn(set, "=");
        snprintf(name, sizeof name, "%.*s", (int)n, set);
        if (strncmp(name, head, sizeof head - 1) == 0)
            cs_sets_put(to, name, set + n + 1, NULL);
    }
}

void cs_periods_opened(cs_session *s)
{
    copy_sets(&s->periods.sets, &s->sets);
}

/* ---- lists ---- */

static void destroy(const cs_session *s, cs_period *p)
{
    if (p->open.run && s->host->park)
        s->host->park(s->host->self, p->open.run, false);
    cs_run_destroy(p->open.run);
    cs_inputs_drop(p->open.inputs);
    cs_free(p->open.scenario);
    cs_sets_clear(&p->sets);
    cs_free(p);
}

/* Destroys the periods with the index `from` and higher. */
static void cut(const cs_session *s, cs_period_list *list, size_t from)
{
    while (list->n > from)
        destroy(s, list->at[--list->n]);
}

/* Exchanges the periods of `a` from index `from` on for those of `b`. */
static void exchange(cs_period_list *a, size_t from, cs_period_list *b)
{
    cs_period_list later = {.n = a->n - from};
    memcpy(later.at, a->at + from, later.n * sizeof *later.at);
    memcpy(a->at + from, b->at, b->n * sizeof *b->at);
    a->n = from + b->n;
    *b = later;
}

void cs_periods_forget_branch(cs_session *s)
{
    cut(s, &s->periods.branch, 0);
    s->periods.fork = NULL;
}

void cs_periods_forget(cs_session *s)
{
    cs_periods_forget_branch(s);
    cut(s, &s->periods.all, 0);
    cs_sets_clear(&s->periods.sets);
    s->periods = (cs_periods){.now = 0};
}

/* Removes the earliest period, which must not be the open run. */
static void drop_oldest(cs_session *s)
{
    cs_periods *t = &s->periods;
    if (t->fork == t->all.at[0])
        cs_periods_forget_branch(s);
    destroy(s, t->all.at[0]);
    memmove(t->all.at, t->all.at + 1, --t->all.n * sizeof *t->all.at);
    t->now--;
}

static uint64_t bytes_of(const cs_period_list *list)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->n; i++)
        bytes +=
            list->at[i]->open.run ? cs_run_bytes(list->at[i]->open.run) : 0;
    return bytes;
}

static void make_room(cs_session *s)
{
    cs_periods *t = &s->periods;
    while (t->now &&
           (t->all.n == CS_PERIODS || bytes_of(&t->all) > CS_PERIOD_BYTES))
        drop_oldest(s);
    if (bytes_of(&t->all) + bytes_of(&t->branch) > CS_PERIOD_BYTES)
        cs_periods_forget_branch(s);
}

/* ---- the open run among its periods ---- */

static bool has_later(const cs_periods *t)
{
    return t->now + 1 < t->all.n;
}

static cs_run *run_of(const cs_session *s, const cs_period *p)
{
    const cs_periods *t = &s->periods;
    return p == t->all.at[t->now] ? s->open.run : p->open.run;
}

const cs_run *cs_period_run(const cs_session *s, size_t i)
{
    const cs_periods *t = &s->periods;
    if (i == t->now)
        return s->open.run;
    return i < t->all.n ? t->all.at[i]->open.run : NULL;
}

uint64_t cs_session_oldest(const cs_session *s)
{
    return cs_run_oldest(cs_period_run(s, 0));
}

uint64_t cs_session_end(const cs_session *s)
{
    const cs_periods *t = &s->periods;
    return cs_run_end(cs_period_run(s, t->all.n ? t->all.n - 1 : 0));
}

/* Makes period i the open run, and puts the open run aside. */
static void take(cs_session *s, size_t i)
{
    cs_periods *t = &s->periods;
    cs_period *from = t->all.at[t->now], *to = t->all.at[i];
    char arm[64];
    if (from == to)
        return;
    snprintf(arm, sizeof arm, "%s", cs_run_arm_name(s->open.run, s->look.arm));
    cs_background_reports_forget(s->reports);
    from->open = s->open;
    copy_sets(&from->sets, &t->sets);
    if (s->host->park)
        s->host->park(s->host->self, from->open.run, true);
    cs_run_rest(from->open.run);
    t->now = i;
    copy_sets(&s->sets, &to->sets);
    copy_sets(&t->sets, &to->sets);
    cs_session_install(s, &to->open);
    to->open = (cs_opened){.run = NULL};
    cs_run *r = s->open.run;
    for (s->look.arm = cs_run_arms(r) - 1; s->look.arm; s->look.arm--)
        if (strcmp(cs_run_arm_name(r, s->look.arm), arm) == 0)
            break;
    if (s->look.chain >= cs_run_arm(r, s->look.arm).chains)
        s->look.chain = 0;
    s->show.dirty = true;
}

cs_status cs_session_travel(cs_session *s, uint64_t step, cs_error *err)
{
    cs_periods *t = &s->periods;
    size_t i = 0;
    if (t->all.n == 0)
        return cs_run_travel(s->open.run, step, err);
    while (i + 1 < t->all.n && step > t->all.at[i]->until)
        i++;
    cs_run *r = run_of(s, t->all.at[i]);
    cs_status status = cs_run_wake(r, err);
    if (status == CS_OK)
        status = cs_run_travel(r, step, err);
    if (status == CS_OK)
        take(s, i);
    return status;
}

/* ---- going on ---- */

uint64_t cs_periods_limit(const cs_session *s, uint64_t n)
{
    const cs_periods *t = &s->periods;
    uint64_t done = cs_run_steps(s->open.run);
    if (!has_later(t))
        return n;
    uint64_t left = t->all.at[t->now]->until - done;
    return left < n ? left : n;
}

bool cs_periods_follows(const cs_session *s)
{
    return has_later(&s->periods) && cs_periods_limit(s, 1) == 0;
}

cs_status cs_periods_next(cs_session *s, cs_error *err)
{
    cs_periods *t = &s->periods;
    cs_run *next = t->all.at[t->now + 1]->open.run;
    uint64_t step = t->all.at[t->now]->until;
    if (cs_record_none(s->record, NULL)) {
        cs_fail(err, CS_UNSUPPORTED,
                "the target changes after step %s, and draws are being written",
                cs_count((double)step).text);
        cs_hint(err, "stop writing with :out");
        return CS_UNSUPPORTED;
    }
    cs_status status = cs_run_wake(next, err);
    if (status == CS_OK)
        status = cs_run_travel(next, step, err);
    if (status)
        return status;
    take(s, t->now + 1);
    cs_session_placed(s, cs_session_end(s), false);
    return CS_OK;
}

/* ---- branches ---- */

/* Moves the periods after the open run to the branch. */
static void part(cs_session *s, bool inner)
{
    cs_periods *t = &s->periods;
    cs_period *is = t->all.at[t->now];
    cs_periods_forget_branch(s);
    t->fork = is;
    t->fork_until = is->until;
    t->inner = inner;
    t->parted = true;
    exchange(&t->all, t->now + 1, &t->branch);
    is->until = UINT64_MAX;
}

static void drop_later(cs_session *s)
{
    cs_periods *t = &s->periods;
    uint64_t *until = &t->all.at[t->now]->until;
    cs_session_say(s, "the steps after step %s, with another target, are gone",
                   cs_count((double)*until).text);
    cut(s, &t->all, t->now + 1);
    *until = UINT64_MAX;
}

void cs_periods_check(cs_session *s)
{
    const cs_periods *t = &s->periods;
    if (!s->open.run || !has_later(t))
        return;
    uint64_t until = t->all.at[t->now]->until;
    if (cs_run_end(s->open.run) > until && cs_run_steps(s->open.run) <= until)
        return;
    if (cs_run_branch(s->open.run) > until)
        part(s, true);
    else
        drop_later(s);
}

uint64_t cs_session_branch_end(const cs_session *s)
{
    const cs_periods *t = &s->periods;
    if (!t->fork)
        return cs_run_branch(s->open.run);
    if (t->branch.n)
        return cs_run_end(t->branch.at[t->branch.n - 1]->open.run);
    const cs_run *r = run_of(s, t->fork);
    return t->inner ? cs_run_branch(r) : cs_run_end(r);
}

cs_status cs_session_undo(cs_session *s, cs_error *err)
{
    cs_periods *t = &s->periods;
    size_t k = 0;
    if (!t->fork)
        return cs_run_undo(s->open.run, err);
    while (t->all.at[k] != t->fork)
        k++;
    cs_period *is = t->all.at[k];
    cs_run *r = run_of(s, is);
    /* the step of the change; the other is the end of the longer one */
    uint64_t at = is->until < t->fork_until ? is->until : t->fork_until;
    cs_status status = cs_run_wake(r, err);
    if (status == CS_OK)
        status = t->inner ? cs_run_undo(r, err) : cs_run_travel(r, at, err);
    if (status)
        return status;
    take(s, k);
    uint64_t until = is->until;
    exchange(&t->all, k + 1, &t->branch);
    is->until = t->fork_until;
    t->fork_until = until;
    return CS_OK;
}

/* ---- another run ---- */

static bool is_other_target(const cs_run *a, const cs_run *b)
{
    const char *p = cs_run_target(a)->parts.text;
    const char *q = cs_run_target(b)->parts.text;
    return strcmp(p ? p : "", q ? q : "") != 0;
}

/* Adds an empty period at the end of the list. Returns false if memory runs
 * out. */
static bool add(cs_period_list *list)
{
    cs_period *more = cs_alloc(1, sizeof *more);
    if (!more)
        return false;
    *more = (cs_period){.until = UINT64_MAX};
    list->at[list->n++] = more;
    return true;
}

void cs_periods_keep(cs_session *s, const cs_run *next)
{
    cs_periods *t = &s->periods;
    cs_run *old = s->open.run;
    bool ahead = has_later(t) || cs_run_end(old) > cs_run_steps(old);
    bool parts = ahead && is_other_target(next, old);
    if (!parts && cs_run_oldest(next) <= cs_run_oldest(old)) {
        if (t->fork && run_of(s, t->fork) == old)
            cs_periods_forget_branch(s);
        if (has_later(t))
            drop_later(s);
        return;
    }
    /* without memory the run cannot go back over the change */
    if (t->all.n == 0 && !add(&t->all))
        return;
    if (parts)
        part(s, false);
    else if (has_later(t))
        drop_later(s);
    make_room(s);
    if (!add(&t->all))
        return;
    cs_period *is = t->all.at[t->now];
    is->until = cs_run_steps(old);
    copy_sets(&is->sets, &t->sets);
    cs_session_put_aside(s, &is->open);
    cs_run_followed(old);
    t->now++;
}
