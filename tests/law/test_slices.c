/* Tests properties of slice samplers, ensembles and independent proposals that
 * the law book (support/laws.h) does not cover. Kernels agree with a second
 * implementation, detect the prior, and accept parameters that are lists. An
 * arm of interacting chains as a whole has the right distribution. */
#include "base/memory.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/slice_faults.h"
#include "support/small_make.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <string.h>

enum { CHAINS = 40, STEPS = 50 };

/* ---- second implementation ----------------------------------------------- */

/* Returns true if two kernels make the same steps from the same state. */
static bool same_steps(const setting *a, const setting *b, const points *p)
{
    cs_block *one = open_block(a, p->target, 5, CHAINS, p->x);
    cs_block *two = open_block(b, p->target, 5, CHAINS, p->x);
    bool good = true;
    for (int k = 0; k < STEPS; k++) {
        one_step(a, one);
        one_step(b, two);
        for (size_t at = 0; at < p->dim * one->lanes; at++)
            good &= fabs(one->move.x[at] - two->move.x[at]) < 1e-9;
    }
    cs_block_destroy(one);
    cs_block_destroy(two);
    return good;
}

static void slices_are_their_search(void **state)
{
    static const struct {
        const char *name;
        void (*right)(cs_move *), (*wrong)(cs_move *);
        double value[4];
    } row[] = {
        {"slice", slice_by_hand, slice_steps_out_on_one_side, {0.5, 3, 1, 10}},
        {"elliptical_slice",
         ellipse_by_hand,
         ellipse_in_half_a_bracket,
         {0, 1, 1}}};
    points p = points_create(&small_wells);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        setting real = {.kernel.type = cs_kernel_find(row[i].name)}, hand;
        memcpy(real.kernel.values, row[i].value, sizeof row[i].value);
        cs_kernel_type type = *real.kernel.type;
        hand = real;
        hand.kernel.type = &type;
        type.step = row[i].right;
        assert_true(same_steps(&real, &hand, &p));
        type.step = row[i].wrong;
        assert_false(same_steps(&real, &hand, &p));
    }
    points_destroy(&p);
}

/* ---- the prior ----------------------------------------------------------- */

static cs_value number(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = value};
}

static cs_value list(const char *name, const double *value, size_t n)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = value,
                      .rows = n,
                      .cols = 1};
}

static void a_normal_prior_is_found_out(void **state)
{
    points p = points_create(&small_rows), q = points_create(&small_wells);
    setting found = {.kernel = kernel_of("elliptical_slice")}, given, off;
    cs_value sd = number("sd", 1 / sqrt(small_rows_prior));
    cs_error err;
    (void)state;
    assert_int_equal(
        cs_kernel_init(&given.kernel, found.kernel.type, &sd, 1, &err), CS_OK);
    assert_true(law_fits(&found, &p));
    assert_true(same_steps(&found, &given, &p));
    sd.number *= 1.5;
    assert_int_equal(
        cs_kernel_init(&off.kernel, found.kernel.type, &sd, 1, &err), CS_OK);
    assert_false(same_steps(&found, &off, &p));
    assert_int_equal(cs_kernel_fits(&found.kernel, q.target, &err),
                     CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "has no prior"));
    points_destroy(&p);
    points_destroy(&q);
}

/* ---- lists as parameters ------------------------------------------------- */

static bool is_lawful(const char *law, const char *name, const cs_value *given,
                      size_t n, const points *p)
{
    setting s = {.formula = name};
    cs_error err;
    if (cs_kernel_init(&s.kernel, cs_kernel_find(name), given, n, &err))
        fail_msg("%s", err.what);
    assert_true(law_fits(&s, p));
    law_result r = law_check(law, &s, p);
    cs_kernel_release(&s.kernel);
    return r.holds && r.tried;
}

static void mixtures_are_exact(void **state)
{
    static const double means[] = {0, 0.5, -1, 2}, sds[] = {1, 1.5, 1.3, 2},
                        weights[] = {1, 3},
                        covariance[] = {1.5, 0.4, 0.4, 3, 2, -1, -1, 4};
    const cs_value diagonal[] = {list("means", means, 4), list("sds", sds, 4),
                                 list("weights", weights, 2)};
    const cs_value full[] = {list("means", means, 4),
                             list("covariance", covariance, 8),
                             number("components", 2)};
    const cs_value heavy[] = {list("means", means, 2),
                              list("covariance", covariance, 4),
                              number("tail", 3)};
    const cs_value heavy_mixture[] = {
        list("means", means, 4), list("sds", sds, 4),
        list("weights", weights, 2), number("tail", 1)};
    const cs_value ellipse[] = {list("means", means, 2), list("sds", sds, 2)};
    points p = points_create(&small_banana);
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *law = k ? "record" : "stationarity";
        assert_true(is_lawful(law, "independence", diagonal, 3, &p));
        assert_true(is_lawful(law, "independence", full, 3, &p));
        assert_true(is_lawful(law, "independence", heavy, 3, &p));
        assert_true(is_lawful(law, "independence", heavy_mixture, 4, &p));
        assert_true(is_lawful(law, "elliptical_slice", ellipse, 2, &p));
    }
    points_destroy(&p);
}

/* Checks the message for an invalid list. */
static void refused(const char *name, const cs_value *given, size_t n,
                    const char *words)
{
    cs_kernel k = {.type = NULL};
    cs_error err;
    assert_int_not_equal(
        cs_kernel_init(&k, cs_kernel_find(name), given, n, &err), CS_OK);
    if (!strstr(err.what, words))
        fail_msg("%s", err.what);
}

