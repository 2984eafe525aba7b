/* Operations that move elements: slices, gathers, packs, products. */
#include "expr/intern.h"

#include "base/memory.h"
#include "expr/nearest.h"

#include <assert.h>

/* Returns the part of a PACK that contains elements *first .. *first + n - 1,
 * or 0 if no single part contains all of them. Sets *first to the index of the
 * first of these elements within the part. */
static cs_node part_of(const cs_graph *g, const cs_graph_node *pack,
                       size_t *first, size_t n)
{
    size_t at = *first;
    if (pack->count == pack->size && n == 1) {
        *first = 0;
        return g->args[pack->first + at];
    }
    for (uint32_t i = 0; i < pack->count; i++) {
        cs_node part = g->args[pack->first + i];
        size_t size = g->nodes[part].size;
        if (at + n <= size) {
            *first = at;
            return part;
        }
        if (at < size)
            return 0;
        at -= size;
    }
    return 0;
}

/* Returns elements of an index. The index of a row of a matrix is a number plus
 * a constant vector, whose elements are selected. */
static cs_node slice_index(cs_graph *g, cs_node i, size_t first, size_t n)
{
    const cs_graph_node *of = &g->nodes[i];
    if (of->op != CS_OP_ADD || of->size == 1)
        return cs_graph_slice(g, i, first, n);
    cs_node part[2] = {g->args[of->first], g->args[of->first + 1]};
    for (size_t k = 0; k < 2; k++)
        if (g->nodes[part[k]].size > 1)
            part[k] = cs_graph_is_data(g, part[k])
                          ? cs_graph_slice(g, part[k], first, n)
                          : 0;
    return part[0] && part[1] ? cs_graph_op2(g, CS_OP_ADD, part[0], part[1])
                              : cs_graph_slice(g, i, first, n);
}

cs_node cs_graph_slice(cs_graph *g, cs_node a, size_t first, size_t n)
{
    if (!a || g->status)
        return 0;
    const cs_graph_node *of = &g->nodes[a];
    if (n < 1 || first > of->size || n > of->size - first)
        return cs_graph_fault(g, CS_INPUT);
    if (n == of->size)
        return a;
    if (of->op == CS_OP_DATA)
        return cs_graph_vector(g, g->constants[of->extra].v + first, n);
    if (of->op == CS_OP_SLICE)
        return cs_graph_slice(g, g->args[of->first], of->extra + first, n);
    cs_node part = of->op == CS_OP_PACK ? part_of(g, of, &first, n) : 0;
    if (part)
        return cs_graph_slice(g, part, first, n);
    if (of->op == CS_OP_PICK) { /* slice_index may move the nodes and args */
        cs_node from = g->args[of->first], by = g->args[of->first + 1];
        return cs_graph_pick(g, from, slice_index(g, by, first, n));
    }
    return cs_graph_intern(g,
                           (cs_graph_node){.op = CS_OP_SLICE,
                                           .size = (uint32_t)n,
                                           .count = 1,
                                           .extra = (uint32_t)first},
                           &a);
}

static bool inside(const double *index, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (!(index[i] >= 0 && index[i] < (double)size))
            return false;
    return n > 0;
}

static cs_node gathered(cs_graph *g, cs_node a, const double *index, size_t n)
{
    double *v = cs_alloc(n, sizeof *v);
    if (!v)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < n; i++)
        v[i] = cs_graph_element(g, a, (size_t)index[i]);
    cs_node made = cs_graph_vector(g, v, n);
    cs_free(v);
    return made;
}

/* Creates a node with one argument and the constant index[n]. */
static cs_node indexed(cs_graph *g, cs_op op, cs_node a, const double *index,
                       size_t n, size_t size)
{
    uint32_t number;
    if (!cs_graph_intern_constant(g, index, n, 1, &number))
        return 0;
    return cs_graph_intern(
        g,
        (cs_graph_node){
            .op = op, .size = (uint32_t)size, .count = 1, .extra = number},
        &a);
}

cs_node cs_graph_gather(cs_graph *g, cs_node a, const double *index, size_t n)
{
    assert(index || n == 0);
    if (!a || g->status)
        return 0;
    if (!inside(index, n, g->nodes[a].size))
        return cs_graph_fault(g, CS_INPUT);
    return cs_graph_is_data(g, a) ? gathered(g, a, index, n)
                                  : indexed(g, CS_OP_GATHER, a, index, n, n);
}

cs_node cs_graph_scatter(cs_graph *g, cs_node a, const double *index, size_t n,
                         size_t size)
{
    if (!a || g->status)
        return 0;
    if (n != g->nodes[a].size || !inside(index, n, size))
        return cs_graph_fault(g, CS_INPUT);
    return indexed(g, CS_OP_SCATTER, a, index, n, size);
}

/* ---- indices that are known for each state only -------------------------- */

static cs_node pick_constant(cs_graph *g, cs_node a, cs_node i)
{
    size_t n = g->nodes[i].size;
    double *index = cs_alloc(n, sizeof *index);
    if (!index)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t k = 0; k < n; k++)
        index[k] = (double)cs_nearest_element(cs_graph_element(g, i, k),
                                              g->nodes[a].size);
    cs_node made = n == 1 ? cs_graph_slice(g, a, (size_t)index[0], 1)
                          : cs_graph_gather(g, a, index, n);
    cs_free(index);
    return made;
}

