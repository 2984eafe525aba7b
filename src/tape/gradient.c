/* Reverse accumulation, as new nodes.
 *
 * For a number u = f(x): adjoint(u) = 1, and going back from u, each node
 * adds to the adjoint of each argument its own adjoint times the derivative
 * by that argument (Griewank and Walther, Evaluating Derivatives, 2008,
 * section 3.2). The adjoints are expressions, so that they are shared,
 * folded and differentiated again like any others. */
#include "tape/graph.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A part of a node's adjoint: elements first .. first + n - 1. */
typedef struct piece {
    cs_node of, w;
    uint32_t first, n;
} piece;

typedef struct reverse {
    cs_graph *g;
    cs_node *adjoint; /* [last + 1], 0: nothing yet */
    piece *pieces;    /* of all nodes, in the order of their coming */
    size_t n_pieces, room;
    uint32_t *waiting; /* [last + 1] pieces of each node */
} reverse;

static cs_node number(reverse *r, double v)
{
    return cs_graph_number(r->g, v);
}

/* w op b for an adjoint w. One that is 0 where a branch was not taken stays 0
 * there, even if b is infinite or NaN: the choice is made last. */
static cs_node through(reverse *r, cs_op op, cs_node w, cs_node b)
{
    cs_graph *g = r->g;
    if (!w || cs_graph_at(g, w)->op != CS_OP_WHERE)
        return cs_graph_op2(g, op, w, b);
    cs_node c = cs_graph_arg(g, w, 0);
    cs_node part[2] = {cs_graph_arg(g, w, 1), cs_graph_arg(g, w, 2)};
    for (int i = 0; i < 2; i++) {
        double v;
        if (!cs_graph_is_number(g, part[i], &v) || v != 0)
            part[i] = through(r, op, part[i], b);
    }
    return cs_graph_op3(g, CS_OP_WHERE, c, part[0], part[1]);
}

static cs_node times(reverse *r, cs_node w, cs_node b)
{
    return through(r, CS_OP_MUL, w, b);
}

static cs_node over(reverse *r, cs_node w, cs_node b)
{
    return through(r, CS_OP_DIV, w, b);
}

static cs_node scaled(reverse *r, double k, cs_node a)
{
    return times(r, a, number(r, k));
}

static cs_node where(reverse *r, cs_node condition, cs_node a, cs_node b)
{
    return cs_graph_op3(r->g, CS_OP_WHERE, condition, a, b);
}

static cs_node map(reverse *r, cs_op op, cs_node a)
{
    return cs_graph_op1(r->g, op, a);
}

/* Adds w, an adjoint of a node of `size` elements, to that of `a`. What was
 * broadcast is summed; a number stands for a vector of equal elements. */
static void add(reverse *r, cs_node a, cs_node w, size_t size)
{
    cs_graph *g = r->g;
    if (cs_graph_at(g, a)->op == CS_OP_DATA)
        return;
    if (cs_graph_size(g, a) == 1 && size > 1)
        w = cs_graph_size(g, w) > 1 ? map(r, CS_OP_SUM, w)
                                    : scaled(r, (double)size, w);
    cs_node *to = &r->adjoint[a];
    *to = *to ? cs_graph_op2(g, CS_OP_ADD, *to, w) : w;
}

/* A vector of `size` elements of what may be a number for all of them. */
static cs_node full(reverse *r, cs_node w, size_t size)
{
    if (cs_graph_size(r->g, w) == size)
        return w;
    double *zero = cs_alloc(size, sizeof *zero);
    if (!zero) {
        r->g->status = CS_MEMORY;
        return 0;
    }
    cs_node n = cs_graph_op2(r->g, CS_OP_ADD, w,
                             cs_graph_vector(r->g, zero, size));
    cs_free(zero);
    return n;
}

/* One node on its way back: y = op(a, b, c), its adjoint w. */
typedef struct back {
    cs_node y, a, b, c, w;
    size_t size;
} back;

