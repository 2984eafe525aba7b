/* Tests expressions of discrete states. Computes their values at every state,
 * and compares the slopes that kernels use with differences of these values. */
#include "support/support.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "tape/program.h"

#include <math.h>

enum { LANES = CS_PAD };

/* Returns the value at x[dim], and computes the gradient [dim]. */
static double value_of(cs_graph *g, cs_node logp, const double *x,
                       double *slope)
{
    cs_error err;
    cs_program *p;
    cs_node roots[2] = {logp, cs_graph_gradient(g, logp)};
    assert_int_equal(cs_program_compile(g, roots, 2, &p, &err), CS_OK);
    double *in = cs_alloc(g->dim * LANES, sizeof *in);
    double *slots = cs_alloc(p->slots * LANES, sizeof *slots);
    for (size_t i = 0; i < g->dim * LANES; i++)
        in[i] = x[i / LANES];
    cs_program_run(p, in, LANES, slots);
    double now = slots[p->root[0] * LANES];
    for (size_t i = 0; i < g->dim; i++)
        slope[i] = slots[(p->root[1] + i) * LANES];
    cs_free(in);
    cs_free(slots);
    cs_program_destroy(p);
    return now;
}

static cs_graph *graph(size_t dim, int low, int values)
{
    cs_graph *g;
    cs_error err;
    assert_int_equal(cs_graph_create(dim, 1000, &g, &err), CS_OK);
    const cs_graph_range all = {0, dim, low, values, ""};
    assert_true(cs_graph_set_ranges(g, &all, 1));
    return g;
}

static cs_node element(cs_graph *g, size_t i)
{
    return cs_graph_slice(g, cs_graph_input(g), i, 1);
}

/* Returns half of the difference between t[v + 1] and t[v - 1]. At the ends of
 * t, returns the difference to the only neighbour. */
static double slope_of(const double *t, size_t step, size_t v, size_t n)
{
    if (v == 0)
        return t[step] - t[0];
    if (v == n - 1)
        return t[v * step] - t[(v - 1) * step];
    return 0.5 * (t[(v + 1) * step] - t[(v - 1) * step]);
}

static void tables_are_looked_up(void **state)
{
    (void)state;
    enum { N = 4 };
    static const double one[N] = {0.3, -1, 2, 5};
    static const double two[N * N] = {1, 2,  0, -3, 4, 1, 7, 2,
                                      5, -6, 3, 8,  9, 0, 1, 1.5};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            cs_graph *g = graph(2, 0, N);
            const double x[2] = {i, j};
            double slope[2];
            cs_node logp = cs_graph_look_up(g, one, N, 1, element(g, 0), 0);
            assert_near(value_of(g, logp, x, slope), one[i], 1e-15, 1e-15);
            assert_near(slope[0], slope_of(one, 1, (size_t)i, N), 1e-15, 1e-15);
            assert_near(slope[1], 0, 0, 0);
            logp = cs_graph_look_up(g, two, N, N, element(g, 0), element(g, 1));
            assert_near(value_of(g, logp, x, slope), two[i * N + j], 1e-14,
                        1e-14);
            assert_near(slope[0], slope_of(two + j, N, (size_t)i, N), 1e-14,
                        1e-14);
            assert_near(slope[1], slope_of(two + i * N, 1, (size_t)j, N), 1e-14,
                        1e-14);
            cs_graph_destroy(g);
        }
}

/* For a bit, the slope is the difference between its two values. */
static void bits_are_compared(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            cs_graph *g = graph(2, 0, 2);
            const double x[2] = {i, j};
            double slope[2];
            cs_node logp = cs_graph_same(g, element(g, 0), element(g, 1));
            assert_near(value_of(g, logp, x, slope), i == j, 0, 0);
            assert_near(slope[0], 2 * j - 1, 0, 0);
            assert_near(slope[1], 2 * i - 1, 0, 0);
            cs_graph_destroy(g);
        }
}

static void values_are_compared(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        cs_graph *g = graph(2, 0, 5);
        const double x[2] = {i, 2};
        double slope[2], want = i == 1 ? 0.5 : i == 3 ? -0.5 : 0;
        cs_node same = cs_graph_same(g, element(g, 0), element(g, 1));
        assert_near(value_of(g, same, x, slope), i == 2, 0, 0);
        assert_near(slope[0], want, 0, 0);
        assert_near(slope[1], -want, 0, 0);
        /* the comparison is the condition of a choice; an infinite branch has
         * no slope */
        cs_node logp = cs_graph_op3(g, CS_OP_WHERE, same, cs_graph_number(g, 7),
                                    cs_graph_number(g, 3));
        assert_near(value_of(g, logp, x, slope), i == 2 ? 7 : 3, 0, 0);
        assert_near(slope[0], 4 * want, 0, 0);
        logp = cs_graph_op3(g, CS_OP_WHERE, same, cs_graph_number(g, -HUGE_VAL),
                            element(g, 1));
        value_of(g, logp, x, slope);
        assert_near(slope[0], 0, 0, 0);
        assert_near(slope[1], i != 2, 0, 0);
        cs_graph_destroy(g);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tables_are_looked_up),
    cmocka_unit_test(bits_are_compared),
    cmocka_unit_test(values_are_compared),
};
TESTS(test_tape_discrete)
