/* Tests the preview of a typed line. The screen shows the value that the line
 * would set, next to the current value. The shown value is updated after each
 * key, and disappears with the line. */
#include "support/support.h"

#include "canned_table.h"
#include "frame.h"
#include "schedule/typed_schedule.h"
#include "screen/state/ui.h"

#include <math.h>
#include <string.h>

enum { CYCLE = 20 };

static cs_ui ui;

/* Adds to the snapshot the arm "acs", which is arm 1. The step size of this arm
 * follows a cosine. If the step size is larger, the acceptance rate is
 * lower. */
static int setup_cycle(void **state)
{
    cs_schedule s;
    if (setup(state) ||
        cs_schedule_from_words(&s, "cosine max=5 min=0.8 period=20", NULL))
        return 1;
    double from = cs_shot_number(
        &(cs_shot){.base = table.base, .used = table.used}, 0, "arm/1/steps");
    *CS_FLAT_ROWS(&table, cs_row_schedule, 1, CS_KEY_SCHEDULE, (size_t)1,
                  (size_t)0) =
        (cs_row_schedule){from + 1, from + CYCLE, CYCLE, 0};
    double *to = cs_flat_array(&table, 1, CYCLE, CS_KEY_PLAN_VALUES, (size_t)1,
                               (size_t)0);
    s.type->fill(&s, (uint64_t)from + 1, CYCLE, to);
    cs_flat_text(&table, "cosine", "arm/1/schedule/0/kind");
    size_t used = cs_schedule_used(&s);
    memcpy(cs_flat_array(&table, 1, used, CS_KEY_VALUES, (size_t)1, (size_t)0),
           s.values, used * sizeof *to);
    double value[CYCLE];
    double *rate = cs_flat_array(&table, 1, CYCLE, "arm/1/cycle/acceptance");
    s.type->fill(&s, 1, CYCLE, value);
    for (size_t i = 0; i < CYCLE; i++)
        rate[i] = 1 / (1 + value[i]);
    return table.full;
}

static void begin(const char *panels)
{
    cs_canvas c;
    cs_ui_init(&ui);
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_BRAILLE, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    cs_canvas_fini(&c);
    cs_ui_panels(&ui, panels);
}

static void draw(const char *line, int w, int h, cs_glyphs glyphs, cs_canvas *c)
{
    ui.prompt.mark = *line;
    snprintf(ui.prompt.text, sizeof ui.prompt.text, "%s", line);
    ui.prompt.cursor = (int)strlen(line);
    assert_int_equal(cs_canvas_init(c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, c);
}

static void is_as(const char *line, int w, int h, cs_glyphs glyphs,
                  const char *name)
{
    cs_canvas c;
    draw(line, w, h, glyphs, &c);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
    cs_canvas_fini(&c);
}

static bool same(const cs_canvas *a, const cs_canvas *b)
{
    size_t n = (size_t)a->width * (size_t)a->height;
    return memcmp(a->cell, b->cell, n * sizeof *a->cell) == 0;
}

static void it_stands_beside_what_is_there(void **state)
{
    (void)state;
    begin("cycle");
    is_as(":set acs.step.max 3", 80, 24, CS_BRAILLE, "typed_field_80x24");
    is_as(":set acs.step linear from=3 to=1 steps=2e6", 80, 24, CS_ASCII,
          "typed_ramp_80x24");
    is_as(":set dmala.step cosine max=2 min=0.1 period=40", 120, 30, CS_BRAILLE,
          "typed_kind_120x30");
}

static void keys_before_and_after_it_change_nothing(void **state)
{
    (void)state;
    static const char line[] = ":set acs.step.max 3";
    cs_canvas before, now, after;
    begin("cycle");
    draw("", 80, 24, CS_BRAILLE, &before);
    for (size_t n = 1; n < sizeof line; n++) {
        char part[sizeof line];
        snprintf(part, n + 1, "%s", line);
        draw(part, 80, 24, CS_BRAILLE, &now);
        assert_true(ui.typed.valid == (n == sizeof line - 1));
        cs_canvas_fini(&now);
    }
    draw("", 80, 24, CS_BRAILLE, &after);
    assert_true(same(&before, &after));
    cs_canvas_fini(&before);
    cs_canvas_fini(&after);
}

static void what_is_refused_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *line, *why;
    } table_of[] = {
        {"set acs.step linear from=-3 to=1", "out of range"},
        {"set acs.step.mx 3", "did you mean 'max'"},
        {"set acs.step cosine max=3", "needs the field 'min'"},
        {"set acs.step 2000", "out of range"},
        {"set acs.step.max=3x", "not a number"},
        {"set dmala.step.max 3", "no schedule drives step"},
        {"set acs.step", ""},
        {"set acs.step.max ", ""},
        {"set nobody.step 3", ""},
        {"set acs.step cs.schedule.cosine { max = 3, min = 1 }", ""},
        {"sets acs.step 3", ""}};
    cs_shot s = {.base = table.base, .used = table.used};
    for (size_t i = 0; i < sizeof table_of / sizeof *table_of; i++) {
        cs_typed_set t;
        cs_typed_set_read(table_of[i].line, &s, 0, &t);
        bool reported =
            *table_of[i].why ? strstr(t.why, table_of[i].why) != NULL : !*t.why;
        if (t.valid || !reported)
            fail_msg("%s: '%s'", table_of[i].line, t.why);
    }
}

/* To name a parameter of the selected arm, no arm name is needed. */
static void what_is_meant_is_found(void **state)
{
    (void)state;
    cs_shot s = {.base = table.base, .used = table.used};
    cs_typed_set t;
    cs_typed_set_read("set step.min=1.5", &s, 1, &t);
    assert_true(t.valid && t.arm == 1 && t.param == 0 && !t.number);
    assert_near(t.now.values[1], 0.8, 0, 0);
    assert_near(t.then.values[1], 1.5, 0, 0);
    assert_near(t.then.values[0], 5, 0, 0);
    cs_typed_set_read("set balance 0.25", &s, 0, &t);
    assert_true(t.valid && t.arm == 0 && t.param == 1 && t.number);
    assert_near(t.then.values[0], 0.25, 0, 0);
}

static void acceptance_is_told_between_what_was_measured(void **state)
{
    (void)state;
    const double value[] = {10, 1, 100, NAN}, rate[] = {0.5, 0.9, 0.1, 1};
    assert_near(cs_typed_acceptance(value, rate, 4, true, 10), 0.5, 1e-15, 0);
    assert_near(cs_typed_acceptance(value, rate, 4, true, sqrt(1000)), 0.3,
                1e-12, 0);
    assert_near(cs_typed_acceptance(value, rate, 4, false, 55), 0.3, 1e-12, 0);
    assert_true(isnan(cs_typed_acceptance(value, rate, 4, true, 0.5)));
    assert_true(isnan(cs_typed_acceptance(value, rate, 4, true, 101)));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(it_stands_beside_what_is_there),
    cmocka_unit_test(keys_before_and_after_it_change_nothing),
    cmocka_unit_test(what_is_refused_says_why),
    cmocka_unit_test(what_is_meant_is_found),
    cmocka_unit_test(acceptance_is_told_between_what_was_measured),
};
TESTS_WITH(test_typed_set, setup_cycle, teardown)
