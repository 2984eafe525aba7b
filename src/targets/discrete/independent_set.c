/* Independent sets of a graph, the hard-core model:
 *
 *     log p(x) = log_fugacity sum_i x_i   if no two neighbours are chosen,
 *
 * -inf otherwise. If `complement` is true, the sets are cliques. The gradient
 * is that of a soft log p: component i is log_fugacity - slope (number of
 * chosen neighbours of i), so that gradients point away from sets that are not
 * independent. */
#include "base/memory.h"
#include "targets/discrete/graphs.h"
#include "targets/discrete/pairwise.h"

#include <math.h>
#include <string.h>

enum { LOG_FUGACITY = CS_GRAPH_SEED + 1, COMPLEMENT, SLOPE };

typedef struct independent {
    cs_pairwise pairs; /* the soft log p; must be the first member: see
                          targets/discrete/pairwise.h */
    double log_fugacity, slope;
} independent;

/* Returns the row of the cache after the slopes: the number of edges with both
 * ends chosen. */
static inline double *conflicts(const independent *s, const cs_point *at)
{
    return at->cache + s->pairs.dim * at->lanes;
}

/* Computes the number of chosen neighbours of a site. `g` is the slope at that
 * site. The result is an integer up to rounding. */
static inline cs_vd chosen(const independent *s, cs_vd g)
{
    return (s->log_fugacity - g) / s->slope;
}

/* Counts the conflicts, and sets log p to -inf in lanes with conflicts. */
static void forbid(const independent *s, const cs_point *at, double *logp)
{
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd sum = {0}, out = sum - HUGE_VAL;
        for (size_t i = l; i < s->pairs.dim * at->lanes; i += at->lanes)
            sum += *(const cs_vd *)(at->x + i) *
                   chosen(s, *(const cs_vd *)(at->cache + i));
        *(cs_vd *)(conflicts(s, at) + l) = 0.5 * sum;
        cs_vd *to = (cs_vd *)(logp + l);
        cs_vi bad = sum > 0.5;
        *to = (cs_vd)((bad & (cs_vi)out) | (~bad & (cs_vi)*to));
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    CS_VARIANT(cs_pairwise_log_density)(t, at, logp);
    forbid(t->self, at, logp);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    CS_VARIANT(cs_pairwise_gradient)(t, at, logp, g);
    forbid(t->self, at, logp);
}

static double neighbours(const independent *s, const cs_point *at, size_t i)
{
    return (s->log_fugacity - at->cache[i]) / s->slope;
}

/* Computes site differences. If the state has conflicts and the changed state
 * has none, the difference is +inf. */
static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const independent *s = t->self;
    for (size_t l = 0; l < at->lanes; l++) {
        size_t i = where[l] * at->lanes + l;
        double x = at->x[i], near = neighbours(s, at, i);
        double others = conflicts(s, at)[l] - x * near;
        bool outside = conflicts(s, at)[l] > 0.5;
        double stay = outside ? HUGE_VAL : 0, worth = s->log_fugacity;
        d[l] = others > 0.5 ? -HUGE_VAL : stay - x * worth;
        d[at->lanes + l] =
            others + near > 0.5 ? -HUGE_VAL : stay + (1 - x) * worth;
    }
}

static void site_moved(const cs_target *t, const cs_point *at,
                       const uint32_t *where, const double *value)
{
    const independent *s = t->self;
    for (size_t l = 0; l < at->lanes; l++) {
        size_t i = where[l] * at->lanes + l;
        conflicts(s, at)[l] += (value[l] - at->x[i]) * neighbours(s, at, i);
    }
    CS_VARIANT(cs_pairwise_site_moved)(t, at, where, value);
}

/* Starts from a random independent set: visits the vertices in order, and
 * chooses a vertex with probability 1/2 if no neighbour is chosen. */
static void start(const cs_target *t, const double *uniform, double *x)
{
    const cs_pairwise *p = t->self;
    memset(x, 0, p->dim * sizeof *x);
    for (size_t i = 0; i < p->dim; i++) {
        bool free_of = uniform[i] < 0.5;
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
            free_of = free_of && x[p->other[k]] == 0;
        x[i] = free_of;
    }
}

