/* `chainscope bench`: what a step costs, beside its limit, the cost of its
 * random draws alone, and the same work written by hand with GSL, measured
 * turn about in one process: ratios hold on a noisy machine, single figures
 * do not. One thread, CPU time, the median of the rounds. */
#include "cli/bench_cases.h"
#include "cli/bench_peer.h"

#include "base/memory.h"
#include "base/simd.h"
#include "rng/stream.h"
#include "run/run.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 31, MAX_FIELDS = 4 };

/* One case: a run of ours, the peer's loop, and what it draws a step. */
typedef struct bench_case {
    const char *id, *title;
    const char *kernel;
    struct {
        const char *name;
        double value;
    } param[MAX_FIELDS];
    size_t dim;
    double rho; /* 0: the identity */
    size_t chains, steps, warmup;
    bool keep; /* every draw is kept, else running means only */
    cs_peer_result (*peer)(size_t steps);
    size_t peer_steps;
    double unit; /* seconds */
    const char *unit_name;
    double must;               /* ratio to the peer */
    size_t normals, log_draws; /* a chain-step */
    double flops;              /* a chain-step, in products */
} bench_case;

static cs_peer_result walk_kept(size_t n)
{
    return cs_peer_random_walk(n, true);
}

static cs_peer_result walk_means(size_t n)
{
    return cs_peer_random_walk(n, false);
}

#define WALK                                                                   \
    .kernel = "random_walk", .param = {{"step", 0.7526220831}}, .dim = 10,     \
    .unit = 1e-9, .unit_name = "ns", .normals = 10, .log_draws = 1
#define MALA                                                                   \
    .kernel = "mala", .param = {{"step", 0.55}}, .dim = 100, .rho = 0.5,       \
    .unit = 1e-6, .unit_name = "us", .normals = 100, .log_draws = 1,           \
    .flops = 2e4, .peer = cs_peer_mala, .peer_steps = 6000, .keep = true
#define HMC                                                                    \
    .kernel = "hmc", .param = {{"step", 0.25}, {"leapfrogs", 10}}, .dim = 100, \
    .rho = 0.5, .unit = 1e-6, .unit_name = "us", .normals = 100,               \
    .log_draws = 1, .flops = 2e5, .peer = cs_peer_hmc, .peer_steps = 1500,     \
    .keep = true

static const bench_case cases[] = {
    {"B01a", "random walk, d = 10, 1 chain, draws kept", WALK, .chains = 1,
     .steps = 300000, .warmup = 3000, .keep = true, .peer = walk_kept,
     .peer_steps = 300000, .must = 2.2},
    {"B01b", "random walk, d = 10, 64 chains, means only", WALK, .chains = 64,
     .steps = 20000, .warmup = 500, .peer = walk_means, .peer_steps = 300000,
     .must = 10},
    {"B02a", "MALA, d = 100 dense, 1 chain, draws kept", MALA, .chains = 1,
     .steps = 20000, .warmup = 500, .must = 1.6},
    {"B02b", "MALA, d = 100 dense, 32 chains, draws kept", MALA, .chains = 32,
     .steps = 2000, .warmup = 100, .must = 3},
    {"B03a", "HMC, 10 leapfrogs, d = 100 dense, 1 chain, draws kept", HMC,
     .chains = 1, .steps = 3000, .warmup = 200, .must = 1.15},
    {"B03b", "HMC, 10 leapfrogs, d = 100 dense, 32 chains, draws kept", HMC,
     .chains = 32, .steps = 300, .warmup = 50, .must = 3.5},
};

static cs_status open_target(const bench_case *c, cs_target **out,
                             cs_error *err)
{
    cs_value given[2] = {
        {.name = "dim", .kind = CS_PARAM_REAL, .number = (double)c->dim},
        {.name = "rho", .kind = CS_PARAM_REAL, .number = c->rho},
    };
    return cs_target_create(cs_target_find("gaussian"), given,
                            c->rho != 0 ? 2 : 1, out, err);
}

