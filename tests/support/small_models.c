#include "support/small_models.h"

#include "support/support.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <stdio.h>
#include <string.h>

#define SPIN(shape_, ...)                                                      \
    {                                                                          \
        .kind = SPINS, .shape = shape_, .values = 2, __VA_ARGS__               \
    }
#define BIT(shape_, ...)                                                       \
    {                                                                          \
        .kind = BITS, .shape = shape_, .values = 2, __VA_ARGS__                \
    }
#define COLOUR(shape_, ...)                                                    \
    {                                                                          \
        .kind = POTTS, .shape = shape_, .values = 3, __VA_ARGS__               \
    }
#define EDGE(n, ...)                                                           \
    {                                                                          \
        .kind = EDGES, .vertices = n, .values = 2, __VA_ARGS__                 \
    }
#define ONE(a) .parameters = 1, .theta = {a}
#define TWO(a, b) .parameters = 2, .theta = {a, b}
#define THREE(a, b, c) .parameters = 3, .theta = {a, b, c}

const small_model small_models[] = {
    SPIN(PATH, ONE(0.7)),
    SPIN(PATH, TWO(-0.6, 0.4)),
    SPIN(CYCLE, ONE(-0.5)),
    SPIN(CYCLE, TWO(0.4, -0.3)),
    SPIN(TRIANGLE, ONE(0.5)),
    SPIN(TRIANGLE, TWO(-0.3, 0.2)),
    SPIN(GRID, ONE(0.4)),
    SPIN(GRID, ONE(-0.4)),
    SPIN(GRID, TWO(0.3, 0.2)),
    SPIN(GRID, TWO(-0.3, 0.3)),
    SPIN(STAR, ONE(0.6)),
    SPIN(STAR, TWO(-0.5, -0.3)),
    SPIN(COMPLETE, ONE(0.3)),
    SPIN(COMPLETE, TWO(-0.15, 0.2)),
    SPIN(TWICE, ONE(0.4)),
    SPIN(GRID, ONE(0)),
    BIT(PATH, TWO(0.8, -0.4)),
    BIT(GRID, TWO(-0.7, 0.9)),
    BIT(STAR, TWO(1.1, -1)),
    BIT(COMPLETE, ONE(-0.6)),
    COLOUR(PATH, ONE(1.1)),
    COLOUR(PATH, TWO(0.5, 0.6)),
    COLOUR(CYCLE, ONE(-0.4)),
    COLOUR(CYCLE, ONE(0.9)),
    COLOUR(TRIANGLE, ONE(-0.3)),
    COLOUR(TRIANGLE, TWO(0.2, -0.5)),
    COLOUR(GRID, ONE(0.8)),
    COLOUR(GRID, ONE(-0.2)),
    COLOUR(STAR, ONE(0.7)),
    COLOUR(STAR, TWO(-0.25, 0.4)),
    COLOUR(COMPLETE, ONE(0.5)),
    COLOUR(COMPLETE, ONE(-0.12)),
    COLOUR(TWICE, ONE(0.6)),
    COLOUR(TWICE, TWO(-0.3, 0.2)),
    EDGE(4, ONE(-0.5)),
    EDGE(4, TWO(-0.5, 0.3)),
    EDGE(4, THREE(0.4, -0.2, 0.3)),
    EDGE(4, THREE(-0.4, 0.2, 0.4)),
    EDGE(4, THREE(0.3, -0.3, -0.5)),
    EDGE(4, THREE(-0.6, 0.25, -0.4)),
    EDGE(5, THREE(-0.8, 0.1, 0.3)),
    EDGE(5, TWO(0.7, -0.3)),
    {.parameters = 0},
};

static const char *const shape_names[SHAPES] = {
    "path", "cycle", "triangle", "grid", "star", "complete", "twice"};
static const char *const kind_names[] = {"spins", "bits", "potts", "edges"};

/* ---- graphs -------------------------------------------------------------- */

