/* Tests lessons: the comment at the head of a scenario becomes flowing text,
 * and all keys and commands that the comment mentions exist. */
#include "support/support.h"

#include "io/lesson.h"
#include "screen/input/keys.h"
#include "screen/panels/panel.h"
#include "session/commands/command.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

static void paragraphs_flow_and_examples_stand(void **state)
{
    (void)state;
    char out[CS_LESSON_BYTES];
    cs_lesson_of("-- One,\n-- two.\n--\n-- Three:\n--     :set a.b 1\n-- four\n"
                 "local x -- not this\n",
                 out, sizeof out);
    assert_string_equal(out, "One, two.\n\nThree:\n     :set a.b 1\nfour");
    cs_lesson_of("--a\r\n--b\r\n", out, sizeof out);
    assert_string_equal(out, "a b");
    cs_lesson_of("return 1 -- none\n", out, sizeof out);
    assert_string_equal(out, "");
    cs_lesson_of("--[[ a block\n]]", out, sizeof out);
    assert_string_equal(out, "");
}

static void what_does_not_fit_is_cut_behind_a_line(void **state)
{
    (void)state;
    char out[12];
    cs_lesson_of("-- seven77\n-- more that does not fit\n", out, sizeof out);
    assert_string_equal(out, "seven77");
    cs_lesson_of("-- a\n", out, 1);
    assert_string_equal(out, "");
}

static bool is_key(const char *word, size_t n)
{
    const cs_action *act;
    char label[32];
    unsigned key;
    for (size_t i = 0; (act = cs_action_at(i)); i++)
        for (size_t k = 0;
             cs_action_label(NULL, act, k, label, sizeof label, &key); k++)
            if (strlen(label) == n && strncmp(label, word, n) == 0)
                return true;
    return false;
}

static bool is_command(const char *word, size_t n)
{
    const cs_command *c;
    for (size_t i = 0; (c = cs_command_at(i)); i++)
        if (strlen(c->name) == n && strncmp(c->name, word, n) == 0)
            return true;
    return false;
}

/* Returns the number of keys and commands in a lesson that do not exist. A key
 * is written "Press x" or "press x"; a command is a line that begins with a
 * colon. *n receives the number of all keys and commands. */
static size_t missing(const char *lesson, size_t *n)
{
    size_t faults = 0;
    for (const char *at = lesson; (at = strstr(at, "ress ")); at += 5) {
        if (at == lesson || (at[-1] != 'P' && at[-1] != 'p'))
            continue; /* part of another word, for example "distress" */
        faults += !is_key(at + 5, strcspn(at + 5, " \n"));
        ++*n;
    }
    for (const char *at = lesson; (at = strstr(at, "\n ")); at++) {
        const char *line = at + 1 + strspn(at + 1, " ");
        if (*line != ':')
            continue;
        faults += !is_command(line + 1, strcspn(line + 1, " \n"));
        ++*n;
    }
    return faults;
}

static void keys_and_commands_of_lessons_are_there(void **state)
{
    (void)state;
    glob_t all;
    size_t n = 0;
    char lesson[CS_LESSON_BYTES];
    assert_int_equal(glob("../../scenarios/*/*.lua", 0, NULL, &all), 0);
    for (size_t i = 0; i < all.gl_pathc; i++) {
        cs_lesson_read(all.gl_pathv[i], lesson, sizeof lesson);
        if (strlen(lesson) < 60)
            fail_msg("%s does not begin with a lesson", all.gl_pathv[i]);
        if (missing(lesson, &n))
            fail_msg("%s mentions a key or command that does not exist",
                     all.gl_pathv[i]);
    }
    assert_true(all.gl_pathc > 40 && n >= 4);
    globfree(&all);
}

static void wrong_keys_are_noticed(void **state)
{
    (void)state;
    size_t n = 0;
    assert_int_equal(missing("Press F13 or press . and\n  :sett a.b 1", &n), 2);
    assert_int_equal(n, 3);
}

/* Returns the characters of line y, with a blank for an empty cell. */
static const char *line_of(const cs_canvas *c, int y)
{
    static char line[64];
    for (int x = 0; x < c->width; x++) {
        unsigned code = c->cell[y * c->width + x].code;
        line[x] = code < ' ' ? ' ' : code < 127 ? (char)code : '~';
    }
    line[c->width] = 0;
    return line;
}

/* The last word of a paragraph stays on its line if it fits. A note next to the
 * text says that more text follows. */
static void words_stay_together(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 20, 4, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_draw_lesson(&a, "one two three four\n\nfive six seven eigh\nnine ten",
                   0);
    assert_string_equal(line_of(&c, 0), " one two three four ");
    assert_string_equal(line_of(&c, 2), " five six seven     ");
    assert_string_equal(line_of(&c, 3), " eigh              v");
    cs_canvas_fini(&c);
}

/* Text that does not fit ends with a mark that shows that it was cut. */
static void what_is_cut_says_so(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 12, 2, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    assert_int_equal(cs_print_wrapped(&a, 0, 0, CS_ROLE_WARN,
                                      "run longer, or change the kernel"),
                     2);
    assert_string_equal(line_of(&c, 0), "run longer, ");
    assert_string_equal(line_of(&c, 1), "or change~  ");
    cs_canvas_fini(&c);
}

/* Each source line that follows an error message starts on a new line. */
static void lines_of_a_text_stay(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 12, 4, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    assert_int_equal(cs_print_wrapped(&a, 0, 0, CS_ROLE_ERROR,
                                      "it ran for too long\n 7 | loop"),
                     3);
    assert_string_equal(line_of(&c, 0), "it ran for  ");
    assert_string_equal(line_of(&c, 1), "too long    ");
    assert_string_equal(line_of(&c, 2), " 7 | loop   ");
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(paragraphs_flow_and_examples_stand),
    cmocka_unit_test(what_does_not_fit_is_cut_behind_a_line),
    cmocka_unit_test(keys_and_commands_of_lessons_are_there),
    cmocka_unit_test(wrong_keys_are_noticed),
    cmocka_unit_test(words_stay_together),
    cmocka_unit_test(what_is_cut_says_so),
    cmocka_unit_test(lines_of_a_text_stay),
};
TESTS(test_lesson)
