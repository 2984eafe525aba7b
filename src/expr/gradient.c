/* Reverse-mode differentiation; the derivatives are new nodes.
 *
 * For a number y = f(x), adjoint(y) = 1. The nodes are visited in reverse order
 * from y. Each node multiplies its adjoint by the derivative with respect to an
 * argument, and adds the product to the adjoint of that argument (Griewank and
 * Walther, Evaluating Derivatives, 2008, section 3.2). The adjoints are
 * expressions, so that they are shared, folded and differentiated again like
 * all other expressions. */
#include "expr/intern.h"
#include "expr/reverse.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* Returns true if w is guarded, and stores the guard and the guarded
 * adjoint. */
static bool is_guarded(const cs_graph *g, cs_node w, cs_guard *by,
                       cs_node *left)
{
    double v;
    if (cs_graph_at(g, w)->op != CS_OP_WHERE)
        return false;
    by->condition = cs_graph_arg(g, w, 0);
    for (size_t i = 1; i < 3; i++)
        if (cs_graph_size(g, by->condition) == 1 &&
            cs_graph_is_number(g, cs_graph_arg(g, w, i), &v) && v == 0) {
            by->otherwise = i == 1;
            *left = cs_graph_arg(g, w, 3 - i);
            return true;
        }
    return false;
}

static cs_node guarded(cs_graph *g, cs_guard by, cs_node w)
{
    cs_node none = cs_graph_number(g, 0);
    return w == none
               ? w
               : cs_graph_op3(g, CS_OP_WHERE, by.condition,
                              by.otherwise ? none : w, by.otherwise ? w : none);
}

static cs_node all_guarded(cs_reverse *r, cs_node w)
{
    for (size_t i = r->n_guards; i > 0; i--)
        w = guarded(r->g, r->guard[i - 1], w);
    return w;
}

/* Returns a + b. If a and b have equal guards, adds the guarded adjoints and
 * applies the guard to the result. */
static cs_node sum(cs_graph *g, cs_node a, cs_node b)
{
    cs_guard p, q;
    cs_node x, y;
    if (!is_guarded(g, a, &p, &x) || !is_guarded(g, b, &q, &y) ||
        p.condition != q.condition || p.otherwise != q.otherwise)
        return cs_graph_op2(g, CS_OP_ADD, a, b);
    return guarded(g, p, sum(g, x, y));
}

void cs_reverse_add(cs_reverse *r, cs_node a, cs_node w, size_t size)
{
    cs_graph *g = r->g;
    if (cs_graph_at(g, a)->op == CS_OP_DATA ||
        (r->by && !(cs_graph_reads(g, a) & r->by)))
        return;
    if (cs_graph_size(g, a) == 1 && size > 1)
        w = cs_graph_size(g, w) > 1
                ? cs_graph_op1(g, CS_OP_SUM, w)
                : cs_reverse_times(r, w, cs_graph_number(g, (double)size));
    cs_node *to = &r->adjoint[a];
    w = all_guarded(r, w);
    *to = *to ? sum(g, *to, w) : w;
}

cs_node cs_reverse_full(cs_reverse *r, cs_node w, size_t size)
{
    if (cs_graph_size(r->g, w) == size)
        return w;
    double *zero = cs_alloc(size, sizeof *zero);
    if (!zero) {
        r->g->status = CS_MEMORY;
        return 0;
    }
    cs_node n =
        cs_graph_op2(r->g, CS_OP_ADD, w, cs_graph_vector(r->g, zero, size));
    cs_free(zero);
    return n;
}

/* ---- shapes -------------------------------------------------------------- */

static void back_slice(cs_reverse *r, const cs_back *k)
{
    if (!CS_GROW(r->pieces, r->n_pieces, r->capacity, 1)) {
        r->g->status = CS_MEMORY;
        return;
    }
    uint32_t first = cs_graph_at(r->g, k->y)->extra;
    r->pieces[r->n_pieces++] = (cs_piece){
        r->waiting[k->a], all_guarded(r, k->w), first, (uint32_t)k->size};
    r->waiting[k->a] = (uint32_t)r->n_pieces;
}

