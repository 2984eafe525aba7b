#include "support/support.h"

#include "simd/vlanes.h"

#include <string.h>

typedef cs_vd (*vector)(cs_vd);
typedef long double (*exact)(long double);

static long double softplus(long double x)
{
    return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}

static long double sigmoid(long double x)
{
    return 1 / (1 + expl(-x));
}

static const struct law {
    const char *name;
    vector f;
    exact g;
    double ulp, from, to;
} laws[] = {
    {"log", cs_vlog, logl, 1.5, 0, 1e308},
    {"log near 1", cs_vlog, logl, 1.5, 0.5, 2},
    {"log1p", cs_vlog1p, log1pl, 2, -1, 1e308},
    {"log1p near 0", cs_vlog1p, log1pl, 2, -0.9, 1},
    {"exp", cs_vexp, expl, 1.5, -745, 709.7},
    {"exp near 0", cs_vexp, expl, 1.5, -2, 2},
    {"expm1", cs_vexpm1, expm1l, 2.5, -60, 709.7},
    {"expm1 near 0", cs_vexpm1, expm1l, 2.5, -2, 2},
    {"softplus", cs_vsoftplus, softplus, 2.5, -745, 800},
    {"softplus near 0", cs_vsoftplus, softplus, 2.5, -3, 3},
    {"sigmoid", cs_vsigmoid, sigmoid, 3, -708, 800},
    {"sigmoid near 0", cs_vsigmoid, sigmoid, 3, -3, 3},
    {"tanh", cs_vtanh, tanhl, 4, -30, 30},
    {"tanh near 0", cs_vtanh, tanhl, 4, -2, 2},
};

/* Returns the error in units of the last binary digit of the correct value. */
static double ulps(double got, long double want)
{
    int e;
    if ((double)want == got)
        return 0;
    (void)frexpl(want, &e);
    e = e < -1021 ? -1021 : e;
    return (double)(fabsl((long double)got - want) / ldexpl(1, e - 53));
}

/* Returns a number between `from` and `to`. In half of the cases the number is
 * uniform. In the other half the logarithm of the number is uniform. */
static double pick(uint64_t *seed, const struct law *w)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    double u = (double)(*seed >> 11) * 0x1p-53;
    if (*seed & 1)
        return w->from + u * (w->to - w->from);
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    double v = ldexp(1 + u, (int)(*seed >> 53) - 1024);
    v = w->from < 0 && (*seed >> 40 & 1) ? -v : v;
    return v < w->from || v > w->to ? u * w->to : v;
}

/* Returns the largest error over 20000 vectors, and stores its argument in *at.
 * A NaN counts as the largest error. */
static double largest_error(const struct law *w, double *at)
{
    double worst = 0;
    uint64_t seed = 1;
    for (int k = 0; k < 20000; k++) {
        cs_vd x;
        for (int l = 0; l < CS_VECTOR; l++)
            x[l] = pick(&seed, w);
        cs_vd y = w->f(x);
        for (int l = 0; l < CS_VECTOR; l++) {
            double off = ulps(y[l], w->g((long double)x[l]));
            if (!(off <= worst)) {
                worst = off;
                *at = x[l];
            }
        }
    }
    return worst;
}

static void functions_agree_with_long_double(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        double at = 0, worst = largest_error(&laws[i], &at);
        if (!(worst <= laws[i].ulp))
            fail_msg("%s(%.17g) is off by %g ulp", laws[i].name, at, worst);
    }
}

/* ---- floats -------------------------------------------------------- */

static void exp_of_floats_is_near_and_never_0(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const struct law below = {.from = -86, .to = 0};
    for (int k = 0; k < 20000; k++) {
        cs_vf x;
        for (int l = 0; l < CS_VECTOR; l++)
            x[l] = (float)pick(&seed, &below);
        cs_vf y = cs_vfexp_below(x);
        for (int l = 0; l < CS_VECTOR; l++)
            assert_near((double)y[l], exp((double)x[l]), 2e-7, 0);
    }
    assert_true(cs_vfexp_below(cs_vfset(0))[3] == 1);
    float least = cs_vfexp_below(cs_vfset(-86))[0];
    assert_true(least > 0x1p-125f);
    assert_true(cs_vfexp_below(cs_vfset(-1e30f))[3] == least);
    assert_true(cs_vfexp_below(cs_vfset(-HUGE_VALF))[3] == least);
    assert_true(isnan(cs_vfexp_below(cs_vfset(NAN))[1]));
}

static void exp_of_floats_is_kept_within(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const struct law any = {.from = -86, .to = 86};
    for (int k = 0; k < 20000; k++) {
        cs_vf x = cs_vfset((float)pick(&seed, &any));
        assert_near((double)cs_vfexp_within(x)[2], exp((double)x[2]), 3e-7, 0);
    }
    float least = cs_vfexp_within(cs_vfset(-86))[0];
    float most = cs_vfexp_within(cs_vfset(86))[0];
    assert_true(isfinite(most) && least > 0x1p-125f);
    assert_true(cs_vfexp_within(cs_vfset(HUGE_VALF))[3] == most);
    assert_true(cs_vfexp_within(cs_vfset(-HUGE_VALF))[3] == least);
    assert_true(isnan(cs_vfexp_within(cs_vfset(NAN))[1]));
}