static const struct {
    size_t sites, n;
    cs_edge edge[12];
} shapes[SHAPES] = {
    [PATH] = {4, 3, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}},
    [CYCLE] = {5, 5, {{0, 1, 1}, {0, 4, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}}},
    [TRIANGLE] = {3, 3, {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}}},
    [GRID] = {9,
              12,
              {{0, 1, 1},
               {0, 3, 1},
               {1, 2, 1},
               {1, 4, 1},
               {2, 5, 1},
               {3, 4, 1},
               {3, 6, 1},
               {4, 5, 1},
               {4, 7, 1},
               {5, 8, 1},
               {6, 7, 1},
               {7, 8, 1}}},
    [STAR] = {5, 4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}}},
    [COMPLETE] = {5,
                  10,
                  {{0, 1, 1},
                   {0, 2, 1},
                   {0, 3, 1},
                   {0, 4, 1},
                   {1, 2, 1},
                   {1, 3, 1},
                   {1, 4, 1},
                   {2, 3, 1},
                   {2, 4, 1},
                   {3, 4, 1}}},
    [TWICE] = {3, 2, {{0, 1, 2}, {1, 2, 1}}},
};

static void open_graph(small_open *s)
{
    cs_edge edge[12];
    cs_error err;
    memcpy(edge, shapes[s->m.shape].edge, sizeof edge);
    cs_edges e = {.vertices = shapes[s->m.shape].sites,
                  .n = shapes[s->m.shape].n,
                  .edge = edge};
    assert_int_equal(cs_site_graph_make(&s->graph, &e, &err), CS_OK);
    s->n_data = s->graph.sites;
}

/* ---- closed forms -------------------------------------------------------- */

static double graph_log_f(const small_open *s, const double *y)
{
    double pairs = 0, own = 0;
    for (size_t e = 0; e < s->graph.edges; e++) {
        double a = y[s->graph.end[2 * e]], b = y[s->graph.end[2 * e + 1]];
        pairs += s->m.kind == SPINS  ? (2 * a - 1) * (2 * b - 1)
                 : s->m.kind == BITS ? a * b
                                     : a == b;
    }
    for (size_t i = 0; i < s->n_data; i++)
        own += s->m.kind == SPINS  ? 2 * y[i] - 1
               : s->m.kind == BITS ? y[i]
                                   : y[i] == 0;
    return s->m.theta[0] * pairs + s->m.theta[1] * own;
}

/* A two-star is a pair of edges with a common vertex. A triangle is three edges
 * on three vertices. Both are counted by enumeration. */
static double edges_log_f(const small_open *s, const double *y)
{
    double edges = 0, stars = 0, triangles = 0;
    for (size_t a = 0; a < s->n_data; a++) {
        edges += y[a];
        for (size_t b = a + 1; b < s->n_data; b++) {
            const uint8_t *p = s->pair[a], *q = s->pair[b];
            bool meet =
                p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
            stars += y[a] * y[b] * meet;
            for (size_t c = b + 1; meet && c < s->n_data; c++) {
                uint64_t ends = 0;
                for (int k = 0; k < 2; k++)
                    ends |= UINT64_C(1) << p[k] | UINT64_C(1) << q[k] |
                            UINT64_C(1) << s->pair[c][k];
                triangles +=
                    y[a] * y[b] * y[c] * (__builtin_popcountll(ends) == 3);
            }
        }
    }
    return s->m.theta[0] * edges + s->m.theta[1] * stars +
           s->m.theta[2] * triangles;
}

double small_log_f(const small_open *s, const double *y)
{
    return s->m.kind == EDGES ? edges_log_f(s, y) : graph_log_f(s, y);
}

size_t small_bin(const small_open *s, const double *y, size_t stride)
{
    size_t bin = 0;
    for (size_t i = 0; s->whole && i < s->n_data; i++)
        bin = bin * s->m.values + (size_t)y[i * stride];
    for (size_t e = 0; !s->whole && e < s->graph.edges; e++)
        bin += y[s->graph.end[2 * e] * stride] ==
               y[s->graph.end[2 * e + 1] * stride];
    return bin;
}

