/* Runs the cases of the bench one after the other, and defines functions that
 * they share. */
#include "bench/bench.h"

#include "base/clock.h"
#include "bench/peak.h"
#include "run/run.h"

#include <assert.h>
#include <string.h>

#define CS_BENCH(name, file) extern const cs_bench_case cs_bench_case_##name;
#include "bench/bench.def"
#undef CS_BENCH

static const cs_bench_case *const cases[] = {
#define CS_BENCH(name, file) &cs_bench_case_##name,
#include "bench/bench.def"
#undef CS_BENCH
};

bool cs_bench_wants(const cs_bench_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->n_names; i++)
        if (strncmp(plan->name[i], id, strlen(plan->name[i])) == 0)
            return true;
    return plan->n_names == 0;
}

static bool is_left_out(const cs_bench_plan *plan, const cs_bench_case *c)
{
    return c->minutes && plan->n_names == 0;
}

const char *cs_bench_left_out(const cs_bench_plan *plan)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (is_left_out(plan, cases[i]))
            return cases[i]->minutes;
    return NULL;
}

cs_value cs_bench_value(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .number = value, .given = true};
}

cs_status cs_bench_open(const cs_bench_setting *s, cs_run **run, cs_error *err)
{
    assert(s->target && s->kernel && s->chains > 0);
    cs_target *target = NULL;
    cs_arm_spec arm = {.name = s->kernel};
    cs_probe_spec probe = {.type = s->probe ? cs_probe_find(s->probe) : NULL};
    if (s->probe && !probe.type)
        return cs_fail(err, CS_UNKNOWN, "this build has no probe '%s'",
                       s->probe);
    cs_status status =
        cs_target_create(cs_target_find(s->target), s->target_values,
                         s->n_target_values, &target, err);
    if (!status)
        status = cs_kernel_init(&arm.kernel, cs_kernel_find(s->kernel),
                                s->kernel_values, s->n_kernel_values, err);
    const cs_run_spec spec = {.target = target,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = s->chains,
                              .seed = 1,
                              .probes = &probe,
                              .n_probes = s->probe ? 1 : 0,
                              .start = s->start,
                              .n_starts = s->start ? 1 : 0,
                              .workers = s->workers ? s->workers : 1,
                              .keep = s->keep ? s->keep : 2,
                              .rewind_bytes = 1};
    if (!status)
        status = cs_run_create(run, &spec, err);
    cs_target_release(target);
    return status;
}

cs_status cs_bench_advance(cs_run *run, uint64_t steps, double *seconds,
                           cs_error *err)
{
    uint64_t done;
    double start = cs_clock_thread();
    cs_status status = cs_run_advance(run, steps, &done, err);
    *seconds = cs_clock_thread() - start;
    return status;
}

cs_status cs_bench_main(const cs_bench_plan *wanted, cs_error *err)
{
    assert(wanted->rounds >= 1 && wanted->rounds <= CS_BENCH_ROUNDS);
    cs_bench_plan plan = *wanted;
    cs_status status = CS_OK;
    plan.gflops = cs_bench_peak();
    cs_bench_head(&plan);
    plan.count->left_out = cs_bench_left_out(&plan);
    for (size_t i = 0; !status && i < sizeof cases / sizeof *cases; i++)
        if (!is_left_out(&plan, cases[i]))
            status = cases[i]->run(&plan, err);
    cs_bench_tail(&plan);
    return status;
}
