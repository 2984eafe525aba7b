#include "kernel/lists.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cs_status check_list(const cs_param *row, const cs_value *v,
                            cs_error *err)
{
    size_t n = v->rows * v->cols;
    if (!v->given)
        return CS_OK;
    if (v->cols != 1 || n == 0 || (double)n > row->max) {
        cs_fail(err, CS_RANGE, "%s holds %zu numbers in %zu columns", v->name,
                n, v->cols);
        cs_hint(err, "%s = { 1, 2 }: a list of 1 to %.0f numbers", v->name,
                row->max);
        return CS_RANGE;
    }
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v->array[i])) {
            cs_fail(err, CS_RANGE, "entry %zu of %s is not finite", i + 1,
                    v->name);
            cs_hint(err, "give finite numbers");
            return CS_RANGE;
        }
    return CS_OK;
}

void cs_lists_clear(cs_lists *lists)
{
    for (size_t i = 0; i < CS_KERNEL_LISTS; i++)
        cs_free(lists->of[i]);
    *lists = (cs_lists){.n = {0}};
}

static cs_status copy(cs_lists *lists, size_t i, const cs_value *v,
                      cs_error *err)
{
    if (!v->given)
        return CS_OK;
    lists->of[i] = cs_alloc(v->rows, sizeof *v->array);
    if (!lists->of[i])
        return cs_fail(err, CS_MEMORY, "out of memory for a list of numbers");
    memcpy(lists->of[i], v->array, v->rows * sizeof *v->array);
    lists->n[i] = v->rows;
    return CS_OK;
}

cs_status cs_kernel_resolve(const cs_kernel_type *type, const cs_value *given,
                            size_t n_given, double *values, cs_lists *lists,
                            cs_error *err)
{
    cs_value all[CS_KERNEL_PARAMS + CS_KERNEL_LISTS];
    size_t n = type->n_params;
    assert(n <= CS_KERNEL_PARAMS && type->n_lists <= CS_KERNEL_LISTS);
    *lists = (cs_lists){.n = {0}};
    cs_status s = cs_params_resolve(type->name, type->params, n + type->n_lists,
                                    given, n_given, all, err);
    for (size_t i = n; s == CS_OK && i < n + type->n_lists; i++)
        s = check_list(&type->params[i], &all[i], err);
    for (size_t i = 0; s == CS_OK && i < n; i++)
        values[i] = all[i].number;
    if (s == CS_OK && type->arrange)
        s = type->arrange(all, values, err);
    for (size_t i = 0; s == CS_OK && i < type->n_lists; i++)
        s = copy(lists, i, &all[n + i], err);
    if (s)
        cs_lists_clear(lists);
    return s;
}

const double *cs_self_list(const void *self, size_t i, size_t *n)
{
    const cs_lists *lists = self;
    *n = lists ? lists->n[i] : 0;
    return *n ? lists->of[i] : NULL;
}
