/* Tests the list of warnings and its order. Tests that a cause suppresses the
 * warnings about its effects. Tests each threshold with values just above and
 * just below it. */
#include "support/support.h"

#include "base/memory.h"
#include "check/check.h"
#include "warn/kinds.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the facts of a run with 4 chains that has no problem. */
static cs_warn_facts good(void)
{
    static cs_kernel walk;
    walk.type = cs_kernel_find("random_walk");
    return (cs_warn_facts){
        .arm = "a",
        .kernel = &walk,
        .exact = true,
        .ended = true,
        .finished = true,
        .chains = 4,
        .group = 1,
        .dim = 2,
        .steps = 1000,
        .budget = 1001,
        .step = 1,
        .best = 0.35,
        .heat = 1,
        .counts = {.steps = 4000, .accepted = 1400, .ebfmi = (double)NAN},
        .worst = {.rhat = 1, .size = 1000},
    };
}

/* Returns true if the warning `name` is found, with or without other
 * warnings. */
static bool finds(const char *name, const cs_warn_facts *f)
{
    cs_warnings w = {0};
    cs_warnings_find(&w, f);
    bool found = cs_warnings_has(&w, name);
    cs_warnings_free(&w);
    return found;
}

static void a_good_run_has_none(void **state)
{
    (void)state;
    cs_warnings w = {0};
    const cs_warn_facts f = good();
    cs_warnings_find(&w, &f);
    assert_int_equal(cs_warnings_worst(&w), CS_SEVERITY_NONE);
    cs_warnings_free(&w);
}

static void names_are_words_and_known(void **state)
{
    (void)state;
    const cs_warning *k;
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        assert_int_equal(strspn(k->name, "abcdefghijklmnopqrstuvwxyz_"),
                         strlen(k->name));
        assert_true(!k->find != !k->draws);
        assert_true(k->severity > CS_SEVERITY_NONE);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(cs_warning_at(j)->name, k->name);
    }
    assert_true(cs_warning_at(CS_WARNING_KINDS) == NULL);
}

#define NEAR(name, field, yes, no)                                             \
    do {                                                                       \
        cs_warn_facts f_ = good();                                             \
        f_.field = yes;                                                        \
        assert_true(finds(name, &f_));                                         \
        f_.field = no;                                                         \
        assert_false(finds(name, &f_));                                        \
    } while (0)

static void thresholds_of_runs(void **state)
{
    (void)state;
    NEAR("broken_off", finished, false, true);
    NEAR("one_chain", chains, 1, 2);
    NEAR("divergent", counts.divergent, 1, 0);
    NEAR("not_finite", counts.not_finite, 1, 0);
    NEAR("energy", counts.ebfmi, 0.29, 0.31);
    NEAR("deep", counts.deep, 1, 0);
    NEAR("step_large", counts.accepted, 19, 21);
    NEAR("heat", heat, 2, 1);
    NEAR("unequal", files.longest, 1101, 1099);
    NEAR("left_out", files.left_out, 1, 0);
    NEAR("damaged", files.damaged, 1, 0);
    NEAR("cut", files.planned, 1, 0);
    NEAR("unchecked", unchecked, true, false);
    NEAR("check", broken, "reach", "");
    NEAR("adapting", adapts, 101, 99);
}

/* Files that grow have chains of different lengths. Complete files have not. */
static void complete_files_are_equal(void **state)
{
    (void)state;
    cs_warn_facts f = good();
    f.files.longest = 1001;
    assert_false(finds("unequal", &f));
    f.files.complete = true;
    assert_true(finds("unequal", &f));
    f.files.longest = 1000;
    assert_false(finds("unequal", &f));
}

/* Each law of kernels has words of its own for a kernel that breaks it. */
static void broken_laws_are_explained(void **state)
{
    (void)state;
    const cs_law *const books[] = {cs_arm_laws, cs_member_laws};
    for (size_t k = 0; k < 2; k++)
        for (const cs_law *law = books[k]; law->name; law++) {
            cs_page p = {0};
            cs_warn_facts f = good();
            f.broken = law->name;
            assert_true(cs_warn_check(&f, &p));
            assert_non_null(strstr(p.text, "the kernel is wrong: "));
            assert_null(strstr(p.text, "cannot be trusted"));
            assert_non_null(strstr(p.text, law->name));
            cs_free(p.text);
        }
}

/* A few draws suffice for the warning about a small step size. The condition
 * for the warning is that the rejection rate is below a quarter of the
 * rejection rate at the best acceptance. */
