/* W3: self-tuning NUTS on six posteriors, compared with other programs on the
 * same data. The case measures effective draws per second of CPU time and
 * effective draws per gradient, for the quantity with the fewest effective
 * draws. Both the time and the gradients include the warm-up. The quantities
 * are the parameters and log p (for JAGS only the parameters). Effective draws
 * are computed by cs_ess_bulk for all programs, from the draws after the
 * warm-up. In round k all programs use seed k, one after the other. Ratios are
 * computed per round, and the median is reported. The time that our tracer or
 * a compiler needs to read a model is not counted. If R-hat is above 1.1,
 * either the chains disagree, or each chain has too few effective draws (for
 * example each walker of an ensemble). The effective sample size is then
 * unreliable, and no ratio is reported. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/child.h"
#include "bench/logistic.h"
#include "bench/others.h"
#include "bench/posteriors.h"
#include "files/open.h"
#include "run/arms/limits.h"
#include "run/draws/kept_draws.h"
#include "run/run.h"
#include "run/views/view.h"
#include "script/host.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHAINS = 4, WARM_UP = 1000, DRAWS = 1000 };
enum { NAME = 64, TEXT = 8192 };

static const double max_rhat = 1.1;

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

/* The smallest number of effective draws and the largest R-hat in a set of
 * columns. */
typedef struct sizes {
    double ess, rhat;
} sizes;

/* Results of one seed. */
typedef struct lap {
    double seconds, gradients;
    sizes all, bare; /* bare: our results without log p; for other programs, a
                      * copy of `all` */
} lap;

typedef struct laps {
    size_t n;
    lap lap[CS_BENCH_ROUNDS];
    double compile; /* seconds to compile the model, for the first seed */
} laps;

typedef struct race {
    const cs_bench_posterior *p;
    size_t seeds;
    double opened; /* seconds to read the model */
    laps ours, theirs[CS_BENCH_RACERS];
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
    FILE *f = cs_open_to(r->data, "w");
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
    FILE *f = cs_open_to(r->scenario, "w");
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

/* ---- this program -------------------------------------------------------- */

static sizes worse(sizes a, sizes b)
{
    return (sizes){fmin(a.ess, b.ess), fmax(a.rhat, b.rhat)};
}

/* Returns the smallest number of effective draws and the largest R-hat of
 * draws[columns][chains][n]. Constant columns are ignored. */
static sizes sizes_of(const double *draws, size_t columns, size_t chains,
                      size_t n)
{
    sizes least = {HUGE_VAL, 0};
    for (size_t i = 0; i < columns; i++) {
        const cs_draws d = {draws + i * chains * n, n, chains};
        double ess = cs_ess_bulk(d, NULL);
        least = worse(least, (sizes){isnan(ess) ? 0 : ess, cs_rhat(d, NULL)});
    }
    return least;
}

static cs_status effective(const cs_run *run, size_t columns, lap *ours,
                           cs_error *err)
{
    enum { MOST = WARM_UP + DRAWS };
    double *row = cs_alloc(columns * (MOST + CHAINS * DRAWS), sizeof *row);
    if (!row)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    double *draws = row + columns * MOST;
    cs_status status = CS_OK;
    for (size_t c = 0; !status && c < CHAINS; c++) {
        uint64_t every;
        size_t n = cs_run_draws(run, 0, c, NULL, &every);
        if (n != DRAWS || every != 1)
            status =
                cs_fail(err, CS_INPUT, "the run has %zu draws, thinned by %zu",
                        n, (size_t)every);
        else
            cs_run_draws(run, 0, c, row, &every);
        for (size_t i = 0; !status && i < columns * DRAWS; i++)
            draws[(i / DRAWS * CHAINS + c) * DRAWS + i % DRAWS] =
                row[i % DRAWS * columns + i / DRAWS];
    }
    if (!status) {
        ours->bare =
            sizes_of(draws + CHAINS * DRAWS, columns - 1, CHAINS, DRAWS);
        ours->all = worse(ours->bare, sizes_of(draws, 1, CHAINS, DRAWS));
    }
    cs_free(row);
    return status;
}

static cs_status finish(race *r, cs_run *run, cs_error *err)
{
    cs_status s = CS_OK;
    lap *ours = &r->ours.lap[r->ours.n++];
    double start = cs_clock_process();
    while (!s && !cs_run_finished(run))
        s = cs_run_advance(run, UINT64_MAX, NULL, err);
    ours->seconds = cs_clock_process() - start;
    ours->gradients = (double)cs_run_arm(run, 0).work.gradients;
    return s ? s : effective(run, 1 + r->p->model->dim, ours, err);
}

static cs_status run_ours(race *r, size_t seed, cs_error *err)
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
        s = finish(r, opened.run, err);
        cs_run_destroy(opened.run);
    }
    cs_script_host_destroy(&host);
    return s;
}

