/* W2z: the labels of a mixture that is written in Lua and traced: creating its
 * target, and sweeps of all labels by gibbs, in a cycle whose other parameters
 * keep their values. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "chain/block.h"
#include "kernel/composed.h"
#include "script/bind/lua_target.h"
#include "script/script.h"

#include <stdio.h>

enum { LABELS = 100000, COMPONENTS = 2, DIM = COMPONENTS + LABELS, CHAINS = 8 };

static const char code[] =
    "local cs = require 'chainscope'\n"
    "local M, lpdf, y = cs.math, cs.lpdf, {}\n"
    "for i = 1, %d do y[i] = (i %% 3 == 0 and 1.5 or -1) + math.sin(i) end\n"
    "return cs.target { params = { { mu = cs.real(%d) }, { z = cs.label(%d, "
    "%d) } },\n"
    "  log_density = function(p)\n"
    "    return M.sum(lpdf.normal(p.mu, 0, 2)) +\n"
    "      M.sum(M.gather(M.log(M.vector { 0.35, 0.65 }), p.z)) +\n"
    "      M.sum(lpdf.normal(M.vector(y), M.gather(p.mu, p.z), 1))\n"
    "  end }\n";

typedef struct stage {
    cs_script *script;
    cs_target *t; /* [borrowed] from the script */
    cs_kernel gibbs, cycle;
    uint32_t label[LABELS];
    double x[DIM];
    double seconds; /* time in which the target was created */
} stage;

static cs_status open_target(stage *s, cs_error *err)
{
    const cs_script_limits limits = {.trust = true};
    char text[1024];
    snprintf(text, sizeof text, code, LABELS, COMPONENTS, COMPONENTS, LABELS);
    cs_status status = cs_script_open(&s->script, &limits, err);
    double start = cs_clock_thread();
    if (!status)
        status = cs_script_load_text(s->script, text, "=bench", err);
    if (!status)
        status = cs_script_call(s->script, 0, 1, 60, err);
    s->seconds = cs_clock_thread() - start;
    if (!status)
        s->t = cs_script_to_target(cs_script_lua(s->script), -1);
    return status;
}

static cs_status open_kernel(stage *s, cs_error *err)
{
    static const uint32_t means[COMPONENTS] = {0, 1};
    const cs_value scan = {
        .name = "scan", .kind = CS_PARAM_CHOICE, .given = 1, .number = 2};
    for (uint32_t i = 0; i < LABELS; i++) {
        s->label[i] = COMPONENTS + i;
        s->x[COMPONENTS + i] = 1 + i % 2;
    }
    s->x[0] = -1;
    s->x[1] = 1.5;
    const cs_member_spec spec = {.name = "z",
                                 .kernel = &s->gibbs,
                                 .coordinate = s->label,
                                 .n = LABELS,
                                 .times = 1,
                                 .weight = 1};
    cs_status status =
        cs_kernel_init(&s->gibbs, cs_kernel_find("gibbs"), &scan, 1, err);
    if (!status)
        status = cs_kernel_cycle(&s->cycle, NULL, &spec, 1, err);
    if (!status)
        status = cs_composed_hold(s->cycle.self, means, COMPONENTS, err);
    return status ? status : cs_composed_bind(s->cycle.self, s->t, err);
}

/* Measures sweeps of `chains` chains: sets *seconds to the time of a sweep of
 * one chain. */
static cs_status time_sweeps(stage *s, size_t chains, size_t rounds,
                             double *seconds, cs_error *err)
{
    enum { SWEEPS = 4 };
    double took[CS_BENCH_ROUNDS];
    const double *start[CHAINS];
    cs_block *b;
    for (size_t l = 0; l < chains; l++)
        start[l] = s->x;
    cs_status status =
        cs_block_create(&b, s->t, &s->cycle, 1, 0, chains, NULL, 0, err);
    if (status)
        return status;
    status = cs_block_start(b, start, err);
    for (size_t i = 0; !status && i < rounds; i++) {
        double begin = cs_clock_thread();
        cs_block_run(b, NULL, SWEEPS, NULL);
        took[i] = (cs_clock_thread() - begin) / (double)(SWEEPS * chains);
    }
    cs_block_destroy(b);
    if (!status)
        *seconds = cs_bench_median(took, rounds);
    return status;
}

static cs_status measure(stage *s, const cs_bench_plan *plan, cs_error *err)
{
    cs_bench_row open =
        cs_bench_row_of("W2zo", "creating a target of 100,000 labels", "ms");
    cs_bench_row one = cs_bench_row_of(
        "W2z1", "a sweep of them, 1 chain, per label and component", "ns");
    cs_bench_row many =
        cs_bench_row_of("W2z8", "the same of 8 chains, per chain", "ns");
    cs_status status = open_target(s, err);
    if (!status)
        status = open_kernel(s, err);
    if (!status)
        status = time_sweeps(s, 1, plan->rounds, &one.ours, err);
    if (!status)
        status = time_sweeps(s, CHAINS, plan->rounds, &many.ours, err);
    if (status)
        return status;
    open.ours = 1e3 * s->seconds;
    one.ours *= 1e9 / (LABELS * COMPONENTS);
    many.ours *= 1e9 / (LABELS * COMPONENTS);
    open.ask = one.ask = many.ask = CS_ASK_MOST;
    open.must = 1000;
    one.must = many.must = 40;
    cs_bench_print(&open, plan);
    cs_bench_print(&one, plan);
    cs_bench_print(&many, plan);
    return CS_OK;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    if (!cs_bench_wants(plan, "W2z"))
        return CS_OK;
    stage *s = cs_alloc(1, sizeof *s);
    if (!s)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    cs_status status = measure(s, plan, err);
    if (s->cycle.type)
        cs_kernel_release(&s->cycle);
    cs_script_destroy(s->script);
    cs_free(s);
    return status;
}

const cs_bench_case cs_bench_case_labels = {
    .run = run,
};