static void small_steps_refuse_little(void **state)
{
    (void)state;
    cs_warn_facts f = good();
    f.counts.accepted = 3360; /* 16 % rejected; a quarter of 65 % is 16.25 % */
    assert_false(finds("step_small", &f));
    f.worst.size = 399;
    assert_true(finds("step_small", &f));
    f.counts.accepted = 3340; /* 16.5 % rejected, more than 16.25 % */
    assert_false(finds("step_small", &f));
    f.tuned = true;
    f.counts.accepted = 3900;
    assert_false(finds("step_small", &f));
    f.counts.accepted = 3930;
    assert_true(finds("step_small", &f));
}

/* 2 Phi(-x / 2) is 0.44 at x = 1.544 and 0.96 at x = 0.1003. */
static void steps_grow_to_the_best_acceptance(void **state)
{
    (void)state;
    assert_float_equal(cs_warn_step_factor(0.7, 0.44, false), 2.004, 0.01);
    assert_float_equal(cs_warn_step_factor(0.96, 0.44, false), 10, 1e-12);
    assert_float_equal(cs_warn_step_factor(0.96, 0.44, true), 2.49, 0.01);
    assert_float_equal(cs_warn_step_factor(1, 0.44, true), 10, 1e-12);
    assert_float_equal(cs_warn_step_factor(0.4, 0.44, false), 1.5, 1e-12);
}

/* With k = 2 the efficiency is highest at 0.234, with k = 2/3 at 0.574. At the
 * ends of the good rates it is 80 % of the highest. */
static void good_rates_of_acceptance(void **state)
{
    static const double power[] = {2, 2.0 / 3}, best[] = {0.2338, 0.5741};
    (void)state;
    for (int i = 0; i < 2; i++) {
        double end[2], at[3], e[3];
        cs_warn_good_acceptance(best[i], &end[0], &end[1]);
        assert_true(end[0] > 0 && end[0] < best[i]);
        assert_true(end[1] > best[i] && end[1] < 1);
        at[0] = end[0], at[1] = best[i], at[2] = end[1];
        for (int k = 0; k < 3; k++)
            e[k] = at[k] * pow(-gsl_cdf_ugaussian_Pinv(at[k] / 2), power[i]);
        assert_true(fabs(e[0] / e[1] - 0.8) < 1e-3);
        assert_true(fabs(e[2] / e[1] - 0.8) < 1e-3);
    }
}

/* The sentence "draws are correct" is omitted if R-hat exceeds its limit. */
static void deep_draws_are_right_where_rhat_is(void **state)
{
    (void)state;
    cs_warn_facts f = good();
    f.counts.deep = 10;
    f.counts.trajectories = 4000;
    for (int failed = 0; failed < 2; failed++) {
        cs_warnings w = {0};
        cs_page p = {0};
        f.worst.rhat = failed ? 1.011 : 1.009;
        cs_warnings_find(&w, &f);
        cs_warnings_put(&w, &p, NULL);
        assert_int_equal(strstr(p.text, "draws are correct") == NULL, failed);
        cs_free(p.text);
        cs_warnings_free(&w);
    }
}

static const double uniform[] = {0.5, 0.5};

static void thresholds_of_modes(void **state)
{
    (void)state;
    double visits[] = {2000, 0};
    cs_warn_facts f = good();
    f.modes = (cs_warn_modes){visits, uniform, 2, 1};
    assert_true(finds("modes_missed", &f));
    visits[1] = 100;
    assert_false(finds("modes_missed", &f));
    assert_true(finds("modes_short", &f));
    visits[1] = 106; /* 0.1006 of the expected visits */
    assert_false(finds("modes_short", &f));
}

static void thresholds_of_ladders(void **state)
{
    (void)state;
    static const double hot[] = {1, 10, 100};
    double swaps[] = {0.5, 0.009};
    cs_warn_facts f = good();
    f.ladder = (cs_warn_ladder){hot, swaps, 2, 1};
    assert_true(finds("ladder_gap", &f));
    swaps[1] = 0.011;
    assert_false(finds("ladder_gap", &f));
    assert_false(finds("ladder_idle", &f));
    f.ladder.trips = 0;
    assert_true(finds("ladder_idle", &f));
    f.steps = 999;
    assert_false(finds("ladder_idle", &f));
}

/* ---- evidence ------------------------------------------------------------ */

static void two_answers_for_one_state(void **state)
{
    (void)state;
    assert_false(cs_evidence_differs(-1000, -1000 * (1 + 1e-10)));
    assert_true(cs_evidence_differs(-1000, -1000 * (1 + 1e-8)));
    assert_true(cs_evidence_differs(-HUGE_VAL, 0));
    assert_false(cs_evidence_differs(-HUGE_VAL, -HUGE_VAL));
    assert_false(cs_evidence_differs((double)NAN, (double)NAN));
}

