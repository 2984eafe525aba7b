#include "support/support.h"

#include "data/lines.h"
#include "data/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cs_status parse(const char *text, cs_table *t, cs_error *err)
{
    *err = (cs_error){0};
    return cs_table_parse(text, strlen(text), "t.csv", t, err);
}

static void what_it_understands(void **state)
{
    (void)state;
    cs_table t;
    cs_error err;
    assert_int_equal(
        parse("\xef\xbb\xbf# note\r\n a ,\"b\"\r\n\r\n1, -2.5e3\r\n"
              "\"3\",4",
              &t, &err),
        CS_OK);
    assert_int_equal(t.rows, 2);
    assert_int_equal(t.cols, 2);
    assert_string_equal(t.names[0], "a");
    assert_string_equal(t.names[1], "b");
    assert_near(t.data[1], -2500, 0, 0);
    assert_near(t.data[2], 3, 0, 0);
    cs_table_free(&t);
    assert_int_equal(parse("1,2,3\n", &t, &err), CS_OK);
    assert_string_equal(t.names[2], "x3");
    cs_table_free(&t);
}

/* The separator is detected in the first line. Decimal commas are allowed if
 * fields are not separated by commas. A tab at the end of a line is followed by
 * an empty field. */
static void other_separators_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double first, last;
        size_t cols;
    } good[] = {
        {"dose\teffect\n1.5\t0.2\n2.5\t0.4\n", 1.5, 0.4, 2},
        {"dose;effect\n1,5;0,2\n2,5;0,4\n", 1.5, 0.4, 2},
        {"1,5;0,2;-3\n2,5;0,4;1e1\n", 1.5, 10, 3},
        {"1,5\t0,2\r\n2,5\t0,4\r\n", 1.5, 0.4, 2},
        {"\"a;b\",c\n1,2\n3,4\n", 1, 4, 2},
        {"a;b,c\n1,2\n3,4\n", 1, 4, 2},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cs_table t;
        cs_error err;
        if (parse(good[i].text, &t, &err))
            fail_msg("%zu: %s", i, err.what);
        assert_int_equal(t.rows, 2);
        assert_int_equal(t.cols, good[i].cols);
        assert_near(t.data[0], good[i].first, 0, 0);
        assert_near(t.data[2 * t.cols - 1], good[i].last, 0, 0);
        cs_table_free(&t);
    }
    cs_table t;
    cs_error err;
    assert_int_equal(parse("a\tb\n1\t2\n3\t\n", &t, &err), CS_INPUT);
    assert_string_equal(err.what, "the entry in column 2 is not a number: ''");
    assert_int_equal(parse("a\tb\n\t2\n", &t, &err), CS_INPUT);
    assert_string_equal(err.what, "the entry in column 1 is not a number: ''");
    assert_int_equal(parse("a,b\n1,NA\n", &t, &err), CS_INPUT);
    assert_non_null(strstr(err.hint, "cs.read_table"));
}

/* Reads a table with thousands of columns, like tables of gene expression. */
static void wide_tables_are_read(void **state)
{
    (void)state;
    enum { COLS = 100000 };
    char *text = malloc(16 * COLS), *at = text;
    assert_non_null(text);
    for (int row = 0; row < 2; row++)
        for (int k = 0; k < COLS; k++)
            at += sprintf(at, row ? "%d%c" : "g%d%c", k,
                          k + 1 < COLS ? ',' : '\n');
    cs_table t;
    cs_error err;
    assert_int_equal(parse(text, &t, &err), CS_OK);
    assert_int_equal(t.cols, COLS);
    assert_string_equal(t.names[COLS - 1], "g99999");
    assert_near(t.data[COLS - 1], COLS - 1, 0, 0);
    cs_table_free(&t);
    free(text);
}

