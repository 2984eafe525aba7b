/* 1. Take u apart into terms: elements of nodes that no sum melts further.
 * 2. Find which coordinates each element depends on, once for every element.
 * 3. For each coordinate, copy its terms, element by element, into a graph of
 *    their own, and compile it. */
#include "tape/local.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_READS = 1 << 25 };

/* One element of one node. */
typedef struct spot {
    cs_node node;
    uint32_t element;
    double factor;
} spot;

typedef struct list {
    void *item;
    size_t n, room;
} list;

/* The coordinates that an element depends on: sorted, pool[first..+n). */
typedef struct reads {
    size_t first, n;
    bool known;
} reads;

typedef struct locator {
    const cs_graph *g;
    size_t *start;  /* [n_nodes] the first element of a node in `reads` */
    reads *reads;   /* [elements of all nodes] */
    list pool;      /* uint32_t: coordinates */
    list terms;     /* spot */
    list stack;     /* spot */
    list *of;       /* [dim] uint32_t: the terms of each coordinate */
    size_t budget;  /* elements that may still be copied */
    cs_status status;
} locator;

static void *push(locator *c, list *l, size_t size)
{
    if (l->n == l->room) {
        size_t want = l->room ? 2 * l->room : 16;
        void *p = cs_resize(l->item, l->room * size, want * size);
        if (!p) {
            c->status = CS_MEMORY;
            return NULL;
        }
        l->item = p;
        l->room = want;
    }
    return (char *)l->item + size * l->n++;
}

static const cs_graph_node *at(const locator *c, cs_node n)
{
    return cs_graph_at(c->g, n);
}

static cs_node arg(const locator *c, cs_node n, size_t i)
{
    return cs_graph_arg(c->g, n, i);
}

/* ---- what an element is made of ------------------------------------------ */

/* Element e of n reads elements of its arguments: calls `visit` for each. For
 * every shape of operation this is the one place that knows which. */
typedef void (*visitor)(locator *c, cs_node n, uint32_t e, double factor,
                        void *more);

