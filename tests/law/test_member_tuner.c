/* Tests the tuning of the members of a cycle and a mixture: each reaches the
 * acceptance of its own kernel, from far away; one member can be chosen; a run
 * that is saved or rewound during the search continues the same search. The
 * members learn metrics, which do not depend on blocks, workers, checkpoints or
 * rewinding. */
#include "kernel/member_metrics.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/composed.h"
#include "support/support.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAINS = 8, LONG = 3000, DIM = 4 };

static const composed_part inside[] = {
    {"far", "random_walk", {50}, 1, {0, 1}, 2, 1, LEAF},
    {"near", "mala", {0.001}, 1, {2}, 1, 2, LEAF}};
static const composed_part members[] = {
    {"both", "cycle", {0}, 0, {0}, 0, 1, 1, inside, 2},
    {"leaps", "hmc", {0.01}, 1, {3}, 1, 1, 1, NULL, 0}};
static const composed_part roots[] = {
    {"all", "cycle", {0}, 0, {0}, 0, 1, 1, members, 2},
    {"all", "mixture", {0}, 0, {0}, 0, 1, 1, members, 2}};
static const char *const steps[] = {"both.far.step", "both.near.step",
                                    "leaps.step"};
/* The acceptance at which each kernel mixes best: a random walk in two
 * dimensions, a Langevin step, and a trajectory. */
static const double aims[] = {0.234 + (0.44 - 0.234) / 2, 0.574, 0.8};

typedef struct trial {
    composed_tree tree;
    cs_target *t;
    cs_run *r;
    const char *tuner;
} trial;

static cs_tuner tuner_of(const char *type, const char *parameter,
                         double acceptance)
{
    cs_tuner t;
    const cs_value given[] = {
        {.name = "steps", .given = true, .number = LONG},
        {.name = "acceptance", .given = true, .number = acceptance}};
    assert_int_equal(cs_tuner_init(&t, cs_tuner_find(type), given, 2, NULL),
                     CS_OK);
    snprintf(t.parameter, sizeof t.parameter, "%s", parameter);
    return t;
}

static cs_status open_trial(trial *q, const composed_part *root,
                            const char *parameter, double acceptance,
                            size_t lanes, cs_error *err)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .number = DIM, .given = 1};
    q->r = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &q->t, NULL),
        CS_OK);
    assert_int_equal(composed_tree_open(&q->tree, q->t, root, NULL), CS_OK);
    cs_arm_spec arm = {.name = "a",
                       .kernel = q->tree.kernel,
                       .tuner = tuner_of(q->tuner, parameter, acceptance)};
    cs_run_spec spec = {.target = q->t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 7,
                        .workers = lanes ? 2 : 1,
                        .block_lanes = lanes,
                        .rewind_bytes = 1 << 20};
    return cs_run_create(&q->r, &spec, err);
}

static void close_trial(trial *q)
{
    cs_run_destroy(q->r);
    composed_tree_close(&q->tree);
    cs_target_release(q->t);
}

static double step_of(const trial *q, size_t member)
{
    const cs_kernel *k = cs_run_arm(q->r, 0).kernel;
    int row = cs_param_find(k->type->params, k->type->n_params, steps[member]);
    assert_true(row >= 0);
    return k->values[row];
}

/* Returns the acceptance of a member since the end of the warm-up. */
static double acceptance_of(const trial *q, size_t member)
{
    static double memory[4096];
    cs_flat f;
    cs_flat_entry e;
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(q->r, 0, "kernel", "", &f));
    assert_true(cs_flat_find(f.base, f.used, &e, "members"));
    return e.data[member * CS_MEMBER_COLUMNS + CS_MEMBER_OF_ACCEPTANCE];
}

static void each_member_reaches_its_acceptance(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        trial q = {.tuner = "acceptance"};
        assert_int_equal(open_trial(&q, &roots[k], "step", 0, 0, NULL), CS_OK);
        assert_int_equal(cs_run_arm(q.r, 0).tuning.tuner->n_driven, 3);
        assert_int_equal(cs_run_advance(q.r, 2 * LONG, NULL, NULL), CS_OK);
        assert_false(cs_run_arm(q.r, 0).tuning.active);
        for (size_t i = 0; i < 3; i++) {
            double a = acceptance_of(&q, i);
            print_message("%s %s: step %.3g, acceptance %.3f, aim %.3f\n",
                          roots[k].kernel, steps[i], step_of(&q, i), a,
                          aims[i]);
            assert_true(fabs(a - aims[i]) < 0.06);
        }
        close_trial(&q);
    }
}

