/* Derivatives of the operations, as new nodes: one table row per operation. */
#include "expr/reverse.h"

#include <math.h>

static cs_node number(cs_reverse *r, double v)
{
    return cs_graph_number(r->g, v);
}

/* Returns w op b for an adjoint w. The guards of w are kept: see
 * cs_reverse_times. */
static cs_node through(cs_reverse *r, cs_op op, cs_node w, cs_node b)
{
    cs_graph *g = r->g;
    if (!w || cs_graph_at(g, w)->op != CS_OP_WHERE)
        return cs_graph_op2(g, op, w, b);
    cs_node c = cs_graph_arg(g, w, 0);
    cs_node part[2] = {cs_graph_arg(g, w, 1), cs_graph_arg(g, w, 2)};
    for (int i = 0; i < 2; i++) {
        double v;
        if (!cs_graph_is_number(g, part[i], &v) || v != 0)
            part[i] = through(r, op, part[i], b);
    }
    return cs_graph_op3(g, CS_OP_WHERE, c, part[0], part[1]);
}

cs_node cs_reverse_times(cs_reverse *r, cs_node w, cs_node b)
{
    return through(r, CS_OP_MUL, w, b);
}

static cs_node over(cs_reverse *r, cs_node w, cs_node b)
{
    return through(r, CS_OP_DIV, w, b);
}

static cs_node scaled(cs_reverse *r, double k, cs_node a)
{
    return cs_reverse_times(r, a, number(r, k));
}

static cs_node where(cs_reverse *r, cs_node condition, cs_node a, cs_node b)
{
    return cs_graph_op3(r->g, CS_OP_WHERE, condition, a, b);
}

static cs_node map(cs_reverse *r, cs_op op, cs_node a)
{
    return cs_graph_op1(r->g, op, a);
}

/* ---- operations of one argument: w dy/da --------------------------------- */

static cs_node by_sqrt(cs_reverse *r, const cs_back *k)
{
    return over(r, scaled(r, 0.5, k->w), k->y);
}

static cs_node by_abs(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_SIGN, k->a));
}

static cs_node by_exp(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, k->y);
}

static cs_node by_expm1(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_EXP, k->a));
}

static cs_node by_log(cs_reverse *r, const cs_back *k)
{
    return over(r, k->w, k->a);
}

static cs_node by_log1p(cs_reverse *r, const cs_back *k)
{
    return over(r, k->w, cs_graph_op2(r->g, CS_OP_ADD, k->a, number(r, 1)));
}

static cs_node by_sin(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_COS, k->a));
}

static cs_node by_cos(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, scaled(r, -1, k->w), map(r, CS_OP_SIN, k->a));
}

static cs_node by_tan(cs_reverse *r, const cs_back *k)
{
    cs_node square = cs_reverse_times(r, k->y, k->y);
    return cs_reverse_times(
        r, k->w, cs_graph_op2(r->g, CS_OP_ADD, square, number(r, 1)));
}

/* 1 - tanh^2 = 4 sigmoid(2a) sigmoid(-2a), without loss of precision. */
static cs_node by_tanh(cs_reverse *r, const cs_back *k)
{
    cs_node up = map(r, CS_OP_SIGMOID, scaled(r, 2, k->a));
    cs_node down = map(r, CS_OP_SIGMOID, scaled(r, -2, k->a));
    return cs_reverse_times(r, cs_reverse_times(r, scaled(r, 4, k->w), up),
                            down);
}

static cs_node by_atan(cs_reverse *r, const cs_back *k)
{
    cs_node square = cs_reverse_times(r, k->a, k->a);
    return over(r, k->w, cs_graph_op2(r->g, CS_OP_ADD, square, number(r, 1)));
}

/* Returns w * factor * exp(m a^2). */
static cs_node bell(cs_reverse *r, const cs_back *k, double factor, double m)
{
    cs_node power = scaled(r, m, cs_reverse_times(r, k->a, k->a));
    return cs_reverse_times(r, scaled(r, factor, k->w),
                            map(r, CS_OP_EXP, power));
}

