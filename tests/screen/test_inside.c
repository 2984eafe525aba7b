/* Tests the panel of a step and its formula: which parts of the formula are
 * shown, and which are struck out. */
#include "support/support.h"

#include "canned_table.h"
#include "frame.h"
#include "screen/canvas/factors.h"
#include "screen/input/keys.h"
#include "session/client/preview_rows.h"

#include <math.h>
#include <string.h>

static void drawn(const char *kernel, cs_glyphs glyphs, int w, int h,
                  const cs_factors *f, cs_canvas *c)
{
    assert_int_equal(cs_canvas_init(c, w, h, glyphs, NULL), CS_OK);
    cs_area a = cs_canvas_area(c);
    int y = cs_draw_formula(&a, 0, kernel, false, h / 2);
    cs_area rest = cs_area_part(&a, 0, y, w, h - y);
    cs_draw_factors(&rest, f);
}

static cs_factors exchange(const cs_decision *d)
{
    return (cs_factors){.kernel = "exchange",
                        .step = d,
                        .no_logp = true,
                        .true_ratio = (double)NAN,
                        .coupled = (double)NAN,
                        .coupled_there = (double)NAN};
}

static const cs_decision step = {.logp_change = 2.5,
                                 .log_aux = -1.25,
                                 .log_ratio = 1.25,
                                 .log_uniform = -0.5,
                                 .estimates = 1,
                                 .accepted = 1,
                                 .moved = 1};

/* The two constants log Z cannot be computed and are not needed, so both are
 * struck out. Terminals that cannot strike out text mark the constants in
 * another way. */
static void test_struck(void **state)
{
    (void)state;
    cs_canvas c;
    cs_factors f = exchange(&step);
    drawn("exchange", CS_BRAILLE, 104, 14, &f, &c);
    size_t struck = 0;
    for (int i = 0; i < c.width * c.height; i++)
        struck += c.cell[i].code > ' ' && c.cell[i].attributes & CS_STRIKE;
    assert_int_equal(struck, 2 * strlen("-logZ(x)") + 2 * strlen("-logZ(x')"));
    compare_as(&c, CS_TEXT, CS_TIER_MONO, "formula_exchange");
    compare_as(&c, CS_ANSI, CS_TIER_16, "formula_exchange_16");
    cs_canvas_fini(&c);
    drawn("exchange", CS_ASCII, 40, 14, &f, &c);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, "formula_exchange_ascii");
    cs_canvas_fini(&c);
}

/* If the auxiliary variable is coupled to x, the coupling has a factor of its
 * own in the ratio. */
static void test_coupled(void **state)
{
    (void)state;
    cs_canvas c;
    const cs_decision d = {.logp_change = 1,
                           .log_q_forward = -7,
                           .log_q_back = -6,
                           .log_ratio = 2,
                           .log_uniform = -1,
                           .accepted = 1,
                           .moved = 1};
    cs_factors f = {.kernel = "edmala",
                    .step = &d,
                    .true_ratio = (double)NAN,
                    .coupled = -3,
                    .coupled_there = -1.5};
    drawn("edmala", CS_BRAILLE, 100, 14, &f, &c);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, "formula_edmala");
    cs_canvas_fini(&c);
}

static bool says(const cs_canvas *c, const char *words)
{
    for (int y = 0; y < c->height; y++) {
        char line[160] = "";
        for (int x = 0; x < c->width && x < 150; x++)
            line[x] = (char)c->cell[y * c->width + x].code;
        if (strstr(line, words))
            return true;
    }
    return false;
}

/* The decision names u and the probability at every width. In a narrow area they
 * are below the decision. */
