/* The reference implementation: values of each operation for numbers, from libm
 * and GSL. */
#include "expr/graph.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

static double sigmoid(double x)
{
    double e = exp(-fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}

static double softplus(double x)
{
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/* Returns GSL's result, or NaN if GSL reports an error. */
static double psi(int (*f)(double, gsl_sf_result *), double x)
{
    gsl_sf_result y;
    return isfinite(x) && !f(x, &y) ? y.val : x > 0 ? x : (double)NAN;
}

static double log_normal_cdf(double x)
{
    gsl_sf_result y;
    if (x < -1e8) /* returns the asymptote, since the argument of GSL's function
                   * would overflow */
        return -0.5 * x * x - log(-x) - 0.5 * log(2 * M_PI);
    if (x > 0)
        return log1p(-0.5 * erfc(x * M_SQRT1_2));
    return gsl_sf_log_erfc_e(-x * M_SQRT1_2, &y) ? (double)NAN : y.val - M_LN2;
}

/* Returns phi(x) / Phi(x), the density of the standard normal distribution
 * divided by its distribution function; returns -x in the far left tail. */
static double normal_ratio(double x)
{
    gsl_sf_result y;
    if (x < -1e8 || isnan(x))
        return -x;
    if (isinf(x))
        return 0;
    return gsl_sf_hazard_e(-x, &y) ? 0 : y.val;
}

static double unary(cs_op op, double a)
{
    switch (op) {
    case CS_OP_SQRT:
        return sqrt(a);
    case CS_OP_ABS:
        return fabs(a);
    case CS_OP_SIGN:
        return (a > 0) - (a < 0);
    case CS_OP_EXP:
        return exp(a);
    case CS_OP_EXPM1:
        return expm1(a);
    case CS_OP_LOG:
        return log(a);
    case CS_OP_LOG1P:
        return log1p(a);
    case CS_OP_SIN:
        return sin(a);
    case CS_OP_COS:
        return cos(a);
    case CS_OP_TAN:
        return tan(a);
    case CS_OP_TANH:
        return tanh(a);
    case CS_OP_ATAN:
        return atan(a);
    case CS_OP_ERF:
        return erf(a);
    case CS_OP_NORMAL_CDF:
        return 0.5 * erfc(-a * M_SQRT1_2);
    case CS_OP_LOG_NORMAL_CDF:
        return log_normal_cdf(a);
    case CS_OP_NORMAL_RATIO:
        return normal_ratio(a);
    case CS_OP_LGAMMA:
        return lgamma(a);
    case CS_OP_DIGAMMA:
        return psi(gsl_sf_psi_e, a);
    case CS_OP_TRIGAMMA:
        return a > 1e150 ? 1 / a : psi(gsl_sf_psi_1_e, a);
    case CS_OP_SOFTPLUS:
        return softplus(a);
    case CS_OP_SIGMOID:
        return sigmoid(a);
    default:
        return NAN;
    }
}

/* ---- differences of Gamma functions -------------------------------------- */

/* Smallest argument for which the series below are accurate to the last
 * digits. */
static const double far = 14;

enum { SERIES = 12 };
/* Asymptotic series in z^-1, z^-2 ...: coefficients for log Gamma(z) - ((z -
 * 1/2) log z - z + log(2 pi)/2), and for psi(z) - log z (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 6.1.41 and 6.3.18). */
static const double of_log_gamma[SERIES] = {1.0 / 12,   0, -1.0 / 360,      0,
                                            1.0 / 1260, 0, -1.0 / 1680,     0,
                                            1.0 / 1188, 0, -691.0 / 360360, 0};
static const double of_psi[SERIES] = {-1.0 / 2, -1.0 / 12,  0, 1.0 / 120,
                                      0,        -1.0 / 252, 0, 1.0 / 240,
                                      0,        -1.0 / 132, 0, 691.0 / 32760};

/* Returns the value of the series at a + d minus its value at a. Uses p^k - q^k
 * = (p - q) (p^(k-1) + ... + q^(k-1)) with p = 1 / (a + d) and q = 1 / a. */
static double series_difference(const double *c, double a, double d)
{
    double p = 1 / (a + d), q = 1 / a, sum = 0, between = 1, power = q;
    for (int k = 0; k < SERIES; k++) {
        sum += c[k] * between;
        between = p * between + power;
        power *= q;
    }
    return -d * p * q * sum;
}

/* Returns log Gamma(a + d) - log Gamma(a) without cancellation for d much
 * smaller than a. Applies Gamma(z) = Gamma(z + 1) / z until both arguments are
 * large. */
static double log_rising(double a, double d)
{
    double near = 0;
    if (!(a > 0 && a + d > 0))
        return a + d == 0 && a > 0 ? HUGE_VAL : (double)NAN;
    if (isinf(a) || isinf(d))
        return isinf(a) ? (d == 0 ? 0 : d * HUGE_VAL) : HUGE_VAL;
    for (; a < far || a + d < far; a++)
        near += log1p(d / a);
    return (a - 0.5) * log1p(d / a) + d * (log(a + d) - 1) +
           series_difference(of_log_gamma, a, d) - near;
}

/* Returns psi(a + d) - psi(a). */
static double digamma_rising(double a, double d)
{
    double near = 0;
    if (!(a > 0 && a + d > 0))
        return NAN;
    if (isinf(a) || isinf(d))
        return isinf(a) ? 0 : HUGE_VAL;
    for (; a < far || a + d < far; a++)
        near += d / a / (a + d);
    return log1p(d / a) + series_difference(of_psi, a, d) + near;
}

static double polygamma(double n, double x)
{
    gsl_sf_result y;
    if (!(n >= 0 && n < 100 && x > 0))
        return NAN;
    return isinf(x) || gsl_sf_psi_n_e((int)n, x, &y) ? 0 : y.val;
}

static double log_add_exp(double a, double b)
{
    double most = a < b ? b : a;
    return a == b ? a + M_LN2 : most + log1p(exp(-fabs(a - b)));
}

double cs_op_value(cs_op op, double a, double b, double c)
{
    switch (op) {
    case CS_OP_ADD:
        return a + b;
    case CS_OP_SUB:
        return a - b;
    case CS_OP_MUL:
        return a * b;
    case CS_OP_DIV:
        return a / b;
    case CS_OP_POW:
        return pow(a, b);
    case CS_OP_MAX:
        return a < b ? b : a;
    case CS_OP_MIN:
        return b < a ? b : a;
    case CS_OP_LT:
        return a < b;
    case CS_OP_LE:
        return a <= b;
    case CS_OP_EQ:
    case CS_OP_IS:
        return a == b;
    case CS_OP_WHERE:
        return a != 0 ? b : c;
    case CS_OP_LOG_ADD_EXP:
        return log_add_exp(a, b);
    case CS_OP_LOG_RISING:
        return log_rising(a, b);
    case CS_OP_DIGAMMA_RISING:
        return digamma_rising(a, b);
    case CS_OP_POLYGAMMA:
        return polygamma(a, b);
    default:
        return unary(op, a);
    }
}
