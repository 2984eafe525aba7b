/* Tests the step trace. Its rows sum to the step's log ratio, and the swaps
 * that it predicts are the swaps that occur. */
#include "support/by_name.h"
#include "support/small_rows.h"
#include "support/small_tall.h"
#include "support/support.h"

#include "run/arms/arms.h"
#include "run/preview/step_preview.h"
#include "run/run.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

enum { STEPS = 40, LEAST_SEEN = 20 };

static cs_run *open_with(cs_target *t, const cs_kernel *k, size_t chains)
{
    const cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = chains,
                        .seed = 11,
                        .workers = 1};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(t);
    return r;
}

static cs_kernel kernel_with(const char *name, const cs_value *given, size_t n)
{
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find(name), given, n, NULL),
                     CS_OK);
    return k;
}

static cs_target *tall(void)
{
    cs_target *t;
    assert_int_equal(cs_target_create(&small_tall, NULL, 0, &t, NULL), CS_OK);
    return t;
}

/* ---- rows ---------------------------------------------------------------- */

/* Sums over the rows that a step uses for one purpose: the number of rows, the
 * number of rows kept, the contribution of the rows to log a, and the sum of
 * the rows' terms at the proposal. */
typedef struct sums {
    double n, kept, part, there;
} sums;

static sums sums_of(const cs_step_preview *c, cs_row_use use)
{
    sums s = {0, 0, 0, 0};
    assert_true(c->notes.rows <= c->notes.row_capacity);
    for (size_t i = 0; i < c->notes.rows; i++) {
        const cs_row_note *r = &c->notes.row[i];
        if (r->use != use)
            continue;
        s.n++;
        s.kept += r->kept;
        s.part += isnan(r->part) ? 0 : r->part;
        s.there += r->there;
    }
    return s;
}

/* Checks a Poisson minibatch: the number of rows drawn, the number of rows
 * kept, and log a. */
static bool poisson_adds_up(const cs_step_preview *c)
{
    sums s = sums_of(c, CS_ROW_WEIGHS), g = sums_of(c, CS_ROW_GUIDES);
    for (size_t i = 0; i < c->notes.rows; i++) {
        const cs_row_note *r = &c->notes.row[i];
        if (r->use == CS_ROW_WEIGHS && !(r->chance >= 0 && r->chance <= 1))
            return false;
    }
    return s.n + g.n == c->rows && s.kept == c->kept &&
           fabs(s.part - c->step.log_aux) <= 1e-9 * (1 + fabs(s.part));
}

static size_t count_sums(cs_run *r, bool (*good)(const cs_step_preview *))
{
    size_t seen = 0;
    for (int k = 0; k < STEPS; k++) {
        cs_step_preview c;
        assert_true(cs_run_preview(r, 0, 1, &c));
        if (!good(&c))
            fail_msg("step %d of %s", k, cs_run_arm(r, 0).kernel->type->name);
        seen += c.notes.rows > 0;
        cs_step_preview_clear(&c);
        run_steps(r, 1);
    }
    cs_run_destroy(r);
    return seen;
}

static void rows_of_a_poisson_minibatch_add_up(void **state)
{
    static const char *const kernel[] = {
        "poisson_mh", "poisson_mala", "poisson_barker", "tuna_mh", "tuna_sgld"};
    static const char *const scale[] = {"lambda", "lambda", "lambda", "chi",
                                        "chi"};
    (void)state;
    for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) {
        const cs_value given[] = {
            {.name = "step", .given = 1, .number = 0.7},
            {.name = scale[i], .given = 1, .number = 0.6}};
        cs_kernel k = kernel_with(kernel[i], given, 2);
        cs_run *r = open_with(tall(), &k, 3);
        assert_true(count_sums(r, poisson_adds_up) > LEAST_SEEN);
    }
}

/* Each coordinate's move has a sign. The probability of this sign equals the
 * probability that log q contains. */
static void signs_follow_the_minibatch(void **state)
{
    (void)state;
    cs_kernel k = kernel_of("poisson_barker");
    cs_run *r = open_with(tall(), &k, 3);
    for (int step = 0; step < STEPS; step++) {
        cs_step_preview c;
        double sum = 0;
        assert_true(cs_run_preview(r, 0, 1, &c));
        assert_non_null(c.slope);
        for (size_t d = 0; d < c.dim; d++)
            sum -= log1p(exp(-(c.y[d] - c.x[d]) * c.slope[d]));
        assert_near(sum, c.step.log_q_forward, 1e-9, 1e-9);
        cs_step_preview_clear(&c);
        run_steps(r, 1);
    }
    cs_run_destroy(r);
}

