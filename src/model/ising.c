/* Ising models on grids and graphs: spins s_i = 2 x_i - 1 of bits x,
 *
 *     U(x) = beta (sum_{i~j} J_ij s_i s_j + field sum_i s_i).
 *
 * A torus of two rows joins their sites twice, as the sum over bonds says. On
 * a torus of one layer with equal J > 0 and no field the partition function is
 * known (Kaufman, Crystal statistics II, 1949, in the form of Ferdinand and
 * Fisher, Bounded and inhomogeneous Ising models I, 1969, Eq. 2.1). */
#include "base/memory.h"
#include "model/pairs.h"
#include "rng/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS, COLS, LAYERS, PERIODIC, BETA, COUPLING, FIELD, SEED, GRAPH };

enum { FERROMAGNET, ANTIFERROMAGNET, SIGNS, NORMAL };

enum { MOST_SITES = 1 << 20 };

typedef struct ising {
    cs_pairs pairs;            /* first: see model/pairs.h */
    size_t rows, cols, layers; /* rows 0: a given graph */
    double *mode;              /* [2][dim] all down, all up [own] */
    double *mean, *variance;   /* [dim] [own] */
} ising;

static const double halves[2] = {0.5, 0.5};

/* ---- bonds --------------------------------------------------------------- */

/* J of bond number k. */
static double coupling(const cs_value *v, size_t k)
{
    uint64_t word[2], key[2] = {(uint64_t)v[SEED].number, 0};
    if (v[COUPLING].number == FERROMAGNET)
        return 1;
    if (v[COUPLING].number == ANTIFERROMAGNET)
        return -1;
    cs_threefry2x64(20, (const uint64_t[]){k, 0}, key, word);
    if (v[COUPLING].number == SIGNS)
        return word[0] >> 63 ? 1 : -1;
    double u = ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
    double angle = (double)(word[1] >> 11) * 0x1p-53 * 2 * 3.14159265358979324;
    return sqrt(-2 * log(u)) * cos(angle);
}

/* The bonds of a box, each site with its next one along the three axes. */
static void box(const ising *s, bool periodic, cs_edges *e)
{
    size_t side[3] = {s->layers, s->rows, s->cols};
    size_t pitch[3] = {s->rows * s->cols, s->cols, 1};
    for (size_t i = 0; i < e->vertices; i++)
        for (int axis = 0; axis < 3; axis++) {
            size_t at = i / pitch[axis] % side[axis];
            bool last = at + 1 == side[axis];
            if (side[axis] == 1 || (last && !periodic))
                continue;
            size_t j = last ? i - at * pitch[axis] : i + pitch[axis];
            e->edge[e->n++] = (cs_edge){(uint32_t)i, (uint32_t)j, 1};
        }
}

static cs_status bonds(ising *s, const cs_value *v, cs_edges *e, cs_error *err)
{
    *e = (cs_edges){0};
    if (v[GRAPH].given) {
        cs_status status = cs_edges_read(v[GRAPH].text, e, err);
        for (size_t k = 0; k < e->n && !status; k++)
            if (v[COUPLING].given)
                e->edge[k].w = coupling(v, k);
        return status;
    }
    s->rows = (size_t)v[ROWS].number;
    s->cols = v[COLS].given ? (size_t)v[COLS].number : s->rows;
    s->layers = (size_t)v[LAYERS].number;
    e->vertices = s->rows * s->cols * s->layers;
    if (e->vertices > MOST_SITES) {
        cs_fail(err, CS_RANGE, "ising: %zu sites are too many", e->vertices);
        cs_mend(err, "use at most %d", MOST_SITES);
        return CS_RANGE;
    }
    e->edge = cs_alloc(3 * e->vertices, sizeof *e->edge);
    if (!e->edge)
        return cs_fail(err, CS_MEMORY, "ising: out of memory");
    box(s, v[PERIODIC].number != 0, e);
    for (size_t k = 0; k < e->n; k++)
        e->edge[k].w = coupling(v, k);
    cs_edges_tidy(e);
    return CS_OK;
}

