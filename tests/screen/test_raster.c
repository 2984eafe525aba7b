/* Tests pictures in pixels: they show the numbers of the characters, and the
 * characters do not depend on them. */
#include "canned_panel.h"
#include "read_back.h"
#include "screen/canvas/raster.h"

#include <math.h>

enum { WIDE = 9, HIGH = 18 };

/* Draws a panel on a canvas with pixels. */
static void draw_fine(cs_canvas *c, const cs_panel_type *type, int w, int h,
                      const cs_selection *at)
{
    const cs_shot s = {.base = table.base, .used = table.used};
    assert_int_equal(cs_canvas_init(c, w, h, CS_BRAILLE, NULL), CS_OK);
    cs_canvas_pixels(c, WIDE, HIGH);
    cs_area a = cs_canvas_area(c);
    cs_panel_draw(type, &a, &s, at);
}

/* Returns the number of cells with pixels. Fails if the two canvases differ in
 * anything but pixels, or if a cell with pixels is outside the pictures. */
static int compare(const cs_canvas *plain, const cs_canvas *fine)
{
    int n = 0;
    for (int i = 0; i < plain->width * plain->height; i++) {
        const cs_cell *a = plain->cell + i, *b = fine->cell + i;
        bool inside = false;
        assert_true(a->code == b->code && cs_cells_alike(a, b));
        assert_false(a->pixels);
        for (size_t k = 0; k < fine->pixels.n; k++) {
            const cs_pixel_picture *p = &fine->pixels.picture[k];
            int x = i % plain->width - p->x, y = i / plain->width - p->y;
            inside |= x >= 0 && x < p->w && y >= 0 && y < p->h;
        }
        assert_true(inside || !b->pixels);
        /* pixels replace every dot of a plot */
        assert_true(!inside || b->pixels || (b->code & ~0xFFu) != 0x2800);
        n += b->pixels;
    }
    return n;
}

/* A panel has the same characters with and without pixels, so screenshots and
 * recordings do not depend on the terminal. Maps, traces, pictures, pairs and
 * visits are drawn in pixels. */
static void characters_do_not_change(void **state)
{
    (void)state;
    static const char *const fine[] = {"map", "trace", "picture", "pairs",
                                       "visits"};
    const cs_panel_type *type;
    for (size_t i = 0; (type = cs_panel_at(i)); i++) {
        int most = 0;
        for (unsigned variant = 0; variant < 5; variant++) {
            const cs_selection at = {
                .of = "", .variant = variant, .pinned = CS_NO_PIN};
            cs_canvas plain, c;
            draw_panel(&plain, type->name, 100, 36, &at);
            draw_fine(&c, type, 100, 36, &at);
            int n = compare(&plain, &c);
            most = n > most ? n : most;
            cs_canvas_fini(&plain);
            cs_canvas_fini(&c);
        }
        for (size_t k = 0; k < sizeof fine / sizeof *fine; k++)
            if (strcmp(fine[k], type->name) == 0 && most < 100)
                fail_msg("%s has %d cells with pixels", type->name, most);
    }
}

/* Text that is drawn later hides the pixels of its cells. A cleared canvas has
 * no pictures and no pixels. */
