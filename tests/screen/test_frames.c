/* Whole frames from a canned snapshot, compared with frames/NAME.txt. A
 * changed frame fails until it was looked at and rewritten: UPDATE=1. */
#include "support/support.h"

#include "base/memory.h"
#include "canned.h"
#include "screen/emit.h"
#include "screen/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *memory;
static cs_flat table;

static int setup(void **state)
{
    (void)state;
    memory = cs_alloc(CANNED_BYTES, 1);
    canned(&table, memory);
    return !memory || table.full;
}

static int teardown(void **state)
{
    (void)state;
    cs_free(memory);
    return 0;
}

/* The frame as text: what `file` must hold. */
static void compare(const cs_canvas *c, const char *name)
{
    char path[128], *got = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "frames/%s.txt", name);
    FILE *out = open_memstream(&got, &size);
    assert_true(cs_emit(c, CS_TEXT, CS_TIER_MONO, out));
    fclose(out);
    if (getenv("UPDATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fwrite(got, 1, size, file);
        fclose(file);
    }
    FILE *file = fopen(path, "r");
    if (!file)
        print_error("%s: not there: run with UPDATE=1\n", path);
    assert_non_null(file);
    char *want = cs_alloc(size + 2, 1);
    size_t n = fread(want, 1, size + 1, file);
    fclose(file);
    if (n != size || memcmp(want, got, size) != 0)
        print_error("%s differs; now:\n%s", path, got);
    assert_true(n == size && memcmp(want, got, size) == 0);
    cs_free(want);
    free(got);
}

static void frame(int w, int h, cs_glyphs glyphs, const char *name)
{
    cs_canvas c;
    cs_ui ui;
    cs_ui_init(&ui);
    assert_int_equal(cs_canvas_init(&c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    compare(&c, name);
    cs_canvas_fini(&c);
}

static void test_sizes(void **state)
{
    (void)state;
    frame(80, 24, CS_BRAILLE, "run_80x24");
    frame(120, 40, CS_BRAILLE, "run_120x40");
    frame(200, 60, CS_BRAILLE, "run_200x60");
    frame(80, 24, CS_ASCII, "ascii_80x24");
    frame(40, 10, CS_BRAILLE, "run_40x10");
    frame(20, 5, CS_BRAILLE, "run_20x5");
    frame(1, 1, CS_BRAILLE, "run_1x1");
}

/* Every panel at every small size, with data, without, with cut tables: no
 * draw may leave its area or read past a table. */
static void test_every_size(void **state)
{
    (void)state;
    cs_canvas c;
    cs_ui ui;
    cs_ui_init(&ui);
    assert_int_equal(cs_canvas_init(&c, 1, 1, CS_BRAILLE, NULL), CS_OK);
    for (int w = 1; w < 100; w += 7)
        for (int h = 1; h < 40; h += 5)
            for (size_t k = 0; k < 7; k++) {
                assert_int_equal(cs_canvas_resize(&c, w, h, NULL), CS_OK);
                ui.focus = k;
                ui.zoom = w % 2;
                size_t used = k % 3 ? table.used : table.used / 2;
                cs_screen_frame(&ui, table.base, used, &c);
                cs_area field = cs_canvas_area(&c);
                cs_look_at at = {.option = (unsigned)h};
                cs_shot s = {table.base, table.used}, none = {0};
                cs_panel_at(k)->draw(&field, &s, &at);
                cs_panel_at(k)->draw(&field, &none, &at);
            }
    cs_canvas_fini(&c);
}

/* Foreign text must not reach the screen as control characters. */
static void test_foreign_text(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 40, 1, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    int end = cs_print(&a, 0, 0, CS_ROLE_NORMAL, "a\033[2Jb\u4E2D\n");
    for (int i = 0; i < c.width; i++)
        assert_true(c.cell[i].code == 0 || c.cell[i].code >= 0x20);
    assert_int_equal(c.cell[1].code, '\\');
    assert_int_equal(end, 1 + 4 + 3 + 1 + 2 + 1);
    cs_canvas_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_foreign_text),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
