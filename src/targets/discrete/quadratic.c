/* Quadratic unconstrained binary optimisation (QUBO) at a temperature:
 *
 *     log p(x) = -beta x' Q x   (or +beta, to maximise),   x in {0, 1}^dim,
 *
 * where Q is given as a matrix (which need not be symmetric), read from a file,
 * or taken from a random graph with weights +1 and -1. */
#include "base/memory.h"
#include "rng/stream.h"
#include "targets/discrete/graphs.h"
#include "targets/discrete/pairwise.h"

#include <math.h>

enum { MATRIX = CS_GRAPH_SEED + 1, SENSE, BETA };

static cs_status from_matrix(const cs_value *q, cs_edges *out, cs_error *err)
{
    size_t n = q->rows;
    if (n != q->cols || n < 1) {
        cs_fail(err, CS_INPUT,
                "quadratic: the matrix has %zu rows and %zu columns", q->rows,
                q->cols);
        cs_hint(err, "give a square matrix");
        return CS_INPUT;
    }
    *out = (cs_edges){.vertices = n};
    out->edge = cs_alloc(n * n, sizeof *out->edge);
    if (!out->edge)
        return cs_fail(err, CS_MEMORY, "out of memory for target quadratic");
    for (size_t k = 0; k < n * n; k++) {
        if (!isfinite(q->array[k]))
            return cs_fail(err, CS_RANGE,
                           "quadratic: entry %zu of row %zu is not finite",
                           k % n + 1, k / n + 1);
        if (q->array[k] != 0)
            out->edge[out->n++] =
                (cs_edge){(uint32_t)(k / n), (uint32_t)(k % n), q->array[k]};
    }
    cs_edges_tidy(out);
    return CS_OK;
}

/* Draws random signs as weights of a random graph, for its edges and for its
 * vertices. */
static cs_status draw_signs(uint64_t seed, cs_edges *e, cs_error *err)
{
    size_t n = e->n, all = n + e->vertices;
    cs_edge *edge = cs_resize(e->edge, n * sizeof *edge, all * sizeof *edge);
    if (!edge)
        return cs_fail(err, CS_MEMORY, "out of memory for target quadratic");
    e->edge = edge;
    for (uint32_t i = 0; i < e->vertices; i++)
        edge[e->n++] = (cs_edge){i, i, 1};
    for (size_t k = 0; k < all; k++) {
        uint64_t word[2];
        cs_threefry2x64(20, (const uint64_t[]){k, 0},
                        (const uint64_t[]){seed, 2}, word);
        edge[k].w = word[0] >> 63 ? 1 : -1;
    }
    cs_edges_tidy(e);
    return CS_OK;
}

static cs_status given(const cs_value *v, cs_edges *out, cs_error *err)
{
    if (v[MATRIX].given)
        return from_matrix(&v[MATRIX], out, err);
    cs_status s = cs_graph_given(v, out, err);
    if (!s && !v[CS_GRAPH_FILE].given)
        s = draw_signs((uint64_t)v[CS_GRAPH_SEED].number, out, err);
    return s;
}

static cs_status edges(const cs_value *v, cs_edges *out, cs_error *err)
{
    double scale = v[SENSE].number != 0 ? v[BETA].number : -v[BETA].number;
    cs_status s = given(v, out, err);
    for (size_t k = 0; k < out->n && !s; k++)
        out->edge[k].w *= scale;
    return s;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    return cs_pairwise_create(t, edges, v, err);
}

static const char *const senses[] = {"minimise", "maximise", NULL};

static const cs_param params[] = {
    CS_GRAPH_ROWS,
    [MATRIX] = {.name = "matrix",
                CS_FIXED(ARRAY),
                .help = "the matrix Q of the cost x'Qx, row by row; q_ij and "
                        "q_ji are added"},
    [SENSE] = {.name = "sense",
               CS_FIXED(CHOICE),
               .max = 1,
               .choices = senses,
               .help = "minimise: states with a smaller x'Qx are more likely; "
                       "maximise: states with a larger x'Qx are more likely"},
    [BETA] = {.name = "beta",
              CS_FIXED_SCALE,
              CS_PARAM_RANGE(1e-6, 1e6, 1),
              .help = "inverse temperature"},
};

const cs_target_type CS_VARIANT(cs_target_quadratic) = {
    .name = "quadratic",
    .title = "Quadratic binary program",
    .ref = "Kochenberger et al., The unconstrained binary quadratic "
           "programming problem: a survey, 2014",
    .help = "Bits x with a quadratic cost x'Qx (QUBO); the matrix Q is given "
            "directly or read from a file.",
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
