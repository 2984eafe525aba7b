/* Tests the enclosures (intervals that contain all values) of every operation
 * and of random expressions. Every value computed at a point of the input
 * intervals must be in the enclosure. The enclosure of a monotone function must
 * be given by the values of the function at the ends. */
#include "support/support.h"

#include "base/memory.h"
#include "expr/enclose.h"
#include "rng/stream.h"
#include "tape/program.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = 8, INTERVALS = 1250, DIM = 6 };

/* Returns uniform number `b` of series a, on (0, 1). */
static double uniform(uint64_t a, uint64_t b)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){a, b}, (const uint64_t[]){3, 9},
                    word);
    return ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
}

/* Returns an interval with ordinary, very large or very small limits; some
 * intervals contain a single number. */
static cs_interval any_interval(uint64_t a, uint64_t b, bool positive)
{
    double power = b % 5 ? floor(4 * uniform(a, 8 * b)) - 1
                         : 600 * uniform(a, 8 * b) - 300;
    double scale = pow(10, power);
    double u = (uniform(a, 8 * b + 1) - (positive ? 0 : 0.5)) * 2 * scale;
    double w = uniform(a, 8 * b + 2) < 0.1 ? 0 : uniform(a, 8 * b + 3) * scale;
    return (cs_interval){u, u + w};
}

static double inside(cs_interval v, double u)
{
    double x = v.low + (v.high - v.low) * u;
    return u < 0.1 ? v.low : u > 0.9 ? v.high : fmin(fmax(x, v.low), v.high);
}

/* Returns true for arguments that should be positive. With arguments of any
 * sign, most trials would take logarithms of negative numbers. */
static bool wants_positive(cs_op op, int argument)
{
    switch (op) {
    case CS_OP_POW:
    case CS_OP_LOG_RISING:
    case CS_OP_DIGAMMA_RISING:
        return argument == 0;
    case CS_OP_POLYGAMMA:
        return true;
    case CS_OP_SQRT:
    case CS_OP_LOG:
    case CS_OP_LGAMMA:
    case CS_OP_DIGAMMA:
    case CS_OP_TRIGAMMA:
        return true;
    default:
        return false;
    }
}

static cs_program *program_of(cs_op op)
{
    cs_graph *g;
    cs_program *p;
    cs_error err = {0};
    assert_int_equal(cs_graph_create(3, 100, &g, &err), CS_OK);
    cs_node x = cs_graph_input(g), v[3];
    for (size_t i = 0; i < 3; i++)
        v[i] = cs_graph_slice(g, x, i, 1);
    cs_node y = cs_ops[op].arity == 1   ? cs_graph_op1(g, op, v[0])
                : cs_ops[op].arity == 2 ? cs_graph_op2(g, op, v[0], v[1])
                                        : cs_graph_op3(g, op, v[0], v[1], v[2]);
    assert_int_equal(cs_program_compile(g, &y, 1, &p, &err), CS_OK);
    cs_graph_destroy(g);
    return p;
}

/* Returns true if y contains v. A NaN is accepted only if y reports that NaN is
 * possible. */
static bool agrees(cs_interval y, double v)
{
    return cs_interval_is_nowhere(y) || (y.low <= v && v <= y.high);
}

static void check_op(cs_op op, size_t *known)
{
    _Alignas(CS_ALIGN) double x[3 * LANES], scratch[64 * LANES];
    cs_program *p = program_of(op);
    assert_true(p->slots <= 64);
    for (uint64_t k = 0; k < INTERVALS; k++) {
        cs_interval a[3];
        for (int i = 0; i < 3; i++)
            a[i] = any_interval((uint64_t)op * 4 + (uint64_t)i, k,
                                wants_positive(op, i));
        if (op == CS_OP_POLYGAMMA || (op == CS_OP_POW && k % 2))
            a[op == CS_OP_POW] = cs_interval_of(
                op == CS_OP_POW ? (double)(k % 13) - 6 : (double)(k % 5));
        cs_interval y = cs_interval_op(op, a[0], a[1], a[2]);
        for (size_t l = 0; l < LANES; l++)
            for (size_t i = 0; i < 3; i++)
                x[i * LANES + l] = inside(a[i], uniform(900 + i, 8 * k + l));
        cs_program_run(p, x, LANES, scratch);
        for (size_t l = 0; l < LANES; l++) {
            double v = scratch[p->root[0] * LANES + l];
            if (!agrees(y, v))
                fail_msg("%s at %.17g, %.17g, %.17g is %.17g, not from %.17g "
                         "to %.17g",
                         cs_ops[op].text, x[l], x[LANES + l], x[2 * LANES + l],
                         v, y.low, y.high);
        }
        *known += !cs_interval_is_nowhere(y);
    }
    cs_program_destroy(p);
}

