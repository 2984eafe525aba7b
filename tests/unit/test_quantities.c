/* Compares diagnostics of single quantities with values computed by hand. */
#include "support/fed.h"

#include "run/draws/quantity_rows.h"
#include "stat/moments.h"
#include "stat/ranks.h"
#include "stat/running.h"
#include "target/marginal.h"

#include <math.h>
#include <stdlib.h>

/* Fills x with an autoregression of order 1: x' = phi x + sqrt(1 - phi^2) z. */
static void fill(double *x, size_t chains, size_t n, double phi, uint64_t seed)
{
    for (size_t c = 0; c < chains; c++) {
        double now = normal(seed, c, 7);
        for (size_t i = 0; i < n; i++) {
            now = phi * now + sqrt(1 - phi * phi) * normal(seed + i, c, 8);
            x[c * n + i] = now;
        }
    }
}

/* ---- autocorrelation ---- */

/* The correlation at lag k is phi^k. The integrated time is (1 + phi) / (1 -
 * phi), which is 9 for phi = 0.8. The effective sample size has the same bits
 * as the result of cs_ess_mean. */
static void test_lags(void **state)
{
    enum { N = 50000, C = 4, LAGS = 30 };
    (void)state;
    double *x = cs_alloc(N * C, sizeof *x), rho[LAGS];
    cs_lags lags = {.rho = rho, .capacity = LAGS};
    const char *why;
    fill(x, C, N, 0.8, 11);
    cs_draws d = {x, N, C};
    double size = cs_ess_lags(d, &lags, &why);
    assert_null(why);
    assert_near(size, cs_ess_mean(d, NULL), 1e-12, 0);
    assert_near(lags.time, 9, 0.1, 0);
    assert_near(size * lags.time, N * C, 1e-12, 0);
    for (size_t k = 0; k < 12; k++)
        assert_near(rho[k], pow(0.8, (double)k), 0, 0.03);
    assert_true(lags.cut % 2 == 0 && lags.cut > 10 && lags.cut < 200);
    /* the plain sum up to the cutoff is nearly the integrated time */
    double *all = cs_alloc(lags.cut, sizeof *all), sum = -1;
    cs_lags more = {.rho = all, .capacity = lags.cut};
    cs_ess_lags(d, &more, NULL);
    for (size_t k = 0; k < lags.cut; k++)
        sum += 2 * all[k];
    assert_near(sum, lags.time, 0.05, 0);
    cs_free(all);
    cs_free(x);
}

/* ---- ranks ---- */

/* Compares ranks of the draws 1 to 10 and 11 to 20 in four bins. Then compares
 * ranks of the draws 1, 1, 1, 4 and 1, 2, 3, 5 in bins of two ranks. Among
 * these 8 draws, 2 has rank 5, 3 has rank 6, 4 has rank 7 and 5 has rank 8. The
 * four draws equal to 1 share the ranks 1 to 4, so they fill the first two bins
 * in equal parts. */
static void test_ranks(void **state)
{
    (void)state;
    double apart[20], count[8];
    cs_rank_bar bar[4];
    static const double ties[] = {1, 1, 1, 4, 1, 2, 3, 5};
    static const double want[] = {5, 5, 0, 0, 0, 0, 5, 5};
    static const double tied[] = {1.5, 1.5, 0, 1, 0.5, 0.5, 2, 1};
    for (int i = 0; i < 20; i++)
        apart[i] = i + 1;
    assert_int_equal(
        cs_rank_counts((cs_draws){apart, 10, 2}, 4, count, bar, NULL), CS_OK);
    for (size_t i = 0; i < 8; i++)
        assert_near(count[i], want[i], 0, 0);
    assert_int_equal(
        cs_rank_counts((cs_draws){ties, 4, 2}, 4, count, bar, NULL), CS_OK);
    for (size_t i = 0; i < 8; i++)
        assert_near(count[i], tied[i], 0, 1e-12);
    for (size_t b = 0; b < 4; b++) {
        assert_near(bar[b].share, b < 2 ? 0.5 : 0.25, 0, 1e-12);
        assert_near(bar[b].scale, b < 2 ? 0.5 : 1, 0, 1e-12);
        assert_int_equal(bar[b].same, b == 1);
    }
}

