/* Tests arms that are added or removed while a run continues. After such a
 * change, the run equals a run that had the same arms from the start. */
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
#include "run/transfer.h"
#include "run/views/view.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS = 5, DIM = 2, KEEP = 64 };

static cs_target *gaussian(void)
{
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    return t;
}

/* Opens a run whose arms are named by the letters. */
static cs_run *opened(cs_target *t, const char *letters, cs_budget budget)
{
    static const char *const kernel[] = {"hmc", "random_walk", "mala"};
    static const char *const name[] = {"h", "w", "m"};
    cs_arm_spec arm[8] = {0};
    size_t n = strlen(letters);
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)(strchr("hwm", letters[i]) - "hwm");
        arm[i].name = name[k];
        arm[i].kernel = kernel_of(kernel[k]);
    }
    const cs_probe_spec probe[] = {{.type = cs_probe_find("trace")},
                                   {.type = cs_probe_find("diagnostics")}};
    const cs_run_spec spec = {.target = t,
                              .arms = arm,
                              .n_arms = n,
                              .chains = CHAINS,
                              .seed = 4,
                              .budget = budget,
                              .probes = probe,
                              .n_probes = 2,
                              .keep = KEEP};
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

static void set(cs_run *r, size_t arm, double step)
{
    assert_int_equal(cs_run_set(r, arm, "step", step, NULL), CS_OK);
}

/* Compares arm i of one run with arm k of the other: steps, states, kept draws,
 * work. */
static void assert_alike(cs_run *a, size_t i, cs_run *b, size_t k)
{
    static double x[KEEP * (1 + DIM)], y[KEEP * (1 + DIM)];
    cs_arm_view left = cs_run_arm(a, i), right = cs_run_arm(b, k);
    assert_int_equal(left.steps, right.steps);
    assert_int_equal(left.work.log_densities, right.work.log_densities);
    for (size_t c = 0; c < CHAINS; c++) {
        uint64_t every, other;
        assert_memory_equal(cs_run_chain(a, i, c).x, cs_run_chain(b, k, c).x,
                            DIM * sizeof(double));
        size_t n = cs_run_draws(a, i, c, x, &every);
        assert_int_equal(n, cs_run_draws(b, k, c, y, &other));
        assert_int_equal(every, other);
        assert_memory_equal(x, y, n * (1 + DIM) * sizeof *x);
    }
}

/* Returns a run of 500 steps with the arms h and w. Arm w is changed at step
 * 300. */
static cs_run *changed(cs_target *t, const char *letters, size_t w)
{
    cs_run *r = opened(t, letters, (cs_budget){.steps = 0});
    move(r, 300);
    set(r, w, 0.3);
    move(r, 200);
    return r;
}

