/* W1: a random walk as `chainscope run` does it, from the scenario to the
 * summary, compared with a GSL loop that keeps its draws. W6: the memory that a
 * very large number of chains needs. W7: the cost of 4 chains and of 9 chains,
 * each compared with the cost of 8 chains. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/child.h"
#include "bench/models.h"
#include "bench/peer.h"
#include "run/arms/limits.h"
#include "run/run.h"
#include "run/summary/summary.h"
#include "script/host.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const char scenario[] =
    "local cs = require 'chainscope' return cs.scenario { title = 'walk',"
    " target = cs.target.gaussian { dim = 10 }, seed = 1, workers = 1,"
    " arms = { cs.kernel.random_walk { step = 0.7526220831 } },"
    " budget = { steps = 1e6 } }\n";

typedef struct whole {
    const char *id, *title, *chains, *steps; /* `chains` and `steps` are
                                              * assignments of --set */
    double all;                              /* steps of all chains together */
    double must;
} whole;

static const whole cases[] = {
    {"W1a", "run, random walk, d = 10, 10^6 steps of 1 chain, summary",
     "chains=1", "steps=1000000", 1e6, 1.5},
    {"W1b", "the same, 4 chains", "chains=4", "steps=1000000", 4e6, 2},
    {"W1c", "the same, 64 chains, 2 10^5 steps", "chains=64", "steps=200000",
     64 * 2e5, 8},
};

/* Runs until the run's budget is spent. */
static cs_status finish(cs_run *run, cs_error *err)
{
    cs_status s = CS_OK;
    while (!s && !cs_run_finished(run))
        s = cs_run_advance(run, UINT64_MAX, NULL, err);
    return s;
}

/* Computes the summary of the run. */
static cs_status sum_up(cs_run *run, cs_error *err)
{
    cs_page text = {0};
    cs_status s = CS_OK;
    cs_summary_text(run, NULL, &text);
    if (text.full || !text.text)
        s = cs_fail(err, CS_MEMORY, "out of memory for the summary");
    cs_free(text.text);
    return s;
}

/* CPU seconds of all threads together: for the steps only, and for the whole
 * work from the scenario to the summary. */
typedef struct spent {
    double steps, all;
} spent;

static cs_status run_once(const char *path, const whole *w, spent *seconds,
                          cs_error *err)
{
    const char *set[] = {"default_warmup=usual", "read=1", w->chains, w->steps};
    const cs_script_limits limits = {.seconds = 10};
    cs_host host;
    cs_opened opened;
    double start = cs_clock_process();
    cs_status s = cs_script_host_create(&host, &limits, NULL, err);
    if (s)
        return s;
    s = host.open(host.self, path, set, sizeof set / sizeof *set, &opened, err);
    if (!s) {
        double first = cs_clock_process();
        s = finish(opened.run, err);
        seconds->steps = cs_clock_process() - first;
        if (!s)
            s = sum_up(opened.run, err);
        cs_run_destroy(opened.run);
    }
    cs_script_host_destroy(&host);
    seconds->all = cs_clock_process() - start;
    return s;
}

static cs_status run_case(const char *path, const whole *w,
                          const cs_bench_plan *plan, cs_error *err)
{
    enum { PEER = 300000 };
    double ours[CS_BENCH_ROUNDS], peer[CS_BENCH_ROUNDS];
    double ratio[CS_BENCH_ROUNDS];
    for (size_t i = 0; i < plan->rounds; i++) {
        spent seconds;
        cs_status s = run_once(path, w, &seconds, err);
        if (s)
            return s;
        ours[i] = seconds.all / w->all;
        peer[i] = cs_peer_random_walk(PEER, true).seconds / PEER;
        ratio[i] = peer[i] / ours[i];
    }
    cs_bench_row row = cs_bench_row_of(w->id, w->title, "ns");
    row.ours = 1e9 * cs_bench_median(ours, plan->rounds);
    row.peer = 1e9 * cs_bench_median(peer, plan->rounds);
    row.ratio = cs_bench_median(ratio, plan->rounds);
    row.must = w->must;
    cs_bench_print(&row, plan);
    return CS_OK;
}

static cs_status measure_memory(char *path, const cs_bench_plan *plan,
                                cs_error *err)
{
    char run[] = "run", chains[] = "--chains", many[] = "10000";
    char steps[] = "--steps", few[] = "1000", workers[] = "--workers",
         two[] = "2";
    char *args[] = {run, path, chains, many, steps, few, workers, two, NULL};
    double milliseconds, megabytes = 0;
    cs_status status = cs_bench_child(args, &milliseconds, &megabytes, err);
    if (status)
        return status;
    cs_bench_row row = cs_bench_row_of(
        "W6", "run, 10,000 chains of 10 numbers, 1000 steps", "MB resident");
    row.ours = megabytes;
    row.ask = CS_ASK_MOST;
    row.must = 150;
    cs_bench_print(&row, plan);
    return CS_OK;
}

