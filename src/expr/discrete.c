/* Discrete states in expressions. A look-up is a sum over one-hot vectors: t[x]
 * = sum_v t_v is(x, v), v from -1 to n. The two extra entries, t_-1 and t_n,
 * continue the table linearly. These two entries are never selected, but give
 * correct slopes at the ends. */
#include "expr/intern.h"

#include "base/memory.h"

/* Returns true if coordinates first .. first + n - 1 have the values 0 and
 * 1. */
static bool are_bits(const cs_graph *g, size_t first, size_t n)
{
    while (n > 0) {
        const cs_graph_range *r = cs_graph_range_of(g, first);
        if (!r || r->low != 0 || r->values > 2)
            return false;
        size_t known = r->first + r->n - first;
        first += known < n ? known : n;
        n -= known < n ? known : n;
    }
    return true;
}

/* Returns true if each element is a binary coordinate of the state, or the
 * number 0 or 1. */
static bool is_bit(const cs_graph *g, cs_node a)
{
    const cs_graph_node *n = &g->nodes[a];
    bool slice = n->op == CS_OP_SLICE;
    if (n->op == CS_OP_INPUT ||
        (slice && cs_graph_arg(g, a, 0) == cs_graph_input(g)))
        return are_bits(g, slice ? n->extra : 0, n->size);
    if (slice || n->op == CS_OP_GATHER)
        return is_bit(g, cs_graph_arg(g, a, 0));
    if (n->op != CS_OP_DATA)
        return false;
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
    unsigned reads = known ? 0 : cs_graph_reads(g, a) | cs_graph_reads(g, b);
    if (!g->n_ranges || known || reads & CS_READS_REAL)
        return cs_graph_op2(g, CS_OP_EQ, a, b);
    if (!is_bit(g, a) || !is_bit(g, b))
        return cs_graph_op2(g, CS_OP_IS, a, b);
    cs_node both = cs_graph_op2(g, CS_OP_MUL, a, b);
    cs_node one = cs_graph_op2(g, CS_OP_SUB, cs_graph_number(g, 1),
                               cs_graph_op2(g, CS_OP_ADD, a, b));
    return cs_graph_op2(
        g, CS_OP_ADD, one,
        cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, 2), both));
}

/* Returns the vector of is(x, v) for v from -1 to n. */
static cs_node one_hot(cs_graph *g, cs_node x, size_t n)
{
    double *v = cs_alloc(n + 2, sizeof *v);
    if (!v)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < n + 2; i++)
        v[i] = (double)i - 1;
    cs_node values = cs_graph_vector(g, v, n + 2);
    cs_free(v);
    return cs_graph_is_data(g, x) ? cs_graph_op2(g, CS_OP_EQ, x, values)
                                  : cs_graph_op2(g, CS_OP_IS, x, values);
}

/* Sets t[0] and t[n + 1] by linear extrapolation from the n entries between
 * them. `step` is the distance between two entries in the array. */
static void lengthen(double *t, size_t n, size_t step)
{
    if (n < 2) {
        t[0] = t[2 * step] = t[step];
        return;
    }
    t[0] = 2 * t[step] - t[2 * step];
    t[(n + 1) * step] = 2 * t[n * step] - t[(n - 1) * step];
}

cs_node cs_graph_look_up(cs_graph *g, const double *table, size_t rows,
                         size_t cols, cs_node x, cs_node y)
{
    size_t side = y ? 1 : 0, width = cols + 2 * side;
    if (!x || g->status)
        return 0;
    double *t = cs_alloc((rows + 2) * width, sizeof *t);
    if (!t)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            t[(i + 1) * width + j + side] = table[i * cols + j];
    for (size_t i = 1; y && i <= rows; i++)
        lengthen(t + i * width, cols, 1);
    for (size_t j = 0; j < width; j++)
        lengthen(t + j, rows, width);
    cs_node row =
        y ? cs_graph_product(g, t, rows + 2, width, one_hot(g, y, cols))
          : cs_graph_vector(g, t, rows + 2);
    cs_free(t);
    return cs_graph_op1(g, CS_OP_SUM,
                        cs_graph_op2(g, CS_OP_MUL, row, one_hot(g, x, rows)));
}
