/* Tests that the prediction of a single state is cached, and is therefore
 * requested only once. */
#include "probe/predicted.h"
#include "support/support.h"

enum { DIM = 3, REPORTED = 12 * 16 * 64, MANY = 200000 };

static size_t calls;

static double worth(const double *x)
{
    return x[0] + x[1] / 1024;
}

static void hold_out(const cs_target *t, const double *x,
                     const double *log_weight, size_t n, const size_t *group,
                     size_t groups, cs_held_out *out)
{
    (void)t, (void)log_weight, (void)group;
    assert_int_equal(n, 1);
    assert_int_equal(groups, 0);
    calls++;
    *out = (cs_held_out){.accuracy = worth(x)};
}

static const cs_target_type type = {.name = "told", .held_out = hold_out};
static const cs_target target = {.type = &type, .space = {.dim = DIM}};

/* Computes state i, which differs from the states with other i. */
static void state_of(size_t i, double *x)
{
    x[0] = (double)(i / 1024);
    x[1] = (double)(i % 1024);
    x[2] = 0.1;
}

static void ask(cs_predicted *p, size_t i)
{
    double x[DIM];
    state_of(i, x);
    assert_near(cs_predicted_accuracy(p, x), worth(x), 0, 0);
}

static void a_state_is_asked_once(void **state)
{
    (void)state;
    cs_predicted *p = cs_predicted_make(&target);
    assert_non_null(p);
    calls = 0;
    for (size_t turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < REPORTED; i++)
            ask(p, i);
    assert_int_equal(calls, REPORTED);
    cs_predicted_free(p);
}

static void too_many_states_are_answered_too(void **state)
{
    (void)state;
    cs_predicted *p = cs_predicted_make(&target);
    assert_non_null(p);
    calls = 0;
    for (size_t i = 0; i < MANY; i++) {
        ask(p, i);
        ask(p, i);
    }
    assert_int_equal(calls, MANY);
    for (size_t i = 0; i < MANY; i++)
        ask(p, i);
    assert_true(calls > MANY && calls <= 2 * (size_t)MANY);
    cs_predicted_free(p);
}

static void no_number_is_no_state(void **state)
{
    (void)state;
    cs_predicted *p = cs_predicted_make(&target);
    double x[DIM] = {1, (double)NAN, 0};
    calls = 0;
    assert_true(isnan(cs_predicted_accuracy(p, x)));
    x[1] = HUGE_VAL;
    assert_true(isnan(cs_predicted_accuracy(p, x)));
    assert_int_equal(calls, 0);
    cs_predicted_free(p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_state_is_asked_once),
    cmocka_unit_test(too_many_states_are_answered_too),
    cmocka_unit_test(no_number_is_no_state),
};
TESTS(test_predicted)
