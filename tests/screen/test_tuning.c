/* The panels of a tuner and of a cycle, from a made-up search; what only some
 * runs have. */
#include "support/support.h"

#include "base/memory.h"
#include "canned_table.h"
#include "frame.h"
#include "screen/ui.h"

#include <string.h>

enum { TRIALS = 60, PERIOD = 20 };

static cs_ui ui;

/* Arm 0 searches, arm 1 has found its plan; it began 340 steps ago. */
static void canned_tuner(cs_flat *f, size_t arm)
{
    static const char *const phases[] = {"burn-in", "smallest step",
                                         "largest step", "balance"};
    cs_flat_text(f, "acs", "arm/%zu/tuner", arm);
    cs_flat_number(f, arm == 0, "arm/%zu/tuner/active", arm);
    cs_flat_number(f, arm ? 1 : 0.4, "arm/%zu/tuner/part", arm);
    cs_flat_number(f, arm ? 340 : 160, "arm/%zu/tuner/steps", arm);
    cs_flat_number(f, arm ? 340 : 160, "arm/%zu/warm_up", arm);
    cs_flat_number(f, 0.5, "arm/%zu/tuner/target", arm);
    cs_flat_number(f, 2, "arm/%zu/tuner/driven", arm);
    for (size_t k = 0; k < 2; k++)
        cs_flat_number(f, (double)k, "arm/%zu/tuner/param/%zu", arm, k);
    for (size_t k = 0; k < 4; k++)
        cs_flat_text(f, phases[k], "arm/%zu/tuner/phase/%zu", arm, k);
    cs_row_trial *row =
        CS_FLAT_ROWS(f, cs_row_trial, TRIALS, CS_KEY_TRIALS, arm);
    for (size_t i = 0; i < TRIALS; i++) {
        double step = 0.05 * pow(1.08, (double)i);
        row[i] = (cs_row_trial){
            .phase = i ? 1 + (double)(i / 20) : 0,
            .acceptance =
                i ? 1 / (1 + step) + 0.03 * sin(9.0 * (double)i) : (double)NAN,
            .taken = i % 5 == 4,
            .value = {step, i < 40 ? 0.5 : 0.5 + 0.02 * (double)(i % 20)}};
    }
    if (arm == 0)
        row[TRIALS - 1].acceptance = (double)NAN; /* under way */
}

static void canned_cycle(cs_flat *f, size_t arm)
{
    for (size_t k = 0; k < 2; k++) {
        *CS_FLAT_ROWS(f, cs_row_schedule, 1, CS_KEY_SCHEDULE, arm, k) =
            (cs_row_schedule){348, 348 + PERIOD - 1, PERIOD};
        double *to = cs_flat_array(f, 1, PERIOD, CS_KEY_COMING, arm, k);
        for (size_t i = 0; i < PERIOD; i++) {
            size_t at = (i + 7) % PERIOD; /* seven steps of a cycle are over */
            double wave = cos(3.14159265 * (double)at / PERIOD);
            to[i] = k ? 0.725 + 0.225 * wave : fmax(2.5 * (wave + 1), 0.8);
        }
    }
    double *rate = cs_flat_array(f, 1, PERIOD, "arm/%zu/cycle/acceptance", arm);
    for (size_t i = 0; i < PERIOD; i++)
        rate[i] = 0.6 + 0.01 * (double)i;
}

/* A discrepancy that falls to its floor: the tuned arms' from their first
 * draws on. */
static void canned_discrepancy(cs_flat *f, size_t arm)
{
    double *time = cs_flat_array(f, 1, 40, "arm/%zu/mmd/time", arm);
    double *curve = cs_flat_array(f, 1, 40, "arm/%zu/mmd/curve", arm);
    cs_row_mmd *value = CS_FLAT_ROWS(f, cs_row_mmd, 1, CS_KEY_MMD, arm);
    for (int i = 0; i < 40; i++) {
        time[i] = 20 * (i + 1.0);
        curve[i] = -1 - (arm ? 0.1 : 0.03) * i;
    }
    *value = (cs_row_mmd){arm ? -4 : -2, -5.5, 500};
}

/* What the means find of the rows held out, less and less amiss. */
static void canned_accuracy(cs_flat *f, size_t arm)
{
    size_t rows, n;
    cs_shot s = {f->base, f->used};
    if (!cs_shot_array(&s, &rows, &n, "arm/%zu/means/time", arm))
        return;
    double *share = cs_flat_array(f, 1, n, "arm/%zu/means/accuracy", arm);
    for (size_t i = 0; i < n; i++)
        share[i] = 1 - 0.5 * exp((arm ? -0.1 : -0.06) * (double)i);
}

