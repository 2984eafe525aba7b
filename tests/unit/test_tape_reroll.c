/* Tests that loops are rolled into vectors. Random rows have the same form, but
 * different constants and coordinates. The rolled program must give the same
 * values as a program without rolling. */
#include "support/support.h"

#include "base/memory.h"
#include "tape/program.h"
#include "tape/reroll.h"

#include <math.h>
#include <string.h>

enum { DIM = 7, LANES = 8, ROWS = 9, STEPS = 12, RECIPES = 300 };

static unsigned long long seed;

static unsigned pick(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

static double draw(void)
{
    return 4 * (pick(1u << 30) / (double)(1u << 30)) - 2;
}

/* The instructions of a stack machine that defines a row. */
typedef enum verb {
    CONSTANT, /* differs in each row */
    FIXED,    /* is the same in each row */
    HERE,     /* coordinate `row` */
    NEXT,     /* coordinate row + 1 */
    SPREAD,   /* coordinate 2 row + 3 */
    FIRST,    /* coordinate 0 */
    SHARED,   /* a value that all rows read */
    OF_DATA,  /* an element of a product of the whole state */
    SINE,
    CURVE, /* softplus */
    PLUS,
    MINUS,
    TIMES,
    LARGER,
    LOG_SUM, /* log-sum-exp of all values on the stack */
    LOG_SUM_WITH_DATA,
    VERBS
} verb;

static cs_node leaf(cs_graph *g, verb v, size_t row, cs_node shared,
                    cs_node whole)
{
    static const size_t factor[] = {[HERE] = 1, [NEXT] = 1, [SPREAD] = 2};
    static const size_t shift[] = {[HERE] = 0, [NEXT] = 1, [SPREAD] = 3};
    cs_node x = cs_graph_input(g);
    switch (v) {
    case CONSTANT:
        return cs_graph_number(g, 0.5 + sin(7.0 * (double)row));
    case FIXED:
        return cs_graph_number(g, 0.75);
    case FIRST:
        return cs_graph_slice(g, x, 0, 1);
    case SHARED:
        return shared;
    case OF_DATA:
        return cs_graph_slice(g, whole, row % 4, 1);
    default:
        return cs_graph_slice(g, x, (row * factor[v] + shift[v]) % DIM, 1);
    }
}

static cs_node row_of(cs_graph *g, const verb *recipe, size_t row,
                      cs_node shared, cs_node whole)
{
    static const cs_op two[] = {[PLUS] = CS_OP_ADD,
                                [MINUS] = CS_OP_SUB,
                                [TIMES] = CS_OP_MUL,
                                [LARGER] = CS_OP_MAX};
    cs_node stack[STEPS + 2];
    size_t n = 0;
    stack[n++] = leaf(g, HERE, row, shared, whole);
    stack[n++] = leaf(g, CONSTANT, row, shared, whole);
    for (size_t i = 0; i < STEPS; i++) {
        if (recipe[i] == SINE || recipe[i] == CURVE) {
            cs_op op = recipe[i] == SINE ? CS_OP_SIN : CS_OP_SOFTPLUS;
            stack[n - 1] = cs_graph_op1(g, op, stack[n - 1]);
        } else if (recipe[i] >= LOG_SUM) {
            if (recipe[i] == LOG_SUM_WITH_DATA)
                stack[n++] = whole;
            stack[0] = cs_graph_log_sum_exp(g, cs_graph_pack(g, stack, n), 1);
            n = 1;
        } else if (recipe[i] < SINE) {
            stack[n++] = leaf(g, recipe[i], row, shared, whole);
        } else if (n > 1) {
            n--;
            stack[n - 1] =
                cs_graph_op2(g, two[recipe[i]], stack[n - 1], stack[n]);
        }
    }
    cs_node y = stack[0];
    for (size_t i = 1; i < n; i++)
        y = cs_graph_op2(g, CS_OP_ADD, y, stack[i]);
    return y;
}

/* Returns the sum over rows, multiplied by equal or unequal factors. */
static cs_node many_rows(cs_graph *g, size_t rows)
{
    verb recipe[STEPS];
    double m[4 * DIM];
    for (size_t i = 0; i < STEPS; i++)
        recipe[i] = (verb)pick(VERBS);
    for (size_t i = 0; i < 4 * DIM; i++)
        m[i] = draw();
    cs_node x = cs_graph_input(g), logp = cs_graph_number(g, 0.5);
    cs_node shared = cs_graph_op1(g, CS_OP_TANH, cs_graph_op1(g, CS_OP_SUM, x));
    cs_node whole = cs_graph_product(g, m, 4, DIM, x);
    unsigned kind = pick(4);
    for (size_t row = 0; row < rows; row++) {
        cs_node y = row_of(g, recipe, row, shared, whole);
        cs_node f = cs_graph_number(g, kind ? 0.25 * (double)kind : draw());
        if (kind == 3) /* y is also read by sin, so it is not only a summand */
            y = cs_graph_op2(g, CS_OP_ADD, y, cs_graph_op1(g, CS_OP_SIN, y));
        logp =
            cs_graph_op2(g, CS_OP_ADD, logp, cs_graph_op2(g, CS_OP_MUL, f, y));
    }
    return logp;
}

/* Computes log p and its gradient over a block: out[1 + DIM][LANES]. */
static void run(cs_graph *g, cs_node logp, const double *x, double *out)
{
    cs_node roots[2] = {logp, cs_graph_gradient(g, logp)};
    cs_program *p;
    cs_error err;
    assert_int_equal(g->status, CS_OK);
    assert_int_equal(cs_program_compile(g, roots, 2, &p, &err), CS_OK);
    double *s = cs_alloc(p->slots * LANES, sizeof *s);
    cs_program_run(p, x, LANES, s);
    memcpy(out, s + p->root[0] * LANES, LANES * sizeof *s);
    memcpy(out + LANES, s + p->root[1] * LANES, DIM * LANES * sizeof *s);
    cs_free(s);
    cs_program_destroy(p);
}

static void rows_give_what_they_gave(void **state)
{
    (void)state;
    double *x = cs_alloc(DIM * LANES, sizeof *x);
    double want[(1 + DIM) * LANES], got[(1 + DIM) * LANES];
    size_t smaller = 0;
    for (int k = 0; k < RECIPES; k++) {
        cs_graph *g, *to;
        cs_error err;
        cs_node v;
        seed = (unsigned long long)k;
        assert_int_equal(cs_graph_create(DIM, 1u << 20, &g, &err), CS_OK);
        cs_node logp = many_rows(g, 2 + pick(ROWS));
        size_t nodes = g->n_nodes;
        for (size_t i = 0; i < DIM * LANES; i++)
            x[i] = draw();
        run(g, logp, x, want);
        assert_int_equal(cs_graph_reroll(g, logp, &to, &v, &err), CS_OK);
        if (to) {
            smaller += to->n_nodes < nodes;
            run(to, v, x, got);
            for (size_t i = 0; i < (1 + DIM) * LANES; i++)
                if (!(fabs(got[i] - want[i]) <= 1e-11 * (1 + fabs(want[i]))))
                    fail_msg("recipe %d: %.17g, not %.17g", k, got[i], want[i]);
        }
        cs_graph_destroy(to);
        cs_graph_destroy(g);
    }
    assert_true(smaller > RECIPES / 2);
    cs_free(x);
}

/* A regression on 50 rows that is written as a loop becomes a matrix product,
 * and its program stays small. */
static void a_regression_is_a_matrix(void **state)
{
    (void)state;
    cs_graph *g, *to;
    cs_error err;
    cs_node v;
    size_t products = 0;
    assert_int_equal(cs_graph_create(DIM, 1u << 20, &g, &err), CS_OK);
    cs_node x = cs_graph_input(g), logp = cs_graph_number(g, 0);
    seed = 5;
    for (size_t i = 0; i < 50; i++) {
        cs_node eta = cs_graph_number(g, 0);
        for (size_t j = 0; j < DIM; j++)
            eta = cs_graph_op2(g, CS_OP_ADD, eta,
                               cs_graph_op2(g, CS_OP_MUL,
                                            cs_graph_number(g, draw()),
                                            cs_graph_slice(g, x, j, 1)));
        logp = cs_graph_op2(g, CS_OP_SUB, logp,
                            cs_graph_op1(g, CS_OP_SOFTPLUS, eta));
    }
    assert_int_equal(cs_graph_reroll(g, logp, &to, &v, &err), CS_OK);
    for (cs_node n = 1; n < to->n_nodes; n++)
        products += cs_graph_at(to, n)->op == CS_OP_PRODUCT;
    assert_int_equal(products, 1);
    assert_true(to->n_nodes < 12);
    cs_graph_destroy(to);
    cs_graph_destroy(g);
}

/* In a hidden Markov model, which is a recursion over time, each time step
 * becomes a single log-sum-exp over columns. */
static void a_recursion_is_columns(void **state)
{
    (void)state;
    enum { STATES = 5, LENGTH = 6 };
    cs_graph *g, *to;
    cs_error err;
    cs_node v, a[STATES], b[STATES], from[STATES];
    size_t sums = 0;
    double x[DIM * LANES], want[(1 + DIM) * LANES], got[(1 + DIM) * LANES];
    assert_int_equal(cs_graph_create(DIM, 1u << 20, &g, &err), CS_OK);
    for (size_t k = 0; k < STATES; k++)
        a[k] = cs_graph_slice(g, cs_graph_input(g), k, 1);
    for (size_t t = 0; t < LENGTH; t++) {
        for (size_t k = 0; k < STATES; k++) {
            for (size_t j = 0; j < STATES; j++)
                from[j] = cs_graph_op2(
                    g, CS_OP_ADD, a[j],
                    cs_graph_number(g, sin((double)(7 * j + 3 * k + 1))));
            b[k] = cs_graph_log_sum_exp(g, cs_graph_pack(g, from, STATES), 1);
        }
        memcpy(a, b, sizeof a);
    }
    cs_node logp = cs_graph_log_sum_exp(g, cs_graph_pack(g, a, STATES), 1);
    assert_int_equal(cs_graph_reroll(g, logp, &to, &v, &err), CS_OK);
    for (cs_node n = 1; n < to->n_nodes; n++)
        sums += cs_graph_at(to, n)->op == CS_OP_LOG_SUM_EXP &&
                cs_graph_size(to, n) == STATES;
    assert_int_equal(sums, LENGTH);
    for (size_t i = 0; i < DIM * LANES; i++)
        x[i] = draw();
    run(g, logp, x, want);
    run(to, v, x, got);
    for (size_t i = 0; i < (1 + DIM) * LANES; i++)
        assert_near(got[i], want[i], 1e-12, 1e-12);
    cs_graph_destroy(to);
    cs_graph_destroy(g);
}

/* If nothing is repeated in an expression, no rolled graph is created. */
static void what_does_not_repeat_stays(void **state)
{
    (void)state;
    cs_graph *g, *to;
    cs_error err;
    cs_node v;
    assert_int_equal(cs_graph_create(DIM, 1u << 20, &g, &err), CS_OK);
    cs_node x = cs_graph_input(g), logp = cs_graph_slice(g, x, 0, 1);
    for (size_t i = 1; i < DIM; i++)
        logp = cs_graph_op1(
            g, CS_OP_SIN,
            cs_graph_op2(g, CS_OP_ADD, logp, cs_graph_slice(g, x, i, 1)));
    assert_int_equal(cs_graph_reroll(g, logp, &to, &v, &err), CS_OK);
    assert_null(to);
    cs_graph_destroy(g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_give_what_they_gave),
    cmocka_unit_test(a_regression_is_a_matrix),
    cmocka_unit_test(a_recursion_is_columns),
    cmocka_unit_test(what_does_not_repeat_stays),
};
TESTS(test_tape_reroll)
