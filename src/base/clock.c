#include "base/clock.h"

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
