/* Tests cycles of kernels: on small spaces of bits, labels and integers the
 * matrix of a cycle is the product of its members' matrices, and leaves the
 * target invariant; a step is the steps of its members by hand; lanes, saved
 * blocks and numbers of chains change nothing; bad members are refused. */
#include "support/composed.h"
#include "support/laws.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "base/memory.h"
#include "kernel/composed.h"
#include "target/derivatives.h"
#include "target/enumeration.h"

#include <stdio.h>
#include <string.h>

enum { STATES = COMPOSED_STATES, DIM = COMPOSED_DIM, CHAINS = LAW_CHAINS };

static const composed_part bits_label_integer[] = {
    {"b", "dmala", {0.8, 0.5}, 2, {0, 1}, 2, 1, LEAF},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"n", "random_walk", {0}, 0, {3}, 1, 2, LEAF}};
/* Two members of the same kind: with equal random numbers they would move
 * together. */
static const composed_part bit_by_bit[] = {
    {"first", "gibbs", {0, 1}, 2, {0}, 1, 1, LEAF},
    {"second", "gibbs", {0, 1}, 2, {1}, 1, 1, LEAF},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"n", "gibbs", {0, 1}, 2, {3}, 1, 1, LEAF}};
/* A part that two members move, one of which remembers gradients. */
static const composed_part twice[] = {
    {"b", "dmala", {0.8, 0.5}, 2, {0, 1}, 2, 2, LEAF},
    {"again", "gibbs", {0, 1}, 2, {0, 1}, 2, 1, LEAF},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"n", "dmala", {2, 0.5}, 2, {3}, 1, 1, LEAF}};

static void a_cycle_is_the_product_of_its_members(void **state)
{
    (void)state;
    static const struct {
        const composed_part *part;
        size_t n;
    } cycle[] = {{bits_label_integer, 3}, {bit_by_bit, 4}, {twice, 4}};
    static const cs_target_type *const types[] = {&small_listed, &small_cached};
    static double P[STATES * STATES];
    static composed_whole w;
    for (size_t t = 0; t < 2; t++) {
        composed_fill(&w, types[t]);
        for (size_t k = 0; k < 3; k++) {
            cs_kernel kernel;
            assert_int_equal(
                composed_open(w.t, cycle[k].part, cycle[k].n, &kernel, NULL),
                CS_OK);
            assert_true(cs_kernel_is_exact(&kernel, w.t));
            const composed_part all = {.kernel = "cycle",
                                       .inside = cycle[k].part,
                                       .n_inside = cycle[k].n};
            composed_matrix(&w, &all, P);
            double p = composed_frequencies(&w, &kernel, P);
            print_message("cycle %zu on %s: p = %.3g\n", k + 1, w.t->name, p);
            assert_true(p > 1e-6);
            cs_kernel_release(&kernel);
        }
        cs_target_release(w.t);
    }
}

/* ---- auxiliary variables ---- */

enum { BLOCKS = 1600, WIDTH = 32, MOVES = 8 };

/* Members whose auxiliary variable is coupled to bits that another member moves,
 * too. */
static const composed_part coupled[] = {
    {"again", "gibbs", {0, 1}, 2, {0, 1}, 2, 1, LEAF},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"n", "edmala_glu", {0.8, 0.5, 0.3}, 3, {3}, 1, 1, LEAF},
    {"b", "edmala", {0.8, 0.5, 0.2}, 3, {0, 1}, 2, 4, LEAF}};

/* Returns the state with the cumulative probability u. */
static size_t state_at(const composed_whole *w, double u)
{
    size_t k = 0;
    while (k + 1 < STATES && u >= w->pi[k])
        u -= w->pi[k++];
    return k;
}

/* Starts chains at draws from the target, and compares their states after some
 * steps with the target. Returns the p-value. */
static double stays_at_the_target(const composed_whole *w, const cs_kernel *k)
{
    static double count[STATES];
    uint64_t word[2], drawn = 0;
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < BLOCKS; i++) {
        const double *start[WIDTH];
        cs_block *b;
        for (size_t l = 0; l < WIDTH; l++) {
            cs_threefry2x64(20, (uint64_t[2]){++drawn, 0},
                            (uint64_t[2]){0x5eed, 0}, word);
            start[l] = w->x[state_at(w, (double)(word[0] >> 11) * 0x1p-53)];
        }
        assert_int_equal(
            cs_block_create(&b, w->t, k, 3, i * WIDTH, WIDTH, NULL, 0, NULL),
            CS_OK);
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        assert_int_equal(cs_block_run(b, NULL, MOVES, NULL), MOVES);
        for (size_t l = 0; l < WIDTH; l++)
            count[cs_space_index(&w->t->space, b->move.x + l, b->lanes)]++;
        cs_block_destroy(b);
    }
    return cs_check_cells_p(count, w->pi, STATES);
}