static void wrong_lists_are_refused(void **state)
{
    static const double odd[] = {1, 2, 2, 1}, skew[] = {1, 0.5, 0.4, 1},
                        three[] = {1, -1, 1};
    const cs_value both[] = {list("sds", odd, 4), list("covariance", odd, 4)};
    const cs_value lengths[] = {list("means", odd, 4), list("sds", odd, 2)};
    const cs_value bent = list("covariance", skew, 4);
    const cs_value negative = list("sds", three, 3);
    points p = points_create(&small_wells);
    cs_kernel k;
    cs_error err;
    (void)state;
    refused("independence", both, 2, "both `sds` and `covariance` are given");
    refused("independence", &both[1], 1, "not positive definite");
    refused("independence", &bent, 1, "not symmetric");
    refused("independence", &negative, 1, "entry 2 of sds");
    refused("independence", lengths, 2, "means has 4");
    refused("elliptical_slice", lengths, 2, "means` has 4");
    refused("elliptical_slice", &negative, 1, "entry 2 of sds");
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("independence"),
                                    &lengths[0], 1, &err),
                     CS_OK);
    assert_int_equal(cs_kernel_fits(&k, p.target, &err), CS_RANGE);
    cs_kernel_release(&k);
    points_destroy(&p);
}

/* ---- an ensemble --------------------------------------------------------- */

enum { WALKERS = 2, RUNS = 20000, WAY = 10 };

static const cs_exchange_type *halves;

/* Fault: both halves of the ensemble move at the same step, although the moves
 * of each half depend on the states of the other half. */
static void both_halves_at_once(const cs_exchange *m)
{
    size_t dim = m->target->space.dim;
    halves->run(m);
    for (size_t c = 0; c < m->chains; c++) {
        const cs_chain_ref *to = &m->lane[c];
        const cs_chain_ref *from = &m->lane[(c + 1) % m->chains];
        if (to->memory[dim * to->stride] != 0)
            continue;
        to->memory[dim * to->stride] = 1;
        for (size_t d = 0; d < dim; d++)
            to->memory[d * to->stride] = from->x[d * from->stride];
    }
}

/* Starts chains at exact draws of a one-dimensional Gaussian, and makes some
 * steps. Returns the p-value of the distance between two chains. */
static double stays_exact(const cs_kernel *k)
{
    static double end[RUNS], fresh[RUNS];
    const cs_value dim = number("dim", 1);
    cs_target *t = NULL;
    uint64_t seed = 3;
    size_t n = 0;
    double far;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &t, NULL), CS_OK);
    for (uint64_t i = 0; i < RUNS; i++) {
        cs_arm_spec arm = {.name = "a", .kernel = *k};
        cs_run_spec spec = {.target = t,
                            .arms = &arm,
                            .n_arms = 1,
                            .chains = WALKERS,
                            .seed = i + 1,
                            .workers = 1};
        cs_run *r = NULL;
        assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
        for (size_t c = 0; c < WALKERS; c++) {
            double x = small_normal(&seed);
            assert_int_equal(cs_run_set_state(r, 0, c, &x, NULL), CS_OK);
        }
        assert_int_equal(cs_run_advance(r, WAY, NULL, NULL), CS_OK);
        end[n] = fabs(cs_run_chain(r, 0, 0).x[0] - cs_run_chain(r, 0, 1).x[0]);
        fresh[n++] = fabs(small_normal(&seed) - small_normal(&seed));
        cs_run_destroy(r);
    }
    cs_target_release(t);
    return cs_check_samples_p(end, fresh, n, &far);
}

static void an_ensemble_keeps_exact_draws(void **state)
{
    cs_kernel k = kernel_of("stretch");
    cs_kernel_type type = *k.type;
    cs_exchange_type at_once = *type.exchange;
    (void)state;
    assert_true(stays_exact(&k) > 1e-5);
    halves = k.type->exchange;
    at_once.run = both_halves_at_once;
    type.exchange = &at_once;
    k.type = &type;
    assert_true(stays_exact(&k) < 1e-8);
}

/* Walkers that start on a line would stay on that line, so such a start is
 * refused. */
static void a_flat_ensemble_is_refused(void **state)
{
    cs_arm_spec arm = {.name = "a", .kernel = kernel_of("stretch")};
    cs_target *t = target_of("gaussian");
    cs_run_spec spec = {
        .target = t, .arms = &arm, .n_arms = 1, .chains = 2, .seed = 1};
    cs_run *r = NULL;
    cs_error err;
    (void)state;
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_INPUT);
    assert_non_null(strstr(err.what, "needs 3 chains"));
    const double two[] = {0, 0, 1, 1}, three[] = {0, 0, 1, 1, 0, 1};
    spec.chains = 6;
    spec.start = two;
    spec.n_starts = 2;
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_INPUT);
    assert_non_null(strstr(err.what, "has 2 starts but needs 3"));
    spec.start = three;
    spec.n_starts = 3;
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_OK);
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(slices_are_their_search),
    cmocka_unit_test(a_normal_prior_is_found_out),
    cmocka_unit_test(mixtures_are_exact),
    cmocka_unit_test(wrong_lists_are_refused),
    cmocka_unit_test(an_ensemble_keeps_exact_draws),
    cmocka_unit_test(a_flat_ensemble_is_refused),
};
TESTS(test_slices)
