/* B04: heat bath updates of 64 x 64 spins on a torus at the critical
 * temperature, compared with a plain loop that uses a table of five
 * probabilities. The rows `wide` measure 1000 chains of 100 x 100 spins. In
 * these rows the time of a step is compared with the time of two parts: its
 * random numbers, and one copy of the data of all chains (states, the target's
 * cache, a gradient). */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peer.h"
#include "rng/stream.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 64, SWEEPS = 1000, STEPS = 10, PEER_SWEEPS = 300 };

static cs_status open_run(const char *kernel, size_t side, double sweeps,
                          size_t chains, cs_run **run, cs_error *err)
{
    const cs_value rows = cs_bench_value("rows", (double)side);
    const cs_value times = cs_bench_value("sweeps", sweeps);
    const cs_bench_setting s = {.target = "ising",
                                .target_values = &rows,
                                .n_target_values = 1,
                                .kernel = kernel,
                                .kernel_values = &times,
                                .n_kernel_values = sweeps > 0,
                                .chains = chains};
    return cs_bench_open(&s, run, err);
}

/* Returns the seconds that the random bits of one update take. A group of 1024
 * sites draws one bit per site repeatedly, until every site is decided:
 * log2(1024) + 1.33 times on average. */
static double time_bits(void)
{
    enum { LANES = 32, ROWS = 64, TIMES = 2000 };
    uint64_t chain[LANES], *word = cs_alloc(LANES * ROWS, sizeof *word);
    if (!word)
        return (double)NAN;
    for (size_t l = 0; l < LANES; l++)
        chain[l] = l;
    cs_streams s = cs_streams_of(1, 0, chain, LANES, LANES);
    double start = cs_clock_thread();
    for (s.step = 1; s.step <= TIMES; s.step++)
        cs_fill_words(&s, CS_FOR_PROPOSAL, ROWS, word);
    double used = cs_clock_thread() - start;
    cs_free(word);
    return used / (64.0 * LANES * ROWS * TIMES) * 11.33;
}

static cs_status critical(const cs_bench_plan *plan, cs_error *err)
{
    const double updates = (double)SIDE * SIDE;
    double ours[CS_BENCH_ROUNDS], peer[CS_BENCH_ROUNDS];
    double ratio[CS_BENCH_ROUNDS];
    cs_run *run = NULL;
    cs_status status = open_run("block_gibbs", SIDE, SWEEPS, 1, &run, err);
    for (size_t i = 0; !status && i < plan->rounds; i++) {
        status = cs_bench_advance(run, STEPS, &ours[i], err);
        ours[i] /= updates * SWEEPS * STEPS;
        peer[i] = cs_peer_ising(PEER_SWEEPS).seconds / (updates * PEER_SWEEPS);
        ratio[i] = peer[i] / ours[i];
    }
    cs_run_destroy(run);
    if (status)
        return status;
    cs_bench_row row = cs_bench_row_of(
        "B04", "Ising 64 x 64, critical, 1000 sweeps a step: one update", "ns");
    row.ours = 1e9 * cs_bench_median(ours, plan->rounds);
    row.peer = 1e9 * cs_bench_median(peer, plan->rounds);
    row.ratio = cs_bench_median(ratio, plan->rounds);
    row.draws = row.limit = 1e9 * time_bits();
    row.must = 80;
    cs_bench_print(&row, plan);
    return CS_OK;
}

/* ---- 1000 chains of 100 x 100 spins -------------------------------------- */

enum { WIDE = 100, CHAINS = 1000, WIDE_STEPS = 3 };

/* Returns the seconds that n rows of uniforms for all chains take. */
static double time_uniforms(size_t n)
{
    enum { LANES = CS_PAD, ROWS = 100 };
    uint64_t chain[LANES];
    double *scratch = cs_alloc(LANES * ROWS, sizeof *scratch);
    if (!scratch)
        return (double)NAN;
    for (size_t l = 0; l < LANES; l++)
        chain[l] = l;
    cs_streams s = cs_streams_of(1, 0, chain, LANES, LANES);
    double start = cs_clock_thread();
    for (s.step = 1; s.step <= n * CHAINS / (LANES * ROWS); s.step++)
        cs_fill_uniform(&s, CS_FOR_PROPOSAL, ROWS, scratch);
    double used = cs_clock_thread() - start;
    cs_free(scratch);
    return used;
}

/* Returns the seconds that copying n rows of all chains takes. */
static double time_copy(size_t n)
{
    double *from = cs_alloc(2 * n * CHAINS, sizeof *from), *to = from;
    if (!from)
        return (double)NAN;
    to += n * CHAINS;
    for (size_t k = 0; k < 2 * n * CHAINS; k++)
        from[k] = 1;
    double start = cs_clock_thread();
    memcpy(to, from, n * CHAINS * sizeof *from);
    double used = cs_clock_thread() - start;
    cs_free(from);
    return used;
}

/* The measured kernels, the number of uniforms per site that each kernel uses,
 * and the required time in ms. */
static const struct {
    const char *kernel;
    size_t uniforms;
    bool whole;  /* true: the step reads all data of a chain */
    double most; /* required time in ms, two to four times the measured time */
} wide_steps[] = {
    {"dmala", 1, true, 150},       {"gwg", 0, true, 150},
    {"block_gibbs", 0, true, 200}, {"swendsen_wang", 3, true, 600},
    {"wolff", 0, false, 60},
};

static cs_status wide(const cs_bench_plan *plan, size_t which, cs_error *err)
{
    const char *kernel = wide_steps[which].kernel;
    double ours[CS_BENCH_ROUNDS], draws = 0;
    char title[96];
    cs_run *run = NULL;
    cs_status status = open_run(kernel, WIDE, 0, CHAINS, &run, err);
    for (size_t i = 0; !status && i < plan->rounds; i++) {
        status = cs_bench_advance(run, WIDE_STEPS, &ours[i], err);
        ours[i] /= WIDE_STEPS;
    }
    cs_run_destroy(run);
    if (status)
        return status;
    if (wide_steps[which].uniforms)
        draws = time_uniforms(wide_steps[which].uniforms * WIDE * WIDE);
    snprintf(title, sizeof title, "Ising 100 x 100, %d chains, %s: a step",
             CHAINS, kernel);
    cs_bench_row row = cs_bench_row_of("wide", title, "ms");
    row.ours = 1e3 * cs_bench_median(ours, plan->rounds);
    row.draws = 1e3 * draws;
    if (wide_steps[which].whole)
        row.limit = 1e3 * (draws + time_copy(3 * WIDE * WIDE));
    row.ask = CS_ASK_MOST;
    row.must = wide_steps[which].most;
    cs_bench_print(&row, plan);
    return CS_OK;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    size_t kernels = sizeof wide_steps / sizeof *wide_steps;
    cs_status status =
        cs_bench_wants(plan, "B04") ? critical(plan, err) : CS_OK;
    for (size_t k = 0; k < kernels && cs_bench_wants(plan, "wide"); k++)
        if (!status)
            status = wide(plan, k, err);
    return status;
}

const cs_bench_case cs_bench_case_lattice = {
    .run = run,
};
