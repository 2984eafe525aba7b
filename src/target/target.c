#include "target/target.h"

#include "base/contract.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/parts.h"
#include "simd/simd.h"
#include "target/enumeration.h"
#include "target/lower_bound.h"
#include "target/parameters.h"
#include "target/row_bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_target(cs_target *t)
{
    if (t->self && t->type->size && t->type->destroy)
        t->type->destroy(t);
    if (t->type->size)
        cs_free(t->self);
    if (t->truth)
        cs_enumeration_clear(t->truth);
    cs_free(t->truth);
    for (size_t i = 0; i < 2; i++)
        cs_row_bounds_free(t->bounds[i]);
    cs_lower_bound_free(t->lower);
    CS_FREE_ALL(t->values, t->named, t->reported_modes, t->parts.text, t->name,
                t);
}

/* Copies the parts of a space with their names. */
static cs_status copy_parts(cs_target *t, const cs_space *from, cs_error *err)
{
    size_t n = from->n_parts, bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += from->part[i].name ? strlen(from->part[i].name) + 1 : 0;
    t->named = cs_alloc(n + bytes / sizeof(cs_part) + 1, sizeof(cs_part));
    if (!t->named)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu parts", n);
    char *name = (char *)(t->named + n);
    for (size_t i = 0; i < n; i++) {
        t->named[i] = from->part[i];
        if (!from->part[i].name)
            continue;
        size_t length = strlen(from->part[i].name) + 1;
        t->named[i].name = memcpy(name, from->part[i].name, length);
        name += length;
    }
    return CS_OK;
}

static bool are_alike(const cs_space *space)
{
    const cs_part *first = &space->part[0];
    for (size_t i = 1; i < space->n_parts; i++) {
        const cs_part *p = &space->part[i];
        if (p->kind != first->kind || p->low != first->low ||
            p->values != first->values)
            return false;
    }
    return true;
}

cs_status cs_target_take_space(cs_target *t, const cs_space *space,
                               cs_error *err)
{
    assert(t && cs_space_is_valid(space) && !t->named);
    t->space = *space;
    if (space->kind != CS_MIXED)
        return CS_OK;
    if (copy_parts(t, space, err))
        return CS_MEMORY;
    t->space.part = t->named;
    if (are_alike(space))
        t->space = (cs_space){.kind = t->named->kind,
                              .dim = space->dim,
                              .low = t->named->low,
                              .values = t->named->values};
    return CS_OK;
}

const cs_part *cs_target_parameter(const cs_target *t, size_t i)
{
    assert(i < t->space.dim);
    const cs_part *p = t->named;
    while (p && i >= p->first + p->dim)
        p++;
    return p;
}

void cs_target_name_coordinate(const cs_target *t, size_t i, char *text,
                               size_t size)
{
    assert(text);
    const cs_part none = {.name = NULL}, *p = cs_target_parameter(t, i);
    if (!p && t->space.kind == CS_MIXED)
        for (p = t->space.part; i >= p->first + p->dim;)
            p++;
    cs_part part = p ? *p : none;
    if (part.name && part.dim == 1)
        snprintf(text, size, "%s", part.name);
    else if (part.name)
        snprintf(text, size, "%s.%zu", part.name, i - part.first + 1);
    else if (t->type->coordinate &&
             t->type->coordinate != cs_target_name_coordinate)
        t->type->coordinate(t, i, text, size);
    else
        snprintf(text, size, "x.%zu", i + 1);
}

/* Returns the index within the part of the coordinate with this name
 * (cs_target_name_coordinate); p->dim: it has no such coordinate. */
static size_t named_coordinate(const cs_part *p, const char *name)
{
    size_t n = strlen(p->name);
    if (strncmp(name, p->name, n) != 0)
        return p->dim;
    if (p->dim == 1)
        return name[n] ? 1 : 0;
    char *end;
    size_t k = name[n] == '.' ? strtoul(name + n + 1, &end, 10) : 0;
    return k >= 1 && k <= p->dim && !*end ? k - 1 : p->dim;
}

size_t cs_target_shown_coordinate(const cs_target *t, size_t i)
{
    char shown[64];
    size_t dim = t->space.dim;
    if (!t->outputs.n)
        return i;
    if (t->outputs.coordinate && t->outputs.coordinate[i])
        return t->outputs.coordinate[i] - 1;
    cs_target_coordinate(t, i, shown, sizeof shown);
    for (const cs_part *p = t->named; p; p++) {
        size_t d = named_coordinate(p, shown);
        if (d < p->dim || p->first + p->dim == dim)
            return d < p->dim ? p->first + d : dim;
    }
    return dim;
}

bool cs_target_shown_part(const cs_target *t, size_t i, cs_part *out)
{
    assert(i < cs_target_shown(t));
    size_t at = i + 1;
    if (t->outputs.n)
        at = t->outputs.coordinate ? t->outputs.coordinate[i] : 0;
    if (!at)
        return false;
    *out = cs_space_part(&t->space, at - 1);
    return out->kind != CS_CONTINUOUS;
}

