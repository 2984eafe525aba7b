/* Formulas of tails that distribution functions share. Those of Gamma, Beta and
 * Student's t are integrals (quadrature.c): the integrand relative to its value
 * at the border, in a variable in which its log is nearly linear or concave. */
#include "density/families.h"

static const cs_density_row rows[] = {
    {"cauchy_below", "z any", NULL,
     .formula = "left = lt(z, -1); right = gt(z, 1);"
                "a = atan(-1 / where(left, z, -1)) / pi;"
                "b = atan(1 / where(right, z, 1)) / pi;"
                "m = where(left, 0, where(right, 0, z));"
                "where(left, log(a), where(right, log1p(-b), log(0.5 +"
                " atan(m) / pi)))"},
    {"laplace_below", "z any", NULL,
     .formula = "where(lt(z, 0), z - log_2, log1p(-0.5 * exp(-max(z, 0))))"},
    /* log probability above z >= 0; with t = sqrt(nu) sinh u the integrand is
     * cosh(u)^-nu */
    {"student_tail", "z any, nu any", NULL,
     .formula =
         "q = z / sqrt(nu); u = log1p(q + q * q / (1 + sqrt(1 + q * q)));"
         "h = 1 / (nu * tanh(u) + sqrt(nu)); r = tail_nodes(h);"
         "g = -spread(nu) * (r + log1p(spread(sigmoid(-2 * u)) * expm1(-2 *"
         " r)));"
         "log_rising(0.5 * nu, 0.5) - 0.5 * log_pi - 0.5 * nu * log1p(q * q) +"
         " tail_log(g, h)"},
    /* log of the integral of t^(a - 1) exp(-t) / Gamma(a) below x <= a, with t
     * = x exp(-r); and above x > a, with t = x + r */
    {"gamma_left", "x any, a any", NULL,
     .formula = "h = 1 / (a - x + sqrt(x)); r = tail_nodes(h);"
                "peak(x, a) + tail_log(-spread(a) * r - spread(x) *"
                " expm1(-r), h)"},
    {"gamma_right", "x any, a any", NULL,
     .formula = "h = x / (x - a + 1 + sqrt(a)); r = tail_nodes(h);"
                "peak(x, a) - log(x) + tail_log((spread(a) - 1) * log1p(r /"
                " spread(x)) - r, h)"},
    {"gamma_below", "x any, a any", NULL,
     .formula = "left = le(x, a); low = where(left, x, 0.5 * a);"
                "high = where(left, 2 * a, x);"
                "where(left, gamma_left(low, a),"
                " log1m_exp(gamma_right(high, a)))"},
    {"gamma_above", "x any, a any", NULL,
     .formula = "left = le(x, a); low = where(left, x, 0.5 * a);"
                "high = where(left, 2 * a, x);"
                "where(left, log1m_exp(gamma_left(low, a)),"
                " gamma_right(high, a))"},
    /* log of the integral of t^(a - 1) (1 - t)^(b - 1) / B(a, b) below x, or
     * above x if `left` is 0, with t = sigmoid(logit(x) -/+ r). Used on the
     * side of x that does not contain the mean. */
    {"beta_tail", "x any, a any, b any, left any", NULL,
     .formula =
         "n = a + b; off = a * (1 - x) - b * x;"
         "h = 1 / (where(left, off, -off) + sqrt(n * x * (1 - x)));"
         "r = tail_nodes(h); p = where(left, x, 1 - x);"
         "g = -spread(where(left, a, b)) * r - spread(n) * log1p(spread(p) *"
         " expm1(-r));"
         "shares(log(x * (n / a)), log1p(-x) - log(b / n), a, b) +"
         " tail_log(g, h)"},
    {"beta_below", "x any, a any, b any", NULL,
     .formula = "left = le(x * (a + b), a); u = beta_tail(x, a, b, left);"
                "where(left, u, log1m_exp(u))"},
    {"beta_above", "x any, a any, b any", NULL,
     .formula = "left = le(x * (a + b), a); u = beta_tail(x, a, b, left);"
                "where(left, log1m_exp(u), u)"},
};

const cs_density_family cs_density_tails = {CS_DENSITY_HELPER, rows,
                                            sizeof rows / sizeof *rows};
