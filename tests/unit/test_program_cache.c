/* Tests the cache of programs: equal graphs share a program, and the number of
 * comparisons grows with the number of graphs, not with its square. */
#include "support/support.h"

#include "tape/program_cache.h"

/* Returns the graph of -(x - y)^2 / 2, the term of a site with the data value
 * y. */
static cs_graph *term(double y, cs_node *root)
{
    cs_graph *g;
    cs_error err;
    assert_int_equal(cs_graph_create(1, 100, &g, &err), CS_OK);
    cs_node x = cs_graph_slice(g, cs_graph_input(g), 0, 1);
    cs_node off = cs_graph_op2(g, CS_OP_SUB, x, cs_graph_number(g, y));
    *root = cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, -0.5),
                         cs_graph_op2(g, CS_OP_MUL, off, off));
    assert_true(*root != 0);
    return g;
}

/* Requests the programs of n terms with different data values. */
static void request(cs_program_cache *s, cs_program **out, size_t n)
{
    cs_error err;
    for (size_t i = 0; i < n; i++) {
        cs_node root;
        cs_graph *g = term(0.5 + (double)i, &root);
        assert_int_equal(cs_program_cache_compile(s, g, root, &out[i], &err),
                         CS_OK);
    }
}

static void equal_graphs_share_a_program(void **state)
{
    (void)state;
    enum { N = 100 };
    cs_program *first[N], *again[N];
    cs_program_cache s = {0};
    request(&s, first, N);
    assert_int_equal(s.n, N);
    request(&s, again, N);
    assert_int_equal(s.n, N);
    for (size_t i = 0; i < N; i++) {
        assert_ptr_equal(first[i], again[i]);
        assert_true(!i || first[i] != first[i - 1]);
    }
    cs_program_cache_end(&s, NULL, NULL);
}

static void graphs_that_differ_in_constants_are_not_compared(void **state)
{
    (void)state;
    enum { N = 1000 };
    static cs_program *out[N];
    cs_program_cache s = {0};
    request(&s, out, N);
    assert_int_equal(s.n, N);
    assert_int_equal(s.compared, 0);
    request(&s, out, N);
    assert_int_equal(s.compared, N);
    cs_program_cache_end(&s, NULL, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_graphs_share_a_program),
    cmocka_unit_test(graphs_that_differ_in_constants_are_not_compared),
};
TESTS(test_program_cache)