static void operations(void **state)
{
    (void)state;
    for (cs_op op = CS_OP_ADD; op < CS_OP_COUNT; op++) {
        size_t known = 0;
        if (cs_ops[op].class != CS_OP_MAP)
            continue;
        check_op(op, &known);
        if (known < INTERVALS / 5) /* an unlimited enclosure would always be
                                    * correct */
            fail_msg("%s: %zu of %d are known", cs_ops[op].text, known,
                     INTERVALS);
    }
}

/* Enclosures are tight: values reach the ends of their enclosure up to
 * rounding. */
static void ends_are_sharp(void **state)
{
    (void)state;
    static const cs_op ops[] = {CS_OP_SQRT,    CS_OP_EXP,  CS_OP_LOG,
                                CS_OP_SIGMOID, CS_OP_TANH, CS_OP_LGAMMA,
                                CS_OP_COS,     CS_OP_ABS};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (uint64_t k = 0; k < 200; k++) {
            cs_interval a = any_interval(7000 + i, 5 * k + 1, true);
            cs_interval y = cs_interval_op(ops[i], a, a, a);
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int j = 0; j <= 2000; j++) {
                double v = cs_op_value(
                    ops[i], a.low + (a.high - a.low) * j / 2000, 0, 0);
                low = fmin(low, v);
                high = fmax(high, v);
            }
            double wide = high - low + 1e-9 * (1 + fabs(low) + fabs(high));
            assert_true(y.low > low - 0.01 * wide - 1e-9);
            assert_true(y.high < high + 0.01 * wide + 1e-9);
        }
}

/* ---- random expressions -------------------------------------------------- */

static size_t below(uint64_t a, uint64_t *b, size_t n)
{
    return (size_t)(uniform(a, (*b)++) * (double)n);
}

/* Adds a random operation on existing nodes to the graph. */
static cs_node grow(cs_graph *g, uint64_t seed, uint64_t *at,
                    const cs_node *node, size_t n)
{
    static const cs_op maps[] = {
        CS_OP_ADD, CS_OP_SUB, CS_OP_MUL, CS_OP_DIV, CS_OP_MAX,        CS_OP_MIN,
        CS_OP_LT,  CS_OP_LE,  CS_OP_EQ,  CS_OP_POW, CS_OP_LOG_ADD_EXP};
    static const cs_op ones[] = {CS_OP_SQRT,      CS_OP_ABS,  CS_OP_SIGN,
                                 CS_OP_EXP,       CS_OP_LOG,  CS_OP_SIN,
                                 CS_OP_TANH,      CS_OP_ERF,  CS_OP_LGAMMA,
                                 CS_OP_SIGMOID,   CS_OP_ATAN, CS_OP_SOFTPLUS,
                                 CS_OP_NORMAL_CDF};
    static const cs_op many[] = {CS_OP_SUM, CS_OP_LOG_SUM_EXP, CS_OP_LARGEST,
                                 CS_OP_NORM};
    cs_node a = node[below(seed, at, n)], b = node[below(seed, at, n)];
    cs_node c = node[below(seed, at, n)];
    size_t size = cs_graph_size(g, a);
    switch (below(seed, at, 8)) {
    case 0:
        return cs_graph_op1(g, ones[below(seed, at, 13)], a);
    case 1:
        return cs_graph_op1(g, many[below(seed, at, 4)], a);
    case 2:
        return cs_graph_slice(g, a, below(seed, at, size), 1);
    case 3:
        return cs_graph_op2(g, CS_OP_MUL, a, a);
    case 4:
        if (cs_graph_size(g, b) != cs_graph_size(g, c))
            return a;
        return cs_graph_op3(
            g, CS_OP_WHERE,
            cs_graph_op1(g, CS_OP_SUM, cs_graph_op2(g, CS_OP_LT, a, a)), b, c);
    case 5:
        return cs_graph_cumulate(g, a, below(seed, at, 2));
    default:
        if (size > 1 && cs_graph_size(g, b) > 1 && size != cs_graph_size(g, b))
            return a;
        return cs_graph_op2(g, maps[below(seed, at, 11)], a, b);
    }
}