/* From spins to bits: J s t = 4 J x y - 2 J x - 2 J y + J. */
static cs_status to_bits(ising *s, const cs_edges *e, double beta, double field,
                         cs_error *err)
{
    double constant = -beta * field * (double)e->vertices;
    cs_edges bits = {.vertices = e->vertices};
    bits.edge = cs_alloc(3 * e->n + e->vertices, sizeof *bits.edge);
    if (!bits.edge)
        return cs_fail(err, CS_MEMORY, "ising: out of memory");
    for (size_t k = 0; k < e->n; k++) {
        cs_edge edge = e->edge[k];
        double w = beta * edge.w;
        constant += w;
        if (edge.i == edge.j)
            continue; /* s_i s_i = 1 */
        bits.edge[bits.n++] = (cs_edge){edge.i, edge.j, 4 * w};
        bits.edge[bits.n++] = (cs_edge){edge.i, edge.i, -2 * w};
        bits.edge[bits.n++] = (cs_edge){edge.j, edge.j, -2 * w};
    }
    for (uint32_t i = 0; i < e->vertices; i++)
        bits.edge[bits.n++] = (cs_edge){i, i, 2 * beta * field};
    cs_edges_tidy(&bits);
    cs_status status = cs_pairs_open(&s->pairs, &bits, err);
    s->pairs.constant = constant;
    cs_edges_free(&bits);
    return status;
}

/* ---- what is known ------------------------------------------------------- */

/* cosh and sinh of m gamma / 2 summed as logarithms; the sign of the latter. */
static void products(double k, size_t n, double m, int odd, double *log_cosh,
                     double *log_sinh, double *sign)
{
    *log_cosh = *log_sinh = 0;
    *sign = 1;
    for (size_t r = 0; r < n; r++) {
        double angle = 3.14159265358979324 * (double)(2 * r + (size_t)odd);
        double c = cosh(2 * k) / tanh(2 * k) - cos(angle / (double)n);
        double gamma = acosh(fmax(c, 1));
        if (r == 0 && !odd)
            gamma = 2 * k + log(tanh(k));
        double half = 0.5 * m * fabs(gamma);
        *log_cosh += half + log1p(exp(-2 * half));
        *log_sinh += half + log1p(-exp(-2 * half));
        if (gamma < 0)
            *sign = -*sign;
    }
}

/* log Z of an n x m torus, k = beta J > 0. */
static double kaufman(double k, size_t n, size_t m)
{
    double part[4], sign[4] = {1, 1, 1, 1}, most = -HUGE_VAL, sum = 0;
    products(k, n, (double)m, 1, &part[0], &part[1], &sign[1]);
    products(k, n, (double)m, 0, &part[2], &part[3], &sign[3]);
    for (int i = 0; i < 4; i++)
        most = fmax(most, part[i]);
    for (int i = 0; i < 4; i++)
        sum += sign[i] * exp(part[i] - most);
    double sinh2 = 2 * k + log1p(-exp(-4 * k)); /* log(2 sinh 2k) */
    return -log(2) + 0.5 * (double)(n * m) * sinh2 + most + log(sum);
}

static void know(cs_target *t, const cs_value *v)
{
    ising *s = t->self;
    size_t dim = t->space.dim;
    bool even = v[FIELD].number == 0, ferro = v[COUPLING].number == FERROMAGNET;
    for (size_t i = 0; i < dim; i++) {
        s->mode[dim + i] = 1;
        s->mean[i] = 0.5;
        s->variance[i] = 0.25;
    }
    if (even) { /* the law is the same with all spins turned over */
        t->exact.mean = s->mean;
        t->exact.variance = s->variance;
    }
    if (even && ferro && !v[GRAPH].given) {
        t->exact.n_modes = 2;
        t->exact.modes = s->mode;
        t->exact.mode_weight = halves;
    }
    if (even && ferro && s->rows && s->layers == 1 && v[PERIODIC].number != 0 &&
        s->rows > 1 && s->cols > 1 && v[BETA].number > 0)
        t->exact.log_z = kaufman(v[BETA].number, s->rows, s->cols);
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const ising *s = t->self;
    if (!s->rows)
        snprintf(text, size, "x.%zu", i + 1);
    else if (s->layers == 1)
        snprintf(text, size, "x.%zu.%zu", i / s->cols + 1, i % s->cols + 1);
    else
        snprintf(text, size, "x.%zu.%zu.%zu", i / (s->rows * s->cols) + 1,
                 i / s->cols % s->rows + 1, i % s->cols + 1);
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    ising *s = t->self;
    if (!s)
        return;
    cs_pairs_close(&s->pairs);
    cs_free(s->mode);
    cs_free(s->mean);
    cs_free(s->variance);
    cs_free(s);
    t->self = NULL;
}

