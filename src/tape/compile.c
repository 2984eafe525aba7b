/* From a graph to instructions.
 *
 * 1. Count the uses of each node that the roots need.
 * 2. Additions, subtractions and products that only one sum uses melt into
 *    it: one instruction whose sum of products stays in registers.
 * 3. In order, each node that is left becomes an instruction. Its value gets
 *    slots, which are free again after the last use. A part of a PACK is
 *    computed where the whole will be; a SLICE is a place in another value. */
#include "base/memory.h"
#include "tape/program.h"

#include <string.h>

/* What is known of a node while compiling. */
typedef struct fate {
    uint32_t uses;   /* by needed nodes and roots */
    uint32_t last;   /* the last node that reads it, or what lives in it */
    uint32_t slot;   /* of an owner of slots, when `placed` */
    uint32_t offset; /* in its home */
    cs_node home;    /* the value whose slots it shares, 0: its own */
    cs_node reader;  /* of a melted node: the sum it is part of */
    uint32_t next;   /* the next owner with the same `last` */
    uint32_t constant; /* 1 + its place in the pool */
    cs_node twin;      /* softplus and sigmoid of one argument, one the other */
    bool melted, factor, placed, done; /* factor: of a product in a sum */
} fate;

/* Free slots of one size. */
typedef struct pool {
    uint32_t size, *slot;
    size_t n, room;
} pool;

typedef struct pending {
    cs_node node;
    double factor;
} pending;

/* The pairs of the sum at hand; they follow its plain terms. */
typedef struct pairs {
    cs_term *term;
    size_t n, room;
} pairs;

typedef struct compiler {
    const cs_graph *g;
    cs_program *p;
    fate *fate;        /* [n_nodes] */
    uint32_t *expires; /* [n_nodes] the first owner whose last use it is */
    pool *pools;
    size_t n_pools, room_pools;
    pending *stack;
    size_t n_stack, room_stack;
    pairs pairs;
    size_t room_code, room_terms, room_constants;
    cs_status status;
} compiler;

/* Makes room for `more` items; what was there stays. */
static bool grow(compiler *c, void **items, size_t n, size_t *room, size_t more,
                 size_t size)
{
    if (n + more <= *room)
        return true;
    size_t want = *room ? *room : 16;
    while (want < n + more)
        want *= 2;
    void *p = cs_resize(*items, *room * size, want * size);
    if (!p) {
        c->status = CS_MEMORY;
        return false;
    }
    *items = p;
    *room = want;
    return true;
}

#define GROW(c, items, n, room, more)                                          \
    grow(c, (void **)&(items), n, &(room), more, sizeof *(items))

static const cs_graph_node *at(const compiler *c, cs_node n)
{
    return cs_graph_at(c->g, n);
}

static cs_node arg(const compiler *c, cs_node n, size_t i)
{
    return cs_graph_arg(c->g, n, i);
}

static bool number(const compiler *c, cs_node n, double *v)
{
    return cs_graph_is_number(c->g, n, v);
}

/* ---- what is needed, and what melts -------------------------------------- */

static void count_uses(compiler *c, const cs_node *roots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->fate[roots[i]].uses++;
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--)
        if (c->fate[y].uses)
            for (uint32_t i = 0; i < at(c, y)->count; i++)
                c->fate[arg(c, y, i)].uses++;
}

/* n = m * number or m / number; else 0. */
static cs_node scaled(const compiler *c, cs_node n, double *factor)
{
    uint32_t op = at(c, n)->op;
    double v;
    if (op == CS_OP_MUL && number(c, arg(c, n, 0), &v))
        *factor = v;
    else if (op == CS_OP_MUL && number(c, arg(c, n, 1), &v)) {
        *factor = v;
        return arg(c, n, 0);
    } else if (op == CS_OP_DIV && number(c, arg(c, n, 1), &v)) {
        *factor = 1 / v;
        return arg(c, n, 0);
    } else
        return 0;
    return arg(c, n, 1);
}

