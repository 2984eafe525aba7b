/* Compares sums over the rows of a table with sums of the same terms written
 * row by row as expressions. Compares values and gradients, for any rows and
 * any weights. */
#include "support/support.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "simd/simd.h"
#include "tape/expression_target.h"
#include "tape/term_target.h"
#include "target/eval.h"

#include <math.h>
#include <string.h>

enum {
    DIM = 5,
    X = 4,
    WIDTH = X + 2,
    MOST_ROWS = 1100,
    LANES = 24,
    NODES = 1 << 20
};

static const size_t sizes[] = {1, 7, 64, 301, MOST_ROWS};

/* Returns a number in (-1, 1). */
static double number(uint64_t a, uint64_t b)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){a, b}, (const uint64_t[]){5, 6},
                    word);
    return (double)(word[0] >> 11) * 0x1p-52 - 1;
}

static cs_node op2(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    return cs_graph_op2(g, op, a, b);
}

static cs_node k(cs_graph *g, double v)
{
    return cs_graph_number(g, v);
}

static cs_node dot(cs_graph *g, cs_node a, cs_node b)
{
    return cs_graph_op1(g, CS_OP_SUM, op2(g, CS_OP_MUL, a, b));
}

/* A term as a function of the state t and a row, which has the numbers x[X], a
 * count y, and z. */
typedef cs_node (*term_function)(cs_graph *g, cs_node t, cs_node row);

static cs_node element(cs_graph *g, cs_node v, size_t i)
{
    return cs_graph_slice(g, v, i, 1);
}

/* Returns y e - log(1 + exp e), where e = t_0 + t_1.. x. */
static cs_node logistic(cs_graph *g, cs_node t, cs_node row)
{
    cs_node e =
        op2(g, CS_OP_ADD, element(g, t, 0),
            dot(g, cs_graph_slice(g, t, 1, X), cs_graph_slice(g, row, 0, X)));
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, element(g, row, X), e),
               cs_graph_op1(g, CS_OP_SOFTPLUS, e));
}

/* A Poisson term with its factorial, computed element by element. */
static cs_node counts(cs_graph *g, cs_node t, cs_node row)
{
    cs_node y = element(g, row, X), e = element(g, row, X + 1);
    for (size_t i = 0; i < X; i++)
        e = op2(g, CS_OP_ADD, e,
                op2(g, CS_OP_MUL, element(g, t, i), element(g, row, i)));
    cs_node rest =
        op2(g, CS_OP_ADD, cs_graph_op1(g, CS_OP_EXP, e),
            cs_graph_op1(g, CS_OP_LGAMMA, op2(g, CS_OP_ADD, y, k(g, 1))));
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, y, e), rest);
}

/* A normal term with unknown deviation. A part of its derivative is computed
 * once for all rows, and each row selects one of the values of this part. */
static cs_node normal(cs_graph *g, cs_node t, cs_node row)
{
    cs_node s = cs_graph_op1(g, CS_OP_EXP, element(g, t, 3));
    cs_node z =
        op2(g, CS_OP_DIV,
            op2(g, CS_OP_SUB, element(g, row, X + 1), element(g, t, 0)), s);
    cs_node logp = op2(g, CS_OP_SUB,
                       op2(g, CS_OP_MUL, k(g, -0.5), op2(g, CS_OP_MUL, z, z)),
                       cs_graph_op1(g, CS_OP_LOG, s));
    cs_node up = op2(g, CS_OP_LT, k(g, 0), element(g, row, 0));
    return cs_graph_op3(g, CS_OP_WHERE, up, logp,
                        op2(g, CS_OP_MUL, logp, element(g, t, 1)));
}

/* A mixture in which one vector comes from the row and one from the state. */
static cs_node mixed(cs_graph *g, cs_node t, cs_node row)
{
    cs_node x = cs_graph_slice(g, row, 0, X);
    cs_node part[] = {
        element(g, t, 0), element(g, row, X + 1), k(g, 0.25),
        cs_graph_op1(g, CS_OP_TANH, op2(g, CS_OP_MUL, x, element(g, t, 2)))};
    cs_node all = cs_graph_pack(g, part, 4);
    return op2(g, CS_OP_ADD, cs_graph_op1(g, CS_OP_LOG_SUM_EXP, all),
               cs_graph_op1(g, CS_OP_TANH, dot(g, x, x)));
}

/* Terms that depend only on the state, only on the row, or only on single
 * elements. */