/* Returns true if the step trace contains the estimate of log p. For a batch of
 * two of the five rows, the estimate is the prior plus N / n times the sum of
 * the terms of the batch. */
static bool batch_adds_up(const cs_step_preview *c)
{
    sums s = sums_of(c, CS_ROW_GUIDES);
    double prior = 0;
    for (size_t d = 0; d < c->dim; d++)
        prior -= small_rows_prior * c->y[d] * c->y[d] / 2;
    double logp = prior + 5.0 / 2 * s.there;
    return s.n == 2 && c->rows == 2 &&
           fabs(logp - c->step.logp) <= 1e-9 * (1 + fabs(logp));
}

static void rows_of_a_batch_estimate_log_p(void **state)
{
    static const char *const kernel[] = {"sgld", "sgd", "sghmc", "psgld"};
    const cs_value given[] = {{.name = "batch", .given = 1, .number = 2},
                              {.name = "rate", .given = 1, .number = 0.01}};
    (void)state;
    for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) {
        cs_kernel k = kernel_with(kernel[i], given, 2);
        cs_run *r = open_with(small_rows_of(5, 0), &k, 3);
        assert_int_equal(count_sums(r, batch_adds_up), STEPS);
    }
}

static bool test_adds_up(const cs_step_preview *c)
{
    sums s = sums_of(c, CS_ROW_WEIGHS);
    return s.n == c->rows &&
           fabs(s.part - c->step.log_aux) <= 1e-9 * (1 + fabs(s.part));
}

static void rows_of_a_sequential_test_add_up(void **state)
{
    const cs_value given[] = {{.name = "batch", .given = 1, .number = 2},
                              {.name = "step", .given = 1, .number = 0.7}};
    (void)state;
    cs_kernel k = kernel_with("austerity", given, 2);
    cs_run *r = open_with(small_rows_of(9, 0), &k, 3);
    assert_true(count_sums(r, test_adds_up) > LEAST_SEEN);
}

/* The rows that may become dark in a step are the rows that were bright before
 * the step. The number of bright rows after the step is computed from the rows
 * that change. */
static void fireflies_turn_as_told(void **state)
{
    const cs_value given[] = {{.name = "q", .given = 1, .number = 0.3},
                              {.name = "step", .given = 1, .number = 0.05}};
    const cs_value few[] = {{.name = "rows", .given = 1, .number = 40}};
    double bright = -1;
    cs_target *t;
    (void)state;
    assert_int_equal(
        cs_target_create(cs_target_find("robust_regression"), few, 1, &t, NULL),
        CS_OK);
    cs_kernel k = kernel_with("firefly", given, 2);
    cs_run *r = open_with(t, &k, 3);
    for (int step = 0; step < STEPS; step++) {
        cs_step_preview c;
        assert_true(cs_run_preview(r, 0, 1, &c));
        sums dark = sums_of(&c, CS_ROW_LIGHTENS),
             lit = sums_of(&c, CS_ROW_DARKENS),
             ratio = sums_of(&c, CS_ROW_WEIGHS);
        assert_true(ratio.n + dark.n == c.rows);
        assert_true(isinf(c.step.logp_proposal) || ratio.n == lit.n);
        if (bright >= 0)
            assert_true(lit.n == bright);
        bright = lit.n + dark.kept - lit.kept;
        cs_step_preview_clear(&c);
        run_steps(r, 1);
    }
    cs_run_destroy(r);
}

/* ---- swaps --------------------------------------------------------------- */

/* For each swap in the preview, checks that its chains exchanged their states
 * if and only if the preview predicted an exchange. */
static void check_swaps(cs_run *r, const cs_step_preview *c)
{
    for (size_t i = 0; i < c->notes.swaps; i++) {
        const cs_swap_note *s = &c->notes.swap[i];
        double a = cs_run_chain(r, 0, (size_t)s->chain).last.logp;
        double b = cs_run_chain(r, 0, (size_t)s->other).last.logp;
        bool swaps = s->swaps != 0;
        assert_near(a, -(swaps ? s->other_energy : s->energy), 1e-9, 1e-9);
        assert_near(b, -(swaps ? s->energy : s->other_energy), 1e-9, 1e-9);
        assert_near(s->tempered + s->rest, s->log_ratio, 1e-12, 1e-12);
        assert_near(s->tempered,
                    (1 / s->temperature - 1 / s->other_temperature) *
                        (s->energy - s->other_energy),
                    1e-9, 1e-9);
    }
}

