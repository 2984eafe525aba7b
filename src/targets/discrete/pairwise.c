/* The hot part of quadratic log densities: see targets/discrete/pairwise.h. */
#include "targets/discrete/pairwise.h"
#include "simd/vmath.h"
#include "targets/discrete/site_resample.h"

#include <string.h>

/* Computes the slope g_i for a vector of eight lanes. */
static inline cs_vd slope(const cs_pairwise *p, size_t i, const double *x,
                          size_t lanes)
{
    cs_vd sum = (cs_vd){0} + p->linear[i];
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
        sum += p->weight[k] * *(const cs_vd *)(x + p->other[k] * lanes);
    return sum;
}

/* Computes the slopes g and, from them, log p = c + sum_i x_i (b_i + g_i) /
 * 2. */
static void slopes(const cs_pairwise *p, const cs_point *at, double *logp,
                   double *g)
{
    size_t lanes = at->lanes;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = {0};
        for (size_t i = 0; i < p->dim; i++) {
            cs_vd x = *(const cs_vd *)(at->x + i * lanes + l);
            cs_vd gi = slope(p, i, at->x + l, lanes);
            *(cs_vd *)(g + i * lanes + l) = gi;
            sum += x * (p->linear[i] + gi);
        }
        *(cs_vd *)(logp + l) = p->constant + 0.5 * sum;
    }
}

void CS_VARIANT(cs_pairwise_log_density)(const cs_target *t, const cs_point *at,
                                         double *logp)
{
    slopes(t->self, at, logp, at->cache);
}

void CS_VARIANT(cs_pairwise_gradient)(const cs_target *t, const cs_point *at,
                                      double *logp, double *g)
{
    slopes(t->self, at, logp, at->cache);
    memcpy(g, at->cache, t->space.dim * at->lanes * sizeof *g);
}

void CS_VARIANT(cs_pairwise_site)(const cs_target *t, const cs_point *at,
                                  const uint32_t *site, double *d)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        size_t i = site[l] * at->lanes + l;
        double x = at->x[i], g = at->cache[i];
        d[l] = -x * g;
        d[at->lanes + l] = (1 - x) * g;
    }
}

static void one_moved(const cs_pairwise *p, const cs_point *at, size_t l,
                      size_t i, double value)
{
    double change = value - at->x[i * at->lanes + l];
    if (change == 0)
        return;
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
        at->cache[p->other[k] * at->lanes + l] += p->weight[k] * change;
}

/* Updates the slopes of eight lanes in which the same site changes. (A single
 * chain is copied to seven padding lanes.) */
static void eight_moved(const cs_pairwise *p, const cs_point *at, size_t l,
                        size_t i, const double *value)
{
    cs_vd change;
    memcpy(&change, value, sizeof change); /* value may be unaligned */
    change -= *(const cs_vd *)(at->x + i * at->lanes + l);
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
        *(cs_vd *)(at->cache + p->other[k] * at->lanes + l) +=
            p->weight[k] * change;
}

void CS_VARIANT(cs_pairwise_site_moved)(const cs_target *t, const cs_point *at,
                                        const uint32_t *site,
                                        const double *value)
{
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        uint32_t differ = 0;
        for (size_t j = 1; j < CS_VECTOR; j++)
            differ |= site[l + j] ^ site[l];
        if (!differ)
            eight_moved(t->self, at, l, site[l], value + l);
        for (size_t j = l; differ && j < l + CS_VECTOR; j++)
            one_moved(t->self, at, j, site[j], value[j]);
    }
}

/* Computes (1 - 2 x) g: the slope for a bit that is 0, and minus the slope for
 * a bit that is 1. */
void CS_VARIANT(cs_pairwise_neighbours)(const cs_target *t, const cs_point *at,
                                        double *d)
{
    for (size_t k = 0; k < t->space.dim * at->lanes; k += CS_VECTOR) {
        cs_vd x = *(const cs_vd *)(at->x + k);
        *(cs_vd *)(d + k) = (1.0 - 2.0 * x) * *(const cs_vd *)(at->cache + k);
    }
}

/* Returns P(x_i = 1 | the rest) for eight lanes. */
static inline cs_vd chance(const cs_pairwise *p, size_t i, const double *x,
                           size_t lanes)
{
    const cs_neighbour_sums *s = &p->sums;
    cs_vd code = {0};
    if (!s->size[i])
        return cs_vsigmoid(slope(p, i, x, lanes));
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
        code += s->share[k] * *(const cs_vd *)(x + p->other[k] * lanes);
    return cs_neighbour_sums_at(s, i, code);
}

static inline cs_vd resample(const void *self, size_t i, const double *x,
                             size_t lanes, cs_vd uniform)
{
    cs_vi up = uniform < chance(self, i, x, lanes);
    return cs_vselect(up, cs_vset(1), cs_vset(0));
}

void CS_VARIANT(cs_pairwise_resample)(const cs_target *t, const cs_point *at,
                                      const cs_streams *s, size_t times,
                                      double *x, bool *moved)
{
    cs_resample_sites(resample, t->self, t->space.dim, at, s, times, x, moved);
}

cs_site_bonds CS_VARIANT(cs_pairwise_bonds)(const cs_target *t, size_t site)
{
    const cs_pairwise *p = t->self;
    size_t first = p->start[site];
    return (cs_site_bonds){.n = p->start[site + 1] - first,
                           .other = p->other + first,
                           .strength = p->weight + first,
                           .scale = 0.5};
}
