/* Potts models on grids and graphs: sites with q unordered values,
 *
 *     log p(x) = beta (sum_{i~j} J_ij [x_i = x_j] + field sum_i [x_i = 0]).
 *
 * For two values this is an Ising model with half the beta. On the infinite
 * square grid with J = 1 the critical beta is log(1 + sqrt q). At the critical
 * beta the two ends of a bond have equal values with probability (1 + 1 / sqrt
 * q) / 2; if two phases coexist, this is the mean over both phases (Wu, The
 * Potts model, 1982, Eqs. 1.1, 5.4b and 5.8). For a row or a ring of sites Z is
 * computed by a transfer matrix. Differences are computed from a site's
 * neighbours, without a cache. */
#include "base/memory.h"
#include "simd/vmath.h"
#include "targets/discrete/grids.h"
#include "targets/discrete/pairwise.h"
#include "targets/discrete/site_resample.h"

#include <math.h>
#include <string.h>

enum { VALUES = CS_GRID_PARAMS, BETA, FIELD };
enum { VALUES_MOST = 64 };

typedef struct potts {
    cs_pairwise graph; /* neighbours of each site, with weights beta J */
    cs_grid grid;
    size_t q;
    double bias, boost;      /* bias: beta times field; boost: exp(bias) */
    double *field;           /* [dim][q] field of each value, for cluster
                                kernels; NULL: no field [own] */
    double *mode;            /* [q][dim] states in which all sites have one
                                value [own] */
    double *weight;          /* [q] weight of each mode, 1 / q [own] */
    double *mean, *variance; /* [dim] moments of the coordinates [own] */
} potts;

static inline cs_vd load(const double *at)
{
    return *(const cs_vd *)at;
}

/* ---- densities ----------------------------------------------------------- */

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const potts *s = t->self;
    const cs_pairwise *g = &s->graph;
    size_t lanes = at->lanes;
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(g->constant);
        for (size_t i = 0; i < g->dim; i++) {
            cs_vd x = load(at->x + i * lanes + l), near = cs_vset(0);
            for (size_t k = g->start[i]; k < g->start[i + 1]; k++) {
                cs_vd y = load(at->x + g->other[k] * lanes + l);
                near += cs_vselect(x == y, cs_vset(g->weight[k]), cs_vset(0));
            }
            sum += 0.5 * near;
            sum += cs_vselect(x == 0.0, cs_vset(s->bias), cs_vset(0));
        }
        *(cs_vd *)(logp + l) = sum;
    }
}

/* Returns the terms of log p for value v at site i, for eight lanes. */
static inline cs_vd worth_of(const potts *s, size_t i, size_t v,
                             const double *x, size_t lanes)
{
    const cs_pairwise *g = &s->graph;
    cs_vd sum = cs_vset(v ? 0 : s->bias);
    for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
        sum += cs_vselect(load(x + g->other[k] * lanes) == cs_vset((double)v),
                          cs_vset(g->weight[k]), cs_vset(0));
    return sum;
}

static void neighbours(const cs_target *t, const cs_point *at, double *d)
{
    size_t q = (size_t)t->space.values, lanes = at->lanes;
    for (size_t i = 0; i < t->space.dim; i++, d += q * lanes) {
        for (size_t v = 0; v < q; v++)
            for (size_t l = 0; l < lanes; l += CS_VECTOR)
                *(cs_vd *)(d + v * lanes + l) =
                    worth_of(t->self, i, v, at->x + l, lanes);
        for (size_t l = 0; l < lanes; l++) {
            double now = d[(size_t)at->x[i * lanes + l] * lanes + l];
            for (size_t v = 0; v < q; v++)
                d[v * lanes + l] -= now;
        }
    }
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const potts *s = t->self;
    const cs_pairwise *g = &s->graph;
    size_t q = (size_t)t->space.values, lanes = at->lanes;
    memset(d, 0, q * lanes * sizeof *d);
    for (size_t l = 0; l < lanes; l++) {
        size_t i = where[l];
        d[l] = s->bias;
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++) {
            size_t v = (size_t)at->x[g->other[k] * lanes + l];
            d[v * lanes + l] += g->weight[k];
        }
        double now = d[(size_t)at->x[i * lanes + l] * lanes + l];
        for (size_t v = 0; v < q; v++)
            d[v * lanes + l] -= now;
    }
}

