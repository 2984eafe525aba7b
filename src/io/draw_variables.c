#include "io/draw_variables.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The parts of a column's name: the stem (the name without its indices) and the
 * indices. */
typedef struct place {
    size_t stem; /* length of the name without indices, in bytes */
    size_t n, at[CS_VARIABLE_DIMS];
} place;

static bool is_index(const char *text, const char *end, size_t *value)
{
    *value = 0;
    for (const char *c = text; c < end; c++) {
        if (*c < '0' || *c > '9' || *value > 99999999)
            return false;
        *value = 10 * *value + (size_t)(*c - '0');
    }
    return end > text && *text != '0';
}

/* Reads the indices at the end of the name. */
static place place_of(const char *name)
{
    place p = {.stem = strlen(name)};
    while (p.n < CS_VARIABLE_DIMS) {
        size_t dot = p.stem, value;
        while (dot > 0 && name[dot - 1] != '.')
            dot--;
        if (dot < 2 || !is_index(name + dot, name + p.stem, &value))
            break;
        memmove(p.at + 1, p.at, p.n * sizeof *p.at);
        p.at[0] = value;
        p.n++;
        p.stem = dot - 1;
    }
    return p;
}

/* Returns the number of adjacent columns, starting at `first`, that have the
 * same stem and the same number of indices. */
static size_t run_of(const char *const *name, size_t columns, size_t first)
{
    place p = place_of(name[first]);
    size_t i = first + 1;
    for (; p.n && i < columns; i++) {
        place q = place_of(name[i]);
        if (q.n != p.n || q.stem != p.stem ||
            strncmp(name[i], name[first], p.stem) != 0)
            break;
    }
    return i - first;
}

static void box_of(const char *const *name, size_t n, cs_draw_variable *v)
{
    v->n = 1;
    for (size_t i = 0; i < n; i++) {
        place p = place_of(name[i]);
        v->n_dims = p.n;
        for (size_t d = 0; d < p.n; d++)
            if (p.at[d] > v->dim[d])
                v->dim[d] = p.at[d];
    }
    for (size_t d = 0; d < v->n_dims && v->n <= n; d++)
        v->n *= v->dim[d];
}

/* Finds the column of each element of the variable's array. Returns false if an
 * element is missing or occurs twice. */
static bool fill_box(const char *const *name, size_t first, size_t n,
                     cs_draw_variable *v)
{
    for (size_t i = 0; i < n; i++)
        v->column[i] = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        place p = place_of(name[first + i]);
        size_t at = 0;
        for (size_t d = 0; d < p.n; d++)
            at = at * v->dim[d] + p.at[d] - 1;
        if (v->column[at] != SIZE_MAX)
            return false;
        v->column[at] = first + i;
    }
    return true;
}

/* Makes the variable that starts at column `first`. The variable is an array
 * that covers several columns, or a single column. Returns the number of
 * columns of the variable, or 0 if memory runs out. */
static size_t make(const char *const *name, size_t columns, size_t first,
                   cs_draw_variable *v)
{
    size_t n = run_of(name, columns, first);
    *v = (cs_draw_variable){.column = cs_alloc(n, sizeof *v->column)};
    if (!v->column)
        return 0;
    box_of(name + first, n, v);
    int stem = (int)place_of(name[first]).stem;
    if (v->n_dims && v->n == n && fill_box(name, first, n, v)) {
        snprintf(v->name, sizeof v->name, "%.*s", stem, name[first]);
        return n;
    }
    size_t *column = v->column, length = strlen(name[first]);
    *v = (cs_draw_variable){.column = column, .n = 1};
    *column = first;
    v->sampler = length > 2 && strcmp(name[first] + length - 2, "__") == 0;
    snprintf(v->name, sizeof v->name, "%s", name[first]);
    return 1;
}

cs_status cs_draw_variables_of(const char *const *name, size_t columns,
                               cs_draw_variables *out, cs_error *err)
{
    *out = (cs_draw_variables){0};
    for (size_t i = 0, n; i < columns; i += n) {
        n = 0;
        if (CS_GROW(out->variable, out->n, out->capacity, 1))
            n = make(name, columns, i, &out->variable[out->n]);
        if (n == 0)
            return cs_fail(err, CS_MEMORY, "out of memory for %zu columns",
                           columns);
        out->n++;
    }
    return CS_OK;
}

void cs_draw_variables_free(cs_draw_variables *v)
{
    for (size_t i = 0; i < v->n; i++)
        cs_free(v->variable[i].column);
    cs_free(v->variable);
    *v = (cs_draw_variables){0};
}
