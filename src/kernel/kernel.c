#include "kernel/composed.h"
#include "kernel/wrapper.h"

#include "base/contract.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Checks that a type has the required members, including the members that its
 * flags require. */
CS_CONTRACT bool is_consistent(const cs_kernel_type *type)
{
    unsigned flags = type->flags;
    return type->name && type->step && type->spaces &&
           type->n_params <= CS_KERNEL_PARAMS &&
           type->n_lists <= CS_KERNEL_LISTS &&
           (flags & CS_KERNEL_WEIGHS || !(flags & CS_KERNEL_SELECTS)) &&
           (flags & CS_KERNEL_EXACT || !(flags & CS_KERNEL_REVERSIBLE)) &&
           (!type->exchange || (type->exchange->period && type->exchange->run));
}

cs_status cs_kernel_init(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given, cs_error *err)
{
    assert(k && is_consistent(type));
    assert(given || !n_given);
    if (type->wraps) {
        cs_fail(err, CS_INPUT, "%s wraps another kernel", type->name);
        cs_hint(err, "name the kernel to wrap: kernel = ...");
        return CS_INPUT;
    }
    cs_kernel new = {.type = type};
    cs_lists lists, *own = NULL;
    cs_status s =
        cs_kernel_resolve(type, given, n_given, new.values, &lists, err);
    for (size_t i = 0; s == CS_OK && i < CS_KERNEL_LISTS && !own; i++)
        if (lists.n[i] && !(own = cs_alloc(1, sizeof *own)))
            s = cs_fail(err, CS_MEMORY, "out of memory for a kernel");
    if (s) {
        cs_lists_clear(&lists);
        return s;
    }
    if (own)
        *own = lists;
    *k = new;
    k->self = own;
    return CS_OK;
}

size_t cs_kernel_count_stats(const cs_kernel_type *type)
{
    size_t n = 0;
    while (type->stats && type->stats[n])
        n++;
    return n;
}

const char *const cs_gradient_precision_names[] = {
    [CS_GRADIENT_DOUBLE] = "double", [CS_GRADIENT_FLOAT] = "float", NULL};

cs_status cs_kernel_check_precision(const char *kernel, const cs_target *t,
                                    double choice, cs_error *err)
{
    assert(choice == CS_GRADIENT_DOUBLE || choice == CS_GRADIENT_FLOAT);
    if (choice == CS_GRADIENT_DOUBLE ||
        (choice == CS_GRADIENT_FLOAT && t->type->force))
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "kernel %s: target %s has no gradient of precision %s", kernel,
            t->name, cs_gradient_precision_names[(size_t)choice]);
    cs_hint(err, "set gradient_precision = 'double'");
    return CS_UNSUPPORTED;
}

/* Returns whether the kernel can represent each categorical site by one bit per
 * value, with its parameter "coding". The kernel then needs differences of log
 * p and no gradient. */
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

/* Fills text[size] with the names of the registered kernels that can move the
 * target. */
static void name_others(const cs_target *target, char *text, size_t size)
{
    const cs_kernel_type *type;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        if (!can_move(type, target) || type->wraps ||
            (type->flags & CS_KERNEL_HIDDEN))
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
    if (target->space.kind == CS_MIXED)
        cs_hint(err,
                "use cs.kernel.auto {}, or a cs.kernel.cycle with a member "
                "for each kind of parameters");
    else if (others[0])
        cs_hint(err, "use one of: %s", others);
    return CS_UNSUPPORTED;
}

/* Reports that a wrapper needs a reversible kernel. */
static cs_status refuse_direction(const cs_kernel *k, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED, "%s is not reversible%s", k->type->name,
            k->type->is_reversible ? " with these values" : "");
    cs_hint(
        err,
        "wrap a reversible kernel: random_walk, or gibbs with scan = 'random'");
    return CS_UNSUPPORTED;
}

