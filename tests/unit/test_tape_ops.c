/* Tests every operation at ordinary and extreme arguments. The reference is
 * libm in extended precision, or a series. Values agree to 1e-12, and
 * derivatives to 1e-9. Each operation is compiled and runs as vector code. */
#include "support/support.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "tape/program.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

typedef long double wide;

static const wide PI = 3.141592653589793238462643383279502884L;

/* ---- references ---------------------------------------------------------- */

/* Derivatives of log Gamma, computed by recurrences and, for large x, by
 * asymptotic series (Abramowitz and Stegun, 6.3.18 and 6.4.12). */
static wide psi0(wide x)
{
    wide sum = 0;
    if (x < 0) /* reflection formula, 6.3.7 */
        return psi0(1 - x) - PI / tanl(PI * x);
    for (; x < 40; x++)
        sum -= 1 / x;
    wide q = 1 / (x * x);
    return sum + logl(x) - 0.5L / x -
           q * (1 / 12.0L -
                q * (1 / 120.0L - q * (1 / 252.0L - q * (1 / 240.0L))));
}

static wide psi1(wide x)
{
    wide sum = 0;
    for (; x < 40; x++)
        sum += 1 / (x * x);
    wide q = 1 / (x * x);
    return sum + 1 / x + 0.5L * q +
           q / x * (1 / 6.0L - q * (1 / 30.0L - q * (1 / 42.0L - q / 30.0L)));
}

static wide psi2(wide x)
{
    wide sum = 0;
    for (; x < 40; x++)
        sum -= 2 / (x * x * x);
    wide q = 1 / (x * x);
    return sum - q - q / x -
           q * q * (0.5L - q * (1 / 6.0L - q * (1 / 6.0L - q * 0.3L)));
}

static wide gauss(wide x)
{
    return expl(-0.5L * x * x) / sqrtl(2 * PI);
}

static wide normal(wide x)
{
    return 0.5L * erfcl(-x / sqrtl(2));
}

/* Returns Phi(x) / phi(x) for x < -30 by its asymptotic series (Abramowitz and
 * Stegun, 26.2.12). */
static wide over_density(wide x)
{
    wide q = 1 / (x * x);
    return -(1 - q * (1 - 3 * q * (1 - 5 * q * (1 - 7 * q * (1 - 9 * q))))) / x;
}

static wide log_normal(wide x)
{
    if (x < -30)
        return -0.5L * x * x - 0.5L * logl(2 * PI) + logl(over_density(x));
    return x > 0 ? log1pl(-normal(-x)) : logl(normal(x));
}

static wide ratio(wide x)
{
    return x < -30 ? 1 / over_density(x) : gauss(x) / normal(x);
}

static wide logistic(wide x)
{
    return 1 / (1 + expl(-x));
}

/* ---- one argument -------------------------------------------------------- */

#define FUNCTION(name, value)                                                  \
    static wide name(wide x)                                                   \
    {                                                                          \
        return value;                                                          \
    }
FUNCTION(d_sqrt, 0.5L / sqrtl(x))
FUNCTION(d_abs, (x > 0) - (x < 0))
FUNCTION(d_log, 1 / x)
FUNCTION(d_log1p, 1 / (1 + x))
FUNCTION(d_cos, -sinl(x))
FUNCTION(d_tan, 1 / (cosl(x) * cosl(x)))
FUNCTION(d_tanh, 1 / (coshl(x) * coshl(x)))
FUNCTION(d_atan, 1 / (1 + x * x))
FUNCTION(d_erf, 2 / sqrtl(PI) * expl(-(x * x)))
FUNCTION(d_ratio, -ratio(x) * (x + ratio(x)))
FUNCTION(softplus, x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x)))
FUNCTION(d_logistic, logistic(x) * logistic(-x))

typedef struct sample {
    cs_op op;
    wide (*value)(wide x);
    wide (*slope)(wide x);
    double at[10]; /* ends with NAN */
} sample;

