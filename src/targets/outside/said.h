/* The last message of an external model, stored by any thread, to explain why a
 * log density is not a number. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_said {
    pthread_mutex_t lock;
    char text[512]; /* "": no message yet */
} cs_said;

void cs_said_init(cs_said *said);
void cs_said_fini(cs_said *said);
/* Replaces the message by a text, on one line. */
void cs_said_keep(cs_said *said, const char *text);
/* Copies it; false if there is none. */
bool cs_said_get(cs_said *said, char *text, size_t size);