static void test_chance(void **state)
{
    (void)state;
    cs_canvas c;
    cs_decision d = {.logp_change = -0.515,
                     .log_ratio = -0.515,
                     .log_uniform = -2.216,
                     .accepted = 1,
                     .moved = 1};
    cs_factors f = {
        .kernel = "random_walk", .step = &d, .true_ratio = (double)NAN};
    for (int w = 24; w <= 120; w++) {
        drawn(f.kernel, CS_BRAILLE, w, 14, &f, &c);
        assert_true(says(&c, "u = 0.109 is below"));
        assert_true(says(&c, w < 60 ? "0.598" : "min(1, e^-0.515) = 0.598"));
        cs_canvas_fini(&c);
    }
    assert_int_equal(cs_canvas_init(&c, 40, 30, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_draw_factors(&a, &f); /* with room also 0 to 1, split at 0.598 */
    assert_true(says(&c, "accept") && says(&c, "reject"));
    int marks = 0;
    for (int i = 0; i < c.width * c.height; i++)
        marks += c.cell[i].code == 0x2501; /* u covers one */
    assert_int_equal(marks, (int)(0.598 * 36) - 1);
    cs_canvas_fini(&c);
    d.log_uniform = -0.2;
    d.accepted = d.moved = 0;
    drawn(f.kernel, CS_BRAILLE, 30, 14, &f, &c);
    assert_true(says(&c, "u = 0.819 is not below 0.598"));
    cs_canvas_fini(&c);
}

/* A kernel without an accept step has no acceptance ratio, and draws no random
 * number that would be compared with a ratio. If a ratio is NaN, no acceptance
 * probability is shown. */
static void test_no_accept_step(void **state)
{
    (void)state;
    cs_canvas c;
    cs_decision d = {.logp_change = -1.6, .accepted = 1, .moved = 1};
    cs_factors f = {.step = &d, .true_ratio = (double)NAN};
    static const char *const none[] = {"dula", "gibbs", "slice", "wolff"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        f.kernel = none[i];
        drawn(f.kernel, CS_BRAILLE, 100, 14, &f, &c);
        assert_true(says(&c, "moved, no accept step"));
        assert_false(says(&c, "log a, their sum") || says(&c, "u = "));
        cs_canvas_fini(&c);
    }
    d = (cs_decision){.logp_proposal = (double)NAN,
                      .logp_change = (double)NAN,
                      .log_ratio = (double)NAN,
                      .log_uniform = -1};
    f.kernel = "random_walk";
    drawn(f.kernel, CS_BRAILLE, 100, 14, &f, &c);
    assert_true(says(&c, "rejected: log p(x') is NaN"));
    assert_false(says(&c, "prob"));
    cs_canvas_fini(&c);
}

/* If a factor of a step is NaN, the panel shows NaN. Tables of steps show NaN
 * too, for either sign of the NaN. */
static void test_no_number(void **state)
{
    (void)state;
    assert_string_equal(cs_nats((double)NAN).text, "NaN");
    assert_string_equal(cs_nats(copysign((double)NAN, -1)).text, "NaN");
    assert_string_equal(cs_nats(-0.25).text, "-0.250");
    assert_string_equal(cs_nats(-HUGE_VAL).text, "-inf");
    assert_string_equal(cs_nats(-1.5e250).text, "-1.5e+250");
}

/* ---- the panel ----------------------------------------------------------- */

static const cs_decision preview = {.logp_change = 3.5,
                                    .log_q_forward = -1.75,
                                    .log_q_back = -4.75,
                                    .log_ratio = 0.5,
                                    .log_uniform = -0.25,
                                    .accepted = 1,
                                    .moved = 1};

static void put_others(cs_flat *f)
{
    static const double ratio[] = {0.1, 0.3, 0.5, -0.2, -4};
    cs_other_step *to = CS_FLAT_ROWS(f, cs_other_step, 5, CS_KEY_OTHERS);
    cs_flat_text(f, "step", "look/preview/scaled");
    for (int i = 0; i < 5; i++)
        to[i] = (cs_other_step){pow(2, i - 2), 0.2 * pow(2, i - 2), ratio[i],
                                0.1 * (i + 1)};
}

/* Adds a proposal to the snapshot. If `sites`, the proposal changes two of 40
 * sites; otherwise it is a Langevin step. */
static void put_preview(bool sites)
{
    enum { N = 40 };
    cs_flat *f = &table;
    double x[N] = {0}, y[N] = {0}, drift[2] = {0.125, -2}, noise[2] = {-1, 0.5};
    canned(f, memory);
    cs_flat_text(f, "paused", "run/state");
    cs_flat_text(f, sites ? "dmala" : "mala", "arm/0/kernel");
    *CS_FLAT_ROWS(f, cs_decision, 1, CS_KEY_PREVIEW_STEP) = preview;
    y[3] = y[20] = 1;
    size_t n = sites ? N : 2;
    memcpy(cs_flat_array(f, 1, n, "look/preview/x"), x, n * sizeof *x);
    memcpy(cs_flat_array(f, 1, n, "look/preview/proposal"), y, n * sizeof *y);
    put_others(f);
    if (!sites) {
        memcpy(cs_flat_array(f, 1, 2, "look/preview/drift"), drift,
               sizeof drift);
        memcpy(cs_flat_array(f, 1, 2, "look/preview/noise"), noise,
               sizeof noise);
        cs_flat_number(f, -0.5, "look/preview/multiplier");
        return;
    }
    *CS_FLAT_ROWS(f, cs_proposal_odds, 1, CS_KEY_ODDS) =
        (cs_proposal_odds){784, N, 0, 1};
    cs_site_odds *to = CS_FLAT_ROWS(f, cs_site_odds, N, CS_KEY_SITES);
    for (int i = 0; i < N; i++) {
        double leaves = 0.9 * exp(-i / 8.0);
        int site = i == 0 ? 3 : i == 1 ? 20 : i + 40;
        to[i] = (cs_site_odds){.site = site,
                               .proposed = i < 2,
                               .value = 1,
                               .leaves = leaves,
                               .to_value = leaves,
                               .there = i < 2 ? leaves : 1 - leaves,
                               .back = 0.5,
                               .change = 2 - i / 10.0};
    }
}

static void panel(const char *panels, int w, int h, cs_glyphs glyphs,
                  cs_medium content, cs_tier tier, const char *name)
{
    static cs_ui ui;
    cs_canvas c;
    cs_ui_init(&ui);
    assert_int_equal(cs_canvas_init(&c, w, h, glyphs, NULL), CS_OK);
    /* the first frame opens the panels of the scenario, and the next call
     * replaces these panels */
    cs_screen_frame(&ui, table.base, table.used, &c);
    cs_ui_panels(&ui, panels);
    ui.slots.zoom = !strchr(panels, ' '); /* as the key i shows the panel */
    cs_canvas_clear(&c);
    cs_screen_frame(&ui, table.base, table.used, &c);
    compare_as(&c, content, tier, name);
    cs_canvas_fini(&c);
}

static void test_panel(void **state)
{
    (void)state;
    put_preview(true);
    panel("proposal", 80, 24, CS_BRAILLE, CS_TEXT, CS_TIER_MONO,
          "proposal_80x24");
    panel("proposal", 120, 40, CS_BRAILLE, CS_TEXT, CS_TIER_MONO,
          "proposal_120x40");
    panel("proposal", 200, 60, CS_ASCII, CS_TEXT, CS_TIER_MONO,
          "proposal_ascii_200x60");
    panel("proposal", 80, 24, CS_BRAILLE, CS_ANSI, CS_TIER_16, "proposal_16");
    panel("proposal", 80, 24, CS_BRAILLE, CS_ANSI, CS_TIER_MONO,
          "proposal_none");
    put_preview(false);
    panel("proposal map", 120, 40, CS_BRAILLE, CS_TEXT, CS_TIER_MONO,
          "proposal_drift_120x40");
    panel("proposal", 40, 16, CS_ASCII, CS_TEXT, CS_TIER_MONO,
          "proposal_drift_40x16");
    canned(&table, memory);
    panel("proposal", 60, 14, CS_BRAILLE, CS_TEXT, CS_TIER_MONO,
          "proposal_none_known");
}

/* Adds to the snapshot a step of the kernel `kernel` in two coordinates, with
 * the details of the step. */
static void put_step_of(const char *kernel)
{
    static const double x[2] = {0.5, -1}, y[2] = {0.75, -1.5};
    cs_flat *f = &table, rest;
    unsigned char *scratch = cs_alloc(CANNED_BYTES, 1);
    assert_non_null(scratch);
    canned(&rest, scratch);
    cs_flat_begin(f, memory, CANNED_BYTES);
    cs_flat_text(f, "paused", "run/state"); /* the state is set before the
                                             * canned one, because the first
                                             * entry with a key is used */
    cs_flat_text(f, kernel, "arm/0/kernel");
    cs_flat_add(f, rest.base, rest.used);
    cs_free(scratch);
    *CS_FLAT_ROWS(f, cs_decision, 1, CS_KEY_PREVIEW_STEP) = preview;
    memcpy(cs_flat_array(f, 1, 2, "look/preview/x"), x, sizeof x);
    memcpy(cs_flat_array(f, 1, 2, "look/preview/proposal"), y, sizeof y);
}

static void put_pair(const char *key, double a, double b)
{
    double *to = cs_flat_array(&table, 1, 2, "look/preview/%s", key);
    assert_non_null(to);
    to[0] = a;
    to[1] = b;
}

static void frames_of(const char *name)
{
    char file[64];
    static const int size[][2] = {{80, 24}, {120, 40}, {200, 60}};
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "proposal_%s_%dx%d", name, size[i][0],
                 size[i][1]);
        panel("proposal", size[i][0], size[i][1], CS_BRAILLE, CS_TEXT,
              CS_TIER_MONO, file);
    }
}

