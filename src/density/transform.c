#include "density/transform.h"

#include "density/transform_matrices.h"

#include <math.h>
#include <string.h>

static const cs_arg none = {0};

static size_t elements(const cs_transform_shape *s)
{
    return (s->rows ? s->rows : 1) * (s->cols ? s->cols : 1);
}

static cs_arg sum(cs_calc *c, cs_arg a)
{
    return cs_calc_reduce(c, CS_OP_SUM, a);
}

static cs_arg negative(cs_calc *c, cs_arg a)
{
    return cs_calc_with(c, CS_OP_MUL, a, -1);
}

/* ---- elementwise --------------------------------------------------------- */

static cs_arg real(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                   cs_arg *log_jacobian)
{
    (void)s;
    *log_jacobian = cs_calc_number(c, 0);
    return u;
}

static void free_real(const double *y, const cs_transform_shape *s, double *u)
{
    memcpy(u, y, elements(s) * sizeof *u);
}

static cs_arg positive(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                       cs_arg *log_jacobian)
{
    (void)s;
    cs_arg y = cs_calc_op1(c, CS_OP_EXP, u);
    *log_jacobian = sum(c, u);
    return y;
}

static void free_positive(const double *y, const cs_transform_shape *s,
                          double *u)
{
    for (size_t i = 0; i < elements(s); i++)
        u[i] = log(y[i]);
}

/* Known integers from low to high. */
static void free_whole(const double *y, const cs_transform_shape *s, double *u)
{
    for (size_t i = 0; i < elements(s); i++)
        u[i] = y[i] == floor(y[i]) && y[i] >= *s->low.v && y[i] <= *s->high.v
                   ? y[i]
                   : (double)NAN;
}

static bool is_infinite(cs_arg bound)
{
    return cs_is_known(bound) && isinf(*bound.v);
}

static cs_arg interval(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                       cs_arg *log_jacobian)
{
    if (is_infinite(s->high) || is_infinite(s->low)) {
        cs_arg step = cs_calc_op1(c, CS_OP_EXP, u);
        cs_arg y = is_infinite(s->high)
                       ? cs_calc_op2(c, CS_OP_ADD, s->low, step)
                       : cs_calc_op2(c, CS_OP_SUB, s->high, step);
        *log_jacobian = sum(c, u);
        return y;
    }
    cs_arg right = cs_calc_op1(c, CS_OP_SOFTPLUS, u);
    cs_arg left = cs_calc_op1(c, CS_OP_SOFTPLUS, negative(c, u));
    cs_arg lost = cs_calc_op2(c, CS_OP_ADD, right, left);
    cs_arg width = cs_calc_op2(c, CS_OP_SUB, s->high, s->low);
    cs_arg share = cs_calc_op1(c, CS_OP_SIGMOID, u);
    cs_arg y = cs_calc_op2(c, CS_OP_ADD, s->low,
                           cs_calc_op2(c, CS_OP_MUL, width, share));
    cs_arg logs = cs_calc_op1(c, CS_OP_LOG, width);
    logs = cs_calc_from(c, CS_OP_MUL, (double)u.size, logs);
    *log_jacobian = cs_calc_op2(c, CS_OP_SUB, logs, sum(c, lost));
    return y;
}

static void free_interval(const double *y, const cs_transform_shape *s,
                          double *u)
{
    double low = *s->low.v, high = *s->high.v;
    for (size_t i = 0; i < elements(s); i++)
        u[i] = isinf(high)  ? log(y[i] - low)
               : isinf(low) ? log(high - y[i])
                            : log(y[i] - low) - log(high - y[i]);
}

/* ---- vectors ------------------------------------------------------------- */

static cs_arg ordered(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                      cs_arg *log_jacobian)
{
    if (u.size < 2)
        return real(c, u, s, log_jacobian);
    cs_arg steps = cs_calc_slice(c, u, 1, u.size - 1, false);
    cs_arg part[2] = {cs_calc_slice(c, u, 0, 1, true)};
    part[1] = cs_calc_op1(c, CS_OP_EXP, steps);
    cs_arg y = cs_calc_cumulate(c, cs_calc_pack(c, part, 2), false);
    *log_jacobian = sum(c, steps);
    return y;
}

static void free_ordered(const double *y, const cs_transform_shape *s,
                         double *u)
{
    u[0] = y[0];
    for (size_t i = 1; i < s->rows; i++)
        u[i] = log(y[i] - y[i - 1]);
}

static cs_arg positive_ordered(cs_calc *c, cs_arg u,
                               const cs_transform_shape *s,
                               cs_arg *log_jacobian)
{
    (void)s;
    cs_arg y = cs_calc_cumulate(c, cs_calc_op1(c, CS_OP_EXP, u), false);
    *log_jacobian = sum(c, u);
    return y;
}

static void free_positive_ordered(const double *y, const cs_transform_shape *s,
                                  double *u)
{
    for (size_t i = 0; i < s->rows; i++)
        u[i] = log(y[i] - (i ? y[i - 1] : 0));
}

static size_t one_less(size_t n)
{
    return n - 1;
}

