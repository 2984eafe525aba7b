/* A run in a terminal at three sizes: what each key does is seen on it. */
#include "term.h"

static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

static void open_scene(int rows, int cols)
{
    term_chainscope(&t, rows, cols, "scene.lua", NULL, NULL);
    term_wait_line(&t, 0, "paused  step 0");
}

static void leave(void)
{
    term_send(&t, "Q");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
    term_stop(&t);
}

static void test_steps(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        open_scene(sizes[i][0], sizes[i][1]);
        term_send(&t, ".");
        term_wait_line(&t, 0, "paused  step 1");
        term_send(&t, ">");
        term_wait_line(&t, 0, "paused  step 101");
        term_send(&t, ",");
        term_wait_line(&t, 0, "paused  step 100");
        term_send(&t, "<");
        term_wait_line(&t, 0, "paused  step 0");
        leave();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_steps, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
