/* Laws that every registered target obeys, with its default parameters and
 * with those that take another path. */
#include "support/support.h"

#include "base/memory.h"
#include "base/simd.h"
#include "model/eval.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_LANES = 32, POINTS = 32 };

/* Uniforms that a test can repeat: the minimal generator of Park and Miller
 * (1988) is good enough to spread points. */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 48271 % 2147483647;
    return (double)*seed / 2147483647;
}

typedef struct room {
    cs_target *t;
    size_t dim;
    double *cache, *scratch, *x, *u, *g, *points, *d;
    cs_eval e;
} room;

/* Points where chains would start. */
static void spread_points(room *r)
{
    uint64_t seed = 1;
    double *draw = cs_alloc(r->dim, 8);
    for (size_t p = 0; p < POINTS; p++) {
        for (size_t i = 0; i < r->dim; i++)
            draw[i] = uniform(&seed);
        cs_target_start(r->t, draw, r->points + p * r->dim);
        assert_true(cs_space_contains(&r->t->space, r->points + p * r->dim, 1));
    }
    cs_free(draw);
}

static room enter(const cs_target_type *type, const cs_value *given,
                  size_t n_given)
{
    room r = {0};
    cs_error err = {0};
    if (cs_target_create(type, given, n_given, &r.t, &err))
        print_error("%s: %s\n", type->name, err.what);
    assert_non_null(r.t);
    r.dim = r.t->space.dim;
    size_t values = (size_t)r.t->space.values + 1;
    r.cache = cs_alloc(2 * cs_eval_cache_words(r.t) * MAX_LANES, 8);
    r.scratch = cs_alloc(cs_eval_scratch_words(r.t) * MAX_LANES, 8);
    r.x = cs_alloc(r.dim * MAX_LANES, 8);
    r.g = cs_alloc(r.dim * MAX_LANES, 8);
    r.u = cs_alloc(MAX_LANES, 8);
    r.d = cs_alloc(values * MAX_LANES, 8);
    r.points = cs_alloc(r.dim * POINTS, 8);
    spread_points(&r);
    return r;
}

static void leave(room *r)
{
    cs_target_release(r->t);
    double *const all[] = {r->cache, r->scratch, r->x,     r->g,
                           r->u,     r->d,       r->points};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cs_free(all[i]);
}

/* Opens the door for `live` points from `first`, padded with the first. */
static void open_at(room *r, size_t first, size_t live, size_t lanes)
{
    cs_eval_open(&r->e, r->t, lanes, live, r->cache, r->scratch);
    for (size_t i = 0; i < r->dim; i++)
        for (size_t l = 0; l < lanes; l++)
            r->x[i * lanes + l] =
                r->points[(first + (l < live ? l : 0)) * r->dim + i];
}

/* Other parameters that lead through other code. */
static const double odd_means[3][3] = {{1, 0, -1}, {0, 3, 0}, {-2, 0, 2}};
static const struct {
    const char *name;
    cs_value given[2];
    size_t n;
} variations[] = {
    {"gaussian",
     {{.name = "dim", .kind = CS_PARAM_INT, .number = 37},
      {.name = "rho", .kind = CS_PARAM_REAL, .number = 0.7}},
     2},
    {"gaussian",
     {{.name = "dim", .kind = CS_PARAM_INT, .number = 2},
      {.name = "rho", .kind = CS_PARAM_REAL, .number = -0.8}},
     2},
    {"gaussian", {{.name = "dim", .kind = CS_PARAM_INT, .number = 1}}, 1},
    {"eight_schools",
     {{.name = "form", .kind = CS_PARAM_TEXT, .text = "centred"}},
     1},
    {"mixture",
     {{.name = "means",
       .kind = CS_PARAM_ARRAY,
       .array = odd_means[0],
       .rows = 3,
       .cols = 3},
      {.name = "sd", .kind = CS_PARAM_REAL, .number = 0.25}},
     2},
    {"lattice_modes",
     {{.name = "modes", .kind = CS_PARAM_INT, .number = 4},
      {.name = "gap", .kind = CS_PARAM_INT, .number = 7}},
     2},
};

static void every_variation(void (*law)(room *r))
{
    for (size_t k = 0; k < sizeof variations / sizeof *variations; k++) {
        room r = enter(cs_target_find(variations[k].name), variations[k].given,
                       variations[k].n);
        law(&r);
        leave(&r);
    }
}

static void every(void (*law)(room *r))
{
    const cs_target_type *type;
    size_t n = 0;
    for (; (type = cs_target_at(n)); n++) {
        if (type->flags & CS_TARGET_HIDDEN)
            continue;
        room r = enter(type, NULL, 0);
        law(&r);
        leave(&r);
    }
    assert_true(n > 0);
    every_variation(law);
}

