/* The Gaussian N(m, S),
 *
 *     log p(x) = -1/2 (x - m)' P (x - m),  P = S^-1,  grad log p = -P (x - m).
 *
 * S is given as a full matrix, or as scale^2 rho^|i - j|, or as scale^2 I. P is
 * computed at creation, from the Cholesky factor L of S = L L'. If S is
 * diagonal, separate code needs only one multiplication per coordinate. log Z =
 * d/2 log 2 pi + sum_i log L_ii. */
#include "base/cancellation.h"
#include "base/memory.h"
#include "simd/matmul.h"
#include "simd/vmath.h"
#include "stat/cholesky.h"
#include "target/target.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { DIM, MEAN, COVARIANCE, RHO, SCALE, N_PARAMS };

typedef struct gaussian {
    bool diagonal;
    double *mean, *variance; /* [dim] m, and the diagonal of S */
    size_t stride;           /* dim, padded to whole vectors */
    double *pull;            /* -P, which is multiplied by x - m to get the
                              * gradient: [dim][stride], symmetric; [dim] if
                              * diagonal */
    float *pull_single;      /* -P rounded to single precision */
    double *factor;          /* L, [dim][dim]; [dim] if diagonal */
} gaussian;

static void destroy(cs_target *t)
{
    gaussian *g = t->self;
    CS_FREE_ALL(g->mean, g->variance, g->pull, g->pull_single, g->factor);
}

/* Evaluates a coordinate if S is diagonal. Eight lanes and a single lane add
 * terms in the same order. */
static cs_vd term(const gaussian *g, size_t i, const double *x, double *grad,
                  size_t k)
{
    cs_vd r = *(const cs_vd *)(x + k) - g->mean[i], y = g->pull[i] * r;
    if (grad)
        *(cs_vd *)(grad + k) = y;
    return r * y;
}

static void close_by_coordinate(const gaussian *g, size_t dim, const double *x,
                                double *logp, double *grad)
{
    cs_four sum = {0};
    size_t i = 0;
    for (; i + 3 < dim; i += 4) {
        cs_four r = *(const cs_four *)(x + i) - *(cs_four *)(g->mean + i);
        cs_four y = *(cs_four *)(g->pull + i) * r;
        sum += r * y;
        if (grad)
            *(cs_four *)(grad + i) = y;
    }
    double first = sum[0];
    for (; i < dim; i++) {
        double r = x[i] - g->mean[i], y = g->pull[i] * r;
        first += r * y;
        if (grad)
            grad[i] = y;
    }
    *logp = 0.5 * ((first + sum[1]) + (sum[2] + sum[3]));
}

static void by_coordinate(const gaussian *g, size_t dim, const cs_point *point,
                          double *logp, double *grad)
{
    size_t lanes = point->lanes;
    if (lanes == 1) {
        close_by_coordinate(g, dim, point->x, logp, grad);
        return;
    }
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum;
        CS_VSUM(sum, 0, 1, dim, term(g, at, point->x, grad, at * lanes + l));
        *(cs_vd *)(logp + l) = 0.5 * sum;
    }
}

/* Computes r = x - m and y = -P r. */
static void dense_product(const gaussian *g, size_t dim, const cs_point *at,
                          double *r, double *y)
{
    size_t lanes = at->lanes;
    const double *x = at->x;
    for (size_t i = 0; i < dim; i++, r += lanes, x += lanes)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            *(cs_vd *)(r + l) = *(const cs_vd *)(x + l) - g->mean[i];
    cs_matmul(g->pull, dim, g->stride, dim, r - dim * lanes, lanes, y);
}

/* Computes r' y / 2 for eight lanes. inner_one adds the terms in the same
 * order. */
static cs_vd inner(const double *r, const double *y, size_t l, size_t lanes,
                   size_t dim)
{
    cs_vd sum;
    CS_VSUM(sum, l, lanes, dim * lanes,
            *(const cs_vd *)(r + at) * *(const cs_vd *)(y + at));
    return 0.5 * sum;
}

static double inner_one(const double *r, const double *y, size_t dim)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 3 < dim; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += r[i + k] * y[i + k];
    for (; i < dim; i++)
        sum[0] += r[i] * y[i];
    return 0.5 * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/* Evaluates a single live lane, with contiguous r[dim] and y[dim]. (P is
 * symmetric, so that its rows equal its columns.) */