static void slopes_beside_differences(void **state)
{
    (void)state;
    assert_false(cs_evidence_is_wrong_slope(1.009, 1, 1));
    assert_true(cs_evidence_is_wrong_slope(1.012, 1, 1));
    assert_true(cs_evidence_is_wrong_slope(-1, 1, 1));
    /* If the two differences disagree, there is no evidence. */
    assert_false(cs_evidence_is_wrong_slope(-1, 1, 1.003));
    assert_false(cs_evidence_is_wrong_slope(9e-5, 0, 0));
    assert_true(cs_evidence_is_wrong_slope(2e-4, 0, 0));
    assert_false(cs_evidence_is_wrong_slope(1, HUGE_VAL, HUGE_VAL));
}

/* A Cauchy density decreases as 1 / distance^2, and a flat density does not
 * decrease. */
static void densities_without_an_integral(void **state)
{
    (void)state;
    assert_true(cs_evidence_is_flat(6.8, 1e3));
    assert_false(cs_evidence_is_flat(7, 1e3));
    assert_false(cs_evidence_is_flat(HUGE_VAL, 1e3));
    assert_false(cs_evidence_is_flat((double)NAN, 1e3));
}

static void trajectories_that_come_back(void **state)
{
    (void)state;
    cs_evidence_path p = {
        .apart = 0.9, .mirrored = 40, .deviation = 10, .farthest = 6};
    assert_true(cs_evidence_returns(&p));
    p.farthest = 4; /* chains have hardly moved */
    assert_false(cs_evidence_returns(&p));
    p = (cs_evidence_path){40, 0.9, 10, 40};
    assert_true(cs_evidence_returns(&p));
    p.mirrored = 1.1;
    assert_false(cs_evidence_returns(&p));
}

static void thresholds_of_evidence(void **state)
{
    (void)state;
    NEAR("random", evidence.random, true, false);
    NEAR("slope", evidence.slope.found, true, false);
    NEAR("improper", evidence.flat.found, true, false);
    NEAR("improper", evidence.far.found, true, false);
    NEAR("resonance", evidence.turns.found, true, false);
    cs_warn_facts f = good();
    f.evidence.edge.found = true;
    assert_false(finds("edge", &f));
    f.worst.size = 399;
    assert_true(finds("edge", &f));
    f = good();
    f.evidence.edge.found = true;
    f.counts.divergent = 1;
    assert_true(finds("edge", &f));
    f.counts.trajectories = 1000;
    f.counts.deep = 11;
    f.evidence.correlation = 0.91;
    assert_true(finds("metric", &f));
    f.evidence.correlation = 0.89;
    assert_false(finds("metric", &f));
    f.evidence.correlation = 0.91;
    f.counts.deep = 9;
    assert_false(finds("metric", &f));
}

/* ---- draws --------------------------------------------------------------- */

static void name_it(const void *self, size_t k, char name[CS_WARN_NAME])
{
    (void)self;
    snprintf(name, CS_WARN_NAME, "x.%zu", k);
}

static cs_diagnosis diagnosis(double rhat, double chance, double bulk)
{
    cs_diagnosis d = cs_no_diagnosis(NULL);
    d.figures = (cs_figures){
        .sd = 1, .rhat = rhat, .bulk = bulk, .tail = bulk, .ess = bulk};
    d.chance = chance;
    return d;
}

static bool draws_find(const char *name, cs_diagnosis d)
{
    cs_warnings w = {0};
    const cs_warn_draws draws = {.d = &d,
                                 .scalars = 1,
                                 .chains = 4,
                                 .draws = 1000,
                                 .all = 4,
                                 .real = true,
                                 .kish = (double)NAN,
                                 .name = name_it};
    cs_warnings_find_draws(&w, &draws);
    bool found = cs_warnings_has(&w, name);
    cs_warnings_free(&w);
    return found;
}

static void thresholds_of_draws(void **state)
{
    (void)state;
    assert_true(draws_find("rhat", diagnosis(1.0101, 0.0009, 1000)));
    assert_false(draws_find("rhat", diagnosis(1.0099, 0.0009, 1000)));
    assert_false(draws_find("rhat", diagnosis(1.0101, 0.0011, 1000)));
    assert_true(draws_find("rhat_vague", diagnosis(1.0101, 0.0011, 1000)));
    assert_true(draws_find("rhat", diagnosis(1.201, 0.5, 1000)));
    assert_true(draws_find("rhat_vague", diagnosis(1.199, 0.5, 1000)));
    assert_true(draws_find("draws_few", diagnosis(1, 1, 399)));
    assert_false(draws_find("draws_few", diagnosis(1, 1, 401)));
    cs_diagnosis d = diagnosis(1, 1, 1000);
    d.figures.tail = 399;
    assert_true(draws_find("tails_few", d));
    d.figures.tail = 401;
    assert_false(draws_find("tails_few", d));
    d.figures.ess = 4000 * log10(4000);
    assert_true(draws_find("ess_capped", d));
    d.figures.ess *= 0.99;
    assert_false(draws_find("ess_capped", d));
    d.heavy = 0.71;
    assert_true(draws_find("heavy", d));
    d.heavy = 0.69;
    assert_false(draws_find("heavy", d));
    d.drift_chance = 0.0009;
    assert_true(draws_find("drift", d));
    d.drift_chance = 0.0011;
    assert_false(draws_find("drift", d));
}