/* ---- derivatives by one argument: w dy/da -------------------------------- */

static cs_node by_sqrt(reverse *r, const back *k)
{
    return over(r, scaled(r, 0.5, k->w), k->y);
}

static cs_node by_abs(reverse *r, const back *k)
{
    return times(r, k->w, map(r, CS_OP_SIGN, k->a));
}

static cs_node by_exp(reverse *r, const back *k)
{
    return times(r, k->w, k->y);
}

static cs_node by_expm1(reverse *r, const back *k)
{
    return times(r, k->w, map(r, CS_OP_EXP, k->a));
}

static cs_node by_log(reverse *r, const back *k)
{
    return over(r, k->w, k->a);
}

static cs_node by_log1p(reverse *r, const back *k)
{
    return over(r, k->w, cs_graph_op2(r->g, CS_OP_ADD, k->a, number(r, 1)));
}

static cs_node by_sin(reverse *r, const back *k)
{
    return times(r, k->w, map(r, CS_OP_COS, k->a));
}

static cs_node by_cos(reverse *r, const back *k)
{
    return times(r, scaled(r, -1, k->w), map(r, CS_OP_SIN, k->a));
}

static cs_node by_tan(reverse *r, const back *k)
{
    cs_node square = times(r, k->y, k->y);
    return times(r, k->w, cs_graph_op2(r->g, CS_OP_ADD, square, number(r, 1)));
}

/* 1 - tanh^2 = 4 sigmoid(2a) sigmoid(-2a), which keeps its digits. */
static cs_node by_tanh(reverse *r, const back *k)
{
    cs_node up = map(r, CS_OP_SIGMOID, scaled(r, 2, k->a));
    cs_node down = map(r, CS_OP_SIGMOID, scaled(r, -2, k->a));
    return times(r, times(r, scaled(r, 4, k->w), up), down);
}

static cs_node by_atan(reverse *r, const back *k)
{
    cs_node square = times(r, k->a, k->a);
    return over(r, k->w, cs_graph_op2(r->g, CS_OP_ADD, square, number(r, 1)));
}

/* w k exp(m a^2 + more) */
static cs_node bell(reverse *r, const back *k, double factor, double m)
{
    cs_node power = scaled(r, m, times(r, k->a, k->a));
    return times(r, scaled(r, factor, k->w), map(r, CS_OP_EXP, power));
}

static cs_node by_erf(reverse *r, const back *k)
{
    return bell(r, k, M_2_SQRTPI, -1);
}

static cs_node by_normal_cdf(reverse *r, const back *k)
{
    return bell(r, k, 0.5 * M_SQRT1_2 * M_2_SQRTPI, -0.5);
}

/* phi(a) / Phi(a) = exp(-a^2/2 - y) / sqrt(2 pi) */
static cs_node by_log_normal_cdf(reverse *r, const back *k)
{
    cs_node power = scaled(r, -0.5, times(r, k->a, k->a));
    cs_node ratio =
        map(r, CS_OP_EXP, cs_graph_op2(r->g, CS_OP_SUB, power, k->y));
    return times(r, scaled(r, 0.5 * M_SQRT1_2 * M_2_SQRTPI, k->w), ratio);
}

static cs_node by_lgamma(reverse *r, const back *k)
{
    return times(r, k->w, map(r, CS_OP_DIGAMMA, k->a));
}

static cs_node by_digamma(reverse *r, const back *k)
{
    return times(r, k->w, map(r, CS_OP_TRIGAMMA, k->a));
}

static cs_node by_softplus(reverse *r, const back *k)
{
    return times(r, k->w, map(r, CS_OP_SIGMOID, k->a));
}

static cs_node by_sigmoid(reverse *r, const back *k)
{
    cs_node other = map(r, CS_OP_SIGMOID, scaled(r, -1, k->a));
    return times(r, times(r, k->w, k->y), other);
}

