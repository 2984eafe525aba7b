#include "session/state/sets.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cs_status cs_sets_put(cs_sets *s, const char *name, const char *value,
                      cs_error *err)
{
    size_t key = strlen(name) + 1, size = key + strlen(value) + 1, i = 0;
    char *copy = cs_alloc(1, size);
    if (!copy)
        return cs_fail(err, CS_MEMORY, "out of memory for the value of %s",
                       name);
    snprintf(copy, size, "%s=%s", name, value);
    while (i < s->n && strncmp(s->set[i], copy, key) != 0)
        i++;
    if (i == CS_SESSION_SETS) {
        cs_free(copy);
        return cs_fail(err, CS_INPUT, "more than %d parameter values are set",
                       CS_SESSION_SETS);
    }
    if (i < s->n)
        cs_free(s->set[i]);
    else
        s->n++;
    s->set[i] = copy;
    return CS_OK;
}

void cs_sets_clear(cs_sets *s)
{
    while (s->n)
        cs_free(s->set[--s->n]);
}

static const char key[] = "arms#";

static bool is_change(const char *set)
{
    return strncmp(set, key, sizeof key - 1) == 0;
}

/* Returns the number of the newest change, or 0 if there is none. */
static size_t newest(const cs_sets *s)
{
    for (size_t i = s->n; i-- > 0;)
        if (is_change(s->set[i]))
            return strtoul(s->set[i] + sizeof key - 1, NULL, 10);
    return 0;
}

cs_status cs_sets_add_arm_change(cs_sets *s, const char *change, cs_error *err)
{
    char name[40];
    snprintf(name, sizeof name, "%s%zu", key, newest(s) + 1);
    return cs_sets_put(s, name, change, err);
}

static void forget(cs_sets *s, size_t i)
{
    cs_free(s->set[i]);
    s->n--;
    memmove(&s->set[i], &s->set[i + 1], (s->n - i) * sizeof *s->set);
}

void cs_sets_drop(cs_sets *s, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < s->n; i++)
        if (strncmp(s->set[i], name, n) == 0 && s->set[i][n] == '=') {
            forget(s, i);
            return;
        }
}

bool cs_sets_drop_arm_change(cs_sets *s, const char *change)
{
    for (size_t i = s->n; i-- > 0;)
        if (is_change(s->set[i]) &&
            strcmp(strchr(s->set[i], '=') + 1, change) == 0) {
            forget(s, i);
            return true;
        }
    return false;
}

void cs_sets_drop_newest_arm_change(cs_sets *s)
{
    char name[40];
    snprintf(name, sizeof name, "%s%zu", key, newest(s));
    cs_sets_drop(s, name);
}
