/* log sum exp of the columns of a[rows][columns], and the softmax within
 * columns. */
#include "expr/intern.h"
#include "expr/reverse.h"

#include "base/memory.h"

#include <math.h>

/* ---- reference implementation -------------------------------------------- */

/* Returns the log sum exp of one column of a, and stores the softmax of the
 * column in `share`. If several elements are +infinity, their softmax values
 * are equal. */
static double column(const double *a, size_t n, size_t step, double *share)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, a[i * step]);
    for (size_t i = 0; i < n; i++) {
        share[i * step] = isinf(most) && !isnan(a[i * step])
                              ? a[i * step] == most
                              : exp(a[i * step] - most);
        sum += share[i * step];
    }
    for (size_t i = 0; i < n; i++)
        share[i * step] /= sum;
    return isinf(most) && !isnan(sum) ? most : most + log(sum);
}

void cs_op_log_sum_exp(const double *a, size_t rows, size_t columns,
                       double *out, double *share)
{
    for (size_t j = 0; j < columns; j++)
        out[j] = column(a + j, rows, columns, share + j);
}

/* ---- nodes --------------------------------------------------------------- */

static cs_node folded(cs_graph *g, cs_op op, cs_node a, size_t columns)
{
    size_t size = g->nodes[a].size;
    double *out = cs_alloc(columns, sizeof *out);
    double *share = cs_alloc(size, sizeof *share);
    cs_node y = 0;
    if (!out || !share)
        cs_graph_fault(g, CS_MEMORY);
    else {
        cs_op_log_sum_exp(g->constants[g->nodes[a].extra].v, size / columns,
                          columns, out, share);
        y = op == CS_OP_SOFTMAX ? cs_graph_vector(g, share, size)
                                : cs_graph_vector(g, out, columns);
    }
    cs_free(out);
    cs_free(share);
    return y;
}

static cs_node made(cs_graph *g, cs_op op, cs_node a, size_t columns,
                    size_t size, size_t extra)
{
    if (g->nodes[a].size % columns)
        return cs_graph_fault(g, CS_INPUT);
    if (cs_graph_is_data(g, a))
        return folded(g, op, a, columns);
    return cs_graph_intern(g,
                           (cs_graph_node){.op = op,
                                           .size = (uint32_t)size,
                                           .count = 1,
                                           .extra = (uint32_t)extra},
                           &a);
}

cs_node cs_graph_log_sum_exp(cs_graph *g, cs_node a, size_t columns)
{
    if (!a || g->status)
        return 0;
    return g->nodes[a].size == columns
               ? a
               : made(g, CS_OP_LOG_SUM_EXP, a, columns, columns, 0);
}

cs_node cs_graph_softmax(cs_graph *g, cs_node a, size_t columns)
{
    if (!a || g->status)
        return 0;
    return made(g, CS_OP_SOFTMAX, a, columns, g->nodes[a].size, columns);
}

/* ---- backward pass ------------------------------------------------------- */

/* Returns index[i] = i mod columns, for i < size. [own] */
static double *columns_of(cs_reverse *r, size_t size, size_t columns)
{
    double *index = cs_alloc(size, sizeof *index);
    if (!index)
        r->g->status = CS_MEMORY;
    for (size_t i = 0; index && i < size; i++)
        index[i] = (double)(i % columns);
    return index;
}

/* Repeats the vector w, which has one number per column, for each row. */
static cs_node spread(cs_reverse *r, cs_node w, size_t size)
{
    size_t columns = cs_graph_size(r->g, w);
    double *index = columns > 1 ? columns_of(r, size, columns) : NULL;
    cs_node y = index ? cs_graph_gather(r->g, w, index, size) : w;
    cs_free(index);
    return y;
}

static cs_node sum_columns(cs_reverse *r, cs_node a, size_t columns)
{
    size_t size = cs_graph_size(r->g, a);
    if (columns == 1)
        return cs_graph_op1(r->g, CS_OP_SUM, a);
    double *index = columns_of(r, size, columns);
    cs_node y = index ? cs_graph_scatter(r->g, a, index, size, columns) : 0;
    cs_free(index);
    return y;
}

void cs_back_log_sum_exp(cs_reverse *r, const cs_back *k)
{
    size_t size = cs_graph_size(r->g, k->a);
    cs_node share = cs_graph_softmax(r->g, k->a, k->size);
    cs_reverse_add(r, k->a, cs_reverse_times(r, spread(r, k->w, size), share),
                   size);
}

/* For y = softmax(a), adds y (w - s) to the adjoint of a, where s is the sum of
 * w y over the column. */
void cs_back_softmax(cs_reverse *r, const cs_back *k)
{
    size_t columns = cs_graph_at(r->g, k->y)->extra;
    cs_node w = cs_reverse_full(r, k->w, k->size);
    cs_node part = cs_reverse_times(r, w, k->y);
    cs_node mean = spread(r, sum_columns(r, part, columns), k->size);
    cs_node less = cs_graph_op2(r->g, CS_OP_MUL, k->y, mean);
    cs_reverse_add(r, k->a, cs_graph_op2(r->g, CS_OP_SUB, part, less), k->size);
}
