#include "tape/sparsity.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_READS = 1 << 25 };

void *cs_sparsity_push(cs_sparsity *c, cs_list *l, size_t size)
{
    if (!cs_grow(&l->item, l->n, &l->capacity, 1, size)) {
        c->status = CS_MEMORY;
        return NULL;
    }
    return (char *)l->item + size * l->n++;
}

static const cs_graph_node *at(const cs_sparsity *c, cs_node n)
{
    return cs_graph_at(c->g, n);
}

static cs_node arg(const cs_sparsity *c, cs_node n, size_t i)
{
    return cs_graph_arg(c->g, n, i);
}

/* ---- arguments of elements ----------------------------------------------- */

static void visit_pack(cs_sparsity *c, cs_node n, uint32_t e, cs_visitor visit,
                       void *more)
{
    for (uint32_t i = 0; i < at(c, n)->count; i++) {
        cs_node part = arg(c, n, i);
        if (e < at(c, part)->size) {
            visit(c, part, e, 1, more);
            return;
        }
        e -= at(c, part)->size;
    }
}

static void visit_scatter(cs_sparsity *c, cs_node n, uint32_t e,
                          cs_visitor visit, void *more)
{
    const cs_constant *k = &c->g->constants[at(c, n)->extra];
    for (uint32_t i = 0; i < k->rows; i++)
        if ((uint32_t)k->v[i] == e)
            visit(c, arg(c, n, 0), i, 1, more);
}

static void visit_product(cs_sparsity *c, cs_node n, uint32_t e,
                          cs_visitor visit, void *more)
{
    const cs_constant *k = &c->g->constants[at(c, n)->extra];
    for (uint32_t j = 0; j < k->cols; j++)
        if (k->v[e * k->cols + j] != 0)
            visit(c, arg(c, n, 0), j, k->v[e * k->cols + j], more);
}

static void visit_cumulate(cs_sparsity *c, cs_node n, uint32_t e,
                           cs_visitor visit, void *more)
{
    bool from_end = at(c, n)->extra;
    uint32_t to = from_end ? at(c, n)->size - 1 : e;
    for (uint32_t i = from_end ? e : 0; i <= to; i++)
        visit(c, arg(c, n, 0), i, 1, more);
}

static void visit_bilinear(cs_sparsity *c, cs_node n, uint32_t e,
                           cs_visitor visit, void *more)
{
    const cs_constant *k = &c->g->constants[at(c, n)->extra];
    cs_node a = arg(c, n, 0), b = arg(c, n, 1);
    for (size_t i = 0; i < k->rows; i++) {
        const double *t = k->v + 4 * i;
        if (t[1] != e)
            continue;
        visit(c, a, (uint32_t)t[2], t[0], more);
        visit(c, b, (uint32_t)t[3], 1, more);
    }
}

/* The index comes first, then all elements that it may select. */
static void visit_pick(cs_sparsity *c, cs_node n, uint32_t e, cs_visitor visit,
                       void *more)
{
    cs_node a = arg(c, n, 0), i = arg(c, n, 1);
    visit(c, i, at(c, i)->size > 1 ? e : 0, 1, more);
    for (uint32_t j = 0; j < at(c, a)->size; j++)
        visit(c, a, j, 1, more);
}

/* Handles operations in which each element depends on nearly all other
 * elements. For such operations there are no terms per coordinate. */
static void visit_all(cs_sparsity *c, cs_node n, cs_visitor visit, void *more)
{
    c->budget = 0;
    for (uint32_t i = 0; i < at(c, n)->count; i++)
        for (uint32_t j = 0; j < at(c, arg(c, n, i))->size; j++)
            visit(c, arg(c, n, i), j, 1, more);
}

void cs_sparsity_visit(cs_sparsity *c, cs_node n, uint32_t e, cs_visitor visit,
                       void *more)
{
    const cs_graph_node *k = at(c, n);
    switch (k->op) {
    case CS_OP_SLICE:
        visit(c, arg(c, n, 0), e + k->extra, 1, more);
        return;
    case CS_OP_GATHER:
        visit(c, arg(c, n, 0), (uint32_t)c->g->constants[k->extra].v[e], 1,
              more);
        return;
    case CS_OP_PACK:
        visit_pack(c, n, e, visit, more);
        return;
    case CS_OP_PICK:
        visit_pick(c, n, e, visit, more);
        return;
    case CS_OP_SCATTER:
        visit_scatter(c, n, e, visit, more);
        return;
    case CS_OP_PRODUCT:
        visit_product(c, n, e, visit, more);
        return;
    case CS_OP_CUMULATE:
        visit_cumulate(c, n, e, visit, more);
        return;
    case CS_OP_BILINEAR:
        visit_bilinear(c, n, e, visit, more);
        return;
    case CS_OP_LOG_SUM_EXP:
        for (uint32_t i = e; i < at(c, arg(c, n, 0))->size; i += k->size)
            visit(c, arg(c, n, 0), i, 1, more);
        return;
    case CS_OP_SOLVE:
    case CS_OP_CHOLESKY:
    case CS_OP_CHOLESKY_BACK:
    case CS_OP_ODE:
    case CS_OP_SPREAD:
    case CS_OP_SOFTMAX:
        visit_all(c, n, visit, more);
        return;
    default:
        break;
    }
    for (uint32_t i = 0; i < k->count; i++) {
        cs_node a = arg(c, n, i);
        uint32_t size = at(c, a)->size;
        if (cs_ops[k->op].class == CS_OP_MAP)
            visit(c, a, size > 1 ? e : 0, 1, more);
        else
            for (uint32_t j = 0; j < size; j++)
                visit(c, a, j, 1, more);
    }
}

