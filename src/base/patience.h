/* Cancellation of long work in C, which polls it now and then: who waits (a
 * script with a time limit, say) sets a test for this thread. */
#pragma once

#include <stdbool.h>

typedef bool cs_patience_ask(void *self);

/* From now on over(self) says whether patience is at its end; NULL: never. */
void cs_patience_set(cs_patience_ask *over, void *self);

/* Whether the work is to be given up. */
bool cs_patience_over(void);

/* Cancellation: on request of the user all waits for other programs end, in
 * any thread, until it is reset. Signal handlers may request it. */
void cs_patience_end(void);
void cs_patience_renew(void);
bool cs_patience_ended(void);
