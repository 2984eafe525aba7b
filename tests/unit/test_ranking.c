/* Tests verdicts on arms that are compared (run/summary/ranking.h), from tables
 * of numbers. */
#include "support/support.h"

#include "run/summary/ranking.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NONE ((double)NAN)

static cs_contender arm(const char *name, double value, double error)
{
    return (cs_contender){.name = name,
                          .value = value,
                          .error = error,
                          .freedom = 3,
                          .modes = NONE};
}

static cs_ranking of(const cs_contender *arms, size_t n)
{
    return (cs_ranking){.arm = arms,
                        .merit = CS_MERIT_MORE,
                        .n = n,
                        .what = "effective draws",
                        .where = " per gradient",
                        .modes = NONE};
}

static void says(const cs_ranking *r, const char *want)
{
    char text[1000];
    cs_ranking_say(r, text, sizeof text);
    assert_string_equal(text, want);
}

/* Returns a standard error. If both arms have this error, the confidence
 * interval of their ratio r is from r / factor to r * factor. By Welch's
 * formula, two arms with 3 degrees of freedom each give 6 degrees of
 * freedom. */
static double error_for(double factor, double level, double freedom)
{
    return log(factor) / gsl_cdf_tdist_Pinv(0.5 + level / 2, freedom) / sqrt(2);
}

static void test_interval(void **state)
{
    (void)state;
    cs_lead lead;
    double e = error_for(1.5, 0.95, 6);
    const cs_contender arms[] = {arm("a", 12, e), arm("b", 3, e)};
    cs_ranking r = of(arms, 2);
    assert_true(cs_ranking_lead(&r, 0, 1, 0.95, &lead));
    assert_near(lead.ratio, 4, 1e-12, 0);
    assert_near(lead.low, 4 / 1.5, 1e-12, 0);
    assert_near(lead.high, 4 * 1.5, 1e-12, 0);
    r.merit = CS_MERIT_LESS;
    assert_true(cs_ranking_lead(&r, 1, 0, 0.95, &lead));
    assert_near(lead.ratio, 4, 1e-12, 0);
    assert_near(lead.low, 4 / 1.5, 1e-12, 0);
}

/* If only one arm has an error, Welch's formula gives the degrees of freedom of
 * this error. */
static void test_freedom(void **state)
{
    (void)state;
    cs_lead lead;
    const cs_contender arms[] = {arm("a", 2, 0.1), arm("b", 1, 0)};
    cs_ranking r = of(arms, 2);
    assert_true(cs_ranking_lead(&r, 0, 1, 0.95, &lead));
    assert_near(log(lead.high / 2), 0.1 * gsl_cdf_tdist_Pinv(0.975, 3), 1e-12,
                0);
}

static void test_two(void **state)
{
    (void)state;
    double e = error_for(1.5, 0.95, 6);
    const cs_contender far[] = {arm("walk", 1, e), arm("nuts", 12, e)};
    cs_ranking r = of(far, 2);
    says(&r, "`nuts` leads `walk` 12x (8.0 to 18) in effective draws per "
             "gradient");
    const cs_contender near[] = {arm("nuts", 1.1, e), arm("hmc", 1, e)};
    r = of(near, 2);
    says(&r, "`nuts` and `hmc` cannot be ranked yet: 1.1x (0.73 to "
             "1.7) in effective draws per gradient");
}

/* An arm whose figure has too large an error does not lead and is not
 * compared. */
static void test_vague(void **state)
{
    (void)state;
    double e = error_for(1.5, 0.95, 6);
    cs_contender arms[] = {arm("a", 12, e), arm("b", 1, e), arm("c", 0.1, 0)};
    cs_ranking r = of(arms, 3);
    arms[2].vague = "has too few";
    says(&r, "`a` leads `b` 12x (8.0 to 18) in effective draws per gradient; "
             "`c` has too few");
    arms[0].vague = "has too few";
    says(&r, "`a` has too few; `c` has too few");
    assert_int_equal(cs_ranking_leader(&r), 1);
}

/* A lead is claimed if and only if the confidence interval of the ratio
 * excludes 1. A number that is above 1 is never printed as 1. */
static void test_border(void **state)
{
    (void)state;
    char text[1000];
    double e = error_for(2, 0.95, 6);
    const double ratio[] = {1.999, 2.001};
    for (int i = 0; i < 2; i++) {
        const cs_contender arms[] = {arm("a", ratio[i], e), arm("b", 1, e)};
        cs_ranking r = of(arms, 2);
        cs_ranking_say(&r, text, sizeof text);
        assert_int_equal(strstr(text, "leads") != NULL, i);
        assert_int_equal(strstr(text, "cannot be ranked yet") != NULL, !i);
        assert_non_null(strstr(text, i ? "(1.0005 to" : "(0.9995 to"));
    }
}

