#include "targets/intractable/state_counts.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double max_numbers = 1 << 21, max_work = 3e8;

void cs_state_counts_free(cs_state_counts *c)
{
    cs_free(c->log_count);
    cs_free(c->s);
    *c = (cs_state_counts){0};
}

/* Copies to c those counts of count[first][second][third] that are positive. */
static cs_status keep(cs_state_counts *c, const double *count,
                      const size_t side[3], size_t statistics, cs_error *err)
{
    size_t all = side[0] * side[1] * side[2], n = 0;
    for (size_t k = 0; k < all; k++)
        n += count[k] > 0;
    *c = (cs_state_counts){.statistics = statistics};
    c->log_count = cs_alloc(n, sizeof *c->log_count);
    c->s = cs_alloc(n * statistics, sizeof *c->s);
    if (!c->log_count || !c->s) {
        cs_state_counts_free(c);
        return cs_fail(err, CS_MEMORY, "out of memory for counts of states");
    }
    c->n = n;
    n = 0;
    for (size_t k = 0; k < all; k++) {
        const size_t s[3] = {k / (side[1] * side[2]), k / side[2] % side[1],
                             k % side[2]};
        if (!(count[k] > 0))
            continue;
        for (size_t p = 0; p < statistics; p++)
            c->s[p * c->n + n] = (double)s[p];
        c->log_count[n++] = log(count[k]);
    }
    return CS_OK;
}

/* ---- sites --------------------------------------------------------------- */

/* The transfer matrix. Sites are added in order. The rim, rim[n], consists of
 * the added sites that have neighbours not yet added. For each state of the rim
 * there is one row of counts. From row to row, the value of the first rim site
 * varies slowest. */
typedef struct transfer {
    const cs_counted *of;
    uint32_t *rim, *last; /* [sites] rim: sites on the rim; last[i]: the last
                             neighbour of site i to be added */
    size_t n;
    size_t row, second; /* row: length of a row; second: entries per value of
                           the first statistic */
    size_t reached;     /* number of leading entries of a row that may differ
                           from 0 */
    double *now, *next;
} transfer;

static double power(size_t values, size_t n)
{
    return pow((double)values, (double)n);
}

static void find_last(transfer *t)
{
    const cs_site_graph *g = t->of->graph;
    for (uint32_t i = 0; i < g->sites; i++) {
        t->last[i] = i;
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
            if (g->other[k] > t->last[i])
                t->last[i] = g->other[k];
    }
}

/* Computes the rim after site i is added. A site leaves the rim if its last
 * neighbour is i. */
static size_t move_rim(const transfer *t, uint32_t i, uint32_t *rim)
{
    size_t n = 0;
    for (size_t k = 0; k <= t->n; k++) {
        uint32_t site = k < t->n ? t->rim[k] : i;
        if (t->last[site] > i)
            rim[n++] = site;
    }
    return n;
}

/* Returns false if counting would take too much time or memory. Sets *numbers
 * to the largest number of counts that are stored at a time. */
static bool affordable(transfer *t, double *numbers)
{
    double work = 0;
    *numbers = 0;
    t->n = 0;
    for (uint32_t i = 0; i < t->of->graph->sites; i++) {
        work += power(t->of->values, t->n + 1) * (double)t->row;
        t->n = move_rim(t, i, t->rim);
        *numbers = fmax(*numbers, power(t->of->values, t->n) * (double)t->row);
        if (work > max_work || *numbers > max_numbers)
            return false;
    }
    t->n = 0;
    return true;
}

/* Returns how many edges between site i and the rim count in the statistic.
 * Site i has the value v, and the rim sites have values[n]. */
static size_t edges_that_count(const transfer *t, uint32_t i, size_t v,
                               const size_t *values)
{
    const cs_site_graph *g = t->of->graph;
    size_t count = 0;
    for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
        for (size_t r = 0; r < t->n; r++)
            if (t->rim[r] == g->other[k])
                count +=
                    t->of->both ? v == 1 && values[r] == 1 : v == values[r];
    return count;
}

/* Site i gets the value v, which changes the state of the rim. Adds a row of
 * counts to the row of the new state. */
static void add_row(transfer *t, uint32_t i, size_t v, const size_t *values,
                    const double *from)
{
    size_t to = 0, q = t->of->values;
    for (size_t k = 0; k <= t->n; k++) {
        uint32_t site = k < t->n ? t->rim[k] : i;
        if (t->last[site] > i)
            to = to * q + (k < t->n ? values[k] : v);
    }
    size_t shift = t->second * edges_that_count(t, i, v, values);
    if (t->of->statistics > 1 && v == t->of->special)
        shift++;
    double *out = t->next + to * t->row + shift;
    for (size_t k = 0; k < t->reached; k++)
        out[k] += from[k];
}

/* Returns the number of leading entries of a row that may differ from 0 after
 * site i is added. Assumes the worst case: all edges to earlier sites count,
 * and site i has the special value. */
static size_t reach_with(const transfer *t, uint32_t i)
{
    const cs_site_graph *g = t->of->graph;
    size_t edges = 0;
    for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
        edges += g->other[k] < i;
    return t->reached + edges * t->second + (t->of->statistics > 1);
}

