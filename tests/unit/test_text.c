#include "support/support.h"

#include "base/text.h"

#include <string.h>

static void nearest_name_is_proposed(void **state)
{
    (void)state;
    const char *const names[] = {"step", "balance", "leapfrogs", NULL};
    assert_string_equal(cs_text_nearest("stpe", names), "step");
    assert_string_equal(cs_text_nearest("ballance", names), "balance");
    assert_null(cs_text_nearest("xyzzy", names));
    assert_null(cs_text_nearer("probe", NULL, "judge"));
}

static void distance_counts_swaps_once(void **state)
{
    (void)state;
    assert_int_equal(cs_text_distance("stpe", "step"), 1);
    assert_int_equal(cs_text_distance("", "step"), 4);
    assert_int_equal(cs_text_distance("kitten", "sitting"), 3);
}

static void clean(const char *text, const char *want)
{
    char out[64];
    size_t n = cs_text_clean(text, out, sizeof out);
    assert_string_equal(out, want);
    assert_int_equal(n, strlen(want));
}

static void terminal_sequences_are_shown_not_obeyed(void **state)
{
    (void)state;
    clean("a\nb\tc", "a b c");
    clean("\033]0;x\007", "\\x1b]0;x\\x07");
    clean("\x9b"
          "31m",
          "\\x9b31m");
    clean("\xc2\x9b"
          "31m",
          "\\xc2\\x9b31m");
    clean("\xe2\x80\xae"
          "abc",
          "\\xe2\\x80\\xaeabc");
    clean("\xc3\xa9\xe2\xa3\xbf", "\xc3\xa9\xe2\xa3\xbf");
}

static void nothing_is_cut_in_two(void **state)
{
    (void)state;
    char out[4];
    assert_int_equal(cs_text_clean("ab\xc3\xa9", out, sizeof out), 2);
    assert_string_equal(out, "ab");
}

/* A shortened name keeps both of its ends. Hence names whose ends differ stay
 * distinct. No character is cut in half. */
static void long_names_keep_both_ends(void **state)
{
    (void)state;
    char out[12];
    cs_text_shorten("short name", out, sizeof out);
    assert_string_equal(out, "short name");
    cs_text_shorten("effect_in_a", out, sizeof out);
    assert_string_equal(out, "effect_in_a");
    cs_text_shorten("effect_of_it_in_a", out, sizeof out);
    assert_string_equal(out, "effe.._in_a");
    cs_text_shorten("ab\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", out,
                    sizeof out);
    assert_string_equal(out, "ab\xc3\xa9..\xc3\xa9\xc3\xa9");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nearest_name_is_proposed),
    cmocka_unit_test(distance_counts_swaps_once),
    cmocka_unit_test(terminal_sequences_are_shown_not_obeyed),
    cmocka_unit_test(nothing_is_cut_in_two),
    cmocka_unit_test(long_names_keep_both_ends),
};

TESTS(test_text)
