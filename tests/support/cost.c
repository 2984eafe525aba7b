#include "support/cost.h"

#include "base/clock.h"
#include "support/support.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

double cost_of_use(const struct rusage *use)
{
    return (double)use->ru_utime.tv_sec + (double)use->ru_stime.tv_sec +
           1e-6 * (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec);
}

double cost_ratio(cost_work *work, void *self, cost_work *peer, void *of,
                  int rounds, double enough)
{
    double ours = INFINITY, theirs = INFINITY;
    for (int i = 0; i < rounds && (i == 0 || ours > enough * theirs); i++) {
        theirs = fmin(theirs, peer(of));
        ours = fmin(ours, work(self));
    }
    assert_true(ours > 0 && theirs > 0 && isfinite(ours / theirs));
    return ours / theirs;
}

static double cost_of_process(long pid)
{
    char path[64], line[1024] = "";
    long user = 0, kernel = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    if (f && !fgets(line, sizeof line, f))
        *line = 0;
    if (f)
        fclose(f);
    const char *after = strrchr(line, ')');
    if (!after || sscanf(after,
                         ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld "
                         "%ld",
                         &user, &kernel) != 2)
        fail_msg("%s cannot be read", path);
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

static double wakes_of_process(long pid)
{
    char path[64], line[256];
    double wakes = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "voluntary_ctxt_switches: %lf", &wakes);
    if (f)
        fclose(f);
    if (wakes < 0)
        fail_msg("%s cannot be read", path);
    return wakes;
}

static double sum_of_children(double (*of)(long pid))
{
    double sum = 0;
    int n = 0;
    FILE *f = fopen("/proc/thread-self/children", "re");
    assert_non_null(f);
    for (long pid; fscanf(f, "%ld", &pid) == 1; n++)
        sum += of(pid);
    fclose(f);
    assert_true(n > 0);
    return sum;
}

double cost_of_children(void)
{
    return sum_of_children(cost_of_process);
}

double cost_wakes_of_children(void)
{
    return sum_of_children(wakes_of_process);
}

void cost_spin(double seconds)
{
    double until = cs_clock_thread() + seconds;
    while (cs_clock_thread() < until)
        continue;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cost_of_sorting(void *self)
{
    enum { N = 1 << 16 };
    (void)self;
    double from = cs_clock_thread();
    double *x = mmap(NULL, N * sizeof *x, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(x != MAP_FAILED);
    uint32_t random = 1;
    for (int i = 0; i < N; i++)
        x[i] = random = random * 1664525 + 1013904223;
    qsort(x, N, sizeof *x, ascending);
    assert_true(x[0] < x[N - 1]);
    munmap(x, N * sizeof *x);
    return cs_clock_thread() - from;
}

double cost_of_command(void *command)
{
    const cost_command *c = command;
    char *argv[8] = {NULL};
    posix_spawn_file_actions_t silent;
    struct rusage use;
    int status = 1;
    pid_t child = 0;
    for (size_t i = 0; i < 7 && c->argv[i]; i++)
        argv[i] = strdup(c->argv[i]);
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", O_WRONLY, 0);
    if (c->libraries)
        setenv("LD_PRELOAD", c->libraries, 1);
    if (posix_spawnp(&child, argv[0], &silent, NULL, argv, environ) ||
        wait4(child, &status, 0, &use) != child || status)
        fail_msg("%s fails: status %#x", argv[0], (unsigned)status);
    if (c->libraries)
        unsetenv("LD_PRELOAD");
    posix_spawn_file_actions_destroy(&silent);
    for (char **word = argv; *word; word++)
        free(*word);
    return cost_of_use(&use);
}
