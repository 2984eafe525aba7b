#include "screen/state/replicates.h"

#include "base/memory.h"
#include "screen/panels/panel.h"
#include "screen/state/background.h"
#include "session/client/swept.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct cs_replicates {
    cs_replicas made;
    cs_background run;   /* that is being made */
    bool beyond;         /* it goes beyond its budget */
    double seed, chains; /* of the run that they are like */
};

cs_replicates *cs_replicates_create(const cs_app_link *link)
{
    cs_replicates *r = cs_alloc(1, sizeof *r);
    if (r)
        r->run.link = link;
    return r;
}

void cs_replicates_stop(cs_replicates *r)
{
    cs_background_end(&r->run);
    r->made.n = r->made.of = 0;
    r->made.over[0] = 0;
}

void cs_replicates_destroy(cs_replicates *r)
{
    if (!r)
        return;
    cs_background_end(&r->run);
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
    return cs_background_fds(&r->run, fd);
}

/* ---- beginning ----------------------------------------------------------- */

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
    cs_status status = cs_background_prepare(&r->run, s, "replicate", err);
    if (status)
        return status;
    if (steps == 0 && isnan(progress)) {
        cs_fail(err, CS_UNSUPPORTED,
                "the run has made no step, and no budget "
                "says how many a replicate makes");
        cs_hint(err, "let it run first");
        return CS_UNSUPPORTED;
    }
    r->made.of = n;
    r->made.steps = ended && isfinite(progress) ? (double)NAN : steps;
    r->made.left = (double)NAN;
    r->beyond = isnan(progress);
    r->seed = cs_shot_number(s, 0, "run/seed");
    r->chains = cs_shot_number(s, 1, "arm/0/chains");
    return CS_OK;
}

static void write_move(double steps, char *line, size_t size)
{
    if (isfinite(steps))
        snprintf(line, size, "step %.0f", steps);
    else
        snprintf(line, size, "run");
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

static cs_status begin(cs_replicates *r, cs_error *err)
{
    char difference[200], go[64];
    write_difference(r, difference, sizeof difference);
    write_move(steps_of(r), go, sizeof go);
    return cs_background_begin(&r->run, difference, go, err);
}

/* ---- going on ------------------------------------------------------------ */

/* It rests: where it is, or after the rest of its steps, its reports are asked
 * for. */
static cs_status rest(cs_replicates *r, cs_error *err)
{
    char line[200];
    cs_background *b = &r->run;
    double steps = cs_shot_number(&b->shot, 0, "run/steps");
    bool failed = strcmp(cs_shot_text(&b->shot, "run/state"), "failed") == 0;
    if (r->beyond && !failed && steps < steps_of(r)) {
        b->answered = CS_BACKGROUND_OPENED;
        write_move(steps_of(r) - steps, line, sizeof line);
        return cs_client_send(b->client, line, CS_BACKGROUND_MOVED, err);
    }
    b->asked = true;
    snprintf(line, sizeof line, "reports %s",
             cs_panel_probes(cs_panel_find("race")));
    return cs_client_send(b->client, line, CS_BACKGROUND_ASKED, err);
}

/* Keeps the figures of the one that is done. */
static void keep(cs_replicates *r, size_t coordinate)
{
    cs_replicated *to = &r->made.run[r->made.n];
    cs_race_keep(&r->run.shot, coordinate, to);
    to->seed = cs_shot_number(&r->run.shot, 0, "run/seed");
    r->made.n++;
    cs_background_end(&r->run);
}

/* The share of the one that is being made. */
static double part_of(const cs_replicates *r)
{
    double part = cs_shot_number(&r->run.shot, 0, "run/progress");
    if (isfinite(r->made.steps))
        part = cs_shot_number(&r->run.shot, 0, "run/steps") / steps_of(r);
    return part >= 0 && part <= 1 ? part : 0;
}

static cs_status go_on(cs_replicates *r, size_t coordinate, cs_error *err)
{
    cs_background *b = &r->run;
    if (!b->client)
        return begin(r, err);
    cs_status status = cs_background_listen(b, NULL, NULL, err);
    if (status || !cs_background_rests(b))
        return status;
    if (!b->asked)
        return rest(r, err);
    if (b->answered != CS_BACKGROUND_ASKED ||
        cs_shot_number(&b->shot, 0, "run/settled") != 1 ||
        cs_shot_number(&b->shot, 0, "run/reported") != 1)
        return CS_OK;
    keep(r, coordinate);
    return cs_replicates_busy(r) ? begin(r, err) : CS_OK;
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
    if (cs_shot_number(s, 0, "run/opened") != r->run.opened) {
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
    double share = ((double)r->made.n + part_of(r)) / (double)r->made.of;
    bool news = cs_background_estimate(&r->run, share, &r->made.left);
    return news || r->made.n != n;
}
