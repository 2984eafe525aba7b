/* Tests the panel of bins, for kernels that learn a weight for each bin. */
#include "support/support.h"

#include "canned_frame.h"
#include "canned_panel.h"
#include "screen/canvas/contour.h"
#include "support/contour.h"

#include <stdio.h>
#include <string.h>

/* Opens a single panel that compares all arms, after the screen has read the
 * snapshot. */
static void open_panel(const char *panel, unsigned option)
{
    cs_ui_init(&ui);
    follow(1, 1);
    cs_ui_panels(&ui, panel);
    ui.slots.of[0].option = option;
    ui.slots.zoom = ui.look.every_arm = true;
}

static void bins_at_every_size(void **state)
{
    (void)state;
    open_panel("bins", 0);
    frame(80, 24, CS_BRAILLE, "bins_80x24");
    frame(120, 40, CS_BRAILLE, "bins_120x40");
    frame(200, 60, CS_BRAILLE, "bins_200x60");
    frame(80, 24, CS_ASCII, "bins_ascii_80x24");
    open_panel("bins", 1);
    frame(80, 24, CS_BRAILLE, "bins_multiplier_80x24");
    open_panel("bins", 2);
    frame(80, 24, CS_BLOCK, "bins_visits_80x24");
}

static void line_at_every_size(void **state)
{
    (void)state;
    open_panel("line", 0);
    frame(80, 24, CS_BRAILLE, "line_80x24");
    frame(120, 40, CS_BRAILLE, "line_120x40");
    frame(200, 60, CS_BRAILLE, "line_200x60");
    frame(80, 24, CS_ASCII, "line_ascii_80x24");
    frame(80, 24, CS_BLOCK, "line_block_80x24");
    frame(40, 12, CS_BRAILLE, "line_40x12");
}

static void bins_in_few_colours(void **state)
{
    (void)state;
    cs_canvas c;
    open_panel("bins", 0);
    draw(&c, 80, 24, CS_BRAILLE);
    compare_as(&c, CS_ANSI, CS_TIER_16, "bins_16");
    compare_as(&c, CS_ANSI, CS_TIER_MONO, "bins_none");
    cs_canvas_fini(&c);
}

/* ---- a synthetic snapshot ------------------------------------------------ */

enum { B = 6 };

static void put(const char *key, const double *row)
{
    memcpy(cs_flat_array(&table, 1, B, "arm/0/kernel/%s", key), row,
           B * sizeof *row);
}

/* Adds to the snapshot six bins of width 2 from 0 to 12. */
static void put_bins(const double *weight)
{
    static const double low[B] = {0, 2, 4, 6, 8, 10},
                        high[B] = {2, 4, 6, 8, 10, 12};
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 5, "run/steps");
    cs_flat_text(&table, "a", "arm/0/name");
    put("bin_low", low);
    put("bin_high", high);
    put("bin_weight", weight);
}

static void draw_option(cs_canvas *c, const char *panel, unsigned option, int w,
                        int h)
{
    draw_panel(c, panel, w, h, &(cs_selection){.of = "", .option = option});
}

/* Returns the number of cells in a row that hold this character. *first
 * receives the position of the first such cell. */
static int count(const cs_canvas *c, int y, unsigned code, int *first)
{
    int n = 0;
    for (int x = 0; x < c->width; x++) {
        if (c->cell[y * c->width + x].code != code)
            continue;
        *first = n++ ? *first : x;
    }
    return n;
}

static const double even[B] = {1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6};

/* Bins 5 and 6 are shaded, because at least half of the chains are still
 * learning the weights of bins 5 and 6. */
static void what_is_being_learned_is_shaded(void **state)
{
    (void)state;
    const double learning[B] = {0, 0, 0.4, 0, 0.5, 1};
    cs_canvas c;
    int first = 0, full = 0;
    put_bins(even);
    put("bin_visits", even);
    put("bin_learning", learning);
    draw_option(&c, "bins", 0, 72, 8);
    int n = count(&c, 4, 0x2592, &first);
    int m = count(&c, 4, 0x2588, &full);
    assert_true(first > full && first == full + m);
    assert_in_range(n, m / 2 - 1, m / 2 + 1);
    assert_true(says(&c, "6 of 6 bins seen"));
    assert_true(says(&c, "2 still being learned"));
    assert_true(says(&c, "exact mass unknown"));
    cs_canvas_fini(&c);
}

