/* Tests the mouse on the last frame: a press acts like the key whose label is
 * at that position. */
#include "support/support.h"

#include "canned_table.h"
#include "screen/input/mouse.h"

#include <math.h>
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

/* Performs a mouse action on a new frame, as the user would see it. */
static bool act(cs_mouse_kind kind, int x, int y)
{
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    draw();
    sent[0] = 0;
    return cs_mouse_act(&ui, &s, &to, &(cs_mouse){kind, x, y});
}

static void press(unsigned key)
{
    cs_shot s = {.base = table.base, .used = table.used};
    sent[0] = 0;
    assert_true(cs_press(&ui, &s, &(cs_sender){record, NULL}, key));
}

/* Finds the position of a string, which must be on the screen. */
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
    fail_msg("'%s' is not on the screen", text);
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
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "visits");
    assert_false(act(CS_MOUSE_PRESS, 3, 0)); /* a press on the title has no
                                              * effect */
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "visits");
    assert_false(act(CS_MOUSE_DRAG, 3, 9));
}

/* A press on an arm's line in the strip chooses this arm. The keys up and down
 * choose an arm too. */
static void test_strip(void **state)
{
    (void)state;
    int x, y;
    find("# acs", &x, &y);
    assert_true(act(CS_MOUSE_PRESS, x + 20, y));
    assert_int_equal(ui.look.arm, 1);
    assert_memory_equal(sent, "look acs ", 9);
    assert_true(act(CS_MOUSE_PRESS, x, y - 1));
    assert_int_equal(ui.look.arm, 0);
    act(CS_MOUSE_PRESS, x, y - 2); /* the headings */
    assert_int_equal(ui.look.arm, 0);
    ui.look.chain = 2;
    press(CS_KEY_DOWN); /* the arrow keys choose an arm, too */
    assert_string_equal(sent, "look acs 1 1");
    press(CS_KEY_UP);
    assert_string_equal(sent, "look dmala 1 1");
    find("# acs", &x, &y);
    press('m'); /* the messages cover the strip */
    act(CS_MOUSE_PRESS, x + 20, y);
    assert_int_equal(ui.look.arm, 0);
    assert_string_equal(sent, "");
    ui.view = CS_VIEW_RUN;
    assert_true(act(CS_MOUSE_PRESS, x + 20, y));
    assert_int_equal(ui.look.arm, 1);
    assert_true(act(CS_MOUSE_PRESS, x, y - 1));
}

/* A press on a label acts like the label's key. A press on the word after
 * several labels acts like the first of their keys. */
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
    assert_false(act(CS_MOUSE_PRESS, x + 1, y)); /* between two labels */
    find("? help", &x, &y);
    assert_true(act(CS_MOUSE_PRESS, x + 3, y));
    assert_int_equal(ui.view, CS_VIEW_HELP);
    assert_true(act(CS_MOUSE_WHEEL_DOWN, 10, 10));
    assert_int_equal(ui.row, 3);
    assert_true(act(CS_MOUSE_WHEEL_UP, 10, 10));
    assert_int_equal(ui.row, 0);
}

/* The title of the panel with the focus includes the keys of this panel. A
 * press on such a key acts even if the panel is not drawn again. */
static void test_own_keys(void **state)
{
    (void)state;
    static const bool rests[CS_LAYOUT_PANELS] = {true, true, true};
    int x, y;
    cs_ui_panels(&ui, "trace visits summary");
    ui.slots.zoom = true;
    find("o next", &x, &y);
    assert_int_equal(y, ui.drawn.focused.y);
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_int_equal(ui.slots.of[0].option, 1);
    assert_true(act(CS_MOUSE_PRESS, x + 5, y));
    assert_int_equal(ui.slots.of[0].option, 2);
    find("v 1 of 5", &x, &y);
    assert_true(act(CS_MOUSE_PRESS, x + 4, y));
    assert_int_equal(ui.slots.of[0].variant, 1);
    find("v 2 of 5", &x, &y);
    act(CS_MOUSE_PRESS, x - 3, y); /* the name of the panel */
    assert_int_equal(ui.slots.of[0].variant, 1);
    ui.slots.zoom = false;
    cs_ui_panels(&ui, "visits");
    ui.slots.zoom = true;
    find("v 1 of 3", &x, &y);
    ui.drawn.rests = rests;
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_int_equal(ui.slots.of[0].variant, 1);
    ui.drawn.rests = NULL;
    cs_ui_panels(&ui, "summary"); /* this panel has no keys of its own */
    act(CS_MOUSE_PRESS, x, y);
    assert_int_equal(ui.slots.of[0].variant, 0);
}

