/* Tests runs that continue beyond their budget. Also tests a rewind, and a
 * return to a later step, within a run's history. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <string.h>

enum { CHAINS = 5, DIM = 2, BYTES = 1 << 20 };

static cs_run *opened(cs_target *t, cs_budget budget)
{
    cs_arm_spec arm[2] = {{.name = "h", .kernel = kernel_of("hmc")},
                          {.name = "w", .kernel = kernel_of("random_walk")}};
    const cs_probe_spec probe[] = {{.type = cs_probe_find("trace")},
                                   {.type = cs_probe_find("diagnostics")}};
    const cs_run_spec spec = {.target = t,
                              .arms = arm,
                              .n_arms = 2,
                              .chains = CHAINS,
                              .seed = 4,
                              .budget = budget,
                              .probes = probe,
                              .n_probes = 2,
                              .keep = 64};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static uint64_t move(cs_run *r, uint64_t n)
{
    uint64_t done;
    assert_int_equal(cs_run_advance(r, n, &done, NULL), CS_OK);
    return done;
}

static cs_target *gaussian(void)
{
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    return t;
}

/* Compares states, kept draws and reports. */
static void assert_same(cs_run *a, cs_run *b)
{
    static _Alignas(8) unsigned char left[BYTES], right[BYTES];
    static double x[64 * (1 + DIM)], y[64 * (1 + DIM)];
    size_t dim = cs_run_target(a)->space.dim;
    assert_int_equal(cs_run_steps(a), cs_run_steps(b));
    for (size_t i = 0; i < 2; i++)
        for (size_t c = 0; c < CHAINS; c++) {
            uint64_t every, other;
            assert_memory_equal(cs_run_chain(a, i, c).x,
                                cs_run_chain(b, i, c).x, dim * sizeof(double));
            size_t n = cs_run_draws(a, i, c, x, &every);
            assert_int_equal(n, cs_run_draws(b, i, c, y, &other));
            assert_int_equal(every, other);
            assert_memory_equal(x, y, n * (1 + dim) * sizeof *x);
        }
    cs_flat l, r;
    cs_flat_begin(&l, left, BYTES);
    cs_flat_begin(&r, right, BYTES);
    cs_run_report(a, &l);
    cs_run_report(b, &r);
    assert_false(l.full);
    assert_int_equal(l.used, r.used);
    assert_memory_equal(left, right, l.used);
}

/* A run that continues beyond its budget equals a run that has no limit on its
 * steps. */
static void a_lifted_budget_is_no_budget(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_run *a = opened(t, (cs_budget){.steps = 100});
    cs_run *b = opened(t, (cs_budget){.steps = 0});
    assert_int_equal(move(a, 1000), 100);
    assert_true(cs_run_finished(a));
    cs_run_lift(a);
    assert_false(cs_run_finished(a));
    assert_int_equal(move(a, 150), 150);
    move(b, 250);
    assert_same(a, b);
    assert_int_equal(cs_run_rewind(a, 40, NULL), CS_OK); /* still within the
                                                          * budget */
    assert_int_equal(cs_run_rewind(b, 40, NULL), CS_OK);
    assert_int_equal(move(a, 110), 110);
    move(b, 110);
    assert_same(a, b);
    cs_run_destroy(a);
    cs_run_destroy(b);
    cs_target_release(t);
}

/* If a budget of work ended the arms at different steps, all arms continue by
 * the same number of steps. A rewind to one of the steps that the arms make
 * after this end, and a checkpoint, give the same results. */