/* A bin between two energy levels is never visited. Such a bin does not shade
 * other bins in the same column of the screen. */
static void unseen_bins_do_not_shade(void **state)
{
    (void)state;
    enum { MANY = 200 };
    static const char *const keys[] = {"low", "high", "weight", "visits",
                                       "learning"};
    double *row[5];
    cs_canvas c;
    int first = 0;
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 5, "run/steps");
    for (size_t k = 0; k < 5; k++)
        row[k] = cs_flat_array(&table, 1, MANY, "arm/0/kernel/bin_%s", keys[k]);
    for (size_t i = 0; i < MANY; i++) { /* one in four is visited */
        bool seen = i % 4 == 0;
        row[0][i] = (double)i;
        row[1][i] = (double)i + 1;
        row[2][i] = seen ? 0.02 : 1e-60;
        row[3][i] = seen ? 0.02 : 0;
        row[4][i] = seen ? 0 : 1;
    }
    draw_option(&c, "bins", 0, 40, 8);
    assert_int_equal(count(&c, 4, 0x2592, &first), 0);
    assert_true(count(&c, 4, 0x2588, &first) > 30);
    cs_canvas_fini(&c);
}

/* The weights span many powers of ten, and all weights are still being learned.
 * The axis extends to the smallest weight of a visited bin. The weights of
 * unvisited bins do not extend the axis. */
static void the_axis_reaches_what_was_seen(void **state)
{
    (void)state;
    const double weight[B] = {1e-30, 1e-200, 1e-20, 1e-10, 1e-5, 1},
                 visits[B] = {0.2, 0, 0.2, 0.2, 0.2, 0.2},
                 learning[B] = {1, 1, 1, 1, 1, 1};
    cs_canvas c;
    int first = 0;
    put_bins(weight);
    put("bin_visits", visits);
    put("bin_learning", learning);
    draw_option(&c, "bins", 0, 72, 20);
    assert_true(says(&c, "-20") && !says(&c, "-100"));
    assert_true(count(&c, 4, 0x2592, &first) > 8);
    cs_canvas_fini(&c);
}

/* The third and the fourth of six bins are marked. */
static void negative_zones_are_marked(void **state)
{
    (void)state;
    const double multiplier[B] = {1, 0.5, -0.5, -2, 1, 1};
    cs_canvas c;
    int first = 0;
    put_bins(even);
    put("bin_visits", even);
    put("bin_multiplier", multiplier);
    draw_option(&c, "bins", 1, 72, 9);
    int n = count(&c, 6, 0x25BC, &first);
    assert_in_range(n, 21, 25);
    assert_in_range(first, 24, 30);
    assert_true(says(&c, "below 0: uphill"));
    cs_canvas_fini(&c);
}

/* When the numbers of visits per bin are compared, unvisited bins are left
 * out. */
static void visits_beside_alike(void **state)
{
    (void)state;
    const double visits[B] = {0, 0.25, 0.25, 0.25, 0.25, 0};
    cs_canvas c;
    put_bins(even);
    put("bin_visits", visits);
    draw_option(&c, "bins", 1, 72, 8); /* the bins have no multipliers, so none
                                        * can be selected */
    assert_true(says(&c, "share of steps"));
    assert_true(says(&c, "line: equal, 1/4"));
    assert_true(says(&c, "4 of 6 bins seen"));
    cs_canvas_fini(&c);
}

