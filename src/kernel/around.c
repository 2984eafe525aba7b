/* Making a kernel around another: one type with the rows of both. */
#include "kernel/around.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* What the whole has of the inner kernel's flags. */
enum {
    INHERITED = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
                CS_KERNEL_ACCEPTS | CS_KERNEL_MAIN_THREAD
};

static cs_status refuse(const cs_kernel_type *type, const cs_kernel_type *inner,
                        const char *why, cs_error *err)
{
    return cs_fail(err, CS_UNSUPPORTED, "%s cannot go around %s: %s",
                   type->name, inner->name, why);
}

static size_t count_stats(const cs_kernel_type *type)
{
    size_t n = 0;
    while (type->stats && type->stats[n])
        n++;
    return n;
}

static cs_status check(const cs_kernel_type *type, const cs_kernel_type *inner,
                       cs_error *err)
{
    if (inner->flags & CS_KERNEL_AROUND)
        return refuse(type, inner, "it goes around another itself", err);
    if (inner->meet || inner->flags & CS_KERNEL_WEIGHS)
        return refuse(type, inner, "its chains work together already", err);
    if (inner->flags & CS_KERNEL_PARTS)
        return refuse(type, inner,
                      "it asks for more than U and its "
                      "differences, which have no temperature",
                      err);
    if (type->n_params + inner->n_params > CS_KERNEL_PARAMS ||
        count_stats(type) + count_stats(inner) > CS_KERNEL_STATS)
        return refuse(type, inner, "both have too many parameters", err);
    for (size_t i = 0; i < type->n_params; i++)
        if (cs_param_find(inner->params, inner->n_params,
                          type->params[i].name) >= 0)
            return refuse(type, inner, "both have a parameter of one name",
                          err);
    return CS_OK;
}

static void join_stats(cs_around *a)
{
    const cs_kernel_type *inner = a->inner.type;
    a->n_stats = count_stats(&a->type);
    size_t n = a->n_stats;
    memcpy(a->stats, a->type.stats, n * sizeof *a->stats);
    for (size_t i = 0; inner->stats && inner->stats[i]; i++)
        a->stats[n++] = inner->stats[i];
    a->type.stats = a->stats;
}

static void release(void *self)
{
    cs_free(self);
}

static void join(cs_around *a, const cs_kernel_type *type)
{
    const cs_kernel_type *inner = a->inner.type;
    a->type = *type;
    a->n_own = type->n_params;
    memcpy(a->rows, type->params, a->n_own * sizeof *a->rows);
    if (inner->n_params)
        memcpy(a->rows + a->n_own, inner->params,
               inner->n_params * sizeof *a->rows);
    snprintf(a->name, sizeof a->name, "%s(%s)", type->name, inner->name);
    snprintf(a->title, sizeof a->title, "%s of: %s", type->title, inner->title);
    a->type.name = a->name;
    a->type.title = a->title;
    a->type.params = a->rows;
    a->type.n_params += inner->n_params;
    a->type.inner = inner;
    a->type.release = release;
    a->type.spaces &= inner->spaces;
    a->type.flags = (type->flags & ~(unsigned)INHERITED) |
                    (inner->flags & type->flags & INHERITED) |
                    (inner->flags & (CS_KERNEL_GRADIENT | CS_KERNEL_ACCEPTS |
                                     CS_KERNEL_MAIN_THREAD)) |
                    CS_KERNEL_HIDDEN;
    if (!inner->log_q)
        a->type.log_q = NULL;
    join_stats(a);
}

cs_status cs_kernel_around(cs_kernel *k, const cs_kernel_type *type,
                           const cs_value *given, size_t n_given,
                           const cs_kernel *inner, cs_error *err)
{
    cs_value values[CS_KERNEL_PARAMS];
    cs_status s = check(type, inner->type, err);
    if (s == CS_OK)
        s = cs_params_resolve(type->name, type->params, type->n_params, given,
                              n_given, values, err);
    if (s != CS_OK)
        return s;
    cs_around *a = cs_alloc(1, sizeof *a);
    if (!a)
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    a->inner = *inner;
    join(a, type);
    *k = (cs_kernel){.type = &a->type, .self = a};
    for (size_t i = 0; i < a->n_own; i++)
        k->values[i] = values[i].number;
    for (size_t i = 0; i < inner->type->n_params; i++)
        k->values[a->n_own + i] = inner->values[i];
    return CS_OK;
}
