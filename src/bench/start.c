#include "bench/start.h"

#include "base/clock.h"
#include "bench/row.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 31 };

static const char scenario[] =
    "local cs = require 'chainscope' return cs.scenario { title = 'one draw',"
    " target = cs.target.gaussian { dim = 2 }, chains = 1, seed = 1,"
    " arms = { cs.kernel.random_walk {} }, budget = { steps = 1 } }\n";

static bool once(char *file, double *milliseconds, double *megabytes)
{
    char program[] = "/proc/self/exe", run[] = "run";
    char *argv[] = {program, run, file, NULL};
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

bool cs_bench_start(size_t rounds, double *milliseconds, double *megabytes)
{
    char file[] = "/tmp/chainscope-bench-XXXXXX.lua";
    double took[MOST];
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
