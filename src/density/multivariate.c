/* Log densities of vectors and matrices. LKJ is defined as in Lewandowski,
 * Kurowicka and Joe, Generating random correlation matrices based on vines and
 * extended onion method, 2009, equation 16. */
#include "density/families.h"

#include <math.h>

static const double half_log_tau = 0.91893853320467274178;
static const double log_pi = 1.1447298858494001741;

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

static cs_arg one_normal_cholesky(cs_calc *c, cs_arg y, cs_arg mu, cs_arg l)
{
    cs_arg off = cs_calc_op2(c, CS_OP_SUB, y, mu);
    cs_arg z = cs_calc_solve(c, l, off, false);
    cs_arg d = cs_calc_diagonal(c, l);
    cs_arg square = cs_calc_op2(c, CS_OP_MUL, z, z);
    cs_arg u =
        cs_calc_from(c, CS_OP_MUL, -0.5, cs_calc_reduce(c, CS_OP_SUM, square));
    cs_arg logs = cs_calc_op1(c, CS_OP_LOG, d);
    u = cs_calc_op2(c, CS_OP_SUB, u, cs_calc_reduce(c, CS_OP_SUM, logs));
    u = cs_calc_with(c, CS_OP_SUB, u, (double)d.size * half_log_tau);
    return if_positive(c, d, u);
}

static cs_arg multi_normal_cholesky(cs_calc *c, const cs_arg *a)
{
    if (a[0].rank < 2)
        return one_normal_cholesky(c, a[0], a[1], a[2]);
    cs_arg total = cs_calc_number(c, 0);
    for (size_t i = 0; i < a[0].rows; i++)
        total =
            cs_calc_op2(c, CS_OP_ADD, total,
                        one_normal_cholesky(c, row_of(c, a[0], i), a[1], a[2]));
    return total;
}

static cs_arg lkj_cholesky(cs_calc *c, const cs_arg *a)
{
    size_t n = a[0].rows;
    cs_arg eta = a[1], u = cs_calc_number(c, 0);
    for (size_t k = 1; k < n; k++) {
        u = cs_calc_with(c, CS_OP_SUB, u, 0.5 * (double)k * log_pi);
        cs_arg from =
            cs_calc_with(c, CS_OP_ADD, eta, 0.5 * (double)(n - 1 - k));
        u = cs_calc_op2(
            c, CS_OP_ADD, u,
            cs_calc_with(c, CS_OP_LOG_RISING, from, 0.5 * (double)k));
    }
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

static const cs_density_row rows[] = {
    {"dirichlet", "p inside vector, alpha positive list",
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
    {"lkj_cholesky", "l real matrix, eta positive",
     "l is the Cholesky factor of a correlation matrix with density |l "
     "l'|^(eta - 1)",
     .build = lkj_cholesky, .whole = true},
};

const cs_density_family cs_density_multivariate = {CS_DENSITY_LPDF, rows,
                                                   sizeof rows / sizeof *rows};
