/* Binds composed kernels to a target: finds the coordinates of the members and
 * creates their windows. */
#include "kernel/composed.h"

#include "base/memory.h"
#include "target/part_window.h"

#include <stdio.h>
#include <string.h>

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t cs_composed_memory(const cs_composed *c)
{
    assert(c->whole);
    const cs_member *last = &c->member[c->n - 1];
    return last->memory + cs_kernel_memory_words(&last->kernel, last->target);
}

/* ---- coordinates --------------------------------------------------------- */

/* Returns whether a coordinate is called `name`, or NAME.1, NAME.2 ... */
static bool is_called(const char *coordinate, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(coordinate, name, n) != 0)
        return false;
    const char *rest = coordinate + n;
    return !*rest || (*rest == '.' && rest[1] &&
                      strspn(rest + 1, "0123456789.") == strlen(rest + 1));
}

/* Finds the coordinates that are called `name`: a parameter of the target, a
 * coordinate, or all coordinates NAME.1, NAME.2 ... Sets them in moved[dim] and
 * returns true; returns false if no coordinate has this name. */
static bool find_member(const cs_target *whole, const char *name, bool *moved)
{
    char text[208];
    bool any = false;
    assert(whole && name && *name && moved);
    for (size_t i = 0; i < whole->space.dim; i++) {
        cs_target_name_coordinate(whole, i, text, sizeof text);
        bool is = is_called(text, name);
        moved[i] |= is;
        any |= is;
    }
    return any;
}

static cs_status refuse_name(const cs_target *whole, const cs_member *q,
                             const char *name, cs_error *err)
{
    char first[64], last[64];
    cs_target_name_coordinate(whole, 0, first, sizeof first);
    cs_target_name_coordinate(whole, whole->space.dim - 1, last, sizeof last);
    cs_fail(err, CS_UNKNOWN,
            "the member %s: target %s has no parameter or coordinate '%s'",
            q->name, whole->name, name);
    cs_hint(err, "its coordinates are called %s ... %s", first, last);
    return CS_UNKNOWN;
}

/* Marks the coordinates of a member that is not composed in moved[dim]. */
static cs_status mark(const cs_target *whole, const cs_member *q, bool *moved,
                      cs_error *err)
{
    for (size_t i = 0; i < q->n; i++) {
        if (q->coordinate[i] >= whole->space.dim)
            return cs_fail(err, CS_RANGE,
                           "the member %s: target %s has no coordinate %u",
                           q->name, whole->name, q->coordinate[i] + 1);
        moved[q->coordinate[i]] = true;
    }
    for (size_t i = 0; !q->n && i < q->n_on; i++)
        if (!find_member(whole, q->on[i], moved))
            return refuse_name(whole, q, q->on[i], err);
    return CS_OK;
}

/* Marks the coordinates that the members move, or draw after summing them
 * out. */
static cs_status mark_all(const cs_target *whole, const cs_composed *c,
                          bool *moved, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t k = 0; s == CS_OK && k < c->n; k++) {
        const cs_member *q = &c->member[k];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        s = inner ? mark_all(whole, inner, moved, err)
                  : mark(whole, q, moved, err);
        if (s == CS_OK && q->sums)
            s = mark(whole, q->sums, moved, err);
    }
    return s;
}

cs_status cs_member_place(cs_member *q, const bool *moved, size_t dim,
                          cs_error *err)
{
    size_t n = 0;
    assert(!q->n && !q->target);
    for (size_t i = 0; i < dim; i++)
        n += moved[i];
    q->coordinate = cs_alloc(n, sizeof *q->coordinate);
    if (!q->coordinate)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    for (size_t i = 0; i < dim; i++)
        if (moved[i])
            q->coordinate[q->n++] = (uint32_t)i;
    return CS_OK;
}

cs_status cs_composed_hold(cs_composed *c, const uint32_t *coordinate, size_t n,
                           cs_error *err)
{
    assert(c && coordinate && !c->whole && !c->held);
    c->held = cs_alloc(n + 1, sizeof *c->held);
    if (!c->held)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    memcpy(c->held, coordinate, n * sizeof *coordinate);
    c->n_held = n;
    return CS_OK;
}

