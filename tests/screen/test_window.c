/* Tests sections of an axis and logarithmic axes: the positions of points, the
 * keys, the mouse wheel, and the frames. */
#include "canned_draws.h"
#include "frame.h"
#include "screen/canvas/density_band.h"
#include "screen/input/mouse.h"
#include "screen/input/window.h"

#include <math.h>
#include <stdlib.h>

static cs_canvas canvas;
static cs_ui ui;

static cs_area area_of(int w, int h, cs_glyphs glyphs)
{
    cs_canvas_fini(&canvas);
    assert_int_equal(cs_canvas_init(&canvas, w, h, glyphs, NULL), CS_OK);
    return cs_canvas_area(&canvas);
}

/* ---- plots ---- */

static void test_scales(void **state)
{
    (void)state;
    cs_area a = area_of(31, 21, CS_ASCII);
    const cs_window whole = {.on = false},
                    part = {.on = true, .from = 20, .to = 60};
    const cs_window off = {.on = true, .from = 200, .to = 300};
    const cs_window logs = {.log_x = true};
    cs_scale y = {1, 1e4, true};
    cs_plot p = cs_window_plot(&a, &part, 0, 100, y);
    assert_true(p.x0 == 20 && p.x1 == 60 && p.whole0 == 0 && p.whole1 == 100);
    assert_true(cs_plot_is_part(&p));
    assert_int_equal(cs_plot_column(&p, 40), 15);
    assert_int_equal(cs_plot_column(&p, 19), -1);
    assert_int_equal(cs_plot_row(&p, 1e4), 0);
    assert_int_equal(cs_plot_row(&p, 100), 10);
    assert_int_equal(cs_plot_row(&p, 0), -1);
    assert_near(cs_plot_at(&p, 0.5), 40, 1e-12, 0);
    p = cs_window_plot(&a, &off, 0, 100, y); /* the ranges do not overlap */
    assert_false(cs_plot_is_part(&p));
    p = cs_window_plot(&a, &whole, 0, 100, (cs_scale){-1, 1, true});
    assert_false(p.log_y);
    p = cs_window_plot(&a, &logs, 0, 1000, y);
    assert_true(p.log_x && p.x0 == 1);
    assert_int_equal(cs_plot_column(&p, 10), 10);
    assert_near(cs_plot_at(&p, 2.0 / 3), 100, 1e-12, 0);
    p = cs_window_plot(&a, &logs, -10, -1, y);
    assert_false(p.log_x);
}

/* A line between two points outside the section, one far to the left and one
 * far to the right, is drawn through the section. */
static void test_curves_are_cut(void **state)
{
    (void)state;
    static const double x[] = {0, 100}, y[] = {0, 100};
    cs_area a = area_of(21, 21, CS_ASCII);
    const cs_window part = {.on = true, .from = 40, .to = 60};
    cs_plot p = cs_window_plot(&a, &part, 0, 100, (cs_scale){40, 60, false});
    cs_plot_curve(&p, x, y, 2, CS_ROLE_VALUE, 'o');
    for (int k = 0; k < 21; k++)
        assert_int_equal(canvas.cell[(20 - k) * 21 + k].code, 'o');
}

/* Bins are placed at their times. The last tenth of the axis shows the bins of
 * the last tenth of time. A linear plot of the whole axis shows all bins. */
static void test_bundles_are_resampled(void **state)
{
    (void)state;
    enum { BINS = 100 };
    double v[BINS], time[BINS], scratch[CS_DENSITY_BAND_BINS];
    const cs_axis axis = {.each = 2, .known = true};
    for (int i = 0; i < BINS; i++) {
        v[i] = i;
        time[i] = 10 * (i + 1);
    }
    const cs_window part = {.on = true, .from = 1800, .to = 2000};
    cs_area a = area_of(10, 11, CS_ASCII);
    cs_plot p = cs_window_plot(&a, &part, 20, 2000, (cs_scale){89, 99, false});
    cs_density_band b = {.low = v, .high = v, .chains = 1, .bins = BINS};
    cs_density_band_place(&b, &p, &axis, time, scratch);
    assert_non_null(b.x);
    cs_density_band_line(&p, &b, 0, false);
    for (int k = 0; k < 10; k++)
        assert_int_equal(canvas.cell[(10 - k) * 10 + k].code,
                         cs_theme_glyph(0));
    b.x = NULL;
    p = cs_window_plot(&a, &(cs_window){.on = false}, 20, 2000,
                       (cs_scale){0, 99, false});
    cs_density_band_place(&b, &p, &axis, time, scratch);
    assert_null(b.x);
}

