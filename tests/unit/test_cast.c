/* Tests the end of a recording at the time of a frame. */
#include "data/cast.h"
#include "support/support.h"

#include <string.h>

/* Cuts events at a time. `codes` has the code of each event, `seconds` its
 * time. Returns the number of events that are left. */
static size_t cut(const char *codes, const double *seconds, double at)
{
    cs_cast_event event[8];
    cs_cast c = {.event = event, .n = strlen(codes)};
    assert_true(c.n <= 8);
    for (size_t i = 0; i < c.n; i++)
        event[i] = (cs_cast_event){.time = seconds[i], .code = codes[i]};
    cs_cast_cut(&c, at);
    return c.n;
}

/* The journal and the step of a frame may follow it later; they belong to it up
 * to the next frame. */
static void test_step_of_frame(void **state)
{
    (void)state;
    assert_int_equal(cut("omJso", (double[]){1, 1, 1.2, 1.2, 2}, 1), 4);
    assert_int_equal(cut("omJjso", (double[]){1, 1, 1.2, 1.2, 1.3, 2}, 1), 5);
    assert_int_equal(cut("omoJs", (double[]){1, 1, 1.1, 1.2, 1.2}, 1), 2);
    assert_int_equal(cut("osJs", (double[]){1, 1, 1.2, 1.2}, 1), 2);
    assert_int_equal(cut("om", (double[]){1, 1}, 1), 2);
    assert_int_equal(cut("omJs", (double[]){1, 1, 1.2, 1.2}, 0.5), 0);
    assert_int_equal(cut("omJs", (double[]){1, 1, 1.2, 1.2}, 9), 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_step_of_frame),
};
TESTS(test_cast)
