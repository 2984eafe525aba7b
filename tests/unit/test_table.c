#include "support/support.h"

#include "data/table.h"

#include <stdio.h>
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

/* The head of a gzipped file and nothing of what it packs. */
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
    assert_non_null(strstr(err.hint, "it is gzipped"));
    remove("cut.tmp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_understands),
        cmocka_unit_test(what_it_refuses),
        cmocka_unit_test(many_rows_and_no_file),
        cmocka_unit_test(a_cut_archive_is_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