/* A narrow axis has one number next to its name. If the usual spacing would
 * leave no tick on the axis, the ticks are closer to each other. */
static void test_narrow(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 18, 3, CS_BRAILLE, NULL), CS_OK);
    for (int most = 250; most <= 330; most += 10) {
        cs_area a = cs_canvas_area(&c);
        cs_area foot = cs_area_part(&a, 0, 2, 18, 1);
        cs_area field = cs_area_part(&a, 0, 0, 18, 2);
        cs_plot p = cs_plot_make(&field, 0, most, 0, 1);
        bool number = false, name = false;
        cs_canvas_clear(&c);
        cs_plot_axis_x(&foot, &p, "step");
        for (int x = 0; x < 18; x++) {
            unsigned code = c.cell[2 * 18 + x].code;
            number |= code >= '1' && code <= '9';
            name |= code == 's';
        }
        assert_true(number && name);
    }
    cs_canvas_fini(&c);
}

/* Returns the number of labels in the cells from (0, 0) to before (w, h). */
static int labels_in(int w, int h)
{
    int n = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const cs_cell *cell = &canvas.cell[y * canvas.width + x];
            bool begins = x == 0 || cell[-1].code <= ' ';
            n += begins && cell->code >= '0' && cell->code <= '9';
        }
    return n;
}

/* A logarithmic axis of a decade or more has three numbers or more, and marks
 * between them where the decades are wide. */
static void test_logarithmic(void **state)
{
    (void)state;
    for (int w = 40; w <= 120; w += 10)
        for (double low = 0.011; low < 10; low *= 1.7)
            for (double high = 10 * low; high < 1e5 * low; high *= 2.3) {
                cs_area a = area_of(w, 12, CS_BRAILLE);
                cs_area field =
                    cs_plot_axis_scaled(&a, (cs_scale){low, high, true});
                assert_true(labels_in(field.x, 12) >= 3);
                cs_plot p = cs_plot_scaled(&a, (cs_scale){low, high, true},
                                           (cs_scale){0, 1, false});
                cs_area line = cs_area_part(&a, 0, 0, w, 1);
                cs_canvas_clear(&canvas);
                cs_plot_axis_x(&line, &p, "");
                int marks = 0;
                for (int x = 0; x < w; x++)
                    marks += canvas.cell[x].code == 0x2575;
                /* a number at the right end may not fit */
                int labels = labels_in(w, 1);
                assert_true(labels >= 3 || (labels == 2 && marks >= 3));
                assert_true(w < 20 * log10(high / low) || marks >= 3);
            }
}

/* With a single value the axis extends equally to both sides. */
static void test_one_value(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 18, 3, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_plot p = cs_plot_make(&a, 0, 1, 40, 40);
    assert_near(p.y0, 38, 1e-12, 0);
    assert_near(p.y1, 42, 1e-12, 0);
    p = cs_plot_make(&a, 0, 1, 0, 0);
    assert_near(p.y0, -1, 0, 0);
    assert_near(p.y1, 1, 0, 0);
    cs_canvas_fini(&c);
}

/* ---- sections ---- */

