#include "base/memory.h"
#include "chain/kernel_text.h"
#include "schedule/schedule.h"
#include "schedule/typed_schedule.h"
#include "support/support.h"

#include <math.h>
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

/* With max = 8, the values of max/2 (cos(pi t / 4) + 1) are 8, 6.828..., 4,
 * 1.17... (computed by hand). */
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

/* In a cycle, the minimum of the balance is at the steps at which the step size
 * has its minimum. */
static void a_cosine_rests(void **state)
{
    (void)state;
    cs_value given[] = {
        {.name = "max", .number = 0.9},
        {.name = "min", .number = 0.5},
        {.name = "period", .kind = CS_PARAM_INT, .number = 8},
        {.name = "rest", .kind = CS_PARAM_INT, .number = 3},
        {.name = "shape", .kind = CS_PARAM_TEXT, .text = "smooth"}};
    cs_schedule s = make("cosine", given, 5), plain = make("cosine", given, 3);
    plain.values[3] = 1; /* the shape "smooth" */
    for (uint64_t k = 1; k <= 16; k++)
        assert_near(at(&s, k), (k - 1) % 8 < 5 ? at(&plain, k) : 0.5, 0, 0);
}

static void a_cycle_comes_again(void **state)
{
    (void)state;
    const double list[] = {5, 0.25, 3};
    double many[CS_SCHEDULE_LIST + 1] = {0};
    cs_error err;
    cs_value given = {.name = "values",
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = list,
                      .rows = 3,
                      .cols = 1};
    cs_schedule s = make("cycle", &given, 1);
    for (uint64_t k = 1; k <= 9; k++)
        assert_near(at(&s, k), list[(k - 1) % 3], 0, 0);
    assert_near(s.type->period(&s), 3, 0, 0);
    assert_int_equal(cs_schedule_used(&s), 4);
    assert_true(cs_schedule_sound(&s));
    s.values[2] = HUGE_VAL;
    assert_false(cs_schedule_sound(&s));
    const double lengths[] = {-1, 0, 1.5, CS_SCHEDULE_LIST + 1, 1e300, NAN};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        s.values[0] = lengths[i];
        assert_false(cs_schedule_sound(&s));
        assert_int_equal(cs_schedule_used(&s), 1);
    }
    given.array = many;
    given.rows = CS_SCHEDULE_LIST + 1;
    assert_int_equal(
        cs_schedule_init(&s, cs_schedule_find("cycle"), &given, 1, &err),
        CS_RANGE);
    given.rows--;
    make("cycle", &given, 1);
}

static void polynomials_fall(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "scale", .number = 6},
                        {.name = "offset", .number = 2},
                        {.name = "power", .number = 0.5},
                        {.name = "start", .kind = CS_PARAM_INT, .number = 3}};
    cs_schedule s = make("polynomial", given, 3);
    assert_near(at(&s, 2), 3, 1e-15, 0);
    assert_near(at(&s, 34), 1, 1e-15, 0);
    s = make("polynomial", given, 4);
    for (uint64_t k = 1; k <= 4; k++)
        assert_near(at(&s, k), 6 / sqrt(3), 1e-15, 0);
    assert_near(at(&s, 5), 3, 1e-15, 0);
}

/* By hand, 16^(3/4) = 8, 81^(1/4) = 3 and 10000^(3/4) = 1000. The gain in the
 * paper, 10 / (k^0.75 + 1000), is 0.009990 at the first step, not 10 /
 * 1001^0.75 = 0.0562. */
static void gains_fall_by_a_power_beside_an_offset(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "scale", .number = 10},
                        {.name = "offset", .number = 1000},
                        {.name = "power", .number = 0.75},
                        {.name = "max", .number = 0.0095}};
    cs_schedule s = make("gain", given, 3);
    assert_near(at(&s, 1), 10.0 / 1001, 1e-15, 0);
    assert_near(at(&s, 16), 10.0 / 1008, 1e-15, 0);
    assert_near(at(&s, 10000), 10.0 / 2000, 1e-14, 0);
    s = make("gain", given, 4);
    assert_near(at(&s, 1), 0.0095, 0, 0);
    assert_near(at(&s, 16), 0.0095, 0, 0);
    assert_near(at(&s, 10000), 0.005, 1e-14, 0);
    given[2].number = 0.25;
    s = make("gain", given, 3);
    assert_near(at(&s, 81), 10.0 / 1003, 1e-15, 0);
    assert_near(at(&s, 4294967296u), 10.0 / 1256, 1e-14, 0); /* 256^4 */
    s = make("gain", given, 1); /* power 3/4, offset 0 */
    assert_near(at(&s, 1), 10, 0, 0);
    assert_near(at(&s, 16), 1.25, 1e-14, 0);
}

/* A gain without a maximum is written as text that a script and a journal can
 * read. */
static void a_gain_without_max_is_text(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "scale", .number = 10}};
    cs_schedule s = make("gain", given, 1);
    cs_page p = {0};
    cs_schedule_put(&p, &s);
    assert_string_equal(p.text, "cs.schedule.gain { scale = 10, power = 0.75, "
                                "offset = 0, max = math.huge }");
    cs_free(p.text);
}

static void decays_are_multiplied(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "from", .number = 8},
                        {.name = "factor", .number = 0.5},
                        {.name = "every", .kind = CS_PARAM_INT, .number = 2},
                        {.name = "start", .kind = CS_PARAM_INT, .number = 4},
                        {.name = "min", .number = 1.5}};
    cs_schedule s = make("decay", given, 5);
    const double want[] = {8, 8, 8, 4, 4, 2, 2, 1.5, 1.5, 1.5};
    for (uint64_t k = 1; k <= 10; k++)
        assert_near(at(&s, k), want[k - 1], 0, 0);
}