/* ---- dependence ---------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static cs_reads *cs_sparsity_reads_of(cs_sparsity *c, cs_node n, uint32_t e)
{
    return &c->reads[c->start[n] + e];
}

/* Appends all coordinates on which element e of node n depends to the end of
 * the pool. The coordinates were found before. */
static void append(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                   void *more)
{
    (void)factor;
    (void)more;
    cs_reads *r = cs_sparsity_reads_of(c, n, e);
    for (size_t i = 0; i < r->n; i++) {
        uint32_t value = ((uint32_t *)c->pool.item)[r->first + i];
        uint32_t *to = cs_sparsity_push(c, &c->pool, sizeof value);
        if (to)
            *to = value;
    }
}

/* Finds the coordinates of an element. Nodes are in order of evaluation, so the
 * coordinates of the element's arguments are known. */
static void find_reads(cs_sparsity *c, cs_node n, uint32_t e)
{
    cs_reads *r = cs_sparsity_reads_of(c, n, e);
    r->first = c->pool.n;
    if (at(c, n)->op == CS_OP_INPUT) {
        uint32_t *to = cs_sparsity_push(c, &c->pool, sizeof *to);
        if (to)
            *to = e;
    } else
        cs_sparsity_visit(c, n, e, append, NULL);
    uint32_t *pool = (uint32_t *)c->pool.item + r->first;
    size_t got = c->pool.n - r->first, kept = 0;
    if (got > 1)
        qsort(pool, got, sizeof *pool, by_number);
    for (size_t i = 0; i < got; i++)
        if (!i || pool[i] != pool[kept - 1])
            pool[kept++] = pool[i];
    c->pool.n = r->first + kept;
    r->n = kept;
}

static void need(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                 void *more)
{
    (void)factor;
    (void)more;
    c->needed[c->start[n] + e] = true;
}

/* Marks the elements that the terms use. Excludes the partial sums of terms,
 * which depend on nearly all coordinates. */
static void find_needed(cs_sparsity *c)
{
    const cs_element *term = c->terms.item;
    for (size_t i = 0; i < c->terms.n; i++)
        need(c, term[i].node, term[i].element, 1, NULL);
    for (cs_node n = (cs_node)c->g->n_nodes - 1; n > 0; n--)
        for (uint32_t e = 0; e < at(c, n)->size; e++)
            if (c->needed[c->start[n] + e])
                cs_sparsity_visit(c, n, e, need, NULL);
}

/* Adds each term to the lists of all coordinates that the term reads. */
static void distribute(cs_sparsity *c)
{
    const cs_element *term = c->terms.item;
    for (uint32_t t = 0; t < c->terms.n && !c->status; t++) {
        cs_reads *r = cs_sparsity_reads_of(c, term[t].node, term[t].element);
        for (size_t i = 0; i < r->n; i++) {
            uint32_t d = ((uint32_t *)c->pool.item)[r->first + i];
            uint32_t *to = cs_sparsity_push(c, &c->of[d], sizeof *to);
            if (to)
                *to = t;
        }
    }
}

void cs_sparsity_find_reads(cs_sparsity *c)
{
    find_needed(c);
    for (cs_node n = 1; n < c->g->n_nodes && !c->status; n++)
        for (uint32_t e = 0; e < at(c, n)->size && !c->status; e++) {
            if (!c->needed[c->start[n] + e])
                continue;
            find_reads(c, n, e);
            if (c->pool.n > MOST_READS) {
                c->budget = 0;
                return;
            }
        }
    distribute(c);
}

/* ---- terms --------------------------------------------------------------- */

static void push_element(cs_sparsity *c, cs_node n, uint32_t e, double factor)
{
    cs_element *s = cs_sparsity_push(c, &c->stack, sizeof *s);
    if (s)
        *s = (cs_element){n, e, factor};
}

