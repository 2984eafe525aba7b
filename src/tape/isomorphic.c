/* Finds numbers of an expression that have the same shape, because they are
 * computed by the same operations. */
#include "base/memory.h"
#include "expr/intern.h"
#include "tape/reroll.h"

#include <stdlib.h>

#define GROW(a, items, n, room, more)                                          \
    ((n) + (more) <= (room) || CS_EXTEND(items, n, room, more) ||              \
     ((a)->status = CS_MEMORY, false))

static const cs_graph_node *at(const cs_isomorphic *a, cs_node n)
{
    return &a->g->nodes[n];
}

static cs_node arg(const cs_isomorphic *a, cs_node n, size_t k)
{
    return a->g->args[a->g->nodes[n].first + k];
}

/* ---- sums ---------------------------------------------------------------- */

/* SCALED is a product whose argument 0 is a constant number; SCALED + 1 is a
 * product whose argument 1 is a constant number. */
enum { NOT_LINEAR, SUM, SCALED };

static unsigned char linearity(const cs_isomorphic *a, cs_node n)
{
    const cs_graph_node *k = at(a, n);
    double factor;
    if (k->size != 1)
        return NOT_LINEAR;
    if (k->op == CS_OP_ADD || k->op == CS_OP_SUB)
        return SUM;
    for (uint32_t i = 0; k->op == CS_OP_MUL && i < 2; i++)
        if (cs_graph_is_number(a->g, arg(a, n, i), &factor))
            return (unsigned char)(SCALED + i);
    return NOT_LINEAR;
}

/* Returns m if n = m * number; else 0. */
static cs_node scaled(const cs_isomorphic *a, cs_node n, double *factor)
{
    if (a->of[n].linear < SCALED)
        return 0;
    uint32_t k = a->of[n].linear - SCALED;
    cs_graph_is_number(a->g, arg(a, n, k), factor);
    return arg(a, n, 1 - k);
}

/* Finds the nodes that are fused into the only node that reads them. Every
 * reader of a node comes later in the order. A pass in reverse order therefore
 * knows all uses of each node that it visits. */
static void find_inner(cs_isomorphic *a, cs_node root)
{
    a->of[root].uses = 1;
    for (cs_node n = root; n > 0; n--) {
        const cs_graph_node *node = at(a, n);
        cs_isomorphic_node *of = &a->of[n];
        if (of->uses && node->op == CS_OP_DATA && node->size == 1)
            of->shape = a->number_shape;
        if (!of->uses || !node->count)
            continue;
        const cs_node *args = a->g->args + node->first;
        of->linear = linearity(a, n);
        of->inner |= of->linear && of->in_sum && of->uses == 1;
        for (uint32_t k = 0; k < node->count; k++) {
            a->of[args[k]].uses++;
            a->of[args[k]].in_sum |= of->linear != NOT_LINEAR;
        }
        const cs_graph_node *all = at(a, args[0]);
        if (node->op == CS_OP_LOG_SUM_EXP && all->op == CS_OP_PACK &&
            all->count == all->size && a->of[args[0]].uses == 1)
            a->of[args[0]].inner = true;
    }
}

static void push(cs_isomorphic *a, cs_node n, double factor)
{
    if (GROW(a, a->stack, a->n_stack, a->stack_capacity, 1))
        a->stack[a->n_stack++] =
            (cs_isomorphic_term){.factor = factor, .node = n};
}

static uint32_t key_of(const cs_isomorphic *a, cs_node n)
{
    return at(a, n)->op == CS_OP_SLICE ? at(a, n)->extra : n;
}

/* Adds one node to the sum: a term or a number, but not another sum. */
static void add_term(cs_isomorphic *a, cs_node n, double factor,
                     cs_isomorphic_sum *s)
{
    double f = 0;
    if (cs_graph_is_number(a->g, n, &f)) {
        s->start += factor * f;
    } else if (GROW(a, a->terms, a->n_terms, a->term_capacity, 1)) {
        a->terms[a->n_terms++] =
            (cs_isomorphic_term){factor, n, a->of[n].shape, key_of(a, n)};
        s->count++;
    }
}

/* Adds the terms of the sum y to s. Follows first arguments in a loop and puts
 * second arguments on the stack. */
