/* Reports the counters of the members of a composed kernel. */
#include "kernel/composed.h"

#include "target/parameters.h"
#include "target/part_window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const cs_member_work[CS_MEMBER_WORKS][2] = {
    {"log density", "log densities"},
    {"gradient", "gradients"},
    {"site difference", "site differences"}};

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

/* ---- the coordinates of a member ------------------------------------------ */

/* Returns coordinate number i of a member. */
static size_t coordinate_of(const cs_member *q, size_t i)
{
    const cs_part_window *w = cs_part_window_of(q->target);
    return w ? cs_part_window_coordinate(w, i) : i;
}

/* Returns the end of the coordinates, from number i of the member on, that are
 * adjacent and belong to the same parameter. */
static size_t end_of(const cs_member *q, const cs_target *whole, size_t i)
{
    size_t n = q->target->space.dim, end = i + 1, d = coordinate_of(q, i);
    const cs_part *p = cs_target_parameter(whole, d);
    while (end < n && coordinate_of(q, end) == d + end - i &&
           cs_target_parameter(whole, d + end - i) == p)
        end++;
    return end;
}

/* Writes the name of coordinates i ... end - 1 of a member to text[size], such as
 * "mu" or "z.1 to z.8". */
static void name_range(const cs_member *q, const cs_target *whole, size_t i,
                       size_t end, char *text, size_t size)
{
    char first[64], last[64];
    size_t d = coordinate_of(q, i);
    const cs_part *p = cs_target_parameter(whole, d);
    cs_target_name_coordinate(whole, d, first, sizeof first);
    cs_target_name_coordinate(whole, d + end - i - 1, last, sizeof last);
    if (p && p->name && end - i == p->dim)
        snprintf(text, size, "%.60s", p->name);
    else if (end - i > 1)
        snprintf(text, size, "%.60s to %.60s", first, last);
    else
        snprintf(text, size, "%s", first);
}

/* Appends to text[size], which has `used` characters, the names of the
 * parameters and coordinates that a member moves, such as "mu, z", "z.1, z.3" or
 * "x.1 to x.8". A long list ends in ", ...". Returns the number of characters. */
static size_t list_moves(const cs_member *q, char *text, size_t size,
                         size_t used)
{
    enum { LONGEST = 140 }; /* two names, and what joins them */
    char one[LONGEST];
    const cs_part_window *w = cs_part_window_of(q->target);
    const cs_target *whole = w ? w->whole : q->target;
    size_t n = q->target->space.dim;
    bool fits = used + strlen(", , ...") < size;
    for (size_t i = 0, end; i < n && fits; i = end) {
        end = end_of(q, whole, i);
        name_range(q, whole, i, end, one, sizeof one);
        fits = used + strlen(one) + strlen(", , ...") < size;
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 used ? ", " : "", fits ? one : "...");
    }
    return used;
}

/* Reports what a member moves, and draws after summing it out. */
static void put_moves(const table *t, const cs_member *q)
{
    char text[256] = "";
    size_t mark =
        q->sums ? sizeof ", , ..." : 0; /* room for a cut second list */
    size_t used = list_moves(q, text, sizeof text - mark, 0);
    if (q->sums)
        list_moves(q->sums, text, sizeof text, used);
    cs_flat_text(t->out, text, "%smember/%zu/moves", t->prefix, t->n);
}

/* Returns true if the kernel has a step size on this space. */
static bool has_step(const cs_kernel_type *type, const cs_space *space)
{
    int k = cs_param_find(type->params, type->n_params, "step");
    return k >= 0 && (!type->params[k].spaces ||
                      type->params[k].spaces & (unsigned)space->kind);
}

/* Reports the acceptance at which a member with a step size works best: that of
 * its kind in its number of dimensions. */
static void put_aim(const table *t, const cs_member *q)
{
    const cs_kernel_type *type = q->kernel.type;
    if (type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_ACCEPT_STAT) &&
        has_step(type, &q->target->space))
        cs_flat_number(t->out, cs_kernel_acceptance(type, q->target->space.dim),
                       "%smember/%zu/aim", t->prefix, t->n);
}

static void mark_moved(const cs_member *q, bool again, size_t n, double *by)
{
    for (size_t i = 0; i < q->target->space.dim; i++) {
        double *to = &by[coordinate_of(q, i)];
        *to =
            *to == CS_MOVED_BY_NONE && !again ? (double)n : CS_MOVED_BY_SEVERAL;
    }
}

/* Writes to by[dim] the index of the member that moves each coordinate: -1 if
 * several members move it, so that its path within a step is not known, -2 if
 * no member does. *n: number of members so far; `again`: the members take
 * several turns in a step. */
static void find_movers(const cs_composed *c, bool again, size_t *n, double *by)
{
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        if (inner) {
            find_movers(inner, again || (q->times > 1 && inner->n > 1), n, by);
            continue;
        }
        mark_moved(q, again, *n, by);
        if (q->sums)
            mark_moved(q->sums, again, *n, by);
        ++*n;
    }
}

static void put_movers(const table *t, const cs_composed *c)
{
    enum { MOST = 2048 };
    size_t dim = c->whole->space.dim, n = 0;
    double *by = dim <= MOST
                     ? cs_flat_array(t->out, 1, dim, "%smoved_by", t->prefix)
                     : NULL;
    for (size_t d = 0; by && d < dim; d++)
        by[d] = CS_MOVED_BY_NONE;
    if (by)
        find_movers(c, false, &n, by);
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
            put_moves(t, q);
            put_aim(t, q);
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
    put_movers(&t, c);
}
