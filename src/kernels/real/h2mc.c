/* h2mc: Hessian-Hamiltonian Monte Carlo, a Gaussian proposal that follows the
 * curvature of log p.
 *
 * With g = grad log p(x) and the Hessian of log p at x, V diag(l_i) V',
 * Hamiltonian dynamics of the quadratic approximation of log p, with masses
 * |l_i|, started at x with Gaussian momenta and stopped after the time T, end
 * at a Gaussian. Along the eigenvector i it has
 *
 *   mean      C_i / |l_i| (V'g)_i,   C_i = 1 - cos T,  variance S_i / |l_i|,
 *             S_i = sin(T)^2   if l_i < 0;
 *             C_i = cosh T - 1 and S_i = sinh(T)^2   if l_i >= 0.
 *
 * Its product with N(x, step^2 I) is the proposal
 *
 *   q(y|x) = N(y; x + V o, V diag(1 / w_i) V'),
 *   w_i = |l_i| / S_i + 1 / step^2,  o_i = C_i (V'g)_i / (|l_i| + S_i / step^2)
 *
 * and log A = log p(y) - log p(x) + log q(x|y) - log q(y|x).
 *
 * Li, Lehtinen, Ramamoorthi, Jakob and Durand, "Anisotropic Gaussian mutations
 * for Metropolis light transport through Hessian-Hamiltonian dynamics" (2015).
 * On a Gaussian target, T = pi/2 and a large `step` propose independent draws
 * from the target.
 *
 * The Hessian consists of central differences of the gradient: 2 dim + 1
 * evaluations a step. The proposal is a function of x also where they are
 * inexact, so the kernel is exact. Where they are not finite, the proposal is
 * N(x, step^2 I). The Gaussian at the state is stored. */
#include "kernel/accept.h"
#include "kernel/step_row.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>

#include <math.h>
#include <string.h>

enum { STEP, TIME };
enum { MOST = 20 }; /* maximum number of coordinates */
/* Sweeps of Jacobi rotations. They converge quadratically, but the library stops
 * only at exactly 0, which can take hundreds of sweeps. V is orthogonal after any
 * number of them, so the kernel is exact. */
enum { SWEEPS = 10 };

/* A Gaussian for each lane, in rows of lanes: its mean [dim], the weights w
 * [dim], and V [dim][dim]. */
static size_t gaussian_words(size_t dim)
{
    return dim * (dim + 2);
}

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)values;
    return gaussian_words(t->space.dim);
}

/* Layout of the scratch, in rows of lanes: y, the gradient, a displaced point,
 * the gradients at two displaced points, log p, the Gaussians at y, the
 * Hessians; and the Hessian, V and the eigenvalues of a single lane. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    size_t dim = t->space.dim;
    (void)values;
    return 5 * dim + 1 + gaussian_words(dim) + dim * dim +
           (2 * dim * dim + dim) / CS_LEAST_LANES + 1;
}

static double *gaussians_at_y(const cs_move *m)
{
    return m->scratch + (5 * m->dim + 1) * m->lanes;
}

/* ---- Hessian ------------------------------------------------------------- */

/* Returns the distance of the differences along a coordinate: the cube root of
 * the machine precision, relative to x. */
static double distance(double x)
{
    return 6e-6 * fmax(1, fabs(x));
}

/* Displaces coordinate d of all states by `sides` distances, and computes the
 * gradient g there. point[dim][lanes] holds the states. */
static void gradient_beside(cs_move *m, size_t d, double sides, const double *x,
                            double *point, double *g)
{
    double *logp = m->scratch + 5 * m->dim * m->lanes;
    for (size_t l = d * m->lanes; l < (d + 1) * m->lanes; l++)
        point[l] = x[l] + sides * distance(x[l]);
    cs_eval_gradient(m->eval, CS_NEXT, point, logp, g);
}

/* Computes h[dim][dim][lanes]; h[d] is the derivative of the gradient along
 * coordinate d. */
