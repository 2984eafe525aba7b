/* Tests bounds on the terms of targets that are sums over rows. The declared
 * bounds are true and as tight as this test requires. The tables for drawing
 * rows in proportion to the bounds are correct. */
#include "support/support.h"

#include "base/memory.h"
#include "target/eval.h"
#include "target/row_bounds.h"

#include <string.h>

/* ---- tables for drawing rows --------------------------------------------- */

static const double *stated_low, *stated_high;

static cs_status state_range(const cs_target *t, double *low, double *high,
                             cs_error *err)
{
    (void)err;
    memcpy(low, stated_low, t->n_rows * sizeof *low);
    memcpy(high, stated_high, t->n_rows * sizeof *high);
    return CS_OK;
}

static cs_status state_change(const cs_target *t, double *c, cs_error *err)
{
    (void)err;
    memcpy(c, stated_high, t->n_rows * sizeof *c);
    return CS_OK;
}

static const cs_target_type stated = {
    .name = "stated", .rows.range = state_range, .rows.change = state_change};

static cs_target stated_target(size_t rows, const double *low,
                               const double *high)
{
    static char name[] = "stated";
    stated_low = low;
    stated_high = high;
    return (cs_target){.type = &stated,
                       .name = name,
                       .n_rows = rows,
                       .row_bounds = CS_ROW_RANGE | CS_ROW_CHANGE};
}

static void forget(cs_target *t)
{
    for (size_t i = 0; i < 2; i++) {
        cs_row_bounds_free(t->bounds[i]);
        t->bounds[i] = NULL;
    }
}

/* Checks the share of each row in the cells of the table, in units of 2^-32 of
 * a cell. The share of a row equals the row's probability up to one unit, and
 * is 0 if the width of the row is 0. */
static void cells_give_each_row_its_share(const cs_row_bounds *b)
{
    uint64_t *part = cs_alloc(b->rows, sizeof *part), all = 0;
    assert_non_null(part);
    for (size_t k = 0; k < b->rows; k++) {
        bool whole = b->cell[k].other == k;
        uint64_t own = whole ? UINT64_C(1) << 32 : b->cell[k].limit;
        assert_true(b->cell[k].other < b->rows);
        part[k] += own;
        part[b->cell[k].other] += (UINT64_C(1) << 32) - own;
    }
    for (size_t r = 0; r < b->rows; r++) {
        double want =
            (double)b->of[r].width / b->total * (double)b->rows * 4294967296.0;
        double got = (double)part[r];
        if (!(fabs(got - want) <= 1.01 + 1e-15 * want) ||
            (b->of[r].width == 0 && part[r]))
            fail_msg("row %zu of %zu has %.17g parts, not %.17g", r, b->rows,
                     got, want);
        all += part[r];
    }
    assert_int_equal(all, (uint64_t)b->rows << 32);
    cs_free(part);
}

static void make_both(cs_target *t)
{
    cs_error err = {0};
    for (unsigned kind = CS_ROW_RANGE; kind <= CS_ROW_CHANGE; kind++) {
        if (cs_row_bounds_make(t, kind, &err))
            fail_msg("%s", err.what);
        assert_non_null(cs_row_bounds_of(t, kind));
    }
}

/* Tries widths of many sizes, some of them 0, in tables of many lengths. */
static void draws_are_in_proportion_to_widths(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static double low[MOST], high[MOST];
    for (size_t rows = 1; rows <= MOST; rows = rows * 3 / 2 + 1)
        for (int spread = 0; spread <= 40; spread += 8) {
            uint64_t seed = rows + (uint64_t)spread;
            for (size_t r = 0; r < rows; r++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                double u = (double)(seed >> 11) * 0x1p-53;
                high[r] = r % 5 == 3 ? 0 : pow(10, (u - 0.5) * spread);
            }
            cs_target t = stated_target(rows, low, high);
            make_both(&t);
            cells_give_each_row_its_share(t.bounds[0]);
            cells_give_each_row_its_share(t.bounds[1]);
            forget(&t);
        }
}

/* Tries widths that are huge, tiny, equal or mostly 0. A row of width 0 is
 * never drawn. */
