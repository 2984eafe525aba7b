/* Tests that an error in a Poisson minibatch ends only one chain, with a
 * message: a term outside its bounds, a NaN term, or too many draws. Outside
 * the prior's support the rows' bounds are not checked. */
#include "run/history/changes.h"
#include "run/run.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/poisson_hand.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS = 11, DIM = SMALL_TALL_DIM, ROWS = SMALL_TALL_ROWS };

/* ---- faulty targets ------------------------------------------------------ */

/* Fractions by which the bounds of row 2 (index 1) are scaled. */
static double low_part, high_part;

static cs_status wrong_range(const cs_target *t, double *low, double *high,
                             cs_error *err)
{
    cs_status s = small_tall.rows.range(t, low, high, err);
    low[1] *= low_part;
    high[1] *= high_part;
    return s;
}

/* For |x_0| > edge the terms and slopes of row 2 are NaN. If `everywhere` is
 * set, the terms and slopes of all rows are NaN there. */
static double edge;
static bool everywhere;
static size_t asked_beyond; /* rows evaluated beyond the edge */

static void spoil_terms(const cs_point *at, const cs_batch *b, double *logp)
{
    for (size_t l = 0; l < at->live; l++)
        if (fabs(at->x[l]) > edge)
            asked_beyond += b->first[l + 1] - b->first[l];
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i++)
            if (fabs(at->x[l]) > edge && (everywhere || b->row[i] == 1))
                logp[i] = (double)NAN;
}

static void broken_terms(const cs_target *t, const cs_point *at,
                         const cs_batch *b, double *logp)
{
    small_tall.rows.terms(t, at, b, logp);
    spoil_terms(at, b, logp);
}

/* A batch with the weights of small_tall but with faulty terms. */
typedef struct spoilt {
    const cs_point *at;
    const cs_batch *b;
} spoilt;

static void weigh_spoilt(void *of, size_t lane, size_t at, size_t n,
                         const double *term, double *weight)
{
    const spoilt *s = of;
    double seen[CS_PAD];
    for (size_t i = 0; i < n; i++) {
        bool bad = fabs(s->at->x[lane]) > edge &&
                   (everywhere || s->b->row[at + i] == 1);
        seen[i] = bad ? (double)NAN : term[i];
    }
    s->b->weigh(s->b->of, lane, at, n, seen, weight);
}

static void broken_slope(const cs_target *t, const cs_point *at,
                         const cs_batch *b, double *logp, double *g)
{
    spoilt s = {at, b};
    cs_batch seen = *b;
    seen.weigh = weigh_spoilt;
    seen.of = &s;
    small_tall.rows.slope(t, at, &seen, logp, g);
    spoil_terms(at, b, logp);
    for (size_t l = 0; l < at->lanes; l++)
        for (size_t d = 0; d < DIM && everywhere; d++)
            if (fabs(at->x[l]) > edge)
                g[d * at->lanes + l] = (double)NAN;
}

/* A prior with log p = -infinity beyond the edge. */
static void walled_prior(const cs_target *t, const cs_point *at, double *logp,
                         double *g)
{
    small_tall.prior(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        if (fabs(at->x[l]) > edge)
            logp[l] = -HUGE_VAL;
}

static void inside(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    for (size_t d = 0; d < DIM; d++)
        x[d] = uniform[d] / 4;
}

static cs_target_type faulty(void)
{
    cs_target_type type = small_tall;
    type.name = "faulty";
    type.start = inside;
    return type;
}

static cs_run *open_run(const cs_target_type *type, hand_kernel kernel,
                        double lambda, size_t lanes, const cs_plan *plan)
{
    cs_run *r = NULL;
    setting s = hand_setting(kernel, 0.4, lambda);
    cs_arm_spec arm = {.name = "a", .kernel = s.kernel};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 4,
                        .workers = 1,
                        .block_lanes = lanes};
    if (plan)
        arm.plan = *plan;
    assert_int_equal(cs_target_create(type, NULL, 0, &spec.target, NULL), 0);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

/* ---- bounds -------------------------------------------------------------- */

/* Returns the number after `words` in the text; fails if `words` are
 * missing. */
static double number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    double number = 0;
    if (!at || sscanf(at + strlen(words), "%lg", &number) != 1)
        fail_msg("no number after \"%s\" in: %s", words, text);
    return number;
}

/* Checks the message of failed chain c. The message names a term, a bound and a
 * value. The value must be that of the term at the state or at the proposal,
 * and must be outside the bound. */
static void words_are_true(const cs_run *r, size_t c, double bound)
{
    char text[512];
    assert_true(cs_run_chain_fault(r, 0, c, text, sizeof text));
    double value = number_after(text, "row 2: its term ");
    double said = number_after(text, "beyond its bound ");
    assert_non_null(strstr(text, "the target's bounds are wrong"));
    assert_near(said, bound, 1e-6, 0);
    assert_true(bound > 0 ? value > bound : value < bound);
    assert_true(fabs(value) <= small_tall_most(1));
}

