/* A clock for what runs in Lua. Lua's own way, a hook after so many
 * instructions, looks at every instruction and halves Lua's speed; a signal
 * costs nothing until it comes. */
#pragma once

#include <stdbool.h>
#include <time.h>

/* The caller's, who sets `tick` and `self` and does not move it. */
typedef struct cs_cpu_timer {
    void (*tick)(void *self);
    void *self;
    timer_t timer;
    bool on;
} cs_cpu_timer;

/* Calls tick(self), from a signal handler on this thread, about every 10 ms
 * of processor time that the thread uses: never while it waits. False: this
 * thread is not the first, the only one that takes signals here, or there are
 * no timers. A child of fork has none. */
bool cs_cpu_timer_start(cs_cpu_timer *t);
void cs_cpu_timer_stop(cs_cpu_timer *t);