static void test_other_kernels(void **state)
{
    (void)state;
    put_step_of("sghmc");
    put_pair("carried", 0.5, -0.25);
    put_pair("drift", -0.125, 0.25);
    put_pair("noise", -0.125, -0.5);
    frames_of("sghmc");
    put_step_of("barker");
    put_pair("slope", -0.5, 4); /* sign probabilities 0.469 and 0.119 */
    frames_of("barker");
    put_step_of("poisson_mh");
    double *rows = cs_flat_array(&table, 1, 3, "look/preview/rows");
    rows[0] = 35;
    rows[1] = 12;
    rows[2] = 10000;
    frames_of("minibatch");
}

/* ---- rows and swaps ------------------------------------------------------ */

/* Adds to the snapshot thirty-five rows drawn for a Poisson minibatch. Only the
 * first sixteen rows are reported. */
static void put_drawn(void)
{
    enum { N = 16 };
    double *rows = cs_flat_array(&table, 1, 3, "look/preview/rows");
    rows[0] = 35;
    rows[1] = 12;
    rows[2] = 10000;
    cs_row_note *to = CS_FLAT_ROWS(&table, cs_row_note, N, CS_KEY_DRAWN);
    for (int i = 0; i < N; i++) {
        bool kept = i % 3 == 0;
        to[i] = (cs_row_note){.row = 9999 - 617 * i,
                              .use = CS_ROW_WEIGHS,
                              .bound = 0.0625 / (i + 1),
                              .here = -1.5 + 0.125 * i,
                              .there = kept ? -1.25 : (double)NAN,
                              .chance = 1 / (1.5 + i),
                              .kept = kept,
                              .part = kept ? 0.03125 * (i - 7) : 0};
    }
    cs_flat_number(&table, 35, "look/preview/drawn_of");
}

