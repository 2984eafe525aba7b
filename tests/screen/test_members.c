/* Tests the panels of models with parameters of several kinds, and of cycles of
 * kernels: the state by parameter, the turns of the members in the next step, the
 * conditional distribution of a coordinate, the acceptance of each member, and
 * the stairs of a Gibbs sampler in the map. */
#include "support/support.h"

#include "canned_panel.h"
#include "frame.h"
#include "kernel/composed.h"
#include "screen/parts/shown.h"
#include "screen/state/ui.h"
#include "session/client/preview_rows.h"

#include <math.h>
#include <string.h>

/* Two reals, an integer, six labels, five bits and a generated quantity. */
enum { REALS = 2, LABELS = 6, BITS = 5, SHOWN = REALS + 1 + LABELS + BITS + 1 };
static const double before[SHOWN] = {-1.25, 0.875, 41, 1, 2, 2, 1, 3,
                                     2,     0,     1,  1, 0, 1, 11},
                    between[SHOWN] = {-1.5, 0.5, 41, 1, 2, 2, 1, 3,
                                      2,    0,   1,  1, 0, 1, 11},
                    after[SHOWN] = {-1.5, 0.5, 39, 1, 2, 3, 1, 3,
                                    1,    0,   1,  1, 0, 1, 11};

static void put_kinds(cs_flat *f)
{
    static const struct {
        double kind, low, values;
        size_t n;
    } part[] = {{CS_CONTINUOUS, 0, 0, REALS},
                {CS_ORDINAL, 1, 110, 1},
                {CS_CATEGORICAL, 1, 3, LABELS},
                {CS_BINARY, 0, 2, BITS}};
    cs_row_shown *to = CS_FLAT_ROWS(f, cs_row_shown, SHOWN, CS_KEY_SHOWN);
    size_t at = 0;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        for (size_t i = 0, first = at; i < part[k].n; i++, at++)
            to[at] =
                (cs_row_shown){part[k].kind, part[k].low,   part[k].values,
                               (double)at,   (double)first, (double)part[k].n};
    to[at] = (cs_row_shown){
        .kind = CS_CONTINUOUS, .coordinate = -1, .first = (double)at, .n = 1};
    cs_flat_text(f, "mixed", "run/space");
    cs_flat_text(f,
                 "mu.1 mu.2 k z.1 z.2 z.3 z.4 z.5 z.6 b.1 b.2 b.3 b.4 b.5 "
                 "total",
                 "coordinates");
    double *q = cs_flat_array(f, SHOWN + 1, 3 * CS_QUANTILE_WORDS,
                              "arm/0/diagnostics/quantiles");
    for (size_t i = 0; i < SHOWN; i++) {
        double *row = q + (i + 1) * 3 * CS_QUANTILE_WORDS;
        row[0] = before[i] - 1;
        row[CS_QUANTILE_WORDS] = before[i];
        row[2 * CS_QUANTILE_WORDS] = before[i] + 2;
    }
}

static void put_array(cs_flat *f, const char *key, const double *x, size_t n)
{
    double *to = cs_flat_array(f, 1, n, "%s", key);
    assert_non_null(to);
    memcpy(to, x, n * sizeof *x);
}

static void put_members(cs_flat *f)
{
    static const char *const row[][3] = {{"mu", "mala", "mu"},
                                         {"k", "gibbs", "k"},
                                         {"z", "gibbs", "z"},
                                         {"b", "dmala", "b.1 to b.5"}};
    static const double numbers[][CS_MEMBER_COLUMNS] = {
        {0.61, 0.61, 1, 0, 2.25, 0, 0.5},
        {1, 0.85, 1, 0.01, 0, 1, 0.25},
        {1, 0.31, 6, 0, 0, 6, 0.125},
        {0.72, 0.5, 1, 1, 2, 0, 0.125}};
    double *to = cs_flat_array(f, 4, CS_MEMBER_COLUMNS, "arm/0/kernel/members");
    memcpy(to, numbers, sizeof numbers);
    for (size_t i = 0; i < 4; i++) {
        cs_flat_text(f, row[i][0], "arm/0/kernel/member/%zu/name", i);
        cs_flat_text(f, row[i][1], "arm/0/kernel/member/%zu/kernel", i);
        cs_flat_text(f, row[i][2], "arm/0/kernel/member/%zu/moves", i);
    }
    cs_flat_number(f, 0.574, "arm/0/kernel/member/0/aim");
    double *by = cs_flat_array(f, 1, SHOWN - 1, "arm/0/kernel/moved_by");
    for (size_t d = 0; d < SHOWN - 1; d++)
        by[d] = d < REALS ? 0 : d == REALS ? 1 : d < REALS + 1 + LABELS ? 2 : 3;
}

