/* Compares the diagnostics with the R package posterior 1.4.0 on 26 vectors.
 * data/diagnostics/NAME.csv has one column per chain, and expected.txt has the
 * expected values. */
#include "support/support.h"

#include "base/memory.h"
#include "stat/diagnostics.h"
#include "stat/moments.h"

#include <gsl/gsl_cdf.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct quantity {
    const char *name;
    double (*plain)(cs_draws d, const char **reason);
    double (*at)(cs_draws d, double p, const char **reason);
    double p; /* argument of `at`; -1: read from the key, after a colon */
} quantity;

static double mean(cs_draws d, const char **reason)
{
    *reason = "mean";
    return cs_mean(d.x, d.n * d.chains);
}

static double sd(cs_draws d, const char **reason)
{
    *reason = "sd";
    return sqrt(cs_variance(d.x, d.n * d.chains));
}

static double quantile(cs_draws d, double p, const char **reason)
{
    *reason = "quantile";
    return cs_quantile(d.x, d.n * d.chains, p);
}

/* Figures that are only computed together with all others. */
static double mad(cs_draws d, const char **reason)
{
    *reason = "mad";
    return cs_diagnose(d).figures.mad;
}

static double ess_sd(cs_draws d, const char **reason)
{
    *reason = "ess_sd";
    return cs_diagnose(d).figures.ess_sd;
}

static double ess_median(cs_draws d, const char **reason)
{
    *reason = "ess_median";
    return cs_diagnose(d).figures.ess_median;
}

static double mcse_sd(cs_draws d, const char **reason)
{
    *reason = "mcse_sd";
    return cs_diagnose(d).figures.mcse_sd;
}

static double mcse_median(cs_draws d, const char **reason)
{
    *reason = "mcse_median";
    return cs_diagnose(d).figures.mcse_median;
}

static cs_quantile_figures at_one(cs_draws d, double p)
{
    cs_scores scores = {0};
    cs_probabilities one = {{p}, 1};
    cs_quantile_figures q = cs_diagnose_with(d, &one, &scores).quantile[0];
    cs_scores_free(&scores);
    return q;
}

static double ess_quantile(cs_draws d, double p, const char **reason)
{
    *reason = "ess_quantile";
    return at_one(d, p).ess;
}

static double mcse_quantile(cs_draws d, double p, const char **reason)
{
    *reason = "mcse_quantile";
    return at_one(d, p).mcse;
}

static const quantity quantities[] = {
    {"rhat", cs_rhat, NULL, 0},
    {"rhat_bulk", cs_rhat_bulk, NULL, 0},
    {"rhat_folded", cs_rhat_folded, NULL, 0},
    {"rhat_basic_nosplit", cs_rhat_basic, NULL, 0},
    {"ess_bulk", cs_ess_bulk, NULL, 0},
    {"ess_tail", cs_ess_tail, NULL, 0},
    {"ess_mean", cs_ess_mean, NULL, 0},
    {"ess_basic_nosplit", cs_ess_basic, NULL, 0},
    {"mcse_mean", cs_mcse_mean, NULL, 0},
    {"mean", mean, NULL, 0},
    {"sd", sd, NULL, 0},
    {"mad", mad, NULL, 0},
    {"ess_sd", ess_sd, NULL, 0},
    {"ess_median", ess_median, NULL, 0},
    {"mcse_sd", mcse_sd, NULL, 0},
    {"mcse_median", mcse_median, NULL, 0},
    {"ess_quantile", NULL, ess_quantile, -1},
    {"mcse_quantile", NULL, mcse_quantile, -1},
    {"median", NULL, quantile, 0.5},
    {"quantile7", NULL, quantile, -1},
};

/* Reads a number as R writes it, including NA, NaN and Inf. */
static double number(const char *text)
{
    if (strncmp(text, "NA", 2) == 0)
        return (double)NAN;
    return strtod(text, NULL);
}

/* Reads one vector into `draws` [own: x] */
static double *load(const char *name, cs_draws *d)
{
    char path[128], line[512];
    snprintf(path, sizeof path, "unit/data/diagnostics/%s.csv", name);
    FILE *f = fopen(path, "r");
    double *rows = cs_alloc(16384, sizeof *rows), *x;
    size_t n = 0, m = 0;
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        m = 0;
        for (char *at = line; at; at = strchr(at, ','), at = at ? at + 1 : at)
            rows[n++] = (m++, number(at));
        assert_true(n + m <= 16384);
    }
    fclose(f);
    x = cs_alloc(n, sizeof *x);
    *d = (cs_draws){x, n / m, m};
    for (size_t i = 0; i < n; i++)
        x[i % m * d->n + i / m] = rows[i];
    cs_free(rows);
    return x;
}

