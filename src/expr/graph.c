#include "base/hash.h"
#include "expr/intern.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

const cs_op_row cs_ops[CS_OP_COUNT] = {
#define FREE CS_OP_FREE
#define OP(name, text, arity, class)                                           \
    [CS_OP_##name] = {text, arity, CS_OP_##class},
#include "expr/ops.def"
#undef OP
#undef FREE
};

cs_node cs_graph_fault(cs_graph *g, cs_status status)
{
    if (!g->status)
        g->status = status;
    return 0;
}

#define GROW(g, items, n, room, more)                                          \
    ((n) + (more) <= (room) || CS_EXTEND(items, n, room, more) ||              \
     cs_graph_fault(g, CS_MEMORY))

/* ---- the table of nodes -------------------------------------------------- */

static bool widen(cs_graph *g, cs_graph_table *t)
{
    cs_graph_table wide = {.n = t->n,
                           .capacity = t->capacity ? 4 * t->capacity : 256};
    wide.place = cs_alloc(wide.capacity, sizeof *wide.place);
    if (!wide.place)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < t->capacity; i++) {
        size_t at = t->place[i].hash & (wide.capacity - 1);
        if (!t->place[i].item)
            continue;
        while (wide.place[at].item)
            at = (at + 1) & (wide.capacity - 1);
        wide.place[at] = t->place[i];
    }
    cs_free(t->place);
    *t = wide;
    return true;
}

static inline bool has_room(cs_graph *g, cs_graph_table *t)
{
    return 2 * (t->n + 1) <= t->capacity || widen(g, t);
}

/* Iterates over the items of the table with this hash, starting at slot *at.
 * Returns 0 at the first empty slot, where a new item may be inserted. */
static uint32_t next_like(const cs_graph_table *t, uint32_t hash, size_t *at)
{
    for (;; ++*at) {
        *at &= t->capacity - 1;
        if (!t->place[*at].item)
            return 0;
        if (t->place[*at].hash == hash)
            return t->place[(*at)++].item;
    }
}

static void enter(cs_graph_table *t, uint32_t hash, size_t at, size_t item)
{
    t->place[at].item = (uint32_t)item;
    t->place[at].hash = hash;
    t->n++;
}

static inline uint32_t hash_of(const cs_graph_node *n, const cs_node *args)
{
    size_t h = cs_hash_word(n->op | (size_t)n->size << 32, n->extra);
    for (uint32_t i = 0; i < n->count; i += 2)
        h = cs_hash_word(
            h, args[i] | (i + 1 < n->count ? (size_t)args[i + 1] << 32 : 0));
    return (uint32_t)h;
}

static inline bool same(const cs_graph *g, const cs_graph_node *a,
                        const cs_graph_node *b, const cs_node *args)
{
    if (a->op != b->op || a->size != b->size || a->extra != b->extra ||
        a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (g->args[a->first + i] != args[i])
            return false;
    return true;
}

static inline cs_node append(cs_graph *g, cs_graph_node n, const cs_node *args)
{
    if (g->n_nodes > g->max_nodes)
        return cs_graph_fault(g, CS_RANGE);
    if (!GROW(g, g->nodes, g->n_nodes, g->node_capacity, 1) ||
        !GROW(g, g->args, g->n_args, g->arg_capacity, n.count))
        return 0;
    n.first = (uint32_t)g->n_args;
    n.line = g->line;
    for (uint32_t i = 0; i < n.count; i++)
        g->args[g->n_args++] = args[i];
    g->nodes[g->n_nodes] = n;
    return (cs_node)g->n_nodes++;
}

/* This function is inline, so that a call with two arguments compiles to code
 * without loops. */
static inline cs_node intern(cs_graph *g, cs_graph_node n, const cs_node *args)
{
    for (uint32_t i = 0; i < n.count; i++)
        if (!args[i])
            return 0;
    if (g->status || !has_room(g, &g->known))
        return 0;
    uint32_t hash = hash_of(&n, args);
    size_t at = hash;
    for (cs_node old; (old = next_like(&g->known, hash, &at));)
        if (same(g, &g->nodes[old], &n, args))
            return old;
    cs_node made = append(g, n, args);
    if (made)
        enter(&g->known, hash, at, made);
    return made;
}

cs_node cs_graph_intern(cs_graph *g, cs_graph_node n, const cs_node *args)
{
    return intern(g, n, args);
}

cs_node cs_graph_intern_two(cs_graph *g, cs_op op, size_t size, cs_node a,
                            cs_node b)
{
    return intern(g,
                  (cs_graph_node){.op = op, .size = (uint32_t)size, .count = 2},
                  (cs_node[]){a, b});
}

/* ---- graphs -------------------------------------------------------------- */

void cs_graph_destroy(cs_graph *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_blocks; i++)
        cs_free(g->blocks[i]);
    cs_odes_free(&g->odes);
    CS_FREE_ALL(g->ranges, g->facts, g->blocks, g->constants, g->like.place,
                g->nodes, g->args, g->known.place, g);
}