static void draws_at_the_edges(void **state)
{
    (void)state;
    static const double zero[4],
        alone[4] = {0, 0, 2.5, 0}, far[4] = {1e30, 1e30, 1e-30, 0},
        tiny[4] = {1e-300, 1e-40, 1e-44, 0}, alike[4] = {0.1, 0.1, 0.1, 0.1};
    const double *const widths[] = {alone, far, tiny, alike};
    for (size_t k = 0; k < 4; k++)
        for (size_t rows = 3; rows <= 4; rows++) {
            cs_target t = stated_target(rows, zero, widths[k]);
            make_both(&t);
            cells_give_each_row_its_share(t.bounds[0]);
            for (uint64_t i = 0; i < 4096; i++) {
                uint64_t word = i * UINT64_C(0xffffffffffffffff) / 4095;
                uint32_t row = cs_row_bounds_pick(t.bounds[0], word);
                assert_true(row < rows && widths[k][row] > 0);
            }
            forget(&t);
        }
    cs_target one = stated_target(1, zero, alone + 2);
    make_both(&one);
    assert_int_equal(cs_row_bounds_pick(one.bounds[1], 0), 0);
    assert_int_equal(cs_row_bounds_pick(one.bounds[1], UINT64_MAX), 0);
    assert_true(one.bounds[0]->total == 2.5);
    forget(&one);
    cs_target none = stated_target(4, zero, zero);
    make_both(&none);
    assert_true(none.bounds[0]->total == 0);
    forget(&none);
}

/* Bounds in single precision contain the bounds in double precision. */
static void bounds_are_rounded_outwards(void **state)
{
    (void)state;
    static const double low[6] = {-1e10, -0.1, -1e-310, 0.1, -1e30, 1 / 3.},
                        high[6] = {1e-8, 0.1, 1e-310, 0.3, 1e30, 1 / 3.};
    cs_target t = stated_target(6, low, high);
    make_both(&t);
    for (size_t r = 0; r < 6; r++) {
        cs_row_bound b = t.bounds[0]->of[r];
        long double top = (long double)b.low + (long double)b.width;
        assert_true((double)b.low <= low[r] && top >= (long double)high[r]);
        long double size = fmaxl(fabsl((long double)low[r]), 1e-38L);
        assert_true(top - (long double)high[r] < 4e-7L * size);
        assert_true((double)t.bounds[1]->of[r].width >= high[r]);
    }
    forget(&t);
}

static void bad_bounds_are_refused(void **state)
{
    (void)state;
    static const double bad[][2] = {{0, HUGE_VAL}, {-HUGE_VAL, 0}, {0, NAN},
                                    {NAN, 0},      {1, 0},         {0, 2e30}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const double low[3] = {0, bad[k][0], 0}, high[3] = {1, bad[k][1], 1};
        cs_error err = {0};
        cs_target t = stated_target(3, low, high);
        assert_int_equal(cs_row_bounds_make(&t, CS_ROW_RANGE, &err), CS_RANGE);
        assert_non_null(strstr(err.what, "target stated"));
        assert_non_null(strstr(err.what, "row 2"));
        assert_null(cs_row_bounds_of(&t, CS_ROW_RANGE));
    }
    const double zero[1] = {0}, below[1] = {-1};
    cs_error err = {0};
    cs_target t = stated_target(1, zero, below);
    assert_int_equal(cs_row_bounds_make(&t, CS_ROW_CHANGE, &err), CS_RANGE);
    t.row_bounds = CS_ROW_RANGE;
    assert_int_equal(cs_row_bounds_make(&t, CS_ROW_CHANGE, &err),
                     CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "no bounds on its terms relative to"));
}

static void bounds_without_memory(void **state)
{
    (void)state;
    static const double low[5], high[5] = {1, 2, 3, 4, 5};
    cs_target t = stated_target(5, low, high);
    cs_status s = CS_MEMORY;
    for (unsigned long n = 1; s == CS_MEMORY; n++) {
        cs_error err = {0};
        assert_null(t.bounds[0]);
        cs_memory_fail_at(n, false);
        s = cs_row_bounds_make(&t, CS_ROW_RANGE, &err);
        cs_memory_fail_at(0, false);
        assert_true(n < 20);
    }
    assert_int_equal(s, CS_OK);
    forget(&t);
}

/* ---- built-in targets ---------------------------------------------------- */

enum { LANES = 8, POINTS = 10000, MOST_ROWS = 64, MOST_DIM = 8 };

/* A target and the region where its prior is finite: a ball of radius `radius`,
 * or the cube from -box to box in each coordinate. */
typedef struct tall {
    const char *name;
    cs_value given[7];
    size_t n;
    double radius, box;
    double near; /* half of the rows must have bounds at least this tight */
} tall;

#define NUMBER(what, value)                                                    \
    {                                                                          \
        .name = what, .number = value                                          \
    }