/* Returns false for values that are not compared. For infinite draws, posterior
 * computes its results from ranks, whereas chainscope reports that the draws
 * are not finite. For constant chains, the folded values of posterior are
 * rounding noise. For equal draws, posterior gives no errors of quantiles;
 * here they are 0 (equal_draws_have_quantiles_without_error). */
static bool compared(const char *vector, const char *key)
{
    if (strcmp(vector, "constant_chains") == 0)
        return strcmp(key, "rhat_folded") != 0;
    if (strcmp(vector, "constant_all") == 0)
        return !strstr(key, "mcse_median") && !strstr(key, "mcse_quantile");
    if (strcmp(vector, "with_inf") == 0)
        return strncmp(key, "quantile7", 9) == 0;
    return true;
}

static void check(const char *vector, cs_draws d, char *key, double want)
{
    char *colon = strchr(key, ':');
    double p = colon ? strtod(colon + 1, NULL) : 0;
    const char *reason = "";
    if (colon)
        *colon = 0;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
        const quantity *q = &quantities[i];
        if (strcmp(q->name, key) != 0)
            continue;
        double got = q->plain ? q->plain(d, &reason)
                              : q->at(d, q->p < 0 ? p : q->p, &reason);
        bool raw = strcmp(vector, "large_offset") == 0 &&
                   (strstr(key, "basic") || strstr(key, "_mean") ||
                    strstr(key, "_sd"));
        double off = raw ? 1e-6 : 1e-10;
        bool fine = isnan(want) ? isnan(got) && reason
                                : got == want || fabs(got - want) <=
                                                     off * fabs(want) + 1e-15;
        if (!fine)
            fail_msg("%s %s:%g = %.17g, want %.17g (%s)", vector, key, p, got,
                     want, reason ? reason : "defined");
        return;
    }
    fail_msg("no quantity is called %s", key);
}

static void diagnostics_are_those_of_posterior(void **state)
{
    (void)state;
    char vector[64], key[64], value[64], now[64] = "";
    FILE *f = fopen("unit/data/diagnostics/expected.txt", "r");
    cs_draws d = {0};
    double *x = NULL;
    size_t compared_values = 0;
    assert_non_null(f);
    assert_int_equal(fscanf(f, "#%*[^\n]"), 0);
    while (fscanf(f, "%63s %63s %63s", vector, key, value) == 3) {
        if (strcmp(now, vector) != 0) {
            cs_free(x);
            x = load(vector, &d);
            memcpy(now, vector, sizeof now);
        }
        if (compared(vector, key)) {
            check(vector, d, key, number(value));
            compared_values++;
        }
    }
    cs_free(x);
    fclose(f);
    assert_true(compared_values > 400);
}

/* Autocorrelations from the autocovariances that R computes for the same vectors
 * (averaged over the halves of chains), by equation (10) of Vehtari et al. */
static void autocorrelations_are_those_of_r(void **state)
{
    static const struct {
        const char *vector;
        size_t lag;
        double rho;
    } known[] = {
        {"ar1_pos09", 1, 0.8726118394938447},
        {"ar1_pos09", 19, 0.025890785754590584},
        {"ar1_neg05", 2, 0.23734891628514776},
        {"odd_length", 7, -0.026239666452887223},
        {"binary", 1, 0.6803595616181428},
        {"short_8", 2, -0.5610472485473816},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        cs_draws d;
        const char *why;
        double *x = load(known[i].vector, &d);
        assert_near(cs_autocorrelation(d, known[i].lag, &why), known[i].rho,
                    1e-10, 0);
        assert_null(why);
        assert_true(isnan(cs_autocorrelation(d, d.n / 2, &why)));
        assert_string_equal(why, "the lag is not less than half of the draws");
        cs_free(x);
    }
}