static void add_site(transfer *t, uint32_t i, size_t *values, uint32_t *rim)
{
    size_t q = t->of->values, states = 1, n = move_rim(t, i, rim);
    for (size_t k = 0; k < t->n; k++)
        states *= q;
    size_t reach = reach_with(t, i), rows = (size_t)power(q, n);
    for (size_t s = 0; s < rows; s++)
        memset(t->next + s * t->row, 0, reach * sizeof *t->next);
    for (size_t s = 0; s < states; s++) {
        size_t rest = s;
        for (size_t k = t->n; k-- > 0; rest /= q)
            values[k] = rest % q;
        for (size_t v = 0; v < q; v++)
            add_row(t, i, v, values, t->now + s * t->row);
    }
    memcpy(t->rim, rim, n * sizeof *rim);
    t->n = n;
    t->reached = reach;
    double *now = t->now;
    t->now = t->next;
    t->next = now;
}

cs_status cs_state_counts_sites(cs_state_counts *c, const cs_counted *of,
                                cs_error *err)
{
    const cs_site_graph *g = of->graph;
    transfer t = {.of = of, .second = of->statistics > 1 ? g->sites + 1 : 1};
    cs_status status = CS_OK;
    double numbers = 0;
    *c = (cs_state_counts){0};
    t.row = (g->edges + 1) * t.second;
    t.rim = cs_alloc(g->sites, sizeof *t.rim);
    t.last = cs_alloc(g->sites, sizeof *t.last);
    uint32_t *rim = cs_alloc(g->sites, sizeof *rim);
    size_t *values = cs_alloc(g->sites, sizeof *values);
    bool whole = t.rim && t.last && rim && values, few = false;
    if (whole) {
        find_last(&t);
        few = affordable(&t, &numbers);
        t.now = cs_alloc(few ? (size_t)numbers : 1, sizeof *t.now);
        t.next = cs_alloc(few ? (size_t)numbers : 1, sizeof *t.next);
        whole = t.now && t.next;
    }
    if (whole && few) {
        t.reached = 1;
        t.now[0] = 1;
        for (uint32_t i = 0; i < g->sites; i++)
            add_site(&t, i, values, rim);
        const size_t side[3] = {g->edges + 1, t.second, 1};
        status = keep(c, t.now, side, of->statistics, err);
    }
    CS_FREE_ALL(t.rim, t.last, rim, values, t.now, t.next);
    return whole
               ? status
               : cs_fail(err, CS_MEMORY, "out of memory for counts of states");
}

/* ---- graphs -------------------------------------------------------------- */

enum { MOST_VERTICES = 7 };

/* The current graph of the enumeration. An added edge increases two counts. The
 * number of two-stars increases by the number of neighbours of both ends of the
 * edge. The number of triangles increases by the number of their common
 * neighbours. */
typedef struct graph_walk {
    unsigned neighbours[MOST_VERTICES];
    size_t s[3];
} graph_walk;

static void turn_edge(graph_walk *w, unsigned i, unsigned j)
{
    bool there = w->neighbours[i] >> j & 1;
    w->neighbours[i] &= ~(1u << j);
    w->neighbours[j] &= ~(1u << i);
    unsigned a = w->neighbours[i], b = w->neighbours[j];
    size_t adds[3] = {
        1, (size_t)__builtin_popcount(a) + (size_t)__builtin_popcount(b),
        (size_t)__builtin_popcount(a & b)};
    for (int p = 0; p < 3; p++)
        w->s[p] = there ? w->s[p] - adds[p] : w->s[p] + adds[p];
    if (there)
        return;
    w->neighbours[i] |= 1u << j;
    w->neighbours[j] |= 1u << i;
}

/* Counts every graph with n vertices in count[][][], which is indexed by the
 * three statistics. Visits the graphs in the order of a Gray code. */
static void walk_graphs(size_t n, const size_t side[3], double *count)
{
    unsigned pair[MOST_VERTICES * (MOST_VERTICES - 1) / 2][2], e = 0;
    graph_walk w = {0};
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++, e++) {
            pair[e][0] = i;
            pair[e][1] = j;
        }
    for (size_t k = 0;; k++) {
        size_t at[3] = {w.s[0], side[1] > 1 ? w.s[1] : 0,
                        side[2] > 1 ? w.s[2] : 0};
        count[(at[0] * side[1] + at[1]) * side[2] + at[2]]++;
        unsigned turn = (unsigned)__builtin_ctzll(k + 1);
        if (turn >= e)
            return;
        turn_edge(&w, pair[turn][0], pair[turn][1]);
    }
}

cs_status cs_state_counts_graphs(cs_state_counts *c, size_t vertices,
                                 size_t statistics, cs_error *err)
{
    assert(c && vertices && statistics);
    size_t n = vertices;
    *c = (cs_state_counts){0};
    if (n > MOST_VERTICES)
        return CS_OK;
    const size_t side[3] = {
        n * (n - 1) / 2 + 1,
        statistics > 1 ? n * (n - 1) * (n - 2) / 2 + 1 : 1,
        statistics > 2 ? n * (n - 1) * (n - 2) / 6 + 1 : 1,
    };
    double *count = cs_alloc(side[0] * side[1] * side[2], sizeof *count);
    if (!count)
        return cs_fail(err, CS_MEMORY, "out of memory for counts of graphs");
    walk_graphs(n, side, count);
    cs_status status = keep(c, count, side, statistics, err);
    cs_free(count);
    return status;
}
