/* Log densities of vectors and matrices. LKJ is defined as in Lewandowski,
 * Kurowicka and Joe, Generating random correlation matrices based on vines and
 * extended onion method, 2009, equation 16. */
#include "density/families.h"

#include <math.h>

/* Returns the density of row i of y, for y[rows][n]. */
static cs_arg row_of(cs_calc *c, cs_arg y, size_t i)
{
    return cs_calc_slice(c, y, i * y.cols, y.cols, false);
}

/* Returns u where all elements of d are above 0, else -infinity. */
static cs_arg if_positive(cs_calc *c, cs_arg d, cs_arg u)
{
    return cs_calc_inside(c, cs_calc_from(c, CS_OP_LT, 0, cs_calc_least(c, d)),
                          u);
}

/* Returns the sum of squares of the elements. */
static cs_arg squares(cs_calc *c, cs_arg z)
{
    return cs_calc_reduce(c, CS_OP_SUM, cs_calc_op2(c, CS_OP_MUL, z, z));
}

static cs_arg sum_of_logs(cs_calc *c, cs_arg d)
{
    return cs_calc_reduce(c, CS_OP_SUM, cs_calc_op1(c, CS_OP_LOG, d));
}

/* Returns a + k b, for a number k. */
static cs_arg plus(cs_calc *c, cs_arg a, double k, cs_arg b)
{
    return cs_calc_op2(c, CS_OP_ADD, a, cs_calc_from(c, CS_OP_MUL, k, b));
}

/* Returns the lower triangle of a covariance or precision matrix. In a trace, a
 * known matrix must be symmetric and positive definite. With numbers, only its
 * lower triangle is read, and the density is -infinity if it is not positive
 * definite. */
static cs_arg factor(cs_calc *c, cs_arg a, const char *name)
{
    for (size_t i = 0; c->graph && cs_is_known(a) && i < a.rows; i++)
        for (size_t j = 0; j < i; j++) {
            double p = a.v[i * a.cols + j], q = a.v[j * a.cols + i];
            if (!(fabs(p - q) <= 1e-8 * (fabs(p) + fabs(q))))
                return cs_calc_fail(c, "give a symmetric matrix",
                                    "%s[%zu][%zu] is %.9g, but %s[%zu][%zu] is "
                                    "%.9g",
                                    name, i + 1, j + 1, p, name, j + 1, i + 1,
                                    q);
        }
    cs_arg l = cs_calc_cholesky(c, a);
    for (size_t i = 0; c->graph && l.size && cs_is_known(l) && i < l.rows; i++)
        if (!(l.v[i * (l.rows + 1)] > 0))
            return cs_calc_fail(c, "check its entries",
                                "%s is not positive definite", name);
    return l;
}

/* ---- normal vectors ------------------------------------------------------ */

/* The density of one vector: `extra` are the arguments after y. */
typedef cs_arg (*of_vector)(cs_calc *c, cs_arg y, const cs_arg *extra);

/* Returns the sum of the density over the rows of y. */
static cs_arg over_rows(cs_calc *c, cs_arg y, const cs_arg *extra, of_vector f)
{
    if (y.rank < 2)
        return f(c, y, extra);
    cs_arg total = cs_calc_number(c, 0);
    for (size_t i = 0; i < y.rows; i++)
        total = cs_calc_op2(c, CS_OP_ADD, total, f(c, row_of(c, y, i), extra));
    return total;
}

/* extra: mu, l */
static cs_arg one_normal_cholesky(cs_calc *c, cs_arg y, const cs_arg *extra)
{
    cs_arg off = cs_calc_op2(c, CS_OP_SUB, y, extra[0]);
    cs_arg z = cs_calc_solve(c, extra[1], off, false);
    cs_arg d = cs_calc_diagonal(c, extra[1]);
    cs_arg u = cs_calc_from(c, CS_OP_MUL, -0.5, squares(c, z));
    u = cs_calc_op2(c, CS_OP_SUB, u, sum_of_logs(c, d));
    u = cs_calc_with(c, CS_OP_SUB, u, (double)d.size * CS_HALF_LOG_TAU);
    return if_positive(c, d, u);
}

static cs_arg multi_normal_cholesky(cs_calc *c, const cs_arg *a)
{
    return over_rows(c, a[0], a + 1, one_normal_cholesky);
}

static cs_arg multi_normal(cs_calc *c, const cs_arg *a)
{
    cs_arg extra[2] = {a[1], factor(c, a[2], "sigma")};
    return over_rows(c, a[0], extra, one_normal_cholesky);
}

/* extra: mu, the transposed triangle of the precision matrix, and its
 * diagonal */
