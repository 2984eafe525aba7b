#include "support/paired.h"

#include "support/support.h"

#include "base/memory.h"
#include "simd/simd.h"

#include <string.h>

/* The `self` of the whole and of the conditional target. */
typedef struct paired {
    cs_target *inner; /* [held] */
    bool mixed_up, caches;
    const double *fixed; /* [dim][lanes] r of a conditional target; NULL: r is a
                            part of the state [borrowed] */
    cs_target_type type;
    cs_part *part; /* [own] */
} paired;

static const double coupled = 0.3;
enum { MOST_LANES = CS_PAD * 2 };

static uint32_t place_of(const paired *p, size_t i, bool other)
{
    size_t dim = p->inner->space.dim;
    if (p->fixed)
        return (uint32_t)i;
    return (uint32_t)(p->mixed_up ? 2 * i + other : i + (other ? 0 : dim));
}

uint32_t paired_coordinate(const cs_target *whole, size_t i, bool other)
{
    return place_of(whole->self, i, other);
}

static const double *row_of(const paired *p, const cs_point *at, size_t i,
                            bool other)
{
    const double *from = other && p->fixed ? p->fixed : at->x;
    return from + place_of(p, i, other) * at->lanes;
}

/* Returns the point of the inner target: x[dim][lanes] in the first part of the
 * scratch. */
static cs_point inside(const paired *p, const cs_point *at)
{
    size_t dim = p->inner->space.dim, lanes = at->lanes;
    cs_point inner = *at;
    for (size_t i = 0; i < dim; i++)
        memcpy(at->scratch + i * lanes, row_of(p, at, i, false),
               lanes * sizeof(double));
    inner.x = at->scratch;
    inner.from = inner.from_cache = NULL;
    if (p->caches) {
        if (at->cache)
            memcpy(at->cache, at->scratch, dim * lanes * sizeof(double));
        inner.cache = NULL;
    }
    inner.scratch = at->scratch + 2 * dim * lanes;
    return inner;
}

static void couple(const paired *p, const cs_point *at, double *logp)
{
    for (size_t i = 0; i < p->inner->space.dim; i++) {
        const double *x = row_of(p, at, i, false), *r = row_of(p, at, i, true);
        for (size_t l = 0; l < at->lanes; l++)
            logp[l] += coupled * x[l] * r[l];
    }
}

/* Writes the slopes: those of x are in from[dim][lanes]. */
static void put_slopes(const paired *p, const cs_point *at, const double *from,
                       double *g)
{
    size_t n = at->lanes;
    for (size_t i = 0; i < p->inner->space.dim; i++) {
        const double *x = row_of(p, at, i, false), *r = row_of(p, at, i, true);
        double *to = g + place_of(p, i, false) * n;
        for (size_t l = 0; l < n; l++)
            to[l] = from[i * n + l] + coupled * r[l];
        to = g + place_of(p, i, true) * n;
        for (size_t l = 0; !p->fixed && l < n; l++)
            to[l] = coupled * x[l];
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const paired *p = t->self;
    cs_point inner = inside(p, at);
    p->inner->type->log_density(p->inner, &inner, logp);
    couple(p, at, logp);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const paired *p = t->self;
    cs_point inner = inside(p, at);
    double *slope = at->scratch + p->inner->space.dim * at->lanes;
    p->inner->type->gradient(p->inner, &inner, logp, slope);
    couple(p, at, logp);
    put_slopes(p, at, slope, g);
}

static void gradient_alone(const cs_target *t, const cs_point *at, double *g)
{
    const paired *p = t->self;
    cs_point inner = inside(p, at);
    double *slope = at->scratch + p->inner->space.dim * at->lanes;
    p->inner->type->gradient_alone(p->inner, &inner, slope);
    put_slopes(p, at, slope, g);
}

/* A force may be wrong: this one ignores the coupling. */
static void force(const cs_target *t, const cs_point *at, float *g)
{
    const paired *p = t->self;
    cs_point inner = inside(p, at);
    size_t n = at->lanes, dim = p->inner->space.dim;
    float *from = (float *)(void *)(at->scratch + dim * n);
    p->inner->type->force(p->inner, &inner, from);
    memset(g, 0, t->space.dim * n * sizeof *g);
    for (size_t i = 0; i < dim; i++)
        memcpy(g + place_of(p, i, false) * n, from + i * n, n * sizeof *g);
}

/* Returns the number of x_i among the coordinates of the inner target. */
static uint32_t number_of(const paired *p, uint32_t coordinate)
{
    if (p->fixed)
        return coordinate;
    return p->mixed_up ? coordinate / 2
                       : coordinate - (uint32_t)p->inner->space.dim;
}

/* Computes the differences by log p of the inner target at x[dim][lanes], which
 * is changed and restored. */
static void inner_differences(const paired *p, const cs_point *at,
                              const uint32_t *of, double *x, double *d)
{
    const cs_space *space = &p->inner->space;
    size_t n = at->lanes;
    double now[MOST_LANES], kept[MOST_LANES];
    cs_point inner = inside(p, at);
    inner.x = x;
    inner.cache = NULL;
    p->inner->type->log_density(p->inner, &inner, now);
    for (size_t l = 0; l < n; l++)
        kept[l] = x[of[l] * n + l];
    for (int v = 0; v < space->values; v++) {
        double *row = d + (size_t)v * n;
        for (size_t l = 0; l < n; l++)
            x[of[l] * n + l] = space->low + v;
        p->inner->type->log_density(p->inner, &inner, row);
        for (size_t l = 0; l < n; l++) {
            double r = row_of(p, at, of[l], true)[l];
            double by = space->low + v - kept[l];
            row[l] = by == 0 ? 0 : row[l] - now[l] + coupled * r * by;
        }
    }
    for (size_t l = 0; l < n; l++)
        x[of[l] * n + l] = kept[l];
}

/* With a cache, x is read from the cache only. */
static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const paired *p = t->self;
    size_t dim = p->inner->space.dim;
    _Alignas(CS_ALIGN) double x[8 * MOST_LANES];
    uint32_t of[MOST_LANES];
    assert_true(at->lanes <= MOST_LANES && dim <= 8);
    for (size_t l = 0; l < at->lanes; l++)
        of[l] = number_of(p, where[l]);
    for (size_t i = 0; i < dim; i++)
        memcpy(x + i * at->lanes,
               t->cache_words ? at->cache + i * at->lanes
                              : row_of(p, at, i, false),
               at->lanes * sizeof *x);
    inner_differences(p, at, of, x, d);
}

