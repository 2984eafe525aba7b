/* Cumulative sums, matrix products, triangular systems and Cholesky factors:
 * their nodes, and the reference implementations, which fold constants and test
 * the vector code. */
#include "expr/intern.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool cs_op_has_constant(cs_op op)
{
    return op == CS_OP_DATA || op == CS_OP_GATHER || op == CS_OP_SCATTER ||
           op == CS_OP_PRODUCT || op == CS_OP_BILINEAR;
}

/* Returns the side of a square matrix of `size` elements; 0 if it is not
 * square. */
static size_t side(size_t size)
{
    size_t n = (size_t)lround(sqrt((double)size));
    return n * n == size ? n : 0;
}

/* ---- reference implementations ------------------------------------------- */

static void cumulate(const double *a, size_t n, bool from_end, double *out)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = from_end ? n - 1 - k : k;
        out[i] = sum += a[i];
    }
}

static void bilinear(const cs_constant *c, const double *a, size_t size_a,
                     const double *b, size_t size_b, size_t size, double *out)
{
    for (size_t i = 0; i < size; i++)
        out[i] = 0;
    for (size_t k = 0; k < c->rows; k++) {
        const double *t = c->v + 4 * k;
        out[(size_t)t[1]] += t[0] * a[size_a > 1 ? (size_t)t[2] : 0] *
                             b[size_b > 1 ? (size_t)t[3] : 0];
    }
}

/* Computes x[n][m] row by row. For each row, subtracts the multiples of the
 * earlier rows, then divides by the diagonal element. */
static void solve(const double *l, size_t n, bool transposed, const double *b,
                  size_t m, double *x)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = transposed ? n - 1 - k : k;
        for (size_t c = 0; c < m; c++) {
            double rest = b[i * m + c];
            for (size_t q = 0; q < k; q++) {
                size_t j = transposed ? n - 1 - q : q;
                rest -=
                    (transposed ? l[j * n + i] : l[i * n + j]) * x[j * m + c];
            }
            x[i * m + c] = rest / l[i * n + i];
        }
    }
}

static void cholesky(const double *a, size_t n, double *l)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = a[j * n + j];
        for (size_t k = 0; k < j; k++)
            pivot -= l[j * n + k] * l[j * n + k];
        pivot = pivot > 0 ? sqrt(pivot) : 0;
        for (size_t i = 0; i < n; i++) {
            double rest = a[i * n + j];
            for (size_t k = 0; k < j && i > j; k++)
                rest -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = i < j || pivot == 0 ? 0
                           : i == j            ? pivot
                                               : rest / pivot;
        }
    }
}

/* Computes the adjoint column by column, from the last column (Smith,
 * Differentiation of the Cholesky algorithm, 1995). f is stored with its
 * transpose, as f + f', whose diagonal is twice the diagonal of f. */
static void cholesky_back(const double *l, const double *w, size_t n, double *f)
{
    for (size_t k = n; k-- > 0;) {
        double rest = w[k * n + k];
        for (size_t i = k + 1; i < n; i++) {
            double v = w[i * n + k];
            for (size_t j = k + 1; j < n; j++)
                v -= f[j * n + i] * l[j * n + k];
            f[i * n + k] = f[k * n + i] = v / l[k * n + k];
        }
        for (size_t i = k + 1; i < n; i++)
            rest -= l[i * n + k] * f[i * n + k];
        f[k * n + k] = rest / l[k * n + k];
    }
    for (size_t i = 0; i < n; i++) {
        f[i * n + i] *= 0.5;
        for (size_t j = i + 1; j < n; j++)
            f[i * n + j] = 0;
    }
}

void cs_op_linear(const cs_graph_node *n, const cs_constant *term,
                  const double *a, size_t size_a, const double *b,
                  size_t size_b, double *out)
{
    size_t rows = side(size_a);
    if (n->op == CS_OP_CUMULATE)
        cumulate(a, n->size, n->extra, out);
    else if (n->op == CS_OP_BILINEAR)
        bilinear(term, a, size_a, b, size_b, n->size, out);
    else if (n->op == CS_OP_SOLVE)
        solve(a, rows, n->extra, b, n->size / rows, out);
    else if (n->op == CS_OP_CHOLESKY_BACK)
        cholesky_back(a, b, rows, out);
    else
        cholesky(a, rows, out);
}

/* ---- nodes --------------------------------------------------------------- */