static void follow_swaps(cs_run *r, uint64_t period)
{
    size_t swaps = 0, stays = 0;
    cs_step_preview far = {0};
    for (int k = 0; k < 4 * STEPS; k++) {
        cs_step_preview c;
        assert_true(cs_run_preview(r, 0, 1, &c));
        assert_true(c.notes.swaps > 0 && !c.swap_within);
        assert_true(c.swap_step > cs_run_steps(r) &&
                    c.swap_step <= cs_run_steps(r) + period);
        if (far.swap_step == c.swap_step)
            assert_memory_equal(far.notes.swap, c.notes.swap,
                                c.notes.swaps * sizeof *c.notes.swap);
        run_steps(r, 1);
        if (cs_run_steps(r) == c.swap_step) {
            check_swaps(r, &c);
            swaps += c.notes.swap[0].swaps != 0;
            stays += c.notes.swap[0].swaps == 0;
        }
        cs_step_preview_clear(&far);
        far = c;
    }
    cs_step_preview_clear(&far);
    cs_run_destroy(r);
    assert_true(swaps > 3 && stays > 3);
}

/* Returns a ladder of three rungs around a kernel. */
static cs_kernel ladder_of(const char *wrapper, const char *inner, double every)
{
    const cs_value given[] = {
        {.name = "rungs", .given = 1, .number = 3},
        {.name = "hottest", .given = 1, .number = 12},
        {.name = "swap_interval", .given = 1, .number = every}};
    cs_kernel in = kernel_of(inner), k;
    assert_int_equal(
        cs_kernel_wrap(&k, cs_kernel_find(wrapper), given, 3, &in, NULL),
        CS_OK);
    return k;
}

static void swaps_foretold_are_made(void **state)
{
    const cs_value given[] = {{.name = "rungs", .given = 1, .number = 3},
                              {.name = "hottest", .given = 1, .number = 12},
                              {.name = "rate", .given = 1, .number = 0.3}};
    (void)state;
    cs_kernel k = ladder_of("parallel_tempering", "random_walk", 4);
    follow_swaps(open_with(target_of("mixture"), &k, 6), 4);
    cs_kernel_release(&k);
    k = kernel_with("replica_exchange_sgld", given, 3);
    follow_swaps(open_with(target_of("gaussian"), &k, 6), 1);
}

/* The temperature after a step is the temperature that was predicted. */
static void temperatures_foretold_are_taken(void **state)
{
    size_t goes = 0, stays = 0, ends = 0;
    double rung = -1;
    (void)state;
    cs_kernel k = ladder_of("simulated_tempering", "random_walk", 2);
    cs_run *r = open_with(target_of("mixture"), &k, 2);
    for (int step = 0; step < 4 * STEPS; step++) {
        cs_step_preview c;
        assert_true(cs_run_preview(r, 0, 1, &c));
        assert_true(c.notes.swaps == 1 && c.swap_within);
        const cs_swap_note *s = c.notes.swap;
        bool end = isnan(s->other_temperature);
        if (rung >= 0)
            assert_true(s->rung == rung);
        if (!end)
            assert_near(s->log_ratio, s->tempered + s->rest, 1e-12, 1e-12);
        assert_true(!end || s->swaps == 0);
        run_steps(r, 1);
        rung = -1;
        if (cs_run_steps(r) == c.swap_step) {
            rung = s->swaps != 0 ? s->other_rung : s->rung;
            goes += s->swaps != 0;
            stays += !end && s->swaps == 0;
            ends += end;
        }
        cs_step_preview_clear(&c);
    }
    assert_true(goes > 5 && stays > 2 && ends > 5);
    cs_run_destroy(r);
    cs_kernel_release(&k);
}

/* For a swap that is too many steps ahead, the preview predicts only the step
 * at which the swap occurs. */
static void a_distant_exchange_is_not_looked_into(void **state)
{
    cs_step_preview c;
    (void)state;
    cs_kernel k = ladder_of("parallel_tempering", "random_walk", 5000);
    cs_run *r = open_with(target_of("mixture"), &k, 3);
    assert_true(cs_run_preview(r, 0, 1, &c));
    assert_int_equal(c.notes.swaps, 0);
    assert_int_equal(c.swap_step, 5000);
    cs_step_preview_clear(&c);
    cs_run_destroy(r);
    cs_kernel_release(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_of_a_poisson_minibatch_add_up),
    cmocka_unit_test(signs_follow_the_minibatch),
    cmocka_unit_test(rows_of_a_batch_estimate_log_p),
    cmocka_unit_test(rows_of_a_sequential_test_add_up),
    cmocka_unit_test(fireflies_turn_as_told),
    cmocka_unit_test(swaps_foretold_are_made),
    cmocka_unit_test(temperatures_foretold_are_taken),
    cmocka_unit_test(a_distant_exchange_is_not_looked_into),
};
TESTS(test_step_trace)
