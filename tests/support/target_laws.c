#include "support/target_laws.h"

#include "base/memory.h"
#include "check/check.h"
#include "support/odd.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LANES = TARGET_LANES, POINTS = TARGET_POINTS };

bool faults_on_show;

bool broken(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!faults_on_show)
        print_error("%s\n", text);
    return false;
}

static bool near(double got, double want, double relative, double absolute)
{
    return got == want || fabs(got - want) <= absolute + relative * fabs(want);
}

double room_uniform(uint64_t *seed)
{
    *seed = *seed * 48271 % 2147483647;
    return (double)*seed / 2147483647;
}

/* Fills `points` with states where chains would start. */
static void spread_points(room *r)
{
    uint64_t seed = 1;
    double *draw = cs_alloc(r->dim, 8);
    for (size_t p = 0; p < POINTS; p++) {
        for (size_t i = 0; i < r->dim; i++)
            draw[i] = room_uniform(&seed);
        cs_target_start(r->t, draw, r->points + p * r->dim);
        assert_true(cs_space_contains(&r->t->space, r->points + p * r->dim, 1));
    }
    cs_free(draw);
}

room room_enter(const cs_target_type *type, const cs_value *given,
                size_t n_given)
{
    room r = {0};
    cs_error err = {0};
    if (cs_target_create(type, given, n_given, &r.t, &err))
        broken("%s: %s", type->name, err.what);
    assert_non_null(r.t);
    r.dim = r.t->space.dim;
    size_t values = (size_t)r.t->space.values + 1;
    r.cache = cs_alloc(cs_eval_cache_words(r.t) * MAX_LANES, 8);
    r.scratch = cs_alloc(cs_eval_scratch_words(r.t) * MAX_LANES, 8);
    r.x = cs_alloc(r.dim * MAX_LANES, 8);
    r.g = cs_alloc(r.dim * MAX_LANES, 8);
    r.logp = cs_alloc(MAX_LANES, 8);
    r.d = cs_alloc(values * MAX_LANES, 8);
    r.points = cs_alloc(r.dim * POINTS, 8);
    spread_points(&r);
    return r;
}

void room_leave(room *r)
{
    cs_target_release(r->t);
    double *const all[] = {r->cache, r->scratch, r->x,     r->g,
                           r->logp,  r->d,       r->points};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cs_free(all[i]);
}

void room_open(room *r, size_t first, size_t live, size_t lanes)
{
    cs_eval_open(&r->e, r->t, lanes, live, r->cache, r->scratch);
    for (size_t i = 0; i < r->dim; i++)
        for (size_t l = 0; l < lanes; l++)
            r->x[i * lanes + l] =
                r->points[(first + (l < live ? l : 0)) * r->dim + i];
}

static bool same_bits(const double *a, const double *b, size_t n,
                      const char *what, const room *r)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0)
            return broken("%s: %s differ at index %zu: %a, %a", r->t->name,
                          what, i, a[i], b[i]);
    return true;
}

/* Computes log p, the gradient and the force (g[2][dim]) at every point, in
 * blocks of `live` chains with `lanes` lanes. */
static void in_blocks(room *r, size_t live, size_t lanes, double *logp,
                      double *g)
{
    float *f = cs_alloc(r->dim * MAX_LANES, sizeof *f);
    for (size_t p = 0; p < POINTS; p += live) {
        room_open(r, p, live, lanes);
        if (r->t->type->gradient)
            cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
        else
            cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
        if (r->t->type->force)
            cs_eval_low_gradient(&r->e, r->x, f);
        for (size_t l = 0; l < live; l++) {
            double *to = g + (p + l) * 2 * r->dim;
            logp[p + l] = r->logp[l];
            for (size_t i = 0; i < r->dim; i++) {
                to[i] = r->g[i * lanes + l];
                to[r->dim + i] = (double)f[i * lanes + l];
            }
        }
    }
    cs_free(f);
}

