/* Tests that an error in a minibatch of tuna_mh or tuna_sgld ends only one
 * chain, with a message. The error is a term that changed by more than its
 * bound, an invalid measure, or too many draws. Outside the prior's support no
 * row is evaluated. */
#include "support/by_name.h"
#include "support/support.h"
#include "support/tuna_hand.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS = 11, DIM = SMALL_TALL_DIM };

/* ---- faulty targets ------------------------------------------------------ */

/* Sets the bound of row 2 (index 1) to 0.3 times its true value. */
static cs_status wrong_change(const cs_target *t, double *c, cs_error *err)
{
    cs_status s = small_tall.rows.change(t, c, err);
    c[1] *= 0.3;
    return s;
}

static void negative_measure(const cs_target *t, const double *x,
                             const double *y, size_t lanes, double *m)
{
    small_tall.rows.change_measure(t, x, y, lanes, m);
    for (size_t l = 0; l < lanes; l++)
        m[l] = -m[l];
}

/* The support ends at the edge; beyond it terms are NaN. */
static const double edge = 0.7;
static size_t asked_beyond; /* rows evaluated beyond the edge */

static void walled_prior(const cs_target *t, const cs_point *at, double *logp,
                         double *g)
{
    small_tall.prior(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        if (fabs(at->x[l]) > edge)
            logp[l] = -HUGE_VAL;
}

static void count_beyond(const cs_point *at, const cs_batch *b)
{
    for (size_t l = 0; l < at->live; l++)
        if (fabs(at->x[l]) > edge)
            asked_beyond += b->first[l + 1] - b->first[l];
}

static void walled_terms(const cs_target *t, const cs_point *at,
                         const cs_batch *b, double *logp)
{
    count_beyond(at, b);
    small_tall.rows.terms(t, at, b, logp);
}

static void walled_slope(const cs_target *t, const cs_point *at,
                         const cs_batch *b, double *logp, double *g)
{
    count_beyond(at, b);
    small_tall.rows.slope(t, at, b, logp, g);
}

/* ---- blocks of both kernels ---------------------------------------------- */

static tuna of_kernel(bool sgld)
{
    return (tuna){.sgld = sgld, .step = 0.6, .chi = 0.5, .batch = 2};
}

static cs_target *target_from(const cs_target_type *type)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return t;
}

/* Makes steps until a chain fails, at most 400 steps; returns the index of the
 * failed chain. */
static size_t steps_to_failure(const setting *s, cs_block *b)
{
    for (int n = 0; n < 400; n++) {
        one_step(s, b);
        for (size_t l = 0; l < CHAINS; l++)
            if (b->move.failed[l])
                return l;
    }
    fail_msg("%s: no chain failed", s->formula);
    return 0;
}

/* Returns the reason and the message of the first failure on a target of this
 * type. The other chains must continue. */
static cs_reason fail_on(const cs_target_type *type, const tuna *h, char *text,
                         size_t size)
{
    static const double x[DIM] = {0.1, -0.2};
    cs_target *t = target_from(type);
    setting s = tuna_setting(h);
    cs_block *b = open_block(&s, t, 6, CHAINS, x);
    size_t l = steps_to_failure(&s, b);
    cs_reason why = cs_block_reason(b, l);
    cs_kernel_explain(&s.kernel, &why, text, size);
    assert_true(b->failed[l] > 0);
    cs_block_destroy(b);
    cs_target_release(t);
    return why;
}

static void a_broken_bound_is_named(void **state)
{
    (void)state;
    for (int sgld = 0; sgld < 2; sgld++) {
        cs_target_type type = small_tall;
        char text[256], want[256];
        const tuna h = of_kernel(sgld);
        type.rows.change = wrong_change;
        cs_reason why = fail_on(&type, &h, text, sizeof text);
        snprintf(want, sizeof want,
                 "row 2: its term changed by %.10g, more than its bound "
                 "%.10g: the target's bounds are wrong",
                 why.value, why.bound);
        assert_string_equal(text, want);
        assert_true(why.value > why.bound && why.bound > 0);
        assert_true(why.value * 0.3 < why.bound);
    }
}

static void a_measure_below_zero_is_named(void **state)
{
    (void)state;
    for (int sgld = 0; sgld < 2; sgld++) {
        cs_target_type type = small_tall;
        char text[256];
        const tuna h = of_kernel(sgld);
        type.rows.change_measure = negative_measure;
        cs_reason why = fail_on(&type, &h, text, sizeof text);
        assert_true(why.value < 0);
        assert_non_null(strstr(text, "the length M of a move is -"));
    }
}

/* The step length of one kernel is known, so an excessive number of draws is
 * rejected before the run. The other kernel fails at the step that would draw
 * too many rows. */
