/* Tests bounds on the terms of a traced sum over rows. The bounds hold at
 * random points of a ball and of a box. If a term depends on the state only
 * through a single number, its bounds are tight. Terms with a pole or a jump
 * are rejected. */
#include "support/support.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "tape/term_target.h"
#include "target/eval.h"
#include "target/row_bounds.h"

#include <math.h>
#include <string.h>

enum { DIM = 3, WIDTH = DIM + 1, ROWS = 40, LANES = 8, ROUNDS = 32 };

static const double nu = 4;

static double table[ROWS * WIDTH];

/* Returns number `b` of the series a, in (-1, 1). */
static double number(uint64_t a, uint64_t b)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){a, b}, (const uint64_t[]){8, 1},
                    word);
    return (double)(word[0] >> 11) * 0x1p-52 - 1;
}

static int fill_table(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROWS; r++)
        for (size_t j = 0; j < WIDTH; j++)
            table[r * WIDTH + j] = j < DIM ? 2 * number(r, j) : (double)(r % 2);
    return 0;
}

static cs_node op2(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    return cs_graph_op2(g, op, a, b);
}

static cs_node op1(cs_graph *g, cs_op op, cs_node a)
{
    return cs_graph_op1(g, op, a);
}

static cs_node k(cs_graph *g, double v)
{
    return cs_graph_number(g, v);
}

static cs_node element(cs_graph *g, cs_node v, size_t i)
{
    return cs_graph_slice(g, v, i, 1);
}

/* ---- terms of the state x and of a row with the numbers z[DIM] and y ------- */

typedef cs_node (*term_function)(cs_graph *g, cs_node x, cs_node row);

static cs_node predictor(cs_graph *g, cs_node x, cs_node row)
{
    return op1(g, CS_OP_SUM,
               op2(g, CS_OP_MUL, x, cs_graph_slice(g, row, 0, DIM)));
}

static cs_node logistic(cs_graph *g, cs_node x, cs_node row)
{
    cs_node e = predictor(g, x, row);
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, element(g, row, DIM), e),
               op1(g, CS_OP_SOFTPLUS, e));
}

/* A Student's t term, whose residual is computed in a loop. */
static cs_node robust(cs_graph *g, cs_node x, cs_node row)
{
    cs_node r = element(g, row, DIM);
    for (size_t i = 0; i < DIM; i++)
        r = op2(g, CS_OP_SUB, r,
                op2(g, CS_OP_MUL, element(g, x, i), element(g, row, i)));
    cs_node share = op2(g, CS_OP_DIV, op2(g, CS_OP_MUL, r, r), k(g, nu));
    return op2(g, CS_OP_MUL, k(g, -0.5 * (nu + 1)), op1(g, CS_OP_LOG1P, share));
}

static cs_node poisson(cs_graph *g, cs_node x, cs_node row)
{
    cs_node e = predictor(g, x, row);
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, element(g, row, DIM), e),
               op1(g, CS_OP_EXP, e));
}

/* A normal term with unknown deviation, which depends on the state through more
 * than one number. */
static cs_node normal(cs_graph *g, cs_node x, cs_node row)
{
    cs_node s = op1(g, CS_OP_EXP, element(g, x, 1));
    cs_node z =
        op2(g, CS_OP_DIV,
            op2(g, CS_OP_SUB, element(g, row, DIM), element(g, x, 0)), s);
    return op2(g, CS_OP_SUB,
               op2(g, CS_OP_MUL, k(g, -0.5), op2(g, CS_OP_MUL, z, z)),
               op1(g, CS_OP_LOG, s));
}

/* A term for a mixture of two normals. */
static cs_node mixture(cs_graph *g, cs_node x, cs_node row)
{
    cs_node y = element(g, row, 0), part[2];
    for (size_t i = 0; i < 2; i++) {
        cs_node z = op2(g, CS_OP_SUB, y, element(g, x, i));
        part[i] = op2(g, CS_OP_MUL, k(g, -0.5), op2(g, CS_OP_MUL, z, z));
    }
    return op2(g, CS_OP_LOG_ADD_EXP, part[0], part[1]);
}

