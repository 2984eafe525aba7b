#include "tune/tuner.h"

#include "base/text.h"
#include "kernel/composed.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

cs_status cs_tuner_init(cs_tuner *t, const cs_tuner_type *type,
                        const cs_value *given, size_t n_given, cs_error *err)
{
    assert(type->n_params <= CS_TUNER_PARAMS);
    cs_value values[CS_TUNER_PARAMS];
    cs_status s = cs_params_resolve(type->name, type->params, type->n_params,
                                    given, n_given, values, err);
    if (s)
        return s;
    *t = (cs_tuner){.type = type, .parameter = "step"};
    int steps = cs_param_find(type->params, type->n_params, "steps");
    t->usual = steps >= 0 && !values[steps].given;
    for (size_t i = 0; i < type->n_params; i++) {
        t->values[i] = values[i].number;
        if (type->params[i].kind == CS_PARAM_TEXT && values[i].given)
            snprintf(t->parameter, sizeof t->parameter, "%s", values[i].text);
    }
    return type->check ? type->check(t->values, err) : CS_OK;
}

static cs_status no_parameter(const cs_tuner *t, const cs_kernel_type *kernel,
                              const char *name, cs_error *err)
{
    const char *names[CS_KERNEL_PARAMS + 1] = {NULL};
    for (size_t i = 0; i < kernel->n_params; i++)
        names[i] = kernel->params[i].name;
    cs_fail(err, CS_UNSUPPORTED,
            "tuner %s adjusts '%s', which kernel %s does not have",
            t->type->name, name, kernel->name);
    const char *near = t->type->driven ? NULL : cs_text_nearest(name, names);
    if (near)
        cs_hint(err, "did you mean '%s'?", near);
    return CS_UNSUPPORTED;
}

static cs_status bind_one(cs_tuner *t, const cs_kernel *k, const char *name,
                          cs_error *err)
{
    int i = cs_param_find(k->type->params, k->type->n_params, name);
    if (i < 0)
        return no_parameter(t, k->type, name, err);
    const cs_param *row = &k->type->params[i];
    if (row->kind != CS_PARAM_REAL || (row->flags & CS_PARAM_FIXED))
        return cs_fail(err, CS_UNSUPPORTED,
                       "tuner %s cannot adjust %s of kernel %s: it is not a "
                       "number that may change during a run",
                       t->type->name, name, k->type->name);
    if (!t->type->driven && !(k->values[i] > 0))
        return cs_fail(err, CS_RANGE,
                       "tuner %s starts from %s = %g, which must be above 0",
                       t->type->name, name, k->values[i]);
    t->param[t->n_driven] = (size_t)i;
    t->start[t->n_driven++] = k->values[i];
    return CS_OK;
}

/* Binds the parameter `t->parameter` of each member that has an accept step, or
 * that of one member, if it is called MEMBER.NAME. `first` is the first row of
 * the kernel, and `path` its name with a dot. */
static cs_status bind_members(cs_tuner *t, const cs_kernel *k,
                              const cs_composed *c, size_t first,
                              const char *path, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; s == CS_OK && i < c->n; i++) {
        const cs_member *q = &c->member[i];
        const cs_kernel_type *type = q->kernel.type;
        const cs_composed *inner = cs_composed_of(&q->kernel);
        char name[128], full[192];
        snprintf(name, sizeof name, "%s%s.", path, q->name);
        snprintf(full, sizeof full, "%s%s", name, t->parameter);
        int row = cs_param_find(k->type->params, k->type->n_params, full);
        bool whole = cs_param_find(k->type->params, k->type->n_params,
                                   t->parameter) >= 0;
        if (inner) {
            s = bind_members(t, k, inner, first + q->first_param, name, err);
            continue;
        }
        if (whole && strncmp(t->parameter, name, strlen(name)) == 0)
            snprintf(full, sizeof full, "%s", t->parameter);
        else if (whole || row < 0 ||
                 !(type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_ACCEPT_STAT)))
            continue;
        if (t->n_driven == CS_TUNER_DRIVEN)
            return cs_fail(err, CS_UNSUPPORTED,
                           "tuner %s can adjust at most %d members",
                           t->type->name, CS_TUNER_DRIVEN);
        t->aim[t->n_driven] = cs_kernel_acceptance(type, q->n ? q->n : t->dim);
        s = bind_one(t, k, full, err);
    }
    return s;
}

