/* Finds the nodes that the roots need, and the nodes that are fused into
 * sums. */
#include "tape/compile.h"

void cs_compiler_count_uses(cs_compiler *c, const cs_node *roots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->info[roots[i]].uses++;
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--)
        if (c->info[y].uses)
            for (uint32_t i = 0; i < at(c, y)->count; i++)
                c->info[arg(c, y, i)].uses++;
}

void cs_compiler_find_rest(cs_compiler *c, const cs_node *roots, size_t n)
{
    for (size_t i = 1; i < n; i++)
        c->info[roots[i]].rest = true;
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--)
        if (c->info[y].rest)
            for (uint32_t i = 0; i < at(c, y)->count; i++)
                c->info[arg(c, y, i)].rest = true;
}

cs_node cs_compiler_scaled(const cs_compiler *c, cs_node n, double *factor)
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

/* True for a product of two values, neither of them a number. */
static bool is_product(const cs_compiler *c, cs_node n)
{
    double factor;
    return at(c, n)->op == CS_OP_MUL && !cs_compiler_scaled(c, n, &factor);
}

/* True if the sum y, or the sum that y is a part of, is a sum over rows. */
static bool is_collected(const cs_compiler *c, cs_node y)
{
    return at(c, c->info[y].reader)->op == CS_OP_COLLECT && !c->info[y].factor;
}

/* True if n, whose only reader is the sum y, can be part of y. */
static bool can_fuse(const cs_compiler *c, cs_node n, cs_node y)
{
    double factor;
    uint32_t op = at(c, n)->op, by = at(c, y)->op;
    if (c->info[n].uses != 1)
        return false;
    bool scale = cs_compiler_scaled(c, n, &factor) != 0;
    if (op == CS_OP_SPREAD)
        return is_collected(c, y) && at(c, n)->size == at(c, y)->size &&
               (by == CS_OP_COLLECT || is_sum(by) ||
                cs_compiler_scaled(c, y, &factor));
    if (c->info[y].factor)
        return scale;
    if (by == CS_OP_SUM || by == CS_OP_COLLECT)
        return is_sum(op) || op == CS_OP_MUL || scale;
    if (at(c, n)->size != at(c, y)->size)
        return false;
    if (is_sum(by) || cs_compiler_scaled(c, y, &factor))
        return is_sum(op) || op == CS_OP_MUL || scale;
    return is_product(c, y) && scale; /* y absorbs the factor of n */
}

void cs_compiler_fuse(cs_compiler *c)
{
    for (cs_node y = (cs_node)c->g->n_nodes - 1; y > 0; y--) {
        if (!c->info[y].uses)
            continue;
        if (!c->info[y].fused)
            c->info[y].reader = y;
        for (uint32_t i = 0; i < at(c, y)->count; i++) {
            cs_node n = arg(c, y, i);
            if (!can_fuse(c, n, y))
                continue;
            c->info[n].fused = true;
            c->info[n].factor = c->info[y].factor || is_product(c, y);
            c->info[n].reader = c->info[y].reader;
        }
    }
}

static bool are_twins(const cs_compiler *c, cs_node first, cs_node second)
{
    const cs_graph_node *a = at(c, first), *b = at(c, second);
    return a->op == CS_OP_SOFTPLUS
               ? b->op == CS_OP_SIGMOID
               : a->op == CS_OP_LOG_SUM_EXP && b->op == CS_OP_SOFTMAX &&
                     b->extra == a->size;
}

bool cs_compiler_find_twins(cs_compiler *c)
{
    cs_node *second = cs_alloc(c->g->n_nodes, sizeof *second);
    if (!second) {
        c->status = CS_MEMORY;
        return false;
    }
    for (cs_node n = 1; n < c->g->n_nodes; n++)
        if (c->info[n].uses &&
            (at(c, n)->op == CS_OP_SIGMOID || at(c, n)->op == CS_OP_SOFTMAX))
            second[arg(c, n, 0)] = n;
    for (cs_node n = 1; n < c->g->n_nodes; n++) {
        cs_node twin = at(c, n)->count ? second[arg(c, n, 0)] : 0;
        if (!c->info[n].uses || !twin || !are_twins(c, n, twin))
            continue;
        c->info[n].twin = twin;
        c->info[twin].twin = n;
    }
    cs_free(second);
    return true;
}
