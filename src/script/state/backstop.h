/* The last protection against a script that exceeds its limits. Ends the
 * process if C code runs past a limit without calling Lua hooks or testing
 * limits. This process is a session; its front end keeps running and reports
 * the reason (session/host/script_host.h). */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* The timer and its two functions. The caller owns the struct, sets `at_work`,
 * `late` and `self`, and must not move it. `at_work` and `late` are called in a
 * signal handler. */
typedef struct cs_backstop {
    bool (*at_work)(void *self);
    bool (*late)(void *self);
    void *self;
    timer_t timer;
    bool made;
    volatile sig_atomic_t armed;
} cs_backstop;

/* Creates the timer. If this fails, the process runs without this limit. */
void cs_backstop_start(cs_backstop *b);
void cs_backstop_stop(cs_backstop *b);

/* Records that work starts. From now on, late() is called each second while
 * at_work() returns true. Calling this function again costs little time while
 * the timer runs. The timer does not wake an idle process. */
void cs_backstop_watch(cs_backstop *b);