/* A press on a slider sets the value, and the slider follows the pointer. If
 * the value does not change, it is not sent again. A press on a row selects the
 * row. */
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
    for (size_t i = 0; i < ui.mouse.n_hits; i++)
        if (ui.mouse.hit[i].kind == CS_HIT_SLIDER && ui.mouse.hit[i].key == 1)
            h = &ui.mouse.hit[i];
    assert_non_null(h);
    cs_hit slider = *h;
    assert_true(act(CS_MOUSE_PRESS, slider.x, slider.y));
    assert_string_equal(sent, "set dmala.balance 0");
    assert_true(act(CS_MOUSE_DRAG, slider.x + slider.w - 1, slider.y + 3));
    assert_string_equal(sent, "set dmala.balance 1");
    assert_true(act(CS_MOUSE_DRAG, 119, slider.y));
    assert_string_equal(sent, ""); /* the value is already 1 */
    assert_true(act(CS_MOUSE_DRAG, slider.x + (slider.w - 1) / 2, slider.y));
    double value = strtod(sent + strlen("set dmala.balance "), NULL);
    assert_near(value, 0.5, 0, 1.0 / slider.w);
    assert_false(act(CS_MOUSE_RELEASE, slider.x, slider.y));
}

static cs_layout_place place_of(size_t i)
{
    draw();
    assert_true(i < ui.drawn.layout.n);
    return ui.drawn.layout.place[i];
}

/* Drags from one cell of the field of panels to another one. */
static void pull(int x, int y, int to_x, int to_y)
{
    const cs_area *f = &ui.drawn.field;
    assert_true(act(CS_MOUSE_PRESS, f->x + x, f->y + y));
    assert_true(act(CS_MOUSE_DRAG, f->x + to_x, f->y + to_y));
    act(CS_MOUSE_RELEASE, f->x + to_x, f->y + to_y);
    draw();
}

/* Returns true if the field of panels is filled by the large panel, the panels
 * beside it and the panels below it. */
static bool panels_fill(size_t left, size_t foot)
{
    const cs_area *f = &ui.drawn.field;
    cs_layout_place a = place_of(0), b = place_of(left), c = place_of(foot),
                    d = place_of(foot + 1);
    return a.x == b.w + 1 && a.x + a.w == f->w && b.y + b.h == f->h &&
           ui.drawn.layout.strip.w == b.w && c.x == a.x && c.y == a.h &&
           c.y + c.h == f->h && d.x == c.x + c.w + 1 && d.x + d.w == f->w &&
           d.y == c.y && d.h == c.h;
}

/* A border between panels follows the pointer until a panel has its minimum
 * size. The other borders do not move, and the panels fill the frame. */
static void test_borders(void **state)
{
    (void)state;
    static const char panels[] = "state trace acceptance energy";
    cs_ui_panels(&ui, panels);
    cs_layout_place a = place_of(0), b = place_of(1), c = place_of(2),
                    d = place_of(3);
    assert_true(panels_fill(1, 2));
    pull(b.w, b.y + 3, b.w + 7, b.y + 3); /* left of the large panel */
    assert_int_equal(place_of(0).w, a.w - 7);
    assert_int_equal(place_of(1).w, b.w + 7);
    assert_int_equal(place_of(2).region, CS_REGION_LEFT); /* two do not fit
                                                           * below it */
    assert_int_equal(place_of(3).w, a.w - 7);
    pull(b.w + 7, b.y + 3, b.w - 4, b.y + 9);
    assert_int_equal(place_of(0).w, a.w + 4);
    assert_true(panels_fill(1, 2));
    pull(b.w - 4, b.y + 3, 0, 0);
    assert_int_equal(place_of(1).w, CS_LAYOUT_WIDTH);
    pull(CS_LAYOUT_WIDTH, b.y + 3, 118, 9);
    assert_int_equal(place_of(0).w, CS_LAYOUT_WIDTH);

    cs_ui_panels(&ui, panels); /* the same panels as before */
    assert_int_equal(place_of(0).w, a.w);
    pull(a.x + 4, a.h, a.x + 9, a.h - 5); /* below the large panel */
    assert_int_equal(place_of(0).h, a.h - 5);
    assert_int_equal(place_of(1).h, b.h);
    assert_int_equal(place_of(3).h, d.h + 5);
    assert_true(panels_fill(1, 2));
    pull(c.x + c.w, c.y, c.x + c.w - 2, c.y); /* between the lower panels */
    assert_int_equal(place_of(2).w, c.w - 2);
    assert_int_equal(place_of(3).x, d.x - 2);
    pull(c.x + c.w - 2, c.y, 118, c.y);
    assert_int_equal(place_of(3).w, CS_LAYOUT_WIDTH);
    assert_true(panels_fill(1, 2));
    assert_int_equal(place_of(0).w, a.w);
    const cs_area *f = &ui.drawn.field;
    assert_true(act(CS_MOUSE_PRESS, f->x + a.x + 4, f->y)); /* a title is not a
                                                             * border */
    assert_false(act(CS_MOUSE_DRAG, f->x + a.x + 4, f->y + 9));
}