static void one_lane(const gaussian *g, size_t dim, const cs_point *at,
                     double *logp, double *grad)
{
    size_t lanes = at->lanes;
    double *r = at->scratch, *y = lanes == 1 && grad ? grad : r + dim * lanes;
    for (size_t i = 0; i < dim; i++)
        r[i] = at->x[i * lanes] - g->mean[i];
    cs_matvec(g->pull, dim, g->stride, dim, r, at->back, y);
    double value = inner_one(r, y, dim);
    if (lanes == 1) {
        *logp = value;
        return;
    }
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        *(cs_vd *)(logp + l) = cs_vset(value);
    for (size_t i = 0; grad && i < dim; i++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            *(cs_vd *)(grad + i * lanes + l) = cs_vset(y[i]);
}

/* This function is not inlined, because inlining would slow down the short code
 * for a diagonal S. */
static __attribute__((noinline)) void dense(const gaussian *g, size_t dim,
                                            const cs_point *at, double *logp,
                                            double *grad)
{
    size_t lanes = at->lanes;
    double *r = at->scratch;
    double *y = grad ? grad : r + dim * lanes; /* if a gradient is requested,
                                                * its memory is used, which
                                                * saves an array */
    if (at->live == 1) {
        one_lane(g, dim, at, logp, grad);
        return;
    }
    dense_product(g, dim, at, r, y);
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        *(cs_vd *)(logp + l) = inner(r, y, l, lanes, dim);
}

static void evaluate(const cs_target *t, const cs_point *at, double *logp,
                     double *grad)
{
    const gaussian *g = t->self;
    if (g->diagonal)
        by_coordinate(g, t->space.dim, at, logp, grad);
    else
        dense(g, t->space.dim, at, logp, grad);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    evaluate(t, at, logp, NULL);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    evaluate(t, at, logp, g);
}

/* Computes the gradient in single precision. If P is diagonal, computes the
 * product in double precision, because a product with a diagonal matrix is
 * cheap. */
static void single_lanes(const gaussian *g, size_t dim, const cs_point *at,
                         float *out)
{
    float *r = (float *)(void *)at->scratch, *to = g->diagonal ? out : r;
    size_t lanes = at->lanes;
    for (size_t i = 0; i < dim; i++)
        for (size_t k = i * lanes; k < (i + 1) * lanes; k += CS_VECTOR) {
            cs_vd d = *(const cs_vd *)(at->x + k) - g->mean[i];
            if (g->diagonal)
                d *= g->pull[i];
            cs_vnarrow(to + k, d);
        }
    if (!g->diagonal)
        cs_matmul_float(g->pull_single, dim, g->stride, dim, r, lanes, out);
}

static void single_one(const gaussian *g, size_t dim, const cs_point *at,
                       float *out)
{
    size_t lanes = at->lanes;
    float *r = (float *)(void *)at->scratch, *y = lanes == 1 ? out : r + dim;
    float *to = g->diagonal ? y : r;
    for (size_t i = 0; i < dim; i++) {
        double d = at->x[i * lanes] - g->mean[i];
        to[i] = (float)(g->diagonal ? g->pull[i] * d : d);
    }
    if (!g->diagonal)
        cs_matvec_float(g->pull_single, dim, g->stride, dim, r, at->back, y);
    for (size_t k = 0; lanes > 1 && k < dim * lanes; k++)
        out[k] = y[k / lanes];
}

static void force(const cs_target *t, const cs_point *at, float *out)
{
    (at->live == 1 ? single_one : single_lanes)(t->self, t->space.dim, at, out);
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    const gaussian *g = t->self;
    size_t dim = t->space.dim;
    for (size_t i = 0; i < dim; i++)
        x[i] = g->mean[i];
    for (size_t j = 0; j < dim; j++) {
        double z = gsl_cdf_ugaussian_Pinv(uniform[j]);
        if (g->diagonal)
            x[j] += g->factor[j] * z;
        else
            for (size_t i = j; i < dim; i++)
                x[i] += g->factor[i * dim + j] * z;
    }
}

static double marginal(const cs_target *t, size_t i, double value)
{
    const gaussian *g = t->self;
    return gsl_cdf_ugaussian_P((value - g->mean[i]) / sqrt(g->variance[i]));
}

/* Returns S_ij = sum_k L_ik L_jk. */
static double covariance(const gaussian *g, size_t dim, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; !g->diagonal && k <= (i < j ? i : j); k++)
        sum += g->factor[i * dim + k] * g->factor[j * dim + k];
    return sum;
}

/* Returns the marginal density of two coordinates, scaled to 1 at its
 * centre. */
static double pair(const cs_target *t, size_t i, size_t j, double x, double y)
{
    const gaussian *g = t->self;
    double a = sqrt(g->variance[i]), b = sqrt(g->variance[j]);
    double rho = covariance(g, t->space.dim, i, j) / (a * b);
    double p = (x - g->mean[i]) / a, q = (y - g->mean[j]) / b;
    return exp(-0.5 * (p * p - 2 * rho * p * q + q * q) / (1 - rho * rho));
}

