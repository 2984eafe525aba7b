/* The last limit of a script: C that runs on past it, where no hook of Lua is
 * called and nobody asks whether it is over. Then the process ends, which is a
 * session: its front goes on and says why (session/host.h). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* The caller's, who sets `at_work`, `late` and `self` and does not move it.
 * Both are asked in a signal handler. */
typedef struct cs_backstop {
    bool (*at_work)(void *self);
    bool (*late)(void *self);
    void *self;
    timer_t timer;
    bool made;
    volatile sig_atomic_t armed;
} cs_backstop;

/* Makes the timer; without one there is no backstop. */
void cs_backstop_start(cs_backstop *b);
void cs_backstop_stop(cs_backstop *b);

/* Work begins: while at_work(), late() is asked each second. Cheap where it is
 * asked already; a process at rest is not woken. */
void cs_backstop_watch(cs_backstop *b);