static cs_node by_erf(cs_reverse *r, const cs_back *k)
{
    return bell(r, k, M_2_SQRTPI, -1);
}

static cs_node by_normal_cdf(cs_reverse *r, const cs_back *k)
{
    return bell(r, k, 0.5 * M_SQRT1_2 * M_2_SQRTPI, -0.5);
}

static cs_node by_log_normal_cdf(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_NORMAL_RATIO, k->a));
}

/* dy/da = -y (a + y) */
static cs_node by_normal_ratio(cs_reverse *r, const cs_back *k)
{
    cs_node more = cs_graph_op2(r->g, CS_OP_ADD, k->a, k->y);
    return cs_reverse_times(r, k->w,
                            scaled(r, -1, cs_reverse_times(r, k->y, more)));
}

static cs_node by_lgamma(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_DIGAMMA, k->a));
}

static cs_node by_digamma(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_TRIGAMMA, k->a));
}

static cs_node by_softplus(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(r, k->w, map(r, CS_OP_SIGMOID, k->a));
}

static cs_node by_sigmoid(cs_reverse *r, const cs_back *k)
{
    cs_node other = map(r, CS_OP_SIGMOID, scaled(r, -1, k->a));
    return cs_reverse_times(r, cs_reverse_times(r, k->w, k->y), other);
}

static cs_node by_sum(cs_reverse *r, const cs_back *k)
{
    (void)r;
    return k->w;
}

static cs_node by_nothing(cs_reverse *r, const cs_back *k)
{
    (void)k;
    return number(r, 0);
}

static cs_node by_trigamma(cs_reverse *r, const cs_back *k)
{
    return cs_reverse_times(
        r, k->w, cs_graph_op2(r->g, CS_OP_POLYGAMMA, number(r, 2), k->a));
}

/* Divides the adjoint equally among the largest elements. */
static cs_node by_largest(cs_reverse *r, const cs_back *k)
{
    cs_node share = cs_graph_op2(r->g, CS_OP_EQ, k->a, k->y);
    cs_node ties = map(r, CS_OP_SUM, share);
    return cs_graph_op2(r->g, CS_OP_MUL, share, over(r, k->w, ties));
}

/* dy/da = a / y, or 0 where y is 0. */
static cs_node by_norm(cs_reverse *r, const cs_back *k)
{
    cs_node none = number(r, 0);
    cs_node corner = cs_graph_op2(r->g, CS_OP_EQ, k->y, none);
    cs_node way = cs_graph_op2(r->g, CS_OP_DIV, k->a, k->y);
    return cs_reverse_times(r, k->w, where(r, corner, none, way));
}

const cs_derivative_rule cs_derivative_rules[CS_OP_COUNT] = {
    [CS_OP_SQRT] = by_sqrt,
    [CS_OP_ABS] = by_abs,
    [CS_OP_SIGN] = by_nothing,
    [CS_OP_EXP] = by_exp,
    [CS_OP_EXPM1] = by_expm1,
    [CS_OP_LOG] = by_log,
    [CS_OP_LOG1P] = by_log1p,
    [CS_OP_SIN] = by_sin,
    [CS_OP_COS] = by_cos,
    [CS_OP_TAN] = by_tan,
    [CS_OP_TANH] = by_tanh,
    [CS_OP_ATAN] = by_atan,
    [CS_OP_ERF] = by_erf,
    [CS_OP_NORMAL_CDF] = by_normal_cdf,
    [CS_OP_LOG_NORMAL_CDF] = by_log_normal_cdf,
    [CS_OP_NORMAL_RATIO] = by_normal_ratio,
    [CS_OP_LGAMMA] = by_lgamma,
    [CS_OP_DIGAMMA] = by_digamma,
    [CS_OP_TRIGAMMA] = by_trigamma,
    [CS_OP_SOFTPLUS] = by_softplus,
    [CS_OP_SIGMOID] = by_sigmoid,
    [CS_OP_SUM] = by_sum,
    [CS_OP_LARGEST] = by_largest,
    [CS_OP_NORM] = by_norm,
};