/* Returns the distribution function of the energy. -2 log p has a chi-square
 * distribution with `dim` degrees of freedom. */
static double energy(const cs_target *t, double value)
{
    return value > 0 ? gsl_cdf_chisq_P(2 * value, (double)t->space.dim) : 0;
}

static double covariance_of(const cs_value *v, size_t dim, size_t i, size_t j)
{
    if (v[COVARIANCE].given)
        return v[COVARIANCE].array[i * dim + j];
    double scale = v[SCALE].number, distance = (double)(i > j ? i - j : j - i);
    return scale * scale * (i == j ? 1 : pow(v[RHO].number, distance));
}

/* Fails with the reason why the factor or the inverse could not be computed. */
static cs_status refuse_matrix(size_t dim, cs_error *err)
{
    if (cs_cancelled()) {
        cs_fail(
            err, CS_RANGE,
            "gaussian: out of time while inverting a covariance of %zu rows",
            dim);
        cs_hint(err, "use fewer dimensions, or independent coordinates");
    } else {
        cs_fail(err, CS_RANGE,
                "gaussian: the covariance is not positive definite");
        cs_hint(err, "use a symmetric positive definite matrix");
    }
    return CS_RANGE;
}

/* Returns an entry of -P as a float. The magnitude of the entry is at most
 * sqrt(P_ii P_jj). An entry that is negligible compared to this bound becomes
 * 0. Without this rule many such entries would be subnormal floats (below
 * 1e-38), which are slow on some processors. */
static float single_of(const gaussian *g, size_t i, size_t j)
{
    double p = g->pull[i * g->stride + j];
    double most = sqrt(g->pull[i * g->stride + i] * g->pull[j * g->stride + j]);
    return fabs(p) < 0x1p-60 * most ? 0 : (float)p;
}

static cs_status fill_dense(gaussian *g, const cs_value *v, size_t dim,
                            cs_error *err)
{
    for (size_t i = 0; i < dim && !cs_cancelled(); i++)
        for (size_t j = 0; j < dim; j++)
            g->factor[i * dim + j] = covariance_of(v, dim, i, j);
    if (!cs_cholesky(g->factor, dim))
        return refuse_matrix(dim, err);
    double *inverse = cs_alloc(dim * dim, sizeof *inverse);
    if (!inverse)
        return cs_fail(err, CS_MEMORY, "out of memory for target gaussian");
    memcpy(inverse, g->factor, dim * dim * sizeof *inverse);
    bool done = cs_cholesky_invert(inverse, dim);
    for (size_t i = 0; i < dim && done; i++)
        for (size_t j = 0; j < dim; j++)
            g->pull[i * g->stride + j] = -inverse[i * dim + j];
    cs_free(inverse);
    if (!done)
        return refuse_matrix(dim, err);
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            g->pull_single[i * g->stride + j] = single_of(g, i, j);
    return CS_OK;
}

static cs_status fill(cs_target *t, const cs_value *v, cs_error *err)
{
    gaussian *g = t->self;
    size_t dim = t->space.dim;
    double log_det = 0;
    for (size_t i = 0; i < dim; i++) {
        g->mean[i] = v[MEAN].given ? v[MEAN].array[i] : 0;
        g->variance[i] = covariance_of(v, dim, i, i);
        if (!isfinite(g->mean[i]) || !(g->variance[i] > 0))
            return cs_fail(err, CS_RANGE,
                           "gaussian: mean or variance %zu is out of range",
                           i + 1);
        if (g->diagonal) {
            g->pull[i] = -1 / g->variance[i];
            g->factor[i] = sqrt(g->variance[i]);
        }
    }
    cs_status s = g->diagonal ? CS_OK : fill_dense(g, v, dim, err);
    for (size_t i = 0; !s && i < dim; i++)
        log_det += log(g->factor[g->diagonal ? i : i * dim + i]);
    t->exact.mean = g->mean;
    t->exact.variance = g->variance;
    t->exact.log_z = (double)dim * 0.5 * log(2 * M_PI) + log_det;
    return s;
}

static void set_view(cs_target *t)
{
    const gaussian *g = t->self;
    size_t second = t->space.dim > 1;
    for (int i = 0; i < 4; i++) {
        size_t k = i < 2 ? 0 : second;
        double reach = 3.5 * sqrt(g->variance[k]);
        t->exact.view[i] = g->mean[k] + (i % 2 ? reach : -reach);
    }
    t->exact.n_modes = 1;
    t->exact.modes = g->mean;
    static const double all = 1;
    t->exact.mode_weight = &all;
}

