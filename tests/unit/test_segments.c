/* Tests ranges of functions, which are computed from the turning points of a
 * function. A range contains the function's values at many points and is nearly
 * tight. If the function has a pole or too many turning points, no range is
 * computed. */
#include "support/support.h"

#include "tape/segments.h"

typedef struct wave {
    double rate; /* the function is sin(rate x) + x / 4, or 1 / x */
    bool pole, jump;
    int asked;
} wave;

static cs_interval times(cs_interval a, double by)
{
    return cs_interval_mul(a, cs_interval_of(by), false);
}

static cs_interval op2(cs_op op, cs_interval a, cs_interval b)
{
    return cs_interval_op(op, a, b, b);
}

static cs_interval value(void *self, cs_interval x)
{
    wave *w = self;
    w->asked++;
    if (w->pole)
        return op2(CS_OP_DIV, cs_interval_of(1), x);
    if (w->jump)
        return op2(CS_OP_LT, cs_interval_of(0.3), x);
    return op2(CS_OP_ADD, op2(CS_OP_SIN, times(x, w->rate), x), times(x, 0.25));
}

static cs_interval slope(void *self, cs_interval x)
{
    wave *w = self;
    if (w->jump)
        return x.low > 0.3 || x.high < 0.3 ? cs_interval_of(0) : CS_NOWHERE;
    return op2(CS_OP_ADD, times(op2(CS_OP_COS, times(x, w->rate), x), w->rate),
               cs_interval_of(0.25));
}

static void ranges_are_close(void **state)
{
    (void)state;
    wave w = {.rate = 1};
    const cs_curve c = {value, slope, &w};
    cs_segments p = {.n = 0};
    for (double low = -7; low < 7; low += 0.37)
        for (double width = 0; width < 9; width = 2 * width + 0.01) {
            cs_interval got, over = {low, low + width};
            double least = INFINITY, most = -INFINITY;
            assert_true(cs_segments_range(&p, &c, over, &got));
            for (int i = 0; i <= 2000; i++) {
                double x = low + width * i / 2000, y = sin(x) + x / 4;
                least = fmin(least, y);
                most = fmax(most, y);
            }
            assert_true(got.low <= least && got.high >= most);
            double off = 1e-9 + width * width / 4e6;
            assert_true(got.low >= least - off && got.high <= most + off);
        }
    w.asked = 0;
    cs_interval got;
    assert_true(cs_segments_range(&p, &c, (cs_interval){-1, 2}, &got));
    assert_int_equal(w.asked, 2); /* only both ends, as turning points are
                                   * known */
}

static void both_sides_of_a_jump(void **state)
{
    (void)state;
    wave w = {.jump = true};
    const cs_curve c = {value, slope, &w};
    cs_segments p = {.n = 0};
    cs_interval got;
    assert_true(cs_segments_range(&p, &c, (cs_interval){0, 1}, &got));
    assert_true(got.low == 0 && got.high == 1);
    assert_true(cs_segments_range(&p, &c, (cs_interval){0.4, 1}, &got));
    assert_true(got.low == 1 && got.high == 1);
}

static void what_cannot_be_told(void **state)
{
    (void)state;
    wave pole = {.pole = true}, fast = {.rate = 100};
    const cs_curve a = {value, slope, &pole}, b = {value, slope, &fast};
    cs_segments p = {.n = 0};
    cs_interval got;
    assert_false(cs_segments_range(&p, &a, (cs_interval){-1, 2}, &got));
    assert_false(cs_segments_range(&p, &a, (cs_interval){1, 2}, &got));
    p = (cs_segments){.n = 0};
    assert_false(cs_segments_range(&p, &b, (cs_interval){-5, 5}, &got));
    p = (cs_segments){.n = 0};
    assert_false(cs_segments_range(&p, &b, (cs_interval){0, INFINITY}, &got));
    assert_false(cs_segments_range(&p, &b, CS_NOWHERE, &got));
    assert_true(cs_segments_range(&p, &b, (cs_interval){0.1, 0.2}, &got));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ranges_are_close),
    cmocka_unit_test(both_sides_of_a_jump),
    cmocka_unit_test(what_cannot_be_told),
};
TESTS(test_segments)
