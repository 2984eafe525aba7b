/* Random numbers in bulk, compared with GSL. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peer.h"
#include "rng/stream.h"

static cs_status
measure(const cs_bench_plan *plan, const char *id, const char *title,
        void (*fill)(const cs_streams *, cs_purpose, size_t, double *),
        cs_peer_result (*peer)(size_t), double must, cs_error *err)
{
    enum { N = 64, LANES = 32, TIMES = 500 };
    double ours[CS_BENCH_ROUNDS], theirs[CS_BENCH_ROUNDS];
    double ratios[CS_BENCH_ROUNDS];
    if (!cs_bench_wants(plan, id))
        return CS_OK;
    double *out = cs_alloc(N * LANES, sizeof *out);
    uint64_t chain[LANES];
    for (size_t l = 0; l < LANES; l++)
        chain[l] = l;
    cs_streams s = cs_streams_of(1, 0, chain, LANES, LANES);
    if (!out)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    for (size_t i = 0; i < plan->rounds; i++) {
        double start = cs_clock_thread();
        for (s.step = 1; s.step <= TIMES; s.step++)
            fill(&s, CS_FOR_PROPOSAL, N, out);
        ours[i] = 1e9 * (cs_clock_thread() - start) / (N * LANES * TIMES);
        theirs[i] = 1e3 * peer(1000000).seconds;
        ratios[i] = theirs[i] / ours[i];
    }
    cs_bench_row row = cs_bench_row_of(id, title, "ns");
    row.ours = row.draws = cs_bench_median(ours, plan->rounds);
    row.peer = cs_bench_median(theirs, plan->rounds);
    row.ratio = cs_bench_median(ratios, plan->rounds);
    row.must = must;
    cs_bench_print(&row, plan);
    cs_free(out);
    return CS_OK;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    cs_status s = measure(plan, "uniform", "uniforms in bulk", cs_fill_uniform,
                          cs_peer_uniform, 40, err);
    return s ? s
             : measure(plan, "normal", "normals in bulk", cs_fill_normal,
                       cs_peer_normal, 9, err);
}

const cs_bench_case cs_bench_case_bulk = {
    .run = run,
};
