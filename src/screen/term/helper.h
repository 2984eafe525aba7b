/* This program once more, as another process that does something for the screen:
 * nothing waits for it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct cs_helper {
    pid_t id; /* 0: there is none */
    int pipe; /* closed at its other end when it is over; -1 */
} cs_helper;
#define CS_HELPER_NONE ((cs_helper){.pipe = -1})

/* argv ends with NULL. It, and each process that it forks, has this `nice` value at
 * least, and is ended after so many seconds of CPU time. False: it could not be
 * started; where only its program could not, it is over at once. */
bool cs_helper_start(cs_helper *h, char *const *argv, int nice, unsigned cpu);

bool cs_helper_is_over(const cs_helper *h);

/* Ends it, with what it has forked, and forgets it. */
void cs_helper_stop(cs_helper *h);