static bool number(const cs_sparsity *c, cs_node n, double *v)
{
    return cs_graph_is_number(c->g, n, v);
}

static bool reads_range(const cs_sparsity *c, cs_node n)
{
    const cs_graph_node *k = at(c, n);
    for (uint32_t e = 0; e < k->size; e++) {
        size_t d = k->op == CS_OP_SLICE
                       ? k->extra + e
                       : (size_t)c->g->constants[k->extra].v[e];
        if (cs_graph_range_of(c->g, d))
            return true;
    }
    return false;
}

/* Marks the nodes that read a discrete coordinate of a mixed space. Operations
 * on the whole input, other than slices and gathers, count as such. */
static void mark_sites(cs_sparsity *c)
{
    for (cs_node n = 1; n < c->g->n_nodes; n++) {
        const cs_graph_node *k = at(c, n);
        bool part = k->op == CS_OP_SLICE || k->op == CS_OP_GATHER;
        c->site[n] = k->op == CS_OP_INPUT;
        for (uint32_t i = 0; i < k->count && !c->site[n]; i++) {
            cs_node a = arg(c, n, i);
            c->site[n] = part && at(c, a)->op == CS_OP_INPUT ? reads_range(c, n)
                                                             : c->site[a];
        }
    }
}

/* Returns true if node n is where(condition, sum, -infinity), and no site
 * changes the condition. */
static bool is_guarded(const cs_sparsity *c, cs_node n)
{
    double otherwise;
    return c->g->n_ranges && at(c, n)->op == CS_OP_WHERE &&
           number(c, arg(c, n, 2), &otherwise) && otherwise == -HUGE_VAL &&
           at(c, arg(c, n, 0))->size == 1 && !c->site[arg(c, n, 0)];
}

/* Expands an element that is a sum into the items of the sum; keeps any other
 * element as a term. */
static void expand(cs_sparsity *c, cs_element s)
{
    const cs_graph_node *k = at(c, s.node);
    double f;
    cs_node a = k->count ? arg(c, s.node, 0) : 0;
    cs_node b = k->count > 1 ? arg(c, s.node, 1) : 0;
    uint32_t ea = a && at(c, a)->size > 1 ? s.element : 0;
    uint32_t eb = b && at(c, b)->size > 1 ? s.element : 0;
    if (k->op == CS_OP_ADD || k->op == CS_OP_SUB) {
        push_element(c, a, ea, s.factor);
        push_element(c, b, eb, k->op == CS_OP_SUB ? -s.factor : s.factor);
    } else if (k->op == CS_OP_MUL && number(c, a, &f))
        push_element(c, b, eb, s.factor * f);
    else if (k->op == CS_OP_MUL && number(c, b, &f))
        push_element(c, a, ea, s.factor * f);
    else if (k->op == CS_OP_SUM)
        for (uint32_t e = 0; e < at(c, a)->size; e++)
            push_element(c, a, e, s.factor);
    else if (s.factor > 0 && is_guarded(c, s.node)) {
        cs_node *guard = cs_sparsity_push(c, &c->guards, sizeof *guard);
        if (guard)
            *guard = a;
        push_element(c, b, eb, s.factor);
    } else {
        cs_element *to = cs_sparsity_push(c, &c->terms, sizeof *to);
        if (to)
            *to = s;
    }
}

void cs_sparsity_find_terms(cs_sparsity *c, cs_node root)
{
    if (c->g->n_ranges)
        mark_sites(c);
    push_element(c, root, 0, 1);
    while (c->stack.n && !c->status)
        expand(c, ((cs_element *)c->stack.item)[--c->stack.n]);
}

void cs_sparsity_free(cs_sparsity *c)
{
    for (size_t d = 0; c->of && d < c->g->dim; d++)
        cs_free(c->of[d].item);
    CS_FREE_ALL(c->of, c->start, c->reads, c->needed, c->site, c->pool.item,
                c->terms.item, c->stack.item, c->guards.item);
}

bool cs_sparsity_open(cs_sparsity *c, size_t *elements)
{
    c->start = cs_alloc(c->g->n_nodes, sizeof *c->start);
    c->of = cs_alloc(c->g->dim, sizeof *c->of);
    c->site = cs_alloc(c->g->n_nodes, sizeof *c->site);
    *elements = 0;
    for (cs_node n = 1; c->start && n < c->g->n_nodes; n++) {
        c->start[n] = *elements;
        *elements += at(c, n)->size;
    }
    c->reads = cs_alloc(*elements, sizeof *c->reads);
    c->needed = cs_alloc(*elements, sizeof *c->needed);
    return c->start && c->of && c->site && c->reads && c->needed;
}
