/* Creates wrappers. Each wrapper gets a kernel type of its own, with the
 * parameters of both kernels. */
#include "kernel/wrapper.h"

#include "kernel/composed.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* OF_INNER: flags that a wrapper inherits from its inner kernel. OF_BOTH: flags
 * that the wrapper has only if both kernels have them. */
enum {
    OF_INNER = CS_KERNEL_GRADIENT | CS_KERNEL_ACCEPTS | CS_KERNEL_MAIN_THREAD |
               CS_KERNEL_METRIC | CS_KERNEL_ACCEPT_STAT | CS_KERNEL_UNEVEN,
    OF_BOTH = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE
};

static cs_status refuse(const cs_kernel_type *type, const cs_kernel_type *inner,
                        const char *why, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED, "%s cannot wrap %s: %s", type->name,
            inner->name, why);
    cs_hint(err, "wrap a kernel for single chains, for example random_walk, "
                 "gibbs or dmala");
    return CS_UNSUPPORTED;
}

static cs_status refuse_one_way(const cs_kernel_type *type,
                                const cs_kernel_type *inner, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "%s cannot wrap %s, which is not reversible and so has no "
            "acceptance ratio",
            type->name, inner->name);
    if (inner->composes)
        cs_hint(err, "wrap a mixture of reversible kernels");
    else
        cs_hint(err,
                "wrap a reversible kernel, for example random_walk, dmala or "
                "gibbs with scan = 'random'");
    return CS_UNSUPPORTED;
}

static cs_status check(const cs_kernel_type *type, const cs_kernel_type *inner,
                       cs_error *err)
{
    if (inner->wraps)
        return refuse(type, inner, "the second is itself a wrapper", err);
    if (inner->flags & CS_KERNEL_WEIGHS)
        return refuse(type, inner, "the second weights its draws itself", err);
    if (inner->exchange)
        return refuse(type, inner, "the chains of the second already interact",
                      err);
    if ((type->flags & CS_KERNEL_DECIDES) && !inner->is_reversible &&
        !(inner->flags & CS_KERNEL_REVERSIBLE))
        return refuse_one_way(type, inner, err);
    /* An inner kernel that reports accept_stat but has no accept step cannot be
     * used. It has no ratio to which the wrapper could add its own ratio. A
     * step of the inner kernel may also move along a trajectory on which some
     * value was NaN. */
    if ((type->flags & CS_KERNEL_DECIDES) &&
        inner->flags & CS_KERNEL_ACCEPT_STAT &&
        !(inner->flags & CS_KERNEL_ACCEPTS))
        return refuse(type, inner,
                      "its steps are not decided by a single ratio", err);
    if (inner->flags & CS_KERNEL_PARTS)
        return refuse(type, inner,
                      "it uses more than log p and its differences, which "
                      "cannot be tempered",
                      err);
    if (inner->flags & CS_KERNEL_CONDITIONAL)
        return refuse(type, inner,
                      "a member draws from a conditional distribution that the "
                      "script gives, which has no temperature",
                      err);
    if (type->n_params + inner->n_params > CS_KERNEL_PARAMS ||
        type->n_lists + inner->n_lists > CS_KERNEL_LISTS ||
        cs_kernel_count_stats(type) + cs_kernel_count_stats(inner) >
            CS_KERNEL_STATS)
        return refuse(type, inner, "together they have too many parameters",
                      err);
    for (size_t i = 0; i < type->n_params + type->n_lists; i++)
        if (cs_param_find(inner->params, inner->n_params + inner->n_lists,
                          type->params[i].name) >= 0)
            return refuse(type, inner, "both have a parameter of the same name",
                          err);
    return CS_OK;
}

static void join_stats(cs_wrapper *a)
{
    const cs_kernel_type *inner = a->inner.type;
    a->n_stats = cs_kernel_count_stats(&a->type);
    size_t n = a->n_stats;
    memcpy(a->stats, a->type.stats, n * sizeof *a->stats);
    for (size_t i = 0; inner->stats && inner->stats[i]; i++)
        a->stats[n++] = inner->stats[i];
    a->type.stats = a->stats;
}

static void release(void *self)
{
    cs_wrapper *a = self;
    cs_lists_clear(&a->lists);
    cs_free(a->rows);
    cs_free(a);
}

static void parts(const void *self, cs_page *p)
{
    const cs_wrapper *a = self;
    const cs_instance_type *inner = a->inner.type->instance;
    if (inner && inner->parts)
        inner->parts(a->inner.self, p);
}

static const cs_instance_type instance = {.release = release, .parts = parts};

