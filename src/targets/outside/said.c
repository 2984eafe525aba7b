#include "targets/outside/said.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void cs_said_init(cs_said *said)
{
    pthread_mutex_init(&said->lock, NULL);
    said->text[0] = 0;
}

void cs_said_fini(cs_said *said)
{
    pthread_mutex_destroy(&said->lock);
}

void cs_said_keep(cs_said *said, const char *text)
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

bool cs_said_get(cs_said *said, char *text, size_t size)
{
    assert(text && size);
    pthread_mutex_lock(&said->lock);
    bool any = said->text[0];
    snprintf(text, size, "%s", said->text);
    pthread_mutex_unlock(&said->lock);
    return any;
}
