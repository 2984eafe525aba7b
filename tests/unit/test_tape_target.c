/* Tests targets that are defined by expressions. Site differences are computed
 * from the terms that contain a site. They equal differences of the whole
 * expression, and no other terms are computed. */
#include "support/support.h"

#include "base/memory.h"
#include "tape/expression_target.h"
#include "tape/sites/site_programs.h"
#include "target/eval.h"

#include <math.h>

enum { SIDE = 6, SITES = SIDE * SIDE, LANES = 8 };

/* Returns log p of a ferromagnet on a torus with spins 2x - 1. It is written as
 * sums over gathered neighbours, plus a nonlinear field, the sum of tanh(0.3
 * x_i). */
static cs_node ferromagnet(cs_graph *g)
{
    double right[SITES], below[SITES];
    for (size_t i = 0; i < SITES; i++) {
        right[i] = (double)(i / SIDE * SIDE + (i + 1) % SIDE);
        below[i] = (double)((i + SIDE) % SITES);
    }
    cs_node x = cs_graph_input(g);
    cs_node spin = cs_graph_op2(
        g, CS_OP_SUB, cs_graph_op2(g, CS_OP_MUL, x, cs_graph_number(g, 2)),
        cs_graph_number(g, 1));
    cs_node near =
        cs_graph_op2(g, CS_OP_ADD, cs_graph_gather(g, spin, right, SITES),
                     cs_graph_gather(g, spin, below, SITES));
    cs_node pairs =
        cs_graph_op1(g, CS_OP_SUM, cs_graph_op2(g, CS_OP_MUL, spin, near));
    cs_node field = cs_graph_op1(
        g, CS_OP_SUM,
        cs_graph_op1(g, CS_OP_TANH,
                     cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, 0.3), x)));
    return cs_graph_op2(
        g, CS_OP_ADD, field,
        cs_graph_op2(g, CS_OP_MUL, pairs, cs_graph_number(g, 0.44)));
}

static void sites_are_local(void **state)
{
    (void)state;
    cs_graph *g;
    cs_error err;
    cs_site_programs *l;
    assert_int_equal(cs_graph_create(SITES, 1000, &g, &err), CS_OK);
    cs_node logp = ferromagnet(g);
    assert_int_equal(cs_site_programs_create(g, logp, &l, &err), CS_OK);
    assert_non_null(l);
    /* x_i occurs in its own product, and in the products of the left and the
     * upper neighbour of site i. These three products together contain x_i,
     * four neighbours and two corners. */
    for (size_t i = 0; i < SITES; i++) {
        assert_int_equal(l->at[i].n_input, 7);
        assert_int_equal(l->at[i].input[0], i);
    }
    cs_site_programs_destroy(l);
    cs_graph_destroy(g);
}

/* Tests h = tanh(x_1 h + t), u = sum of h^2. This recurrence cannot be
 * vectorised. Its graph has the maximum length, and the graph of its gradient
 * is even longer. */
static void derivatives_may_be_longer(void **state)
{
    (void)state;
    enum { NODES = 3000, STEP = 6 /* nodes of one step */ };
    cs_graph *g;
    cs_target *t;
    cs_error err;
    assert_int_equal(cs_graph_create(2, NODES, &g, &err), CS_OK);
    cs_node x = cs_graph_slice(g, cs_graph_input(g), 0, 1);
    cs_node h = cs_graph_slice(g, cs_graph_input(g), 1, 1), logp = h;
    for (int i = 1; g->n_nodes + STEP < NODES; i++) {
        h = cs_graph_op1(g, CS_OP_TANH,
                         cs_graph_op2(g, CS_OP_ADD,
                                      cs_graph_op2(g, CS_OP_MUL, x, h),
                                      cs_graph_number(g, 0.001 * i)));
        logp =
            cs_graph_op2(g, CS_OP_ADD, logp, cs_graph_op2(g, CS_OP_MUL, h, h));
    }
    assert_int_equal(g->status, CS_OK);
    const cs_space space = {.kind = CS_CONTINUOUS, .dim = 2};
    assert_int_equal(cs_tape_target_create(g, logp, &space, &t, &err), CS_OK);
    assert_true(cs_tape_target_graph(t, &logp)->n_nodes > NODES);
    cs_target_release(t);
}

static double *block(const cs_target *t, size_t words, size_t *n)
{
    (void)t;
    *n = words * LANES;
    return cs_alloc(*n, sizeof(double));
}

