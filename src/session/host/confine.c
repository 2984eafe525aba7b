#include "session/host/confine.h"

#include "base/memory.h"
#include "files/open.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILES = 256, TASKS = 2048 };
#define FILE_BYTES ((rlim_t)64 << 30) /* limit per file, enough for draws */

/* Lowers a resource limit, but never raises it. A limit that cannot be set is
 * kept. */
static void lower(int what, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    if (limit.rlim_cur > most) /* also true for RLIM_INFINITY, the largest
                                * value */
        limit.rlim_cur = most;
    if (limit.rlim_max > most)
        limit.rlim_max = most;
    setrlimit(what, &limit);
}

/* Limits the memory, except in builds with a sanitizer. A sanitizer maps
 * terabytes of address space without using them. */
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        lower(RLIMIT_AS, (rlim_t)pages / 4 * 3 * (rlim_t)page);
#endif
}

/* Limits the number of tasks. The system counts all tasks of the user, so the
 * limit is their current number plus TASKS for the workers. */
static void limit_tasks(void)
{
    unsigned long tasks;
    FILE *f = cs_open_stream("/proc/loadavg");
    if (f && fscanf(f, "%*s %*s %*s %*u/%lu", &tasks) == 1)
        lower(RLIMIT_NPROC, tasks + TASKS);
    if (f)
        fclose(f);
}

void cs_session_confine(size_t memory)
{
    cs_memory_limit(memory);
    signal(SIGXFSZ, SIG_IGN); /* a file that exceeds the limit becomes a write
                               * error */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    lower(RLIMIT_FSIZE, FILE_BYTES);
    limit_tasks();
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_NOFILE, FILES);
    limit_memory();
}