static int by_place(const void *a, const void *b)
{
    const cs_piece *p = a, *q = b;
    return p->first != q->first ? (p->first < q->first ? -1 : 1)
                                : (p->n > q->n) - (p->n < q->n);
}

/* Joins those pieces that do not overlap into one vector of `size` elements,
 * with zeros in the gaps. Moves the other pieces to the front of list[*n]. */
static cs_node join(cs_reverse *r, cs_piece *list, size_t *n, size_t size,
                    cs_node *part)
{
    size_t at = 0, left = 0, parts = 0;
    cs_node zero = cs_graph_number(r->g, 0);
    for (size_t i = 0; i < *n; i++) {
        cs_piece p = list[i];
        if (p.first < at) {
            list[left++] = p;
            continue;
        }
        if (p.first > at)
            part[parts++] = cs_reverse_full(r, zero, p.first - at);
        part[parts++] = cs_reverse_full(r, p.w, p.n);
        at = p.first + p.n;
    }
    if (at < size)
        part[parts++] = cs_reverse_full(r, zero, size - at);
    *n = left;
    return cs_graph_pack(r->g, part, parts);
}

/* Adds the pieces that were collected for node a to the adjoint of this
 * node. */
static void gather_pieces(cs_reverse *r, cs_node a)
{
    size_t n = 0, count = 0, size = cs_graph_size(r->g, a);
    for (uint32_t i = r->waiting[a]; i; i = r->pieces[i - 1].next)
        count++;
    cs_piece *list = cs_alloc(count, sizeof *list);
    cs_node *part = cs_alloc(2 * count + 1, sizeof *part);
    if (!list || !part)
        r->g->status = CS_MEMORY;
    for (uint32_t i = r->waiting[a]; i && !r->g->status;
         i = r->pieces[i - 1].next)
        list[n++] = r->pieces[i - 1];
    if (n)
        qsort(list, n, sizeof *list, by_place);
    while (n && !r->g->status)
        cs_reverse_add(r, a, join(r, list, &n, size, part), size);
    cs_free(list);
    cs_free(part);
}

static void back_gather(cs_reverse *r, const cs_back *k)
{
    size_t whole = cs_graph_size(r->g, k->a);
    uint32_t index = cs_graph_at(r->g, k->y)->extra;
    cs_node w = cs_reverse_full(r, k->w, k->size);
    const cs_constant *c = &r->g->constants[index];
    cs_reverse_add(r, k->a, cs_graph_scatter(r->g, w, c->v, c->rows, whole),
                   whole);
}

static void back_scatter(cs_reverse *r, const cs_back *k)
{
    uint32_t index = cs_graph_at(r->g, k->y)->extra;
    cs_node w = cs_reverse_full(r, k->w, k->size);
    const cs_constant *c = &r->g->constants[index];
    cs_reverse_add(r, k->a, cs_graph_gather(r->g, w, c->v, c->rows), c->rows);
}

/* Returns the slope of a[i] by i: half of the difference of the neighbours or,
 * at an end, the difference of the last two elements. */
static cs_node pick_slope(cs_graph *g, cs_node a, cs_node i)
{
    cs_node one = cs_graph_number(g, 1);
    cs_node last = cs_graph_number(g, (double)cs_graph_size(g, a));
    cs_node up =
        cs_graph_op2(g, CS_OP_MIN, cs_graph_op2(g, CS_OP_ADD, i, one), last);
    cs_node down =
        cs_graph_op2(g, CS_OP_MAX, cs_graph_op2(g, CS_OP_SUB, i, one), one);
    return cs_graph_op2(g, CS_OP_DIV,
                        cs_graph_op2(g, CS_OP_SUB, cs_graph_pick(g, a, up),
                                     cs_graph_pick(g, a, down)),
                        cs_graph_op2(g, CS_OP_SUB, up, down));
}

/* If the vector is longer than the elements taken from it, guards are applied
 * before the elements are spread. */
