/* Tests the lines of the protocol between the program and a model in another
 * process. Accepted lines are read, and rejected lines give a message. */
#include "support/support.h"
#include "targets/outside/line_protocol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads the model's description from the lines of `text`. Returns the error, or
 * "" if the description is complete, or NULL if it is incomplete. */
static const char *hear(const char *text, cs_model_hello *h)
{
    static cs_error err;
    char copy[1000], *at = copy, *line;
    *h = (cs_model_hello){.param = NULL};
    snprintf(copy, sizeof copy, "%s", text);
    while ((line = strsep(&at, "\n"))) {
        assert_false(h->ready);
        if (cs_model_hello_take(h, line, &err))
            return err.what;
    }
    return h->ready ? "" : NULL;
}

static void a_description_is_heard(void **state)
{
    (void)state;
    cs_model_hello h;
    assert_string_equal(hear("chainscope 1\r\nname  eight \x1b schools\n"
                             "parameter mu real\nparameter tau positive\n"
                             " parameter theta 8 interval -1 0x1p3 \n"
                             "parameter a.b_1 1 upper 2.5\ngradient\nready",
                             &h),
                        "");
    assert_string_equal(h.name, "eight \\x1b schools");
    assert_true(h.gradient);
    assert_int_equal(h.dim, 11);
    assert_int_equal(h.n_params, 4);
    assert_int_equal(h.param[1].support, CS_SUPPORT_LOWER);
    assert_true(h.param[1].low == 0 && !h.param[1].vector);
    assert_true(h.param[2].low == -1 && h.param[2].high == 8);
    assert_int_equal(h.param[2].size, 8);
    assert_int_equal(h.param[3].first, 10);
    assert_true(h.param[3].vector && h.param[3].high == 2.5);
    cs_model_hello_fini(&h);
    assert_string_equal(
        hear("chainscope 1\nparameter s 3 integer -2 4\nready", &h), "");
    assert_int_equal(h.param[0].support, CS_SUPPORT_WHOLE);
    cs_model_hello_fini(&h);
    assert_null(hear("chainscope 1\nparameter s 3 binary", &h));
    cs_model_hello_fini(&h);
}

#define HEAD "chainscope 1\n"

static void what_is_no_description_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "unknown line in the description"},
        {"ready", "unknown line in the description"},
        {"chainscope", "the version is missing"},
        {"chainscope 2", "version 2 is not supported; expected 1"},
        {"chainscope nan", "version nan is not supported"},
        {"chainscope 1 2", "unexpected '2'"},
        {HEAD "chainscope 1", "unknown line in the description"},
        {HEAD "param x real", "unknown line in the description"},
        {HEAD "name  ", "the name is missing"},
        {HEAD "parameter", "'' is not a valid parameter name"},
        {HEAD "parameter 1x real", "'1x' is not a valid"},
        {HEAD "parameter x,y real", "'x,y' is not a valid"},
        {HEAD "parameter _x real", "'_x' is not a valid"},
        {HEAD "parameter x", "unknown support ''"},
        {HEAD "parameter x 3", "unknown support ''"},
        {HEAD "parameter x simplex", "unknown support 'simplex'"},
        {HEAD "parameter x 0 real", "invalid size 0"},
        {HEAD "parameter x 1.5 real", "invalid size 1.5"},
        {HEAD "parameter x -inf real", "invalid size -inf"},
        {HEAD "parameter x 1e9 real", "invalid size 1e+09"},
        {HEAD "parameter x 1e7 real\nparameter y 1e7 real", "more than"},
        {HEAD "parameter x lower", "lower needs 1 number"},
        {HEAD "parameter x lower inf", "the range from inf"},
        {HEAD "parameter x interval 1", "interval needs 2 numbers"},
        {HEAD "parameter x interval 2 1", "the range from 2 to 1"},
        {HEAD "parameter x interval 1 1", "the range from 1 to 1"},
        {HEAD "parameter x interval nan 1", "the range from nan"},
        {HEAD "parameter x real 1", "unexpected '1'"},
        {HEAD "parameter x integer 0 1.5", "must be integers"},
        {HEAD "parameter x integer 0 1e12",
         "must be integers, and not too large"},
        {HEAD "parameter x real\nparameter x real",
         "parameter x is declared twice"},
        {HEAD "ready", "no parameter was declared"},
        {HEAD "parameter x real\nparameter y binary\nready",
         "must be both real"},
        {HEAD "parameter x binary\nparameter y integer 0 2\nready",
         "must be both real"},
        {HEAD "parameter x binary\ngradient\nready", "cannot have a gradient"},
        {HEAD "parameter x real\nready now", "unexpected 'now'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cs_model_hello h;
        const char *why = hear(bad[i].text, &h);
        if (!why || !strstr(why, bad[i].why))
            fail_msg("%s: %s, not %s", bad[i].text, why ? why : "more wanted",
                     bad[i].why);
        cs_model_hello_fini(&h);
    }
}

static const char *answer(const char *text, size_t n, double *number,
                          const char **said)
{
    static char copy[200];
    static cs_error err;
    snprintf(copy, sizeof copy, "%s", text);
    return cs_model_answer_take(copy, n, number, said, &err) ? err.what : "";
}

static void answers_are_numbers_or_errors(void **state)
{
    (void)state;
    double x[3];
    const char *said;
    assert_string_equal(answer("0x1.8p1 -1e-3\tInf\r", 3, x, &said), "");
    assert_true(x[0] == 3 && x[1] == -1e-3 && x[2] == HUGE_VAL && !said);
    assert_string_equal(answer("-inf", 1, x, &said), "");
    assert_true(x[0] == -HUGE_VAL);
    assert_string_equal(answer("nan 1 2", 3, x, &said), "");
    assert_true(isnan(x[0]) && x[2] == 2);
    assert_string_equal(answer(" error  scale is -1", 3, x, &said), "");
    assert_string_equal(said, "scale is -1");
    assert_true(isnan(x[0]) && isnan(x[2]));
    assert_string_equal(answer("error", 1, x, &said), "");
    assert_string_equal(said, "");
    assert_string_equal(answer("errors", 1, x, &said),
                        "'errors' is not a number");
    assert_string_equal(answer("1 2", 3, x, &said),
                        "the line has only 2 of 3 numbers");
    assert_string_equal(answer("1 2 3 4", 3, x, &said),
                        "unexpected '4': 3 numbers are expected");
    assert_string_equal(answer("1,5", 1, x, &said), "'1,5' is not a number");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_description_is_heard),
    cmocka_unit_test(what_is_no_description_is_refused),
    cmocka_unit_test(answers_are_numbers_or_errors),
};
TESTS(test_lines)
