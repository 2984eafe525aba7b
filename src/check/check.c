/* The check as a whole, and the laws of a target. */
#include "check/check.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, COORDINATES = 64, ROUNDS = 8 };

void cs_check_say(cs_check *c, const char *arm, const char *law,
                  cs_verdict verdict, const char *format, ...)
{
    cs_finding f = {.arm = arm, .law = law, .verdict = verdict};
    va_list args;
    va_start(args, format);
    vsnprintf(f.text, sizeof f.text, format, args);
    va_end(args);
    c->broken += verdict == CS_BROKEN;
    c->say(c->to, &f);
}

double cs_check_uniform(cs_check_rng *d)
{
    uint64_t out[2], at[2] = {++d->drawn, 1}, key[2] = {d->key, 5};
    cs_threefry2x64(13, at, key, out);
    return ((double)(out[0] >> 11) + 0.5) * 0x1p-53;
}

/* ---- looks --------------------------------------------------------------- */

enum { LOOKS = 3, DRAWS = 20000, A_SECOND = 4000, MOST_DRAWS = 1 << 18 };

/* A p-value above the first is no cause for doubt; one below the second is
 * hardly chance; the third decides where doubt was left to the end. */
static const double doubt = 0.02, sure = 1e-6, decides = 1e-3;

bool cs_check_look(const cs_check *c, cs_looks *l)
{
    double draws = fmax(DRAWS, A_SECOND * c->seconds);
    if (l->look &&
        (!(l->p < doubt) || l->look == LOOKS || (l->look > 1 && l->p < sure)))
        return false;
    if (l->look)
        draws = (double)l->draws * (l->p < sure ? 1 : 4);
    l->look++;
    l->draws = (size_t)fmin(draws, MOST_DRAWS);
    l->p = 1;
    return true;
}

bool cs_check_refutes(const cs_looks *l)
{
    return l->look > 1 && l->p < (l->look == LOOKS ? decides : sure);
}

/* ---- a target with a evaluator ------------------------------------------------ */

typedef struct room {
    cs_target *t;
    size_t dim, values;
    double *x, *logp, *v, *g, *d;
    const double *points; /* [n][dim] [borrowed] */
    size_t n;
    double *memory; /* [own] all of these */
    cs_eval e;
} room;

static bool enter(room *r, cs_target *t, const cs_check *c)
{
    size_t dim = t->space.dim, values = (size_t)t->space.values + 1;
    size_t cache = cs_eval_cache_words(t), scratch = cs_eval_scratch_words(t);
    *r = (room){.t = t,
                .dim = dim,
                .values = values,
                .points = c->place,
                .n = c->places};
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

/* The points, from lane `by` on: point k to lane (k + by) mod LANES. */
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

/* The same answer to the same question, whoever else asks. */
static void check_density(cs_check *c, room *r)
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
                     nan ? "NaN at %zu of %d places"
                         : "another value when asked again, at %zu of %d "
                           "places: it must depend on the state alone",
                     nan ? nan : other, LANES);
    else
        cs_check_say(c, NULL, "density", CS_HOLDS,
                     "finite at %zu place%s, and the same when asked again",
                     r->n, r->n == 1 ? "" : "s");
}

/* ---- gradient ------------------------------------------------------------ */

/* Slopes along coordinate i by central differences of two widths,
 * extrapolated; the widths are 1e-3 and 2e-3 of 1 + |x|. */
