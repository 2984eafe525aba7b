/* What somebody else's model said last: kept by any thread, for who tells why a
 * log density is no number. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_said {
    pthread_mutex_t lock;
    char text[512]; /* "": nothing yet */
} cs_said;

void cs_said_init(cs_said *said);
void cs_said_fini(cs_said *said);
/* Keeps a text in place of the last one, on one line. */
void cs_said_keep(cs_said *said, const char *text);
/* Copies it; false: nothing was said. */
bool cs_said_get(cs_said *said, char *text, size_t size);