static size_t failed_of(cs_run *r)
{
    size_t n = 0;
    for (size_t c = 0; c < CHAINS; c++)
        n += cs_run_chain(r, 0, c).failed;
    return n;
}

/* Compares chains that share one block with chains in blocks of one chain. In
 * both cases, every chain must fail at the same step and at the same point. */
static void try_bounds(hand_kernel kernel, double low, double high)
{
    cs_target_type type = faulty();
    type.rows.range = wrong_range;
    low_part = low;
    high_part = high;
    cs_run *r = open_run(&type, kernel, 0.3, 0, NULL);
    cs_run *alone = open_run(&type, kernel, 0.3, 1, NULL);
    size_t failed = 0, some = 0;
    for (int n = 0; n < 400 && failed < CHAINS; n++) {
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        assert_int_equal(cs_run_advance(alone, 1, NULL, NULL), CS_OK);
        failed = failed_of(r);
        some += failed && failed < CHAINS;
        for (size_t c = 0; c < CHAINS; c++) {
            cs_chain_view a = cs_run_chain(r, 0, c),
                          b = cs_run_chain(alone, 0, c);
            assert_true(a.failed == b.failed);
            assert_true(a.x[0] == b.x[0] && a.x[1] == b.x[1]);
        }
    }
    assert_true(some > 0);
    for (size_t c = 0; c < CHAINS; c++)
        if (cs_run_chain(r, 0, c).failed)
            words_are_true(r, c, small_tall_most(1) * (high < 1 ? high : -low));
    cs_run_destroy(r);
    cs_run_destroy(alone);
}

static void a_broken_bound_is_named(void **state)
{
    (void)state;
    for (hand_kernel k = 0; k < HANDS; k++) {
        try_bounds(k, 1, 0.8);
        try_bounds(k, 0.4, 1);
    }
}

static void a_term_that_is_no_number_is_named(void **state)
{
    (void)state;
    cs_target_type type = faulty();
    char text[512];
    type.rows.terms = broken_terms;
    type.rows.slope = broken_slope;
    everywhere = false;
    edge = 0.9;
    for (hand_kernel k = 0; k < HANDS; k++) {
        cs_run *r = open_run(&type, k, 0.3, 0, NULL);
        assert_int_equal(cs_run_advance(r, 300, NULL, NULL), CS_OK);
        size_t n = failed_of(r);
        assert_true(n > CHAINS / 2);
        for (size_t c = 0; c < CHAINS; c++) {
            assert_true(fabs(cs_run_chain(r, 0, c).x[0]) <= edge);
            if (!cs_run_chain_fault(r, 0, c, text, sizeof text))
                continue;
            assert_non_null(strstr(text, "the term of row 2 is not a number"));
        }
        cs_run_destroy(r);
    }
}

/* Makes one step of both blocks and compares the results. Block `one` has only
 * chain 3 of block `b`. */
static void step_both(const setting *s, cs_block *b, cs_block *one)
{
    double x[DIM], y[DIM];
    one_step(s, b);
    one_step(s, one);
    cs_block_state(b, 3, x);
    cs_block_state(one, 0, y);
    assert_memory_equal(x, y, sizeof x);
    assert_true(b->move.info.log_ratio[3] == one->move.info.log_ratio[0]);
}

/* Outside the support no term is evaluated. A random walk that proposes a point
 * outside the support draws no rows. */
static void outside_there_are_no_bounds(void **state)
{
    (void)state;
    cs_target_type type = faulty();
    type.rows.terms = broken_terms;
    type.rows.slope = broken_slope;
    type.prior = walled_prior;
    everywhere = true;
    edge = 0.7;
    asked_beyond = 0;
    for (hand_kernel k = 0; k < HANDS; k++) {
        static const double x[DIM] = {0.1, -0.2}, *const start = x;
        size_t out = 0, in = 0;
        cs_target *t;
        cs_block *one;
        setting s = hand_setting(k, 0.4, 50);
        assert_int_equal(cs_target_create(&type, NULL, 0, &t, NULL), 0);
        cs_block *b = open_block(&s, t, 6, CHAINS, x);
        assert_int_equal(
            cs_block_create(&one, t, &s.kernel, 6, 3, 1, NULL, 0, NULL), CS_OK);
        assert_int_equal(cs_block_start(one, &start, NULL), CS_OK);
        for (int n = 0; n < 100; n++) {
            step_both(&s, b, one);
            const cs_info *i = &b->move.info;
            for (size_t l = 0; l < CHAINS; l++) {
                bool beyond = i->logp_proposal[l] == -HUGE_VAL;
                out += beyond;
                in += !beyond;
                assert_false((beyond && i->accepted[l]) || b->move.failed[l]);
                assert_true(beyond ? i->log_ratio[l] == -HUGE_VAL
                                   : isfinite(i->log_ratio[l]));
                if (k == HAND_MH)
                    assert_true((i->stat[l] == 0) == beyond);
            }
        }
        assert_true(out > 100 && in > 100 && asked_beyond == 0);
        cs_block_destroy(one);
        cs_block_destroy(b);
        cs_target_release(t);
    }
}

