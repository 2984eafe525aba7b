#include "session/session.h"

#include "base/clock.h"
#include "base/count.h"
#include "base/memory.h"
#include "files/file.h"
#include "run/adopt.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "session/state.h"

#include <assert.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SCENARIO_MOST = 1 << 20, CLAIMS = 1 << 20 };
enum { IDLE = 4 };     /* ms without a command, then exact answers are sought */
#define QUANTUM 0.0025 /* seconds of one advance, see on_command */
#define PUBLISH 0.07   /* least seconds between two snapshots while running */
#define LATEST 0.105   /* and most */
#define SHARE 0.03     /* of the time that snapshots may take in between */
#define NEWS 0.2       /* the same while the run rests and reports are made */

static void forget(cs_session *s)
{
    if (s->host->forget)
        s->host->forget(s->host->self);
}

void cs_session_say(cs_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->told.newest, sizeof s->told.newest, format, args);
    va_end(args);
    snprintf(s->told.said[s->told.n % CS_SAID], sizeof *s->told.said, "%.255s",
             s->told.newest);
    s->told.said_at[s->told.n % CS_SAID] =
        s->open.run ? (double)cs_run_steps(s->open.run) : 0;
    s->told.n++;
    s->show.dirty = true;
}

/* ---- what is open ------------------------------------------------------ */

cs_flat cs_session_judge(cs_session *s)
{
    cs_flat f = {0};
    cs_error why;
    void *memory = cs_run_is_part(s->open.run) ? NULL : cs_alloc(1, CLAIMS);
    if (!memory)
        return f;
    cs_flat_begin(&f, memory, CLAIMS);
    if (s->host->claims)
        s->host->claims(s->host->self, false, &f, &why);
    return f;
}

/* While the host still knows the run; empty where nothing is recorded. */
static cs_flat judge(cs_session *s)
{
    return s->record ? cs_session_judge(s) : (cs_flat){0};
}

static cs_status end_record(cs_session *s, const cs_flat *claims, cs_error *err)
{
    cs_status status = cs_record_finish(s->record, s->open.run,
                                        claims->base ? claims : NULL, err);
    s->record = NULL;
    cs_free(claims->base);
    return status;
}

cs_status cs_session_finish(cs_session *s, cs_error *err)
{
    cs_flat claims = judge(s);
    return end_record(s, &claims, err);
}

/* Does not tell the host, to which the next run may be attached already. */
static void let_go(cs_session *s, const cs_flat *claims)
{
    cs_error err;
    if (end_record(s, claims, &err))
        cs_session_say(s, "%s", err.what);
    cs_aside_forget(s->aside);
    cs_run_destroy(s->open.run);
    cs_watch_close(s->open.watch);
    cs_inputs_drop(s->open.inputs);
    cs_free(s->scenario);
    s->scenario = NULL;
    memset(&s->open, 0, sizeof s->open);
    s->move.running = s->move.failed = s->move.waits = false;
    s->move.event_at = s->move.farthest = 0;
    s->show.dirty = true;
}

void cs_session_drop(cs_session *s)
{
    cs_flat claims = judge(s);
    if (s->host->attach)
        s->host->attach(s->host->self, NULL);
    let_go(s, &claims);
}

/* Defaults aside, which a scenario may or may not ask for. */
static bool is_anything_set(const cs_session *s)
{
    static const char fallback[] = "default_";
    bool any = false;
    for (size_t i = 0; i < s->n_set; i++)
        any |= strncmp(s->set[i], fallback, sizeof fallback - 1) != 0;
    return any;
}

/* What is watched stays so: a file that takes the place of its folder is not taken
 * for a scenario, and is not run. */
static bool is_to_be_watched(const cs_session *s, const char *path)
{
    return cs_watch_is_folder(path) ||
           (s->open.watch && strcmp(path, s->open.file) == 0);
}

cs_status cs_session_open(cs_session *s, const char *path, cs_inputs *from,
                          cs_error *err)
{
    bool watched = is_to_be_watched(s, path);
    if (watched && is_anything_set(s)) {
        cs_fail(err, CS_INPUT,
                "%s is a folder: the draws in it can be watched, not made",
                path);
        cs_hint(err, "chainscope watch, shot and report take it, without sets");
        return CS_INPUT;
    }
    cs_opened *next = cs_alloc(1, sizeof *next);
    if (!next)
        return cs_fail(err, CS_MEMORY, "no memory to open %s", path);
    cs_flat claims = judge(s);
    cs_status status =
        watched ? cs_watch_open(next, path, err)
                : cs_session_make(s, path, (const char *const *)s->set,
                                  s->n_set, from, next, err);
    if (status == CS_OK) {
        let_go(s, &claims);
        cs_session_take(s, next);
        s->move.pace = s->open.speed;
        s->look = (cs_look_at){.arm = s->open.arm};
        cs_session_recall(s);
    } else {
        cs_free(claims.base);
    }
    cs_free(next);
    return status;
}

