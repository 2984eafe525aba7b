/* Tests links from warnings to lessons. Each lesson is an existing scenario.
 * Some causes of warnings have a lesson. A link leads to the lesson for the
 * first such cause. */
#include "support/support.h"

#include "warn/warnings.h"

#include <stdio.h>
#include <unistd.h>

static void every_lesson_is_there(void **state)
{
    char path[256];
    const cs_warning *k;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        if (!k->lesson)
            continue;
        snprintf(path, sizeof path, "../scenarios/%s.lua", k->lesson);
        if (access(path, R_OK))
            fail_msg("there is no lesson %s", k->lesson);
        n++;
    }
    assert_true(n > 10);
}

/* Returns the lesson for warnings of these kinds. */
static const char *lesson_of(const char *names, const char *open)
{
    cs_warnings w = {0};
    cs_warnings_read(&w, "one\ntwo\n", names);
    const char *lesson = cs_warnings_lesson(&w, open);
    cs_warnings_free(&w);
    return lesson;
}

static void the_first_cause_leads(void **state)
{
    (void)state;
    assert_string_equal(lesson_of("", ""), "");
    assert_string_equal(lesson_of("weighted", "a/b.lua"), "");
    assert_string_equal(lesson_of("draws_few divergent", "a/b.lua"),
                        "start/05_funnel");
    assert_string_equal(lesson_of("stopped draws_few", ""),
                        "start/01_first_walk");
}

/* A link never leads to the scenario that is already open. It leads to the next
 * useful lesson, or there is no link. */
static void what_is_open_is_no_advice(void **state)
{
    (void)state;
    assert_string_equal(
        lesson_of("divergent draws_few", "/usr/share/start/05_funnel.lua"),
        "start/01_first_walk");
    assert_string_equal(lesson_of("energy", "/a/start/05_funnel.lua"), "");
    assert_string_equal(lesson_of("energy", "/a/other/start05_funnel.lua"),
                        "start/05_funnel");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_lesson_is_there),
    cmocka_unit_test(the_first_cause_leads),
    cmocka_unit_test(what_is_open_is_no_advice),
};
TESTS(test_lessons)
