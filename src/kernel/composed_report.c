/* Reports the counters of the members of a composed kernel. */
#include "kernel/composed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cs_composed_forget(const cs_composed *c, double *memory, size_t lanes)
{
    assert(c->whole && memory);
    memset(memory + c->n * lanes, 0,
           (1 + c->n * CS_MEMBER_ROWS) * lanes * sizeof *memory);
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        atomic_store(q->time, 0);
        if (inner)
            cs_composed_forget(inner, memory + q->memory * lanes, lanes);
    }
}

size_t cs_composed_owner(const cs_composed *c, size_t row)
{
    size_t k = c->n - 1;
    while (k > 0 && row < c->member[k].first_param)
        k--;
    const cs_member *q = &c->member[k];
    const cs_composed *inner = cs_composed_of(&q->kernel);
    return inner ? q->memory + cs_composed_owner(inner, row - q->first_param)
                 : cs_member_counters(c, k);
}

/* A table that is being filled. */
typedef struct table {
    const cs_exchange *m;
    const char *prefix;
    cs_flat *out;
    double *row; /* [n][CS_MEMBER_COLUMNS]; NULL: counts the members only */
    size_t n;
} table;

/* Returns the sum of a counter of a member over the chains. */
static double sum_of(const table *t, size_t word)
{
    double sum = 0;
    for (size_t i = 0; i < t->m->chains; i++)
        sum += t->m->lane[i].memory[word * t->m->lane[i].stride];
    return sum;
}

/* Writes the row of a member whose counters start at `word`, for `of` steps of
 * the whole. */
static void put_row(table *t, const cs_member *q, size_t word, double of)
{
    double steps = sum_of(t, word + CS_MEMBER_STEPS);
    double *row = t->row + t->n * CS_MEMBER_COLUMNS;
    row[CS_MEMBER_OF_ACCEPTANCE] =
        steps > 0 ? sum_of(t, word + CS_MEMBER_ACCEPTED) / steps : (double)NAN;
    row[CS_MEMBER_OF_MOVED] =
        steps > 0 ? sum_of(t, word + CS_MEMBER_MOVED) / steps : (double)NAN;
    row[CS_MEMBER_OF_STEPS] = steps / of;
    row[CS_MEMBER_OF_LOG_DENSITIES] =
        sum_of(t, word + CS_MEMBER_LOG_DENSITIES) / of;
    row[CS_MEMBER_OF_GRADIENTS] = sum_of(t, word + CS_MEMBER_GRADIENTS) / of;
    row[CS_MEMBER_OF_SITES] = sum_of(t, word + CS_MEMBER_SITES) / of;
    row[CS_MEMBER_OF_TIME] = (double)atomic_load(q->time);
}

/* Adds the members of a composed kernel, whose memory starts at `first` and
 * whose names follow `path`. */
static void walk(table *t, const cs_composed *c, size_t first, const char *path,
                 double of)
{
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        char name[128];
        snprintf(name, sizeof name, "%s%s%s", path, *path ? "." : "", q->name);
        if (inner) {
            walk(t, inner, first + q->memory, name, of);
            continue;
        }
        if (t->row) {
            put_row(t, q, first + cs_member_counters(c, k), of);
            cs_flat_text(t->out, name, "%smember/%zu/name", t->prefix, t->n);
            cs_flat_text(t->out, q->kernel.type->name, "%smember/%zu/kernel",
                         t->prefix, t->n);
        }
        t->n++;
    }
}

void cs_composed_report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    const cs_composed *c = m->self;
    table t = {.m = m, .prefix = prefix, .out = out};
    double time = 0, steps = sum_of(&t, c->n);
    walk(&t, c, 0, "", 1);
    t.row = cs_flat_array(out, t.n, CS_MEMBER_COLUMNS, "%smembers", prefix);
    t.n = 0;
    if (!t.row)
        return;
    walk(&t, c, 0, "", steps > 0 ? steps : 1);
    for (size_t i = 0; i < t.n; i++)
        time += t.row[i * CS_MEMBER_COLUMNS + CS_MEMBER_OF_TIME];
    for (size_t i = 0; i < t.n; i++)
        t.row[i * CS_MEMBER_COLUMNS + CS_MEMBER_OF_TIME] =
            time > 0 ? t.row[i * CS_MEMBER_COLUMNS + CS_MEMBER_OF_TIME] / time
                     : (double)NAN;
}