/* Draws whose weights fall by four powers of ten, a few of which have most. */
static void canned_weights(cs_flat *f, size_t arm)
{
    enum { BINS = 40 };
    double *edge = cs_flat_array(f, 1, BINS + 1, "arm/%zu/weights/edges", arm);
    double *count = cs_flat_array(f, 1, BINS, "arm/%zu/weights/counts", arm);
    double *share = cs_flat_array(f, 1, BINS, "arm/%zu/weights/shares", arm);
    double draws = 0, weight = 0;
    for (int i = 0; i <= BINS; i++)
        edge[i] = 0.1 * i - 2.5;
    for (int i = 0; i < BINS; i++) {
        count[i] =
            floor(4000 * exp(-0.02 * (i - 10) * (i - 10)) + 400.0 / (i + 1));
        share[i] = count[i] * pow(10, edge[i] + 0.05);
        draws += count[i];
        weight += share[i];
    }
    for (int i = 0; i < BINS; i++)
        share[i] /= weight;
    *CS_FLAT_ROWS(f, cs_row_weights, 1, CS_KEY_WEIGHTS, arm) =
        (cs_row_weights){draws, 1200, 1911, 0.0031};
}

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
    cs_ui_panels(&ui, "tuner cycle");
    frame(1, 1, CS_BRAILLE, "run_1x1"); /* it has followed the snapshot */
    cs_ui_panels(&ui, "tuner cycle");
    frame(120, 40, CS_BRAILLE, "tuner_120x40");
    frame(80, 24, CS_ASCII, "tuner_ascii_80x24");
    frame(40, 12, CS_BLOCK, "tuner_40x12");
}

/* The third of the distances: tv, kl, mmd; after each arm's own warm-up. */
static void test_discrepancy(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "distance");
    frame(1, 1, CS_BRAILLE, "run_1x1");
    cs_ui_panels(&ui, "distance");
    ui.option[0] = 2;
    frame(80, 24, CS_ASCII, "panel_mmd");
}

/* The error of the mean against evaluations and seconds, from the arm whose
 * chains agree best. */
static void test_error(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "distance");
    frame(1, 1, CS_BRAILLE, "run_1x1");
    cs_ui_panels(&ui, "distance");
    ui.option[0] = 3;
    frame(80, 24, CS_BRAILLE, "panel_mse");
    ui.look.unit = CS_UNIT_EVALUATIONS;
    frame(80, 24, CS_ASCII, "panel_mse_work");
    ui.look.unit = CS_UNIT_SECONDS;
    frame(40, 12, CS_BRAILLE, "panel_mse_seconds");
    ui.option[0] = 4;
    frame(80, 24, CS_ASCII, "panel_missed_seconds");
}

static void test_weights(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "weights");
    frame(1, 1, CS_BRAILLE, "run_1x1");
    cs_ui_panels(&ui, "weights");
    frame(80, 24, CS_BRAILLE, "panel_weights");
    frame(40, 12, CS_ASCII, "panel_weights_ascii");
}

/* Whether the panel draws a cycle of so many steps, of which so many values
 * were sent. */
static bool has_cycle(double period, size_t n)
{
    cs_canvas c;
    cs_flat f;
    cs_selection at = {.of = ""};
    void *room = cs_alloc(CANNED_BYTES, 1);
    cs_flat_begin(&f, room, CANNED_BYTES);
    cs_flat_number(&f, 1, "run/arms");
    cs_flat_number(&f, 1, "run/steps");
    cs_flat_number(&f, 1, "arm/0/params");
    cs_flat_text(&f, "dmala", "arm/0/name");
    *CS_FLAT_ROWS(&f, cs_row_schedule, 1, CS_KEY_SCHEDULE, (size_t)0,
                  (size_t)0) = (cs_row_schedule){1, (double)n, period};
    double *value =
        cs_flat_array(&f, 1, n, CS_KEY_COMING, (size_t)0, (size_t)0);
    for (size_t i = 0; i < n; i++)
        value[i] = (double)(i + 1);
    const cs_shot s = {.base = f.base, .used = f.used};
    assert_int_equal(cs_canvas_init(&c, 80, 20, CS_ASCII, NULL), CS_OK);
    const cs_area all = cs_canvas_area(&c);
    cs_panel_find("cycle")->draw(&all, &s, &at);
    bool drawn = true;
    for (int i = 0; i + 3 < 80 * 20; i++) /* "No cyclical schedule" */
        drawn &= !(c.cell[i].code == 'N' && c.cell[i + 3].code == 'c');
    cs_canvas_fini(&c);
    cs_free(room);
    return drawn;
}

/* What never repeats is no cycle, however many values were sent; one of 240
 * steps is. */
static void test_period(void **state)
{
    (void)state;
    assert_true(has_cycle(20, 20));
    assert_true(has_cycle(240, 240));
    assert_false(has_cycle(0, 240));
    assert_false(has_cycle(0, 20));
    assert_false(has_cycle(1000, 240));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames), cmocka_unit_test(test_discrepancy),
        cmocka_unit_test(test_error), cmocka_unit_test(test_weights),
        cmocka_unit_test(test_period)};
    return cmocka_run_group_tests(tests, setup_tuners, teardown);
}