/* ---- several arguments --------------------------------------------------- */

static void back_add(cs_reverse *r, const cs_back *k)
{
    cs_reverse_add(r, k->a, k->w, k->size);
    cs_reverse_add(r, k->b, k->w, k->size);
}

static void back_sub(cs_reverse *r, const cs_back *k)
{
    cs_reverse_add(r, k->a, k->w, k->size);
    cs_reverse_add(r, k->b, scaled(r, -1, k->w), k->size);
}

static void back_mul(cs_reverse *r, const cs_back *k)
{
    cs_reverse_add(r, k->a, cs_reverse_times(r, k->w, k->b), k->size);
    cs_reverse_add(r, k->b, cs_reverse_times(r, k->w, k->a), k->size);
}

static void back_div(cs_reverse *r, const cs_back *k)
{
    cs_node part = over(r, k->w, k->b);
    cs_reverse_add(r, k->a, part, k->size);
    cs_reverse_add(r, k->b, cs_reverse_times(r, scaled(r, -1, part), k->y),
                   k->size);
}

/* Differentiates with respect to the exponent only if the exponent is not
 * constant. That derivative contains log a, which is NaN for negative a. */
static void back_pow(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    cs_node less = cs_graph_op2(g, CS_OP_SUB, k->b, number(r, 1));
    cs_node slope =
        cs_reverse_times(r, k->b, cs_graph_op2(g, CS_OP_POW, k->a, less));
    cs_reverse_add(r, k->a, cs_reverse_times(r, k->w, slope), k->size);
    if (cs_graph_at(g, k->b)->op == CS_OP_DATA)
        return;
    cs_node grow = cs_reverse_times(r, k->y, map(r, CS_OP_LOG, k->a));
    cs_node zero = cs_graph_op2(g, CS_OP_EQ, k->a, number(r, 0));
    cs_reverse_add(
        r, k->b, cs_reverse_times(r, k->w, where(r, zero, number(r, 0), grow)),
        k->size);
}

/* Passes the whole adjoint to the argument that was chosen. If both arguments
 * are equal, passes it to the first argument. */
static void back_choice(cs_reverse *r, const cs_back *k, cs_node first)
{
    cs_node none = number(r, 0);
    cs_reverse_add(r, k->a, where(r, first, k->w, none), k->size);
    cs_reverse_add(r, k->b, where(r, first, none, k->w), k->size);
}

static void back_max(cs_reverse *r, const cs_back *k)
{
    back_choice(r, k, cs_graph_op2(r->g, CS_OP_LE, k->b, k->a));
}

static void back_min(cs_reverse *r, const cs_back *k)
{
    back_choice(r, k, cs_graph_op2(r->g, CS_OP_LE, k->a, k->b));
}

/* For a binary condition: adds w times a difference to the adjoint of the
 * condition. The difference is between the values of the two branches. If it is
 * not finite, nothing is added. */
static void back_condition(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    cs_node gain = cs_graph_op2(g, CS_OP_SUB, k->b, k->c);
    cs_node finite =
        cs_graph_op2(g, CS_OP_LT, map(r, CS_OP_ABS, gain), number(r, HUGE_VAL));
    cs_reverse_add(
        r, k->a,
        where(r, finite, cs_reverse_times(r, k->w, gain), number(r, 0)),
        k->size);
}

static void back_where(cs_reverse *r, const cs_back *k)
{
    cs_node none = number(r, 0);
    if (cs_graph_at(r->g, k->a)->op == CS_OP_IS)
        back_condition(r, k);
    cs_reverse_add(r, k->b, where(r, k->a, k->w, none), k->size);
    cs_reverse_add(r, k->c, where(r, k->a, none, k->w), k->size);
}

/* Returns the derivative of log(exp a + exp b) with respect to a. This is
 * sigmoid(a - b), or one half if a and b are the same infinity. */