cs_status cs_composed_covers(cs_composed *c, cs_error *err)
{
    if (c->covers)
        return CS_OK;
    const cs_target *whole = c->whole;
    char name[64];
    size_t dim = whole->space.dim, missing = 0;
    bool *moved = cs_alloc(dim, sizeof *moved);
    cs_status s =
        moved ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    if (s == CS_OK)
        s = mark_all(whole, c, moved, err);
    for (size_t i = 0; s == CS_OK && i < c->n_held; i++)
        if (c->held[i] < dim)
            moved[c->held[i]] = true;
    while (s == CS_OK && missing < dim && moved[missing])
        missing++;
    cs_free(moved);
    c->covers = s == CS_OK && missing == dim;
    if (s || c->covers)
        return s;
    cs_target_name_coordinate(whole, missing, name, sizeof name);
    cs_fail(err, CS_INPUT, "%s: no member moves %s",
            c->mixture ? "mixture" : "cycle", name);
    cs_hint(err, "add %s to the 'on' of a member", name);
    return CS_INPUT;
}

/* ---- windows ------------------------------------------------------------- */

/* Refuses a member that moves all coordinates of a mixed space. */
static cs_status refuse_mixed(const cs_member *q, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "the member %s: kernel %s cannot move real and discrete "
            "coordinates together",
            q->name, q->kernel.type->name);
    cs_hint(err, "give each kind a member of its own");
    return CS_UNSUPPORTED;
}

/* Finds the coordinates of a member that has no members of its own, and creates
 * its window of `of`: the whole, or the whole with coordinates summed out. */
static cs_status open_window(cs_composed *c, cs_member *q, cs_target *of,
                             cs_error *err)
{
    size_t dim = c->whole->space.dim;
    bool *moved = cs_alloc(dim, sizeof *moved);
    if (!moved)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    cs_status s = mark(c->whole, q, moved, err);
    if (s == CS_OK && !q->n)
        s = cs_member_place(q, moved, dim, err);
    cs_free(moved);
    return s ? s
             : cs_part_window_create(of, q->coordinate, q->n, q->name,
                                     &q->target, err);
}

/* Checks that the kernel of a member can move its window. */
static cs_status check_window(const cs_member *q, cs_error *err)
{
    if (q->target->space.kind == CS_MIXED &&
        !(q->kernel.type->spaces & CS_MIXED))
        return refuse_mixed(q, err);
    return cs_kernel_fits(&q->kernel, q->target, err);
}

/* Checks that a member can use its metric. */
static cs_status check_metric(const cs_member *q, cs_error *err)
{
    size_t dim = q->target->space.dim;
    if (!q->metric)
        return CS_OK;
    cs_status s = cs_metric_fits(&q->kernel, q->target, err);
    if (s || q->metric->dim == dim)
        return s;
    return cs_fail(
        err, CS_INPUT,
        "the metric of the member %s is that of %zu coordinates, but "
        "it moves %zu",
        q->name, q->metric->dim, dim);
}

static cs_status refuse_sums(const cs_composed *c, const cs_member *q,
                             size_t coordinate, cs_error *err)
{
    char name[64];
    cs_target_name_coordinate(c->whole, coordinate, name, sizeof name);
    cs_fail(err, CS_INPUT, "the member %s cannot move %s and sum it out",
            q->name, name);
    cs_hint(err, "leave it out of 'on' or of 'sum_out'");
    return CS_INPUT;
}

/* Gives member number k the sum of an earlier member over the same coordinates,
 * or creates it. */
static cs_status take_sum(cs_composed *c, size_t k, cs_error *err)
{
    cs_member *q = &c->member[k];
    const cs_member *z = q->sums;
    for (q->owner = 0; q->owner < k; q->owner++) {
        const cs_member *other = &c->member[q->owner];
        q->sum_out = other->sum_out;
        if (q->sum_out && other->sums->n == z->n &&
            memcmp(other->sums->coordinate, z->coordinate,
                   z->n * sizeof *z->coordinate) == 0)
            return CS_OK;
    }
    q->sum_out = NULL;
    return cs_sum_out_create(c->whole, z->coordinate, z->n, &q->sum_out, err);
}