static bool is_sum(uint32_t op)
{
    return op == CS_OP_ADD || op == CS_OP_SUB;
}

/* A product of two values, neither of them a number. */
static bool is_product(const compiler *c, cs_node n)
{
    double factor;
    return at(c, n)->op == CS_OP_MUL && !scaled(c, n, &factor);
}

/* Whether n, read by the sum y alone, can be part of it. */
static bool melts(const compiler *c, cs_node n, cs_node y)
{
    double factor;
    uint32_t op = at(c, n)->op, by = at(c, y)->op;
    if (c->fate[n].uses != 1)
        return false;
    bool scale = scaled(c, n, &factor);
    if (c->fate[y].factor)
        return scale;
    if (by == CS_OP_SUM)
        return is_sum(op) || op == CS_OP_MUL || scale;
    if (at(c, n)->size != at(c, y)->size)
        return false;
    if (is_sum(by) || scaled(c, y, &factor))
        return is_sum(op) || op == CS_OP_MUL || scale;
    return is_product(c, y) && scale; /* its factor goes to the product's */
}

static void melt(compiler *c)
{
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--) {
        if (!c->fate[y].uses)
            continue;
        if (!c->fate[y].melted)
            c->fate[y].reader = y;
        for (uint32_t i = 0; i < at(c, y)->count; i++) {
            cs_node n = arg(c, y, i);
            if (!melts(c, n, y))
                continue;
            c->fate[n].melted = true;
            c->fate[n].factor = c->fate[y].factor || is_product(c, y);
            c->fate[n].reader = c->fate[y].reader;
        }
    }
}

/* Softplus and sigmoid of one argument, as a value and its gradient need them,
 * share an exponential. */
static bool find_twins(compiler *c)
{
    cs_node *sigmoid = cs_alloc(c->g->n_nodes, sizeof *sigmoid);
    if (!sigmoid) {
        c->status = CS_MEMORY;
        return false;
    }
    for (cs_node n = 1; n < c->g->n_nodes; n++)
        if (c->fate[n].uses && at(c, n)->op == CS_OP_SIGMOID)
            sigmoid[arg(c, n, 0)] = n;
    for (cs_node n = 1; n < c->g->n_nodes; n++) {
        if (!c->fate[n].uses || at(c, n)->op != CS_OP_SOFTPLUS)
            continue;
        cs_node twin = sigmoid[arg(c, n, 0)];
        c->fate[n].twin = twin;
        if (twin)
            c->fate[twin].twin = n;
    }
    cs_free(sigmoid);
    return true;
}

/* ---- places -------------------------------------------------------------- */

/* Values that share the slots of another: slices, and parts of a PACK. */
static void find_homes(compiler *c)
{
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--) {
        fate *f = &c->fate[y];
        if (!f->uses || f->melted)
            continue;
        uint32_t offset = 0, op = at(c, y)->op;
        if (op == CS_OP_SLICE) {
            f->home = arg(c, y, 0);
            f->offset = at(c, y)->extra;
        }
        if (op != CS_OP_PACK)
            continue;
        for (uint32_t i = 0; i < at(c, y)->count; i++) {
            cs_node n = arg(c, y, i);
            uint32_t part = at(c, n)->op;
            if (!c->fate[n].home && part != CS_OP_INPUT &&
                part != CS_OP_DATA && part != CS_OP_SLICE) {
                c->fate[n].home = y;
                c->fate[n].offset = offset;
            }
            offset += at(c, n)->size;
        }
    }
}

static cs_node owner(const compiler *c, cs_node n, uint32_t *offset)
{
    for (*offset = 0; c->fate[n].home; n = c->fate[n].home)
        *offset += c->fate[n].offset;
    return n;
}