/* There are four seeds. Each seed is 100 times as hard as the one before it,
 * and `a` is 1.5 to 2.5 times as good as `b`. The values computed by hand are
 * the mean m of log(a / b), its error e, and the t quantile for 3 degrees of
 * freedom, 3.182446. */
static void test_pairs(void **state)
{
    (void)state;
    cs_lead lead;
    const double ratio[] = {1.5, 2, 2.2, 2.5};
    double run[8], m = 0, e = 0;
    for (size_t k = 0; k < 4; k++) {
        run[2 * k + 1] = pow(100, (double)k);
        run[2 * k] = ratio[k] * run[2 * k + 1];
        m += log(ratio[k]) / 4;
    }
    for (size_t k = 0; k < 4; k++)
        e += pow(log(ratio[k]) - m, 2) / 3 / 4;
    e = sqrt(e);
    const cs_contender arms[] = {arm("a", 2, NONE), arm("b", 1, NONE)};
    cs_ranking r = of(arms, 2);
    r.run = run;
    r.runs = 4;
    assert_true(cs_ranking_lead(&r, 0, 1, 0.95, &lead));
    assert_near(lead.ratio, exp(m), 1e-12, 0);
    assert_near(lead.low, exp(m - 3.182446 * e), 1e-6, 0);
    assert_near(lead.high, exp(m + 3.182446 * e), 1e-6, 0);
    says(&r, "`a` leads `b` 2.0x (1.4 to 2.8) in effective draws per gradient");
    r.merit = CS_MERIT_LESS;
    assert_true(cs_ranking_lead(&r, 1, 0, 0.95, &lead));
    assert_near(lead.ratio, exp(m), 1e-12, 0);
    run[0] = NONE; /* three runs suffice, two do not */
    assert_true(cs_ranking_lead(&r, 1, 0, 0.95, &lead));
    assert_near(lead.ratio, pow(2 * 2.2 * 2.5, 1.0 / 3), 1e-12, 0);
    run[3] = NONE;
    assert_false(cs_ranking_lead(&r, 1, 0, 0.95, &lead));
}

/* Figures on an absolute scale are compared by differences. In this test the
 * differences are 1, 2 and 3, with mean 2 and error 1 / sqrt(3). The t quantile
 * for 2 degrees of freedom is 4.302653. */
static void test_differences(void **state)
{
    (void)state;
    cs_lead lead;
    const double run[] = {-7, -6, 12, 14, -103, -100};
    const cs_contender arms[] = {arm("a", -32.7, NONE), arm("b", -30.7, NONE)};
    cs_ranking r = of(arms, 2);
    r.merit = CS_MERIT_LESS;
    r.seen = true;
    r.what = "lowest energy";
    r.where = " over 3 seeds";
    r.run = run;
    r.runs = 3;
    assert_true(cs_ranking_lead(&r, 0, 1, 0.95, &lead));
    assert_near(lead.ratio, 2, 1e-12, 0);
    assert_near(lead.high, 2 + 4.302653 / sqrt(3), 1e-6, 0);
    says(&r, "`a` and `b` cannot be ranked yet: by 2 (-0.484 to "
             "4.48) in lowest energy over 3 seeds");
}

/* With three arms there are two comparisons, each at the level 97.5 %. A result
 * that holds only at the level of a single comparison is not claimed. */
static void test_several(void **state)
{
    (void)state;
    char text[1000];
    double e = error_for(2, 0.975, 6);
    const cs_contender arms[] = {arm("b", 1, e), arm("a", 2.02, e),
                                 arm("c", 1.05, e), arm("d", 0.1, e)};
    cs_ranking r = of(arms, 4);
    cs_ranking_say(&r, text, sizeof text);
    assert_null(strstr(text, "leads `b`"));
    assert_non_null(strstr(text, "`a` leads `d` 20x"));
    r.n = 3;
    says(&r, "`a` leads `b` 2.0x (1.01 to 4.0) in effective draws per "
             "gradient; `a` and `c` cannot be ranked yet: 1.9x "
             "(0.96 to 3.8) in effective draws per gradient");
}

/* Several undecided comparisons are reported in one clause. */
static void test_several_open(void **state)
{
    (void)state;
    double e = error_for(2, 1 - 0.05 / 3, 6);
    const cs_contender arms[] = {arm("nuts", 1, e), arm("hmc", 0.9, e),
                                 arm("walk", 0.1, e), arm("mala", 0.8, e)};
    cs_ranking r = of(arms, 4);
    says(&r, "`nuts` leads `walk` 10x (5.0 to 20) in effective draws per "
             "gradient; `nuts` and others cannot be ranked yet: "
             "`hmc` 1.1x (0.56 to 2.2) and `mala` 1.2x (0.63 to 2.5) in "
             "effective draws per gradient");
}

