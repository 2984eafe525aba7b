/* Applies the laws of the law book (support/laws.h) to every registered kernel.
 * Every law holds for each kernel to which it applies and detects its planted
 * faults. Each kernel is tested by all laws that it requires. Also compares
 * with known values. Laws of limits and of whole runs are in
 * test_kernel_runs.c, so that two processors share the work. */
#include "support/laws.h"
#include "support/support.h"

#include <string.h>

static void what_check_looks_at_holds(void **state)
{
    (void)state;
    laws_hold(check_laws);
}

static void what_check_looks_at_catches_faults(void **state)
{
    (void)state;
    laws_catch_faults(check_laws);
}

static void steps_are_lawful(void **state)
{
    (void)state;
    laws_hold(step_laws);
}

static void own_variables_are_lawful(void **state)
{
    (void)state;
    laws_hold(aux_laws);
}

static void own_laws_catch_faults(void **state)
{
    (void)state;
    laws_catch_faults(aux_laws);
}

static void step_laws_catch_faults(void **state)
{
    (void)state;
    laws_catch_faults(step_laws);
}

/* One sweep of the systematic scan preserves the target but is not
 * reversible. */
static void systematic_scan_is_not_reversible(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    double sweep[256], site[256], next[256], value[CS_KERNEL_PARAMS] = {1, 1};
    assert_true(matrix_of("gibbs", &p, value, 0, sweep));
    for (size_t turn = 1; turn < p.dim; turn++) {
        assert_true(matrix_of("gibbs", &p, value, turn, site));
        memset(next, 0, sizeof next);
        for (size_t a = 0; a < 16; a++)
            for (size_t c = 0; c < 16; c++)
                for (size_t b = 0; b < 16; b++)
                    next[a * 16 + b] += sweep[a * 16 + c] * site[c * 16 + b];
        memcpy(sweep, next, sizeof next);
    }
    assert_true(invariance_error(&p, sweep) < 1e-12);
    assert_true(balance_error(&p, sweep) > 1e-4);
    points_destroy(&p);
}

/* The proposal without an accept step does not preserve the target. If a
 * Metropolis step treats every proposal as symmetric, its transition matrix is
 * not reversible. */
static void matrices_find_faults(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    double q[256], P[256];
    langevin(&p, 1, 0.5, q);
    assert_true(invariance_error(&p, q) > 1e-3);
    for (size_t a = 0; a < 16; a++) {
        double left = 1;
        for (size_t b = 0; b < 16; b++)
            if (a != b)
                left -= P[a * 16 + b] =
                    q[a * 16 + b] * fmin(1, p.pi[b] / p.pi[a]);
        P[a * 16 + a] = left;
    }
    assert_true(row_error(P, 16) < 1e-12);
    assert_true(balance_error(&p, P) > 1e-4);
    P[0] += 1e-9;
    assert_true(row_error(P, 16) > 1e-12);
    points_destroy(&p);
}

/* ---- known values -------------------------------------------------------- */

/* On independent bits with log-odds a, the unadjusted kernel has the stationary
 * probability p01 / (p01 + p10), with p01 = s(balance a - 1/(2 step)) and p10 =
 * s(-balance a - 1/(2 step)), where s is the logistic function. */
static void dula_has_its_closed_bias(void **state)
{
    (void)state;
    points p = points_create(&small_bits);
    double P[64], law[8], last = 0;
    const double steps[] = {0.2, 0.5, 2, 100};
    for (size_t k = 0; k < 4; k++) {
        double half = 1 / (2 * steps[k]), off = 0;
        langevin(&p, steps[k], 0.5, P);
        stationary(P, p.n, law);
        for (size_t i = 0; i < 3; i++) {
            double up = 1 / (1 + exp(half - small_odds[i] / 2)), on = 0;
            double down = 1 / (1 + exp(half + small_odds[i] / 2));
            for (size_t s = 0; s < p.n; s++)
                on += p.x[s * 3 + i] * law[s];
            assert_near(on, up / (up + down), 1e-9, 0);
            off += fabs(on - 1 / (1 + exp(-small_odds[i])));
        }
        assert_true(off > last); /* the bias grows with the step */
        last = off;
    }
    points_destroy(&p);
}

/* Compares with values that an independent program computed in double precision
 * by enumeration (16 states, masses with eight digits). For the unadjusted
 * kernel, the value is the total variation distance between its stationary
 * distribution and the target. For the adjusted kernel, the values are the
 * acceptance probability and the probability of a move. */
static void four_bits_have_the_known_figures(void **state)
{
    (void)state;
    static const double want[][4] = {{0.1, 0.00335, 0.999842, 0.02349},
                                     {0.2, 0.03835, 0.982418, 0.22315},
                                     {0.5, 0.12691, 0.851709, 0.50190},
                                     {1, 0.16053, 0.767284, 0.55824},
                                     {5, 0.18018, 0.702015, 0.58029}};
    points p = points_create(&small_masses);
    double q[256], P[256], law[16];
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        double tv = 0, accept = 0, move = 0;
        langevin(&p, want[k][0], 0.5, q);
        stationary(q, 16, law);
        metropolis(&p, q, P);
        for (size_t a = 0; a < 16; a++) {
            tv += 0.5 * fabs(law[a] - p.pi[a]);
            accept += p.pi[a] * q[a * 16 + a];
            move += p.pi[a] * (1 - P[a * 16 + a]);
        }
        assert_near(tv, want[k][1], 0, 6e-6);
        assert_near(accept + move, want[k][2], 0, 6e-7);
        assert_near(move, want[k][3], 0, 6e-6);
    }
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_check_looks_at_holds),
    cmocka_unit_test(what_check_looks_at_catches_faults),
    cmocka_unit_test(steps_are_lawful),
    cmocka_unit_test(step_laws_catch_faults),
    cmocka_unit_test(own_variables_are_lawful),
    cmocka_unit_test(own_laws_catch_faults),
    cmocka_unit_test(matrices_find_faults),
    cmocka_unit_test(systematic_scan_is_not_reversible),
    cmocka_unit_test(dula_has_its_closed_bias),
    cmocka_unit_test(four_bits_have_the_known_figures),
};
TESTS(test_kernel_laws)