/* A copy of the scenario's text as it was opened. */
static char *text_of(const cs_opened *o)
{
    unsigned char *text = NULL;
    size_t size;
    const char *known = cs_inputs_scenario(o->inputs, &size);
    if (known)
        return cs_copy_text(known);
    cs_file_read(o->file, SCENARIO_MOST, &text, &size, NULL);
    return (char *)text;
}

void cs_session_take(cs_session *s, cs_opened *next)
{
    char *text = text_of(next);
    if (s->open.run)
        let_go(s, &(cs_flat){0});
    s->open = *next;
    s->scenario = text;
    if (s->host->attach)
        s->host->attach(s->host->self, s->open.run);
    s->move.quantum = 1;
    s->show.rate = s->show.rate_time = 0;
    s->truth = (cs_truth){0};
    s->compares = false;
    s->line = (cs_line){.of = SIZE_MAX};
    s->branched.there = false;
    cs_breaks_opened(s);
    cs_own_opened(s);
}

cs_status cs_session_remember(cs_session *s, const char *name,
                              const char *value, cs_error *err)
{
    size_t key = strlen(name) + 1, size = key + strlen(value) + 1, i = 0;
    char *copy = cs_alloc(1, size);
    if (!copy)
        return cs_fail(err, CS_MEMORY, "cannot remember %s", name);
    snprintf(copy, size, "%s=%s", name, value);
    while (i < s->n_set && strncmp(s->set[i], copy, key) != 0)
        i++;
    if (i == CS_SESSION_SETS) {
        cs_free(copy);
        return cs_fail(err, CS_INPUT, "more than %d values set",
                       CS_SESSION_SETS);
    }
    if (i < s->n_set)
        cs_free(s->set[i]);
    else
        s->n_set++;
    s->set[i] = copy;
    return CS_OK;
}

void cs_session_forget(cs_session *s)
{
    while (s->n_set)
        cs_free(s->set[--s->n_set]);
}

/* ---- moving ------------------------------------------------------------ */

static void put_at(cs_session *s, double fired, bool loaded)
{
    assert(s->open.run);
    if (s->host->placed)
        s->host->placed(s->host->self, fired, loaded);
    cs_aside_forget(s->aside);
    s->move.event_at = 0;
    s->show.dirty = true;
    cs_own_placed(s);
}

void cs_session_placed(cs_session *s, uint64_t step, bool redo)
{
    put_at(s, (double)step - redo, false);
}

void cs_session_loaded(cs_session *s)
{
    put_at(s, (double)cs_run_steps(s->open.run), true);
}

cs_status cs_session_go(cs_session *s, uint64_t goal, bool beyond,
                        cs_error *err)
{
    if (!s->open.run) {
        cs_fail(err, CS_UNSUPPORTED, "nothing is open");
        cs_hint(err, "open a scenario first");
        return CS_UNSUPPORTED;
    }
    if (s->host->afresh)
        s->host->afresh(s->host->self);
    if (beyond && cs_run_finished(s->open.run) && cs_run_lives(s->open.run) &&
        !s->open.watch) {
        cs_run_lift(s->open.run);
        cs_session_say(s, "beyond the budget, from step %s",
                       cs_count((double)cs_run_steps(s->open.run)).text);
    }
    s->move.failed = false;
    s->move.goal = goal;
    s->move.running = true;
    s->move.waits = false;
    s->move.speed_from = cs_clock();
    s->move.speed_step = cs_run_steps(s->open.run);
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

/* How many steps may be made now; 0: none before *wait seconds are over. */
static uint64_t allowed(const cs_session *s, double *wait)
{
    uint64_t done = cs_run_steps(s->open.run), n = s->move.quantum;
    *wait = 0;
    if (s->move.goal - done < n)
        n = s->move.goal - done;
    if (cs_run_behind(s->open.run))
        return n;
    if (s->move.event_at > done && s->move.event_at - done < n)
        n = s->move.event_at - done;
    n = cs_own_limit(s, cs_breaks_limit(s, n));
    if (s->move.speed <= 0 || s->breaks.next.kinds)
        return n;
    double due = (cs_clock() - s->move.speed_from) * s->move.speed -
                 (double)(done - s->move.speed_step);
    if (due < 1) {
        *wait = (1 - due) / s->move.speed;
        return 0;
    }
    return due < (double)n ? (uint64_t)due : n;
}

/* What a script prints while the run goes on, a message a line. */
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
    cs_record_tear(s->record); /* a step or an event was left half done */
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
    cs_hint(&err, "see above why; then start elsewhere or correct the density. "
                  "r restarts");
    fail(s, &err);
}

