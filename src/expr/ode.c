#include "expr/ode.h"

#include "base/memory.h"
#include "expr/intern.h"
#include "expr/reverse.h"

cs_ode *cs_ode_hold(cs_ode *o)
{
    atomic_fetch_add(&o->holders, 1);
    return o;
}

void cs_ode_release(cs_ode *o)
{
    if (o && atomic_fetch_sub(&o->holders, 1) == 1)
        o->destroy(o);
}

cs_ode *cs_odes_find(const cs_odes *all, uint32_t number)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->ode[i]->number == number)
            return all->ode[i];
    return NULL;
}

bool cs_odes_add(cs_odes *all, cs_ode *o)
{
    if (cs_odes_find(all, o->number))
        return true;
    if (!CS_GROW(all->ode, all->n, all->capacity, 1))
        return false;
    all->ode[all->n++] = cs_ode_hold(o);
    return true;
}

void cs_odes_free(cs_odes *all)
{
    for (size_t i = 0; i < all->n; i++)
        cs_ode_release(all->ode[i]);
    cs_free(all->ode);
    *all = (cs_odes){0};
}

/* ---- nodes --------------------------------------------------------------- */

static size_t size_of(const cs_ode *o)
{
    return o->values * (1 + o->inputs);
}

/* Returns the result for known inputs. */
static cs_node solved(cs_graph *g, cs_ode *o, cs_node a)
{
    double *in = cs_alloc(o->inputs, sizeof *in);
    double *out = cs_alloc(size_of(o), sizeof *out);
    cs_node made = 0;
    for (size_t i = 0; in && i < o->inputs; i++)
        in[i] = cs_graph_element(g, a, i);
    if (in && out) {
        o->solve(o, in, 1, out, 1);
        made = cs_graph_vector(g, out, size_of(o));
    } else
        cs_graph_fault(g, CS_MEMORY);
    CS_FREE_ALL(in, out);
    return made;
}

cs_node cs_graph_ode(cs_graph *g, cs_ode *o, cs_node a)
{
    if (!a || !o || g->status)
        return 0;
    if (g->nodes[a].size != o->inputs)
        return cs_graph_fault(g, CS_INPUT);
    if (cs_graph_is_data(g, a))
        return solved(g, o, a);
    if (!cs_odes_add(&g->odes, o))
        return cs_graph_fault(g, CS_MEMORY);
    return cs_graph_intern(g,
                           (cs_graph_node){.op = CS_OP_ODE,
                                           .size = (uint32_t)size_of(o),
                                           .count = 1,
                                           .extra = o->number},
                           &a);
}

cs_node cs_graph_ode_values(cs_graph *g, const cs_ode *o, cs_node y)
{
    double *index = cs_alloc(o->values, sizeof *index);
    if (!index)
        return cs_graph_fault(g, CS_MEMORY);
    for (size_t i = 0; i < o->values; i++)
        index[i] = (double)i;
    cs_node made = cs_graph_gather(g, y, index, o->values);
    cs_free(index);
    return made;
}

/* Adds J' w, where J are the derivatives of the values. The adjoint comes from
 * the GATHER of the values; derivatives of J are not known. */
void cs_back_ode(cs_reverse *r, const cs_back *k)
{
    cs_graph *g = r->g;
    const cs_ode *o = cs_odes_find(&g->odes, cs_graph_at(g, k->y)->extra);
    if (!o || cs_graph_at(g, k->w)->op != CS_OP_SCATTER) {
        cs_graph_fault(g, CS_UNSUPPORTED);
        return;
    }
    size_t m = o->inputs, values = o->values;
    cs_matmul_term *t = cs_alloc(values * m, sizeof *t);
    if (!t) {
        cs_graph_fault(g, CS_MEMORY);
        return;
    }
    for (size_t i = 0; i < values * m; i++)
        t[i] = (cs_matmul_term){1, (double)(i % m), (double)i, (double)(i / m)};
    cs_node w = cs_graph_arg(g, k->w, 0);
    cs_node slopes = cs_graph_slice(g, k->y, values, values * m);
    cs_reverse_add(r, k->a, cs_graph_bilinear(g, slopes, w, t, values * m, m),
                   m);
    cs_free(t);
}
