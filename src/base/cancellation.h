/* Cancellation of long work in C, which polls it regularly. A caller with a
 * time limit (for example a script's) sets a test for its thread. */
#pragma once

#include <stdbool.h>

typedef bool cs_cancellation_test(void *self);

/* Sets the test: over(self) returns true when the work must stop. NULL:
 * never. */
void cs_cancellation_set(cs_cancellation_test *over, void *self);

/* True if the work must stop. */
bool cs_cancelled(void);

/* End, on request of the user, all waits for other programs, in all threads;
 * the reset allows waits again. Signal handlers may call the first function. */
void cs_cancellation_request(void);
void cs_cancellation_reset(void);
bool cs_cancellation_requested(void);