static cs_arg one_normal_precision(cs_calc *c, cs_arg y, const cs_arg *extra)
{
    cs_arg z =
        cs_calc_product(c, extra[1], cs_calc_op2(c, CS_OP_SUB, y, extra[0]));
    cs_arg u = cs_calc_from(c, CS_OP_MUL, -0.5, squares(c, z));
    u = cs_calc_op2(c, CS_OP_ADD, u, sum_of_logs(c, extra[2]));
    u = cs_calc_with(c, CS_OP_SUB, u, (double)y.size * CS_HALF_LOG_TAU);
    return if_positive(c, extra[2], u);
}

static cs_arg multi_normal_precision(cs_calc *c, const cs_arg *a)
{
    cs_arg l = factor(c, a[2], "omega");
    cs_arg extra[3] = {a[1], cs_calc_transpose(c, l)};
    extra[2] = cs_calc_diagonal(c, l);
    return over_rows(c, a[0], extra, one_normal_precision);
}

/* extra: nu, mu, l */
static cs_arg one_student_t(cs_calc *c, cs_arg y, const cs_arg *extra)
{
    double n = (double)y.size;
    cs_arg nu = extra[0], off = cs_calc_op2(c, CS_OP_SUB, y, extra[1]);
    cs_arg z = cs_calc_solve(c, extra[2], off, false);
    cs_arg d = cs_calc_diagonal(c, extra[2]);
    cs_arg half = cs_calc_from(c, CS_OP_MUL, 0.5, nu);
    cs_arg u = cs_calc_with(c, CS_OP_LOG_RISING, half, 0.5 * n);
    u = plus(c, u, -0.5 * n, cs_calc_op1(c, CS_OP_LOG, nu));
    u = cs_calc_with(c, CS_OP_SUB, u, 0.5 * n * CS_LOG_PI);
    u = cs_calc_op2(c, CS_OP_SUB, u, sum_of_logs(c, d));
    cs_arg share = cs_calc_op2(c, CS_OP_DIV, squares(c, z), nu);
    cs_arg power = cs_calc_with(c, CS_OP_ADD, half, 0.5 * n);
    cs_arg logs = cs_calc_op1(c, CS_OP_LOG1P, share);
    u = cs_calc_op2(c, CS_OP_SUB, u, cs_calc_op2(c, CS_OP_MUL, power, logs));
    return if_positive(c, d, u);
}

static cs_arg multi_student_t(cs_calc *c, const cs_arg *a)
{
    cs_arg extra[3] = {a[1], a[2], factor(c, a[3], "sigma")};
    return over_rows(c, a[0], extra, one_student_t);
}

/* ---- correlation and covariance matrices --------------------------------- */

/* Returns the log of the constant of LKJ densities of n x n matrices. */
static cs_arg lkj_constant(cs_calc *c, cs_arg eta, size_t n)
{
    cs_arg u = cs_calc_number(c, 0);
    for (size_t k = 1; k < n; k++) {
        u = cs_calc_with(c, CS_OP_SUB, u, 0.5 * (double)k * CS_LOG_PI);
        cs_arg from =
            cs_calc_with(c, CS_OP_ADD, eta, 0.5 * (double)(n - 1 - k));
        u = cs_calc_op2(
            c, CS_OP_ADD, u,
            cs_calc_with(c, CS_OP_LOG_RISING, from, 0.5 * (double)k));
    }
    return u;
}

static cs_arg lkj_cholesky(cs_calc *c, const cs_arg *a)
{
    size_t n = a[0].rows;
    cs_arg eta = a[1], u = lkj_constant(c, eta, n);
    cs_arg d = cs_calc_diagonal(c, a[0]);
    for (size_t k = 2; k <= n; k++) {
        cs_arg power = cs_calc_from(c, CS_OP_MUL, 2, eta);
        power = cs_calc_from(c, CS_OP_ADD, (double)(n - k), power);
        power = cs_calc_with(c, CS_OP_SUB, power, 2);
        cs_arg l =
            cs_calc_op1(c, CS_OP_LOG, cs_calc_slice(c, d, k - 1, 1, true));
        u = cs_calc_op2(c, CS_OP_ADD, u, cs_calc_op2(c, CS_OP_MUL, power, l));
    }
    return if_positive(c, d, u);
}

static cs_arg lkj_corr(cs_calc *c, const cs_arg *a)
{
    cs_arg u = lkj_constant(c, a[1], a[0].rows);
    cs_arg d = cs_calc_diagonal(c, factor(c, a[0], "r"));
    cs_arg power = cs_calc_with(c, CS_OP_SUB, a[1], 1);
    power = cs_calc_from(c, CS_OP_MUL, 2, power);
    cs_arg logs = sum_of_logs(c, d);
    u = cs_calc_op2(c, CS_OP_ADD, u, cs_calc_op2(c, CS_OP_MUL, power, logs));
    return if_positive(c, d, u);
}

/* Returns -log of 2^(nu p / 2) Gamma_p(nu / 2), the multivariate Gamma
 * function. */
