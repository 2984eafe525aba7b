/* Integrals in formulas, as sums over fixed nodes. A sum is differentiable with
 * respect to everything that the integrand depends on.
 *
 * The tail of a density is integrated from 0 to infinity by the exp-sinh rule r
 * = h exp(pi/2 sinh v) with equidistant v (Takahasi and Mori, Double
 * exponential formulas for numerical integration, 1974). The scale h may be
 * wrong by some orders of magnitude. */
#include "density/formula_calls.h"

#include <math.h>

static const cs_arg none = {0};

enum { NODES = 153, CIRCLE = 40 };

/* Node j of the exp-sinh rule with h = 1, and the log of its weight. */
static double node(size_t j, double *log_weight)
{
    const double step = 0.05, v = -4.1 + step * (double)j;
    const double s = 0.5 * M_PI * sinh(v);
    *log_weight = s + log(0.5 * M_PI * cosh(v) * step);
    return exp(s);
}

/* Returns the known number f(j) for each node j, once for each of `columns`
 * columns (0: as a vector). */
static cs_arg per_node(cs_calc *c, size_t rows, size_t columns,
                       double (*f)(size_t j))
{
    size_t n = columns ? columns : 1;
    double *v = cs_calc_numbers(c, rows * n);
    for (size_t i = 0; v && i < rows * n; i++)
        v[i] = f(i / n);
    return !v        ? none
           : columns ? cs_known_matrix(v, rows, columns)
                     : cs_known_vector(v, rows);
}

/* Repeats a vector for each node: a matrix [rows][size]. Numbers are combined
 * with all nodes as they are. */
static cs_arg spread_over(cs_calc *c, cs_arg a, size_t rows)
{
    if (!a.size || a.rank == 0)
        return a;
    double *index = cs_calc_numbers(c, rows * a.size);
    for (size_t i = 0; index && i < rows * a.size; i++)
        index[i] = (double)(i % a.size);
    return index ? cs_calc_shape(cs_calc_gather(c, a, index, rows * a.size),
                                 rows, a.size)
                 : none;
}

static double tail_node(size_t j)
{
    double log_weight;
    return node(j, &log_weight);
}

static double tail_weight(size_t j)
{
    double log_weight;
    node(j, &log_weight);
    return log_weight;
}

static size_t columns_of(cs_arg a)
{
    return a.rank ? a.size : 0;
}

cs_arg cs_formula_spread(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    return spread_over(c, a[0], NODES);
}

cs_arg cs_formula_tail_nodes(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    cs_arg s = per_node(c, NODES, columns_of(a[0]), tail_node);
    return cs_calc_op2(c, CS_OP_MUL, spread_over(c, a[0], NODES), s);
}

cs_arg cs_formula_tail_log(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    cs_arg w = per_node(c, NODES, columns_of(a[1]), tail_weight);
    cs_arg sum = cs_calc_log_sum_exp(c, cs_calc_op2(c, CS_OP_ADD, a[0], w));
    return cs_calc_op2(c, CS_OP_ADD, sum, cs_calc_op1(c, CS_OP_LOG, a[1]));
}

/* ---- a circle ------------------------------------------------------------ */

static double circle_node(size_t j)
{
    return cos(M_PI * (double)j / CIRCLE) - 1;
}

static double circle_weight(size_t j)
{
    return log((j == 0 || j == CIRCLE ? 0.5 : 1.0) / CIRCLE);
}

cs_arg cs_formula_circle_mean(cs_calc *c, const cs_arg *a, size_t n)
{
    (void)n;
    size_t columns = columns_of(a[0]);
    cs_arg x = per_node(c, CIRCLE + 1, columns, circle_node);
    cs_arg w = per_node(c, CIRCLE + 1, columns, circle_weight);
    x = cs_calc_op2(c, CS_OP_MUL, spread_over(c, a[0], CIRCLE + 1), x);
    return cs_calc_log_sum_exp(c, cs_calc_op2(c, CS_OP_ADD, x, w));
}
