/* Compares the probe `distance` with distances computed by hand. */
#include "support/watch.h"

#include "target/enumeration.h"

/* The masses in "Entropy-Guided Sampling of Flat Modes in Discrete Spaces",
 * section 5.1, with the number of digits given there. */
static const double mass[16] = {0.07688966, 0.04725621, 0.125,      0.01667631,
                                0.08688745, 0.07688966, 0.07688966, 0.16756987,
                                0.04725621, 0.05825,    0.01667631, 0.04725621,
                                0.07688966, 0.04725621, 0.019004,   0.01335262};

static double total(void)
{
    double sum = 0;
    for (size_t s = 0; s < 16; s++)
        sum += mass[s];
    return sum;
}

static void bits(unsigned s, double *x)
{
    for (unsigned i = 0; i < 4; i++)
        x[i] = (double)(s >> (3 - i) & 1);
}

/* If all chains are in one state of probability p: tv = 1 - p, kl = -log p, and
 * chi2 = (1 - p)^2 / p + 1 - p = 1 / p - 1. The distance of the first bit is |0
 * - P|. */
static void one_state(void **state)
{
    watch w;
    double x[16], p = mass[2] / total(), ones = 0;
    (void)state;
    assert_int_equal(watch_open(&w, "distance", "bernoulli4", NULL, 0), CS_OK);
    for (size_t c = 0; c < WATCH_CHAINS; c++)
        bits(2, x + 4 * c);
    for (size_t i = 0; i < 100; i++)
        watch_step(&w, x, NULL);
    for (size_t s = 8; s < 16; s++)
        ones += mass[s] / total();
    watch_report(&w);
    assert_string_equal(watch_find(&w, "names").text,
                        "tv kl chi2 ks.x.1 ks.x.2");
    assert_near(entry(&w, "values", 0), 1 - p, 1e-12, 0);
    assert_near(entry(&w, "values", 1), -log(p), 1e-12, 0);
    assert_near(entry(&w, "values", 2), 1 / p - 1, 1e-12, 1e-12);
    assert_near(entry(&w, "values", 3), ones, 1e-12, 0);
    assert_near(entry(&w, "floor", 1), 15 / (2 * 400.0), 1e-12, 0);
    assert_near(entry(&w, "floor", 2), 15 / 400.0, 1e-12, 0);
    watch_close(&w);
}

/* Each chain stays in a state of its own. The curve is the average of the
 * distances of the single chains. The pooled states are closer to the target
 * than the states of any single chain. */
static void the_curve_is_of_single_chains(void **state)
{
    watch w;
    double x[16], single = 0, p[WATCH_CHAINS], together = 1;
    (void)state;
    assert_int_equal(watch_open(&w, "distance", "bernoulli4", NULL, 0), CS_OK);
    for (unsigned c = 0; c < WATCH_CHAINS; c++) {
        bits(4 + c, x + (size_t)4 * c);
        p[c] = mass[4 + c] / total();
        single += (1 - p[c]) / WATCH_CHAINS;
    }
    for (size_t i = 0; i < 1000; i++)
        watch_step(&w, x, NULL);
    for (unsigned c = 0; c < WATCH_CHAINS; c++)
        together -= fmin(p[c], 1.0 / WATCH_CHAINS);
    watch_report(&w);
    cs_flat_entry time = watch_find(&w, "time");
    assert_near(entry(&w, "values", 0), together, 1e-12, 0);
    assert_int_equal(time.cols, 62); /* 1000 / 16, rounded down */
    assert_near(time.data[61], 992, 0, 0);
    for (size_t i = 0; i < time.cols; i++)
        assert_near(entry(&w, "curve", i), single, 1e-12, 0);
    watch_close(&w);
}

/* All chains are at one point just above the mean of a Gaussian. Their
 * distribution function jumps from 0 to 1 where the distribution function of
 * the target is 1/2. */