static const sample samples[] = {
    {CS_OP_SQRT, sqrtl, d_sqrt, {1e-300, 0.3, 2, 1e300, NAN}},
    {CS_OP_ABS, fabsl, d_abs, {-1e300, -1e-300, 0, 3, NAN}},
    {CS_OP_EXP, expl, expl, {-700, -30, -1e-300, 0, 1e-10, 1, 700, 709, NAN}},
    {CS_OP_EXPM1, expm1l, expl, {-50, -0.1, -1e-10, 1e-300, 1e-5, 1, 700, NAN}},
    {CS_OP_LOG,
     logl,
     d_log,
     {1e-310, 1e-300, 0.5, 1 - 1e-10, 1, 1 + 1e-10, 2, 1e300, NAN}},
    {CS_OP_LOG1P,
     log1pl,
     d_log1p,
     {-1 + 1e-10, -0.5, -1e-18, 1e-18, 1e-5, 1, 1e300, NAN}},
    {CS_OP_SIN, sinl, cosl, {-3, 1e-9, 0.5, 2, 1e5, NAN}},
    {CS_OP_COS, cosl, d_cos, {-3, 1e-9, 0.5, 2, 1e5, NAN}},
    {CS_OP_TAN, tanl, d_tan, {-1.5, 1e-9, 0.5, 1.57, 100, NAN}},
    {CS_OP_TANH, tanhl, d_tanh, {-300, -20, -0.3, 1e-10, 0.6, 5, 18, 40, NAN}},
    {CS_OP_ATAN, atanl, d_atan, {-1e100, -2, 1e-10, 0.4, 1, 1e10, NAN}},
    {CS_OP_ERF, erfl, d_erf, {-5, -0.3, 1e-12, 0.4, 2, 5, 20, NAN}},
    {CS_OP_NORMAL_CDF, normal, gauss, {-37, -8, -1, 0, 1e-9, 2, 9, NAN}},
    {CS_OP_LOG_NORMAL_CDF,
     log_normal,
     ratio,
     {-1e9, -1e5, -300, -38, -9, -1, 0, 3, 8, NAN}},
    {CS_OP_NORMAL_RATIO, ratio, d_ratio, {-100, -9, -1, 0, 3, 8, NAN}},
    {CS_OP_LGAMMA,
     lgammal,
     psi0,
     {1e-300, 1e-5, 0.5, 1 + 1e-6, 2.5, 100, 1e10, 1e300, -0.4, NAN}},
    {CS_OP_DIGAMMA, psi0, psi1, {1e-5, 0.5, 1, 2.5, 30, 1e10, NAN}},
    {CS_OP_TRIGAMMA, psi1, psi2, {1e-5, 0.5, 1, 2.5, 30, 1e8, NAN}},
    {CS_OP_SOFTPLUS,
     softplus,
     logistic,
     {-740, -40, -1, 0, 1e-10, 3, 40, 1e300, NAN}},
    {CS_OP_SIGMOID, logistic, d_logistic, {-700, -40, -1, 0, 3, 36, 700, NAN}},
};

/* Computes the outputs of a program at x in each of `lanes` lanes. All lanes
 * must be equal. */
static void run_lanes(const cs_program *p, size_t dim, const double *x,
                      size_t lanes, double *value, double *slope)
{
    double *block = cs_alloc(dim * lanes, sizeof *block);
    double *s = cs_alloc(p->slots * lanes, sizeof *s);
    for (size_t i = 0; i < dim * lanes; i++)
        block[i] = x[i / lanes];
    cs_program_run(p, block, lanes, s);
    *value = s[p->root[0] * lanes];
    for (size_t i = 0; i < dim; i++)
        slope[i] = s[(p->root[1] + i) * lanes];
    for (size_t i = 0; i < (1 + dim) * lanes; i++) {
        size_t row = i < lanes ? p->root[0] : p->root[1] + i / lanes - 1;
        assert_memory_equal(&s[row * lanes + i % lanes], &s[row * lanes],
                            sizeof *s);
    }
    cs_free(block);
    cs_free(s);
}

/* Computes u and its gradient at x[n], for a graph whose input is x. The bits
 * must be equal with few lanes and with many. */
static void run(cs_graph *g, cs_node logp, const double *x, double *value,
                double *slope)
{
    cs_program *p;
    cs_error err;
    cs_node roots[2] = {logp, cs_graph_gradient(g, logp)};
    assert_int_equal(g->status, CS_OK);
    assert_int_equal(cs_program_compile(g, roots, 2, &p, &err), CS_OK);
    double other, *others = cs_alloc(g->dim, sizeof *others);
    run_lanes(p, g->dim, x, LANES, value, slope);
    for (size_t lanes = cs_whole_vectors(1); lanes <= 20;
         lanes += cs_whole_vectors(1)) {
        run_lanes(p, g->dim, x, lanes, &other, others);
        assert_memory_equal(&other, value, sizeof other);
        assert_memory_equal(others, slope, g->dim * sizeof *others);
    }
    cs_free(others);
    cs_program_destroy(p);
}