static void find_hessians(cs_move *m, const double *x, double *h)
{
    size_t n = m->lanes, dim = m->dim, all = dim * n;
    double *point = m->scratch + 2 * all, *above = point + all;
    double *below = above + all;
    memcpy(point, x, all * sizeof *point);
    for (size_t d = 0; d < dim; d++, h += all) {
        gradient_beside(m, d, 1, x, point, above);
        gradient_beside(m, d, -1, x, point, below);
        for (size_t at = 0; at < all; at++)
            h[at] = 0.5 * (above[at] - below[at]) / distance(x[d * n + at % n]);
        memcpy(point + d * n, x + d * n, n * sizeof *point);
    }
}

/* Copies the Hessian of a lane to `to`[dim][dim], which becomes symmetric. If it
 * is not finite, the result is 0. */
static void gather(const double *h, size_t dim, size_t lanes, double *to)
{
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j <= i; j++) {
            double mean =
                0.5 * (h[(i * dim + j) * lanes] + h[(j * dim + i) * lanes]);
            to[i * dim + j] = to[j * dim + i] = mean;
            sum += mean;
        }
    if (!isfinite(sum))
        memset(to, 0, dim * dim * sizeof *to);
}

/* Computes the eigenvalues curve[dim] of h[dim][dim], and its eigenvectors, the
 * columns of v[dim][dim]. Destroys h. */
static void decompose(double *h, size_t dim, double *curve, double *v)
{
    gsl_matrix_view matrix = gsl_matrix_view_array(h, dim, dim);
    gsl_matrix_view vectors = gsl_matrix_view_array(v, dim, dim);
    gsl_vector_view values = gsl_vector_view_array(curve, dim);
    unsigned sweeps;
    gsl_eigen_jacobi(&matrix.matrix, &values.vector, &vectors.matrix, SWEEPS,
                     &sweeps);
}

/* ---- Gaussian ------------------------------------------------------------ */

/* Computes the Gaussian of lane l at x from its Hessian and its gradient. All
 * pointers are to the first row of the lane. */
static void fit(const cs_move *m, size_t l, const double *x, const double *g,
                const double *hessian, double *gaussian)
{
    size_t n = m->lanes, dim = m->dim;
    double *weight = gaussian + dim * n, *vectors = weight + dim * n;
    double *h = gaussians_at_y(m) + (gaussian_words(dim) + dim * dim) * n;
    double *v = h + dim * dim, *curve = v + dim * dim;
    double step = cs_move_param(m, STEP)[l], time = cs_move_param(m, TIME)[l];
    gather(hessian, dim, n, h);
    decompose(h, dim, curve, v);
    for (size_t i = 0; i < dim; i++)
        gaussian[i * n] = x[i * n];
    for (size_t k = 0; k < dim; k++) {
        bool hill = curve[k] < 0;
        double c = hill ? 1 - cos(time) : cosh(time) - 1, along = 0;
        double s = hill ? pow(sin(time), 2) : pow(sinh(time), 2);
        for (size_t i = 0; i < dim; i++)
            along += v[i * dim + k] * g[i * n];
        double offset = c * along / (fabs(curve[k]) + s / (step * step));
        weight[k * n] = fabs(curve[k]) / s + 1 / (step * step);
        for (size_t i = 0; i < dim; i++) {
            gaussian[i * n] += isfinite(offset) ? v[i * dim + k] * offset : 0;
            vectors[(i * dim + k) * n] = v[i * dim + k];
        }
    }
}

/* Computes log p, and the Gaussians of all lanes, at x. */
static void find_gaussians(cs_move *m, cs_which which, const double *x,
                           double *logp, double *gaussians)
{
    size_t n = m->lanes, dim = m->dim;
    double *g = m->scratch + dim * n;
    double *h = gaussians_at_y(m) + gaussian_words(dim) * n;
    find_hessians(m, x, h);
    cs_eval_gradient(m->eval, which, x, logp, g);
    for (size_t l = 0; l < n; l++)
        fit(m, l, x + l, g + l, h + l, gaussians + l);
}

