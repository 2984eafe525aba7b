#include "screen/replicates.h"

#include "base/clock.h"
#include "base/memory.h"
#include "session/swept.h"
#include "session/words.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = CS_WIRE_BYTES };

/* What has been asked of the session, and the ids of the replies. */
enum { NOTHING, QUIET, OPENED, MOVED, REPORTED };

struct cs_replicates {
    cs_replicas made;
    const cs_app_link *link; /* [borrowed] */
    cs_client *client;       /* [own] of the one that is being made, or NULL */
    uint32_t answered;       /* the last reply that has come */
    bool reports;            /* it rests, and its reports were asked for */
    bool beyond;             /* it goes beyond its budget */
    cs_shot shot;            /* of that session [borrowed] */
    double opened;           /* of the run that they are like, run/opened */
    double seed, chains;     /* of that run */
    double began;            /* when, in seconds */
    long told;               /* seconds that are left, as shown */
    char open[LINE];         /* the line but for the seed */
};

cs_replicates *cs_replicates_create(const cs_app_link *link)
{
    cs_replicates *r = cs_alloc(1, sizeof *r);
    if (r)
        r->link = link;
    return r;
}

/* It writes no files: nothing is lost where it is killed at once. */
static void end_session(cs_replicates *r)
{
    if (r->client) {
        cs_client_close(r->client, 0);
        cs_client_destroy(r->client);
    }
    r->client = NULL;
    r->shot = (cs_shot){0};
    r->answered = NOTHING;
    r->reports = false;
}

void cs_replicates_stop(cs_replicates *r)
{
    end_session(r);
    r->made.n = r->made.of = 0;
    r->made.over[0] = 0;
}

void cs_replicates_destroy(cs_replicates *r)
{
    if (!r)
        return;
    end_session(r);
    cs_free(r);
}

bool cs_replicates_busy(const cs_replicates *r)
{
    return r->made.n < r->made.of;
}

const cs_replicas *cs_replicates_made(const cs_replicates *r)
{
    return &r->made;
}

int cs_replicates_fds(const cs_replicates *r, int fd[2])
{
    if (!r->client)
        return 0;
    cs_client_fds(r->client, fd);
    return fd[1] >= 0 ? 2 : 1;
}

/* ---- beginning ----------------------------------------------------------- */

static cs_status write_line(cs_replicates *r, const cs_shot *s, cs_error *err)
{
    const char *file = cs_shot_text(s, "run/file");
    const char *sets = cs_shot_text(s, "run/sets");
    memcpy(r->open, "open ", 6);
    bool fits = cs_words_quote(file, r->open + 5, LINE - 5);
    size_t at = fits ? strlen(r->open) : 0;
    if (fits && at + strlen(sets) + 40 < LINE) {
        snprintf(r->open + at, LINE - at, " %s", sets);
        return CS_OK;
    }
    return cs_fail(err, CS_INPUT, "more is set than a replicate can be given");
}

cs_status cs_replicates_start(cs_replicates *r, const cs_shot *s, size_t n,
                              cs_error *err)
{
    assert(n >= 1);
    const char *state = cs_shot_text(s, "run/state");
    double steps = cs_shot_number(s, 0, "run/steps");
    double progress = cs_shot_number(s, NAN, "run/progress");
    bool ended = strcmp(state, "done") == 0 || steps == 0;
    cs_replicates_stop(r);
    if (n > CS_REPLICATES)
        return cs_fail(err, CS_RANGE, "there are %d replicates at most",
                       CS_REPLICATES);
    if (!r->link->another || cs_shot_arms(s) == 0)
        return cs_fail(err, CS_UNSUPPORTED, "nothing is open to replicate");
    if (*cs_shot_text(s, "run/watched"))
        return cs_fail(err, CS_UNSUPPORTED,
                       "these draws are read: only their scenario can be "
                       "replicated");
    if (steps == 0 && isnan(progress)) {
        cs_fail(err, CS_UNSUPPORTED,
                "the run has made no step, and no budget "
                "says how many a replicate makes");
        cs_hint(err, "let it run first");
        return CS_UNSUPPORTED;
    }
    cs_status status = write_line(r, s, err);
    if (status)
        return status;
    r->made.of = n;
    r->made.steps = ended && isfinite(progress) ? (double)NAN : steps;
    r->made.left = (double)NAN;
    r->beyond = isnan(progress);
    r->opened = cs_shot_number(s, 0, "run/opened");
    r->seed = cs_shot_number(s, 0, "run/seed");
    r->chains = cs_shot_number(s, 1, "arm/0/chains");
    r->began = cs_clock();
    r->told = -1;
    return CS_OK;
}