/* Binds a tuner to a composed kernel. */
static cs_status bind_composed(cs_tuner *t, const cs_kernel *k, size_t dim,
                               cs_error *err)
{
    int row = cs_param_find(t->type->params, t->type->n_params, "acceptance");
    t->dim = dim;
    t->length = CS_NO_LENGTH;
    t->metric = CS_METRIC_UNIT;
    cs_status s = bind_members(t, k, k->self, 0, "", err);
    for (size_t i = 0; row >= 0 && t->values[row] > 0 && i < t->n_driven; i++)
        t->aim[i] = t->values[row];
    if (s || t->n_driven)
        return s;
    cs_fail(err, CS_UNSUPPORTED,
            "tuner %s: no member of kernel %s has an accept step and the "
            "parameter '%s'",
            t->type->name, k->type->name, t->parameter);
    return CS_UNSUPPORTED;
}

/* Largest number of coordinates for which a dense metric is used without the
 * user's request. */
enum { MOST_DENSE = 100 };

/* Finds the kernel's row for the trajectory length, and the kind of metric that
 * the tuner learns. */
static void bind_shape(cs_tuner *t, const cs_kernel *k, size_t dim)
{
    int i = k->type->length ? cs_param_find(k->type->params, k->type->n_params,
                                            k->type->length)
                            : -1;
    bool follows = k->type->flags & CS_KERNEL_METRIC;
    t->length = t->type->single && i >= 0 ? (size_t)i : CS_NO_LENGTH;
    const double choices[] = {[CS_LEARNS_NO_METRIC] = CS_METRIC_UNIT,
                              [CS_LEARNS_DENSE] = CS_METRIC_DENSE,
                              [CS_LEARNS_BY_ROW] = t->values[t->type->metric]};
    double choice = follows ? choices[t->type->learns] : CS_METRIC_UNIT;
    t->dim = dim;
    t->chooses_metric = choice == CS_TUNER_CHOOSES;
    bool many = t->chooses_metric && dim > MOST_DENSE;
    t->metric = many                ? CS_METRIC_DIAGONAL
                : t->chooses_metric ? CS_METRIC_DENSE
                                    : (cs_metric_kind)choice;
}

/* Returns true if the tuner does not need this parameter, which the kernel does
 * not have. (A tuner that learns a dense metric does not need a step size.) */
static bool is_spared(const cs_tuner *t, const cs_kernel_type *kernel,
                      const char *name)
{
    return t->type->learns == CS_LEARNS_DENSE &&
           cs_param_find(kernel->params, kernel->n_params, name) < 0;
}

cs_status cs_tuner_bind(cs_tuner *t, const cs_kernel *kernel, size_t dim,
                        cs_error *err)
{
    const cs_kernel_type *type = kernel->type;
    t->n_driven = 0;
    if (type->composes && t->type->by_member)
        return bind_composed(t, kernel, dim, err);
    bool drives = !t->type->driven || t->type->driven[0];
    unsigned flags = t->type->tells ? CS_KERNEL_ACCEPTS | CS_KERNEL_ACCEPT_STAT
                                    : CS_KERNEL_ACCEPTS;
    bind_shape(t, kernel, dim);
    if (drives && (!(type->flags & flags) ||
                   (t->type->follows && !type->step_unadjusted)))
        return cs_fail(
            err, CS_UNSUPPORTED,
            "tuner %s needs a kernel with %s accept step; %s has none",
            t->type->name, t->type->follows ? "an optional" : "an", type->name);
    if (t->type->learns == CS_LEARNS_DENSE && t->metric == CS_METRIC_UNIT)
        return cs_fail(err, CS_UNSUPPORTED,
                       "tuner %s learns a metric, which %s does not use",
                       t->type->name, type->name);
    if (!t->type->driven)
        return bind_one(t, kernel, t->parameter, err);
    cs_status s = CS_OK;
    for (size_t i = 0; t->type->driven[i] && s == CS_OK; i++)
        if (!is_spared(t, type, t->type->driven[i]))
            s = bind_one(t, kernel, t->type->driven[i], err);
    return s;
}
