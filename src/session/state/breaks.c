/* Breakpoints and stop rules. After each quantum, the ring buffers of probes
 * (probe/events.h) are searched for events; if an event is found, the run
 * returns to its step. If a ring may have lost an earlier event, the run
 * returns to the start of the quantum and advances by half of it. This is
 * repeated until no event can be missing, so the step of the event is exact.
 * The end of a work budget is found in the same way. */
#include "session/state/breaks.h"

#include "base/count.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/history/event_list.h"
#include "run/rewind.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include "session/client/snapshot_rows.h"
#include "session/state/session_state.h"
#include "stat/worst.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- descriptions ---- */

static void rule_words(const cs_break *b, char *text, size_t size)
{
    static const struct {
        const char *name, *sign;
    } rule[] = {[CS_RULE_RHAT] = {"rhat", "<"},
                [CS_RULE_ESS] = {"ess", ">"},
                [CS_RULE_MODES] = {"modes", "= all"},
                [CS_RULE_STEPS] = {"steps", ">"},
                [CS_RULE_GRADIENTS] = {"gradients", ">"},
                [CS_RULE_DENSITIES] = {"log_densities", ">"},
                [CS_RULE_SECONDS] = {"seconds", ">"}};
    char limit[32] = "";
    if (b->rule != CS_RULE_MODES)
        snprintf(limit, sizeof limit, " %.12g", b->limit);
    snprintf(text, size, "%s %s%s", rule[b->rule].name, rule[b->rule].sign,
             limit);
}

static void event_words(const cs_break *b, char *text, size_t size)
{
    unsigned k = 0;
    while (k + 1 < CS_EVENT_KINDS && !(b->kinds >> k & 1))
        k++;
    const char *title = cs_event_title((cs_event_kind)k);
    bool mode = b->kinds >> CS_EVENT_VISIT & 1 && b->limit > 0;
    bool one = b->kinds == 1u << k;
    snprintf(text, size, "%s",
             one || k == CS_EVENT_VISIT ? title : "any event");
    if (mode)
        snprintf(text, size, "arrival at mode %.0f", b->limit);
    else if (!one && k == CS_EVENT_VISIT)
        snprintf(text, size, "jump or first visit");
    if (k == CS_EVENT_REJECTIONS && one)
        snprintf(text, size, "%.0f consecutive rejections", b->limit);
}

void cs_break_words(const cs_session *s, const cs_break *b, char *text,
                    size_t size)
{
    char what[100], chain[40] = "";
    if (b->rule)
        rule_words(b, what, sizeof what);
    else
        event_words(b, what, sizeof what);
    if (b->chain != CS_EVERY)
        snprintf(chain, sizeof chain, "chain %zu of ", b->chain + 1);
    bool all = b->arm == CS_EVERY;
    bool whole = b->rule == CS_RULE_STEPS || b->rule == CS_RULE_SECONDS;
    snprintf(text, size, "%s%s%s%s%s", what, whole ? "" : " in ", chain,
             whole                                               ? ""
             : !all                                              ? "arm "
             : b->rule == CS_RULE_RHAT || b->rule == CS_RULE_ESS ? "every arm"
                                                                 : "any arm",
             whole || all ? "" : cs_run_arm_name(s->open.run, b->arm));
}

/* ---- search ---- */

/* The first match of a breakpoint or rule after step `from`. */
typedef struct hit {
    const cs_break *of; /* the breakpoint or rule that matched; NULL: none */
    cs_event e;         /* the event; for a rule, only the step is set */
    bool sure;          /* true if no earlier match can be missing */
} hit;

typedef struct search {
    const cs_break *b;
    uint64_t from, now;
    bool found;
    cs_event first;
} search;

/* Returns the step at which an event matches the breakpoint. If the event does
 * not match, returns 0. */
