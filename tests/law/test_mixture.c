/* Tests mixtures of kernels, and cycles and mixtures inside each other: on small
 * spaces of bits, labels and integers the matrix of a mixture is the mean of its
 * members' matrices; members of nested kernels have random numbers and memories
 * of their own; lanes and saved blocks change nothing; bad trees are refused. */
#include "support/composed.h"
#include "support/laws.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "base/memory.h"

#include <string.h>

enum { STATES = COMPOSED_STATES, DIM = COMPOSED_DIM };

static const composed_part flat[] = {
    {"b", "dmala", {0.8, 0.5}, 2, {0, 1}, 2, 1, 2, NULL, 0},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, 1, NULL, 0},
    {"n", "random_walk", {0}, 0, {3}, 1, 2, 0.5, NULL, 0}};
/* A mixture of two kernels for the same bits, one of which remembers a gradient,
 * and a cycle of the rest that also moves a bit. */
static const composed_part bits[] = {
    {"far", "dmala", {2, 0.5}, 2, {0, 1}, 2, 1, 1, NULL, 0},
    {"near", "gibbs", {0, 1}, 2, {0, 1}, 2, 2, 3, NULL, 0}};
static const composed_part rest[] = {
    {"b", "gibbs", {0, 1}, 2, {1}, 1, 1, LEAF},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"n", "dmala", {2, 0.5}, 2, {3}, 1, 1, LEAF}};
static const composed_part nested[] = {
    {"bits", "mixture", {0}, 0, {0}, 0, 2, 1, bits, 2},
    {"rest", "cycle", {0}, 0, {0}, 0, 1, 2, rest, 3}};
/* Two equal kernels at mirrored places of a tree: with random numbers by the
 * sum of the numbers on a path they would move together. */
static const composed_part first[] = {
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"b1", "gibbs", {0, 1}, 2, {0}, 1, 1, LEAF}};
static const composed_part second[] = {
    {"b2", "gibbs", {0, 1}, 2, {1}, 1, 1, LEAF},
    {"n", "gibbs", {0, 1}, 2, {3}, 1, 1, LEAF}};
static const composed_part mirrored[] = {
    {"first", "cycle", {0}, 0, {0}, 0, 1, 1, first, 2},
    {"second", "cycle", {0}, 0, {0}, 0, 1, 1, second, 2}};

#define ROOT(kind, members)                                                    \
    {                                                                          \
        "all", kind, {0}, 0, {0}, 0, 1, 1, members,                            \
            sizeof(members) / sizeof *(members)                                \
    }
static const composed_part trees[] = {
    ROOT("mixture", flat), ROOT("cycle", nested), ROOT("mixture", nested),
    ROOT("cycle", mirrored)};
enum { TREES = sizeof trees / sizeof *trees };

static void trees_have_their_matrices(void **state)
{
    (void)state;
    static const cs_target_type *const types[] = {&small_listed, &small_cached};
    static double P[STATES * STATES];
    static composed_whole w;
    for (size_t t = 0; t < 2; t++) {
        composed_fill(&w, types[t]);
        for (size_t k = 0; k < TREES; k++) {
            composed_tree tree;
            assert_int_equal(composed_tree_open(&tree, w.t, &trees[k], NULL),
                             CS_OK);
            assert_true(cs_kernel_is_exact(&tree.kernel, w.t));
            assert_int_equal(cs_kernel_is_reversible(&tree.kernel), k == 0);
            composed_matrix(&w, &trees[k], P);
            double p = composed_frequencies(&w, &tree.kernel, P);
            print_message("tree %zu on %s: p = %.3g\n", k + 1, w.t->name, p);
            assert_true(p > 1e-6);
            composed_tree_close(&tree);
        }
        cs_target_release(w.t);
    }
}

/* Members whose windows do not overlap are independent given the rest: the
 * random numbers of all members differ, whatever their place. */