static void site_differences_are_differences(void **state)
{
    (void)state;
    static const cs_space kinds[] = {
        {.kind = CS_BINARY, .dim = SITES, .values = 2},
        {.kind = CS_ORDINAL, .dim = SITES, .low = -1, .values = 4},
        {.kind = CS_CATEGORICAL, .dim = SITES, .values = 11}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        cs_graph *g;
        cs_target *t;
        cs_error err;
        size_t n, values = (size_t)kinds[k].values;
        assert_int_equal(cs_graph_create(SITES, 1000, &g, &err), CS_OK);
        cs_node logp = ferromagnet(g);
        assert_int_equal(cs_tape_target_create(g, logp, &kinds[k], &t, &err),
                         CS_OK);
        assert_non_null(t->type->sites.site);
        double *x = block(t, SITES, &n), *d = block(t, values, &n);
        double *scratch = block(t, cs_eval_scratch_words(t), &n);
        double *now = block(t, 1, &n), *then = block(t, 1, &n);
        uint32_t site[LANES];
        cs_eval e;
        cs_eval_open(&e, t, LANES, LANES, NULL, scratch);
        for (size_t i = 0; i < SITES * LANES; i++)
            x[i] = kinds[k].low + (double)(i * i * 7 % 13 % values);
        for (uint32_t i = 0; i < LANES; i++)
            site[i] = 5 * i;
        cs_eval_log_density(&e, CS_NOW, x, now);
        cs_eval_site(&e, x, now, site, d);
        for (size_t l = 0; l < LANES; l++)
            for (size_t v = 0; v < values; v++) {
                double *at = &x[site[l] * LANES + l], old = *at;
                *at = kinds[k].low + (double)v;
                cs_eval_log_density(&e, CS_NEXT, x, then);
                *at = old;
                assert_near(d[v * LANES + l], then[l] - now[l], 1e-10, 1e-11);
            }
        double *const all[] = {x, d, scratch, now, then};
        for (size_t i = 0; i < 5; i++)
            cs_free(all[i]);
        cs_target_release(t);
    }
}

/* The bits of a chain are the same for any number of chains in its block. The
 * vectors of a single chain use the lanes of a register. Lanes without a chain
 * contain finite numbers. */
static void a_chain_alone_is_as_in_a_block(void **state)
{
    (void)state;
    cs_graph *g;
    cs_target *t;
    cs_error err;
    const cs_space space = {.kind = CS_CONTINUOUS, .dim = SITES};
    assert_int_equal(cs_graph_create(SITES, 1000, &g, &err), CS_OK);
    assert_int_equal(cs_tape_target_create(g, ferromagnet(g), &space, &t, &err),
                     CS_OK);
    double *scratch =
        cs_alloc(cs_eval_scratch_words(t) * LANES, sizeof *scratch);
    double *x = cs_alloc(SITES * LANES, sizeof *x);
    double *of[2] = {cs_alloc((SITES + 2) * LANES, sizeof *x),
                     cs_alloc((SITES + 2) * LANES, sizeof *x)};
    for (size_t i = 0; i < SITES * LANES; i++)
        x[i] = sin(3.0 * (double)i);
    for (size_t live = 1; live <= LANES; live++) {
        for (size_t i = 0; i < (SITES + 2) * LANES; i++)
            of[1][i] = NAN;
        for (size_t k = 0; k < 2; k++) {
            cs_eval e;
            cs_eval_open(&e, t, LANES, k ? live : LANES, NULL, scratch);
            cs_eval_gradient(&e, CS_NEXT, x, of[k], of[k] + 2 * LANES);
            cs_eval_log_density(&e, CS_NEXT, x, of[k] + LANES);
        }
        for (size_t i = 0; i < (SITES + 2) * LANES; i++)
            assert_true(i % LANES < live ? of[0][i] == of[1][i]
                                         : isfinite(of[1][i]));
        cs_eval e;
        cs_eval_open(&e, t, LANES, live, NULL, scratch);
        assert_true(cs_eval_gradient_alone(&e, x, of[1]));
        for (size_t i = 0; i < SITES * LANES; i++)
            assert_true(i % LANES >= live || of[0][2 * LANES + i] == of[1][i]);
    }
    double *const all[] = {x, scratch, of[0], of[1]};
    for (size_t i = 0; i < 4; i++)
        cs_free(all[i]);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(derivatives_may_be_longer),
    cmocka_unit_test(sites_are_local),
    cmocka_unit_test(a_chain_alone_is_as_in_a_block),
    cmocka_unit_test(site_differences_are_differences),
};
TESTS(test_tape_target)