static uint64_t step_of(const cs_break *b, const cs_event *e)
{
    bool at_mode = e->kind == CS_EVENT_VISIT || e->kind == CS_EVENT_JUMP;
    if (!(b->kinds >> e->kind & 1) ||
        (b->limit > 0 && at_mode && e->a != b->limit))
        return 0;
    if (e->kind != CS_EVENT_REJECTIONS || b->limit < CS_EVENT_LONG)
        return e->step;
    return e->a >= b->limit ? e->step + (uint64_t)b->limit - CS_EVENT_LONG : 0;
}

static void take(void *self, const cs_event *e)
{
    search *f = self;
    uint64_t step = step_of(f->b, e);
    if (step <= f->from || step > f->now || (f->found && step >= f->first.step))
        return;
    f->found = true;
    f->first = *e;
    f->first.step = step;
}

static hit find_event(const cs_session *s, const cs_break *b, uint64_t from)
{
    const cs_run *r = s->open.run;
    search f = {.b = b, .from = from, .now = cs_run_steps(r)};
    bool waits =
        b->kinds == 1u << CS_EVENT_REJECTIONS && b->limit > CS_EVENT_LONG;
    uint64_t back = waits ? (uint64_t)b->limit - CS_EVENT_LONG : 0;
    unsigned lost = cs_run_events(r, b->arm, b->chain,
                                  from > back ? from - back : 0, take, &f);
    bool unsure = lost & b->kinds && (f.found || (waits && f.now > from + 1));
    if (unsure && !f.found)
        /* the step of the event is unknown, so the current step is used */
        f.first = (cs_event){.step = f.now};
    return (hit){.of = f.found || unsure ? b : NULL,
                 .e = f.first,
                 .sure = !unsure || (f.found && f.first.step == from + 1)};
}

/* For each mode, the step at which a chain of an arm first visited it. */
typedef struct visits {
    size_t arm;
    double *first; /* [modes] first step of any chain; 0: not visited yet */
    size_t n;
} visits;

static void take_visit(void *self, const cs_event *e)
{
    visits *v = self;
    size_t m = (size_t)e->a - 1;
    if (e->kind != CS_EVENT_VISIT || m >= v->n)
        return;
    if (v->first[m] == 0 || (double)e->step < v->first[m])
        v->first[m] = (double)e->step;
}

/* Returns the step at which the chains of an arm together had visited every
 * mode; 0: some mode was not visited yet. */
static uint64_t all_modes_at(const cs_session *s, size_t arm)
{
    enum { MOST = 4096 };
    double first[MOST] = {0}, last = 0;
    visits v = {.first = first, .n = cs_run_target(s->open.run)->exact.n_modes};
    if (v.n == 0 || v.n > MOST)
        return 0;
    cs_run_events(s->open.run, arm, CS_EVERY, 0, take_visit, &v);
    for (size_t m = 0; m < v.n; m++) {
        if (first[m] == 0)
            return 0;
        last = fmax(last, first[m]);
    }
    return (uint64_t)last;
}

/* Returns true if the breakpoint or rule applies to the arm. */
static bool is_of(const cs_break *b, size_t arm)
{
    return b->arm == CS_EVERY || b->arm == arm;
}

static double spent(const cs_break *b, const cs_run *r, size_t arm)
{
    cs_arm_view a = cs_run_arm(r, arm);
    return b->rule == CS_RULE_GRADIENTS   ? (double)a.work.gradients
           : b->rule == CS_RULE_DENSITIES ? (double)a.work.log_densities
                                          : cs_run_seconds(r);
}

/* Finds the first arm that meets the rule. A rule about seconds is met at
 * the current step, because the elapsed seconds are not restored when the
 * run goes back. */