/* The right border of the strip of arms moves the large panel's left border. */
static void test_border_of_the_strip(void **state)
{
    (void)state;
    cs_ui_panels(&ui, "trace"); /* nothing is below the strip */
    cs_layout_place a = place_of(0), strip = ui.drawn.layout.strip;
    assert_true(strip.h > 1 && a.x == strip.w + 1);
    pull(strip.w, 1, strip.w - 6, 1);
    assert_int_equal(place_of(0).w, a.w + 6);
    assert_int_equal(ui.drawn.layout.strip.w, strip.w - 6);
    pull(strip.w - 6, 1, strip.w + 3, 1);
    assert_int_equal(place_of(0).w, a.w - 3);
    pull(strip.w + 3, 1, 0, 1);
    assert_int_equal(ui.drawn.layout.strip.w, CS_LAYOUT_WIDTH);
    pull(CS_LAYOUT_WIDTH, 1, 118, 1);
    assert_int_equal(place_of(0).w, CS_LAYOUT_WIDTH);
}

/* A border between panels below the strip moves up and down. */
static void test_border_below_the_strip(void **state)
{
    (void)state;
    cs_ui_panels(&ui, "state trace acceptance energy visits map");
    cs_layout_place a = place_of(1), b = place_of(2), d = place_of(3);
    assert_true(b.x == a.x && b.y == a.y + a.h);
    assert_true(panels_fill(2, 3));
    pull(4, b.y, 9, b.y - 3);
    assert_int_equal(place_of(1).h, a.h - 3);
    assert_int_equal(place_of(2).h, b.h + 3);
    assert_int_equal(place_of(3).y, d.y);
    assert_true(panels_fill(2, 3));
    pull(4, b.y - 3, 4, 0);
    assert_int_equal(place_of(1).h, CS_LAYOUT_HEIGHT + 1);
    assert_true(panels_fill(2, 3));
}

/* On a narrow screen, the panels are side by side below the strip. */
static void test_border_of_a_narrow_screen(void **state)
{
    (void)state;
    assert_int_equal(cs_canvas_resize(&canvas, 80, 24, NULL), CS_OK);
    cs_ui_panels(&ui, "trace energy");
    cs_layout_place a = place_of(0), b = place_of(1);
    assert_true(a.y == b.y && b.x == a.x + a.w + 1);
    pull(a.w, a.y + 3, a.w + 5, a.y + 3);
    assert_int_equal(place_of(0).w, a.w + 5);
    assert_int_equal(place_of(1).x, b.x + 5);
    assert_int_equal(place_of(1).w, b.w - 5);
    pull(a.w + 5, a.y + 3, 79, a.y + 3);
    assert_int_equal(place_of(1).w, CS_LAYOUT_WIDTH);
    assert_int_equal(place_of(1).x + CS_LAYOUT_WIDTH, ui.drawn.field.w);
}