/* The last reader of each owner of slots, and lists of who expires where. */
static void find_last_uses(compiler *c, const cs_node *roots, size_t n)
{
    uint32_t offset, end = (uint32_t)c->g->n_nodes;
    for (cs_node y = 1; y < end; y++) {
        if (!c->fate[y].uses)
            continue;
        cs_node reader = c->fate[y].reader;
        cs_node self = owner(c, y, &offset);
        if (c->fate[self].last < reader)
            c->fate[self].last = reader;
        for (uint32_t i = 0; i < at(c, y)->count; i++) {
            cs_node o = owner(c, arg(c, y, i), &offset);
            if (c->fate[o].last < reader)
                c->fate[o].last = reader;
        }
    }
    for (size_t i = 0; i < n; i++)
        c->fate[owner(c, roots[i], &offset)].last = end;
    for (cs_node y = 2; y < end; y++) {
        fate *f = &c->fate[y];
        if (!f->uses || f->home || f->melted || f->last >= end)
            continue;
        f->next = c->expires[f->last];
        c->expires[f->last] = y;
    }
}

static pool *pool_of(compiler *c, uint32_t size)
{
    for (size_t i = 0; i < c->n_pools; i++)
        if (c->pools[i].size == size)
            return &c->pools[i];
    if (!GROW(c, c->pools, c->n_pools, c->room_pools, 1))
        return NULL;
    c->pools[c->n_pools] = (pool){.size = size};
    return &c->pools[c->n_pools++];
}

/* The slot of a value; gives it some if it has none yet. */
static uint32_t slot_of(compiler *c, cs_node n)
{
    uint32_t offset;
    cs_node o = owner(c, n, &offset);
    fate *f = &c->fate[o];
    if (at(c, o)->op == CS_OP_INPUT)
        return offset;
    if (!f->placed) {
        pool *p = pool_of(c, at(c, o)->size);
        if (!p)
            return 0;
        f->placed = true;
        if (p->n)
            f->slot = p->slot[--p->n];
        else {
            f->slot = (uint32_t)c->p->slots;
            c->p->slots += at(c, o)->size;
        }
    }
    return f->slot + offset;
}

static void expire(compiler *c, cs_node y)
{
    for (cs_node n = c->expires[y]; n; n = c->fate[n].next) {
        if (!c->fate[n].placed)
            continue;
        pool *p = pool_of(c, at(c, n)->size);
        if (p && GROW(c, p->slot, p->n, p->room, 1))
            p->slot[p->n++] = c->fate[n].slot;
    }
}

/* ---- operands ------------------------------------------------------------ */

static uint32_t constant_at(compiler *c, uint32_t number)
{
    const cs_constant *k = &c->g->constants[number];
    size_t n = k->rows * k->cols;
    cs_program *p = c->p;
    if (!GROW(c, p->constants, p->n_constants, c->room_constants, n))
        return 0;
    memcpy(p->constants + p->n_constants, k->v, n * sizeof *k->v);
    p->n_constants += n;
    return (uint32_t)(p->n_constants - n);
}

static cs_operand operand(compiler *c, cs_node n)
{
    bool one = at(c, n)->size == 1;
    if (at(c, n)->op != CS_OP_DATA)
        return (cs_operand){one ? CS_FROM_ROW : CS_FROM_ROWS, slot_of(c, n)};
    fate *f = &c->fate[n];
    if (!f->constant)
        f->constant = 1 + constant_at(c, at(c, n)->extra);
    return (cs_operand){one ? CS_FROM_NUMBER : CS_FROM_VECTOR,
                        f->constant - 1};
}

/* ---- sums ---------------------------------------------------------------- */

static void push(compiler *c, cs_node n, double factor)
{
    if (GROW(c, c->stack, c->n_stack, c->room_stack, 1))
        c->stack[c->n_stack++] = (pending){n, factor};
}

static void add_term(compiler *c, cs_term t)
{
    cs_program *p = c->p;
    if (GROW(c, p->terms, p->n_terms, c->room_terms, 1))
        p->terms[p->n_terms++] = t;
}

static void add_pair(compiler *c, cs_term t)
{
    if (GROW(c, c->pairs.term, c->pairs.n, c->pairs.room, 1))
        c->pairs.term[c->pairs.n++] = t;
}

