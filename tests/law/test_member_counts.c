/* Tests the statistics of the members of a cycle or a mixture: they are those of
 * the steps that were made, the work of all members is the work of the arm, and
 * blocks, checkpoints and the end of a warm-up change nothing else. */
#include "run/run.h"
#include "run/save.h"
#include "run/summary/member_text.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/composed.h"
#include "support/small_mixed.h"
#include "support/support.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 5, MOST = 4, COLUMNS = CS_MEMBER_COLUMNS };

static const composed_part inside[] = {
    {"mu", "mala", {0.6}, 1, {0, 1}, 2, 1, 1, NULL, 0},
    {"z", "gibbs", {0, 1}, 2, {2, 3}, 2, 3, 1, NULL, 0}};
static const composed_part members[] = {
    {"both", "cycle", {0}, 0, {0}, 0, 1, 1, inside, 2},
    {"jump", "random_walk", {0.4}, 1, {0, 1}, 2, 2, 3, NULL, 0}};
static const composed_part in_order = {"all", "cycle", {0}, 0,       {0},
                                       0,     1,       1,   members, 2};
static const composed_part at_random = {"all", "mixture", {0}, 0,       {0},
                                        0,     1,         1,   members, 2};

/* A run of a tree, and the report of its members. */
typedef struct trial {
    composed_tree tree;
    cs_target *t;
    cs_run *r;
    double memory[4096];
    cs_flat f;
    cs_flat_entry row;
} trial;

static void open_trial(trial *q, const composed_part *root, size_t lanes,
                       uint64_t warmup)
{
    static const double x[] = {0, 1, 0, 1};
    q->t = composed_target(&small_labels);
    assert_int_equal(composed_tree_open(&q->tree, q->t, root, NULL), CS_OK);
    cs_arm_spec arm = {.name = "a", .kernel = q->tree.kernel};
    cs_run_spec spec = {.target = q->t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 7,
                        .workers = 1,
                        .start = x,
                        .n_starts = 1,
                        .block_lanes = lanes,
                        .warmup = warmup};
    assert_int_equal(cs_run_create(&q->r, &spec, NULL), CS_OK);
}

static void read_members(trial *q)
{
    cs_flat_begin(&q->f, q->memory, sizeof q->memory);
    assert_true(cs_run_report_one(q->r, 0, "kernel", "", &q->f));
    assert_true(cs_flat_find(q->f.base, q->f.used, &q->row, "members"));
    assert_true(q->row.rows == 3 && q->row.cols == COLUMNS);
}

static double number(const trial *q, size_t member, size_t column)
{
    return q->row.data[member * COLUMNS + column];
}

static void close_trial(trial *q)
{
    cs_run_destroy(q->r);
    composed_tree_close(&q->tree);
    cs_target_release(q->t);
}

/* Makes n steps one by one, and returns the share of chains and steps at which
 * a coordinate of first ... first + 1 changed. */
static double watch(trial *q, size_t first, size_t n)
{
    double x[CHAINS][2], moved = 0;
    for (size_t s = 0; s < n; s++) {
        for (size_t c = 0; c < CHAINS; c++)
            memcpy(x[c], cs_run_chain(q->r, 0, c).x + first, sizeof *x);
        assert_int_equal(cs_run_advance(q->r, 1, NULL, NULL), CS_OK);
        for (size_t c = 0; c < CHAINS; c++)
            moved += memcmp(x[c], cs_run_chain(q->r, 0, c).x + first,
                            sizeof *x) != 0;
    }
    return moved / (double)(n * CHAINS);
}

static void counts_are_those_of_the_steps(void **state)
{
    (void)state;
    enum { STEPS = 600 };
    trial q;
    open_trial(&q, &in_order, 0, 0);
    cs_work start = cs_run_arm(q.r, 0).work;
    double moved = watch(&q, 0, STEPS), of = STEPS * CHAINS;
    cs_work work = cs_run_arm(q.r, 0).work;
    read_members(&q);
    assert_near(number(&q, 0, CS_MEMBER_OF_STEPS), 1, 1e-12, 0);
    assert_near(number(&q, 1, CS_MEMBER_OF_STEPS), 3, 1e-12, 0);
    assert_near(number(&q, 2, CS_MEMBER_OF_STEPS), 2, 1e-12, 0);
    assert_near(number(&q, 1, CS_MEMBER_OF_ACCEPTANCE), 1, 0, 0);
    double walk = number(&q, 2, CS_MEMBER_OF_MOVED),
           mala = number(&q, 0, CS_MEMBER_OF_MOVED), some = 0;
    for (size_t i = 0; i < 3; i++)
        some += number(&q, i, CS_MEMBER_OF_TIME);
    assert_near(some, 1, 1e-9, 0);
    assert_true(mala > 0.2 && mala < 1 && walk > 0.2 && walk < 1);
    assert_near(number(&q, 0, CS_MEMBER_OF_ACCEPTANCE), mala, 1e-12, 0);
    assert_true(moved > fmax(mala, walk) && moved < mala + 2 * walk);
    const double all[] = {
        (double)(work.log_densities - start.log_densities),
        (double)(work.gradients - start.gradients),
        (double)(work.site_differences - start.site_differences)};
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        for (size_t i = 0; i < 3; i++)
            sum += number(&q, i, CS_MEMBER_OF_LOG_DENSITIES + k);
        assert_near(sum * of, all[k], 1e-9, 1e-9);
    }
    assert_true(number(&q, 0, CS_MEMBER_OF_GRADIENTS) > 1);
    assert_near(number(&q, 2, CS_MEMBER_OF_LOG_DENSITIES), 2, 1e-12, 0);
    /* a label has two values, and its target has no differences of its own; log
     * p is evaluated again from time to time */
    assert_near(number(&q, 1, CS_MEMBER_OF_LOG_DENSITIES), 3, 0, 0.01);
    close_trial(&q);
}