/* Comparisons produce masks. Every operation that uses a mask selects the
 * correct lanes. */
static void masks_choose_lanes(void **state)
{
    (void)state;
    static const double left[] = {1, 2, NAN, 4, 0, -1, 3, 8},
                        right[] = {2, 1, 1, 4, 0, 0, 5, -8},
                        bit[] = {1, 0, 1, 1, 0, 0, 0, 1};
    for (int first = 0; first < CS_PAD; first += CS_VECTOR) {
        cs_vd a, b, x;
        memcpy(&a, left + first, sizeof a);
        memcpy(&b, right + first, sizeof b);
        memcpy(&x, bit + first, sizeof x);
        unsigned all = (1u << CS_VECTOR) - 1;
        cs_vmask less = cs_vmask_less(a, b), differ = cs_vmask_differ(a, b);
        assert_int_equal(cs_vmask_bits(less), 0x61 >> first & all);
        assert_int_equal(cs_vmask_bits(differ), 0xe7 >> first & all);
        cs_vd times = cs_vmask_times(less, b, a);
        cs_vd other = cs_vmask_other(less, b);
        cs_vf turned = cs_vmask_turned(cs_vfset(7), x);
        for (int l = 0; l < CS_VECTOR; l++) {
            bool is = 0x61 >> (first + l) & 1;
            assert_true(times[l] == (is ? b[l] * a[l] : b[l]));
            assert_true(other[l] == (is ? 1 - b[l] : b[l]));
            assert_true(turned[l] == (x[l] != 0 ? -7 : 7));
        }
    }
}

/* A product of these factors by plain multiplication would overflow a double
 * after nine factors. */
static void ratio_products_keep_their_logarithm(void **state)
{
    (void)state;
    uint64_t seed = 6;
    const struct law power = {.from = -125, .to = 125};
    cs_ratio_product p = cs_ratio_product_one();
    long double want[CS_VECTOR] = {0};
    assert_true(cs_ratio_product_end(&p)[0] == 0);
    for (int k = 0; k < 1003; k++) {
        cs_vd above, below, side;
        for (int l = 0; l < CS_VECTOR; l++) {
            above[l] = exp2(pick(&seed, &power));
            below[l] = exp2(pick(&seed, &power));
            side[l] = k * l % 3;
            want[l] += side[l] < 1 ? logl((long double)above[l]) : 0;
            want[l] -= logl((long double)below[l]);
        }
        cs_ratio_product_times(&p, cs_vmask_less(side, cs_vset(1)), above,
                               below);
        if (k % 100 == 0)
            for (int l = 0; l < CS_VECTOR; l++)
                assert_near(cs_ratio_product_end(&p)[l], (double)want[l], 1e-14,
                            1e-12);
    }
}

/* Separating powers of two does not lose NaN. */
static void ratio_products_keep_nan(void **state)
{
    (void)state;
    for (int where = 0; where < 24; where++) {
        cs_ratio_product p = cs_ratio_product_one();
        const cs_vd two = cs_vset(2), zero = cs_vset(0);
        const cs_vmask all = cs_vmask_less(zero, two);
        for (int k = 0; k < 24; k++) {
            cs_vd above = two, below = two;
            above[1] = k == where ? (double)NAN : 2;
            below[3] = k == where ? (double)NAN : 2;
            cs_ratio_product_times(&p, all, above, below);
        }
        cs_vd end = cs_ratio_product_end(&p);
        assert_true(isnan(end[1]) && isnan(end[3]) && end[0] == 0);
    }
}

/* ---- planted faults: typical errors in a reduction or a polynomial ------- */

static cs_vd log_without_its_low_part(cs_vd x)
{
    return cs_vlog(x) - 0x1p-52 * cs_vlog(x);
}

static cs_vd expm1_by_exp(cs_vd x)
{
    return cs_vexp(x) - 1.0;
}

static cs_vd log1p_by_log(cs_vd x)
{
    return cs_vlog(1.0 + x);
}

static cs_vd softplus_by_log(cs_vd x)
{
    return cs_vlog(1.0 + cs_vexp(x)); /* overflows for x > 709 */
}

static cs_vd one_lane_off(cs_vd x)
{
    cs_vd y = cs_vexp(x);
    y[3] *= 1 + 0x1p-50;
    return y;
}

static void faults_are_found(void **state)
{
    (void)state;
    const struct law faulty[] = {
        {"log", log_without_its_low_part, logl, 1.5, 0, 1e308},
        {"expm1", expm1_by_exp, expm1l, 2.5, -2, 2},
        {"log1p", log1p_by_log, log1pl, 2, -0.9, 1},
        {"softplus", softplus_by_log, softplus, 2.5, -745, 800},
        {"exp", one_lane_off, expl, 1.5, -745, 709.7}};
    double at;
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++)
        if (largest_error(&faulty[i], &at) <= faulty[i].ulp)
            fail_msg("a fault of %s is not detected", faulty[i].name);
}

