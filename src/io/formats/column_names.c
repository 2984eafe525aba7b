#include "io/formats/column_names.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the position of the bracket that opens the indices at the end of the
 * name, or n if the name does not end in indices. */
static size_t bracket_of(const char *text, size_t n)
{
    size_t at = n && text[n - 1] == ']' ? n - 1 : 0;
    while (at > 0 && strchr("0123456789, ", text[at - 1]) && text[at - 1])
        at--;
    bool found = at > 1 && text[at - 1] == '[' && at < n - 1;
    return found ? at - 1 : n;
}

/* Writes the name in the form of CmdStan to out. Returns its length. */
static size_t rewrite(cs_column_names *c, const char *text, size_t n, char *out)
{
    size_t bracket = bracket_of(text, n), used = 0;
    bool mended = false;
    if (bracket < n && c->renamed++ == 0)
        snprintf(c->first, sizeof c->first, "%.*s", (int)n, text);
    for (size_t i = 0; i < n; i++) {
        char to = text[i];
        bool index = i >= bracket;
        if (index && (to == ' ' || to == ']'))
            continue;
        if (index && (to == '[' || to == ','))
            to = '.';
        else if (strchr(",\"#\n\r\t", to) || (unsigned char)to < ' ')
            to = '_', mended = true;
        out[used++] = to;
    }
    c->mended += mended;
    return used;
}

cs_status cs_names_add(cs_column_names *c, const char *text, size_t n,
                       cs_error *err)
{
    if (n == 0)
        return cs_fail(err, CS_INPUT, "column %zu has no name", c->n + 1);
    if (n > CS_DRAW_NAME)
        return cs_fail(err, CS_INPUT,
                       "the name of column %zu, %.40s..., has more than %d "
                       "bytes",
                       c->n + 1, text, CS_DRAW_NAME);
    if (c->n == CS_DRAW_COLUMNS)
        return cs_fail(err, CS_INPUT, "there are more than %d columns",
                       CS_DRAW_COLUMNS);
    char *name = cs_alloc(n + 1, 1);
    if (!name || !CS_GROW(c->name, c->n, c->capacity, 1)) {
        cs_free(name);
        return cs_fail(err, CS_MEMORY, "out of memory for the columns");
    }
    rewrite(c, text, n, name);
    c->name[c->n++] = name;
    return CS_OK;
}

void cs_names_free(cs_column_names *c)
{
    for (size_t i = 0; i < c->n; i++)
        cs_free(c->name[i]);
    cs_free(c->name);
    *c = (cs_column_names){0};
}

typedef struct entry {
    const char *name;
    size_t column;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

cs_status cs_names_check(const cs_column_names *c, cs_error *err)
{
    entry *e = cs_alloc(c->n, sizeof *e);
    if (!e)
        return cs_fail(err, CS_MEMORY, "out of memory for the columns");
    for (size_t i = 0; i < c->n; i++)
        e[i] = (entry){c->name[i], i};
    if (c->n)
        qsort(e, c->n, sizeof *e, by_name);
    cs_status status = CS_OK;
    for (size_t i = 1; i < c->n && status == CS_OK; i++)
        if (strcmp(e[i - 1].name, e[i].name) == 0)
            status = cs_fail(err, CS_INPUT,
                             "columns %zu and %zu have the same name, %s",
                             e[i - 1].column + 1, e[i].column + 1, e[i].name);
    cs_free(e);
    return status;
}

void cs_names_note(const cs_column_names *c, const cs_draw_sink *sink)
{
    char name[CS_DRAW_NAME + 8];
    cs_column_names one = {0};
    if (c->renamed) {
        name[rewrite(&one, c->first, strlen(c->first), name)] = 0;
        cs_draw_note(sink, "%s is called %s%s", c->first, name,
                     c->renamed > 1 ? ", and so on" : "");
    }
    if (c->mended)
        cs_draw_note(sink,
                     "%zu name%s with commas, quotes or number signs: each "
                     "became _",
                     c->mended, c->mended == 1 ? "" : "s");
}
