/* Creates operations: folds constants, drops neutral elements, and moves
 * constant factors to where a sum can absorb them. */
#include "expr/intern.h"

#include "base/memory.h"

#include <math.h>

static bool is(const cs_graph *g, cs_node a, double value)
{
    double v = 0;
    return cs_graph_is_number(g, a, &v) && v == value;
}

/* ---- folding ------------------------------------------------------------- */

static cs_node fold(cs_graph *g, cs_op op, const cs_node *a, size_t count,
                    size_t size)
{
    double one, *v = size == 1 ? &one : cs_alloc(size, sizeof *v);
    if (!v)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < size; i++)
        v[i] = cs_op_value(op, cs_graph_element(g, a[0], i),
                           count > 1 ? cs_graph_element(g, a[1], i) : 0,
                           count > 2 ? cs_graph_element(g, a[2], i) : 0);
    cs_node node = cs_graph_vector(g, v, size);
    if (v != &one)
        cs_free(v);
    return node;
}

static double fold_norm(const cs_graph *g, cs_node a)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < g->nodes[a].size; i++)
        most = fmax(most, fabs(cs_graph_element(g, a, i)));
    for (size_t i = 0; most > 0 && i < g->nodes[a].size; i++)
        sum += pow(cs_graph_element(g, a, i) / most, 2);
    return isinf(most) ? most : most * sqrt(sum);
}

static double fold_reduce(const cs_graph *g, cs_op op, cs_node a)
{
    size_t n = g->nodes[a].size;
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, cs_graph_element(g, a, i));
    if (op == CS_OP_NORM)
        return fold_norm(g, a);
    if (op == CS_OP_SUM)
        for (size_t i = 0; i < n; i++)
            sum += cs_graph_element(g, a, i);
    else
        sum = most;
    return sum;
}

/* ---- operations ---------------------------------------------------------- */

/* Returns the result of an operation with a neutral element, or 0 if the
 * operation is not simplified. It is simplified only if the result has equal
 * bits for every argument, including infinities and NaN. */
static cs_node neutral(const cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    bool wide_a = g->nodes[a].size >= g->nodes[b].size;
    bool wide_b = g->nodes[b].size >= g->nodes[a].size;
    switch (op) {
    case CS_OP_ADD:
        return is(g, b, 0) && wide_a ? a : is(g, a, 0) && wide_b ? b : 0;
    case CS_OP_SUB:
        return is(g, b, 0) && wide_a ? a : 0;
    case CS_OP_MUL:
        return is(g, b, 1) && wide_a ? a : is(g, a, 1) && wide_b ? b : 0;
    case CS_OP_DIV:
        return is(g, b, 1) && wide_a ? a : 0;
    default:
        return 0;
    }
}

/* Rewrites powers that have a cheaper and more accurate form. */
static cs_node power(cs_graph *g, cs_node a, cs_node b)
{
    double p;
    if (!cs_graph_is_number(g, b, &p))
        return 0;
    if (p == 1)
        return a;
    if (p == 0.5)
        return cs_graph_op1(g, CS_OP_SQRT, a);
    if (p < 0 && (p == -0.5 || (p >= -4 && p == floor(p))))
        return cs_graph_op2(
            g, CS_OP_DIV, cs_graph_number(g, 1),
            cs_graph_op2(g, CS_OP_POW, a, cs_graph_number(g, -p)));
    if (p != floor(p) || p < 2 || p > 8)
        return 0;
    cs_node half = a;
    if (p >= 4)
        half = cs_graph_op2(g, CS_OP_POW, a, cs_graph_number(g, floor(p / 2)));
    cs_node even = cs_graph_op2(g, CS_OP_MUL, half, half);
    return fmod(p, 2) != 0 ? cs_graph_op2(g, CS_OP_MUL, even, a) : even;
}

/* If a is the product of a number and a node m, returns m and sets *factor to
 * the number. Otherwise returns a with factor 1. */
static cs_node scaled(const cs_graph *g, cs_node a, double *factor)
{
    const cs_graph_node *n = &g->nodes[a];
    if (n->op == CS_OP_MUL)
        for (uint32_t i = 0; i < 2; i++)
            if (cs_graph_is_number(g, g->args[n->first + i], factor))
                return g->args[n->first + 1 - i];
    *factor = 1;
    return a;
}

/* Moves constant factors out of products, where a sum can absorb them: (k a) (l
 * b) = (k l) (a b), (k a) / b = k (a / b), a / k = (1/k) a. */
static cs_node hoist(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    double k, l, v;
    if (op == CS_OP_DIV && cs_graph_is_number(g, b, &v) && isnormal(1 / v))
        return cs_graph_op2(g, CS_OP_MUL, a, cs_graph_number(g, 1 / v));
    if (op == CS_OP_ADD && a == b)
        return cs_graph_op2(g, CS_OP_MUL, a, cs_graph_number(g, 2));
    if (op != CS_OP_MUL && op != CS_OP_DIV)
        return 0;
    cs_node m = scaled(g, a, &k), n = op == CS_OP_MUL ? scaled(g, b, &l) : b;
    if (op == CS_OP_DIV)
        l = 1;
    if ((m == a && n == b) || !isnormal(k * l))
        return 0;
    if (op == CS_OP_MUL && cs_graph_is_number(g, m, &v))
        return cs_graph_op2(g, op, cs_graph_number(g, v * k * l), n);
    if (op == CS_OP_MUL && cs_graph_is_number(g, n, &v))
        return cs_graph_op2(g, op, cs_graph_number(g, v * k * l), m);
    return cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, k * l),
                        cs_graph_op2(g, op, m, n));
}

