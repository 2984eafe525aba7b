#include "tape/copy_before_gather.h"

#include "base/memory.h"

#include <string.h>

static bool is_gather(const cs_graph *g, cs_node a)
{
    return cs_graph_at(g, a)->op == CS_OP_GATHER;
}

static cs_node source_of(const cs_graph *g, cs_node a)
{
    return cs_graph_arg(g, a, 0);
}

/* Returns the indices of a GATHER. [borrowed from the graph] */
static const double *index_of(const cs_graph *g, cs_node a)
{
    return g->constants[cs_graph_at(g, a)->extra].v;
}

cs_node cs_graph_broadcast_of(cs_graph *g, cs_node a)
{
    if (!a || !is_gather(g, a))
        return 0;
    const double *index = index_of(g, a);
    for (size_t i = 1; i < cs_graph_size(g, a); i++)
        if (index[i] != index[0])
            return 0;
    return cs_graph_slice(g, source_of(g, a), (size_t)index[0], 1);
}

/* Returns elements i[n] of a, which may be a GATHER itself. */
static cs_node gather(cs_graph *g, cs_node a, const double *i, size_t n)
{
    double *of = cs_alloc(n, sizeof *of);
    if (!of)
        return cs_graph_fault(g, CS_MEMORY);
    bool twice = is_gather(g, a);
    for (size_t k = 0; k < n; k++)
        of[k] = twice ? index_of(g, a)[(size_t)i[k]] : i[k];
    cs_node from = twice ? source_of(g, a) : a;
    cs_node made = n == 1 ? cs_graph_slice(g, from, (size_t)of[0], 1)
                          : cs_graph_gather(g, from, of, n);
    cs_free(of);
    return made;
}

/* Returns n copies of a number, as a GATHER. */
static cs_node repeat(cs_graph *g, cs_node number, size_t n)
{
    double *zero = cs_alloc(n, sizeof *zero);
    if (!zero)
        return cs_graph_fault(g, CS_MEMORY);
    cs_node made = n == 1 ? number : cs_graph_gather(g, number, zero, n);
    cs_free(zero);
    return made;
}

static cs_node apply(cs_graph *g, const cs_graph_node *k, const cs_node *part)
{
    cs_op op = (cs_op)k->op;
    return k->count == 1   ? cs_graph_op1(g, op, part[0])
           : k->count == 2 ? cs_graph_op2(g, op, part[0], part[1])
                           : cs_graph_op3(g, op, part[0], part[1], part[2]);
}

/* Returns the first of the vectors part[n] if all of them are gathers with the
 * same indices, from vectors of the same size that are shorter; otherwise 0.
 * *wide: the number of vectors. */
static cs_node common_gather(const cs_graph *g, const cs_node *part, size_t n,
                             size_t *wide)
{
    cs_node first = 0;
    bool same = true;
    *wide = 0;
    for (size_t i = 0; i < n; i++) {
        if (cs_graph_size(g, part[i]) <= 1)
            continue;
        ++*wide;
        first = first ? first : part[i];
        same &=
            is_gather(g, part[i]) &&
            cs_graph_at(g, part[i])->extra == cs_graph_at(g, first)->extra &&
            cs_graph_size(g, source_of(g, part[i])) ==
                cs_graph_size(g, source_of(g, first));
    }
    if (!first || !same)
        return 0;
    return cs_graph_size(g, source_of(g, first)) < cs_graph_size(g, first)
               ? first
               : 0;
}

/* Copies an elementwise operation on vectors. */
static cs_node copy_map(cs_graph *g, const cs_graph_node *k, cs_node *part)
{
    size_t wide;
    for (uint32_t i = 0; i < k->count; i++) {
        cs_node one = cs_graph_broadcast_of(g, part[i]);
        part[i] = one ? one : part[i];
    }
    cs_node first = common_gather(g, part, k->count, &wide);
    if (!wide)
        return repeat(g, apply(g, k, part), k->size);
    if (!first)
        return apply(g, k, part);
    for (uint32_t i = 0; i < k->count; i++)
        if (cs_graph_size(g, part[i]) > 1)
            part[i] = source_of(g, part[i]);
    return gather(g, apply(g, k, part), index_of(g, first),
                  cs_graph_size(g, first));
}

/* Returns a copied SLICE, GATHER or PICK; elements of a GATHER become elements
 * of its source. */
static cs_node flat(cs_graph *g, cs_node a)
{
    const cs_graph_node *k = cs_graph_at(g, a);
    if (k->op != CS_OP_GATHER && k->op != CS_OP_SLICE)
        return a;
    cs_node from = source_of(g, a);
    if (!is_gather(g, from))
        return a;
    if (k->op == CS_OP_GATHER)
        return gather(g, from, index_of(g, a), k->size);
    return gather(g, source_of(g, from), index_of(g, from) + k->extra, k->size);
}

cs_node cs_copy_before_gather(cs_graph *g, const cs_graph *from, cs_node n,
                              const cs_node *copy, cs_node *part)
{
    const cs_graph_node *k = cs_graph_at(from, n);
    if (cs_ops[k->op].class != CS_OP_MAP || k->size == 1) {
        cs_node made = cs_graph_copy_node(g, from, n, copy, part);
        return made && !g->status ? flat(g, made) : 0;
    }
    for (uint32_t i = 0; i < k->count; i++)
        part[i] = copy[cs_graph_arg(from, n, i)];
    g->line = k->line;
    return copy_map(g, k, part);
}
