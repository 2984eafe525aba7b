/* Tests that two optimisations of the screen do not change the frames. A panel
 * with unchanged data is not rendered again, and an index finds the entries of
 * the snapshot. */
#include "canned.h"
#include "support/support.h"

#include "screen/state/ui.h"

#include <string.h>

enum { W = 120, H = 40 };

static unsigned char memory[2][CANNED_BYTES] __attribute__((aligned(8)));
static cs_flat table[2];
static cs_canvas canvas, whole;
static cs_ui ui, other;
static bool rests[CS_LAYOUT_PANELS];

static void make(cs_flat *f, unsigned char *scratch, double steps)
{
    cs_flat_entry e;
    canned(f, scratch);
    for (size_t at = 0; cs_flat_next(f->base, f->used, &at, &e);)
        if (e.data && strstr(e.key, "/counts") && steps > 0)
            for (size_t i = 0; i < e.rows * e.cols; i++)
                ((double *)(uintptr_t)e.data)[i] *= (double)(i % 3);
}

static int setup(void **state)
{
    (void)state;
    make(&table[0], memory[0], 0);
    make(&table[1], memory[1], 1);
    cs_ui_init(&ui);
    cs_ui_init(&other);
    assert_int_equal(cs_canvas_init(&canvas, W, H, CS_BRAILLE, NULL), CS_OK);
    assert_int_equal(cs_canvas_init(&whole, W, H, CS_BRAILLE, NULL), CS_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cs_canvas_fini(&canvas);
    cs_canvas_fini(&whole);
    return 0;
}

static void frame(cs_ui *u, cs_canvas *c, int k)
{
    cs_screen_frame(u, table[k].base, table[k].used, c);
}

static bool same_cells(const cs_area *a)
{
    bool same = true;
    for (int y = a->y; y < a->y + a->h; y++)
        for (int x = a->x; x < a->x + a->w; x++) {
            const cs_cell *one = canvas.cell + y * W + x;
            const cs_cell *two = whole.cell + y * W + x;
            same &= one->code == two->code && cs_cells_alike(one, two);
        }
    return same;
}

/* Each frame equals a frame in which all panels are rendered, even if nothing
 * has changed since the previous frame. */
static void test_turns(void **state)
{
    (void)state;
    frame(&ui, &canvas, 0);
    frame(&other, &whole, 0);
    size_t n = ui.drawn.n_parts, differ = 0;
    assert_true(n >= 4);
    for (size_t i = 0; i < n; i++)
        rests[i] = i % 2;
    ui.drawn.rests = rests;
    frame(&ui, &canvas, 1);
    assert_true(ui.drawn.rests == rests && ui.drawn.n_parts == n);
    for (size_t i = 0; i < n; i++)
        assert_true(!rests[i] || same_cells(&ui.drawn.part[i]));
    frame(&other, &whole, 1);
    for (size_t i = 0; i < n; i++) {
        assert_true(rests[i] || same_cells(&ui.drawn.part[i]));
        differ += !same_cells(&ui.drawn.part[i]);
        rests[i] = !rests[i];
    }
    assert_true(differ > 0); /* otherwise the test compares nothing */
    frame(&ui, &canvas, 1);
    cs_area all = cs_canvas_area(&canvas);
    assert_true(same_cells(&all));
    assert_int_equal(canvas.n_axes, whole.n_axes);
    assert_int_equal(canvas.n_planes, whole.n_planes);
    assert_int_equal(ui.drawn.pictures, other.drawn.pictures);
}

/* A panel is rendered again if it has moved, or if something else has covered
 * it. */
static void test_moved(void **state)
{
    (void)state;
    frame(&ui, &canvas, 0);
    frame(&other, &whole, 0);
    for (size_t i = 0; i < CS_LAYOUT_PANELS; i++)
        rests[i] = true;
    for (int k = 0; k < 3; k++) {
        cs_ui *each[] = {&ui, &other};
        for (int i = 0; i < 2; i++) {
            each[i]->slots.of[3].on = k != 0;
            each[i]->slots.zoom = k == 1;
            each[i]->view = k == 2 ? CS_VIEW_HELP : CS_VIEW_RUN;
        }
        ui.drawn.rests = rests;
        frame(&ui, &canvas, 1);
        frame(&other, &whole, 1);
        cs_area all = cs_canvas_area(&canvas);
        assert_true(same_cells(&all) && !ui.drawn.rests);
        assert_int_equal(canvas.n_axes, whole.n_axes);
    }
}

/* ---- the index ---- */

static void test_index(void **state)
{
    (void)state;
    static cs_flat_index x;
    cs_flat_entry e, found;
    cs_flat_index_make(&x, table[0].base, table[0].used);
    assert_true(x.slots > 0);
    size_t n = 0;
    for (size_t at = 0; cs_flat_next(x.base, x.used, &at, &e); n++) {
        cs_flat_entry first;
        assert_true(cs_flat_find(x.base, x.used, &first, "%s", e.key));
        assert_true(cs_flat_index_find_key(&x, &found, e.key));
        assert_true(found.key == first.key && found.data == first.data);
    }
    assert_true(n > 50);
    assert_false(cs_flat_index_find_key(&x, &found, "arm/0/nothing"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_turns, setup, teardown),
    cmocka_unit_test_setup_teardown(test_moved, setup, teardown),
    cmocka_unit_test_setup_teardown(test_index, setup, teardown),
};
TESTS(test_rests)
