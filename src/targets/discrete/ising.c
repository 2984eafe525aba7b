/* Ising models on grids and graphs: spins s_i = 2 x_i - 1 of bits x,
 *
 *     log p(x) = beta (sum_{i~j} J_ij s_i s_j + sum_i (field + w_i) s_i),
 *
 * where w_i is the weight that the graph assigns to vertex i (by a line "i i
 * w"). On a torus of two rows the two sites of a column share two bonds, and
 * both count in the sum. On a torus of one layer with equal J > 0 and no field
 * the partition function is known (targets/discrete/torus.h). */
#include "base/memory.h"
#include "targets/discrete/grids.h"
#include "targets/discrete/multispin.h"
#include "targets/discrete/pairwise.h"
#include "targets/discrete/torus.h"

enum { BETA = CS_GRID_PARAMS, FIELD };

typedef struct ising {
    cs_pairwise pairs; /* must be the first member: see
                          targets/discrete/pairwise.h */
    cs_grid grid;
    cs_multispin torus;      /* the tables for bitwise resampling; mask is NULL
                              * if the sides or the bonds are unsuitable, so
                              * that the tables cannot be used */
    bool pulled;             /* true: some vertices have a field of their own */
    double *mode;            /* [2][dim] all spins down, all spins up [own] */
    double *mean, *variance; /* [dim] moments of the bits [own] */
} ising;

static const double halves[2] = {0.5, 0.5};

/* ---- bonds --------------------------------------------------------------- */

/* Converts spins s, t to bits x, y: J s t = 4 J x y - 2 J x - 2 J y + J. */
static cs_status to_bits(ising *s, const cs_edges *e, double beta, double field,
                         cs_error *err)
{
    double constant = -beta * field * (double)e->vertices;
    cs_edges bits = {.vertices = e->vertices};
    bits.edge = cs_alloc(3 * e->n + e->vertices, sizeof *bits.edge);
    if (!bits.edge)
        return cs_fail(err, CS_MEMORY, "out of memory for target ising");
    for (size_t k = 0; k < e->n; k++) {
        cs_edge edge = e->edge[k];
        double w = beta * edge.w;
        if (edge.i == edge.j) { /* the weight of a vertex is a field */
            s->pulled |= w != 0;
            constant -= w;
            bits.edge[bits.n++] = (cs_edge){edge.i, edge.i, 2 * w};
            continue;
        }
        constant += w;
        bits.edge[bits.n++] = (cs_edge){edge.i, edge.j, 4 * w};
        bits.edge[bits.n++] = (cs_edge){edge.i, edge.i, -2 * w};
        bits.edge[bits.n++] = (cs_edge){edge.j, edge.j, -2 * w};
    }
    for (uint32_t i = 0; i < e->vertices; i++)
        bits.edge[bits.n++] = (cs_edge){i, i, 2 * beta * field};
    cs_edges_tidy(&bits);
    cs_status status = cs_pairwise_make(&s->pairs, &bits, err);
    s->pairs.constant = constant;
    cs_edges_free(&bits);
    if (!status)
        status = cs_pairwise_sum(&s->pairs, cs_pairwise_chance, NULL, err);
    return status;
}

/* ---- reference values ---------------------------------------------------- */

static void know(cs_target *t, const cs_value *v)
{
    ising *s = t->self;
    size_t dim = t->space.dim;
    const cs_grid *g = &s->grid;
    bool even = v[FIELD].number == 0 && !s->pulled,
         box = !v[CS_GRID_FILE].given;
    bool ferro = v[CS_GRID_COUPLING].number == CS_FERROMAGNET;
    for (size_t i = 0; i < dim; i++) {
        s->mode[dim + i] = 1;
        s->mean[i] = 0.5;
        s->variance[i] = 0.25;
    }
    if (even) { /* the distribution is symmetric under a flip of all spins */
        t->exact.mean = s->mean;
        t->exact.variance = s->variance;
    }
    if (even && ferro && box) {
        t->exact.n_modes = 2;
        t->exact.modes = s->mode;
        t->exact.mode_weight = halves;
    }
    if (even && ferro && box && g->layers == 1 &&
        v[CS_GRID_PERIODIC].number != 0 && g->rows > 1 && g->cols > 1 &&
        v[BETA].number > 0)
        t->exact.log_z = cs_torus_log_z(v[BETA].number, g->rows, g->cols, NULL);
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    cs_grid_name(&((const ising *)t->self)->grid, i, text, size);
}