/* Whether there is nothing to do: an arm that is behind has yet to come. */
static bool is_there(const cs_session *s)
{
    const cs_run *r = s->open.run;
    return cs_run_finished(r) ||
           (cs_run_steps(r) >= s->move.goal && !cs_run_behind(r));
}

/* A run that ends without what was looked for. */
static void give_up_search(cs_session *s)
{
    char words[256];
    if (!s->breaks.next.kinds)
        return;
    cs_break_words(s, &s->breaks.next, words, sizeof words);
    cs_session_say(s, "no %s up to step %s, where the run ends", words,
                   cs_count((double)cs_run_steps(s->open.run)).text);
}

/* The arms that have steps to make which the others have, a bit each; of arms
 * beyond the bits nothing is said. */
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
    /* Before a checkpoint is written, so that it has what is due at its step.
     * An error of the script's own, if any, is the best message. */
    bool due = s->move.event_at <= cs_run_steps(s->open.run);
    from = cs_clock();
    events(s);
    s->move.calling += due ? cs_clock() - from : 0;
    cs_own_sample(s);
    if (!s->move.failed && status != CS_OK && status != CS_STOPPED)
        fail(s, &err);
    if (!s->move.failed) /* else a fault is part of why */
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

/* One quantum; returns the seconds until the next is due. */
double cs_session_move(cs_session *s)
{
    assert(s->open.run && s->move.running);
    if (is_there(s)) {
        cs_session_pause(s);
        return 0;
    }
    if (s->move.event_at <= cs_run_steps(s->open.run)) {
        forget(s);
        events(s);
    }
    if (!s->move.running)
        return 0;
    double wait;
    uint64_t n = allowed(s, &wait);
    if (n || cs_run_behind(s->open.run))
        advance(s, n);
    return wait;
}

/* ---- the loop ---------------------------------------------------------- */

void cs_session_poke(cs_session *s)
{
    const uint64_t one = 1;
    if (write(s->wake, &one, sizeof one) < 0)
        return; /* the counter is full: the front is awake already */
}

/* Whether a running run is due for a snapshot: every PUBLISH to LATEST seconds,
 * at most SHARE of the time, and only after the front has taken the last one.
 * Costly reports are made elsewhere (session/aside.h). */
static bool is_due(const cs_session *s, double now)
{
    double rest = fmin(fmax(PUBLISH, s->show.took / SHARE), LATEST);
    return s->move.running && now - s->show.at >= rest &&
           cs_snapshot_is_taken(&s->end);
}

/* Seconds until a report of a run that rests is published while others follow: one
 * for each arm, say. A snapshot after each of them would take the square of the
 * arms; the last is published at once. */
static double news_wait(const cs_session *s, double now)
{
    double rest = fmax(PUBLISH, s->show.took / NEWS);
    return cs_aside_is_busy(s->aside) ? s->show.at + rest - now : 0;
}

static void publish_if_due(cs_session *s)
{
    double now = cs_clock();
    if (s->open.run)
        cs_run_want(s->open.run, s->show.reports);
    if (s->open.run && cs_aside_tend(s->aside, s->open.run, s->move.running,
                                     cs_session_reports, s)) {
        s->show.dirty |= cs_breaks_report(s);
        s->show.news |= !s->move.running;
    }
    s->show.dirty |= cs_own_tend(s);
    if (is_due(s, now))
        cs_run_settle(s->open.run, 1);
    else if (!s->show.dirty && !(s->show.news && news_wait(s, now) <= 0))
        return;
    cs_session_publish(s);
    s->show.dirty = s->show.news = false;
    s->show.at = now;
    s->show.took = cs_clock() - now;
    cs_session_poke(s);
}

static void obey_all(cs_session *s)
{
    cs_wire_state got;
    cs_signals_look();
    while ((got = cs_wire_receive(s->fd, &s->in)) == CS_WIRE_GOT && !s->quit) {
        cs_session_obey(s);
        publish_if_due(s); /* before the reply: the front sees its effect */
        if (!cs_wire_send(s->fd, &s->out, true))
            got = CS_WIRE_CLOSED;
        cs_session_poke(s);
        if (got == CS_WIRE_CLOSED)
            break;
    }
    s->quit |= got == CS_WIRE_CLOSED;
}

/* Waits for a command for so many seconds. Exact answers that take long are
 * worked out here, when no command has come for IDLE milliseconds. */