/* On an axis of steps, each column corresponds to a step. */
static void test_steps(void **state)
{
    (void)state;
    cs_ui_panels(&ui, "trace");
    ui.slots.zoom = true;
    draw();
    assert_true(canvas.n_axes > 0);
    const cs_x_axis *a = &canvas.axis[0];
    assert_true(a->w > 10 && a->to > a->from && a->y < canvas.height);
    double end = cs_shot_number(
        &(cs_shot){.base = table.base, .used = table.used}, 0, "run/steps");
    assert_true(a->to <= end + 1);
    ui.slots.focus = 0;
    char want[64];
    snprintf(want, sizeof want, "rewind to %.0f",
             a->from + 3.0 / (a->w - 1) * (a->to - a->from));
    int x = a->x + 3, y = a->y - 2;
    assert_true(act(CS_MOUSE_PRESS, x, y));
    assert_string_equal(sent, want);
    cs_ui_panels(&ui, "state trace"); /* the first click only moves the focus */
    ui.slots.zoom = false;
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
    cs_ui_panels(&ui, "trace state"); /* a panel without axes is last */
    draw();
    size_t last = ui.drawn.part_of[ui.drawn.n_parts - 1];
    assert_true(last != ui.slots.focus);
    x = ui.drawn.part[ui.drawn.n_parts - 1].x + 3;
    y = ui.drawn.part[ui.drawn.n_parts - 1].y + 2;
    assert_true(act(CS_MOUSE_WHEEL_DOWN, x, y));
    assert_int_equal(ui.slots.of[last].scroll, 3);
    assert_int_equal(ui.slots.of[ui.slots.focus].scroll, 0);
    assert_true(act(CS_MOUSE_WHEEL_UP, x, y));
    assert_int_equal(ui.slots.of[last].scroll, 0);
    ui.prompt.mark = ':'; /* a line is being typed: clicks have no effect */
    assert_false(act(CS_MOUSE_PRESS, x, y));
}

/* Shows the map on the whole screen, and no other panel. */
static const cs_plane *show_map(void)
{
    cs_ui_panels(&ui, "map");
    ui.look.every_arm = false;
    ui.slots.of[0].variant = 1; /* shows only the visits */
    draw();
    assert_int_equal(canvas.n_planes, 1);
    return &canvas.plane[0];
}

/* Finds the cell that contains a point. */
static void cell_at(const cs_plane *m, double x, double y, int *column,
                    int *row)
{
    *column = m->x + (int)((x - m->left) / (m->right - m->left) * m->w);
    *row = m->y + (int)((m->top - y) / (m->top - m->bottom) * m->h);
}

/* Checks the message sent. It begins with `head` and ends with a point, "1=X
 * 2=Y" or "X Y". This point must be in the same cell as the expected point. */
static void expect_point(const char *head, const cs_plane *m, double x,
                         double y)
{
    const char *end = strrchr(sent, ' ');
    if (!end || strncmp(sent, head, strlen(head)) != 0)
        fail_msg("'%s' is not %s", sent, head);
    const char *one = sent + strlen(head) + 1, *two = end + 1;
    one += strncmp(one, "1=", 2) == 0 ? 2 : 0;
    two += strncmp(two, "2=", 2) == 0 ? 2 : 0;
    assert_true(fabs(strtod(one, NULL) - x) <= (m->right - m->left) / m->w);
    assert_true(fabs(strtod(two, NULL) - y) <= (m->top - m->bottom) / m->h);
}

/* A click in the map, when the map has the focus, moves the chain to this
 * point. */
static void test_start_by_a_click(void **state)
{
    (void)state;
    const cs_plane *m = show_map();
    double x = m->left + 0.3 * (m->right - m->left);
    double y = m->bottom + 0.7 * (m->top - m->bottom);
    int column, row;
    cell_at(m, x, y, &column, &row);
    ui.look.chain = 2;
    assert_true(act(CS_MOUSE_PRESS, column, row));
    expect_point("start dmala 3 at", m, x, y);
    assert_true(act(CS_MOUSE_PRESS, m->x + m->w + 20, 0) || !*sent);
    assert_null(strstr(sent, "start"));
}

/* A click in the map answers an open question about a place, if the map shows
 * its coordinates. */
