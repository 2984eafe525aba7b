/* The precision of a Gaussian Markov random field on a grid, given one state y:
 *
 *     y ~ N(0, Q^-1),  Q = theta_1 L + theta_2 I,  theta_1, theta_2 > 0
 *     log f = -theta_1/2 sum_{i~j} (y_i - y_j)^2 - theta_2/2 sum_i y_i^2
 *     log Z = n/2 log 2 pi - 1/2 sum_k log(theta_1 lambda_k + theta_2)
 *
 * L is the Laplacian of the grid, with eigenvalues lambda_k and eigenvectors V
 * (computed by GSL). Z is known for grids of every size, and exact draws need
 * no chain: y = V (z_k / sqrt(theta_1 lambda_k + theta_2)) with normal z (Rue
 * and Held, "Gaussian Markov Random Fields", 2005, section 2.4). The exact
 * results of this target are therefore a reference for kernels that do not use
 * Z. */
#include "base/memory.h"
#include "simd/matmul.h"
#include "targets/intractable/family.h"
#include "targets/intractable/grid_posterior.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>

/* Largest number of sites; computing more eigenvectors would take too long. */
enum { MOST_SITES = 1024 };

typedef struct field {
    cs_family family; /* must be the first member: see
                         targets/intractable/family.h */
    cs_site_graph graph;
    double *value;  /* [n] eigenvalues lambda of L [own] */
    double *vector; /* [n][n] eigenvectors V, one row per site [own] */
} field;

static const field *field_of(const cs_family *f)
{
    return (const field *)(const void *)f;
}

static void statistics(const cs_family *f, const double *y, size_t stride,
                       double *s)
{
    const cs_site_graph *g = &field_of(f)->graph;
    cs_vd steps = cs_vset(0), squares = cs_vset(0);
    for (size_t e = 0; e < g->edges; e++) {
        cs_vd step = cs_load(y + g->end[2 * e] * stride) -
                     cs_load(y + g->end[2 * e + 1] * stride);
        steps += step * step;
    }
    for (size_t i = 0; i < g->sites; i++) {
        cs_vd own = cs_load(y + i * stride);
        squares += own * own;
    }
    cs_store(s, -0.5 * steps);
    cs_store(s + CS_PAD, -0.5 * squares);
}

static cs_vd log_z(const cs_family *f, const cs_vd *theta, cs_vd *mean)
{
    const double *value = field_of(f)->value;
    cs_vd sum = cs_vset(0), one = sum, other = sum;
    for (size_t k = 0; k < f->n_data; k++) {
        cs_vd precision = theta[0] * value[k] + theta[1];
        sum += cs_vlog(precision);
        one += value[k] / precision;
        other += 1 / precision;
    }
    if (mean) {
        mean[0] = -0.5 * one;
        mean[1] = -0.5 * other;
    }
    return 0.5 * ((double)f->n_data * 1.83787706640934548 - sum);
}

/* ---- data ---------------------------------------------------------------- */

/* Draws normal numbers z[n][lanes] from the simulation's random numbers,
 * starting at row `row`. The stream determines the number of lanes. */
static void normals(const cs_simulation *s, size_t row, size_t n, double *z)
{
    cs_streams from = *s->streams;
    from.skip += s->first + row;
    from.ahead = NULL;
    cs_fill_normal(&from, CS_FOR_AUXILIARY, n, z);
}

static void tell(const cs_point *at, const cs_simulation *s, double updates)
{
    for (size_t l = 0; l < at->lanes; l++) {
        bool asked = !at->failed || !at->failed[l];
        s->updates[l] = asked ? updates : 0;
        s->past[l] = s->left[l] = 0;
    }
}

static void simulate(const cs_target *t, const cs_point *at,
                     const cs_simulation *s)
{
    const field *f = t->self;
    size_t n = f->graph.sites, lanes = at->lanes;
    double *z = at->scratch;
    normals(s, 0, n, z);
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR) {
            cs_vd precision =
                cs_load(at->x + l) * f->value[k] + cs_load(at->x + lanes + l);
            cs_store(z + k * lanes + l,
                     cs_load(z + k * lanes + l) / cs_vsqrt(precision));
        }
    cs_matmul(f->vector, n, n, n, z, lanes, s->data);
    tell(at, s, (double)n);
}

/* Draws y_i given the rest: mean theta_1 (sum of neighbours) / Q_ii, precision
 * Q_ii. */
static cs_vd update_site(const cs_site_graph *g, const cs_point *at, size_t i,
                         size_t l, const double *y, cs_vd z)
{
    cs_vd sum = cs_vset(0), step = cs_load(at->x + l);
    for (size_t k = g->start[i]; k < g->start[i + 1]; k++)
        sum += cs_load(y + g->other[k] * at->lanes + l);
    double degree = (double)(g->start[i + 1] - g->start[i]);
    cs_vd precision = step * degree + cs_load(at->x + at->lanes + l);
    return step * sum / precision + z / cs_vsqrt(precision);
}

/* Returns a mask of the lanes to update: all lanes that have not failed. */
static cs_vi asked(const cs_point *at, size_t l)
{
    cs_vi mask = {0};
    for (size_t k = 0; k < CS_VECTOR; k++)
        mask[k] = at->failed && at->failed[l + k] ? 0 : -1;
    return mask;
}