/* ---- other programs ------------------------------------------------------ */

enum { SECONDS, GRADIENTS, CHAIN, DRAW, COLUMNS, HEAD };

static bool read_lap(const char *file, lap *l)
{
    double head[HEAD];
    FILE *f = cs_open_stream(file);
    if (!f)
        return false;
    bool good = fread(head, sizeof *head, HEAD, f) == HEAD;
    size_t all = good ? (size_t)(head[CHAIN] * head[DRAW] * head[COLUMNS]) : 0;
    double *draws = cs_alloc(all + 1, sizeof *draws);
    good = good && draws && fread(draws, sizeof *draws, all, f) == all;
    if (good) {
        *l = (lap){.seconds = head[SECONDS], .gradients = head[GRADIENTS]};
        l->all = l->bare = sizes_of(draws, (size_t)head[COLUMNS],
                                    (size_t)head[CHAIN], (size_t)head[DRAW]);
    }
    cs_free(draws);
    fclose(f);
    return good;
}

/* Runs a peer. Skips a peer that is missing or that failed with an earlier
 * seed. */
static void run_theirs(race *r, const cs_bench_racer *by, size_t seed,
                       laps *theirs)
{
    char text[TEXT];
    cs_bench_reported reported;
    if (theirs->n + 1 < seed)
        return;
    cs_bench_race_script(by, r->p, seed, r->data, r->out, text, sizeof text);
    const cs_bench_other other = {by->name, text, by->interpreter};
    if (!cs_bench_consult(&other, &reported))
        return;
    if (seed == 1)
        theirs->compile = reported.compile;
    theirs->n += read_lap(r->out, &theirs->lap[theirs->n]);
}

/* ---- rows ---------------------------------------------------------------- */

static double a_second(const lap *l, bool bare)
{
    return (bare ? l->bare : l->all).ess / l->seconds;
}

static double a_gradient(const lap *l, bool bare)
{
    return 1000 * (bare ? l->bare : l->all).ess / l->gradients;
}

/* The measures, in the same order as the entries of a racer's member `must`. */
static const struct measure {
    const char *unit, *title;
    double (*of)(const lap *l, bool bare);
} measures[CS_BENCH_MEASURES] = {
    {"effective draws/s", "", a_second},
    {"effective draws", "per 1000 gradients, ", a_gradient},
};

/* Sorted values of a measure, one per seed. */
typedef struct figures {
    size_t n;
    double value[CS_BENCH_ROUNDS];
} figures;

static figures figures_of(const laps *l, const struct measure *m, bool bare)
{
    figures f = {.n = l->n};
    for (size_t k = 0; k < l->n; k++)
        f.value[k] = m->of(&l->lap[k], bare);
    return f;
}

static double rhat_of(const laps *l, bool bare)
{
    double most = 0;
    for (size_t k = 0; k < l->n; k++)
        most = fmax(most, bare ? l->lap[k].bare.rhat : l->lap[k].all.rhat);
    return most;
}