static void members_have_streams_of_their_own(void **state)
{
    (void)state;
    composed_tree tree;
    cs_target *t = composed_target(&small_listed);
    uint64_t chain[CS_PAD] = {0}, key[16][2];
    size_t n = 0;
    assert_int_equal(composed_tree_open(&tree, t, &trees[1], NULL), CS_OK);
    cs_streams s = cs_streams_of(5, 9, chain, CS_PAD, CS_PAD);
    const cs_composed *c = cs_composed_of(&tree.kernel);
    for (size_t k = 0; k < c->n; k++) {
        const cs_composed *inner = cs_composed_of(&c->member[k].kernel);
        for (size_t turn = 0; turn < c->member[k].times; turn++) {
            cs_streams outer = cs_member_streams(&c->member[k], &s, turn);
            assert_int_equal(outer.step, 8 * c->member[k].times + turn + 1);
            for (size_t i = 0; i < inner->n; i++, n++) {
                cs_streams own =
                    cs_member_streams(&inner->member[i], &outer, 0);
                memcpy(key[n], own.key[CS_FOR_ACCEPT].word, sizeof *key);
                key[n][0] += own.step; /* the numbers of a step are those of the
                                          key plus the step number */
            }
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(key[i], key[j], sizeof *key);
    composed_tree_close(&tree);
    cs_target_release(t);
}

/* The choices of a mixture have its weights, are the same in all blocks, and are
 * independent from step to step. */
static void choices_have_their_weights(void **state)
{
    (void)state;
    enum { LONG = 200000 };
    composed_tree tree;
    cs_target *t = composed_target(&small_listed);
    uint64_t chain[CS_PAD] = {0};
    double count[3][3] = {{0}};
    assert_int_equal(composed_tree_open(&tree, t, &trees[0], NULL), CS_OK);
    const cs_composed *c = cs_composed_of(&tree.kernel);
    cs_streams s = cs_streams_of(5, 1, chain, CS_PAD, CS_PAD);
    size_t before = cs_mixture_choice(c, &s);
    for (s.step = 2; s.step < LONG; s.step++) {
        cs_streams other = s;
        other.chain = NULL;
        size_t now = cs_mixture_choice(c, &s);
        assert_int_equal(cs_mixture_choice(c, &other), now);
        count[before][now]++;
        before = now;
    }
    static const double share[3] = {2 / 3.5, 1 / 3.5, 0.5 / 3.5};
    for (size_t i = 0; i < 3; i++) {
        assert_near(c->member[i].weight, share[i], 1e-15, 0);
        for (size_t j = 0; j < 3; j++) {
            double want = share[i] * share[j] * LONG;
            assert_true(fabs(count[i][j] - want) < 4.5 * sqrt(want));
        }
    }
    composed_tree_close(&tree);
    cs_target_release(t);
}

static void chains_do_not_depend_on_their_block(void **state)
{
    (void)state;
    static const double x[COMPOSED_LIVE][DIM] = {
        {0, 0, 0, 0}, {1, 0, 1, 1}, {0, 1, 2, 2}, {1, 1, 0, 3}, {0, 0, 1, 0}};
    for (size_t k = 0; k < TREES; k++) {
        composed_tree tree;
        cs_target *t = composed_target(&small_cached);
        assert_int_equal(composed_tree_open(&tree, t, &trees[k], NULL), CS_OK);
        composed_compare_blocks(t, &tree.kernel, x);
        composed_tree_close(&tree);
        cs_target_release(t);
    }
}

/* A member that makes no step leaves none of its stats of an earlier step, which
 * a resumed run would not have. */
static void members_without_a_step_have_no_stats(void **state)
{
    (void)state;
    static const composed_part parts[] = {
        {"here", "slice", {1}, 1, {0}, 1, 1, LEAF},
        {"there", "slice", {1}, 1, {1}, 1, 1, LEAF}};
    static const composed_part root = ROOT("mixture", parts);
    static const double zero[2];
    const double *start[] = {zero, zero, zero};
    composed_tree tree;
    cs_target *t = composed_target(cs_target_find("gaussian"));
    assert_int_equal(composed_tree_open(&tree, t, &root, NULL), CS_OK);
    cs_block *b = composed_chains(t, &tree.kernel, 3, start);
    assert_int_equal(cs_kernel_count_stats(tree.kernel.type), 2);
    for (size_t s = 0; s < 40; s++) {
        cs_block_run(b, NULL, 1, NULL);
        size_t now =
            cs_mixture_choice(cs_composed_of(&tree.kernel), &b->move.streams);
        for (size_t l = 0; l < 3; l++)
            for (size_t k = 0; k < 2; k++)
                assert_int_equal(b->move.info.stat[k * b->lanes + l] > 0,
                                 k == now);
    }
    cs_block_destroy(b);
    composed_tree_close(&tree);
    cs_target_release(t);
}

static void rows_have_the_names_of_the_path(void **state)
{
    (void)state;
    composed_tree tree;
    cs_target *t = composed_target(&small_listed);
    assert_int_equal(composed_tree_open(&tree, t, &trees[1], NULL), CS_OK);
    const cs_kernel_type *type = tree.kernel.type;
    assert_string_equal(type->name, "cycle(mixture(dmala+gibbs)+"
                                    "cycle(gibbs+gibbs+dmala))");
    int row = cs_param_find(type->params, type->n_params, "bits.far.step");
    assert_true(row >= 0 && tree.kernel.values[row] == 2);
    tree.kernel.values[row] = 5;
    const cs_kernel inner = cs_kernel_member(&tree.kernel, 0),
                    leaf = cs_kernel_member(&inner, 0);
    assert_true(leaf.values[0] == 5);
    assert_true(cs_param_find(type->params, type->n_params, "rest.n.balance") >=
                0);
    composed_tree_close(&tree);
    cs_target_release(t);
}

static void bad_trees_are_refused(void **state)
{
    (void)state;
    static const composed_part on[] = {
        {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, 1, NULL, 0},
        {"inner", "cycle", {0}, 0, {0}, 1, 1, 1, rest, 3}};
    static const composed_part light[] = {
        {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, 1, NULL, 0},
        {"b", "gibbs", {0, 1}, 2, {0, 1}, 2, 1, 0, NULL, 0}};
    static const composed_part nowhere[] = {
        {"z", "gibbs", {0, 1}, 2, {2}, 0, 1, 1, NULL, 0}};
    static const composed_part uncovered[] = {
        {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, 1, NULL, 0},
        {"bits", "mixture", {0}, 0, {0}, 0, 1, 1, bits, 2}};
    static const struct {
        composed_part root;
        const char *says;
    } rows[] = {{ROOT("cycle", on), "the member inner is made of several"},
                {ROOT("mixture", light), "the weight of the member b must be"},
                {ROOT("cycle", nowhere), "the member z moves no parameter"},
                {ROOT("mixture", uncovered), "no member moves n"}};
    cs_target *t = composed_target(&small_listed);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        composed_tree tree;
        cs_error err = {0};
        cs_status s = composed_tree_open(&tree, t, &rows[i].root, &err);
        if (s == CS_OK)
            s = cs_kernel_fits(&tree.kernel, t, &err);
        assert_int_not_equal(s, CS_OK);
        if (!strstr(err.what, rows[i].says))
            fail_msg("'%s' does not say '%s'", err.what, rows[i].says);
        composed_tree_close(&tree);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trees_have_their_matrices),
    cmocka_unit_test(members_have_streams_of_their_own),
    cmocka_unit_test(choices_have_their_weights),
    cmocka_unit_test(chains_do_not_depend_on_their_block),
    cmocka_unit_test(members_without_a_step_have_no_stats),
    cmocka_unit_test(rows_have_the_names_of_the_path),
    cmocka_unit_test(bad_trees_are_refused),
};
TESTS(test_mixture)