static void put_turns(cs_flat *f)
{
    const double nan = (double)NAN;
    const double *state[5] = {before, between, between, after, after};
    cs_turn_note *n = CS_FLAT_ROWS(f, cs_turn_note, 4, CS_KEY_TURNS);
    n[0] = (cs_turn_note){.member = 0,
                          .steps = 1,
                          .moves = 1,
                          .accepts = 1,
                          .proposes = 1,
                          .log_ratio = -0.25,
                          .log_uniform = -0.5,
                          .accepted = 1,
                          .accept_stat = nan,
                          .depth = nan,
                          .leapfrogs = nan,
                          .divergent = nan};
    n[1] = n[2] = n[3] = n[0];
    n[1].member = 1;
    n[2].member = 2;
    n[3].member = 3;
    n[1].accepts = n[2].accepts = n[1].proposes = n[2].proposes = 0;
    n[2].steps = 6;
    n[2].moves = 2;
    n[3].log_ratio = -2;
    n[3].accepted = n[3].moves = 0;
    double *was = cs_flat_array(f, 4, SHOWN, "look/turns/before"),
           *now = cs_flat_array(f, 4, SHOWN, "look/turns/after"),
           *to = cs_flat_array(f, 4, SHOWN, "look/turns/proposal");
    for (size_t i = 0; i < 4; i++) {
        memcpy(was + i * SHOWN, state[i], sizeof before);
        memcpy(now + i * SHOWN, state[i + 1], sizeof before);
        memcpy(to + i * SHOWN, state[i + 1], sizeof before);
    }
    now[SHOWN + 2] = was[2 * SHOWN + 2] = 39; /* k moves before z */
    to[3 * SHOWN + SHOWN - 2] = 0;            /* b.5 would become 0 */
    cs_flat_number(f, 4, "look/turns/of");
}

static void put_conditional(cs_flat *f, bool discrete)
{
    enum { POINTS = 64, VALUES = 12 };
    size_t n = discrete ? VALUES : POINTS;
    double *x = cs_flat_array(f, 1, n, "look/conditional/value"),
           *p = cs_flat_array(f, 1, n, "look/conditional/density");
    for (size_t i = 0; i < n; i++) {
        x[i] = discrete ? 33.0 + (double)i : -3.5 + 4.0 * (double)i / POINTS;
        p[i] = discrete ? exp(-0.125 * pow(x[i] - 40, 2))
                        : exp(-2 * pow(x[i] + 1.5, 2));
    }
    *CS_FLAT_ROWS(f, cs_row_conditional, 1, CS_KEY_CONDITIONAL) =
        discrete ? (cs_row_conditional){1, 2, 41, 39}
                 : (cs_row_conditional){0, 0, -1.25, -1.5};
}

/* Makes the snapshot. In the chosen chain's last step the state became `before`.
 * `made`: number of turns that slow motion has made; -1: the run is paused. */