static void test_zoom_and_pan(void **state)
{
    (void)state;
    cs_window w = {.on = false};
    cs_x_axis axis = {.to = 1000, .whole_to = 1000, .windowed = true};
    cs_window_zoom(&w, &axis, 0.5, 0, 0.5);
    assert_true(w.on && w.from == 250 && w.to == 750);
    axis.from = 250;
    axis.to = 750;
    cs_window_zoom(&w, &axis, 0, 0, 0.5); /* the left end does not move */
    assert_true(w.from == 250 && w.to == 500);
    cs_window_pan(&w, &axis, false, 0.25);
    assert_true(w.from == 375 && w.to == 875);
    cs_window_pan(&w, &axis, false, 3); /* moves to the end without a change of
                                         * length */
    assert_true(w.on && w.from == 500 && w.to == 1000);
    cs_window_pan(&w, &axis, false, -3);
    assert_true(w.on && w.from == 0 && w.to == 500);
    cs_window_zoom(&w, &axis, 0.5, 0, 2);
    assert_false(w.on);
    axis.steps = true;
    axis.from = 10;
    axis.to = 15;
    cs_window_zoom(&w, &axis, 0.5, 0, 0.5); /* the section would have fewer than
                                             * four steps */
    assert_false(w.on);
    axis = (cs_x_axis){
        .from = 1, .to = 1e4, .log = true, .whole_from = 1, .whole_to = 1e4};
    cs_window_zoom(&w, &axis, 0.5, 0, 0.5);
    assert_near(w.from, 10, 1e-12, 0);
    assert_near(w.to, 1000, 1e-12, 0);
}

/* In a plane, a zoom changes both axes or only the vertical axis. The zoom is
 * about the pointer position. */
static void test_planes(void **state)
{
    (void)state;
    cs_area a = area_of(31, 21, CS_ASCII);
    cs_window w = {.on = false};
    cs_scale x = {0, 100, true}, y = {-4, 4, true};
    cs_plot p = cs_window_plane(&a, &w, x, y, 0, 1);
    assert_true(p.x0 == 0 && p.x1 == 100 && p.y0 == -4 && p.y1 == 4);
    cs_plot_note(&p, 20, "x");
    const cs_x_axis axis = canvas.axis[0];
    assert_true(axis.plane && axis.up.from == -4 && axis.up.to == 4);
    cs_window_zoom(&w, &axis, 0, 1, 0.5);
    p = cs_window_plane(&a, &w, x, y, 0, 1);
    assert_true(p.x0 == 0 && p.x1 == 50 && p.y0 == 0 && p.y1 == 4);
    assert_int_equal(cs_plot_column(&p, 25), 15);
    assert_int_equal(cs_plot_row(&p, 2), 10);
    cs_plot_note(&p, 20, "x");
    cs_window_pan(&w, &canvas.axis[1], true, -0.25);
    p = cs_window_plane(&a, &w, x, y, 0, 1);
    assert_true(p.x0 == 0 && p.y0 == -1 && p.y1 == 3);
    w = (cs_window){.log_x = true, .log_y = true};
    p = cs_window_plane(&a, &w, x, y, 0, 1); /* the vertical axis begins below
                                              * 0 */
    assert_true(p.log_x && !p.log_y && p.x0 == 0.1 && p.y0 == -4);
    x.log = y.log = false;
    p = cs_window_plane(&a, &w, x, y, 0, 1);
    assert_true(!p.log_x && p.linear);
    cs_window_set_part(&w, 3, (cs_stretch){true, 20, 30});
    p = cs_window_plane(&a, &w, y, x, 2, 3);
    assert_true(p.x0 == -4 && p.x1 == 4 && p.y0 == 20 && p.y1 == 30);
}

/* ---- keys and wheel ---- */

static char sent[256];

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

static void press(unsigned key)
{
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    draw();
    assert_true(cs_press(&ui, &s, &to, key));
    draw();
}

static void show(const char *panels, int w, int h)
{
    area_of(w, h, CS_BRAILLE);
    canned(&table, memory);
    cs_ui_init(&ui);
    draw(); /* reads the snapshot */
    cs_ui_panels(&ui, panels);
    draw();
}