static cs_node state_only(cs_graph *g, cs_node t, cs_node row)
{
    (void)row;
    return cs_graph_op1(g, CS_OP_EXP, element(g, t, 1));
}

static cs_node row_only(cs_graph *g, cs_node t, cs_node row)
{
    (void)t;
    return cs_graph_op1(g, CS_OP_EXP, element(g, row, X + 1));
}

static cs_node apart(cs_graph *g, cs_node t, cs_node row)
{
    return op2(g, CS_OP_ADD, state_only(g, t, row), row_only(g, t, row));
}

/* Elements of the state whose index is a column: two picks, one of which is
 * multiplied by another pick, and the whole state. */
static cs_node indexed(cs_graph *g, cs_node t, cs_node row)
{
    cs_node y = element(g, row, X), e = cs_graph_pick(g, t, y);
    cs_node other = cs_graph_pick(g, t, op2(g, CS_OP_SUB, k(g, 6), y));
    cs_node sum = op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, e, element(g, row, 0)),
                      op2(g, CS_OP_MUL, k(g, 0.5), other));
    cs_node z = op2(g, CS_OP_SUB, element(g, row, X + 1), sum);
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, z, op2(g, CS_OP_MUL, e, other)),
               cs_graph_op1(g, CS_OP_LOG_SUM_EXP, t));
}

/* Vectors of elements: derivatives that depend only on the row. */
static cs_node indexed_rows(cs_graph *g, cs_node t, cs_node row)
{
    static const double steps[] = {-1, 0, 1};
    cs_node by =
        op2(g, CS_OP_ADD, element(g, row, X), cs_graph_vector(g, steps, 3));
    cs_node x = cs_graph_op1(g, CS_OP_EXP, cs_graph_slice(g, row, 0, 3));
    return dot(g, x, cs_graph_pick(g, t, by));
}

static const term_function functions[] = {logistic, counts,  normal,
                                          mixed,    apart,   state_only,
                                          row_only, indexed, indexed_rows};

static double table[MOST_ROWS * WIDTH];

static int fill_table(void **state)
{
    (void)state;
    for (size_t r = 0; r < MOST_ROWS; r++)
        for (size_t j = 0; j < WIDTH; j++) {
            double v = number(r, j);
            table[r * WIDTH + j] = j == X ? floor(3 + 3 * v) : v;
        }
    return 0;
}

static cs_node prior_of(cs_graph *g, cs_node t)
{
    return op2(g, CS_OP_MUL, k(g, -0.3), dot(g, t, t));
}

static cs_target *by_terms(term_function f, size_t rows)
{
    cs_graph *prior, *term;
    cs_target *t;
    cs_strided column[WIDTH];
    cs_error err = {0};
    assert_int_equal(cs_graph_create(DIM, NODES, &prior, &err), CS_OK);
    assert_int_equal(cs_graph_create(DIM + WIDTH, NODES, &term, &err), CS_OK);
    for (size_t j = 0; j < WIDTH; j++)
        column[j] = (cs_strided){table + j, WIDTH};
    cs_node all = cs_graph_input(term);
    cs_term_model m = {.dim = DIM,
                       .prior = prior,
                       .prior_logp = prior_of(prior, cs_graph_input(prior)),
                       .term = term,
                       .term_logp = f(term, cs_graph_slice(term, all, 0, DIM),
                                      cs_graph_slice(term, all, DIM, WIDTH)),
                       .rows = rows,
                       .width = WIDTH,
                       .column = column};
    cs_status s = cs_term_target_create(
        &m, &(cs_space){.kind = CS_CONTINUOUS, .dim = DIM}, &t, &err);
    if (s)
        fail_msg("%s", err.what);
    cs_graph_destroy(prior);
    cs_graph_destroy(term);
    return t;
}

/* Returns a target with the sum of weight[i] * term(row[i]) written row by row;
 * with `prior` the prior is added. */
static cs_target *written_out(term_function f, const uint32_t *row,
                              const double *weight, size_t n, bool prior)
{
    cs_graph *g;
    cs_target *t;
    cs_error err = {0};
    assert_int_equal(cs_graph_create(DIM, NODES, &g, &err), CS_OK);
    cs_node x = cs_graph_input(g), logp = prior ? prior_of(g, x) : k(g, 0);
    for (size_t i = 0; i < n; i++) {
        cs_node r = cs_graph_vector(g, table + row[i] * WIDTH, WIDTH);
        logp = op2(g, CS_OP_ADD, logp,
                   op2(g, CS_OP_MUL, k(g, weight ? weight[i] : 1), f(g, x, r)));
    }
    assert_int_equal(
        cs_tape_target_create(
            g, logp, &(cs_space){.kind = CS_CONTINUOUS, .dim = DIM}, &t, &err),
        CS_OK);
    return t;
}

