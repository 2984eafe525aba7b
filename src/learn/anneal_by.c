/* Annealed importance sampling with a kernel (see cs_anneal_by). The path is a
 * target. Its cache holds the model's own cache. For each state, it also holds
 * the model's log density and base'x, from which the weights are computed. */
#include "learn/anneal.h"

#include "base/memory.h"
#include "chain/block.h"

#include <math.h>

enum { LANES = 32 };

/* ---- the path as a target ------------------------------------------------ */

typedef struct path {
    const cs_target *model; /* the model at the end of the path [borrowed] */
    const double *base;     /* [dim] log odds of the bits at the start of the
                               path [borrowed] */
    double t;
} path;

/* Rows of the cache after the model's own rows: the log density of the model,
 * and base'x. */
enum { MODEL, BASE, KEPT };

static double *kept_of(const cs_target *t, double *cache, size_t lanes)
{
    const path *p = t->self;
    return cache ? cache + p->model->cache_words * lanes : NULL;
}

/* Replaces logp, the log density of the model, by the log density of the path;
 * fills the cache. */
static void mix(const cs_target *t, const cs_point *at, double *logp)
{
    const path *p = t->self;
    size_t lanes = at->lanes;
    double *kept = kept_of(t, at->cache, lanes);
    for (size_t l = 0; l < lanes; l++) {
        double sum = 0;
        for (size_t i = 0; i < t->space.dim; i++)
            sum += p->base[i] * at->x[i * lanes + l];
        if (kept) {
            kept[MODEL * lanes + l] = logp[l];
            kept[BASE * lanes + l] = sum;
        }
        logp[l] = p->t * logp[l] + (1 - p->t) * sum;
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const path *p = t->self;
    p->model->type->log_density(p->model, at, logp);
    mix(t, at, logp);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const path *p = t->self;
    p->model->type->gradient(p->model, at, logp, g);
    for (size_t k = 0; k < t->space.dim * at->lanes; k++)
        g[k] = p->t * g[k] + (1 - p->t) * p->base[k / at->lanes];
    mix(t, at, logp);
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v;
    t->self = cs_alloc(1, sizeof(path));
    return t->self ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for annealing");
}

static void destroy(cs_target *t)
{
    cs_free(t->self);
}

static const cs_target_type path_type = {.name = "path",
                                         .title = "Annealing path to a model",
                                         .ref = "Neal 2001",
                                         .help = "",
                                         .flags = CS_TARGET_HIDDEN,
                                         .create = create,
                                         .destroy = destroy,
                                         .log_density = log_density,
                                         .gradient = gradient};

static cs_status open_path(cs_target **out, const cs_target *model,
                           const double *base, cs_error *err)
{
    cs_status s = cs_target_create(&path_type, NULL, 0, out, err);
    if (s)
        return s;
    cs_target *t = *out;
    *(path *)t->self = (path){.model = model, .base = base};
    t->space = model->space;
    t->flags |= CS_TARGET_LEARNS | (model->flags & CS_TARGET_EIGHTS);
    t->cache_words = model->cache_words + KEPT;
    t->scratch_words = model->scratch_words;
    return CS_OK;
}

/* ---- runs ---------------------------------------------------------------- */

typedef struct part {
    cs_target *path;    /* [held] path; each part has a path of its own, with
                         * its own temperature */
    cs_block *block;    /* block that runs the kernel on the path [own] */
    double *log_weight; /* [LANES] log weights of the runs */
    size_t temperatures;
} part;

static void go(void *self, size_t i)
{
    part *k = (part *)self + i;
    cs_block *b = k->block;
    path *p = k->path->self;
    for (size_t step = 0; step < k->temperatures; step++) {
        const double *kept = kept_of(k->path, b->eval.cache[CS_NOW], b->lanes);
        double to = (double)(step + 1) / (double)k->temperatures;
        for (size_t l = 0; l < b->live; l++)
            k->log_weight[l] += (to - p->t) * (kept[MODEL * b->lanes + l] -
                                               kept[BASE * b->lanes + l]);
        p->t = to;
        k->path->generation++;
        cs_block_follow_target(b);
        cs_block_run(b, NULL, 1, NULL);
    }
}

static cs_status seat(part *k, const cs_anneal_spec *spec, size_t first,
                      cs_error *err)
{
    size_t dim = k->path->space.dim, live = k->block->live;
    const double *place[LANES];
    double *x = cs_alloc(2 * live * dim, sizeof *x);
    uint64_t run[LANES];
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for annealing");
    for (size_t l = 0; l < live; l++) {
        run[0] = first + l;
        cs_streams s = cs_streams_of(spec->seed, 0, run, 1, 1);
        double *u = x + live * dim + l * dim;
        cs_fill_uniform(&s, CS_FOR_START, dim, u);
        place[l] = x + l * dim;
        for (size_t i = 0; i < dim; i++)
            x[l * dim + i] =
                k->path->space.low + (u[i] * (1 + exp(-spec->base[i])) < 1);
    }
    cs_status status = cs_block_start(k->block, place, err);
    k->block->in_warmup = true; /* no draws are recorded while this is true */
    cs_free(x);
    return status;
}

/* Returns the number of runs per part: the parts take about the same time, and
 * fill vectors of eight numbers. */
static size_t runs_of_part(size_t runs)
{
    enum { EIGHT = 8 };
    size_t parts = (runs + LANES - 1) / LANES;
    return ((runs + parts - 1) / parts + EIGHT - 1) / EIGHT * EIGHT;
}

static cs_status open_part(part *k, const cs_target *t, const cs_kernel *kernel,
                           const cs_anneal_spec *spec, size_t first,
                           cs_error *err)
{
    size_t left = spec->runs - first, each = runs_of_part(spec->runs);
    cs_status s = open_path(&k->path, t, spec->base, err);
    if (!s)
        s = cs_kernel_fits(kernel, k->path, err);
    if (!s)
        s = cs_block_create(&k->block, k->path, kernel, spec->seed, first,
                            left < each ? left : each, NULL, 0, err);
    return s ? s : seat(k, spec, first, err);
}

static double sum_of_base(const cs_target *t, const double *base)
{
    double sum = 0;
    for (size_t i = 0; i < t->space.dim; i++)
        sum += fmax(base[i], 0) + log1p(exp(-fabs(base[i])));
    return sum;
}

static cs_status check(const cs_target *t, const cs_anneal_spec *spec,
                       cs_error *err)
{
    if (t->space.kind != CS_BINARY || !t->type->gradient)
        return cs_fail(err, CS_UNSUPPORTED,
                       "annealing with a kernel needs a target of bits with a "
                       "gradient; %s is not such a target",
                       t->name);
    if (spec->runs < 2 || spec->temperatures < 1)
        return cs_fail(err, CS_RANGE,
                       "annealing needs at least 2 runs and 1 temperature");
    return CS_OK;
}

cs_status cs_anneal_by(const cs_target *t, const cs_kernel *kernel,
                       const cs_anneal_spec *spec, cs_annealed *out,
                       cs_error *err)
{
    cs_status s = check(t, spec, err);
    if (s)
        return s;
    size_t each = runs_of_part(spec->runs);
    size_t parts = (spec->runs + each - 1) / each;
    part *all = cs_alloc(parts, sizeof *all);
    double *w = cs_alloc(parts * LANES, sizeof *w);
    if (!all || !w)
        s = cs_fail(err, CS_MEMORY, "out of memory for annealing");
    for (size_t i = 0; !s && i < parts; i++) {
        all[i].log_weight = w + i * each;
        all[i].temperatures = spec->temperatures;
        s = open_part(&all[i], t, kernel, spec, i * each, err);
    }
    if (!s) {
        cs_share_jobs(spec->pool, go, all, parts);
        *out = cs_anneal_sum(w, spec->runs, sum_of_base(t, spec->base));
    }
    for (size_t i = 0; all && i < parts; i++) {
        cs_block_destroy(all[i].block);
        cs_target_release(all[i].path);
    }
    cs_free(all);
    cs_free(w);
    return s;
}