/* A hinge, whose slope jumps but whose value does not. */
static cs_node hinge(cs_graph *g, cs_node x, cs_node row)
{
    cs_node e = predictor(g, x, row);
    cs_node gap = op2(g, CS_OP_SUB, k(g, 1), op1(g, CS_OP_ABS, e));
    return op2(g, CS_OP_MAX, k(g, 0), gap);
}

/* The softmax probability of one of three classes. */
static cs_node classes(cs_graph *g, cs_node x, cs_node row)
{
    cs_node e = op2(g, CS_OP_MUL, x, cs_graph_slice(g, row, 0, DIM));
    return op2(g, CS_OP_SUB, element(g, e, 1), op1(g, CS_OP_LOG_SUM_EXP, e));
}

static cs_node row_only(cs_graph *g, cs_node x, cs_node row)
{
    (void)x;
    return op1(g, CS_OP_EXP, element(g, row, 0));
}

static cs_node state_only(cs_graph *g, cs_node x, cs_node row)
{
    (void)row;
    return op1(g, CS_OP_TANH, op1(g, CS_OP_SUM, op2(g, CS_OP_MUL, x, x)));
}

/* A term that is undefined at states far below the region. */
static cs_node half_open(cs_graph *g, cs_node x, cs_node row)
{
    cs_node up = op2(g, CS_OP_ADD, element(g, x, 0), k(g, 3));
    return op2(g, CS_OP_MUL, op1(g, CS_OP_LOG, up), element(g, row, 0));
}

/* Three terms: with a jump, with a pole, and with a pole that another function
 * would hide. */
static cs_node jump(cs_graph *g, cs_node x, cs_node row)
{
    return op2(g, CS_OP_LT, k(g, 0), predictor(g, x, row));
}

static cs_node pole(cs_graph *g, cs_node x, cs_node row)
{
    return op2(g, CS_OP_DIV, k(g, 1), predictor(g, x, row));
}

static cs_node hidden_pole(cs_graph *g, cs_node x, cs_node row)
{
    return op1(g, CS_OP_SIGN, pole(g, x, row));
}

/* ---- targets ------------------------------------------------------------- */

static cs_region region_of(bool ball)
{
    cs_region r;
    assert_true(cs_region_create(DIM, &r));
    r.radius = ball ? 1.5 : HUGE_VAL;
    for (size_t i = 0; i < DIM && !ball; i++) {
        r.low[i] = -1 + 0.5 * (double)i;
        r.high[i] = r.low[i] + 2;
    }
    return r;
}

static cs_target *target_of(term_function f, const cs_region *r,
                            const cs_graph *prior, cs_node logp)
{
    cs_graph *g;
    cs_target *t;
    cs_strided column[WIDTH];
    cs_error err = {0};
    assert_int_equal(cs_graph_create(DIM + WIDTH, 10000, &g, &err), CS_OK);
    for (size_t j = 0; j < WIDTH; j++)
        column[j] = (cs_strided){table + j, WIDTH};
    cs_node all = cs_graph_input(g);
    cs_term_model m = {.dim = DIM,
                       .prior = prior,
                       .prior_logp = logp,
                       .region = r,
                       .term = g,
                       .term_logp = f(g, cs_graph_slice(g, all, 0, DIM),
                                      cs_graph_slice(g, all, DIM, WIDTH)),
                       .rows = ROWS,
                       .width = WIDTH,
                       .column = column};
    if (cs_term_target_create(
            &m, &(cs_space){.kind = CS_CONTINUOUS, .dim = DIM}, &t, &err))
        fail_msg("%s", err.what);
    cs_graph_destroy(g);
    return t;
}

/* The bounds of a target's terms, and the values of all these terms at random
 * points. */
typedef struct trial {
    double low[ROWS], high[ROWS], change[ROWS];
    double least[ROWS], most[ROWS], steepest[ROWS]; /* found at the points */
    double x[DIM * LANES], distance[LANES];
    double term[ROWS * LANES];
} trial;

