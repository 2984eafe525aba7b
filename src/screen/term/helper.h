/* A helper process: this program started again to do something for the screen
 * without blocking it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct cs_helper {
    pid_t id; /* 0: none */
    int pipe; /* its other end is closed when the process ends; -1 */
} cs_helper;
#define CS_HELPER_NONE ((cs_helper){.pipe = -1})

/* Starts the process; argv ends with NULL. It and its children have at least
 * this `nice` value and are killed after `cpu` seconds of CPU time. False: not
 * started; if only its program cannot be executed, it ends at once. */
bool cs_helper_start(cs_helper *h, char *const *argv, int nice, unsigned cpu);

bool cs_helper_is_over(const cs_helper *h);

/* Ends the process with its children, and forgets it. */
void cs_helper_stop(cs_helper *h);