/* Counts runs of independent draws in which all bars are within the band. The
 * draws have `values` values, and the last value has the probability `last`. If
 * `values` is 0, the distribution of the draws is continuous. In chain 0 the
 * last value has the probability `last` + shift. */
static double inside_band(size_t values, double last, double shift)
{
    enum { RUNS = 1000, N = 400, C = 4, BARS = 20 };
    double x[N * C], count[C * BARS];
    cs_rank_bar bar[BARS];
    cs_rank_band band[BARS];
    int inside = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        bool all = true;
        for (size_t i = 0; i < N * C; i++) {
            double u = uniform(run, i / N, i % N, 1);
            double p = 1 - last - (i < N ? shift : 0);
            size_t v = (size_t)(u / p * (double)(values - 1));
            x[i] = !values ? u : u < p ? (double)v : (double)(values - 1);
        }
        cs_draws d = {x, N, C};
        assert_int_equal(cs_rank_counts(d, BARS, count, bar, NULL), CS_OK);
        cs_rank_bands(N * C, C, bar, BARS, 0.95, band);
        for (size_t i = 0; i < C * BARS; i++)
            all &= count[i] >= N * band[i % BARS].low &&
                   count[i] <= N * band[i % BARS].high;
        inside += all;
    }
    return inside / (double)RUNS;
}

/* All bars of independent draws are within the band in at least 95 of 100 runs,
 * but not in nearly all runs. This is also true for bits and for draws with
 * only a few values. If one chain draws the last value too often, a bar is
 * outside the band. */