static void what_is_undefined_says_why(void **state)
{
    (void)state;
    const char *reason = NULL;
    double x[] = {1, 2, 3, (double)NAN}, same[] = {2, 2, 2, 2};
    assert_true(isnan(cs_rhat((cs_draws){x, 2, 2}, &reason)));
    assert_string_equal(reason, "a draw is not finite");
    x[3] = HUGE_VAL;
    assert_true(isnan(cs_ess_bulk((cs_draws){x, 2, 2}, &reason)));
    assert_string_equal(reason, "a draw is not finite");
    assert_true(isnan(cs_ess_mean((cs_draws){same, 2, 2}, &reason)));
    assert_string_equal(reason, "all draws are equal");
    assert_true(isnan(cs_ess_mean((cs_draws){NULL, 0, 0}, &reason)));
    assert_string_equal(reason, "there are no draws");
    x[3] = 5;
    assert_true(isnan(cs_ess_mean((cs_draws){x, 2, 2}, NULL)));
    assert_true(isnan(cs_rhat_basic((cs_draws){x, 4, 1}, &reason)));
    assert_string_equal(reason, "needs at least two chains");
}

/* For draws that are half zeros and half ones, |x - median| is constant. Hence
 * the folded R-hat is undefined. This is not a reason to reject the chains. No
 * draw is beyond the quantiles, so there is no tail. */
static void equal_draws_have_quantiles_without_error(void **state)
{
    (void)state;
    const double x[] = {2, 2, 2, 2, 2, 2};
    cs_diagnosis d = cs_diagnose((cs_draws){x, 3, 2});
    assert_string_equal(d.why, "all draws are equal");
    assert_true(isnan(d.figures.ess_median) && isnan(d.figures.mcse));
    assert_true(d.figures.mcse_median == 0 && d.figures.mcse_mad == 0);
    for (size_t i = 0; i < cs_usual_quantiles.n; i++)
        assert_true(d.quantile[i].at == 2 && d.quantile[i].mcse == 0 &&
                    isnan(d.quantile[i].ess));
}

static void a_fair_coin_has_an_rhat(void **state)
{
    enum { N = 200, CHAINS = 4 };
    double x[CHAINS * N];
    const char *why;
    (void)state;
    for (size_t i = 0, at = 1; i < CHAINS * N; i++, at = at * 7 % 1601)
        x[i] = at % 2 ? 1 : 0;
    for (size_t i = 0; i < CHAINS * N; i += 2)
        x[i + 1] = 1 - x[i];
    cs_draws d = {x, N, CHAINS};
    assert_true(isnan(cs_rhat_folded(d, &why)));
    assert_true(cs_rhat(d, &why) == cs_rhat_bulk(d, NULL) && !why);
    cs_diagnosis all = cs_diagnose(d);
    assert_null(all.why);
    assert_true(all.figures.rhat == cs_rhat_bulk(d, NULL) &&
                isnan(all.figures.tail));
}

/* Diagnostics computed together equal diagnostics computed separately, with few
 * lags and with many lags. */
static void all_at_once_are_the_same(void **state)
{
    enum { N = 1501, CHAINS = 3 };
    static double x[CHAINS * N];
    (void)state;
    for (int k = 0; k < 3; k++) {
        double a = (double[]){0.3, 0.99, 0.9}[k], off = k == 2 ? 1.5 : 0;
        uint64_t bits = 88172645463325252u;
        for (size_t i = 0; i < CHAINS * N; i++) {
            bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
            double e = (double)(bits >> 11) * 0x1p-53 - 0.5;
            x[i] = (i % N ? a * x[i - 1] : off * (double)(i / N)) + e +
                   (1 - a) * off * (double)(i / N);
        }
        cs_draws d = {x, N, CHAINS};
        cs_diagnosis o = cs_diagnose(d);
        const double got[] = {o.figures.mean, o.figures.sd,   o.figures.rhat,
                              o.figures.bulk, o.figures.tail, o.figures.mcse,
                              o.figures.ess};
        const double want[] = {
            cs_mean(x, CHAINS * N), sqrt(cs_variance(x, CHAINS * N)),
            cs_rhat(d, NULL),       cs_ess_bulk(d, NULL),
            cs_ess_tail(d, NULL),   cs_mcse_mean(d, NULL),
            cs_ess_mean(d, NULL)};
        for (size_t i = 0; i < 7; i++)
            assert_near(got[i], want[i], 1e-12, 0);
        /* if the means are equal, R-hat is high by chance, for slow and for
         * fast chains; if the means differ, R-hat is not high by chance */
        assert_true(k == 2 ? o.figures.rhat > CS_RHAT_MOST && o.chance < 1e-6
                           : o.chance > 1e-3);
    }
}

/* Draws with ties, both zeros, a second narrow mode or a middle draw that differs
 * have the same ranks in cs_diagnose, which sorts once and merges the distances
 * from the median, as if each copy is sorted. */