cs_status cs_graph_create(size_t dim, size_t max_nodes, cs_graph **out,
                          cs_error *err)
{
    assert(dim > 0 && dim <= UINT32_MAX);
    cs_graph *g = cs_alloc(1, sizeof *g);
    if (!g)
        return cs_fail(err, CS_MEMORY, "out of memory for an expression");
    g->dim = dim;
    g->max_nodes = max_nodes;
    if (GROW(g, g->nodes, 0, g->node_capacity, 1))
        g->nodes[g->n_nodes++] = (cs_graph_node){0}; /* node 0 means "none" */
    cs_graph_intern(
        g, (cs_graph_node){.op = CS_OP_INPUT, .size = (uint32_t)dim}, NULL);
    if (g->status) {
        cs_graph_destroy(g);
        return cs_fail(err, CS_MEMORY, "out of memory for an expression");
    }
    *out = g;
    return CS_OK;
}

bool cs_graph_expect(cs_graph *g, size_t n)
{
    return GROW(g, g->nodes, g->n_nodes, g->node_capacity, 2 * n) &&
           GROW(g, g->args, g->n_args, g->arg_capacity, 2 * n) &&
           GROW(g, g->constants, g->n_constants, g->constant_capacity, n);
}

cs_node cs_graph_input(const cs_graph *g)
{
    (void)g;
    return 1;
}

size_t cs_graph_count(const cs_graph *g, const cs_node *roots, size_t n)
{
    assert(roots || n == 0);
    bool *needed = cs_alloc(g->n_nodes, sizeof *needed);
    size_t count = 0;
    for (size_t i = 0; needed && i < n; i++)
        needed[roots[i]] = true;
    for (cs_node a = (cs_node)g->n_nodes - 1; needed && a > 0; a--) {
        count += needed[a];
        for (uint32_t i = 0; needed[a] && i < g->nodes[a].count; i++)
            needed[cs_graph_arg(g, a, i)] = true;
    }
    cs_free(needed);
    return count;
}

/* ---- constants ----------------------------------------------------------- */

static inline bool equal(const cs_constant *k, const double *v, size_t rows,
                         size_t cols)
{
    return k->rows == rows && k->cols == cols &&
           !memcmp(k->v, v, rows * cols * sizeof *v);
}

static inline uint32_t hash_of_constant(const double *v, size_t rows,
                                        size_t cols)
{
    size_t h = cs_hash_word(rows, cols), word;
    for (size_t i = 0; i < rows * cols; i++) {
        memcpy(&word, &v[i], sizeof word);
        h = cs_hash_word(h, word);
    }
    return (uint32_t)h;
}

/* Allocates n numbers. A small array is a part of a shared block; a large array
 * gets its own block. */
static double *room_for(cs_graph *g, size_t n)
{
    enum { BLOCK = 1024 };
    if (n > g->left) {
        size_t size = n > BLOCK / 8 ? n : BLOCK;
        double *block;
        if (!GROW(g, g->blocks, g->n_blocks, g->block_capacity, 1))
            return NULL;
        block = cs_alloc(size, sizeof *block);
        if (!block) {
            cs_graph_fault(g, CS_MEMORY);
            return NULL;
        }
        g->blocks[g->n_blocks++] = block;
        g->left = size;
        g->next = block;
    }
    g->left -= n;
    g->next += n;
    return g->next - n;
}

static inline bool keep(cs_graph *g, const double *v, size_t rows, size_t cols,
                        uint32_t *number)
{
    if (!has_room(g, &g->like))
        return false;
    uint32_t hash = hash_of_constant(v, rows, cols);
    size_t at = hash;
    for (uint32_t old; (old = next_like(&g->like, hash, &at));) {
        *number = old - 1;
        if (equal(&g->constants[*number], v, rows, cols))
            return true;
    }
    if (!GROW(g, g->constants, g->n_constants, g->constant_capacity, 1))
        return false;
    double *copy = room_for(g, rows * cols);
    if (!copy)
        return false;
    memcpy(copy, v, rows * cols * sizeof *v);
    *number = (uint32_t)g->n_constants;
    g->constants[g->n_constants++] = (cs_constant){copy, rows, cols, 0};
    enter(&g->like, hash, at, *number + 1);
    return true;
}

bool cs_graph_intern_constant(cs_graph *g, const double *v, size_t rows,
                              size_t cols, uint32_t *number)
{
    return keep(g, v, rows, cols, number);
}

/* Like `intern`, this function is inline, so that a call with one number
 * compiles to code without loops. */
static inline cs_node data(cs_graph *g, const double *v, size_t n)
{
    uint32_t number;
    if (g->status || !keep(g, v, n, 1, &number))
        return 0;
    cs_node *node = &g->constants[number].node;
    if (!*node)
        *node =
            append(g,
                   (cs_graph_node){
                       .op = CS_OP_DATA, .size = (uint32_t)n, .extra = number},
                   NULL);
    return *node;
}

cs_node cs_graph_vector(cs_graph *g, const double *v, size_t n)
{
    assert(v && n > 0);
    return data(g, v, n);
}

cs_node cs_graph_number(cs_graph *g, double value)
{
    return data(g, &value, 1);
}

double cs_graph_element(const cs_graph *g, cs_node a, size_t i)
{
    const cs_constant *k = &g->constants[g->nodes[a].extra];
    return k->v[k->rows == 1 ? 0 : i];
}