static bool near(double got, double want, double tolerance)
{
    return got == want || (isnan(got) && isnan(want)) ||
           fabs(got - want) <= tolerance * fabs(want) + 1e-305;
}

static void one_argument(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (const double *x = samples[i].at; !isnan(*x); x++) {
            const sample *s = &samples[i];
            cs_graph *g;
            cs_error err;
            double value, slope;
            assert_int_equal(cs_graph_create(1, 1000, &g, &err), CS_OK);
            run(g, cs_graph_op1(g, s->op, cs_graph_input(g)), x, &value,
                &slope);
            if (!near(value, (double)s->value(*x), 1e-12) ||
                !near(cs_op_value(s->op, *x, 0, 0), (double)s->value(*x),
                      1e-12))
                fail_msg("%s(%g) is %.17g, not %.17g", cs_ops[s->op].text, *x,
                         value, (double)s->value(*x));
            if (!near(slope, (double)s->slope(*x), 1e-9))
                fail_msg("%s'(%g) is %.17g, not %.17g", cs_ops[s->op].text, *x,
                         slope, (double)s->slope(*x));
            cs_graph_destroy(g);
        }
}

/* ---- two arguments ------------------------------------------------------- */

/* Returns log Gamma(a + n) - log Gamma(a) or its derivatives. For integer n
 * they are computed as a sum over k < n, for small n as two terms of a
 * series. */
static wide rising(wide a, wide n, int order)
{
    wide sum = 0;
    if (n != floorl(n))
        return order == 0 ? n * psi0(a) + 0.5L * n * n * psi1(a)
                          : n * psi1(a) + 0.5L * n * n * psi2(a);
    for (wide k = 0; k < n; k++)
        sum += order == 0 ? logl(a + k) : 1 / (a + k);
    return sum;
}

static wide sum_exp(wide a, wide b)
{
    wide most = fmaxl(a, b);
    return most + log1pl(expl(fminl(a, b) - most));
}

typedef struct pair {
    cs_op op;
    double a, b;
    wide value, by_a, by_b;
} pair;

static void check_pair(const pair *p)
{
    cs_graph *g;
    cs_error err;
    double x[2] = {p->a, p->b}, value, slope[2];
    assert_int_equal(cs_graph_create(2, 1000, &g, &err), CS_OK);
    cs_node in = cs_graph_input(g);
    run(g,
        cs_graph_op2(g, p->op, cs_graph_slice(g, in, 0, 1),
                     cs_graph_slice(g, in, 1, 1)),
        x, &value, slope);
    if (!near(value, (double)p->value, 1e-12) ||
        !near(slope[0], (double)p->by_a, 1e-9) ||
        !near(slope[1], (double)p->by_b, 1e-9))
        fail_msg("%s(%g, %g) is %.17g (%.17g, %.17g), not %.17g (%.17g, %.17g)",
                 cs_ops[p->op].text, p->a, p->b, value, slope[0], slope[1],
                 (double)p->value, (double)p->by_a, (double)p->by_b);
    cs_graph_destroy(g);
}

static void two_arguments(void **state)
{
    (void)state;
    static const double rises[][2] = {{1e8, 3},  {1e15, 7},    {0.3, 4},
                                      {5, 1},    {1e-8, 2},    {20, 300},
                                      {2, 1e-9}, {13.5, 1e-9}, {1e6, 1e-5}};
    static const double sums[][2] = {
        {1, 1.5}, {-1e4, -1e4 + 1}, {700, -700}, {3, 3}, {-2, -2 - 1e-9}};
    static const double powers[][2] = {{2, 0.3},     {1e-100, 2.5},
                                       {1e10, -3.7}, {7.5, 12.25},
                                       {0.999, 1e4}, {1e100, 3}};
    for (size_t i = 0; i < sizeof rises / sizeof *rises; i++) {
        wide a = rises[i][0], n = rises[i][1];
        check_pair(&(pair){CS_OP_LOG_RISING, rises[i][0], rises[i][1],
                           rising(a, n, 0), rising(a, n, 1), psi0(a + n)});
        if (a > 100 || n < 1) /* one derivative loses digits by cancellation */
            continue;
        check_pair(&(pair){CS_OP_DIGAMMA_RISING, rises[i][0], rises[i][1],
                           rising(a, n, 1), psi1(a + n) - psi1(a),
                           psi1(a + n)});
    }
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        wide a = sums[i][0], b = sums[i][1];
        check_pair(&(pair){CS_OP_LOG_ADD_EXP, sums[i][0], sums[i][1],
                           sum_exp(a, b), logistic(a - b), logistic(b - a)});
    }
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        wide a = powers[i][0], b = powers[i][1], y = powl(a, b);
        check_pair(&(pair){CS_OP_POW, powers[i][0], powers[i][1], y, b * y / a,
                           y * logl(a)});
    }
    check_pair(&(pair){CS_OP_LOG_ADD_EXP, -HUGE_VAL, 2, 2, 0, 1});
    check_pair(&(pair){CS_OP_MAX, 2, 2, 2, 1, 0});
    check_pair(&(pair){CS_OP_MIN, 1, 2, 1, 1, 0});
    check_pair(&(pair){CS_OP_DIV, 1, 3, 1 / 3.0L, 1 / 3.0L, -1 / 9.0L});
}

