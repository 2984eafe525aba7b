/* The mouse on what the last frame had there: a press is what a key is. */
#include "support/support.h"

#include "canned_table.h"
#include "screen/mouse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char sent[256];
static cs_ui ui;
static cs_canvas canvas;

static bool record(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

static void draw(void)
{
    cs_screen_frame(&ui, table.base, table.used, &canvas);
}

/* On a frame of its own, as the user sees it. */
static bool act(cs_mouse_kind kind, int x, int y)
{
    cs_shot s = {table.base, table.used};
    cs_sender to = {record, NULL};
    draw();
    sent[0] = 0;
    return cs_mouse_act(&ui, &s, &to, &(cs_mouse){kind, x, y});
}

/* Where a text stands, which must be there. */
static void find(const char *text, int *x, int *y)
{
    int n = (int)strlen(text);
    draw();
    for (*y = 0; *y < canvas.height; ++*y)
        for (*x = 0; *x + n <= canvas.width; ++*x) {
            int i = 0;
            while (i < n && canvas.cell[*y * canvas.width + *x + i].code ==
                                (unsigned char)text[i])
                i++;
            if (i == n)
                return;
        }
    fail_msg("'%s' is not there", text);
}

static int begin(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    memset(&canvas, 0, sizeof canvas);
    int failed = cs_canvas_init(&canvas, 120, 40, CS_BRAILLE, NULL);
    draw();
    return failed;
}

static int end(void **state)
{
    (void)state;
    cs_canvas_fini(&canvas);
    return 0;
}

static void test_focus(void **state)
{
    (void)state;
    int x, y;
    find("4 visits", &x, &y);
    assert_true(act(CS_MOUSE_PRESS, x + 1, y + 2));
    assert_string_equal(ui.panel[ui.focus]->name, "visits");
    assert_false(act(CS_MOUSE_PRESS, 3, 0)); /* the title */
    assert_string_equal(ui.panel[ui.focus]->name, "visits");
    assert_false(act(CS_MOUSE_DRAG, 3, 9));
}

/* Each label is its own key, the word behind them the first. */
static void test_foot(void **state)
{
    (void)state;
    int x, y;
    find(". > step", &x, &y);
    assert_int_equal(y, 39);
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_string_equal(sent, "step 1");
    assert_true(act(CS_MOUSE_PRESS, x + 2, y));
    assert_string_equal(sent, "step 100");
    assert_true(act(CS_MOUSE_PRESS, x + 5, y));
    assert_string_equal(sent, "step 1");
    assert_false(act(CS_MOUSE_PRESS, x + 1, y)); /* between two */
    find("? help", &x, &y);
    assert_true(act(CS_MOUSE_PRESS, x + 3, y));
    assert_int_equal(ui.view, CS_VIEW_HELP);
    assert_true(act(CS_MOUSE_WHEEL_DOWN, 10, 10));
    assert_int_equal(ui.row, 3);
    assert_true(act(CS_MOUSE_WHEEL_UP, 10, 10));
    assert_int_equal(ui.row, 0);
}

/* The foot has the keys of the panel that has the focus. */
static void test_own_keys(void **state)
{
    (void)state;
    int x, y;
    cs_ui_panels(&ui, "trace visits summary");
    ui.focus = 0;
    find("o quantity", &x, &y);
    assert_int_equal(y, 39);
    assert_true(act(CS_MOUSE_PRESS, x + 4, y));
    assert_int_equal(ui.option[0], 1);
    ui.focus = 2; /* it has none */
    draw();
    for (int i = 0; i < 112; i++)
        assert_true(canvas.cell[39 * 120 + i].code != 0x2502);
}

/* A slider is set by a press and follows the pointer, the same value is said
 * once; a row is chosen. */
static void test_slider(void **state)
{
    (void)state;
    int x, y;
    ui.params = true;
    find("balance", &x, &y);
    assert_true(act(CS_MOUSE_PRESS, x + 2, y));
    assert_int_equal(ui.param, 1);
    draw();
    const cs_hit *h = NULL;
    for (size_t i = 0; i < ui.n_hits; i++)
        if (ui.hit[i].kind == CS_HIT_SLIDER && ui.hit[i].key == 1)
            h = &ui.hit[i];
    assert_non_null(h);
    cs_hit slider = *h;
    assert_true(act(CS_MOUSE_PRESS, slider.x, slider.y));
    assert_string_equal(sent, "set dmala.balance 0");
    assert_true(act(CS_MOUSE_DRAG, slider.x + slider.w - 1, slider.y + 3));
    assert_string_equal(sent, "set dmala.balance 1");
    assert_true(act(CS_MOUSE_DRAG, 119, slider.y));
    assert_string_equal(sent, ""); /* it is 1 already */
    assert_true(act(CS_MOUSE_DRAG, slider.x + (slider.w - 1) / 2, slider.y));
    double value = strtod(sent + strlen("set dmala.balance "), NULL);
    assert_near(value, 0.5, 0, 1.0 / slider.w);
    assert_false(act(CS_MOUSE_RELEASE, slider.x, slider.y));
}

static cs_layout_place place_of(size_t i)
{
    draw();
    assert_true(i < ui.layout.n);
    return ui.layout.place[i];
}

/* Borders follow the pointer as far as the panels' least sizes let them; all
 * else stays where it is, and the frame is full. */
static void test_borders(void **state)
{
    (void)state;
    cs_ui_panels(&ui, "state trace acceptance energy");
    cs_layout_place a = place_of(0), b = place_of(1), last = place_of(3);
    assert_int_equal(a.y, b.y);
    assert_true(last.y > a.y);
    int right = a.x + a.w - 1, bottom = 1 + a.y + a.h - 1;
    assert_true(act(CS_MOUSE_PRESS, right, 1 + a.y + 3));
    assert_true(act(CS_MOUSE_DRAG, right + 7, 1 + a.y + 3));
    assert_int_equal(place_of(0).w, a.w + 7);
    assert_int_equal(place_of(1).x, b.x + 7);
    assert_int_equal(place_of(1).w, b.w - 7);
    assert_true(act(CS_MOUSE_DRAG, right - 4, 1 + a.y + 9));
    assert_int_equal(place_of(0).w, a.w - 4);
    assert_true(act(CS_MOUSE_DRAG, 119, 9));
    int least = ui.panel[place_of(1).panel]->width + 2;
    assert_in_range(place_of(1).w, least, least + 1);
    act(CS_MOUSE_RELEASE, 119, 9);
    assert_true(act(CS_MOUSE_PRESS, 4, bottom));
    assert_true(act(CS_MOUSE_DRAG, 9, bottom - 5));
    assert_int_equal(place_of(0).h, a.h - 5);
    assert_int_equal(place_of(1).h, a.h - 5);
    assert_int_equal(place_of(3).y, last.y - 5);
    assert_int_equal(place_of(3).y + place_of(3).h, last.y + last.h);
    assert_true(act(CS_MOUSE_PRESS, 4, 1)); /* a title is no border */
    assert_false(act(CS_MOUSE_DRAG, 4, 9));
    cs_ui_panels(&ui, "state trace acceptance energy"); /* as it was */
    assert_int_equal(place_of(0).w, a.w);
}

/* The axes of steps know what stands at their columns. */
static void test_steps(void **state)
{
    (void)state;
    cs_ui_panels(&ui, "trace");
    ui.zoom = true;
    draw();
    assert_true(canvas.n_axes > 0);
    const cs_x_axis *a = &canvas.axis[0];
    assert_true(a->w > 10 && a->to > a->from && a->y < canvas.height);
    double end =
        cs_shot_number(&(cs_shot){table.base, table.used}, 0, "run/steps");
    assert_true(a->to <= end + 1);
    ui.focus = 0;
    char want[64];
    snprintf(want, sizeof want, "rewind to %.0f",
             a->from + 3.0 / (a->w - 1) * (a->to - a->from));
    int x = a->x + 3, y = a->y - 2;
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_string_equal(sent, want);
    cs_ui_panels(&ui, "state trace"); /* the first click is for the focus */
    ui.zoom = false;
    draw();
    a = &canvas.axis[0];
    x = a->x + 3, y = a->y - 2;
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_string_equal(sent, "");
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_memory_equal(sent, "rewind to ", 10);
    const cs_x_axis *line = &canvas.axis[canvas.n_axes - 1];
    assert_int_equal(line->y, canvas.height - 3); /* the timeline */
    assert_true(act(CS_MOUSE_PRESS, line->x, line->y));
    assert_string_equal(sent, "rewind to 0");
}

static void test_wheel(void **state)
{
    (void)state;
    int x, y;
    size_t last = ui.part_of[ui.n_parts - 1];
    assert_true(last != ui.focus);
    x = ui.part[ui.n_parts - 1].x + 3;
    y = ui.part[ui.n_parts - 1].y + 2;
    assert_true(act(CS_MOUSE_WHEEL_DOWN, x, y));
    assert_int_equal(ui.scroll[last], 3);
    assert_int_equal(ui.scroll[ui.focus], 0);
    assert_true(act(CS_MOUSE_WHEEL_UP, x, y));
    assert_int_equal(ui.scroll[last], 0);
    ui.prompt.mark = ':'; /* a line is typed: nothing is hit by chance */
    assert_false(act(CS_MOUSE_PRESS, x, y));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_focus, begin, end),
        cmocka_unit_test_setup_teardown(test_foot, begin, end),
        cmocka_unit_test_setup_teardown(test_own_keys, begin, end),
        cmocka_unit_test_setup_teardown(test_slider, begin, end),
        cmocka_unit_test_setup_teardown(test_borders, begin, end),
        cmocka_unit_test_setup_teardown(test_steps, begin, end),
        cmocka_unit_test_setup_teardown(test_wheel, begin, end),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
