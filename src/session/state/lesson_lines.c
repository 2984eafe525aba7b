#include "session/state/lesson_lines.h"

#include "base/memory.h"
#include "session/state/session_state.h"

#include <stdio.h>
#include <string.h>

void cs_course_store(cs_session *s, const cs_page *lines)
{
    cs_free(s->course.lines.text);
    s->course.lines = *lines;
    s->show.dirty = true;
}

const char *cs_course_find(const char *at, const char *key, size_t *n)
{
    size_t length = strlen(key);
    for (; at && *at; at = strchr(at, '\n'), at += at != NULL) {
        if (strncmp(at, key, length) != 0 || at[length] != '\t')
            continue;
        *n = strcspn(at + length + 1, "\n");
        return at + length + 1;
    }
    return NULL;
}

bool cs_course_value(const cs_course *c, const char *key, char *out,
                     size_t size)
{
    size_t n;
    const char *value = cs_course_find(c->lines.text, key, &n);
    if (value)
        snprintf(out, size, "%.*s", (int)n, value);
    return value != NULL;
}

bool cs_course_asks(const cs_course *c)
{
    size_t n;
    return cs_course_find(c->lines.text, "covers", &n) != NULL;
}

bool cs_course_is_game(const cs_course *c)
{
    char kind[8];
    return cs_course_value(c, "kind", kind, sizeof kind) &&
           strcmp(kind, "game") == 0;
}

bool cs_course_plays(const cs_course *c)
{
    return cs_course_asks(c) && cs_course_is_game(c);
}

bool cs_course_hides(const cs_course *c)
{
    size_t n;
    return cs_course_asks(c) ||
           cs_course_find(c->lines.text, "coming", &n) != NULL;
}