/* Adds to the snapshot the pairs of chains that may exchange states 3 steps
 * from now. If `within`, adds instead a single chain that may change its
 * temperature. */
static void put_swaps(bool within)
{
    enum { N = 3 };
    size_t n = within ? 1 : N;
    cs_swap_note *to = CS_FLAT_ROWS(&table, cs_swap_note, n, CS_KEY_SWAPS);
    double steps = cs_shot_number(
        &(cs_shot){.base = table.base, .used = table.used}, 0, "arm/0/steps");
    for (size_t i = 0; i < n; i++) {
        double ratio = 0.75 - (double)i;
        to[i] = (cs_swap_note){.chain = 2 * (double)i,
                               .other = 2 * (double)i + !within,
                               .rung = 2 * (double)i,
                               .other_rung = 2 * (double)i + 1,
                               .temperature = pow(2, 2 * (double)i),
                               .other_temperature = pow(2, 2 * (double)i + 1),
                               .energy = 12.5,
                               .other_energy = within ? 12.5 : 11,
                               .tempered = ratio + 0.25,
                               .rest = -0.25,
                               .log_ratio = ratio,
                               .chance = exp(fmin(ratio, 0)),
                               .uniform = 0.5,
                               .swaps = exp(fmin(ratio, 0)) > 0.5};
    }
    cs_flat_number(&table, steps + 3, "look/preview/swap_step");
    cs_flat_number(&table, within, "look/preview/swap_within");
}

