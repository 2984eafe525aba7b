/* Each node depends on numbers, on columns, on both or on neither. Numbers are
 * scalars of the input that are equal for all rows; columns have a value per
 * row. Starting from the roots, nodes that depend on both are copied. If an
 * argument of a copied node depends only on numbers or only on columns, the
 * argument becomes part of the new input. */
#include "tape/split.h"

#include "base/memory.h"
#include "expr/intern.h"

#include <assert.h>

enum { ON_NUMBERS = 1, ON_COLUMNS = 2, COSTLY = 4, SPARSE = 8 };

typedef struct splitter {
    const cs_graph *from;
    size_t numbers;
    bool columns;
    unsigned char *depends; /* [n_nodes] bits ON_NUMBERS, ON_COLUMNS,
                             * COSTLY and SPARSE (computed from a SPREAD: an
                             * element per parameter, nearly all 0) */
    bool *wanted;           /* [n_nodes] true if the roots need the node */
    cs_node *copy, *part;
    cs_split *out;
} splitter;

static unsigned of_input(const splitter *s, size_t first, size_t n)
{
    return (first < s->numbers ? ON_NUMBERS : 0u) |
           (first + n > s->numbers ? ON_COLUMNS : 0u);
}

static bool is_leaf(const splitter *s, cs_node n)
{
    const cs_graph_node *k = cs_graph_at(s->from, n);
    return k->op == CS_OP_INPUT ||
           (k->op == CS_OP_SLICE &&
            cs_graph_arg(s->from, n, 0) == cs_graph_input(s->from));
}

/* Returns true for operations that cost no more than reading the result from a
 * column. */
static bool is_cheap(uint32_t op)
{
    static const bool cheap[CS_OP_COUNT] = {
        [CS_OP_INPUT] = true, [CS_OP_DATA] = true, [CS_OP_SLICE] = true,
        [CS_OP_ADD] = true,   [CS_OP_SUB] = true,  [CS_OP_MUL] = true,
        [CS_OP_MAX] = true,   [CS_OP_MIN] = true,  [CS_OP_LT] = true,
        [CS_OP_LE] = true,    [CS_OP_EQ] = true,   [CS_OP_WHERE] = true,
        [CS_OP_ABS] = true,   [CS_OP_SIGN] = true, [CS_OP_IS] = true,
    };
    return cheap[op];
}

static void find_dependence(splitter *s)
{
    for (cs_node n = 1; n < s->from->n_nodes; n++) {
        const cs_graph_node *k = cs_graph_at(s->from, n);
        unsigned bits = is_cheap(k->op) ? 0 : COSTLY;
        if (k->op == CS_OP_SPREAD)
            bits |= SPARSE;
        for (uint32_t i = 0; i < k->count; i++)
            bits |= s->depends[cs_graph_arg(s->from, n, i)];
        if (is_leaf(s, n))
            bits = of_input(s, k->op == CS_OP_SLICE ? k->extra : 0, k->size);
        s->depends[n] = (unsigned char)bits;
    }
}

/* Returns the side of the split (0 or 1) to which node n belongs, or -1 if the
 * node must be copied. */
static int side_of(const splitter *s, cs_node n)
{
    unsigned on = s->depends[n] & (ON_NUMBERS | ON_COLUMNS);
    if (on == ON_NUMBERS)
        return 0;
    bool out = is_leaf(s, n) || (s->columns && (s->depends[n] & COSTLY) &&
                                 !(s->depends[n] & SPARSE));
    return on == ON_COLUMNS && out ? 1 : -1;
}

static void find_outer(splitter *s)
{
    cs_split *o = s->out;
    for (cs_node n = (cs_node)s->from->n_nodes - 1; n > 0; n--)
        for (uint32_t i = 0; s->wanted[n] && side_of(s, n) < 0 &&
                             i < cs_graph_at(s->from, n)->count;
             i++)
            s->wanted[cs_graph_arg(s->from, n, i)] = true;
    for (cs_node n = 1; n < s->from->n_nodes; n++) {
        int side = s->wanted[n] ? side_of(s, n) : -1;
        if (side < 0)
            continue;
        o->outer[side][o->n_outer[side]++] = n;
        o->size[side] += cs_graph_size(s->from, n);
    }
}

static void copy_inner(splitter *s)
{
    cs_split *o = s->out;
    cs_graph *g = o->inner;
    size_t at = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < o->n_outer[side]; i++) {
            cs_node n = o->outer[side][i];
            size_t size = cs_graph_size(s->from, n);
            s->copy[n] = cs_graph_slice(g, cs_graph_input(g), at, size);
            at += size;
        }
    for (cs_node n = 1; n < s->from->n_nodes && !g->status; n++)
        if (s->wanted[n] && !s->copy[n])
            s->copy[n] = cs_graph_copy_node(g, s->from, n, s->copy, s->part);
}

static cs_status split(splitter *s, const cs_node *roots, size_t n,
                       cs_error *err)
{
    cs_split *o = s->out;
    find_dependence(s);
    for (size_t i = 0; i < n; i++)
        s->wanted[roots[i]] = true;
    find_outer(s);
    if (o->size[0] + o->size[1] == 0) {
        cs_fail(err, CS_INPUT, "the term is a constant");
        cs_hint(err, "use a column of the row in the term: row.NAME");
        return CS_INPUT;
    }
    if (cs_graph_create(o->size[0] + o->size[1], s->from->max_nodes, &o->inner,
                        err))
        return CS_MEMORY;
    copy_inner(s);
    for (size_t i = 0; i < n; i++)
        o->root[i] = s->copy[roots[i]];
    if (o->inner->status)
        return cs_fail(err, o->inner->status,
                       "out of memory for an expression");
    return CS_OK;
}

cs_status cs_graph_split(const cs_graph *from, size_t numbers,
                         const cs_node *roots, size_t n, bool columns,
                         cs_split *out, cs_error *err)
{
    assert(numbers <= from->dim && roots && n > 0);
    size_t all = from->n_nodes;
    splitter s = {.from = from,
                  .numbers = numbers,
                  .columns = columns,
                  .depends = cs_alloc(all, 1),
                  .wanted = cs_alloc(all, sizeof *s.wanted),
                  .copy = cs_alloc(all, sizeof *s.copy),
                  .part = cs_alloc(from->n_args + 1, sizeof *s.part),
                  .out = out};
    *out = (cs_split){.root = cs_alloc(n, sizeof *out->root)};
    for (int side = 0; side < 2; side++)
        out->outer[side] = cs_alloc(all, sizeof *out->outer[side]);
    bool room = s.depends && s.wanted && s.copy && s.part && out->root &&
                out->outer[0] && out->outer[1];
    cs_status status =
        room ? split(&s, roots, n, err)
             : cs_fail(err, CS_MEMORY,
                       "out of memory for the parts of an expression");
    CS_FREE_ALL(s.depends, s.wanted, s.copy, s.part);
    if (status)
        cs_split_free(out);
    return status;
}

void cs_split_free(cs_split *s)
{
    cs_graph_destroy(s->inner);
    CS_FREE_ALL(s->root, s->outer[0], s->outer[1]);
    *s = (cs_split){0};
}
