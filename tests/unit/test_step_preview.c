/* Tests the preview of the next step. The step that is then made equals the
 * previewed step. The previewed proposal has the log ratio that the step uses.
 * The preview changes nothing. */
#include "support/by_name.h"
#include "support/small_tall.h"
#include "support/support.h"

#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/preview/step_preview.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 3, STEPS = 20 };

/* the field `stream` of the arm: NULL, or the name of its own random numbers */
static const char *stream;

static cs_run *open_with(cs_target *t, const cs_kernel *k)
{
    const cs_arm_spec arm = {.name = "a", .stream = stream, .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 4,
                        .workers = 1};
    cs_run *r = NULL; /* NULL if kernel and target are incompatible */
    return cs_run_create(&r, &spec, NULL) == CS_OK ? r : NULL;
}

static cs_run *open_run(const char *target, const char *kernel)
{
    cs_kernel k = kernel_of(kernel);
    cs_target *t = target_of(target);
    cs_run *r = open_with(t, &k);
    cs_target_release(t);
    return r;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) ||
           fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* ---- the step ------------------------------------------------------------ */

static void the_step_to_come_is_the_next(void **state)
{
    static const char *const pair[][2] = {
        {"ising", "dmala"},    {"ising", "gwg"},    {"quadratic", "edmala"},
        {"gaussian", "mala"},  {"gaussian", "hmc"}, {"gaussian", "sgld"},
        {"gaussian", "barker"}};
    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        stream = i % 2 ? "own" : NULL;
        cs_run *r = open_run(pair[i][0], pair[i][1]);
        stream = NULL;
        for (int k = 0; k < STEPS; k++) {
            cs_step_preview c;
            cs_work before = cs_run_arm(r, 0).work;
            assert_true(cs_run_preview(r, 0, 1, &c));
            cs_work after = cs_run_arm(r, 0).work;
            assert_memory_equal(&before, &after, sizeof before);
            assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
            cs_chain_view now = cs_run_chain(r, 0, 1);
            assert_memory_equal(&c.step, &now.last, sizeof c.step);
            for (size_t d = 0; d < c.dim; d++)
                assert_true(c.y[d] == now.proposal[d]);
            for (size_t o = 0; o < c.n_others; o++)
                if (c.other[o].factor == 1 && isfinite(c.other[o].log_ratio))
                    assert_true(c.other[o].log_ratio == c.step.log_ratio);
            cs_step_preview_clear(&c);
        }
        cs_run_destroy(r);
    }
}

/* The step is also computed with half and double the size of the moves. Kernels
 * of every kind are tested: with and without an accept step, with a step size
 * or a number of sites. At factor 1 the distance is that of the proposal. */
static void other_sizes_of_all_kinds(void **state)
{
    static const char *const row[][3] = {{"gaussian", "random_walk", "step"},
                                         {"gaussian", "hmc", "step"},
                                         {"gaussian", "sgld", "rate"},
                                         {"gaussian", "slice", "width"},
                                         {"ising", "dmala", "step"},
                                         {"ising", "dula", "step"},
                                         {"ising", "hamming_ball", "radius"},
                                         {"ising", "path_auxiliary", "sites"}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cs_run *r = open_run(row[i][0], row[i][1]);
        cs_step_preview c;
        assert_non_null(r);
        assert_int_equal(cs_run_advance(r, 5, NULL, NULL), CS_OK);
        assert_true(cs_run_preview(r, 0, 1, &c));
        if (!c.scaled || strcmp(c.scaled, row[i][2]) != 0 || c.n_others < 2)
            print_error("%s: %zu sizes of %s\n", row[i][1], c.n_others,
                        c.scaled ? c.scaled : "nothing");
        assert_true(c.scaled && strcmp(c.scaled, row[i][2]) == 0);
        assert_true(c.n_others >= 2);
        double sum = 0;
        for (size_t d = 0; c.y && d < c.dim; d++)
            sum += (c.y[d] - c.x[d]) * (c.y[d] - c.x[d]);
        for (size_t o = 0; o < c.n_others; o++)
            if (c.other[o].factor == 1 && c.y)
                assert_true(same(c.other[o].distance, sqrt(sum)));
        cs_step_preview_clear(&c);
        cs_run_destroy(r);
    }
}

