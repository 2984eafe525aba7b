/* Tests the panels of a tuner and of a cycle, for a synthetic search. Only some
 * runs have a tuner or a cycle. */
#include "support/support.h"

#include "base/memory.h"
#include "canned_frame.h"
#include "canned_tuning.h"

#include <string.h>

static int setup_tuners(void **state)
{
    if (setup(state))
        return 1;
    for (size_t arm = 0; arm < 2; arm++)
        canned_tuner(&table, arm);
    for (size_t arm = 0; arm < 2; arm++)
        canned_discrepancy(&table, arm);
    for (size_t arm = 0; arm < 2; arm++)
        canned_accuracy(&table, arm);
    canned_cycle(&table, 1);
    canned_weights(&table, 0);
    return table.full;
}

/* Shows an arm with an active tuner, a tuned arm, and both arms. */
static void test_frames(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "tuner cycle");
    follow(1, 1);
    cs_ui_panels(&ui, "tuner cycle");
    ui.look.every_arm = true;
    frame(120, 40, CS_BRAILLE, "tuner_120x40");
    ui.look.every_arm = false;
    ui.look.arm = 1;
    frame(80, 24, CS_ASCII, "tuner_ascii_80x24");
    ui.look.arm = 0;
    frame(40, 12, CS_BLOCK, "tuner_40x12");
}

/* Shows the third kind of distance, the discrepancy. The curve of each arm
 * starts after the arm's own warm-up. */
static void test_discrepancy(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "distance");
    follow(1, 1);
    cs_ui_panels(&ui, "distance");
    ui.slots.of[0].option = 2;
    frame(80, 24, CS_ASCII, "panel_mmd");
}

/* Shows how the error of the mean depends on evaluations and on seconds, for
 * the arm whose chains agree best. */
static void test_error(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "distance");
    follow(1, 1);
    cs_ui_panels(&ui, "distance");
    ui.slots.of[0].option = 3;
    frame(80, 24, CS_BRAILLE, "panel_mse");
    ui.look.unit = CS_UNIT_EVALUATIONS;
    frame(80, 24, CS_ASCII, "panel_mse_work");
    ui.look.unit = CS_UNIT_SECONDS;
    frame(40, 12, CS_BRAILLE, "panel_mse_seconds");
    ui.slots.of[0].option = 4;
    frame(80, 24, CS_ASCII, "panel_missed_seconds");
}

static void test_weights(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "weights");
    follow(1, 1);
    cs_ui_panels(&ui, "weights");
    frame(80, 24, CS_BRAILLE, "panel_weights");
    frame(40, 12, CS_ASCII, "panel_weights_ascii");
}

/* Returns true if the panel shows a cycle of `period` steps for which n values
 * were sent. */
static bool has_cycle(double period, size_t n)
{
    cs_canvas c;
    cs_flat f;
    cs_selection at = {.of = ""};
    void *scratch = cs_alloc(CANNED_BYTES, 1);
    cs_flat_begin(&f, scratch, CANNED_BYTES);
    cs_flat_number(&f, 1, "run/arms");
    cs_flat_number(&f, 1, "run/steps");
    cs_flat_number(&f, 1, "arm/0/params");
    cs_flat_text(&f, "dmala", "arm/0/name");
    *CS_FLAT_ROWS(&f, cs_row_schedule, 1, CS_KEY_SCHEDULE, (size_t)0,
                  (size_t)0) = (cs_row_schedule){1, (double)n, period, 0};
    double *value =
        cs_flat_array(&f, 1, n, CS_KEY_PLAN_VALUES, (size_t)0, (size_t)0);
    for (size_t i = 0; i < n; i++)
        value[i] = (double)(i + 1);
    const cs_shot s = {.base = f.base, .used = f.used};
    assert_int_equal(cs_canvas_init(&c, 80, 20, CS_ASCII, NULL), CS_OK);
    const cs_area all = cs_canvas_area(&c);
    cs_panel_draw(cs_panel_find("cycle"), &all, &s, &at);
    bool drawn = true;
    for (int i = 0; i + 3 < 80 * 20;
         i++) /* searches for "This run has no ..." by its letters T and s */
        drawn &= !(c.cell[i].code == 'T' && c.cell[i + 3].code == 's');
    cs_canvas_fini(&c);
    cs_free(scratch);
    return drawn;
}

/* A sequence without repetition is not a cycle, however many values were sent.
 * A cycle may have 240 steps. */
static void test_period(void **state)
{
    (void)state;
    assert_true(has_cycle(20, 20));
    assert_true(has_cycle(240, 240));
    assert_false(has_cycle(0, 240));
    assert_false(has_cycle(0, 20));
    assert_false(has_cycle(1000, 240));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_frames), cmocka_unit_test(test_discrepancy),
    cmocka_unit_test(test_error),  cmocka_unit_test(test_weights),
    cmocka_unit_test(test_period),
};
TESTS_WITH(test_tuning, setup_tuners, teardown)
