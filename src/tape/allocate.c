/* Allocates the slots of values; a slot becomes free after the last use of its
 * value. */
#include "tape/compile.h"

void cs_compiler_find_homes(cs_compiler *c)
{
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--) {
        cs_node_info *f = &c->info[y];
        if (!f->uses || f->fused)
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
            if (!c->info[n].home && part != CS_OP_INPUT && part != CS_OP_DATA &&
                part != CS_OP_SLICE) {
                c->info[n].home = y;
                c->info[n].offset = offset;
            }
            offset += at(c, n)->size;
        }
    }
}

static cs_node owner(const cs_compiler *c, cs_node n, uint32_t *offset)
{
    for (*offset = 0; c->info[n].home; n = c->info[n].home)
        *offset += c->info[n].offset;
    return n;
}

void cs_compiler_find_last_uses(cs_compiler *c, const cs_node *roots, size_t n)
{
    uint32_t offset, end = (uint32_t)c->g->n_nodes;
    for (cs_node y = 1; y < end; y++) {
        if (!c->info[y].uses)
            continue;
        cs_node reader = c->info[y].reader;
        cs_node self = owner(c, y, &offset);
        if (c->info[self].last < reader)
            c->info[self].last = reader;
        for (uint32_t i = 0; i < at(c, y)->count; i++) {
            cs_node o = owner(c, arg(c, y, i), &offset);
            if (c->info[o].last < reader)
                c->info[o].last = reader;
        }
    }
    for (size_t i = 0; i < n; i++)
        c->info[owner(c, roots[i], &offset)].last = end;
    for (cs_node y = 2; y < end; y++) {
        cs_node_info *f = &c->info[y];
        if (!f->uses || f->home || f->fused || f->last >= end)
            continue;
        f->next = c->expires[f->last];
        c->expires[f->last] = y;
    }
}

static cs_free_slots *pool_of(cs_compiler *c, uint32_t size)
{
    uint32_t *at;
    if (!CS_GROW(c->pool_of, 0, c->pool_of_capacity, size + 1)) {
        c->status = CS_MEMORY;
        return NULL;
    }
    at = &c->pool_of[size];
    if (*at)
        return &c->pools[*at - 1];
    if (!CS_COMPILER_GROW(c, c->pools, c->n_pools, c->pool_capacity, 1))
        return NULL;
    c->pools[c->n_pools] = (cs_free_slots){.size = size};
    *at = (uint32_t)++c->n_pools;
    return &c->pools[*at - 1];
}

bool cs_compiler_is_input(const cs_compiler *c, cs_node n, uint32_t *first)
{
    return at(c, owner(c, n, first))->op == CS_OP_INPUT;
}

uint32_t cs_compiler_slot_of(cs_compiler *c, cs_node n)
{
    uint32_t offset;
    cs_node o = owner(c, n, &offset);
    cs_node_info *f = &c->info[o];
    if (at(c, o)->op == CS_OP_INPUT)
        return offset - (uint32_t)c->p->numbers;
    if (!f->placed) {
        cs_free_slots *p = pool_of(c, at(c, o)->size);
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

void cs_compiler_expire(cs_compiler *c, cs_node y)
{
    for (cs_node n = c->expires[y]; n; n = c->info[n].next) {
        if (!c->info[n].placed)
            continue;
        cs_free_slots *p = pool_of(c, at(c, n)->size);
        if (p && CS_COMPILER_GROW(c, p->slot, p->n, p->capacity, 1))
            p->slot[p->n++] = c->info[n].slot;
    }
}
