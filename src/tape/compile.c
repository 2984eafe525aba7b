/* Compiles a graph to instructions.
 *
 * 1. Count the uses of each node that the roots need. 2. Fuse additions,
 * subtractions and products that only one sum uses into that sum: one
 * instruction, whose sum of products is kept in registers. 3. Translate each
 * remaining node, in order, to an instruction. The value of a node gets slots,
 * which become free after the last use. A part of a PACK is computed in the
 * slots of the PACK; a SLICE refers to the slots of another value. */
#include "tape/compile.h"

#include <assert.h>
#include <string.h>

/* ---- operands ------------------------------------------------------------ */

static uint32_t constant_at(cs_compiler *c, uint32_t number)
{
    const cs_constant *k = &c->g->constants[number];
    size_t n = k->rows * k->cols;
    cs_program *p = c->p;
    if (!CS_COMPILER_GROW(c, p->constants, p->n_constants, c->constant_capacity,
                          n))
        return 0;
    memcpy(p->constants + p->n_constants, k->v, n * sizeof *k->v);
    p->n_constants += n;
    return (uint32_t)(p->n_constants - n);
}

static cs_operand place(cs_operand_kind kind, uint32_t at)
{
    return (cs_operand){kind & 3u, at & 0x3fffffffu};
}

static cs_operand operand(cs_compiler *c, cs_node n)
{
    bool one = at(c, n)->size == 1;
    uint32_t first;
    if (cs_compiler_is_input(c, n, &first) && first < c->p->numbers)
        return place(one ? CS_FROM_NUMBER : CS_FROM_VECTOR, first);
    if (at(c, n)->op != CS_OP_DATA)
        return place(one ? CS_FROM_ROW : CS_FROM_ROWS,
                     cs_compiler_slot_of(c, n));
    cs_node_info *f = &c->info[n];
    if (!f->constant)
        f->constant = 1 + constant_at(c, at(c, n)->extra);
    return place(one ? CS_FROM_NUMBER : CS_FROM_VECTOR, f->constant - 1);
}

/* ---- sums ---------------------------------------------------------------- */

static void push(cs_compiler *c, cs_node n, double factor)
{
    if (CS_COMPILER_GROW(c, c->stack, c->n_stack, c->stack_capacity, 1))
        c->stack[c->n_stack++] = (cs_pending){n, factor};
}

static void add_term(cs_compiler *c, cs_term t)
{
    cs_program *p = c->p;
    if (CS_COMPILER_GROW(c, p->terms, p->n_terms, c->term_capacity, 1))
        p->terms[p->n_terms++] = t;
}

static void add_pair(cs_compiler *c, cs_term t)
{
    if (CS_COMPILER_GROW(c, c->pairs.term, c->pairs.n, c->pairs.capacity, 1))
        c->pairs.term[c->pairs.n++] = t;
}

static bool is_constant(cs_operand o)
{
    return o.kind >= CS_FROM_VECTOR;
}

/* Multiplies *factor by the constant factors of n. Returns the node without
 * these factors. */
static cs_node strip_factor(const cs_compiler *c, cs_node n, double *factor)
{
    double f;
    for (cs_node m; c->info[n].fused && (m = cs_compiler_scaled(c, n, &f));
         n = m)
        *factor *= f;
    return n;
}

static void emit(cs_compiler *c, cs_instruction i)
{
    if (CS_COMPILER_GROW(c, c->p->code, c->p->n_code, c->code_capacity, 1))
        c->p->code[c->p->n_code++] = i;
}

/* Emits an instruction that adds the elements of the SPREAD n to the totals of
 * the sum over rows i. */
static void spread(cs_compiler *c, cs_node n, double factor,
                   const cs_instruction *i)
{
    cs_operand a = operand(c, arg(c, n, 0)), by = operand(c, arg(c, n, 1));
    emit(c, (cs_instruction){.op = CS_CODE_SPREAD,
                             .size = i->size,
                             .out = i->out,
                             .elements = at(c, arg(c, n, 0))->size,
                             .a = a,
                             .b = by,
                             .start = factor,
                             .node = i->node,
                             .line = i->line});
}

/* Adds an item to the sum of instruction i. If `apart` is true, the item is a
 * fused node or the sum itself, and its parts are added instead. Otherwise the
 * item becomes one term. */