/* Chooses points of the region, often on its border. */
static void choose_points(const cs_region *r, uint64_t seed, double *x)
{
    for (size_t l = 0; l < LANES; l++) {
        double point[DIM], wide = number(seed, 99 + l) > 0 ? 100 : 2;
        for (size_t i = 0; i < DIM; i++)
            point[i] = wide * number(seed, 10 * l + i);
        cs_region_squeeze(r, point);
        for (size_t i = 0; i < DIM; i++)
            x[i * LANES + l] = point[i];
    }
}

static void take_terms(trial *k)
{
    for (size_t r = 0; r < ROWS; r++)
        for (size_t l = 0; l < LANES; l++) {
            double v = k->term[l * ROWS + r], u = k->term[r];
            k->least[r] = fmin(k->least[r], v);
            k->most[r] = fmax(k->most[r], v);
            if (k->distance[l] > 1e-3)
                k->steepest[r] =
                    fmax(k->steepest[r], fabs(v - u) / k->distance[l]);
        }
}

static void try_points(const cs_target *t, const cs_region *r, trial *k)
{
    uint32_t row[ROWS * LANES];
    size_t first[LANES + 1];
    cs_eval e;
    double *scratch =
        cs_alloc(cs_eval_scratch_words(t) * LANES, sizeof *scratch);
    assert_non_null(scratch);
    for (size_t i = 0; i < ROWS * LANES; i++)
        row[i] = (uint32_t)(i % ROWS);
    for (size_t l = 0; l <= LANES; l++)
        first[l] = l * ROWS;
    for (size_t i = 0; i < ROWS; i++)
        k->least[i] = -(k->most[i] = -HUGE_VAL), k->steepest[i] = 0;
    cs_eval_open(&e, t, LANES, LANES, NULL, scratch);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        _Alignas(CS_ALIGN) double x[DIM * LANES], y[DIM * LANES], m[LANES];
        choose_points(r, round, x);
        for (size_t i = 0; i < DIM * LANES; i++)
            y[i] = x[i / LANES * LANES];
        t->type->rows.change_measure(t, x, y, LANES, m);
        memcpy(k->distance, m, sizeof m);
        cs_eval_terms(&e, x, &(cs_batch){.row = row, .first = first}, k->term);
        take_terms(k);
    }
    cs_free(scratch);
}

static void find(const cs_target *t, trial *k)
{
    cs_error err = {0};
    assert_int_equal(t->row_bounds, CS_ROW_RANGE | CS_ROW_CHANGE);
    if (t->type->rows.range(t, k->low, k->high, &err) ||
        t->type->rows.change(t, k->change, &err))
        fail_msg("%s", err.what);
}

/* Checks that the bounds hold, and that they are not much wider than the ranges
 * of the values and slopes at the points. */
static void check_term(term_function f, double loose)
{
    static trial k;
    for (int ball = 0; ball < 2; ball++) {
        cs_region r = region_of(ball);
        cs_target *t = target_of(f, &r, NULL, 0);
        find(t, &k);
        try_points(t, &r, &k);
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(k.low[i] <= k.least[i] && k.most[i] <= k.high[i]);
            assert_true(k.steepest[i] <= k.change[i]);
            assert_true(k.high[i] - k.low[i] <=
                        loose * (k.most[i] - k.least[i]) + 1e-9);
            if (!(k.change[i] <= loose * k.steepest[i] + 1e-9))
                fail_msg("row %zu: %g is much more than %g", i, k.change[i],
                         k.steepest[i]);
        }
        cs_target_release(t);
        cs_region_free(&r);
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    check_term(logistic, 2.5);
    check_term(robust, 2.5);
    check_term(poisson, 8);
    check_term(hinge, 5);
    check_term(normal, 400);
    check_term(mixture, 8);
    check_term(classes, 30);
    check_term(row_only, 1);
    check_term(state_only, 15);
}

/* If a term depends on the state only through a linear predictor, it is a
 * function of a single number. Its bounds are then tight. */
