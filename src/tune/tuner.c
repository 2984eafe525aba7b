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

/* ---- metrics ------------------------------------------------------------- */

/* Largest number of coordinates for which a dense metric is used without the
 * user's request. */
enum { MOST_DENSE = 100 };

/* Returns the row with the trajectory length of a kernel, or of a member if
 * `path` is its name with a dot; CS_NO_ROW if it has none. */
static size_t length_of(const cs_kernel *k, const cs_kernel_type *type,
                        const char *path)
{
    char name[192];
    if (!type->length)
        return CS_NO_ROW;
    snprintf(name, sizeof name, "%s%s", path, type->length);
    int i = cs_param_find(k->type->params, k->type->n_params, name);
    return i < 0 ? CS_NO_ROW : (size_t)i;
}

/* Returns the stat with the depth of the trajectories, or CS_NO_ROW. */
static size_t depth_of(const cs_kernel *k, const char *path)
{
    char name[192];
    const char *const *stats = k->type->stats;
    cs_member_stat_name(path, "treedepth__", name, sizeof name);
    for (size_t i = 0; stats && stats[i]; i++)
        if (strcmp(stats[i], name) == 0)
            return i;
    return CS_NO_ROW;
}

/* Adds the metric of a kernel or of a member whose type is `type`, if the tuner
 * learns metrics. `p` has the coordinates. */
static void add_part(cs_tuner *t, const cs_kernel *k,
                     const cs_kernel_type *type, const char *path,
                     cs_tuner_part p)
{
    const double choices[] = {[CS_LEARNS_NO_METRIC] = CS_METRIC_UNIT,
                              [CS_LEARNS_DENSE] = CS_METRIC_DENSE,
                              [CS_LEARNS_BY_ROW] = t->values[t->type->metric]};
    double choice = choices[t->type->learns];
    if (!(type->flags & CS_KERNEL_METRIC) || choice == CS_METRIC_UNIT)
        return;
    p.chooses = choice == CS_TUNER_CHOOSES;
    bool many = p.chooses && p.dim > MOST_DENSE;
    p.kind = many        ? CS_METRIC_DIAGONAL
             : p.chooses ? CS_METRIC_DENSE
                         : (cs_metric_kind)choice;
    p.max_depth = length_of(k, type, path);
    p.depth = p.max_depth == CS_NO_ROW ? CS_NO_ROW : depth_of(k, path);
    t->part[t->n_parts++] = p;
}

/* ---- members ------------------------------------------------------------- */

static cs_status too_many(const cs_tuner *t, cs_error *err)
{
    return cs_fail(err, CS_UNSUPPORTED,
                   "tuner %s can adjust at most %d members", t->type->name,
                   CS_TUNER_DRIVEN);
}

/* Binds the parameter `t->parameter` of a member that is not composed, if it has
 * an accept step, or if the parameter is called MEMBER.NAME; and its metric,
 * unless the user gave it one. `path` is its name with a dot, and `leaf` its
 * number. */
static cs_status bind_leaf(cs_tuner *t, const cs_kernel *k, const cs_member *q,
                           const char *path, size_t leaf, cs_error *err)
{
    const cs_kernel_type *type = q->kernel.type;
    char full[192];
    bool whole =
        cs_param_find(k->type->params, k->type->n_params, t->parameter) >= 0;
    bool named = whole && strncmp(t->parameter, path, strlen(path)) == 0;
    if (!named &&
        (whole || !(type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_ACCEPT_STAT))))
        return CS_OK;
    snprintf(full, sizeof full, "%s%s", named ? "" : path, t->parameter);
    bool has = cs_param_find(k->type->params, k->type->n_params, full) >= 0;
    bool real = q->target && cs_space_is_real(&q->target->space);
    bool learns = real && !q->metric;
    if ((has && t->n_driven == CS_TUNER_DRIVEN) ||
        (learns && t->n_parts == CS_TUNER_PARTS))
        return too_many(t, err);
    if (learns)
        add_part(t, k, type, path,
                 (cs_tuner_part){.leaf = leaf,
                                 .coordinate = q->coordinate,
                                 .dim = q->n,
                                 .driven = has ? t->n_driven : CS_NO_ROW});
    if (!has)
        return CS_OK;
    t->length[t->n_driven] =
        t->type->single ? length_of(k, type, path) : CS_NO_ROW;
    t->aim[t->n_driven] = cs_kernel_acceptance(type, q->n ? q->n : t->dim);
    return bind_one(t, k, full, err);
}

/* Binds the members of c. `path` is the name of c with a dot. Adds the number of
 * members that are not composed to *leaf. */
static cs_status bind_members(cs_tuner *t, const cs_kernel *k,
                              const cs_composed *c, const char *path,
                              size_t *leaf, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; s == CS_OK && i < c->n; i++) {
        const cs_member *q = &c->member[i];
        const cs_composed *inner = cs_composed_of(&q->kernel);
        char name[128];
        snprintf(name, sizeof name, "%s%s.", path, q->name);
        s = inner ? bind_members(t, k, inner, name, leaf, err)
                  : bind_leaf(t, k, q, name, (*leaf)++, err);
    }
    return s;
}

/* Binds a tuner to a composed kernel. */
static cs_status bind_composed(cs_tuner *t, const cs_kernel *k, cs_error *err)
{
    int row = cs_param_find(t->type->params, t->type->n_params, "acceptance");
    size_t leaf = 0;
    cs_status s = bind_members(t, k, k->self, "", &leaf, err);
    for (size_t i = 0; row >= 0 && t->values[row] > 0 && i < t->n_driven; i++)
        t->aim[i] = t->values[row];
    if (s || cs_tuner_finds(t))
        return s;
    cs_fail(err, CS_UNSUPPORTED,
            "tuner %s: no member of kernel %s has an accept step and the "
            "parameter '%s'",
            t->type->name, k->type->name, t->parameter);
    return CS_UNSUPPORTED;
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
    t->n_driven = t->n_parts = 0;
    t->dim = dim;
    t->composed = type->composes && t->type->by_member;
    if (t->composed)
        return bind_composed(t, kernel, err);
    bool drives = !t->type->driven || t->type->driven[0];
    unsigned flags = t->type->tells ? CS_KERNEL_ACCEPTS | CS_KERNEL_ACCEPT_STAT
                                    : CS_KERNEL_ACCEPTS;
    add_part(t, kernel, type, "", (cs_tuner_part){.dim = dim});
    for (size_t i = 0; i < CS_TUNER_DRIVEN; i++)
        t->length[i] = CS_NO_ROW;
    if (t->type->single)
        t->length[0] = length_of(kernel, type, "");
    if (drives && (!(type->flags & flags) ||
                   (t->type->follows && !type->step_unadjusted)))
        return cs_fail(
            err, CS_UNSUPPORTED,
            "tuner %s needs a kernel with %s accept step; %s has none",
            t->type->name, t->type->follows ? "an optional" : "an", type->name);
    if (t->type->learns == CS_LEARNS_DENSE && !t->n_parts)
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