static void auxiliary_variables_follow_the_other_members(void **state)
{
    (void)state;
    static composed_whole w;
    cs_kernel kernel;
    composed_fill(&w, &small_cached);
    assert_int_equal(composed_open(w.t, coupled, 4, &kernel, NULL), CS_OK);
    assert_true(cs_kernel_is_exact(&kernel, w.t));
    double p = stays_at_the_target(&w, &kernel);
    print_message("auxiliary variables: p = %.3g\n", p);
    assert_true(p > 1e-4);
    cs_kernel_release(&kernel);
    cs_target_release(w.t);
}

/* ---- laws of the registry ---- */

static void cycles_hold_everywhere(void **state)
{
    (void)state;
    laws_hold(cycle_laws);
}

static void faults_of_cycles_are_caught(void **state)
{
    (void)state;
    laws_catch_faults(cycle_laws);
}

/* ---- blocks ---- */

static void chains_do_not_depend_on_their_block(void **state)
{
    (void)state;
    cs_target *t = composed_target(&small_labels);
    static const composed_part p[] = {
        {"mu", "mala", {0.6}, 1, {0, 1}, 2, 2, LEAF},
        {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 2, LEAF}};
    static const double x[COMPOSED_LIVE][DIM] = {{0, 1, 0, 1},
                                                 {-1, 2, 1, 1},
                                                 {1, 0, 0, 0},
                                                 {0.5, 1, 1, 0},
                                                 {0, 0, 0, 1}};
    cs_kernel k;
    assert_int_equal(composed_open(t, p, 2, &k, NULL), CS_OK);
    composed_compare_blocks(t, &k, x);
    cs_kernel_release(&k);
    cs_target_release(t);
}

/* A gradient is computed again only in the lanes that another member has
 * moved. */
static void stale_gradients_are_counted(void **state)
{
    (void)state;
    cs_target *t = composed_target(&small_labels);
    static const composed_part p[] = {
        {"mu", "mala", {0.6}, 1, {0, 1}, 2, 1, LEAF},
        {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 1, LEAF}};
    static const double x[DIM] = {0, 1, 0, 1};
    const double *start[] = {x, x, x};
    cs_kernel k;
    assert_int_equal(composed_open(t, p, 2, &k, NULL), CS_OK);
    cs_block *b = composed_chains(t, &k, 3, start);
    uint64_t before = b->eval.work.gradients, moved = 0;
    double z[2][3];
    for (size_t s = 0; s < 50; s++) {
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0; i < 2; i++)
                z[i][l] = b->move.x[(2 + i) * b->lanes + l];
        cs_block_run(b, NULL, 1, NULL);
        for (size_t l = 0; l < 3 && s < 49; l++)
            moved += z[0][l] != b->move.x[2 * b->lanes + l] ||
                     z[1][l] != b->move.x[3 * b->lanes + l];
    }
    assert_true(moved > 0);
    assert_int_equal(b->eval.work.gradients - before, 3 * 50 + moved);
    cs_block_destroy(b);
    cs_kernel_release(&k);
    cs_target_release(t);
}

enum { MANY = 12, RUN = 50 };

/* Drives the row `row`, the step of the eleventh of MANY members, and expects
 * that only this member does not move. */
static void assert_drives(cs_target *t, const cs_kernel *k, size_t row)
{
    static const double zero[MANY];
    const double *start[] = {zero, zero};
    cs_block *b = composed_chains(t, k, 2, start);
    for (size_t s = 0; s < RUN; s++) {
        double small = 1e-12;
        const cs_driven driven = {.n = 1, .param = {row}, .value = &small};
        double before = b->move.x[10 * b->lanes];
        assert_int_equal(cs_block_run(b, &driven, 1, NULL), 1);
        assert_near(b->move.x[10 * b->lanes], before, 0, 1e-8);
        assert_true(b->move.x[8 * b->lanes] != 0);
    }
    cs_block_destroy(b);
}

/* A cycle may have more rows and stats than any kernel: members with lists,
 * parameters that schedules drive, and names of all of them. */
