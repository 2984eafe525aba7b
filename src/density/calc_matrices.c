/* Parts of vectors, and matrices. */
#include "density/calc.h"

#include "base/memory.h"

#include <math.h>

static const cs_arg none = {0};

enum { MOST_TERMS = 1 << 26 };

/* Completes an argument whose node was just created. */
static cs_arg made(cs_calc *c, cs_arg y)
{
    c->graph->recorded++;
    if (y.node)
        return y;
    return cs_calc_no_memory(c);
}

/* ---- parts --------------------------------------------------------------- */

cs_arg cs_calc_slice(cs_calc *c, cs_arg a, size_t first, size_t n, bool number)
{
    cs_arg y = {.rank = !number, .size = n};
    if (!a.size)
        return none;
    if (cs_is_known(a)) {
        y.v = a.v + first;
        return y;
    }
    y.node = cs_graph_slice(c->graph, a.node, first, n);
    return made(c, y);
}

cs_arg cs_calc_gather(cs_calc *c, cs_arg a, const double *index, size_t n)
{
    cs_arg y = {.rank = 1, .size = n};
    if (!a.size)
        return none;
    if (!cs_is_known(a)) {
        y.node = cs_graph_gather(c->graph, a.node, index, n);
        return made(c, y);
    }
    double *v = cs_calc_numbers(c, n);
    for (size_t i = 0; v && i < n; i++)
        v[i] = a.v[(size_t)index[i]];
    y.v = v;
    return v ? y : none;
}

cs_arg cs_calc_pick(cs_calc *c, cs_arg a, cs_arg i)
{
    cs_arg y = {.rank = i.rank, .size = i.size};
    if (!a.size || !i.size)
        return none;
    if (cs_is_known(i)) {
        double *index = cs_calc_numbers(c, i.size);
        for (size_t k = 0; index && k < i.size; k++)
            index[k] = i.v[k] - 1;
        y = index ? cs_calc_gather(c, a, index, i.size) : none;
        return i.rank ? y : cs_calc_slice(c, y, 0, 1, true);
    }
    y.node = cs_graph_pick(c->graph, cs_calc_node(c, a), i.node);
    return made(c, y);
}

cs_arg cs_calc_shape(cs_arg a, size_t rows, size_t cols)
{
    a.rank = 2;
    a.rows = rows;
    a.cols = cols;
    return a;
}

cs_arg cs_calc_pack(cs_calc *c, const cs_arg *part, size_t n)
{
    cs_arg y = {.rank = 1};
    bool known = true;
    for (size_t i = 0; i < n; i++) {
        if (!part[i].size)
            return none;
        y.size += part[i].size;
        known = known && cs_is_known(part[i]);
    }
    if (known) {
        double *v = cs_calc_numbers(c, y.size), *to = v;
        for (size_t i = 0; v && i < n; i++)
            for (size_t k = 0; k < part[i].size; k++)
                *to++ = part[i].v[k];
        y.v = v;
        return v ? y : none;
    }
    cs_node *node = cs_alloc(n, sizeof *node);
    for (size_t i = 0; node && i < n; i++)
        node[i] = cs_calc_node(c, part[i]);
    y.node = node ? cs_graph_pack(c->graph, node, n) : 0;
    cs_free(node);
    return made(c, y);
}

/* ---- linear operations --------------------------------------------------- */

cs_arg cs_calc_bilinear(cs_calc *c, cs_arg a, cs_arg b,
                        const cs_matmul_term *term, size_t n, size_t size)
{
    cs_arg y = {.rank = 1, .size = size};
    if (!a.size || !b.size)
        return none;
    if (!cs_is_known(a) || !cs_is_known(b)) {
        cs_node p = cs_calc_node(c, a), q = cs_calc_node(c, b);
        y.node = cs_graph_bilinear(c->graph, p, q, term, n, size);
        return made(c, y);
    }
    double *v = cs_calc_numbers(c, size);
    for (size_t i = 0; v && i < size; i++)
        v[i] = 0;
    for (size_t k = 0; v && k < n; k++)
        v[(size_t)term[k].to] += term[k].factor *
                                 a.v[a.size > 1 ? (size_t)term[k].i : 0] *
                                 b.v[b.size > 1 ? (size_t)term[k].j : 0];
    y.v = v;
    return v ? y : none;
}

/* Computes a linear operation of known arguments. */
static cs_arg known_linear(cs_calc *c, cs_op op, bool flag, cs_arg a, cs_arg b,
                           cs_arg y)
{
    double *v = cs_calc_numbers(c, y.size);
    cs_graph_node n = {
        .op = op, .size = (uint32_t)y.size, .extra = flag, .count = 1};
    if (!v)
        return none;
    cs_op_linear(&n, NULL, a.v, a.size, b.v, b.size, v);
    y.v = v;
    return y;
}

