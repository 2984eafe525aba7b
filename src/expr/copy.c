/* Copies expressions into other graphs, and computes products of Hessians and
 * vectors. */
#include "base/memory.h"
#include "expr/intern.h"

#include <assert.h>

cs_node cs_graph_copy_node(cs_graph *g, const cs_graph *from, cs_node n,
                           const cs_node *copy, cs_node *part)
{
    g->line = cs_graph_at(from, n)->line;
    const cs_graph_node *k = cs_graph_at(from, n);
    const cs_constant *data =
        cs_op_has_constant((cs_op)k->op) ? &from->constants[k->extra] : NULL;
    for (uint32_t i = 0; i < k->count; i++)
        part[i] = copy[cs_graph_arg(from, n, i)];
    switch (k->op) {
    case CS_OP_DATA:
        return cs_graph_vector(g, data->v, k->size);
    case CS_OP_SLICE:
        return cs_graph_slice(g, part[0], k->extra, k->size);
    case CS_OP_PACK:
        return cs_graph_pack(g, part, k->count);
    case CS_OP_PRODUCT:
        return cs_graph_product(g, data->v, data->rows, data->cols, part[0]);
    case CS_OP_GATHER:
        return cs_graph_gather(g, part[0], data->v, data->rows);
    case CS_OP_SCATTER:
        return cs_graph_scatter(g, part[0], data->v, data->rows, k->size);
    case CS_OP_PICK:
        return cs_graph_pick(g, part[0], part[1]);
    case CS_OP_SPREAD:
        return cs_graph_spread(g, part[0], part[1], k->size);
    case CS_OP_CUMULATE:
        return cs_graph_cumulate(g, part[0], k->extra);
    case CS_OP_BILINEAR:
        return cs_graph_bilinear(g, part[0], part[1],
                                 (const cs_matmul_term *)data->v, data->rows,
                                 k->size);
    case CS_OP_SOLVE:
        return cs_graph_solve(g, part[0], part[1], k->extra);
    case CS_OP_CHOLESKY:
        return cs_graph_cholesky(g, part[0]);
    case CS_OP_CHOLESKY_BACK:
        return cs_graph_cholesky_back(g, part[0], part[1]);
    case CS_OP_ODE:
        return cs_graph_ode(g, cs_odes_find(&from->odes, k->extra), part[0]);
    case CS_OP_LOG_SUM_EXP:
        return cs_graph_log_sum_exp(g, part[0], k->size);
    case CS_OP_SOFTMAX:
        return cs_graph_softmax(g, part[0], k->extra);
    default:
        return k->count == 1 ? cs_graph_op1(g, (cs_op)k->op, part[0])
               : k->count == 2
                   ? cs_graph_op2(g, (cs_op)k->op, part[0], part[1])
                   : cs_graph_op3(g, (cs_op)k->op, part[0], part[1], part[2]);
    }
}

static void mark(const cs_graph *from, const cs_node *roots, size_t n,
                 cs_node *copy)
{
    for (size_t i = 0; i < n; i++)
        copy[roots[i]] = 1;
    for (cs_node k = (cs_node)from->n_nodes - 1; k > 0; k--)
        for (uint32_t i = 0; copy[k] && i < cs_graph_at(from, k)->count; i++)
            copy[cs_graph_arg(from, k, i)] = 1;
}

bool cs_graph_copy_by(cs_graph *g, const cs_graph *from, const cs_node *roots,
                      size_t n, cs_node x, cs_graph_copier *one, cs_node *out)
{
    assert(roots && out && from != g);
    if (!x || g->status)
        return false;
    cs_node *copy = cs_alloc(from->n_nodes, sizeof *copy);
    cs_node *part = cs_alloc(from->n_args + 1, sizeof *part);
    if (!copy || !part)
        g->status = CS_MEMORY;
    else
        mark(from, roots, n, copy);
    for (cs_node k = 1; k < from->n_nodes && !g->status; k++)
        if (copy[k])
            copy[k] =
                k == cs_graph_input(from) ? x : one(g, from, k, copy, part);
    for (size_t i = 0; i < n && !g->status; i++)
        out[i] = copy[roots[i]];
    cs_free(copy);
    cs_free(part);
    return !g->status;
}

bool cs_graph_copy_all(cs_graph *g, const cs_graph *from, const cs_node *roots,
                       size_t n, cs_node x, cs_node *out)
{
    return cs_graph_copy_by(g, from, roots, n, x, cs_graph_copy_node, out);
}

cs_node cs_graph_copy(cs_graph *g, const cs_graph *from, cs_node root,
                      cs_node x)
{
    cs_node made;
    return root && cs_graph_copy_all(g, from, &root, 1, x, &made) ? made : 0;
}

cs_node cs_graph_hessian_times(cs_graph *g, const cs_graph *from, cs_node root,
                               size_t first, cs_node v)
{
    assert(first + from->dim <= g->dim);
    cs_node x = cs_graph_slice(g, cs_graph_input(g), first, from->dim);
    cs_node slope = cs_graph_gradient(g, cs_graph_copy(g, from, root, x));
    slope = cs_graph_slice(g, slope, first, from->dim);
    cs_node along =
        cs_graph_op1(g, CS_OP_SUM, cs_graph_op2(g, CS_OP_MUL, slope, v));
    return cs_graph_slice(g, cs_graph_gradient(g, along), first, from->dim);
}