/* Returns the elements of a constant vector. */
static const double *numbers(const cs_graph *g, cs_node a)
{
    return a ? g->constants[g->nodes[a].extra].v : NULL;
}

/* Returns the node, or DATA with its value if all arguments are constant. */
static cs_node made(cs_graph *g, cs_graph_node n, cs_node a, cs_node b)
{
    cs_node args[2] = {a, b};
    if (!cs_graph_is_data(g, a) || (b && !cs_graph_is_data(g, b)))
        return cs_graph_intern(g, n, args);
    double *v = cs_alloc(n.size, sizeof *v);
    if (!v)
        return cs_graph_fault(g, CS_MEMORY);
    const cs_constant *term =
        cs_op_has_constant((cs_op)n.op) ? &g->constants[n.extra] : NULL;
    cs_op_linear(&n, term, numbers(g, a), g->nodes[a].size, numbers(g, b),
                 cs_graph_size(g, b), v);
    cs_node y = cs_graph_vector(g, v, n.size);
    cs_free(v);
    return y;
}

cs_node cs_graph_cumulate(cs_graph *g, cs_node a, bool from_end)
{
    if (!a || g->status)
        return 0;
    if (g->nodes[a].size == 1)
        return a;
    return made(g,
                (cs_graph_node){.op = CS_OP_CUMULATE,
                                .size = g->nodes[a].size,
                                .count = 1,
                                .extra = from_end},
                a, 0);
}

static int in_order(const void *a, const void *b)
{
    const cs_matmul_term *p = a, *q = b;
    return p->to != q->to ? (p->to < q->to ? -1 : 1)
           : p->i != q->i ? (p->i < q->i ? -1 : 1)
                          : (p->j > q->j) - (p->j < q->j);
}

static bool inside(const cs_matmul_term *t, size_t n, size_t a, size_t b,
                   size_t size)
{
    for (size_t k = 0; k < n; k++)
        if (!(t[k].to >= 0 && t[k].to < (double)size && t[k].i >= 0 &&
              t[k].i < (double)a && t[k].j >= 0 && t[k].j < (double)b))
            return false;
    return n > 0;
}

cs_node cs_graph_bilinear(cs_graph *g, cs_node a, cs_node b,
                          const cs_matmul_term *term, size_t n, size_t size)
{
    assert(term || n == 0);
    uint32_t number = 0;
    if (!a || !b || g->status)
        return 0;
    if (!inside(term, n, g->nodes[a].size, g->nodes[b].size, size))
        return cs_graph_fault(g, CS_INPUT);
    cs_matmul_term *sorted = cs_alloc(n, sizeof *sorted);
    if (!sorted)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t k = 0; k < n; k++)
        sorted[k] = term[k];
    qsort(sorted, n, sizeof *sorted, in_order);
    bool kept = cs_graph_intern_constant(g, &sorted->factor, n, 4, &number);
    cs_free(sorted);
    return !kept ? 0
                 : made(g,
                        (cs_graph_node){.op = CS_OP_BILINEAR,
                                        .size = (uint32_t)size,
                                        .count = 2,
                                        .extra = number},
                        a, b);
}

cs_node cs_graph_solve(cs_graph *g, cs_node l, cs_node b, bool transposed)
{
    if (!l || !b || g->status)
        return 0;
    size_t n = side(g->nodes[l].size), size = g->nodes[b].size;
    if (!n || size % n)
        return cs_graph_fault(g, CS_INPUT);
    return made(g,
                (cs_graph_node){.op = CS_OP_SOLVE,
                                .size = (uint32_t)size,
                                .count = 2,
                                .extra = transposed},
                l, b);
}

cs_node cs_graph_cholesky(cs_graph *g, cs_node a)
{
    if (!a || g->status)
        return 0;
    if (!side(g->nodes[a].size))
        return cs_graph_fault(g, CS_INPUT);
    return made(g,
                (cs_graph_node){
                    .op = CS_OP_CHOLESKY, .size = g->nodes[a].size, .count = 1},
                a, 0);
}

cs_node cs_graph_cholesky_back(cs_graph *g, cs_node l, cs_node w)
{
    if (!l || !w || g->status)
        return 0;
    if (!side(g->nodes[l].size) || g->nodes[w].size != g->nodes[l].size)
        return cs_graph_fault(g, CS_INPUT);
    return made(g,
                (cs_graph_node){.op = CS_OP_CHOLESKY_BACK,
                                .size = g->nodes[l].size,
                                .count = 2},
                l, w);
}