static void enumerate(small_open *s)
{
    size_t states = 1;
    double sum = 0;
    for (size_t i = 0; i < s->n_data; i++)
        states *= s->m.values;
    s->whole = states <= SMALL_STATES;
    s->bins = s->whole ? states : s->graph.edges + 1;
    for (size_t k = 0; k < states; k++) {
        double y[SMALL_DATA];
        size_t rest = k;
        for (size_t i = s->n_data; i-- > 0; rest /= s->m.values)
            y[i] = (double)(rest % s->m.values);
        double p = exp(small_log_f(s, y));
        s->p[small_bin(s, y, 1)] += p;
        sum += p;
    }
    for (size_t k = 0; k < s->bins; k++)
        s->p[k] /= sum;
}

double small_chi_square(const double *count, const double *p, size_t bins)
{
    double n = 0, chi = 0, few = 0, few_expected = 0;
    size_t used = 0;
    for (size_t k = 0; k < bins; k++)
        n += count[k];
    for (size_t k = 0; k < bins; k++) {
        double expected = n * p[k];
        if (expected < 5) {
            few += count[k];
            few_expected += expected;
            continue;
        }
        chi += (count[k] - expected) * (count[k] - expected) / expected;
        used++;
    }
    if (few_expected >= 5) {
        chi += (few - few_expected) * (few - few_expected) / few_expected;
        used++;
    }
    return gsl_cdf_chisq_Q(chi, (double)(used - 1));
}

/* ---- opening a model ----------------------------------------------------- */

#define AT_LEVEL(name) (rows_of_##name[0][level])
#define ROWS(name)                                                             \
    static const cs_past_type *const rows_of_##name[][CS_SIMD_COUNT] = {       \
        CS_VARIANT_ROW(name)}
ROWS(cs_past_binary_field);
ROWS(cs_past_colour_sets);
ROWS(cs_past_potts_sweep);
ROWS(cs_past_edge_field);

static void choose_types(small_open *s, int level)
{
    const small_model *m = &s->m;
    const cs_past_type *type = AT_LEVEL(cs_past_binary_field);
    const void *of = &s->bits;
    if (m->kind == POTTS) {
        bool clusters = m->parameters == 1 && m->theta[0] >= 0;
        of = &s->potts;
        type =
            clusters ? &cs_past_random_clusters : AT_LEVEL(cs_past_colour_sets);
    }
    if (m->kind == EDGES) {
        type = AT_LEVEL(cs_past_edge_field);
        of = &s->edges;
    }
    s->exact = (cs_past_model){.type = type,
                               .of = of,
                               .parameters = m->parameters,
                               .n_data = s->n_data,
                               .limit = 1e9};
    s->sweep = s->exact;
    if (m->kind == POTTS)
        s->sweep.type = AT_LEVEL(cs_past_potts_sweep);
}

void small_open_model(small_open *s, const small_model *m, int level)
{
    memset(s, 0, sizeof *s);
    s->m = *m;
    if (m->kind == EDGES) {
        s->n_data = cs_edge_pairs(m->vertices);
        cs_edge_list_pairs(m->vertices, s->pair);
    } else {
        open_graph(s);
    }
    bool field = m->parameters > 1;
    s->bits = (cs_binary_field){&s->graph, m->kind == SPINS, field};
    s->potts = (cs_potts_field){&s->graph, m->values, 1, field};
    s->edges = (cs_edge_field){m->vertices, m->parameters,
                               (const uint8_t(*)[2])s->pair};
    snprintf(s->name, sizeof s->name, "%s %s %g %g %g", kind_names[m->kind],
             m->kind == EDGES ? "" : shape_names[m->shape], m->theta[0],
             m->theta[1], m->theta[2]);
    enumerate(s);
    choose_types(s, level);
}

void small_close(small_open *s)
{
    cs_site_graph_free(&s->graph);
}