static void item(cs_compiler *c, cs_node n, double factor, bool apart,
                 cs_instruction *i)
{
    double f = 1;
    uint32_t op = at(c, n)->op;
    cs_node m;
    if (apart && is_sum(op)) {
        push(c, arg(c, n, 1), op == CS_OP_SUB ? -factor : factor);
        push(c, arg(c, n, 0), factor);
    } else if (apart && (m = cs_compiler_scaled(c, n, &f)))
        push(c, m, factor * f);
    else if (apart && op == CS_OP_MUL) {
        cs_node a = strip_factor(c, arg(c, n, 0), &factor);
        cs_node b = strip_factor(c, arg(c, n, 1), &factor);
        cs_operand first = operand(c, a), second = operand(c, b);
        add_pair(c, (cs_term){factor, first, second});
        i->constants |= is_constant(first) || is_constant(second);
    } else if (number(c, n, &f))
        i->start += factor * f * i->elements;
    else if (apart && op == CS_OP_SPREAD)
        spread(c, n, factor, i);
    else {
        cs_operand a = operand(c, n);
        add_term(c, (cs_term){.factor = factor, .a = a});
        i->constants |= is_constant(a);
    }
}

static bool is_flat(const cs_compiler *c, const cs_instruction *i)
{
    for (uint32_t k = 0; k < i->count; k++) {
        const cs_term *t = &c->p->terms[i->first + k];
        if (t->a.kind != CS_FROM_ROWS ||
            (k >= i->plain && t->b.kind != CS_FROM_ROWS))
            return false;
    }
    return true;
}

static void sum(cs_compiler *c, cs_node y, cs_instruction *i)
{
    bool total = at(c, y)->op == CS_OP_SUM;
    bool collect = at(c, y)->op == CS_OP_COLLECT;
    cs_node of = total || collect ? arg(c, y, 0) : y;
    i->op = total ? CS_CODE_TOTAL : collect ? CS_CODE_COLLECT : CS_CODE_SUM;
    i->elements = total ? at(c, of)->size : 1;
    i->first = (uint32_t)c->p->n_terms;
    push(c, of, 1);
    while (c->n_stack && !c->status) {
        cs_pending next = c->stack[--c->n_stack];
        bool apart = c->info[next.node].fused || next.node == y;
        item(c, next.node, next.factor, apart, i);
    }
    i->plain = (uint32_t)c->p->n_terms - i->first;
    i->count = i->plain + (uint32_t)c->pairs.n;
    for (size_t k = 0; k < c->pairs.n; k++)
        add_term(c, c->pairs.term[k]);
    c->pairs.n = 0;
    i->flat = !c->status && is_flat(c, i);
}

/* ---- instructions -------------------------------------------------------- */

static void copy(cs_compiler *c, cs_node n, uint32_t to)
{
    cs_operand a = operand(c, n);
    emit(c, (cs_instruction){.op = CS_CODE_COPY,
                             .size = at(c, n)->size,
                             .elements = 1,
                             .out = to,
                             .a = a,
                             .node = n,
                             .line = at(c, n)->line});
}

/* Copies the parts of the PACK y to its slots. Skips parts that were computed
 * in these slots. */
static void pack(cs_compiler *c, cs_node y)
{
    uint32_t offset = 0, out = cs_compiler_slot_of(c, y);
    for (uint32_t i = 0; i < at(c, y)->count; i++) {
        cs_node n = arg(c, y, i);
        if (c->info[n].home != y || c->info[n].offset != offset)
            copy(c, n, out + offset);
        offset += at(c, n)->size;
    }
}

/* Returns the index of a sum over rows in the totals. */
static uint32_t total_of(cs_compiler *c, cs_node y)
{
    c->info[y].placed = true;
    c->info[y].slot = (uint32_t)c->p->totals;
    c->p->totals += at(c, y)->size;
    return c->info[y].slot;
}

