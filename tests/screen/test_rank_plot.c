/* Tests the rank histogram. The bars are the counts. If the ranks are uniform,
 * the band contains all bars at once with the stated probability. */
#include "support/support.h"

#include "screen/canvas/rank_plot.h"

#include <math.h>

enum { W = 120, H = 64, RANKS = 20, PLACES = 32 };

/* Finds the topmost cell with this character in a column. Returns its height
 * above the bottom, or -1 if no cell of the column has this character. */
static int height_of(const cs_canvas *c, int x, unsigned code, bool from_below)
{
    for (int i = 0; i < H; i++) {
        int y = from_below ? H - 2 - i : i;
        if (y >= 1 && y < H - 1 && c->cell[y * W + x].code == code)
            return H - 2 - y;
    }
    return -1;
}

static void bars_and_band(void **state)
{
    /* 8, 2, 6 and 4 of 20 ranks in four bins */
    static const double rank[RANKS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  15,
                                       16, 17, 18, 20, 22, 23, 24, 26, 28, 31};
    static const double count[] = {8, 2, 6, 4};
    cs_canvas c = {0};
    cs_rank_plot p = {.name = "x", .rank = rank, .n = RANKS, .places = PLACES};
    (void)state;
    assert_true(cs_uniformity_of(rank, RANKS, PLACES, &p.u));
    assert_int_equal(p.u.bins, 4);
    p.level = cs_ecdf_level(RANKS, PLACES, 0.95);
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area all = cs_canvas_area(&c);
    cs_rank_plot_draw(&all, &p);
    /* Finds the middle of each bar. The histogram is to the right of the
     * numbers of its axis. */
    int first = 0, last = 0;
    for (int x = 0; x < W / 2; x++)
        if (height_of(&c, x, 0x2588, false) >= 0) {
            first = first ? first : x;
            last = x;
        }
    double wide = (last + 1 - first) / 4.0, unit = 0;
    for (size_t b = 0; b < 4; b++) {
        int x = first + (int)(((double)b + 0.5) * wide);
        int up = height_of(&c, x, 0x2588, false);
        unit = b ? unit : (up + 0.5) / count[0];
        assert_near((up + 0.5) / unit, count[b], 0, 0.3);
    }
    /* A count with the distribution Binomial(20, 1/4) is below 1 with
     * probability 0.003, below 2 with 0.024, above 10 with 0.004, and above 9
     * with 0.014. With four bars, each bar may leave the band with probability
     * 0.0063. */
    int middle = first + (int)(1.5 * wide);
    assert_near((height_of(&c, middle, '-', false) + 0.5) / unit, 10, 0, 0.3);
    assert_near((height_of(&c, middle, '-', true) + 0.5) / unit, 1, 0, 0.3);
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bars_and_band),
};
TESTS(test_rank_plot)
