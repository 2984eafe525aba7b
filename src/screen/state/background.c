#include "screen/state/background.h"

#include "base/memory.h"
#include "screen/panels/panel.h"
#include "screen/state/background_source.h"
#include "session/client/shell_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cs_background {
    cs_background_shared shared;
    cs_background_asked kind[CS_BACKGROUND_KINDS];
    /* identity of the run whose stored requests have been looked up */
    char identity[CS_BACKGROUND_IDENTITY];
};

static const cs_background_type *const kinds[CS_BACKGROUND_KINDS] = {
    [CS_REPLICATES_RUN] = &cs_background_type_replicates,
    [CS_SWEEP_RUN] = &cs_background_type_sweep,
    [CS_CALIBRATION_RUN] = &cs_background_type_calibration,
};

cs_background *cs_background_create(const cs_app_link *link)
{
    cs_background *b = cs_alloc(1, sizeof *b);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bool good = b != NULL;
    for (size_t i = 0; good && i < CS_BACKGROUND_KINDS; i++) {
        b->kind[i].shared = &b->shared;
        b->kind[i].type = kinds[i];
        good = kinds[i]->create(&b->kind[i].runs);
    }
    if (!good) {
        cs_background_destroy(b);
        return NULL;
    }
    b->shared.link = link;
    b->shared.processes = cores > CS_JOBS_PROCESSES ? CS_JOBS_PROCESSES
                          : cores > 1               ? (size_t)cores
                                                    : 1;
    snprintf(b->shared.query, sizeof b->shared.query, "reports %s",
             cs_panel_probes(cs_panel_find("race")));
    return b;
}

void cs_background_destroy(cs_background *b)
{
    for (size_t i = 0; b && i < CS_BACKGROUND_KINDS; i++) {
        cs_jobs_close(b->kind[i].jobs);
        cs_free(b->kind[i].runs.replicas);
        cs_free(b->kind[i].runs.calibrated);
    }
    cs_free(b);
}

void cs_background_keep(cs_background *b, const char *folder)
{
    cs_job_cache_open(&b->shared.cache, folder, CS_JOB_CACHE_BYTES);
}

/* ---- start --------------------------------------------------------------- */

static cs_status refuse(const cs_background_asked *a, const cs_shot *s,
                        cs_error *err)
{
    const char *verb = a->type->verb;
    if (!a->shared->link->another || cs_shot_arms(s) == 0)
        return cs_fail(err, CS_UNSUPPORTED, "there is no open run to %s", verb);
    if (*cs_shot_text(s, "run/watched"))
        return cs_fail(
            err, CS_UNSUPPORTED,
            "these draws are read from files; open their scenario to %s it",
            verb);
    if (cs_shot_number(s, 0, "run/differs") != 0)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the recorded scenario differs from its file: type "
                       ":save NAME.lua and open NAME.lua to %s it",
                       verb);
    return CS_OK;
}

static cs_status take_steps(cs_background_asked *a, const cs_shot *s,
                            cs_error *err)
{
    cs_background_of *run = &a->runs.run;
    bool endless = isnan(cs_shot_number(s, NAN, "run/progress"));
    bool ended = strcmp(cs_shot_text(s, "run/state"), "done") == 0;
    run->steps = cs_shot_number(s, 0, "run/steps");
    run->beyond = endless;
    if (a->type->budget || (!endless && (ended || run->steps == 0))) {
        run->steps = (double)NAN;
        run->beyond = false;
    } else if (run->steps == 0) {
        cs_fail(err, CS_UNSUPPORTED,
                "no steps were made and there is no budget, so the length of a "
                "replicate is unknown");
        cs_hint(err, "run some steps first");
        return CS_UNSUPPORTED;
    }
    return CS_OK;
}

cs_status cs_background_start(cs_background *b, cs_background_kind kind,
                              const cs_shot *s, const char *typed,
                              size_t coordinate, cs_error *err)
{
    cs_background_asked *a = &b->kind[kind];
    cs_background_stop(b, kind);
    cs_status status = refuse(a, s, err);
    if (status == CS_OK)
        status = cs_background_like(a, s, err);
    if (status == CS_OK)
        status = take_steps(a, s, err);
    a->runs.run.coordinate = coordinate;
    if (status == CS_OK)
        status = cs_background_open(a, typed, err);
    if (status == CS_OK)
        cs_background_request(a, typed);
    return status;
}

void cs_background_stop(cs_background *b, cs_background_kind kind)
{
    cs_background_forget(&b->kind[kind]);
    cs_background_drop(&b->kind[kind]);
}

/* Continues the requests stored for this run. They were made before the user
 * left the screen or opened another run. */
