#include "learn/anneal.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LANES = 32 };

cs_annealed cs_anneal_sum(const double *log_weight, size_t n, double log_z0)
{
    double most = -HUGE_VAL, sum = 0, squares = 0, mean = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, log_weight[i]);
        mean += log_weight[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double w = exp(log_weight[i] - most);
        sum += w;
        squares += w * w;
    }
    double share = squares / (sum * sum); /* 1 / effective sample size of the
                                             weights (Kish) */
    double spread =
        fmax(share - 1 / (double)n, 0) * (double)n / (double)(n - 1);
    return (cs_annealed){.log_z = log_z0 + most + log(sum / (double)n),
                         .error = sqrt(spread),
                         .kish = 1 / share,
                         .mean_log = log_z0 + mean};
}

/* ---- the model's own path ------------------------------------------------ */

typedef struct annealing {
    const cs_target *t;
    const cs_anneal_spec *spec;
    double *x;       /* [parts][dim][LANES] states of the runs [own] */
    double *scratch; /* [parts][slope words or dim][LANES] [own] */
    size_t words;
    double *log_weight; /* [parts][LANES] log weights of the runs [own] */
} annealing;

static void start(const double *base, size_t dim, const cs_streams *s,
                  double *uniform, double *x)
{
    cs_fill_uniform(s, CS_FOR_START, dim, uniform);
    for (size_t k = 0; k < dim * LANES; k++)
        x[k] = uniform[k] * (1 + exp(-base[k / LANES])) < 1;
}

/* Runs the annealing runs of part i. */
static void part(void *self, size_t i)
{
    const annealing *a = self;
    const cs_anneal_spec *spec = a->spec;
    size_t dim = a->t->space.dim, first = i * LANES;
    size_t live = spec->runs - first < LANES ? spec->runs - first : LANES;
    double *x = a->x + i * dim * LANES, *w = a->log_weight + first,
           *scratch = a->scratch + i * a->words * LANES;
    uint64_t run[LANES];
    for (size_t l = 0; l < LANES; l++)
        run[l] = first + (l < live ? l : live - 1);
    cs_streams s = cs_streams_of(spec->seed, 0, run, LANES, live);
    start(spec->base, dim, &s, scratch, x);
    memset(w, 0, LANES * sizeof *w);
    const cs_point at = {
        .x = x, .scratch = scratch, .lanes = LANES, .live = live};
    for (size_t k = 0; k < spec->temperatures; k++) {
        s.step = k + 1;
        const cs_anneal one = {.base = spec->base,
                               .from = (double)k / (double)spec->temperatures,
                               .to =
                                   (double)(k + 1) / (double)spec->temperatures,
                               .streams = &s,
                               .x = x,
                               .log_weight = w};
        a->t->type->model->anneal(a->t, &at, &one);
    }
}

static cs_status check(const cs_target *t, const cs_anneal_spec *spec,
                       cs_error *err)
{
    if (t->space.kind != CS_BINARY)
        return cs_fail(
            err, CS_UNSUPPORTED,
            "annealing starts from independent bits, but target %s has no bits",
            t->name);
    if (spec->runs < 2 || spec->temperatures < 1)
        return cs_fail(err, CS_RANGE,
                       "annealing needs at least 2 runs and 1 temperature");
    return CS_OK;
}

cs_status cs_anneal_own(const cs_target *t, const cs_anneal_spec *spec,
                        cs_annealed *out, cs_error *err)
{
    const cs_model_type *model = t->type->model;
    cs_status s = check(t, spec, err);
    if (s)
        return s;
    if (!model || !model->anneal)
        return cs_fail(err, CS_UNSUPPORTED, "target %s has no annealing path",
                       t->name);
    size_t parts = (spec->runs + LANES - 1) / LANES, dim = t->space.dim;
    annealing a = {.t = t, .spec = spec};
    a.words = t->slope_words > dim ? t->slope_words : dim;
    a.x = cs_alloc(parts * dim * LANES, sizeof *a.x);
    a.scratch = cs_alloc(parts * a.words * LANES, sizeof *a.scratch);
    a.log_weight = cs_alloc(parts * LANES, sizeof *a.log_weight);
    if (!a.x || !a.scratch || !a.log_weight) {
        s = cs_fail(err, CS_MEMORY, "out of memory for annealing");
    } else {
        cs_share_jobs(spec->pool, part, &a, parts);
        *out = cs_anneal_sum(a.log_weight, spec->runs,
                             model->log_z0(t, spec->base));
    }
    CS_FREE_ALL(a.x, a.scratch, a.log_weight);
    return s;
}