#define TEXT(what, value)                                                      \
    {                                                                          \
        .name = what, .kind = CS_PARAM_TEXT, .text = value                     \
    }

/* Rows with two predictors of different sizes, and a label. */
static const double labelled[13][3] = {
    {0.3, -1, 1}, {2, 0.4, 0},   {-1.5, 1, 1}, {0, 0, 0},     {0.01, 0, 1},
    {-3, 2, 0},   {1, 1, 1},     {0.2, 4, 0},  {-0.7, -2, 1}, {5, -5, 0},
    {1e-3, 0, 0}, {0.1, 0.1, 1}, {-1, 3, 0}};
#define LABELLED                                                               \
    {                                                                          \
        .name = "table", .kind = CS_PARAM_ARRAY, .array = labelled[0],         \
        .rows = 13, .cols = 3                                                  \
    }

static const tall talls[] = {
    {"logistic_regression", {NUMBER("radius", 3)}, 1, 3, 0, 0.05},
    {"logistic_regression", /* rows of different sizes, without intercept */
     {LABELLED,
      NUMBER("radius", 1.5),
      {.name = "standardise", .kind = CS_PARAM_BOOL},
      {.name = "intercept", .kind = CS_PARAM_BOOL}},
     4,
     1.5,
     0,
     0.05},
    {"logistic_regression", /* no ball: only changes are bounded */
     {LABELLED, NUMBER("prior_sd", 2)},
     2,
     60,
     0,
     0.05},

    {"robust_regression",
     {NUMBER("rows", 13), NUMBER("radius", 3)},
     2,
     3,
     0,
     0.05},
    {"robust_regression", /* the ball is far from most rows */
     {NUMBER("rows", 33), NUMBER("dim", 1), NUMBER("radius", 0.05),
      NUMBER("nu", 0.3), NUMBER("beta", 0.01)},
     5,
     0.05,
     0,
     0.01},
    {"robust_regression", /* all residuals are below sqrt(nu) */
     {NUMBER("rows", 13), NUMBER("dim", 3), NUMBER("radius", 2),
      NUMBER("nu", 1e6)},
     4,
     2,
     0,
     0.1},
    {"truncated_gaussian", {NUMBER("rows", 13)}, 1, 0, 3, 0.05},
    {"truncated_gaussian", /* the cube is far from most rows */
     {NUMBER("rows", 33), NUMBER("dim", 1), NUMBER("box", 0.02),
      NUMBER("beta", 7)},
     4,
     0,
     0.02,
     0.01},
    {"truncated_gaussian", /* loose because of the chosen variances */
     {NUMBER("rows", 13), NUMBER("dim", 3), TEXT("bound", "eigenvalue")},
     3,
     0,
     3,
     1},
};
enum { TALLS = sizeof talls / sizeof *talls };

typedef struct bench {
    const tall *of;
    cs_target *t;
    cs_eval e;
    size_t dim, rows;
    uint64_t seed;
    double *x, *scratch, *term, *slack, *room;
} bench;

static bench bench_of(const tall *of)
{
    bench b = {.of = of, .seed = 1};
    cs_error err = {0};
    if (cs_target_create(cs_target_find(of->name), of->given, of->n, &b.t,
                         &err))
        fail_msg("%s", err.what);
    b.dim = b.t->space.dim;
    b.rows = b.t->n_rows;
    assert_true(b.rows <= MOST_ROWS && b.dim <= MOST_DIM);
    b.x = cs_alloc(b.dim * LANES, sizeof *b.x);
    b.term = cs_alloc(b.rows * LANES, sizeof *b.term);
    b.slack = cs_alloc(2 * b.rows, sizeof *b.slack);
    b.scratch = b.slack + b.rows;
    b.scratch = cs_alloc(cs_eval_scratch_words(b.t) * LANES, sizeof *b.scratch);
    assert_true(b.x && b.term && b.slack && b.scratch);
    cs_eval_open(&b.e, b.t, LANES, LANES, NULL, b.scratch);
    for (unsigned kind = CS_ROW_RANGE; kind <= CS_ROW_CHANGE; kind++)
        if ((b.t->row_bounds & kind) && cs_row_bounds_make(b.t, kind, &err))
            fail_msg("%s", err.what);
    return b;
}

static void bench_end(bench *b)
{
    cs_target_release(b->t);
    cs_free(b->x);
    cs_free(b->term);
    cs_free(b->slack);
    cs_free(b->scratch);
}

static double uniform(bench *b)
{
    b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(b->seed >> 11) * 0x1p-53;
}