static bool shows(const char *words)
{
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    assert_true(cs_canvas_export(&canvas, CS_TEXT, CS_TIER_MONO, out));
    fclose(out);
    bool found = strstr(got, words) != NULL;
    if (!found)
        print_error("'%s' is missing in\n%s", words, got);
    free(got);
    return found;
}

static void test_keys(void **state)
{
    (void)state;
    show("trace state", 120, 40);
    ui.slots.zoom = true;
    press('(');
    const cs_window *w = &ui.slots.of[0].window;
    assert_true(w->on);
    double from = w->from, to = w->to;
    assert_near(to - from, (1240448 - 9691) / 2.0, 1e-6, 0);
    assert_true(shows("zoomed: 317,380 to 932,759, w the whole"));
    press(CS_KEY_SHIFT_LEFT);
    assert_near(w->from, from - (to - from) / 4, 1e-6, 0);
    press(CS_KEY_SHIFT_RIGHT);
    assert_near(w->from, from, 1e-6, 0);
    press(')');
    assert_false(w->on);
    press('(');
    press('w');
    assert_false(w->on);
    static const struct {
        bool x, y;
    } turns[] = {{true, false}, {false, true}, {true, true}, {false, false}};
    for (size_t i = 0; i < 4; i++) {
        press('L');
        assert_true(w->log_x == turns[i].x && w->log_y == turns[i].y);
    }
    press('(');
    cs_ui_unit(&ui, CS_UNIT_GRADIENTS); /* the axis now has other values */
    assert_false(w->on);
    show("state", 80, 24);
    press('(');
    assert_non_null(strstr(cs_ui_event(&ui, &(cs_role){0}), "has no axis"));
}

/* While the display shows a past step, zooming keeps the position of the time
 * cursor. */
static void test_around_the_cursor(void **state)
{
    (void)state;
    show("trace", 120, 40);
    ui.slots.zoom = true;
    cs_flat_number(&table, 2e6, "run/end");
    press('(');
    const cs_window *w = &ui.slots.of[0].window;
    assert_true(w->on);
}

static void test_wheel(void **state)
{
    (void)state;
    show("trace visits", 120, 40);
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    const cs_x_axis axis = canvas.axis[0];
    cs_mouse m = {CS_MOUSE_WHEEL_UP, axis.x, axis.y - 2};
    assert_true(cs_mouse_act(&ui, &s, &to, &m));
    assert_true(ui.slots.of[0].window.on && !ui.slots.of[1].window.on);
    assert_near(ui.slots.of[0].window.from, axis.from, 1e-9,
                0); /* zoomed about the pointer position */
    assert_near(ui.slots.of[0].window.to - ui.slots.of[0].window.from,
                (axis.to - axis.from) / 1.25, 1e-9, 0);
    draw();
    m.kind = CS_MOUSE_WHEEL_DOWN;
    assert_true(cs_mouse_act(&ui, &s, &to, &m));
    assert_false(ui.slots.of[0].window.on);
    m.y = ui.drawn.part[0].y; /* the pointer is on the title */
    assert_true(cs_mouse_act(&ui, &s, &to, &m));
    assert_false(ui.slots.of[0].window.on);
    assert_int_equal(ui.slots.of[0].scroll, 3);
}

static void test_keys_on_a_plane(void **state)
{
    (void)state;
    show("map trace", 120, 40);
    ui.slots.zoom = true;
    press('(');
    const cs_window *w = &ui.slots.of[0].window;
    cs_stretch up = cs_window_part(w, 1);
    assert_true(w->on && up.on);
    assert_true(shows("zoomed: ") && shows(" up ") && shows("w the whole"));
    press(CS_KEY_SHIFT_UP);
    assert_near(cs_window_part(w, 1).from, up.from + (up.to - up.from) / 4,
                1e-9, 1e-9);
    press(CS_KEY_SHIFT_DOWN);
    assert_near(cs_window_part(w, 1).from, up.from, 1e-9, 1e-9);
    press('w');
    assert_false(w->on || cs_window_part(w, 1).on);
    press('L');
    assert_true(shows("an axis that starts below 0 stays linear"));
    show("trace", 120, 40);
    press(CS_KEY_SHIFT_UP);
    assert_non_null(
        strstr(cs_ui_event(&ui, &(cs_role){0}), "no vertical axis"));
}

