/* Compares the probe `mmd` with sums computed by hand, and with the defining
 * sum written as plain loops. */
#include "support/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes a file of reference states with this text. The caller removes it. */
static void put_file(char path[32], const char *text)
{
    strcpy(path, "/tmp/mmd_test.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static cs_status open_with(watch *w, const char *text, const char *target,
                           const cs_value *values, size_t n)
{
    char path[32];
    put_file(path, text);
    const cs_value file = {
        .name = "file", .kind = CS_PARAM_TEXT, .given = 1, .text = path};
    cs_status s = watch_open_asking(w, "mmd", &file, 1, target, values, n);
    unlink(path);
    return s;
}

/* X has the state 0000 four times, and Y has the states 0000 and 1111. The
 * kernel k is 1 for two equal states and 1/e for the states 0000 and 1111. The
 * mean of k(X, X) is 1. The means of k(X, Y) and k(Y, Y) are (1 + 1/e) / 2, so
 * the MMD is (1 - 1/e) / 2. The header of the file may name the coordinates in
 * any order, and may name other columns. */
static void two_states(void **state)
{
    (void)state;
    static const char *const files[] = {
        "0,0,0,0\n1,1,1,1\n", "x.4,x.1,lp__,x.3,x.2\n0,0,7,0,0\n1,1,8,1,1\n"};
    for (int i = 0; i < 2; i++) {
        watch w;
        double x[16] = {0}, e = exp(-1);
        assert_int_equal(open_with(&w, files[i], "bernoulli4", NULL, 0), CS_OK);
        for (int k = 0; k < 10; k++)
            watch_step(&w, x, NULL);
        watch_report(&w);
        for (size_t k = 0; k < 10; k++)
            assert_near(entry(&w, "curve", k), log((1 - e) / 2), 1e-12, 0);
        assert_near(entry(&w, "value", 0), log((1 - e) / 2), 1e-12, 0);
        assert_near(entry(&w, "value", 1), log((1 - e) * (0.25 + 0.5)), 1e-12,
                    0);
        assert_near(entry(&w, "value", 2), 2, 0, 0);
        watch_close(&w);
    }
}

/* Tests sites with 450 values. The kernel depends on the number of sites in
 * which two states differ, and not on the size of the difference. */
static void sites_of_many_values(void **state)
{
    (void)state;
    watch w;
    double x[8] = {3, 400, 3, 400, 3, 400, 3, 400}, k = exp(-0.5);
    assert_int_equal(open_with(&w, "3,399\n3,0\n", "lattice_modes", NULL, 0),
                     CS_OK);
    watch_step(&w, x, NULL);
    watch_report(&w);
    assert_near(entry(&w, "value", 0), log(1 + (1 + k) / 2 - 2 * k), 1e-12, 0);
    watch_close(&w);
    /* now one reference state differs in both sites from the chains' state */
    assert_int_equal(open_with(&w, "3,399\n5,0\n", "lattice_modes", NULL, 0),
                     CS_OK);
    watch_step(&w, x, NULL);
    watch_report(&w);
    assert_near(entry(&w, "value", 0), log(1 + (1 + k * k) / 2 - (k + k * k)),
                1e-12, 0);
    watch_close(&w);
}

/* The reference states are random states of 130 sites (three words). One of the
 * chains fails, and there are more observations than bins. */
static void the_same_sum(void **state)
{
    (void)state;
    enum { DIM = 130, ROWS = 9, LOOKS = 100 };
    static double y[ROWS][DIM], x[WATCH_CHAINS * DIM], sum, mmd;
    static char text[ROWS * 2 * DIM + 1];
    const cs_value size = {
        .name = "visible", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    for (size_t r = 0, at = 0; r < ROWS; r++)
        for (size_t i = 0; i < DIM; i++) {
            y[r][i] = watch_uniform() < 0.3;
            text[at++] = y[r][i] > 0 ? '1' : '0';
            text[at++] = i + 1 < DIM ? ',' : '\n';
        }
    watch w;
    assert_int_equal(open_with(&w, text, "rbm", &size, 1), CS_OK);
    for (int k = 0; k < LOOKS; k++) {
        w.failed[3] = k > 20;
        for (size_t i = 0; i < WATCH_CHAINS * DIM; i++)
            x[i] = watch_uniform() < 0.5;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    /* 100 observations in bins of 2; the last bin contains the last
     * observation */
    assert_int_equal(watch_find(&w, "curve").cols, 50);
    size_t n = 3, places = n + ROWS;
    for (size_t a = 0; a < places; a++)
        for (size_t b = 0; b < places; b++) {
            const double *p = a < n ? x + a * DIM : y[a - n];
            const double *q = b < n ? x + b * DIM : y[b - n];
            double apart = 0;
            for (size_t i = 0; i < DIM; i++)
                apart += p[i] != q[i];
            double share = (a < n ? 1.0 / 3 : -1.0 / ROWS) *
                           (b < n ? 1.0 / 3 : -1.0 / ROWS);
            sum += share * exp(-apart / DIM);
        }
    mmd = log(sum);
    assert_near(entry(&w, "curve", 49), mmd, 1e-9, 0);
    watch_close(&w);
}

/* On average over trials, the MMD of exact draws equals the floor. The average
 * is that of the value V itself, not of its logarithm. For draws from a wrong
 * distribution, V stays above the floor. */
static void exact_draws_are_at_the_floor(void **state)
{
    (void)state;
    static const double mass[16] = {
        0.07688966, 0.04725621, 0.125,      0.01667631, 0.08688745, 0.07688966,
        0.07688966, 0.16756987, 0.04725621, 0.05825,    0.01667631, 0.04725621,
        0.07688966, 0.04725621, 0.019004,   0.01335262};
    for (int wrong = 0; wrong < 2; wrong++) {
        watch w;
        double x[16], sum = 0, floor;
        size_t n = 0;
        assert_int_equal(watch_open(&w, "mmd", "bernoulli4", NULL, 0), CS_OK);
        for (int i = 0; i < 40; i++) {
            for (size_t k = 0; k < 64; k++) {
                for (size_t c = 0; c < WATCH_CHAINS; c++) {
                    double uniform = watch_uniform();
                    unsigned s = 0;
                    while (s < 15 && (uniform -= mass[s]) > 0)
                        s++;
                    for (unsigned b = 0; b < 4; b++)
                        x[4 * c + b] = wrong ? 0 : (double)(s >> (3 - b) & 1);
                }
                watch_step(&w, x, NULL);
            }
            watch_report(&w);
            cs_flat_entry curve = watch_find(&w, "curve");
            for (size_t k = curve.cols / 2; k < curve.cols; k++, n++)
                sum += exp(curve.data[k]);
        }
        floor = exp(entry(&w, "value", 1));
        if (wrong)
            assert_true(sum / (double)n > 1.5 * floor);
        else
            assert_near(sum / (double)n, floor, 0.1, 0);
        watch_close(&w);
    }
}

static void refused(const char *text, const char *target, const char *what)
{
    watch w;
    char path[32];
    cs_target *t;
    cs_error err;
    cs_probe p;
    (void)w;
    put_file(path, text);
    const cs_value file = {
        .name = "file", .kind = CS_PARAM_TEXT, .given = 1, .text = path};
    assert_int_equal(
        cs_target_create(cs_target_find(target), NULL, 0, &t, NULL), CS_OK);
    assert_int_not_equal(
        cs_probe_init(&p, cs_probe_find("mmd"), &file, 1, t, &err), CS_OK);
    if (!strstr(err.what, what))
        fail_msg("%s: not '%s'", err.what, what);
    cs_target_release(t);
    unlink(path);
}

static void wrong_references(void **state)
{
    (void)state;
    refused("0,0,0,0\n0,0,2,0\n", "bernoulli4", "not a state");
    refused("0,0,0,0\n0,0,0.5,0\n", "bernoulli4", "not a state");
    refused("0,0,0\n0,0,0\n", "bernoulli4", "not the target's coordinates");
    refused("0,0,0,0\n", "bernoulli4", "2 to 10000 rows");
    refused("0,0,0,x\n0,0,0,0\n", "bernoulli4", "mmd_test");
    refused("0,0\n0,1\n", "gaussian", "Hamming distance");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_states),
    cmocka_unit_test(sites_of_many_values),
    cmocka_unit_test(the_same_sum),
    cmocka_unit_test(exact_draws_are_at_the_floor),
    cmocka_unit_test(wrong_references),
};
TESTS(test_probe_mmd)