static void one_point_of_a_normal(void **state)
{
    watch w;
    double x[2 * WATCH_CHAINS];
    (void)state;
    assert_int_equal(watch_open(&w, "distance", "gaussian", NULL, 0), CS_OK);
    for (size_t i = 0; i < 2 * WATCH_CHAINS; i++)
        x[i] = 1e-6;
    watch_step(&w, x, NULL);
    watch_report(&w);
    assert_string_equal(watch_find(&w, "names").text, "ks.x.1 ks.x.2");
    assert_near(entry(&w, "values", 0), 0.5, 0, 1e-9);
    assert_near(entry(&w, "floor", 0), 0.8687 / 2, 1e-12, 0);
    watch_close(&w);
}

/* For independent draws, the mean distance over 300 trials equals the floor
 * (with a standard error of about 3 %). This is true both for sixteen states
 * and for a Gaussian. For the Gaussian, a small part of the distance is
 * missing, because the distance is computed on a grid of cuts. */
static void independent_draws_are_at_the_floor(void **state)
{
    enum { TRIALS = 300, STEPS = 50 };
    double tv = 0, ks = 0, tv_floor = 0, ks_floor = 0;
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        watch a, b;
        double x[16], y[2 * WATCH_CHAINS], uniform;
        assert_int_equal(watch_open(&a, "distance", "bernoulli4", NULL, 0), 0);
        assert_int_equal(watch_open(&b, "distance", "gaussian", NULL, 0), 0);
        for (int i = 0; i < STEPS; i++) {
            for (size_t c = 0; c < WATCH_CHAINS; c++) {
                uniform = watch_uniform() * total();
                unsigned s = 0;
                while (s < 15 && (uniform -= mass[s]) > 0)
                    s++;
                bits(s, x + 4 * c);
                y[2 * c] = watch_normal();
                y[2 * c + 1] = watch_normal();
            }
            watch_step(&a, x, NULL);
            watch_step(&b, y, NULL);
        }
        watch_report(&a);
        watch_report(&b);
        tv += entry(&a, "values", 0) / TRIALS;
        ks += entry(&b, "values", 1) / TRIALS;
        tv_floor = entry(&a, "floor", 0);
        ks_floor = entry(&b, "floor", 1);
        watch_close(&a);
        watch_close(&b);
    }
    assert_near(tv, tv_floor, 0.06, 0);
    assert_near(ks, ks_floor, 0.12, 0);
}

/* Tests a two-dimensional distribution whose sums need a grid. The marginal
 * distribution has the masses of the nine wells, which were computed by
 * Gauss-Legendre quadrature (see src/targets/real/nine_modes.c). The mean is 0
 * by symmetry, and the variance is the published number. */
static void a_grid_sums_the_plane(void **state)
{
    cs_target *t;
    double p[480], first, width, mean = 0, square = 0, outer = 0;
    (void)state;
    assert_int_equal(
        cs_target_create(cs_target_find("nine_modes"), NULL, 0, &t, NULL), 0);
    const cs_enumeration *truth = cs_enumeration_of(t);
    assert_int_equal(truth->n, 480 * 480);
    assert_int_equal(cs_enumeration_axis(t, truth, 0, &first, &width, p), 480);
    for (size_t v = 0; v < 480; v++) {
        double x = first + width * ((double)v + 0.5);
        mean += p[v] * x;
        square += p[v] * x * x;
        outer += x < -5.0 / 6 ? p[v] : 0; /* halfway between two wells */
    }
    assert_near(mean, 0, 0, 1e-12);
    assert_near(square, t->exact.variance[0], 1e-4, 0);
    assert_near(outer,
                t->exact.mode_weight[0] + t->exact.mode_weight[1] +
                    t->exact.mode_weight[2],
                0, 2e-4);
    cs_target_release(t);
}

/* For a posterior without exact values no distance is reported. */
static void no_answer_no_distance(void **state)
{
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "distance", "eight_schools", NULL, 0),
                     CS_UNSUPPORTED);
    cs_target_release(w.target);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_state),
    cmocka_unit_test(the_curve_is_of_single_chains),
    cmocka_unit_test(one_point_of_a_normal),
    cmocka_unit_test(independent_draws_are_at_the_floor),
    cmocka_unit_test(a_grid_sums_the_plane),
    cmocka_unit_test(no_answer_no_distance),
};
TESTS(test_probe_distance)
