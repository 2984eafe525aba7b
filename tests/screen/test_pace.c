/* Tests which panels are painted during a run. The number of bytes per second
 * is limited, and panels take turns. No panel is out of date for long. */
#include "support/support.h"

#include "screen/state/pace.h"

#include <string.h>

enum { SIDE = 20, PARTS = 6, CELL = 7 };
#define PICTURE 0.1 /* seconds between two frames */

static cs_canvas drawn, shown;
static cs_area part[PARTS];

static int setup(void **state)
{
    (void)state;
    assert_int_equal(cs_canvas_init(&drawn, SIDE * PARTS, SIDE, CS_ASCII, NULL),
                     CS_OK);
    assert_int_equal(cs_canvas_init(&shown, SIDE * PARTS, SIDE, CS_ASCII, NULL),
                     CS_OK);
    cs_area all = cs_canvas_area(&drawn);
    for (int i = 0; i < PARTS; i++)
        part[i] = cs_area_part(&all, i * SIDE, 0, SIDE, SIDE);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cs_canvas_fini(&drawn);
    cs_canvas_fini(&shown);
    return 0;
}

/* Returns the number of cells of a part that differ from the displayed
 * cells. */
static size_t news(size_t i)
{
    size_t n = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int at = y * SIDE * PARTS + (int)i * SIDE + x;
            n += drawn.cell[at].code != shown.cell[at].code;
        }
    return n;
}

/* Renders frame number k: all cells of the first `whole` parts change, and one
 * line of each other part. */
static void draw(int k, size_t whole)
{
    for (size_t i = 0; i < PARTS; i++) {
        cs_area a = part[i];
        a.h = i < whole ? a.h : 1;
        cs_fill(&a, CS_ROLE_NORMAL, (unsigned)('a' + k % 26));
    }
}

/* Paints the frame, adds the number of painted cells to painted[], and returns
 * true if changed cells remain unpainted. */
static bool paint(cs_pace *p, int k, bool all, size_t painted[PARTS])
{
    bool held = cs_pace_hold(p, 1 + k * PICTURE, part, PARTS, NULL,
                             all ? NULL : &shown);
    size_t sum = 0;
    for (size_t i = 0; i < PARTS; i++) {
        sum += news(i);
        painted[i] += news(i);
    }
    cs_pace_spend(p, sum * CELL);
    memcpy(shown.cell, drawn.cell,
           sizeof *shown.cell * SIDE * SIDE * (size_t)PARTS);
    return held;
}

/* Five parts of 2.7 KiB each, at ten frames per second, need 137 KiB per
 * second. */
static void test_turns(void **state)
{
    (void)state;
    enum { PICTURES = 60, WHOLE = PARTS - 1, RATE = 36 * 1024 };
    size_t painted[PARTS] = {0}, held = 0, behind[PARTS] = {0};
    cs_pace p = {.rate = RATE};
    for (int k = 0; k < PICTURES; k++) {
        size_t before[PARTS];
        memcpy(before, painted, sizeof before);
        draw(k, WHOLE);
        held += paint(&p, k, false, painted);
        for (size_t i = 0; i < PARTS; i++) {
            behind[i] = painted[i] == before[i] ? behind[i] + 1 : 0;
            assert_true((double)behind[i] * PICTURE <= 0.5);
        }
    }
    size_t sum = 0;
    for (size_t i = 0; i < PARTS; i++) {
        assert_true(i == WHOLE || painted[i] >= 11 * SIDE * SIDE);
        sum += painted[i];
    }
    assert_true(held > PICTURES / 2);
    assert_int_equal(painted[WHOLE], PICTURES * SIDE); /* this part never
                                                        * waits */
    double rate = (double)(sum * CELL) / (PICTURES * PICTURE);
    print_message("%.1f KiB/s\n", rate / 1024);
    assert_true(rate < 1.1 * RATE && rate > 0.8 * RATE);
}

/* Half of the parts are rendered in each frame, so each part is rendered in
 * every second frame. */
static void test_rests(void **state)
{
    (void)state;
    bool rests[PARTS], before[PARTS] = {false};
    cs_pace p = {0};
    for (int k = 0; k < 10; k++) {
        size_t n = 0;
        cs_pace_rest(&p, PARTS, rests);
        for (size_t i = 0; i < PARTS; i++) {
            n += rests[i];
            assert_true(k == 0 || rests[i] != before[i]);
        }
        assert_int_equal(n, PARTS / 2);
        memcpy(before, rests, sizeof rests);
        draw(k, 1);
        assert_true(
            cs_pace_hold(&p, 1 + k * PICTURE, part, PARTS, rests, &shown));
    }
}

/* No part waits if the whole frame must be painted, or if the limit of bytes is
 * large enough. */
static void test_all(void **state)
{
    (void)state;
    size_t painted[PARTS] = {0};
    cs_pace p = {0};
    for (int k = 0; k < 10; k++) {
        draw(k, PARTS);
        assert_false(paint(&p, k, true, painted));
        assert_int_equal(painted[0], (size_t)(k + 1) * SIDE * SIDE);
    }
    p = (cs_pace){.rate = 36 * 1024};
    for (int k = 0; k < 10; k++) {
        draw(k, 1);
        assert_false(paint(&p, k, false, painted));
    }
}

/* A link with an eighth of the speed gets an eighth of the bytes. No part waits
 * forever. */
static void test_slow_line(void **state)
{
    (void)state;
    enum { PICTURES = 400, WHOLE = PARTS - 1 };
    size_t painted[PARTS] = {0}, cells = 0;
    cs_pace p = {.rate = CS_PACE_RATE / 8.0};
    for (int k = 0; k < PICTURES; k++) {
        draw(k, WHOLE);
        paint(&p, k, false, painted);
    }
    for (size_t i = 0; i < PARTS; i++) {
        assert_true(painted[i] > 0);
        cells += painted[i];
    }
    double rate = (double)(cells * CELL) / (PICTURES * PICTURE);
    if (rate > 1.6 * p.rate || rate < 0.5 * p.rate)
        fail_msg("%g bytes per second, but %g are allowed", rate, p.rate);
}

/* Pictures in pixels of 5 KB, sent whenever they may be, have the same limit as
 * text. Their bytes count for text too, but a large picture delays text no
 * longer than large text does. */
static void test_pixels(void **state)
{
    (void)state;
    enum { FRAMES = 400, BYTES = 5000 };
    cs_pace p = {0};
    size_t sent = 0;
    for (int k = 0; k < FRAMES; k++) {
        cs_pace_hold(&p, k * PICTURE, NULL, 0, NULL, NULL);
        double credit = p.credit;
        if (cs_pace_pictures(&p) > 0) {
            cs_pace_spend_pictures(&p, BYTES);
            assert_true(p.credit < credit || credit < -CS_PACE_RATE / 2.0);
            sent++;
        }
    }
    double rate = (double)(sent * BYTES) / (FRAMES * PICTURE);
    assert_true(rate < 1.05 * CS_PACE_RATE && rate > 0.9 * CS_PACE_RATE);
    cs_pace_spend_pictures(&p, 1 << 20);
    cs_pace_hold(&p, FRAMES * PICTURE + 1.2, NULL, 0, NULL, NULL);
    assert_true(p.credit > 0 && cs_pace_pictures(&p) > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_turns, setup, teardown),
    cmocka_unit_test_setup_teardown(test_rests, setup, teardown),
    cmocka_unit_test_setup_teardown(test_all, setup, teardown),
    cmocka_unit_test_setup_teardown(test_slow_line, setup, teardown),
    cmocka_unit_test(test_pixels),
};
TESTS(test_pace)