/* Creates the window of member number k, which sums out coordinates, and the
 * window of these. */
static cs_status open_sums(cs_composed *c, size_t k, cs_error *err)
{
    cs_member *q = &c->member[k];
    const cs_member *z = q->sums;
    cs_status s = open_window(c, q->sums, c->whole, err);
    if (s == CS_OK)
        s = take_sum(c, k, err);
    if (s == CS_OK)
        s = open_window(c, q, q->sum_out->target, err);
    for (size_t i = 0, j = 0; s == CS_OK && i < q->n; i++) {
        while (j < z->n && z->coordinate[j] < q->coordinate[i])
            j++;
        if (j < z->n && z->coordinate[j] == q->coordinate[i])
            s = refuse_sums(c, q, q->coordinate[i], err);
    }
    return s;
}

/* Binds member number k. Its memory follows that of the members before it. */
static cs_status bind_member(cs_composed *c, size_t k, cs_error *err)
{
    cs_member *q = &c->member[k], *before = k ? q - 1 : NULL;
    cs_composed *inner = q->kernel.type->composes ? q->kernel.self : NULL;
    cs_status s = CS_OK;
    if (inner) {
        q->binds = !inner->whole;
        s = cs_composed_bind(inner, c->whole, err);
        q->target = s ? NULL : cs_target_hold(c->whole);
    } else {
        s = q->sums ? open_sums(c, k, err) : open_window(c, q, c->whole, err);
        if (s == CS_OK)
            s = check_window(q, err);
        if (s == CS_OK)
            s = check_metric(q, err);
    }
    if (s)
        return s;
    size_t words = cs_kernel_memory_words(&q->kernel, q->target);
    q->memory = before ? before->memory + cs_kernel_memory_words(
                                              &before->kernel, before->target)
                       : cs_member_counters(c, c->n) + c->n_sums;
    q->remembers = words && q->kernel.type->init && !inner;
    c->memory_rows = larger(c->memory_rows, inner ? 0 : words);
    c->x_rows = larger(c->x_rows, q->n);
    c->eval_rows = larger(c->eval_rows, cs_eval_scratch_words(q->target));
    if (q->sum_out)
        c->eval_rows = larger(c->eval_rows, cs_sum_out_scratch(q->sum_out));
    c->kernel_rows =
        larger(c->kernel_rows, cs_kernel_scratch_words(&q->kernel, q->target));
    return CS_OK;
}

static void close_window(cs_member *q)
{
    cs_target_release(q->target);
    q->target = NULL;
    if (!q->n_on)
        return;
    cs_free(q->coordinate);
    q->coordinate = NULL;
    q->n = 0;
}

/* Releases the target and the windows after a failure, also those of the
 * composed members that were bound with the kernel. */
static void unbind(cs_composed *c)
{
    for (size_t k = 0; k < c->n; k++) {
        cs_member *q = &c->member[k];
        if (q->binds && q->target)
            unbind(q->kernel.self);
        close_window(q);
        if (q->sums)
            close_window(q->sums);
        if (q->owner == k)
            cs_sum_out_destroy(q->sum_out);
        q->sum_out = NULL;
    }
    cs_target_release(c->whole);
    c->whole = NULL;
}

cs_status cs_composed_bind(cs_composed *c, cs_target *whole, cs_error *err)
{
    assert(c && whole);
    cs_status s = CS_OK;
    if (c->whole == whole)
        return CS_OK;
    if (c->whole) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s already moves the parts of another target",
                c->type.name);
        cs_hint(err, "create a kernel for each target");
        return CS_UNSUPPORTED;
    }
    c->whole = cs_target_hold(whole);
    for (size_t k = 0; s == CS_OK && k < c->n; k++)
        s = bind_member(c, k, err);
    if (s)
        unbind(c);
    return s;
}
