#include "run/tuning/pathfinder.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "run/tuning/inverse_hessian.h"

#include <math.h>
#include <string.h>

enum { K = CS_PATHFINDER_DRAWS, LANES = CS_PAD, MOST_DIM = 10000 };
/* smaller stream numbers are used for other starts */
enum { FIRST_STREAM = 1000 };

typedef struct point {
    double *x, *g, logp; /* state [dim], gradient [dim], log p */
} point;

typedef struct path {
    size_t dim;
    cs_eval eval;
    /* states [dim][LANES], gradients [dim][LANES], log p [LANES] */
    double *lanes_x, *lanes_g, *logp;
    point now, next;
    double *way, *change, *scratch; /* [dim] each */
    double *draw, *best_draw;       /* [K][dim] */
    double elbo, best_elbo;
    double weight[K], best_weight[K]; /* log p - log q */
    cs_inverse_hessian h;
    cs_streams streams;
} path;

bool cs_pathfinder_fits(const cs_target *t)
{
    return cs_space_is_real(&t->space) && t->type->gradient &&
           !t->gradient.calls && !(t->flags & CS_TARGET_UNNORMALISED) &&
           !t->n_learned && t->space.dim <= MOST_DIM;
}

/* ---- memory ---- */

static size_t words_of(const cs_target *t)
{
    size_t dim = t->space.dim;
    size_t eval = cs_eval_cache_words(t) + cs_eval_scratch_words(t);
    return LANES * (2 * dim + 1 + eval) + (7 + 2 * K) * (dim + LANES) +
           cs_inverse_hessian_words(dim);
}

/* Takes an array of n doubles, aligned for vector instructions. */
static double *take(double **at, size_t n)
{
    double *array = *at;
    *at += (n + LANES - 1) / LANES * LANES;
    return array;
}

static void lay_out(path *p, const cs_target *t, double *scratch)
{
    size_t dim = p->dim = t->space.dim;
    p->lanes_x = take(&scratch, dim * LANES);
    p->lanes_g = take(&scratch, dim * LANES);
    p->logp = take(&scratch, LANES);
    double *cache = take(&scratch, cs_eval_cache_words(t) * LANES);
    cs_eval_open(&p->eval, t, LANES, 1, cache,
                 take(&scratch, cs_eval_scratch_words(t) * LANES));
    p->draw = take(&scratch, K * dim);
    p->best_draw = take(&scratch, K * dim);
    p->now.x = take(&scratch, dim);
    p->now.g = take(&scratch, dim);
    p->next.x = take(&scratch, dim);
    p->next.g = take(&scratch, dim);
    p->way = take(&scratch, dim);
    p->change = take(&scratch, dim);
    p->scratch = take(&scratch, dim);
    cs_inverse_hessian_begin(&p->h, dim, scratch);
    p->best_elbo = -HUGE_VAL;
}

/* ---- climb ---- */

