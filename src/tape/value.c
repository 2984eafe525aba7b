/* The value of each operation at numbers, from libm and GSL: the reference. */
#include "tape/graph.h"

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

/* GSL's answer, NaN where it has none. */
static double psi(int (*f)(double, gsl_sf_result *), double x)
{
    gsl_sf_result y;
    return isfinite(x) && !f(x, &y) ? y.val : x > 0 ? x : (double)NAN;
}

static double log_normal_cdf(double x)
{
    gsl_sf_result y;
    if (x < -1e8) /* the asymptote, where GSL's argument overflows */
        return -0.5 * x * x - log(-x) - 0.5 * log(2 * M_PI);
    if (x > 40)
        return 0;
    return gsl_sf_log_erfc_e(-x * M_SQRT1_2, &y) ? (double)NAN : y.val - M_LN2;
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
    case CS_OP_LGAMMA:
        return lgamma(a);
    case CS_OP_DIGAMMA:
        return psi(gsl_sf_psi_e, a);
    case CS_OP_TRIGAMMA:
        return a > 0 && isinf(a) ? 0 : psi(gsl_sf_psi_1_e, a);
    case CS_OP_SOFTPLUS:
        return softplus(a);
    case CS_OP_SIGMOID:
        return sigmoid(a);
    default:
        return NAN;
    }
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
        return a == b;
    case CS_OP_WHERE:
        return a != 0 ? b : c;
    default:
        return unary(op, a);
    }
}
