/* The posterior of the parameters of an exponential random graph, given one
 * graph y:
 *
 *     p(theta | y) ~ prior exp(theta_1 edges(y) + theta_2 two-stars(y)
 *                              + theta_3 triangles(y)) / Z(theta)
 *
 * (Frank and Strauss, "Markov graphs", 1986; Caimo and Friel, "Bayesian
 * inference for exponential random graph models", 2011). Z is known for graphs
 * of up to seven vertices, and for the model with only edges, where Z = (1 +
 * exp theta_1)^pairs. */
#include "base/memory.h"
#include "targets/intractable/edge_field.h"
#include "targets/intractable/family.h"

#include <string.h>

enum { VERTICES = CS_FAMILY_PARAMS, STATISTICS };

typedef struct random_graph {
    cs_family family; /* must be the first member: see
                         targets/intractable/family.h */
    cs_edge_field field;
    uint8_t (*pair)[2]; /* [n_data] the two vertices of each pair [own] */
} random_graph;

/* ---- default network ----------------------------------------------------- */

/* Marriages between 16 families of Florence, 1394-1434 (Padgett and Ansell,
 * "Robust action and the rise of the Medici", 1993): Acciaiuoli, Albizzi,
 * Barbadori, Bischeri, Castellani, Ginori, Guadagni, Lamberteschi, Medici,
 * Pazzi, Peruzzi, Pucci, Ridolfi, Salviati, Strozzi, Tornabuoni. */
enum { FAMILIES = 16, MARRIAGES = 20 };
static const uint8_t marriage[MARRIAGES][2] = {
    {1, 9},  {2, 6},  {2, 7},   {2, 9},   {3, 5},   {3, 9},  {4, 7},
    {4, 11}, {4, 15}, {5, 11},  {5, 15},  {7, 8},   {7, 16}, {9, 13},
    {9, 14}, {9, 16}, {10, 14}, {11, 15}, {13, 15}, {13, 16}};

static cs_status network_at_hand(cs_given_data *d, cs_error *err)
{
    *d = (cs_given_data){FAMILIES, FAMILIES, NULL};
    d->number = cs_alloc(FAMILIES * FAMILIES, sizeof *d->number);
    if (!d->number)
        return cs_fail(err, CS_MEMORY, "out of memory for target random_graph");
    for (size_t k = 0; k < MARRIAGES; k++) {
        size_t i = marriage[k][0] - 1u, j = marriage[k][1] - 1u;
        d->number[i * FAMILIES + j] = d->number[j * FAMILIES + i] = 1;
    }
    return CS_OK;
}

/* ---- statistics ---------------------------------------------------------- */

/* Computes the statistics of the data set y[n_data][stride]. */
static void count(const cs_edge_field *f, const double *y, size_t stride,
                  double s[CS_EDGE_FIELD_STATISTICS])
{
    uint64_t row[CS_EDGE_FIELD_VERTICES] = {0};
    size_t n = cs_edge_pairs(f->vertices);
    memset(s, 0, CS_EDGE_FIELD_STATISTICS * sizeof *s);
    for (size_t e = 0; e < n; e++) {
        size_t i = f->pair[e][0], j = f->pair[e][1];
        if (!(y[e * stride] != 0))
            continue;
        s[0]++;
        s[1] += __builtin_popcountll(row[i]) + __builtin_popcountll(row[j]);
        s[2] += __builtin_popcountll(row[i] & row[j]);
        row[i] |= UINT64_C(1) << j;
        row[j] |= UINT64_C(1) << i;
    }
}

static void statistics(const cs_family *f, const double *y, size_t stride,
                       double *s)
{
    const random_graph *r = (const random_graph *)(const void *)f;
    for (size_t l = 0; l < CS_VECTOR; l++) {
        double one[CS_EDGE_FIELD_STATISTICS];
        count(&r->field, y + l, stride, one);
        for (size_t p = 0; p < f->parameters; p++)
            s[p * CS_PAD + l] = one[p];
    }
}

/* Computes log Z of the model with only edges, and the mean number of edges. */
static cs_vd edges_log_z(const cs_family *f, const cs_vd *theta, cs_vd *mean)
{
    double pairs = (double)f->n_data;
    if (mean)
        mean[0] = pairs * cs_vsigmoid(theta[0]);
    return pairs * cs_vsoftplus(theta[0]);
}

static cs_past_model model_of(const random_graph *r)
{
    return (cs_past_model){.type = &CS_VARIANT(cs_past_edge_field),
                           .of = &r->field,
                           .parameters = r->family.parameters,
                           .n_data = r->family.n_data,
                           .limit = r->family.limit};
}

static void simulate(const cs_target *t, const cs_point *at,
                     const cs_simulation *s)
{
    cs_past_model m = model_of(t->self);
    cs_past_draw(&m, at, s);
}

static void coupling(const cs_target *t, const cs_point *at,
                     const cs_simulation *s, const cs_coupling *c)
{
    cs_past_model m = model_of(t->self);
    cs_past_watch(&m, at, s, c);
}

static void sweep(const cs_target *t, const cs_point *at,
                  const cs_simulation *s)
{
    cs_past_model m = model_of(t->self);
    cs_past_sweep(&m, at, s);
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    random_graph *r = t->self;
    cs_family_free(&r->family);
    cs_free(r->pair);
}

