/* Graph of the observed steps (check/state_graph.h). */
#include "check/state_graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 7, LEAST_ROOM = 1 << 14 };

/* State of Tarjan's algorithm. For each part: `next` and `end` delimit the
 * edges that are still to be followed; `met` is the order of discovery (0: not
 * yet discovered); `low` is the smallest `met` of the parts in `open` to which
 * the part is known to lead back; `component` is the component of the part (0:
 * none so far). `open` is the stack of discovered parts without a component.
 * `path` is the stack of the search. */
typedef struct search {
    const cs_state_graph *g;
    uint32_t *next, *end, *met, *low, *component, *open, *path;
    uint32_t count, opened, components;
} search;

bool cs_state_graph_open(cs_state_graph *g, size_t states)
{
    assert(states);
    *g = (cs_state_graph){.states = states, .parts = states};
    g->part = cs_alloc(states, sizeof *g->part);
    g->work = cs_alloc(states * ROWS, sizeof *g->work);
    if (!g->part || !g->work ||
        !CS_GROW(g->edge, 0, g->capacity, 4 * states + LEAST_ROOM)) {
        cs_state_graph_close(g);
        return false;
    }
    for (size_t k = 0; k < states; k++)
        g->part[k] = (uint32_t)k;
    return true;
}

void cs_state_graph_close(cs_state_graph *g)
{
    CS_FREE_ALL(g->part, g->edge, g->work);
    *g = (cs_state_graph){0};
}

static uint32_t from_of(uint64_t edge)
{
    return (uint32_t)(edge >> 32);
}

static uint32_t to_of(uint64_t edge)
{
    return (uint32_t)edge;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the edges and removes duplicates. */
static void tidy(cs_state_graph *g)
{
    size_t kept = 0;
    qsort(g->edge, g->edges, sizeof *g->edge, compare);
    for (size_t k = 0; k < g->edges; k++)
        if (kept == 0 || g->edge[k] != g->edge[kept - 1])
            g->edge[kept++] = g->edge[k];
    g->edges = kept;
}

bool cs_state_graph_add(cs_state_graph *g, size_t a, size_t b)
{
    assert(a < g->states && b < g->states);
    if (g->edges == g->capacity) {
        cs_state_graph_merge(g);
        if (2 * g->edges > g->capacity &&
            !CS_GROW(g->edge, g->edges, g->capacity, g->capacity))
            return false;
    }
    if (g->part[a] != g->part[b])
        g->edge[g->edges++] = (uint64_t)g->part[a] << 32 | g->part[b];
    return true;
}

/* ---- components ---------------------------------------------------------- */

static void exchange(search *s, size_t depth, uint32_t v)
{
    s->path[depth] = v;
    s->met[v] = s->low[v] = ++s->count;
    s->open[s->opened++] = v;
}

/* Closes one component: all parts that were opened since v. */
static void close_component(search *s, uint32_t v)
{
    uint32_t w;
    s->components++;
    do {
        w = s->open[--s->opened];
        s->component[w] = s->components;
    } while (w != v);
}

static void lower(search *s, uint32_t v, uint32_t to)
{
    s->low[v] = to < s->low[v] ? to : s->low[v];
}

/* Visits every part (node of the graph) that can be reached from v along edges
 * and has not been visited before. */
static void follow(search *s, uint32_t v)
{
    size_t depth = 1;
    exchange(s, 0, v);
    while (depth) {
        v = s->path[depth - 1];
        if (s->next[v] < s->end[v]) {
            uint32_t w = to_of(s->g->edge[s->next[v]++]);
            if (!s->met[w])
                exchange(s, depth++, w);
            else if (!s->component[w])
                lower(s, v, s->met[w]);
            continue;
        }
        if (s->low[v] == s->met[v])
            close_component(s, v);
        if (--depth)
            lower(s, s->path[depth - 1], s->low[v]);
    }
}

static void lay(search *s, cs_state_graph *g)
{
    uint32_t *row = g->work;
    memset(row, 0, g->states * ROWS * sizeof *row);
    *s = (search){.g = g, .next = row, .end = row + g->states};
    s->met = s->end + g->states;
    s->low = s->met + g->states;
    s->component = s->low + g->states;
    s->open = s->component + g->states;
    s->path = s->open + g->states;
    size_t e = 0;
    for (uint32_t v = 0; v < g->parts; v++) {
        s->next[v] = (uint32_t)e;
        while (e < g->edges && from_of(g->edge[e]) == v)
            e++;
        s->end[v] = (uint32_t)e;
    }
}

void cs_state_graph_merge(cs_state_graph *g)
{
    search s;
    size_t kept = 0;
    tidy(g);
    lay(&s, g);
    for (uint32_t v = 0; v < g->parts; v++)
        if (!s.met[v])
            follow(&s, v);
    for (size_t k = 0; k < g->states; k++)
        g->part[k] = s.component[g->part[k]] - 1;
    for (size_t k = 0; k < g->edges; k++) {
        uint32_t from = s.component[from_of(g->edge[k])] - 1;
        uint32_t to = s.component[to_of(g->edge[k])] - 1;
        if (from != to)
            g->edge[kept++] = (uint64_t)from << 32 | to;
    }
    g->edges = kept;
    g->parts = s.components;
    tidy(g);
}