static hit find_rule(const cs_session *s, const cs_break *b, uint64_t from)
{
    const cs_run *r = s->open.run;
    uint64_t now = cs_run_steps(r), least = UINT64_MAX;
    hit h = {.sure = true};
    if (b->held && b->held <= now)
        return h;
    for (size_t i = 0; i < cs_run_arms(r); i++) {
        if (!is_of(b, i))
            continue;
        uint64_t at = b->rule == CS_RULE_MODES     ? all_modes_at(s, i)
                      : b->rule == CS_RULE_STEPS   ? (uint64_t)b->limit
                      : spent(b, r, i) >= b->limit ? now
                                                   : 0;
        if (at > from && at <= now && at < least) {
            least = at;
            h.of = b;
            h.e = (cs_event){.step = at, .arm = i, .chain = CS_EVERY};
        }
    }
    bool work = b->rule == CS_RULE_GRADIENTS || b->rule == CS_RULE_DENSITIES;
    h.sure = !work || least == from + 1;
    return h;
}

static bool waits_for_report(const cs_break *b)
{
    return b->rule == CS_RULE_RHAT || b->rule == CS_RULE_ESS;
}

/* Returns true if the run is interactive. An interactive run stops at the first
 * NaN; other runs make all requested steps. */
static bool waits_for_nan(const cs_session *s)
{
    return s->breaks.first.kinds && s->breaks.by_hand;
}

static bool looks(const cs_session *s)
{
    return s->breaks.n || s->breaks.next.kinds || waits_for_nan(s);
}

/* Finds the earliest match of all breakpoints and rules. */
static hit find(const cs_session *s, uint64_t from)
{
    static const cs_break none = {.kinds = 0};
    const cs_breaks *all = &s->breaks;
    hit best = {.sure = true};
    for (size_t i = 0; i < all->n + 2; i++) {
        const cs_break *b = i < all->n         ? &all->row[i]
                            : i == all->n      ? &all->next
                            : waits_for_nan(s) ? &all->first
                                               : &none;
        if (waits_for_report(b) || (!b->rule && !b->kinds))
            continue;
        hit h = b->rule ? find_rule(s, b, from) : find_event(s, b, from);
        bool sure = best.sure && h.sure;
        if (h.of && (!best.of || h.e.step < best.e.step))
            best = h;
        best.sure = sure || (best.of && best.e.step == from + 1);
    }
    return best;
}

/* ---- stopping ---- */

uint64_t cs_breaks_limit(const cs_session *s, uint64_t n)
{
    uint64_t now = cs_run_steps(s->open.run), end = cs_run_end(s->open.run);
    return looks(s) && end > now && end - now < n ? end - now : n;
}

/* Moves the run to `step`. If `past` is false, the steps after `step` are
 * forgotten; otherwise they remain. */
static bool put_at(cs_session *s, uint64_t step, bool past, cs_error *err)
{
    cs_run *r = s->open.run;
    if (step == cs_run_steps(r))
        return true;
    if (cs_record_none(s->record, err) != CS_OK)
        return false;
    cs_background_reports_forget(s->reports);
    return (past ? cs_run_travel(r, step, err) : cs_run_rewind(r, step, err)) ==
           CS_OK;
}

void cs_breaks_show(cs_session *s, const cs_event *e)
{
    if (e->arm >= cs_run_arms(s->open.run))
        return;
    s->look.arm = e->arm;
    s->look.chain = e->chain == CS_EVERY ? 0 : e->chain;
    s->breaks.shown++;
    s->show.dirty = true;
}

