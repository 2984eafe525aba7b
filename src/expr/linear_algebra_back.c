/* Backward passes of matrix products, triangular systems and Cholesky factors
 * (Giles, Collected matrix derivative results for forward and reverse mode
 * algorithmic differentiation, 2008; Murray, Differentiation of the Cholesky
 * decomposition, 2016: equation 10 for second derivatives). */
#include "expr/reverse.h"

#include "base/memory.h"

static bool varies(const cs_reverse *r, cs_node a)
{
    return cs_graph_at(r->g, a)->op != CS_OP_DATA;
}

static cs_matmul_term *terms(cs_reverse *r, size_t n)
{
    cs_matmul_term *t = cs_alloc(n, sizeof *t);
    if (!t)
        r->g->status = CS_MEMORY;
    return t;
}

/* Creates the sum of the products t[n], and frees t. */
static cs_node bilinear(cs_reverse *r, cs_node a, cs_node b, cs_matmul_term *t,
                        size_t n, size_t size)
{
    cs_node y = t ? cs_graph_bilinear(r->g, a, b, t, n, size) : 0;
    cs_free(t);
    return y;
}

void cs_back_cumulate(cs_reverse *r, const cs_back *k)
{
    bool from_end = cs_graph_at(r->g, k->y)->extra;
    cs_reverse_add(
        r, k->a,
        cs_graph_cumulate(r->g, cs_reverse_full(r, k->w, k->size), !from_end),
        k->size);
}

/* For each product, multiplies w by one factor and adds the result to the
 * adjoint of the other factor. The other factor is the second one if `second`
 * is true, else the first one. */
static void to_factor(cs_reverse *r, const cs_back *k, cs_node w, bool second)
{
    cs_constant c = r->g->constants[cs_graph_at(r->g, k->y)->extra];
    cs_node to = second ? k->b : k->a, by = second ? k->a : k->b;
    size_t size = cs_graph_size(r->g, to);
    cs_matmul_term *t = varies(r, to) ? terms(r, c.rows) : NULL;
    if (!t)
        return;
    for (size_t i = 0; i < c.rows; i++) {
        const double *v = c.v + 4 * i;
        t[i] =
            (cs_matmul_term){v[0], v[second ? 3 : 2], v[1], v[second ? 2 : 3]};
    }
    cs_reverse_add(r, to, bilinear(r, w, by, t, c.rows, size), size);
}

void cs_back_bilinear(cs_reverse *r, const cs_back *k)
{
    cs_node w = cs_reverse_full(r, k->w, k->size);
    to_factor(r, k, w, false);
    to_factor(r, k, w, true);
}

static size_t side(const cs_reverse *r, cs_node a)
{
    size_t n = 1;
    while (n * n < cs_graph_size(r->g, a))
        n++;
    return n;
}

/* For x = L^-1 b, the adjoint of b is v = L^-T w, and the adjoint of L is -v
 * x'. For x = L^-T b, they are v = L^-1 w and -x v'. The adjoints of L are
 * lower triangles. */
void cs_back_solve(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    bool transposed = cs_graph_at(g, k->y)->extra;
    size_t n = side(r, k->a), m = k->size / n, at = 0;
    cs_node v =
        cs_graph_solve(g, k->a, cs_reverse_full(r, k->w, k->size), !transposed);
    cs_reverse_add(r, k->b, v, k->size);
    cs_matmul_term *t = varies(r, k->a) ? terms(r, n * (n + 1) / 2 * m) : NULL;
    if (!t)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t c = 0; c < m; c++)
                t[at++] =
                    (cs_matmul_term){-1, (double)(i * n + j),
                                     (double)(i * m + c), (double)(j * m + c)};
    cs_reverse_add(
        r, k->a,
        bilinear(r, transposed ? k->y : v, transposed ? v : k->y, t, at, n * n),
        n * n);
}

/* Returns P, the lower triangle of L' w with half of its diagonal. */
static cs_node half_product(cs_reverse *r, cs_node l, cs_node w, size_t n)
{
    size_t at = 0;
    cs_matmul_term *t = terms(r, n * (n + 1) * (n + 2) / 6);
    for (size_t i = 0; t && i < n; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t q = i; q < n; q++)
                t[at++] =
                    (cs_matmul_term){i == j ? 0.5 : 1, (double)(i * n + j),
                                     (double)(q * n + i), (double)(q * n + j)};
    return bilinear(r, l, w, t, at, n * n);
}

static cs_node transpose(cs_reverse *r, cs_node a, size_t n)
{
    double *index = cs_alloc(n * n, sizeof *index);
    if (!index) {
        r->g->status = CS_MEMORY;
        return 0;
    }
    for (size_t i = 0; i < n * n; i++)
        index[i] = (double)(i % n * n + i / n);
    cs_node y = cs_graph_gather(r->g, a, index, n * n);
    cs_free(index);
    return y;
}

/* Returns the lower triangle of s + s', with the diagonal of s. */
static cs_node fold_over(cs_reverse *r, cs_node s, size_t n)
{
    size_t at = 0;
    cs_matmul_term *t = terms(r, n * n);
    for (size_t i = 0; t && i < n; i++)
        for (size_t j = 0; j < n; j++)
            t[at++] =
                (cs_matmul_term){1, (double)(i > j ? i * n + j : j * n + i),
                                 (double)(i * n + j), 0};
    return bilinear(r, s, cs_graph_number(r->g, 1), t, at, n * n);
}

void cs_back_cholesky(cs_reverse *r, const cs_back *k)
{
    cs_node w = cs_reverse_full(r, k->w, k->size);
    cs_reverse_add(r, k->a, cs_graph_cholesky_back(r->g, k->y, w), k->size);
}

/* Differentiates L^-T P L^-1, folded to its lower triangle, with respect to L
 * and to the incoming adjoint. */
void cs_back_cholesky_back(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    size_t n = side(r, k->a);
    cs_node p = half_product(r, k->a, k->b, n);
    cs_node left = cs_graph_solve(g, k->a, p, true);
    cs_node s = cs_graph_solve(g, k->a, transpose(r, left, n), true);
    cs_node w = cs_reverse_full(r, k->w, k->size), by[3] = {k->a, k->b, w};
    cs_node root = cs_graph_op1(
        g, CS_OP_SUM, cs_graph_op2(g, CS_OP_MUL, fold_over(r, s, n), w));
    cs_node out[3];
    if (!cs_graph_gradient_by(g, root, by, 3, out))
        return;
    for (size_t i = 0; i < 2; i++)
        cs_reverse_add(r, by[i], cs_reverse_full(r, out[i], k->size), k->size);
}