/* Checks that two values are equal. If they are zero, their signs must be equal
 * too. A NaN equals every NaN. */
static void same(const char *name, double x, double got, double want)
{
    if (isnan(want) ? !isnan(got)
                    : got != want || signbit(got) != signbit(want))
        fail_msg("%s(%g) = %g, want %g", name, x, got, want);
}

static void extremes_are_those_of_libm(void **state)
{
    (void)state;
    const double x[] = {0.0,   -0.0,   HUGE_VAL, -HUGE_VAL,  (double)NAN,
                        -1.0,  -2.0,   1e4,      -1e4,       0x1p-1074,
                        710.5, -750.0, 1.0,      -0x1p-1074, 0x1p-1022};
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        double v = x[k],
               plus = isnan(v) ? v : fmax(v, 0) + log1p(exp(-fabs(v)));
        cs_vd at = cs_vset(v);
        same("exp", v, cs_vexp(at)[3],
             exp(v) > 1e300 ? HUGE_VAL : cs_vexp(at)[0]);
        same("expm1", v, cs_vexpm1(at)[3],
             fabs(v) < 9 && v != 0 && fabs(v) > 1e-9 ? cs_vexpm1(at)[0]
                                                     : expm1(v));
        same("log", v, cs_vlog(at)[3],
             v > 0 && v < 1e300 && v != 1 ? cs_vlog(at)[0] : log(v));
        same("log1p", v, cs_vlog1p(at)[3],
             v > 0.5 && v < 1e300 ? cs_vlog1p(at)[0] : log1p(v));
        same("tanh", v, cs_vtanh(at)[3],
             fabs(v) > 0.5 && fabs(v) < 9 ? cs_vtanh(at)[0] : tanh(v));
        assert_true(isnan(v) == isnan(cs_vsoftplus(at)[0]));
        if (!isnan(v))
            assert_near(cs_vsoftplus(at)[0], plus, 1e-15, 0);
        same("sigmoid", v, cs_vsigmoid(at)[3],
             v < 0 && v > -751 ? cs_vsigmoid(at)[0] : 1 / (1 + exp(-v)));
    }
    assert_true(cs_vexp(cs_vset(0))[0] == 1);
    assert_true(cs_vexp(cs_vset(-HUGE_VAL))[0] == 0);
    assert_true(cs_vexp(cs_vset(-750))[0] == 0);
}

static void circle_is_that_of_libm(void **state)
{
    (void)state;
    uint64_t seed = 3;
    const struct law near = {.from = -2, .to = 2};
    const long double turn = 2 * 3.14159265358979323846264338327950288L;
    for (int k = 0; k < 40000; k++) {
        double u = pick(&seed, &near);
        cs_vd s, c;
        cs_vsincos2pi(cs_vset(u), &s, &c);
        long double r = remainderl((long double)u, 1) * turn;
        if (fabs(u) < 1e-300)
            continue;
        assert_true(fabsl((long double)s[0] - sinl(r)) <=
                    0x1p-51L * fabsl(sinl(r)) + 0x1p-62L);
        assert_true(fabsl((long double)c[0] - cosl(r)) <= 0x1p-52L);
    }
}

static void circle_is_right_at_its_quarters_and_far_out(void **state)
{
    (void)state;
    const struct corner {
        double u, sine, cosine;
    } corners[] = {{0, 0, 1},
                   {0.25, 1, 0},
                   {0.5, 0, -1},
                   {0.75, -1, 0},
                   {1, 0, 1},
                   {-0.25, -1, 0},
                   {0x1p51 + 0.5, 0, -1},
                   {0x1p50 + 0.25, 1, 0},
                   {0x1p60, 0, 1},
                   {-0x1p1000, 0, 1}};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        cs_vd s, c;
        cs_vsincos2pi(cs_vset(corners[i].u), &s, &c);
        assert_true(s[0] == corners[i].sine && c[0] == corners[i].cosine);
    }
    const double bad[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
    for (int i = 0; i < 3; i++) {
        cs_vd s, c;
        cs_vsincos2pi(cs_vset(bad[i]), &s, &c);
        assert_true(isnan(s[0]) && isnan(c[0]));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(functions_agree_with_long_double),
    cmocka_unit_test(exp_of_floats_is_near_and_never_0),
    cmocka_unit_test(exp_of_floats_is_kept_within),
    cmocka_unit_test(masks_choose_lanes),
    cmocka_unit_test(ratio_products_keep_their_logarithm),
    cmocka_unit_test(ratio_products_keep_nan),
    cmocka_unit_test(faults_are_found),
    cmocka_unit_test(extremes_are_those_of_libm),
    cmocka_unit_test(circle_is_that_of_libm),
    cmocka_unit_test(circle_is_right_at_its_quarters_and_far_out),
};
TESTS(test_vmath)
