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

/* Without them it says how to ask. */
static void test_ratios(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "ratios");
    frame(1, 1, CS_BRAILLE, "run_1x1");
    cs_ui_panels(&ui, "ratios");
    frame(80, 24, CS_BRAILLE, "ratios_none_80x24");
    canned_ratios(&table);
    cs_flat_number(&table, 1, "look/compares");
    frame(80, 24, CS_BRAILLE, "ratios_80x24");
    frame(40, 12, CS_ASCII, "ratios_ascii_40x12");
    frame(200, 60, CS_BRAILLE, "ratios_200x60");
}

/* A target that simulates no data; then one that does. */
static void test_simulation(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "simulation");
    frame(1, 1, CS_BRAILLE, "run_1x1");
    cs_ui_panels(&ui, "simulation");
    frame(80, 24, CS_BRAILLE, "simulation_none_80x24");
    canned_data(&table);
    frame(80, 24, CS_BRAILLE, "simulation_80x24");
    frame(120, 40, CS_BRAILLE, "simulation_120x40");
    frame(40, 12, CS_ASCII, "simulation_ascii_40x12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames),
                                       cmocka_unit_test(test_ratios),
                                       cmocka_unit_test(test_simulation)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