static bool a_chain_is_the_same_in_any_block(room *r)
{
    static const size_t live[] = {1, 1, 2, 8, 16, 32},
                        lanes[] = {8, 16, 8, 8, 32, 32};
    double logp[2][POINTS];
    double *g = cs_alloc(4 * POINTS * r->dim, sizeof *g);
    double *other = g + 2 * POINTS * r->dim;
    bool good = true;
    in_blocks(r, 32, 32, logp[0], g);
    for (size_t k = 0; good && k < sizeof live / sizeof *live; k++) {
        in_blocks(r, live[k], lanes[k], logp[1], other);
        good = same_bits(logp[0], logp[1], POINTS, "U in blocks", r) &&
               same_bits(g, other, 2 * POINTS * r->dim, "slopes in blocks", r);
    }
    cs_free(g);
    return good;
}

static bool gradient_carries_the_density(room *r)
{
    if (!r->t->type->gradient)
        return true;
    for (size_t live = 1; live <= 32; live += 31) {
        _Alignas(64) double logp[MAX_LANES];
        room_open(r, 0, live, 32);
        cs_eval_log_density(&r->e, CS_NEXT, r->x, logp);
        cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
        if (!same_bits(logp, r->logp, live, "log p with and without gradient",
                       r))
            return false;
    }
    return true;
}

/* Returns true if the gradient computed without log p has the same bits as the
 * gradient computed with log p. */
static bool gradient_alone_is_the_gradient(room *r)
{
    if (!r->t->type->gradient_alone)
        return true;
    double *alone = cs_alloc(r->dim * MAX_LANES, sizeof *alone);
    bool good = true;
    for (size_t live = 1; good && live <= 32; live += 31) {
        room_open(r, 0, live, 32);
        good =
            cs_eval_gradient_alone(&r->e, r->x, alone) ||
            broken("%s: the gradient without log p is not finite", r->t->name);
        cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
        good = good && same_bits(alone, r->g, r->dim * 32,
                                 "gradients with and without log p", r);
    }
    cs_free(alone);
    return good;
}

/* Returns true if the force is close to the gradient. (Kernels stay exact with
 * any force.) */
static bool force_is_nearly_the_gradient(room *r)
{
    size_t n = r->dim * MAX_LANES;
    if (!r->t->type->force)
        return true;
    float *f = cs_alloc(n, sizeof *f);
    double most = 0, off = 0;
    room_open(r, 0, MAX_LANES, MAX_LANES);
    cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
    cs_eval_low_gradient(&r->e, r->x, f);
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(r->g[i]));
        off = fmax(off, fabs((double)f[i] - r->g[i]));
    }
    cs_free(f);
    return off <= 1e-5 * most ||
           broken("%s: a force differs by %g; the largest gradient is %g",
                  r->t->name, off, most);
}

/* Returns true if the differences of log p to all neighbours, computed at once,
 * equal the differences computed for single sites. This must be true at both
 * states that the evaluator stores. */
static bool neighbours_are_site_differences(room *r)
{
    const cs_space *space = &r->t->space;
    if (!r->t->type->sites.neighbours)
        return true;
    cs_target_type alone = *r->t->type;
    const cs_target_type *type = r->t->type;
    size_t rows = space->kind == CS_BINARY ? 1 : (size_t)space->values;
    size_t n = r->dim * rows * MAX_LANES;
    double *at_once = cs_alloc(2 * n, sizeof *at_once), *slow = at_once + n;
    bool good = true;
    alone.sites.neighbours = NULL;
    for (cs_which which = CS_NOW; good && which <= CS_NEXT; which++) {
        room_open(r, 0, MAX_LANES, MAX_LANES);
        cs_eval_log_density(&r->e, which, r->x, r->logp);
        cs_eval_neighbours(&r->e, which, r->x, r->logp, at_once);
        r->t->type = &alone;
        cs_eval_neighbours(&r->e, which, r->x, r->logp, slow);
        r->t->type = type;
        for (size_t k = 0; k < n && good; k++)
            good =
                near(at_once[k], slow[k], 1e-12, 1e-12) ||
                broken("%s: neighbour %zu: %g in the list, %g computed singly",
                       r->t->name, k / MAX_LANES, at_once[k], slow[k]);
    }
    cs_free(at_once);
    return good;
}

/* A batch for each of three lanes. A batch contains all rows, in an order that
 * starts with a different row in each lane, and then its first row again. The
 * row that occurs twice has the weight 1/2 each time. */
typedef struct batches {
    cs_batch b;
    uint32_t *row;
    size_t first[4];
    double *weight, *term;
} batches;