static void test_unknown_error(void **state)
{
    (void)state;
    const cs_contender arms[] = {arm("a", 5, NONE), arm("b", 1, 0.1),
                                 arm("c", NONE, NONE)};
    cs_ranking r = of(arms, 3);
    says(&r, "`a` and `b` cannot be ranked: the error of their effective "
             "draws is unknown; `c` has no figure");
}

/* A barred arm (one that must not win) never leads and is not compared,
 * whatever its figure. */
static void test_barred(void **state)
{
    (void)state;
    cs_contender arms[] = {arm("sgld", 1000, 0.01), arm("a", 5, 0.01),
                           arm("b", 1, 0.01)};
    arms[0].barred = "is not exact";
    cs_ranking r = of(arms, 3);
    assert_int_equal(cs_ranking_leader(&r), 1);
    says(&r, "`a` leads `b` 5.0x (4.8 to 5.2) in effective draws per gradient; "
             "`sgld` is not exact: it cannot win");
    arms[1].barred = arms[2].barred = "has failed the law balance";
    assert_int_equal(cs_ranking_leader(&r), 3);
    says(&r, "`sgld` is not exact: it cannot win; `a` has failed the law "
             "balance: it cannot win; `b` has failed the law balance: it "
             "cannot win");
    arms[0].barred = arms[1].barred = arms[2].barred = NULL;
    r.inexact = true;
    says(&r, "`sgld` leads `a` 200x (192 to 209) and `b` 1000x (959 to 1043) "
             "in effective draws per gradient; none is exact, so the distance "
             "from the truth is the better measure");
}

/* An arm that found fewer modes is not compared with an arm that found more
 * modes. A chain that never left one mode may have many effective draws. */
static void test_modes(void **state)
{
    (void)state;
    cs_contender arms[] = {arm("dmala", 900, 0.01), arm("acs", 1, 0.01),
                           arm("walk", 57, 0.01), arm("slow", 5, 0.01)};
    const double modes[] = {2, 25, 25, 24};
    for (size_t i = 0; i < 4; i++)
        arms[i].modes = modes[i];
    arms[0].stays = true;
    cs_ranking r = of(arms, 4);
    r.modes = 25;
    r.at = " within 40k gradients";
    says(&r, "`acs` and `walk` find 25 of 25 modes within 40k gradients; "
             "`dmala` is stuck in 2; `slow` finds 24; `walk` leads `acs` 57x "
             "(55 to 59) in effective draws per gradient");
    arms[1].barred = arms[2].barred = "is not exact";
    says(&r, "`slow` finds 24 of 25 modes within 40k gradients; `dmala` is "
             "stuck in 2; `acs` is not exact: it cannot win; `walk` is not "
             "exact: it cannot win");
}

static void test_less_is_better(void **state)
{
    (void)state;
    const cs_contender arms[] = {arm("a", 0.02, 0.05), arm("b", 0.2, 0.05)};
    cs_ranking r = of(arms, 2);
    r.merit = CS_MERIT_LESS;
    r.what = "distance from exact";
    r.where = " at 10k steps per chain";
    says(&r, "`a` leads `b` 10x (8.4 to 12) in distance from exact at 10k "
             "steps per chain");
}

/* Observed values have no error and are compared directly. Some figures are not
 * compared, because neither high nor low values are better. */
static void test_seen(void **state)
{
    (void)state;
    const cs_contender arms[] = {arm("a", -3, NONE), arm("b", -7.5, NONE),
                                 arm("c", 4, NONE)};
    cs_ranking r = of(arms, 3);
    r.merit = CS_MERIT_LESS;
    r.seen = true;
    r.what = "lowest energy";
    r.where = "";
    says(&r, "`b` has the best lowest energy, -7.5; next is `a`, -3");
    const cs_contender same[] = {arm("a", -3, NONE), arm("b", -3, NONE)};
    r.arm = same;
    r.n = 2;
    says(&r, "`a` and `b` have the same lowest energy, -3");
    r.merit = CS_MERIT_NONE;
    says(&r, "");
}

static void test_alone(void **state)
{
    (void)state;
    const cs_contender arms[] = {arm("a", 3, 0.1)};
    cs_ranking r = of(arms, 1);
    says(&r, "");
    r.n = 0;
    says(&r, "");
}

/* Arms are sorted with the best arm first. Arms without a figure come last and
 * keep their original order. */