/* Returns true if the kernel has a parameter of this name that can change. */
static bool has(const cs_kernel_type *k, const char *name)
{
    int i = cs_param_find(k->params, k->n_params, name);
    return i >= 0 && !(k->params[i].flags & CS_PARAM_FIXED);
}

/* A parameter with one of these names sets how far a move goes. Each kernel
 * that has one has a parameter with the flag CS_PARAM_SIZE that can change. */
static void kernels_mark_the_size_of_moves(void **state)
{
    static const char *const name[] = {"step",  "rate",  "radius",
                                       "flips", "sites", "leapfrogs"};
    const cs_kernel_type *k;
    size_t found = 0;
    (void)state;
    for (size_t i = 0; (k = cs_kernel_at(i)); i++) {
        bool named = has(k, "width") && strncmp(k->name, "slice", 5) == 0;
        size_t marked = 0;
        for (size_t j = 0; j < sizeof name / sizeof *name; j++)
            named |= has(k, name[j]);
        for (size_t j = 0; j < k->n_params; j++)
            marked += k->params[j].flags & CS_PARAM_SIZE &&
                      !(k->params[j].flags & CS_PARAM_FIXED);
        if (named != (marked > 0))
            fail_msg("%s: %zu parameters set the size of its moves", k->name,
                     marked);
        found += marked > 0;
    }
    assert_true(found >= 30);
}

static void set_value(cs_run *r)
{
    assert_int_equal(cs_run_set(r, 0, "step", 0.37, NULL), CS_OK);
}

static void set_schedule(cs_run *r)
{
    cs_schedule s = {.type = cs_schedule_find("linear")};
    const double values[] = {0.1, 0.9, 20};
    assert_non_null(s.type);
    memcpy(s.values, values, sizeof values);
    assert_int_equal(cs_run_set_schedule(r, 0, "step", &s, NULL), CS_OK);
}

static void set_kernel(cs_run *r)
{
    cs_kernel k = kernel_of("barker");
    assert_int_equal(cs_run_set_kernel(r, 0, &k, NULL, NULL), CS_OK);
}

static void set_metric(cs_run *r)
{
    const double variance[64] = {4, 9, 0.25, 1, 1, 1, 1, 1};
    assert_int_equal(
        cs_run_set_metric(r, 0, CS_METRIC_DIAGONAL, variance, NULL, NULL),
        CS_OK);
}

static void set_states(cs_run *r)
{
    double x[64] = {1.5, -1};
    assert_int_equal(cs_run_set_state(r, 0, 2, x, NULL), CS_OK);
    x[0] = -2;
    assert_int_equal(cs_run_set_state(r, 0, 1, x, NULL), CS_OK);
}

/* A rewind leads to the step at which a parameter was changed. The preview then
 * includes the change, which is made before the next step. */
static void changes_at_that_step_come_before_it(void **state)
{
    static void (*const change[])(cs_run * r) = {
        set_value, set_schedule, set_kernel, set_metric, set_states};
    (void)state;
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        cs_run *r = open_run("gaussian", "mala");
        cs_step_preview c;
        assert_int_equal(cs_run_advance(r, 5, NULL, NULL), CS_OK);
        change[i](r);
        assert_int_equal(cs_run_advance(r, 5, NULL, NULL), CS_OK);
        assert_int_equal(cs_run_travel(r, 5, NULL), CS_OK);
        cs_kernel before = *cs_run_arm(r, 0).kernel;
        assert_true(cs_run_preview(r, 0, 1, &c));
        cs_kernel after = *cs_run_arm(r, 0).kernel;
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(c.changes, 1);
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        cs_chain_view now = cs_run_chain(r, 0, 1);
        assert_memory_equal(&c.step, &now.last, sizeof c.step);
        assert_string_equal(c.kernel->name,
                            cs_run_arm(r, 0).kernel->type->name);
        for (size_t d = 0; d < c.dim; d++)
            assert_true(c.y[d] == now.proposal[d]);
        cs_step_preview_clear(&c);
        cs_run_destroy(r);
    }
}

