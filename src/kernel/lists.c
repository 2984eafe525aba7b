#include "kernel/wrapper.h"

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
        if (v->cols != 1)
            cs_fail(err, CS_RANGE, "%s has %zu numbers in %zu columns", v->name,
                    n, v->cols);
        else
            cs_fail(err, CS_RANGE, "%s has %zu numbers", v->name, n);
        cs_hint(err, "give %s a list of 1 to %.0f numbers, such as { 1, 2 }",
                v->name, row->max);
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

cs_status cs_list_rises(const cs_value *list, const char *example,
                        cs_error *err)
{
    assert(list && example);
    for (size_t i = 1; list->given && i < list->rows; i++)
        if (!(list->array[i] > list->array[i - 1])) {
            cs_fail(err, CS_RANGE, "%s must increase: %g is followed by %g",
                    list->name, list->array[i - 1], list->array[i]);
            cs_hint(err, "%s", example);
            return CS_RANGE;
        }
    return CS_OK;
}

cs_status cs_list_positive(const cs_value *list, cs_error *err)
{
    assert(list);
    for (size_t i = 0; list->given && i < list->rows; i++)
        if (!(list->array[i] > 0)) {
            cs_fail(err, CS_RANGE, "entry %zu of %s is %g", i + 1, list->name,
                    list->array[i]);
            cs_hint(err, "give numbers above 0");
            return CS_RANGE;
        }
    return CS_OK;
}

cs_status cs_list_fits(const char *kernel, const cs_target *t,
                       double coordinates, cs_error *err)
{
    double dim = (double)t->space.dim;
    if (coordinates == 0 || coordinates == dim)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "%s: the lists have %g coordinates, but target %s has %g", kernel,
            coordinates, t->name, dim);
    cs_hint(err, "give one number per coordinate");
    return CS_RANGE;
}

cs_status cs_list_follows(const cs_value *given, const char *from,
                          double number, double *value, cs_error *err)
{
    assert(given && value);
    *value = number;
    if (!given->given || given->number == number)
        return CS_OK;
    cs_fail(err, CS_RANGE, "%s = %g conflicts with %s, which gives %g",
            given->name, given->number, from, number);
    cs_hint(err, "leave out %s", given->name);
    return CS_RANGE;
}

/* Runs `arrange` again, as if all rows had been given: given holds `n` numbers,
 * then the lists. */
static cs_status arrange_again(const cs_kernel_type *type, size_t n,
                               const double *number, const cs_lists *lists,
                               size_t n_lists, cs_error *err)
{
    cs_value given[CS_KERNEL_PARAMS + CS_KERNEL_LISTS];
    double values[CS_KERNEL_PARAMS];
    for (size_t i = 0; i < n + n_lists; i++)
        given[i] = (cs_value){.name = type->params[i].name,
                              .kind = type->params[i].kind,
                              .given = i < n || lists->n[i - n],
                              .number = i < n ? number[i] : 0,
                              .array = i < n ? NULL : lists->of[i - n],
                              .rows = i < n ? 0 : lists->n[i - n],
                              .cols = 1};
    memcpy(values, number, n * sizeof *number);
    return type->arrange(given, values, err);
}

cs_status cs_kernel_agrees(const cs_kernel *k, cs_error *err)
{
    const cs_kernel_type *type = k->type;
    if (type->wraps) {
        const cs_kernel inner = cs_kernel_inner(k);
        return cs_kernel_agrees(&inner, err);
    }
    if (!type->n_lists || !type->arrange || !k->self)
        return CS_OK;
    return arrange_again(type, type->n_params, k->values, k->self,
                         type->n_lists, err);
}