static void test_answer_by_a_click(void **state)
{
    (void)state;
    const cs_plane *m = show_map();
    double x = m->left + 0.3 * (m->right - m->left);
    double y = m->bottom + 0.7 * (m->top - m->bottom);
    int column, row;
    char names[2][40], place[90];
    size_t used = table.used;
    const cs_shot s = {.base = table.base, .used = table.used};
    cell_at(m, x, y, &column, &row);
    for (size_t i = 0; i < 2; i++)
        assert_true(cs_shot_word(cs_shot_text(&s, "coordinates"), m->axis[i],
                                 names[i], sizeof names[i]));
    snprintf(place, sizeof place, "%s %s", names[0], names[1]);
    cs_flat_text(&table, "", "course/covers");
    cs_flat_text(&table, place, "course/place");
    assert_true(act(CS_MOUSE_PRESS, column, row));
    expect_point("answer", m, x, y);
    table.used = used;
    snprintf(place, sizeof place, "%s %s", names[1], names[0]);
    cs_flat_text(&table, "", "course/covers");
    cs_flat_text(&table, place, "course/place");
    assert_true(act(CS_MOUSE_PRESS, column, row));
    assert_non_null(strstr(sent, "start"));
    table.used = used;
}

/* Hills are added, selected, moved, widened, and removed by moving them off the
 * map. */
static void test_landscape(void **state)
{
    (void)state;
    const cs_plane *m = show_map();
    int column, row;
    double wide = m->right - m->left, high = m->top - m->bottom;
    double x = m->left + 0.25 * wide, y = m->bottom + 0.25 * high;
    double x2 = m->left + 0.75 * wide, y2 = m->bottom + 0.75 * high;
    cs_row_hill *hill = CS_FLAT_ROWS(&table, cs_row_hill, 1, CS_KEY_HILLS);
    *hill = (cs_row_hill){x, y, 1, 1};
    assert_true(cs_press(&ui,
                         &(cs_shot){.base = table.base, .used = table.used},
                         &(cs_sender){record, NULL}, 'H'));
    assert_int_equal(ui.look.hill, 1);
    m = show_map();
    ui.look.hill = 1;
    cell_at(m, x, y, &column, &row);
    assert_true(act(CS_MOUSE_PRESS, column, row));
    assert_string_equal(sent, ""); /* the selected hill is already at this
                                    * position */
    cell_at(m, x2, y2, &column, &row);
    assert_true(act(CS_MOUSE_DRAG, column, row));
    expect_point("hill 1 at", m, x2, y2);
    assert_true(act(CS_MOUSE_DRAG, column, row - 1));
    expect_point("hill 1 drag", m, x2, y2 + high / m->h);
    act(CS_MOUSE_RELEASE, column, row - 1);
    assert_string_equal(sent, "");
    assert_false(act(CS_MOUSE_DRAG, column, row));
    assert_true(act(CS_MOUSE_WHEEL_UP, column, row));
    assert_string_equal(sent, "hill 1 width 1.259");
    assert_true(act(CS_MOUSE_PRESS, column, row));
    expect_point("hill add", m, x2, y2);
    assert_int_equal(ui.look.hill, 2);
    act(CS_MOUSE_RELEASE, column, row);
    cell_at(m, x, y, &column, &row);
    assert_true(act(CS_MOUSE_PRESS, column, row));
    act(CS_MOUSE_RELEASE, 0, 0);
    assert_string_equal(sent, "hill drop 1");
    assert_true(cs_press(&ui,
                         &(cs_shot){.base = table.base, .used = table.used},
                         &(cs_sender){record, NULL}, 27));
    assert_int_equal(ui.look.hill, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_focus, begin, end),
    cmocka_unit_test_setup_teardown(test_strip, begin, end),
    cmocka_unit_test_setup_teardown(test_foot, begin, end),
    cmocka_unit_test_setup_teardown(test_own_keys, begin, end),
    cmocka_unit_test_setup_teardown(test_slider, begin, end),
    cmocka_unit_test_setup_teardown(test_borders, begin, end),
    cmocka_unit_test_setup_teardown(test_border_below_the_strip, begin, end),
    cmocka_unit_test_setup_teardown(test_border_of_the_strip, begin, end),
    cmocka_unit_test_setup_teardown(test_border_of_a_narrow_screen, begin, end),
    cmocka_unit_test_setup_teardown(test_steps, begin, end),
    cmocka_unit_test_setup_teardown(test_wheel, begin, end),
    cmocka_unit_test_setup_teardown(test_start_by_a_click, begin, end),
    cmocka_unit_test_setup_teardown(test_answer_by_a_click, begin, end),
    cmocka_unit_test_setup_teardown(test_landscape, begin, end),
};
TESTS_WITH(test_mouse, setup, teardown)
