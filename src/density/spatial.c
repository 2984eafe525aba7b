/* Log densities of values on the vertices of a graph, given as a symmetric
 * matrix of weights w (Besag, Spatial interaction and the statistical analysis
 * of lattice systems, 1974; Besag, York and Mollie, Bayesian image restoration,
 * with two applications in spatial statistics, 1991). */
#include "density/families.h"

#include "base/memory.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

static const cs_arg none = {0};

/* Fails unless the weights are known, symmetric, not negative, and 0 on the
 * diagonal, and fit y. */
static bool check_weights(cs_calc *c, cs_arg w, cs_arg y)
{
    if (y.size && w.size && !cs_is_known(w))
        cs_calc_fail(c, "give a list of lists of numbers", "w is symbolic");
    for (size_t i = 0; !c->err.status && i < w.rows; i++)
        for (size_t j = 0; j <= i; j++) {
            double p = w.v[i * w.cols + j], q = w.v[j * w.cols + i];
            if (!(p >= 0 && p < HUGE_VAL && p == q && (i != j || p == 0))) {
                cs_calc_fail(c,
                             "w must be symmetric, with entries of at least 0 "
                             "and 0 on its diagonal",
                             "w[%zu][%zu] = %.9g and w[%zu][%zu] = %.9g", i + 1,
                             j + 1, p, j + 1, i + 1, q);
                break;
            }
        }
    return y.size && w.size && !c->err.status;
}

/* Returns the sums of the rows of w. */
static const double *row_sums(cs_calc *c, cs_arg w)
{
    double *d = cs_calc_numbers(c, w.rows);
    for (size_t i = 0; d && i < w.rows; i++) {
        d[i] = 0;
        for (size_t j = 0; j < w.cols; j++)
            d[i] += w.v[i * w.cols + j];
    }
    return d;
}

/* Returns the eigenvalues of the symmetric matrix a[n][n], which is
 * overwritten. */
static const double *eigenvalues(cs_calc *c, double *a, size_t n)
{
    double *v = cs_calc_numbers(c, n);
    gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc(n);
    if (v && w) {
        gsl_matrix_view m = gsl_matrix_view_array(a, n, n);
        gsl_vector_view to = gsl_vector_view_array(v, n);
        gsl_eigen_symm(&m.matrix, &to.vector, w);
    }
    if (w)
        gsl_eigen_symm_free(w);
    else
        cs_calc_no_memory(c);
    return w ? v : NULL;
}

/* Returns y' w y, from the entries below the diagonal. */
static cs_arg product_of_pairs(cs_calc *c, cs_arg w, cs_arg y)
{
    size_t n = 0;
    cs_matmul_term *t = cs_alloc(w.size, sizeof *t);
    for (size_t i = 0; t && i < w.rows; i++)
        for (size_t j = 0; j < i; j++)
            if (w.v[i * w.cols + j] > 0)
                t[n++] = (cs_matmul_term){2 * w.v[i * w.cols + j], (double)i,
                                          (double)i, (double)j};
    cs_arg u;
    if (!t)
        u = cs_calc_no_memory(c);
    else if (!n)
        u = cs_calc_number(c, 0);
    else
        u = cs_calc_reduce(c, CS_OP_SUM,
                           cs_calc_bilinear(c, y, y, t, n, w.rows));
    cs_free(t);
    return u;
}

/* ---- proper conditional autoregression ----------------------------------- */

/* car(y, mu, tau, alpha, w): precision tau (D - alpha W). The determinant is a
 * product over the eigenvalues of D^-1/2 W D^-1/2, which are known. */
static cs_arg car(cs_calc *c, const cs_arg *a)
{
    cs_arg w = a[4], tau = a[2], alpha = a[3];
    if (!check_weights(c, w, a[0]))
        return none;
    size_t n = w.rows;
    const double *d = row_sums(c, w);
    double *scaled = cs_calc_numbers(c, n * n), log_d = 0;
    for (size_t i = 0; d && i < n; i++) {
        if (!(d[i] > 0))
            return cs_calc_fail(c, "remove it, or give it a neighbour",
                                "row %zu of w has no neighbour", i + 1);
        log_d += log(d[i]);
    }
    for (size_t i = 0; d && scaled && i < n * n; i++)
        scaled[i] = w.v[i] / sqrt(d[i / n] * d[i % n]);
    const double *lambda = d && scaled ? eigenvalues(c, scaled, n) : NULL;
    if (!lambda)
        return cs_calc_no_memory(c);
    cs_arg off = cs_calc_op2(c, CS_OP_SUB, a[0], a[1]);
    cs_arg square = cs_calc_op2(c, CS_OP_MUL, off, off);
    cs_arg own = cs_calc_reduce(
        c, CS_OP_SUM, cs_calc_op2(c, CS_OP_MUL, square, cs_known_vector(d, n)));
    cs_arg pairs =
        cs_calc_op2(c, CS_OP_MUL, alpha, product_of_pairs(c, w, off));
    cs_arg form = cs_calc_op2(c, CS_OP_SUB, own, pairs);
    cs_arg factors = cs_calc_from(
        c, CS_OP_SUB, 1,
        cs_calc_op2(c, CS_OP_MUL, alpha, cs_known_vector(lambda, n)));
    cs_arg logs =
        cs_calc_reduce(c, CS_OP_SUM, cs_calc_op1(c, CS_OP_LOG, factors));
    cs_arg u =
        cs_calc_from(c, CS_OP_MUL, (double)n, cs_calc_op1(c, CS_OP_LOG, tau));
    u = cs_calc_op2(c, CS_OP_ADD, u, logs);
    u = cs_calc_op2(c, CS_OP_SUB, u, cs_calc_op2(c, CS_OP_MUL, tau, form));
    u = cs_calc_from(c, CS_OP_MUL, 0.5, u);
    u = cs_calc_with(c, CS_OP_ADD, u,
                     0.5 * log_d - (double)n * CS_HALF_LOG_TAU);
    cs_arg least = cs_calc_least(c, factors);
    return cs_calc_inside(c, cs_calc_from(c, CS_OP_LT, 0, least), u);
}