/* Counts the cells that hold this character, without the last two lines. */
static int count_all(const cs_canvas *c, unsigned code, cs_role *role,
                     int *first)
{
    int n = 0;
    for (int y = 1; y < c->height - 2; y++)
        for (int x = 8; x < c->width; x++) {
            const cs_cell *cell = &c->cell[y * c->width + x];
            if (cell->code != code)
                continue;
            *role = (cs_role)cell->role;
            *first = n++ ? *first : x;
        }
    return n;
}

/* ---- energies on a line -------------------------------------------------- */

/* The flattened energy follows the formulas of the paper: with and without a
 * multiplier of 1 in the last bin, and for slopes in both directions. For a
 * kernel without zeta, the flattened energy is computed from the weight of the
 * bin. */
static void the_flattened_energy_is_the_formulas(void **state)
{
    (void)state;
    static const double weight[B] = {0.3, 0.4, 0.2, 0.07, 0.02, 0.01};
    static const char *const names[] = {"zeta", "temperature", "multiplier"};
    for (int forward = 0; forward < 2; forward++) {
        const contour want = {.first = 2,
                              .width = 2,
                              .bins = B,
                              .zeta = 0.75,
                              .temperature = 2,
                              .clamp = 5,
                              .forward = forward};
        const double values[] = {want.zeta, want.temperature, forward};
        cs_contour c;
        put_bins(weight);
        cs_flat_number(&table, 3, "arm/0/params");
        for (size_t k = 0; k < 3; k++) {
            cs_flat_text(&table, names[k], "arm/0/param/%zu/name", k);
            *CS_FLAT_ROWS(&table, cs_row_param, 1, CS_KEY_PARAM, (size_t)0, k) =
                (cs_row_param){.value = values[k]};
        }
        const cs_shot s = {.base = table.base, .used = table.used};
        assert_true(cs_contour_find(&s, 0, &c));
        for (double u = -3; u < 20; u += 0.125) {
            double psi = contour_log_psi(&want, weight, u);
            assert_near(cs_contour_flat(&c, u),
                        u + want.zeta * want.temperature * psi, 1e-12, 1e-12);
            assert_int_equal(cs_contour_bin(&c, u), contour_bin(&want, u));
        }
    }
    cs_contour c;
    put_bins(weight);
    const cs_shot s = {.base = table.base, .used = table.used};
    assert_true(cs_contour_find(&s, 0, &c));
    assert_near(cs_contour_flat(&c, 5), 5 + log(0.2), 1e-12, 0);
    assert_near(cs_contour_flat(&c, 50), 50 + log(0.01), 1e-12, 0);
    cs_flat_number(&table, 1, "arm/0/params");
    cs_flat_text(&table, "measure", "arm/0/param/0/name");
    *CS_FLAT_ROWS(&table, cs_row_param, 1, CS_KEY_PARAM, (size_t)0, (size_t)0) =
        (cs_row_param){.value = 1};
    const cs_shot alike = {.base = table.base, .used = table.used};
    assert_true(cs_contour_find(&alike, 0, &c));
    assert_near(cs_contour_flat(&c, 5), log(0.2), 1e-12, 0);
}

/* Adds to the snapshot the energy along a line. The energy has two minima: 0 at
 * -2, and 2 at 2. The barrier between the minima has the energy 8. The kernel
 * has no zeta. If `bins`, the bins lower energies above 4 by 2 nats. */
static void put_line(bool bins)
{
    enum { N = 401 };
    static const double two[B] = {0.8647, 0.8647, 0.117, 0.117, 0.117, 0.117};
    if (bins)
        put_bins(two);
    else
        cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 50, "run/steps");
    cs_flat_text(&table, "x.1", "line/name");
    cs_flat_text(&table, "through chain 1 of a", "line/through");
    cs_flat_number(&table, 1250, "line/step");
    *cs_flat_array(&table, 1, 1, "line/marks") = -2;
    double *at = cs_flat_array(&table, 1, N, "line/at");
    double *energy = cs_flat_array(&table, 1, N, "line/energy");
    for (size_t i = 0; i < N; i++) {
        double x = at[i] = -4 + 8 * (double)i / (N - 1);
        energy[i] = x < 0 ? 2 * (x + 2) * (x + 2) : 2 + 1.5 * (x - 2) * (x - 2);
    }
}

