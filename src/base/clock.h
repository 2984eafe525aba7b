/* The clocks of the program, in seconds. */
#pragma once

#include <stdbool.h>

/* Returns the wall time in seconds since a fixed moment. It never jumps. */
double cs_clock(void);
/* Return the CPU time used so far by the calling thread, and by all threads. */
double cs_clock_thread(void);
double cs_clock_process(void);
/* Returns three quarters of the CPU time of the calling thread plus a quarter of
 * the wall time, in seconds since a fixed moment. On an idle machine it advances
 * like the wall time while the thread works. If the thread waits, or other
 * programs use the processor, it advances more slowly, at most four times. */
double cs_clock_work(void);

/* A limit on the CPU time of the calling thread, in seconds. CPU time is used
 * because work on a busy machine takes more wall time. The wall time is
 * limited, too, to four times the limit on the CPU time, so that work that only
 * waits also ends. A zeroed struct means no limit. */
typedef struct cs_time_limit {
    double cpu, clock; /* readings at which the limit is reached */
    double soon;       /* wall time before which no thread can have used up the
                        * limit */
} cs_time_limit;
/* Starts a limit of `seconds` > 0 for the calling thread. */
cs_time_limit cs_time_limit_start(double seconds);
/* cs_time_limit_later returns the later of two limits. cs_time_limit_extend
 * returns a new limit, which ends `seconds` later than the given limit. */
cs_time_limit cs_time_limit_later(cs_time_limit a, cs_time_limit b);
cs_time_limit cs_time_limit_extend(cs_time_limit limit, double seconds);
/* Returns true if the limit is reached. Call it in the thread that started the
 * limit. */
bool cs_time_is_up(const cs_time_limit *limit);