static void necks_are_sharp(void **state)
{
    (void)state;
    static trial k;
    cs_region r = region_of(true);
    cs_target *t = target_of(logistic, &r, NULL, 0);
    find(t, &k);
    for (size_t i = 0; i < ROWS; i++) {
        const double *row = table + i * WIDTH;
        double length =
            sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
        double e = 1.5 * length;
        assert_near(k.low[i], -log1p(exp(e)), 1e-8, 1e-8);
        assert_near(k.high[i], -log1p(exp(-e)), 1e-9, 1e-9);
        assert_near(k.change[i], length / (1 + exp(-e)), 1e-9, 1e-9);
    }
    cs_target_release(t);
    t = target_of(robust, &r, NULL, 0);
    find(t, &k);
    for (size_t i = 0; i < ROWS; i++) {
        const double *row = table + i * WIDTH;
        double length =
            sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
        double far = row[DIM] + 1.5 * length, near = 1.5 * length - row[DIM];
        double steep = far >= sqrt(nu) || near >= sqrt(nu)
                           ? 0.5 / sqrt(nu)
                           : far / (nu + far * far);
        assert_near(k.low[i], -0.5 * (nu + 1) * log1p(far * far / nu), 1e-9,
                    1e-9);
        assert_true(k.high[i] <= 1e-3 || near < 0);
        assert_near(k.change[i], (nu + 1) * steep * length, 1e-2, 1e-9);
    }
    cs_target_release(t);
    cs_region_free(&r);
}

static void expect_refusal(term_function f, bool range, const char *why)
{
    static trial k;
    cs_error err = {0};
    cs_region r = region_of(true);
    cs_target *t = target_of(f, &r, NULL, 0);
    cs_status s = range ? t->type->rows.range(t, k.low, k.high, &err)
                        : t->type->rows.change(t, k.change, &err);
    assert_int_equal(s, CS_UNSUPPORTED);
    if (!strstr(err.what, why))
        fail_msg("%s", err.what);
    cs_target_release(t);
    cs_region_free(&r);
}

static void poles_and_jumps(void **state)
{
    (void)state;
    static trial k;
    cs_error err = {0};
    expect_refusal(jump, false, "may be discontinuous");
    expect_refusal(pole, true, "row 1: ");
    expect_refusal(pole, false, "row 1: ");
    expect_refusal(hidden_pole, true, "infinite or undefined");
    cs_region r = region_of(true);
    cs_target *t = target_of(jump, &r, NULL, 0);
    assert_int_equal(t->type->rows.range(t, k.low, k.high, &err), CS_OK);
    assert_near(k.low[0], 0, 0, 1e-9);
    assert_near(k.high[0], 1, 0, 1e-9);
    cs_target_release(t);
    cs_region_free(&r);
}

/* ---- the region in which a prior is finite ------------------------------- */

typedef cs_node (*condition)(cs_graph *g, cs_node x);

static cs_node in_ball(cs_graph *g, cs_node x)
{
    return op2(g, CS_OP_LE, op1(g, CS_OP_SUM, op2(g, CS_OP_MUL, x, x)),
               k(g, 2.25));
}

static cs_node by_norm(cs_graph *g, cs_node x)
{
    return op2(g, CS_OP_LT, op1(g, CS_OP_NORM, x), k(g, 1.5));
}

static cs_node by_sides(cs_graph *g, cs_node x)
{
    cs_node all = k(g, 1);
    for (size_t i = 0; i < DIM; i++) {
        cs_node v = element(g, x, i);
        cs_node from = op2(g, CS_OP_LE, k(g, -1 + 0.5 * (double)i), v);
        cs_node to =
            op2(g, CS_OP_LE,
                op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, k(g, 2), v), k(g, 1)),
                k(g, 1 + (double)i));
        all = op2(g, CS_OP_MUL, all, op2(g, CS_OP_MUL, from, to));
    }
    return all;
}

/* Checks bounds that are computed from a region that the prior declares. They
 * must equal the bounds for this region given directly. */