static cs_node share(cs_reverse *r, cs_node a, cs_node b)
{
    cs_node same = cs_graph_op2(r->g, CS_OP_EQ, a, b);
    cs_node more = cs_graph_op2(r->g, CS_OP_SUB, a, b);
    return where(r, same, number(r, 0.5), map(r, CS_OP_SIGMOID, more));
}

static void back_log_add_exp(cs_reverse *r, const cs_back *k)
{
    cs_node a = share(r, k->a, k->b), b = share(r, k->b, k->a);
    cs_reverse_add(r, k->a, cs_reverse_times(r, k->w, a), k->size);
    cs_reverse_add(r, k->b, cs_reverse_times(r, k->w, b), k->size);
}

/* y = log Gamma(a + b) - log Gamma(a) */
static void back_log_rising(cs_reverse *r, const cs_back *k)
{
    cs_node by_a = cs_graph_op2(r->g, CS_OP_DIGAMMA_RISING, k->a, k->b);
    cs_node by_b =
        map(r, CS_OP_DIGAMMA, cs_graph_op2(r->g, CS_OP_ADD, k->a, k->b));
    cs_reverse_add(r, k->a, cs_reverse_times(r, k->w, by_a), k->size);
    cs_reverse_add(r, k->b, cs_reverse_times(r, k->w, by_b), k->size);
}

static void back_digamma_rising(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    cs_node up = map(r, CS_OP_TRIGAMMA, cs_graph_op2(g, CS_OP_ADD, k->a, k->b));
    cs_node by_a = cs_graph_op2(g, CS_OP_SUB, up, map(r, CS_OP_TRIGAMMA, k->a));
    cs_reverse_add(r, k->a, cs_reverse_times(r, k->w, by_a), k->size);
    cs_reverse_add(r, k->b, cs_reverse_times(r, k->w, up), k->size);
}

/* Differentiates only with respect to b, because the order a is a constant
 * integer. */
static void back_polygamma(cs_reverse *r, const cs_back *k)
{
    cs_node next = cs_graph_op2(r->g, CS_OP_ADD, k->a, number(r, 1));
    cs_node slope = cs_graph_op2(r->g, CS_OP_POLYGAMMA, next, k->b);
    cs_reverse_add(r, k->b, cs_reverse_times(r, k->w, slope), k->size);
}

/* The slope with respect to a is half the change of y between a - 1 and a + 1:
 * 1/2 if a is b - 1, -1/2 if a is b + 1. The slope with respect to b has the
 * opposite sign. */
static void back_is(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    cs_node gap = cs_graph_op2(g, CS_OP_SUB, k->b, k->a);
    cs_node near =
        cs_graph_op2(g, CS_OP_EQ, map(r, CS_OP_ABS, gap), number(r, 1));
    cs_node slope = where(r, near, scaled(r, 0.5, gap), number(r, 0));
    cs_node w = cs_reverse_times(r, k->w, slope);
    cs_reverse_add(r, k->a, w, k->size);
    cs_reverse_add(r, k->b, scaled(r, -1, w), k->size);
}

static void back_none(cs_reverse *r, const cs_back *k)
{
    (void)r;
    (void)k;
}

const cs_back_function cs_back_map[CS_OP_COUNT] = {
    [CS_OP_ADD] = back_add,
    [CS_OP_SUB] = back_sub,
    [CS_OP_MUL] = back_mul,
    [CS_OP_DIV] = back_div,
    [CS_OP_POW] = back_pow,
    [CS_OP_MAX] = back_max,
    [CS_OP_MIN] = back_min,
    [CS_OP_LT] = back_none,
    [CS_OP_LE] = back_none,
    [CS_OP_EQ] = back_none,
    [CS_OP_IS] = back_is,
    [CS_OP_WHERE] = back_where,
    [CS_OP_LOG_ADD_EXP] = back_log_add_exp,
    [CS_OP_LOG_RISING] = back_log_rising,
    [CS_OP_DIGAMMA_RISING] = back_digamma_rising,
    [CS_OP_POLYGAMMA] = back_polygamma,
};
