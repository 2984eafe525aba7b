/* Laws of a target: density, gradient, differences. */
#include "base/memory.h"
#include "check/laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, COORDINATES = 64, ROUNDS = 8 };

/* ---- scratch and evaluator ----------------------------------------------- */

typedef struct room {
    cs_target *t;
    size_t dim, values;
    double *x, *logp, *v, *g, *d;
    const double *points; /* [n][dim] the points at which the laws are tested
                             [borrowed] */
    size_t n;
    double *memory; /* memory of x, logp, v, g, d and e [own] */
    bool strict;
    cs_eval e;
} room;

static bool enter(room *r, cs_target *t, const cs_check *c)
{
    size_t dim = t->space.dim;
    size_t values = (size_t)cs_space_most_values(&t->space) + 1;
    size_t cache = cs_eval_cache_words(t), scratch = cs_eval_scratch_words(t);
    *r = (room){.t = t,
                .dim = dim,
                .values = values,
                .points = c->place,
                .n = c->places,
                .strict = c->strict};
    r->memory = cs_alloc((2 * dim + 2 + values + cache + scratch) * LANES,
                         sizeof *r->memory);
    if (!r->memory)
        return false;
    r->x = r->memory;
    r->g = r->x + dim * LANES;
    r->logp = r->g + dim * LANES;
    r->v = r->logp + LANES;
    r->d = r->v + LANES;
    double *at = r->d + values * LANES;
    cs_eval_open(&r->e, t, LANES, LANES, at, at + cache * LANES);
    return true;
}

/* Runs one law with its own scratch memory. */
static cs_status inside(cs_check *c, cs_target *t,
                        void (*law)(cs_check *c, room *r), cs_error *err)
{
    room r;
    if (!enter(&r, t, c))
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the laws of the target");
    law(c, &r);
    cs_free(r.memory);
    return CS_OK;
}

/* Assigns point k to lane (k + by) mod LANES. */
static void put_points(room *r, size_t by)
{
    for (size_t l = 0; l < LANES; l++)
        for (size_t i = 0; i < r->dim; i++)
            r->x[i * LANES + (l + by) % LANES] =
                r->points[l % r->n * r->dim + i];
}

static void name_of(const room *r, size_t i, char *text, size_t size)
{
    if (r->t->outputs.n)
        snprintf(text, size, "coordinate %zu", i + 1);
    else
        cs_target_coordinate(r->t, i, text, size);
}

/* Checks that log p of a state does not depend on the lane, or on the states in
 * the other lanes. */
static void density(cs_check *c, room *r)
{
    size_t nan = 0, other = 0;
    put_points(r, 0);
    cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
    put_points(r, 5);
    cs_eval_log_density(&r->e, CS_NEXT, r->x, r->v);
    for (size_t l = 0; l < LANES; l++) {
        double again = r->v[(l + 5) % LANES];
        nan += isnan(r->logp[l]) != 0;
        other += r->logp[l] != again && !isnan(r->logp[l]);
    }
    if (nan || other)
        cs_check_say(c, NULL, "density", CS_BROKEN,
                     nan ? "NaN at %zu of %d states"
                         : "another value at a second call, at %zu of %d "
                           "states: make it depend only on the state",
                     nan ? nan : other, LANES);
    else
        cs_check_hold(c, NULL, "density", (cs_detects){0, "in the last bit", 1},
                      "finite at %zu state%s, and equal at a second call", r->n,
                      r->n == 1 ? "" : "s");
}

cs_status cs_check_density(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err)
{
    (void)arm, (void)seed;
    return inside(c, t, density, err);
}

/* ---- gradient ------------------------------------------------------------ */

/* Returns half the smaller of the two widths of a finite difference. */
static double width_at(const room *r, double x)
{
    return 1e-3 * (r->strict ? 1 : 1 + fabs(x));
}

/* Computes slopes along coordinate i by central differences with two widths and
 * Richardson extrapolation. */
static void slopes(room *r, size_t i, double *slope)
{
    double *row = r->x + i * LANES, kept[LANES], logp[4][LANES];
    static const double h[4] = {1, -1, 2, -2};
    memcpy(kept, row, sizeof kept);
    for (int k = 0; k < 4; k++) {
        for (size_t l = 0; l < LANES; l++)
            row[l] = kept[l] + h[k] * width_at(r, kept[l]);
        cs_eval_log_density(&r->e, CS_NEXT, r->x, r->v);
        memcpy(logp[k], r->v, sizeof logp[k]);
    }
    memcpy(row, kept, sizeof kept);
    for (size_t l = 0; l < LANES; l++) {
        double width = width_at(r, kept[l]);
        slope[l] = (4 * (logp[0][l] - logp[1][l]) / (2 * width) -
                    (logp[2][l] - logp[3][l]) / (4 * width)) /
                   3;
    }
}

static bool is_slope(const room *r, double g, double slope, double logp)
{
    double size = fabs(g) + fabs(slope);
    return r->strict
               ? fabs(g - slope) <=
                     1e-6 * fabs(slope) + 1e-6 + 1e-10 * fabs(logp)
               : fabs(g - slope) <= 1e-4 * size + 1e-6 + 1e-9 * fabs(logp);
}

/* Counts the points at which the slope along coordinate i is wrong. The
 * coordinate counts as wrong if the slope is wrong at most of the points (a
 * user's density may have kinks). If strict, one wrong point is enough. Returns
 * the count if the coordinate is wrong, else 0. */