/* Writes the remarks that follow a row. */
static void remark(const race *r, const laps *theirs, bool bare, figures *ratio,
                   char *text, size_t size)
{
    double ours = rhat_of(&r->ours, bare), other = rhat_of(theirs, bare);
    size_t n = ratio->n;
    if (theirs->n < r->seeds)
        snprintf(text, size, ", which is not installed");
    else if (fmax(ours, other) > max_rhat)
        snprintf(text, size, ": no ratio at an R-hat of %.2f, ours %.2f", other,
                 ours);
    else {
        int used = snprintf(text, size, " (%.3gx to %.3gx)", ratio->value[0],
                            ratio->value[n - 1]);
        if (theirs->compile > 1)
            snprintf(text + used, size - (size_t)used,
                     ", compiled in %.0f s, ours in %.2f", theirs->compile,
                     r->opened);
    }
}

static void print_measure(race *r, size_t i, size_t which,
                          const cs_bench_plan *plan)
{
    const cs_bench_racer *by = &cs_bench_racers[i];
    const struct measure *m = &measures[which];
    const laps *theirs = &r->theirs[i];
    figures ours = figures_of(&r->ours, m, by->bare);
    figures other = figures_of(theirs, m, by->bare), ratio = other;
    char title[256], rest[128];
    for (size_t k = 0; k < ratio.n; k++)
        ratio.value[k] = ours.value[k] / other.value[k];
    double middle =
        ratio.n ? cs_bench_median(ratio.value, ratio.n) : (double)NAN;
    bool known = ratio.n == r->seeds &&
                 rhat_of(&r->ours, by->bare) <= max_rhat &&
                 rhat_of(theirs, by->bare) <= max_rhat;
    remark(r, theirs, by->bare, &ratio, rest, sizeof rest);
    snprintf(title, sizeof title, "%s%s, beside %s%s", m->title,
             r->p->model->title, by->name, rest);
    cs_bench_row row = cs_bench_row_of(r->p->id, title, m->unit);
    row.ours = cs_bench_median(ours.value, ours.n);
    row.peer = other.n ? cs_bench_median(other.value, other.n) : (double)NAN;
    row.ratio = known ? middle : (double)NAN;
    row.must = known ? by->must[which] : (double)NAN;
    cs_bench_print(&row, plan);
}

static cs_status run_race(race *r, const cs_bench_plan *plan, cs_error *err)
{
    cs_status status = open_files(r, err);
    for (size_t k = 1; !status && k <= r->seeds; k++) {
        status = run_ours(r, k, err);
        for (size_t i = 0; !status && i < CS_BENCH_RACERS; i++)
            run_theirs(r, &cs_bench_racers[i], k, &r->theirs[i]);
    }
    for (size_t i = 0; !status && i < CS_BENCH_RACERS * CS_BENCH_MEASURES;
         i++) {
        size_t by = i / CS_BENCH_MEASURES, which = i % CS_BENCH_MEASURES;
        if (!isnan(cs_bench_racers[by].must[which]))
            print_measure(r, by, which, plan);
    }
    close_files(r);
    return status;
}

/* ---- compiled models ----------------------------------------------------- */

static bool open_folder(char *folder)
{
    return !getenv(CS_BENCH_STAN) && mkdtemp(folder) &&
           setenv(CS_BENCH_STAN, folder, 1) == 0;
}

static void close_folder(const char *folder)
{
    static const char *const end[] = {"stan", "rds"};
    for (size_t i = 0; i < 2 * CS_BENCH_POSTERIORS; i++) {
        char file[NAME];
        snprintf(file, sizeof file, "%s/%s.%s", folder,
                 cs_bench_posteriors[i / 2].id, end[i % 2]);
        unlink(file);
    }
    rmdir(folder);
    unsetenv(CS_BENCH_STAN);
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    char folder[] = "/tmp/chainscope-stan-XXXXXX";
    bool own = open_folder(folder);
    cs_status status = CS_OK;
    for (size_t i = 0; !status && i < CS_BENCH_POSTERIORS; i++) {
        static race r;
        r = (race){.p = &cs_bench_posteriors[i], .seeds = plan->rounds};
        if (cs_bench_wants(plan, r.p->id))
            status = run_race(&r, plan, err);
    }
    if (own)
        close_folder(folder);
    return status;
}

const cs_bench_case cs_bench_case_race = {
    .run = run_cases,
    .minutes = "W3",
};
