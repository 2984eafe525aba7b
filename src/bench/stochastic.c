/* B09: SGLD and CSGLD on 0.4 N(-6, 1) + 0.6 N(4, 1) with gradient noise of
 * variance 0.01. Our code is compared with a plain loop that uses GSL and
 * rejects moves out of (-14, 12). Our code rejects no moves, because no chain
 * leaves this interval at this rate. */
#include "bench/bench.h"
#include "bench/peer.h"
#include "run/run.h"
#include "run/views/view.h"

#include <math.h>

typedef struct sgld_case {
    const char *id, *title;
    size_t bins; /* number of energy bins; 0: the kernel is SGLD */
    size_t chains, steps;
    double must;
} sgld_case;

static const sgld_case cases[] = {
    {"B09a", "SGLD on two normals, 1 chain, means only", 0, 1, 400000, 1.3},
    {"B09b", "SGLD on two normals, 16 chains, means only", 0, 16, 60000, 8},
    {"B09c", "CSGLD, 50 bins, 1 chain, means only", 50, 1, 200000, 1.5},
    {"B09d", "CSGLD, 50 bins, 16 chains, means only", 50, 16, 30000, 6},
    {"B09e", "CSGLD, 1000 bins, 16 chains, means only", 1000, 16, 30000, 6},
};

static cs_status open_run(const sgld_case *c, cs_run **out, cs_error *err)
{
    static const double share[] = {0.4, 0.6}, start = -6;
    const cs_value target = {.name = "weights",
                             .kind = CS_PARAM_ARRAY,
                             .given = 1,
                             .array = share,
                             .rows = 2,
                             .cols = 1};
    const cs_value kernel[] = {
        cs_bench_value("rate", 0.1), cs_bench_value("gradient_noise", 0.1),
        cs_bench_value("first", 2), cs_bench_value("gain", 1e-4),
        cs_bench_value("bins", (double)c->bins)};
    const cs_bench_setting s = {.target = "mixture",
                                .target_values = &target,
                                .n_target_values = 1,
                                .kernel = c->bins ? "csgld" : "sgld",
                                .kernel_values = kernel,
                                .n_kernel_values = c->bins ? 5 : 2,
                                .chains = c->chains,
                                .start = &start,
                                .probe = "moments"};
    return cs_bench_open(&s, out, err);
}

/* Measures the seconds per chain and step. Stores in *x a coordinate of the
 * last state of the first chain. */
static cs_status time_ours(const sgld_case *c, double *seconds, double *x,
                           cs_error *err)
{
    cs_run *run = NULL;
    uint64_t done;
    cs_status s = open_run(c, &run, err);
    if (!s)
        s = cs_run_advance(run, c->steps / 50, &done, err);
    if (!s)
        s = cs_bench_advance(run, c->steps, seconds, err);
    *seconds /= (double)c->steps * (double)c->chains;
    if (!s)
        *x = cs_run_chain(run, 0, 0).x[0];
    cs_run_destroy(run);
    return s;
}

static cs_status run_case(const sgld_case *c, const cs_bench_plan *plan,
                          cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], peer[CS_BENCH_ROUNDS];
    double ratio[CS_BENCH_ROUNDS], x = 0;
    for (size_t i = 0; i < plan->rounds; i++) {
        enum { STEPS = 300000 };
        cs_status s = time_ours(c, &ours[i], &x, err);
        if (s)
            return s;
        peer[i] =
            (c->bins ? cs_peer_csgld : cs_peer_sgld)(STEPS).seconds / STEPS;
        ratio[i] = peer[i] / ours[i];
    }
    if (!(fabs(x) < 14))
        return cs_fail(err, CS_INPUT, "%s: a chain is at %g, out of range",
                       c->id, x);
    cs_bench_row row = cs_bench_row_of(c->id, c->title, "ns");
    row.ours = 1e9 * cs_bench_median(ours, plan->rounds);
    row.peer = 1e9 * cs_bench_median(peer, plan->rounds);
    row.ratio = cs_bench_median(ratio, plan->rounds);
    row.must = c->must;
    cs_bench_print(&row, plan);
    return CS_OK;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < sizeof cases / sizeof *cases; i++)
        if (cs_bench_wants(plan, cases[i].id))
            s = run_case(&cases[i], plan, err);
    return s;
}

const cs_bench_case cs_bench_case_stochastic = {
    .run = run_cases,
};