static void same_bits(const double *a, const double *b, size_t n,
                      const char *what, const room *r)
{
    if (memcmp(a, b, n * sizeof *a) == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0)
            print_error("%s: %s differ at %zu: %a, %a\n", r->t->name, what, i,
                        a[i], b[i]);
    fail();
}

/* U and the gradient of every point, in blocks of `live` of `lanes`. */
static void in_blocks(room *r, size_t live, size_t lanes, double *u, double *g)
{
    for (size_t p = 0; p < POINTS; p += live) {
        open_at(r, p, live, lanes);
        if (r->t->type->gradient)
            cs_eval_gradient(&r->e, CS_NOW, r->x, r->u, r->g);
        else
            cs_eval_log_density(&r->e, CS_NOW, r->x, r->u);
        for (size_t l = 0; l < live; l++) {
            u[p + l] = r->u[l];
            for (size_t i = 0; i < r->dim; i++)
                g[(p + l) * r->dim + i] = r->g[i * lanes + l];
        }
    }
}

static void a_chain_is_the_same_in_any_block(room *r)
{
    static const size_t live[] = {1, 1, 2, 8, 16, 32},
                        lanes[] = {8, 16, 8, 8, 32, 32};
    double u[2][POINTS];
    double *g = cs_alloc(2 * POINTS * r->dim, sizeof *g);
    double *other = g + POINTS * r->dim;
    in_blocks(r, 32, 32, u[0], g);
    for (size_t k = 0; k < sizeof live / sizeof *live; k++) {
        in_blocks(r, live[k], lanes[k], u[1], other);
        same_bits(u[0], u[1], POINTS, "U in blocks", r);
        same_bits(g, other, POINTS * r->dim, "gradients in blocks", r);
    }
    cs_free(g);
}

static void gradient_carries_the_density(room *r)
{
    if (!r->t->type->gradient)
        return;
    for (size_t live = 1; live <= 32; live += 31) {
        _Alignas(64) double u[MAX_LANES];
        open_at(r, 0, live, 32);
        cs_eval_log_density(&r->e, CS_NEXT, r->x, u);
        cs_eval_gradient(&r->e, CS_NOW, r->x, r->u, r->g);
        same_bits(u, r->u, live, "U with and without gradient", r);
        assert_int_equal(r->e.work.log_densities, live);
        assert_int_equal(r->e.work.gradients, live);
    }
}

/* Slopes along coordinate i by central differences of two widths,
 * extrapolated (Richardson). */
