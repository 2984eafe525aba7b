/* Creates composed kernels. Each gets a kernel type of its own, with the rows of
 * its members. */
#include "kernel/composed.h"

#include "base/memory.h"
#include "target/part_window.h"

#include <stdio.h>
#include <string.h>

size_t cs_composed_memory(const cs_composed *c)
{
    const cs_member *last = &c->member[c->n - 1];
    return last->memory + cs_kernel_memory_words(&last->kernel, last->target);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- checks -------------------------------------------------------------- */

static cs_status check_member(const cs_member_spec *s, cs_error *err)
{
    const cs_kernel_type *type = s->kernel->type;
    const char *why = cs_kernel_no_member(type);
    if (type->composes)
        why = "is made of several kernels itself";
    if (!why && type->aux)
        why = "has auxiliary variables, which members do not have yet";
    if (!why)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "cycle: %s cannot be the member %s: it %s",
            type->name, s->name, why);
    cs_hint(err, "use a kernel such as random_walk, nuts, gibbs or dmala");
    return CS_UNSUPPORTED;
}

static cs_status check_names(const cs_member_spec *spec, size_t n,
                             cs_error *err)
{
    for (size_t k = 0; k < n; k++) {
        if (!*spec[k].name ||
            strlen(spec[k].name) >= sizeof(((cs_member *)0)->name))
            return cs_fail(err, CS_INPUT,
                           "cycle: the name of member %zu must have 1 to 23 "
                           "characters",
                           k + 1);
        for (size_t j = 0; j < k; j++)
            if (strcmp(spec[k].name, spec[j].name) == 0)
                return cs_fail(err, CS_INPUT,
                               "cycle: two members have the name %s",
                               spec[k].name);
    }
    return CS_OK;
}

/* Checks that each coordinate is moved by some member. */
static cs_status check_cover(const cs_target *whole, const cs_member_spec *spec,
                             size_t n, cs_error *err)
{
    size_t dim = whole->space.dim, missing = 0;
    bool *moved = cs_alloc(dim, sizeof *moved);
    if (!moved)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < spec[k].n; i++)
            moved[spec[k].coordinate[i]] = true;
    while (missing < dim && moved[missing])
        missing++;
    cs_free(moved);
    if (missing == dim)
        return CS_OK;
    char name[64];
    if (whole->outputs.n)
        snprintf(name, sizeof name, "coordinate %zu", missing + 1);
    else
        cs_target_coordinate(whole, missing, name, sizeof name);
    return cs_fail(err, CS_INPUT, "cycle: no member moves %s", name);
}

/* ---- rows and stats ------------------------------------------------------ */

static cs_status count_rows(cs_composed *c, cs_error *err)
{
    size_t params = 0, lists = 0, stats = 0;
    for (size_t k = 0; k < c->n; k++) {
        const cs_kernel_type *type = c->member[k].kernel.type;
        c->member[k].first_param = params;
        c->member[k].first_list = lists;
        c->member[k].first_stat = stats;
        params += type->n_params;
        lists += type->n_lists;
        stats += cs_kernel_count_stats(type);
    }
    c->type.n_params = params;
    c->type.n_lists = lists;
    c->n_stats = stats;
    if (params <= CS_KERNEL_PARAMS && stats <= CS_KERNEL_STATS)
        return CS_OK;
    return cs_fail(err, CS_UNSUPPORTED,
                   "cycle: the members have %zu parameters and %zu stats "
                   "together, more than %d and %d",
                   params, stats, CS_KERNEL_PARAMS, CS_KERNEL_STATS);
}

/* Copies a row of member q to row number `at`, with the name MEMBER.NAME. */
static void name_row(cs_composed *c, const cs_member *q, const cs_param *row,
                     size_t at)
{
    snprintf(c->names[at], sizeof *c->names, "%s.%s", q->name, row->name);
    c->rows[at] = *row;
    c->rows[at].name = c->names[at];
}

/* Adds the rows and stats of member q. */
static void name_rows(cs_composed *c, const cs_member *q, double *values)
{
    const cs_kernel_type *type = q->kernel.type;
    size_t rows = c->type.n_params + c->type.n_lists;
    for (size_t i = 0; i < type->n_params; i++) {
        name_row(c, q, &type->params[i], q->first_param + i);
        values[q->first_param + i] = q->kernel.values[i];
    }
    for (size_t i = 0; i < type->n_lists; i++)
        name_row(c, q, &type->params[type->n_params + i],
                 c->type.n_params + q->first_list + i);
    for (size_t i = 0; type->stats && type->stats[i]; i++) {
        size_t at = q->first_stat + i;
        char *name = c->names[rows + at];
        snprintf(name, sizeof *c->names, "%s.%s", q->name, type->stats[i]);
        c->stats[at] = name;
    }
}

static cs_status join_rows(cs_composed *c, double *values, cs_error *err)
{
    cs_status s = count_rows(c, err);
    if (s)
        return s;
    size_t n = c->type.n_params + c->type.n_lists;
    c->rows = cs_alloc(n + 1, sizeof *c->rows);
    c->names = cs_alloc(n + c->n_stats + 1, sizeof *c->names);
    c->stats = cs_alloc(c->n_stats + 1, sizeof *c->stats);
    if (!c->rows || !c->names || !c->stats)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    for (size_t k = 0; k < c->n; k++)
        name_rows(c, &c->member[k], values);
    c->type.params = c->rows;
    c->type.stats = c->stats;
    return CS_OK;
}