static void an_arm_is_added(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_run *old = changed(t, "hw", 1), *all = changed(t, "hmw", 2);
    cs_run *r = opened(t, "hmw", (cs_budget){.steps = 0});
    const size_t source[] = {0, CS_NO_ARM, 1};
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cs_run_transfer(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_steps(r), 500);
    assert_int_equal(cs_run_behind(r), 500);
    assert_int_not_equal(cs_run_save(r, &bytes, &size, NULL), CS_OK);
    assert_int_equal(move(r, 0), 0); /* only the new arm advances */
    assert_int_equal(cs_run_behind(r), 0);
    for (size_t i = 0; i < 3; i++)
        assert_alike(r, i, all, i);
    move(r, 40);
    move(all, 40);
    for (size_t i = 0; i < 3; i++)
        assert_alike(r, i, all, i);
    assert_int_equal(cs_run_oldest(r), 0); /* before the new arm's first step */
    assert_int_equal(cs_run_travel(r, 310, NULL), CS_OK);
    assert_int_equal(cs_run_travel(all, 310, NULL), CS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_alike(r, i, all, i);
    assert_int_equal(cs_run_travel(r, 540, NULL), CS_OK);
    assert_int_equal(cs_run_travel(all, 540, NULL), CS_OK);
    assert_alike(r, 2, all, 2);
    cs_run_destroy(old);
    cs_run_destroy(all);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* If the new arm has not yet reached a step, a rewind to this step leads to the
 * same states as a run without a rewind. */
static void an_arm_behind_goes_back(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_run *old = changed(t, "hw", 1), *all = changed(t, "hwm", 1);
    cs_run *r = opened(t, "hwm", (cs_budget){.steps = 0});
    const size_t source[] = {0, 1, CS_NO_ARM};
    assert_int_equal(cs_run_transfer(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_travel(r, 450, NULL), CS_OK);
    assert_int_equal(cs_run_travel(all, 450, NULL), CS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_alike(r, i, all, i);
    cs_run_destroy(old);
    cs_run_destroy(all);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void an_arm_is_cloned_and_dropped(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_run *old = changed(t, "hw", 1);
    cs_run *r = opened(t, "ww", (cs_budget){.steps = 0});
    const size_t source[] = {1, 1};
    assert_int_equal(cs_run_transfer(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_behind(r), 0);
    assert_alike(r, 0, old, 1);
    assert_alike(r, 1, old, 1);
    move(old, 60);
    set(r, 0, 0.7); /* the arms now differ */
    move(r, 60);
    assert_alike(r, 1, old, 1);
    assert_true(cs_run_chain(r, 0, 0).x[0] != cs_run_chain(r, 1, 0).x[0]);
    cs_run_destroy(old);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* Adds an arm to a run that has ended because its budget of work was used
 * up. */
static void a_finished_run_gets_an_arm(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    const cs_budget budget = {.gradients = 3000, .log_densities = 3000};
    cs_run *old = opened(t, "w", budget), *all = opened(t, "wm", budget);
    cs_run *r = opened(t, "wm", budget);
    const size_t source[] = {0, CS_NO_ARM};
    move(old, 100000);
    move(all, 100000);
    assert_true(cs_run_finished(old) && cs_run_finished(all));
    assert_int_equal(cs_run_transfer(r, old, source, NULL), CS_OK);
    assert_false(cs_run_finished(r));
    move(r, 100000);
    assert_true(cs_run_finished(r));
    for (size_t i = 0; i < 2; i++)
        assert_alike(r, i, all, i);
    cs_run_destroy(old);
    cs_run_destroy(all);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* One arm is changed at an earlier step. A copy of this arm continues with the
 * old settings, and the other arms keep their later steps. */
static void a_course_goes_on_beside(void **state)
{
    (void)state;
    cs_target *t = gaussian();
    cs_run *old = changed(t, "hw", 1), *was = changed(t, "hw", 1);
    cs_run *other = opened(t, "hw", (cs_budget){.steps = 0});
    move(other, 200); /* brings h to step 200 */
    set(other, 0, 0.05);
    move(other, 300);
    assert_int_equal(cs_run_travel(old, 200, NULL), CS_OK);
    set(old, 0, 0.05);
    assert_int_equal(cs_run_undo(old, NULL), CS_OK);
    cs_run *r = opened(t, "hwh", (cs_budget){.steps = 0});
    const size_t source[] = {0, 1, 0};
    assert_int_equal(cs_run_transfer(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_transfer_ahead(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_transfer_branch(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_steps(r), 200);
    assert_int_equal(cs_run_end(r), 500);
    set(r, 0, 0.4); /* two changes, of which the last is kept */
    assert_int_equal(cs_run_keep_ahead(r, 0, NULL), CS_OK);
    set(r, 0, 0.05);
    assert_int_equal(cs_run_keep_ahead(r, 0, NULL), CS_OK);
    assert_int_equal(cs_run_travel(r, 500, NULL), CS_OK);
    assert_alike(r, 0, other, 0);
    assert_alike(r, 1, was, 1); /* w keeps its change at step 300 */
    assert_alike(r, 2, was, 0);
    cs_run_destroy(old);
    cs_run_destroy(was);
    cs_run_destroy(other);
    cs_run_destroy(r);
    cs_target_release(t);
}

static cs_target *gaussian_of(double correlation)
{
    cs_target *t;
    const cs_value v = {.name = "rho", .given = 1, .number = correlation};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &v, 1, &t, NULL), CS_OK);
    return t;
}

/* A parameter of the target is changed. The chains continue from their states.
 * The draws and the reports contain only steps after the change. */
static void the_target_is_changed(void **state)
{
    (void)state;
    cs_target *t = gaussian_of(0), *u = gaussian_of(0.9);
    const cs_budget none = {.steps = 0};
    cs_run *old = opened(t, "hw", none), *r = opened(u, "hw", none);
    cs_run *anew = opened(u, "hw", none);
    const size_t source[] = {0, 1};
    uint64_t every;
    move(old, 400);
    assert_int_equal(cs_run_transfer(r, old, source, NULL), CS_OK);
    assert_int_equal(cs_run_steps(r), 400);
    assert_int_equal(cs_run_oldest(r), 400);
    assert_int_equal(cs_run_arm(r, 1).warmup_steps, 400);
    assert_int_equal(cs_run_draws(r, 1, 0, NULL, &every), 0);
    for (size_t c = 0; c < CHAINS; c++) {
        double logp;
        const double *x = cs_run_chain(old, 1, c).x;
        assert_memory_equal(cs_run_chain(r, 1, c).x, x, DIM * sizeof *x);
        assert_int_equal(cs_run_set_state(anew, 1, c, x, NULL), CS_OK);
        assert_int_equal(cs_run_true_logp(anew, 1, c, &logp, NULL), CS_OK);
        double now;
        assert_int_equal(cs_run_true_logp(r, 1, c, &now, NULL), CS_OK);
        assert_near(now, logp, 1e-12, 1e-12);
    }
    move(r, 30);
    assert_int_equal(cs_run_draws(r, 1, 0, NULL, &every), 30 / every);
    assert_near(cs_run_chain(r, 1, 0).tally.steps, 30, 0, 0);
    double x = cs_run_chain(r, 1, 0).x[0];
    assert_int_equal(cs_run_travel(r, 410, NULL), CS_OK);
    assert_int_equal(cs_run_travel(r, 430, NULL), CS_OK);
    assert_near(cs_run_chain(r, 1, 0).x[0], x, 0, 0);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cs_run_save(r, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(anew, bytes, size, NULL), CS_OK);
    move(r, 25);
    move(anew, 25);
    for (size_t i = 0; i < 2; i++)
        assert_alike(r, i, anew, i);
    cs_free(bytes);
    cs_run_destroy(old);
    cs_run_destroy(anew);
    cs_run_destroy(r);
    cs_target_release(t);
    cs_target_release(u);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_arm_is_added),
    cmocka_unit_test(an_arm_behind_goes_back),
    cmocka_unit_test(an_arm_is_cloned_and_dropped),
    cmocka_unit_test(a_finished_run_gets_an_arm),
    cmocka_unit_test(a_course_goes_on_beside),
    cmocka_unit_test(the_target_is_changed),
};
TESTS(test_run_arms)