static void visit_pack(locator *c, cs_node n, uint32_t e, visitor visit,
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

static void visit_scatter(locator *c, cs_node n, uint32_t e, visitor visit,
                          void *more)
{
    const cs_constant *k = &c->g->constants[at(c, n)->extra];
    for (uint32_t i = 0; i < k->rows; i++)
        if ((uint32_t)k->v[i] == e)
            visit(c, arg(c, n, 0), i, 1, more);
}

static void visit_product(locator *c, cs_node n, uint32_t e, visitor visit,
                          void *more)
{
    const cs_constant *k = &c->g->constants[at(c, n)->extra];
    for (uint32_t j = 0; j < k->cols; j++)
        if (k->v[e * k->cols + j] != 0)
            visit(c, arg(c, n, 0), j, k->v[e * k->cols + j], more);
}

static void visit_parts(locator *c, cs_node n, uint32_t e, visitor visit,
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
    case CS_OP_SCATTER:
        visit_scatter(c, n, e, visit, more);
        return;
    case CS_OP_PRODUCT:
        visit_product(c, n, e, visit, more);
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

static reads *reads_of(locator *c, cs_node n, uint32_t e)
{
    return &c->reads[c->start[n] + e];
}

/* Appends what (n, e) reads to the pool's end; it is known already. */
static void append(locator *c, cs_node n, uint32_t e, double factor, void *more)
{
    (void)factor;
    (void)more;
    reads *r = reads_of(c, n, e);
    for (size_t i = 0; i < r->n; i++) {
        uint32_t value = ((uint32_t *)c->pool.item)[r->first + i];
        uint32_t *to = push(c, &c->pool, sizeof value);
        if (to)
            *to = value;
    }
}

/* Nodes come in an order of evaluation, so that arguments are known. */
static void find_reads(locator *c, cs_node n, uint32_t e)
{
    reads *r = reads_of(c, n, e);
    r->first = c->pool.n;
    if (at(c, n)->op == CS_OP_INPUT) {
        uint32_t *to = push(c, &c->pool, sizeof *to);
        if (to)
            *to = e;
    } else
        visit_parts(c, n, e, append, NULL);
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

/* Gives up (no budget is left) when everything depends on everything. */
static void find_all_reads(locator *c)
{
    for (cs_node n = 1; n < c->g->n_nodes && !c->status; n++)
        for (uint32_t e = 0; e < at(c, n)->size && !c->status; e++) {
            find_reads(c, n, e);
            if (c->pool.n > MOST_READS) {
                c->budget = 0;
                return;
            }
        }
}

/* ---- terms --------------------------------------------------------------- */

static void wait(locator *c, cs_node n, uint32_t e, double factor)
{
    spot *s = push(c, &c->stack, sizeof *s);
    if (s)
        *s = (spot){n, e, factor};
}

static bool number(const locator *c, cs_node n, double *v)
{
    return cs_graph_is_number(c->g, n, v);
}

/* Takes one spot apart into what it is a sum of, or keeps it as a term. */
static void take_apart(locator *c, spot s)
{
    const cs_graph_node *k = at(c, s.node);
    double f;
    cs_node a = k->count ? arg(c, s.node, 0) : 0;
    cs_node b = k->count > 1 ? arg(c, s.node, 1) : 0;
    uint32_t ea = a && at(c, a)->size > 1 ? s.element : 0;
    uint32_t eb = b && at(c, b)->size > 1 ? s.element : 0;
    if (k->op == CS_OP_ADD || k->op == CS_OP_SUB) {
        wait(c, a, ea, s.factor);
        wait(c, b, eb, k->op == CS_OP_SUB ? -s.factor : s.factor);
    } else if (k->op == CS_OP_MUL && number(c, a, &f))
        wait(c, b, eb, s.factor * f);
    else if (k->op == CS_OP_MUL && number(c, b, &f))
        wait(c, a, ea, s.factor * f);
    else if (k->op == CS_OP_SUM)
        for (uint32_t e = 0; e < at(c, a)->size; e++)
            wait(c, a, e, s.factor);
    else if (reads_of(c, s.node, s.element)->n) {
        spot *to = push(c, &c->terms, sizeof *to);
        if (to)
            *to = s;
    }
}

static void find_terms(locator *c, cs_node u)
{
    wait(c, u, 0, 1);
    while (c->stack.n && !c->status)
        take_apart(c, ((spot *)c->stack.item)[--c->stack.n]);
    for (uint32_t t = 0; t < c->terms.n && !c->status; t++) {
        spot s = ((spot *)c->terms.item)[t];
        reads *r = reads_of(c, s.node, s.element);
        for (size_t i = 0; i < r->n; i++) {
            uint32_t d = ((uint32_t *)c->pool.item)[r->first + i];
            uint32_t *to = push(c, &c->of[d], sizeof *to);
            if (to)
                *to = t;
        }
    }
}

/* ---- copies -------------------------------------------------------------- */

/* One coordinate's graph in the making. What is needed is marked with the
 * number of the coordinate, so that nothing has to be cleared. */
typedef struct copier {
    cs_graph *to;
    list needed;      /* spot: every element the terms are made of */
    cs_node *copy;    /* [elements] */
    uint32_t *mark;   /* [elements] 1 + the coordinate it was needed for */
    uint32_t round;
    list input;       /* uint32_t: the coordinates read, its own first */
    uint32_t *place;  /* [dim] of a coordinate in `input` */
    list part;        /* cs_node: what an element is made of */
} copier;

static size_t index_of(const locator *c, cs_node n, uint32_t e)
{
    return c->start[n] + e;
}

static void need(locator *c, cs_node n, uint32_t e, double factor, void *more)
{
    copier *k = more;
    size_t at_element = index_of(c, n, e);
    (void)factor;
    if (k->mark[at_element] == k->round)
        return;
    k->mark[at_element] = k->round;
    spot *to = push(c, &k->needed, sizeof *to);
    if (to)
        *to = (spot){n, e, 1};
    if (at(c, n)->op != CS_OP_INPUT || e == k->round - 1)
        return;
    uint32_t *input = push(c, &k->input, sizeof *input);
    if (input) {
        *input = e;
        k->place[e] = (uint32_t)k->input.n - 1;
    }
}

static int in_order(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    return p->node != q->node ? (p->node < q->node ? -1 : 1)
                              : (p->element > q->element) -
                                    (p->element < q->element);
}

static void take_copy(locator *c, cs_node n, uint32_t e, double factor,
                      void *more)
{
    copier *k = more;
    cs_node *to = push(c, &k->part, sizeof *to);
    if (!to)
        return;
    *to = k->copy[index_of(c, n, e)];
    if (factor != 1)
        *to = cs_graph_op2(k->to, CS_OP_MUL, cs_graph_number(k->to, factor),
                           *to);
}

static cs_node sum_parts(copier *k)
{
    cs_node *part = k->part.item, sum = cs_graph_number(k->to, 0);
    for (size_t i = 0; i < k->part.n; i++)
        sum = cs_graph_op2(k->to, CS_OP_ADD, sum, part[i]);
    return sum;
}

static cs_node copy_spot(locator *c, copier *k, spot s)
{
    const cs_graph_node *n = at(c, s.node);
    const cs_constant *data = &c->g->constants[n->extra];
    k->part.n = 0;
    if (n->op == CS_OP_INPUT)
        return cs_graph_slice(k->to, cs_graph_input(k->to), k->place[s.element],
                              1);
    if (n->op == CS_OP_DATA)
        return cs_graph_number(k->to, data->v[n->size > 1 ? s.element : 0]);
    visit_parts(c, s.node, s.element, take_copy, k);
    cs_node *p = k->part.item;
    if (c->status)
        return 0;
    if (n->op == CS_OP_SCATTER || n->op == CS_OP_PRODUCT)
        return sum_parts(k);
    if (cs_ops[n->op].class == CS_OP_SHAPE)
        return p[0];
    if (cs_ops[n->op].class == CS_OP_REDUCE)
        return cs_graph_op1(k->to, (cs_op)n->op,
                            cs_graph_pack(k->to, p, k->part.n));
    return n->count == 1   ? cs_graph_op1(k->to, (cs_op)n->op, p[0])
           : n->count == 2 ? cs_graph_op2(k->to, (cs_op)n->op, p[0], p[1])
                           : cs_graph_op3(k->to, (cs_op)n->op, p[0], p[1], p[2]);
}

/* Everything that the terms of coordinate d are made of, in order. */
static void find_needed(locator *c, copier *k, uint32_t d)
{
    k->round = d + 1;
    k->needed.n = k->input.n = 0;
    uint32_t *own = push(c, &k->input, sizeof *own);
    if (own)
        *own = d;
    k->place[d] = 0;
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        spot s = ((spot *)c->terms.item)[term[i]];
        need(c, s.node, s.element, 1, k);
    }
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        spot s = ((spot *)k->needed.item)[i];
        visit_parts(c, s.node, s.element, need, k);
    }
    if (k->needed.n > 1)
        qsort(k->needed.item, k->needed.n, sizeof(spot), in_order);
}

static cs_node copy_terms(locator *c, copier *k, uint32_t d)
{
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        spot s = ((spot *)k->needed.item)[i];
        k->copy[index_of(c, s.node, s.element)] = copy_spot(c, k, s);
    }
    cs_node u = cs_graph_number(k->to, 0);
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        spot s = ((spot *)c->terms.item)[term[i]];
        cs_node t = cs_graph_op2(k->to, CS_OP_MUL,
                                 cs_graph_number(k->to, s.factor),
                                 k->copy[index_of(c, s.node, s.element)]);
        u = cs_graph_op2(k->to, CS_OP_ADD, u, t);
    }
    return u;
}

