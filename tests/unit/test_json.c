/* Tests strict JSON parsing: valid text, errors and the positions of errors. */
#include "data/json.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Returns the tokens of `text` as one line, or "LINE: error". */
static const char *tokens(const char *text)
{
    static char said[1000], copy[1000];
    cs_json j;
    cs_error err = {0};
    cs_json_token t = {.kind = CS_JSON_NULL};
    size_t n = strlen(text), at = 0;
    memcpy(copy, text, n + 1);
    assert_int_equal(cs_json_open(&j, copy, n, "a.json", &err), CS_OK);
    said[0] = 0;
    for (;;) {
        cs_status s = cs_json_next(&j, &t, &err);
        if (s)
            snprintf(said, sizeof said, "%d: %s", err.line, err.what);
        if (s || t.kind == CS_JSON_END)
            break;
        static const char marks[] = " []{}ks.tf0";
        at +=
            (size_t)snprintf(said + at, sizeof said - at, "%c", marks[t.kind]);
        if (t.text)
            at += (size_t)snprintf(said + at, sizeof said - at, "<%.*s>",
                                   (int)t.size, t.text);
        if (t.kind == CS_JSON_NUMBER)
            at += (size_t)snprintf(said + at, sizeof said - at, "%s%g",
                                   t.whole ? "i" : "", t.number);
    }
    cs_json_close(&j);
    return said;
}

static void what_it_understands(void **state)
{
    (void)state;
    assert_string_equal(tokens("{\"a\": [1, -2.5e1, 0.5], \"b\": null}"),
                        "{k<a>[.i1.-25.0.5]k<b>0}");
    assert_string_equal(tokens(" [ ] "), "[]");
    assert_string_equal(tokens("[{}, [[]], true,false]"), "[{}[[]]tf]");
    assert_string_equal(tokens("\"\\u00e9\\ud83d\\ude00\\\"\\/\\n\""),
                        "s<\xc3\xa9\xf0\x9f\x98\x80\"/\n>");
    assert_string_equal(tokens("\xef\xbb\xbf-0"), ".i-0");
}

static void what_it_refuses(void **state)
{
    static const struct {
        const char *text, *said;
    } wrong[] = {{"", "1: this is not a JSON value"},
                 {"[1,\n2,]", "2: this is not a JSON value"},
                 {"[1\n\n2]", "3: a comma"},
                 {"{\"a\" 1}", "1: a colon"},
                 {"{a: 1}", "1: a name in quotes"},
                 {"{\"a\": 1,}", "1: a name in quotes"},
                 {"{} x", "1: the file has more text"},
                 {"[01]", "1: this is not a JSON value"},
                 {"[.5]", "1: this is not a JSON value"},
                 {"[1.]", "1: this is not a JSON value"},
                 {"[NaN]", "1: this is not a JSON value"},
                 {"[1e999]", "1: this is not a JSON value"},
                 {"\"a", "1: a string is not closed"},
                 {"\"a\nb\"", "1: a string is not closed"},
                 {"\"\\x\"", "1: an escape"},
                 {"\"\\u0000\"", "1: an escape"},
                 {"\"\\ud83d\"", "1: an escape"},
                 {"\"\\udc00\"", "1: an escape"},
                 {"\"\xff\"", "1: a string is not valid UTF-8"},
                 {"[1, [2", "1: a comma"},
                 {"]", "1: this is not a JSON value"}};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (strncmp(tokens(wrong[i].text), wrong[i].said,
                    strlen(wrong[i].said)) != 0)
            fail_msg("%s: %s", wrong[i].text, tokens(wrong[i].text));
    char deep[200];
    memset(deep, '[', 65);
    deep[65] = 0;
    assert_non_null(strstr(tokens(deep), "too deeply"));
    deep[64] = 0;
    assert_non_null(strstr(tokens(deep), "not a JSON value"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_it_understands),
    cmocka_unit_test(what_it_refuses),
};
TESTS(test_json)