static void too_many_draws_are_refused(void **state)
{
    (void)state;
    tuna h = of_kernel(false);
    h.chi = 1e9;
    setting s = tuna_setting(&h);
    cs_target *t = target_from(&small_tall);
    cs_block *b = NULL;
    cs_error err;
    char text[256];
    assert_int_equal(cs_block_create(&b, t, &s.kernel, 1, 0, 3, NULL, 0, &err),
                     CS_RANGE);
    assert_non_null(strstr(err.what, "a step would draw about "));
    assert_non_null(strstr(err.hint, "a smaller step or chi"));
    cs_target_release(t);
    h.sgld = true;
    cs_reason why = fail_on(&small_tall, &h, text, sizeof text);
    assert_true(why.value > why.bound);
    assert_non_null(strstr(text, "more than 1e+08: use a smaller step or chi"));
}

/* ---- outside of the prior ------------------------------------------------ */

static void try_wall(const setting *s, cs_block *b)
{
    size_t out = 0, in = 0, guides = s->kernel.type->n_params > 2 ? 2 : 0;
    for (int n = 0; n < 100; n++) {
        one_step(s, b);
        const cs_info *i = &b->move.info;
        for (size_t l = 0; l < CHAINS; l++) {
            bool beyond = i->logp_proposal[l] == -HUGE_VAL;
            *(beyond ? &out : &in) += 1;
            assert_false((beyond && i->accepted[l]) || b->move.failed[l]);
            assert_true(beyond ? i->log_ratio[l] == -HUGE_VAL
                               : isfinite(i->log_ratio[l]));
            assert_true((i->stat[l] == (double)guides) == beyond);
        }
    }
    assert_true(out > 100 && in > 100 && asked_beyond == 0);
}

/* With a large chi each step inside the support draws some rows. */
static void outside_nothing_is_asked(void **state)
{
    (void)state;
    static const double x[DIM] = {0.1, -0.2};
    cs_target_type type = small_tall;
    type.prior = walled_prior;
    type.rows.terms = walled_terms;
    type.rows.slope = walled_slope;
    asked_beyond = 0;
    for (int sgld = 0; sgld < 2; sgld++) {
        tuna h = of_kernel(sgld);
        h.chi = 1000;
        setting s = tuna_setting(&h);
        cs_target *t = target_from(&type);
        cs_block *b = open_block(&s, t, 6, CHAINS, x);
        try_wall(&s, b);
        cs_block_destroy(b);
        cs_target_release(t);
    }
}

/* ---- before a run -------------------------------------------------------- */

static void refused(const cs_kernel *k, cs_target *t, const char *words)
{
    cs_error err = {0};
    assert_int_equal(cs_kernel_fits(k, t, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, k->type->name));
    assert_non_null(strstr(err.what, words));
    assert_true(err.hint[0]);
}

static void bounds_are_asked_for(void **state)
{
    (void)state;
    static const char *const name[] = {"tuna_mh", "tuna_sgld"};
    for (size_t i = 0; i < 2; i++) {
        cs_kernel k = kernel_of(name[i]);
        cs_target *none = target_of("gaussian"), *t = target_from(&small_tall);
        refused(&k, none, "a sum over rows");
        t->row_bounds = CS_ROW_RANGE;
        refused(&k, t, "bounds on the change of its terms");
        cs_target_release(none);
        cs_target_release(t);
    }
}

/* Before the run, the expected number of rows is estimated from 64 moves. For
 * tuna_sgld the expected number is unknown. */
static void the_number_of_rows_is_foretold(void **state)
{
    (void)state;
    static const double x[DIM];
    tuna h = of_kernel(false);
    setting s = tuna_setting(&h), other;
    cs_target *t = target_from(&small_tall);
    cs_block *b = open_block(&s, t, 6, CHAINS, x);
    double drawn = 0, n = 0;
    for (int k = 0; k < 400; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < CHAINS; l++, n++)
            drawn += b->move.info.stat[l];
    }
    assert_near(cs_kernel_expected_rows(&s.kernel, t), drawn / n, 0.2, 0);
    h.sgld = true;
    other = tuna_setting(&h);
    assert_true(isnan(cs_kernel_expected_rows(&other.kernel, t)));
    cs_block_destroy(b);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_broken_bound_is_named),
    cmocka_unit_test(a_measure_below_zero_is_named),
    cmocka_unit_test(too_many_draws_are_refused),
    cmocka_unit_test(outside_nothing_is_asked),
    cmocka_unit_test(bounds_are_asked_for),
    cmocka_unit_test(the_number_of_rows_is_foretold),
};
TESTS(test_tuna_faults)
