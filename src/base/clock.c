#include "base/clock.h"

#include <assert.h>
#include <math.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cs_clock(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double cs_clock_thread(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

double cs_clock_process(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double cs_clock_work(void)
{
    return 0.75 * cs_clock_thread() + 0.25 * cs_clock();
}

/* Returns an upper bound of the thread's CPU time. Reading the CPU time needs a
 * system call, whereas reading the wall clock does not. The bound is therefore
 * the last reading of the CPU time plus all wall time since then. */
static double cpu_at_most(double now)
{
    static _Thread_local double read, cpu;
    const double little = 0.005;
    if (!(now - read < little)) {
        read = now;
        cpu = cs_clock_thread();
    }
    return cpu + (now - read);
}

cs_time_limit cs_time_limit_start(double limit)
{
    enum { WAITS = 4 };
    assert(limit > 0);
    double now = cs_clock();
    return (cs_time_limit){cpu_at_most(now) + limit, now + WAITS * limit,
                           now + limit};
}

cs_time_limit cs_time_limit_later(cs_time_limit a, cs_time_limit b)
{
    return (cs_time_limit){fmax(a.cpu, b.cpu), fmax(a.clock, b.clock),
                           fmax(a.soon, b.soon)};
}

cs_time_limit cs_time_limit_extend(cs_time_limit limit, double seconds)
{
    return (cs_time_limit){limit.cpu + seconds, limit.clock + seconds,
                           limit.soon + seconds};
}

bool cs_time_is_up(const cs_time_limit *limit)
{
    if (!(limit->cpu > 0))
        return false;
    double now = cs_clock();
    return now >= limit->soon &&
           (now >= limit->clock || cs_clock_thread() >= limit->cpu);
}
