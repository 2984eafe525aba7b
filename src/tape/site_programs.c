/* Site programs are created in three steps. 1. Expand the density into terms:
 * elements that are not sums themselves. 2. Find the coordinates that each
 * element depends on, once for every element. 3. For each coordinate, copy its
 * terms, element by element, into a separate graph, and compile the graph. */
#include "tape/site_programs.h"

#include "base/memory.h"
#include "tape/program_cache.h"
#include "tape/sparsity.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const cs_graph_node *at(const cs_sparsity *c, cs_node n)
{
    return cs_graph_at(c->g, n);
}

/* ---- copies -------------------------------------------------------------- */

/* The graph of one coordinate under construction. Needed elements are marked
 * with the index of the coordinate, so the marks need not be cleared. */
typedef struct copier {
    cs_graph *to;
    cs_list needed; /* all elements that the terms use */
    cs_node *copy;  /* [elements] the copy of each element in `to` */
    uint32_t *mark; /* [elements] 1 + the last coordinate whose terms need the
                     * element */
    uint32_t round;
    cs_list input;   /* the coordinates that the graph reads, as uint32_t; the
                      * first is the coordinate for which the graph is made */
    uint32_t *place; /* [dim] index of a coordinate in `input` */
    cs_list part;    /* arguments of an element, as cs_node */
    cs_program_cache share;
} copier;

static size_t index_of(const cs_sparsity *c, cs_node n, uint32_t e)
{
    return c->start[n] + e;
}

static void need(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                 void *more)
{
    copier *k = more;
    size_t at_element = index_of(c, n, e);
    (void)factor;
    if (k->mark[at_element] == k->round)
        return;
    k->mark[at_element] = k->round;
    cs_element *to = cs_sparsity_push(c, &k->needed, sizeof *to);
    if (to)
        *to = (cs_element){n, e, 1};
    if (at(c, n)->op != CS_OP_INPUT || e == k->round - 1)
        return;
    uint32_t *input = cs_sparsity_push(c, &k->input, sizeof *input);
    if (input) {
        *input = e;
        k->place[e] = (uint32_t)k->input.n - 1;
    }
}

static int in_order(const void *a, const void *b)
{
    const cs_element *p = a, *q = b;
    return p->node != q->node
               ? (p->node < q->node ? -1 : 1)
               : (p->element > q->element) - (p->element < q->element);
}

static void take_copy(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                      void *more)
{
    copier *k = more;
    cs_node *to = cs_sparsity_push(c, &k->part, sizeof *to);
    if (!to)
        return;
    *to = k->copy[index_of(c, n, e)];
    if (factor != 1)
        *to =
            cs_graph_op2(k->to, CS_OP_MUL, cs_graph_number(k->to, factor), *to);
}

static cs_node sum_parts(copier *k)
{
    cs_node *part = k->part.item, sum = cs_graph_number(k->to, 0);
    for (size_t i = 0; i < k->part.n; i++)
        sum = cs_graph_op2(k->to, CS_OP_ADD, sum, part[i]);
    return sum;
}

/* Returns part[0] part[1] + part[2] part[3] + ... */
static cs_node sum_pairs(copier *k)
{
    cs_node *part = k->part.item, sum = cs_graph_number(k->to, 0);
    for (size_t i = 0; i + 1 < k->part.n; i += 2)
        sum =
            cs_graph_op2(k->to, CS_OP_ADD, sum,
                         cs_graph_op2(k->to, CS_OP_MUL, part[i], part[i + 1]));
    return sum;
}

static cs_node copy_element(cs_sparsity *c, copier *k, cs_element s)
{
    const cs_graph_node *n = at(c, s.node);
    const cs_constant *data =
        cs_op_has_constant((cs_op)n->op) ? &c->g->constants[n->extra] : NULL;
    k->part.n = 0;
    if (n->op == CS_OP_INPUT)
        return cs_graph_slice(k->to, cs_graph_input(k->to), k->place[s.element],
                              1);
    if (n->op == CS_OP_DATA)
        return cs_graph_number(k->to, data->v[n->size > 1 ? s.element : 0]);
    cs_sparsity_visit(c, s.node, s.element, take_copy, k);
    cs_node *p = k->part.item;
    if (c->status)
        return 0;
    if (n->op == CS_OP_SCATTER || n->op == CS_OP_PRODUCT ||
        n->op == CS_OP_CUMULATE)
        return sum_parts(k);
    if (n->op == CS_OP_BILINEAR)
        return sum_pairs(k);
    if (n->op == CS_OP_PICK)
        return cs_graph_pick(k->to, cs_graph_pack(k->to, p + 1, k->part.n - 1),
                             p[0]);
    if (cs_ops[n->op].class == CS_OP_SHAPE)
        return p[0];
    if (cs_ops[n->op].class == CS_OP_REDUCE)
        return cs_graph_op1(k->to, (cs_op)n->op,
                            cs_graph_pack(k->to, p, k->part.n));
    return n->count == 1 ? cs_graph_op1(k->to, (cs_op)n->op, p[0])
           : n->count == 2
               ? cs_graph_op2(k->to, (cs_op)n->op, p[0], p[1])
               : cs_graph_op3(k->to, (cs_op)n->op, p[0], p[1], p[2]);
}