static void barriers_are_figures(void **state)
{
    (void)state;
    cs_canvas c;
    put_line(true);
    draw_option(&c, "line", 0, 100, 20);
    assert_true(says(&c, "barrier (nats): ? 8 ? 6, flattened ? 6 ? 4"));
    assert_true(says(&c, "through chain 1 of a, step 1,250"));
    int at = 0;
    cs_role role;
    assert_int_equal(count_all(&c, '@', &role, &at), 1);
    compare_as(&c, CS_ANSI, CS_TIER_16, "line_16");
    compare_as(&c, CS_ANSI, CS_TIER_MONO, "line_none");
    cs_canvas_fini(&c);
    draw_option(&c, "line", 0, 40, 12);
    assert_true(says(&c, "nats ? 8 ? 6, ? 6 ? 4"));
    cs_canvas_fini(&c);
    put_line(false);
    draw_option(&c, "line", 0, 60, 12);
    assert_true(says(&c, "barrier (nats): ? 8 ? 6"));
    assert_false(says(&c, "flattened"));
    cs_canvas_fini(&c);
}

static void no_line_says_why(void **state)
{
    (void)state;
    cs_canvas c;
    put_bins(even);
    cs_flat_text(&table, "a discrete space has no line", "line/why");
    draw_option(&c, "line", 0, 80, 12);
    assert_true(says(&c, "No line can be shown: a discrete space has no line"));
    cs_canvas_fini(&c);
}

/* ---- the path and its jumps ---------------------------------------------- */

enum { STEPS = 12 };

/* Adds to the snapshot the path of a chain that moves right by half a unit per
 * step, at x.2 = 1.2. The chain enters bin 2 at the third step, and moves
 * uphill at the sixth and seventh steps. If `bin` is NULL, the snapshot has no
 * bins. */
static void put_path(const double *bin)
{
    const double x[2] = {2.99, 1.2};
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 50, "run/steps");
    cs_flat_text(&table, "a", "arm/0/name");
    memset(cs_flat_array(&table, 40, 40, "arm/0/plane/counts"), 0,
           1600 * sizeof(double));
    *CS_FLAT_ROWS(&table, cs_row_view, 1, CS_KEY_PLANE_VIEW, (size_t)0) =
        (cs_row_view){.left = -4, .right = 4, .bottom = -4, .top = 4};
    *CS_FLAT_ROWS(&table, cs_row_look, 1, CS_KEY_LOOK) = (cs_row_look){0};
    memcpy(cs_flat_array(&table, 1, 2, "look/x"), x, sizeof x);
    cs_flat_text(&table, "energy x.1 x.2", "arm/0/trace/names");
    double *time = cs_flat_array(&table, 1, STEPS, "arm/0/trace/recent");
    double *whole = cs_flat_array(&table, 1, STEPS, "arm/0/trace/time");
    for (size_t t = 0; t < STEPS; t++)
        time[t] = whole[t] = (double)(39 + t);
    static const char *const keys[] = {"recent", "low", "high"};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            double *to = cs_flat_array(&table, 1, STEPS, "arm/0/trace/%zu/%s",
                                       i, keys[k]);
            for (size_t t = 0; t < STEPS; t++)
                to[t] = i == 1 ? -3 + 0.5 * (double)t : 1.2;
        }
    if (bin)
        memcpy(cs_flat_array(&table, 1, STEPS, "arm/0/trace/bins"), bin,
               STEPS * sizeof *bin);
}

static const double path_bins[STEPS] = {1, 1, 2, 2, 2, -2, -2, 2, 2, 2, 2, 2};

/* A move into another bin has a glyph and a colour, and a move uphill has
 * another glyph and colour. The legend explains both glyphs. */