static void slopes(room *r, size_t i, double *slope)
{
    static const double h[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    _Alignas(64) double u[4][MAX_LANES];
    double *row = r->x + i * MAX_LANES, kept[MAX_LANES];
    memcpy(kept, row, sizeof kept);
    for (size_t k = 0; k < 4; k++) {
        for (size_t l = 0; l < MAX_LANES; l++)
            row[l] = kept[l] + h[k];
        cs_eval_log_density(&r->e, CS_NEXT, r->x, u[k]);
        memcpy(row, kept, sizeof kept);
    }
    for (size_t l = 0; l < MAX_LANES; l++) {
        double narrow = (u[0][l] - u[1][l]) / 2e-3;
        double wide = (u[2][l] - u[3][l]) / 4e-3;
        slope[l] = (4 * narrow - wide) / 3;
    }
}

static void gradient_is_the_slope(room *r)
{
    if (!r->t->type->gradient)
        return;
    double slope[MAX_LANES];
    open_at(r, 0, MAX_LANES, MAX_LANES);
    if (r->t->space.kind != CS_CONTINUOUS) /* off the lattice, off kinks */
        for (size_t i = 0; i < r->dim * MAX_LANES; i++)
            r->x[i] += 0.25;
    cs_eval_gradient(&r->e, CS_NOW, r->x, r->u, r->g);
    for (size_t i = 0; i < r->dim; i++) {
        slopes(r, i, slope);
        for (size_t l = 0; l < MAX_LANES; l++)
            if (isfinite(slope[l]))
                near_or_fail(r->g[i * MAX_LANES + l], slope[l], 1e-6,
                             1e-6 + 1e-10 * fabs(r->u[l]), r->t->name, __FILE__,
                             __LINE__);
    }
}

/* Site after site, so that the mended cache is what the next answer uses. */
static void site_differences_are_differences(room *r)
{
    const cs_space *space = &r->t->space;
    if (space->kind == CS_CONTINUOUS)
        return;
    double u[MAX_LANES], value[MAX_LANES];
    uint32_t site[MAX_LANES];
    uint64_t seed = 7;
    open_at(r, 0, MAX_LANES, MAX_LANES);
    cs_eval_log_density(&r->e, CS_NOW, r->x, r->u);
    for (int round = 0; round < 5; round++) {
        for (size_t l = 0; l < MAX_LANES; l++)
            site[l] = (uint32_t)(uniform(&seed) * (double)r->dim);
        cs_eval_site(&r->e, r->x, r->u, site, r->d);
        for (size_t l = 0; l < MAX_LANES; l++) {
            size_t v = (size_t)(uniform(&seed) * space->values);
            value[l] = space->low + (double)v;
            u[l] = r->u[l] + r->d[v * MAX_LANES + l];
        }
        cs_eval_set_site(&r->e, r->x, site, value);
        cs_eval_log_density(&r->e, CS_NEXT, r->x, r->u);
        for (size_t l = 0; l < MAX_LANES; l++)
            near_or_fail(u[l], r->u[l], 1e-11, 1e-11, r->t->name, __FILE__,
                         __LINE__);
    }
}

static void nan_stays_nan(room *r)
{
    if (r->t->space.kind != CS_CONTINUOUS)
        return;
    static const double odd[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e300, -1e300};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (size_t live = 1; live <= 8; live += 7) {
            open_at(r, 0, live, 8);
            for (size_t l = 0; l < 8; l++)
                r->x[(r->dim - 1) * 8 + l] = odd[k];
            cs_eval_log_density(&r->e, CS_NOW, r->x, r->u);
            if (k == 0 && !isnan(r->u[0]))
                fail_msg("%s: U at NaN is %g", r->t->name, r->u[0]);
            if (k && !(isnan(r->u[0]) || r->u[0] < HUGE_VAL))
                fail_msg("%s: U = %g far away", r->t->name, r->u[0]);
            if (r->t->type->gradient)
                cs_eval_gradient(&r->e, CS_NOW, r->x, r->u, r->g);
        }
}

/* ---- what is said to be exact ------------------------------------------- */

typedef struct sums {
    double z, first[8], second[8];
} sums;

static void add(sums *s, const double *x, size_t dim, double mass)
{
    s->z += mass;
    for (size_t i = 0; i < dim; i++) {
        s->first[i] += mass * x[i];
        s->second[i] += mass * x[i] * x[i];
    }
}

/* The midpoint of cell `at` of an equal grid over the part of the plane worth
 * showing, three times as wide; the size of the cell. */
static double grid_point(const room *r, size_t at, size_t side, double *x)
{
    const double *view = r->t->exact.view;
    double cell = 1;
    for (size_t i = 0; i < r->dim; i++, at /= side) {
        double width = 3 * (view[2 * i + 1] - view[2 * i]);
        double low = view[2 * i] - width / 3;
        x[i] = low + width * ((double)(at % side) + 0.5) / (double)side;
        cell *= width / (double)side;
    }
    return cell;
}

static void sum_up(room *r, sums *s, size_t n, size_t side)
{
    double x[8][8], cell[8];
    cs_eval_open(&r->e, r->t, 8, 8, r->cache, r->scratch);
    for (size_t k = 0; k < n; k += 8) {
        for (size_t l = 0; l < 8; l++) {
            size_t at = k + l < n ? k + l : 0;
            cell[l] = k + l < n;
            if (side)
                cell[l] *= grid_point(r, at, side, x[l]);
            else
                cs_space_state(&r->t->space, at, x[l]);
            for (size_t i = 0; i < r->dim; i++)
                r->x[i * 8 + l] = x[l][i];
        }
        cs_eval_log_density(&r->e, CS_NOW, r->x, r->u);
        for (size_t l = 0; l < 8; l++)
            add(s, x[l], r->dim, cell[l] * exp(r->u[l]));
    }
}

static void exact_values_are_exact(room *r)
{
    const cs_exact *exact = &r->t->exact;
    bool discrete = r->t->space.kind != CS_CONTINUOUS;
    double states = cs_space_states(&r->t->space);
    if (discrete ? states > 1e6 || r->dim > 8 : r->dim > 2)
        return;
    sums s = {0};
    size_t side = r->dim == 1 ? 20000 : 1500;
    size_t n = discrete ? (size_t)states : r->dim == 1 ? side : side * side;
    sum_up(r, &s, n, discrete ? 0 : side);
    double error = discrete ? 1e-9 : 2e-6;
    if (!isnan(exact->log_z))
        assert_near(log(s.z), exact->log_z, error, error);
    for (size_t i = 0; i < r->dim && exact->mean; i++) {
        double mean = s.first[i] / s.z, sd = sqrt(exact->variance[i]);
        assert_near(mean, exact->mean[i], error, error * sd);
        assert_near(s.second[i] / s.z - mean * mean, exact->variance[i],
                    100 * error, 0);
    }
}

static size_t nearest_mode(const cs_exact *exact, size_t dim, const double *x)
{
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t k = 0; k < exact->n_modes; k++) {
        double square = 0;
        for (size_t i = 0; i < dim; i++) {
            double r = x[i] - exact->modes[k * dim + i];
            square += r * r;
        }
        best = square < least ? k : best;
        least = fmin(square, least);
    }
    return best;
}

