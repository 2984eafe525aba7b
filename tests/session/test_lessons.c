/* Where warnings lead: each lesson is a scenario that there is, and its words are
 * those of a warning that is written somewhere. */
#include "support/support.h"

#include "session/commands/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a file, its string literals joined where they are broken in two. */
static char *text_of(const char *file)
{
    FILE *f = fopen(file, "r");
    size_t n = 0, room = 1 << 20;
    char *text = calloc(room, 1);
    assert_non_null(text);
    if (!f) {
        free(text);
        return NULL;
    }
    for (int c; n + 1 < room && (c = getc(f)) != EOF;) {
        text[n++] = (char)c;
        if (c != '"')
            continue;
        long at = ftell(f);
        int next = getc(f);
        while (next == ' ' || next == '\n')
            next = getc(f);
        if (next == '"')
            n--; /* "one " "other" */
        else
            fseek(f, at, SEEK_SET);
    }
    fclose(f);
    return text;
}

static void every_lesson_is_there(void **state)
{
    static const char *const files[] = {
        "../src/warn/chains.c",
        "../src/warn/draws.c",
        "../src/warn/exact.c",
        "../src/warn/method.c",
        "../src/warn/modes.c",
        "../src/warn/steps.c",
        "../src/warn/trajectories.c",
        "../src/session/publish/publish_warnings.c"};
    enum { N = sizeof files / sizeof *files };
    char *text[N], path[256];
    const char *words, *scenario;
    (void)state;
    for (size_t k = 0; k < N; k++) {
        text[k] = text_of(files[k]);
        assert_non_null(text[k]);
    }
    for (size_t i = 0; (scenario = cs_lesson_about(i, &words)); i++) {
        bool written = false;
        snprintf(path, sizeof path, "../scenarios/%s.lua", scenario);
        char *file = text_of(path);
        if (!file)
            fail_msg("there is no lesson %s", scenario);
        free(file);
        for (size_t k = 0; k < N; k++)
            written |= strstr(text[k], words) != NULL;
        if (!written)
            fail_msg("no warning says '%s'", words);
    }
    for (size_t k = 0; k < N; k++)
        free(text[k]);
}

static void the_most_telling_leads(void **state)
{
    (void)state;
    assert_string_equal(cs_session_lesson_of("", "", ""), "");
    assert_string_equal(
        cs_session_lesson_of("12 of 400 steps diverged (3 %)\n",
                             "bulk ESS of x.1 is 4: run 90 times as long\n",
                             "a/b.lua"),
        "start/05_funnel");
    assert_string_equal(
        cs_session_lesson_of("", "bulk ESS of x.1 is 4: run longer\n", ""),
        "start/01_first_walk");
}

/* Whoever looks at that scenario is led to the next one that helps, or nowhere. */
static void what_is_open_is_no_advice(void **state)
{
    static const char both[] = "12 of 400 steps diverged (3 %)\n"
                               "bulk ESS of x.1 is 4: run 90 times as long\n";
    (void)state;
    assert_string_equal(
        cs_session_lesson_of("", both, "/usr/share/start/05_funnel.lua"),
        "start/01_first_walk");
    assert_string_equal(cs_session_lesson_of("E-BFMI of chain 1 is 0.1\n", "",
                                             "/a/start/05_funnel.lua"),
                        "");
    assert_string_equal(cs_session_lesson_of("E-BFMI of chain 1 is 0.1\n", "",
                                             "/a/other/start05_funnel.lua"),
                        "start/05_funnel");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_lesson_is_there),
    cmocka_unit_test(the_most_telling_leads),
    cmocka_unit_test(what_is_open_is_no_advice),
};
TESTS(test_lessons)