static void check_support(condition f, bool ball)
{
    static trial given, read;
    cs_graph *g;
    cs_error err = {0};
    assert_int_equal(cs_graph_create(DIM, 1000, &g, &err), CS_OK);
    cs_node x = cs_graph_input(g);
    cs_node smooth = op2(g, CS_OP_MUL, k(g, -0.5),
                         op1(g, CS_OP_SUM, op2(g, CS_OP_MUL, x, x)));
    cs_node logp =
        op2(g, CS_OP_ADD, smooth,
            cs_graph_op3(g, CS_OP_WHERE, f(g, x), k(g, 0), k(g, -HUGE_VAL)));
    cs_region r = region_of(ball);
    cs_target *a = target_of(logistic, &r, NULL, 0);
    cs_target *b = target_of(logistic, NULL, g, logp);
    find(a, &given);
    find(b, &read);
    for (size_t i = 0; i < ROWS; i++) {
        assert_near(given.low[i], read.low[i], 1e-9, 1e-9);
        assert_near(given.high[i], read.high[i], 1e-9, 1e-9);
        assert_near(given.change[i], read.change[i], 1e-9, 1e-9);
        assert_true(read.low[i] <= given.low[i] + 1e-13);
    }
    cs_target_release(a);
    cs_target_release(b);
    cs_region_free(&r);
    cs_graph_destroy(g);
}

static void supports_are_read(void **state)
{
    (void)state;
    check_support(in_ball, true);
    check_support(by_norm, true);
    check_support(by_sides, false);
}

/* Without a region, the slope of a logistic term is bounded, but its range is
 * not. */
static void all_states(void **state)
{
    (void)state;
    cs_error err = {0};
    cs_target *t = target_of(logistic, NULL, NULL, 0);
    assert_int_equal(t->row_bounds, CS_ROW_CHANGE);
    assert_int_equal(cs_row_bounds_make(t, CS_ROW_CHANGE, &err), CS_OK);
    assert_int_equal(cs_row_bounds_make(t, CS_ROW_RANGE, &err), CS_UNSUPPORTED);
    cs_target_release(t);
}

/* Outside the region the prior, and hence log p, is -infinity. Inside the
 * region, log p is the same as without a region. */
static void regions_are_priors(void **state)
{
    (void)state;
    for (int ball = 0; ball < 2; ball++) {
        cs_region r = region_of(ball);
        cs_target *t = target_of(half_open, &r, NULL, 0);
        cs_target *free = target_of(half_open, NULL, NULL, 0);
        cs_eval e, f;
        size_t words = cs_eval_scratch_words(t) + cs_eval_scratch_words(free);
        double *scratch = cs_alloc(words * LANES, sizeof *scratch);
        assert_non_null(scratch);
        _Alignas(CS_ALIGN) double x[DIM * LANES], g[DIM * LANES];
        _Alignas(CS_ALIGN) double h[DIM * LANES], logp[LANES], other[LANES];
        cs_eval_open(&e, t, LANES, LANES, NULL, scratch);
        cs_eval_open(&f, free, LANES, LANES, NULL,
                     scratch + cs_eval_scratch_words(t) * LANES);
        for (size_t i = 0; i < DIM * LANES; i++)
            x[i] = 3 * number(77, i);
        x[0] = -1e6; /* the terms are undefined here */
        cs_eval_log_density(&f, CS_NEXT, x, other);
        cs_eval_gradient(&f, CS_NEXT, x, other, h);
        for (int way = 0; way < 2; way++) {
            if (way)
                cs_eval_gradient(&e, CS_NEXT, x, logp, g);
            else
                cs_eval_log_density(&e, CS_NEXT, x, logp);
            for (size_t l = 0; l < LANES; l++) {
                double point[DIM];
                for (size_t i = 0; i < DIM; i++)
                    point[i] = x[i * LANES + l];
                if (!cs_region_contains(&r, point))
                    assert_true(logp[l] == -HUGE_VAL);
                else
                    assert_near(logp[l], other[l], 1e-12, 1e-12);
            }
        }
        for (size_t k = 0; k < 20; k++) {
            double u[DIM], point[DIM];
            for (size_t i = 0; i < DIM; i++)
                u[i] = 0.5 + 0.5 * number(k, 55 + i);
            cs_target_start(t, u, point);
            assert_true(cs_region_contains(&r, point));
        }
        cs_free(scratch);
        cs_target_release(t);
        cs_target_release(free);
        cs_region_free(&r);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bounds_hold),     cmocka_unit_test(necks_are_sharp),
    cmocka_unit_test(poles_and_jumps), cmocka_unit_test(supports_are_read),
    cmocka_unit_test(all_states),      cmocka_unit_test(regions_are_priors),
};
TESTS_WITH(test_term_bounds, fill_table, NULL)
