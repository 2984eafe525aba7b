/* Tests the panel of predictive checks: each view at each size, a choice of the
 * check, and causes of missing results. */
#include "support/support.h"

#include "canned_frame.h"
#include "canned_predictive.h"

#include <string.h>

enum { VIEWS = 5 };

static void show(const char *panel)
{
    cs_ui_init(&ui);
    follow(80, 24);
    cs_ui_panels(&ui, panel);
}

static void test_missing(void **state)
{
    (void)state;
    show("predictive");
    frame(80, 24, CS_BRAILLE, "predictive_none_80x24");
    cs_flat_text(&table, "1", "predictive/there");
    cs_flat_text(&table, "roaches", "predictive/0/name");
    cs_flat_text(&table, "the arm has no draws", "predictive/0/arm/0/why");
    show("predictive");
    frame(80, 24, CS_BRAILLE, "predictive_no_draws_80x24");
}

static void test_views(void **state)
{
    (void)state;
    canned_predictive(&table, 2);
    show("predictive");
    frame(80, 24, CS_BRAILLE, "predictive_rootogram_80x24");
    frame(120, 40, CS_BRAILLE, "predictive_rootogram_120x40");
    frame(80, 24, CS_ASCII, "predictive_rootogram_ascii_80x24");
    ui.slots.of[ui.slots.focus].variant = 2;
    frame(120, 40, CS_BRAILLE, "predictive_statistics_120x40");
    ui.slots.of[ui.slots.focus].variant = 3; /* it has no rows */
    frame(80, 24, CS_BRAILLE, "predictive_unsuitable_80x24");
    show("predictive=switched");
    frame(80, 24, CS_BRAILLE, "predictive_calibration_80x24");
    frame(200, 60, CS_BRAILLE, "predictive_calibration_200x60");
    ui.slots.of[ui.slots.focus].option = 1; /* the next check */
    ui.look.every_arm = true;
    frame(120, 40, CS_BRAILLE, "predictive_density_120x40");
    ui.slots.of[ui.slots.focus].variant = 4;
    frame(120, 40, CS_BRAILLE, "predictive_interval_120x40");
}

/* The key v shows five views, each of them once; the first is that of the
 * scenario. */
static void test_key(void **state)
{
    (void)state;
    static const char *const first[] = {"rootogram", "calibration", "density"};
    const cs_panel_type *type = cs_panel_find("predictive");
    char name[40], seen[VIEWS][200];
    canned_predictive(&table, 2);
    assert_int_equal(cs_panel_option(type, 'v', 0, name, sizeof name), VIEWS);
    const cs_shot s = {.base = table.base, .used = table.used};
    for (unsigned k = 0; k < 3 * VIEWS; k++) {
        const cs_selection at = {.of = "",
                                 .panel = "predictive",
                                 .pinned = CS_NO_PIN,
                                 .option = k / VIEWS,
                                 .variant = k % VIEWS};
        type->caption(&s, &at, seen[k % VIEWS], sizeof *seen);
        if (k % VIEWS == 0)
            assert_non_null(strstr(seen[0], first[k / VIEWS]));
        for (unsigned i = 0; i < k % VIEWS; i++)
            assert_string_not_equal(seen[i], seen[k % VIEWS]);
        const char *drawn = type->drawn(NULL, &s, &at);
        cs_panel_option(type, 'v', k, name, sizeof name);
        assert_non_null(strstr(seen[k % VIEWS], drawn ? drawn : name));
    }
}

/* Draws every view at any size, also from a truncated snapshot. */
static void test_small(void **state)
{
    (void)state;
    cs_canvas c;
    const cs_panel_type *type = cs_panel_find("predictive");
    canned_predictive(&table, 2);
    for (int w = 1; w < 60; w++)
        for (int h = 1; h < 14; h++)
            for (unsigned k = 0; k < 3 * VIEWS; k++) {
                const cs_selection at = {.of = "",
                                         .panel = "predictive",
                                         .pinned = CS_NO_PIN,
                                         .option = k / VIEWS,
                                         .variant = k % VIEWS};
                const cs_shot s = {.base = table.base,
                                   .used = w % 2 ? table.used
                                                 : table.used * 99 / 100};
                assert_int_equal(
                    cs_canvas_init(&c, w, h, (cs_glyphs)(w % 3), NULL), CS_OK);
                cs_area all = cs_canvas_area(&c);
                cs_panel_draw(type, &all, &s, &at);
                cs_canvas_fini(&c);
            }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
    cmocka_unit_test_setup_teardown(test_views, setup, teardown),
    cmocka_unit_test_setup_teardown(test_key, setup, teardown),
    cmocka_unit_test_setup_teardown(test_small, setup, teardown),
};
TESTS(test_predictive_panel)