static cs_status open_run(const bench_case *c, cs_run **out, cs_error *err)
{
    cs_target *target;
    cs_status s = open_target(c, &target, err);
    if (s)
        return s;
    cs_value given[MAX_FIELDS];
    size_t n = 0;
    for (; n < MAX_FIELDS && c->param[n].name; n++)
        given[n] = (cs_value){.name = c->param[n].name,
                              .kind = CS_PARAM_REAL,
                              .number = c->param[n].value};
    cs_arm_spec arm = {.name = c->kernel};
    s = cs_kernel_init(&arm.kernel, cs_kernel_find(c->kernel), given, n, err);
    cs_probe_spec means = {.type = cs_probe_find("moments")};
    double *zero = cs_alloc(c->dim, sizeof *zero);
    cs_run_spec spec = {.target = target,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = c->chains,
                        .seed = 1,
                        .probes = &means,
                        .n_probes = c->keep ? 0 : 1,
                        .start = zero,
                        .n_starts = 1,
                        .workers = 1,
                        .keep = c->keep ? c->steps + c->warmup : 2,
                        .rewind_bytes = 1};
    if (!s && !zero)
        s = cs_fail(err, CS_MEMORY, "out of memory");
    if (!s && !c->keep && !means.type)
        s = cs_fail(err, CS_UNKNOWN, "this build has no probe 'moments'");
    if (!s)
        s = cs_run_create(out, &spec, err);
    cs_target_release(target);
    cs_free(zero);
    return s;
}

/* Seconds a chain-step of ours takes; the acceptance rate on the side. */
static cs_status time_ours(const bench_case *c, double *seconds,
                           double *acceptance, cs_error *err)
{
    cs_run *run = NULL;
    uint64_t done;
    cs_status s = open_run(c, &run, err);
    if (!s)
        s = cs_run_advance(run, c->warmup, &done, err);
    double start = cs_cpu_seconds();
    if (!s)
        s = cs_run_advance(run, c->steps, &done, err);
    *seconds =
        (cs_cpu_seconds() - start) / ((double)c->steps * (double)c->chains);
    if (!s) {
        cs_tally t = cs_run_chain(run, 0, 0).tally;
        *acceptance = t.accepted / t.steps;
    }
    cs_run_destroy(run);
    return s;
}

/* Seconds that the random draws of a chain-step take by themselves. */
static double time_draws(const bench_case *c)
{
    size_t lanes = c->chains < 32 ? cs_pad_lanes(c->chains) : 32;
    double *out = cs_alloc((c->normals + c->log_draws) * lanes, sizeof *out);
    uint64_t chain[32] = {0};
    for (size_t l = 0; l < lanes; l++)
        chain[l] = l < c->chains ? l : 0;
    cs_streams s = cs_streams_of(1, 0, chain, lanes,
                                 c->chains < lanes ? c->chains : lanes);
    size_t rounds = out ? 200000 / lanes : 0;
    double start = cs_cpu_seconds();
    for (size_t k = 1; k <= rounds; k++) {
        s.step = k;
        cs_fill_normal(&s, CS_FOR_PROPOSAL, c->normals, out);
        cs_fill_log_uniform(&s, CS_FOR_ACCEPT, c->log_draws,
                            out + c->normals * lanes);
    }
    double used = cs_cpu_seconds() - start;
    cs_free(out);
    return used / ((double)rounds * (double)s.live);
}

/* Multiply-adds on registers: GFLOP/s that no product can pass. */
#define FMA_LOOP                                                               \
    cs_vd a[8], x, y;                                                          \
    for (int l = 0; l < 8; l++) {                                              \
        x[l] = 1 + 1e-9 * l;                                                   \
        y[l] = 1e-9;                                                           \
    }                                                                          \
    for (int k = 0; k < 8; k++)                                                \
        a[k] = x;                                                              \
    double start = cs_cpu_seconds();                                           \
    for (size_t i = 0; i < n; i++)                                             \
        for (int k = 0; k < 8; k++)                                            \
            for (int l = 0; l < 8; l++)                                        \
                a[k][l] = __builtin_fma(a[k][l], x[l], y[l]);                  \
    double used = cs_cpu_seconds() - start;                                    \
    for (int k = 1; k < 8; k++)                                                \
        a[0] += a[k];                                                          \
    *trace = a[0][0];                                                          \
    return (double)n * 128 / used * 1e-9;

#if defined(__x86_64__)
__attribute__((
    target("avx512f,avx512dq,prefer-vector-width=512"))) static double
peak_avx512(size_t n, volatile double *trace)
{
    FMA_LOOP
}

__attribute__((target("avx2,fma"))) static double
peak_avx2(size_t n, volatile double *trace)
{
    FMA_LOOP
}
#endif

static double peak(void)
{
    volatile double trace = 0;
    double best = 0;
    for (int i = 0; i < 5; i++) {
        double now = 0;
#if defined(__x86_64__)
        if (cs_simd_level() == CS_SIMD_avx512)
            now = peak_avx512(1000000, &trace);
        else if (cs_simd_level() == CS_SIMD_avx2)
            now = peak_avx2(1000000, &trace);
#endif
        best = fmax(best, now);
    }
    return best;
}