static void join_rows(cs_wrapper *a, const cs_kernel_type *type)
{
    const cs_kernel_type *inner = a->inner.type;
    const cs_param *const from[] = {type->params, inner->params,
                                    type->params + type->n_params,
                                    inner->params + inner->n_params};
    const size_t n[] = {type->n_params, inner->n_params, type->n_lists,
                        inner->n_lists};
    cs_param *to = a->rows;
    for (size_t i = 0; i < sizeof n / sizeof *n; to += n[i++])
        if (n[i])
            memcpy(to, from[i], n[i] * sizeof *to);
    a->n_params = type->n_params;
    a->n_lists = type->n_lists;
    a->type.params = a->rows;
    a->type.n_params = n[0] + n[1];
    a->type.n_lists = n[2] + n[3];
}

static void join(cs_wrapper *a, const cs_kernel_type *type)
{
    const cs_kernel_type *inner = a->inner.type;
    a->type = *type;
    join_rows(a, type);
    const cs_composed *c = cs_composed_of(&a->inner);
    int n =
        snprintf(a->name, sizeof a->name, "%s(%s)", type->name, inner->name);
    if (c && n >= (int)sizeof a->name)
        snprintf(a->name, sizeof a->name, "%s(%s(%zu))", type->name,
                 c->mixture ? "mixture" : "cycle", c->n);
    snprintf(a->title, sizeof a->title, "%s of: %s", type->title, inner->title);
    a->type.name = a->name;
    a->type.title = a->title;
    a->type.instance = &instance;
    a->type.spaces &= inner->spaces;
    if (c) /* its members move the parts of a mixed space */
        a->type.spaces |= CS_MIXED;
    a->type.flags = (type->flags & ~(unsigned)OF_BOTH) |
                    (inner->flags & type->flags & OF_BOTH) |
                    (inner->flags & OF_INNER) | CS_KERNEL_HIDDEN;
    if (!inner->log_q)
        a->type.log_q = NULL;
    join_stats(a);
}

cs_status cs_kernel_wrap(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given,
                         const cs_kernel *inner, cs_error *err)
{
    assert(k && type->wraps && inner && inner->type);
    double own[CS_KERNEL_PARAMS];
    cs_lists lists;
    const cs_composed *c = cs_composed_of(inner);
    cs_status s = check(type, inner->type, err);
    if (s == CS_OK && c && c->sums)
        s = refuse(type, inner->type,
                   "a member sums out coordinates, which is not exact at "
                   "another temperature",
                   err);
    if (s == CS_OK)
        s = cs_kernel_resolve(type, given, n_given, own, &lists, err);
    if (s != CS_OK)
        return s;
    cs_wrapper *a = cs_alloc(1, sizeof *a);
    size_t rows = type->n_params + type->n_lists + inner->type->n_params +
                  inner->type->n_lists;
    if (!a || !(a->rows = cs_alloc(rows + 1, sizeof *a->rows))) {
        cs_free(a);
        cs_lists_clear(&lists);
        return cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    }
    a->inner = *inner;
    a->lists = lists;
    join(a, type);
    *k = (cs_kernel){.type = &a->type, .self = a};
    memcpy(k->values, own, a->n_params * sizeof *own);
    memcpy(k->values + a->n_params, inner->values,
           inner->type->n_params * sizeof *own);
    memcpy(a->values, k->values, sizeof a->values);
    return CS_OK;
}

const double *cs_kernel_list(const cs_kernel *k, size_t i, size_t *n)
{
    const cs_wrapper *a = k->type->wraps ? k->self : NULL;
    if (k->type->composes)
        return cs_composed_list(k->self, i, n);
    if (a && i >= a->n_lists)
        return cs_kernel_list(&a->inner, i - a->n_lists, n);
    *n = 0;
    return i < k->type->n_lists ? cs_self_list(k->self, i, n) : NULL;
}

bool cs_kernel_is_as_made(const cs_kernel *k)
{
    const cs_wrapper *a = k->type->wraps ? k->self : NULL;
    const cs_composed *c = cs_composed_of(k);
    const double *made = a ? a->values : c ? c->values : NULL;
    for (size_t i = 0; made && i < k->type->n_params; i++)
        if (k->type->params[i].flags & CS_PARAM_FIXED &&
            k->values[i] != made[i])
            return false;
    return true;
}

cs_kernel cs_kernel_inner(const cs_kernel *k)
{
    const cs_wrapper *a = k->self;
    cs_kernel inner = a->inner;
    memcpy(inner.values, k->values + a->n_params,
           inner.type->n_params * sizeof *inner.values);
    return inner;
}

bool cs_kernel_find_wrapper(const char *name, const cs_kernel_type **outer,
                            const cs_kernel_type **inner)
{
    char part[64];
    size_t n = strcspn(name, "("), end = strlen(name);
    if (end >= sizeof part || n + 2 > end || name[end - 1] != ')')
        return false;
    snprintf(part, sizeof part, "%.*s", (int)n, name);
    *outer = cs_kernel_find(part);
    snprintf(part, sizeof part, "%.*s", (int)(end - n - 2), name + n + 1);
    *inner = cs_kernel_find(part);
    return *outer && *inner && (*outer)->wraps && !(*inner)->wraps;
}