static void test_drawn_and_swaps(void **state)
{
    (void)state;
    put_step_of("poisson_mh");
    put_drawn();
    frames_of("drawn");
    panel("proposal", 40, 16, CS_ASCII, CS_TEXT, CS_TIER_MONO,
          "proposal_drawn_40x16");
    put_step_of("parallel_tempering(random_walk)");
    put_swaps(false);
    frames_of("swaps");
    put_step_of("replica_exchange_sgld");
    put_swaps(false);
    panel("proposal", 80, 24, CS_BRAILLE, CS_ANSI, CS_TIER_16,
          "proposal_replica_16");
    put_step_of("simulated_tempering(random_walk)");
    put_swaps(true);
    panel("proposal", 80, 24, CS_BRAILLE, CS_TEXT, CS_TIER_MONO,
          "proposal_temperature_80x24");
}

/* ---- the key ------------------------------------------------------------- */

static bool hears(void *self, const char *line)
{
    (void)self, (void)line;
    return true;
}

/* The key i shows only this panel. Pressed again, the key restores the previous
 * panels. */
static void test_key(void **state)
{
    static cs_ui ui;
    const cs_sender to = {.send = hears};
    const cs_shot s = {.base = table.base, .used = table.used};
    (void)state;
    cs_ui_init(&ui);
    cs_ui_panels(&ui, "state trace");
    ui.slots.focus = 1;
    assert_true(cs_press(&ui, &s, &to, 'i'));
    assert_true(ui.slots.zoom && ui.slots.of[ui.slots.focus].on);
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "proposal");
    size_t at = ui.slots.focus;
    assert_true(cs_press(&ui, &s, &to, 'i'));
    assert_false(ui.slots.zoom || ui.slots.of[at].on);
    assert_int_equal(ui.slots.focus, 1);
    /* another panel is chosen meanwhile: the preview goes away all the same */
    assert_true(cs_press(&ui, &s, &to, 'i'));
    assert_true(cs_press(&ui, &s, &to, '1'));
    assert_true(cs_press(&ui, &s, &to, 'z'));
    assert_false(ui.slots.zoom || ui.slots.of[at].on);
    assert_int_equal(ui.slots.focus, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_struck),
    cmocka_unit_test(test_coupled),
    cmocka_unit_test(test_chance),
    cmocka_unit_test(test_no_accept_step),
    cmocka_unit_test(test_no_number),
    cmocka_unit_test(test_panel),
    cmocka_unit_test(test_other_kernels),
    cmocka_unit_test(test_drawn_and_swaps),
    cmocka_unit_test(test_key),
};
TESTS_WITH(test_inside, setup, teardown)