/* Replaces the standard normals in y by a draw from the Gaussians.
 * z[dim][lanes] is scratch. */
static void draw(const cs_move *m, const double *gaussians, double *y,
                 double *z)
{
    size_t n = m->lanes, dim = m->dim, all = dim * n;
    const double *weight = gaussians + all, *v = weight + all;
    for (size_t at = 0; at < all; at++)
        z[at] = y[at] / sqrt(weight[at]);
    memcpy(y, gaussians, all * sizeof *y);
    for (size_t i = 0; i < dim; i++)
        for (size_t k = 0; k < dim; k++)
            for (size_t l = 0; l < n; l++)
                y[i * n + l] += v[(i * dim + k) * n + l] * z[k * n + l];
}

/* Computes out[lanes], the log densities of x[dim][lanes], up to a constant. */
static void density(const cs_move *m, const double *gaussians, const double *x,
                    double *out)
{
    size_t n = m->lanes, dim = m->dim, all = dim * n;
    const double *weight = gaussians + all, *v = weight + all;
    for (size_t l = 0; l < n; l++) {
        out[l] = 0;
        for (size_t k = 0; k < dim; k++) {
            double r = 0, w = weight[k * n + l];
            for (size_t i = 0; i < dim; i++)
                r += v[(i * dim + k) * n + l] *
                     (x[i * n + l] - gaussians[i * n + l]);
            out[l] += 0.5 * (log(w) - w * r * r);
        }
    }
}

/* ---- kernel -------------------------------------------------------------- */

static void init(cs_move *m)
{
    find_gaussians(m, CS_NOW, m->x, m->info.logp, m->memory);
}

static void step(cs_move *m)
{
    size_t dim = m->dim;
    double *y = m->scratch, *gaussians = gaussians_at_y(m);
    m->info.proposal = y;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, dim, y);
    draw(m, m->memory, y, y + dim * m->lanes);
    density(m, m->memory, y, m->info.log_q_forward);
    find_gaussians(m, CS_NEXT, y, m->info.logp_proposal, gaussians);
    cs_refuse_overflow(m);
    density(m, gaussians, m->x, m->info.log_q_back);
    cs_accept(m);
    cs_commit_moved(m->info.accepted, m->lanes, gaussian_words(dim), gaussians,
                    m->memory);
}

static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    double *gaussians = gaussians_at_y(m);
    find_gaussians(m, CS_NEXT, from, out, gaussians);
    density(m, gaussians, to, out);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    (void)values;
    if (t->space.dim <= MOST)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "h2mc: the target has %zu coordinates, and a "
            "step decomposes a matrix of their second derivatives",
            t->space.dim);
    cs_hint(err, "use nuts or mala for more than %d coordinates", MOST);
    return CS_UNSUPPORTED;
}

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(1, "largest standard deviation of the proposals, in "
                            "every direction"),
    [TIME] = {.name = "time",
              CS_PARAM_RANGE(0.01, 3.1, 1.5707963267948966),
              .help = "time T of the dynamics, in radians of a period: at pi/2 "
                      "proposals go to the top of a Gaussian hill"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_h2mc) = {
    .name = "h2mc",
    .title = "Hessian-Hamiltonian Monte Carlo",
    .ref = "Li, Lehtinen, Ramamoorthi, Jakob and Durand, Anisotropic Gaussian "
           "mutations for Metropolis light transport through "
           "Hessian-Hamiltonian dynamics, 2015",
    .help = "Proposes a Gaussian draw whose mean and covariance follow the "
            "gradient and the second derivatives of log p at the state. "
            "Accepts or rejects the proposal. A step needs 2 dim + 1 "
            "gradients.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows),
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .check = check,
    .init = init,
    .step = step,
    .log_q = log_q,
};
