#include "schedule/schedule.h"
#include "support/support.h"

#include <string.h>

static cs_schedule make(const char *name, const cs_value *given, size_t n)
{
    cs_schedule s;
    cs_error err;
    assert_non_null(cs_schedule_find(name));
    assert_int_equal(
        cs_schedule_init(&s, cs_schedule_find(name), given, n, &err), CS_OK);
    return s;
}

static double at(const cs_schedule *s, uint64_t step)
{
    double v;
    s->type->fill(s, step, 1, &v);
    return v;
}

static void constant_is_constant(void **state)
{
    (void)state;
    cs_schedule s = cs_schedule_constant(0.25);
    assert_near(at(&s, 1), 0.25, 0, 0);
    assert_near(at(&s, 1000000), 0.25, 0, 0);
}

static void linear_reaches_its_end(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "from", .number = 4},
                        {.name = "to", .number = 2},
                        {.name = "steps", .kind = CS_PARAM_INT, .number = 4}};
    cs_schedule s = make("linear", given, 3);
    const double want[] = {4, 3.5, 3, 2.5, 2, 2, 2};
    for (uint64_t k = 1; k <= 7; k++)
        assert_near(at(&s, k), want[k - 1], 1e-15, 0);
}

/* By hand: max/2 (cos(pi t / 4) + 1) with max 8 is 8, 6.828..., 4, 1.17... */
static void cosine_cycles(void **state)
{
    (void)state;
    cs_value given[] = {
        {.name = "max", .number = 8},
        {.name = "min", .number = 2},
        {.name = "period", .kind = CS_PARAM_INT, .number = 4},
        {.name = "shape", .kind = CS_PARAM_TEXT, .text = "smooth"}};
    cs_schedule floor_cut = make("cosine", given, 3);
    cs_schedule smooth = make("cosine", given, 4);
    const double cut[] = {8, 6.82842712474619, 4, 2};
    const double even[] = {8, 7.12132034355964, 5, 2.87867965644036};
    for (uint64_t k = 1; k <= 12; k++) {
        assert_near(at(&floor_cut, k), cut[(k - 1) % 4], 1e-14, 0);
        assert_near(at(&smooth, k), even[(k - 1) % 4], 1e-14, 0);
    }
    assert_near(floor_cut.type->period(&floor_cut), 4, 0, 0);
}

/* fill is a pure function of the step: cut anywhere, the same values. */
static void fills_are_pure(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "max", .number = 3},
                        {.name = "min", .number = 1},
                        {.name = "period", .kind = CS_PARAM_INT, .number = 7}};
    cs_schedule s = make("cosine", given, 3);
    double whole[20];
    s.type->fill(&s, 3, 20, whole);
    for (uint64_t i = 0; i < 20; i++)
        assert_true(at(&s, 3 + i) == whole[i]);
}

static void wrong_fields_are_refused(void **state)
{
    (void)state;
    cs_error err;
    cs_schedule s;
    cs_value given[] = {{.name = "max", .number = 3},
                        {.name = "min", .number = 1},
                        {.name = "perod", .number = 7}};
    const cs_schedule_type *cosine = cs_schedule_find("cosine");
    assert_int_equal(cs_schedule_init(&s, cosine, given, 3, &err), CS_UNKNOWN);
    assert_non_null(strstr(err.mend, "period"));
    assert_int_equal(cs_schedule_init(&s, cosine, given, 1, &err), CS_INPUT);
    assert_null(cs_schedule_find("cosin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_is_constant),
        cmocka_unit_test(linear_reaches_its_end),
        cmocka_unit_test(cosine_cycles),
        cmocka_unit_test(fills_are_pure),
        cmocka_unit_test(wrong_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