static void ties_share_their_ranks(void **state)
{
    enum { CHAINS = 3, MOST = 3000, KINDS = 6 };
    static double x[CHAINS * MOST];
    uint64_t bits = 88172645463325252u;
    (void)state;
    for (size_t k = 0; k < 2 * KINDS; k++) {
        size_t n = k % 2 ? MOST : MOST - 1, size = CHAINS * n;
        for (size_t i = 0; i < size; i++) {
            bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
            double u = (double)(bits >> 11) * 0x1p-53 - 0.5;
            bool middle = i % n == n / 2;
            x[i] = (double[]){round(9 * u),
                              u * u < 0.2 ? (u < 0 ? -0.0 : 0) : u,
                              (u < 0 ? -1 : 1) * (u * u < 0.04 ? 1 : 1 + u),
                              (u < 0 ? -50 : 50) + 1e-9 * u,
                              middle ? 5 : u,
                              1e-3 * floor(1e3 * u * u * u)}[k / 2];
        }
        cs_draws d = {x, n, CHAINS};
        cs_diagnosis o = cs_diagnose(d);
        double median = cs_quantile(x, size, 0.5);
        assert_near(o.figures.rhat, cs_rhat(d, NULL), 1e-12, 0);
        assert_near(o.figures.bulk, cs_ess_bulk(d, NULL), 1e-12, 0);
        if (!isnan(o.figures.tail) || !isnan(cs_ess_tail(d, NULL)))
            assert_near(o.figures.tail, cs_ess_tail(d, NULL), 1e-12, 0);
        assert_near(o.figures.median, median, 0, 0);
        for (size_t i = 0; i < size; i++)
            x[i] = fabs(x[i] - median);
        assert_near(o.figures.mad, CS_MAD_FACTOR * cs_quantile(x, size, 0.5),
                    1e-15, 0);
    }
    for (size_t i = 0; i < CHAINS * 5; i++)
        x[i] = i % 5 == 2 ? 7 : 1; /* the middle draws belong to no half */
    cs_diagnosis o = cs_diagnose((cs_draws){x, 5, CHAINS});
    assert_true(isnan(o.figures.rhat) && o.why == cs_why_all_equal);
}

/* The tail index is 1 / degrees of freedom for Student's t. It is small for the
 * light tails of a normal or an exponential. */
static void heavy_tails_are_found(void **state)
{
    enum { N = 5003, CHAINS = 4, SIZE = N * CHAINS };
    static double x[4][SIZE];
    (void)state;
    for (size_t i = 0, at = 1; i < SIZE; i++) {
        at = (at + 7919) % SIZE; /* takes each value below SIZE once */
        double p = ((double)at + 0.5) / SIZE;
        x[0][i] = 3 + gsl_cdf_tdist_Pinv(p, 1);
        x[1][i] = 3 + gsl_cdf_tdist_Pinv(p, 2);
        x[2][i] = 3 + gsl_cdf_gaussian_Pinv(p, 1);
        x[3][i] = 3 - gsl_cdf_exponential_Pinv(p, 1);
    }
    double got[4];
    for (int k = 0; k < 4; k++)
        got[k] = cs_diagnose((cs_draws){x[k], N, CHAINS}).heavy;
    assert_near(got[0], 1, 0, 0.01);
    assert_near(got[1], 0.5, 0, 0.02);
    assert_true(got[2] < 0.2 && got[3] < 0.4);
    /* the index is undefined for too few draws, and for many equal values in
     * the tail */
    assert_true(isnan(cs_diagnose((cs_draws){x[0], 90, CHAINS}).heavy));
    for (size_t i = 0; i < SIZE; i++)
        x[0][i] = i % 1000 == 0 ? (double)i : 0;
    assert_true(isnan(cs_diagnose((cs_draws){x[0], N, CHAINS}).heavy));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(diagnostics_are_those_of_posterior),
    cmocka_unit_test(autocorrelations_are_those_of_r),
    cmocka_unit_test(what_is_undefined_says_why),
    cmocka_unit_test(equal_draws_have_quantiles_without_error),
    cmocka_unit_test(a_fair_coin_has_an_rhat),
    cmocka_unit_test(all_at_once_are_the_same),
    cmocka_unit_test(ties_share_their_ranks),
    cmocka_unit_test(heavy_tails_are_found),
};
TESTS(test_diagnostics)