static void test_band(void **state)
{
    (void)state;
    static const struct {
        size_t values;
        double last;
    } cases[] = {{0, 0}, {2, 0.5}, {2, 0.3}, {2, 0.02}, {3, 0.8}, {7, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double in = inside_band(cases[i].values, cases[i].last, 0);
        if (!(in > 0.94 && in < 0.997))
            print_error("%zu values: %g\n", cases[i].values, in);
        assert_true(in > 0.94 && in < 0.997);
    }
    assert_true(inside_band(2, 0.5, 0.12) < 0.2);
}

/* ---- the running mean ---- */

/* Two chains have eight draws each, in four batches. The running mean is tested
 * without weights, and with weights that exclude every second draw. The final
 * error equals the error computed from batch means. */
static void test_running(void **state)
{
    (void)state;
    static const double x[] = {1, 3, 5, 7, 2, 2, 9, 1, 0, 0, 4, 4, 8, 0, 1, 3};
    static const double w[] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    cs_running r;
    assert_true(cs_running_means((cs_draws){x, 8, 2}, NULL, 4, &r));
    static const double mean[] = {1, 3, 36 / 12.0, 50 / 16.0};
    static const double first[] = {2, 4, 20 / 6.0, 30 / 8.0};
    for (size_t t = 0; t < 4; t++) {
        assert_near(r.mean[t], mean[t], 1e-15, 0);
        assert_near(r.chain[t], first[t], 1e-15, 0);
        assert_true(isnan(r.error[t]));
    }
    cs_free(r.mean);
    assert_true(cs_running_means((cs_draws){x, 8, 2}, w, 4, &r));
    assert_near(r.mean[0], 0.5, 1e-15, 0);
    assert_near(r.mean[3], (1 + 5 + 2 + 9 + 0 + 4 + 8 + 1) / 8.0, 1e-15, 0);
    cs_free(r.mean);
    enum { N = 6400, C = 2, T = 64 };
    double *y = cs_alloc(N * C, sizeof *y), batch[T * C];
    fill(y, C, N, 0.5, 5);
    assert_true(cs_running_means((cs_draws){y, N, C}, NULL, T, &r));
    for (size_t i = 0; i < T * C; i++)
        batch[i] = cs_mean(y + i * (N / T), N / T);
    assert_near(r.error[T - 1], cs_mcse_mean((cs_draws){batch, T, C}, NULL),
                1e-12, 0);
    /* the sd is 1, and the integrated time 3 */
    assert_near(r.error[T - 1], sqrt(3.0 / (N * C)), 0.25, 0);
    cs_free(r.mean);
    cs_free(y);
}

/* ---- exact values ---- */

static cs_target *make(const char *name, const cs_value *given, size_t n)
{
    cs_target *t;
    assert_int_equal(cs_target_create(cs_target_find(name), given, n, &t, NULL),
                     CS_OK);
    return t;
}

/* Exact values come from a formula, from a grid, or from all states. The energy
 * of a Gaussian in d dimensions is a constant plus half a chi-square with d
 * degrees of freedom. Hence its mean is d / 2 above the minimum. */
static void test_exact(void **state)
{
    (void)state;
    cs_target *t = make("gaussian", NULL, 0);
    cs_marginal m = cs_marginal_of(t, 1);
    double sd = sqrt(t->exact.variance[0]);
    assert_string_equal(m.from, "formula");
    for (double z = -2; z <= 2; z += 0.5)
        assert_near(cs_marginal_below(&m, t->exact.mean[0] + z * sd),
                    erfc(-z / sqrt(2)) / 2, 0, 1e-4);
    assert_near(cs_marginal_quantile(&m, 0.5), t->exact.mean[0], 0, 0.01);
    cs_free(m.cut);
    cs_target_release(t);

    t = make("nine_modes", NULL, 0);
    m = cs_marginal_of(t, 2);
    assert_string_equal(m.from, "grid");
    assert_near(m.mean, 0, 0, 1e-9);
    assert_near(cs_marginal_below(&m, 0), 0.5, 0, 0.01);
    cs_free(m.cut);
    cs_target_release(t);

    t = make("bernoulli4", NULL, 0);
    m = cs_marginal_of(t, 1);
    const cs_enumeration *truth = cs_enumeration_of(t);
    double *x = cs_alloc(t->space.dim, sizeof *x), low = 0;
    for (size_t i = 0; i < truth->n; i++) {
        cs_enumeration_point(t, truth, i, x);
        low += x[0] == t->space.low ? truth->p[i] : 0;
    }
    assert_near(cs_marginal_below(&m, t->space.low + 0.5), low, 1e-9, 0);
    assert_true(m.from != NULL);
    cs_free(x);
    cs_free(m.cut);
    cs_target_release(t);
}

/* ---- a report ---- */

static double at_half(uint64_t step, uint64_t chain, size_t d)
{
    double z = normal(step, chain, 0);
    return d == 0 ? z : d == 1 ? 0.6 * z + 0.8 * normal(step, chain, 1) : z;
}

static const char *said_of(const said *s, const char *key)
{
    return entry(s, key).text;
}

/* For a part of a series, each bin has a single draw if the number of bins
 * suffices for all draws. Otherwise each bin has the minimum and the maximum of
 * its draws. Bins without draws are omitted. */
static void test_series(void **state)
{
    enum { STEPS = 2000, PARTS = 256 };
    said s;
    (void)state;
    open_fed(&s, at_half, 2, CHAINS);
    move(&s, STEPS);
    fed_report(&s,
               "series=x.2@101..200 series=x.1@0..9000 series=x.1@3000..4000");
    cs_flat_entry time = entry(&s, "arm/0/draws/0/time");
    cs_flat_entry low = entry(&s, "arm/0/draws/0/low");
    cs_flat_entry high = entry(&s, "arm/0/draws/0/high");
    assert_int_equal(time.cols, 100);
    assert_int_equal(low.rows, CHAINS);
    for (size_t i = 0; i < 100; i++) {
        assert_true(time.data[i] == 101 + (double)i);
        for (size_t c = 0; c < CHAINS; c++) {
            double x = at_half(101 + i, c, 1);
            assert_true(low.data[c * 100 + i] == x);
            assert_true(high.data[c * 100 + i] == x);
        }
    }
    time = entry(&s, "arm/0/draws/1/time");
    low = entry(&s, "arm/0/draws/1/low");
    high = entry(&s, "arm/0/draws/1/high");
    assert_int_equal(time.cols, PARTS);
    assert_true(time.data[PARTS - 1] == STEPS);
    for (size_t i = 0; i < PARTS; i++) {
        uint64_t from = i ? (uint64_t)time.data[i - 1] : 0;
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (uint64_t t = from + 1; t <= (uint64_t)time.data[i]; t++) {
            least = fmin(least, at_half(t, 1, 0));
            most = fmax(most, at_half(t, 1, 0));
        }
        assert_true(low.data[PARTS + i] == least);
        assert_true(high.data[PARTS + i] == most);
    }
    assert_int_equal(entry(&s, "arm/0/draws/2/time").cols, 0);
    close_fed(&s);
}

/* The report on four chains of 2000 normal pairs with correlation 0.6 is
 * compared with counts made here. An invalid request also gets an answer. */
static void test_report(void **state)
{
    enum { STEPS = 2000 };
    said s;
    (void)state;
    open_fed(&s, at_half, 2, CHAINS);
    move(&s, STEPS);
    fed_report(&s, "acceptance marginal=x.2 pairs=x.1,x.2 ranks=x.9 pairs=x.1 "
                   "running=energy trace=x.1");
    assert_string_equal(said_of(&s, "arm/0/draws/0/what"), "marginal=x.2");
    assert_string_equal(said_of(&s, "arm/0/draws/0/why"), "");
    assert_string_equal(said_of(&s, "arm/0/draws/0/from"), "formula");
    assert_string_equal(said_of(&s, "arm/0/draws/2/why"),
                        "the target has no such coordinate");
    assert_string_equal(said_of(&s, "arm/0/draws/3/why"),
                        "at least two coordinates are needed");
    cs_flat_entry unused;
    assert_false(
        cs_flat_find(s.f.base, s.f.used, &unused, "arm/0/draws/5/what"));
    assert_near(number(&s, "arm/0/draws/n"), STEPS, 0, 0);
    cs_flat_entry edges = entry(&s, "arm/0/draws/0/edges");
    cs_flat_entry shares = entry(&s, "arm/0/draws/0/shares");
    assert_int_equal(shares.rows, CHAINS);
    double sum = 0, xx = 0, yy = 0, xy = 0, mx = 0, my = 0;
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t b = 0; b < shares.cols; b++) {
            double n = 0;
            for (uint64_t i = 0; i < STEPS; i++) {
                double y = at_half(1 + i, c, 1);
                n += y >= edges.data[b] && y < edges.data[b + 1];
            }
            assert_near(shares.data[c * shares.cols + b], n / STEPS, 0, 1e-12);
        }
    for (uint64_t i = 0; i < STEPS * CHAINS; i++) {
        double x = at_half(1 + i / CHAINS, i % CHAINS, 0);
        double y = at_half(1 + i / CHAINS, i % CHAINS, 1);
        mx += x / (STEPS * CHAINS);
        my += y / (STEPS * CHAINS);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    double n = STEPS * CHAINS;
    double r =
        (xy / n - mx * my) / sqrt((xx / n - mx * mx) * (yy / n - my * my));
    cs_flat_entry figures = entry(&s, "arm/0/draws/0/figures");
    const cs_row_marginal *row = CS_ENTRY_ROWS(figures, cs_row_marginal);
    sum = number(&s, "arm/0/draws/0/figures");
    assert_near(sum, my, 0, 1e-9);
    assert_near(row->sd, sqrt(yy / n - my * my), 1e-2, 0);
    assert_near(row->low, -1.645, 0, 0.08);
    assert_near(row->high, 1.645, 0, 0.08);
    assert_true(row->tv < 2 * row->tv_floor && row->ks < 3 * row->ks_floor);
    assert_near(entry(&s, "arm/0/draws/1/correlation").data[1], r, 0, 1e-9);
    /* the density is highest along the diagonal, since rho > 0 */
    cs_flat_entry plane = entry(&s, "arm/0/draws/1/plane/0/1");
    size_t side = (size_t)sqrt((double)strlen(plane.text));
    const unsigned char *cell = (const unsigned char *)plane.text;
    assert_true(cell[side / 4 * side + side * 3 / 4] >
                cell[side * 3 / 4 * side + side * 3 / 4]);
    close_fed(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_lags),   cmocka_unit_test(test_ranks),
    cmocka_unit_test(test_band),   cmocka_unit_test(test_running),
    cmocka_unit_test(test_exact),  cmocka_unit_test(test_report),
    cmocka_unit_test(test_series),
};
TESTS(test_quantities)