static void jumps_are_marked_on_the_path(void **state)
{
    (void)state;
    cs_canvas c;
    cs_role role[3] = {0};
    int at[3] = {0};
    put_path(path_bins);
    draw_option(&c, "map", 0, 80, 24);
    assert_int_equal(count_all(&c, 0x2022, &role[0], &at[0]), STEPS - 3);
    assert_int_equal(count_all(&c, '+', &role[1], &at[1]), 1);
    assert_int_equal(count_all(&c, 0x25B2, &role[2], &at[2]), 2);
    assert_true(role[0] != role[1] && role[1] != role[2]);
    assert_true(at[0] < at[1] && at[1] < at[2]);
    assert_true(explains(&c, "map", "into another bin"));
    assert_true(explains(&c, "map", "uphill"));
    cs_canvas_fini(&c);
    put_path(NULL);
    draw_option(&c, "map", 0, 80, 24);
    assert_int_equal(count_all(&c, 0x25B2, &role[2], &at[2]), 0);
    assert_false(explains(&c, "map", "uphill"));
    cs_canvas_fini(&c);
}

/* A target with one dimension has no map, so the trace of the newest steps
 * shows the marks. */
static void the_trace_marks_uphill_steps(void **state)
{
    (void)state;
    cs_canvas c;
    cs_role role;
    int at = 0;
    cs_selection look = {.of = "x.1", .variant = 2};
    put_path(path_bins);
    for (int bins = 1; bins >= 0; bins--) {
        cs_shot s = {.base = table.base, .used = table.used};
        assert_int_equal(cs_canvas_init(&c, 60, 14, CS_BRAILLE, NULL), CS_OK);
        cs_area a = cs_canvas_area(&c);
        cs_panel_draw(cs_panel_find("trace"), &a, &s, &look);
        assert_int_equal(count_all(&c, 0x25B2, &role, &at), 2 * bins);
        assert_int_equal(says(&c, "uphill: multiplier < 0"), bins);
        cs_canvas_fini(&c);
        put_path(NULL);
    }
}

static void jumps_in_few_colours(void **state)
{
    static const cs_tier tiers[] = {CS_TIER_256, CS_TIER_16, CS_TIER_MONO};
    static const char *const names[] = {"jumps_256", "jumps_16", "jumps_none"};
    (void)state;
    cs_canvas c;
    put_path(path_bins);
    draw_option(&c, "map", 0, 60, 16);
    for (size_t i = 0; i < 3; i++)
        compare_as(&c, CS_ANSI, tiers[i], names[i]);
    cs_canvas_fini(&c);
}

static void no_bins_no_picture(void **state)
{
    (void)state;
    cs_canvas c;
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_number(&table, 5, "run/steps");
    draw_option(&c, "bins", 0, 72, 8);
    assert_true(says(&c, "No kernel of this run has energy bins"));
    cs_canvas_fini(&c);
    put_bins((const double[B]){NAN, NAN, NAN, NAN, NAN, NAN});
    draw_option(&c, "bins", 0, 72, 8);
    assert_true(says(&c, "No weights are known: every chain has failed."));
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(bins_at_every_size, setup, teardown),
    cmocka_unit_test_setup_teardown(line_at_every_size, setup, teardown),
    cmocka_unit_test_setup_teardown(bins_in_few_colours, setup, teardown),
    cmocka_unit_test_setup_teardown(what_is_being_learned_is_shaded, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(the_axis_reaches_what_was_seen, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(unseen_bins_do_not_shade, setup, teardown),
    cmocka_unit_test_setup_teardown(negative_zones_are_marked, setup, teardown),
    cmocka_unit_test_setup_teardown(visits_beside_alike, setup, teardown),
    cmocka_unit_test_setup_teardown(jumps_are_marked_on_the_path, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(the_trace_marks_uphill_steps, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(jumps_in_few_colours, setup, teardown),
    cmocka_unit_test_setup_teardown(the_flattened_energy_is_the_formulas, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(barriers_are_figures, setup, teardown),
    cmocka_unit_test_setup_teardown(no_line_says_why, setup, teardown),
    cmocka_unit_test_setup_teardown(no_bins_no_picture, setup, teardown),
};
TESTS(test_contour)