/* Finds the dimension from the lengths of the arrays. Fails if the lengths
 * disagree. */
static cs_status find_dim(const cs_value *v, size_t *dim, cs_error *err)
{
    const cs_value *m = &v[MEAN], *c = &v[COVARIANCE];
    *dim = (size_t)v[DIM].number;
    if (!v[DIM].given && m->given)
        *dim = m->rows * m->cols;
    else if (!v[DIM].given && c->given)
        *dim = c->cols > 1 ? c->rows : (size_t)(sqrt((double)c->rows) + 0.5);
    if (*dim == 0)
        return cs_fail(err, CS_INPUT,
                       "gaussian: mean and covariance must not be empty");
    if (m->given && m->rows * m->cols != *dim) {
        cs_fail(err, CS_INPUT, "gaussian: `mean` has %zu entries, not %zu",
                m->rows * m->cols, *dim);
        cs_hint(err, "give one mean per coordinate");
        return CS_INPUT;
    }
    if (!c->given)
        return CS_OK;
    bool good = c->rows * c->cols == *dim * *dim;
    for (size_t k = 0; good && k < *dim * *dim; k++) {
        double a = c->array[k], b = c->array[k % *dim * *dim + k / *dim];
        good = fabs(a - b) <= 1e-9 * fabs(a + b);
    }
    if (good)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "gaussian: covariance must be a symmetric matrix of %zu x %zu",
            *dim, *dim);
    cs_hint(err, "give the matrix row by row, or use rho and scale");
    return CS_INPUT;
}

static bool is_diagonal(const cs_value *v, size_t dim)
{
    if (!v[COVARIANCE].given)
        return v[RHO].number == 0;
    for (size_t k = 0; k < dim * dim; k++)
        if (k / dim != k % dim && v[COVARIANCE].array[k] != 0)
            return false;
    return true;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    size_t dim;
    cs_status s = find_dim(v, &dim, err);
    if (s)
        return s;
    gaussian *g = t->self;
    g->diagonal = is_diagonal(v, dim);
    size_t entries = g->diagonal ? dim : dim * dim;
    g->mean = cs_alloc(dim, sizeof *g->mean);
    g->variance = cs_alloc(dim, sizeof *g->variance);
    g->stride = cs_pad_lanes(dim);
    size_t wide = g->diagonal ? dim : dim * g->stride;
    g->pull = cs_alloc(wide, sizeof *g->pull);
    g->pull_single = cs_alloc(g->diagonal ? 1 : wide, sizeof *g->pull_single);
    g->factor = cs_alloc(entries, sizeof *g->factor);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = dim};
    t->scratch_words = 2 * dim;
    t->n_uniform = dim;
    s = g->mean && g->variance && g->pull && g->pull_single && g->factor
            ? fill(t, v, err)
            : cs_fail(err, CS_MEMORY, "out of memory for target gaussian");
    if (!s)
        set_view(t);
    return s;
}

static const cs_param params[N_PARAMS] = {
    [DIM] = {.name = "dim",
             CS_FIXED(INT),
             CS_PARAM_RANGE(1, 100000, 2),
             .help = "number of coordinates"},
    [MEAN] = {.name = "mean",
              CS_FIXED(ARRAY),
              .help = "the mean of each coordinate; 0 by default"},
    [COVARIANCE] = {.name = "covariance",
                    CS_FIXED(ARRAY),
                    .help = "the covariance matrix, row by row"},
    [RHO] = {.name = "rho",
             CS_FIXED(REAL),
             CS_PARAM_RANGE(-0.999999, 0.999999, 0),
             .help = "correlation of neighbouring coordinates: the covariance "
                     "is S_ij = scale^2 rho^|i-j|"},
    [SCALE] = {.name = "scale",
               CS_FIXED_SCALE,
               CS_PARAM_RANGE(1e-100, 1e100, 1),
               .help = "standard deviation of each coordinate"},
};

const cs_target_type CS_VARIANT(cs_target_gaussian) = {
    .name = "gaussian",
    .title = "Gaussian",
    .ref = "",
    .help = "A Gaussian of any dimension, with any mean and covariance. Exact "
            "values are known for all quantities.",
    CS_PARAM_TABLE(params),
    .flags = CS_TARGET_PACKED,
    .size = sizeof(gaussian),
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .force = force,
    .exact.draw = draw,
    .exact.marginal = marginal,
    .exact.pair = pair,
    .exact.energy = energy,
};