/* Returns whether the kernel needs log p and the target does not have it. */
static bool lacks_density(const cs_kernel_type *type, const cs_target *target)
{
    return (target->flags & CS_TARGET_UNNORMALISED) && !type->wraps &&
           !(type->flags & CS_KERNEL_SIMULATES);
}

static cs_status refuse_unnormalised(const cs_kernel_type *type,
                                     const cs_target *target, cs_error *err)
{
    if (!target->type->factor.log_factor)
        return cs_fail(err, CS_UNSUPPORTED,
                       "kernel %s needs log p, but target %s only reads draws "
                       "and has no log p",
                       type->name, target->name);
    cs_fail(err, CS_UNSUPPORTED,
            "kernel %s needs log p, but target %s has no log Z, which depends "
            "on the parameters",
            type->name, target->name);
    cs_hint(err,
            "use exchange, which only needs data that the target simulates");
    return CS_UNSUPPORTED;
}

/* Binds a composed kernel, and checks that it moves all coordinates. */
static cs_status fits_composed(const cs_kernel *k, cs_target *target,
                               cs_error *err)
{
    cs_status s = cs_composed_bind(k->self, target, err);
    return s ? s : cs_composed_covers(k->self, err);
}

cs_status cs_kernel_fits(const cs_kernel *k, cs_target *target, cs_error *err)
{
    assert(k->type && target && target->holders);
    const cs_kernel_type *type = k->type;
    if (!(type->spaces & (unsigned)target->space.kind)) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s cannot move target %s, whose space is %s",
                type->name, target->name, cs_space_name(target->space.kind));
        return refuse(target, err);
    }
    if (lacks_density(type, target))
        return refuse_unnormalised(type, target, err);
    if (type->composes)
        return fits_composed(k, target, err);
    if ((type->flags & CS_KERNEL_GRADIENT) && !target->type->gradient &&
        !is_hot(k, target)) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s needs a gradient; target %s has none", type->name,
                target->name);
        if (may_be_hot(type, target)) {
            cs_hint(err, "set coding = \"one_hot\" on the kernel");
            return CS_UNSUPPORTED;
        }
        return refuse(target, err);
    }
    if (type->check) {
        cs_status s = type->check(target, k->values, err);
        if (s != CS_OK)
            return s;
    }
    if (!type->wraps)
        return CS_OK;
    const cs_kernel inner = cs_kernel_inner(k);
    if ((type->flags & CS_KERNEL_DECIDES) && !cs_kernel_is_reversible(&inner))
        return refuse_direction(&inner, err);
    return cs_kernel_fits(&inner, target, err);
}

/* Returns whether a mixture is reversible. A cycle is not, even if each member
 * is. */
static bool is_reversible_mixture(const cs_kernel *k)
{
    const cs_composed *c = cs_composed_of(k);
    bool reversible = c->mixture;
    for (size_t i = 0; reversible && i < c->n; i++) {
        const cs_kernel member = cs_kernel_member(k, i);
        reversible = cs_kernel_is_reversible(&member);
    }
    return reversible;
}

bool cs_kernel_is_reversible(const cs_kernel *k)
{
    if (k->type->composes)
        return is_reversible_mixture(k);
    return k->type->is_reversible ? k->type->is_reversible(k->values)
                                  : k->type->flags & CS_KERNEL_REVERSIBLE;
}

const char *cs_logp_name(cs_logp_kind kind)
{
    assert(kind <= CS_LOGP_NONE);
    static const char *const name[] = {[CS_LOGP_EXACT] = "exact",
                                       [CS_LOGP_ESTIMATE] = "estimate",
                                       [CS_LOGP_NONE] = "none"};
    return name[kind];
}

cs_logp_kind cs_kernel_logp(const cs_kernel *k, const cs_target *target)
{
    return k->type->logp ? k->type->logp(target, k->values) : CS_LOGP_EXACT;
}

