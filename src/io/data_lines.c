#include "io/data_lines.h"

#include "base/memory.h"
#include "data/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const groups[CS_DATA_GROUPS] = {
    "posterior_predictive", "log_likelihood", "observed_data", "constant_data",
    "predictive_statistics"};

const char *cs_data_group_name(cs_data_group group)
{
    return groups[group];
}

/* Returns the text after "# GROUP " and sets *group, or returns NULL. */
static const char *after_group(const char *line, cs_data_group *group)
{
    if (strncmp(line, "# ", 2) != 0)
        return NULL;
    for (*group = 0; *group < CS_DATA_GROUPS; ++*group) {
        size_t n = strlen(groups[*group]);
        if (strncmp(line + 2, groups[*group], n) == 0 && line[2 + n] == ' ')
            return line + 3 + n;
    }
    return NULL;
}

bool cs_data_line_is(const char *line)
{
    cs_data_group group;
    return after_group(line, &group) != NULL;
}

/* Copies a word of n bytes; returns false if it is empty or too long. */
static bool take_word(const char *at, size_t n, char out[CS_DATA_NAME])
{
    if (n == 0 || n >= CS_DATA_NAME)
        return false;
    snprintf(out, CS_DATA_NAME, "%.*s", (int)n, at);
    return true;
}

/* Returns the line of a group with this name; adds it if it is missing. Returns
 * NULL if memory runs out. */
static cs_data_line *line_of(cs_data_lines *d, cs_data_group group,
                             const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->line[i].group == group && strcmp(d->line[i].name, name) == 0)
            return &d->line[i];
    if (!CS_GROW(d->line, d->n, d->capacity, 1))
        return NULL;
    cs_data_line *made = &d->line[d->n++];
    *made = (cs_data_line){.group = group};
    snprintf(made->name, sizeof made->name, "%s", name);
    return made;
}

/* Appends the numbers of a list that ends at `end`. Returns false if a word is
 * not a number, or if memory runs out. */
static bool take_numbers(cs_data_line *line, const char *at, const char *end)
{
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        double x;
        if (!cs_word_number((cs_word_span){at, stop}, &x) ||
            !CS_GROW(line->x, line->n, line->capacity, 1))
            return false;
        line->x[line->n++] = x;
        at = stop + 1;
    }
    return line->n > 0;
}

/* Reads the line from `at` to `end`. */
static bool take_line(cs_data_lines *d, const char *at, const char *end)
{
    cs_data_group group;
    char name[CS_DATA_NAME];
    at = after_group(at, &group);
    const char *equals = at ? memchr(at, '=', (size_t)(end - at)) : NULL;
    if (!equals || equals - at < 2 || end - equals < 3 ||
        !take_word(at, (size_t)(equals - at) - 1, name))
        return false;
    cs_data_line *line = line_of(d, group, name);
    if (!line)
        return false;
    const char *value = equals + 2;
    return group == CS_DATA_OBSERVED || group == CS_DATA_CONSTANT
               ? take_numbers(line, value, end)
               : take_word(value, (size_t)(end - value), line->variable);
}

cs_status cs_data_lines_read(const char *text, cs_data_lines *out,
                             cs_error *err)
{
    *out = (cs_data_lines){.n = 0};
    for (const char *at = text ? text : ""; *at;) {
        const char *end = at + strcspn(at, "\n");
        if (!take_line(out, at, end)) {
            cs_fail(err, CS_INPUT,
                    "the header of the draws has a wrong line: "
                    "%.*s",
                    (int)(end - at < 80 ? end - at : 80), at);
            cs_hint(err, "repeat the run, or remove this line");
            return CS_INPUT;
        }
        at = end + (*end == '\n');
    }
    return CS_OK;
}

void cs_data_lines_free(cs_data_lines *d)
{
    for (size_t i = 0; i < d->n; i++)
        cs_free(d->line[i].x);
    cs_free(d->line);
    *d = (cs_data_lines){.n = 0};
}

const cs_data_line *cs_data_lines_find(const cs_data_lines *d,
                                       const char *variable)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->line[i].group != CS_DATA_STATISTICS &&
            strcmp(d->line[i].variable, variable) == 0)
            return &d->line[i];
    return NULL;
}
