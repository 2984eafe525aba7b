#include "tape/program_cache.h"

#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* Returns the hash of a constant's bits. The sites of a model with data differ
 * only in constants, so a hash without them would put all sites in one place
 * of the table. */
static uint64_t hash_constant(uint64_t h, const cs_constant *c)
{
    h = cs_hash_word(cs_hash_word(h, c->rows), c->cols);
    for (size_t i = 0; i < c->rows * c->cols; i++) {
        uint64_t bits;
        memcpy(&bits, &c->v[i], sizeof bits);
        h = cs_hash_word(h, bits);
    }
    return h;
}

static size_t hash_of(const cs_graph *g, cs_node root)
{
    size_t h = cs_hash_word(g->n_nodes, root);
    for (size_t i = 1; i < g->n_nodes; i++)
        h = cs_hash_word(cs_hash_word(h, g->nodes[i].op), g->nodes[i].extra);
    for (size_t i = 0; i < g->n_args; i++)
        h = cs_hash_word(h, g->args[i]);
    for (size_t i = 0; i < g->n_constants; i++)
        h = hash_constant(h, &g->constants[i]);
    return h;
}

static bool same_node(const cs_graph_node *a, const cs_graph_node *b)
{
    return a->op == b->op && a->size == b->size && a->first == b->first &&
           a->count == b->count && a->extra == b->extra;
}

static bool same_constant(const cs_constant *a, const cs_constant *b)
{
    return a->rows == b->rows && a->cols == b->cols &&
           !memcmp(a->v, b->v, a->rows * a->cols * sizeof *a->v);
}

/* True if two graphs are equal, ignoring line numbers. */
static bool same(const cs_graph *a, const cs_graph *b)
{
    if (a->dim != b->dim || a->n_nodes != b->n_nodes ||
        a->n_args != b->n_args || a->n_constants != b->n_constants)
        return false;
    for (size_t i = 1; i < a->n_nodes; i++)
        if (!same_node(&a->nodes[i], &b->nodes[i]))
            return false;
    if (a->n_args && memcmp(a->args, b->args, a->n_args * sizeof *a->args))
        return false;
    for (size_t i = 0; i < a->n_constants; i++)
        if (!same_constant(&a->constants[i], &b->constants[i]))
            return false;
    return true;
}

static void enter(cs_program_cache *s, uint32_t k)
{
    size_t at = s->item[k].hash & (s->table_capacity - 1);
    while (s->table[at])
        at = (at + 1) & (s->table_capacity - 1);
    s->table[at] = k + 1;
}

static bool widen(cs_program_cache *s)
{
    if (2 * (s->n + 1) <= s->table_capacity)
        return true;
    size_t capacity = s->table_capacity ? 2 * s->table_capacity : 64;
    uint32_t *table = cs_alloc(capacity, sizeof *table);
    if (!table)
        return false;
    cs_free(s->table);
    s->table = table;
    s->table_capacity = capacity;
    for (uint32_t k = 0; k < s->n; k++)
        enter(s, k);
    return true;
}

static const cs_cached_program *find(cs_program_cache *s,
                                     const cs_cached_program *like)
{
    size_t at = like->hash & (s->table_capacity - 1);
    for (; s->table[at]; at = (at + 1) & (s->table_capacity - 1)) {
        const cs_cached_program *k = &s->item[s->table[at] - 1];
        if (k->hash != like->hash || k->root != like->root)
            continue;
        s->compared++;
        if (same(k->graph, like->graph))
            return k;
    }
    return NULL;
}

cs_status cs_program_cache_compile(cs_program_cache *s, cs_graph *g,
                                   cs_node root, cs_program **out,
                                   cs_error *err)
{
    assert(root && cs_graph_size(g, root) == 1);
    cs_cached_program new = {
        .graph = g, .root = root, .hash = hash_of(g, root)};
    cs_status status = CS_OK;
    if (!widen(s) || !CS_GROW(s->item, s->n, s->capacity, 1))
        status = cs_fail(err, CS_MEMORY, "out of memory for site terms");
    const cs_cached_program *old = status ? NULL : find(s, &new);
    if (!status && !old)
        status = cs_program_compile(g, &root, 1, &new.program, err);
    if (status || old) {
        cs_graph_destroy(g);
        *out = old ? old->program : NULL;
        return status;
    }
    s->item[s->n] = new;
    enter(s, (uint32_t)s->n++);
    *out = new.program;
    return CS_OK;
}

void cs_program_cache_end(cs_program_cache *s, cs_program ***programs,
                          size_t *n)
{
    cs_program **list = programs ? cs_alloc(s->n, sizeof *list) : NULL;
    for (size_t k = 0; k < s->n; k++) {
        cs_graph_destroy(s->item[k].graph);
        if (list)
            list[k] = s->item[k].program;
        else
            cs_program_destroy(s->item[k].program);
    }
    if (programs) {
        *programs = list;
        *n = list ? s->n : 0;
    }
    cs_free(s->item);
    cs_free(s->table);
}
