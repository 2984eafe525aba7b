/* W3: NUTS that tunes itself, on six posteriors, beside programs of others on
 * the same numbers: CPU seconds with the warm-up for 1000 effective draws of
 * what has the fewest of them, parameters and log p (beside JAGS parameters
 * alone), and effective draws of a gradient, those of the warm-up counted.
 * Effective draws are cs_ess_bulk's, ours and theirs, of the draws after the
 * warm-up. Medians over seeds. What reads a model is not counted: neither a
 * compiler nor the tracer. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/child.h"
#include "bench/logistic.h"
#include "bench/others.h"
#include "bench/posteriors.h"
#include "script/host.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEEDS = 5, CHAINS = 4, WARM_UP = 1000, DRAWS = 1000 };
enum { NAME = 64, TEXT = 8192 };

static const char scenario[] =
    "local cs = require 'chainscope'\n"
    "local FILE = '%s'\n"
    "local t = (function()\n%s end)()\n"
    "if type(t) == 'function' then\n"
    "  t = cs.target { space = cs.real(%zu), log_density = t }\n"
    "end\n"
    "return cs.scenario { title = 'race', target = t, chains = %d,\n"
    "  workers = 1, arms = { cs.kernel.nuts {} },\n"
    "  budget = { steps = %d } }\n";

/* What some seeds gave. */
typedef struct laps {
    size_t n;
    double seconds[SEEDS], gradients[SEEDS], ess[SEEDS];
    double bare[SEEDS]; /* without log p: ours, which has it first */
} laps;

typedef struct race {
    const cs_bench_posterior *p;
    size_t seeds;
    double opened; /* seconds that reading the model took */
    char rows[NAME], data[NAME], scenario[NAME], out[NAME];
} race;

/* ---- files --------------------------------------------------------------- */

static bool write_rows(const char *file)
{
    enum { N = CS_BENCH_LOGISTIC_ROWS };
    double *x = cs_alloc(N * (CS_BENCH_LOGISTIC + 1), sizeof *x);
    if (!x)
        return false;
    double *y = x + N * CS_BENCH_LOGISTIC;
    cs_bench_logistic_make(N, x, y);
    bool good = cs_bench_logistic_write(file, N, x, y);
    cs_free(x);
    return good;
}

static bool write_data(const race *r)
{
    FILE *f = fopen(r->data, "w");
    if (!f)
        return false;
    r->p->model->data(f);
    return fclose(f) == 0;
}

static cs_status open_files(race *r, cs_error *err)
{
    char *const name[] = {r->rows, r->data, r->scenario, r->out};
    static const char *const end[] = {"csv", "dmp", "lua", "bin"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(name[i], NAME, "/tmp/chainscope-bench-XXXXXX.%s", end[i]);
        if (!cs_bench_file("", name[i]))
            return cs_fail(err, CS_IO, "cannot write %s", name[i]);
    }
    char text[TEXT];
    const cs_bench_model *m = r->p->model;
    snprintf(text, sizeof text, scenario, r->rows, m->code, m->dim, CHAINS,
             WARM_UP + DRAWS);
    FILE *f = fopen(r->scenario, "w");
    bool good = f && fputs(text, f) >= 0;
    good = (!f || fclose(f) == 0) && good;
    if (!good || !write_rows(r->rows) || !write_data(r))
        return cs_fail(err, CS_IO, "cannot write the data of %s", r->p->id);
    return CS_OK;
}

static void close_files(race *r)
{
    unlink(r->rows);
    unlink(r->data);
    unlink(r->scenario);
    unlink(r->out);
}

/* ---- ours ---------------------------------------------------------------- */

/* Of draws[columns][chains][n] the column with the fewest; one that never
 * changes has none. */
static double least_of(const double *draws, size_t columns, size_t chains,
                       size_t n)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < columns; i++) {
        double ess =
            cs_ess_bulk((cs_draws){draws + i * chains * n, n, chains}, NULL);
        least = fmin(least, isnan(ess) ? 0 : ess);
    }
    return least;
}

