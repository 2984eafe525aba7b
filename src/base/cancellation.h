/* Cancellation of long computations in C. Such a computation regularly calls
 * cs_cancelled. A caller with a time limit (a script, for example) sets a test
 * for its thread. */
#pragma once

#include <stdbool.h>

typedef bool cs_cancellation_test(void *self);

/* Sets the calling thread's test: over(self) returns true when the thread's
 * work must stop. If `over` is NULL, nothing stops the thread's work. */
void cs_cancellation_set(cs_cancellation_test *over, void *self);

/* Returns true if the calling thread's work must stop. */
bool cs_cancelled(void);

/* Make, withdraw and test the user's request to end, in all threads, every wait
 * for another program. Signal handlers may call cs_cancellation_request. */
void cs_cancellation_request(void);
void cs_cancellation_reset(void);
bool cs_cancellation_requested(void);