static void add_terms(cs_isomorphic *a, cs_node y, cs_isomorphic_sum *s)
{
    push(a, y, 1);
    while (a->n_stack && !a->status) {
        cs_isomorphic_term t = a->stack[--a->n_stack];
        cs_node m;
        double f = 0;
        while (t.node == y || a->of[t.node].inner) {
            if ((m = scaled(a, t.node, &f))) {
                t.node = m;
                t.factor *= f;
                continue;
            }
            bool less = at(a, t.node)->op == CS_OP_SUB;
            push(a, arg(a, t.node, 1), less ? -t.factor : t.factor);
            t.node = arg(a, t.node, 0);
        }
        add_term(a, t.node, t.factor, s);
    }
}

static int in_order(const void *a, const void *b)
{
    const cs_isomorphic_term *p = a, *q = b;
    if (p->shape != q->shape)
        return p->shape < q->shape ? -1 : 1;
    return (p->key > q->key) - (p->key < q->key);
}

static void sort_terms(cs_isomorphic_term *t, size_t n)
{
    size_t sorted = 1;
    while (sorted < n && in_order(&t[sorted - 1], &t[sorted]) <= 0)
        sorted++;
    if (sorted < n)
        qsort(t, n, sizeof *t, in_order);
}

/* Returns the node for the shape of the sum y, and stores its terms. */
static cs_node sum_shape(cs_isomorphic *a, cs_node y)
{
    cs_isomorphic_sum s = {.first = (uint32_t)a->n_terms};
    add_terms(a, y, &s);
    if (a->status || !GROW(a, a->sums, a->n_sums, a->sum_capacity, 1) ||
        !GROW(a, a->part, 0, a->part_capacity, s.count + 1))
        return 0;
    sort_terms(a->terms + s.first, s.count);
    for (uint32_t i = 0; i < s.count; i++)
        a->part[i] = a->terms[s.first + i].shape;
    a->sums[a->n_sums++] = s;
    a->of[y].sum = (uint32_t)a->n_sums;
    return cs_graph_intern(
        a->shapes,
        (cs_graph_node){.op = CS_OP_PACK, .size = 1, .count = s.count},
        a->part);
}

/* ---- shapes -------------------------------------------------------------- */

/* If n is a log sum exp whose argument is a PACK that only n reads, returns
 * this PACK; otherwise returns 0. */
static cs_node own_pack(const cs_isomorphic *a, cs_node n)
{
    cs_node all = at(a, n)->op == CS_OP_LOG_SUM_EXP ? arg(a, n, 0) : 0;
    return all && at(a, n)->size == 1 && a->of[all].inner ? all : 0;
}

uint32_t cs_isomorphic_count(const cs_isomorphic *a, cs_node n)
{
    cs_node all = own_pack(a, n);
    return at(a, all ? all : n)->count;
}

cs_node cs_isomorphic_arg(const cs_isomorphic *a, cs_node n, uint32_t k)
{
    uint32_t op = at(a, n)->op;
    cs_node all = own_pack(a, n);
    if (all)
        return arg(a, all, k);
    if (op != CS_OP_MUL && op != CS_OP_EQ && op != CS_OP_IS)
        return arg(a, n, k);
    cs_node x = arg(a, n, 0), y = arg(a, n, 1);
    bool later = a->of[x].shape != a->of[y].shape
                     ? a->of[x].shape > a->of[y].shape
                     : key_of(a, x) > key_of(a, y);
    return later == (k == 0) ? y : x;
}

static cs_node leaf(cs_isomorphic *a, uint32_t op, uint32_t extra)
{
    return cs_graph_intern(
        a->shapes, (cs_graph_node){.op = op, .size = 1, .extra = extra}, NULL);
}

static cs_node shape_of(cs_isomorphic *a, cs_node n)
{
    const cs_graph_node *k = at(a, n);
    uint32_t count = cs_isomorphic_count(a, n);
    if (k->op == CS_OP_SLICE && k->size == 1)
        return leaf(a, CS_OP_SLICE, arg(a, n, 0));
    if (a->of[n].linear)
        return sum_shape(a, n);
    bool alike = cs_ops[k->op].class == CS_OP_MAP || k->op == CS_OP_PICK;
    if (!own_pack(a, n) && (k->size != 1 || !alike))
        return leaf(a, CS_OP_INPUT, n);
    if (!GROW(a, a->part, 0, a->part_capacity, count))
        return 0;
    for (uint32_t i = 0; i < count; i++)
        a->part[i] = a->of[cs_isomorphic_arg(a, n, i)].shape;
    return cs_graph_intern(
        a->shapes, (cs_graph_node){.op = k->op, .size = 1, .count = count},
        a->part);
}

