/* The functions and constants of formulas. */
#include "density/formula_calls.h"

#include <math.h>

static const cs_arg none = {0};

/* ---- facts: known values that choose between formulas --------------------- */

static cs_arg fact(cs_calc *c, bool yes)
{
    return cs_calc_number(c, yes);
}

/* known(a, ...): 1 if no argument is a node. */
static cs_arg known(cs_calc *c, const cs_arg *a, size_t n)
{
    bool all = true;
    for (size_t i = 0; i < n; i++)
        all = all && cs_is_known(a[i]);
    return fact(c, all);
}

/* few(a, ...): 1 if all elements are known and at most CS_DENSITY_MANY. */
static cs_arg few(cs_calc *c, const cs_arg *a, size_t n)
{
    bool all = true;
    for (size_t i = 0; i < n; i++)
        all = all && cs_density_few(a[i]);
    return fact(c, all);
}

/* small(a, ...): 1 if an argument is a node, or few(a, ...). */
static cs_arg small(cs_calc *c, const cs_arg *a, size_t n)
{
    cs_arg all = known(c, a, n);
    return all.size && *all.v != 0 ? few(c, a, n) : fact(c, true);
}

static bool has(cs_arg a, double low, double high)
{
    for (size_t i = 0; cs_is_known(a) && i < a.size; i++)
        if (a.v[i] == low || a.v[i] == high)
            return true;
    return !cs_is_known(a);
}

/* has_zero(a): 1 if an element may be 0. */
static cs_arg has_zero(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return fact(c, has(a[0], 0, 0));
}

/* has_edge(a): 1 if an element may be 0 or 1. */
static cs_arg has_edge(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return fact(c, has(a[0], 0, 1));
}

/* is_number(a): 1 if a is not a vector. */
static cs_arg is_number(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return fact(c, a[0].size && a[0].rank == 0);
}

/* size(a): number of elements, or of the rows of a matrix. */
static cs_arg size(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_number(c, (double)(a[0].rank == 2 ? a[0].rows : a[0].size));
}

/* ---- values -------------------------------------------------------------- */

/* like(a, b): a, or if it is a number, a vector of its copies as long as b. A
 * vector a must be as long as b. */
static cs_arg like(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    if (!a[0].size || !a[1].size)
        return none;
    if (a[0].rank && a[0].size != a[1].size)
        return cs_calc_fail(c, "give vectors of equal length",
                            "vectors of %zu and %zu entries", a[0].size,
                            a[1].size);
    if (a[0].rank)
        return a[0];
    double *zero = cs_calc_numbers(c, a[1].size);
    for (size_t i = 0; zero && i < a[1].size; i++)
        zero[i] = 0;
    return zero ? cs_calc_op2(c, CS_OP_ADD, a[0],
                              cs_known_vector(zero, a[1].size))
                : none;
}

static cs_arg sum(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_reduce(c, CS_OP_SUM, a[0]);
}

/* least(a): the smallest element. */
static cs_arg least(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_least(c, a[0]);
}

static cs_arg dot(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_reduce(c, CS_OP_SUM, cs_calc_op2(c, CS_OP_MUL, a[0], a[1]));
}

static cs_arg gt(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_op2(c, CS_OP_LT, a[1], a[0]);
}

static cs_arg ge(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_op2(c, CS_OP_LE, a[1], a[0]);
}

static cs_arg log_sum_exp(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_log_sum_exp(c, a[0]);
}

static cs_arg cholesky(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_cholesky(c, a[0]);
}

static cs_arg diagonal(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_diagonal(c, a[0]);
}

static cs_arg solve_lower(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_solve(c, a[0], a[1], false);
}

static cs_arg solve_upper(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_solve(c, a[0], a[1], true);
}

static cs_arg product(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_product(c, a[0], a[1]);
}

static cs_arg transpose(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return cs_calc_transpose(c, a[0]);
}

#define MAP(name, op, n)                                                       \
    {                                                                          \
        name, n, CS_OP_##op, NULL                                              \
    }
#define MADE(name, n)                                                          \
    {                                                                          \
#name, n, CS_OP_NONE, name                                             \
    }

const cs_formula_word cs_formula_words[] = {
    MAP("log", LOG, 1),
    MAP("exp", EXP, 1),
    MAP("log1p", LOG1P, 1),
    MAP("expm1", EXPM1, 1),
    MAP("sqrt", SQRT, 1),
    MAP("abs", ABS, 1),
    MAP("sin", SIN, 1),
    MAP("cos", COS, 1),
    MAP("tan", TAN, 1),
    MAP("tanh", TANH, 1),
    MAP("atan", ATAN, 1),
    MAP("erf", ERF, 1),
    MAP("lgamma", LGAMMA, 1),
    MAP("log_rising", LOG_RISING, 2),
    MAP("softplus", SOFTPLUS, 1),
    MAP("sigmoid", SIGMOID, 1),
    MAP("normal_cdf", NORMAL_CDF, 1),
    MAP("log_normal_cdf", LOG_NORMAL_CDF, 1),
    MAP("log_add_exp", LOG_ADD_EXP, 2),
    MAP("pow", POW, 2),
    MAP("lt", LT, 2),
    MAP("le", LE, 2),
    MAP("eq", EQ, 2),
    MAP("min", MIN, 2),
    MAP("max", MAX, 2),
    MAP("where", WHERE, 3),
    MADE(gt, 2),
    MADE(ge, 2),
    MADE(known, 0),
    MADE(few, 0),
    MADE(small, 0),
    MADE(has_zero, 1),
    MADE(has_edge, 1),
    MADE(is_number, 1),
    MADE(size, 1),
    MADE(like, 2),
    MADE(sum, 1),
    MADE(least, 1),
    MADE(dot, 2),
    MADE(log_sum_exp, 1),
    MADE(cholesky, 1),
    MADE(diagonal, 1),
    MADE(solve_lower, 2),
    MADE(solve_upper, 2),
    MADE(product, 2),
    MADE(transpose, 1),
    {"tail_nodes", 1, CS_OP_NONE, cs_formula_tail_nodes},
    {"spread", 1, CS_OP_NONE, cs_formula_spread},
    {"tail_log", 2, CS_OP_NONE, cs_formula_tail_log},
    {"circle_mean", 1, CS_OP_NONE, cs_formula_circle_mean},
};
const size_t cs_formula_words_n =
    sizeof cs_formula_words / sizeof *cs_formula_words;

const cs_formula_constant cs_formula_constants[] = {
    {"huge", HUGE_VAL},
    {"pi", 3.14159265358979323846},
    {"half_log_tau", CS_HALF_LOG_TAU},
    {"log_pi", CS_LOG_PI},
    {"log_2", 0.69314718055994530942},
};
const size_t cs_formula_constants_n =
    sizeof cs_formula_constants / sizeof *cs_formula_constants;