/* ---- sites --------------------------------------------------------------- */

/* Returns true if the odds of the sites agree with log q in both directions. */
static bool odds_are_log_q(const cs_step_preview *c)
{
    double there = 0, back = 0, all = 0;
    for (size_t i = 0; i < (size_t)c->odds.known; i++) {
        const cs_site_odds *o = &c->site[i];
        all += o->leaves;
        if (c->odds.one != 0 && o->now == o->proposed)
            continue;
        there += log(o->there);
        back += log(o->back);
    }
    double coupled = isnan(c->coupled) ? 0 : c->coupled;
    double coupled_there = isnan(c->coupled) ? 0 : c->coupled_there;
    if (c->odds.one != 0 && !same(all, 1))
        return false;
    return same(there, c->step.log_q_forward - coupled) &&
           same(back, c->step.log_q_back - coupled_there);
}

static size_t count(cs_run *r, size_t *seen)
{
    size_t good = 0;
    *seen = 0;
    for (int k = 0; k < STEPS; k++) {
        for (size_t chain = 0; chain < CHAINS; chain++) {
            cs_step_preview c;
            assert_true(cs_run_preview(r, 0, chain, &c));
            assert_non_null(c.site);
            good += odds_are_log_q(&c);
            ++*seen;
            cs_step_preview_clear(&c);
        }
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
    }
    cs_run_destroy(r);
    return good;
}

static void sites_have_the_odds_of_log_q(void **state)
{
    static const char *const target[] = {"ising", "potts", "quadratic"};
    static const char *const kernel[] = {"dmala", "gwg", "locally_balanced",
                                         "any_scale", "edmala_glu"};
    (void)state;
    size_t tried = 0;
    for (size_t t = 0; t < sizeof target / sizeof *target; t++)
        for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++) {
            cs_run *r = open_run(target[t], kernel[k]);
            size_t seen, good = r ? count(r, &seen) : 0;
            if (r && good != seen)
                fail_msg("%s of %s: %zu of %zu", kernel[k], target[t], good,
                         seen);
            tried += r != NULL;
        }
    assert_true(tried >= 11);
}

/* The original log_q of the kernel, which the next function calls. Fault of the
 * next function: the log q of the reverse move is reported as the log q of the
 * forward move. */
static void (*honest)(cs_move *m, const double *from, const double *to,
                      double *out);

static void turned(cs_move *m, const double *from, const double *to,
                   double *out)
{
    honest(m, to, from, out);
}

static void odds_of_another_density_are_seen(void **state)
{
    cs_kernel k = kernel_of("dmala");
    cs_kernel_type type = *k.type;
    cs_target *t = target_of("ising");
    size_t seen;
    (void)state;
    honest = type.log_q;
    type.log_q = turned;
    k.type = &type;
    size_t good = count(open_with(t, &k), &seen);
    assert_true(good < seen / 2);
    cs_target_release(t);
}

/* ---- drift and noise ----------------------------------------------------- */

/* The target is a standard normal, so the gradient is -x. */
static void the_drift_follows_the_gradient(void **state)
{
    static const char *const kernel[] = {"mala", "sgld"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cs_run *r = open_run("gaussian", kernel[i]);
        const cs_kernel *k = cs_run_arm(r, 0).kernel;
        int row = cs_param_find(k->type->params, k->type->n_params,
                                i ? "rate" : "step");
        double value = k->values[row], by = i ? value : value * value / 2;
        cs_step_preview c;
        assert_int_equal(cs_run_advance(r, 7, NULL, NULL), CS_OK);
        assert_true(cs_run_preview(r, 0, 2, &c));
        assert_non_null(c.drift);
        for (size_t d = 0; d < c.dim; d++) {
            assert_near(c.drift[d] + c.noise[d] + c.x[d], c.y[d], 0, 1e-12);
            if (i == 0)
                assert_near(c.drift[d], -by * c.x[d], 0, 1e-9);
        }
        cs_step_preview_clear(&c);
        cs_run_destroy(r);
    }
}