static void find_shapes(cs_isomorphic *a, cs_node root)
{
    for (cs_node n = 1; n <= root && !a->status; n++) {
        cs_isomorphic_node *of = &a->of[n];
        if (!of->uses || of->inner || of->shape)
            continue;
        of->shape = shape_of(a, n);
        if (!cs_isomorphic_is_deferred(at(a, n)))
            a->list[a->n_list++] = n;
        if (a->shapes->status)
            a->status = a->shapes->status;
    }
}

/* ---- groups -------------------------------------------------------------- */

static bool is_leaf(const cs_isomorphic *a, cs_node shape)
{
    uint32_t op = a->shapes->nodes[shape].op;
    return op == CS_OP_DATA || op == CS_OP_SLICE || op == CS_OP_INPUT;
}

static uint32_t members(const cs_isomorphic *a, cs_node shape)
{
    return a->first[shape + 1] - a->first[shape];
}

static void sort_members(cs_isomorphic *a)
{
    for (size_t i = 0; i < a->n_list; i++) {
        cs_isomorphic_node *of = &a->of[a->list[i]];
        of->place = a->first[of->shape + 1]++;
    }
    for (size_t s = 1; s <= a->shapes->n_nodes; s++)
        a->first[s] += a->first[s - 1];
    for (size_t i = 0; i < a->n_list; i++) {
        const cs_isomorphic_node *of = &a->of[a->list[i]];
        a->member[a->first[of->shape] + of->place] = a->list[i];
    }
}

/* Marks the shapes whose members become a vector. If a shape is marked, the
 * shapes of the arguments of its members are marked too. A shape with only one
 * member is not marked. */
static void find_vectorised(cs_isomorphic *a)
{
    for (cs_node s = (cs_node)a->shapes->n_nodes - 1; s > 0; s--) {
        const cs_graph_node *k = &a->shapes->nodes[s];
        if (is_leaf(a, s))
            continue;
        if (members(a, s) >= CS_REROLL_LEAST)
            a->vectorised[s] = true;
        a->n_vectorised += a->vectorised[s];
        for (uint32_t i = 0; a->vectorised[s] && i < k->count; i++) {
            cs_node part = a->shapes->args[k->first + i];
            if (!is_leaf(a, part) && members(a, part) > 1)
                a->vectorised[part] = true;
        }
    }
}

static bool open(cs_isomorphic *a, cs_node root)
{
    size_t n = (size_t)root + 1;
    cs_error err;
    a->status = cs_graph_create(1, 2 * a->g->n_nodes + 2, &a->shapes, &err);
    if (!a->status)
        a->number_shape = leaf(a, CS_OP_DATA, 0);
    a->of = cs_alloc(n, sizeof *a->of);
    a->list = cs_alloc(n, sizeof *a->list);
    if (!a->number_shape || !a->of || !a->list ||
        !CS_EXTEND(a->terms, 0, a->term_capacity, n / 2))
        a->status = CS_MEMORY;
    return !a->status;
}

bool cs_isomorphic_find(cs_isomorphic *a, cs_node root)
{
    if (!open(a, root))
        return false;
    find_inner(a, root);
    find_shapes(a, root);
    if (a->status)
        return false;
    a->first = cs_alloc(a->shapes->n_nodes + 1, sizeof *a->first);
    a->member = cs_alloc(a->n_list, sizeof *a->member);
    a->vectorised = cs_alloc(a->shapes->n_nodes, sizeof *a->vectorised);
    if (!a->first || !a->member || !a->vectorised) {
        a->status = CS_MEMORY;
        return false;
    }
    sort_members(a);
    find_vectorised(a);
    return true;
}

void cs_isomorphic_free(cs_isomorphic *a)
{
    cs_graph_destroy(a->shapes);
    CS_FREE_ALL(a->of, a->list, a->first, a->member, a->vectorised, a->sums,
                a->terms, a->stack, a->part);
}