static cs_status fill(cs_target *t, const cs_value *v, cs_error *err)
{
    ising *s = t->self;
    cs_edges e;
    cs_status status = bonds(s, v, &e, err);
    size_t dim = e.vertices;
    if (!status)
        status = to_bits(s, &e, v[BETA].number, v[FIELD].number, err);
    cs_edges_free(&e);
    if (status)
        return status;
    cs_pairs_dress(&s->pairs, t);
    if (s->rows)
        t->picture = (cs_picture){.kind = CS_PICTURE_PIXELS,
                                  .rows = s->rows,
                                  .cols = s->cols,
                                  .layers = s->layers};
    s->mode = cs_alloc(2 * dim, sizeof *s->mode);
    s->mean = cs_alloc(dim, sizeof *s->mean);
    s->variance = cs_alloc(dim, sizeof *s->variance);
    if (!s->mode || !s->mean || !s->variance)
        return cs_fail(err, CS_MEMORY, "ising: out of memory");
    know(t, v);
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    t->self = cs_alloc(1, sizeof(ising));
    if (!t->self)
        return cs_fail(err, CS_MEMORY, "ising: out of memory");
    cs_status status = fill(t, v, err);
    if (status)
        destroy(t);
    return status;
}

static const char *const couplings[] = {"ferromagnet", "antiferromagnet",
                                        "signs", "normal", NULL};

static const cs_param params[] = {
    [ROWS] = {.name = "rows",
              .kind = CS_PARAM_INT,
              .flags = CS_PARAM_FIXED,
              .min = 1,
              .max = MOST_SITES,
              .def = 8,
              .help = "rows of the grid"},
    [COLS] = {.name = "cols",
              .kind = CS_PARAM_INT,
              .flags = CS_PARAM_FIXED,
              .min = 1,
              .max = MOST_SITES,
              .def = 8,
              .help = "columns of the grid; as many as rows unless given"},
    [LAYERS] = {.name = "layers",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_FIXED,
                .min = 1,
                .max = 1024,
                .def = 1,
                .help = "grids above one another: a cube has several"},
    [PERIODIC] = {.name = "periodic",
                  .kind = CS_PARAM_BOOL,
                  .flags = CS_PARAM_FIXED,
                  .min = 0,
                  .max = 1,
                  .def = 1,
                  .help = "join the borders: a torus"},
    [BETA] = {.name = "beta",
              .kind = CS_PARAM_REAL,
              .flags = CS_PARAM_FIXED,
              .min = 0,
              .max = 100,
              .def = 0.4406868,
              .help = "inverse temperature; by default the critical one of "
                      "the square grid"},
    [COUPLING] = {.name = "coupling",
                  .kind = CS_PARAM_CHOICE,
                  .flags = CS_PARAM_FIXED,
                  .max = 3,
                  .choices = couplings,
                  .help = "J of the bonds: 1, -1, signs at random, normal "
                          "numbers (spin glasses)"},
    [FIELD] = {.name = "field",
               .kind = CS_PARAM_REAL,
               .flags = CS_PARAM_FIXED,
               .min = -100,
               .max = 100,
               .def = 0,
               .help = "what pulls every spin up"},
    [SEED] = {.name = "seed",
              .kind = CS_PARAM_INT,
              .flags = CS_PARAM_FIXED,
              .min = 0,
              .max = 1e9,
              .def = 1,
              .help = "of random couplings"},
    [GRAPH] = {.name = "graph",
               .kind = CS_PARAM_TEXT,
               .flags = CS_PARAM_FIXED,
               .help = "path of a graph (G-set, Biq Mac, DIMACS) in the place "
                       "of a grid; its weights are J unless coupling is given"},
};

const cs_target_type CS_VARIANT(cs_target_ising) = {
    .name = "ising",
    .title = "Ising model",
    .ref = "Ising, Beitrag zur Theorie des Ferromagnetismus, 1925",
    .help = "Spins on a grid or a graph, each with its neighbours: magnets, "
            "antiferromagnets and spin glasses.",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .create = create,
    .destroy = destroy,
    .log_density = CS_VARIANT(cs_pairs_log_density),
    .gradient = CS_VARIANT(cs_pairs_gradient),
    .site = CS_VARIANT(cs_pairs_site),
    .site_moved = CS_VARIANT(cs_pairs_site_moved),
    .neighbours = CS_VARIANT(cs_pairs_neighbours),
    .resample = CS_VARIANT(cs_pairs_resample),
    .bonds = CS_VARIANT(cs_pairs_bonds),
    .coordinate = coordinate,
};