/* Returns true if a is the vector 1, 2, 3 ... */
static bool counts_up(const cs_graph *g, cs_node a)
{
    for (size_t k = 0; k < g->nodes[a].size; k++)
        if (!cs_graph_is_data(g, a) ||
            cs_graph_element(g, a, k) != (double)k + 1)
            return false;
    return true;
}

/* Returns elements i of an index: a row of a matrix is a PICK by a number plus
 * the vector 1, 2, 3 ..., so that an element of this row is a PICK by the sum
 * of two numbers. */
static cs_node pick_index(cs_graph *g, cs_node a, cs_node i)
{
    const cs_graph_node *of = &g->nodes[a];
    if (of->op != CS_OP_ADD || of->size == 1)
        return cs_graph_pick(g, a, i);
    cs_node p = g->args[of->first], q = g->args[of->first + 1];
    cs_node number = g->nodes[p].size == 1 ? p : q, v = number == p ? q : p;
    if (g->nodes[number].size > 1 || !counts_up(g, v))
        return cs_graph_pick(g, a, i);
    return cs_graph_op2(g, CS_OP_ADD, number, i);
}

cs_node cs_graph_pick(cs_graph *g, cs_node a, cs_node i)
{
    if (!a || !i || g->status)
        return 0;
    if (cs_graph_is_data(g, i))
        return pick_constant(g, a, i);
    if (g->nodes[a].size == 1 && g->nodes[i].size == 1)
        return a;
    if (g->nodes[a].op == CS_OP_PICK && g->nodes[i].size < g->nodes[a].size) {
        cs_node of = g->args[g->nodes[a].first],
                by = g->args[g->nodes[a].first + 1];
        return cs_graph_pick(g, of, pick_index(g, by, i));
    }
    return cs_graph_intern_two(g, CS_OP_PICK, g->nodes[i].size, a, i);
}

cs_node cs_graph_spread(cs_graph *g, cs_node a, cs_node i, size_t size)
{
    if (!a || !i || g->status)
        return 0;
    if (g->nodes[a].size != g->nodes[i].size || !size)
        return cs_graph_fault(g, CS_INPUT);
    if (!cs_graph_is_data(g, i))
        return cs_graph_intern_two(g, CS_OP_SPREAD, size, a, i);
    size_t n = g->nodes[i].size;
    double *index = cs_alloc(n, sizeof *index);
    if (!index)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t k = 0; k < n; k++)
        index[k] = (double)cs_nearest_element(cs_graph_element(g, i, k), size);
    cs_node made = cs_graph_scatter(g, a, index, n, size);
    cs_free(index);
    return made;
}

static cs_node packed(cs_graph *g, const cs_node *part, size_t n, size_t size)
{
    double *v = cs_alloc(size, sizeof *v);
    if (!v)
        return cs_graph_fault(g, CS_MEMORY);
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < g->nodes[part[i]].size; e++)
            v[at++] = cs_graph_element(g, part[i], e);
    cs_node made = cs_graph_vector(g, v, size);
    cs_free(v);
    return made;
}

cs_node cs_graph_pack(cs_graph *g, const cs_node *part, size_t n)
{
    assert(part && n > 0);
    size_t size = 0, data = 0;
    for (size_t i = 0; i < n; i++) {
        if (!part[i])
            return 0;
        size += g->nodes[part[i]].size;
        data += cs_graph_is_data(g, part[i]);
    }
    if (g->status || !n)
        return g->status ? 0 : cs_graph_fault(g, CS_INPUT);
    if (n == 1)
        return part[0];
    if (data == n)
        return packed(g, part, n, size);
    return cs_graph_intern(g,
                           (cs_graph_node){.op = CS_OP_PACK,
                                           .size = (uint32_t)size,
                                           .count = (uint32_t)n},
                           part);
}

cs_node cs_graph_collect(cs_graph *g, cs_node a)
{
    if (!a || g->status)
        return 0;
    return cs_graph_intern(g,
                           (cs_graph_node){.op = CS_OP_COLLECT,
                                           .size = g->nodes[a].size,
                                           .count = 1},
                           &a);
}

static cs_node fold_product(cs_graph *g, const double *a, size_t rows,
                            size_t cols, cs_node x)
{
    double *y = cs_alloc(rows, sizeof *y);
    if (!y)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            y[i] += a[i * cols + j] * cs_graph_element(g, x, j);
    cs_node made = cs_graph_vector(g, y, rows);
    cs_free(y);
    return made;
}

cs_node cs_graph_product(cs_graph *g, const double *a, size_t rows, size_t cols,
                         cs_node x)
{
    uint32_t number;
    if (!x || g->status)
        return 0;
    if (!rows || g->nodes[x].size != cols)
        return cs_graph_fault(g, CS_INPUT);
    if (cs_graph_is_data(g, x))
        return fold_product(g, a, rows, cols, x);
    if (!cs_graph_intern_constant(g, a, rows, cols, &number))
        return 0;
    return cs_graph_intern(g,
                           (cs_graph_node){.op = CS_OP_PRODUCT,
                                           .size = (uint32_t)rows,
                                           .count = 1,
                                           .extra = number},
                           &x);
}
