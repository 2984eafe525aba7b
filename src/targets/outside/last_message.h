/* The last message of an external model. The message explains why a log density
 * is not a number. Any thread may store a message. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_last_message {
    pthread_mutex_t lock;
    char text[512]; /* the message; "": no message yet */
} cs_last_message;

void cs_last_message_init(cs_last_message *message);
void cs_last_message_fini(cs_last_message *message);
/* Replaces the message by `text`, converted to a single line. */
void cs_last_message_store(cs_last_message *message, const char *text);
/* Copies the message to text[size]; returns false if there is no message. */
bool cs_last_message_get(cs_last_message *message, char *text, size_t size);
