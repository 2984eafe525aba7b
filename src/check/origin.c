#include "check/origin.h"

#include "base/memory.h"
#include "stat/moments.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    LANES = CS_CHECK_LANES,
    PILOT = 32, /* number of draws of q per lane from which M is chosen */
    MANY_TRIES = 64,
    COORDINATES = 20 /* largest number of coordinates of a target for which q is
                        fitted */
};

/* Degrees of freedom of q, and factor by which the scale of q is increased. The
 * tails of q should be heavier than the tails of the target. */
static const double freedom = 5, wider = 1.1;

bool cs_check_can_draw(const cs_check *c, const cs_target *t)
{
    return c->states || (t->type->exact.draw && t->n_uniform > 0) ||
           c->samples == CS_SAMPLES_HOLD;
}

bool cs_origin_exists(const cs_check *c, const cs_target *t)
{
    return cs_check_can_draw(c, t) ||
           (cs_space_is_real(&t->space) && t->space.dim <= COORDINATES &&
            !(t->flags & (CS_TARGET_UNNORMALISED | CS_TARGET_LEARNS)) &&
            !(t->truth && t->truth->slow));
}

/* ---- fitted distribution ------------------------------------------------- */

static double log_weight(cs_origin *o, size_t k)
{
    return o->of[k] - cs_cloud_log_mass(&o->q, o->x + k * o->q.dim);
}

/* Sets M to the weight that one draw in twenty exceeds. */
static bool choose_m(cs_origin *o)
{
    double *w = cs_alloc(PILOT * LANES, sizeof *w);
    size_t n = 0;
    for (size_t k = 0; w && k < PILOT; k++) {
        if (!cs_cloud_draw(&o->q, o->x, o->of))
            break;
        for (size_t l = 0; l < LANES; l++)
            w[n++] = log_weight(o, l);
    }
    if (n) {
        cs_sort(w, n);
        o->log_m = w[n - 1 - n / 20];
    }
    bool good = w != NULL;
    cs_free(w);
    return good;
}

static bool open_cloud(cs_origin *o, cs_check *c, const cs_arm_view *arm,
                       uint64_t seed)
{
    size_t dim = o->t->space.dim;
    o->weighted = true;
    o->at = LANES;
    o->x = cs_alloc(LANES * (dim + 1), sizeof *o->x);
    o->of = o->x ? o->x + LANES * dim : NULL;
    if (!o->x || !cs_cloud_open(&o->q, o->t, seed + 31) ||
        !cs_cloud_lay(&o->q, c, arm, seed + 37, 0.2 * c->seconds))
        return false;
    o->q.freedom = freedom;
    o->q.scale = wider;
    return choose_m(o);
}

static bool draw_weighted(cs_origin *o, double *x, double *logp, double *weight)
{
    size_t dim = o->t->space.dim;
    for (size_t k = 0; k < (size_t)MANY_TRIES * LANES; k++) {
        if (o->at == LANES && !cs_cloud_draw(&o->q, o->x, o->of))
            return false;
        o->at %= LANES;
        size_t at = o->at++;
        double w = log_weight(o, at) - o->log_m;
        o->tried++;
        if (!(log(cs_check_uniform(&o->rng)) < w))
            continue;
        memcpy(x, o->x + at * dim, dim * sizeof *x);
        *logp = o->of[at];
        *weight = fmax(1, exp(w));
        o->kept++;
        o->total += *weight;
        o->most = fmax(o->most, *weight);
        return true;
    }
    return false;
}

bool cs_origin_is_uneven(const cs_origin *o)
{
    return o->weighted && o->most > 0.005 * o->total;
}

/* ---- exact draws --------------------------------------------------------- */

bool cs_origin_open(cs_origin *o, cs_check *c, cs_target *t,
                    const cs_arm_view *arm, uint64_t seed)
{
    *o = (cs_origin){.t = t, .rng = {.key = seed + 23}};
    const cs_enumeration *truth = c->states;
    if (!cs_check_can_draw(c, t))
        return open_cloud(o, c, arm, seed);
    if (truth) {
        o->truth = truth;
        o->sum = cs_alloc(truth->n, sizeof *o->sum);
        for (size_t k = 0; o->sum && k < truth->n; k++)
            o->sum[k] = truth->p[k] + (k ? o->sum[k - 1] : 0);
        return o->sum != NULL;
    }
    if (c->samples == CS_SAMPLES_HOLD) {
        cs_origin_sample(o, t, seed + 23);
        return true;
    }
    o->uniform = cs_alloc(t->n_uniform, sizeof *o->uniform);
    return o->uniform != NULL;
}

void cs_origin_sample(cs_origin *o, cs_target *t, uint64_t seed)
{
    assert(t->sampler.draw);
    *o = (cs_origin){
        .t = t, .rng = {.key = seed}, .sampled = true, .seed = seed};
}

void cs_origin_close(cs_origin *o)
{
    CS_FREE_ALL(o->sum, o->uniform, o->x, o->q.memory);
}

static size_t draw_state(cs_origin *o)
{
    double uniform = cs_check_uniform(&o->rng) * o->sum[o->truth->n - 1];
    size_t low = 0, high = o->truth->n - 1;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (o->sum[mid] > uniform)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

bool cs_origin_draw(cs_origin *o, double *x, double *logp, double *weight)
{
    assert(x && logp && weight);
    *weight = 1;
    if (o->weighted)
        return draw_weighted(o, x, logp, weight);
    if (o->truth) {
        size_t k = draw_state(o);
        cs_space_state(&o->t->space, k, x);
        *logp = o->truth->logp[k];
        return true;
    }
    if (o->sampled) {
        if (!o->t->sampler.draw(o->t, o->seed, o->number++, x))
            return false;
    } else {
        for (size_t k = 0; k < o->t->n_uniform; k++)
            o->uniform[k] = cs_check_uniform(&o->rng);
        o->t->type->exact.draw(o->t, o->uniform, x);
    }
    cs_enumeration_log_densities(o->t, x, 1, logp);
    return true;
}