static void moved(const cs_target *t, const cs_point *at, const uint32_t *where,
                  const double *value)
{
    for (size_t l = 0; l < at->lanes; l++)
        at->cache[number_of(t->self, where[l]) * at->lanes + l] = value[l];
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)t, (void)values, (void)err;
    return CS_OK;
}

static void destroy(cs_target *t)
{
    paired *p = t->self;
    cs_target_release(p->inner);
    cs_free(p->part);
}

static const cs_target_type paired_type = {.name = "paired",
                                           .title = "paired",
                                           .flags = CS_TARGET_HIDDEN,
                                           .create = create,
                                           .destroy = destroy,
                                           .size = sizeof(paired),
                                           .log_density = log_density};

static cs_target *make(cs_target *inner, paired_sites sites)
{
    cs_target *t;
    cs_error err;
    const cs_target_type *type = inner->type;
    assert_int_equal(cs_target_create(&paired_type, NULL, 0, &t, &err), CS_OK);
    paired *p = t->self;
    p->inner = cs_target_hold(inner);
    p->type = paired_type;
    p->type.gradient = type->gradient ? gradient : NULL;
    p->type.gradient_alone = type->gradient_alone ? gradient_alone : NULL;
    p->type.force = type->force ? force : NULL;
    p->caches = sites == PAIRED_CACHE;
    p->type.sites.site = sites != PAIRED_TRIALS ? site : NULL;
    p->type.sites.moved = sites == PAIRED_CACHE ? moved : NULL;
    t->type = &p->type;
    t->flags |= CS_TARGET_EIGHTS;
    assert_int_equal(inner->cache_words, 0);
    t->cache_words = p->caches ? inner->space.dim : 0;
    t->scratch_words = 2 * inner->space.dim + inner->scratch_words;
    return t;
}

cs_target *paired_conditional(cs_target *inner, paired_sites sites,
                              const double *r)
{
    cs_target *t = make(inner, sites);
    ((paired *)t->self)->fixed = r;
    t->space = inner->space;
    return t;
}

cs_target *paired_whole(cs_target *inner, paired_sites sites, bool mixed_up)
{
    cs_target *t = make(inner, sites);
    paired *p = t->self;
    size_t dim = inner->space.dim, n = mixed_up ? 2 * dim : 2;
    p->mixed_up = mixed_up;
    p->part = cs_alloc(n, sizeof *p->part);
    assert_non_null(p->part);
    for (size_t k = 0; k < n; k++) {
        size_t each = mixed_up ? 1 : dim;
        p->part[k] =
            (cs_part){.kind = CS_CONTINUOUS, .first = k * each, .dim = each};
        if (k % 2 == mixed_up)
            continue;
        p->part[k].kind = inner->space.kind;
        p->part[k].low = inner->space.low;
        p->part[k].values = inner->space.values;
    }
    t->space = (cs_space){
        .kind = CS_MIXED, .dim = 2 * dim, .n_parts = n, .part = p->part};
    return t;
}
