/* Tests discrete coordinates in expressions: which nodes read them, which values
 * an index can have, elements that such an index selects, and their slopes. */
#include "support/support.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "tape/program.h"
#include "tape/reroll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIM = 8, LANES = CS_PAD, MU = 0, Z = 3, K = 6, B = 7 };

/* mu[3] real, z[3] labels from 1 to 3, k from -1 to 4, b a bit */
static const cs_graph_range parts[] = {
    {Z, 3, 1, 3, "z"}, {K, 1, -1, 6, "k"}, {B, 1, 0, 2, "b"}};

static cs_graph *graph(void)
{
    cs_graph *g;
    cs_error err;
    assert_int_equal(cs_graph_create(DIM, 10000, &g, &err), CS_OK);
    assert_true(cs_graph_set_ranges(g, parts, 3));
    return g;
}

static cs_node slice(cs_graph *g, size_t first, size_t n)
{
    return cs_graph_slice(g, cs_graph_input(g), first, n);
}

static cs_node number(cs_graph *g, double v)
{
    return cs_graph_number(g, v);
}

static cs_node op(cs_graph *g, cs_op o, cs_node a, cs_node b)
{
    return cs_graph_op2(g, o, a, b);
}

/* Computes the root, and the gradient by coordinates of a kind, at x. */
static double value_of(cs_graph *g, cs_node root, unsigned kind,
                       const double *x, double *slope)
{
    cs_error err;
    cs_program *p;
    cs_node roots[2] = {root, cs_graph_gradient_of(g, root, kind)};
    assert_int_equal(g->status, CS_OK);
    assert_int_equal(cs_program_compile(g, roots, 2, &p, &err), CS_OK);
    double *in = cs_alloc(DIM * LANES, sizeof *in);
    double *slots = cs_alloc(p->slots * LANES, sizeof *slots);
    for (size_t i = 0; i < DIM * LANES; i++)
        in[i] = x[i / LANES];
    cs_program_run(p, in, LANES, slots);
    double now = slots[p->root[0] * LANES];
    for (size_t i = 0; i < DIM; i++)
        slope[i] = slots[(p->root[1] + i) * LANES];
    cs_program_run_one(p, false, x, 1, slots);
    assert_true(slots[p->root[0]] == now);
    for (size_t i = 0; i < DIM; i++)
        assert_true(slots[p->root[1] + i] == slope[i]);
    cs_free(in);
    cs_free(slots);
    cs_program_destroy(p);
    return now;
}