static void wait_for_commands(cs_session *s, double seconds)
{
    struct pollfd p[] = {{.fd = s->fd, .events = POLLIN},
                         {.fd = cs_aside_fd(s->aside), .events = POLLIN},
                         {.fd = cs_watch_fd(s->open.watch), .events = POLLIN}};
    bool settles =
        s->open.run && !s->move.running && !cs_run_settle(s->open.run, 0);
    int milliseconds = settles ? IDLE : -1;
    double look = cs_watch_wait(s->open.watch);
    if (s->move.running)
        milliseconds = (int)fmin(ceil(seconds * 1e3), 100);
    else if (!cs_own_is_current(s) && !settles)
        milliseconds = (int)ceil(cs_own_wait(s) * 1e3);
    else if (!settles && look < 1e6)
        milliseconds = (int)ceil(look * 1e3);
    if (s->show.news) {
        int left = (int)fmax(ceil(news_wait(s, cs_clock()) * 1e3), 0);
        milliseconds =
            milliseconds < 0 || left < milliseconds ? left : milliseconds;
    }
    if (poll(p, 3, milliseconds) == 0 && settles) {
        cs_run_settle(s->open.run, 1);
        s->show.dirty = true;
    }
}

/* The folder that is watched cannot be opened as it is now: what was read of it
 * stays on the screen, and when it changes that is tried again. */
static void lose(cs_session *s, const char *why, const cs_error *err, bool goes)
{
    char text[1024];
    cs_error_format(err, text, sizeof text);
    if (!s->open.lost) {
        cs_session_say(s, "%s", why);
        cs_session_say(s, "%s", text);
    }
    s->open.lost = true;
    cs_watch_failed(s->open.watch);
    cs_session_pause(s);
    s->move.waits = goes;
}

/* The same folder as it is now: what is looked at, and that the run goes, stays. */
static void open_again(cs_session *s, const char *why)
{
    cs_error err;
    char file[sizeof s->open.file], text[1024];
    bool goes =
        s->move.running || s->move.waits || cs_run_finished(s->open.run);
    cs_look_at look = s->look;
    double pace = s->move.pace;
    snprintf(text, sizeof text, "%s", why);
    memcpy(file, s->open.file, sizeof file);
    if (cs_session_open(s, file, NULL, &err)) {
        lose(s, text, &err, goes);
        return;
    }
    s->move.pace = pace;
    if (look.arm < cs_run_arms(s->open.run) &&
        look.chain < cs_run_arm(s->open.run, look.arm).chains &&
        look.coordinate < cs_target_shown(cs_run_target(s->open.run)))
        s->look = look;
    cs_session_say(s, "%s", text);
    if (goes)
        cs_session_go(s, UINT64_MAX, false, NULL);
}

static void tell_watched(cs_session *s)
{
    char text[1024];
    while (s->open.watch && !s->open.lost &&
           cs_watch_tell(s->open.watch, text, sizeof text))
        cs_session_say(s, "%s", text);
}

/* Of a run that is watched: what has been written since. */
static void tend_watched(cs_session *s)
{
    if (!s->open.watch)
        return;
    const char *other =
        s->open.lost ? cs_watch_stirs(s->open.watch) ? "read again now" : NULL
                     : cs_watch_tend(s->open.watch, s->open.run);
    if (other)
        open_again(s, other);
    if (s->open.lost)
        return;
    tell_watched(s);
    if (s->move.waits && !cs_run_waits(s->open.run))
        cs_session_go(s, s->move.goal, false, NULL);
}

static void serve(cs_session *s)
{
    double wait = 0;
    while (!s->quit && !cs_signals_ended()) {
        if (!s->move.running || wait > 0)
            wait_for_commands(s, wait);
        obey_all(s);
        tend_watched(s);
        wait = s->move.running ? cs_session_move(s) : 0;
        tell_watched(s); /* a row that it could not read, say */
        publish_if_due(s);
    }
}

int cs_session_main(int fd, cs_snapshots *snapshots, int wake,
                    const cs_host *host)
{
    cs_session *s = cs_alloc(1, sizeof *s);
    if (!s)
        return 1;
    cs_signals_listen(host, fd);
    if (host->ranks && host->ranks->rank)
        cs_signals_follow();
    s->fd = fd;
    s->wake = wake;
    s->host = host;
    s->end = cs_snapshot_writer(snapshots);
    s->move.goal = UINT64_MAX;
    s->show.dirty = true;
    s->aside = cs_aside_create();
    s->show.reports[0] = '*';
    publish_if_due(s);
    serve(s);
    alarm(0); /* what is being written now is not cut short */
    cs_session_drop(s);
    cs_session_end_ranks(s);
    cs_own_close(s);
    cs_aside_destroy(s->aside);
    cs_session_forget(s);
    cs_session_forget_undo(s);
    cs_signals_leave();
    cs_free(s);
    return 0;
}
