/* Tests the diagnostic panels: their output for a synthetic snapshot, and their
 * frames. */
#include "canned_draws.h"
#include "frame.h"
#include "screen/state/ui.h"

#include <stdlib.h>

static cs_ui ui;
static cs_unit unit; /* unit of work */

static const struct {
    int w, h;
    cs_glyphs glyphs;
    const char *name;
} sizes[] = {{80, 24, CS_BRAILLE, "80x24"},
             {120, 40, CS_BRAILLE, "120x40"},
             {200, 60, CS_BRAILLE, "200x60"},
             {40, 12, CS_BRAILLE, "40x12"},
             {80, 24, CS_ASCII, "ascii_80x24"}};

static void draw(cs_canvas *c, int w, int h, cs_glyphs glyphs,
                 const char *panel, unsigned variant)
{
    assert_int_equal(cs_canvas_init(c, w, h, glyphs, NULL), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, table.base, table.used, c); /* the screen reads the
                                                      * snapshot */
    cs_ui_panels(&ui, panel);
    ui.slots.zoom = ui.look.every_arm = true;
    ui.look.unit = unit;
    ui.slots.of[0].variant = variant;
    cs_screen_frame(&ui, table.base, table.used, c);
}

/* Compares frames that contain only this panel. The frames have all sizes, and
 * 256 colours, 16 colours or no colours. */
static void frames(const char *panel)
{
    char name[64];
    cs_canvas c;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        draw(&c, sizes[i].w, sizes[i].h, sizes[i].glyphs, panel, 0);
        snprintf(name, sizeof name, "diagnose_%s_%s", panel, sizes[i].name);
        compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
        cs_canvas_fini(&c);
    }
    static const char *const tier[] = {"none", "16", "256"};
    for (cs_tier t = CS_TIER_MONO; t <= CS_TIER_256; t++) {
        draw(&c, 80, 24, CS_BRAILLE, panel, 0);
        snprintf(name, sizeof name, "diagnose_%s_%s", panel, tier[t]);
        compare_as(&c, CS_ANSI, t, name);
        cs_canvas_fini(&c);
    }
}

/* Compares the panel's frame for another snapshot, or for another variant of
 * the panel, with the stored frame. */
static void frame(const char *panel, unsigned variant, const char *more)
{
    char name[64];
    cs_canvas c;
    draw(&c, 120, 40, CS_BRAILLE, panel, variant);
    snprintf(name, sizeof name, "diagnose_%s_%s", panel, more);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
    cs_canvas_fini(&c);
}

static bool shows(const char *panel, unsigned variant, int w, const char *words)
{
    char *got = NULL;
    size_t size = 0;
    cs_canvas c;
    draw(&c, w, 24, CS_BRAILLE, panel, variant);
    FILE *out = open_memstream(&got, &size);
    assert_true(cs_canvas_export(&c, CS_TEXT, CS_TIER_MONO, out));
    fclose(out);
    bool found = strstr(got, words) != NULL;
    if (!found)
        print_error("'%s' is missing in\n%s", words, got);
    free(got);
    cs_canvas_fini(&c);
    return found;
}

/* Returns true if line number y inside the panel `first` begins with these
 * words. */
static bool stands(size_t y, const char *words)
{
    cs_canvas c;
    draw(&c, 80, 24, CS_BRAILLE, "first", 0);
    bool same = true;
    for (size_t i = 0; words[i]; i++)
        same &= c.cell[(y + 3) * 80 + 1 + i].code == (unsigned char)words[i];
    cs_canvas_fini(&c);
    return same;
}

/* ---- jumps, first visits ---- */

/* There are 84 jumps from the first mode, and 48 % of these go to the second
 * mode. The second mode has 50 jumps, and 20 % of these return to the first. 40
 * jumps in one direction and 10 in the other differ by 30. This is 30 /
 * sqrt(50) = 4.2 standard deviations, if both directions have probability 1/2.
 * With 36 pairs of modes, the largest difference exceeds 4.1 standard
 * deviations in one run of a thousand. */
static void test_jumps(void **state)
{
    (void)state;
    canned_many(&table, 1, 4);
    canned_jumps(&table, 0, 4, 9);
    assert_true(shows("jumps", 0, 80,
                      "least even 1 to 2: 40, back 10 (4.2 sd, "
                      "not by chance)"));
    assert_true(shows("jumps", 0, 80, "722 jumps"));
    cs_flat_number(&table, 361, "arm/0/steps");
    cs_flat_number(&table, 3610, "arm/0/evaluations");
    assert_true(shows("jumps", 0, 80, "722 jumps, one per 2 steps"));
    unit = CS_UNIT_EVALUATIONS;
    assert_true(shows("jumps", 0, 80, "722 jumps, one per 5 evaluations"));
    unit = CS_UNIT_USUAL;
    assert_true(shows("jumps", 1, 80, "  1    - 48%"));
    assert_true(shows("jumps", 1, 80, "  2  20%   - 80%"));
    assert_true(shows("jumps", 2, 80, "  1     - +4.2"));
    assert_true(shows("jumps", 2, 80, "  2  -4.2    - -0.4"));
}

/* The rows of the panel are sorted by the step at which the mode was first
 * visited. */