static void arms_go_on_together(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    const cs_budget budget = {.gradients = 5000, .log_densities = 5000};
    cs_run *a = opened(t, budget), *b = opened(t, budget);
    unsigned char *bytes;
    size_t size;
    move(a, 100000);
    uint64_t ended = cs_run_steps(a), first = cs_run_arm(a, 0).steps;
    assert_true(cs_run_finished(a) && first < ended);
    cs_run_lift(a);
    assert_int_equal(move(a, 30), 30);
    assert_int_equal(cs_run_steps(a), ended + 30);
    assert_int_equal(cs_run_arm(a, 0).steps, first + 30);
    assert_int_equal(cs_run_arm(a, 1).steps, ended + 30);
    double x = cs_run_chain(a, 0, 1).x[0];
    assert_int_equal(cs_run_rewind(a, ended + 3, NULL), CS_OK);
    assert_int_equal(cs_run_arm(a, 0).steps, first + 3);
    assert_int_equal(move(a, 27), 27);
    assert_near(cs_run_chain(a, 0, 1).x[0], x, 0, 0);
    assert_int_not_equal(cs_run_rewind(a, ended - 1, NULL), CS_OK);
    assert_int_equal(cs_run_save(a, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(b, bytes, size, NULL), CS_OK);
    assert_true(cs_run_finished(b));
    cs_run_lift(b);
    move(a, 5);
    move(b, 5);
    assert_same(a, b);
    cs_free(bytes);
    cs_run_destroy(a);
    cs_run_destroy(b);
    cs_target_release(t);
}

static void set(cs_run *r, size_t arm, double step)
{
    assert_int_equal(cs_run_set(r, arm, "step", step, NULL), CS_OK);
}

/* Opens a run of `end` steps in which a parameter is changed at step 300. */
static cs_run *made(cs_target *t, uint64_t end)
{
    cs_run *r = opened(t, (cs_budget){.steps = 0});
    move(r, 300);
    set(r, 1, 0.3);
    move(r, end - 300);
    return r;
}

/* Moves to steps near and far, backwards and forwards. Every step is restored
 * with its kept draws, and the end of the run is kept. */
static void going_back_keeps_the_way_forward(void **state)
{
    (void)state;
    static const uint64_t way[] = {1, 500,  299, 300, 301,
                                   0, 1188, 40,  900, 1200};
    cs_target *t = gaussian();
    cs_run *a = made(t, 1200), *b = made(t, 1200);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        assert_int_equal(cs_run_travel(a, way[i], NULL), CS_OK);
        assert_int_equal(cs_run_end(a), 1200);
        cs_run *c =
            way[i] > 300 ? made(t, way[i]) : opened(t, (cs_budget){.steps = 0});
        if (way[i] <= 300)
            move(c, way[i]);
        /* a rewind thins the kept draws of `c`, and the kept draws of `a` are
         * thinned in the same way */
        cs_run_rewind(c, way[i], NULL);
        for (size_t k = 0; k < CHAINS; k++)
            assert_memory_equal(cs_run_chain(a, 1, k).x,
                                cs_run_chain(c, 1, k).x, 2 * sizeof(double));
        cs_run_destroy(c);
    }
    assert_same(a, b);
    assert_int_equal(cs_run_travel(a, 200, NULL), CS_OK);
    move(a, 1000); /* beyond the change */
    assert_same(a, b);
    assert_int_not_equal(cs_run_travel(a, 1201, NULL), CS_OK);
    move(a, 50);
    move(b, 50);
    assert_same(a, b);
    cs_run_destroy(a);
    cs_run_destroy(b);
    cs_target_release(t);
}

/* If the user changes a setting at an earlier step, the steps after the change
 * are kept as a branch. One undo returns to the old branch, and a second undo
 * returns to the new branch. */
static void a_change_leaves_a_branch(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_run *a = made(t, 800), *old = made(t, 800),
           *new = made(t, 800); /* as long as a, so draws are thinned alike */
    const cs_change *changes;
    assert_int_not_equal(cs_run_undo(a, NULL), CS_OK);
    assert_int_equal(cs_run_travel(a, 200, NULL), CS_OK);
    set(a, 0, 0.05);
    assert_int_equal(cs_run_end(a), 200);
    move(a, 250);
    assert_int_equal(cs_run_rewind(new, 200, NULL), CS_OK);
    set(new, 0, 0.05);
    move(new, 250);
    assert_same(a, new);
    assert_int_equal(cs_run_journal(a, &changes), 1);
    assert_int_equal(cs_run_undo(a, NULL), CS_OK);
    assert_int_equal(cs_run_steps(a), 200);
    assert_int_equal(cs_run_end(a), 800);
    assert_int_equal(cs_run_journal(a, &changes), 0);
    move(a, 600);
    assert_same(a, old);
    assert_int_equal(cs_run_undo(a, NULL), CS_OK); /* back to the new branch */
    assert_int_equal(cs_run_end(a), 450);
    assert_int_equal(cs_run_travel(a, 450, NULL), CS_OK);
    assert_same(a, new);
    assert_int_equal(cs_run_undo(a, NULL), CS_OK);
    assert_int_equal(cs_run_travel(a, 800, NULL), CS_OK);
    assert_same(a, old);
    cs_run_destroy(a);
    cs_run_destroy(old);
    cs_run_destroy(new);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_lifted_budget_is_no_budget),
    cmocka_unit_test(arms_go_on_together),
    cmocka_unit_test(going_back_keeps_the_way_forward),
    cmocka_unit_test(a_change_leaves_a_branch),
};
TESTS(test_run_time)