enum { DRAWS = 100000 };

/* hits[n_modes] of DRAWS draws, and their moments about the exact mean. */
static void draw_many(room *r, double *hits, double *first, double *second)
{
    const cs_exact *exact = &r->t->exact;
    uint64_t seed = 3;
    double *u = cs_alloc(r->t->n_uniform, 8), *x = cs_alloc(r->dim, 8);
    for (size_t k = 0; k < DRAWS; k++) {
        for (size_t i = 0; i < r->t->n_uniform; i++)
            u[i] = uniform(&seed);
        r->t->type->draw(r->t, u, x);
        assert_true(cs_space_contains(&r->t->space, x, 1));
        if (exact->n_modes)
            hits[nearest_mode(exact, r->dim, x)] += 1;
        for (size_t i = 0; i < r->dim; i++) {
            double centred = x[i] - exact->mean[i];
            first[i] += centred / DRAWS;
            second[i] += centred * centred / DRAWS;
        }
    }
    cs_free(u);
    cs_free(x);
}

/* To six sigma; the kurtosis of none of these laws exceeds ten. Where a mode
 * is said to be a component, neighbours that overlap may exchange draws. */
static void draws_follow_the_law(room *r)
{
    const cs_exact *exact = &r->t->exact;
    if (!r->t->type->draw || !exact->mean)
        return;
    double *hits = cs_alloc(exact->n_modes, 8);
    double *first = cs_alloc(2 * r->dim, 8), *second = first + r->dim;
    draw_many(r, hits, first, second);
    for (size_t i = 0; i < r->dim; i++) {
        double variance = exact->variance[i];
        assert_near(first[i], 0, 0, 6 * sqrt(variance / DRAWS));
        assert_near(second[i], variance, 6 * sqrt(9.0 / DRAWS), 0);
    }
    for (size_t k = 0; k < exact->n_modes; k++) {
        double p = exact->mode_weight[k];
        assert_near(hits[k] / DRAWS, p, 0,
                    6 * sqrt(p * (1 - p) / DRAWS) + 1e-5);
    }
    cs_free(hits);
    cs_free(first);
}

static void weights_sum_to_one(room *r)
{
    double sum = 0;
    for (size_t k = 0; k < r->t->exact.n_modes; k++)
        sum += r->t->exact.mode_weight[k];
    if (r->t->exact.n_modes)
        assert_near(sum, 1, 1e-12, 0);
    char text[64];
    for (size_t i = 0; i < r->dim; i++) {
        cs_target_coordinate(r->t, i, text, sizeof text);
        assert_true(text[0] && !strpbrk(text, ", \"\n"));
    }
}

/* Every request for memory may be refused; nothing is left behind. */
static void creation_survives_lack_of_memory(room *r)
{
    cs_status s = CS_MEMORY;
    for (unsigned long n = 1; s; n++) {
        cs_target *t = NULL;
        cs_memory_fail_at(n, false);
        s = cs_target_create(r->t->type, NULL, 0, &t, NULL);
        cs_memory_fail_at(0, false);
        assert_true(s == CS_OK || s == CS_MEMORY);
        assert_true((t != NULL) == (s == CS_OK));
        cs_target_release(t);
    }
}

#define LAWS(X)                                                                \
    X(a_chain_is_the_same_in_any_block)                                        \
    X(gradient_carries_the_density)                                            \
    X(gradient_is_the_slope)                                                   \
    X(site_differences_are_differences)                                        \
    X(nan_stays_nan)                                                           \
    X(exact_values_are_exact)                                                  \
    X(draws_follow_the_law)                                                    \
    X(weights_sum_to_one)                                                      \
    X(creation_survives_lack_of_memory)

#define LAW_TEST(name)                                                         \
    static void test_##name(void **state)                                      \
    {                                                                          \
        (void)state;                                                           \
        every(name);                                                           \
    }
LAWS(LAW_TEST)

int main(void)
{
#define LAW_ENTRY(name) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {LAWS(LAW_ENTRY)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
