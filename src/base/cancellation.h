/* Cancellation of long computations in C. Such a computation regularly calls
 * cs_cancelled. A caller with a time limit (a script, for example) sets a test
 * for its thread. */
#pragma once

#include <stdbool.h>

typedef bool cs_cancellation_test(void *self);

/* Sets the calling thread's test. over(self) must return true when the thread's
 * work is to stop. If `over` is NULL, nothing stops the thread's work. */
void cs_cancellation_set(cs_cancellation_test *over, void *self);

/* Returns true if the calling thread's work must stop. */
bool cs_cancelled(void);

/* Make, withdraw and test a request of the user. The request ends every wait
 * for another program, in all threads. Signal handlers may call
 * cs_cancellation_request. */
void cs_cancellation_request(void);
void cs_cancellation_reset(void);
bool cs_cancellation_requested(void);