/* The velocity contributes the last move times `momentum`. */
static void the_velocity_carries_the_last_move(void **state)
{
    (void)state;
    cs_run *r = open_run("gaussian", "sghmc");
    const cs_kernel *k = cs_run_arm(r, 0).kernel;
    int row = cs_param_find(k->type->params, k->type->n_params, "momentum");
    assert_true(row >= 0 && k->values[row] > 0);
    for (int step = 0; step < STEPS; step++) {
        cs_step_preview c;
        double was[64];
        cs_chain_view v = cs_run_chain(r, 0, 2);
        memcpy(was, v.x, cs_run_target(r)->space.dim * sizeof *was);
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        assert_true(cs_run_preview(r, 0, 2, &c));
        assert_non_null(c.carried);
        for (size_t d = 0; d < c.dim; d++) {
            assert_near(c.carried[d], k->values[row] * (c.x[d] - was[d]), 0,
                        1e-9);
            assert_near(c.carried[d] + c.drift[d] + c.noise[d] + c.x[d], c.y[d],
                        0, 1e-12);
        }
        cs_step_preview_clear(&c);
    }
    cs_run_destroy(r);
}

/* The signs of the noise contribute the sum of -log(1 + exp(-D_j g_j)) to the
 * forward log q. */
static void signs_have_the_chance_of_log_q(void **state)
{
    (void)state;
    cs_run *r = open_run("gaussian", "barker");
    for (int step = 0; step < STEPS; step++) {
        cs_step_preview c;
        double sum = 0;
        assert_true(cs_run_preview(r, 0, 1, &c));
        assert_non_null(c.slope);
        for (size_t d = 0; d < c.dim; d++)
            sum -= log1p(exp(-(c.y[d] - c.x[d]) * c.slope[d]));
        assert_near(sum, c.step.log_q_forward, 1e-9, 1e-9);
        assert_null(c.drift);
        cs_step_preview_clear(&c);
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
    }
    cs_run_destroy(r);
}

/* For a minibatch, the preview reports the number of rows that were drawn and
 * the number of rows that were kept. */
static void rows_are_those_of_the_step(void **state)
{
    static const char *const kernel[] = {"poisson_mh", "tuna_mh",
                                         "random_walk"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        cs_kernel k = kernel_of(kernel[i]);
        cs_target *t;
        cs_step_preview c;
        assert_int_equal(cs_target_create(&small_tall, NULL, 0, &t, NULL),
                         CS_OK);
        cs_run *r = open_with(t, &k);
        cs_target_release(t);
        assert_non_null(r);
        assert_int_equal(cs_run_advance(r, 3, NULL, NULL), CS_OK);
        assert_true(cs_run_preview(r, 0, 1, &c));
        if (i == 2)
            assert_true(isnan(c.rows) && isnan(c.kept));
        else
            assert_true(c.kept >= 0 && c.kept <= c.rows &&
                        c.rows == floor(c.rows));
        cs_step_preview_clear(&c);
        cs_run_destroy(r);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_step_to_come_is_the_next),
    cmocka_unit_test(other_sizes_of_all_kinds),
    cmocka_unit_test(kernels_mark_the_size_of_moves),
    cmocka_unit_test(changes_at_that_step_come_before_it),
    cmocka_unit_test(sites_have_the_odds_of_log_q),
    cmocka_unit_test(odds_of_another_density_are_seen),
    cmocka_unit_test(the_drift_follows_the_gradient),
    cmocka_unit_test(the_velocity_carries_the_last_move),
    cmocka_unit_test(signs_have_the_chance_of_log_q),
    cmocka_unit_test(rows_are_those_of_the_step),
};
TESTS(test_step_preview)
