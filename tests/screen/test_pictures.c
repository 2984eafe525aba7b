/* Tests pictures of states. Frames are compared with frames/, and every pixel
 * is read back from the cells. */
#include "canned_frame.h"
#include "screen/canvas/graph_layout.h"
#include "screen/canvas/plot.h"
#include "target/target.h"

/* Shows the panels in `names`, as if the list of panels in the snapshot
 * contained these names. */
static void show_panels(const char *names)
{
    cs_ui_init(&ui);
    follow(1, 1);
    cs_ui_panels(&ui, names);
}

static void test_sizes(void **state)
{
    (void)state;
    show_panels("picture trace energy acceptance");
    frame(80, 24, CS_BRAILLE, "picture_80x24");
    frame(80, 24, CS_BLOCK, "picture_block_80x24");
    frame(80, 24, CS_ASCII, "picture_ascii_80x24");
    frame(200, 60, CS_BRAILLE, "picture_200x60");
    ui.look.every_arm = true;
    frame(120, 40, CS_BRAILLE, "picture_120x40");
    ui.slots.zoom = true;
    frame(80, 24, CS_BRAILLE, "picture_zoom_80x24");
    ui.look.every_arm = false;
    ui.slots.of[0].variant = 1;
    ui.look.chain = 1;
    frame(80, 24, CS_BRAILLE, "picture_chosen_80x24");
    frame(40, 12, CS_ASCII, "picture_chosen_40x12");
    ui.slots.of[0].option = 1;
    frame(80, 24, CS_BRAILLE, "picture_means_80x24");
    assert_int_equal(ui.drawn.pictures, 0); /* no states are requested */
}

static void test_colours(void **state)
{
    (void)state;
    cs_canvas c;
    show_panels("picture trace");
    ui.slots.of[0].variant = 1;
    ui.look.chain = 1;
    draw(&c, 80, 24, CS_BRAILLE);
    compare_as(&c, CS_ANSI, CS_TIER_256, "picture_256");
    compare_as(&c, CS_ANSI, CS_TIER_16, "picture_16");
    compare_as(&c, CS_ANSI, CS_TIER_MONO, "picture_none");
    cs_canvas_fini(&c);
}

/* Returns the colours of the upper and the lower half of a cell, as indices of
 * the 256 colours. */
static void halves(const cs_cell *cell, int *upper, int *lower)
{
    cs_paint p = cs_theme_paint(cs_theme_at(0), cell->role, cell->ground,
                                cell->code, CS_TIER_256);
    int ink = p.ink.colour, ground = p.ground.colour;
    bool up = p.code == 0x2580 || p.code == 0x2588;
    bool down = p.code == 0x2584 || p.code == 0x2588;
    assert_true(up || down || p.code == ' ');
    *upper = up ? ink : ground;
    *lower = down ? ink : ground;
}

static int colour_of(const cs_pixels *p, unsigned level)
{
    double share = (level - 1.0) / p->most;
    cs_role role = p->palette == CS_PALETTE_CLASSES ? cs_theme_class(level - 1)
                   : p->palette == CS_PALETTE_SIDES ? cs_theme_sides(share)
                                                    : cs_theme_ramp(share);
    return cs_theme_style(cs_theme_at(0), role, CS_TIER_256).colour;
}

/* Compares every pixel of a picture with the cells, at each zoom. */
static void compare_pixels(const cs_canvas *c, const cs_pixels *p, size_t zoom)
{
    for (size_t y = 0; y < p->rows * zoom; y++)
        for (size_t x = 0; x < p->cols * zoom; x++) {
            int is[2];
            halves(c->cell + y / 2 * (size_t)c->width + x, &is[0], &is[1]);
            unsigned level = p->level[y / zoom * p->cols + x / zoom];
            assert_int_equal(is[y % 2], colour_of(p, level));
        }
}

static void test_every_pixel(void **state)
{
    (void)state;
    enum { ROWS = 6, COLS = 7, N = ROWS * COLS };
    static const struct {
        cs_palette palette;
        unsigned most;
    } kinds[] = {{CS_PALETTE_TWO, 1},
                 {CS_PALETTE_CLASSES, 4},
                 {CS_PALETTE_GREY, 253},
                 {CS_PALETTE_SIDES, 253}};
    unsigned char level[N];
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 60, 30, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    for (size_t k = 0; k < 4; k++)
        for (int zoom = 1; zoom <= 8; zoom++) {
            for (unsigned i = 0; i < N; i++)
                level[i] = (unsigned char)(1 + i * 37 % (kinds[k].most + 1));
            cs_pixels p = {.level = level,
                           .n = N,
                           .rows = ROWS,
                           .cols = COLS,
                           .most = kinds[k].most,
                           .palette = kinds[k].palette};
            cs_grain g = {.zoom = zoom, .shrink = 1};
            cs_canvas_clear(&c);
            cs_pixels_draw(&a, &p, &g);
            compare_pixels(&c, &p, (size_t)zoom);
        }
    cs_canvas_fini(&c);
}