static cs_status move(cs_replicates *r, double steps, cs_error *err)
{
    char line[64] = "run";
    if (isfinite(steps))
        snprintf(line, sizeof line, "step %.0f", steps);
    return cs_client_send(r->client, line, MOVED, err);
}

cs_status cs_replicates_sweep(cs_replicates *r, const cs_shot *s,
                              const char *over, cs_error *err)
{
    cs_swept axis;
    cs_status status = cs_swept_read(&axis, over, err);
    if (status == CS_OK && axis.n > CS_REPLICATES)
        status = cs_fail(err, CS_RANGE,
                         "a sweep on the screen has %d values "
                         "at most: chainscope sweep has more",
                         CS_REPLICATES);
    if (status == CS_OK)
        status = cs_replicates_start(r, s, axis.n, err);
    for (size_t i = 0; status == CS_OK && i < axis.n; i++) {
        snprintf(r->made.value[i], sizeof *r->made.value, "%s", axis.text[i]);
        r->made.x[i] = axis.x[i];
    }
    if (status == CS_OK) {
        snprintf(r->made.over, sizeof r->made.over, "%s", axis.name);
        r->made.log = axis.log;
    }
    cs_swept_fini(&axis);
    return status;
}

static bool sweeps_chains(const cs_replicates *r)
{
    return strcmp(r->made.over, "chains") == 0;
}

/* The steps of the one that is being made. */
static double steps_of(const cs_replicates *r)
{
    double steps = r->made.steps;
    return sweeps_chains(r) ? floor(steps * r->chains / r->made.x[r->made.n])
                            : steps;
}

/* What sets the next one apart. */
static void write_difference(const cs_replicates *r, char *out, size_t size)
{
    size_t n = r->made.n;
    if (!*r->made.over)
        snprintf(out, size, " seed=%.0f", r->seed + 1 + (double)n);
    else
        snprintf(out, size, " %s=%s%s", r->made.over, r->made.value[n],
                 sweeps_chains(r) ? " equal=1" : "");
}

/* Opens the next one and sets it going, without reports, which cost. */
static cs_status begin(cs_replicates *r, cs_error *err)
{
    size_t at = strlen(r->open);
    cs_status status = r->link->another(r->link->self, &r->client, err);
    if (status)
        return status;
    write_difference(r, r->open + at, LINE - at);
    status = cs_client_send(r->client, "reports", QUIET, err);
    if (status == CS_OK)
        status = cs_client_send(r->client, r->open, OPENED, err);
    r->open[at] = 0;
    return status ? status : move(r, steps_of(r), err);
}

/* ---- going on ------------------------------------------------------------ */

/* Takes what the session says; its refusal, or its end, is the error. */
static cs_status listen(cs_replicates *r, cs_error *err)
{
    char why[200];
    const cs_message *m;
    cs_client_calm(r->client);
    while ((m = cs_client_reply(r->client))) {
        if (m->status)
            return cs_fail(err, (cs_status)m->status, "%s",
                           (const char *)m->body);
        if (!m->part)
            r->answered = m->id;
    }
    cs_client_snapshot(r->client, &r->shot.base, &r->shot.used);
    return cs_client_alive(r->client, why, sizeof why)
               ? CS_OK
               : cs_fail(err, CS_IO, "%s", why);
}