static void stages_begin(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "period", .kind = CS_PARAM_INT, .number = 5},
                        {.name = "begin", .number = 0.4}};
    cs_schedule s = make("stage", given, 2);
    for (uint64_t k = 1; k <= 15; k++)
        assert_near(at(&s, k), (k - 1) % 5 < 2 ? 0 : 1, 0, 0);
    assert_near(s.type->period(&s), 5, 0, 0);
}

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
    assert_non_null(strstr(err.hint, "period"));
    assert_int_equal(cs_schedule_init(&s, cosine, given, 1, &err), CS_INPUT);
    assert_null(cs_schedule_find("cosin"));
}

static cs_schedule typed(const char *text)
{
    cs_schedule s;
    cs_error err;
    if (cs_schedule_from_words(&s, text, &err))
        fail_msg("%s: %s", text, err.what);
    return s;
}

/* A schedule can be typed in several notations. With each notation the result
 * equals the schedule that a script creates. */
static void words_make_a_schedule(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "cosine max=8 min=2 period=4 shape=smooth",
        " cosine  max = 8, min = 2 , period=4 shape=\"smooth\"",
        "cosine shape=1 period=4 min=2 max=9 max=8"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_true(cs_schedule_is_words(ways[i]));
        cs_schedule s = typed(ways[i]);
        assert_near(at(&s, 2), 7.12132034355964, 1e-14, 0);
        assert_near(s.values[4], 0, 0, 0);
    }
    static const char *const lists[] = {"{ 5, 2, 1 }", "{5 2 1}", "cycle 5 2 1",
                                        "cycle values={ 5, 2, 1 }"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        assert_true(cs_schedule_is_words(lists[i]));
        cs_schedule s = typed(lists[i]);
        assert_int_equal(cs_schedule_used(&s), 4);
        assert_near(at(&s, 5), 2, 0, 0);
    }
    assert_false(cs_schedule_is_words("0.3"));
    assert_false(cs_schedule_is_words("cosines"));
    assert_true(cs_schedule_is_words("cosines max=1")); /* recognised as a
                                                         * schedule, then
                                                         * rejected */
}

static void words_that_make_none_say_why(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what, *hint;
    } table[] = {
        {"cosin max=1", "unknown schedule 'cosin'", "cosine"},
        {"cosine max=1", "needs the field 'min'", "min"},
        {"cosine mx=1 min=0", "no field 'mx'", "max"},
        {"cosine max=1 min", "'min' is not FIELD=VALUE", "cosine max="},
        {"cosine max=one min=0", "'one' is not a number", "start of each"},
        {"cosine max=1 min=0 shape=flor", "cannot be 'flor'", "floor"},
        {"cosine max=1 min=0 period=0.5", "whole number", "from 1 to"},
        {"{ 1, two }", "entry 2 of the list, 'two'", ""},
        {"{ 1, 2", "has no closing brace", ""},
        {"{ 1 } 2", "after the list", ""},
        {"{ }", "needs the field 'values'", "values"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cs_schedule s;
        cs_error err = {0};
        assert_int_not_equal(cs_schedule_from_words(&s, table[i].text, &err),
                             CS_OK);
        if (!strstr(err.what, table[i].what) ||
            !strstr(err.hint, table[i].hint))
            fail_msg("%s: %s: %s", table[i].text, err.what, err.hint);
    }
}

/* If one field of a schedule is changed, all other fields keep their values. */
static void a_field_is_changed(void **state)
{
    (void)state;
    cs_schedule was = typed("cosine max=8 min=2 period=4"), next;
    cs_error err;
    assert_int_equal(cs_schedule_with(&was, "min", "1", &next, &err), CS_OK);
    assert_near(next.values[cs_param_find(next.type->params,
                                          next.type->n_params, "min")],
                1, 0, 0);
    assert_near(at(&next, 1), 8, 0, 0);
    assert_int_equal(cs_schedule_with(&was, "shape", "smooth", &next, &err),
                     CS_OK);
    assert_near(at(&next, 2), 7.12132034355964, 1e-14, 0);
    assert_int_equal(cs_schedule_with(&was, "period", "0", &next, &err),
                     CS_RANGE);
    assert_int_equal(cs_schedule_with(&was, "mid", "0", &next, &err),
                     CS_UNKNOWN);
    assert_string_equal(err.hint, "did you mean 'min'?");
    was = typed("{ 5, 2, 1 }");
    assert_int_equal(cs_schedule_with(&was, "3", "1.5", &next, &err), CS_OK);
    assert_near(at(&next, 3), 1.5, 0, 0);
    assert_near(at(&next, 4), 5, 0, 0);
    assert_int_equal(cs_schedule_with(&was, "4", "1", &next, &err), CS_RANGE);
    assert_int_equal(cs_schedule_with(&was, "values", "{ 7 }", &next, &err),
                     CS_OK);
    assert_int_equal(cs_schedule_used(&next), 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(constant_is_constant),
    cmocka_unit_test(linear_reaches_its_end),
    cmocka_unit_test(cosine_cycles),
    cmocka_unit_test(a_cosine_rests),
    cmocka_unit_test(a_cycle_comes_again),
    cmocka_unit_test(polynomials_fall),
    cmocka_unit_test(gains_fall_by_a_power_beside_an_offset),
    cmocka_unit_test(a_gain_without_max_is_text),
    cmocka_unit_test(decays_are_multiplied),
    cmocka_unit_test(stages_begin),
    cmocka_unit_test(fills_are_pure),
    cmocka_unit_test(wrong_fields_are_refused),
    cmocka_unit_test(words_make_a_schedule),
    cmocka_unit_test(words_that_make_none_say_why),
    cmocka_unit_test(a_field_is_changed),
};
TESTS(test_schedule)