static void back_pick(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    size_t size = cs_graph_size(g, k->a), guards = r->n_guards;
    cs_node w = cs_reverse_full(r, k->w, k->size);
    if (size > k->size) {
        w = all_guarded(r, w);
        r->n_guards = 0;
    }
    cs_reverse_add(r, k->a, cs_graph_spread(g, w, k->b, size), size);
    r->n_guards = guards;
    bool whole = cs_graph_reads(g, k->b) & CS_READS_WHOLE;
    if (size > 1 && whole && r->by != CS_READS_REAL)
        cs_reverse_add(r, k->b,
                       cs_reverse_times(r, k->w, pick_slope(g, k->a, k->b)),
                       k->size);
}

static void back_spread(cs_reverse *r, const cs_back *k)
{
    cs_node w = cs_reverse_full(r, k->w, k->size);
    cs_reverse_add(r, k->a, cs_graph_pick(r->g, w, k->b),
                   cs_graph_size(r->g, k->a));
}

static void back_pack(cs_reverse *r, const cs_back *k)
{
    size_t at = 0, count = cs_graph_at(r->g, k->y)->count;
    for (size_t i = 0; i < count; i++) {
        cs_node part = cs_graph_arg(r->g, k->y, i);
        size_t n = cs_graph_size(r->g, part);
        cs_node w = cs_graph_size(r->g, k->w) == 1 && k->size > 1
                        ? k->w
                        : cs_graph_slice(r->g, k->w, at, n);
        cs_reverse_add(r, part, w, n);
        at += n;
    }
}

static void back_product(cs_reverse *r, const cs_back *k)
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
    cs_reverse_add(r, k->a,
                   cs_graph_product(g, t, a.cols, a.rows,
                                    cs_reverse_full(r, k->w, a.rows)),
                   a.cols);
    cs_free(t);
}

static const cs_back_function back_shape[CS_OP_COUNT] = {
    [CS_OP_SLICE] = back_slice,
    [CS_OP_GATHER] = back_gather,
    [CS_OP_SCATTER] = back_scatter,
    [CS_OP_PICK] = back_pick,
    [CS_OP_SPREAD] = back_spread,
    [CS_OP_PACK] = back_pack,
    [CS_OP_PRODUCT] = back_product,
    [CS_OP_CUMULATE] = cs_back_cumulate,
    [CS_OP_BILINEAR] = cs_back_bilinear,
    [CS_OP_SOLVE] = cs_back_solve,
    [CS_OP_CHOLESKY] = cs_back_cholesky,
    [CS_OP_CHOLESKY_BACK] = cs_back_cholesky_back,
    [CS_OP_LOG_SUM_EXP] = cs_back_log_sum_exp,
    [CS_OP_SOFTMAX] = cs_back_softmax,
    [CS_OP_ODE] = cs_back_ode,
};

static void step_back(cs_reverse *r, cs_node y)
{
    cs_graph *g = r->g;
    const cs_graph_node *n = cs_graph_at(g, y);
    uint32_t op = n->op, count = n->count;
    cs_back k = {.y = y, .w = r->adjoint[y], .size = n->size};
    r->n_guards = 0;
    while (r->n_guards < CS_GUARDS &&
           is_guarded(g, k.w, &r->guard[r->n_guards], &k.w))
        r->n_guards++;
    k.a = count > 0 ? cs_graph_arg(g, y, 0) : 0;
    k.b = count > 1 ? cs_graph_arg(g, y, 1) : 0;
    k.c = count > 2 ? cs_graph_arg(g, y, 2) : 0;
    g->line = n->line;
    cs_back_function several =
        back_shape[op] ? back_shape[op] : cs_back_map[op];
    if (several)
        several(r, &k);
    else if (cs_derivative_rules[op])
        cs_reverse_add(r, k.a, cs_derivative_rules[op](r, &k),
                       cs_ops[op].class == CS_OP_REDUCE ? cs_graph_size(g, k.a)
                                                        : k.size);
    r->n_guards = 0;
}

/* Computes the adjoints of the nodes between by[n] and the root, in reverse
 * order. */
