#include "targets/intractable/site_graph.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

static cs_status count_edges(cs_site_graph *g, const cs_edges *e, cs_error *err)
{
    double n = 0;
    for (size_t k = 0; k < e->n; k++) {
        double w = e->edge[k].w;
        if (e->edge[k].i == e->edge[k].j)
            return cs_fail(err, CS_INPUT, "site %u is joined to itself",
                           e->edge[k].i + 1);
        if (!(w >= 1 && w <= CS_GRAPH_NEIGHBOURS && w == floor(w)))
            return cs_fail(err, CS_INPUT,
                           "edge %u-%u has weight %g: weights must be integers "
                           "(multiplicities)",
                           e->edge[k].i + 1, e->edge[k].j + 1, w);
        n += w;
    }
    g->sites = e->vertices;
    g->edges = (size_t)n;
    return CS_OK;
}

static cs_status allocate(cs_site_graph *g, cs_error *err)
{
    g->start = cs_alloc(g->sites + 1, sizeof *g->start);
    g->other = cs_alloc(2 * g->edges, sizeof *g->other);
    g->edge = cs_alloc(2 * g->edges, sizeof *g->edge);
    g->end = cs_alloc(2 * g->edges, sizeof *g->end);
    g->kind = cs_alloc(g->sites, sizeof *g->kind);
    g->degree = cs_alloc(CS_GRAPH_NEIGHBOURS + 1, sizeof *g->degree);
    if (g->start && g->other && g->edge && g->end && g->kind && g->degree)
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for %zu sites", g->sites);
}

static void list_ends(cs_site_graph *g, const cs_edges *e)
{
    size_t n = 0;
    for (size_t k = 0; k < e->n; k++)
        for (double w = 0; w < e->edge[k].w; w++) {
            g->end[2 * n] = e->edge[k].i;
            g->end[2 * n++ + 1] = e->edge[k].j;
        }
}

/* Fills the lists. Initially start[i] is the end of the list of site i. Each
 * entry that is written decreases start[i] by 1. After the last entry start[i]
 * is therefore the beginning of the list. */
static void list_neighbours(cs_site_graph *g)
{
    for (size_t k = 0; k < 2 * g->edges; k++)
        g->start[g->end[k]]++;
    for (size_t i = 0; i < g->sites; i++)
        g->start[i + 1] += g->start[i];
    for (size_t k = 2 * g->edges; k-- > 0;) {
        size_t to = --g->start[g->end[k]];
        g->other[to] = g->end[k ^ 1];
        g->edge[to] = (uint32_t)(k / 2);
    }
}

static cs_status list_kinds(cs_site_graph *g, cs_error *err)
{
    for (size_t i = 0; i < g->sites; i++) {
        size_t n = g->start[i + 1] - g->start[i], kind = 0;
        if (n > CS_GRAPH_NEIGHBOURS)
            return cs_fail(err, CS_RANGE,
                           "site %zu has %zu neighbours, more than %d", i + 1,
                           n, CS_GRAPH_NEIGHBOURS);
        while (kind < g->kinds && g->degree[kind] != n)
            kind++;
        if (kind == g->kinds)
            g->degree[g->kinds++] = n;
        g->kind[i] = (uint32_t)kind;
        g->most = n > g->most ? n : g->most;
    }
    return CS_OK;
}

cs_status cs_site_graph_make(cs_site_graph *g, const cs_edges *e, cs_error *err)
{
    assert(g && e && e->vertices);
    *g = (cs_site_graph){0};
    cs_status status = count_edges(g, e, err);
    if (!status)
        status = allocate(g, err);
    if (!status) {
        list_ends(g, e);
        list_neighbours(g);
        status = list_kinds(g, err);
    }
    if (status)
        cs_site_graph_free(g);
    return status;
}

void cs_site_graph_free(cs_site_graph *g)
{
    CS_FREE_ALL(g->start, g->other, g->edge, g->end, g->kind, g->degree);
    *g = (cs_site_graph){0};
}