static void what_it_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
    } bad[] = {{"", 0},           {"a,b\n", 1},      {"1,2\n3\n", 2},
               {"1,2\n3,4,5", 2}, {"1\nx\n", 2},     {"1\n2\n\n1e999", 4},
               {"1\nnan", 2},     {"1,2\n3,\n", 2},  {"a\n1;2", 2},
               {"1\n1 2", 2},     {"1,nan\n1,2", 1}, {"1e999\n2", 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cs_table t;
        cs_error err;
        assert_int_equal(parse(bad[i].text, &t, &err), CS_INPUT);
        assert_null(t.data);
        assert_int_equal(err.line, bad[i].line);
        assert_string_equal(err.where, "t.csv");
        assert_true(err.what[0] && err.hint[0]);
    }
}

/* Checks that a number in any notation is read bit for bit as strtod reads
 * it. */
static void reads_as(const char *text, bool good)
{
    double got = 7, want = strtod(text, NULL);
    cs_word_span s = {text, text + strlen(text)};
    assert_int_equal(cs_word_real(s, &got), good);
    if (good && memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s is %.17g, read as %.17g", text, want, got);
}

static void numbers_are_those_of_strtod(void **state)
{
    (void)state;
    static const char *const good[] = {"0",
                                       "-0",
                                       "0.0",
                                       "-.5",
                                       "5.",
                                       "+3",
                                       "1e3",
                                       "-2.5e-3",
                                       "0x10",
                                       "inf",
                                       "123456789012345",
                                       "1234567890123456",
                                       "9007199254740993",
                                       "0.000000000000001",
                                       ".0000000000000001",
                                       "000000000000000000001"};
    static const char *const bad[] = {"",    "-",  ".",  "-.", "1.2.3",
                                      "--1", "1-", "1 ", "1x", "x"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        reads_as(good[i], true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        reads_as(bad[i], false);
    uint64_t word = 1;
    for (size_t i = 0; i < 200000; i++) {
        char text[40];
        word = word * 6364136223846793005u + 1442695040888963407u;
        uint64_t digits = (word >> 8) % 1000000000000000000u;
        for (size_t cut = (size_t)(word >> 5 & 7) * 2; cut > 0; cut--)
            digits /= 10;
        int n = snprintf(text, sizeof text, "%s%llu", word & 1 ? "-" : "",
                         (unsigned long long)digits);
        size_t first = word & 1, at = first + (word >> 1) % ((size_t)n - first);
        memmove(text + at + 1, text + at, (size_t)n - at + 1);
        text[at] = '.';
        reads_as(text, true);
    }
}

static void many_rows_and_no_file(void **state)
{
    (void)state;
    static char text[4 * 1000 + 1];
    for (int i = 0; i < 1000; i++)
        memcpy(text + 4 * i, "1,2\n", 4);
    cs_table t;
    cs_error err;
    assert_int_equal(parse(text, &t, &err), CS_OK);
    assert_int_equal(t.rows, 1000);
    assert_near(t.data[1999], 2, 0, 0);
    cs_table_free(&t);
    assert_int_equal(cs_table_read("no/such.csv", &t, &err), CS_IO);
    assert_int_equal(cs_table_read("../assets/data/challenger.csv", &t, &err),
                     CS_OK);
    assert_int_equal(t.rows, 23);
    assert_string_equal(t.names[0], "temperature");
    cs_table_free(&t);
}

/* If a file contains only the first bytes of a gzipped table, the hint says
 * that the file is gzipped. The hint does not mention a folder. */
static void a_cut_archive_is_no_folder(void **state)
{
    (void)state;
    static const char head[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\x33\xd4";
    FILE *file = fopen("cut.tmp", "wb");
    assert_non_null(file);
    fwrite(head, 1, sizeof head - 1, file);
    fclose(file);
    cs_table t;
    cs_error err = {0};
    assert_int_not_equal(cs_table_read("cut.tmp", &t, &err), CS_OK);
    assert_null(strstr(err.hint, "folder"));
    assert_non_null(strstr(err.hint, "the file is gzipped"));
    remove("cut.tmp");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_it_understands),
    cmocka_unit_test(other_separators_are_read),
    cmocka_unit_test(wide_tables_are_read),
    cmocka_unit_test(what_it_refuses),
    cmocka_unit_test(numbers_are_those_of_strtod),
    cmocka_unit_test(many_rows_and_no_file),
    cmocka_unit_test(a_cut_archive_is_no_folder),
};
TESTS(test_table)