/* It rests: where it is, or after the rest of its steps, its reports are asked
 * for. */
static cs_status rest(cs_replicates *r, cs_error *err)
{
    char line[200];
    double steps = cs_shot_number(&r->shot, 0, "run/steps");
    bool failed = strcmp(cs_shot_text(&r->shot, "run/state"), "failed") == 0;
    if (r->beyond && !failed && steps < steps_of(r)) {
        r->answered = OPENED;
        return move(r, steps_of(r) - steps, err);
    }
    r->reports = true;
    snprintf(line, sizeof line, "reports %s",
             cs_panel_probes(cs_panel_find("race")));
    return cs_client_send(r->client, line, REPORTED, err);
}

/* Keeps the figures of the one that is done. */
static void keep(cs_replicates *r, size_t coordinate)
{
    cs_replicated *to = &r->made.run[r->made.n];
    cs_race_keep(&r->shot, coordinate, to);
    to->seed = cs_shot_number(&r->shot, 0, "run/seed");
    r->made.n++;
    end_session(r);
}

/* The share of the one that is being made. */
static double part_of(const cs_replicates *r)
{
    double part = cs_shot_number(&r->shot, 0, "run/progress");
    if (isfinite(r->made.steps))
        part = cs_shot_number(&r->shot, 0, "run/steps") / steps_of(r);
    return part >= 0 && part <= 1 ? part : 0;
}

/* Says how long it takes to the end of all; true: that is news. */
static bool estimate(cs_replicates *r)
{
    double share = ((double)r->made.n + part_of(r)) / (double)r->made.of;
    double spent = cs_clock() - r->began;
    r->made.left = share > 0 ? spent * (1 - share) / share : (double)NAN;
    long told = r->made.left < 1e9 ? (long)ceil(r->made.left) : -1;
    bool news = told != r->told;
    r->told = told;
    return news;
}

static cs_status go_on(cs_replicates *r, size_t coordinate, cs_error *err)
{
    if (!r->client)
        return begin(r, err);
    cs_status status = listen(r, err);
    if (status || r->answered < MOVED || !r->shot.used ||
        strcmp(cs_shot_text(&r->shot, "run/state"), "running") == 0)
        return status;
    if (!r->reports)
        return rest(r, err);
    if (r->answered == REPORTED &&
        cs_shot_number(&r->shot, 0, "run/settled") == 1 &&
        cs_shot_number(&r->shot, 0, "run/reported") == 1)
        keep(r, coordinate);
    return CS_OK;
}

bool cs_replicates_tend(cs_replicates *r, const cs_shot *s, size_t coordinate,
                        char *text, size_t size, bool *failed)
{
    cs_error err = {0};
    size_t n = r->made.n, of = r->made.of;
    bool sweeps = *r->made.over != 0;
    const char *what = sweeps ? "the sweep is" : "the replicates are";
    *text = 0;
    *failed = false;
    if (of == 0)
        return false;
    if (cs_shot_number(s, 0, "run/opened") != r->opened) {
        cs_replicates_stop(r);
        snprintf(text, size, "%s dropped: the run is another", what);
        return true;
    }
    if (!cs_replicates_busy(r))
        return false;
    if (go_on(r, coordinate, &err)) {
        char why[400];
        cs_error_format(&err, why, sizeof why);
        cs_replicates_stop(r);
        *failed = true;
        snprintf(text, size, "%s ended: %s",
                 sweeps ? "the sweep has" : "the replicates have", why);
        return true;
    }
    if (r->made.n == of && *r->made.over)
        snprintf(text, size, "the sweep over %s is made: %zu run%s",
                 r->made.over, of, of == 1 ? "" : "s");
    else if (r->made.n == of)
        snprintf(text, size, "%zu replicate%s made: the race is of %s", of,
                 of == 1 ? " is" : "s are", of == 1 ? "it" : "them");
    bool news = estimate(r);
    return news || r->made.n != n;
}
