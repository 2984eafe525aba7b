#include "kernel/kernel.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

cs_status cs_kernel_init(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given, cs_error *err)
{
    assert(type->n_params <= CS_KERNEL_PARAMS);
    if (type->flags & CS_KERNEL_WRAPPER) {
        cs_fail(err, CS_INPUT, "%s wraps another kernel", type->name);
        cs_hint(err, "give it one: kernel = ...");
        return CS_INPUT;
    }
    cs_value values[CS_KERNEL_PARAMS];
    cs_status status = cs_params_resolve(
        type->name, type->params, type->n_params, given, n_given, values, err);
    if (status)
        return status;
    *k = (cs_kernel){.type = type};
    for (size_t i = 0; i < type->n_params; i++)
        k->values[i] = values[i].number;
    return CS_OK;
}

const char *const cs_gradient_precision_names[] = {
    [CS_GRADIENT_DOUBLE] = "double",
    [CS_GRADIENT_FLOAT] = "float",
    [CS_GRADIENT_INT8] = "int8",
    NULL};

cs_status cs_kernel_check_precision(const char *kernel, const cs_target *t,
                                    double choice, cs_error *err)
{
    if (choice == CS_GRADIENT_DOUBLE ||
        (choice == CS_GRADIENT_FLOAT && t->type->force) ||
        (choice == CS_GRADIENT_INT8 && t->type->gradient_int8))
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "kernel %s: target %s has no gradient of precision %s", kernel,
            t->name, cs_gradient_precision_names[(size_t)choice]);
    cs_hint(err, "leave gradient_precision at 'double'");
    return CS_UNSUPPORTED;
}

/* A kernel that can take a categorical site as one bit a value (its row
 * "coding") needs the differences of log p then, and no gradient. */
static bool may_be_hot(const cs_kernel_type *type, const cs_target *target)
{
    return target->space.kind == CS_CATEGORICAL &&
           cs_param_find(type->params, type->n_params, "coding") >= 0;
}

static bool is_hot(const cs_kernel *k, const cs_target *target)
{
    if (!may_be_hot(k->type, target))
        return false;
    int row = cs_param_find(k->type->params, k->type->n_params, "coding");
    return k->values[row] == 1;
}

static bool can_move(const cs_kernel_type *type, const cs_target *target)
{
    if (!(type->spaces & (unsigned)target->space.kind))
        return false;
    return !(type->flags & CS_KERNEL_GRADIENT) || target->type->gradient ||
           may_be_hot(type, target);
}

/* Names in text[size] the registered kernels that can move the target. */
static void name_others(const cs_target *target, char *text, size_t size)
{
    const cs_kernel_type *type;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        if (!can_move(type, target) ||
            (type->flags & (CS_KERNEL_HIDDEN | CS_KERNEL_WRAPPER)))
            continue;
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                         type->name);
        if (n < 0 || (size_t)n >= size - used) {
            text[used] = '\0';
            return;
        }
        used += (size_t)n;
    }
}

static cs_status refuse(const cs_target *target, cs_error *err)
{
    char others[160];
    name_others(target, others, sizeof others);
    if (others[0])
        cs_hint(err, "use one of: %s", others);
    return CS_UNSUPPORTED;
}

/* What it wraps, with its part of the values, if there is any. */
static cs_kernel inner_of(const cs_kernel *k)
{
    cs_kernel inner = {.type = k->type->inner};
    if (inner.type) {
        size_t aux = k->type->n_params - inner.type->n_params;
        memcpy(inner.values, k->values + aux,
               inner.type->n_params * sizeof *inner.values);
    }
    return inner;
}

cs_status cs_kernel_fits(const cs_kernel *k, const cs_target *target,
                         cs_error *err)
{
    const cs_kernel_type *type = k->type;
    if (!(type->spaces & (unsigned)target->space.kind)) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s cannot move target %s: its space is %s", type->name,
                target->name, cs_space_name(target->space.kind));
        return refuse(target, err);
    }
    if ((type->flags & CS_KERNEL_GRADIENT) && !target->type->gradient &&
        !is_hot(k, target)) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s needs a gradient, and target %s has none",
                type->name, target->name);
        if (may_be_hot(type, target)) {
            cs_hint(err, "give the kernel coding = \"one_hot\"");
            return CS_UNSUPPORTED;
        }
        return refuse(target, err);
    }
    if (type->check) {
        cs_status s = type->check(target, k->values, err);
        if (s != CS_OK)
            return s;
    }
    const cs_kernel inner = inner_of(k);
    return type->inner ? cs_kernel_fits(&inner, target, err) : CS_OK;
}

/* ---- memory, the inner kernel's with it ---------------------------------- */

size_t cs_kernel_memory_words(const cs_kernel_type *type, const cs_target *t)
{
    size_t words = type->memory_words ? type->memory_words(t) : 0;
    size_t inner = type->inner ? cs_kernel_memory_words(type->inner, t) : 0;
    return words + inner * (type->aux ? 2 : 1);
}

size_t cs_kernel_scratch_words(const cs_kernel_type *type, const cs_target *t)
{
    size_t words = type->scratch_words ? type->scratch_words(t) : 0;
    if (type->inner)
        words += cs_kernel_memory_words(type->inner, t) +
                 cs_kernel_scratch_words(type->inner, t);
    return words;
}

size_t cs_kernel_carried_words(const cs_kernel_type *type, const cs_target *t)
{
    while (type->inner)
        type = type->inner;
    return type->carried_words ? type->carried_words(t) : 0;
}

/* ---- auxiliary variables -------------------------------------------------------- */

size_t cs_kernel_aux_first(const cs_kernel *k, const cs_target *target)
{
    const cs_kernel_type *type = k->type;
    const cs_kernel inner = inner_of(k);
    if (type->inner && !type->aux)
        return cs_kernel_aux_first(&inner, target);
    size_t before =
        type->inner ? cs_kernel_memory_words(type->inner, target) : 0;
    return before + (type->aux_first ? type->aux_first(target) : 0);
}

size_t cs_kernel_aux_rows(const cs_kernel *k, const cs_target *target)
{
    size_t rows = 0;
    const cs_kernel inner = inner_of(k);
    for (const cs_aux *aux = k->type->aux; aux && aux->name; aux++)
        rows += aux->rows(target, k->values);
    return rows + (k->type->inner ? cs_kernel_aux_rows(&inner, target) : 0);
}

void cs_kernel_aux_name(const cs_kernel *k, const cs_target *target, size_t i,
                        char *text, size_t size)
{
    text[0] = '\0';
    for (const cs_aux *aux = k->type->aux; aux && aux->name; aux++) {
        size_t rows = aux->rows(target, k->values);
        if (i >= rows) {
            i -= rows;
            continue;
        }
        if (rows == 1)
            snprintf(text, size, "%s", aux->name);
        else
            snprintf(text, size, "%s.%zu", aux->name, i + 1);
        return;
    }
    const cs_kernel inner = inner_of(k);
    if (k->type->inner)
        cs_kernel_aux_name(&inner, target, i, text, size);
}
