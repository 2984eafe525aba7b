/* The panel of rows drawn, from made-up steps: how many, and how many kept. */
#include "support/support.h"

#include "canned_table.h"
#include "frame.h"
#include "screen/ui.h"

#include <math.h>
#include <string.h>

static cs_ui ui;

static void frame(int w, int h, cs_glyphs glyphs, const char *name)
{
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
    cs_canvas_fini(&c);
}

static void test_frames(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "rows");
    frame(1, 1, CS_BRAILLE, "run_1x1"); /* it has followed the snapshot */
    cs_ui_panels(&ui, "rows");
    frame(80, 24, CS_BRAILLE, "rows_80x24");
    frame(120, 40, CS_BRAILLE, "rows_120x40");
    frame(40, 12, CS_ASCII, "rows_ascii_40x12");
    ui.variant[0] = 2;
    frame(80, 24, CS_BLOCK, "rows_histogram_80x24");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