static void resample(const cs_target *t, const cs_point *at,
                     const cs_streams *s, size_t times, double *x, bool *moved)
{
    const ising *self = t->self;
    if (self->torus.mask)
        CS_VARIANT(cs_multispin_resample)(&self->torus, at, s, times, x, moved);
    else
        CS_VARIANT(cs_pairwise_resample)(t, at, s, times, x, moved);
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    ising *s = t->self;
    cs_pairwise_free(&s->pairs);
    cs_multispin_free(&s->torus);
    CS_FREE_ALL(s->mode, s->mean, s->variance);
}

/* Prepares bitwise resampling for a torus with even sides and the same J on all
 * bonds. */
static cs_status open_torus(cs_target *t, const cs_value *v, cs_error *err)
{
    ising *s = t->self;
    const cs_grid *g = &s->grid;
    int coupling = (int)v[CS_GRID_COUPLING].number;
    double beta = v[BETA].number;
    if (!g->rows || g->rows % 2 || g->cols % 2 || g->layers > 1 ||
        v[CS_GRID_PERIODIC].number == 0 || coupling > CS_ANTIFERROMAGNET)
        return CS_OK;
    cs_status status = cs_multispin_make(
        &s->torus, g->rows, g->cols, coupling == CS_FERROMAGNET ? beta : -beta,
        beta * v[FIELD].number, err);
    t->resample_words = cs_multispin_scratch_words(&s->torus);
    return status;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    ising *s = t->self;
    cs_edges e;
    cs_status status = cs_grid_given("ising", v, &s->grid, &e, err);
    size_t dim = e.vertices;
    if (!status)
        status = to_bits(s, &e, v[BETA].number, v[FIELD].number, err);
    cs_edges_free(&e);
    if (status)
        return status;
    cs_pairwise_set_hooks(&s->pairs, t);
    t->picture = cs_grid_picture(&s->grid);
    s->mode = cs_alloc(2 * dim, sizeof *s->mode);
    s->mean = cs_alloc(dim, sizeof *s->mean);
    s->variance = cs_alloc(dim, sizeof *s->variance);
    if (!s->mode || !s->mean || !s->variance)
        return cs_fail(err, CS_MEMORY, "out of memory for target ising");
    know(t, v);
    return open_torus(t, v, err);
}

static const cs_param params[] = {
    CS_GRID_PARAM_ROWS,
    [BETA] = {.name = "beta",
              CS_FIXED(REAL),
              CS_PARAM_RANGE(0, 100, 0.4406868),
              .help = "inverse temperature; by default the critical value of "
                      "the square grid"},
    [FIELD] = {.name = "field",
               CS_FIXED(REAL),
               CS_PARAM_RANGE(-100, 100, 0),
               .help = "external field on every spin"},
};

const cs_target_type CS_VARIANT(cs_target_ising) = {
    .name = "ising",
    .title = "Ising model",
    .ref = "Ising, Beitrag zur Theorie des Ferromagnetismus, 1925",
    .help = "The Ising model: spins on a grid or a graph that interact with "
            "their neighbours. Depending on the couplings it is a ferromagnet, "
            "an antiferromagnet or a spin glass.",
    CS_PARAM_TABLE(params),
    .size = sizeof(ising),
    .create = create,
    .destroy = destroy,
    .log_density = CS_VARIANT(cs_pairwise_log_density),
    .gradient = CS_VARIANT(cs_pairwise_gradient),
    .sites.site = CS_VARIANT(cs_pairwise_site),
    .sites.moved = CS_VARIANT(cs_pairwise_site_moved),
    .sites.neighbours = CS_VARIANT(cs_pairwise_neighbours),
    .sites.resample = resample,
    .sites.bonds = CS_VARIANT(cs_pairwise_bonds),
    .coordinate = coordinate,
};
