/* Compares second derivatives with closed forms and with each other. The
 * derivatives are exact derivatives of expressions, or differences of
 * gradients. */
#include "support/support.h"

#include "base/memory.h"
#include "tape/expression_target.h"
#include "target/derivatives.h"

#include <math.h>

/* Returns u = -0.5 (x0^2 + 20 (x1 - x0^2)^2). */
static cs_node banana(cs_graph *g)
{
    cs_node x = cs_graph_input(g);
    cs_node x0 = cs_graph_slice(g, x, 0, 1), x1 = cs_graph_slice(g, x, 1, 1);
    cs_node square = cs_graph_op2(g, CS_OP_MUL, x0, x0);
    cs_node off = cs_graph_op2(g, CS_OP_SUB, x1, square);
    cs_node far = cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, 20),
                               cs_graph_op2(g, CS_OP_MUL, off, off));
    return cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, -0.5),
                        cs_graph_op2(g, CS_OP_ADD, square, far));
}

static cs_target *traced(cs_node (*make)(cs_graph *g), size_t dim)
{
    cs_graph *g;
    cs_target *t;
    cs_error err;
    cs_space space = {.kind = CS_CONTINUOUS, .dim = dim};
    assert_int_equal(cs_graph_create(dim, 1000, &g, &err), CS_OK);
    assert_int_equal(cs_tape_target_create(g, make(g), &space, &t, &err),
                     CS_OK);
    return t;
}

/* Compares with d2u/dx0^2 = -1 + 40 (x1 - 3 x0^2), d2u/dx0dx1 = 40 x0,
 * d2u/dx1^2 = -20. */
static void banana_has_its_second_derivatives(void **state)
{
    (void)state;
    cs_target *t = traced(banana, 2);
    cs_derivatives *s;
    cs_error err;
    const double x[2] = {0.7, -0.3}, v[2] = {2, -3};
    double h[4], hv[2], g[2], e[2];
    const double want[4] = {-1 + 40 * (x[1] - 3 * x[0] * x[0]), 40 * x[0],
                            40 * x[0], -20};
    assert_int_equal(cs_derivatives_open(&s, t, CS_CURVATURES, &err), CS_OK);
    assert_true(cs_derivatives_is_exact(s));
    cs_derivatives_hessian(s, x, h);
    for (size_t i = 0; i < 4; i++)
        assert_near(h[i], want[i], 1e-13, 1e-13);
    cs_derivatives_times(s, x, v, hv);
    for (size_t i = 0; i < 2; i++)
        assert_near(hv[i], want[2 * i] * v[0] + want[2 * i + 1] * v[1], 1e-13,
                    1e-13);
    double logp = cs_derivatives_gradient(s, x, g), off = x[1] - x[0] * x[0];
    assert_near(logp, -0.5 * (x[0] * x[0] + 20 * off * off), 1e-14, 1e-14);
    assert_near(g[1], -20 * off, 1e-13, 1e-13);
    /* Counted gradients: 2 for each of two columns, 2 for the product with v,
     * and 1 for the gradient itself. */
    assert_int_equal(cs_derivatives_work(s).gradients, 2 * 2 + 2 + 1);
    assert_int_equal(cs_derivatives_eigenvalues(h, 2, e, &err), CS_OK);
    double mean = 0.5 * (want[0] + want[3]);
    double root = hypot(0.5 * (want[0] - want[3]), want[1]);
    assert_near(e[0], mean - root, 1e-12, 1e-12);
    assert_near(e[1], mean + root, 1e-12, 1e-12);
    cs_derivatives_close(s);
    cs_target_release(t);
}

/* Differences of the exact gradient give nearly the same values as the exact
 * second derivatives. */
static void differences_are_near(void **state)
{
    (void)state;
    cs_target *t = traced(banana, 2);
    cs_target_type plain = *t->type;
    const cs_target_type *type = t->type;
    cs_derivatives *s;
    cs_error err;
    const double x[2] = {0.7, -0.3}, v[2] = {0, 0};
    double h[4], hv[2];
    const double want[4] = {-1 + 40 * (x[1] - 3 * x[0] * x[0]), 40 * x[0],
                            40 * x[0], -20};
    plain.prepare_hessian = NULL;
    t->type = &plain;
    assert_int_equal(cs_derivatives_open(&s, t, CS_CURVATURES, &err), CS_OK);
    assert_false(cs_derivatives_is_exact(s));
    cs_derivatives_hessian(s, x, h);
    for (size_t i = 0; i < 4; i++)
        assert_near(h[i], want[i], 1e-8, 1e-8);
    cs_derivatives_times(s, x, v, hv); /* product with the direction e_0 */
    assert_true(hv[0] == 0 && hv[1] == 0);
    cs_derivatives_close(s);
    t->type = type;
    cs_target_release(t);
}