static void instruction(cs_compiler *c, cs_node y)
{
    const cs_graph_node *n = at(c, y);
    cs_instruction i = {.op = n->op,
                        .size = n->size,
                        .elements = 1,
                        .node = y,
                        .line = n->line};
    i.out = n->op == CS_OP_COLLECT ? total_of(c, y) : cs_compiler_slot_of(c, y);
    if (is_sum(n->op) || n->op == CS_OP_MUL || n->op == CS_OP_SUM ||
        n->op == CS_OP_COLLECT) {
        sum(c, y, &i);
        if (i.count || i.start != 0 || n->op != CS_OP_COLLECT)
            emit(c, i);
        return;
    }
    cs_operand *to[3] = {&i.a, &i.b, &i.c};
    for (uint32_t k = 0; k < n->count; k++)
        *to[k] = operand(c, arg(c, y, k));
    if (cs_ops[n->op].class != CS_OP_MAP) {
        i.elements = at(c, arg(c, y, 0))->size;
        if (cs_op_has_constant((cs_op)n->op))
            *to[n->count] = place(CS_FROM_VECTOR, constant_at(c, n->extra));
        else
            i.second = n->extra;
        if (n->op == CS_OP_BILINEAR)
            i.count = (uint32_t)c->g->constants[n->extra].rows;
    }
    emit(c, i);
}

static bool is_first_twin(uint32_t op)
{
    return op == CS_OP_SOFTPLUS || op == CS_OP_LOG_SUM_EXP;
}

/* Compiles both nodes of a pair of twins (see cs_compiler_find_twins) when the
 * first of them is reached. */
static void twins(cs_compiler *c, cs_node y)
{
    cs_node twin = c->info[y].twin, a = arg(c, y, 0);
    bool is_first = is_first_twin(at(c, y)->op);
    cs_node first = is_first ? y : twin, second = is_first ? twin : y;
    bool sum = at(c, first)->op == CS_OP_LOG_SUM_EXP;
    cs_instruction i = {.op = sum ? CS_CODE_LOG_SUM_EXP : CS_CODE_LOGISTIC,
                        .size = at(c, first)->size,
                        .elements = sum ? at(c, a)->size : 1,
                        .node = y,
                        .line = at(c, y)->line};
    i.a = operand(c, a);
    i.out = cs_compiler_slot_of(c, first);
    i.second = cs_compiler_slot_of(c, second);
    c->info[twin].done = true;
    emit(c, i);
}

static void node(cs_compiler *c, cs_node y)
{
    uint32_t op = at(c, y)->op;
    if (!c->info[y].uses || c->info[y].fused)
        return;
    if (op == CS_OP_PACK)
        pack(c, y);
    else if (c->info[y].twin && !c->info[y].done)
        twins(c, y);
    else if (!c->info[y].done && op != CS_OP_INPUT && op != CS_OP_DATA &&
             op != CS_OP_SLICE)
        instruction(c, y);
    cs_compiler_expire(c, y);
}

/* Finds the slots of the roots. A root that is a constant, or an input that is
 * not in slots, is copied to new slots. */
static void find_roots(cs_compiler *c, const cs_node *roots, size_t n)
{
    uint32_t first;
    for (size_t i = 0; i < n && !c->status; i++) {
        c->p->root_size[i] = at(c, roots[i])->size;
        if (at(c, roots[i])->op == CS_OP_DATA ||
            (c->p->apart && cs_compiler_is_input(c, roots[i], &first))) {
            c->p->root[i] = (uint32_t)c->p->slots;
            c->p->slots += at(c, roots[i])->size;
            copy(c, roots[i], c->p->root[i]);
        } else
            c->p->root[i] = cs_compiler_slot_of(c, roots[i]);
    }
}

/* Returns true if the roots after the first need the instruction. A softplus
 * instruction computes the softplus and the sigmoid of its argument. If these
 * roots need only the sigmoid, replaces the instruction by one that computes
 * only the sigmoid. */
static bool is_of_rest(const cs_compiler *c, cs_instruction *i)
{
    cs_node twin = c->info[i->node].twin;
    if (i->op == CS_CODE_LOG_SUM_EXP)
        return c->info[i->node].rest || c->info[twin].rest;
    if (i->op != CS_CODE_LOGISTIC)
        return c->info[i->node].rest;
    bool first = at(c, i->node)->op == CS_OP_SOFTPLUS;
    cs_node softplus = first ? i->node : twin, sigmoid = first ? twin : i->node;
    if (!c->info[softplus].rest) {
        i->op = CS_CODE_LOGISTIC_SIGMOID;
        i->out = i->second;
    }
    return c->info[softplus].rest || c->info[sigmoid].rest;
}

