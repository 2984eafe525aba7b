/* A CPU timer for Lua code. Lua's own method, a hook after a number of
 * instructions, halves Lua's speed; a signal costs nothing until it arrives. */
#pragma once

#include <stdbool.h>
#include <time.h>

/* A timer. The caller owns the struct, sets `tick` and `self`, and must not
 * move the struct. */
typedef struct cs_cpu_timer {
    void (*tick)(void *self);
    void *self;
    timer_t timer;
    bool on;
} cs_cpu_timer;

/* Calls tick(self) from a signal handler on this thread, about every 10 ms of
 * the thread's processor time. While the thread waits, there are no calls.
 * Returns false if no timer is available, or if this is not the main thread;
 * only the main thread receives these signals. A child of fork does not inherit
 * the timer. */
bool cs_cpu_timer_start(cs_cpu_timer *t);
void cs_cpu_timer_stop(cs_cpu_timer *t);