cs_status cs_kernel_prepare(const cs_kernel *k, cs_target *target,
                            cs_error *err)
{
    assert(k->type && target);
    const cs_kernel_type *type = k->type;
    cs_status s = type->prepare ? type->prepare(target, k->values, err) : CS_OK;
    if (s || !type->wraps)
        return s;
    const cs_kernel inner = cs_kernel_inner(k);
    return cs_kernel_prepare(&inner, target, err);
}

double cs_kernel_expected_rows(const cs_kernel *k, const cs_target *target)
{
    const cs_kernel_type *type = k->type;
    return type->expected_rows ? type->expected_rows(target, k->values)
                               : (double)NAN;
}

double cs_kernel_acceptance(const cs_kernel_type *type, size_t dim)
{
    if (type->acceptance == 0)
        return 0.574;
    return type->acceptance + type->acceptance_of_one / (double)(dim ? dim : 1);
}

/* Returns whether each member leaves the target of its window invariant. */
static bool are_members_exact(const cs_kernel *k)
{
    const cs_composed *c = cs_composed_of(k);
    bool exact = true;
    for (size_t i = 0; exact && i < c->n; i++) {
        const cs_kernel member = cs_kernel_member(k, i);
        exact = cs_kernel_is_exact(&member, c->member[i].target);
    }
    return exact;
}

bool cs_kernel_is_exact(const cs_kernel *k, const cs_target *target)
{
    const cs_kernel_type *type = k->type;
    if (!(type->flags & CS_KERNEL_EXACT) ||
        (type->is_exact && !type->is_exact(target, k->values)))
        return false;
    if (type->composes)
        return are_members_exact(k);
    if (!type->wraps)
        return true;
    const cs_kernel inner = cs_kernel_inner(k);
    return cs_kernel_is_exact(&inner, target);
}

void cs_kernel_explain(const cs_kernel *k, const cs_reason *why, char *text,
                       size_t size)
{
    assert(why && text && size);
    const cs_kernel_type *type = k->type;
    if (!type->explain && type->wraps)
        type = ((const cs_wrapper *)k->self)->inner.type;
    snprintf(text, size, "the kernel failed");
    if (why->code && type->explain)
        type->explain(why, text, size);
    if (why->code && type->composes)
        cs_composed_explain(k->self, why, text, size);
}

void cs_kernel_release(const cs_kernel *k)
{
    if (k->type && k->type->instance) {
        k->type->instance->release(k->self);
    } else if (k->type && k->type->n_lists && k->self) {
        cs_lists_clear(k->self);
        cs_free(k->self);
    }
}

/* ---- memory, including the inner kernel's -------------------------------- */

/* Returns the inner kernel of a wrapper, or NULL. The inner kernel has the
 * values that it had when the wrapper was created; these values suffice to
 * compute sizes. */
static const cs_kernel *inner_of(const cs_kernel *k)
{
    const cs_wrapper *w = k->self;
    return k->type->wraps ? &w->inner : NULL;
}

size_t cs_kernel_count_ahead(const cs_kernel *k)
{
    const cs_kernel *inner = inner_of(k);
    const cs_composed *c = cs_composed_of(inner ? inner : k);
    return c ? c->n_ahead : 1;
}

size_t cs_kernel_memory_words(const cs_kernel *k, const cs_target *t)
{
    if (k->type->composes)
        return cs_composed_memory(k->self);
    const cs_kernel_type *type = k->type;
    const cs_kernel *inner = inner_of(k);
    size_t words = type->memory_words ? type->memory_words(t, k->values) : 0;
    size_t copies = type->aux ? 2 : 1;
    return words + (inner ? cs_kernel_memory_words(inner, t) * copies : 0);
}

size_t cs_kernel_scratch_words(const cs_kernel *k, const cs_target *t)
{
    if (k->type->composes)
        return cs_composed_scratch(k->self);
    const cs_kernel_type *type = k->type;
    const cs_kernel *inner = inner_of(k);
    size_t words = type->scratch_words ? type->scratch_words(t, k->values) : 0;
    if (inner)
        words += cs_kernel_memory_words(inner, t) +
                 cs_kernel_scratch_words(inner, t);
    return words;
}