static void test_order(void **state)
{
    (void)state;
    const cs_contender arms[] = {arm("a", NONE, 0), arm("b", 2, 0),
                                 arm("c", 7, 0),    arm("d", HUGE_VAL, 0),
                                 arm("e", 7, 0),    arm("f", 9, 0)};
    static const size_t more[] = {5, 2, 4, 1, 0, 3},
                        less[] = {1, 2, 4, 5, 0, 3};
    size_t order[6];
    cs_ranking r = of(arms, 6);
    cs_ranking_sort(&r, order);
    assert_memory_equal(order, more, sizeof more);
    r.merit = CS_MERIT_LESS;
    cs_ranking_sort(&r, order);
    assert_memory_equal(order, less, sizeof less);
}

/* The claims printed for random tables are true for the numbers in the
 * tables. */
static void test_claims_are_true(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    uint64_t seed = 1;
    for (int t = 0; t < 3000; t++) {
        cs_contender arms[5];
        size_t n = 2 + (size_t)t % 4;
        for (size_t i = 0; i < n; i++) {
            double u[2];
            for (int k = 0; k < 2; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                u[k] = (double)(seed >> 11) / 9007199254740992.0;
            }
            arms[i] = arm(names[i], exp(6 * u[0] - 3), u[1]);
            arms[i].barred = (seed >> 7) % 5 ? NULL : "is not exact";
        }
        cs_ranking r = of(arms, n);
        char text[2000];
        cs_ranking_say(&r, text, sizeof text);
        size_t best = cs_ranking_leader(&r), others = 0;
        for (size_t i = 0; i < n; i++)
            others += i != best && !arms[i].barred;
        for (size_t i = 0; i < n; i++) {
            char quoted[8];
            cs_lead l;
            snprintf(quoted, sizeof quoted, "`%s` ", names[i]);
            const char *lead = strstr(text, " leads ");
            const char *end = lead ? strstr(lead, " in effective") : NULL;
            const char *at = lead ? strstr(lead, quoted) : NULL;
            bool claimed = at && at < end;
            bool right =
                best < n && i != best && !arms[i].barred &&
                cs_ranking_lead(&r, best, i, 1 - 0.05 / (double)others, &l) &&
                l.low > 1;
            assert_int_equal(claimed, right);
            if (lead)
                assert_true(strncmp(text + 1, names[best], 1) == 0);
        }
    }
}

/* A clause that does not fit is omitted completely. */
static void test_short_text(void **state)
{
    (void)state;
    char text[1000], whole[1000];
    cs_contender arms[] = {arm("a", 5, 0.01), arm("b", 1, 0.01),
                           arm("c", 2, 0.01)};
    arms[2].barred = "is not exact";
    cs_ranking r = of(arms, 3);
    cs_ranking_say(&r, whole, sizeof whole);
    for (size_t size = 1; size < strlen(whole) + 1; size++) {
        cs_ranking_say(&r, text, size);
        assert_true(strlen(text) < size);
        assert_true(!*text || text[strlen(text) - 1] == 't' ||
                    text[strlen(text) - 1] == 'n');
    }
}

/* If arms disagree about the target, this is reported, and no arm leads. */
static void test_disagreement(void **state)
{
    cs_contender arms[] = {arm("a", 70, 0.01), arm("b", 1, 0.01),
                           arm("c", 9, 0.01)};
    cs_ranking r = of(arms, 3);
    (void)state;
    assert_int_equal(cs_ranking_leader(&r), 0);
    arms[0].apart = "disagrees with `b`";
    arms[1].apart = "disagrees with `a`";
    r.apart = "x.1 differs between `a` and `b` by 35 standard errors";
    says(&r, "x.1 differs between `a` and `b` by 35 standard errors: at least "
             "one is wrong, and no arm leads");
    assert_int_equal(cs_ranking_leader(&r), 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_interval),     cmocka_unit_test(test_freedom),
    cmocka_unit_test(test_two),          cmocka_unit_test(test_vague),
    cmocka_unit_test(test_border),       cmocka_unit_test(test_pairs),
    cmocka_unit_test(test_differences),  cmocka_unit_test(test_several),
    cmocka_unit_test(test_several_open), cmocka_unit_test(test_unknown_error),
    cmocka_unit_test(test_barred),       cmocka_unit_test(test_disagreement),
    cmocka_unit_test(test_modes),        cmocka_unit_test(test_less_is_better),
    cmocka_unit_test(test_seen),         cmocka_unit_test(test_alone),
    cmocka_unit_test(test_order),        cmocka_unit_test(test_claims_are_true),
    cmocka_unit_test(test_short_text),
};
TESTS(test_ranking)
