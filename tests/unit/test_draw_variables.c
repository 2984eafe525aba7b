/* Tests how columns of draws are combined into arrays. */
#include "support/support.h"

#include "io/draw_variables.h"

#include <stdio.h>
#include <string.h>

static cs_draw_variables v;

static void read_names(const char *const *name, size_t n)
{
    assert_int_equal(cs_draw_variables_of(name, n, &v, NULL), CS_OK);
}

static int end(void **state)
{
    (void)state;
    cs_draw_variables_free(&v);
    return 0;
}

static void is(size_t i, const char *name, size_t n_dims, size_t n)
{
    assert_true(i < v.n);
    assert_string_equal(v.variable[i].name, name);
    assert_int_equal(v.variable[i].n_dims, n_dims);
    assert_int_equal(v.variable[i].n, n);
}

static void test_kinds(void **state)
{
    (void)state;
    static const char *const names[] = {"lp__", "divergent__", "mu",  "x.1",
                                        "x.2",  "y.1",         "z.9", "x.1"};
    read_names(names, 8);
    assert_int_equal(v.n, 7);
    is(0, "lp__", 0, 1);
    is(2, "mu", 0, 1);
    is(3, "x", 1, 2);
    is(4, "y", 1, 1);
    is(5, "z.9", 0, 1); /* z.1 is missing */
    is(6, "x", 1, 1);
    assert_true(v.variable[1].sampler && !v.variable[2].sampler);
    assert_int_equal(v.variable[3].column[1], 4);
}

/* In files, the first index of an array varies fastest, as in files of Stan. In
 * the output, the last index varies fastest. */
static void test_matrix(void **state)
{
    (void)state;
    static const char *const names[] = {"m.1.1", "m.2.1", "m.1.2",
                                        "m.2.2", "m.1.3", "m.2.3"};
    static const size_t column[] = {0, 2, 4, 1, 3, 5};
    read_names(names, 6);
    assert_int_equal(v.n, 1);
    is(0, "m", 2, 6);
    assert_int_equal(v.variable[0].dim[0], 2);
    assert_int_equal(v.variable[0].dim[1], 3);
    assert_memory_equal(v.variable[0].column, column, sizeof column);
}

/* Indices of two digits are sorted as numbers, not as strings. */
static void test_twelve(void **state)
{
    (void)state;
    char text[12][8];
    const char *names[12];
    for (size_t i = 0; i < 12; i++) {
        snprintf(text[i], sizeof text[i], "x.%zu", i + 1);
        names[i] = text[i];
    }
    read_names(names, 12);
    assert_int_equal(v.n, 1);
    is(0, "x", 1, 12);
    assert_int_equal(v.variable[0].dim[0], 12);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(v.variable[0].column[i], i);
}

/* The columns of an incomplete array remain separate variables. Columns with
 * unusual indices remain separate variables too. */
static void test_odd(void **state)
{
    (void)state;
    static const char *const names[] = {"a.1",   "a.3", "b.1",  "b.1",
                                        "c.1.1", "c.2", "d.01", "e.",
                                        ".1",    "f.x", "",     "g.1.2.3.4.5"};
    read_names(names, 12);
    is(0, "a.1", 0, 1);
    is(1, "a.3", 0, 1);
    is(2, "b.1", 0, 1);
    is(3, "b", 1, 1);
    is(4, "c", 2, 1);
    is(5, "c.2", 0, 1);
    is(6, "d.01", 0, 1);
    is(7, "e.", 0, 1);
    is(8, ".1", 0, 1);
    is(11, "g.1.2.3.4.5", 0, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_kinds, end),
    cmocka_unit_test_teardown(test_matrix, end),
    cmocka_unit_test_teardown(test_twelve, end),
    cmocka_unit_test_teardown(test_odd, end),
};
TESTS(test_draw_variables)