size_t cs_kernel_carried_words(const cs_kernel *k, const cs_target *t)
{
    const cs_kernel *inner = inner_of(k);
    if (inner)
        return cs_kernel_carried_words(inner, t);
    return k->type->carried_words ? k->type->carried_words(t, k->values) : 0;
}

/* ---- auxiliary variables ------------------------------------------------- */

size_t cs_kernel_aux_first(const cs_kernel *k, const cs_target *t)
{
    const cs_aux_type *aux = k->type->aux;
    const cs_kernel *inner = inner_of(k);
    if (inner && !aux)
        return cs_kernel_aux_first(inner, t);
    size_t before = inner ? cs_kernel_memory_words(inner, t) : 0;
    return before + (aux && aux->first ? aux->first(t, k->values) : 0);
}

/* Finds a variable among the kernel's own unrecorded variables (if `unrecorded`
 * is true) or recorded variables. *left is the number of variables before it.
 * Decreases *left by the number of variables passed over. */
static bool walk_own(const cs_kernel *k, const cs_target *t, bool unrecorded,
                     size_t *left, cs_aux_rows *at)
{
    const cs_aux *v = k->type->aux ? k->type->aux->variable : NULL;
    for (; v && v->name; v++) {
        if (v->unrecorded != unrecorded)
            continue;
        *at = (cs_aux_rows){v, k->values, at->first + at->rows,
                            v->rows(t, k->values)};
        if ((*left)-- == 0)
            return true;
    }
    return false;
}

static bool walk(const cs_kernel *k, const cs_target *t, size_t *left,
                 cs_aux_rows *at)
{
    const cs_kernel *inner = inner_of(k);
    return walk_own(k, t, false, left, at) ||
           (inner && walk(inner, t, left, at)) ||
           walk_own(k, t, true, left, at);
}

bool cs_kernel_aux(const cs_kernel *k, const cs_target *t, size_t i,
                   cs_aux_rows *out)
{
    *out = (cs_aux_rows){.variable = NULL};
    return walk(k, t, &i, out);
}

void cs_kernel_aux_show(const cs_aux_rows *aux, const cs_target *t,
                        const double *memory, size_t stride, double *shown)
{
    assert(aux->variable && memory && stride && shown);
    const double *at = memory + aux->first * stride;
    if (aux->variable->show)
        aux->variable->show(t, aux->values, at, stride, shown);
    for (size_t i = 0; !aux->variable->show && i < aux->rows; i++)
        shown[i] = at[i * stride];
}

size_t cs_kernel_aux_rows(const cs_kernel *k, const cs_target *t)
{
    size_t n = 0;
    cs_aux_rows aux;
    for (size_t i = 0; cs_kernel_aux(k, t, i, &aux); i++)
        n += aux.rows;
    return n;
}

size_t cs_kernel_aux_recorded(const cs_kernel *k, const cs_target *t)
{
    size_t n = 0;
    cs_aux_rows aux;
    for (size_t i = 0; cs_kernel_aux(k, t, i, &aux); i++)
        n += aux.variable->unrecorded ? 0 : aux.rows;
    return n;
}

void cs_kernel_aux_name(const cs_kernel *k, const cs_target *t, size_t i,
                        char *text, size_t size)
{
    assert(text && size);
    cs_aux_rows aux;
    text[0] = '\0';
    for (size_t v = 0; cs_kernel_aux(k, t, v, &aux); v++) {
        if (i >= aux.first + aux.rows)
            continue;
        if (aux.rows == 1)
            snprintf(text, size, "%s", aux.variable->name);
        else
            snprintf(text, size, "%s.%zu", aux.variable->name,
                     i - aux.first + 1);
        return;
    }
}