static double median(double *values, size_t n)
{
    gsl_sort(values, 1, n);
    return gsl_stats_median_from_sorted_data(values, 1, n);
}

/* Runs one case and prints its line; the ratio goes to *ratio. */
static cs_status run_case(const bench_case *c, size_t rounds, double gflops,
                          double *ratio, cs_error *err)
{
    double ours[MAX_ROUNDS], peer[MAX_ROUNDS], ratios[MAX_ROUNDS], rate = 0;
    cs_peer_result p = {0};
    for (size_t i = 0; i < rounds; i++) {
        cs_status s = time_ours(c, &ours[i], &rate, err);
        if (s)
            return s;
        p = c->peer(c->peer_steps);
        peer[i] = p.seconds / (double)c->peer_steps;
        ratios[i] = peer[i] / ours[i];
    }
    double draws = time_draws(c);
    double limit = draws + (gflops > 0 ? c->flops / gflops * 1e-9 : 0);
    double mine = median(ours, rounds);
    *ratio = median(ratios, rounds);
    printf("%-5s %8.3g %8.3g %8.3g %3.0f%% %8.3g %s %6.2fx %6.2fx %s  "
           "%.3f %.3f  %s\n",
           c->id, mine / c->unit, draws / c->unit, limit / c->unit,
           100 * limit / mine, median(peer, rounds) / c->unit, c->unit_name,
           *ratio, c->must, *ratio >= c->must ? "met " : "MISS", rate,
           p.acceptance, c->title);
    fflush(stdout);
    return CS_OK;
}

static void bulk(const char *name, size_t rounds,
                 void (*fill)(const cs_streams *, cs_purpose, size_t, double *),
                 cs_peer_result (*peer)(size_t), double must)
{
    enum { N = 64, LANES = 32, TIMES = 500 };
    double ours[MAX_ROUNDS], theirs[MAX_ROUNDS], ratios[MAX_ROUNDS];
    double *out = cs_alloc(N * LANES, sizeof *out);
    uint64_t chain[LANES];
    for (size_t l = 0; l < LANES; l++)
        chain[l] = l;
    cs_streams s = cs_streams_of(1, 0, chain, LANES, LANES);
    for (size_t i = 0; out && i < rounds; i++) {
        double start = cs_cpu_seconds();
        for (s.step = 1; s.step <= TIMES; s.step++)
            fill(&s, CS_FOR_PROPOSAL, N, out);
        ours[i] = (cs_cpu_seconds() - start) / (N * LANES * TIMES);
        theirs[i] = peer(1000000).seconds / 1e6;
        ratios[i] = theirs[i] / ours[i];
    }
    double ratio = median(ratios, rounds);
    printf("%-8s in bulk  %6.3f ns, GSL %6.2f ns, ratio %5.1fx, must %4.1fx "
           "%s\n",
           name, 1e9 * median(ours, rounds), 1e9 * median(theirs, rounds),
           ratio, must, ratio >= must ? "met" : "MISS");
    cs_free(out);
}

int cs_bench_main(size_t rounds, const char *only)
{
    cs_error err = {0};
    if (rounds < 1 || rounds > MAX_ROUNDS)
        rounds = 7;
    double gflops = peak();
    printf("instruction set %s; multiply-adds at most %.0f GFLOP/s; one "
           "thread, CPU time,\nmedian of %zu rounds, ours and the peer turn "
           "about. draws = the random numbers of a\nstep alone; limit = draws "
           "+ products at the multiply-add peak; GSL = by hand.\n\n",
           cs_simd_name(cs_simd_level()), gflops, rounds);
    bulk("uniform", rounds, cs_fill_uniform, cs_peer_uniform, 40);
    bulk("normal", rounds, cs_fill_normal, cs_peer_normal, 9);
    printf("\ncase      ours    draws    limit  of it   GSL        ratio    "
           "must       acceptance\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ratio;
        if (only && strncmp(only, cases[i].id, strlen(only)) != 0)
            continue;
        if (run_case(&cases[i], rounds, gflops, &ratio, &err)) {
            char text[1024];
            cs_error_format(&err, text, sizeof text);
            fprintf(stderr, "chainscope bench: %s: %s\n", cases[i].id, text);
            return 1;
        }
    }
    return 0;
}
