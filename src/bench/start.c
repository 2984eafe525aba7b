/* B11: a program from its start to its end: this one, on a scenario of one line
 * that makes one draw. */
#include "base/clock.h"
#include "bench/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char scenario[] =
    "local cs = require 'chainscope' return cs.scenario { title = 'one draw',"
    " target = cs.target.gaussian { dim = 2 }, chains = 1, seed = 1,"
    " arms = { cs.kernel.random_walk {} }, budget = { steps = 1 } }\n";

static bool once(char *file, double *milliseconds, double *megabytes)
{
    char program[] = "/proc/self/exe", command[] = "run";
    char *argv[] = {program, command, file, NULL};
    posix_spawn_file_actions_t quiet;
    struct rusage use;
    int status = 1;
    pid_t child;
    if (posix_spawn_file_actions_init(&quiet))
        return false;
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    double start = 1e3 * cs_clock();
    bool ran = posix_spawn(&child, program, &quiet, NULL, argv, environ) == 0 &&
               wait4(child, &status, 0, &use) == child && status == 0;
    *milliseconds = 1e3 * cs_clock() - start;
    posix_spawn_file_actions_destroy(&quiet);
    if (ran && (double)use.ru_maxrss / 1024 > *megabytes)
        *megabytes = (double)use.ru_maxrss / 1024;
    return ran;
}

/* The median wall time in milliseconds of `rounds` runs and the largest resident
 * set in MB, front and session (but never less than the caller's own). False:
 * it could not be run. */
static bool measure(size_t rounds, double *milliseconds, double *megabytes)
{
    char file[] = "/tmp/chainscope-bench-XXXXXX.lua";
    double took[CS_BENCH_ROUNDS];
    int out = mkstemps(file, 4);
    if (out < 0)
        return false;
    size_t bytes = sizeof scenario - 1;
    bool good = write(out, scenario, bytes) == (ssize_t)bytes;
    good &= close(out) == 0;
    *megabytes = 0;
    for (size_t i = 0; good && i < rounds; i++)
        good = once(file, &took[i], megabytes);
    unlink(file);
    if (good)
        *milliseconds = cs_bench_median(took, rounds);
    return good;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    cs_bench_row time = cs_bench_row_of(
        "B11", "start, a script of one line, one draw, exit", "ms, wall");
    cs_bench_row size = cs_bench_row_of("B11", "the same", "MB resident");
    if (!cs_bench_wants(plan, "B11"))
        return CS_OK;
    if (!measure(plan->rounds, &time.ours, &size.ours))
        return cs_fail(err, CS_INPUT, "cannot run this program again");
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
