#include "run/draws/points.h"

#include "base/memory.h"

bool cs_points_begin(cs_points *p, const cs_target *t)
{
    size_t words = 2 * t->space.dim + 1 + cs_eval_cache_words(t) +
                   cs_eval_scratch_words(t);
    *p = (cs_points){.target = t};
    p->scratch = cs_alloc(words * CS_PAD, sizeof *p->scratch);
    return p->scratch;
}

void cs_points_end(cs_points *p)
{
    cs_free(p->scratch);
    *p = (cs_points){.target = NULL};
}

/* Evaluates n <= CS_PAD points; the remaining lanes repeat the last point. */
static void ask_some(const cs_points *p, const double *x, size_t n,
                     double *logp, double *g)
{
    size_t dim = p->target->space.dim, cache = cs_eval_cache_words(p->target);
    double *at = p->scratch, *slope = at + dim * CS_PAD;
    double *out = slope + dim * CS_PAD, *own = out + CS_PAD;
    cs_eval e;
    cs_eval_open(&e, p->target, CS_PAD, n, own, own + cache * CS_PAD);
    for (size_t d = 0; d < dim; d++)
        for (size_t l = 0; l < CS_PAD; l++)
            at[d * CS_PAD + l] = x[(l < n ? l : n - 1) * dim + d];
    if (g)
        cs_eval_gradient(&e, CS_NEXT, at, out, slope);
    else
        cs_eval_log_density(&e, CS_NEXT, at, out);
    for (size_t l = 0; l < n; l++)
        logp[l] = out[l];
    for (size_t l = 0; g && l < n; l++)
        for (size_t d = 0; d < dim; d++)
            g[l * dim + d] = slope[d * CS_PAD + l];
}

void cs_points_ask(const cs_points *p, const double *x, size_t n, double *logp,
                   double *g)
{
    size_t dim = p->target->space.dim;
    for (size_t i = 0; i < n; i += CS_PAD) {
        size_t some = n - i < CS_PAD ? n - i : CS_PAD;
        ask_some(p, x + i * dim, some, logp + i, g ? g + i * dim : NULL);
    }
}

double cs_points_logp(const cs_points *p, const double *x)
{
    double logp;
    cs_points_ask(p, x, 1, &logp, NULL);
    return logp;
}

double cs_points_along(const cs_points *p, const double *x,
                       const double *direction, double far, double *scratch)
{
    for (size_t d = 0; d < p->target->space.dim; d++)
        scratch[d] = x[d] + far * direction[d];
    return cs_points_logp(p, scratch);
}
