#include "targets/outside/last_message.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void cs_last_message_init(cs_last_message *message)
{
    pthread_mutex_init(&message->lock, NULL);
    message->text[0] = 0;
}

void cs_last_message_fini(cs_last_message *message)
{
    pthread_mutex_destroy(&message->lock);
}

void cs_last_message_store(cs_last_message *message, const char *text)
{
    assert(text);
    char line[sizeof message->text];
    size_t n = cs_text_clean(text, line, sizeof line);
    while (n && line[n - 1] == ' ')
        line[--n] = 0;
    pthread_mutex_lock(&message->lock);
    memcpy(message->text, line, n + 1);
    pthread_mutex_unlock(&message->lock);
}

bool cs_last_message_get(cs_last_message *message, char *text, size_t size)
{
    assert(text && size);
    pthread_mutex_lock(&message->lock);
    bool any = message->text[0];
    snprintf(text, size, "%s", message->text);
    pthread_mutex_unlock(&message->lock);
    return any;
}