static void copy_rest(cs_compiler *c)
{
    cs_program *p = c->p;
    p->rest = cs_alloc(p->n_code, sizeof *p->rest);
    if (!p->rest) {
        c->status = CS_MEMORY;
        return;
    }
    for (size_t k = 0; k < p->n_code; k++) {
        cs_instruction i = p->code[k];
        if (is_of_rest(c, &i))
            p->rest[p->n_rest++] = i;
    }
}

/* Counts the instructions that compute the first root. Sets the count only if
 * none of these instructions follows a sum over rows. */
static void find_before(cs_program *p)
{
    size_t before = 0;
    while (before < p->n_code && !cs_instruction_collects(&p->code[before]))
        before++;
    for (size_t k = before; k < p->n_code; k++) {
        const cs_instruction *i = &p->code[k];
        bool two = cs_instruction_is_double(i);
        if (!cs_instruction_collects(i) &&
            (i->out == p->root[0] || (two && i->second == p->root[0])))
            return;
    }
    p->n_before = before;
}

static void compile(cs_compiler *c, const cs_node *roots, size_t n)
{
    cs_compiler_count_uses(c, roots, n);
    cs_compiler_find_rest(c, roots, n);
    cs_compiler_fuse(c);
    if (!cs_compiler_find_twins(c))
        return;
    cs_compiler_find_homes(c);
    cs_compiler_find_last_uses(c, roots, n);
    c->p->slots = c->p->dim;
    for (cs_node y = 1; y < c->g->n_nodes && !c->status; y++)
        node(c, y);
    find_roots(c, roots, n);
    if (n > 1 && !c->status) {
        copy_rest(c);
        find_before(c->p);
    }
}

static void release(cs_compiler *c)
{
    for (size_t i = 0; i < c->n_pools; i++)
        cs_free(c->pools[i].slot);
    CS_FREE_ALL(c->pools, c->pool_of, c->info, c->expires, c->stack,
                c->pairs.term);
}

static cs_status build(const cs_graph *g, bool apart, size_t numbers,
                       const cs_node *roots, size_t n, cs_program **out,
                       cs_error *err)
{
    if (g->status)
        return cs_fail(err, g->status, "the expression is invalid");
    cs_compiler c = {.g = g, .p = cs_alloc(1, sizeof *c.p)};
    c.info = cs_alloc(g->n_nodes, sizeof *c.info);
    c.expires = cs_alloc(g->n_nodes + 1, sizeof *c.expires);
    if (c.p) {
        c.p->dim = g->dim - numbers;
        c.p->apart = apart;
        c.p->numbers = c.p->n_constants = numbers;
        c.p->constants = cs_alloc(numbers, sizeof *c.p->constants);
        c.constant_capacity = numbers;
        c.p->n_roots = n;
        c.p->root = cs_alloc(n, sizeof *c.p->root);
        c.p->root_size = cs_alloc(n, sizeof *c.p->root_size);
    }
    for (size_t i = 0; c.p && i < g->odes.n; i++)
        if (!cs_odes_add(&c.p->odes, g->odes.ode[i]))
            c.status = CS_MEMORY;
    if (!c.status && c.p && c.info && c.expires && c.p->root &&
        c.p->root_size && c.p->constants)
        compile(&c, roots, n);
    else
        c.status = CS_MEMORY;
    release(&c);
    if (c.status) {
        cs_program_destroy(c.p);
        return cs_fail(err, c.status,
                       "out of memory for a compiled expression");
    }
    *out = c.p;
    return CS_OK;
}

cs_status cs_program_compile(const cs_graph *g, const cs_node *roots, size_t n,
                             cs_program **out, cs_error *err)
{
    assert(roots || n == 0);
    return build(g, false, 0, roots, n, out, err);
}

cs_status cs_program_compile_rows(const cs_graph *g, size_t numbers,
                                  const cs_node *roots, size_t n,
                                  cs_program **out, cs_error *err)
{
    assert(roots || n == 0);
    return build(g, true, numbers, roots, n, out, err);
}

void cs_program_destroy(cs_program *p)
{
    if (!p)
        return;
    cs_odes_free(&p->odes);
    CS_FREE_ALL(p->code, p->rest, p->terms, p->constants, p->root, p->root_size,
                p);
}
