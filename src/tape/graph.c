/* The nodes and constants of an expression: equal nodes once, by a hash table
 * of operations and arguments. */
#include "tape/intern.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

const cs_op_row cs_ops[CS_OP_COUNT] = {
#define FREE CS_OP_FREE
#define OP(name, text, arity, class)                                           \
    [CS_OP_##name] = {text, arity, CS_OP_##class},
#include "tape/ops.def"
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
    (CS_GROW(items, n, room, more) || cs_graph_fault(g, CS_MEMORY))

/* ---- the table of nodes -------------------------------------------------- */

static size_t mix(size_t h, size_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static size_t hash_of(const cs_graph_node *n, const cs_node *args)
{
    size_t h = mix(mix(n->op, n->size), n->extra);
    for (uint32_t i = 0; i < n->count; i++)
        h = mix(h, args[i]);
    return h;
}

static bool same(const cs_graph *g, const cs_graph_node *a,
                 const cs_graph_node *b, const cs_node *args)
{
    return a->op == b->op && a->size == b->size && a->extra == b->extra &&
           a->count == b->count &&
           (!a->count ||
            !memcmp(g->args + a->first, args, a->count * sizeof *args));
}

static void enter(cs_graph *g, cs_node node)
{
    const cs_graph_node *n = &g->nodes[node];
    size_t at = hash_of(n, g->args + n->first) & (g->room_table - 1);
    while (g->table[at])
        at = (at + 1) & (g->room_table - 1);
    g->table[at] = node;
}

static bool widen(cs_graph *g)
{
    if (2 * (g->n_nodes + 1) <= g->room_table)
        return true;
    size_t want = g->room_table ? 2 * g->room_table : 256;
    cs_node *table = cs_alloc(want, sizeof *table);
    if (!table)
        return cs_graph_fault(g, CS_MEMORY);
    cs_free(g->table);
    g->table = table;
    g->room_table = want;
    for (size_t i = 1; i < g->n_nodes; i++)
        enter(g, (cs_node)i);
    return true;
}

/* The node that is like `n` with these arguments: an old one or a new. */
cs_node cs_graph_intern(cs_graph *g, cs_graph_node n, const cs_node *args)
{
    for (uint32_t i = 0; i < n.count; i++)
        if (!args[i])
            return 0;
    if (g->status || !widen(g))
        return 0;
    size_t at = hash_of(&n, args) & (g->room_table - 1);
    for (; g->table[at]; at = (at + 1) & (g->room_table - 1))
        if (same(g, &g->nodes[g->table[at]], &n, args))
            return g->table[at];
    if (g->n_nodes > g->most_nodes)
        return cs_graph_fault(g, CS_RANGE);
    if (!GROW(g, g->nodes, g->n_nodes, g->room_nodes, 1) ||
        !GROW(g, g->args, g->n_args, g->room_args, n.count))
        return 0;
    n.first = (uint32_t)g->n_args;
    n.line = g->line;
    if (n.count)
        memcpy(g->args + g->n_args, args, n.count * sizeof *args);
    g->n_args += n.count;
    g->nodes[g->n_nodes] = n;
    g->table[at] = (cs_node)g->n_nodes;
    return (cs_node)g->n_nodes++;
}

/* ---- graphs -------------------------------------------------------------- */

void cs_graph_destroy(cs_graph *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_blocks; i++)
        cs_free(g->blocks[i]);
    cs_free(g->blocks);
    cs_free(g->constants);
    cs_free(g->like);
    cs_free(g->nodes);
    cs_free(g->args);
    cs_free(g->table);
    cs_free(g);
}

cs_status cs_graph_create(size_t dim, size_t most_nodes, cs_graph **out,
                          cs_error *err)
{
    cs_graph *g = cs_alloc(1, sizeof *g);
    if (!g)
        return cs_fail(err, CS_MEMORY, "no memory for an expression");
    g->dim = dim;
    g->most_nodes = most_nodes;
    if (GROW(g, g->nodes, 0, g->room_nodes, 1))
        g->n_nodes = 1; /* node 0 is no node */
    cs_graph_intern(
        g, (cs_graph_node){.op = CS_OP_INPUT, .size = (uint32_t)dim}, NULL);
    if (g->status) {
        cs_graph_destroy(g);
        return cs_fail(err, CS_MEMORY, "no memory for an expression");
    }
    *out = g;
    return CS_OK;
}

cs_node cs_graph_input(const cs_graph *g)
{
    (void)g;
    return 1;
}

const cs_graph_node *cs_graph_at(const cs_graph *g, cs_node a)
{
    return &g->nodes[a];
}

cs_node cs_graph_arg(const cs_graph *g, cs_node a, size_t i)
{
    return g->args[g->nodes[a].first + i];
}

size_t cs_graph_size(const cs_graph *g, cs_node a)
{
    return a ? g->nodes[a].size : 0;
}

size_t cs_graph_count(const cs_graph *g, const cs_node *roots, size_t n)
{
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

static bool equal(const cs_constant *k, const double *v, size_t rows,
                  size_t cols)
{
    return k->rows == rows && k->cols == cols &&
           !memcmp(k->v, v, rows * cols * sizeof *v);
}

static size_t hash_of_constant(const double *v, size_t rows, size_t cols)
{
    size_t h = mix(rows, cols), word;
    for (size_t i = 0; i < rows * cols; i++) {
        memcpy(&word, &v[i], sizeof word);
        h = mix(h, word);
    }
    return h;
}

static bool widen_like(cs_graph *g)
{
    if (2 * (g->n_constants + 1) <= g->room_like)
        return true;
    size_t want = g->room_like ? 2 * g->room_like : 64;
    uint32_t *like = cs_alloc(want, sizeof *like);
    if (!like)
        return cs_graph_fault(g, CS_MEMORY);
    for (uint32_t i = 0; i < g->n_constants; i++) {
        const cs_constant *k = &g->constants[i];
        size_t at = hash_of_constant(k->v, k->rows, k->cols) & (want - 1);
        while (like[at])
            at = (at + 1) & (want - 1);
        like[at] = i + 1;
    }
    cs_free(g->like);
    g->like = like;
    g->room_like = want;
    return true;
}

/* Room for n numbers: many in a block, or a large one's own. */
static double *room_for(cs_graph *g, size_t n)
{
    enum { BLOCK = 1024 };
    if (n > g->left) {
        size_t size = n > BLOCK / 8 ? n : BLOCK;
        double *block;
        if (!GROW(g, g->blocks, g->n_blocks, g->room_blocks, 1))
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

/* The number of a constant like this one. */
bool cs_graph_keep(cs_graph *g, const double *v, size_t rows, size_t cols,
                   uint32_t *number)
{
    if (!widen_like(g))
        return false;
    size_t at = hash_of_constant(v, rows, cols) & (g->room_like - 1);
    for (; g->like[at]; at = (at + 1) & (g->room_like - 1)) {
        *number = g->like[at] - 1;
        if (equal(&g->constants[*number], v, rows, cols))
            return true;
    }
    if (!GROW(g, g->constants, g->n_constants, g->room_constants, 1))
        return false;
    double *copy = room_for(g, rows * cols);
    if (!copy)
        return false;
    memcpy(copy, v, rows * cols * sizeof *v);
    *number = (uint32_t)g->n_constants;
    g->constants[g->n_constants++] = (cs_constant){copy, rows, cols};
    g->like[at] = *number + 1;
    return true;
}

cs_node cs_graph_vector(cs_graph *g, const double *v, size_t n)
{
    uint32_t number;
    if (g->status || !cs_graph_keep(g, v, n, 1, &number))
        return 0;
    return cs_graph_intern(
        g,
        (cs_graph_node){.op = CS_OP_DATA, .size = (uint32_t)n, .extra = number},
        NULL);
}

cs_node cs_graph_number(cs_graph *g, double value)
{
    return cs_graph_vector(g, &value, 1);
}

bool cs_graph_is_number(const cs_graph *g, cs_node a, double *value)
{
    if (!a || g->nodes[a].op != CS_OP_DATA || g->nodes[a].size != 1)
        return false;
    *value = g->constants[g->nodes[a].extra].v[0];
    return true;
}

bool cs_graph_is_data(const cs_graph *g, cs_node a)
{
    return g->nodes[a].op == CS_OP_DATA;
}

double cs_graph_element(const cs_graph *g, cs_node a, size_t i)
{
    const cs_constant *k = &g->constants[g->nodes[a].extra];
    return k->v[k->rows == 1 ? 0 : i];
}
