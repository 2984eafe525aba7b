/* A helper process: another instance of this program that works for the screen
 * without blocking it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct cs_helper {
    pid_t id; /* 0: no process */
    int pipe; /* the other end is closed when the process ends; -1: none */
} cs_helper;
#define CS_HELPER_NONE ((cs_helper){.pipe = -1})

/* Starts the process; argv ends with NULL. The process and its children have at
 * least this `nice` value and are killed after `cpu` seconds of CPU time.
 * Returns false if the process could not be started. If the process starts but
 * its program cannot be executed, the process ends immediately. */
bool cs_helper_start(cs_helper *h, char *const *argv, int nice, unsigned cpu);

bool cs_helper_is_over(const cs_helper *h);

/* Ends the process with its children, and resets `h`. */
void cs_helper_stop(cs_helper *h);