/* Draws a point of the region for lane l. Half of the points are on the border
 * of the region. */
static void throw_point(bench *b, size_t l)
{
    double x[MOST_DIM], square = 0, size = b->of->box;
    bool border = uniform(b) < 0.5;
    for (size_t j = 0; j < b->dim; j++) {
        double u = 2 * uniform(b) - 1;
        x[j] = b->of->box && border ? (u > 0 ? 1 : -1) : u;
        square += x[j] * x[j];
    }
    if (!b->of->box)
        size = b->of->radius / sqrt(square) *
               (border ? 1 : pow(uniform(b), 1 / (double)b->dim));
    for (size_t j = 0; j < b->dim; j++)
        b->x[j * LANES + l] = size * x[j] * (1 - 1e-12);
}

/* Computes all terms of all lanes. */
static void all_terms(bench *b)
{
    uint32_t row[MOST_ROWS * LANES];
    size_t first[LANES + 1];
    _Alignas(CS_ALIGN) double logp[LANES];
    for (size_t l = 0; l <= LANES; l++)
        first[l] = l * b->rows;
    for (size_t i = 0; i < b->rows * LANES; i++)
        row[i] = (uint32_t)(i % b->rows);
    cs_eval_prior(&b->e, b->x, logp, NULL);
    for (size_t l = 0; l < LANES; l++)
        if (!isfinite(logp[l]))
            fail_msg("%s: %g outside of its region", b->of->name, b->x[l]);
    cs_eval_terms(&b->e, b->x, &(cs_batch){.row = row, .first = first},
                  b->term);
}

/* Returns the number of terms at random points that are not between `low` and
 * `low + width`. `slack` and `room` receive the smallest distances from the two
 * limits, in units of the width. */
static size_t out_of_range(bench *b, const cs_row_bounds *bounds)
{
    size_t out = 0;
    for (size_t r = 0; r < b->rows; r++)
        b->slack[r] = b->scratch[r] = 1;
    for (size_t k = 0; k < POINTS; k += LANES) {
        for (size_t l = 0; l < LANES; l++)
            throw_point(b, l);
        all_terms(b);
        for (size_t i = 0; i < LANES * b->rows; i++) {
            size_t r = i % b->rows;
            cs_row_bound of = bounds->of[r];
            double above = b->term[i] - (double)of.low;
            double below = (double)of.width - above;
            out += above >= 0 && below >= 0 ? 0 : 1;
            b->slack[r] = fmin(b->slack[r], above / (double)of.width);
            b->scratch[r] = fmin(b->scratch[r], below / (double)of.width);
        }
    }
    return out;
}

/* Returns the number of changes of a term that exceed their bounds, for distant
 * pairs and for close pairs of points. `slack` receives the smallest unused
 * fraction of a bound. */
static size_t out_of_change(bench *b, const cs_row_bounds *bounds)
{
    size_t out = 0;
    _Alignas(64) double x[MOST_DIM * LANES], y[MOST_DIM * LANES];
    _Alignas(64) double measure[LANES], back[LANES], part[LANES];
    double term[MOST_ROWS * LANES];
    for (size_t r = 0; r < b->rows; r++)
        b->slack[r] = 1;
    for (size_t k = 0; k < POINTS; k += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            throw_point(b, l);
            part[l] = uniform(b) < 0.5 ? 1 : 1e-3;
        }
        all_terms(b);
        memcpy(x, b->x, b->dim * LANES * sizeof *x);
        memcpy(term, b->term, b->rows * LANES * sizeof *term);
        for (size_t l = 0; l < LANES; l++) {
            throw_point(b, l);
            for (size_t j = 0; j < b->dim; j++) /* the region is convex */
                b->x[j * LANES + l] =
                    x[j * LANES + l] +
                    part[l] * (b->x[j * LANES + l] - x[j * LANES + l]);
        }
        all_terms(b);
        memcpy(y, b->x, b->dim * LANES * sizeof *y);
        b->t->type->rows.change_measure(b->t, x, y, LANES, measure);
        b->t->type->rows.change_measure(b->t, y, x, LANES, back);
        assert_memory_equal(measure, back, sizeof back);
        for (size_t i = 0; i < LANES * b->rows; i++) {
            size_t r = i % b->rows, l = i / b->rows;
            double most = (double)bounds->of[r].width * measure[l];
            double change = fabs(b->term[i] - term[i]);
            out += change <= most + 1e-15 * fabs(term[i]) ? 0 : 1;
            b->slack[r] = fmin(b->slack[r], 1 - change / most);
        }
    }
    return out;
}