static bool is_constant(cs_operand o)
{
    return o.kind >= CS_FROM_VECTOR;
}

/* Takes the factors of a melted product off it. */
static cs_node bare(const compiler *c, cs_node n, double *factor)
{
    double f;
    for (cs_node m; c->fate[n].melted && (m = scaled(c, n, &f)); n = m)
        *factor *= f;
    return n;
}

/* One item of a sum: takes it apart if it melted (or is the sum itself),
 * else makes a term of it. */
static void item(compiler *c, cs_node n, double factor, bool apart,
                 cs_instruction *i)
{
    double f = 1;
    uint32_t op = at(c, n)->op;
    cs_node m;
    if (apart && is_sum(op)) {
        push(c, arg(c, n, 1), op == CS_OP_SUB ? -factor : factor);
        push(c, arg(c, n, 0), factor);
    } else if (apart && (m = scaled(c, n, &f)))
        push(c, m, factor * f);
    else if (apart && op == CS_OP_MUL) {
        cs_node a = bare(c, arg(c, n, 0), &factor);
        cs_node b = bare(c, arg(c, n, 1), &factor);
        cs_operand first = operand(c, a), second = operand(c, b);
        add_pair(c, (cs_term){factor, first, second});
        i->constants |= is_constant(first) || is_constant(second);
    } else if (number(c, n, &f))
        i->start += factor * f * i->elements;
    else {
        cs_operand a = operand(c, n);
        add_term(c, (cs_term){.factor = factor, .a = a});
        i->constants |= is_constant(a);
    }
}

static void sum(compiler *c, cs_node y, cs_instruction *i)
{
    bool total = at(c, y)->op == CS_OP_SUM;
    cs_node of = total ? arg(c, y, 0) : y;
    i->op = total ? CS_CODE_TOTAL : CS_CODE_SUM;
    i->elements = total ? at(c, of)->size : 1;
    i->first = (uint32_t)c->p->n_terms;
    push(c, of, 1);
    while (c->n_stack && !c->status) {
        pending next = c->stack[--c->n_stack];
        bool apart = c->fate[next.node].melted || next.node == y;
        item(c, next.node, next.factor, apart, i);
    }
    i->plain = (uint32_t)c->p->n_terms - i->first;
    i->count = i->plain + (uint32_t)c->pairs.n;
    for (size_t k = 0; k < c->pairs.n; k++)
        add_term(c, c->pairs.term[k]);
    c->pairs.n = 0;
}

/* ---- instructions -------------------------------------------------------- */

static void emit(compiler *c, cs_instruction i)
{
    if (GROW(c, c->p->code, c->p->n_code, c->room_code, 1))
        c->p->code[c->p->n_code++] = i;
}

static void copy(compiler *c, cs_node n, uint32_t to)
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

/* The parts of a PACK that were not computed in place. */
static void pack(compiler *c, cs_node y)
{
    uint32_t offset = 0, out = slot_of(c, y);
    for (uint32_t i = 0; i < at(c, y)->count; i++) {
        cs_node n = arg(c, y, i);
        if (c->fate[n].home != y || c->fate[n].offset != offset)
            copy(c, n, out + offset);
        offset += at(c, n)->size;
    }
}

static void instruction(compiler *c, cs_node y)
{
    const cs_graph_node *n = at(c, y);
    cs_instruction i = {.op = n->op,
                        .size = n->size,
                        .elements = 1,
                        .node = y,
                        .line = n->line};
    i.out = slot_of(c, y);
    if (is_sum(n->op) || n->op == CS_OP_MUL || n->op == CS_OP_SUM) {
        sum(c, y, &i);
        emit(c, i);
        return;
    }
    cs_operand *to[3] = {&i.a, &i.b, &i.c};
    for (uint32_t k = 0; k < n->count; k++)
        *to[k] = operand(c, arg(c, y, k));
    if (cs_ops[n->op].class != CS_OP_MAP) {
        i.elements = at(c, arg(c, y, 0))->size;
        if (n->op != CS_OP_LOG_SUM_EXP)
            i.b.at = constant_at(c, n->extra);
    }
    emit(c, i);
}