/* The shift of entry k of u with which stick breaking maps u = 0 to equal
 * proportions. */
static double even_break(size_t dim, size_t k)
{
    return -log((double)(dim + 1 - (k + 1)));
}

/* Stick breaking. */
static cs_arg simplex(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                      cs_arg *log_jacobian)
{
    (void)s;
    size_t n = u.size;
    double *shift = cs_calc_numbers(c, n);
    for (size_t k = 0; shift && k < n; k++)
        shift[k] = even_break(n, k);
    if (!shift || !n)
        return none;
    cs_arg v = cs_calc_op2(c, CS_OP_ADD, u, cs_known_vector(shift, n));
    cs_arg broken = negative(c, cs_calc_op1(c, CS_OP_SOFTPLUS, negative(c, v)));
    cs_arg left = negative(c, cs_calc_op1(c, CS_OP_SOFTPLUS, v));
    cs_arg rest = cs_calc_cumulate(c, left, false);
    cs_arg part[2] = {cs_calc_op2(c, CS_OP_ADD, broken, rest)};
    part[0] = cs_calc_op2(c, CS_OP_SUB, part[0], left);
    part[1] = cs_calc_slice(c, rest, n - 1, 1, true);
    cs_arg y = cs_calc_op1(c, CS_OP_EXP, cs_calc_pack(c, part, 2));
    cs_arg first = sum(c, broken);
    *log_jacobian = cs_calc_op2(c, CS_OP_ADD, first, sum(c, rest));
    return y;
}

static void free_simplex(const double *y, const cs_transform_shape *s,
                         double *u)
{
    size_t dim = s->rows - 1;
    for (size_t k = 0; k < dim; k++) {
        double rest = 0;
        for (size_t j = k + 1; j <= dim; j++)
            rest += y[j];
        u[k] = log(y[k]) - log(rest) - even_break(dim, k);
    }
}

/* Gaps between ascending numbers: exp(u) next to a single bound, or between two
 * bounds the proportions of a simplex. */
static cs_arg ordered_interval(cs_calc *c, cs_arg u,
                               const cs_transform_shape *s,
                               cs_arg *log_jacobian)
{
    if (is_infinite(s->high) || is_infinite(s->low)) {
        bool from_high = is_infinite(s->low);
        cs_arg off =
            cs_calc_cumulate(c, cs_calc_op1(c, CS_OP_EXP, u), from_high);
        *log_jacobian = sum(c, u);
        return from_high ? cs_calc_op2(c, CS_OP_SUB, s->high, off)
                         : cs_calc_op2(c, CS_OP_ADD, s->low, off);
    }
    cs_arg width = cs_calc_op2(c, CS_OP_SUB, s->high, s->low);
    cs_arg share = simplex(c, u, s, log_jacobian);
    share =
        cs_calc_cumulate(c, cs_calc_slice(c, share, 0, u.size, false), false);
    cs_arg logs = cs_calc_from(c, CS_OP_MUL, (double)u.size,
                               cs_calc_op1(c, CS_OP_LOG, width));
    *log_jacobian = cs_calc_op2(c, CS_OP_ADD, *log_jacobian, logs);
    return cs_calc_op2(c, CS_OP_ADD, s->low,
                       cs_calc_op2(c, CS_OP_MUL, width, share));
}

static void free_ordered_interval(const double *y, const cs_transform_shape *s,
                                  double *u)
{
    double low = *s->low.v, high = *s->high.v;
    for (size_t i = 0; i < s->rows; i++) {
        double gap = log(y[i] - (i ? y[i - 1] : low));
        if (isinf(low))
            gap = log((i + 1 < s->rows ? y[i + 1] : high) - y[i]);
        u[i] = isinf(low) || isinf(high)
                   ? gap
                   : gap - log(high - y[i]) - even_break(s->rows, i);
    }
}

/* y = V u with orthonormal columns of V that sum to 0 (Helmert): with w_k = u_k
 * / sqrt(k (k + 1)), y_i is the sum of w_k for k >= i, minus (i - 1)
 * w_(i - 1). */
static cs_arg sum_to_zero(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                          cs_arg *log_jacobian)
{
    (void)s;
    size_t n = u.size;
    double *scale = cs_calc_numbers(c, n), *count = cs_calc_numbers(c, n);
    for (size_t k = 0; scale && count && k < n; k++) {
        count[k] = (double)k + 1;
        scale[k] = 1 / sqrt(count[k] * (count[k] + 1));
    }
    if (!scale || !count || !n)
        return none;
    cs_arg zero = cs_calc_number(c, 0);
    cs_arg w = cs_calc_op2(c, CS_OP_MUL, u, cs_known_vector(scale, n));
    cs_arg later =
        cs_calc_cumulate(c, cs_calc_pack(c, (cs_arg[]){w, zero}, 2), true);
    cs_arg own = cs_calc_op2(c, CS_OP_MUL, w, cs_known_vector(count, n));
    *log_jacobian = zero;
    return cs_calc_op2(c, CS_OP_SUB, later,
                       cs_calc_pack(c, (cs_arg[]){zero, own}, 2));
}