static void go_back(cs_reverse *r, cs_node root, const cs_node *by, size_t n)
{
    cs_graph *g = r->g;
    bool *stop = cs_alloc((size_t)root + 1, sizeof *stop);
    r->adjoint = cs_alloc((size_t)root + 1, sizeof *r->adjoint);
    r->waiting = cs_alloc((size_t)root + 1, sizeof *r->waiting);
    int line = g->line;
    if (!stop || !r->adjoint || !r->waiting)
        g->status = CS_MEMORY;
    else
        r->adjoint[root] = cs_graph_number(g, 1);
    for (size_t i = 0; i < n && !g->status; i++)
        if (by[i] <= root)
            stop[by[i]] = true;
    for (cs_node y = root; y >= cs_graph_input(g) && !g->status; y--) {
        if (r->waiting[y])
            gather_pieces(r, y);
        if (r->adjoint[y] && !stop[y])
            step_back(r, y);
    }
    cs_free(stop);
    g->line = line;
}

static void release(cs_reverse *r)
{
    CS_FREE_ALL(r->adjoint, r->waiting, r->pieces);
}

/* Differentiates with respect to by[n]; `kind` is as in cs_graph_gradient_of,
 * or 0 for all coordinates. */
static bool find_gradient(cs_graph *g, cs_node root, unsigned kind,
                          const cs_node *by, size_t n, cs_node *out)
{
    if (!root || g->status)
        return false;
    cs_reverse r = {.g = g, .by = kind};
    go_back(&r, root, by, n);
    for (size_t i = 0; i < n && !g->status; i++) {
        out[i] = by[i] <= root ? r.adjoint[by[i]] : 0;
        if (!out[i])
            out[i] = cs_graph_number(g, 0);
    }
    release(&r);
    return !g->status;
}

bool cs_graph_gradient_by(cs_graph *g, cs_node root, const cs_node *by,
                          size_t n, cs_node *out)
{
    assert(!root || cs_graph_size(g, root) == 1);
    return find_gradient(g, root, 0, by, n, out);
}

cs_node cs_graph_gradient(cs_graph *g, cs_node root)
{
    cs_node x = cs_graph_input(g), w;
    if (!cs_graph_gradient_by(g, root, &x, 1, &w))
        return 0;
    cs_reverse r = {.g = g};
    return cs_reverse_full(&r, w, g->dim);
}

/* Returns elements first .. first + n - 1 of `from` if `kind` includes these
 * coordinates, else zeros. */
static cs_node rows_of_kind(cs_reverse *r, cs_node from, unsigned kind,
                            bool whole, size_t first, size_t n)
{
    if (whole == (kind == CS_READS_WHOLE))
        return cs_graph_slice(r->g, from, first, n);
    return cs_reverse_full(r, cs_graph_number(r->g, 0), n);
}

cs_node cs_graph_gradient_of(cs_graph *g, cs_node root, unsigned kind)
{
    assert(!root || cs_graph_size(g, root) == 1);
    assert(kind == CS_READS_REAL || kind == CS_READS_WHOLE);
    cs_node x = cs_graph_input(g), w = 0, made = 0;
    if (!find_gradient(g, root, kind, &x, 1, &w))
        return 0;
    cs_reverse r = {.g = g};
    w = cs_reverse_full(&r, w, g->dim);
    cs_node *part = cs_alloc(2 * g->n_ranges + 1, sizeof *part);
    size_t n = 0, at = 0;
    for (size_t i = 0; part && i < g->n_ranges; i++) {
        cs_graph_range k = g->ranges[i];
        if (k.first > at)
            part[n++] = rows_of_kind(&r, w, kind, false, at, k.first - at);
        part[n++] = rows_of_kind(&r, w, kind, true, k.first, k.n);
        at = k.first + k.n;
    }
    if (part && at < g->dim)
        part[n++] = rows_of_kind(&r, w, kind, false, at, g->dim - at);
    if (part)
        made = cs_graph_pack(g, part, n);
    else
        cs_graph_fault(g, CS_MEMORY);
    cs_free(part);
    return made;
}
