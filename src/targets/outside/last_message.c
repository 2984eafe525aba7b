#include "targets/outside/last_message.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void cs_last_message_init(cs_last_message *said)
{
    pthread_mutex_init(&said->lock, NULL);
    said->text[0] = 0;
}

void cs_last_message_fini(cs_last_message *said)
{
    pthread_mutex_destroy(&said->lock);
}

void cs_last_message_store(cs_last_message *said, const char *text)
{
    assert(text);
    char line[sizeof said->text];
    size_t n = cs_text_clean(text, line, sizeof line);
    while (n && line[n - 1] == ' ')
        line[--n] = 0;
    pthread_mutex_lock(&said->lock);
    memcpy(said->text, line, n + 1);
    pthread_mutex_unlock(&said->lock);
}

bool cs_last_message_get(cs_last_message *said, char *text, size_t size)
{
    assert(text && size);
    pthread_mutex_lock(&said->lock);
    bool any = said->text[0];
    snprintf(text, size, "%s", said->text);
    pthread_mutex_unlock(&said->lock);
    return any;
}