static void free_sum_to_zero(const double *y, const cs_transform_shape *s,
                             double *u)
{
    double before = 0;
    for (size_t k = 1; k < s->rows; k++) {
        before += y[k - 1];
        u[k - 1] =
            (before - (double)k * y[k]) / sqrt((double)k * ((double)k + 1));
    }
}

/* y = u / |u|. The standard normal density of u makes y uniform. */
static cs_arg unit_vector(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                          cs_arg *log_jacobian)
{
    (void)s;
    cs_arg square = sum(c, cs_calc_op2(c, CS_OP_MUL, u, u));
    cs_arg length = cs_calc_op1(c, CS_OP_SQRT, square);
    *log_jacobian = cs_calc_from(c, CS_OP_MUL, -0.5, square);
    return cs_calc_op2(c, CS_OP_DIV, u, length);
}

/* ---- the table ----------------------------------------------------------- */

const cs_transform cs_transforms[] = {
    {.name = "real",
     .arguments = "rows, cols",
     .help = "a number, a vector or a matrix; as a space: cs.real(n)",
     .map = real,
     .inverse = free_real},
    {.name = "positive",
     .arguments = "rows, cols",
     .help = "like cs.real, but positive",
     .map = positive,
     .inverse = free_positive},
    {.name = "interval",
     .arguments = "low, high, rows, cols",
     .help = "like cs.real, but between two bounds; one may be infinite, and a "
             "bound may be a function of earlier parameters",
     .map = interval,
     .inverse = free_interval},
    {.name = "ordered",
     .arguments = "n",
     .help = "n numbers in ascending order",
     .least = 1,
     .map = ordered,
     .inverse = free_ordered},
    {.name = "positive_ordered",
     .arguments = "n",
     .help = "n positive numbers in ascending order",
     .least = 1,
     .map = positive_ordered,
     .inverse = free_positive_ordered},
    {.name = "ordered_interval",
     .arguments = "low, high, n",
     .help = "n numbers in ascending order between two bounds, like those of "
             "cs.interval",
     .map = ordered_interval,
     .inverse = free_ordered_interval},
    {.name = "simplex",
     .arguments = "n",
     .help = "n positive numbers whose sum is 1",
     .least = 2,
     .dim = one_less,
     .map = simplex,
     .inverse = free_simplex},
    {.name = "sum_to_zero",
     .arguments = "n",
     .help = "n numbers whose sum is 0",
     .least = 2,
     .dim = one_less,
     .map = sum_to_zero,
     .inverse = free_sum_to_zero},
    {.name = "unit_vector",
     .arguments = "n",
     .help = "n numbers whose squares have the sum 1",
     .least = 2,
     .map = unit_vector,
     .inverse = free_real},
    {.name = "cholesky_corr",
     .arguments = "n",
     .help = "the Cholesky factor of an n x n correlation matrix",
     .least = 2,
     .square = true,
     .dim = cs_dim_correlation,
     .map = cs_map_cholesky_corr,
     .inverse = cs_free_cholesky_corr},
    {.name = "correlation",
     .arguments = "n",
     .help = "an n x n correlation matrix",
     .least = 2,
     .square = true,
     .dim = cs_dim_correlation,
     .map = cs_map_correlation,
     .inverse = cs_free_correlation},
    {.name = "cholesky_cov",
     .arguments = "n",
     .help = "the Cholesky factor of an n x n covariance matrix",
     .least = 1,
     .square = true,
     .dim = cs_dim_covariance,
     .map = cs_map_cholesky_cov,
     .inverse = cs_free_cholesky_cov},
    {.name = "covariance",
     .arguments = "n",
     .help = "an n x n covariance matrix",
     .least = 1,
     .square = true,
     .dim = cs_dim_covariance,
     .map = cs_map_covariance,
     .inverse = cs_free_covariance},
    {.name = "bit",
     .arguments = "n",
     .help = "0 or 1, or a vector of n bits",
     .map = real,
     .inverse = free_whole},
    {.name = "label",
     .arguments = "labels, n",
     .help = "one of `labels` unordered values, counted from 1, or a vector of "
             "n labels: mu[p.z[i]] is an entry of mu",
     .map = real,
     .inverse = free_whole},
    {.name = "integer",
     .arguments = "low, high, n",
     .help = "a whole number from low to high, or a vector of n",
     .map = real,
     .inverse = free_whole},
    {.name = "count",
     .arguments = "n, most",
     .help =
         "a whole number from 0, or a vector of n; `most` (1000) is a limit "
         "of the program, and a warning reports draws that reach it",
     .map = real,
     .inverse = free_whole},
};
const size_t cs_transforms_n = sizeof cs_transforms / sizeof *cs_transforms;

const cs_transform *cs_transform_find(const char *name)
{
    for (size_t i = 0; i < cs_transforms_n; i++)
        if (!strcmp(cs_transforms[i].name, name))
            return &cs_transforms[i];
    return NULL;
}

size_t cs_transform_dim(const cs_transform *t, const cs_transform_shape *s)
{
    return t->dim ? t->dim(s->rows) : elements(s);
}