static cs_node by_sum(reverse *r, const back *k)
{
    (void)r;
    return k->w;
}

static cs_node by_log_sum_exp(reverse *r, const back *k)
{
    cs_node share = cs_graph_op2(r->g, CS_OP_SUB, k->a, k->y);
    return times(r, k->w, map(r, CS_OP_EXP, share));
}

static cs_node by_nothing(reverse *r, const back *k)
{
    (void)k;
    return number(r, 0);
}

static cs_node by_unknown(reverse *r, const back *k)
{
    (void)k;
    r->g->status = CS_UNSUPPORTED;
    return 0;
}

typedef cs_node (*derivative)(reverse *r, const back *k);

static const derivative unary[CS_OP_COUNT] = {
    [CS_OP_SQRT] = by_sqrt,
    [CS_OP_ABS] = by_abs,
    [CS_OP_SIGN] = by_nothing,
    [CS_OP_EXP] = by_exp,
    [CS_OP_EXPM1] = by_expm1,
    [CS_OP_LOG] = by_log,
    [CS_OP_LOG1P] = by_log1p,
    [CS_OP_SIN] = by_sin,
    [CS_OP_COS] = by_cos,
    [CS_OP_TAN] = by_tan,
    [CS_OP_TANH] = by_tanh,
    [CS_OP_ATAN] = by_atan,
    [CS_OP_ERF] = by_erf,
    [CS_OP_NORMAL_CDF] = by_normal_cdf,
    [CS_OP_LOG_NORMAL_CDF] = by_log_normal_cdf,
    [CS_OP_LGAMMA] = by_lgamma,
    [CS_OP_DIGAMMA] = by_digamma,
    [CS_OP_TRIGAMMA] = by_unknown,
    [CS_OP_SOFTPLUS] = by_softplus,
    [CS_OP_SIGMOID] = by_sigmoid,
    [CS_OP_SUM] = by_sum,
    [CS_OP_LOG_SUM_EXP] = by_log_sum_exp,
};

/* ---- several arguments --------------------------------------------------- */

static void back_add(reverse *r, const back *k)
{
    add(r, k->a, k->w, k->size);
    add(r, k->b, k->w, k->size);
}

static void back_sub(reverse *r, const back *k)
{
    add(r, k->a, k->w, k->size);
    add(r, k->b, scaled(r, -1, k->w), k->size);
}

static void back_mul(reverse *r, const back *k)
{
    add(r, k->a, times(r, k->w, k->b), k->size);
    add(r, k->b, times(r, k->w, k->a), k->size);
}

static void back_div(reverse *r, const back *k)
{
    cs_node part = over(r, k->w, k->b);
    add(r, k->a, part, k->size);
    add(r, k->b, times(r, scaled(r, -1, part), k->y), k->size);
}

/* By the exponent only where it varies: log a is NaN for negative a. */
static void back_pow(reverse *r, const back *k)
{
    cs_graph *g = r->g;
    cs_node less = cs_graph_op2(g, CS_OP_SUB, k->b, number(r, 1));
    cs_node slope = times(r, k->b, cs_graph_op2(g, CS_OP_POW, k->a, less));
    add(r, k->a, times(r, k->w, slope), k->size);
    if (cs_graph_at(g, k->b)->op == CS_OP_DATA)
        return;
    cs_node grow = times(r, k->y, map(r, CS_OP_LOG, k->a));
    cs_node zero = cs_graph_op2(g, CS_OP_EQ, k->a, number(r, 0));
    add(r, k->b, times(r, k->w, where(r, zero, number(r, 0), grow)), k->size);
}

/* The whole adjoint to the one that won, the first when they tie. */
static void back_choice(reverse *r, const back *k, cs_node first)
{
    cs_node none = number(r, 0);
    add(r, k->a, where(r, first, k->w, none), k->size);
    add(r, k->b, where(r, first, none, k->w), k->size);
}