/* Appends the coordinates of the proposal at which the NaN occurred. */
static void nan_place(cs_session *s, const cs_event *e, char *text, size_t size)
{
    cs_chain_view v = cs_run_chain(s->open.run, e->arm, e->chain);
    size_t dim = cs_run_target(s->open.run)->space.dim, at = strlen(text);
    for (size_t i = 0; v.proposal && i < dim && i < 4 && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%.4g", i ? ", " : " (",
                               v.proposal[i]);
    if (v.proposal && at < size)
        snprintf(text + at, size - at, dim > 4 ? ", ...)" : ")");
}

/* Reports the stop: "breakpoint 2 at step 1204: chain 3 of arm a: first visit
 * to mode 4". */
static void tell(cs_session *s, const hit *h, const cs_error *why)
{
    char words[400], text[560];
    bool once = h->of->kinds == 1u << CS_EVENT_NAN;
    uint64_t now = cs_run_steps(s->open.run);
    const cs_number step = cs_count((double)h->e.step);
    if (h->of->rule)
        cs_break_words(s, h->of, words, sizeof words);
    else
        cs_event_words(s->open.run, &h->e, words, sizeof words);
    if (!h->of->rule && h->e.kind == CS_EVENT_NAN && now == h->e.step)
        nan_place(s, &h->e, words, sizeof words);
    if (h->of->number)
        snprintf(text, sizeof text, "breakpoint %u at step %s: %s",
                 h->of->number, step.text, words);
    else if (once)
        snprintf(text, sizeof text,
                 "space rejects the proposal and continues; at step %s: %s "
                 "(break nan stops at each NaN)",
                 step.text, words);
    else
        snprintf(text, sizeof text, "at step %s: %s", step.text, words);
    if (now == h->e.step)
        cs_session_say(s, "%s", text);
    else
        cs_session_say(s, "%s; the run is at step %s: %s", text,
                       cs_count((double)now).text, why->what);
}

/* Records the stop for the timeline and the panels. */
static void note_held(cs_session *s, const cs_event *e)
{
    s->breaks.holds++;
    cs_history_add(&s->breaks.history,
                   &(cs_moment){.step = cs_run_steps(s->open.run),
                                .arm = e->arm,
                                .chain = e->chain,
                                .kind = CS_HELD});
}

static void hold(cs_session *s, const hit *found, const cs_error *why)
{
    hit h = *found; /* uses a copy, since found->of may point to `next`, which a
                       pause clears */
    cs_break of = *found->of;
    h.of = &of;
    uint64_t now = cs_run_steps(s->open.run);
    for (size_t i = 0; of.rule && i < s->breaks.n; i++)
        if (s->breaks.row[i].number == of.number)
            s->breaks.row[i].held = now;
    cs_session_pause(s);
    if (!of.rule && h.e.kind == CS_EVENT_NAN)
        s->breaks.first.kinds = 0;
    if (of.number)
        note_held(s, &h.e);
    if (!of.rule)
        cs_breaks_show(s, &h.e);
    tell(s, &h, why);
}

void cs_breaks_rule(cs_session *s, const char *why)
{
    cs_session_pause(s);
    note_held(s, &(cs_event){.arm = CS_EVERY, .chain = CS_EVERY});
    cs_session_say(s, "stopped at step %s, before the budget: %s",
                   cs_count((double)cs_run_steps(s->open.run)).text, why);
}

bool cs_breaks_look(cs_session *s, uint64_t from, uint64_t end)
{
    cs_error err = {0};
    if (!looks(s))
        return false;
    for (;;) {
        hit h = find(s, from);
        if (!h.of)
            return false;
        uint64_t half = from + (h.e.step - from) / 2;
        bool there = put_at(s, h.sure ? h.e.step : half, end > from, &err);
        if (h.sure || !there) {
            hold(s, &h, &err);
            return true;
        }
        s->move.quantum = half - from;
    }
}

bool cs_breaks_caught_up(cs_session *s, size_t arm)
{
    cs_breaks *all = &s->breaks;
    hit best = {.of = NULL};
    for (size_t i = 0; i < all->n; i++) {
        cs_break b = all->row[i];
        if (!b.kinds || !is_of(&b, arm))
            continue;
        b.arm = arm;
        hit h = find_event(s, &b, 0);
        h.of = h.of ? &all->row[i] : NULL;
        if (h.of && (!best.of || h.e.step < best.e.step))
            best = h;
    }
    if (!best.of)
        return false;
    cs_error late = {0};
    cs_fail(&late, CS_STOPPED,
            "the arm first had to make these steps; use `rewind to %llu` to go "
            "there",
            (unsigned long long)best.e.step);
    hold(s, &best, &late);
    return true;
}

/* ---- reports ----------------------------------------------------------- */

bool cs_breaks_read(const cs_breaks *b, const char *probe)
{
    bool reads = false;
    for (size_t i = 0; i < b->n; i++)
        reads |= waits_for_report(&b->row[i]);
    return reads && strcmp(probe, "diagnostics") == 0;
}

/* Returns true if the quantity with the worst R-hat or ESS meets the rule.
 * Constants have no R-hat or ESS and are ignored. */
static bool is_met(const cs_break *b, const cs_figures *row, size_t n)
{
    bool rhat = b->rule == CS_RULE_RHAT;
    double x =
        cs_figures_extreme(row, n, rhat ? CS_COLUMN_RHAT : CS_COLUMN_ESS, rhat);
    return rhat ? x < b->limit : x > b->limit; /* false if x is NAN */
}

/* Returns true if the last report of an arm meets the rule. If the step of
 * that report is earlier than *step, sets *step to it. */
static bool says(const cs_session *s, const cs_break *b, size_t arm,
                 size_t probe, uint64_t *step)
{
    size_t used;
    uint64_t at;
    cs_flat_entry e;
    const unsigned char *base =
        cs_background_reports_last(s->reports, arm, probe, &used, &at);
    if (!base || !cs_flat_find(base, used, &e, CS_KEY_FIGURES, arm))
        return false;
    const cs_figures *row = CS_ENTRY_ROWS(e, cs_figures);
    *step = *step < at ? *step : at;
    return row && is_met(b, row, e.rows);
}

static bool report_holds(const cs_session *s, const cs_break *b, uint64_t *step)
{
    const cs_run *r = s->open.run;
    const cs_probe_type *type;
    bool all = true;
    size_t p = 0;
    while ((type = cs_run_probe(r, p)) && strcmp(type->name, "diagnostics"))
        p++;
    *step = UINT64_MAX;
    for (size_t i = 0; type && i < cs_run_arms(r); i++)
        all &= !is_of(b, i) || says(s, b, i, p, step);
    return type && all;
}

bool cs_breaks_report(cs_session *s)
{
    uint64_t step, now = s->open.run ? cs_run_steps(s->open.run) : 0;
    cs_error late = {0};
    for (size_t i = 0; s->move.running && i < s->breaks.n; i++) {
        const cs_break *b = &s->breaks.row[i];
        if (!waits_for_report(b) || (b->held && b->held <= now) ||
            !report_holds(s, b, &step))
            continue;
        const hit h = {.of = b, .e = {.step = step, .arm = CS_EVERY}};
        cs_fail(&late, CS_STOPPED,
                "R-hat and ESS are computed while the run advances");
        hold(s, &h, &late);
        return true;
    }
    return false;
}

/* ---- runs -------------------------------------------------------------- */

/* Finds the breakpoint's arm in another run. Returns false if the run has no
 * arm of that name or no such chain. */
static bool find_arm(const cs_run *r, cs_break *b)
{
    size_t i = 0;
    if (b->arm == CS_EVERY)
        return true;
    while (i < cs_run_arms(r) && strcmp(cs_run_arm_name(r, i), b->name) != 0)
        i++;
    b->arm = i;
    return i < cs_run_arms(r) &&
           (b->chain == CS_EVERY || b->chain < cs_run_arm(r, i).chains);
}

void cs_breaks_opened(cs_session *s)
{
    cs_breaks *b = &s->breaks;
    bool same = strcmp(b->file, s->open.file) == 0;
    size_t kept = 0;
    for (size_t i = 0; same && i < b->n; i++) {
        b->row[kept] = b->row[i];
        b->row[kept].held = 0;
        kept += find_arm(s->open.run, &b->row[kept]);
    }
    b->n = kept;
    b->next = (cs_break){.kinds = 0};
    b->first = (cs_break){
        .kinds = 1u << CS_EVENT_NAN, .arm = CS_EVERY, .chain = CS_EVERY};
    cs_history_cut(&b->history, same ? cs_session_end(s) : 0);
    snprintf(b->file, sizeof b->file, "%s", s->open.file);
}