static void test_first(void **state)
{
    (void)state;
    static const double first[] = {90, 4, NAN, 30, 7, NAN, NAN, 5, NAN};
    canned_many(&table, 1, 3);
    memcpy(cs_flat_array(&table, 3, 3, "arm/0/modes/first"), first,
           sizeof first);
    assert_true(shows("first", 0, 80, "   2 3 of 3         4      7      5"));
    assert_true(shows("first", 0, 80, "   1 2 of 3        90     30  never"));
    assert_true(shows("first", 0, 80, "   3 0 of 3     never  never  never"));
    assert_true(shows("first", 0, 80, "4 of 9 never, last at step 90"));
    static const char *const rows[] = {"   2 3 of 3", "   1 2 of 3",
                                       "   3 0 of 3"};
    for (size_t i = 0; i < 3; i++)
        assert_true(stands(i + 1, rows[i]));
}

/* ---- quantities of the draws ---- */

static void many(size_t arms, size_t chains)
{
    canned_many(&table, arms, chains);
    for (size_t i = 0; i < arms; i++) {
        canned_draws(&table, i, chains);
        cs_flat_number(&table, 12, "arm/%zu/divergent", i);
        double *at = cs_flat_array(&table, 3, 2, "arm/%zu/divergent/points", i);
        for (size_t k = 0; k < 6; k++)
            at[k] = k % 2 ? -2 + 0.2 * (double)k : 0.3 * (double)k;
        cs_flat_number(&table, 1240512, "arm/%zu/steps", i);
        cs_flat_number(&table, 3.0 * 1240512 * (double)chains,
                       "arm/%zu/evaluations", i);
    }
    assert_false(table.full);
}

/* The numbers below the plots equal those of the report. */
static void test_figures(void **state)
{
    (void)state;
    many(1, 4);
    assert_true(shows("marginal", 0, 80,
                      "mean -0.45, sd 1.52, 90 % in -2.18 "
                      "to 2.03"));
    assert_true(shows("marginal", 0, 80,
                      "TV 0.150 (floor 0.012), not by chance, KS 0.160 "
                      "(0.006), exact: grid"));
    assert_true(shows("autocorrelation", 0, 80,
                      "ESS 1,020, integrated time "
                      "4,864 steps, sum to lag 7,680"));
    unit = CS_UNIT_EVALUATIONS;
    assert_true(shows("autocorrelation", 0, 80,
                      "integrated time 14.6k "
                      "evaluations"));
    assert_true(shows("running", 0, 80, "evaluations per chain"));
    unit = CS_UNIT_USUAL;
    assert_true(shows("ranks", 0, 80, "R-hat 1.030: too large, ESS 4,845"));
    assert_true(shows("ranks", 0, 80, "3^ 11 outside"));
    assert_true(shows("running", 0, 80, "exact 0.25"));
    assert_true(shows("pairs", 0, 80, "-0.12"));
    assert_true(shows("pairs", 0, 80, "x 12 divergent"));
    assert_true(shows("transitions", 0, 120,
                      "E-BFMI 0.17, chain 4: momenta "
                      "do not reach the tails"));
}

/* A panel requests each displayed quantity exactly once, also the selected
 * coordinate. A word after the panel's name selects the quantity, and the key o
 * selects the next quantity. */
static void test_asked(void **state)
{
    (void)state;
    char words[512];
    const cs_shot s = {.base = table.base, .used = table.used};
    cs_ui_init(&ui);
    cs_canvas c;
    draw(&c, 80, 24, CS_ASCII, "ranks marginal=energy pairs", 0);
    cs_canvas_fini(&c);
    cs_ui_reports(&ui, &s, words, sizeof words);
    assert_string_equal(words, "acceptance diagnostics modes distance trace "
                               "divergent ranks=a marginal=energy pairs=a,b");
    ui.look.coordinate = 1;
    ui.slots.of[1].option = 2;
    cs_ui_reports(&ui, &s, words, sizeof words);
    assert_string_equal(words, "acceptance diagnostics modes distance trace "
                               "divergent ranks=b marginal=b pairs=b,a");
}

static void test_quantity_frames(void **state)
{
    (void)state;
    static const char *const panel[] = {"marginal", "autocorrelation",
                                        "ranks",    "running",
                                        "pairs",    "transitions"};
    for (size_t k = 0; k < 6; k++) {
        many(1, 4);
        frames(panel[k]);
        unit = k == 1 ? CS_UNIT_EVALUATIONS : CS_UNIT_USUAL;
        frame(panel[k], 1, k == 1 ? "evaluations" : "v1");
        unit = CS_UNIT_USUAL;
        many(9, 1);
        frame(panel[k], 0, "9_arms");
        many(3, 16);
        frame(panel[k], 0, "3_arms");
    }
}

static void test_frames(void **state)
{
    (void)state;
    canned_many(&table, 1, 4);
    canned_jumps(&table, 0, 4, 9);
    frames("jumps");
    frames("first");
    frame("jumps", 2, "balance");
    canned_many(&table, 9, 1);
    for (size_t i = 0; i < 9; i++)
        canned_jumps(&table, i, 1, 3);
    frame("jumps", 0, "9_arms");
    frame("first", 0, "9_arms");
    canned_many(&table, 3, 16);
    for (size_t i = 0; i < 3; i++)
        canned_jumps(&table, i, 16, 25);
    frame("jumps", 0, "3_arms");
    frame("first", 0, "3_arms");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_jumps, setup, teardown),
    cmocka_unit_test_setup_teardown(test_first, setup, teardown),
    cmocka_unit_test_setup_teardown(test_frames, setup, teardown),
    cmocka_unit_test_setup_teardown(test_figures, setup, teardown),
    cmocka_unit_test_setup_teardown(test_asked, setup, teardown),
    cmocka_unit_test_setup_teardown(test_quantity_frames, setup, teardown),
};
TESTS(test_diagnose_panels)
