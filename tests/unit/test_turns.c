/* Tests the notes on the turns of members: the states that they list are those
 * that the chain goes through, in every kind of tree; and the conditional
 * distribution of a coordinate is that of the target. */
#include "support/by_name.h"
#include "support/composed.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "run/arms/arms.h"
#include "run/preview/conditional.h"
#include "run/preview/step_preview.h"
#include "run/run.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 3, STEPS = 40, DIM = COMPOSED_DIM };

static const composed_part members[] = {
    {"b", "dmala", {0.8, 0.5}, 2, {0, 1}, 2, 1, LEAF},
    {"z", "gibbs", {0, 1}, 2, {2}, 1, 1, LEAF},
    {"n", "random_walk", {0}, 0, {3}, 1, 3, LEAF}};
static const composed_part inside = {.name = "zn",
                                     .kernel = "cycle",
                                     .times = 2,
                                     .weight = 1,
                                     .inside = members + 1,
                                     .n_inside = 2};

static cs_run *open_run(cs_target *t, const cs_kernel *k)
{
    const cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 4,
                        .workers = 1};
    cs_run *r = NULL;
    cs_error err = {0};
    if (cs_run_create(&r, &spec, &err))
        fail_msg("%s", err.what);
    return r;
}

/* Returns the member that moves coordinate d of the space. */
static double member_of(size_t d)
{
    return d < 2 ? 0 : (double)d - 1;
}

/* Checks the notes of one step against the states before and after it. */
static void check_turns(const cs_turns *t, const double *from, const double *to,
                        const double *member, size_t n)
{
    assert_int_equal(t->n, n);
    assert_memory_equal(t->before, from, sizeof(double[DIM]));
    assert_memory_equal(t->after + (n - 1) * DIM, to, sizeof(double[DIM]));
    for (size_t i = 0; i < n; i++) {
        const cs_turn_note *note = &t->note[i];
        const double *was = t->before + i * DIM, *now = t->after + i * DIM;
        assert_true(note->member == member[i]);
        assert_true(note->steps == (member[i] == 2 ? 3 : 1));
        assert_true(note->accepts == (member[i] != 1));
        if (i > 0)
            assert_memory_equal(was, now - DIM, sizeof(double[DIM]));
        bool moved = false;
        for (size_t d = 0; d < DIM; d++) {
            moved |= was[d] != now[d];
            if (member_of(d) != member[i])
                assert_true(was[d] == now[d]);
        }
        assert_true(!moved || note->moves > 0);
        if (note->accepts != 0)
            assert_true(note->accepted ==
                        (note->log_uniform < note->log_ratio));
        if (note->accepts != 0 && note->steps == 1)
            assert_memory_equal(
                now, note->accepted != 0 ? t->proposal + i * DIM : was,
                sizeof(double[DIM]));
    }
}

/* Makes steps of a tree of kernels, and checks the notes made before each. */
static void follow(const composed_part *root, const double *member, size_t n)
{
    cs_target *t = composed_target(&small_listed);
    composed_tree tree;
    assert_int_equal(composed_tree_open(&tree, t, root, NULL), CS_OK);
    cs_run *r = open_run(t, &tree.kernel);
    for (int k = 0; k < STEPS; k++) {
        cs_turns turns;
        double from[DIM], to[DIM];
        cs_work before = cs_run_arm(r, 0).work;
        assert_true(cs_run_turns(r, 0, 1, 2, &turns));
        cs_work after = cs_run_arm(r, 0).work;
        assert_memory_equal(&before, &after, sizeof before);
        memcpy(from, cs_run_chain(r, 0, 1).x, sizeof from);
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        memcpy(to, cs_run_chain(r, 0, 1).x, sizeof to);
        check_turns(&turns, from, to, member, n);
        cs_turns_end(&turns);
    }
    cs_run_destroy(r);
    composed_tree_close(&tree);
    cs_target_release(t);
}

static void turns_are_those_of_the_next_step(void **state)
{
    (void)state;
    const composed_part flat = {
        .kernel = "cycle", .inside = members, .n_inside = 3};
    const composed_part two[] = {members[0], inside};
    const composed_part deep = {
        .kernel = "cycle", .inside = two, .n_inside = 2};
    follow(&flat, (const double[]){0, 1, 2}, 3);
    follow(&deep, (const double[]){0, 1, 2, 1, 2}, 5);
}