static void put_all(bool discrete, int made)
{
    cs_flat rest;
    unsigned char *scratch = cs_alloc(CANNED_BYTES, 1);
    assert_non_null(scratch);
    canned(&rest, scratch);
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_text(&table, made < 0 ? "paused" : "running", "run/state");
    cs_flat_number(&table, made >= 0, "run/slow");
    cs_flat_number(&table, 4, "run/turns");
    if (made >= 0)
        cs_flat_number(&table, made, "look/turns/made");
    cs_flat_text(&table, "cycle(mala+gibbs+gibbs+dmala)", "arm/0/kernel");
    *CS_FLAT_ROWS(&table, cs_row_look, 1, CS_KEY_LOOK) =
        (cs_row_look){.chain = 1, .coordinate = discrete ? 2 : 0};
    put_array(&table, "look/x", before, SHOWN);
    put_kinds(&table);
    put_members(&table);
    put_turns(&table);
    put_conditional(&table, discrete);
    cs_flat_add(&table, rest.base, rest.used);
    cs_free(scratch);
    assert_false(table.full);
}

static void panel(const char *panels, int w, int h, cs_glyphs glyphs,
                  const char *name)
{
    static cs_ui ui;
    cs_canvas c;
    cs_ui_init(&ui);
    assert_int_equal(cs_canvas_init(&c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, &c);
    cs_ui_panels(&ui, panels);
    ui.slots.zoom = !strchr(panels, ' ');
    cs_canvas_clear(&c);
    cs_screen_frame(&ui, table.base, table.used, &c);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
    cs_canvas_fini(&c);
}

/* Each parameter has a name and a kind; a vector of discrete numbers is a row. The
 * quantile range and the conditional distribution are drawn. */
static void test_state(void **state)
{
    (void)state;
    put_all(false, -1);
    panel("state", 80, 24, CS_BRAILLE, "parts_state_80x24");
    panel("state", 120, 40, CS_BRAILLE, "parts_state_120x40");
    panel("state map acceptance", 120, 40, CS_BRAILLE, "parts_beside_120x40");
    panel("state map acceptance", 80, 24, CS_ASCII, "parts_ascii_80x24");
    put_all(true, -1);
    panel("state", 80, 24, CS_BRAILLE, "parts_integer_80x24");
    panel("state", 120, 40, CS_ASCII, "parts_integer_ascii_120x40");
}

/* Slow motion shows the state after the last turn, its changes, and its member. */
static void test_slow_motion(void **state)
{
    (void)state;
    put_all(false, 1);
    panel("state", 80, 24, CS_BRAILLE, "parts_slow_first_80x24");
    put_all(true, 3);
    panel("state", 80, 24, CS_BRAILLE, "parts_slow_80x24");
    panel("proposal", 80, 24, CS_BRAILLE, "parts_slow_turns_80x24");
}

/* Each turn is described in the terms of its kernel. */
static void test_turns(void **state)
{
    (void)state;
    put_all(true, -1);
    panel("proposal", 80, 24, CS_BRAILLE, "parts_turns_80x24");
    panel("proposal", 120, 40, CS_BRAILLE, "parts_turns_120x40");
    panel("proposal", 40, 16, CS_ASCII, "parts_turns_40x16");
    put_all(false, -1);
    panel("proposal", 120, 40, CS_BRAILLE, "parts_turns_real_120x40");
}

static void test_acceptance(void **state)
{
    (void)state;
    put_all(true, -1);
    panel("acceptance", 80, 24, CS_BRAILLE, "parts_acceptance_80x24");
    panel("acceptance", 120, 40, CS_BRAILLE, "parts_acceptance_120x40");
    panel("acceptance", 40, 12, CS_ASCII, "parts_acceptance_40x12");
}

/* A vector that is longer than the area is drawn from the line of the chosen
 * element on, and the elements that are not drawn are counted. */
static void test_long_vector(void **state)
{
    enum { LONG = 300, CHOSEN = 251 };
    static double x[1 + LONG], from[1 + LONG];
    const cs_row_shown row[] = {{CS_CONTINUOUS, 0, 0, 0, 0, 1},
                                {CS_CATEGORICAL, 1, 3, 1, 1, LONG}};
    const cs_shown_kinds k = {.row = row, .n = 2, .names = "mu z.1"};
    const cs_shown_state at = {x, from, 1 + LONG, 1 + LONG, 1 + CHOSEN};
    cs_canvas c;
    (void)state;
    for (size_t i = 0; i < LONG; i++)
        from[1 + i] = x[1 + i] = 1 + (double)(i % 3);
    from[1 + CHOSEN] = 2;
    assert_int_equal(cs_canvas_init(&c, 60, 8, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    assert_true(cs_shown_lines(&k, &at, c.width) > c.height);
    assert_int_equal(cs_draw_shown(&a, &k, &at), c.height);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, "parts_long_60x8");
    size_t marked = 0;
    for (int i = 0; i < c.width * c.height; i++)
        marked += (c.cell[i].attributes & CS_REVERSE) != 0;
    assert_int_equal(marked, 1);
    cs_canvas_fini(&c);
}

/* ---- signs ----------------------------------------------------------------- */

/* The legend explains the signs of these panels. */
static void test_legend(void **state)
{
    static const char *const text[][2] = {
        {"state", "present value"},         {"state", "5 to 95 % of the draws"},
        {"state", "conditional density"},   {"state", "before the draw"},
        {"state", "after the draw"},        {"acceptance", "best rate"},
        {"proposal", "conditional density"}};
    (void)state;
    put_all(false, -1);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        cs_canvas c;
        cs_selection at = {.chain = 1};
        draw_panel(&c, text[i][0], 120, 40, &at);
        if (!explains(&c, text[i][0], text[i][1]))
            fail_msg("the legend of %s lacks '%s'", text[i][0], text[i][1]);
        cs_canvas_fini(&c);
    }
}

/* ---- stairs ---------------------------------------------------------------- */

/* Adds a chain that makes five steps in the plane of two coordinates, which the
 * members by[0] and by[1] move. */
static void put_stairs(double x_by, double y_by, double every)
{
    static const double point[][2] = {{-3, -2}, {-1, -1}, {1, 1},
                                      {2, -1},  {3, 2},   {1, 0}};
    enum { POINTS = sizeof point / sizeof *point, CHAINS = 4 };
    cs_flat rest;
    unsigned char *scratch = cs_alloc(CANNED_BYTES, 1);
    assert_non_null(scratch);
    canned(&rest, scratch);
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_text(&table, "paused", "run/state");
    put_array(&table, "arm/0/kernel/moved_by", (double[]){x_by, y_by}, 2);
    cs_flat_number(&table, every, "arm/0/plane/every");
    cs_row_move *to = CS_FLAT_ROWS(&table, cs_row_move, CHAINS * POINTS,
                                   CS_KEY_PLANE_MOVES, (size_t)0);
    for (size_t i = 0; i < CHAINS * POINTS; i++)
        to[i] = (cs_row_move){point[i % POINTS][0], point[i % POINTS][1],
                              (double)NAN, (double)NAN, 1};
    put_array(&table, "look/x", point[POINTS - 1], 2);
    cs_flat_add(&table, rest.base, rest.used);
    cs_free(scratch);
}

/* A step of a cycle goes along one axis and then along the other, in the order of
 * the members. If one member moves both coordinates, if the order is not known,
 * or if steps are left out, the path is straight. */
static void test_stairs(void **state)
{
    (void)state;
    put_stairs(0, 1, 1);
    panel("map", 80, 24, CS_BRAILLE, "parts_stairs_80x24");
    panel("map", 120, 40, CS_BRAILLE, "parts_stairs_120x40");
    put_stairs(1, 0, 1);
    panel("map", 80, 24, CS_BRAILLE, "parts_stairs_up_80x24");
    put_stairs(0, 0, 1);
    panel("map", 80, 24, CS_BRAILLE, "parts_straight_80x24");
    put_stairs(CS_MOVED_BY_SEVERAL, 1, 1);
    panel("map", 80, 24, CS_BRAILLE, "parts_straight_80x24");
    put_stairs(0, 1, 2);
    panel("map", 80, 24, CS_BRAILLE, "parts_straight_80x24");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_state),       cmocka_unit_test(test_slow_motion),
    cmocka_unit_test(test_turns),       cmocka_unit_test(test_acceptance),
    cmocka_unit_test(test_long_vector), cmocka_unit_test(test_legend),
    cmocka_unit_test(test_stairs),
};
TESTS_WITH(test_members, setup, teardown)
