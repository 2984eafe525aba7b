/* Tests the overlays of the map: the path of the chain, the outcomes of its
 * proposals, and regions with too many or too few visits. */
#include "support/support.h"

#include "canned_table.h"
#include "screen/canvas/legend.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <string.h>

enum { W = 61, H = 30 };

static const cs_cell *cell_at(const cs_canvas *c, int x, int y)
{
    return &c->cell[y * c->width + x];
}

static void draw(cs_canvas *c, int w, int h, unsigned variant)
{
    cs_shot s = {.base = table.base, .used = table.used};
    cs_selection at = {
        .of = "", .variant = variant, .pinned = CS_NO_PIN, .detail = true};
    assert_int_equal(cs_canvas_init(c, w, h, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(c);
    cs_panel_draw(cs_panel_find("map"), &a, &s, &at);
}

/* Returns the number of cells with this role and glyph; 0 means any glyph. */
static int count(const cs_canvas *c, unsigned role, unsigned code)
{
    int n = 0;
    for (int i = 0; i < c->width * (c->height - 1); i++)
        n += (!role || c->cell[i].role == role) && c->cell[i].code == code;
    return n;
}

static bool says(const cs_canvas *c, int y, const char *words)
{
    char text[CS_CANVAS_MAX + 1] = "";
    for (int x = 0; x < c->width; x++)
        text[x] =
            cell_at(c, x, y)->code < 0x7F ? (char)cell_at(c, x, y)->code : '?';
    return strstr(text, words) != NULL;
}

/* Returns true if the legend has this text. */
static bool explains(cs_canvas *c, const char *text)
{
    cs_legend legend;
    cs_area a = cs_canvas_area(c);
    cs_legend_find(&a, "map", 0, &legend);
    for (size_t i = 0; i < legend.n; i++)
        if (strcmp(legend.sign[i].text, text) == 0)
            return true;
    return false;
}

/* Creates a snapshot of two chains in the plane. If `group` is above 1, each
 * chain is the cold chain of a tempered group of `group` chains. Chain number
 * `chain` is selected. The cold chain of the second group has made four steps.
 * Two proposals were accepted. The last proposal, which went straight to the
 * right, was rejected. */
static void put_moves(const char *state, double speed, int group, int chain)
{
    static const cs_row_move move[] = {{-2, -2, -2, -2, 1},
                                       {-2, 2, -2, 2, 1},
                                       {-2, 2, 1, 1, 0},
                                       {-2, 2, 2, 2, 0}};
    enum { MOVES = sizeof move / sizeof *move };
    cs_flat *f = &table;
    cs_flat_begin(f, memory, CANNED_BYTES);
    cs_flat_text(f, state, "run/state");
    cs_flat_number(f, speed, "run/speed");
    cs_flat_number(f, 1, "run/arms");
    cs_flat_text(f, "walk", "arm/0/name");
    cs_flat_number(f, 2 * group, "arm/0/chains");
    cs_flat_number(f, group, "arm/0/group");
    cs_flat_text(f, "a b", "coordinates");
    *CS_FLAT_ROWS(f, cs_row_view, 1, CS_KEY_PLANE_VIEW, (size_t)0) =
        (cs_row_view){-3, 3, -3, 3};
    double *counts = cs_flat_array(f, 24, 24, "arm/0/plane/counts");
    double *truth = cs_flat_array(f, 24, 24, "arm/0/plane/truth");
    for (int i = 0; i < 24 * 24; i++) {
        int x = i % 24;
        /* in both arrays the sum of each row is 6 * 8 + 6 * 1 + 12 * 3 = 90 */
        counts[i] = x < 6 ? 8 : x < 12 ? 1 : 3;
        truth[i] = 3.75;
    }
    cs_row_move *to =
        CS_FLAT_ROWS(f, cs_row_move, 2 * MOVES, CS_KEY_PLANE_MOVES, (size_t)0);
    memset(to, 0, MOVES * sizeof *to);
    memcpy(to + MOVES, move, sizeof move);
    *CS_FLAT_ROWS(f, cs_row_look, 1, CS_KEY_LOOK) =
        (cs_row_look){.chain = chain};
    double *x = cs_flat_array(f, 1, 2, "look/x");
    double *y = cs_flat_array(f, 1, 2, "look/proposal");
    x[0] = -2;
    x[1] = y[0] = y[1] = 2;
    assert_false(f->full);
}

/* Shows the moves of the selected chain and the legend. Each mark has its own
 * position. The marks are two triangles up, two triangles down, a line to the
 * last proposal, and dots between the first two positions. */
static void test_moves(void **state)
{
    (void)state;
    cs_canvas c;
    put_moves("paused", 0, 1, 1);
    draw(&c, W, H, 1);
    assert_int_equal(count(&c, CS_ROLE_REJECT, 0x25BC), 2);
    assert_int_equal(count(&c, CS_ROLE_ACCEPT, 0x25B2), 1); /* the @ of the
                                                             * chain covers the
                                                             * other triangle */
    assert_int_equal(count(&c, 0, '@'), 1);
    int row = 0, left = 0, right = 0, grounds = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (cell_at(&c, x, y)->code == '@') {
                row = y;
                left = x;
            }
    for (int x = left; x < W; x++)
        right = cell_at(&c, x, row)->code == 0x25BC ? x : right;
    assert_true(right > left + W / 2);
    for (int x = left + 1; x < right; x++) {
        const cs_cell *cell = cell_at(&c, x, row);
        bool level = cell->ground >= CS_ROLE_RAMP;
        assert_int_equal(cell->code, '-');
        assert_int_equal(cell->role,
                         level ? cs_theme_over(cell->ground) : CS_ROLE_REJECT);
        grounds += level;
    }
    assert_true(grounds > 0); /* the heat map remains visible */
    int dots = 0;
    for (int y = row + 1; y < H; y++)
        dots += cell_at(&c, left, y)->code == 0xB7;
    assert_true(dots > H / 2);
    assert_true(explains(&c, "path") && explains(&c, "accepted"));
    assert_true(explains(&c, "rejected") && !explains(&c, "last proposal"));
    assert_int_equal(count(&c, 0, '?'), 0);
    cs_canvas_fini(&c);
}

/* In a tempered group the moves are known only for the cold chain. */
static void test_moves_of_ladders(void **state)
{
    (void)state;
    /* all moves of chain 0 are at (0, 0), so they share one mark */
    static const int drawn[6] = {1, 0, 0, 2};
    for (int chain = 0; chain < 6; chain++) {
        cs_canvas c;
        put_moves("paused", 0, 3, chain);
        draw(&c, W, H, 1);
        assert_int_equal(count(&c, CS_ROLE_REJECT, 0x25BC), drawn[chain]);
        assert_int_equal(explains(&c, "rejected"), chain % 3 == 0);
        cs_canvas_fini(&c);
    }
}

/* The moves are shown only if the run is slow enough for the moves to be seen.
 * A line explains the displayed marks. */
static void test_speed(void **state)
{
    (void)state;
    static const struct {
        const char *state;
        double speed;
        bool drawn;
    } cases[] = {{"running", 0, false},
                 {"running", 101, false},
                 {"running", 10, true},
                 {"done", 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cs_canvas c;
        put_moves(cases[i].state, cases[i].speed, 1, 1);
        draw(&c, W, H, 1);
        assert_int_equal(count(&c, CS_ROLE_REJECT, 0x25BC) > 0, cases[i].drawn);
        assert_int_equal(explains(&c, "rejected"), cases[i].drawn);
        assert_int_equal(explains(&c, "last proposal"), !cases[i].drawn);
        assert_int_equal(count(&c, CS_ROLE_EVENT, '?'), !cases[i].drawn);
        cs_canvas_fini(&c);
    }
}

/* Regions with too many visits (the first quarter) are orange with +. Regions
 * with too few visits (the second quarter) are blue with -. Regions whose
 * visits are within a fifth of the expected number are pale. */
static void test_difference(void **state)
{
    (void)state;
    cs_canvas c;
    put_moves("running", 0, 1, 1);
    draw(&c, W, H, 3);
    int y = H / 4, seen[3] = {0};
    for (int x = 0; x < W; x++) {
        const cs_cell *at = cell_at(&c, x, y);
        if (at->code == '+' || at->code == '-') {
            bool more = at->code == '+';
            assert_int_equal(at->role, CS_ROLE_INK);
            assert_int_equal(at->ground,
                             more ? cs_theme_sides(1) : cs_theme_sides(0));
            assert_true(more == (x < W / 4 + 2));
            seen[more]++;
        } else if (x > W / 2 + 4) {
            assert_true(at->code == 0xB7 || at->code == ' ');
            seen[2] += at->code == 0xB7 &&
                       at->role < CS_ROLE_SIDES + CS_SIDES_ROLES / 2;
        }
    }
    assert_true(seen[0] > 8 && seen[1] > 8 && seen[2] > 20);
    assert_true(says(&c, 0, "few") && says(&c, 0, "many"));
    cs_canvas_fini(&c);
}

/* If space allows, the difference map is shown next to the two other maps, even
 * if it was not requested. */
static void test_three(void **state)
{
    (void)state;
    cs_canvas c;
    put_moves("paused", 0, 1, 1);
    for (int wide = 0; wide < 2; wide++) {
        draw(&c, wide ? 120 : 90, H, 0);
        assert_true(says(&c, 0, "draws up") && says(&c, 0, "exact up"));
        assert_int_equal(says(&c, 0, "draws - exact"), wide);
        cs_canvas_fini(&c);
    }
}

/* The title names the exact density only if it is drawn. */
static void test_the_title_names_what_is_drawn(void **state)
{
    const cs_panel_type *map = cs_panel_find("map");
    cs_shot s = {.base = table.base, .used = table.used};
    cs_selection at = {.of = "", .pinned = CS_NO_PIN};
    int with = 0, without = 0;
    (void)state;
    for (int w = 20; w <= 120; w += 10)
        for (int h = 8; h <= 32; h += 8) {
            cs_canvas c;
            bool exact = false;
            draw(&c, w, h, 0);
            for (int y = 0; y < h; y++)
                exact |= says(&c, y, "exact");
            cs_area a = cs_canvas_area(&c);
            const char *drawn = map->drawn(&a, &s, &at);
            if (drawn)
                assert_string_equal(drawn, "draws");
            if (exact != !drawn)
                fail_msg("%dx%d: the title names %s", w, h,
                         drawn ? drawn : "the view");
            with += exact;
            without += !exact;
            cs_canvas_fini(&c);
        }
    assert_true(with && without);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_the_title_names_what_is_drawn, setup,
                                    teardown),
    cmocka_unit_test_setup_teardown(test_moves, setup, teardown),
    cmocka_unit_test_setup_teardown(test_moves_of_ladders, setup, teardown),
    cmocka_unit_test_setup_teardown(test_speed, setup, teardown),
    cmocka_unit_test_setup_teardown(test_difference, setup, teardown),
    cmocka_unit_test_setup_teardown(test_three, setup, teardown),
};
TESTS(test_map)
