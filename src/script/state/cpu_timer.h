/* A timer for Lua code. Lua's own method, a hook per number of instructions,
 * halves Lua's speed; a signal costs nothing until it arrives. */
#pragma once

#include <stdbool.h>
#include <time.h>

/* Owned by the caller, who sets `tick` and `self` and does not move it. */
typedef struct cs_cpu_timer {
    void (*tick)(void *self);
    void *self;
    timer_t timer;
    bool on;
} cs_cpu_timer;

/* Calls tick(self), from a signal handler on this thread, about every 10 ms of
 * the thread's processor time: never while it waits. False: this is not the
 * main thread, the only one that receives these signals, or there are no
 * timers. Not inherited by fork. */
bool cs_cpu_timer_start(cs_cpu_timer *t);
void cs_cpu_timer_stop(cs_cpu_timer *t);