static batches batches_of(const room *r)
{
    size_t n = r->t->n_rows + 1;
    batches k = {.row = cs_alloc(3 * n, sizeof *k.row),
                 .weight = cs_alloc(3 * n, sizeof *k.weight),
                 .term = cs_alloc(3 * n, sizeof *k.term)};
    for (size_t l = 0; l < 3; l++) {
        k.first[l + 1] = (l + 1) * n;
        for (size_t i = 0; i < n; i++) {
            k.row[l * n + i] = (uint32_t)((i + 5 * l) % r->t->n_rows);
            k.weight[l * n + i] = i % (n - 1) ? 1 : 0.5;
        }
    }
    k.b = (cs_batch){.row = k.row, .weight = k.weight};
    return k;
}

/* Checks that log p and its gradient equal a sum for each batch: the prior (log
 * p, g) plus the weighted terms and slopes of the batch. */
static bool adds_up(room *r, const batches *k, const double *prior,
                    const double *g)
{
    double *slope = cs_alloc(r->dim * 8, sizeof *slope);
    size_t n = r->t->n_rows + 1;
    bool good = true;
    cs_eval_slope(&r->e, r->x, &k->b, k->term, slope);
    cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
    for (size_t l = 0; good && l < 3; l++) {
        double sum = prior[l];
        for (size_t i = l * n; i < (l + 1) * n; i++)
            sum += k->weight[i] * k->term[i];
        good =
            near(sum, r->logp[l], 1e-12, 1e-12) ||
            broken("%s: rows sum to %g, not %g", r->t->name, sum, r->logp[l]);
        for (size_t i = 0; good && i < r->dim; i++) {
            double want = r->g[i * 8 + l], got = g[i * 8 + l];
            got += slope[i * 8 + l];
            good = near(got, want, 1e-11, 1e-11 * (1 + fabs(sum))) ||
                   broken("%s: slope %zu of the rows is %g, not %g", r->t->name,
                          i, got, want);
        }
    }
    cs_free(slope);
    return good;
}

/* Returns true if the bits of a term are the same in three cases: computed with
 * its slope, without its slope, and in a batch of one row. */
static bool terms_stand_alone(room *r, const batches *k)
{
    size_t n = r->t->n_rows + 1;
    double *again = cs_alloc(3 * n, sizeof *again), one;
    cs_eval_terms(&r->e, r->x, &k->b, again);
    bool good = same_bits(k->term, again, 3 * n, "terms with a slope", r);
    for (size_t l = 0; good && l < 3; l++)
        for (size_t i = l * n; good && i < (l + 1) * n; i++) {
            const cs_batch b = {.row = k->row + i,
                                .first = (const size_t[]){0, 1}};
            room_open(r, l, 1, 8);
            cs_eval_terms(&r->e, r->x, &b, &one);
            good = same_bits(k->term + i, &one, 1, "terms alone", r);
        }
    cs_free(again);
    return good;
}

static bool rows_make_the_whole(room *r)
{
    if (!r->t->type->rows.terms)
        return true;
    _Alignas(64) double prior[8];
    double *g = cs_alloc(r->dim * 8, sizeof *g);
    batches k = batches_of(r);
    k.b.first = k.first;
    room_open(r, 0, 3, 8);
    cs_eval_prior(&r->e, r->x, prior, g);
    bool good = adds_up(r, &k, prior, g) && terms_stand_alone(r, &k);
    cs_free(g);
    cs_free(k.row);
    cs_free(k.weight);
    cs_free(k.term);
    return good;
}

static bool nan_stays_nan(room *r)
{
    if (cs_space_is_discrete(&r->t->space))
        return true;
    static const double odd[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e300, -1e300};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (size_t live = 1; live <= 8; live += 7) {
            room_open(r, 0, live, 8);
            for (size_t l = 0; l < 8; l++)
                r->x[(r->dim - 1) * 8 + l] = odd[k];
            cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
            if (k == 0 && !isnan(r->logp[0]))
                return broken("%s: log p at NaN is %g", r->t->name, r->logp[0]);
            if (k && !(isnan(r->logp[0]) || r->logp[0] < HUGE_VAL))
                return broken("%s: U = %g far away", r->t->name, r->logp[0]);
            if (r->t->type->gradient)
                cs_eval_gradient(&r->e, CS_NOW, r->x, r->logp, r->g);
        }
    return true;
}