/* ---- resampling ---------------------------------------------------------- */

/* Returns the value that is stored for a sum: exp(sum), divided by the largest
 * weight that a value of the site can have. If the range of the sums is too
 * large, returns NAN, and nothing is stored. */
static double part(double sum, double linear, double least, double most,
                   const void *self)
{
    double bias = *(const double *)self;
    (void)linear;
    return most - least + fabs(bias) < 600 ? exp(sum - most - fmax(bias, 0))
                                           : (double)NAN;
}

/* Computes the weights of all values of site i, worth[q][CS_VECTOR], up to a
 * common factor. */
static void weights_of(const potts *s, size_t i, size_t q, const double *x,
                       size_t lanes, cs_vd *worth)
{
    const cs_pairwise *g = &s->graph;
    if (g->sums.size[i]) {
        for (size_t v = 0; v < q; v++) {
            cs_vd code = {0};
            for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
                code += cs_vselect(load(x + g->other[k] * lanes) ==
                                       cs_vset((double)v),
                                   cs_vset(g->sums.share[k]), cs_vset(0));
            worth[v] = cs_neighbour_sums_at(&g->sums, i, code);
        }
        worth[0] *= s->boost;
        return;
    }
    cs_vd most = cs_vset(-CS_VM_INF);
    for (size_t v = 0; v < q; v++) {
        worth[v] = worth_of(s, i, v, x, lanes);
        most = cs_vmax(most, worth[v]);
    }
    for (size_t v = 0; v < q; v++)
        worth[v] = cs_vexp(worth[v] - most);
}

/* Draws the first value whose cumulative weight exceeds the uniform times the
 * total weight. */
static cs_vd resample_group(const void *self, size_t i, const double *x,
                            size_t lanes, cs_vd uniform)
{
    const potts *s = self;
    cs_vd weight[VALUES_MOST], sum = cs_vset(0), below = sum, value = sum;
    weights_of(s, i, s->q, x, lanes, weight);
    for (size_t v = 0; v < s->q; v++)
        sum += weight[v];
    cs_vd share = uniform * sum;
    for (size_t v = 0; v + 1 < s->q; v++) {
        below += weight[v];
        value = cs_vselect(below <= share, cs_vset((double)v + 1), value);
    }
    return value;
}

static void resample(const cs_target *t, const cs_point *at,
                     const cs_streams *s, size_t times, double *x, bool *moved)
{
    cs_resample_sites(resample_group, t->self, t->space.dim, at, s, times, x,
                      moved);
}

static cs_site_bonds bonds(const cs_target *t, size_t i)
{
    cs_site_bonds b = CS_VARIANT(cs_pairwise_bonds)(t, i);
    b.scale = 1;
    return b;
}

/* ---- reference values ---------------------------------------------------- */

/* Returns log Z of n sites in a row, or in a ring, with K on every bond. */
static double transfer(double k, double q, double n, bool ring)
{
    double most = exp(k) + q - 1;
    if (!ring)
        return log(q) + (n - 1) * log(most);
    return n * log(most) + log1p((q - 1) * pow(expm1(k) / most, n));
}

static void know(cs_target *t, const cs_value *v, double beta)
{
    potts *s = t->self;
    size_t dim = t->space.dim, q = (size_t)t->space.values;
    int coupling = (int)v[CS_GRID_COUPLING].number;
    bool grid = !v[CS_GRID_FILE].given, row = s->grid.layers == 1;
    for (size_t k = 0; k < q * dim; k++)
        s->mode[k] = (double)(k / dim);
    for (size_t k = 0; k < q; k++)
        s->weight[k] = 1 / (double)q;
    for (size_t i = 0; i < dim; i++) {
        s->mean[i] = 0.5 * (double)(q - 1);
        s->variance[i] = ((double)(q * q) - 1) / 12;
    }
    if (s->bias != 0)
        return;
    t->exact.mean = s->mean; /* follows from symmetry under permutations of
                                the values */
    t->exact.variance = s->variance;
    if (grid && coupling == CS_FERROMAGNET) {
        t->exact.n_modes = q;
        t->exact.modes = s->mode;
        t->exact.mode_weight = s->weight;
    }
    row = row && (s->grid.rows == 1 || s->grid.cols == 1);
    if (grid && row && coupling <= CS_ANTIFERROMAGNET)
        t->exact.log_z =
            transfer(coupling == CS_FERROMAGNET ? beta : -beta, (double)q,
                     (double)dim, v[CS_GRID_PERIODIC].number != 0 && dim > 1);
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    cs_grid_name(&((const potts *)t->self)->grid, i, text, size);
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    potts *s = t->self;
    cs_pairwise_free(&s->graph);
    CS_FREE_ALL(s->field, s->mode, s->weight, s->mean, s->variance);
}