/* Returns the largest unused fraction among the tighter half of the bounds. */
static double left_in_half(const bench *b, const double *slack)
{
    size_t sharp = 0;
    double at = 0;
    for (; sharp * 2 < b->rows; at += 1e-3) {
        sharp = 0;
        for (size_t r = 0; r < b->rows; r++)
            sharp += slack[r] <= at;
    }
    return at;
}

static void terms_are_within_their_bounds(void **state)
{
    (void)state;
    for (size_t k = 0; k < TALLS; k++) {
        bench b = bench_of(&talls[k]);
        const cs_row_bounds *range = cs_row_bounds_of(b.t, CS_ROW_RANGE),
                            *change = cs_row_bounds_of(b.t, CS_ROW_CHANGE);
        if (range) {
            assert_int_equal(out_of_range(&b, range), 0);
            assert_true(left_in_half(&b, b.slack) <= talls[k].near);
            assert_true(left_in_half(&b, b.scratch) <= talls[k].near);
        }
        assert_non_null(change);
        assert_int_equal(out_of_change(&b, change), 0);
        assert_true(left_in_half(&b, b.slack) <= 3 * talls[k].near);
        bench_end(&b);
    }
}

/* Detects bounds that are 10 % too tight, and a bound that is wrong for one
 * row. */
static void tighter_bounds_are_found_out(void **state)
{
    (void)state;
    for (size_t k = 0; k < TALLS; k++) {
        bench b = bench_of(&talls[k]);
        cs_row_bounds *range = b.t->bounds[0], *change = b.t->bounds[1];
        bool sharp = talls[k].near < 1;
        for (size_t r = 0; range && r < b.rows; r++)
            range->of[r].width *= 0.9f;
        assert_true(!sharp || !range || out_of_range(&b, range) > 0);
        for (size_t r = 0; range && r < b.rows; r++)
            range->of[r].low += range->of[r].width * 0.11f;
        assert_true(!sharp || !range || out_of_range(&b, range) > 0);
        change->of[b.rows / 2].width *= 0.5f;
        assert_true(!sharp || out_of_change(&b, change) > 0);
        bench_end(&b);
    }
}

/* Compares two bounds with values computed by hand: the bound of a row in the
 * paper, and the tighter bound per coordinate. */
static void bounds_of_the_paper(void **state)
{
    (void)state;
    static const double y[3] = {0.5, -4, 2}, s[3] = {1, 0.5, 0.25};
    cs_value given[] = {{.name = "table",
                         .kind = CS_PARAM_ARRAY,
                         .array = y,
                         .rows = 1,
                         .cols = 3},
                        {.name = "variances",
                         .kind = CS_PARAM_ARRAY,
                         .array = s,
                         .rows = 3,
                         .cols = 1},
                        {.name = "beta", .number = 0.1},
                        TEXT("bound", "eigenvalue")};
    /* width[1] is 0.05 * 4 * (3.5^2 + 7^2 + 5^2). The tighter bound, width[0],
     * is 0.05 (3.5^2 + 7^2 * 2 + 5^2 * 4), minus 0.05 * 1 * 2 for the other
     * limit. */
    static const double width[2] = {10.5125 - 0.1, 17.25};
    for (size_t k = 0; k < 2; k++) {
        cs_error err = {0};
        cs_target *t;
        assert_int_equal(cs_target_create(cs_target_find("truncated_gaussian"),
                                          given, 3 + k, &t, &err),
                         CS_OK);
        assert_int_equal(cs_row_bounds_make(t, CS_ROW_RANGE, &err), CS_OK);
        assert_near(t->bounds[0]->total, width[k], 1e-6, 0);
        assert_int_equal(cs_row_bounds_make(t, CS_ROW_CHANGE, &err), CS_OK);
        assert_near(t->bounds[1]->total, 0.1 * sqrt(210.25), 1e-6, 0);
        cs_target_release(t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(draws_are_in_proportion_to_widths),
    cmocka_unit_test(draws_at_the_edges),
    cmocka_unit_test(bounds_are_rounded_outwards),
    cmocka_unit_test(bad_bounds_are_refused),
    cmocka_unit_test(bounds_without_memory),
    cmocka_unit_test(terms_are_within_their_bounds),
    cmocka_unit_test(tighter_bounds_are_found_out),
    cmocka_unit_test(bounds_of_the_paper),
};
TESTS(test_row_bounds)