/* The second derivatives of a normal log density are minus its precision. They
 * are computed by differences, and 11 coordinates need two blocks. */
static void gaussian_has_its_precision(void **state)
{
    (void)state;
    enum { DIM = 11 };
    cs_target *t;
    cs_derivatives *s;
    cs_error err;
    double x[DIM], h[DIM * DIM], e[DIM];
    const cs_target_type *type = cs_target_find("gaussian");
    cs_value values[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM}};
    assert_int_equal(cs_target_create(type, values, 1, &t, &err), CS_OK);
    assert_int_equal(cs_derivatives_open(&s, t, CS_CURVATURES, &err), CS_OK);
    assert_false(cs_derivatives_is_exact(s));
    for (size_t i = 0; i < DIM; i++)
        x[i] = 0.1 * (double)i - 0.4;
    cs_derivatives_hessian(s, x, h);
    for (size_t i = 0; i < DIM; i++)
        for (size_t j = 0; j < DIM; j++)
            assert_near(h[i * DIM + j], i == j ? -1 : 0, 1e-8, 1e-8);
    assert_int_equal(cs_derivatives_eigenvalues(h, DIM, e, &err), CS_OK);
    assert_near(e[0], -1, 1e-8, 1e-8);
    h[5] = NAN;
    assert_int_equal(cs_derivatives_eigenvalues(h, DIM, e, &err), CS_NUMERIC);
    cs_derivatives_close(s);
    cs_target_release(t);
}

/* Returns a function of a 3 x 3 Cholesky factor, and of softmax and log-sum-exp
 * over two columns. The gradient of each of the three is an operation of its
 * own. */
static cs_node of_matrices(cs_graph *g)
{
    const double ridge[9] = {3, 0, 0, 0, 4, 0, 0, 0, 5};
    const double mix[9] = {0, 1, 2, 1, 1, 3, 2, 3, 0};
    const double weight[9] = {1, 0, 0, 0.5, 2, 0, -1, 0.3, 0.7};
    cs_node x = cs_graph_input(g);
    cs_node a = cs_graph_op2(g, CS_OP_ADD, cs_graph_gather(g, x, mix, 9),
                             cs_graph_vector(g, ridge, 9));
    cs_node l = cs_graph_cholesky(g, a);
    cs_node cube = cs_graph_op2(g, CS_OP_MUL, cs_graph_op2(g, CS_OP_MUL, l, l),
                                cs_graph_vector(g, weight, 9));
    cs_node shares = cs_graph_softmax(g, x, 2);
    cs_node sums = cs_graph_log_sum_exp(g, x, 2);
    return cs_graph_op2(
        g, CS_OP_ADD,
        cs_graph_op1(g, CS_OP_SUM, cs_graph_op2(g, CS_OP_MUL, cube, l)),
        cs_graph_op2(
            g, CS_OP_ADD,
            cs_graph_op1(g, CS_OP_SUM, cs_graph_op2(g, CS_OP_MUL, shares, x)),
            cs_graph_op1(g, CS_OP_SUM,
                         cs_graph_op2(g, CS_OP_MUL, sums, sums))));
}

static void matrices_have_theirs(void **state)
{
    (void)state;
    enum { DIM = 4 };
    cs_target *t = traced(of_matrices, DIM);
    const cs_target_type *type = t->type;
    cs_target_type plain = *type;
    double h[2][DIM * DIM];
    const double x[DIM] = {0.7, -0.3, 0.5, 0.2};
    plain.prepare_hessian = NULL;
    for (size_t k = 0; k < 2; k++) {
        cs_derivatives *s;
        cs_error err;
        t->type = k ? &plain : type;
        assert_int_equal(cs_derivatives_open(&s, t, CS_CURVATURES, &err),
                         CS_OK);
        assert_int_equal(cs_derivatives_is_exact(s), k == 0);
        cs_derivatives_hessian(s, x, h[k]);
        cs_derivatives_close(s);
    }
    for (size_t i = 0; i < DIM * DIM; i++)
        assert_near(h[0][i], h[1][i], 1e-7, 1e-7);
    t->type = type;
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(banana_has_its_second_derivatives),
    cmocka_unit_test(differences_are_near),
    cmocka_unit_test(gaussian_has_its_precision),
    cmocka_unit_test(matrices_have_theirs),
};
TESTS_WITH(test_derivatives, gsl_errors_off, NULL)