/* ---- intrinsic conditional autoregression -------------------------------- */

/* Returns the log of the product of the eigenvalues of D - W that are not 0,
 * and sets *rank to their number. */
static double log_determinant(cs_calc *c, cs_arg w, const double *d,
                              size_t *rank)
{
    size_t n = w.rows;
    double *q = cs_calc_numbers(c, n * n), most = 0, sum = 0;
    for (size_t i = 0; q && i < n * n; i++)
        q[i] = (i % (n + 1) ? 0 : d[i / n]) - w.v[i];
    const double *lambda = q ? eigenvalues(c, q, n) : NULL;
    *rank = 0;
    for (size_t i = 0; lambda && i < n; i++)
        most = fmax(most, lambda[i]);
    for (size_t i = 0; lambda && i < n; i++)
        if (lambda[i] > 1e-10 * most) {
            sum += log(lambda[i]);
            ++*rank;
        }
    return sum;
}

/* icar(y, tau, w): a density of the differences within connected parts. */
static cs_arg icar(cs_calc *c, const cs_arg *a)
{
    cs_arg y = a[0], tau = a[1], w = a[2];
    size_t rank, n = 0;
    if (!check_weights(c, w, y))
        return none;
    const double *d = row_sums(c, w);
    double constant = d ? log_determinant(c, w, d, &rank) : 0;
    double *first = cs_calc_numbers(c, w.size);
    double *second = cs_calc_numbers(c, w.size);
    double *weight = cs_calc_numbers(c, w.size);
    if (!d || !first || !second || !weight || c->err.status)
        return none;
    for (size_t i = 0; i < w.rows; i++)
        for (size_t j = 0; j < i; j++)
            if (w.v[i * w.cols + j] > 0) {
                first[n] = (double)i;
                second[n] = (double)j;
                weight[n++] = w.v[i * w.cols + j];
            }
    if (!n)
        return cs_calc_fail(c, "give the neighbours a weight above 0",
                            "w has no neighbours");
    cs_arg one = cs_calc_gather(c, y, first, n);
    cs_arg other = cs_calc_gather(c, y, second, n);
    cs_arg off = cs_calc_op2(c, CS_OP_SUB, one, other);
    cs_arg square = cs_calc_op2(c, CS_OP_MUL, off, off);
    square = cs_calc_op2(c, CS_OP_MUL, square, cs_known_vector(weight, n));
    cs_arg form =
        cs_calc_op2(c, CS_OP_MUL, tau, cs_calc_reduce(c, CS_OP_SUM, square));
    cs_arg u = cs_calc_from(c, CS_OP_MUL, (double)rank,
                            cs_calc_op1(c, CS_OP_LOG, tau));
    u = cs_calc_from(c, CS_OP_MUL, 0.5, cs_calc_op2(c, CS_OP_SUB, u, form));
    return cs_calc_with(c, CS_OP_ADD, u,
                        0.5 * constant - (double)rank * CS_HALF_LOG_TAU);
}

static const cs_density_row rows[] = {
    {"car",
     "y real vector, mu real list, tau positive, alpha real, w not_negative "
     "matrix",
     "normal vector with precision tau (D - alpha w); w are the weights of "
     "neighbours, D the sums of its rows",
     .build = car, .whole = true},
    {"icar", "y real vector, tau positive, w not_negative matrix",
     "intrinsic autoregression: differences between neighbours with weights w "
     "and precision tau",
     .build = icar, .whole = true},
};

const cs_density_family cs_density_spatial = {CS_DENSITY_LPDF, rows,
                                              sizeof rows / sizeof *rows};
