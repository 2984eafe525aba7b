/* The log density of a compiled Stan model in its unconstrained space. It is
 * known up to a constant. Like the density that Stan samples, it includes the
 * Jacobian of the constraints. If the model throws an exception, the log
 * density is NaN, and the proposal is rejected, as in Stan. Such proposals are
 * counted. */
#include "targets/outside/stan.h"

#include "base/hash.h"
#include "base/memory.h"
#include "data/parts.h"
#include "targets/outside/last_message.h"
#include "targets/outside/stan_library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 30 }; /* largest number of parameters of a model */

typedef struct stan {
    cs_stan_library library;
    bs_model *model;
    size_t dim, params, shown; /* shown: number of parameters plus transformed
                                  parameters */
    bool transformed;
    char *names;       /* [own] zero-terminated names, one after the other */
    const char **name; /* [shown] pointers to the names [own] */
    cs_last_message said;
} stan;

/* ---- evaluation ---------------------------------------------------------- */

/* Stores the error message of the model and frees it; returns NAN. */
static double complain(stan *s, char *error)
{
    cs_last_message_store(&s->said,
                          error ? error : "an error without a message");
    if (error)
        s->library.free_error_msg(error);
    return (double)NAN;
}

/* Copies the state of a lane to the contiguous x[dim]. */
static void pack(const stan *s, const cs_point *at, size_t lane, double *x)
{
    for (size_t d = 0; d < s->dim; d++)
        x[d] = at->x[d * at->lanes + lane];
}

static double log_density_at(stan *s, const double *x)
{
    char *error = NULL;
    double logp = (double)NAN;
    if (s->library.log_density(s->model, true, true, x, &logp, &error) || error)
        return complain(s, error);
    return logp;
}

static double gradient_at(stan *s, const double *x, double *g)
{
    char *error = NULL;
    double logp = (double)NAN;
    if (s->library.log_density_gradient(s->model, true, true, x, &logp, g,
                                        &error) ||
        error) {
        memset(g, 0, s->dim * sizeof *g);
        return complain(s, error);
    }
    return logp;
}

static bool is_wanted(const cs_point *at, size_t lane)
{
    return !at->failed || !at->failed[lane];
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    stan *s = t->self;
    for (size_t l = 0; l < at->live; l++) {
        logp[l] = (double)NAN;
        if (!is_wanted(at, l))
            continue;
        pack(s, at, l, at->scratch);
        logp[l] = log_density_at(s, at->scratch);
    }
    for (size_t l = at->live; l < at->lanes; l++)
        logp[l] = logp[0];
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    stan *s = t->self;
    double *x = at->scratch, *own = x + s->dim;
    for (size_t l = 0; l < at->live; l++) {
        logp[l] = (double)NAN;
        memset(own, 0, s->dim * sizeof *own);
        if (is_wanted(at, l)) {
            pack(s, at, l, x);
            logp[l] = gradient_at(s, x, own);
        }
        for (size_t d = 0; d < s->dim; d++)
            g[d * at->lanes + l] = own[d];
    }
    for (size_t l = at->live; l < at->lanes; l++) {
        logp[l] = logp[0];
        for (size_t d = 0; d < s->dim; d++)
            g[d * at->lanes + l] = g[d * at->lanes];
    }
}

/* ---- generated quantities ------------------------------------------------ */

static void show(const void *self, const cs_point *at, double *y)
{
    /* not const, because messages are stored in it (under a lock) */
    stan *s = ((const cs_target *)self)->self;
    double *x = at->scratch, *own = x + s->dim;
    for (size_t l = 0; l < at->lanes; l++) {
        char *error = NULL;
        size_t from = l < at->live ? l : 0;
        pack(s, at, from, x);
        bool good = from == l &&
                    !s->library.param_constrain(s->model, s->transformed, false,
                                                x, own, NULL, &error);
        if (from == l && (!good || error))
            complain(s, error);
        for (size_t i = 0; i < s->shown; i++)
            y[i * at->lanes + l] = from < l ? y[i * at->lanes]
                                   : good   ? own[i]
                                            : (double)NAN;
    }
}

static void name_of(const void *self, size_t i, char *text, size_t size)
{
    const stan *s = ((const cs_target *)self)->self;
    snprintf(text, size, "%s", s->name[i]);
}

/* ---- instances ----------------------------------------------------------- */

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->self = cs_alloc(1, sizeof(stan));
    if (!t->self)
        return cs_fail(err, CS_MEMORY, "out of memory for a model");
    cs_last_message_init(&((stan *)t->self)->said);
    return CS_OK;
}

static void destroy(cs_target *t)
{
    stan *s = t->self;
    if (s->model)
        s->library.model_destruct(s->model);
    cs_stan_library_close(&s->library);
    cs_free(s->names);
    cs_free(s->name);
    cs_last_message_fini(&s->said);
    cs_free(s);
}

static bool why(const cs_target *t, char *text, size_t size)
{
    return cs_last_message_get(&((stan *)t->self)->said, text, size);
}

/* Sets the time limit. The limit is only checked between calls, because a call
 * cannot be interrupted. */
static void allow(const cs_target *t, double seconds)
{
    (void)t;
    (void)seconds;
}

