/* Tests the panel of data rows for synthetic steps. The panel shows how many
 * rows a step draws and keeps. */
#include "run/summary/learned_figures.h"
#include "support/support.h"

#include "canned_frame.h"
#include "learn/divergence.h"

#include <math.h>
#include <string.h>

static void test_frames(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "rows");
    follow(1, 1);
    cs_ui_panels(&ui, "rows");
    frame(80, 24, CS_BRAILLE, "rows_80x24");
    ui.look.every_arm = true; /* the second arm has loose bounds */
    frame(120, 40, CS_BRAILLE, "rows_120x40");
    ui.look.every_arm = false;
    frame(40, 12, CS_ASCII, "rows_ascii_40x12");
    ui.slots.of[0].variant = 2;
    frame(80, 24, CS_BLOCK, "rows_histogram_80x24");
}

/* If the run reports no true ratios, the panel says how to request them. */
static void test_ratios(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "ratios");
    follow(1, 1);
    cs_ui_panels(&ui, "ratios");
    frame(80, 24, CS_BRAILLE, "ratios_none_80x24");
    canned_ratios(&table);
    cs_flat_number(&table, 1, "look/compares");
    frame(80, 24, CS_BRAILLE, "ratios_80x24");
    frame(40, 12, CS_ASCII, "ratios_ascii_40x12");
    frame(200, 60, CS_BRAILLE, "ratios_200x60");
}

/* Shows a target that simulates no data, and then a target that does. */
static void test_simulation(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "simulation");
    follow(1, 1);
    cs_ui_panels(&ui, "simulation");
    frame(80, 24, CS_BRAILLE, "simulation_none_80x24");
    canned_data(&table);
    frame(80, 24, CS_BRAILLE, "simulation_80x24");
    frame(120, 40, CS_BRAILLE, "simulation_120x40");
    frame(40, 12, CS_ASCII, "simulation_ascii_40x12");
}

enum { WAY = 40, JUDGED = 3, UNITS = 3, PIXELS = 16 };

/* Adds to the snapshot the learning results of the first arm. The number of
 * evaluations is `judged`. */
static void canned_learning(size_t judged)
{
    cs_flat_number(&table, 200, "arm/0/learn/update");
    cs_flat_number(&table, 600, "arm/0/learn/updates");
    cs_flat_number(&table, 0, "arm/0/learn/refused");
    cs_flat_number(&table, 50, "arm/0/learn/runs");
    cs_flat_number(&table, 0.02, "arm/0/learn/rate");
    cs_flat_text(&table, "60 images of bars", "arm/0/learn/data");
    cs_learned_row *way =
        CS_FLAT_ROWS(&table, cs_learned_row, WAY, "arm/0/learn/way");
    for (size_t i = 0; i < WAY; i++)
        way[i] = (cs_learned_row){.update = (double)(5 * i + 5),
                                  .data = -0.4 * (double)i,
                                  .chains =
                                      -0.35 * (double)i + 0.5 * sin((double)i)};
    cs_judgement *j =
        CS_FLAT_ROWS(&table, cs_judgement, judged, "arm/0/learn/judged");
    for (size_t i = 0; i < judged; i++)
        j[i] = (cs_judgement){.update = 50.0 + 50 * (double)i,
                              .log_z = 20 + (double)i,
                              .error = 0.02,
                              .kish = i == 2 ? 6.5 : 48,
                              .train = -10 + (double)i,
                              .train_error = 0.1,
                              .test = -10.5 + (double)i,
                              .test_error = 0.2};
    cs_flat_number(&table, -11.1, "arm/0/learn/independent");
}

/* Adds to the snapshot three filters of 4 x 4 pixels. */
static void canned_filters(void)
{
    char *level =
        cs_flat_room(&table, (size_t)UNITS * PIXELS, "arm/0/learn/filters");
    for (size_t k = 0; k < (size_t)UNITS * PIXELS; k++)
        level[k] = (char)(1 + (k * 5 + k / PIXELS) % CS_FILTER_LEVELS);
    cs_flat_number(&table, UNITS, "arm/0/learn/filters_n");
    cs_flat_number(&table, 4, "arm/0/learn/filters_cols");
}

static void test_learning(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "learn");
    follow(1, 1);
    cs_ui_panels(&ui, "learn");
    frame(80, 24, CS_BRAILLE, "learn_none_80x24");
    size_t before = table.used;
    canned_learning(1); /* a model without filters */
    frame(200, 60, CS_BRAILLE, "learn_no_filters_200x60");
    ui.slots.of[0].option = 2;
    frame(40, 24, CS_ASCII, "learn_judged_once_40x24");
    ui.slots.of[0].option = 3;
    frame(80, 24, CS_BRAILLE, "learn_no_filters_80x24");
    ui.slots.of[0].option = 0;
    table.used = before;
    canned_learning(JUDGED);
    canned_filters();
    frame(80, 24, CS_BRAILLE, "learn_80x24");
    frame(120, 40, CS_BRAILLE, "learn_120x40");
    frame(200, 60, CS_BRAILLE, "learn_200x60");
    frame(40, 12, CS_ASCII, "learn_ascii_40x12");
    ui.slots.of[0].option = 3;
    frame(80, 24, CS_BLOCK, "learn_filters_80x24");
    ui.slots.of[0].option = 2;
    frame(80, 24, CS_ASCII, "learn_likelihoods_80x24");
    frame(40, 24, CS_ASCII, "learn_likelihoods_40x24");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_frames),
    cmocka_unit_test(test_ratios),
    cmocka_unit_test(test_simulation),
    cmocka_unit_test(test_learning),
};
TESTS_WITH(test_rows, setup, teardown)