cs_status cs_target_tell_modes(cs_target *t, const double *points, size_t n,
                               const double *share, double radius,
                               cs_error *err)
{
    assert(points && n && radius >= 0);
    size_t dim = t->space.dim, size = n * dim;
    double *reported = cs_alloc(size + n, sizeof *reported);
    if (!reported)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu modes", n);
    memcpy(reported, points, size * sizeof *reported);
    if (share)
        memcpy(reported + size, share, n * sizeof *share);
    cs_free(t->reported_modes);
    t->reported_modes = reported;
    t->exact.n_modes = n;
    t->exact.modes = reported;
    t->exact.mode_weight = share ? reported + size : NULL;
    t->exact.shares = share != NULL;
    t->exact.mode_radius = radius;
    return CS_OK;
}

/* Checks that a type has all functions that its other functions require. */
CS_CONTRACT bool is_consistent(const cs_target_type *type)
{
    const cs_row_hooks *rows = &type->rows;
    const cs_factor_hooks *factor = &type->factor;
    const cs_site_hooks *sites = &type->sites;
    return (!rows->terms || (type->prior && rows->slope)) &&
           (rows->terms || (!rows->slope && !rows->fetch && !rows->lower)) &&
           !rows->lower == !rows->lower_terms &&
           !rows->change == !rows->change_measure &&
           (factor->log_factor || (!factor->simulate && !factor->sweep)) &&
           (!factor->coupling || factor->simulate) &&
           (sites->site ||
            (!sites->moved && !sites->neighbours && !sites->several)) &&
           (type->gradient || (!type->gradient_alone && !type->force)) &&
           !type->prepare_hessian == !type->hessian_times;
}

/* Checks an instance after `create`. The space of a hidden type may still be
 * empty; its creator fills the space later. */
CS_CONTRACT bool is_made(const cs_target *t)
{
    const cs_space *s = &t->space;
    if (!s->dim && t->flags & CS_TARGET_HIDDEN)
        return true;
    return cs_space_is_valid(s) && (!t->n_rows || t->type->rows.terms) &&
           (!t->n_data || t->type->factor.log_factor) &&
           (!t->n_learned || t->learned);
}

static cs_target *empty_target(const cs_target_type *type)
{
    assert(type->name && type->create && type->log_density);
    assert(is_consistent(type));
    cs_target *t = cs_alloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->type = type;
    t->flags = type->flags;
    t->n_uniform = type->exact.n_uniform;
    t->holders = 1;
    t->exact.log_z = NAN;
    t->name = cs_copy_text(type->name);
    t->values = cs_alloc(type->n_params, sizeof *t->values);
    t->truth = cs_alloc(1, sizeof *t->truth);
    t->self = type->size ? cs_alloc(1, type->size) : NULL;
    if (t->name && t->values && t->truth && (t->self || !type->size))
        return t;
    free_target(t);
    return NULL;
}

/* Resolves the parameters, stores the numbers, and calls `create`. */
static cs_status fill(cs_target *t, const cs_value *given, size_t n_given,
                      cs_value *values, cs_error *err)
{
    const cs_target_type *type = t->type;
    cs_status s = cs_params_resolve(type->name, type->params, type->n_params,
                                    given, n_given, values, err);
    if (s)
        return s;
    for (size_t i = 0; i < type->n_params; i++)
        t->values[i] = values[i].number;
    s = type->create(t, values, err);
    assert(s || is_made(t));
    for (size_t i = 0; i < type->n_params && s == CS_OK; i++)
        cs_parts_value(&t->parts, &type->params[i], &values[i]);
    return s;
}

cs_status cs_target_create(const cs_target_type *type, const cs_value *given,
                           size_t n_given, cs_target **out, cs_error *err)
{
    assert(type && out && (given || !n_given));
    *out = NULL;
    cs_target *t = empty_target(type);
    cs_value *values = cs_alloc(type->n_params, sizeof *values);
    cs_status s = t && values
                      ? fill(t, given, n_given, values, err)
                      : cs_fail(err, CS_MEMORY, "out of memory for target %s",
                                type->name);
    cs_free(values);
    if (!s)
        *out = t;
    else if (t)
        free_target(t);
    return s;
}

static cs_status check_model(const cs_target *t, cs_error *err)
{
    if (t->type->model && !t->outputs.n)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            t->type->model
                ? "target %s cannot be trained: it has generated quantities"
                : "target %s cannot be trained",
            t->name);
    cs_hint(err,
            "run `chainscope list targets` to see which models can be trained");
    return CS_UNSUPPORTED;
}

cs_status cs_target_learner(const cs_target *t, cs_target **out, cs_error *err)
{
    assert(t && out && t->holders);
    *out = NULL;
    cs_status s = check_model(t, err);
    if (s)
        return s;
    cs_target *to = empty_target(t->type);
    s = to ? cs_target_call(to, t->name, err) : CS_MEMORY;
    for (size_t i = 0; !s && i < t->type->n_params; i++)
        to->values[i] = t->values[i];
    if (!s && t->parts.text)
        cs_page_put(&to->parts, "%s", t->parts.text);
    if (!s)
        s = t->type->model->copy(t, to, err);
    assert(s || (to->learned && to->n_learned));
    if (to)
        to->flags |= CS_TARGET_LEARNS;
    if (!s)
        *out = to;
    else if (to)
        free_target(to);
    return s == CS_MEMORY
               ? cs_fail(err, s,
                         "out of memory for the parameters that %s learns",
                         t->name)
               : s;
}

