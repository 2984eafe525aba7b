/* Tests plans: schedules of any parameters, up to a number of them. */
#include "support/support.h"

#include "chain/plan.h"

#include <math.h>

static void parameters_are_driven(void **state)
{
    (void)state;
    cs_plan plan = {.driven = {false}};
    assert_null(cs_plan_schedule(&plan, 3)->type);
    for (size_t i = 0; i < CS_PLAN_SCHEDULES; i++) {
        const cs_schedule s = cs_schedule_constant((double)i);
        assert_true(cs_plan_drive(&plan, 6 * i, &s));
    }
    for (size_t i = 0; i < CS_PLAN_SCHEDULES; i++) {
        assert_true(plan.driven[6 * i]);
        assert_true(cs_plan_schedule(&plan, 6 * i)->values[0] == (double)i);
    }
    assert_false(plan.driven[1]);
}

static void a_full_plan_refuses_another_schedule(void **state)
{
    (void)state;
    cs_plan plan = {.driven = {false}};
    const cs_schedule one = cs_schedule_constant(1),
                      two = cs_schedule_constant(2);
    for (size_t i = 0; i < CS_PLAN_SCHEDULES; i++)
        assert_true(cs_plan_drive(&plan, 100 + i, &one));
    assert_false(cs_plan_drive(&plan, 5, &two));
    assert_false(plan.driven[5]);
    assert_true(cs_plan_drive(&plan, 101, &two)); /* drives it already */
    assert_true(cs_plan_schedule(&plan, 101)->values[0] == 2);
    plan.driven[120] = false; /* its place is free */
    assert_true(cs_plan_drive(&plan, 5, &two));
    assert_true(cs_plan_schedule(&plan, 5)->values[0] == 2);
    assert_null(cs_plan_schedule(&plan, 120)->type);
    for (size_t i = 0; i < CS_PLAN_SCHEDULES; i++)
        if (i != 1 && i != 20)
            assert_true(cs_plan_schedule(&plan, 100 + i)->values[0] == 1);
    cs_error err = {0};
    assert_int_equal(cs_plan_is_full(&err), CS_UNSUPPORTED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parameters_are_driven),
    cmocka_unit_test(a_full_plan_refuses_another_schedule),
};
TESTS(test_plan)