static void back_max(reverse *r, const back *k)
{
    back_choice(r, k, cs_graph_op2(r->g, CS_OP_LE, k->b, k->a));
}

static void back_min(reverse *r, const back *k)
{
    back_choice(r, k, cs_graph_op2(r->g, CS_OP_LE, k->a, k->b));
}

static void back_where(reverse *r, const back *k)
{
    cs_node none = number(r, 0);
    add(r, k->b, where(r, k->a, k->w, none), k->size);
    add(r, k->c, where(r, k->a, none, k->w), k->size);
}

static void back_none(reverse *r, const back *k)
{
    (void)r;
    (void)k;
}

/* ---- shapes -------------------------------------------------------------- */

static void back_slice(reverse *r, const back *k)
{
    if (r->n_pieces == r->room) {
        size_t want = r->room ? 2 * r->room : 64;
        piece *p = cs_resize(r->pieces, r->room * sizeof *p, want * sizeof *p);
        if (!p) {
            r->g->status = CS_MEMORY;
            return;
        }
        r->pieces = p;
        r->room = want;
    }
    uint32_t first = cs_graph_at(r->g, k->y)->extra;
    r->pieces[r->n_pieces++] =
        (piece){k->a, k->w, first, (uint32_t)k->size};
    r->waiting[k->a]++;
}

static int by_place(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    return p->first != q->first ? (p->first < q->first ? -1 : 1)
                                : (p->n > q->n) - (p->n < q->n);
}

/* One vector of `size` elements of the pieces that follow one another without
 * overlap, zeros between them. What is left over moves to the front of
 * list[*n]. */
static cs_node join(reverse *r, piece *list, size_t *n, size_t size,
                    cs_node *part)
{
    size_t at = 0, left = 0, parts = 0;
    cs_node zero = number(r, 0);
    for (size_t i = 0; i < *n; i++) {
        piece p = list[i];
        if (p.first < at) {
            list[left++] = p;
            continue;
        }
        if (p.first > at)
            part[parts++] = full(r, zero, p.first - at);
        part[parts++] = full(r, p.w, p.n);
        at = p.first + p.n;
    }
    if (at < size)
        part[parts++] = full(r, zero, size - at);
    *n = left;
    return cs_graph_pack(r->g, part, parts);
}

/* Adds the pieces that wait for node a to its adjoint. */
static void gather_pieces(reverse *r, cs_node a)
{
    size_t n = 0, count = r->waiting[a], size = cs_graph_size(r->g, a);
    piece *list = cs_alloc(count, sizeof *list);
    cs_node *part = cs_alloc(2 * count + 1, sizeof *part);
    if (!list || !part)
        r->g->status = CS_MEMORY;
    for (size_t i = 0; i < r->n_pieces && !r->g->status; i++)
        if (r->pieces[i].of == a)
            list[n++] = r->pieces[i];
    if (n)
        qsort(list, n, sizeof *list, by_place);
    while (n && !r->g->status)
        add(r, a, join(r, list, &n, size, part), size);
    cs_free(list);
    cs_free(part);
}

static void back_gather(reverse *r, const back *k)
{
    size_t whole = cs_graph_size(r->g, k->a);
    uint32_t index = cs_graph_at(r->g, k->y)->extra;
    cs_node w = full(r, k->w, k->size);
    const cs_constant *c = &r->g->constants[index];
    add(r, k->a, cs_graph_scatter(r->g, w, c->v, c->rows, whole), whole);
}

static void back_scatter(reverse *r, const back *k)
{
    uint32_t index = cs_graph_at(r->g, k->y)->extra;
    cs_node w = full(r, k->w, k->size);
    const cs_constant *c = &r->g->constants[index];
    add(r, k->a, cs_graph_gather(r->g, w, c->v, c->rows), c->rows);
}