cs_target *cs_target_hold(cs_target *t)
{
    assert(!t || t->holders);
    if (t)
        t->holders++;
    return t;
}

void cs_target_release(cs_target *t)
{
    assert(!t || t->holders);
    if (!t || --t->holders > 0)
        return;
    if (t->outputs.destroy)
        t->outputs.destroy(t->outputs.self);
    if (t->sampler.destroy)
        t->sampler.destroy(t->sampler.self);
    if (t->type->destroy && !t->type->size)
        t->type->destroy(t);
    free_target(t);
}

cs_status cs_target_call(cs_target *t, const char *name, cs_error *err)
{
    assert(t && name);
    char *copy = cs_copy_text(name);
    if (!copy)
        return cs_fail(err, CS_MEMORY, "out of memory for a name");
    cs_free(t->name);
    t->name = copy;
    return CS_OK;
}

void cs_target_set_outputs(cs_target *t, cs_outputs outputs)
{
    assert(!outputs.n || (outputs.fill && outputs.name));
    t->outputs = outputs;
    t->flags &= ~(unsigned)CS_TARGET_PACKED;
    if (t->scratch_words < outputs.scratch_words)
        t->scratch_words = outputs.scratch_words;
}

bool cs_target_show(const cs_target *t, const double *x, double *y)
{
    assert(x && y);
    size_t dim = t->space.dim, n = t->outputs.n;
    if (!n) {
        memcpy(y, x, dim * sizeof *y);
        return true;
    }
    double *state = cs_alloc(dim * CS_PAD, sizeof *state);
    double *scratch =
        cs_alloc(t->outputs.scratch_words * CS_PAD, sizeof *scratch);
    double *all = cs_alloc(n * CS_PAD, sizeof *all);
    bool fits = state && scratch && all;
    for (size_t i = 0; fits && i < dim * CS_PAD; i++)
        state[i] = x[i / CS_PAD];
    if (fits)
        t->outputs.fill(
            t->outputs.self,
            &(cs_point){
                .x = state, .scratch = scratch, .lanes = CS_PAD, .live = 1},
            all);
    for (size_t i = 0; fits && i < n; i++)
        y[i] = all[i * CS_PAD];
    CS_FREE_ALL(state, scratch, all);
    return fits;
}

cs_picture cs_target_picture(const cs_target *t)
{
    cs_picture p = t->picture;
    size_t dim = t->space.dim;
    if (p.kind == CS_PICTURE_NONE && cs_space_is_discrete(&t->space) &&
        dim > 4) {
        p.kind = CS_PICTURE_PIXELS;
        p.cols = (size_t)ceil(sqrt((double)dim));
        p.rows = (dim + p.cols - 1) / p.cols;
    }
    return p;
}

size_t cs_target_shown(const cs_target *t)
{
    return t->outputs.n ? t->outputs.n : t->space.dim;
}

size_t cs_target_lanes(const cs_target *t, size_t live)
{
    assert(live >= 1);
    bool packed = live == 1 && t->type->flags & CS_TARGET_PACKED;
    bool eights = packed || t->flags & CS_TARGET_EIGHTS;
    size_t lanes = eights ? cs_pad_lanes(live) : cs_whole_vectors(live);
    assert(lanes >= live && lanes % CS_LEAST_LANES == 0);
    return lanes;
}

void cs_target_coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    assert(text && i < cs_target_shown(t));
    if (!size)
        return;
    char raw[208], clean[4 * sizeof raw];
    if (t->outputs.n)
        t->outputs.name(t->outputs.self, i, raw, sizeof raw);
    else if (t->type->coordinate)
        t->type->coordinate(t, i, raw, sizeof raw);
    else
        snprintf(raw, sizeof raw, "x.%zu", i + 1);
    cs_text_clean(raw, clean, sizeof clean);
    cs_text_shorten(clean, text, size);
    for (char *c = text; *c; c++)
        if (*c == ',' || *c == '"' || *c == ' ')
            *c = '_';
}

void cs_target_start(const cs_target *t, const double *uniform, double *x)
{
    assert(uniform && x);
    if (t->type->start)
        t->type->start(t, uniform, x);
    else
        cs_space_start(&t->space, uniform, x);
}

cs_status cs_target_check_density(const cs_target *t, cs_error *err)
{
    if (!(t->flags & CS_TARGET_UNNORMALISED))
        return CS_OK;
    if (!t->type->factor.log_factor)
        return cs_fail(err, CS_UNSUPPORTED,
                       "target %s only reads draws and has no log p", t->name);
    cs_fail(err, CS_UNSUPPORTED,
            "target %s has no log p: it lacks log Z, which depends on the "
            "parameters",
            t->name);
    cs_hint(err, "use a smaller model, for which log Z is enumerated");
    return CS_UNSUPPORTED;
}