static size_t wrong_points(room *r, size_t i, double *worst, double *is)
{
    double slope[LANES];
    size_t wrong = 0, tried = 0;
    *worst = *is = 0;
    slopes(r, i, slope);
    for (size_t l = 0; l < LANES; l++) {
        double g = r->g[i * LANES + l];
        if (!isfinite(slope[l]))
            continue;
        tried++;
        if (is_slope(r, g, slope[l], r->logp[l]))
            continue;
        wrong++;
        *worst = slope[l];
        *is = g;
    }
    return r->strict || 2 * wrong > tried ? wrong : 0;
}

static void gradient(cs_check *c, room *r)
{
    size_t step = r->strict ? 1 : 1 + (r->dim - 1) / COORDINATES, tried = 0;
    char name[64];
    put_points(r, 0);
    for (size_t k = 0; k < r->dim * LANES; k++)
        if (cs_space_is_whole(&r->t->space, k / LANES))
            r->x[k] += 0.25; /* shifts discrete coordinates away from kinks at
                                integers */
    cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
    for (size_t i = 0; i < r->dim; i += step, tried++) {
        double want, is;
        if (r->t->space.kind == CS_MIXED && cs_space_is_whole(&r->t->space, i))
            continue; /* only the slopes of real coordinates are promised */
        size_t wrong = wrong_points(r, i, &want, &is);
        if (!wrong)
            continue;
        name_of(r, i, name, sizeof name);
        cs_check_say(c, NULL, "gradient", CS_BROKEN,
                     "along %s it is %.6g where differences of the density "
                     "give %.6g; wrong at %zu of %d points",
                     name, is, want, wrong, LANES);
        return;
    }
    cs_check_hold(c, NULL, "gradient",
                  (cs_detects){r->strict ? 1e-6 : 1e-4, "times the slope", 1},
                  "agrees with the density along %zu coordinate%s at %zu "
                  "state%s%s%s",
                  tried, tried == 1 ? "" : "s", r->n, r->n == 1 ? "" : "s",
                  r->t->gradient.note ? "; " : "",
                  r->t->gradient.note ? r->t->gradient.note : "");
}

cs_status cs_check_gradient(cs_check *c, cs_target *t, const cs_arm_view *arm,
                            uint64_t seed, cs_error *err)
{
    (void)arm, (void)seed;
    return inside(c, t, gradient, err);
}

/* ---- differences --------------------------------------------------------- */

/* Checks the differences of log p for one site after another, so that later
 * differences use the updated cache. Returns the number of wrong
 * differences. */
static size_t wrong_differences(room *r, cs_check_rng *rng, double *off)
{
    const cs_space *space = &r->t->space;
    _Alignas(CS_ALIGN) double value[LANES];
    _Alignas(CS_ALIGN) uint32_t site[LANES];
    double said[LANES], most = r->strict ? 1e-11 : 1e-7;
    size_t wrong = 0;
    for (size_t l = 0; l < LANES; l++)
        do
            site[l] = (uint32_t)(cs_check_uniform(rng) * (double)r->dim);
        while (!cs_space_is_whole(space, site[l]));
    cs_eval_site(&r->e, r->x, r->logp, site, r->d);
    for (size_t l = 0; l < LANES; l++) {
        cs_part part = cs_space_part(space, site[l]);
        size_t v = (size_t)(cs_check_uniform(rng) * part.values);
        double d = r->d[v * LANES + l];
        said[l] = r->logp[l] + d;
        value[l] = part.low + (double)v;
        if (r->logp[l] == -HUGE_VAL) /* from a state with log p = -inf, the
                                        change is infinite */
            said[l] = d;
        if (d > -HUGE_VAL || r->strict)
            continue;
        value[l] = r->x[site[l] * LANES + l]; /* no change, because chains do
                                                 not leave the support */
        said[l] = r->logp[l];
    }
    cs_eval_set_site(&r->e, r->x, site, value);
    cs_eval_log_density(&r->e, CS_NEXT, r->x, r->logp);
    for (size_t l = 0; l < LANES; l++) {
        double now = r->logp[l], by = fabs(said[l] - now);
        if (said[l] == now || by <= most * (1 + fabs(now)) ||
            (said[l] == HUGE_VAL && isfinite(now)))
            continue;
        wrong++;
        *off = by;
    }
    return wrong;
}

static void differences(cs_check *c, room *r)
{
    cs_check_rng rng = {.key = 17};
    size_t wrong = 0;
    double off = 0;
    if (!r->t->type->sites.site) {
        cs_check_say(c, NULL, "differences", CS_UNTRIED,
                     "computed from whole evaluations: the target has no "
                     "function for differences");
        return;
    }
    put_points(r, 0);
    cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
    for (int k = 0; k < ROUNDS; k++)
        wrong += wrong_differences(r, &rng, &off);
    if (wrong)
        cs_check_say(c, NULL, "differences", CS_BROKEN,
                     "%zu of %d changes of a site are wrong, by up to %.3g",
                     wrong, ROUNDS * LANES, off);
    else
        cs_check_hold(c, NULL, "differences",
                      (cs_detects){r->strict ? 1e-11 : 1e-7, "times log p", 1},
                      "%d changes of a site agree with whole evaluations",
                      ROUNDS * LANES);
}

cs_status cs_check_differences(cs_check *c, cs_target *t,
                               const cs_arm_view *arm, uint64_t seed,
                               cs_error *err)
{
    (void)arm, (void)seed;
    return inside(c, t, differences, err);
}
