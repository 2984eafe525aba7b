/* Cancellation of long work in C, which polls it now and then: who waits (a
 * script with a time limit, say) sets a test for this thread. */
#pragma once

#include <stdbool.h>

typedef bool cs_cancellation_test(void *self);

/* From now on over(self) says whether patience is at its end; NULL: never. */
void cs_cancellation_set(cs_cancellation_test *over, void *self);

/* Whether the work is to be given up. */
bool cs_cancelled(void);

/* Cancellation: on request of the user all waits for other programs end, in
 * any thread, until it is reset. Signal handlers may request it. */
void cs_cancellation_request(void);
void cs_cancellation_reset(void);
bool cs_cancellation_requested(void);