/* The layers of a state are next to each other, with a column between them. The
 * value of a block is the mean of the pixels in the block. Pixels outside the
 * picture do not count. */
static void test_layers_and_blocks(void **state)
{
    (void)state;
    static const unsigned char layers[] = {1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 1};
    static const unsigned char field[] = {1, 101, 101, 1, 101, 201, 1, 1, 201};
    static const unsigned want[] = {0x2584, 0x2588, ' ',    0x2580,
                                    ' ',    ' ',    0x2584, 0x2580};
    cs_canvas c;
    int w, h;
    assert_int_equal(cs_canvas_init(&c, 20, 8, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_pixels p = {.level = layers,
                   .n = 12,
                   .rows = 2,
                   .cols = 2,
                   .layers = 3,
                   .most = 1,
                   .palette = CS_PALETTE_TWO};
    cs_grain g = {.zoom = 1, .shrink = 1};
    cs_grain_size(&g, &p, &w, &h);
    assert_int_equal(w, 8);
    assert_int_equal(h, 1);
    cs_pixels_draw(&a, &p, &g);
    for (int i = 0; i < 8; i++)
        assert_int_equal(c.cell[i].code, want[i]);
    p = (cs_pixels){.level = field,
                    .n = 9,
                    .rows = 3,
                    .cols = 3,
                    .most = 200,
                    .palette = CS_PALETTE_GREY};
    g.shrink = 2;
    cs_grain_size(&g, &p, &w, &h);
    assert_int_equal(w, 2);
    assert_int_equal(h, 1);
    cs_canvas_clear(&c);
    cs_pixels_draw(&a, &p, &g);
    assert_int_equal(c.cell[0].role, cs_theme_ramp(50.0 / 200));
    assert_int_equal(c.cell[1].role, cs_theme_ramp(150.0 / 200));
    assert_int_equal(c.cell[0].ground, cs_theme_ramp(0));
    assert_int_equal(c.cell[1].ground, cs_theme_ramp(1));
    cs_canvas_fini(&c);
}

/* Without colours the ends of every scale differ, and so do all classes. */
static void test_without_colours(void **state)
{
    (void)state;
    const cs_tier tiers[] = {CS_TIER_MONO, CS_TIER_16};
    for (int t = 0; t < 2; t++)
        for (cs_glyphs g = CS_ASCII; g <= CS_BRAILLE; g++) {
            cs_canvas c;
            cs_cell seen[12];
            const cs_role low = cs_theme_ramp(0), high = cs_theme_ramp(1);
            assert_int_equal(cs_canvas_init(&c, 12, 1, g, NULL), CS_OK);
            cs_area a = cs_canvas_area(&c);
            cs_put_two(&a, 0, 0, low, low);
            cs_put_two(&a, 1, 0, high, high);
            cs_put_two(&a, 2, 0, high, low);
            cs_put_two(&a, 3, 0, low, high);
            for (int i = 0; i < CS_CHAIN_ROLES; i++)
                cs_put_two(&a, 4 + i, 0, cs_theme_class((unsigned long)i),
                           cs_theme_class((unsigned long)i));
            for (int i = 0; i < 12; i++) {
                cs_paint p =
                    cs_theme_paint(cs_theme_at(0), c.cell[i].role,
                                   c.cell[i].ground, c.cell[i].code, tiers[t]);
                seen[i] = (cs_cell){.code = p.code};
                seen[i].role =
                    t && p.ink.colour > 0 ? (uint8_t)p.ink.colour : 0;
                for (int k = 0; k < i; k++)
                    assert_true((i < 4) != (k < 4) ||
                                seen[k].code != seen[i].code ||
                                seen[k].role != seen[i].role);
            }
            cs_canvas_fini(&c);
        }
}

/* If a cell has two classes, the letter is that of the upper class. The letter
 * is a capital if the lower class is a different one. */
static void test_two_classes_in_a_cell(void **state)
{
    (void)state;
    const cs_role one = cs_theme_class(1), two = cs_theme_class(2);
    assert_int_equal(
        cs_theme_paint(cs_theme_at(0), one, one, 0x2580, CS_TIER_MONO).code,
        'b');
    assert_int_equal(
        cs_theme_paint(cs_theme_at(0), one, two, 0x2580, CS_TIER_MONO).code,
        'B');
    assert_int_equal(
        cs_theme_paint(cs_theme_at(0), two, one, 0x2580, CS_TIER_MONO).code,
        'C');
    assert_int_equal(
        cs_theme_paint(cs_theme_at(0), two, one, 0x2580, CS_TIER_256).code,
        0x2580);
}

/* Shows cities with edges, and a tour of the cities. Cities without positions
 * are placed on a circle. */
static void test_places(void **state)
{
    (void)state;
    enum { N = 14, M = 18 };
    unsigned char level[N];
    double place[2 * N], edge[2 * M], order[N];
    for (unsigned i = 0; i < N; i++) {
        level[i] = (unsigned char)(1 + i * i % 3 % 2);
        place[2 * i] = (double)(i * 5 % N);
        place[2 * i + 1] = (double)(i * i % N);
        order[i] = (double)(i * 3 % N);
    }
    for (unsigned k = 0; k < M; k++) {
        edge[2 * k] = k % N;
        edge[2 * k + 1] = (k * 4 + 3) % N;
    }
    order[5] = NAN; /* entries that are not cities are ignored */
    for (int circle = 0; circle < 2; circle++) {
        cs_canvas c;
        cs_graph_layout p = {circle ? NULL : place, N, edge, M};
        cs_pixels x = {
            .level = level, .n = N, .most = 1, .palette = CS_PALETTE_TWO};
        assert_int_equal(cs_canvas_init(&c, 72, 16, CS_BRAILLE, NULL), CS_OK);
        cs_area all = cs_canvas_area(&c);
        cs_area left = cs_area_part(&all, 0, 0, 35, 16);
        cs_area right = cs_area_part(&all, 37, 0, 35, 16);
        cs_graph_layout_graph(&left, &p, &x);
        cs_graph_layout_tour(&right, &p, order);
        compare_as(&c, CS_TEXT, CS_TIER_MONO,
                   circle ? "places_circle" : "places_plane");
        cs_canvas_fini(&c);
    }
}

/* ---- a proposed tour ----------------------------------------------------- */

enum { PLACES = 10 };

static double *put_row(cs_flat *f, const double *row, size_t n, const char *key)
{
    double *to = cs_flat_array(f, 1, n, "%s", key);
    assert_non_null(to);
    memcpy(to, row, n * sizeof *row);
    return to;
}

/* Adds to the snapshot a chain with ten cities, the tour 0 1 2 ... and its
 * proposal. */
static void canned_tour(cs_flat *f, void *scratch, const double *proposal)
{
    double order[PLACES];
    cs_flat_begin(f, scratch, CANNED_BYTES);
    canned_run(f);
    *CS_FLAT_ROWS(f, cs_row_picture, 1, CS_KEY_PICTURE) =
        (cs_row_picture){.kind = CS_PICTURE_TOUR,
                         .n = PLACES,
                         .values = 2,
                         .high = 1,
                         .layers = 1};
    double *place = cs_flat_array(f, PLACES, 2, "picture/places");
    for (size_t i = 0; i < PLACES; i++) {
        order[i] = (double)i;
        place[2 * i] = (double)(i * 7 % PLACES);
        place[2 * i + 1] = (double)(i * i % 11);
    }
    put_row(f, order, PLACES, "arm/0/picture/tours");
    *CS_FLAT_ROWS(f, cs_row_pictured, 1, CS_KEY_PICTURED, (size_t)0) =
        (cs_row_pictured){.logp = -42.5};
    cs_flat_number(f, 0, "arm/0/picture/first");
    if (proposal)
        put_row(f, proposal, PLACES, "look/picture/tour");
}

static void draw_tour(const double *proposal, int w, int h, cs_glyphs glyphs,
                      cs_canvas *c)
{
    static const cs_selection at = {.variant = 1};
    void *scratch = cs_alloc(CANNED_BYTES, 1);
    cs_flat f;
    canned_tour(&f, scratch, proposal);
    const cs_shot s = {.base = f.base, .used = f.used};
    assert_int_equal(cs_canvas_init(c, w, h, glyphs, NULL), CS_OK);
    cs_area all = cs_canvas_area(c);
    cs_panel_draw(cs_panel_find("picture"), &all, &s, &at);
    cs_free(scratch);
}

static size_t count_role(const cs_canvas *c, cs_role role)
{
    size_t n = 0;
    for (int i = 0; i < c->width * (c->height - 1); i++)
        n += c->cell[i].role == role;
    return n;
}

/* The proposal is shown next to the state. New, removed and kept edges can be
 * distinguished with and without colours, at three sizes of the screen. */
static void test_proposed_tours(void **state)
{
    (void)state;
    static const double swap[] = {0, 1, 6, 3, 4, 5, 2, 7, 8, 9};
    static const double turned[] = {3, 2, 1, 0, 9, 8, 7, 6, 5, 4};
    static const double none[] = {0, 1, 2, 3, 4, 4, 6, 7, PLACES, 9};
    static const struct {
        int w, h;
        cs_glyphs glyphs;
        const char *name;
    } sizes[] = {{37, 10, CS_BRAILLE, "80x24"},
                 {56, 16, CS_BRAILLE, "120x40"},
                 {94, 24, CS_BRAILLE, "200x60"},
                 {37, 10, CS_ASCII, "ascii_80x24"},
                 {94, 24, CS_ASCII, "ascii_200x60"}};
    char name[64];
    cs_canvas c;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int bad = 0; bad < 2; bad++) {
            draw_tour(bad ? none : swap, sizes[i].w, sizes[i].h,
                      sizes[i].glyphs, &c);
            snprintf(name, sizeof name, "tour_%s_%s",
                     bad ? "infeasible" : "proposed", sizes[i].name);
            compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
            assert_true(count_role(&c, CS_ROLE_ACCEPT) > 0);
            assert_true(count_role(&c, CS_ROLE_REJECT) > 0);
            assert_true(count_role(&c, CS_ROLE_FAINT) > 0);
            cs_canvas_fini(&c);
        }
    draw_tour(turned, 56, 16, CS_BRAILLE, &c); /* the same tour, traversed in
                                                * the other direction */
    assert_int_equal(count_role(&c, CS_ROLE_ACCEPT), 0);
    assert_int_equal(count_role(&c, CS_ROLE_REJECT), 0);
    cs_canvas_fini(&c);
    draw_tour(NULL, 56, 16, CS_BRAILLE, &c);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, "tour_alone_120x40");
    cs_canvas_fini(&c);
}

