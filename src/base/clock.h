/* The clocks of the program, in seconds. */
#pragma once

#include <stdbool.h>

/* Wall time from some fixed moment on; it never jumps. */
double cs_clock(void);
/* CPU time that the calling thread, or all threads, used so far. */
double cs_clock_thread(void);
double cs_clock_process(void);

/* A limit on work: CPU seconds of the calling thread, so that a busy machine
 * does not end the work early, and four times that in wall time, so that
 * waiting work ends, too. Zeroed: no limit. */
typedef struct cs_time_limit {
    double cpu, clock; /* readings at which the time is up */
    double soon;       /* by the clock: before, no thread can have used it up */
} cs_time_limit;
/* Starts a limit of `seconds` > 0 for the calling thread. */
cs_time_limit cs_time_limit_start(double seconds);
/* The later of two limits, and a limit extended by a time. */
cs_time_limit cs_time_limit_later(cs_time_limit a, cs_time_limit b);
cs_time_limit cs_time_limit_extend(cs_time_limit limit, double seconds);
/* Whether the time is up; called by the thread that started the limit. */
bool cs_time_is_up(const cs_time_limit *limit);