static bool is_square(cs_calc *c, cs_arg a, const char *what)
{
    char text[64];
    if (a.size && (a.rank != 2 || a.rows != a.cols))
        cs_calc_fail(c, "give a square matrix: a list of equally long lists",
                     "%s is %s", what, cs_arg_text(a, text));
    return a.size && !c->err.status;
}

cs_arg cs_calc_cholesky(cs_calc *c, cs_arg a)
{
    if (!is_square(c, a, "a matrix to be factored"))
        return none;
    cs_arg y = a;
    if (cs_is_known(a))
        return known_linear(c, CS_OP_CHOLESKY, false, a, none, y);
    y.node = cs_graph_cholesky(c->graph, a.node);
    return made(c, y);
}

cs_arg cs_calc_solve(cs_calc *c, cs_arg l, cs_arg b, bool transposed)
{
    char text[64];
    if (!is_square(c, l, "the triangle"))
        return none;
    if (b.size && (b.rank == 0 || (b.rank == 2 ? b.rows : b.size) != l.rows))
        return cs_calc_fail(
            c, "give a vector or a matrix with the same number of rows",
            "the matrix is %zu x %zu, but the other side is %s", l.rows, l.rows,
            cs_arg_text(b, text));
    if (!b.size)
        return none;
    cs_arg y = b;
    if (cs_is_known(l) && cs_is_known(b))
        return known_linear(c, CS_OP_SOLVE, transposed, l, b, y);
    cs_node p = cs_calc_node(c, l), q = cs_calc_node(c, b);
    y.v = NULL;
    y.node = cs_graph_solve(c->graph, p, q, transposed);
    return made(c, y);
}

cs_arg cs_calc_cumulate(cs_calc *c, cs_arg a, bool from_end)
{
    cs_arg y = a;
    if (!a.size)
        return none;
    if (cs_is_known(a))
        return known_linear(c, CS_OP_CUMULATE, from_end, a, none, y);
    y.node = cs_graph_cumulate(c->graph, a.node, from_end);
    return made(c, y);
}

/* ---- matrices ------------------------------------------------------------ */

cs_arg cs_calc_diagonal(cs_calc *c, cs_arg a)
{
    if (!is_square(c, a, "the matrix"))
        return none;
    double *index = cs_calc_numbers(c, a.rows);
    for (size_t i = 0; index && i < a.rows; i++)
        index[i] = (double)(i * (a.rows + 1));
    return index ? cs_calc_gather(c, a, index, a.rows) : none;
}

cs_arg cs_calc_transpose(cs_calc *c, cs_arg a)
{
    double *index = a.size ? cs_calc_numbers(c, a.size) : NULL;
    if (!index)
        return none;
    for (size_t i = 0; i < a.size; i++)
        index[i] = (double)(i % a.rows * a.cols + i / a.rows);
    return cs_calc_shape(cs_calc_gather(c, a, index, a.size), a.cols, a.rows);
}

cs_arg cs_calc_product(cs_calc *c, cs_arg a, cs_arg b)
{
    char one[64], other[64];
    size_t rows = a.rank == 2 ? a.rows : 1, cols = b.rank == 2 ? b.cols : 1;
    if (!a.size || !b.size)
        return none;
    size_t inner = a.size / rows, n = rows * inner * cols, at = 0;
    if (a.rank + b.rank < 3 || !a.rank || !b.rank || inner != b.size / cols)
        return cs_calc_fail(c, NULL, "cannot multiply %s by %s",
                            cs_arg_text(a, one), cs_arg_text(b, other));
    if (n > MOST_TERMS)
        return cs_calc_fail(c, "use smaller matrices",
                            "%zu x %zu x %zu products are too many", rows,
                            inner, cols);
    cs_matmul_term *t = cs_alloc(n, sizeof *t);
    for (size_t i = 0; t && i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            for (size_t k = 0; k < inner; k++)
                t[at++] = (cs_matmul_term){1, (double)(i * cols + j),
                                           (double)(i * inner + k),
                                           (double)(k * cols + j)};
    cs_arg y =
        t ? cs_calc_bilinear(c, a, b, t, n, rows * cols) : cs_calc_no_memory(c);
    cs_free(t);
    return a.rank + b.rank == 4 ? cs_calc_shape(y, rows, cols) : y;
}

cs_arg cs_calc_log_sum_exp(cs_calc *c, cs_arg a)
{
    size_t columns = a.rank == 2 ? a.cols : 1;
    cs_arg y = {.rank = a.rank == 2, .size = columns};
    if (!a.size)
        return none;
    if (!cs_is_known(a)) {
        y.node = cs_graph_log_sum_exp(c->graph, a.node, columns);
        return made(c, y);
    }
    double *v = cs_calc_numbers(c, columns);
    double *share = cs_calc_numbers(c, a.size);
    if (!v || !share)
        return none;
    cs_op_log_sum_exp(a.v, a.size / columns, columns, v, share);
    y.v = v;
    return y;
}