/* ---- counted work -------------------------------------------------------- */

static void ask_for_neighbours(room *r)
{
    size_t values = (size_t)r->t->space.values;
    double *d = cs_alloc(r->dim * values * 8, sizeof *d);
    cs_eval_neighbours(&r->e, CS_NOW, r->x, r->logp, d);
    cs_free(d);
}

/* Calls every function of the evaluator that the target supports, for 3 chains
 * in 8 lanes. */
static void ask_for_everything(room *r)
{
    _Alignas(CS_ALIGN) double value[MAX_LANES];
    uint32_t site[MAX_LANES] = {0};
    room_open(r, 0, 3, 8);
    cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
    if (r->t->type->gradient)
        cs_eval_gradient(&r->e, CS_NEXT, r->x, r->logp, r->g);
    if (r->t->type->gradient_alone)
        cs_eval_gradient_alone(&r->e, r->x, r->g);
    if (r->t->type->force)
        cs_eval_low_gradient(&r->e, r->x, (float *)(void *)r->g);
    if (r->t->type->rows.terms) {
        const cs_batch b = {.row = site, .first = (const size_t[]){0, 1, 3, 4}};
        cs_eval_terms(&r->e, r->x, &b, value);
        cs_eval_slope(&r->e, r->x, &b, value, r->g);
    }
    if (cs_space_is_real(&r->t->space))
        return;
    cs_eval_site(&r->e, r->x, r->logp, site, r->d);
    for (size_t l = 0; l < 8; l++)
        value[l] = r->t->space.low;
    cs_eval_set_site(&r->e, r->x, site, value);
    ask_for_neighbours(r);
}

/* Returns true if the evaluator counts every evaluation exactly once. */
static bool the_door_counts_what_is_done(room *r)
{
    const cs_target_type *type = r->t->type;
    r->t->type = counting_type(type);
    ask_for_everything(r);
    r->t->type = type;
    cs_work calls = counting_calls();
    return memcmp(&calls, &r->e.work, sizeof calls) == 0 ||
           broken("%s: the counted work is wrong", r->t->name);
}

/* Returns true if any allocation may fail while a target is created. The error
 * must be reported, and no memory may leak. */
static bool creation_survives_lack_of_memory(room *r)
{
    cs_status s = CS_MEMORY;
    for (unsigned long n = 1; s; n++) {
        cs_target *t = NULL;
        cs_memory_fail_at(n, false);
        s = cs_target_create(r->t->type, NULL, 0, &t, NULL);
        cs_memory_fail_at(0, false);
        bool good =
            (s == CS_OK || s == CS_MEMORY) && (t != NULL) == (s == CS_OK);
        cs_target_release(t);
        if (!good)
            return broken("%s: request %lu", r->t->type->name, n);
    }
    return true;
}

/* ---- laws of src/check --------------------------------------------------- */

static void note(void *to, const cs_finding *f)
{
    (void)to;
    if (f->verdict == CS_BROKEN)
        broken("%s", f->text);
}

bool target_law_holds(const target_law *law, room *r)
{
    if (law->holds)
        return law->holds(r);
    const cs_law *row = cs_law_find(law->name);
    cs_check c = {
        .say = note, .strict = true, .place = r->points, .places = POINTS};
    if (!row->applies || row->applies(&c, r->t, NULL))
        assert_int_equal(row->attempt(&c, r->t, NULL, 0, NULL), CS_OK);
    return c.broken == 0;
}

/* ---- the list ------------------------------------------------------------ */

#define LAW(name)                                                              \
    {                                                                          \
#name, name                                                            \
    }
const target_law target_laws[] = {{"density", NULL},
                                  {"gradient", NULL},
                                  {"differences", NULL},
                                  LAW(a_chain_is_the_same_in_any_block),
                                  LAW(gradient_carries_the_density),
                                  LAW(gradient_alone_is_the_gradient),
                                  LAW(force_is_nearly_the_gradient),
                                  LAW(neighbours_are_site_differences),
                                  LAW(rows_make_the_whole),
                                  LAW(nan_stays_nan),
                                  LAW(the_door_counts_what_is_done),
                                  LAW(creation_survives_lack_of_memory),
                                  {NULL, NULL}};