/* The first of two twins computes both. */
static void twins(compiler *c, cs_node y)
{
    cs_node twin = c->fate[y].twin;
    bool softplus = at(c, y)->op == CS_OP_SOFTPLUS;
    const cs_graph_node *n = at(c, y);
    cs_instruction i = {.op = CS_CODE_LOGISTIC,
                        .size = n->size,
                        .elements = 1,
                        .node = y,
                        .line = n->line};
    i.a = operand(c, arg(c, y, 0));
    i.out = slot_of(c, softplus ? y : twin);
    i.second = slot_of(c, softplus ? twin : y);
    c->fate[twin].done = true;
    emit(c, i);
}

static void node(compiler *c, cs_node y)
{
    uint32_t op = at(c, y)->op;
    if (!c->fate[y].uses || c->fate[y].melted)
        return;
    if (op == CS_OP_PACK)
        pack(c, y);
    else if (c->fate[y].twin && !c->fate[y].done)
        twins(c, y);
    else if (!c->fate[y].done && op != CS_OP_INPUT && op != CS_OP_DATA &&
             op != CS_OP_SLICE)
        instruction(c, y);
    expire(c, y);
}

/* Roots are asked for as rows of slots: constants are copied there. */
static void find_roots(compiler *c, const cs_node *roots, size_t n)
{
    for (size_t i = 0; i < n && !c->status; i++) {
        c->p->root_size[i] = at(c, roots[i])->size;
        if (at(c, roots[i])->op == CS_OP_DATA) {
            c->p->root[i] = (uint32_t)c->p->slots;
            c->p->slots += at(c, roots[i])->size;
            copy(c, roots[i], c->p->root[i]);
        } else
            c->p->root[i] = slot_of(c, roots[i]);
    }
}

static void compile(compiler *c, const cs_node *roots, size_t n)
{
    count_uses(c, roots, n);
    melt(c);
    if (!find_twins(c))
        return;
    find_homes(c);
    find_last_uses(c, roots, n);
    c->p->slots = c->g->dim;
    for (cs_node y = 1; y < c->g->n_nodes && !c->status; y++)
        node(c, y);
    find_roots(c, roots, n);
}

static void release(compiler *c)
{
    for (size_t i = 0; i < c->n_pools; i++)
        cs_free(c->pools[i].slot);
    cs_free(c->pools);
    cs_free(c->fate);
    cs_free(c->expires);
    cs_free(c->stack);
    cs_free(c->pairs.term);
}

cs_status cs_program_compile(const cs_graph *g, const cs_node *roots, size_t n,
                             cs_program **out, cs_error *err)
{
    if (g->status)
        return cs_fail(err, g->status, "the expression has a fault");
    compiler c = {.g = g, .p = cs_alloc(1, sizeof *c.p)};
    c.fate = cs_alloc(g->n_nodes, sizeof *c.fate);
    c.expires = cs_alloc(g->n_nodes + 1, sizeof *c.expires);
    if (c.p) {
        c.p->dim = g->dim;
        c.p->n_roots = n;
        c.p->root = cs_alloc(n, sizeof *c.p->root);
        c.p->root_size = cs_alloc(n, sizeof *c.p->root_size);
    }
    if (c.p && c.fate && c.expires && c.p->root && c.p->root_size)
        compile(&c, roots, n);
    else
        c.status = CS_MEMORY;
    release(&c);
    if (c.status) {
        cs_program_destroy(c.p);
        return cs_fail(err, c.status, "no memory to compile an expression");
    }
    *out = c.p;
    return CS_OK;
}

void cs_program_destroy(cs_program *p)
{
    if (!p)
        return;
    cs_free(p->code);
    cs_free(p->terms);
    cs_free(p->constants);
    cs_free(p->root);
    cs_free(p->root_size);
    cs_free(p);
}