static bool commutes(cs_op op)
{
    return op == CS_OP_ADD || op == CS_OP_MUL || op == CS_OP_EQ ||
           op == CS_OP_IS;
}

/* Creates an operation of two arguments, at least one of which is not
 * constant. */
static inline cs_node pair(cs_graph *g, cs_op op, size_t size, cs_node a,
                           cs_node b)
{
    bool number = cs_graph_is_data(g, a) || cs_graph_is_data(g, b);
    cs_node n = number ? neutral(g, op, a, b) : 0;
    if (!n && op == CS_OP_POW)
        n = power(g, a, b);
    if (!n)
        n = hoist(g, op, a, b);
    if (n)
        return n;
    bool swap = a > b && commutes(op);
    return cs_graph_intern_two(g, op, size, swap ? b : a, swap ? a : b);
}

static cs_node map(cs_graph *g, cs_op op, const cs_node *a, size_t count)
{
    size_t size = 1;
    bool constant = true;
    for (size_t i = 0; i < count; i++) {
        if (!a[i])
            return 0;
        size_t s = g->nodes[a[i]].size;
        if (s != 1 && size != 1 && s != size)
            return cs_graph_fault(g, CS_INPUT);
        size = s > size ? s : size;
        constant = constant && cs_graph_is_data(g, a[i]);
    }
    if (constant)
        return fold(g, op, a, count, size);
    if (count == 2)
        return pair(g, op, size, a[0], a[1]);
    return cs_graph_intern(g,
                           (cs_graph_node){.op = op,
                                           .size = (uint32_t)size,
                                           .count = (uint32_t)count},
                           a);
}

/* `a` may be a vector that one condition chooses from two vectors. If so,
 * returns the sum of `a` as a choice between the sums of the two vectors.
 * Otherwise returns 0. */
static cs_node sum_of_choice(cs_graph *g, cs_node a)
{
    const cs_graph_node *n = &g->nodes[a];
    const cs_node *arg = g->args + n->first;
    cs_node part[3];
    double v;
    if (n->op != CS_OP_WHERE || g->nodes[arg[0]].size != 1)
        return 0;
    part[0] = arg[0];
    for (uint32_t i = 1; i < 3; i++) {
        bool many = g->nodes[arg[i]].size == n->size;
        if (!many && !(cs_graph_is_number(g, arg[i], &v) && v == 2 * v))
            return 0; /* only 0 and infinities are equal to n times
                       * themselves */
        part[i] = arg[i];
    }
    for (uint32_t i = 1; i < 3; i++)
        if (g->nodes[part[i]].size > 1)
            part[i] = cs_graph_op1(g, CS_OP_SUM, part[i]);
    return cs_graph_op3(g, CS_OP_WHERE, part[0], part[1], part[2]);
}

cs_node cs_graph_op1(cs_graph *g, cs_op op, cs_node a)
{
    if (!a || g->status)
        return 0;
    if (cs_ops[op].class == CS_OP_MAP)
        return map(g, op, &a, 1);
    if (g->nodes[a].size == 1) /* the sum is the element, and the norm its
                                * absolute value */
        return op == CS_OP_NORM ? cs_graph_op1(g, CS_OP_ABS, a) : a;
    if (op == CS_OP_LOG_SUM_EXP)
        return cs_graph_log_sum_exp(g, a, 1);
    if (cs_graph_is_data(g, a))
        return cs_graph_number(g, fold_reduce(g, op, a));
    cs_node choice = op == CS_OP_SUM ? sum_of_choice(g, a) : 0;
    return choice
               ? choice
               : cs_graph_intern(
                     g, (cs_graph_node){.op = op, .size = 1, .count = 1}, &a);
}

cs_node cs_graph_op2(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    if (g->status || !a || !b)
        return 0;
    if (g->nodes[a].size == 1 && g->nodes[b].size == 1 &&
        !(cs_graph_is_data(g, a) && cs_graph_is_data(g, b)))
        return pair(g, op, 1, a, b);
    return map(g, op, (cs_node[]){a, b}, 2);
}

/* If the condition of a choice is constant, returns the branch that is chosen.
 * Otherwise returns 0. */
static cs_node chosen(const cs_graph *g, cs_node condition, cs_node a,
                      cs_node b)
{
    if (!cs_graph_is_data(g, condition))
        return 0;
    size_t n = g->nodes[condition].size, yes = 0;
    for (size_t i = 0; i < n; i++)
        yes += cs_graph_element(g, condition, i) != 0;
    cs_node one = yes == n ? a : b, other = yes == n ? b : a;
    size_t size = g->nodes[one].size;
    return (yes == n || yes == 0) && size >= n && size >= g->nodes[other].size
               ? one
               : 0;
}

cs_node cs_graph_op3(cs_graph *g, cs_op op, cs_node a, cs_node b, cs_node c)
{
    if (g->status || !a || !b || !c)
        return 0;
    cs_node known = op == CS_OP_WHERE ? chosen(g, a, b, c) : 0;
    return known ? known : map(g, op, (cs_node[]){a, b, c}, 3);
}
