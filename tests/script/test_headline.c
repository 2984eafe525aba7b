/* Tests how titles are read from the text of a scenario. The text is not run. A
 * title is either read as Lua would read it, or not read at all. */
#include "support/support.h"

#include "script/headline.h"

#include <string.h>

#define HEAD "local cs = require \"chainscope\"\n"

static void reads(const char *text, const char *title)
{
    cs_headline h;
    bool good = cs_headline_read(text, strlen(text), &h);
    if (good != (title != NULL))
        fail_msg("%s is %sread", text, good ? "" : "not ");
    if (good)
        assert_string_equal(h.title, title);
}

static void what_is_written_out_is_read(void **state)
{
    (void)state;
    reads(HEAD "return cs.scenario { title = \"a\" }", "a");
    reads(HEAD "return cs.scenario({ shows = 'x', title = 'a' });\n-- end",
          "a");
    reads("return { title = \"a \\\"b\\\" \\\\\", { title = \"c\" } }",
          "a \"b\" \\");
    reads("return { full = { 1, title = \"no\" }; title = \"a\"; }", "a");
    reads("return { x = title == \"no\", title = \"a\" }", "a");
    reads("-- title = \"no\"\n--[==[ return { title = \"no\" } ]] ]==]\n"
          "return { [[ title = \"no\" ]], title --[[ = 'no' ]] = \"a\" }",
          "a");
    reads("local function f() if x then return { title = \"no\" } end end\n"
          "for i = 1, 2 do while true do break end end repeat until f()\n"
          "return { title = \"a\", setup = function() return 1 end }",
          "a");
}

static void tags_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "return { title = \"a\", tags = \"lesson two-words\" }";
    cs_headline h;
    assert_true(cs_headline_read(text, sizeof text - 1, &h));
    assert_string_equal(h.tags, "lesson two-words");
    reads("return { title = \"a\", tags = { \"x\" } }", NULL);
}

static void what_only_lua_knows_is_not_read(void **state)
{
    (void)state;
    reads("", NULL);
    reads("return", NULL);
    reads("return { shows = \"a\" }", NULL);
    reads("return { title = name }", NULL);
    reads("return { title = \"a\" .. b }", NULL);
    reads("return { title = \"a\" and \"b\" }", NULL);
    reads("return { title = \"a\":upper() }", NULL);
    reads("return { title = [[a]] }", NULL);
    reads("return { title = \"\\65\" }", NULL);
    reads("return { title = \"a\", title = \"b\" }", NULL);
    reads("return { title = \"a\", shows = b }", NULL);
    reads("return { title = \"a\", source = b }", NULL);
    reads("return { title = \"a\" }, 1", NULL);
    reads("return { title = \"a\" }.other", NULL);
    reads("return { title = \"a\"", NULL);
    reads("return { title = \"a", NULL);
    reads("return other { title = \"a\" }", NULL);
    reads("return cs.scenario(other { title = \"a\" })", NULL);
    reads("return cs.other { title = \"a\" }", NULL);
    reads("if x then return t end return { title = \"a\" }", NULL);
    reads("do return { title = \"a\" } end", NULL);
    reads("local t = { title = \"a\" } return t", NULL);
    reads("} return { title = \"a\" }", NULL);
}

static void no_beginning_of_a_text_is_too_short(void **state)
{
    (void)state;
    const char text[] = "--[[ x ]] local a = '\\'' if a then a = [==[b]==] end "
                        "return cs.scenario { title = \"a\", 1 --\n}";
    cs_headline h;
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *copy = test_malloc(n + 1); /* the sanitizer checks reads beyond
                                          * its end */
        memcpy(copy, text, n);
        assert_false(cs_headline_read(copy, n, &h));
        test_free(copy);
    }
    assert_true(cs_headline_read(text, sizeof text - 1, &h));
}

static void names_of_kernels_and_targets_are_kept(void **state)
{
    (void)state;
    cs_headline h;
    const char text[] =
        "local K = cs.kernel local hmc = 1 -- random_walk\n"
        "local a, b = K.mala { step = 1 }, \"gaussian\"\n"
        "return { title = \"a\", arms = { barker = K.gibbs {}, K.auto {} } }";
    assert_true(cs_headline_read(text, sizeof text - 1, &h));
    assert_string_equal(h.names, "mala gaussian gibbs auto");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_written_out_is_read),
    cmocka_unit_test(tags_are_read),
    cmocka_unit_test(what_only_lua_knows_is_not_read),
    cmocka_unit_test(no_beginning_of_a_text_is_too_short),
    cmocka_unit_test(names_of_kernels_and_targets_are_kept),
};
TESTS(test_headline)
