/* Tests a scenario's own panels: they are displayed, selected and requested in
 * the same way as built-in panels. */
#include "support/support.h"

#include "canned_frame.h"
#include "canned_own.h"
#include "screen/input/commands.h"

#include <string.h>

static cs_shot shot;

static int with_own(void **state)
{
    if (setup(state))
        return 1;
    canned_own(&table);
    shot = (cs_shot){.base = table.base, .used = table.used};
    return 0;
}

/* Shows these panels after the screen has read the snapshot. */
static void show(const char *line)
{
    cs_ui_init(&ui);
    follow(80, 24);
    assert_true(cs_ui_command(&ui, &shot, NULL, line));
}

static void test_frames(void **state)
{
    (void)state;
    cs_canvas c;
    show("layout gap price counts profile heights broken");
    frame(80, 24, CS_BRAILLE, "own_panels_80x24");
    frame(120, 40, CS_BRAILLE, "own_panels_120x40");
    frame(200, 60, CS_BRAILLE, "own_panels_200x60");
    frame(120, 40, CS_ASCII, "own_panels_ascii_120x40");
    draw(&c, 120, 40, CS_BRAILLE);
    compare_as(&c, CS_ANSI, CS_TIER_256, "own_panels_256");
    cs_canvas_fini(&c);
    ui.slots.zoom = true;
    frame(80, 24, CS_BRAILLE, "own_panels_zoomed_80x24");
    show("layout gap");
    /* a curve that belongs to no arm always has steps on its axis */
    ui.look.unit = CS_UNIT_GRADIENTS;
    frame(80, 24, CS_BRAILLE, "own_panels_alone_80x24");
}

/* A scenario's panel can be selected by name wherever a built-in panel can. A
 * name is refused if it is in use or is not a word. */
static void test_chosen(void **state)
{
    (void)state;
    show("layout trace gap");
    assert_int_equal(ui.own.n, 6);
    assert_string_equal(ui.slots.of[1].type->name, "gap");
    assert_true(ui.slots.of[1].on);
    assert_string_equal(ui.slots.of[0].type->title, "trace");
    cs_ui_command(&ui, &shot, NULL, "panel price");
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "price");
    char words[1000], buffer[CS_WORD];
    cs_ui_reports(&ui, &shot, words, sizeof words);
    assert_non_null(strstr(words, "panel/gap"));
    assert_non_null(strstr(words, "panel/price"));
    assert_null(strstr(words, "panel/counts"));
    assert_string_equal(cs_ui_offer(&ui, "panel ", 0, buffer), "gap");
    assert_string_equal(cs_ui_offer(&ui, "panel ", 6, buffer), "state");
    cs_ui_command(&ui, &shot, NULL, "panel gapp");
    cs_role role;
    assert_non_null(
        strstr(cs_log_newest(&ui.log, &role), "unknown panel 'gapp'"));
}

/* If a panel is on but did not fit, its name shows the panel and does not
 * switch it off. The name of a visible panel hides the panel, and the focus
 * moves to another panel. */
static void test_named(void **state)
{
    (void)state;
    show("layout trace map acceptance energy");
    follow(80, 24);
    cs_slot *energy = &ui.slots.of[3];
    assert_int_equal(ui.drawn.layout.n, 2);
    cs_ui_command(&ui, &shot, NULL, "panel energy");
    follow(80, 24);
    assert_true(energy->on && ui.slots.focus == 3);
    assert_int_equal(ui.drawn.layout.place[1].panel, 3);
    cs_ui_command(&ui, &shot, NULL, "panel energy");
    follow(80, 24);
    assert_false(energy->on || ui.slots.focus == 3);
    assert_true(ui.slots.of[ui.slots.focus].on);
    for (size_t i = 0; i < ui.drawn.layout.n; i++)
        assert_int_not_equal(ui.drawn.layout.place[i].panel, 3);
}

/* Another scenario has other panels, and none of the panels of the previous
 * scenario remains. */
static void test_left(void **state)
{
    (void)state;
    cs_canvas c;
    show("layout gap price");
    cs_flat whole = table;
    cs_flat_entry e;
    size_t at = 0, from = 0;
    while (cs_flat_next(whole.base, whole.used, &at, &e) &&
           strncmp(e.key, "own/", 4) != 0)
        from = at;
    table.used = from;
    draw(&c, 80, 24, CS_BRAILLE);
    cs_canvas_fini(&c);
    table = whole;
    assert_int_equal(ui.own.n, 0);
    for (size_t i = 0; i < ui.slots.n; i++)
        assert_ptr_equal(cs_panel_find(ui.slots.of[i].type->name),
                         ui.slots.of[i].type);
}

/* Renders the scenario's panels at any size, and also a truncated list of
 * panels. */
static void test_small(void **state)
{
    (void)state;
    cs_canvas c;
    show("layout gap");
    cs_selection at = {.of = ""};
    const cs_shot shots[] = {
        shot, {.base = table.base, .used = table.used * 99 / 100}};
    for (int w = 1; w < 50; w++)
        for (int h = 1; h < 12; h++)
            for (size_t k = 0; k < 12; k++) {
                at.panel = ui.own.row[k / 2].name;
                at.scroll = (size_t)h % 4;
                assert_int_equal(
                    cs_canvas_init(&c, w, h, (cs_glyphs)(w % 3), NULL), CS_OK);
                cs_area all = cs_canvas_area(&c);
                ui.own.row[k / 2].type.draw(&all, &shots[k % 2], &at);
                cs_canvas_fini(&c);
            }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_frames), cmocka_unit_test(test_chosen),
    cmocka_unit_test(test_named),  cmocka_unit_test(test_left),
    cmocka_unit_test(test_small),
};
TESTS_WITH(test_own_panels, with_own, teardown)
