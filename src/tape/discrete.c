/* Discrete states in expressions. What is looked up is a sum over one-hot
 * vectors: t[x] = sum_v t_v is(x, v), v from low - 1 to low + values, where the
 * two entries beyond the ends go on in a straight line; no state is there, but
 * the slopes at the ends are right by them. */
#include "tape/intern.h"

#include "base/memory.h"

/* Whether all elements are coordinates of the state, or numbers 0 and 1. */
static bool is_bit(const cs_graph *g, cs_node a)
{
    const cs_graph_node *n = &g->nodes[a];
    if (n->op == CS_OP_SLICE || n->op == CS_OP_GATHER)
        return is_bit(g, cs_graph_arg(g, a, 0));
    if (n->op != CS_OP_DATA)
        return n->op == CS_OP_INPUT;
    for (size_t i = 0; i < n->size; i++) {
        double v = cs_graph_element(g, a, i);
        if (v != 0 && v != 1)
            return false;
    }
    return true;
}

cs_node cs_graph_same(cs_graph *g, cs_node a, cs_node b)
{
    if (!a || !b || g->status)
        return 0;
    bool known = cs_graph_is_data(g, a) && cs_graph_is_data(g, b);
    if (!g->values || known)
        return cs_graph_op2(g, CS_OP_EQ, a, b);
    if (g->values > 2 || g->low != 0 || !is_bit(g, a) || !is_bit(g, b))
        return cs_graph_op2(g, CS_OP_IS, a, b);
    cs_node both = cs_graph_op2(g, CS_OP_MUL, a, b);
    cs_node one = cs_graph_op2(g, CS_OP_SUB, cs_graph_number(g, 1),
                               cs_graph_op2(g, CS_OP_ADD, a, b));
    return cs_graph_op2(
        g, CS_OP_ADD, one,
        cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, 2), both));
}

/* is(x, v) for v from low - 1 to low + values. */
static cs_node one_hot(cs_graph *g, cs_node x)
{
    size_t n = (size_t)g->values + 2;
    double *v = cs_alloc(n, sizeof *v);
    if (!v)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < n; i++)
        v[i] = g->low - 1 + (double)i;
    cs_node values = cs_graph_vector(g, v, n);
    cs_free(v);
    return cs_graph_is_data(g, x) ? cs_graph_op2(g, CS_OP_EQ, x, values)
                                  : cs_graph_op2(g, CS_OP_IS, x, values);
}

/* t[0] and t[n + 1], `step` apart, from the n >= 2 between them. */
static void lengthen(double *t, size_t n, size_t step)
{
    t[0] = 2 * t[step] - t[2 * step];
    t[(n + 1) * step] = 2 * t[n * step] - t[(n - 1) * step];
}

cs_node cs_graph_look_up(cs_graph *g, const double *table, cs_node x, cs_node y)
{
    size_t n = (size_t)g->values, m = y ? n : 1, width = y ? n + 2 : 1;
    if (!x || g->status)
        return 0;
    double *t = cs_alloc((n + 2) * width, sizeof *t);
    if (!t)
        return cs_graph_fault(g, CS_MEMORY);
    size_t side = y ? 1 : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            t[(i + 1) * width + j + side] = table[i * m + j];
    for (size_t i = 1; y && i <= n; i++)
        lengthen(t + i * width, n, 1);
    for (size_t j = 0; j < width; j++)
        lengthen(t + j, n, width);
    cs_node row = y ? cs_graph_product(g, t, n + 2, n + 2, one_hot(g, y))
                    : cs_graph_vector(g, t, n + 2);
    cs_free(t);
    return cs_graph_op1(g, CS_OP_SUM,
                        cs_graph_op2(g, CS_OP_MUL, row, one_hot(g, x)));
}