static void make_local(locator *c, copier *k, uint32_t d, cs_local *out,
                       cs_error *err)
{
    find_needed(c, k, d);
    if (c->status || k->needed.n > c->budget) {
        c->budget = 0;
        return;
    }
    c->budget -= k->needed.n;
    c->status = cs_graph_create(k->input.n, 1u << 30, &k->to, err);
    if (c->status)
        return;
    cs_node u = copy_terms(c, k, d);
    if (!c->status)
        c->status = k->to->status;
    if (!c->status)
        c->status = cs_program_compile(k->to, &u, 1, &out->program, err);
    cs_graph_destroy(k->to);
    if (c->status)
        return;
    out->n_input = k->input.n;
    out->input = cs_alloc(k->input.n, sizeof *out->input);
    if (out->input)
        memcpy(out->input, k->input.item, k->input.n * sizeof *out->input);
    else
        c->status = CS_MEMORY;
}

/* ---- all of it ----------------------------------------------------------- */

static void close_locator(locator *c)
{
    for (size_t d = 0; c->of && d < c->g->dim; d++)
        cs_free(c->of[d].item);
    cs_free(c->of);
    cs_free(c->start);
    cs_free(c->reads);
    cs_free(c->pool.item);
    cs_free(c->terms.item);
    cs_free(c->stack.item);
}

