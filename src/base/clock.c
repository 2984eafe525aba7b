#include "base/clock.h"

#include <assert.h>
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

cs_time_limit cs_time_limit_start(double limit)
{
    enum { WAITS = 4 };
    assert(limit > 0);
    return (cs_time_limit){cs_clock_thread() + limit,
                           cs_clock() + WAITS * limit};
}

bool cs_time_is_up(const cs_time_limit *limit)
{
    return limit->cpu > 0 &&
           (cs_clock() >= limit->clock || cs_clock_thread() >= limit->cpu);
}
