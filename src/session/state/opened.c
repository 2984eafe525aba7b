#include "session/state/opened.h"

#include "base/hash.h"
#include "base/memory.h"
#include "files/file.h"
#include "run/rest.h"
#include "run/views/fingerprint.h"
#include "session/record/watched_run.h"
#include "session/state/session_state.h"

#include <string.h>

enum { SCENARIO_MOST = 1 << 20, CLAIMS = 1 << 20 };

cs_inputs *cs_opened_recorded(const cs_opened *o)
{
    return cs_inputs_are_recorded(o->inputs) ? o->inputs : NULL;
}

bool cs_opened_differs(const cs_opened *o)
{
    return cs_inputs_are_strict(o->inputs);
}

/* The digest excludes the probes and the stored draws, because these depend on
 * the front. */
uint64_t cs_opened_made(const cs_opened *o)
{
    static const char *const parts[] = {"arm", "target: ", "start", "script: "};
    uint64_t h = CS_DIGEST;
    const char *at = cs_run_provenance(o->run);
    for (size_t n; *at; at += n) {
        n = strcspn(at, "\n");
        n += at[n] == '\n';
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (strncmp(at, parts[i], strlen(parts[i])) == 0)
                h = cs_digest(h, at, n);
    }
    return h;
}

static void tell_host(const cs_session *s, cs_inputs *in)
{
    if (s->host->inputs)
        s->host->inputs(s->host->self, in);
}

void cs_session_leave(cs_session *s, cs_opened *next)
{
    if (s->host->attach)
        s->host->attach(s->host->self, s->open.run);
    tell_host(s, s->open.inputs);
    cs_run_destroy(next->run);
    cs_inputs_drop(next->inputs);
    *next = (cs_opened){.run = NULL};
}

cs_status cs_session_make(cs_session *s, const char *path,
                          const char *const *set, size_t n, cs_inputs *from,
                          cs_opened *next, cs_error *err)
{
    cs_error why;
    cs_inputs *in = from ? cs_inputs_hold(from) : cs_inputs_create();
    if (!in)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    cs_inputs_forgive(in);
    tell_host(s, in);
    cs_status status = s->host->open(s->host->self, path, set, n, next, err);
    bool refused = cs_inputs_failure(in, &why) != CS_OK;
    if (refused && err)
        *err = why;
    if (status || refused) {
        tell_host(s, s->open.inputs);
        cs_inputs_drop(in);
    }
    if (status)
        return refused ? why.status : status;
    next->inputs = refused ? NULL : in;
    if (refused)
        cs_session_leave(s, next);
    return refused ? why.status : CS_OK;
}

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

/* Evaluates the claims if results are recorded; otherwise the table is empty.
 * Call while the host still has the run attached. */
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

/* Clears what the session knows about the open run. */
static void clear(cs_session *s)
{
    memset(&s->open, 0, sizeof s->open);
    s->move.running = s->move.failed = s->move.waits = false;
    s->move.event_at = s->move.farthest = s->move.slow_until = 0;
    s->show.dirty = true;
}

/* Destroys the open run. The script host is not notified, since the next run
 * may already be attached to the host. */
static void let_go(cs_session *s, const cs_flat *claims)
{
    cs_error err;
    if (end_record(s, claims, &err))
        cs_session_say(s, "%s", err.what);
    cs_background_reports_forget(s->reports);
    cs_run_destroy(s->open.run);
    cs_watch_close(s->open.watch);
    cs_inputs_drop(s->open.inputs);
    cs_free(s->open.scenario);
    clear(s);
}

void cs_session_put_aside(cs_session *s, cs_opened *to)
{
    cs_background_reports_forget(s->reports);
    if (s->host->park)
        s->host->park(s->host->self, s->open.run, true);
    cs_run_rest(s->open.run);
    *to = s->open;
    clear(s);
}

void cs_session_drop(cs_session *s)
{
    cs_flat claims = judge(s);
    if (s->host->attach)
        s->host->attach(s->host->self, NULL);
    let_go(s, &claims);
    cs_periods_forget(s);
}

/* Returns true if the user has set at least one value. Defaults do not count,
 * since a scenario may ignore them. */
static bool is_anything_set(const cs_session *s)
{
    static const char fallback[] = "default_";
    bool any = false;
    for (size_t i = 0; i < s->sets.n; i++)
        any |= strncmp(s->sets.set[i], fallback, sizeof fallback - 1) != 0;
    return any;
}

/* Returns true if the path must be watched. Once a folder was watched, a file
 * that replaces the folder is not run as a scenario. */
static bool is_to_be_watched(const cs_session *s, const char *path)
{
    return cs_is_folder(path) ||
           (s->open.watch && strcmp(path, s->open.file) == 0);
}

cs_status cs_session_open(cs_session *s, const char *path, cs_inputs *from,
                          cs_error *err)
{
    bool watched = is_to_be_watched(s, path);
    if (watched && is_anything_set(s)) {
        cs_fail(err, CS_INPUT,
                "%s is a folder of draws: it can be watched, but not run",
                path);
        cs_hint(err, "use chainscope watch, shot or report, without --set");
        return CS_INPUT;
    }
    cs_opened *next = cs_alloc(1, sizeof *next);
    if (!next)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    cs_flat claims = judge(s);
    cs_status status =
        watched ? cs_watch_open(next, path, s->once, err)
                : cs_session_make(s, path, (const char *const *)s->sets.set,
                                  s->sets.n, from, next, err);
    if (status == CS_OK) {
        s->once = false;
        let_go(s, &claims);
        cs_periods_forget(s);
        cs_session_take(s, next);
        s->move.pace = s->open.speed;
        if (s->move.paced) /* the speed of the scenario before this one */
            s->move.speed = s->move.unpaced;
        s->move.paced = false;
        s->look = (cs_look_at){.arm = s->open.arm};
        cs_session_recall(s);
    } else {
        cs_free(claims.base);
    }
    cs_free(next);
    return status;
}

cs_status cs_session_open_again(cs_session *s, cs_error *err)
{
    char file[sizeof s->open.file];
    const cs_motion move = s->move;
    memcpy(file, s->open.file, sizeof file);
    cs_inputs *from = cs_inputs_hold(cs_opened_recorded(&s->open));
    cs_status status = cs_session_open(s, file, from, err);
    cs_inputs_drop(from);
    if (status)
        return status;
    s->move.pace = move.pace;
    s->move.speed = move.speed;
    s->move.paced = move.paced;
    return CS_OK;
}

/* Returns a copy of the scenario's text, as it was when the scenario was
 * opened. */
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
    next->scenario = text_of(next);
    if (s->open.run)
        let_go(s, &(cs_flat){0});
    cs_session_install(s, next);
    cs_periods_opened(s);
}

void cs_session_install(cs_session *s, const cs_opened *next)
{
    s->open = *next;
    tell_host(s, s->open.inputs);
    if (s->host->attach)
        s->host->attach(s->host->self, s->open.run);
    s->move.quantum = 1;
    s->show.rate = s->show.rate_time = 0;
    s->truth = (cs_truth){0};
    s->compared.on = false;
    s->line = (cs_line){.of = SIZE_MAX};
    s->branched.there = false;
    cs_breaks_opened(s);
    cs_own_opened(&s->own, s->host);
}