static void check_graph(uint64_t seed, size_t *known)
{
    enum { NODES = 24 };
    cs_graph *g;
    cs_program *p;
    cs_enclosure e;
    cs_error err = {0};
    uint64_t at = 0;
    assert_int_equal(cs_graph_create(DIM, 10000, &g, &err), CS_OK);
    cs_node node[NODES] = {cs_graph_input(g), cs_graph_number(g, 0.75)};
    double table[] = {1, -2, 0.5, 3, 0.1, -1};
    node[2] =
        cs_graph_product(g, table, 2, 3, cs_graph_slice(g, node[0], 1, 3));
    for (size_t i = 3; i < NODES; i++)
        node[i] = grow(g, seed, &at, node, i);
    assert_int_equal(g->status, CS_OK);
    assert_int_equal(cs_program_compile(g, node, NODES, &p, &err), CS_OK);
    assert_true(cs_enclosure_create(g, &e));
    cs_interval *x = cs_enclosure_of(&e, cs_graph_input(g));
    for (size_t i = 0; i < DIM; i++)
        x[i] = any_interval(seed, 500 + i, false);
    for (cs_node n = 1; n < g->n_nodes; n++)
        cs_enclosure_run(&e, n);
    double *v = cs_alloc((p->slots + DIM) * LANES, sizeof *v);
    assert_non_null(v);
    double *point = v + p->slots * LANES;
    for (size_t i = 0; i < DIM * LANES; i++)
        point[i] = inside(x[i / LANES], uniform(seed, 9000 + i));
    cs_program_run(p, point, LANES, v);
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < cs_graph_size(g, node[i]); j++) {
            cs_interval y = cs_enclosure_of(&e, node[i])[j];
            for (size_t l = 0; l < LANES; l++)
                if (!agrees(y, v[(p->root[i] + j) * LANES + l]))
                    fail_msg("graph %zu, node %zu (%s): %.17g is not from "
                             "%.17g to %.17g",
                             (size_t)seed, i,
                             cs_ops[cs_graph_at(g, node[i])->op].text,
                             v[(p->root[i] + j) * LANES + l], y.low, y.high);
            *known += !cs_interval_is_nowhere(y);
        }
    cs_free(v);
    cs_enclosure_free(&e);
    cs_program_destroy(p);
    cs_graph_destroy(g);
}

static void expressions(void **state)
{
    (void)state;
    size_t known = 0;
    for (uint64_t seed = 1; seed <= INTERVALS; seed++)
        check_graph(seed, &known);
    assert_true(known > 20 * INTERVALS);
}

/* An operation on an unknown enclosure gives an unknown enclosure. */
static void doubts_stay(void **state)
{
    (void)state;
    cs_interval over = {-1, 1}, one = {1, 1}, up = {0, HUGE_VAL};
    cs_interval y = cs_interval_op(CS_OP_DIV, one, over, one);
    assert_true(cs_interval_is_nowhere(y));
    static const cs_op ops[] = {CS_OP_MAX, CS_OP_MIN, CS_OP_ADD, CS_OP_MUL,
                                CS_OP_LOG_ADD_EXP};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        assert_true(
            cs_interval_is_nowhere(cs_interval_op(ops[i], y, one, one)));
        assert_true(
            cs_interval_is_nowhere(cs_interval_op(ops[i], one, y, one)));
    }
    cs_interval list[] = {one, y, one};
    for (cs_op op = CS_OP_SUM; op <= CS_OP_NORM; op++)
        assert_true(cs_interval_is_nowhere(cs_interval_reduce(op, list, 3)));
    assert_true(cs_interval_is_nowhere(cs_interval_op(CS_OP_SUB, up, up, one)));
    assert_true(cs_interval_is_nowhere(
        cs_interval_op(CS_OP_MUL, up, (cs_interval){0, 0}, one)));
    assert_true(cs_interval_is_nowhere(
        cs_interval_op(CS_OP_WHERE, (cs_interval){0, 1}, y, one)));
    cs_interval chosen = cs_interval_op(CS_OP_WHERE, one, one, y);
    assert_true(chosen.low == 1 && chosen.high == 1);
    cs_interval either = cs_interval_op(CS_OP_LT, y, one, one);
    assert_true(either.low == 0 && either.high == 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(operations),
    cmocka_unit_test(ends_are_sharp),
    cmocka_unit_test(expressions),
    cmocka_unit_test(doubts_stay),
};
TESTS_WITH(test_enclose, gsl_errors_off, NULL)