static void nodes_know_what_they_read(void **state)
{
    (void)state;
    cs_graph *g = graph();
    cs_node mu = slice(g, MU, 3), z = slice(g, Z, 3), k = slice(g, K, 1);
    static const double mixed[2] = {0, 7};
    const struct {
        cs_node node;
        unsigned reads;
    } rows[] = {
        {cs_graph_input(g), CS_READS_REAL | CS_READS_WHOLE | CS_FRACTIONAL},
        {mu, CS_READS_REAL | CS_FRACTIONAL},
        {z, CS_READS_WHOLE},
        {slice(g, 2, 2), CS_READS_REAL | CS_READS_WHOLE | CS_FRACTIONAL},
        {cs_graph_gather(g, cs_graph_input(g), mixed, 2),
         CS_READS_REAL | CS_READS_WHOLE | CS_FRACTIONAL},
        {number(g, 2), 0},
        {number(g, 0.5), CS_FRACTIONAL},
        {op(g, CS_OP_ADD, z, k), CS_READS_WHOLE},
        {op(g, CS_OP_MUL, k, number(g, 0.5)), CS_READS_WHOLE | CS_FRACTIONAL},
        {op(g, CS_OP_DIV, k, z), CS_READS_WHOLE | CS_FRACTIONAL},
        {op(g, CS_OP_LT, mu, number(g, 0.5)), CS_READS_REAL},
        {op(g, CS_OP_LE, k, number(g, 0.5)), CS_READS_WHOLE},
        {cs_graph_op3(g, CS_OP_WHERE, op(g, CS_OP_LE, k, number(g, 0.5)), z, k),
         CS_READS_WHOLE},
        {cs_graph_pick(g, mu, z),
         CS_READS_REAL | CS_READS_WHOLE | CS_FRACTIONAL},
        {cs_graph_op1(g, CS_OP_SUM, z), CS_READS_WHOLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(cs_graph_reads(g, rows[i].node), rows[i].reads);
    assert_true(cs_graph_range_of(g, 2) == NULL);
    assert_string_equal(cs_graph_range_of(g, 5)->name, "z");
    assert_string_equal(cs_graph_range_of(g, 6)->name, "k");
    /* a comparison of real numbers is not one of integers */
    assert_int_equal(
        cs_graph_at(g, cs_graph_same(g, slice(g, 0, 1), slice(g, 1, 1)))->op,
        CS_OP_EQ);
    assert_int_equal(cs_graph_at(g, cs_graph_same(g, k, number(g, 2)))->op,
                     CS_OP_IS);
    assert_int_not_equal(
        cs_graph_at(g, cs_graph_same(g, slice(g, B, 1), number(g, 1)))->op,
        CS_OP_IS);
    cs_graph_destroy(g);
}

/* The verdict on an index is that of all states. */
static void indices_are_checked_for_all_states(void **state)
{
    (void)state;
    cs_graph *g = graph();
    cs_outside o;
    cs_node z = slice(g, Z, 3), k = slice(g, K, 1), b = slice(g, B, 1);
    cs_node one = number(g, 1), near = op(g, CS_OP_LT, k, number(g, 2));
    const double up[3] = {0, 1, 2};
    const struct {
        cs_node index;
        size_t size;
        double value; /* 0: inside */
        const char *where;
    } rows[] = {
        {z, 3, 0, ""},
        {z, 2, 3, "z[1] = 3"},
        {slice(g, Z + 1, 1), 2, 3, "z[2] = 3"},
        {k, 4, -1, "k = -1"},
        {op(g, CS_OP_ADD, k, number(g, 2)), 6, 0, ""},
        {op(g, CS_OP_ADD, k, number(g, 2)), 5, 6, "k = 4"},
        {op(g, CS_OP_MAX, k, one), 4, 0, ""},
        {op(g, CS_OP_ADD, z, cs_graph_vector(g, up, 3)), 5, 0, ""},
        {op(g, CS_OP_ADD, z, cs_graph_vector(g, up, 3)), 4, 5, "z[3] = 3"},
        {op(g, CS_OP_ADD, slice(g, Z, 1), b), 4, 0, ""},
        {op(g, CS_OP_ADD, slice(g, Z, 1), b), 3, 4, "z[1] = 3, b = 1"},
        /* an enclosure of these contains values that they do not have */
        {cs_graph_op3(g, CS_OP_WHERE, near, op(g, CS_OP_ADD, k, number(g, 2)),
                      one),
         3, 0, ""},
        {cs_graph_op3(g, CS_OP_WHERE, near, op(g, CS_OP_ADD, k, number(g, 2)),
                      one),
         2, 3, "k = 1"},
        {op(g, CS_OP_ADD, one,
            op(g, CS_OP_MUL, op(g, CS_OP_SUB, slice(g, Z, 1), one),
               op(g, CS_OP_SUB, number(g, 3), slice(g, Z, 1)))),
         2, 0, ""},
        {number(g, 4), 3, 4, ""},
        {number(g, 3), 3, 0, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool outside =
            cs_graph_find_outside(g, rows[i].index, rows[i].size, &o);
        assert_int_equal(outside, rows[i].value != 0);
        if (!outside)
            continue;
        assert_true(o.value == rows[i].value);
        assert_string_equal(o.where, rows[i].where);
    }
    assert_int_equal(g->status, CS_OK);
    cs_graph_destroy(g);
}

/* The gradient by real coordinates is that of numbers, and the slope by an index
 * is half of the difference of the neighbours. */
static void elements_are_selected(void **state)
{
    (void)state;
    static const double mu[3] = {0.5, -1.25, 2}, table[6] = {3, 1, 4, 1, 5, 9};
    for (int label = 1; label <= 3; label++)
        for (int at = -1; at <= 4; at++) {
            cs_graph *g = graph();
            double x[DIM] = {mu[0], mu[1], mu[2], label, 2, 3, at, 1};
            double real[DIM], whole[DIM], v = mu[label - 1];
            cs_node of = cs_graph_pick(g, slice(g, MU, 3), slice(g, Z, 1));
            cs_node row =
                cs_graph_pick(g, cs_graph_vector(g, table, 6),
                              op(g, CS_OP_ADD, slice(g, K, 1), number(g, 2)));
            cs_node root = op(g, CS_OP_ADD, op(g, CS_OP_MUL, of, of),
                              op(g, CS_OP_MUL, row, slice(g, MU, 1)));
            double t = table[at + 1];
            double now = value_of(g, root, CS_READS_REAL, x, real);
            assert_near(now, v * v + t * mu[0], 1e-15, 1e-15);
            for (int i = 0; i < 3; i++)
                assert_near(real[i], (i == label - 1 ? 2 * v : 0) + (i ? 0 : t),
                            1e-15, 1e-15);
            assert_near(value_of(g, root, CS_READS_WHOLE, x, whole), now, 0, 0);
            for (int i = 0; i < DIM; i++)
                assert_true((i < Z ? whole : real)[i] == 0);
            int up = label < 3 ? label : 2, down = label > 1 ? label - 2 : 0;
            assert_near(whole[Z], 2 * v * (mu[up] - mu[down]) / (up - down),
                        1e-15, 1e-15);
            up = at < 4 ? at + 2 : 5, down = at > -1 ? at : 0;
            assert_near(whole[K],
                        mu[0] * (table[up] - table[down]) / (up - down), 1e-15,
                        1e-15);
            assert_true(whole[Z + 1] == 0 && whole[B] == 0);
            cs_graph_destroy(g);
        }
}

/* An element of a row of a matrix is one selection. */
static void rows_become_one_selection(void **state)
{
    (void)state;
    static const double up[3] = {1, 2, 3};
    cs_graph *g = graph();
    double v[9];
    for (size_t i = 0; i < 9; i++)
        v[i] = (double)(i * i);
    cs_node m = cs_graph_vector(g, v, 9), one = number(g, 1);
    cs_node before =
        op(g, CS_OP_MUL, op(g, CS_OP_SUB, slice(g, Z, 1), one), number(g, 3));
    cs_node row = cs_graph_pick(
        g, m, op(g, CS_OP_ADD, before, cs_graph_vector(g, up, 3)));
    assert_int_equal(cs_graph_size(g, row), 3);
    cs_node entry = cs_graph_pick(g, row, slice(g, Z + 1, 1));
    cs_node second = cs_graph_slice(g, row, 1, 1);
    assert_int_equal(cs_graph_at(g, entry)->op, CS_OP_PICK);
    assert_int_equal(cs_graph_arg(g, entry, 0), m);
    assert_int_equal(cs_graph_arg(g, second, 0), m);
    for (int a = 1; a <= 3; a++)
        for (int b = 1; b <= 3; b++) {
            double x[DIM] = {0, 0, 0, a, b, 1, 0, 0}, slope[DIM];
            assert_true(value_of(g, entry, CS_READS_REAL, x, slope) ==
                        v[(a - 1) * 3 + b - 1]);
            assert_true(value_of(g, second, CS_READS_REAL, x, slope) ==
                        v[(a - 1) * 3 + 1]);
        }
    cs_graph_destroy(g);
}

/* A slice of a row creates nodes. If the graph has no room for them, its nodes
 * move in memory. */
static void rows_are_sliced_in_a_full_graph(void **state)
{
    (void)state;
    enum { MANY = 40000 };
    cs_graph *g;
    cs_error err;
    assert_int_equal(cs_graph_create(DIM, 4 * MANY, &g, &err), CS_OK);
    assert_true(cs_graph_set_ranges(g, parts, 3));
    cs_node v = cs_graph_op1(g, CS_OP_EXP, slice(g, MU, 3)), z = slice(g, Z, 1);
    for (double at = 1; g->n_nodes < MANY; at += 3) {
        const double up[3] = {-at, -at - 1, -at - 2};
        cs_node row =
            cs_graph_pick(g, v, op(g, CS_OP_ADD, z, cs_graph_vector(g, up, 3)));
        for (double other = 1; g->n_nodes < g->node_capacity; other++)
            (void)number(g, other);
        cs_node one = cs_graph_slice(g, row, 1, 1);
        assert_int_equal(cs_graph_at(g, one)->op, CS_OP_PICK);
        assert_int_equal(cs_graph_arg(g, one, 0), v);
    }
    assert_int_equal(g->status, CS_OK);
    cs_graph_destroy(g);
}

/* A search that takes too much work stops: the index may then be outside. */
static void long_searches_stop(void **state)
{
    (void)state;
    enum { BITS = 12, LONG = 20000 };
    static double weight[LONG] = {1};
    const cs_graph_range bits = {0, BITS, 0, 2, "b"};
    cs_graph *g;
    cs_error err;
    cs_outside o;
    assert_int_equal(cs_graph_create(BITS, 10000, &g, &err), CS_OK);
    assert_true(cs_graph_set_ranges(g, &bits, 1));
    cs_node w = cs_graph_vector(g, weight, LONG), slow = number(g, 1);
    for (size_t i = 0; i < BITS; i++)
        slow =
            op(g, CS_OP_ADD, slow,
               cs_graph_op1(g, CS_OP_SUM, op(g, CS_OP_MUL, w, slice(g, i, 1))));
    cs_node same =
        op(g, CS_OP_SUB, slow, cs_graph_op1(g, CS_OP_SUM, cs_graph_input(g)));
    clock_t begin = clock();
    assert_true(cs_graph_find_outside(g, same, 3, &o));
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("%.2f s\n", seconds);
    assert_true(seconds < 8); /* all states would take a minute */
    assert_true(o.value == BITS + 1);
    assert_string_equal(o.where, "");
    assert_false(cs_graph_find_outside(g, slow, BITS + 1, &o));
    cs_graph_destroy(g);
}

/* The search looks only at the coordinates that an element is computed from. */
static void indices_of_many_labels_are_checked(void **state)
{
    (void)state;
    enum { N = 4000, LABELS = 5 };
    const cs_graph_range labels = {0, N, 1, LABELS, "z"};
    cs_graph *g;
    cs_error err;
    cs_outside o;
    assert_int_equal(cs_graph_create(N, 10000, &g, &err), CS_OK);
    assert_true(cs_graph_set_ranges(g, &labels, 1));
    cs_node z = cs_graph_input(g), one = number(g, 1);
    cs_node twice = op(g, CS_OP_SUB, op(g, CS_OP_MUL, z, number(g, 2)), z);
    assert_false(cs_graph_find_outside(g, twice, LABELS, &o));
    assert_true(
        cs_graph_find_outside(g, op(g, CS_OP_ADD, twice, one), LABELS, &o));
    assert_true(o.value == LABELS + 1);
    assert_string_equal(o.where, "z[1] = 5");
    /* an element of a selection may be that of each label */
    cs_node picked =
        cs_graph_pick(g, cs_graph_slice(g, twice, 0, 50), slice(g, 0, 1));
    assert_true(cs_graph_find_outside(g, picked, LABELS, &o));
    /* elements of sums and of parts */
    cs_node sum = cs_graph_op1(g, CS_OP_SUM, z);
    assert_false(cs_graph_find_outside(g, sum, N * LABELS, &o));
    assert_true(cs_graph_find_outside(g, sum, N, &o));
    cs_node part[3] = {slice(g, 7, 2), slice(g, 1, 1), one};
    cs_node pack = cs_graph_pack(g, part, 3);
    cs_node more = op(g, CS_OP_SUB, op(g, CS_OP_ADD, pack, pack), pack);
    assert_false(cs_graph_find_outside(g, more, LABELS, &o));
    assert_true(cs_graph_find_outside(g, more, LABELS - 1, &o));
    assert_string_equal(o.where, "z[8] = 5");
    const double by[2] = {1, 0};
    cs_node swapped = cs_graph_gather(g, more, by, 2);
    assert_true(cs_graph_find_outside(g, swapped, LABELS - 1, &o));
    assert_string_equal(o.where, "z[9] = 5");
    assert_int_equal(g->status, CS_OK);
    cs_graph_destroy(g);
}

/* A loop over mu[z[i]] becomes one operation on vectors. */
static void loops_become_vectors(void **state)
{
    (void)state;
    enum { N = 20, LABELS = 4 };
    cs_graph *g, *to;
    cs_error err;
    cs_node v;
    const cs_graph_range labels = {LABELS, N, 1, LABELS, "z"};
    assert_int_equal(cs_graph_create(LABELS + N, 10000, &g, &err), CS_OK);
    assert_true(cs_graph_set_ranges(g, &labels, 1));
    cs_node mu = cs_graph_op1(g, CS_OP_EXP, slice(g, 0, LABELS));
    cs_node logp = number(g, 0);
    for (size_t i = 0; i < N; i++) {
        cs_node of = cs_graph_pick(g, mu, slice(g, LABELS + i, 1));
        cs_node off = op(g, CS_OP_SUB, number(g, sin((double)i)), of);
        logp = op(g, CS_OP_ADD, logp, op(g, CS_OP_MUL, off, off));
    }
    assert_int_equal(cs_graph_reroll(g, logp, &to, &v, &err), CS_OK);
    assert_non_null(to);
    assert_true(to->n_nodes < 20 && to->n_ranges == 1);
    double x[LABELS + N], slots[2][400], want = 0;
    for (size_t i = 0; i < LABELS + N; i++)
        x[i] = i < LABELS ? cos((double)i) : (double)(1 + i * i % LABELS);
    for (size_t i = 0; i < N; i++)
        want += pow(sin((double)i) - exp(x[(size_t)x[LABELS + i] - 1]), 2);
    cs_node root[2] = {logp, v};
    cs_graph *of[2] = {g, to};
    for (size_t k = 0; k < 2; k++) {
        cs_program *p;
        assert_int_equal(cs_program_compile(of[k], &root[k], 1, &p, &err),
                         CS_OK);
        assert_true(p->slots <= 400);
        cs_program_run_one(p, false, x, 1, slots[k]);
        assert_near(slots[k][p->root[0]], want, 1e-13, 1e-13);
        cs_program_destroy(p);
    }
    cs_graph_destroy(to);
    cs_graph_destroy(g);
}

/* A value outside the range reads and writes no other memory. */
static void outside_is_harmless(void **state)
{
    (void)state;
    cs_graph *g = graph();
    static const double far[] = {-1e300, -1, 0, 4, 1e300, HUGE_VAL, NAN};
    cs_node root = cs_graph_pick(g, slice(g, MU, 3), slice(g, Z, 1));
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        double x[DIM] = {5, 6, 7, far[i], 1, 1, 0, 0}, slope[DIM];
        assert_true(value_of(g, root, CS_READS_REAL, x, slope) ==
                    (far[i] > 3 ? 7 : 5));
        assert_true(slope[far[i] > 3 ? 2 : 0] == 1);
    }
    cs_graph_destroy(g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_know_what_they_read),
    cmocka_unit_test(indices_are_checked_for_all_states),
    cmocka_unit_test(elements_are_selected),
    cmocka_unit_test(rows_become_one_selection),
    cmocka_unit_test(rows_are_sliced_in_a_full_graph),
    cmocka_unit_test(indices_of_many_labels_are_checked),
    cmocka_unit_test(long_searches_stop),
    cmocka_unit_test(loops_become_vectors),
    cmocka_unit_test(outside_is_harmless),
};
TESTS(test_ranges)