const double *cs_composed_list(const cs_composed *c, size_t i, size_t *n)
{
    for (size_t k = c->n; k-- > 0;)
        if (i >= c->member[k].first_list && i < c->type.n_lists)
            return cs_kernel_list(&c->member[k].kernel,
                                  i - c->member[k].first_list, n);
    *n = 0;
    return NULL;
}

/* ---- members ------------------------------------------------------------- */

/* Creates member number k: its window, its memory after that of the members
 * before it, and the key of its streams. */
static cs_status make_member(cs_composed *c, size_t k, const cs_member_spec *s,
                             cs_error *err)
{
    cs_member *q = &c->member[k];
    cs_status status = check_member(s, err);
    if (status)
        return status;
    *q = (cs_member){.kernel = *s->kernel,
                     .times = s->times,
                     .memory = k ? cs_composed_memory(c) : 0};
    snprintf(q->name, sizeof q->name, "%s", s->name);
    status = cs_part_window_create(c->whole, s->coordinate, s->n, s->name,
                                   &q->target, err);
    if (status == CS_OK)
        status = cs_kernel_fits(&q->kernel, q->target, err);
    if (status)
        return status;
    cs_threefry2x64(20, (uint64_t[2]){k + 1, 0},
                    (uint64_t[2]){UINT64_C(0x6d656d626572), 0}, q->mix.word);
    size_t words = cs_kernel_memory_words(&q->kernel, q->target);
    q->remembers = words && q->kernel.type->init;
    c->x_rows = larger(c->x_rows, s->n);
    c->memory_rows = larger(c->memory_rows, words);
    c->eval_rows = larger(c->eval_rows, cs_eval_scratch_words(q->target));
    c->kernel_rows =
        larger(c->kernel_rows, cs_kernel_scratch_words(&q->kernel, q->target));
    c->n = k + 1;
    return CS_OK;
}

static void release(void *self)
{
    cs_composed *c = self;
    for (size_t k = 0; k < c->n; k++)
        cs_target_release(c->member[k].target);
    cs_target_release(c->whole);
    cs_free(c->member);
    cs_free(c->rows);
    cs_free(c->names);
    cs_free((void *)c->stats);
    cs_free(c);
}

static void parts(const void *self, cs_page *p)
{
    const cs_composed *c = self;
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_instance_type *type = q->kernel.type->instance;
        cs_page_put(
            p, "member.%s = %s, %zu coordinates from %u, %llu steps\n", q->name,
            q->kernel.type->name, q->target->space.dim,
            cs_part_window_of(q->target)
                ? cs_part_window_coordinate(cs_part_window_of(q->target), 0)
                : 0,
            (unsigned long long)q->times);
        if (type && type->parts)
            type->parts(q->kernel.self, p);
    }
}

static const cs_instance_type instance = {.release = release, .parts = parts};

/* Describes the cycle. It has no accept step of its own, and is not
 * reversible. */
static void describe(cs_composed *c)
{
    const unsigned any =
        CS_KERNEL_GRADIENT | CS_KERNEL_MAIN_THREAD | CS_KERNEL_UNEVEN;
    unsigned flags = CS_KERNEL_HIDDEN | CS_KERNEL_EXACT;
    size_t used = (size_t)snprintf(c->kind, sizeof c->kind, "cycle(");
    for (size_t k = 0; k < c->n; k++) {
        const cs_member *q = &c->member[k];
        flags |= q->kernel.type->flags & any;
        if (!cs_kernel_is_exact(&q->kernel, q->target))
            flags &= ~(unsigned)CS_KERNEL_EXACT;
        if (used < sizeof c->kind)
            used += (size_t)snprintf(c->kind + used, sizeof c->kind - used,
                                     "%s%s", q->kernel.type->name,
                                     k + 1 < c->n ? ", " : ")");
    }
    snprintf(c->title, sizeof c->title, "A cycle of %zu members", c->n);
    c->type.name = c->kind;
    c->type.title = c->title;
    c->type.help = "Makes a step of each member in order.";
    c->type.spaces = (unsigned)c->whole->space.kind;
    c->type.flags = flags;
    c->type.composes = true;
    c->type.instance = &instance;
    c->type.init = cs_composed_init;
    c->type.step = cs_composed_step;
}

static cs_status fill(cs_composed *c, cs_target *whole,
                      const cs_member_spec *spec, size_t n, double *values,
                      cs_error *err)
{
    cs_status s = check_names(spec, n, err);
    if (s == CS_OK)
        s = check_cover(whole, spec, n, err);
    c->whole = cs_target_hold(whole);
    c->member = cs_alloc(n, sizeof *c->member);
    if (s == CS_OK && !c->member)
        s = cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    for (size_t k = 0; s == CS_OK && k < n; k++)
        s = make_member(c, k, &spec[k], err);
    if (s == CS_OK)
        s = join_rows(c, values, err);
    if (s)
        return s;
    for (size_t k = 0; k < n; k++)
        c->member[k].memory += n; /* after the rows `stale` */
    describe(c);
    return CS_OK;
}

cs_status cs_kernel_cycle(cs_kernel *k, cs_target *whole,
                          const cs_member_spec *spec, size_t n, cs_error *err)
{
    assert(k && whole && spec && n >= 1);
    cs_composed *c = cs_alloc(1, sizeof *c);
    if (!c)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    cs_kernel new = {.self = c};
    cs_status s = fill(c, whole, spec, n, new.values, err);
    if (s) {
        for (size_t i = c->n; c->member && i < n; i++)
            cs_target_release(c->member[i].target);
        release(c);
        return s;
    }
    memcpy(c->values, new.values, sizeof c->values);
    new.type = &c->type;
    *k = new;
    return CS_OK;
}
