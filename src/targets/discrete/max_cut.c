/* Cuts of a graph. Each bit puts a vertex on one of two sides;
 *
 *     log p(x) = beta sum_{i~j} w_ij (x_i + x_j - 2 x_i x_j),
 *
 * which is beta times the total weight of the edges between the sides. With a
 * large beta the mass is on the largest cuts. */
#include "base/memory.h"
#include "targets/discrete/graphs.h"
#include "targets/discrete/pairwise.h"

enum { BETA = CS_GRAPH_SEED + 1 };

/* Computes the edges of log p from the edges of the graph. */
static cs_status cuts(const cs_edges *graph, double beta, cs_edges *out,
                      cs_error *err)
{
    *out = (cs_edges){.vertices = graph->vertices};
    out->edge = cs_alloc(3 * graph->n, sizeof *out->edge);
    if (!out->edge)
        return cs_fail(err, CS_MEMORY, "out of memory for target max_cut");
    for (size_t k = 0; k < graph->n; k++) {
        cs_edge e = graph->edge[k];
        if (e.i == e.j && e.w != 0) {
            cs_edges_free(out);
            cs_fail(err, CS_INPUT,
                    "max_cut: the graph gives vertex %u a weight", e.i + 1);
            cs_hint(err, "remove the line (cuts have no vertex weights), or "
                         "use the target qubo or ising");
            return CS_INPUT;
        }
        out->edge[out->n++] = (cs_edge){e.i, e.j, -2 * beta * e.w};
        out->edge[out->n++] = (cs_edge){e.i, e.i, beta * e.w};
        out->edge[out->n++] = (cs_edge){e.j, e.j, beta * e.w};
    }
    cs_edges_tidy(out);
    return CS_OK;
}

static cs_status edges(const cs_value *v, cs_edges *out, cs_error *err)
{
    cs_edges graph = {0};
    cs_status s = cs_graph_given(v, &graph, err);
    if (!s)
        s = cuts(&graph, v[BETA].number, out, err);
    cs_edges_free(&graph);
    return s;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    return cs_pairwise_create(t, edges, v, err);
}

static const cs_param params[] = {
    CS_GRAPH_ROWS,
    [BETA] = {.name = "beta",
              CS_FIXED_SCALE,
              CS_PARAM_RANGE(1e-6, 1e6, 1),
              .help = "inverse temperature, per unit of weight of the cut"},
};

const cs_target_type CS_VARIANT(cs_target_max_cut) = {
    .name = "max_cut",
    .title = "Maximum cut of a graph",
    .ref = "Karp, Reducibility among combinatorial problems, 1972",
    .help = "Divisions of the vertices of a graph into two sides. A division "
            "is more likely if the total weight of the edges between the two "
            "sides (the cut) is larger.",
    CS_PARAM_TABLE(params),
    .size = sizeof(cs_pairwise),
    .create = create,
    .destroy = cs_pairwise_destroy,
    .log_density = CS_VARIANT(cs_pairwise_log_density),
    .gradient = CS_VARIANT(cs_pairwise_gradient),
    .sites.site = CS_VARIANT(cs_pairwise_site),
    .sites.moved = CS_VARIANT(cs_pairwise_site_moved),
    .sites.neighbours = CS_VARIANT(cs_pairwise_neighbours),
    .sites.resample = CS_VARIANT(cs_pairwise_resample),
    .sites.bonds = CS_VARIANT(cs_pairwise_bonds),
};
