/* Tests the metrics of members: a member makes the steps of its kernel with its
 * metric, whatever its kind, and metrics that do not fit are refused by name. */
#include "support/composed.h"
#include "support/metrics.h"
#include "support/support.h"

#include "base/memory.h"
#include <string.h>

enum { DIM = 4, PART = 2, LIVE = 5, STEPS = 25 };

static cs_target *gaussian(void)
{
    cs_target *t;
    const cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .number = DIM, .given = 1},
        {.name = "rho", .kind = CS_PARAM_REAL, .number = 0.5, .given = 1}};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), given, 2, &t, NULL),
        CS_OK);
    return t;
}

static cs_kernel slice(void)
{
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("slice"), NULL, 0, NULL),
                     CS_OK);
    return k;
}

/* A cycle of a kernel on the first n coordinates and slice sampling of the
 * rest. */
static cs_status open_cycle(cs_target *t, const cs_kernel *kernel,
                            cs_metric *metric, size_t n, cs_kernel *k,
                            cs_error *err)
{
    static const uint32_t at[DIM] = {0, 1, 2, 3};
    const cs_kernel rest = slice();
    const cs_member_spec spec[] = {{.name = "part",
                                    .kernel = kernel,
                                    .coordinate = at,
                                    .n = n,
                                    .times = 1,
                                    .metric = metric},
                                   {.name = "rest",
                                    .kernel = &rest,
                                    .coordinate = at + n,
                                    .n = DIM - n,
                                    .times = 1}};
    return cs_kernel_cycle(k, t, spec, n < DIM ? 2 : 1, err);
}

/* Compares the steps of a cycle of a single member with those of its kernel,
 * which has the metric and the random numbers of the member. */
static void makes_its_steps(const setting *s, cs_target *t)
{
    static const double zero[DIM] = {0.5, -0.5, 1, 0};
    const double *start[LIVE] = {zero, zero, zero, zero, zero};
    for (cs_metric_kind kind = CS_METRIC_UNIT; kind < CS_METRICS; kind++) {
        cs_kernel k;
        cs_block *b;
        cs_metric *m = kind ? metric_of(kind, DIM, false) : NULL;
        if (cs_kernel_no_member(s->kernel.type)) {
            cs_metric_let_go(m);
            return;
        }
        assert_int_equal(open_cycle(t, &s->kernel, m, DIM, &k, NULL), CS_OK);
        cs_block *a = composed_chains(t, &k, LIVE, start);
        assert_int_equal(
            cs_block_create(&b, t, &s->kernel, 3, 0, LIVE, NULL, 0, NULL),
            CS_OK);
        cs_block_set_metric(b, m);
        b->move.streams = cs_member_streams(&cs_composed_of(&k)->member[0],
                                            &b->move.streams, 0);
        b->move.streams.ahead = NULL;
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        run_on(a, STEPS);
        run_on(b, STEPS);
        assert_memory_equal(a->move.x, b->move.x,
                            DIM * a->lanes * sizeof(double));
        cs_block_destroy(a);
        cs_block_destroy(b);
        cs_kernel_release(&k);
        cs_metric_let_go(m);
    }
}

static void members_use_their_metrics(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    size_t n = for_all(makes_its_steps, t, false);
    print_message("%zu settings of kernels\n", n);
    assert_true(n > 6);
    cs_target_release(t);
}

static void metrics_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_metric *good = metric_of(CS_METRIC_DENSE, PART, false),
              *large = metric_of(CS_METRIC_DENSE, DIM, false);
    cs_kernel k, mala;
    const cs_kernel other = slice();
    cs_error err = {0};
    assert_int_equal(
        cs_kernel_init(&mala, cs_kernel_find("mala"), NULL, 0, NULL), CS_OK);
    assert_int_equal(open_cycle(t, &mala, large, PART, &k, &err), CS_INPUT);
    assert_non_null(strstr(err.what, "the metric of the member part is that of "
                                     "4 coordinates, but it moves 2"));
    assert_int_equal(open_cycle(t, &other, good, PART, &k, &err),
                     CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "slice does not use a metric"));
    assert_int_equal(open_cycle(t, &mala, good, PART, &k, &err), CS_OK);
    cs_page p = {0};
    k.type->instance->parts(k.self, &p);
    assert_non_null(strstr(p.text, "member.part.metric"));
    cs_free(p.text);
    cs_kernel_release(&k);
    cs_metric_let_go(good);
    cs_metric_let_go(large);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(members_use_their_metrics),
    cmocka_unit_test(metrics_that_do_not_fit_are_refused),
};
TESTS(test_member_metric)
