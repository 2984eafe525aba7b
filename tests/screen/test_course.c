/* Tests the screen of a lesson: its keys, the text of a step with its question
 * and its mark, and the arrow. */
#include "support/support.h"

#include "read_panel.h"
#include "screen/input/keys.h"

#include <stdio.h>
#include <string.h>

static unsigned char memory[1 << 16] __attribute__((aligned(8)));
static char sent[256];

static bool record(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

/* Writes a snapshot of step 3 of a lesson with an open question. */
static cs_flat step_that_asks(const char *ask, const char *kind,
                              const char *answer)
{
    cs_flat f;
    cs_flat_begin(&f, memory, sizeof memory);
    read_run(&f, 4);
    cs_flat_text(&f, "3", "course/step");
    cs_flat_text(&f, "12", "course/of");
    cs_flat_text(&f, "Watch it.", "course/text");
    cs_flat_text(&f, ask, "course/ask");
    cs_flat_text(&f, kind, "course/kind");
    bool chooses = strcmp(kind, "choose") == 0 || strcmp(kind, "several") == 0;
    cs_flat_text(&f, chooses ? "yes\nno" : "", "course/choices");
    if (answer)
        cs_flat_text(&f, answer, "course/answer");
    if (answer && chooses) /* "yes", "no", or both */
        cs_flat_text(&f,
                     strcmp(answer, "yes, no") == 0 ? "1 2"
                     : strcmp(answer, "no") == 0    ? "2"
                                                    : "1",
                     "course/chosen");
    return f;
}

static cs_flat step_of(const char *kind, const char *answer)
{
    return step_that_asks("Will it be accepted?", kind, answer);
}

static const char *press(const cs_flat *f, cs_ui *ui, unsigned key)
{
    cs_shot s = {.base = f->base, .used = f->used};
    cs_sender to = {record, NULL};
    *sent = 0;
    cs_press(ui, &s, &to, key);
    return sent;
}

static void keys_go_and_answer(void **state)
{
    (void)state;
    cs_ui ui;
    cs_ui_init(&ui);
    cs_flat f = step_of("choose", NULL);
    cs_flat_text(&f, "acceptance", "course/covers");
    assert_string_equal(press(&f, &ui, '\r'), ""); /* no lesson is shown yet */
    ui.lesson = true;
    assert_string_equal(press(&f, &ui, '\r'), "course next");
    assert_string_equal(press(&f, &ui, 127), "course back");
    assert_string_equal(press(&f, &ui, '2'), "answer 2");
    assert_string_equal(press(&f, &ui, '3'), ""); /* a panel's digit */
    assert_string_equal(press(&f, &ui, ' '), "toggle");
    f = step_of("several", NULL); /* each digit adds or removes an answer */
    cs_flat_text(&f, "acceptance", "course/covers");
    assert_string_equal(press(&f, &ui, '2'), "answer toggle 2");
    assert_string_equal(press(&f, &ui, '3'), "");
    assert_string_equal(press(&f, &ui, '\r'), "course next");
    f = step_of("number", NULL);
    cs_flat_text(&f, "", "course/covers");
    assert_string_equal(press(&f, &ui, '\r'), "");
    assert_int_equal(ui.prompt.mark, ':');
    assert_string_equal(ui.prompt.begin, "answer ");
    ui.prompt.mark = 0;
    assert_string_equal(press(&f, &ui, '1'), ""); /* begins the answer */
    assert_int_equal(ui.prompt.mark, ':');
    assert_string_equal(ui.prompt.begin, "answer 1");
    assert_string_equal(press(&f, &ui, '-'), "");
    assert_string_equal(ui.prompt.begin, "answer -");
    ui.prompt.mark = 0;
    f = step_of("number", "0.5");
    cs_flat_text(&f, "", "course/covers");
    assert_string_equal(press(&f, &ui, '\r'), "course next");
    f = step_of("choose", "yes"); /* the answer is revealed */
    cs_flat_text(&f, "right", "course/mark");
    assert_string_equal(press(&f, &ui, '2'), "");
    cs_ui_fini(&ui);
}

/* Returns true if a line of the frame contains the text. */
static bool shows(const char *text)
{
    for (int y = 0; y < read_canvas.height; y++) {
        char line[400];
        int n = 0;
        for (int x = 0; x < read_canvas.width && n < 399; x++) {
            unsigned code = read_canvas.cell[y * read_canvas.width + x].code;
            line[n++] = (char)(code >= ' ' && code < 127 ? code : '?');
        }
        line[n] = 0;
        if (strstr(line, text))
            return true;
    }
    return false;
}

static void a_step_is_shown_with_its_question(void **state)
{
    (void)state;
    for (size_t size = 0; size < SIZES; size++) {
        cs_flat f = step_of("choose", "no");
        cs_flat_text(&f, "acceptance", "course/covers");
        cs_flat_text(&f, "stuck", "course/point/word");
        cs_flat_text(&f, "a", "course/point/arm");
        read_frame(&f, "lesson", FORM_LARGE, size);
        assert_true(shows("step 3 of 12"));
        assert_true(shows("Watch it."));
        assert_true(shows("Will it be accepted?"));
        assert_true(shows("1 yes"));
        assert_true(shows("2 no  <"));
        assert_true(shows("Your answer: no"));
        assert_true(shows("press enter to continue"));
        assert_true(shows("a ? stuck")); /* the arrow, at the arm's row */
        assert_true(read_ui.lesson);
        f = step_of("several", "yes, no");
        cs_flat_text(&f, "acceptance", "course/covers");
        read_frame(&f, "lesson", FORM_LARGE, size);
        assert_true(shows("1 yes  <"));
        assert_true(shows("2 no  <"));
        f = step_of("choose", "no");
        cs_flat_text(&f, "wrong", "course/mark");
        cs_flat_text(&f, "It was not.", "course/because");
        cs_flat_text(&f, "yes", "course/truth");
        read_frame(&f, "lesson", FORM_LARGE, size);
        assert_true(shows("Your answer: no. Wrong."));
        assert_true(shows("It was not."));
        assert_true(shows("Measured: yes"));
        assert_false(shows("stuck"));
    }
}

/* In the line above the arms, a long question loses the sentences before the one
 * that asks, and is not cut at a comma. */
static void the_headline_asks(void **state)
{
    (void)state;
    static const char ask[] = "The walk forgets the constant, as if it "
                              "cancelled. All of its chains begin at 0.3. "
                              "Its mean in the end?";
    cs_flat f = step_that_asks(ask, "choose", NULL);
    cs_flat_text(&f, "mean", "course/covers");
    read_frame(&f, "trace", FORM_LARGE, 0);
    assert_true(shows("Its mean in the end?"));
    assert_false(shows("The walk forgets the constant."));
}

/* Before a question, the line above the arms says that verdicts are covered. */
static void verdicts_wait_for_the_last_answer(void **state)
{
    (void)state;
    for (int coming = 0; coming < 2; coming++) {
        cs_flat f;
        cs_flat_begin(&f, memory, sizeof memory);
        read_run(&f, 4);
        cs_flat_text(&f, "3", "course/step");
        if (coming)
            cs_flat_text(&f, "mean", "course/coming");
        read_frame(&f, "trace", FORM_LARGE, 0);
        assert_int_equal(shows("verdicts are covered"), coming);
    }
}

/* After the answer, the panel has only the last sentence of the question, so
 * that the truth fits below. While the question is open, enter does not
 * continue. */
static void the_answer_needs_the_last_sentence(void **state)
{
    (void)state;
    static const char ask[] = "All chains start at 0.3. Is the mean right?";
    cs_flat f = step_that_asks(ask, "choose", NULL);
    cs_flat_text(&f, "mean", "course/covers");
    read_frame(&f, "lesson", FORM_LARGE, 1);
    assert_true(shows("All chains start"));
    assert_false(shows("press enter to continue"));
    f = step_that_asks(ask, "choose", "no");
    cs_flat_text(&f, "right", "course/mark");
    read_frame(&f, "lesson", FORM_LARGE, 1);
    assert_false(shows("All chains start"));
    assert_true(shows("Is the mean right?"));
    assert_true(shows("press enter to continue"));
}

/* A step that is longer than the panel has no empty lines, so that its end is
 * seen. */
static void a_long_step_is_tight(void **state)
{
    (void)state;
    char why[400] = "";
    cs_area a = {0};
    bool fits = true;
    for (int words = 1; fits && words < 40; words++) {
        snprintf(why + strlen(why), sizeof why - strlen(why), "xxxxxxx ");
        cs_flat f = step_of("choose", "no");
        cs_flat_text(&f, "wrong", "course/mark");
        cs_flat_text(&f, why, "course/because");
        a = read_frame(&f, "lesson", FORM_LARGE, 0);
        fits = read_says(&a, "press enter to continue");
        if (fits && read_cell(&a, 1, 1)->code == 'Y')
            return; /* the answer is directly below the question */
    }
    fail();
}

/* Follows a snapshot of step `step` of a lesson. */
static void follow(cs_ui *ui, const char *step)
{
    cs_flat f;
    cs_flat_begin(&f, memory, sizeof memory);
    read_run(&f, 4);
    cs_flat_text(&f, step, "course/step");
    cs_shot s = {.base = f.base, .used = f.used};
    cs_ui_follow(ui, &s);
}

/* A screen with one panel shows each new step, and the present one if it has
 * become that small; meanwhile another panel can be chosen. */
static void a_small_screen_shows_the_lesson(void **state)
{
    (void)state;
    const cs_canvas large = {.width = 80, .height = 24},
                    small = {.width = 60, .height = 15};
    cs_ui ui;
    size_t i = 0;
    cs_ui_init(&ui);
    ui.drawn.canvas = &large;
    follow(&ui, "3");
    while (strcmp(ui.slots.of[i].type->name, "lesson") != 0)
        i++;
    assert_int_not_equal(ui.slots.focus, i);
    ui.drawn.canvas = &small;
    follow(&ui, "3");
    assert_int_equal(ui.slots.focus, i);
    ui.slots.focus = i + 1;
    follow(&ui, "3");
    assert_int_equal(ui.slots.focus, i + 1);
    follow(&ui, "4");
    assert_int_equal(ui.slots.focus, i);
    cs_ui_fini(&ui);
}

/* The next step shows a hidden lesson, but not the same step again. */
static void a_hidden_lesson_returns(void **state)
{
    (void)state;
    cs_ui ui;
    size_t i = 0;
    cs_ui_init(&ui);
    follow(&ui, "3");
    while (strcmp(ui.slots.of[i].type->name, "lesson") != 0)
        i++;
    assert_true(ui.slots.of[i].on);
    ui.slots.of[i].on = false;
    ui.slots.zoom = true;
    follow(&ui, "3");
    assert_false(ui.slots.of[i].on);
    assert_true(ui.slots.zoom);
    follow(&ui, "4");
    assert_true(ui.slots.of[i].on);
    assert_false(ui.slots.zoom);
    for (size_t k = 0; k < ui.slots.n; k++)
        ui.slots.of[k].on = false;
    follow(&ui, "5"); /* the focus would show a hidden panel */
    assert_int_equal(ui.slots.focus, i);
    cs_ui_fini(&ui);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_answer_needs_the_last_sentence),
    cmocka_unit_test(a_hidden_lesson_returns),
    cmocka_unit_test(a_small_screen_shows_the_lesson),
    cmocka_unit_test(a_long_step_is_tight),
    cmocka_unit_test(keys_go_and_answer),
    cmocka_unit_test(a_step_is_shown_with_its_question),
    cmocka_unit_test(the_headline_asks),
    cmocka_unit_test(verdicts_wait_for_the_last_answer),
};
TESTS(test_course)
