/* The settings with which a run was opened, "arm.param=value", one per line.
 * They are stored in the checkpoint, and merged with the settings of the
 * command that resumes the run. */
#include "session/record/record_parts.h"

#include <string.h>

/* Returns the length of the name in "arm.param=value", or 0 if the setting does
 * not belong to an arm. */
static size_t set_name(const char *set)
{
    size_t n = strcspn(set, "=\n");
    return memchr(set, '.', n) ? n : 0;
}

static const char *next_set(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

bool cs_record_was_set(const cs_record *rec, const char *set)
{
    size_t n = strlen(set);
    for (const char *at = rec->before; at && *at; at = next_set(at))
        if (strcspn(at, "\n") == n && strncmp(at, set, n) == 0)
            return true;
    return false;
}

static bool is_set_again(const cs_record_spec *spec, const char *line)
{
    size_t n = set_name(line);
    for (size_t i = 0; i < spec->n_set; i++)
        if (set_name(spec->set[i]) == n && strncmp(spec->set[i], line, n) == 0)
            return true;
    return false;
}

cs_status cs_record_join_sets(cs_record *rec, const cs_record_spec *spec,
                              cs_error *err)
{
    for (const char *at = rec->before; at && *at; at = next_set(at))
        if (!is_set_again(spec, at))
            cs_page_put(&rec->sets, "%.*s\n", (int)strcspn(at, "\n"), at);
    for (size_t i = 0; i < spec->n_set; i++)
        if (set_name(spec->set[i]) && !strchr(spec->set[i], '\n'))
            cs_page_put(&rec->sets, "%s\n", spec->set[i]);
    return rec->sets.full ? cs_fail(err, CS_MEMORY,
                                    "out of memory for the files of the run")
                          : CS_OK;
}
