#include "bench/child.h"

#include "base/clock.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGS = 16 };

bool cs_bench_child(char *const *args, double *milliseconds, double *megabytes)
{
    char program[] = "/proc/self/exe";
    char *argv[ARGS + 2] = {program};
    posix_spawn_file_actions_t quiet;
    struct rusage use;
    int status = 1;
    pid_t child;
    for (size_t i = 0; i < ARGS && args[i]; i++)
        argv[i + 1] = args[i];
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

bool cs_bench_file(const char *text, char *path)
{
    size_t bytes = strlen(text);
    int out = mkstemps(path, 4);
    if (out < 0)
        return false;
    bool good = write(out, text, bytes) == (ssize_t)bytes;
    return close(out) == 0 && good;
}
