/* wrappers that a journal or a saved run brings in: what a name,
 * numbers and lists say is all there is to them. */
#include "base/memory.h"
#include "run/internal.h"

#include <string.h>

bool cs_lists_same(const cs_lists *l, const cs_kernel *k)
{
    for (size_t i = 0; i < k->type->n_lists; i++) {
        size_t n;
        const double *x = cs_kernel_list(k, i, &n);
        if (n != l->n[i] || (n && memcmp(x, l->x[i], n * sizeof *x) != 0))
            return false;
    }
    return true;
}

static bool is_made(const cs_restored *m, const char *name,
                    const double *values, const cs_lists *lists)
{
    const cs_kernel *k = &m->kernel;
    return strcmp(k->type->name, name) == 0 &&
           memcmp(k->values, values, k->type->n_params * sizeof *values) == 0 &&
           cs_lists_same(lists, k);
}

static cs_status make(cs_kernel *k, const cs_kernel_type *outer,
                      const cs_kernel_type *inner, const double *values,
                      const cs_lists *lists, cs_error *err)
{
    cs_value given[CS_KERNEL_PARAMS + CS_KERNEL_LISTS];
    cs_kernel in = {.type = inner};
    size_t n = outer->n_params;
    for (size_t i = 0; i < n; i++)
        given[i] = (cs_value){.name = outer->params[i].name,
                              .kind = CS_PARAM_REAL,
                              .given = 1,
                              .number = values[i]};
    for (size_t i = 0; i < outer->n_lists; i++)
        if (lists->n[i])
            given[n++] =
                (cs_value){.name = outer->params[outer->n_params + i].name,
                           .kind = CS_PARAM_ARRAY,
                           .given = 1,
                           .array = lists->x[i],
                           .rows = lists->n[i],
                           .cols = 1};
    memcpy(in.values, values + outer->n_params,
           inner->n_params * sizeof *values);
    return cs_kernel_wrap(k, outer, given, n, &in, err);
}

cs_status cs_run_make_wrapper(cs_run *r, const char *name, const double *values,
                              const cs_lists *lists, cs_kernel *k,
                              cs_error *err)
{
    const cs_kernel_type *outer, *inner;
    for (const cs_restored *m = r->made; m; m = m->next)
        if (is_made(m, name, values, lists)) {
            *k = m->kernel;
            return CS_OK;
        }
    if (!cs_kernel_find_wrapper(name, &outer, &inner))
        return cs_fail(err, CS_UNKNOWN, "there is no kernel %s", name);
    cs_restored *made = cs_alloc(1, sizeof *made);
    if (!made)
        return cs_fail(err, CS_MEMORY, "out of memory for the kernel");
    cs_status s = make(&made->kernel, outer, inner, values, lists, err);
    if (s) {
        cs_free(made);
        return s;
    }
    *k = made->kernel;
    made->next = r->made;
    r->made = made;
    return CS_OK;
}

void cs_run_unmake(cs_run *r)
{
    while (r->made) {
        cs_restored *made = r->made;
        r->made = made->next;
        made->kernel.type->release(made->kernel.self);
        cs_free(made);
    }
}