/* Infinite draws are reported even if another quantity is constant. For the
 * constant quantity the warning is "all draws are equal". */
static void draws_that_are_not_finite(void **state)
{
    (void)state;
    cs_warnings w = {0};
    cs_page lines = {0};
    const cs_diagnosis d[] = {cs_no_diagnosis("all draws are equal"),
                              cs_no_diagnosis(cs_why_not_finite)};
    const cs_warn_draws draws = {.d = d,
                                 .scalars = 2,
                                 .chains = 4,
                                 .draws = 1000,
                                 .infinite = 7,
                                 .infinite_in = 2,
                                 .all = 4,
                                 .name = name_it};
    cs_warnings_find_draws(&w, &draws);
    cs_warnings_put(&w, &lines, NULL);
    assert_true(cs_warnings_has(&w, "infinite"));
    assert_non_null(strstr(lines.text, "7 of 4000 draws of x.1 are infinite or "
                                       "NaN, in 2 of 4 chains, "));
    assert_null(strstr(lines.text, "all draws are equal"));
    cs_free(lines.text);
    cs_warnings_free(&w);
}

/* ---- the list ------------------------------------------------------------ */

/* A cause precedes its effects in the list of warnings. It suppresses warnings
 * whose remedy would mislead. For all other effects it replaces the remedy. */
static void causes_come_first(void **state)
{
    (void)state;
    cs_warnings w = {0};
    cs_page lines = {0}, names = {0};
    cs_warn_facts f = good();
    cs_warnings_read(&w,
                     "bulk ESS of x is 5: run 70 times as long\n"
                     "R-hat of x is 2: the chains do not agree; run longer or "
                     "change the kernel\n",
                     "draws_few rhat");
    f.counts.accepted = 3999;
    f.worst.size = 5;
    cs_warnings_find(&w, &f);
    cs_warnings_settle(&w);
    cs_warnings_put(&w, &lines, &names);
    assert_string_equal(names.text, "step_small rhat");
    assert_non_null(strstr(lines.text, "the chains do not agree\n"));
    assert_int_equal(cs_warnings_worst(&w), CS_SEVERITY_WARNING);
    cs_free(lines.text);
    cs_free(names.text);
    cs_warnings_free(&w);
}

static void lists_are_read_back(void **state)
{
    (void)state;
    cs_warnings w = {0};
    cs_page lines = {0}, names = {0};
    static const char text[] = "! 1 of 4 chains stopped\n  chain 1\nheavy\n";
    cs_warnings_read(&w, text, "stopped stopped heavy");
    cs_warnings_read(&w, "what\n", "of_a_later_version");
    cs_warnings_put(&w, &lines, &names);
    assert_string_equal(lines.text, text);
    assert_string_equal(names.text, "stopped stopped heavy");
    cs_free(lines.text);
    cs_free(names.text);
    cs_page json = {0};
    cs_warnings_json(&w, &json);
    assert_string_equal(
        json.text,
        "[{\"name\": \"stopped\", \"severity\": \"wrong\", \"text\": \"! 1 of "
        "4 chains stopped\\u000a  chain 1\"}, {\"name\": \"heavy\", "
        "\"severity\": "
        "\"warning\", \"text\": \"heavy\"}]");
    cs_free(json.text);
    cs_warnings_free(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_good_run_has_none),
    cmocka_unit_test(names_are_words_and_known),
    cmocka_unit_test(thresholds_of_runs),
    cmocka_unit_test(complete_files_are_equal),
    cmocka_unit_test(broken_laws_are_explained),
    cmocka_unit_test(small_steps_refuse_little),
    cmocka_unit_test(steps_grow_to_the_best_acceptance),
    cmocka_unit_test(good_rates_of_acceptance),
    cmocka_unit_test(deep_draws_are_right_where_rhat_is),
    cmocka_unit_test(thresholds_of_modes),
    cmocka_unit_test(thresholds_of_ladders),
    cmocka_unit_test(two_answers_for_one_state),
    cmocka_unit_test(slopes_beside_differences),
    cmocka_unit_test(densities_without_an_integral),
    cmocka_unit_test(trajectories_that_come_back),
    cmocka_unit_test(thresholds_of_evidence),
    cmocka_unit_test(thresholds_of_draws),
    cmocka_unit_test(draws_that_are_not_finite),
    cmocka_unit_test(causes_come_first),
    cmocka_unit_test(lists_are_read_back),
};
TESTS(test_warnings)