static void resume(cs_background_asked *a, const cs_shot *s,
                   cs_background_say *say, void *to)
{
    char typed[CS_BACKGROUND_TYPED], text[200];
    if (!cs_background_requested(a, s, typed) || refuse(a, s, NULL) ||
        cs_background_like(a, s, NULL) || cs_background_open(a, typed, NULL))
        return;
    snprintf(text, sizeof text, "%s resumed: %zu of %zu runs were kept",
             a->type->what, a->loaded, *a->runs.of);
    say(to, text, false);
}

/* ---- progress ------------------------------------------------------------ */

/* Returns the number of sessions that may run: one per processor, but one
 * fewer while the open run is running. */
static size_t idle(const cs_background *b, const cs_shot *s)
{
    bool moves = strcmp(cs_shot_text(s, "run/state"), "running") == 0;
    return b->shared.processes - (moves && b->shared.processes > 1);
}

/* Divides the sessions: replicates have priority, then a sweep, then a
 * calibration. */
static void share_out(cs_background *b, const cs_shot *s)
{
    size_t free = idle(b, s), busy[CS_BACKGROUND_KINDS] = {0}, all = 0;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        all += busy[i] =
            b->kind[i].jobs ? cs_jobs_counted(b->kind[i].jobs).busy : 0;
    free = free > all ? free - all : 0;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        if (b->kind[i].jobs)
            cs_jobs_allow(b->kind[i].jobs, busy[i] + free);
}

/* Rounds the remaining time to whole seconds. Returns true if the rounded time
 * changed. */
static bool estimate(cs_background_asked *a, double left)
{
    long reported = left < 1e9 ? (long)ceil(left) : -1;
    bool news = reported != a->reported;
    a->reported = reported;
    *a->runs.left = left;
    return news;
}

static bool go_on(cs_background_asked *a, cs_background_say *say, void *to)
{
    cs_error err = {0};
    char text[500], why[400];
    size_t n = *a->runs.n;
    if (cs_jobs_tend(a->jobs, &err)) {
        cs_error_format(&err, why, sizeof why);
        cs_background_forget(a);
        cs_background_drop(a);
        snprintf(text, sizeof text, "%s ended: %s", a->type->has, why);
        say(to, text, true);
        return true;
    }
    bool news = estimate(a, cs_jobs_counted(a->jobs).left) || *a->runs.n != n;
    if (*a->runs.n < *a->runs.of)
        return news;
    a->type->say(&a->runs, text, sizeof text);
    say(to, text, false);
    cs_background_forget(a);
    cs_background_end(a);
    return true;
}

/* Drops the runs if they do not belong to the open run. */
static bool follow(cs_background_asked *a, const cs_shot *s,
                   cs_background_say *say, void *to)
{
    char text[200];
    if (*a->runs.of == 0 ||
        cs_shot_number(s, 0, "run/opened") == a->runs.run.opened)
        return false;
    cs_background_drop(a);
    snprintf(text, sizeof text, "%s dropped: another run was opened",
             a->type->what);
    say(to, text, false);
    return true;
}

/* Returns true if another run was opened since the last call. */
static bool is_new(cs_background *b, const cs_shot *s)
{
    char identity[CS_BACKGROUND_IDENTITY];
    cs_background_identify(s, identity);
    if (strcmp(identity, b->identity) == 0)
        return false;
    strcpy(b->identity, identity);
    return true;
}

bool cs_background_tend(cs_background *b, const cs_shot *s,
                        cs_background_say *say, void *to)
{
    bool news = false, another = s->used && is_new(b, s);
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++) {
        cs_background_asked *a = &b->kind[i];
        news |= follow(a, s, say, to);
        if (another && *a->runs.of == 0 && cs_shot_arms(s) > 0)
            resume(a, s, say, to);
        share_out(b, s);
        if (a->jobs)
            news |= go_on(a, say, to);
    }
    if (*b->shared.lost)
        say(to, b->shared.lost, true);
    b->shared.lost[0] = 0;
    return news;
}

bool cs_background_busy(const cs_background *b)
{
    bool busy = false;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        busy |= b->kind[i].jobs != NULL;
    return busy;
}

int cs_background_fds(const cs_background *b, int *fd)
{
    int n = 0;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        if (b->kind[i].jobs)
            n += cs_jobs_fds(b->kind[i].jobs, fd + n);
    return n;
}

const cs_replicas *cs_background_replicas(const cs_background *b,
                                          cs_background_kind kind)
{
    return b->kind[kind].runs.replicas;
}

const cs_calibrated *cs_background_calibrated(const cs_background *b)
{
    return b->kind[CS_CALIBRATION_RUN].runs.calibrated;
}
