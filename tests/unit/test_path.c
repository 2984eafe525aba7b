/* Tests the preview of the points of a step. The step that is made next equals
 * the previewed step, and the preview changes nothing. */
#include "support/by_name.h"
#include "support/support.h"

#include "run/preview/step_path.h"
#include "run/run.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

enum { ROOM = 64, DIM = 3 };

static cs_run *open_run(const char *kernel)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    const cs_arm_spec arm = {.name = "a", .kernel = kernel_of(kernel)};
    cs_run_spec spec = {
        .arms = &arm, .n_arms = 1, .chains = 5, .seed = 4, .workers = 1};
    cs_run *r = NULL;
    assert_int_equal(cs_target_create(cs_target_find("gaussian"), &dim, 1,
                                      &spec.target, NULL),
                     CS_OK);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

/* Previews the next step of chain 2, and returns the number of points that this
 * step evaluates. Then makes the step twice: in this run, and in another run
 * without a preview. */
static size_t look_and_step(cs_run *r, cs_run *other)
{
    double point[ROOM * DIM], end[DIM];
    size_t n = 0;
    cs_work before = cs_run_arm(r, 0).work;
    assert_true(cs_run_path(r, 0, 2, ROOM, point, &n, end));
    cs_work after = cs_run_arm(r, 0).work;
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
    assert_int_equal(cs_run_advance(other, 1, NULL, NULL), CS_OK);
    assert_memory_equal(cs_run_chain(r, 0, 2).x, end, sizeof end);
    assert_memory_equal(cs_run_chain(other, 0, 2).x, end, sizeof end);
    bool among = false;
    for (size_t i = 0; i < n && i < ROOM; i++)
        among |= memcmp(point + i * DIM, end, sizeof end) == 0;
    assert_true(among || !cs_run_chain(r, 0, 2).last.moved);
    return n;
}

static void the_step_to_come_is_the_next(void **state)
{
    static const char *const kernel[] = {"hmc", "nuts", "slice_direction",
                                         "mala", "random_walk"};
    (void)state;
    for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++) {
        cs_run *r = open_run(kernel[k]), *other = open_run(kernel[k]);
        size_t points = 0;
        for (int i = 0; i < 30; i++)
            points += look_and_step(r, other);
        if (strcmp(kernel[k], "hmc") == 0)
            assert_int_equal(points, 30 * 10);
        assert_true(points >= 30);
        cs_run_destroy(r);
        cs_run_destroy(other);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_step_to_come_is_the_next),
};
TESTS(test_path)