/* ---- vectors ------------------------------------------------------------- */

static void reductions(void **state)
{
    (void)state;
    static const struct {
        cs_op op;
        double x[3], value, slope[3];
    } rows[] = {
        {CS_OP_NORM, {3e200, 4e200, 0}, 5e200, {0.6, 0.8, 0}},
        {CS_OP_NORM, {3e-200, 0, -4e-200}, 5e-200, {0.6, 0, -0.8}},
        {CS_OP_NORM, {0, 0, 0}, 0, {0, 0, 0}},
        {CS_OP_LARGEST, {1, 5, -3}, 5, {0, 1, 0}},
        {CS_OP_LARGEST, {5, 5, -3}, 5, {0.5, 0.5, 0}},
        {CS_OP_LOG_SUM_EXP,
         {1000, 1000, -1e300},
         1000.693147180559945,
         {0.5, 0.5, 0}},
        {CS_OP_LOG_SUM_EXP,
         {-1000, -HUGE_VAL, -1000},
         -999.306852819440055,
         {0.5, 0, 0.5}},
        {CS_OP_LOG_SUM_EXP,
         {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
         -HUGE_VAL,
         {1 / 3.0, 1 / 3.0, 1 / 3.0}},
        {CS_OP_LOG_SUM_EXP, {HUGE_VAL, 0, HUGE_VAL}, HUGE_VAL, {0.5, 0, 0.5}},
        {CS_OP_SUM, {1, 2, 4}, 7, {1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cs_graph *g;
        cs_error err;
        double value, slope[3];
        assert_int_equal(cs_graph_create(3, 1000, &g, &err), CS_OK);
        run(g, cs_graph_op1(g, rows[i].op, cs_graph_input(g)), rows[i].x,
            &value, slope);
        if (!near(value, rows[i].value, 1e-14))
            fail_msg("row %zu: %.17g", i, value);
        for (int d = 0; d < 3; d++)
            if (!near(slope[d], rows[i].slope[d], 1e-12))
                fail_msg("row %zu, slope %d: %.17g", i, d, slope[d]);
        cs_graph_destroy(g);
    }
}

/* Tests where(x1 > 0, sum of log(x_i / x1), -inf). At x1 = 0 the slopes are
 * infinite or NaN, and the gradient must be 0. The compiled program makes a
 * single choice for the sum and its slopes. It does not make one choice for
 * each element. */
static void a_guard_is_one_choice(void **state)
{
    (void)state;
    enum { N = 9 };
    cs_graph *g;
    cs_program *p;
    cs_error err;
    size_t wide_choices = 0;
    double x[N * LANES], at[N] = {2, 1, 3, 1, 2, 1, 0.5, 1, 4};
    assert_int_equal(cs_graph_create(N, 1000, &g, &err), CS_OK);
    cs_node in = cs_graph_input(g), first = cs_graph_slice(g, in, 0, 1);
    cs_node inside = cs_graph_op2(g, CS_OP_LT, cs_graph_number(g, 0), first);
    cs_node terms =
        cs_graph_op1(g, CS_OP_LOG, cs_graph_op2(g, CS_OP_DIV, in, first));
    cs_node logp = cs_graph_op1(g, CS_OP_SUM,
                                cs_graph_op3(g, CS_OP_WHERE, inside, terms,
                                             cs_graph_number(g, -HUGE_VAL)));
    cs_node roots[2] = {logp, cs_graph_gradient(g, logp)};
    assert_int_equal(cs_program_compile(g, roots, 2, &p, &err), CS_OK);
    for (size_t i = 0; i < p->n_code; i++)
        wide_choices += p->code[i].op == CS_OP_WHERE && p->code[i].size > 1;
    /* the only choice between vectors selects the adjoint of x */
    assert_int_equal(wide_choices, 1);
    for (size_t i = 0; i < N * LANES; i++)
        x[i] = i / LANES == 0 && i % 2 ? 0 : at[i / LANES];
    _Alignas(64) double s[128 * LANES];
    assert_true(p->slots <= 128);
    cs_program_run(p, x, LANES, s);
    for (size_t l = 0; l < LANES; l++) {
        const double *slope = s + p->root[1] * LANES + l;
        assert_true(l % 2 ? s[p->root[0] * LANES + l] == -HUGE_VAL
                          : near(slope[0], -4, 1e-14));
        for (size_t d = l % 2 ? 0 : 1; d < N; d++)
            assert_true(l % 2 ? slope[d * LANES] == 0
                              : near(slope[d * LANES], 1 / at[d], 1e-14));
    }
    cs_program_destroy(p);
    cs_graph_destroy(g);
}

/* Picks from 1 to 6 elements, variables and constants, by an index per lane. An
 * index outside picks the nearest element, and NaN the first. */
static void picks(void **state)
{
    (void)state;
    enum { MOST = 6, WIDE = 16 };
    static const double list[MOST] = {0.5, -1, 2, 7, -3, 4};
    _Alignas(64) double x[(MOST + 1) * WIDE];
    _Alignas(64) double s[64 * WIDE];
    for (size_t n = 1; n <= MOST; n++) {
        cs_graph *g;
        cs_program *p;
        cs_error err;
        assert_int_equal(cs_graph_create(n + 1, 1000, &g, &err), CS_OK);
        cs_node in = cs_graph_input(g), by = cs_graph_slice(g, in, n, 1);
        cs_node roots[2] = {cs_graph_pick(g, cs_graph_slice(g, in, 0, n), by),
                            cs_graph_pick(g, cs_graph_vector(g, list, n), by)};
        assert_int_equal(cs_program_compile(g, roots, 2, &p, &err), CS_OK);
        assert_true(p->slots <= 64);
        for (size_t l = 0; l < WIDE; l++) {
            for (size_t i = 0; i < n; i++)
                x[i * WIDE + l] = (double)(10 * l + i);
            x[n * WIDE + l] = l == 9 ? (double)NAN : (double)l - 1;
        }
        cs_program_run(p, x, WIDE, s);
        for (size_t l = 0; l < WIDE; l++) {
            double index = x[n * WIDE + l];
            size_t k = !(index >= 1)       ? 0
                       : index > (double)n ? n
                                           : (size_t)index;
            k -= k > 0;
            assert_true(s[p->root[0] * WIDE + l] == (double)(10 * l + k));
            assert_true(s[p->root[1] * WIDE + l] == list[k]);
        }
        cs_program_destroy(p);
        cs_graph_destroy(g);
    }
}

/* Checks L L' = A and L x = b by their definitions, with constants as input. */
static void systems(void **state)
{
    (void)state;
    enum { N = 4 };
    double a[N * N], b[N] = {1, -2, 0.5, 3};
    for (size_t i = 0; i < N * N; i++)
        a[i] = 1.0 / (1.0 + (double)(i % N + i / N)) + (i % (N + 1) == 0);
    cs_graph *g;
    cs_error err;
    assert_int_equal(cs_graph_create(1, 1000, &g, &err), CS_OK);
    cs_node l = cs_graph_cholesky(g, cs_graph_vector(g, a, N * N));
    cs_node right = cs_graph_vector(g, b, N);
    const double *v = g->constants[cs_graph_at(g, l)->extra].v;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < N; k++)
                sum += v[i * N + k] * v[j * N + k];
            assert_near(sum, a[i * N + j], 1e-15, 1e-14);
        }
    for (int transposed = 0; transposed < 2; transposed++) {
        cs_node x = cs_graph_solve(g, l, right, transposed);
        const double *s = g->constants[cs_graph_at(g, x)->extra].v;
        v = g->constants[cs_graph_at(g, l)->extra].v;
        for (size_t i = 0; i < N; i++) {
            double sum = 0;
            for (size_t k = 0; k < N; k++)
                sum += (transposed ? v[k * N + i] : v[i * N + k]) * s[k];
            assert_near(sum, b[i], 1e-15, 1e-14);
        }
    }
    cs_graph_destroy(g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_argument), cmocka_unit_test(two_arguments),
    cmocka_unit_test(reductions),   cmocka_unit_test(a_guard_is_one_choice),
    cmocka_unit_test(picks),        cmocka_unit_test(systems),
};
TESTS(test_tape_ops)