static void slopes(room *r, size_t i, double *slope)
{
    double *row = r->x + i * LANES, kept[LANES], logp[4][LANES];
    static const double h[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    memcpy(kept, row, sizeof kept);
    for (int k = 0; k < 4; k++) {
        for (size_t l = 0; l < LANES; l++)
            row[l] = kept[l] + h[k] * (1 + fabs(kept[l]));
        cs_eval_log_density(&r->e, CS_NEXT, r->x, r->v);
        memcpy(logp[k], r->v, sizeof logp[k]);
    }
    memcpy(row, kept, sizeof kept);
    for (size_t l = 0; l < LANES; l++) {
        double width = 1e-3 * (1 + fabs(kept[l]));
        slope[l] = (4 * (logp[0][l] - logp[1][l]) / (2 * width) -
                    (logp[2][l] - logp[3][l]) / (4 * width)) /
                   3;
    }
}

/* A coordinate is wrong whose slope is another at most of the points. */
static size_t wrong_points(room *r, size_t i, double *worst, double *is)
{
    double slope[LANES];
    size_t wrong = 0, tried = 0;
    *worst = *is = 0;
    slopes(r, i, slope);
    for (size_t l = 0; l < LANES; l++) {
        double g = r->g[i * LANES + l], size = fabs(g) + fabs(slope[l]);
        if (!isfinite(slope[l]))
            continue;
        tried++;
        if (fabs(g - slope[l]) <= 1e-4 * size + 1e-6 + 1e-9 * fabs(r->logp[l]))
            continue;
        wrong++;
        *worst = slope[l];
        *is = g;
    }
    return 2 * wrong > tried ? wrong : 0;
}

static void check_gradient(cs_check *c, room *r)
{
    size_t step = 1 + (r->dim - 1) / COORDINATES, tried = 0;
    char name[64];
    put_points(r, 0);
    cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
    for (size_t i = 0; i < r->dim; i += step, tried++) {
        double want, is;
        size_t wrong = wrong_points(r, i, &want, &is);
        if (!wrong)
            continue;
        name_of(r, i, name, sizeof name);
        cs_check_say(c, NULL, "gradient", CS_BROKEN,
                     "along %s it is %.6g where differences of the density "
                     "say %.6g, and wrong at %zu of %d points",
                     name, is, want, wrong, LANES);
        return;
    }
    cs_check_say(c, NULL, "gradient", CS_HOLDS,
                 "that of the density along %zu coordinate%s at %zu place%s"
                 "%s%s",
                 tried, tried == 1 ? "" : "s", r->n, r->n == 1 ? "" : "s",
                 r->t->note ? "; " : "", r->t->note ? r->t->note : "");
}

/* ---- differences --------------------------------------------------------- */

/* Site after site, so that a mended cache is what the next answer uses. */
static size_t wrong_differences(room *r, cs_check_rng *rng, double *off)
{
    const cs_space *space = &r->t->space;
    double value[LANES], said[LANES];
    uint32_t site[LANES];
    size_t wrong = 0;
    for (size_t l = 0; l < LANES; l++)
        site[l] = (uint32_t)(cs_check_uniform(rng) * (double)r->dim);
    cs_eval_site(&r->e, r->x, r->logp, site, r->d);
    for (size_t l = 0; l < LANES; l++) {
        size_t v = (size_t)(cs_check_uniform(rng) * space->values);
        double d = r->d[v * LANES + l];
        said[l] = r->logp[l] + d;
        value[l] = space->low + (double)v;
        if (d == -HUGE_VAL) /* looked at by itself: chains stay inside */
            value[l] = r->x[site[l] * LANES + l];
        if (d == -HUGE_VAL)
            said[l] = r->logp[l];
    }
    cs_eval_set_site(&r->e, r->x, site, value);
    cs_eval_log_density(&r->e, CS_NEXT, r->x, r->logp);
    for (size_t l = 0; l < LANES; l++) {
        double by = fabs(said[l] - r->logp[l]);
        if (by <= 1e-7 * (1 + fabs(r->logp[l])))
            continue;
        wrong++;
        *off = by;
    }
    return wrong;
}

static void check_differences(cs_check *c, room *r)
{
    cs_check_rng rng = {.key = 17};
    size_t wrong = 0;
    double off = 0;
    if (!r->t->type->site) {
        cs_check_say(c, NULL, "differences", CS_UNTRIED,
                     "by whole evaluations: it has none of its own");
        return;
    }
    put_points(r, 0);
    cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
    for (int k = 0; k < ROUNDS; k++)
        wrong += wrong_differences(r, &rng, &off);
    if (wrong)
        cs_check_say(c, NULL, "differences", CS_BROKEN,
                     "%zu of %d changes of a site are off, by %.3g", wrong,
                     ROUNDS * LANES, off);
    else
        cs_check_say(c, NULL, "differences", CS_HOLDS,
                     "%d changes of a site are what whole evaluations say",
                     ROUNDS * LANES);
}

cs_status cs_check_target(cs_check *c, cs_target *t, cs_error *err)
{
    room r;
    if (!enter(&r, t, c))
        return cs_fail(err, CS_MEMORY, "out of memory");
    check_density(c, &r);
    if (t->type->gradient && t->space.kind == CS_CONTINUOUS)
        check_gradient(c, &r);
    if (t->space.kind != CS_CONTINUOUS)
        check_differences(c, &r);
    cs_free(r.memory);
    return CS_OK;
}

/* ---- blocks -------------------------------------------------------------- */

static void reseed(cs_block *b, uint64_t seed)
{
    cs_ahead *ahead = b->move.streams.ahead;
    b->move.streams = cs_streams_of(seed, 0, b->chain, b->lanes, b->live);
    b->move.streams.ahead = ahead;
}

bool cs_check_repeat(cs_block *b, uint64_t seed, const double *x, size_t n)
{
    const double *start[LANES];
    for (size_t l = 0; l < LANES; l++)
        start[l] = x + l % n * b->move.dim;
    reseed(b, seed);
    return cs_block_start(b, start, NULL) == CS_OK;
}

cs_block *cs_check_block(cs_target *t, const cs_arm_view *arm, uint64_t seed,
                         const double *x, size_t n)
{
    cs_kernel kernel = *arm->kernel;
    cs_block *b = NULL;
    int adapt =
        cs_param_find(kernel.type->params, kernel.type->n_params, "adapt");
    if (adapt >= 0)
        kernel.values[adapt] = 0;
    if (cs_block_create(&b, t, &kernel, seed, 0, LANES, NULL, 0, NULL))
        return NULL;
    if (cs_check_repeat(b, seed, x, n))
        return b;
    cs_block_destroy(b);
    return NULL;
}

void cs_check_steps(cs_block *b, const cs_arm_view *arm, uint64_t from,
                    size_t n)
{
    double table[CS_KERNEL_PARAMS * 64];
    cs_plan_fill(arm->plan, &b->kernel, from, n, table);
    b->step = from - 1; /* a kernel may go through its sites by it */
    cs_block_run(b, table, n, NULL);
}

/* ---- all ----------------------------------------------------------------- */

static cs_status check_arm(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err)
{
    cs_status s = cs_check_repeat_distribution(c, t, arm, seed, err);
    if (!s)
        s = cs_check_record(c, t, arm, seed, err);
    if (!s)
        s = cs_check_distribution(c, t, arm, seed, err);
    return s ? s : cs_check_reach(c, t, arm, seed, err);
}

cs_status cs_check_run(cs_run *run, cs_check *c, cs_error *err)
{
    cs_target *t = cs_run_target(run);
    cs_status s = cs_check_find_starts(c, run, err);
    if (!s && !c->places)
        cs_check_say(c, NULL, "density", CS_BROKEN,
                     "-inf or NaN wherever a chain is or may begin");
    else if (!s)
        s = cs_check_target(c, t, err);
    if (!s && c->places)
        cs_check_list_states(c, t);
    for (size_t k = 0; !s && c->places && k < cs_run_arms(run); k++) {
        cs_arm_view arm = cs_run_arm(run, k);
        s = check_arm(c, t, &arm, cs_run_seed(run), err);
    }
    cs_enumeration_clear(&c->listed);
    c->states = NULL;
    cs_free(c->place);
    c->place = NULL;
    return s;
}