static void a_mixture_counts_what_it_chose(void **state)
{
    (void)state;
    enum { STEPS = 2000 };
    trial q;
    open_trial(&q, &at_random, 0, 0);
    assert_int_equal(cs_run_advance(q.r, STEPS, NULL, NULL), CS_OK);
    read_members(&q);
    assert_near(number(&q, 0, CS_MEMBER_OF_STEPS), 0.25, 0, 0.03);
    assert_near(number(&q, 2, CS_MEMBER_OF_STEPS) / 2 +
                    number(&q, 0, CS_MEMBER_OF_STEPS),
                1, 1e-12, 0);
    close_trial(&q);
}

static void assert_same(const trial *a, const trial *b)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < CS_MEMBER_OF_TIME; k++)
            assert_true(number(a, i, k) == number(b, i, k));
}

static void blocks_and_checkpoints_keep_the_counts(void **state)
{
    (void)state;
    static trial one, two;
    unsigned char *bytes;
    size_t size;
    open_trial(&one, &at_random, 0, 0);
    open_trial(&two, &at_random, 2, 0);
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(cs_run_advance(one.r, 100, NULL, NULL), CS_OK);
        assert_int_equal(cs_run_advance(two.r, 100, NULL, NULL), CS_OK);
        read_members(&one);
        read_members(&two);
        assert_same(&one, &two);
        if (k)
            continue;
        assert_int_equal(cs_run_advance(two.r, 30, NULL, NULL), CS_OK);
        assert_int_equal(cs_run_save(one.r, &bytes, &size, NULL), CS_OK);
        assert_int_equal(cs_run_load(two.r, bytes, size, NULL), CS_OK);
        cs_free(bytes);
    }
    close_trial(&one);
    close_trial(&two);
}

static void a_warm_up_is_not_counted(void **state)
{
    (void)state;
    trial q;
    open_trial(&q, &in_order, 0, 50);
    double moved = watch(&q, 0, 50);
    read_members(&q);
    for (size_t i = 0; i < 3; i++)
        assert_true(isnan(number(&q, i, CS_MEMBER_OF_ACCEPTANCE)));
    assert_true(moved > 0);
    assert_int_equal(cs_run_advance(q.r, 20, NULL, NULL), CS_OK);
    read_members(&q);
    assert_near(number(&q, 1, CS_MEMBER_OF_STEPS), 3, 1e-12, 0);
    close_trial(&q);
}

static void the_summary_has_a_line_per_member(void **state)
{
    (void)state;
    trial q;
    cs_page p = {0}, json = {0};
    open_trial(&q, &in_order, 0, 0);
    assert_int_equal(cs_run_advance(q.r, 100, NULL, NULL), CS_OK);
    cs_member_text(q.r, 0, &p);
    cs_member_json(q.r, 0, &json);
    print_message("%s%s\n", p.text, json.text);
    assert_non_null(strstr(p.text, "  member both.mu (mala): acceptance 0."));
    assert_non_null(strstr(p.text, "  member both.z (gibbs): acceptance 1.00"));
    assert_non_null(strstr(p.text, "  member jump (random_walk): "));
    assert_non_null(strstr(json.text,
                           ", \"members\": [{\"name\": \"both.mu\", "
                           "\"kernel\": \"mala\", \"acceptance\": "));
    cs_free(p.text);
    cs_free(json.text);
    close_trial(&q);
}

/* A divergence of any member, also of a nested one and of any of its steps, is
 * one of the arm. */
static void divergences_are_those_of_the_arm(void **state)
{
    (void)state;
    static const composed_part deep[] = {
        {"far", "hmc", {30}, 1, {0, 1}, 2, 2, LEAF}};
    static const composed_part parts[] = {
        {"near", "gibbs", {0, 1}, 2, {2, 3}, 2, 1, LEAF},
        {"deep", "cycle", {0}, 0, {0}, 0, 1, 1, deep, 1}};
    static const composed_part root = {"all", "cycle", {0}, 0,     {0},
                                       0,     1,       1,   parts, 2};
    trial q;
    open_trial(&q, &root, 0, 0);
    const cs_kernel_type *type = q.tree.kernel.type;
    assert_string_equal(type->stats[0], "divergent__");
    assert_string_equal(type->stats[1], "deep__divergent__");
    assert_int_equal(cs_run_advance(q.r, 50, NULL, NULL), CS_OK);
    double divergent = 0;
    for (size_t c = 0; c < CHAINS; c++)
        divergent += cs_run_chain(q.r, 0, c).tally.divergent;
    print_message("%g of %d steps diverge\n", divergent, 50 * CHAINS);
    assert_true(divergent > 25 * CHAINS);
    close_trial(&q);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_are_those_of_the_steps),
    cmocka_unit_test(a_mixture_counts_what_it_chose),
    cmocka_unit_test(blocks_and_checkpoints_keep_the_counts),
    cmocka_unit_test(a_warm_up_is_not_counted),
    cmocka_unit_test(the_summary_has_a_line_per_member),
    cmocka_unit_test(divergences_are_those_of_the_arm),
};
TESTS(test_member_counts)