/* Lists all elements that the terms of coordinate d use, in order. */
static void find_needed(cs_sparsity *c, copier *k, uint32_t d)
{
    k->round = d + 1;
    k->needed.n = k->input.n = 0;
    uint32_t *own = cs_sparsity_push(c, &k->input, sizeof *own);
    if (own)
        *own = d;
    k->place[d] = 0;
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        cs_element s = ((cs_element *)c->terms.item)[term[i]];
        need(c, s.node, s.element, 1, k);
    }
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        cs_element s = ((cs_element *)k->needed.item)[i];
        cs_sparsity_visit(c, s.node, s.element, need, k);
    }
    if (k->needed.n > 1)
        qsort(k->needed.item, k->needed.n, sizeof(cs_element), in_order);
}

static cs_node copy_terms(cs_sparsity *c, copier *k, uint32_t d)
{
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        cs_element s = ((cs_element *)k->needed.item)[i];
        k->copy[index_of(c, s.node, s.element)] = copy_element(c, k, s);
    }
    cs_node root = cs_graph_number(k->to, 0);
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        cs_element s = ((cs_element *)c->terms.item)[term[i]];
        cs_node t =
            cs_graph_op2(k->to, CS_OP_MUL, cs_graph_number(k->to, s.factor),
                         k->copy[index_of(c, s.node, s.element)]);
        root = cs_graph_op2(k->to, CS_OP_ADD, root, t);
    }
    return root;
}

static void make_site_program(cs_sparsity *c, copier *k, uint32_t d,
                              cs_site_program *out, cs_error *err)
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
    cs_node root = copy_terms(c, k, d);
    if (!c->status)
        c->status = k->to->status;
    if (c->status)
        cs_graph_destroy(k->to);
    else
        c->status = cs_program_cache_compile(&k->share, k->to, root,
                                             &out->program, err);
    if (c->status)
        return;
    out->n_input = k->input.n;
    out->input = cs_alloc(k->input.n, sizeof *out->input);
    if (out->input)
        memcpy(out->input, k->input.item, k->input.n * sizeof *out->input);
    else
        c->status = CS_MEMORY;
}

/* ---- all coordinates ----------------------------------------------------- */

static void make_all(cs_sparsity *c, cs_node root, cs_site_programs *l,
                     size_t elements, cs_error *err)
{
    copier k = {.copy = cs_alloc(elements, sizeof *k.copy),
                .mark = cs_alloc(elements, sizeof *k.mark),
                .place = cs_alloc(l->dim, sizeof *k.place)};
    if (!k.copy || !k.mark || !k.place)
        c->status = CS_MEMORY;
    c->budget = elements * l->dim / 4;
    if (!c->status)
        cs_sparsity_find_terms(c, root);
    if (!c->status)
        cs_sparsity_find_reads(c);
    for (uint32_t d = 0; d < l->dim && !c->status && c->budget; d++) {
        if (c->g->n_ranges && !cs_graph_range_of(c->g, d))
            continue;
        l->n_sites++;
        make_site_program(c, &k, d, &l->at[d], err);
        if (c->status || !l->at[d].program)
            break;
        if (l->at[d].n_input > l->max_inputs)
            l->max_inputs = l->at[d].n_input;
        if (l->at[d].program->slots > l->max_slots)
            l->max_slots = l->at[d].program->slots;
    }
    bool whole = !c->status && c->budget;
    cs_program_cache_end(&k.share, whole ? &l->programs : NULL, &l->n_programs);
    if (whole && !l->programs)
        c->status = CS_MEMORY;
    CS_FREE_ALL(k.copy, k.mark, k.place, k.needed.item, k.input.item,
                k.part.item);
}

cs_status cs_site_programs_create(const cs_graph *g, cs_node root,
                                  cs_site_programs **out, cs_error *err)
{
    assert(root && cs_graph_size(g, root) == 1);
    cs_sparsity c = {.g = g};
    size_t elements;
    cs_site_programs *l = cs_alloc(1, sizeof *l);
    *out = NULL;
    if (l)
        l->at = cs_alloc(g->dim, sizeof *l->at);
    if (l && l->at && cs_sparsity_open(&c, &elements)) {
        l->dim = g->dim;
        make_all(&c, root, l, elements, err);
    } else
        c.status = CS_MEMORY;
    cs_sparsity_free(&c);
    if (c.status || !c.budget) {
        cs_site_programs_destroy(l);
        return c.status ? cs_fail(err, c.status, "out of memory for site terms")
                        : CS_OK;
    }
    *out = l;
    return CS_OK;
}

void cs_site_programs_destroy(cs_site_programs *l)
{
    if (!l)
        return;
    for (size_t d = 0; d < l->dim; d++)
        cs_free(l->at[d].input);
    for (size_t i = 0; i < l->n_programs; i++)
        cs_program_destroy(l->programs[i]);
    CS_FREE_ALL(l->programs, l->at, l);
}