static cs_status effective(const cs_run *run, size_t columns, laps *ours,
                           cs_error *err)
{
    enum { MOST = WARM_UP + DRAWS };
    double *row = cs_alloc(columns * (MOST + CHAINS * DRAWS), sizeof *row);
    if (!row)
        return cs_fail(err, CS_MEMORY, "out of memory");
    double *draws = row + columns * MOST;
    cs_status status = CS_OK;
    for (size_t c = 0; !status && c < CHAINS; c++) {
        uint64_t every;
        size_t n = cs_run_draws(run, 0, c, NULL, &every);
        if (n != DRAWS || every != 1)
            status = cs_fail(err, CS_INPUT, "%zu draws, one of %zu", n,
                             (size_t)every);
        else
            cs_run_draws(run, 0, c, row, &every);
        for (size_t i = 0; !status && i < columns * DRAWS; i++)
            draws[(i / DRAWS * CHAINS + c) * DRAWS + i % DRAWS] =
                row[i % DRAWS * columns + i / DRAWS];
    }
    if (!status) {
        double *ess = &ours->ess[ours->n], *bare = &ours->bare[ours->n];
        *bare = least_of(draws + CHAINS * DRAWS, columns - 1, CHAINS, DRAWS);
        *ess = fmin(*bare, least_of(draws, 1, CHAINS, DRAWS));
    }
    cs_free(row);
    return status;
}

static cs_status finish(race *r, cs_run *run, laps *ours, cs_error *err)
{
    cs_status s = CS_OK;
    double start = cs_clock_process();
    while (!s && !cs_run_finished(run))
        s = cs_run_advance(run, UINT64_MAX, NULL, err);
    ours->seconds[ours->n] = cs_clock_process() - start;
    ours->gradients[ours->n] = (double)cs_run_arm(run, 0).work.gradients;
    if (!s)
        s = effective(run, 1 + r->p->model->dim, ours, err);
    ours->n++;
    return s;
}

static cs_status run_ours(race *r, size_t seed, laps *ours, cs_error *err)
{
    char text[32];
    const char *set[] = {text};
    const cs_script_limits limits = {.seconds = 60, .trust = true};
    cs_host host;
    cs_opened opened;
    snprintf(text, sizeof text, "seed=%zu", seed);
    cs_status s = cs_script_host_create(&host, &limits, NULL, err);
    if (s)
        return s;
    double start = cs_clock_process();
    s = host.open(host.self, r->scenario, set, 1, &opened, err);
    r->opened = cs_clock_process() - start;
    if (!s) {
        s = finish(r, opened.run, ours, err);
        cs_run_destroy(opened.run);
    }
    cs_script_host_destroy(&host);
    return s;
}

/* ---- theirs -------------------------------------------------------------- */

enum { SECONDS, GRADIENTS, CHAIN, DRAW, COLUMNS, HEAD };

static bool read_lap(FILE *f, laps *l)
{
    double head[HEAD];
    if (fread(head, sizeof *head, HEAD, f) != HEAD)
        return false;
    size_t all = (size_t)(head[CHAIN] * head[DRAW] * head[COLUMNS]);
    double *draws = cs_alloc(all, sizeof *draws);
    bool good = draws && fread(draws, sizeof *draws, all, f) == all;
    if (good) {
        l->seconds[l->n] = head[SECONDS];
        l->gradients[l->n] = head[GRADIENTS];
        l->ess[l->n++] = least_of(draws, (size_t)head[COLUMNS],
                                  (size_t)head[CHAIN], (size_t)head[DRAW]);
    }
    cs_free(draws);
    return good;
}

/* False: it is not here, or did not come to its end. */
static bool run_theirs(const race *r, const cs_bench_racer *by, laps *theirs,
                       double *compile)
{
    char text[TEXT];
    cs_bench_told told;
    cs_bench_race_script(by, r->p, r->seeds, r->data, r->out, text,
                         sizeof text);
    const cs_bench_other other = {by->name, text, by->interpreter};
    if (!cs_bench_consult(&other, &told))
        return false;
    *compile = told.compile;
    FILE *f = fopen(r->out, "rb");
    while (f && theirs->n < r->seeds && read_lap(f, theirs))
        ;
    if (f)
        fclose(f);
    return theirs->n == r->seeds;
}

