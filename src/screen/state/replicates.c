/* Replicates and sweeps: runs like the open run, with another seed for all
 * arms or another value of a parameter. Their figures are stored, each on
 * one line. */
#include "base/memory.h"
#include "screen/state/background_type.h"
#include "session/client/sweep_axis.h"
#include "session/commands/command.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool create(cs_background_runs *b)
{
    cs_replicas *r = b->replicas = cs_alloc(1, sizeof *r);
    if (r) {
        b->n = &r->n;
        b->of = &r->of;
        b->left = &r->left;
    }
    return r != NULL;
}

static void begin(cs_background_runs *b, size_t of)
{
    b->replicas->of = of;
    b->replicas->over[0] = 0;
    b->replicas->steps = b->run.steps;
}

static cs_status begin_replicates(cs_background_runs *b, const char *typed,
                                  cs_error *err)
{
    uint64_t n = 0;
    cs_status status = cs_command_count(typed, &n, err);
    if (status == CS_OK && (n < 1 || n > CS_REPLICATES))
        status = cs_fail(err, CS_RANGE, "at most %d replicates", CS_REPLICATES);
    if (status == CS_OK)
        begin(b, n);
    return status;
}

static cs_status begin_sweep(cs_background_runs *b, const char *typed,
                             cs_error *err)
{
    cs_sweep_axis axis;
    cs_replicas *r = b->replicas;
    cs_status status = cs_sweep_axis_read(&axis, typed, err);
    if (status == CS_OK && axis.n > CS_REPLICATES)
        status = cs_fail(err, CS_RANGE,
                         "at most %d values in a sweep on the screen; use "
                         "chainscope sweep for more",
                         CS_REPLICATES);
    if (status == CS_OK) {
        begin(b, axis.n);
        snprintf(r->over, sizeof r->over, "%s", axis.name);
        r->log = axis.log;
    }
    for (size_t i = 0; status == CS_OK && i < axis.n; i++) {
        snprintf(r->value[i], sizeof *r->value, "%s", axis.text[i]);
        r->x[i] = axis.x[i];
    }
    cs_sweep_axis_fini(&axis);
    return status;
}

static bool describe_replicate(const cs_background_runs *b, size_t i,
                               cs_job *job)
{
    double seed = b->run.seed + 1 + (double)i;
    snprintf(job->name, sizeof job->name, "seed %.0f", seed);
    return cs_job_set(job, "seed=%.0f", seed);
}

static bool describe_point(const cs_background_runs *b, size_t i, cs_job *job)
{
    const cs_replicas *r = b->replicas;
    bool chains = strcmp(r->over, "chains") == 0;
    snprintf(job->name, sizeof job->name, "%s=%s", r->over, r->value[i]);
    if (chains)
        job->steps = floor(job->steps * b->run.chains / r->x[i]);
    return cs_job_set(job, "%s=%s", r->over, r->value[i]) &&
           (!chains || cs_job_set(job, "equal=1"));
}

/* ---- figures as text ---- */

/* Called for each number of a cs_replicated: value, low and high, for each
 * figure, arm and unit. */
typedef void each(double *value, double *low, double *high, const size_t at[3],
                  void *to);

static void for_each(cs_replicated *r, each *f, void *to)
{
    for (size_t k = 0; k < CS_RACE_FIGURES; k++)
        for (size_t u = 0; u < CS_UNITS; u++)
            for (size_t a = 0; a < CS_SHOT_ARMS; a++)
                f(&r->value[k][u][a], &r->low[k][u][a], &r->high[k][u][a],
                  (size_t[3]){k, u, a}, to);
}

static void put_one(double *value, double *low, double *high,
                    const size_t at[3], void *to)
{
    if (!isnan(*value))
        cs_page_put(to, "%zu %zu %zu %.17g %.17g %.17g\n", at[0], at[1], at[2],
                    *value, *low, *high);
}

static void forget_one(double *value, double *low, double *high,
                       const size_t at[3], void *to)
{
    (void)at;
    (void)to;
    *value = *low = *high = (double)NAN;
}

static void read_run(const cs_background_runs *b, const cs_shot *s,
                     cs_page *out)
{
    /* static, because cs_replicated is too large for the stack */
    static cs_replicated one;
    cs_race_keep(s, b->run.coordinate, &one);
    cs_page_put(out, "seed %.0f, coordinate %zu\n",
                cs_shot_number(s, 0, "run/seed"), one.coordinate);
    for_each(&one, put_one, out);
}

static void take_figure(cs_replicated *r, const char *line)
{
    size_t k, u, a;
    double value, low, high;
    if (sscanf(line, "%zu %zu %zu %lf %lf %lf", &k, &u, &a, &value, &low,
               &high) == 6 &&
        k < CS_RACE_FIGURES && u < CS_UNITS && a < CS_SHOT_ARMS) {
        r->value[k][u][a] = value;
        r->low[k][u][a] = low;
        r->high[k][u][a] = high;
    }
}

static void take(cs_background_runs *b, const char *text)
{
    assert(*b->n < *b->of);
    cs_replicated *r = &b->replicas->run[*b->n];
    r->seed = (double)NAN;
    r->coordinate = 0;
    for_each(r, forget_one, NULL);
    sscanf(text, "seed %lf, coordinate %zu", &r->seed, &r->coordinate);
    while ((text = strchr(text, '\n')))
        take_figure(r, ++text);
}

/* ---- replicates and sweeps ---- */

static void say_replicates(const cs_background_runs *b, char *text, size_t size)
{
    size_t of = *b->of;
    snprintf(text, size, "%zu replicate%s finished: the race now uses %s", of,
             of == 1 ? " is" : "s are", of == 1 ? "it" : "them");
}

static void say_sweep(const cs_background_runs *b, char *text, size_t size)
{
    size_t of = *b->of;
    snprintf(text, size, "sweep over %s finished: %zu run%s", b->replicas->over,
             of, of == 1 ? "" : "s");
}

#define COMMON .create = create, .read = read_run, .take = take

const cs_background_type cs_background_type_replicates = {
    .name = "replicate",
    .verb = "replicate",
    .what = "the replicates are",
    .has = "the replicates have",
    .begin = begin_replicates,
    .describe = describe_replicate,
    .say = say_replicates,
    COMMON};

const cs_background_type cs_background_type_sweep = {.name = "sweep",
                                                     .verb = "replicate",
                                                     .what = "the sweep is",
                                                     .has = "the sweep has",
                                                     .begin = begin_sweep,
                                                     .describe = describe_point,
                                                     .say = say_sweep,
                                                     COMMON};
