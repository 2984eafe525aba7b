/* Tests frames whose data do not come from the open run. The data come from
 * background runs (a sweep, a calibration), or from a run that another process
 * writes. */
#include "canned_race.h"
#include "canned_table.h"
#include "frame.h"
#include "race/race.h"
#include "screen/panels/calibrated.h"
#include "screen/state/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cs_ui ui;

static void frame(int w, int h, cs_glyphs glyphs, const char *name)
{
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    compare_as(&c, CS_TEXT, CS_TIER_256, name);
    cs_canvas_fini(&c);
}

/* Opens one panel on the whole screen. */
static void open_panel(const char *panel)
{
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_BRAILLE, NULL), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, table.base, table.used, &c);
    cs_ui_panels(&ui, panel);
    ui.slots.zoom = true;
    cs_canvas_fini(&c);
}

/* ---- a sweep ---- */

static const raced two[] = {
    {"walk", 4, 20000, 1, 800, 0.1, 1, 3, false, NULL},
    {"hmc", 4, 4000, 10, 8000, 0.1, 0.2, 25, false, NULL},
};

/* Returns the first n of 8 points of a sweep over a step size. The best point
 * of `walk` is in the middle; the best point of `hmc` is at the end. */
static cs_replicas *swept(size_t n)
{
    static cs_replicas all;
    all =
        (cs_replicas){.n = n, .of = 8, .steps = 4000, .left = 95, .log = true};
    snprintf(all.over, sizeof all.over, "walk.step");
    for (size_t i = 0; i < all.of; i++)
        all.x[i] = 0.1 * pow(2, (double)i);
    for (size_t i = 0; i < n; i++) {
        cs_replicated *run = &all.run[i];
        double *v = &run->value[0][0][0];
        size_t numbers = sizeof run->value / sizeof *v;
        for (size_t k = 0; k < numbers; k++)
            v[k] = (&run->low[0][0][0])[k] = (&run->high[0][0][0])[k] =
                (double)NAN;
        snprintf(all.value[i], sizeof all.value[i], "%g", all.x[i]);
        for (size_t arm = 0; arm < 2; arm++)
            for (size_t u = 0; u < CS_UNITS; u++) {
                double d = (double)i - (arm ? 7 : 3.5);
                double ess = 900 * exp(-0.2 * d * d);
                run->value[CS_RACE_ESS][u][arm] = ess;
                run->low[CS_RACE_ESS][u][arm] = 0.8 * ess;
                run->high[CS_RACE_ESS][u][arm] = 1.2 * ess;
                run->value[CS_RACE_ACCEPTANCE][u][arm] =
                    1 / (1 + 0.2 * (double)(i * (arm + 1)));
            }
    }
    return &all;
}

static void test_sweep(void **state)
{
    (void)state;
    canned_race(&table, memory, CANNED_BYTES, two, 2);
    open_panel("sweep");
    frame(80, 24, CS_BRAILLE, "sweep_none_80x24");
    ui.look.sweep = swept(8);
    frame(80, 24, CS_BRAILLE, "sweep_80x24");
    frame(120, 40, CS_BRAILLE, "sweep_120x40");
    frame(40, 12, CS_ASCII, "sweep_ascii_40x12");
    ui.look.sweep = swept(3);
    frame(80, 24, CS_BRAILLE, "sweep_3_of_8_80x24");
}

/* ---- a calibration ---- */

/* Returns the first n of 100 data sets of a calibration: the ranks of mu are
 * uniform, and the ranks of tau are too high. */
static cs_calibrated *calibrated(size_t n)
{
    static cs_calibrated all;
    static const char *const quantity[] = {"mu", "tau", "log_density"};
    all =
        (cs_calibrated){.n = n, .of = 100, .left = 61, .draws = 63, .rows = 3};
    for (size_t r = 0; r < 3; r++) {
        cs_calibrated_row *row = &all.row[r];
        snprintf(row->arm, sizeof row->arm, "walk");
        snprintf(row->quantity, sizeof row->quantity, "%s", quantity[r]);
        row->n = n;
        for (size_t i = 0; i < n; i++) {
            double u = (double)((i * 37 + 11 * r) % 100) / 100;
            row->rank[i] = floor(64 * (r == 1 ? sqrt(u) : u));
        }
    }
    return &all;
}

static void test_calibration(void **state)
{
    (void)state;
    canned_race(&table, memory, CANNED_BYTES, two, 1);
    open_panel("calibration");
    frame(80, 24, CS_BRAILLE, "calibration_none_80x24");
    ui.look.calibrated = calibrated(100);
    frame(80, 24, CS_BRAILLE, "calibration_80x24");
    frame(120, 40, CS_BRAILLE, "calibration_120x40");
    frame(40, 12, CS_ASCII, "calibration_ascii_40x12");
    ui.look.calibrated = calibrated(7);
    frame(80, 24, CS_BRAILLE, "calibration_begun_80x24");
}

/* ---- a watched run ---- */

static void canned_watched(const char *state)
{
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_text(&table, state, "run/state"); /* a later entry with this key is
                                               * ignored */
    cs_flat_text(&table, "parts", "run/watched");
    cs_flat_text(&table, "watching parts", "run/title");
    cs_flat_text(&table, "draws that another process writes; a step is a draw",
                 "run/shows");
    cs_flat_text(&table, "trace acceptance proposal summary", "run/panels");
    canned_run(&table);
    canned_look(&table);
    canned_steps_of(&table, 4);
    for (size_t i = 0; i < 2; i++)
        canned_arm_of(&table, i, 4);
}

static void test_watched(void **state)
{
    (void)state;
    canned_watched("waiting");
    cs_ui_init(&ui);
    frame(80, 24, CS_BRAILLE, "watched_80x24");
    frame(120, 40, CS_BRAILLE, "watched_120x40");
    frame(80, 24, CS_ASCII, "watched_ascii_80x24");
    canned_watched("done");
    open_panel("proposal");
    frame(80, 24, CS_BRAILLE, "watched_proposal_80x24");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sweep),
    cmocka_unit_test(test_calibration),
    cmocka_unit_test(test_watched),
};
TESTS_WITH(test_made, setup, teardown)