/* A block of a target; its lanes have different states. */
typedef struct block {
    cs_eval e;
    double *memory, *x, *logp, *g;
} block;

static block open_block(const cs_target *t, size_t lanes, size_t live)
{
    block b;
    size_t words = 2 * DIM + 1 + cs_eval_scratch_words(t);
    b.memory = cs_alloc(words * lanes, sizeof(double));
    assert_non_null(b.memory);
    b.x = b.memory;
    b.logp = b.x + DIM * lanes;
    b.g = b.logp + lanes;
    for (size_t d = 0; d < DIM; d++)
        for (size_t l = 0; l < lanes; l++)
            b.x[d * lanes + l] = number(1000 + d, l < live ? l : 0);
    cs_eval_open(&b.e, t, lanes, live, NULL, b.g + DIM * lanes);
    return b;
}

static void compare(const double *a, const double *b, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(b[i]));
    for (size_t i = 0; i < n; i++)
        assert_near(a[i], b[i], 1e-12 * size + 1e-13, 1e-12);
}

/* Checks that the gradient computed without log p has the same bits in all
 * lanes. */
static void compare_alone(block *b)
{
    _Alignas(CS_ALIGN) double alone[DIM * LANES];
    assert_true(cs_eval_gradient_alone(&b->e, b->x, alone));
    assert_memory_equal(alone, b->g, sizeof alone);
}

static void whole_data(void **state)
{
    (void)state;
    static uint32_t all[MOST_ROWS];
    for (uint32_t r = 0; r < MOST_ROWS; r++)
        all[r] = r;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            cs_target *t = by_terms(functions[f], sizes[s]);
            cs_target *w = written_out(functions[f], all, NULL, sizes[s], true);
            block a = open_block(t, LANES, 20), b = open_block(w, LANES, 20);
            cs_eval_log_density(&a.e, CS_NEXT, a.x, a.logp);
            cs_eval_log_density(&b.e, CS_NEXT, b.x, b.logp);
            compare(a.logp, b.logp, 20);
            cs_eval_gradient(&a.e, CS_NEXT, a.x, a.logp, a.g);
            cs_eval_gradient(&b.e, CS_NEXT, b.x, b.logp, b.g);
            compare(a.logp, b.logp, 20);
            compare(a.g, b.g, DIM * LANES);
            compare_alone(&a);
            compare_alone(&b);
            assert_int_equal(a.e.work.data_terms, 60 * sizes[s]);
            cs_free(a.memory);
            cs_free(b.memory);
            cs_target_release(t);
            cs_target_release(w);
        }
}

/* The bits of a chain do not depend on the other chains in its block. */
static void blocks_do_not_matter(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        cs_target *t = by_terms(functions[f], MOST_ROWS);
        block many = open_block(t, LANES, 20);
        cs_eval_gradient(&many.e, CS_NEXT, many.x, many.logp, many.g);
        block one = open_block(t, CS_PAD, 1);
        for (size_t l = 0; l < 20; l++) {
            for (size_t i = 0; i < DIM * CS_PAD; i++)
                one.x[i] = many.x[i / CS_PAD * LANES + l];
            cs_eval_gradient(&one.e, CS_NEXT, one.x, one.logp, one.g);
            assert_memory_equal(one.logp, many.logp + l, sizeof *one.logp);
            for (size_t d = 0; d < DIM; d++)
                assert_memory_equal(&one.g[d * CS_PAD], &many.g[d * LANES + l],
                                    sizeof *one.g);
        }
        cs_free(many.memory);
        cs_free(one.memory);
        cs_target_release(t);
    }
}

/* The batches of the lanes have one row, no row, and many rows, some of which
 * are repeated. */
enum { LIVE = 3 };
static const size_t first[LIVE + 1] = {0, 1, 1, 700};

