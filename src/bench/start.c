/* B11: the program from start to exit, on a scenario of one line with one
 * draw. */
#include "bench/bench.h"
#include "bench/child.h"

#include <unistd.h>

static const char scenario[] =
    "local cs = require 'chainscope' return cs.scenario { title = 'one draw',"
    " target = cs.target.gaussian { dim = 2 }, chains = 1, seed = 1,"
    " arms = { cs.kernel.random_walk {} }, budget = { steps = 1 } }\n";

/* Measures two results over `rounds` runs. The first is the median wall time in
 * milliseconds. The second, in MB, is the largest resident set of the processes
 * of the front end and the session. It is never less than the resident set of
 * this process. */
static cs_status measure(size_t rounds, double *milliseconds, double *megabytes,
                         cs_error *err)
{
    char file[] = "/tmp/chainscope-bench-XXXXXX.lua", command[] = "run";
    char *args[] = {command, file, NULL};
    double took[CS_BENCH_ROUNDS];
    cs_status status = CS_OK;
    if (!cs_bench_file(scenario, file))
        return cs_fail(err, CS_IO, "cannot write %s", file);
    *megabytes = 0;
    for (size_t i = 0; !status && i < rounds; i++)
        status = cs_bench_child(args, &took[i], megabytes, err);
    unlink(file);
    if (!status)
        *milliseconds = cs_bench_median(took, rounds);
    return status;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    cs_bench_row time = cs_bench_row_of(
        "B11", "start, a script of one line, one draw, exit", "ms, wall");
    cs_bench_row size = cs_bench_row_of("B11", "the same", "MB resident");
    if (!cs_bench_wants(plan, "B11"))
        return CS_OK;
    cs_status status = measure(plan->rounds, &time.ours, &size.ours, err);
    if (status)
        return status;
    time.ask = size.ask = CS_ASK_MOST;
    time.must = 8;
    size.must = 15;
    cs_bench_print(&time, plan);
    cs_bench_print(&size, plan);
    return CS_OK;
}

const cs_bench_case cs_bench_case_start = {
    .run = run,
};