static void back_pack(reverse *r, const back *k)
{
    size_t at = 0, count = cs_graph_at(r->g, k->y)->count;
    for (size_t i = 0; i < count; i++) {
        cs_node part = cs_graph_arg(r->g, k->y, i);
        size_t n = cs_graph_size(r->g, part);
        cs_node w = cs_graph_size(r->g, k->w) == 1 && k->size > 1
                        ? k->w
                        : cs_graph_slice(r->g, k->w, at, n);
        add(r, part, w, n);
        at += n;
    }
}

static void back_product(reverse *r, const back *k)
{
    cs_graph *g = r->g;
    cs_constant a = g->constants[cs_graph_at(g, k->y)->extra];
    double *t = cs_alloc(a.rows * a.cols, sizeof *t);
    if (!t) {
        g->status = CS_MEMORY;
        return;
    }
    for (size_t i = 0; i < a.rows; i++)
        for (size_t j = 0; j < a.cols; j++)
            t[j * a.rows + i] = a.v[i * a.cols + j];
    add(r, k->a,
        cs_graph_product(g, t, a.cols, a.rows, full(r, k->w, a.rows)), a.cols);
    cs_free(t);
}

typedef void (*back_function)(reverse *r, const back *k);

static const back_function several[CS_OP_COUNT] = {
    [CS_OP_ADD] = back_add,         [CS_OP_SUB] = back_sub,
    [CS_OP_MUL] = back_mul,         [CS_OP_DIV] = back_div,
    [CS_OP_POW] = back_pow,         [CS_OP_MAX] = back_max,
    [CS_OP_MIN] = back_min,         [CS_OP_LT] = back_none,
    [CS_OP_LE] = back_none,         [CS_OP_EQ] = back_none,
    [CS_OP_WHERE] = back_where,     [CS_OP_SLICE] = back_slice,
    [CS_OP_GATHER] = back_gather,   [CS_OP_SCATTER] = back_scatter,
    [CS_OP_PACK] = back_pack,       [CS_OP_PRODUCT] = back_product,
};

static void step_back(reverse *r, cs_node y)
{
    cs_graph *g = r->g;
    const cs_graph_node *n = cs_graph_at(g, y);
    uint32_t op = n->op, count = n->count;
    back k = {.y = y, .w = r->adjoint[y], .size = n->size};
    k.a = count > 0 ? cs_graph_arg(g, y, 0) : 0;
    k.b = count > 1 ? cs_graph_arg(g, y, 1) : 0;
    k.c = count > 2 ? cs_graph_arg(g, y, 2) : 0;
    g->line = n->line;
    if (several[op])
        several[op](r, &k);
    else if (unary[op])
        add(r, k.a, unary[op](r, &k),
            cs_ops[op].class == CS_OP_REDUCE ? cs_graph_size(g, k.a)
                                             : k.size);
}

cs_node cs_graph_gradient(cs_graph *g, cs_node u)
{
    if (!u || g->status)
        return 0;
    reverse r = {.g = g,
                 .adjoint = cs_alloc((size_t)u + 1, sizeof *r.adjoint),
                 .waiting = cs_alloc((size_t)u + 1, sizeof *r.waiting)};
    int line = g->line;
    if (!r.adjoint || !r.waiting)
        g->status = CS_MEMORY;
    else
        r.adjoint[u] = number(&r, 1);
    for (cs_node y = u; y >= cs_graph_input(g) && !g->status; y--) {
        if (r.waiting[y])
            gather_pieces(&r, y);
        if (r.adjoint[y] && y > cs_graph_input(g))
            step_back(&r, y);
    }
    cs_node w = g->status ? 0 : r.adjoint[cs_graph_input(g)];
    w = full(&r, w ? w : number(&r, 0), g->dim);
    cs_free(r.adjoint);
    cs_free(r.waiting);
    cs_free(r.pieces);
    g->line = line;
    return g->status ? 0 : w;
}
