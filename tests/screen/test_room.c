/* Tests that pictures use the available space. The tests check how the space is
 * divided into tiles, and how much of a zoomed panel is used. */
#include "canned_draws.h"
#include "frame.h"
#include "screen/canvas/tiling.h"
#include "screen/state/ui.h"

#include <stdlib.h>

static cs_canvas canvas;
static cs_ui ui;

static cs_area area_of(int w, int h)
{
    cs_canvas_fini(&canvas);
    assert_int_equal(cs_canvas_init(&canvas, w, h, CS_BRAILLE, NULL), CS_OK);
    return cs_canvas_area(&canvas);
}

/* ---- tiles ---- */

/* Divides w x h cells into n tiles and checks the size of the first tile. */
static void cuts(int w, int h, size_t n, double shape, int wide, int high)
{
    cs_area a = area_of(w, h), part[16];
    size_t got = cs_panel_tiles(&a, n, (cs_tile){18, 6, shape}, part);
    assert_int_equal(got, n);
    if (abs(part[0].w - wide) > 1 || abs(part[0].h - high) > 1)
        print_error("%zu in %dx%d: %dx%d\n", n, w, h, part[0].w, part[0].h);
    assert_true(abs(part[0].w - wide) <= 1 && abs(part[0].h - high) <= 1);
}

static void test_tiles_are_the_largest(void **state)
{
    (void)state;
    cuts(118, 34, 1, 2, 118, 34);
    cuts(118, 34, 2, 2, 58, 34);
    cuts(118, 34, 5, 2, 38, 17); /* tiles of 23 x 34 would use only 23 x 11
                                  * cells each */
    cuts(118, 34, 6, 2, 38, 17);
    cuts(118, 34, 3, 6, 118, 11); /* wide tiles are stacked */
    cuts(198, 54, 9, 2, 38, 27);
    cs_area a = area_of(40, 8), part[16];
    assert_int_equal(cs_panel_tiles(&a, 9, (cs_tile){18, 6, 2}, part), 2);
    assert_int_equal(cs_panel_tiles(&a, 0, (cs_tile){18, 6, 2}, part), 0);
    a = area_of(10, 4);
    assert_int_equal(cs_panel_tiles(&a, 3, (cs_tile){18, 6, 2}, part), 0);
}

/* If there is no space for eight large pictures, six pictures at twice the size
 * are shown instead of eight small ones. If there are two pictures, both are
 * shown. */
static void test_fewer_and_larger_pictures(void **state)
{
    (void)state;
    const cs_pixels spins = {
        .rows = 16, .cols = 16, .n = 256, .most = 1, .palette = CS_PALETTE_TWO};
    cs_area a = area_of(38, 32);
    cs_tiling t = cs_tiling_make(&a, &spins, 8);
    assert_int_equal(t.n, 6);
    assert_false(t.grain.dots);
    a = area_of(38, 24);
    t = cs_tiling_make(&a, &spins, 2);
    assert_int_equal(t.n, 2);
    a = area_of(70, 32); /* space for all eight pictures */
    t = cs_tiling_make(&a, &spins, 8);
    assert_int_equal(t.n, 8);
    assert_false(t.grain.dots);
}

/* ---- panels ---- */

/* Returns true if any of n cells, `step` apart, holds anything except a
 * border. */
static bool is_used(const cs_cell *cell, int n, int step)
{
    for (int i = 0; i < n; i++) {
        unsigned code = cell[i * step].code;
        if (code && code != ' ' && (code < 0x2500 || code > 0x257F))
            return true;
    }
    return false;
}

/* Returns the fraction of a zoomed panel's lines that are used, multiplied by
 * the fraction of its columns that are used. */
static double share_used(const char *panel, size_t arms, int w, int h)
{
    area_of(w, h);
    canned_many(&table, arms, 4);
    for (size_t i = 0; i < arms; i++) {
        if (strcmp(panel, "jumps") == 0)
            canned_jumps(&table, i, 4, 9);
        else
            canned_arm(&table, i);
    }
    canned_pictures(&table, 4);
    canned_look(&table);
    canned_steps(&table);
    canned_line(&table);
    assert_false(table.full);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    cs_ui_panels(&ui, panel);
    ui.slots.zoom = true;
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    int top = 2, lines = h - 4 - top, columns = w - 2, y = 0, x = 0;
    for (int i = 0; i < lines; i++)
        y += is_used(canvas.cell + (top + i) * w + 1, columns, 1);
    for (int i = 0; i < columns; i++)
        x += is_used(canvas.cell + top * w + 1 + i, lines, w);
    return (double)y / lines * x / columns;
}

/* Axes and captions of pictures leave some lines blank. */
#define LEAST 0.4

static void test_zoomed_panels(void **state)
{
    (void)state;
    static const char *const panels[] = {
        "trace",   "energy", "visits",      "map",   "marginal",
        "ranks",   "pairs",  "transitions", "jumps", "autocorrelation",
        "running", "race",   "line",        "bins",  "rows"};
    static const size_t arms[] = {1, 3, 5, 9};
    static const int sizes[][2] = {{120, 40}, {200, 60}};
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++)
        for (size_t k = 0; k < 8; k++) {
            const int *size = sizes[k / 4];
            double used = share_used(panels[i], arms[k % 4], size[0], size[1]);
            if (used < LEAST)
                print_error("%s of %zu arms at %dx%d: %.2f is used\n",
                            panels[i], arms[k % 4], size[0], size[1], used);
            assert_true(used >= LEAST);
        }
}

static int close_canvas(void **state)
{
    cs_canvas_fini(&canvas);
    return teardown(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_tiles_are_the_largest),
    cmocka_unit_test(test_fewer_and_larger_pictures),
    cmocka_unit_test(test_zoomed_panels),
};
TESTS_WITH(test_room, setup, close_canvas)
