/* Tests the search of rows by words. */
#include "screen/canvas/search.h"
#include "support/support.h"

static bool finds(const char *words)
{
    static const char *const text[] = {
        "The Metropolis algorithm", "start",
        "Langevin proposals with a gradient; #bits"};
    return cs_search(words, text, sizeof text / sizeof *text);
}

static void test_words(void **state)
{
    (void)state;
    assert_true(finds(""));
    assert_true(finds("  "));
    assert_true(finds("metro"));
    assert_true(finds("POLIS start"));
    assert_true(finds("#bits gradient"));
    assert_false(finds("metro pictures"));
}

/* One letter of a long word may be wrong, but not the first. */
static void test_misspelled_words(void **state)
{
    (void)state;
    assert_true(finds("metropoliss")); /* a letter too many at the end */
    assert_true(finds("metrropolis")); /* added */
    assert_true(finds("metopolis"));   /* left out */
    assert_true(finds("metrapolis"));  /* changed */
    assert_true(finds("mteropolis"));  /* exchanged */
    assert_true(finds("algoritmh start"));
    assert_true(finds("lagnevin"));
    assert_false(finds("betropolis")); /* the first letter */
    assert_false(finds("metrapalis")); /* two letters */
    assert_false(finds("strt"));       /* a short word */
    assert_false(finds("etropalis"));  /* not at the beginning of a word */
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_words),
    cmocka_unit_test(test_misspelled_words),
};
TESTS(test_search)