static void text_hides_pixels(void **state)
{
    (void)state;
    cs_canvas c;
    cs_raster r;
    static uint8_t out[10 * WIDE * 5 * HIGH];
    assert_int_equal(cs_canvas_init(&c, 20, 10, CS_BRAILLE, NULL), CS_OK);
    cs_canvas_pixels(&c, WIDE, HIGH);
    cs_area a = cs_canvas_area(&c), part = cs_area_part(&a, 4, 2, 10, 5);
    assert_true(cs_raster_open(&part, &r));
    assert_int_equal(r.w, 10 * WIDE);
    cs_print(&part, 0, 0, CS_ROLE_LABEL, "a");
    cs_raster_fill(&r, -5, -5, 1000, 1000, CS_ROLE_TRUTH);
    cs_print(&part, 3, 1, CS_ROLE_LABEL, "text");
    cs_put(&part, 9, 4, CS_ROLE_LINE, 'o');
    cs_ground(&part, 9, 4, CS_ROLE_RAMP);
    for (int over = 0; over < 2; over++) {
        assert_true(cs_raster_copy(&c, &c.pixels.picture[0], over, out));
        for (int i = 0; i < 10 * WIDE * 5 * HIGH; i++) {
            int x = i % (10 * WIDE) / WIDE, y = i / (10 * WIDE) / HIGH;
            bool text = (x == 0 && y == 0) || (y == 1 && x >= 3 && x < 7) ||
                        (!over && x == 9 && y == 4);
            assert_int_equal(out[i], text ? CS_ROLE_NORMAL : CS_ROLE_TRUTH);
        }
    }
    cs_canvas_clear(&c);
    assert_int_equal(c.pixels.n, 0);
    for (int i = 0; i < 20 * WIDE * 10 * HIGH; i++)
        assert_int_equal(c.pixels.role[i], CS_ROLE_NORMAL);
    assert_true(cs_raster_open(&part, &r));
    assert_false(cs_raster_copy(&c, &c.pixels.picture[0], true, out));
    cs_canvas_fini(&c);
}

/* There are no pixels with ASCII characters, in one line, without a size of
 * cells, or if there would be too many. */
static void characters_only(void **state)
{
    (void)state;
    cs_canvas c;
    cs_raster r;
    assert_int_equal(cs_canvas_init(&c, 1000, 1000, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c), line = cs_area_part(&a, 0, 0, 9, 1);
    assert_false(cs_raster_open(&a, &r));
    cs_canvas_pixels(&c, WIDE, HIGH);
    assert_false(cs_raster_open(&a, &r));
    cs_canvas_pixels(&c, 2, 4);
    assert_false(cs_raster_open(&line, &r));
    assert_true(cs_raster_open(&a, &r));
    c.glyphs = CS_ASCII;
    assert_false(cs_raster_open(&a, &r));
    cs_canvas_fini(&c);
}

/* A line has one value per column of pixels, and keeps its colour except over a
 * heat map. */
static void lines_are_fine(void **state)
{
    (void)state;
    enum { W = 40, H = 10 };
    cs_canvas c;
    cs_raster r;
    double y[2] = {0, 1};
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_canvas_pixels(&c, WIDE, HIGH);
    cs_area a = cs_canvas_area(&c);
    cs_plot p = cs_plot_make(&a, 0, 1, 0, 1);
    assert_true(cs_raster_open(&a, &r));
    for (int i = 0; i < W * H / 2; i++) {
        cs_put_two(&a, i % W, i / W, CS_ROLE_RAMP, CS_ROLE_RAMP);
        cs_raster_two(&r, i % W, i / W, CS_ROLE_RAMP, CS_ROLE_RAMP);
    }
    cs_plot_curve(&p, NULL, y, 2, CS_ROLE_CHAIN, 'o');
    for (int x = 0; x < r.w; x++) {
        double want = (r.h - 1) * (1 - x / (r.w - 1.0)), sum = 0;
        int n = 0;
        for (int k = 0; k < r.h; k++) {
            unsigned role = c.pixels.role[k * r.w + x];
            if (role != CS_ROLE_CHAIN && role != CS_ROLE_LINE)
                continue;
            assert_true((role == CS_ROLE_LINE) == (k < r.h / 2));
            sum += k;
            n++;
        }
        assert_true(n >= 1 && n <= 4);
        assert_near(sum / n, want, 0, 1.5);
    }
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(characters_do_not_change, setup, teardown),
    cmocka_unit_test(text_hides_pixels),
    cmocka_unit_test(characters_only),
    cmocka_unit_test(lines_are_fine),
};
TESTS(test_raster)
