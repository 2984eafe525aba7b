/* Compares leave-one-out results, WAIC and the comparison of models with R's
 * package loo 2.5.1, for draws that both make with the same formula. */
#include "support/support.h"

#include "stat/model_comparison.h"

#include <math.h>

enum { DRAWS = 250, CHAINS = 4, SIZE = DRAWS * CHAINS, ROWS = 12, MODELS = 2 };

static const double y[ROWS] = {0.3, -1.2, 2.1, 0.7, -0.4, 1.5,
                               0.2, -0.9, 1.1, 0.6, 4.2,  -0.1};

/* elpd_loo, Pareto k and p_loo of each observation, by
 *   loo(log_lik, r_eff = posterior::ess_mean(exp(log_lik)) / 1000)
 * with log_lik[s, i] = log normal(y[i] | mu[s], 1 or 2). */
static const double expected[MODELS][ROWS][3] = {
    {{-1.152695861656, 0.239037547006, 0.065721730929},
     {-3.200869652583, 0.423950799174, 1.064577328407},
     {-3.016772210950, 0.276982855596, 1.005346167545},
     {-1.156789965861, 0.176657908863, 0.071788526150},
     {-1.712713331434, 0.320607931213, 0.340694347828},
     {-1.875887774970, 0.191390254477, 0.440763788448},
     {-1.188919135487, 0.262257992591, 0.083135563855},
     {-2.540247003579, 0.382219195690, 0.745546871472},
     {-1.399331696949, 0.136271284529, 0.198570642181},
     {-1.133648019652, 0.109564855623, 0.059161766205},
     {-10.658737406499, 0.690813892784, 4.446402515884},
     {-1.385671745431, 0.293054507027, 0.179616234145}},
    {{-1.662881549627, 0.085870720288, 0.004024529888},
     {-2.052129233011, 0.087043094108, 0.065586380648},
     {-2.009259585284, -0.106395855899, 0.061422929359},
     {-1.663096583220, -0.014928809963, 0.004373549344},
     {-1.767972209704, 0.070635967276, 0.020469732692},
     {-1.795177177308, -0.114998650041, 0.026431169706},
     {-1.669686534723, 0.086369256355, 0.005054160043},
     {-1.925071921560, 0.081628735575, 0.045382927308},
     {-1.707242345894, -0.113513381944, 0.011894978154},
     {-1.658934132008, -0.049832780691, 0.003623125291},
     {-3.534701226546, -0.042800729414, 0.307006787506},
     {-1.706518615539, 0.074027521251, 0.010782682825}},
};

/* Estimates and standard errors: elpd_loo, p_loo, elpd_waic; then p_waic. */
static const double totals[MODELS][7] = {
    {-30.422283805052, 9.223163783025, 8.701325483050, 4.250717338528,
     -30.702670022614, 9.658808107125, 8.981711700612},
    {-23.152671114426, 1.816322380244, 0.566052952766, 0.293818437914,
     -23.147975142949, 1.815296323402, 0.561356981288}};

/* A sum of twelve uniform numbers for each draw, from the generator
 * w = 16807 w mod (2^31 - 1), which starts at 7. */
static void make_means(double *mu)
{
    double word = 7;
    for (size_t s = 0; s < SIZE; s++) {
        double sum = -6;
        for (size_t i = 0; i < 12; i++) {
            word = fmod(word * 16807, 2147483647);
            sum += word / 2147483647;
        }
        mu[s] = 0.5 + 0.6 * sum;
    }
}

static void find(size_t model, cs_loo *out)
{
    static double mu[SIZE], ll[SIZE];
    double sd = model ? 2 : 1;
    make_means(mu);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t s = 0; s < SIZE; s++) {
            double z = (y[i] - mu[s]) / sd;
            ll[s] = -0.5 * z * z - log(sd) - 0.91893853320467274;
        }
        assert_true(cs_loo_of((cs_draws){ll, DRAWS, CHAINS}, &out[i]));
    }
}

static void observations_are_those_of_loo(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cs_loo found[ROWS];
        find(m, found);
        for (size_t i = 0; i < ROWS; i++) {
            const double *want = expected[m][i];
            assert_near(found[i].elpd, want[0], 0, 1e-8);
            assert_near(found[i].k, want[1], 0, 1e-8);
            assert_near(found[i].lpd - found[i].elpd, want[2], 0, 1e-8);
        }
    }
}

static void sums_are_those_of_loo(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        cs_loo found[ROWS];
        find(m, found);
        cs_loo_sum s = cs_loo_total(found, ROWS);
        const double got[] = {s.elpd, s.elpd_error, s.p,     s.p_error,
                              s.waic, s.waic_error, s.p_waic};
        for (size_t k = 0; k < 7; k++)
            assert_near(got[k], totals[m][k], 0, 1e-8);
        assert_int_equal(s.bad, m == 0); /* 0.69, from few draws */
        assert_near(s.worst, m ? 0.087043094108 : 0.690813892784, 0, 1e-8);
    }
}

/* A shape above the largest reliable one, or none, is bad. */
static void bad_shapes_are_counted(void **state)
{
    const cs_loo point[] = {{.k = 0.7, .reliable = 0.7},
                            {.k = 0.71, .reliable = 0.7},
                            {.k = HUGE_VAL, .reliable = 0.7}};
    (void)state;
    assert_int_equal(cs_loo_total(point, 3).bad, 2);
    assert_true(isnan(cs_loo_total(point, 1).elpd_error));
    assert_near(cs_psis_reliable(1000), 2.0 / 3, 0, 1e-15);
    assert_near(cs_psis_reliable(2000), 1 - 1 / log10(2000), 0, 1e-15);
    assert_true(cs_psis_reliable(2200) == 0.7 && cs_psis_reliable(1e6) == 0.7);
}

/* loo_compare gives the difference and its error. The best model is first. */
static void models_are_ranked(void **state)
{
    (void)state;
    cs_loo found[ROWS];
    double elpd[MODELS + 1][ROWS];
    cs_model_rank rank[MODELS + 1];
    for (size_t m = 0; m <= MODELS; m++) {
        find(m % MODELS, found);
        for (size_t i = 0; i < ROWS; i++)
            elpd[m][i] = found[i].elpd;
    }
    assert_true(cs_models_rank(elpd[0], MODELS, ROWS, rank));
    assert_int_equal(rank[0].model, 1);
    assert_true(rank[0].difference == 0 && rank[0].error == 0);
    assert_near(rank[1].difference, -7.2696126906252, 0, 1e-8);
    assert_near(rank[1].error, 7.4070308446843, 0, 1e-8);
    /* stacking_weights stops earlier than this program */
    assert_near(rank[1].weight, 0.1368658925, 0, 2e-5);
    assert_near(rank[0].weight + rank[1].weight, 1, 0, 1e-12);
    /* equal models keep their order */
    assert_true(cs_models_rank(elpd[0], MODELS + 1, ROWS, rank));
    assert_int_equal(rank[1].model, 0);
    assert_int_equal(rank[2].model, 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(observations_are_those_of_loo),
    cmocka_unit_test(sums_are_those_of_loo),
    cmocka_unit_test(bad_shapes_are_counted),
    cmocka_unit_test(models_are_ranked),
};
TESTS(test_model_comparison)