/* The labels of an axis are distinct, however far its range is from 0. */
static void labels_of_ticks_differ(void **state)
{
    (void)state;
    static const struct {
        double from, to;
    } window[] = {{19850, 20000}, {0, 20000}, {99850, 100100}, {0, 3e5},
                  {1.2e6, 1.3e6}, {-3, 0.5},  {5.76, 5.7602},  {1e-6, 5e-5}};
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 60, 8, CS_BRAILLE, NULL), CS_OK);
    cs_area all = cs_canvas_area(&c), line = cs_area_part(&all, 0, 7, 60, 1);
    for (size_t i = 0; i < sizeof window / sizeof *window; i++) {
        char label[16][64] = {{0}};
        size_t n = 0, length = 0;
        cs_plot p = cs_plot_make(&all, window[i].from, window[i].to, 0, 1);
        memset(c.cell, 0, (size_t)(c.width * c.height) * sizeof *c.cell);
        cs_plot_axis_x(&line, &p, "");
        for (int x = 0; x < 60; x++) {
            unsigned code = (unsigned)c.cell[7 * 60 + x].code;
            bool shown = code > ' ' && code < 128;
            if (shown)
                label[n][length++] = (char)code;
            else if (length)
                n++, length = 0;
        }
        n += length > 0;
        assert_true(n >= 2);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < a; b++)
                assert_string_not_equal(label[a], label[b]);
    }
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(labels_of_ticks_differ),
    cmocka_unit_test(test_sizes),
    cmocka_unit_test(test_colours),
    cmocka_unit_test(test_every_pixel),
    cmocka_unit_test(test_layers_and_blocks),
    cmocka_unit_test(test_without_colours),
    cmocka_unit_test(test_two_classes_in_a_cell),
    cmocka_unit_test(test_places),
    cmocka_unit_test(test_proposed_tours),
};
TESTS_WITH(test_pictures, setup, teardown)