static cs_arg wishart_constant(cs_calc *c, cs_arg nu, size_t p)
{
    cs_arg half = cs_calc_from(c, CS_OP_MUL, 0.5, nu);
    cs_arg u = cs_calc_from(c, CS_OP_MUL, -(double)p * M_LN2, half);
    u = cs_calc_with(c, CS_OP_SUB, u,
                     0.25 * (double)p * ((double)p - 1) * CS_LOG_PI);
    for (size_t j = 0; j < p; j++) {
        cs_arg at = cs_calc_with(c, CS_OP_SUB, half, 0.5 * (double)j);
        u = cs_calc_op2(c, CS_OP_SUB, u, cs_calc_op1(c, CS_OP_LGAMMA, at));
    }
    return u;
}

/* Wishart and inverse Wishart, by the triangles of x and s: the trace is a sum
 * of squares. */
static cs_arg wishart_of(cs_calc *c, const cs_arg *a, bool inverted)
{
    size_t p = a[0].rows;
    cs_arg nu = a[1], x = factor(c, a[0], "x"), s = factor(c, a[2], "s");
    cs_arg z = inverted ? cs_calc_solve(c, x, s, false)
                        : cs_calc_solve(c, s, x, false);
    cs_arg dx = cs_calc_diagonal(c, x), ds = cs_calc_diagonal(c, s);
    cs_arg u = plus(c, wishart_constant(c, nu, p), -0.5, squares(c, z));
    double more = (double)p + 1;
    cs_arg power = cs_calc_with(c, inverted ? CS_OP_ADD : CS_OP_SUB, nu, more);
    cs_arg in_x = cs_calc_op2(c, CS_OP_MUL, power, sum_of_logs(c, dx));
    cs_arg in_s = cs_calc_op2(c, CS_OP_MUL, nu, sum_of_logs(c, ds));
    u = cs_calc_op2(c, CS_OP_ADD, u, inverted ? in_s : in_x);
    u = cs_calc_op2(c, CS_OP_SUB, u, inverted ? in_x : in_s);
    u = if_positive(c, dx, if_positive(c, ds, u));
    return cs_calc_inside(c, cs_calc_from(c, CS_OP_LT, (double)p - 1, nu), u);
}

static cs_arg wishart(cs_calc *c, const cs_arg *a)
{
    return wishart_of(c, a, false);
}

static cs_arg inverse_wishart(cs_calc *c, const cs_arg *a)
{
    return wishart_of(c, a, true);
}

static const cs_density_row rows[] = {
    {"dirichlet", "p part vector, alpha positive list",
     "Dirichlet density of a simplex p",
     .formula = "a = like(alpha, p); n = sum(a);"
                "few(n) ? lgamma(n) - sum(lgamma(a)) + sum((a - 1) * log(p)) :"
                " sum(a * bend(log(p * (n / a)))) + n * (sum(p) - 1) + 0.5 * "
                "(sum(log(a))"
                " - log(n)) - (size(p) - 1) * half_log_tau + stirling(n) - "
                "sum(stirling(a)) - sum(log(p))",
     .whole = true},
    {"multi_normal_cholesky", "y real rows, mu real vector, l real matrix",
     "normal vector (or rows of a matrix) with covariance l l', l lower "
     "triangular",
     .build = multi_normal_cholesky, .whole = true},
    {"multi_normal", "y real rows, mu real vector, sigma real matrix",
     "normal vector (or rows of a matrix) with covariance sigma",
     .build = multi_normal, .whole = true},
    {"multi_normal_precision", "y real rows, mu real vector, omega real matrix",
     "normal vector (or rows of a matrix) with covariance omega^-1",
     .build = multi_normal_precision, .whole = true},
    {"multi_student_t",
     "y real rows, nu positive, mu real vector, sigma real matrix",
     "Student's t vector (or rows of a matrix) with nu degrees of freedom and "
     "scale matrix sigma",
     .build = multi_student_t, .whole = true},
    {"wishart", "x real matrix, nu positive, s real matrix",
     "Wishart with mean nu s, as a density of the lower triangle of x",
     .build = wishart, .whole = true},
    {"inverse_wishart", "x real matrix, nu positive, s real matrix",
     "distribution of x if its inverse is Wishart(nu, s^-1)",
     .build = inverse_wishart, .whole = true},
    {"lkj_corr", "r real matrix, eta positive",
     "correlation matrix with density |r|^(eta - 1)", .build = lkj_corr,
     .whole = true},
    {"lkj_cholesky", "l real matrix, eta positive",
     "l is the Cholesky factor of a correlation matrix with density |l "
     "l'|^(eta - 1)",
     .build = lkj_cholesky, .whole = true},
};

const cs_density_family cs_density_multivariate = {CS_DENSITY_LPDF, rows,
                                                   sizeof rows / sizeof *rows};