/* ---- rows ---------------------------------------------------------------- */

/* One figure of the seeds. */
typedef struct figure {
    double low, middle, high;
} figure;

static figure figure_of(const laps *l, const double *above, const double *below,
                        double scale)
{
    double value[SEEDS];
    for (size_t i = 0; i < l->n; i++)
        value[i] = scale * above[i] / below[i];
    double middle = cs_bench_median(value, l->n); /* sorts them */
    return (figure){value[0], middle, value[l->n - 1]};
}

static figure seconds_of(const laps *l, bool bare)
{
    return figure_of(l, l->seconds, bare ? l->bare : l->ess, 1000);
}

static figure draws_of(const laps *l)
{
    return figure_of(l, l->ess, l->gradients, 1000);
}

/* `peer` NULL: it is not here. */
static void print_figures(const race *r, const char *unit, const char *title,
                          const figure *ours, const figure *peer, double scale,
                          double must, const cs_bench_plan *plan)
{
    char text[256], spread[64] = "";
    if (peer)
        snprintf(spread, sizeof spread, "; %.3g to %.3g", scale * peer->low,
                 scale * peer->high);
    snprintf(text, sizeof text, "%s (%.3g to %.3g%s)", title, scale * ours->low,
             scale * ours->high, spread);
    cs_bench_row row = cs_bench_row_of(r->p->id, text, unit);
    row.ours = scale * ours->middle;
    if (peer) {
        row.peer = scale * peer->middle;
        row.ratio = row.peer / row.ours;
        row.must = must;
    }
    if (must < 1) /* more is better */
        row.ratio = 1 / row.ratio;
    cs_bench_print(&row, plan);
}

static void print_race(const race *r, const cs_bench_racer *by,
                       const laps *ours, const laps *theirs, double compile,
                       const cs_bench_plan *plan)
{
    char title[160], read[64] = "";
    figure a = seconds_of(ours, by->bare);
    figure b = theirs ? seconds_of(theirs, false) : a;
    if (theirs && compile > 1)
        snprintf(read, sizeof read, ", compiled in %.0f s, ours in %.2f",
                 compile, r->opened);
    snprintf(title, sizeof title, "1000 effective draws, %s, beside %s%s%s",
             r->p->model->title, by->name, theirs ? "" : ", which is not here",
             read);
    print_figures(r, "ms", title, &a, theirs ? &b : NULL, 1e3, by->must, plan);
    if (theirs && isnan(theirs->gradients[0]))
        return;
    a = draws_of(ours);
    b = theirs ? draws_of(theirs) : a;
    snprintf(title, sizeof title, "of 1000 gradients, %s, beside %s%s",
             r->p->model->title, by->name, theirs ? "" : ", which is not here");
    print_figures(r, "effective draws", title, &a, theirs ? &b : NULL, 1, 0.9,
                  plan);
}

static cs_status run_race(race *r, const cs_bench_plan *plan, cs_error *err)
{
    laps ours = {0};
    cs_status status = open_files(r, err);
    for (size_t k = 1; !status && k <= r->seeds; k++)
        status = run_ours(r, k, &ours, err);
    for (size_t i = 0; !status && i < CS_BENCH_RACERS; i++) {
        const cs_bench_racer *by = &cs_bench_racers[i];
        laps theirs = {0};
        double compile = (double)NAN;
        if (!by->program(r->p))
            continue;
        bool here = run_theirs(r, by, &theirs, &compile);
        print_race(r, by, &ours, here ? &theirs : NULL, compile, plan);
    }
    close_files(r);
    return status;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; !status && i < CS_BENCH_POSTERIORS; i++) {
        race r = {.p = &cs_bench_posteriors[i],
                  .seeds = plan->rounds < SEEDS ? plan->rounds : SEEDS};
        if (cs_bench_wants(plan, r.p->id))
            status = run_race(&r, plan, err);
    }
    return status;
}

const cs_bench_case cs_bench_case_race = {
    .run = run_cases,
};