/* Reads the bonds with weights beta J. Loops of the graph add to the
 * constant. */
static cs_status open_graph(potts *s, const cs_value *v, double beta,
                            cs_error *err)
{
    cs_edges e;
    cs_status status = cs_grid_given("potts", v, &s->grid, &e, err);
    for (size_t k = 0; k < e.n && !status; k++)
        e.edge[k].w *= beta;
    if (!status)
        status = cs_pairwise_make(&s->graph, &e, err);
    cs_edges_free(&e);
    if (status)
        return status;
    for (size_t i = 0; i < s->graph.dim; i++)
        s->graph.constant += s->graph.linear[i];
    return cs_pairwise_sum(&s->graph, part, &s->bias, err);
}

static cs_status make_room(potts *s, size_t q, cs_error *err)
{
    size_t dim = s->graph.dim;
    s->mode = cs_alloc(q * dim, sizeof *s->mode);
    s->weight = cs_alloc(q, sizeof *s->weight);
    s->mean = cs_alloc(dim, sizeof *s->mean);
    s->variance = cs_alloc(dim, sizeof *s->variance);
    if (s->bias != 0)
        s->field = cs_alloc(q * dim, sizeof *s->field);
    if (!s->mode || !s->weight || !s->mean || !s->variance ||
        (s->bias != 0 && !s->field))
        return cs_fail(err, CS_MEMORY, "out of memory for target potts");
    for (size_t i = 0; s->field && i < dim; i++)
        s->field[i * q] = s->bias;
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    potts *s = t->self;
    size_t q = (size_t)v[VALUES].number;
    double beta = v[BETA].given ? v[BETA].number : log(1 + sqrt((double)q));
    s->q = q;
    s->bias = beta * v[FIELD].number;
    s->boost = exp(s->bias);
    cs_status status = open_graph(s, v, beta, err);
    if (!status)
        status = make_room(s, q, err);
    if (status)
        return status;
    double low = -0.5, high = (double)q - 0.5;
    t->space = (cs_space){
        .kind = CS_CATEGORICAL, .dim = s->graph.dim, .values = (int)q};
    t->exact = (cs_exact){.log_z = NAN, .view = {low, high, low, high}};
    t->resample_words = cs_resample_words(s->graph.dim);
    t->n_bonds = s->graph.start[s->graph.dim] / 2;
    t->field = s->field;
    t->picture = cs_grid_picture(&s->grid);
    know(t, v, beta);
    return CS_OK;
}

static const cs_param params[] = {
    CS_GRID_PARAM_ROWS,
    [VALUES] = {.name = "values",
                CS_FIXED(INT),
                CS_PARAM_RANGE(2, VALUES_MOST, 3),
                .help = "q: the number of values of a site"},
    [BETA] = {.name = "beta",
              CS_FIXED(REAL),
              CS_PARAM_RANGE(0, 100, 1.0050525),
              .help = "inverse temperature; by default the critical value of "
                      "the square grid, log(1 + sqrt q)"},
    [FIELD] = {.name = "field",
               CS_FIXED(REAL),
               CS_PARAM_RANGE(-100, 100, 0),
               .help = "external field on the first value; like the coupling, "
                       "it is multiplied by beta"},
};

const cs_target_type CS_VARIANT(cs_target_potts) = {
    .name = "potts",
    .title = "Potts model",
    .ref = "Potts, Some generalized order-disorder transformations, 1952; Wu, "
           "The Potts model, 1982",
    .help = "The Potts model: sites on a grid or a graph, each with one of q "
            "values, which tend to equal their neighbours or, with negative "
            "couplings, to differ from them. The values are unordered, so the "
            "target has no gradient. For gradient kernels, set coding = "
            "\"one_hot\".",
    CS_PARAM_TABLE(params),
    .size = sizeof(potts),
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .sites.site = site,
    .sites.neighbours = neighbours,
    .sites.resample = resample,
    .sites.bonds = bonds,
    .coordinate = coordinate,
};