static void sweep(const cs_target *t, const cs_point *at,
                  const cs_simulation *s)
{
    const field *f = t->self;
    size_t n = f->graph.sites, lanes = at->lanes;
    double *z = at->scratch;
    for (size_t half = 0; half < 2 * s->sweeps; half++) {
        normals(s, half * (n + n % 2), n, z);
        for (size_t k = 0; k < n; k++) {
            size_t i = half % 2 ? n - 1 - k : k;
            for (size_t l = 0; l < lanes; l += CS_VECTOR) {
                double *y = s->data + i * lanes + l;
                cs_vd next = update_site(&f->graph, at, i, l, s->data,
                                         cs_load(z + k * lanes + l));
                cs_store(y, cs_vselect(asked(at, l), next, cs_load(y)));
            }
        }
    }
    tell(at, s, (double)(2 * s->sweeps * n));
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    field *f = t->self;
    cs_family_free(&f->family);
    cs_site_graph_free(&f->graph);
    cs_free(f->value);
    cs_free(f->vector);
}

/* Computes eigenvalues and eigenvectors; laplacian[n][n] is destroyed. */
static bool diagonalise(field *f, double *laplacian)
{
    size_t n = f->graph.sites;
    gsl_eigen_symmv_workspace *scratch = gsl_eigen_symmv_alloc(n);
    if (!scratch)
        return false;
    gsl_matrix_view l = gsl_matrix_view_array(laplacian, n, n);
    gsl_matrix_view v = gsl_matrix_view_array(f->vector, n, n);
    gsl_vector_view value = gsl_vector_view_array(f->value, n);
    gsl_eigen_symmv(&l.matrix, &value.vector, &v.matrix, scratch);
    gsl_eigen_symmv_free(scratch);
    for (size_t k = 0; k < n; k++) /* rounding may give a negative eigenvalue */
        f->value[k] = f->value[k] > 0 ? f->value[k] : 0;
    return true;
}

static cs_status find_eigenvectors(field *f, cs_error *err)
{
    const cs_site_graph *g = &f->graph;
    size_t n = g->sites;
    double *laplacian = cs_alloc(n * n, sizeof *laplacian);
    f->value = cs_alloc(n, sizeof *f->value);
    f->vector = cs_alloc(n * n, sizeof *f->vector);
    bool good = laplacian && f->value && f->vector;
    for (size_t e = 0; good && e < g->edges; e++) {
        size_t i = g->end[2 * e], j = g->end[2 * e + 1];
        laplacian[i * n + i]++;
        laplacian[j * n + j]++;
        laplacian[i * n + j]--;
        laplacian[j * n + i]--;
    }
    good = good && diagonalise(f, laplacian);
    cs_free(laplacian);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY,
                          "out of memory for target gmrf_precision");
}

static cs_status make(cs_target *t, const cs_edges *bonds, const cs_value *v,
                      cs_given_data *d, cs_error *err)
{
    static const char *const names[] = {"coupling", "own"};
    static const cs_family_kind kind = {.names = names,
                                        .parameters = 2,
                                        .low = {0.01, 0.01},
                                        .high = {10, 10},
                                        .truth = {1, 0.5}};
    field *f = t->self;
    if (bonds->vertices > MOST_SITES)
        return cs_fail(err, CS_RANGE,
                       "gmrf_precision: %zu sites are too many; use at most %d",
                       bonds->vertices, MOST_SITES);
    cs_status s = cs_site_graph_make(&f->graph, bonds, err);
    if (!s)
        s = find_eigenvectors(f, err);
    f->family.parameters = kind.parameters;
    f->family.n_data = f->graph.sites;
    f->family.statistics = statistics;
    f->family.log_z = log_z;
    t->simulate_words = f->graph.sites;
    if (!s)
        s = cs_family_make(t, &f->family, &kind, v, d, err);
    for (size_t p = 0; p < 2 && !s; p++)
        if (!(f->family.low[p] > 0))
            s = cs_fail(err, CS_RANGE, "gmrf_precision: low must be above 0");
    return s;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_status s = cs_grid_posterior_create(t, make, v, err);
    t->data_picture.low = -2;
    t->data_picture.high = 2;
    return s;
}

static const cs_param params[] = {
    CS_FAMILY_ROWS("coupling and own", "the field, as a list of lists",
                   "; without `data` and `file`, the field is simulated"),
    CS_FIELD_GRID_ROWS(8),
};

const cs_target_type CS_VARIANT(cs_target_gmrf_precision) = {
    .name = "gmrf_precision",
    .title = "Precision of a Gaussian field",
    .ref = "Rue and Held, Gaussian Markov Random Fields, 2005",
    .help = "Two parameters of a Gaussian Markov random field on a grid, the "
            "coupling of neighbours and the precision of each variable, given "
            "one state of the grid. The normalising constant is a determinant, "
            "which is known for every size of the grid, so kernels that do not "
            "use it can be compared with the exact posterior.",
    CS_PARAM_TABLE(params),
    .size = sizeof(field),
    .create = create,
    .destroy = destroy,
    CS_FAMILY_MEMBERS,
    .factor.simulate = simulate,
    .factor.sweep = sweep,
};
