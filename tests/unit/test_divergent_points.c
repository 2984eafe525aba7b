/* Tests the probe `divergent`. For each chain it keeps the newest draws whose
 * trajectory diverged. For a kernel that cannot diverge, it keeps no draws. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/flat.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <string.h>

enum { DIM = 2, CHAINS = 5, KEPT = 16, BYTES = 1 << 18 };

static cs_run *open_run(double step)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    cs_arm_spec arm = {.name = "a", .kernel = kernel_of("hmc")};
    arm.kernel.values[0] = step;
    arm.kernel.values[1] = 40;
    const cs_probe_spec probe = {.type = cs_probe_find("divergent")};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 4,
                        .probes = &probe,
                        .n_probes = 1};
    cs_run *r = NULL;
    assert_int_equal(cs_target_create(cs_target_find("gaussian"), &dim, 1,
                                      &spec.target, NULL),
                     CS_OK);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

/* Copies the reported points; returns their number. */
static size_t points_of(cs_run *r, double *to)
{
    static _Alignas(8) unsigned char memory[BYTES];
    cs_flat f;
    cs_flat_entry e;
    cs_flat_begin(&f, memory, BYTES);
    assert_true(cs_run_report_one(r, 0, "divergent", "", &f));
    if (!cs_flat_find(memory, f.used, &e, "points"))
        return 0;
    assert_int_equal(e.cols, 2);
    memcpy(to, e.data, e.rows * 2 * sizeof *to);
    return e.rows;
}

static void points_are_kept(void **state)
{
    static double point[2 * CHAINS * KEPT];
    (void)state;
    /* with a step size above 2 all proposals are rejected */
    cs_run *r = open_run(3);
    assert_int_equal(cs_run_advance(r, 7, NULL, NULL), CS_OK);
    assert_int_equal(points_of(r, point), 7 * CHAINS);
    assert_int_equal(cs_run_advance(r, 30, NULL, NULL), CS_OK);
    assert_int_equal(points_of(r, point), KEPT * CHAINS);
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t k = 0; k < KEPT; k++)
            assert_memory_equal(point + 2 * (c * KEPT + k),
                                cs_run_chain(r, 0, c).x, 2 * sizeof *point);
    cs_run_destroy(r);
    r = open_run(0.1);
    assert_int_equal(cs_run_advance(r, 50, NULL, NULL), CS_OK);
    assert_int_equal(points_of(r, point), 0);
    cs_run_destroy(r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(points_are_kept),
};
TESTS(test_divergent_points)