/* A plain kernel has no turns. */
static void a_kernel_without_members_has_no_turns(void **state)
{
    cs_target *t = target_of("gaussian");
    cs_kernel k = kernel_of("mala");
    cs_run *r = open_run(t, &k);
    cs_turns turns;
    (void)state;
    assert_false(cs_run_turns(r, 0, 0, 0, &turns));
    cs_run_destroy(r);
    cs_target_release(t);
}

/* The draw of a coordinate: the state in which its member draws it has the value
 * before, and the values of the other coordinates at that time. */
static void the_draw_of_a_coordinate_has_its_state(void **state)
{
    (void)state;
    cs_target *t = composed_target(&small_listed);
    const composed_part flat = {
        .kernel = "cycle", .inside = members, .n_inside = 3};
    composed_tree tree;
    assert_int_equal(composed_tree_open(&tree, t, &flat, NULL), CS_OK);
    cs_run *r = open_run(t, &tree.kernel);
    for (int k = 0; k < STEPS; k++) {
        cs_turns turns;
        assert_true(cs_run_turns(r, 0, 1, 2, &turns));
        assert_int_equal(turns.drawn, 2);
        assert_memory_equal(turns.at, turns.before + DIM, sizeof(double[DIM]));
        assert_true(turns.from == turns.at[2]);
        assert_true(turns.to == turns.after[DIM + 2]);
        cs_turns_end(&turns);
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
    }
    cs_run_destroy(r);
    composed_tree_close(&tree);
    cs_target_release(t);
}

/* ---- conditional distributions --------------------------------------------- */

static void conditionals_of_labels_are_ratios_of_densities(void **state)
{
    static composed_whole w;
    (void)state;
    composed_fill(&w, &small_listed);
    for (size_t s = 0; s < COMPOSED_STATES; s++)
        for (size_t d = 0; d < DIM; d++) {
            cs_conditional c;
            const cs_part p = cs_space_part(&w.t->space, d);
            assert_true(
                cs_conditional_find(w.t, w.x[s], d, w.x[s][d], w.x[s][d], &c));
            assert_true(c.discrete && c.n == (size_t)p.values);
            size_t own = (size_t)(w.x[s][d] - p.low);
            for (size_t v = 0; v < c.n; v++) {
                double x[DIM];
                memcpy(x, w.x[s], sizeof x);
                x[d] = p.low + (double)v;
                size_t i = cs_space_index(&w.t->space, x, 1);
                assert_true(c.value[v] == x[d]);
                double want = exp(w.logp[i] - w.logp[s]);
                assert_true(fabs(c.density[v] / c.density[own] - want) <=
                            1e-9 * (1 + want));
            }
        }
    cs_target_release(w.t);
}

static cs_target *gaussian_of(double sd)
{
    const cs_value v[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 2},
        {.name = "scale", .given = 1, .number = sd}};
    cs_target *t = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), v, 2, &t, NULL), CS_OK);
    return t;
}

/* The conditional of a coordinate of a Gaussian is a Gaussian, whatever the
 * scale: the grid finds its width. */
static void conditionals_of_reals_have_the_right_width(void **state)
{
    (void)state;
    for (int power = -3; power <= 3; power++) {
        double sd = pow(10, power);
        cs_target *t = gaussian_of(sd);
        cs_conditional c;
        double x[2] = {1.5 * sd, 0}, sum = 0, mean = 0, square = 0;
        assert_true(cs_conditional_find(t, x, 0, x[0], -sd, &c));
        assert_false(c.discrete);
        for (size_t i = 0; i < c.n; i++) {
            sum += c.density[i];
            mean += c.density[i] * c.value[i];
            square += c.density[i] * c.value[i] * c.value[i];
            assert_true(i == 0 || c.value[i] > c.value[i - 1]);
        }
        assert_true(fabs(mean / sum) < 0.02 * sd);
        assert_true(fabs(sqrt(square / sum) / sd - 1) < 0.03);
        assert_true(c.from == x[0] && c.to == -sd);
        cs_target_release(t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(turns_are_those_of_the_next_step),
    cmocka_unit_test(a_kernel_without_members_has_no_turns),
    cmocka_unit_test(the_draw_of_a_coordinate_has_its_state),
    cmocka_unit_test(conditionals_of_labels_are_ratios_of_densities),
    cmocka_unit_test(conditionals_of_reals_have_the_right_width),
};
TESTS(test_turns)
