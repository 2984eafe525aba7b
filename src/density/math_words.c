/* Functions of cs.math that are formulas. */
#include "density/families.h"

#include <gsl/gsl_math.h>

static const cs_arg none = {0};

/* ---- covariances of Gaussian processes ----------------------------------- */

/* Returns the coordinate d of the first (or second) point of each pair i > j,
 * for points x[n][dims]. */
static cs_arg side_of_pairs(cs_calc *c, cs_arg x, size_t n, size_t dims,
                            size_t d, bool second)
{
    size_t pairs = n * (n - 1) / 2, at = 0;
    double *index = cs_calc_numbers(c, pairs);
    for (size_t i = 1; index && i < n; i++)
        for (size_t j = 0; j < i; j++)
            index[at++] = (double)((second ? j : i) * dims + d);
    return index ? cs_calc_gather(c, x, index, pairs) : none;
}

/* Returns the matrix [n][n] with `corner` on the diagonal and the pairs at
 * both other places. */
static cs_arg symmetric(cs_calc *c, cs_arg pairs, cs_arg corner, size_t n)
{
    double *index = cs_calc_numbers(c, n * n);
    cs_arg all = cs_calc_pack(c, (cs_arg[]){corner, pairs}, 2);
    for (size_t i = 0; index && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            size_t high = i > j ? i : j, low = i > j ? j : i;
            index[i * n + j] =
                i == j ? 0 : (double)(1 + high * (high - 1) / 2 + low);
        }
    return index ? cs_calc_shape(cs_calc_gather(c, all, index, n * n), n, n)
                 : none;
}

/* Returns the sum over dimensions of f(difference, rho), one element per pair,
 * where f is a row of two or three arguments. */
static cs_arg sum_of_pairs(cs_calc *c, const char *f, cs_arg x, cs_arg rho,
                           cs_arg period)
{
    size_t n = x.rank == 2 ? x.rows : x.size, dims = x.rank == 2 ? x.cols : 1;
    cs_arg sum = none;
    if (rho.rank && rho.size != dims)
        return cs_calc_fail(c, "give one number, or one per coordinate",
                            "rho has %zu entries, but points have %zu",
                            rho.size, dims);
    for (size_t d = 0; d < dims; d++) {
        cs_arg a = side_of_pairs(c, x, n, dims, d, false);
        cs_arg b = side_of_pairs(c, x, n, dims, d, true);
        cs_arg args[3] = {cs_calc_op2(c, CS_OP_SUB, a, b),
                          rho.rank ? cs_calc_slice(c, rho, d, 1, true) : rho,
                          period};
        cs_arg one = cs_density_call(c, f, args, period.size ? 3 : 2);
        sum = d ? cs_calc_op2(c, CS_OP_ADD, sum, one) : one;
    }
    return sum;
}

/* Returns the covariance alpha^2 f(sum over pairs). */
static cs_arg covariance(cs_calc *c, const char *distance, const char *f,
                         const cs_arg *a, cs_arg period)
{
    size_t n = a[0].rank == 2 ? a[0].rows : a[0].size;
    cs_arg corner = cs_calc_op2(c, CS_OP_MUL, a[1], a[1]);
    if (a[1].rank)
        return cs_calc_fail(c, "give one number", "alpha is a vector");
    if (n < 2)
        return cs_calc_shape(corner, 1, 1);
    cs_arg sum = sum_of_pairs(c, distance, a[0], a[2], period);
    cs_arg pairs =
        cs_calc_op2(c, CS_OP_MUL, corner, cs_density_call(c, f, &sum, 1));
    return symmetric(c, pairs, corner, n);
}

static cs_arg gp_exp_quad(cs_calc *c, const cs_arg *a)
{
    return covariance(c, "squared_ratio", "gp_exp_quad_of", a, none);
}

static cs_arg gp_exponential(cs_calc *c, const cs_arg *a)
{
    return covariance(c, "squared_ratio", "gp_exponential_of", a, none);
}