/* Every coordinate has its own section. Keys zoom all coordinates. The mouse
 * wheel zooms the two coordinates at the pointer. */
static void test_pairs(void **state)
{
    (void)state;
    show("pairs trace", 120, 40);
    ui.slots.zoom = true;
    press('(');
    const cs_window *w = &ui.slots.of[0].window;
    assert_true(w->on && cs_window_part(w, 1).on);
    press('L');
    assert_non_null(
        strstr(cs_ui_event(&ui, &(cs_role){0}), "its axes are linear"));
    assert_false(w->log_x);
    press('w');
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    const cs_x_axis axis = canvas.axis[0];
    cs_mouse m = {CS_MOUSE_WHEEL_UP, axis.x + axis.w - 1, axis.top};
    assert_true(axis.plane && cs_mouse_act(&ui, &s, &to, &m));
    cs_stretch x = cs_window_part(w, axis.part),
               y = cs_window_part(w, axis.up.part);
    assert_near(x.to, axis.to, 1e-9, 0); /* the upper right corner does not
                                          * move */
    assert_near(y.to, axis.up.to, 1e-9, 0);
    assert_near(y.to - y.from, (axis.up.to - axis.up.from) / 1.25, 1e-9, 0);
}

/* ---- frames ---- */

static void frame(const char *panel, int w, int h, cs_window window,
                  const char *name)
{
    char file[64];
    show(panel, w, h);
    ui.slots.zoom = true;
    ui.look.every_arm = w >= 120; /* every arm has axes */
    ui.slots.of[0].window = window;
    draw();
    snprintf(file, sizeof file, "window_%s_%s_%dx%d", panel, name, w, h);
    compare_as(&canvas, CS_TEXT, CS_TIER_MONO, file);
}

static void test_frames(void **state)
{
    (void)state;
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    static const char *const panels[] = {"trace", "acceptance", "distance"};
    const cs_window part = {.on = true, .from = 300000, .to = 600000};
    const cs_window logs = {.log_x = true, .log_y = true};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            frame(panels[k], sizes[i][0], sizes[i][1], part, "zoomed");
            frame(panels[k], sizes[i][0], sizes[i][1], logs, "log");
        }
    frame("energy", 120, 40, (cs_window){.on = true, .from = -250, .to = -220},
          "zoomed");
    const cs_window corner = {
        .on = true, .from = -2, .to = 4, .more[0] = {true, 0, 6}};
    for (size_t i = 0; i < 3; i++) {
        frame("map", sizes[i][0], sizes[i][1], corner, "zoomed");
        frame("pairs", sizes[i][0], sizes[i][1], corner, "zoomed");
        frame("bins", sizes[i][0], sizes[i][1],
              (cs_window){.on = true, .from = 20, .to = 60, .log_x = true},
              "zoomed");
    }
    frame("running", 120, 40, part, "zoomed");
    frame("autocorrelation", 120, 40, logs, "log");
}

static int close_canvas(void **state)
{
    cs_canvas_fini(&canvas);
    return teardown(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_scales),
    cmocka_unit_test(test_logarithmic),
    cmocka_unit_test(test_curves_are_cut),
    cmocka_unit_test(test_bundles_are_resampled),
    cmocka_unit_test(test_zoom_and_pan),
    cmocka_unit_test(test_keys),
    cmocka_unit_test(test_around_the_cursor),
    cmocka_unit_test(test_wheel),
    cmocka_unit_test(test_narrow),
    cmocka_unit_test(test_one_value),
    cmocka_unit_test(test_planes),
    cmocka_unit_test(test_keys_on_a_plane),
    cmocka_unit_test(test_pairs),
    cmocka_unit_test(test_frames),
};
TESTS_WITH(test_window, setup, close_canvas)
