/* Tests the layout for a projector: its places, the large letters, and the
 * lesson in them. */
#include "support/support.h"

#include <ctype.h>

#include "read_panel.h"
#include "screen/canvas/large_letters.h"
#include "screen/state/ui.h"

static cs_canvas canvas;

static void start(int w, int h, cs_glyphs glyphs)
{
    assert_int_equal(cs_canvas_init(&canvas, w, h, glyphs, NULL), CS_OK);
}

/* Returns true if the pixel is set: cells have two by two pixels. */
static bool pixel(int x, int y)
{
    /* bits of the quadrants U+2596 .. U+259F: upper left, upper right, lower
     * left, lower right */
    static const unsigned bits[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
    unsigned code = canvas.cell[y / 2 * canvas.width + x / 2].code;
    unsigned set = code == 0x2588                     ? 15
                   : code == 0x2580                   ? 3
                   : code == 0x2584                   ? 12
                   : code == 0x258c                   ? 5
                   : code == 0x2590                   ? 10
                   : code >= 0x2596 && code <= 0x259f ? bits[code - 0x2596]
                                                      : 0;
    return set >> (x % 2 + y % 2 * 2) & 1;
}

static void a_letter_is_drawn_in_quadrants(void **state)
{
    (void)state;
    static const char *const rows[] = {"....#.", "....#.", ".##.#.", "#..##.",
                                       "#...#.", "#...#.", ".####.", "......"};
    start(6, 5, CS_BRAILLE);
    cs_area a = cs_canvas_area(&canvas);
    assert_int_equal(
        cs_letters_print(&a, 1, CS_ROLE_NORMAL, "d", CS_LETTERS_BLOCKS), 4);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 6; x++)
            assert_int_equal(pixel(x, y + 2), rows[y][x] == '#');
    cs_canvas_fini(&canvas);
}

/* Returns the number of pixels in which two letters differ. */
static int difference(const unsigned char a[8], const unsigned char b[8])
{
    int n = 0;
    for (int y = 0; y < 8; y++)
        n += __builtin_popcount(a[y] ^ b[y]);
    return n;
}

/* All letters differ, letters and digits in more than one pixel. None touches
 * the next letter. Only descenders reach the line of pixels between two lines
 * of text: they distinguish p from P. */
static void letters_differ_and_stand_apart(void **state)
{
    (void)state;
    unsigned char seen[128][8] = {{0}};
    start(3, 4, CS_BRAILLE);
    cs_area a = cs_canvas_area(&canvas);
    for (unsigned c = ' '; c <= '~'; c++) {
        const char text[] = {(char)c, 0};
        cs_canvas_clear(&canvas);
        cs_letters_print(&a, 0, CS_ROLE_NORMAL, text, CS_LETTERS_BLOCKS);
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 6; x++)
                if (pixel(x, y)) {
                    assert_true(x < 5);
                    seen[c][y] |= (unsigned char)(1 << x);
                }
        assert_int_equal(seen[c][7] != 0, strchr("gjpqy", (int)c) != NULL);
        for (unsigned before = ' '; before < c; before++)
            assert_true(difference(seen[before], seen[c]) >
                        (isalnum((int)before) && isalnum((int)c)));
    }
    cs_canvas_fini(&canvas);
}

static void text_is_broken_at_blanks(void **state)
{
    (void)state;
    static const char text[] = "four words of text";
    start(30, 10, CS_BRAILLE);
    cs_area a = cs_canvas_area(&canvas);
    assert_int_equal(cs_letters_height(&a, text, CS_LETTERS_BLOCKS), 8);
    assert_int_equal(cs_letters_height(&a, text, CS_LETTERS_SPACED), 2);
    cs_letters_print(&a, 0, CS_ROLE_NORMAL, text, CS_LETTERS_SPACED);
    assert_int_equal(canvas.cell[0].code, 'f');
    assert_int_equal(canvas.cell[2].code, 'o');
    assert_int_equal(canvas.cell[30].code, 't'); /* "text" */
    assert_int_equal(cs_letters_height(&a, "\xc3\xa9", CS_LETTERS_SPACED), 0);
    canvas.glyphs = CS_ASCII;
    assert_int_equal(cs_letters_height(&a, text, CS_LETTERS_BLOCKS), 0);
    assert_int_equal(cs_letters_height(&a, text, CS_LETTERS_SPACED), 2);
    cs_canvas_fini(&canvas);
}

static cs_ui ui;

static cs_layout lecture(const char *panels, int w, int h)
{
    cs_ui_init(&ui);
    cs_ui_panels(&ui, panels);
    const cs_layout_wish wish = {.slot = ui.slots.of,
                                 .n = ui.slots.n,
                                 .focus = ui.slots.focus,
                                 .sizes = &ui.slots.sizes,
                                 .arms = 5,
                                 .text = true,
                                 .lecture = true};
    cs_layout l = cs_layout_make(&wish, w, h);
    assert_int_equal(l.strip.h, 0);
    return l;
}

static void the_lesson_is_above_two_pictures(void **state)
{
    (void)state;
    static const int sizes[][3] = {
        {80, 20, 3}, {120, 36, 3}, {200, 46, 3}, {50, 20, 2}, {80, 12, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int w = sizes[i][0], h = sizes[i][1];
        cs_layout l = lecture("trace map lesson acceptance summary", w, h);
        assert_int_equal(l.n, sizes[i][2]);
        assert_string_equal(ui.slots.of[l.place[0].panel].type->name, "lesson");
        assert_int_equal(l.place[0].x, 0);
        assert_int_equal(l.place[0].y, 0);
        assert_int_equal(l.place[0].w, w);
        for (size_t k = 1; k < l.n; k++)
            assert_int_equal(l.place[k].y + l.place[k].h, h);
    }
    cs_layout l = lecture("trace map", 120, 36); /* no lesson */
    assert_true(l.n == 2);
}

static void sizes_go_with_the_layout(void **state)
{
    (void)state;
    cs_ui_init(&ui);
    cs_ui_lecture(&ui, true);
    assert_true(ui.slots.lecture && ui.slots.big);
    cs_ui_lecture(&ui, false);
    assert_false(ui.slots.lecture || ui.slots.big);
    ui.slots.big = true; /* by :big; another layout keeps it */
    cs_ui_lecture(&ui, false);
    assert_true(ui.slots.big);
    cs_ui_fini(&ui);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_letter_is_drawn_in_quadrants),
    cmocka_unit_test(letters_differ_and_stand_apart),
    cmocka_unit_test(text_is_broken_at_blanks),
    cmocka_unit_test(the_lesson_is_above_two_pictures),
    cmocka_unit_test(sizes_go_with_the_layout),
};
TESTS(test_lecture)