/* ---- W7 ------------------------------------------------------------------ */

typedef struct few {
    const char *id, *title, *target, *kernel, *steps;
    int model; /* index in cs_bench_models, used as the target; -1: none */
} few;

static const few fews[] = {
    {"W7w", "random walk, d = 10", "gaussian { dim = 10 }", "random_walk {}",
     "steps=200000", -1},
    {"W7l", "HMC, logistic regression", "logistic_regression {}",
     "hmc { step = 0.1, leapfrogs = 8 }", "steps=10000", -1},
    {"W7b", "DMALA, rbm 784 x 100", "rbm { hidden = 100 }", "dmala {}",
     "steps=1000", -1},
    {"W7v", "MALA, stochastic volatility, traced", NULL, "mala { step = 0.01 }",
     "steps=1000", 2},
};

static void write_few(const few *f, char *text, size_t size)
{
    char target[4096];
    snprintf(target, sizeof target, "cs.target.%s", f->target);
    if (f->model >= 0)
        snprintf(target, sizeof target,
                 "cs.target { space = cs.real(%zu),"
                 " log_density = (function()\n%s end)() }",
                 cs_bench_models[f->model].dim, cs_bench_models[f->model].code);
    snprintf(text, size,
             "local cs = require 'chainscope' return cs.scenario {"
             " title = 'few', target = %s, seed = 1, workers = 1,"
             " arms = { cs.kernel.%s }, budget = { steps = 1 } }\n",
             target, f->kernel);
}

/* Compares the time of n chains with that of eight chains. Runs of both kinds
 * alternate. */
static cs_status compare_few(const char *path, const few *f, int chains,
                             double must, const cs_bench_plan *plan,
                             cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], eight[CS_BENCH_ROUNDS];
    double ratio[CS_BENCH_ROUNDS];
    char set[16], id[16], title[128];
    snprintf(set, sizeof set, "chains=%d", chains);
    snprintf(id, sizeof id, "%s%d", f->id, chains);
    snprintf(title, sizeof title, "%s: steps of %d chains, beside 8", f->title,
             chains);
    if (!cs_bench_wants(plan, id))
        return CS_OK;
    const whole one = {.chains = set, .steps = f->steps};
    const whole other = {.chains = "chains=8", .steps = f->steps};
    for (size_t i = 0; i < plan->rounds; i++) {
        spent few_of, eight_of;
        cs_status s = run_once(path, &one, &few_of, err);
        if (!s)
            s = run_once(path, &other, &eight_of, err);
        if (s)
            return s;
        ours[i] = few_of.steps;
        eight[i] = eight_of.steps;
        ratio[i] = eight[i] / ours[i];
    }
    cs_bench_row row = cs_bench_row_of(id, title, "ms");
    row.ours = 1e3 * cs_bench_median(ours, plan->rounds);
    row.peer = 1e3 * cs_bench_median(eight, plan->rounds);
    row.ratio = cs_bench_median(ratio, plan->rounds);
    row.must = must;
    cs_bench_print(&row, plan);
    return CS_OK;
}

static cs_status measure_few(const few *f, const cs_bench_plan *plan,
                             cs_error *err)
{
    char text[8192], path[] = "/tmp/chainscope-bench-XXXXXX.lua";
    write_few(f, text, sizeof text);
    if (!cs_bench_file(text, path))
        return cs_fail(err, CS_IO, "cannot write %s", path);
    cs_status s = compare_few(path, f, 4, NAN, plan, err);
    if (!s)
        s = compare_few(path, f, 9, 1 / 1.3, plan, err);
    unlink(path);
    return s;
}

/* ---- all cases ----------------------------------------------------------- */

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    char path[] = "/tmp/chainscope-bench-XXXXXX.lua";
    if (!cs_bench_file(scenario, path))
        return cs_fail(err, CS_IO, "cannot write %s", path);
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < sizeof cases / sizeof *cases; i++)
        if (cs_bench_wants(plan, cases[i].id))
            s = run_case(path, &cases[i], plan, err);
    if (!s && cs_bench_wants(plan, "W6"))
        s = measure_memory(path, plan, err);
    unlink(path);
    for (size_t i = 0; !s && i < sizeof fews / sizeof *fews; i++)
        s = measure_few(&fews[i], plan, err);
    return s;
}

const cs_bench_case cs_bench_case_whole = {
    .run = run,
};