static void a_cycle_has_the_rows_of_all_members(void **state)
{
    (void)state;
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .number = MANY, .given = 1};
    const double mean = 0.25;
    const cs_value list = {.name = "means",
                           .kind = CS_PARAM_ARRAY,
                           .given = 1,
                           .array = &mean,
                           .rows = 1,
                           .cols = 1};
    cs_target *t;
    cs_kernel member[MANY], k;
    cs_member_spec spec[MANY];
    char name[MANY][8];
    uint32_t at[MANY];
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &t, NULL), CS_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        bool odd = i % 2;
        snprintf(name[i], sizeof name[i], "x%u", i + 1);
        at[i] = i;
        assert_int_equal(
            cs_kernel_init(&member[i],
                           cs_kernel_find(odd ? "independence" : "nuts"), &list,
                           odd, NULL),
            CS_OK);
        spec[i] = (cs_member_spec){.name = name[i],
                                   .kernel = &member[i],
                                   .coordinate = &at[i],
                                   .n = 1,
                                   .times = 1};
    }
    assert_int_equal(cs_kernel_cycle(&k, t, spec, MANY, NULL), CS_OK);
    assert_true(k.type->n_params > 40);
    assert_true(cs_kernel_count_stats(k.type) > 6);
    size_t n, lists = k.type->n_params;
    const double *x = NULL;
    for (size_t i = 0; i < k.type->n_lists && !x; i++)
        if (strcmp(k.type->params[lists + i].name, "x12.means") == 0)
            x = cs_kernel_list(&k, i, &n);
    assert_true(x && n == 1 && *x == mean);
    int row = cs_param_find(k.type->params, k.type->n_params, "x11.step");
    assert_true(row >= 40);
    assert_drives(t, &k, (size_t)row);
    cs_kernel_release(&k);
    for (size_t i = 0; i < MANY; i++)
        cs_kernel_release(&member[i]);
    cs_target_release(t);
}

/* ---- means ---- */

/* Computes the means of the model with labels, by sums over the labels. */
static void find_means(double want[DIM])
{
    static const double y[2] = {-0.9, 1.6}, prior[2] = {-1, 1.5};
    double total = 0;
    for (int c = 0; c < 4; c++) {
        int z[2] = {c & 1, c >> 1};
        double m[2], weight = 1;
        for (int k = 0; k < 2; k++) {
            double precision = 1 / 2.25, pull = prior[k] / 2.25,
                   squares = prior[k] * prior[k] / 2.25;
            for (int i = 0; i < 2; i++) {
                precision += z[i] == k;
                pull += z[i] == k ? y[i] : 0;
                squares += z[i] == k ? y[i] * y[i] : 0;
            }
            m[k] = pull / precision;
            weight *= exp(-0.5 * (squares - pull * m[k])) / sqrt(precision);
        }
        for (int i = 0; i < 2; i++)
            weight *= z[i] ? 0.65 : 0.35;
        total += weight;
        for (int i = 0; i < 2; i++) {
            want[i] += weight * m[i];
            want[2 + i] += weight * z[i];
        }
    }
    for (int i = 0; i < DIM; i++)
        want[i] /= total;
}

static void labels_have_their_exact_means(void **state)
{
    (void)state;
    enum { LONG = 20000, LIVE = 32 };
    cs_target *t = composed_target(&small_labels);
    static const composed_part p[] = {
        {"mu", "hmc", {0.7}, 1, {0, 1}, 2, 1, LEAF},
        {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 2, LEAF}};
    double want[DIM] = {0}, mean[DIM] = {0};
    find_means(want);
    static const double x[DIM] = {0, 1, 0, 1};
    const double *start[LIVE];
    for (size_t l = 0; l < LIVE; l++)
        start[l] = x;
    cs_kernel k;
    assert_int_equal(composed_open(t, p, 2, &k, NULL), CS_OK);
    cs_block *b = composed_chains(t, &k, LIVE, start);
    cs_block_run(b, NULL, 100, NULL);
    double each[DIM][LIVE] = {{0}};
    for (size_t s = 0; s < LONG; s++) {
        cs_block_run(b, NULL, 1, NULL);
        for (size_t i = 0; i < DIM; i++)
            for (size_t l = 0; l < LIVE; l++)
                each[i][l] += b->move.x[i * b->lanes + l] / LONG;
    }
    for (size_t i = 0; i < DIM; i++) {
        double squares = 0;
        for (size_t l = 0; l < LIVE; l++)
            mean[i] += each[i][l] / LIVE;
        for (size_t l = 0; l < LIVE; l++)
            squares += (each[i][l] - mean[i]) * (each[i][l] - mean[i]);
        double error = sqrt(squares / (LIVE * (LIVE - 1.0)));
        print_message("coordinate %zu: %.4f, exact %.4f, error %.4f\n", i + 1,
                      mean[i], want[i], error);
        assert_true(error < 0.01);
        assert_true(fabs(mean[i] - want[i]) < 4.5 * error);
    }
    cs_block_destroy(b);
    cs_kernel_release(&k);
    cs_target_release(t);
}