/* Converts an adjacency matrix to y, which has one entry per pair of
 * vertices. */
static cs_status to_pairs(const random_graph *r, cs_given_data *d,
                          cs_error *err)
{
    size_t n = d->rows, pairs = cs_edge_pairs(n);
    double *y = cs_alloc(pairs, sizeof *y);
    if (!y)
        return cs_fail(err, CS_MEMORY, "out of memory for target random_graph");
    for (size_t e = 0; e < pairs; e++) {
        size_t i = r->pair[e][0], j = r->pair[e][1];
        y[e] = d->number[i * n + j];
        if (y[e] == d->number[j * n + i])
            continue;
        cs_free(y);
        cs_fail(err, CS_INPUT,
                "random_graph: vertex %zu is joined to vertex %zu, but not %zu "
                "to %zu",
                i + 1, j + 1, j + 1, i + 1);
        cs_hint(err, "give a symmetric matrix of 0 and 1");
        return CS_INPUT;
    }
    cs_free(d->number);
    *d = (cs_given_data){pairs, 1, y};
    return CS_OK;
}

static cs_status take_vertices(random_graph *r, const cs_value *v,
                               const cs_given_data *d, cs_error *err)
{
    size_t n = d->rows ? d->rows : (size_t)v[VERTICES].number;
    if (d->rows &&
        (d->rows != d->cols || n < 2 || n > CS_EDGE_FIELD_VERTICES)) {
        cs_fail(err, CS_INPUT,
                "random_graph: the data have %zu rows and %zu columns", d->rows,
                d->cols);
        cs_hint(err, "give a square matrix of 2 to %d rows",
                CS_EDGE_FIELD_VERTICES);
        return CS_INPUT;
    }
    r->pair = cs_alloc(cs_edge_pairs(n), sizeof *r->pair);
    if (!r->pair)
        return cs_fail(err, CS_MEMORY, "out of memory for target random_graph");
    cs_edge_list_pairs(n, r->pair);
    r->field = (cs_edge_field){.vertices = n,
                               .statistics = (size_t)v[STATISTICS].number,
                               .pair = (const uint8_t(*)[2])r->pair};
    r->family.parameters = r->field.statistics;
    r->family.n_data = cs_edge_pairs(n);
    r->family.statistics = statistics;
    return CS_OK;
}

static cs_status make(cs_target *t, const cs_value *v, cs_given_data *d,
                      cs_error *err)
{
    static const char *const names[] = {"edges", "two_stars", "triangles"};
    random_graph *r = t->self;
    const cs_family_kind kind = {.names = names,
                                 .parameters = (size_t)v[STATISTICS].number,
                                 .low = {-5, -1, -1},
                                 .high = {3, 1, 2},
                                 .truth = {-1, 0, 0},
                                 .most = 1};
    cs_status s = take_vertices(r, v, d, err);
    if (!s && d->rows)
        s = to_pairs(r, d, err);
    if (!s && kind.parameters > 1)
        s = cs_state_counts_graphs(&r->family.counts, r->field.vertices,
                                   kind.parameters, err);
    if (kind.parameters == 1)
        r->family.log_z = edges_log_z;
    cs_past_model m = model_of(r);
    if (!s)
        t->simulate_words = cs_past_words(&m);
    return s ? s : cs_family_make(t, &r->family, &kind, v, d, err);
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_given_data d;
    cs_status s = cs_family_read(t->type->name, v, &d, err);
    if (!s && !d.rows && !v[VERTICES].given)
        s = network_at_hand(&d, err);
    if (!s)
        s = make(t, v, &d, err);
    cs_free(d.number);
    return s;
}

static const cs_param params[] = {
    CS_FAMILY_ROWS("edges (two-stars, triangles)",
                   "the graph, a symmetric matrix of 0 and 1",
                   "; without `data`, `file` and `vertices`, the marriages "
                   "between 16 families of Florence are used"),
    [VERTICES] = {.name = "vertices",
                  CS_FIXED(INT),
                  CS_PARAM_RANGE(2, CS_EDGE_FIELD_VERTICES, 16),
                  .help = "vertices of a simulated graph"},
    [STATISTICS] = {.name = "statistics",
                    CS_FIXED(INT),
                    CS_PARAM_RANGE(1, CS_EDGE_FIELD_STATISTICS, 1),
                    .help = "number of statistics. 1: edges; 2: edges and "
                            "two-stars; 3: edges, two-stars and triangles"},
};

const cs_target_type CS_VARIANT(cs_target_random_graph) = {
    .name = "random_graph",
    .title = "Exponential random graph",
    .ref = "Caimo and Friel, Bayesian inference for exponential random graph "
           "models, 2011",
    .help = "The parameters for edges, two-stars and triangles of an "
            "exponential random graph model, given one network. The "
            "normalising constant is known for a model with edges only, and "
            "for networks of up to seven vertices. Data are simulated exactly "
            "if coupling from the past ends within `limit`.",
    CS_PARAM_TABLE(params),
    .size = sizeof(random_graph),
    .create = create,
    .destroy = destroy,
    CS_FAMILY_MEMBERS,
    .factor.simulate = simulate,
    .factor.coupling = coupling,
    .factor.sweep = sweep,
};