static bool open_locator(locator *c, size_t *elements)
{
    c->start = cs_alloc(c->g->n_nodes, sizeof *c->start);
    c->of = cs_alloc(c->g->dim, sizeof *c->of);
    *elements = 0;
    for (cs_node n = 1; c->start && n < c->g->n_nodes; n++) {
        c->start[n] = *elements;
        *elements += at(c, n)->size;
    }
    c->reads = cs_alloc(*elements, sizeof *c->reads);
    return c->start && c->of && c->reads;
}

static void make_all(locator *c, cs_node u, cs_locals *l, size_t elements,
                     cs_error *err)
{
    copier k = {.copy = cs_alloc(elements, sizeof *k.copy),
                .mark = cs_alloc(elements, sizeof *k.mark),
                .place = cs_alloc(l->dim, sizeof *k.place)};
    if (!k.copy || !k.mark || !k.place)
        c->status = CS_MEMORY;
    c->budget = elements * l->dim / 4;
    if (!c->status)
        find_all_reads(c);
    if (!c->status && c->budget)
        find_terms(c, u);
    for (uint32_t d = 0; d < l->dim && !c->status && c->budget; d++) {
        make_local(c, &k, d, &l->at[d], err);
        if (c->status || !l->at[d].program)
            break;
        if (l->at[d].n_input > l->most_inputs)
            l->most_inputs = l->at[d].n_input;
        if (l->at[d].program->slots > l->most_slots)
            l->most_slots = l->at[d].program->slots;
    }
    cs_free(k.copy);
    cs_free(k.mark);
    cs_free(k.place);
    cs_free(k.needed.item);
    cs_free(k.input.item);
    cs_free(k.part.item);
}

cs_status cs_locals_create(const cs_graph *g, cs_node u, cs_locals **out,
                           cs_error *err)
{
    locator c = {.g = g};
    size_t elements;
    cs_locals *l = cs_alloc(1, sizeof *l);
    *out = NULL;
    if (l)
        l->at = cs_alloc(g->dim, sizeof *l->at);
    if (l && l->at && open_locator(&c, &elements)) {
        l->dim = g->dim;
        make_all(&c, u, l, elements, err);
    } else
        c.status = CS_MEMORY;
    close_locator(&c);
    if (c.status || !c.budget) {
        cs_locals_destroy(l);
        return c.status ? cs_fail(err, c.status, "no memory for site terms")
                        : CS_OK;
    }
    *out = l;
    return CS_OK;
}

void cs_locals_destroy(cs_locals *l)
{
    if (!l)
        return;
    for (size_t d = 0; d < l->dim; d++) {
        cs_free(l->at[d].input);
        cs_program_destroy(l->at[d].program);
    }
    cs_free(l->at);
    cs_free(l);
}