static cs_status free_point(const cs_target *t, const double *y, double *x,
                            cs_error *err)
{
    stan *s = t->self;
    char *error = NULL;
    if (!s->library.param_unconstrain(s->model, y, x, &error) && !error)
        return CS_OK;
    cs_fail(err, CS_INPUT, "the model rejects these values: %.300s",
            error ? error : "no reason given");
    if (error)
        s->library.free_error_msg(error);
    return CS_INPUT;
}

static const cs_target_type stan_target = {
    .name = "stan",
    .title = "A compiled Stan model",
    .ref = "BridgeStan 2",
    .help = "The log density of a Stan model on the unconstrained scale, "
            "evaluated by the compiled model.",
    .flags = CS_TARGET_HIDDEN | CS_TARGET_OUTSIDE,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .outside.allow = allow,
    .outside.why = why,
    .free_point = free_point,
};

static cs_status construct(stan *s, const char *path, const char *data,
                           unsigned seed, cs_error *err)
{
    char *error = NULL;
    s->model = s->library.model_construct(data, seed, &error);
    if (s->model)
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s: %.400s", path,
            error ? error
                  : "the model cannot be constructed (no reason given)");
    if (error)
        s->library.free_error_msg(error);
    if (!data)
        cs_hint(err, "set data = \"data.json\", or give data as a table");
    return CS_INPUT;
}

/* Splits a list of names at the commas; returns the number of names. */
static size_t cut_names(char *text)
{
    size_t n = *text != 0;
    for (char *c = text; *c; c++)
        if (*c == ',') {
            *c = 0;
            n++;
        }
    return n;
}

/* Reads the sizes and the names, and checks that they agree. */
static cs_status take_shape(stan *s, const char *path, cs_error *err)
{
    const cs_stan_library *l = &s->library;
    int dim = l->param_unc_num(s->model),
        params = l->param_num(s->model, false, false),
        shown = l->param_num(s->model, s->transformed, false);
    const char *names = l->param_names(s->model, s->transformed, false);
    if (dim == 0)
        return cs_fail(err, CS_INPUT, "%s has no parameters to sample", path);
    if (dim < 0 || dim > MOST || shown < params || params < 1 || shown > MOST ||
        !names)
        return cs_fail(err, CS_INPUT,
                       "%s reports %d unconstrained parameters, %d parameters "
                       "and %d with transformed parameters%s",
                       path, dim, params, shown,
                       names ? "" : ", without names");
    s->dim = (size_t)dim;
    s->params = (size_t)params;
    s->shown = (size_t)shown;
    s->names = cs_copy_text(names);
    size_t n = s->names ? cut_names(s->names) : 0;
    if (s->names && n != s->shown)
        return cs_fail(err, CS_INPUT, "%s names %zu of its %zu parameters",
                       path, n, s->shown);
    s->name = cs_alloc(s->shown, sizeof *s->name);
    if (!s->names || !s->name)
        return cs_fail(err, CS_MEMORY, "out of memory for names");
    const char *at = s->names;
    for (size_t i = 0; i < n; i++, at += strlen(at) + 1)
        s->name[i] = at;
    return CS_OK;
}

/* Sets the fields of the target that depend on the model. */
static void describe(cs_target *t)
{
    stan *s = t->self;
    const char *info = s->library.model_info(s->model);
    t->space.dim = s->dim;
    t->scratch_words = 2 * s->dim;
    t->free_numbers = s->params;
    if (!info || !strstr(info, "STAN_THREADS=true")) {
        t->flags |= CS_TARGET_MAIN_THREAD;
        t->gradient.note =
            "this Stan model was compiled without STAN_THREADS, so one "
            "thread evaluates it; to use all workers, compile with make "
            "STAN_THREADS=true model_model.so";
    }
    cs_target_set_outputs(t, (cs_outputs){.n = s->shown,
                                          .scratch_words = s->dim + s->shown,
                                          .fill = show,
                                          .name = name_of,
                                          .self = t});
}

static void list_parts(cs_target *t, const char *path, const char *data,
                       unsigned seed)
{
    cs_parts_file(&t->parts, "model", path);
    if (data)
        cs_parts_digest(&t->parts, "data", "text",
                        cs_digest(CS_DIGEST, data, strlen(data)));
    cs_parts_number(&t->parts, "seed", seed);
}

cs_status cs_stan_target(const char *library, const char *data, unsigned seed,
                         bool transformed, cs_target **out, cs_error *err)
{
    cs_target *t;
    cs_status status = cs_target_create(&stan_target, NULL, 0, &t, err);
    *out = NULL;
    if (status)
        return status;
    stan *s = t->self;
    s->transformed = transformed;
    status = cs_stan_library_open(&s->library, library, err);
    if (status == CS_OK)
        status = construct(s, library, data, seed, err);
    if (status == CS_OK)
        status = take_shape(s, library, err);
    const char *name = status ? NULL : s->library.name(s->model);
    if (status == CS_OK && name && *name)
        status = cs_target_call(t, name, err);
    if (status) {
        cs_target_release(t);
        return status;
    }
    describe(t);
    list_parts(t, library, data, seed);
    *out = t;
    return CS_OK;
}