static cs_arg gp_matern32(cs_calc *c, const cs_arg *a)
{
    return covariance(c, "squared_ratio", "gp_matern32_of", a, none);
}

static cs_arg gp_matern52(cs_calc *c, const cs_arg *a)
{
    return covariance(c, "squared_ratio", "gp_matern52_of", a, none);
}

static cs_arg gp_periodic(cs_calc *c, const cs_arg *a)
{
    return covariance(c, "periodic_ratio", "gp_exp_quad_of", a, a[3]);
}

/* ---- matrices ------------------------------------------------------------ */

static cs_arg inverse(cs_calc *c, const cs_arg *a)
{
    size_t n = a[0].rows;
    double *unit = cs_calc_numbers(c, n * n);
    if (!unit)
        return none;
    for (size_t i = 0; i < n * n; i++)
        unit[i] = i % (n + 1) == 0;
    cs_arg l = cs_calc_cholesky(c, a[0]);
    cs_arg half = cs_calc_solve(c, l, cs_known_matrix(unit, n, n), false);
    return cs_calc_solve(c, l, half, true);
}

static const cs_density_row rows[] = {
    {"log1m_exp", "x any", "log(1 - exp(x)) for x below 0",
     .formula = "near = gt(x, -log_2); where(near, log(-expm1(x)),"
                " log1p(-exp(x)))"},
    {"log_diff_exp", "a any, b any", "log(exp(a) - exp(b)) for a above b",
     .formula = "a + log1m_exp(where(eq(a, b), 0, b - a))"},
    {"log_mix", "p any, a any, b any", "log(p exp(a) + (1 - p) exp(b))",
     .formula = "first = log(p) + a; log_add_exp(first, log1p(-p) + b)"},
    {"inv_phi", "p any", "inverse of normal_cdf",
     .formula =
         "q = p - 0.5; middle = le(abs(q), 0.425);"
         "r = where(middle, 0.180625 - q * q, 0);"
         "side = where(middle, 0.1, where(lt(q, 0), p, 1 - p));"
         "s = sqrt(-log(side)); far = gt(s, 5);"
         "near_tail = inv_phi_near(where(far, 2, s) - 1.6);"
         "tail = where(far, inv_phi_far(where(far, s, 6) - 5), near_tail);"
         "tail = where(eq(side, 0), huge, tail);"
         "where(middle, q * inv_phi_middle(r), where(lt(q, 0), -tail, tail))"},
    {"log_det", "a any matrix",
     "log of the determinant of a symmetric, positive definite matrix; the "
     "lower triangle is read",
     .formula = "2 * sum(log(diagonal(cholesky(a))))"},
    {"inverse", "a any matrix",
     "inverse of a symmetric, positive definite matrix; the lower triangle is "
     "read",
     .build = inverse},
    {"gp_exp_quad", "x any rows, alpha positive, rho positive list",
     "covariance alpha^2 exp(-d^2 / (2 rho^2)) of points: a vector, or the "
     "rows of a matrix; rho may have one entry per coordinate",
     .build = gp_exp_quad},
    {"gp_exponential", "x any rows, alpha positive, rho positive list",
     "exponential covariance alpha^2 exp(-d / rho), Matern with smoothness 1/2",
     .build = gp_exponential},
    {"gp_matern32", "x any rows, alpha positive, rho positive list",
     "Matern covariance with smoothness 3/2", .build = gp_matern32},
    {"gp_matern52", "x any rows, alpha positive, rho positive list",
     "Matern covariance with smoothness 5/2", .build = gp_matern52},
    {"gp_periodic",
     "x any rows, alpha positive, rho positive list, period positive",
     "covariance alpha^2 exp(-2 sin(pi d / period)^2 / rho^2)",
     .build = gp_periodic},
};

const cs_density_family cs_density_math = {CS_DENSITY_WORD, rows,
                                           sizeof rows / sizeof *rows};