static double dot(const path *p, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Evaluates log p and its gradient at a point. Returns false if log p or the
 * gradient is not finite. */
static bool look(path *p, point *at)
{
    for (size_t i = 0; i < p->dim * LANES; i++)
        p->lanes_x[i] = at->x[i / LANES];
    p->eval.live = 1;
    cs_eval_gradient(&p->eval, CS_NEXT, p->lanes_x, p->logp, p->lanes_g);
    at->logp = p->logp[0];
    for (size_t i = 0; i < p->dim; i++)
        at->g[i] = p->lanes_g[i * LANES];
    return isfinite(at->logp) && isfinite(dot(p, at->g, at->g));
}

static bool has_left(const path *p)
{
    return p->eval.work.gradients < CS_PATHFINDER_GRADIENTS;
}

/* Searches along `way` for a point with a sufficient increase and a
 * sufficiently smaller slope. If no such point is found, returns false. (Lewis
 * and Overton, "Nonsmooth optimization via quasi-Newton methods", 2013,
 * algorithm 2.6) */
static bool search(path *p, double t)
{
    double low = 0, high = HUGE_VAL, rise = dot(p, p->now.g, p->way);
    bool good = false;
    for (int k = 0; k < 25 && has_left(p) && rise > 0; k++) {
        for (size_t i = 0; i < p->dim; i++)
            p->next.x[i] = p->now.x[i] + t * p->way[i];
        bool up =
            look(p, &p->next) && p->next.logp >= p->now.logp + 1e-4 * t * rise;
        good = up;
        if (!up)
            high = t;
        else if (dot(p, p->next.g, p->way) > 0.9 * rise)
            low = t;
        else
            return true;
        t = high < HUGE_VAL ? (low + high) / 2 : 2 * t;
    }
    return good;
}

/* ---- approximations ---- */

/* Makes K draws of N(x + H g, H) at this point and computes log p - log q for
 * each. */
static void weigh(path *p)
{
    size_t dim = p->dim;
    cs_fill_normal(&p->streams, CS_FOR_START, K * dim, p->draw);
    p->streams.step++;
    memcpy(p->scratch, p->now.g, dim * sizeof *p->scratch);
    cs_inverse_hessian_times(&p->h, p->scratch);
    for (size_t k = 0; k < K; k++) {
        double *z = p->draw + k * dim;
        p->weight[k] = 0.5 * (dot(p, z, z) + p->h.log_det);
        cs_inverse_hessian_root(&p->h, z);
        for (size_t i = 0; i < dim; i++)
            z[i] += p->now.x[i] + p->scratch[i];
    }
    for (size_t i = 0; i < dim * LANES; i++)
        p->lanes_x[i] = p->draw[i % LANES % K * dim + i / LANES];
    p->eval.live = K;
    cs_eval_log_density(&p->eval, CS_NEXT, p->lanes_x, p->logp);
    p->elbo = 0;
    for (size_t k = 0; k < K; k++) {
        p->weight[k] += p->logp[k];
        p->elbo += p->weight[k] / K;
    }
}

static void try_here(path *p)
{
    weigh(p);
    if (!isfinite(p->elbo) || !(p->elbo > p->best_elbo))
        return;
    p->best_elbo = p->elbo;
    memcpy(p->best_weight, p->weight, sizeof p->weight);
    memcpy(p->best_draw, p->draw, K * p->dim * sizeof *p->draw);
}

/* Climbs until log p stops increasing. While log p still increases by large
 * amounts, no approximations are computed, since such approximations would be
 * useless. */
static void climb(path *p)
{
    double norm = sqrt(dot(p, p->now.g, p->now.g)), t = fmin(1, 1 / norm);
    while (has_left(p) && norm > 0) {
        memcpy(p->way, p->now.g, p->dim * sizeof *p->way);
        cs_inverse_hessian_times(&p->h, p->way);
        if (!search(p, t))
            break;
        t = 1;
        double gain = p->next.logp - p->now.logp;
        for (size_t i = 0; i < p->dim; i++) {
            p->way[i] = p->next.x[i] - p->now.x[i];
            p->change[i] = p->now.g[i] - p->next.g[i];
        }
        bool learned =
            cs_inverse_hessian_add(&p->h, p->way, p->change, p->scratch);
        point old = p->now;
        p->now = p->next;
        p->next = old;
        if (learned && gain < 10 + (double)p->dim)
            try_here(p);
        if (gain < 1e-4)
            break;
    }
}

/* Chooses one of the best draws with probability proportional to its weight. */
static void choose(path *p, double *x)
{
    double most = -HUGE_VAL, sum = 0, u;
    size_t k = 0;
    for (size_t i = 0; i < K; i++)
        most = fmax(most, p->best_weight[i]);
    for (size_t i = 0; i < K; i++)
        sum += exp(p->best_weight[i] - most);
    cs_fill_uniform(&p->streams, CS_FOR_START, 1, p->lanes_x);
    u = p->lanes_x[0] * sum;
    for (; k + 1 < K && u > exp(p->best_weight[k] - most); k++)
        u -= exp(p->best_weight[k] - most);
    memcpy(x, p->best_draw + k * p->dim, p->dim * sizeof *x);
}

bool cs_pathfinder(const cs_target *t, uint64_t seed, uint64_t chain, double *x,
                   cs_work *work)
{
    double *scratch = cs_alloc(words_of(t), sizeof *scratch);
    path p = {.streams = cs_streams_of(seed, FIRST_STREAM, &chain, 1, 1)};
    if (!scratch)
        return false;
    lay_out(&p, t, scratch);
    memcpy(p.now.x, x, p.dim * sizeof *x);
    if (look(&p, &p.now))
        climb(&p);
    bool found = isfinite(p.best_elbo);
    if (found)
        choose(&p, x);
    *work = cs_work_add(*work, p.eval.work);
    cs_free(scratch);
    return found;
}
