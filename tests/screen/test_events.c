/* Tests the table of events: the order, the kinds, and the step to which enter
 * goes. */
#include "canned_draws.h"
#include "frame.h"
#include "run/history/event_list.h"
#include "screen/input/keys.h"
#include "screen/state/ui.h"

static cs_ui ui;
static cs_canvas canvas;
static char sent[64];

static bool send_line(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

static const cs_sender sender = {.send = send_line};

/* A run of two arms, with three events and one change of a parameter. */
static cs_shot put_events(void)
{
    static const cs_row_moment moment[] = {{40, CS_EVENT_JUMP, 1},
                                           {90, CS_EVENT_VISIT, 0},
                                           {70, CS_EVENT_DIVERGENCE, 1}};
    canned_many(&table, 2, 4);
    memcpy(CS_FLAT_ROWS(&table, cs_row_moment, 3, CS_KEY_MOMENTS), moment,
           sizeof moment);
    *CS_FLAT_ROWS(&table, cs_row_event, 1, CS_KEY_EVENTS) =
        (cs_row_event){80, 0};
    assert_false(table.full);
    cs_canvas_fini(&canvas);
    assert_int_equal(cs_canvas_init(&canvas, 80, 24, CS_BRAILLE, NULL), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    return (cs_shot){table.base, table.used, NULL};
}

static void press(const cs_shot *s, unsigned key)
{
    cs_press(&ui, s, &sender, key);
    cs_screen_frame(&ui, table.base, table.used, &canvas);
}

static void expect_step(const cs_shot *s, double want, size_t arm)
{
    double step = 0;
    size_t of = 0;
    assert_true(cs_events_chosen(&ui, s, &step, &of));
    assert_true(step == want && of == arm);
}

static void test_the_newest_first(void **state)
{
    (void)state;
    cs_shot s = put_events();
    press(&s, 'E');
    assert_int_equal(ui.view, CS_VIEW_EVENTS);
    static const double step[] = {90, 80, 70, 40};
    static const size_t arm[] = {0, 0, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        expect_step(&s, step[i], arm[i]);
        press(&s, CS_KEY_DOWN);
    }
    expect_step(&s, 40, 1); /* the last line */
}

static void test_enter_goes_to_the_step(void **state)
{
    (void)state;
    cs_shot s = put_events();
    press(&s, 'E');
    press(&s, CS_KEY_DOWN);
    press(&s, CS_KEY_DOWN);
    press(&s, '\r');
    assert_string_equal(sent, "rewind to 70");
    assert_int_equal(ui.view, CS_VIEW_RUN);
    assert_int_equal(ui.look.arm, 1);
}

static void test_a_kind(void **state)
{
    (void)state;
    cs_shot s = put_events();
    press(&s, 'E');
    ui.kind = 1 + (size_t)CS_EVENT_JUMP;
    expect_step(&s, 40, 1);
    ui.kind = 1 + (size_t)CS_EVENT_CHANGE;
    expect_step(&s, 80, 0);
    ui.kind = 1 + (size_t)CS_EVENT_NAN;
    double step;
    size_t arm;
    assert_false(cs_events_chosen(&ui, &s, &step, &arm));
    press(&s, 'q');
    assert_int_equal(ui.view, CS_VIEW_RUN);
}

static int close_canvas(void **state)
{
    cs_canvas_fini(&canvas);
    return teardown(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_newest_first),
    cmocka_unit_test(test_enter_goes_to_the_step),
    cmocka_unit_test(test_a_kind),
};
TESTS_WITH(test_events, setup, close_canvas)