static void destroy(cs_target *t)
{
    independent *s = t->self;
    cs_pairwise_free(&s->pairs);
}

/* Replaces the graph by its complement. The edges are sorted and distinct
 * before and after the call. */
static cs_status turn_over(cs_edges *e, cs_error *err)
{
    size_t n = e->vertices, room = 0, k = 0;
    cs_edges other = {.vertices = n};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            while (k < e->n && (e->edge[k].i < i ||
                                (e->edge[k].i == i && e->edge[k].j < j)))
                k++;
            if (k < e->n && e->edge[k].i == i && e->edge[k].j == j)
                continue;
            if (!CS_GROW(other.edge, other.n, room, 1)) {
                cs_edges_free(&other);
                return cs_fail(err, CS_MEMORY,
                               "out of memory for target independent_set");
            }
            other.edge[other.n++] = (cs_edge){i, j, 1};
        }
    cs_edges_free(e);
    *e = other;
    return CS_OK;
}

/* Lists the edges of the soft log p. Loops are left out, because a loop would
 * forbid its vertex. */
static cs_status soften(const independent *s, const cs_edges *graph,
                        cs_edges *out, cs_error *err)
{
    *out = (cs_edges){.vertices = graph->vertices};
    out->edge = cs_alloc(graph->n + graph->vertices, sizeof *out->edge);
    if (!out->edge)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for target independent_set");
    for (size_t k = 0; k < graph->n; k++)
        if (graph->edge[k].i != graph->edge[k].j)
            out->edge[out->n++] =
                (cs_edge){graph->edge[k].i, graph->edge[k].j, -s->slope};
    for (uint32_t i = 0; i < graph->vertices; i++)
        out->edge[out->n++] = (cs_edge){i, i, s->log_fugacity};
    cs_edges_tidy(out);
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    independent *s = t->self;
    cs_edges graph = {0}, edges = {0};
    s->log_fugacity = v[LOG_FUGACITY].number;
    s->slope = v[SLOPE].number;
    cs_status status = cs_graph_given(v, &graph, err);
    if (!status && v[COMPLEMENT].number != 0)
        status = turn_over(&graph, err);
    if (!status)
        status = soften(s, &graph, &edges, err);
    if (!status)
        status = cs_pairwise_make(&s->pairs, &edges, err);
    cs_edges_free(&graph);
    cs_edges_free(&edges);
    if (status)
        return status;
    cs_pairwise_set_hooks(&s->pairs, t);
    t->cache_words++;
    return CS_OK;
}

static const cs_param params[] = {
    CS_GRAPH_ROWS,
    [LOG_FUGACITY] = {.name = "log_fugacity",
                      .unit = "nats",
                      CS_FIXED(REAL),
                      CS_PARAM_RANGE(-100, 100, 1),
                      .help = "increase of log p for each vertex in the set"},
    [COMPLEMENT] = {.name = "complement",
                    CS_FIXED(BOOL),
                    CS_PARAM_RANGE(0, 1, 0),
                    .help = "true: use the complement graph, so that the sets "
                            "are cliques of the given graph"},
    [SLOPE] = {.name = "slope",
               .unit = "nats",
               CS_FIXED_SCALE,
               CS_PARAM_RANGE(1e-3, 1e3, 4),
               .help = "penalty, in the gradient only, for each chosen "
                       "neighbour of a vertex; it does not change the target"},
};

const cs_target_type CS_VARIANT(cs_target_independent_set) = {
    .name = "independent_set",
    .title = "Independent sets of a graph",
    .ref = "the hard-core lattice gas; Karp 1972 for the largest set",
    .help = "Independent sets of a graph: sets of vertices in which no two "
            "vertices are neighbours. Larger sets are more likely. Sets with "
            "two neighbouring vertices have probability 0.",
    CS_PARAM_TABLE(params),
    .size = sizeof(independent),
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .sites.site = site,
    .sites.moved = site_moved,
    .start = start,
};
