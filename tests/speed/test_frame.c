/* Tests that a frame of the screen is cheap. At the largest usual size of the
 * screen, the CPU time of a frame is at most a given multiple of the CPU time
 * of a reference task. */
#include "screen/canned_table.h"
#include "screen/state/ui.h"
#include "support/cost.h"
#include "support/support.h"

#include "base/clock.h"

enum { FRAMES = 10, ROUNDS = 30 };
/* Between 0.60 and 0.85 by processor; 25 frames take at least 1.5. */
static const double max_units = 1.0;

static double cost_of_frames(void *canvas)
{
    cs_ui ui;
    cs_ui_init(&ui);
    cs_screen_frame(&ui, table.base, table.used, canvas);
    double from = cs_clock_thread();
    for (int i = 0; i < FRAMES; i++)
        cs_screen_frame(&ui, table.base, table.used, canvas);
    return cs_clock_thread() - from;
}

static void a_frame_costs_few_units(void **state)
{
    (void)state;
    cs_canvas c;
    assert_int_equal(cs_canvas_init(&c, 200, 60, CS_BRAILLE, NULL), CS_OK);
    double units = cost_ratio(cost_of_frames, &c, cost_of_sorting, NULL, ROUNDS,
                              max_units);
    cs_canvas_fini(&c);
    print_message("%d frames of 200x60 take %.2f units\n", FRAMES, units);
    assert_true(units <= max_units);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_frame_costs_few_units, setup, teardown),
};
TESTS(test_frame)