static void any_rows(void **state)
{
    (void)state;
    uint32_t row[700];
    _Alignas(CS_ALIGN) double weight[700], logp[700];
    for (size_t i = 0; i < 700; i++) {
        row[i] = (uint32_t)((number(i, 77) + 1) / 2 * MOST_ROWS);
        weight[i] = number(i, 78) * 10;
    }
    row[9] = row[10];
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        cs_target *t = by_terms(functions[f], MOST_ROWS);
        assert_int_equal(t->n_rows, MOST_ROWS);
        block a = open_block(t, CS_PAD, LIVE);
        for (int weighted = 0; weighted < 2; weighted++) {
            cs_batch batch = {
                .row = row, .first = first, .weight = weighted ? weight : NULL};
            cs_eval_slope(&a.e, a.x, &batch, logp, a.g);
            _Alignas(CS_ALIGN) double each[700];
            cs_eval_fetch(&a.e, row, 700);
            cs_eval_terms(&a.e, a.x, &batch, each);
            compare(each, logp, 700);
            for (size_t l = 0; l < LIVE; l++) {
                cs_target *w = written_out(functions[f], row + first[l],
                                           weighted ? weight + first[l] : NULL,
                                           first[l + 1] - first[l], false);
                block b = open_block(w, CS_PAD, LIVE);
                cs_eval_gradient(&b.e, CS_NEXT, b.x, b.logp, b.g);
                double sum = 0, size = 0;
                for (size_t i = first[l]; i < first[l + 1]; i++) {
                    double v = logp[i] * (weighted ? weight[i] : 1);
                    sum += v;
                    size += fabs(v);
                }
                assert_near(sum, b.logp[l], 1e-12 * size + 1e-13, 1e-12);
                for (size_t d = 0; d < DIM; d++)
                    assert_near(a.g[d * CS_PAD + l], b.g[d * CS_PAD + l],
                                1e-11 * size + 1e-13, 1e-11);
                cs_free(b.memory);
                cs_target_release(w);
            }
        }
        assert_int_equal(a.e.work.data_terms, 4 * 700);
        cs_free(a.memory);
        cs_target_release(t);
    }
}

static void the_prior_alone(void **state)
{
    (void)state;
    cs_target *t = by_terms(logistic, 7);
    block b = open_block(t, CS_PAD, 2);
    cs_eval_prior(&b.e, b.x, b.logp, b.g);
    for (size_t l = 0; l < 2; l++) {
        double logp = 0;
        for (size_t d = 0; d < DIM; d++) {
            double x = b.x[d * CS_PAD + l];
            logp -= 0.3 * x * x;
            assert_near(b.g[d * CS_PAD + l], -0.6 * x, 1e-14, 1e-14);
        }
        assert_near(b.logp[l], logp, 1e-14, 1e-14);
    }
    cs_free(b.memory);
    cs_target_release(t);
}

/* If an allocation fails, no memory leaks. */
static void memory_may_run_out(void **state)
{
    (void)state;
    cs_graph *g;
    cs_error err = {0};
    cs_strided column[WIDTH];
    for (size_t j = 0; j < WIDTH; j++)
        column[j] = (cs_strided){table + j, WIDTH};
    assert_int_equal(cs_graph_create(DIM + WIDTH, NODES, &g, &err), CS_OK);
    cs_node all = cs_graph_input(g);
    cs_term_model m = {.dim = DIM,
                       .term = g,
                       .term_logp = normal(g, cs_graph_slice(g, all, 0, DIM),
                                           cs_graph_slice(g, all, DIM, WIDTH)),
                       .rows = 9,
                       .width = WIDTH,
                       .column = column};
    cs_space space = {.kind = CS_CONTINUOUS, .dim = DIM};
    for (unsigned long n = 1;; n++) {
        cs_target *t;
        cs_memory_fail_at(n, false);
        cs_status s = cs_term_target_create(&m, &space, &t, &err);
        cs_memory_fail_at(0, false);
        /* If memory does not suffice for the whole provenance, `full` is set. A
         * run of this target then cannot be saved. */
        bool whole = !s && !t->parts.full;
        if (!s)
            cs_target_release(t);
        else
            assert_int_equal(s, CS_MEMORY);
        if (whole) {
            assert_true(n > 50);
            break;
        }
    }
    cs_graph_destroy(g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(whole_data),
    cmocka_unit_test(blocks_do_not_matter),
    cmocka_unit_test(any_rows),
    cmocka_unit_test(the_prior_alone),
    cmocka_unit_test(memory_may_run_out),
};
TESTS_WITH(test_terms, fill_table, NULL)