/* ---- refusals ---- */

static void bad_members_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        composed_part part[3];
        size_t n;
        const char *says;
    } rows[] = {{{{"mu", "mala", {0}, 0, {0, 1}, 2, 1, LEAF}},
                 1,
                 "no member moves z.1"},
                {{{"mu", "mala", {0}, 0, {0, 1}, 2, 1, LEAF},
                  {"mu", "gibbs", {0, 1}, 2, {2, 3}, 2, 1, LEAF}},
                 2,
                 "two members have the name mu"},
                {{{"mu", "mala", {0}, 0, {0, 1}, 2, 1, LEAF},
                  {"z", "hmc", {0}, 0, {2, 3}, 2, 1, LEAF}},
                 2,
                 "kernel hmc cannot move target z"},
                {{{"mu", "sgld", {0}, 0, {0, 1}, 2, 1, LEAF},
                  {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 1, LEAF}},
                 2,
                 "sgld cannot be the member mu"},
                {{{"mu", "mala", {0}, 0, {0}, 1, 1, LEAF},
                  {"both", "gibbs", {0, 1}, 2, {1, 2}, 2, 1, LEAF},
                  {"z", "gibbs", {0, 1}, 2, {3}, 1, 1, LEAF}},
                 3,
                 "values of both differ"}};
    cs_target *t = composed_target(&small_labels),
              *other = composed_target(&small_labels);
    cs_error err = {0};
    cs_kernel k;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cs_status s = composed_open(t, rows[i].part, rows[i].n, &k, &err);
        if (s == CS_OK) {
            s = cs_kernel_fits(&k, t, &err);
            cs_kernel_release(&k);
        }
        assert_int_not_equal(s, CS_OK);
        if (!strstr(err.what, rows[i].says))
            fail_msg("'%s' does not say '%s'", err.what, rows[i].says);
    }
    static const composed_part good[] = {
        {"mu", "mala", {0}, 0, {0, 1}, 2, 1, LEAF},
        {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 1, LEAF}};
    assert_int_equal(composed_open(t, good, 2, &k, &err), CS_OK);
    assert_string_equal(k.type->name, "cycle(mala+gibbs)");
    assert_true(cs_param_find(k.type->params, k.type->n_params, "mu.step") >=
                0);
    assert_int_equal(cs_kernel_fits(&k, t, &err), CS_OK);
    assert_int_equal(cs_kernel_fits(&k, other, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.hint, "a kernel for each target"));
    cs_kernel_release(&k);
    cs_target_release(other);
    cs_target_release(t);
}

/* A composed member is released if a later member cannot be bound. */
static void a_failure_releases_all_members(void **state)
{
    (void)state;
    static const composed_part
        deep[] = {{"mu", "mala", {0}, 0, {0, 1}, 2, 1, LEAF}},
        outer[] = {{.name = "deep",
                    .kernel = "cycle",
                    .times = 1,
                    .weight = 1,
                    .inside = deep,
                    .n_inside = 1},
                   {"z", "hmc", {0}, 0, {2, 3}, 2, 1, LEAF}},
        root = {.kernel = "cycle", .inside = outer, .n_inside = 2};
    cs_target *t = composed_target(&small_labels);
    composed_tree tree;
    cs_error err = {0};
    assert_int_equal(composed_tree_open(&tree, t, &root, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "kernel hmc cannot move target z"));
    assert_int_equal(tree.n, 1);
    const cs_composed *c = cs_composed_of(&tree.inner[0]);
    assert_null(c->whole);
    assert_null(c->member[0].target);
    composed_tree_close(&tree);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cycle_is_the_product_of_its_members),
    cmocka_unit_test(auxiliary_variables_follow_the_other_members),
    cmocka_unit_test(cycles_hold_everywhere),
    cmocka_unit_test(faults_of_cycles_are_caught),
    cmocka_unit_test(chains_do_not_depend_on_their_block),
    cmocka_unit_test(stale_gradients_are_counted),
    cmocka_unit_test(a_cycle_has_the_rows_of_all_members),
    cmocka_unit_test(labels_have_their_exact_means),
    cmocka_unit_test(bad_members_are_refused_by_name),
    cmocka_unit_test(a_failure_releases_all_members),
};
TESTS(test_cycle)