/* ---- too many draws ------------------------------------------------------ */

/* With L = 5.8, a lambda of 3e6 draws 1e8 rows. */
static void too_many_draws_are_refused(void **state)
{
    (void)state;
    for (hand_kernel k = 0; k < HANDS; k++) {
        cs_target *t;
        cs_error err;
        cs_block *b = NULL;
        setting s = hand_setting(k, 0.4, 4e6);
        assert_int_equal(cs_target_create(&small_tall, NULL, 0, &t, NULL), 0);
        assert_int_equal(
            cs_block_create(&b, t, &s.kernel, 1, 0, 3, NULL, 0, &err),
            CS_RANGE);
        assert_non_null(strstr(err.what, "a step would draw 1.35e+08 rows"));
        assert_true(err.hint[0]);
        cs_target_release(t);
    }
}

/* Creates a target of 100 rows. The bounds of the rows add up to 2. Hence there
 * is a lambda for which a step draws ten rows on average. */
static cs_status slender_create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_status s = small_tall.create(t, v, err);
    t->n_rows = t->data_terms = 100;
    return s;
}

static double slender_width;

static cs_status slender_range(const cs_target *t, double *low, double *high,
                               cs_error *err)
{
    (void)err;
    for (size_t r = 0; r < t->n_rows; r++) {
        low[r] = 0;
        high[r] = slender_width;
    }
    return CS_OK;
}

static void the_hint_is_of_use(void **state)
{
    (void)state;
    cs_target_type type = small_tall;
    type.create = slender_create;
    type.rows.range = slender_range;
    for (int i = 0; i < 2; i++) {
        cs_target *t;
        cs_error err;
        cs_block *b = NULL;
        slender_width = i ? 1e7 : 0.02;
        setting s = hand_setting(HAND_MALA, 0.4, 1e9);
        assert_int_equal(cs_target_create(&type, NULL, 0, &t, NULL), 0);
        assert_int_equal(
            cs_block_create(&b, t, &s.kernel, 1, 0, 3, NULL, 0, &err),
            CS_RANGE);
        if (i) {
            assert_non_null(strstr(err.hint, "too large for any lambda"));
        } else {
            s.kernel.values[1] = number_after(err.hint, "lambda = ");
            assert_near(cs_kernel_expected_rows(&s.kernel, t), 10, 0.1, 0);
        }
        cs_target_release(t);
    }
}

/* A lambda that follows a schedule is not checked before the run. A step that
 * would draw too many rows stops the chains. */
static void a_schedule_may_ask_for_too_many(void **state)
{
    (void)state;
    static const double values[] = {0.3, 0.3, 0.2, 0.3, 1e9};
    cs_plan plan = {0};
    const cs_schedule cycle = cs_schedule_cycle(values, 5);
    assert_true(cs_plan_drive(&plan, 1, &cycle));
    for (hand_kernel k = 0; k < HANDS; k++) {
        cs_run *r = open_run(&small_tall, k, 0.3, 0, &plan);
        char why[256];
        uint64_t step;
        assert_int_equal(cs_run_advance(r, 4, NULL, NULL), CS_OK);
        assert_int_equal(failed_of(r), 0);
        assert_int_equal(cs_run_advance(r, 4, NULL, NULL), CS_OK);
        for (size_t c = 0; c < CHAINS; c++) {
            assert_true(cs_run_chain_stop(r, 0, c, &step, why, sizeof why));
            assert_int_equal(step, 5);
            assert_non_null(
                strstr(why, "more than 1e+08: use a smaller lambda"));
        }
        cs_run_destroy(r);
    }
}

/* If a user sets lambda during a run to a value that is too large, the change
 * is refused. The run continues with the old value. */
static void nobody_sets_too_many_by_hand(void **state)
{
    (void)state;
    for (hand_kernel k = 0; k < HANDS; k++) {
        cs_run *r = open_run(&small_tall, k, 0.3, 0, NULL);
        cs_error err;
        run_steps(r, 5);
        assert_int_equal(cs_run_set(r, 0, "lambda", 1e9, &err), CS_RANGE);
        assert_non_null(strstr(err.what, "a step would draw"));
        run_steps(r, 5);
        assert_int_equal(failed_of(r), 0);
        assert_int_equal(cs_run_set(r, 0, "lambda", 2, &err), CS_OK);
        run_steps(r, 5);
        assert_int_equal(failed_of(r), 0);
        cs_run_destroy(r);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_broken_bound_is_named),
    cmocka_unit_test(a_term_that_is_no_number_is_named),
    cmocka_unit_test(outside_there_are_no_bounds),
    cmocka_unit_test(too_many_draws_are_refused),
    cmocka_unit_test(the_hint_is_of_use),
    cmocka_unit_test(a_schedule_may_ask_for_too_many),
    cmocka_unit_test(nobody_sets_too_many_by_hand),
};
TESTS(test_poisson_faults)