static void one_member_can_be_chosen(void **state)
{
    (void)state;
    trial q = {.tuner = "acceptance"};
    assert_int_equal(open_trial(&q, &roots[0], "both.near.step", 0.7, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_run_advance(q.r, 2 * LONG, NULL, NULL), CS_OK);
    assert_true(step_of(&q, 0) == 50 && step_of(&q, 2) == 0.01);
    assert_near(acceptance_of(&q, 1), 0.7, 0, 0.05);
    close_trial(&q);
}

/* Compares the metrics of two runs, which every leaf has if `learned`. */
static void have_the_same_metrics(const trial *a, const trial *b, bool learned)
{
    const cs_arm_view v = cs_run_arm(a->r, 0), w = cs_run_arm(b->r, 0);
    const cs_composed *c = v.kernel->self, *d = w.kernel->self;
    for (size_t i = 0; i < 3; i++) {
        const cs_metric *m = cs_composed_metric(c, v.metric, i);
        const cs_metric *n = cs_composed_metric(d, w.metric, i);
        assert_true((m != NULL) == learned && (n != NULL) == learned);
        if (!m)
            continue;
        assert_true(m->kind == n->kind && m->dim == n->dim && m->centre);
        assert_memory_equal(m->covariance, n->covariance,
                            cs_metric_words(m->kind, m->dim) * sizeof(double));
        assert_memory_equal(m->centre, n->centre, m->dim * sizeof(double));
    }
}

static void interrupt(const char *tuner, const composed_part *root,
                      bool learned)
{
    trial one = {.tuner = tuner}, two = one;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(open_trial(&one, root, "step", 0, 0, NULL), CS_OK);
    assert_int_equal(open_trial(&two, root, "step", 0, 3, NULL), CS_OK);
    assert_int_equal(cs_run_advance(one.r, LONG / 2 + 3, NULL, NULL), CS_OK);
    assert_int_equal(cs_run_save(one.r, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(two.r, bytes, size, NULL), CS_OK);
    cs_free(bytes);
    assert_int_equal(cs_run_advance(one.r, LONG, NULL, NULL), CS_OK);
    assert_int_equal(cs_run_rewind(one.r, LONG / 2 - 7, NULL), CS_OK);
    assert_int_equal(cs_run_advance(one.r, LONG + 10, NULL, NULL), CS_OK);
    assert_int_equal(cs_run_advance(two.r, LONG, NULL, NULL), CS_OK);
    have_the_same_metrics(&one, &two, learned);
    for (size_t i = 0; i < 3; i++)
        assert_true(step_of(&one, i) == step_of(&two, i) &&
                    step_of(&one, i) != 0);
    for (size_t c = 0; c < CHAINS; c++)
        assert_memory_equal(cs_run_chain(one.r, 0, c).x,
                            cs_run_chain(two.r, 0, c).x, DIM * sizeof(double));
    close_trial(&one);
    close_trial(&two);
}

static void a_search_can_be_interrupted(void **state)
{
    (void)state;
    interrupt("acceptance", &roots[1], false);
}

static void windows_can_be_interrupted(void **state)
{
    (void)state;
    interrupt("window_adaptation", &roots[0], true);
    interrupt("window_adaptation", &roots[1], true);
}

/* The coordinates of the target have variance 1. Each member learns the variances
 * of its own coordinates. */
static void members_learn_their_covariances(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        trial q = {.tuner = "window_adaptation"};
        assert_int_equal(open_trial(&q, &roots[k], "step", 0, 0, NULL), CS_OK);
        assert_int_equal(cs_run_advance(q.r, LONG + 1, NULL, NULL), CS_OK);
        const cs_arm_view v = cs_run_arm(q.r, 0);
        static const size_t dims[] = {2, 1, 1};
        for (size_t i = 0; i < 3; i++) {
            const cs_metric *m =
                cs_composed_metric(v.kernel->self, v.metric, i);
            assert_true(m && m->dim == dims[i]);
            for (size_t j = 0; j < m->dim; j++)
                assert_near(m->sd[j] * m->sd[j], 1, 0, 0.2);
        }
        close_trial(&q);
    }
}

static void nothing_to_tune_is_refused(void **state)
{
    (void)state;
    trial q = {.tuner = "acceptance"};
    cs_error err = {0};
    assert_int_equal(open_trial(&q, &roots[0], "width", 0, 0, &err),
                     CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "no member of kernel cycle("));
    assert_non_null(strstr(err.what, "the parameter 'width'"));
    composed_tree_close(&q.tree);
    cs_target_release(q.t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_member_reaches_its_acceptance),
    cmocka_unit_test(one_member_can_be_chosen),
    cmocka_unit_test(a_search_can_be_interrupted),
    cmocka_unit_test(windows_can_be_interrupted),
    cmocka_unit_test(members_learn_their_covariances),
    cmocka_unit_test(nothing_to_tune_is_refused),
};
TESTS(test_member_tuner)
