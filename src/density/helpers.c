/* Formulas that several densities share, in forms that avoid overflow and
 * cancellation. */
#include "density/families.h"

static const cs_density_row rows[] = {
    /* the standardised value; if sigma is a single number, it is inverted once
     * for all entries */
    {"standard", "y any, mu any, sigma any", NULL,
     .formula = "(y - mu) * (1 / sigma)"},
    /* y log p; for y = 0 the result is 0 for any p */
    {"times", "y any, log_p any", NULL,
     .formula = "has_zero(y) ? where(eq(y, 0), 0, y * log_p) : y * log_p"},
    /* log B(a, b) = log Gamma(small) - (log Gamma(large + small) - log
     * Gamma(large)) */
    {"log_beta", "a any, b any", NULL,
     .formula = "first = le(a, b); small = where(first, a, b); large = "
                "where(first, b, a);"
                "rise = log_rising(large, small); lgamma(small) - rise"},
    /* The remainder of Stirling's formula: lgamma(a) - (a - 1/2) log a + a -
     * log(2 pi) / 2, which for integers equals log a! - (a + 1/2) log a + a -
     * log(2 pi) / 2. */
    {"stirling", "a any", NULL,
     .formula =
         "near = min(a, 16); far = max(a, 16); q = 1 / (far * far);"
         "where(lt(a, 16), lgamma(near) - (near - 0.5) * log(near) + near - "
         "half_log_tau, (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 "
         "- q "
         "/ 1188)))) / far)"},
    /* e - expm1(e); with e = log(x / a) it has second order for x near a,
     * so that a bend(e) is precise for large a */
    {"bend", "e any", NULL, .formula = "e - expm1(e)"},
    /* shape log x - x - lgamma(shape), precise for large shapes */
    {"peak", "x any, shape any", NULL,
     .formula =
         "shape * bend(log(x / shape)) + 0.5 * log(shape) - half_log_tau - "
         "stirling(shape)"},
    /* a log p + b log q - log B(a, b), where p + q = 1. The arguments are e =
     * log(p (a + b) / a) and f = log(q (a + b) / b). */
    {"shares", "e any, f any, a any, b any", NULL,
     .formula =
         "a * bend(e) + b * bend(f) + 0.5 * (log(a) + log(b / (a + b))) - "
         "half_log_tau + stirling(a + b) - stirling(a) - stirling(b)"},
    /* gamma and beta as defined, and for large shapes where y may be at the
     * edge of the support */
    {"plain_gamma", "y any, shape any, rate any", NULL,
     .formula = "shape * log(rate) - lgamma(shape) + times(shape - 1, log(y)) "
                "- rate * "
                "y"},
    {"wide_gamma", "y any, shape any, rate any", NULL,
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, peak(rate * x, shape) - log(x),"
                " known(y) ? plain_gamma(y, shape, rate) : -huge)"},
    {"plain_beta", "y any, a any, b any", NULL,
     .formula =
         "times(a - 1, log(y)) + times(b - 1, log1p(-y)) - log_beta(a, b)"},
    {"wide_beta", "y any, a any, b any", NULL,
     .formula = "n = a + b; within = gt(y, 0) * lt(y, 1);"
                "x = has_edge(y) ? where(within, y, 0.5) : y;"
                "u = shares(log(x * (n / a)), log1p(-x) - log(b / n), a, b) - "
                "log(x) - "
                "log1p(-x);"
                "has_edge(y) ? where(within, u, known(y) ? plain_beta(y, a, b) "
                ": -huge) :"
                " u"},
    /* y log rate - rate - log y! for large y, with e = log(rate / y) */
    {"many_poisson", "y any, rate any", NULL,
     .formula = "k = max(y, 1); none = eq(y, 0); rest = poisson_rest(k, none);"
                "e = log(rate / k); times(y, e) - k * expm1(e) - none + rest"},
    {"many_poisson_log", "y any, eta any", NULL,
     .formula = "k = max(y, 1); none = eq(y, 0); rest = poisson_rest(k, none);"
                "e = eta - log(k); y * e - k * expm1(e) - none + rest"},
    {"poisson_rest", "k any, none any", NULL,
     .formula = "(none - 1) * (0.5 * log(k) + half_log_tau + stirling(k))"},
    /* log1p is precise for means near y, and the differences of logarithms for
     * those far from it, where 1 + ratio or 1 - off cancels */
    {"many_neg_binomial", "y any, mu any, phi any", NULL,
     .formula =
         "k = max(y, 1); off = (mu - k) / (mu + phi); ratio = off * (phi / k);"
         "e = where(lt(ratio, -0.5), log(mu) - log(mu + phi) + log1p(phi / k),"
         " log1p(max(ratio, -0.5)));"
         "f = where(gt(off, 0.5), log(k + phi) - log(mu + phi),"
         " log1p(-min(off, 0.5)));"
         "u = shares(e, f, k, phi) - log(k);"
         "where(eq(y, 0), -phi * log1p(mu / phi), u)"},
    /* the log of the binomial coefficient plus y log p + (n - y) log q */
    {"trials", "y any, n any, log_p any, log_q any", NULL,
     .formula = "misses = n - y;"
                "(known(y, n) ? few(n) : 1) ?"
                " few_trials(y, n, misses, log_p, log_q) :"
                " many_trials(y, n, misses, log_p, log_q)"},
    {"few_trials", "y any, n any, misses any, log_p any, log_q any", NULL,
     .formula = "times(y, log_p) + times(misses, log_q) - log1p(n) - "
                "log_beta(misses + 1,"
                " y + 1)"},
    {"many_trials", "y any, n any, misses any, log_p any, log_q any", NULL,
     .formula =
         "k = max(y, 1); l = max(misses, 1);"
         "inner = (1 - eq(y, 0)) * (1 - eq(misses, 0));"
         "p = log_p - log(k / n); q = log_q - log(l / n);"
         "rest = 0.5 * (log(n) - log(k) - log(l)) - half_log_tau + "
         "stirling(max(n, 1)) - stirling(k) - stirling(l);"
         "times(y, p) + times(misses, q) - inner * (y * expm1(p) + misses * "
         "expm1(q) - rest)"},
    /* Rising factorials remain precise for large a and b; differences of log
     * Beta functions do not. `trials` has errors of about n log n roundings, and
     * `shapes`, which contains y + 1 + (a - 1), of 1 / min(a, b). */
    {"beta_trials", "y any, n any, a any, b any", NULL,
     .formula =
         "misses = n - y;"
         "trials = log_rising(a, y) + log_rising(b, misses) - log_rising(a + "
         "b, n)"
         " - log1p(n) - log_beta(misses + 1, y + 1);"
         "shapes = log_rising(y + 1, a - 1) + log_rising(misses + 1, b - 1) - "
         "log_rising(n + 1, a + b - 1) - log_beta(a, b);"
         "where(lt(a + b, n) * lt(1, n * min(a, b)), shapes, trials)"},
    /* log1p(t) / t; below 0.03 by its series, whose derivative does not
     * cancel */
    {"log1p_ratio", "t any", NULL,
     .formula = "near = lt(abs(t), 0.03); a = where(near, t, 0);"
                "b = where(near, 1, t);"
                "where(near, 1 - a * (1 / 2 - a * (1 / 3 - a * (1 / 4 - a *"
                " (1 / 5 - a * (1 / 6 - a * (1 / 7 - a * (1 / 8 - a * (1 / 9 -"
                " a / 10)))))))), log1p(b) / b)"},
    /* log I0(x) - x for the modified Bessel function I0. Below 50 the integral
     * of exp(x (cos a - 1)) over a circle by the trapezoidal rule; above, the
     * asymptotic series (Abramowitz and Stegun, 9.7.1). */
    {"scaled_log_i0", "x any", NULL,
     .formula = "near = lt(x, 50); far = max(x, 50); q = 1 / (8 * far);"
                "where(near, circle_mean(min(x, 50)),"
                " log1p(q * (1 + q * 9 / 2 * (1 + q * 25 / 3 * (1 + q * 49 / 4"
                " * (1 + q * 81 / 5 * (1 + q * 121 / 6 * (1 + q * 169 / 7 * (1"
                " + q * 225 / 8 * (1 + q * 289 / 9 * (1 + q * 361 / 10)))))))"
                "))) - 0.5 * log(2 * pi * far))"},
    /* parts of covariances: for one coordinate, and for the sum over
     * coordinates. The distance 0 has the slope 0. */
    {"squared_ratio", "d any, rho any", NULL,
     .formula = "known(d) ? d * d * (1 / (rho * rho)) : ratio_of(d, rho)"},
    {"ratio_of", "d any, rho any", NULL, .formula = "z = d / rho; z * z"},
    {"periodic_ratio", "d any, rho any, period any", NULL,
     .formula = "z = sin(pi * d / period) / rho; 4 * z * z"},
    {"gp_exp_quad_of", "q any", NULL, .formula = "exp(-0.5 * q)"},
    {"gp_exponential_of", "q any", NULL,
     .formula = "exp(-sqrt(max(q, 1e-300)))"},
    {"gp_matern32_of", "q any", NULL,
     .formula = "r = sqrt(3 * max(q, 1e-300)); (1 + r) * exp(-r)"},
    {"gp_matern52_of", "q any", NULL,
     .formula = "s = 5 * max(q, 1e-300); r = sqrt(s);"
                "(1 + r + s / 3) * exp(-r)"},
    /* the quantile of the normal distribution in three regions (Wichura,
     * Algorithm AS 241: the percentage points of the normal distribution,
     * 1988) */
    {"inv_phi_middle", "r any", NULL,
     .formula =
         "(((((((2509.0809287301226727 * r + 33430.575583588128105) * r +"
         " 67265.770927008700853) * r + 45921.953931549871457) * r +"
         " 13731.693765509461125) * r + 1971.5909503065514427) * r +"
         " 133.14166789178437745) * r + 3.387132872796366608) /"
         " (((((((5226.495278852854561 * r + 28729.085735721942674) * r +"
         " 39307.89580009271061) * r + 21213.794301586595867) * r +"
         " 5394.1960214247511077) * r + 687.1870074920579083) * r +"
         " 42.313330701600911252) * r + 1)"},
    {"inv_phi_near", "r any", NULL,
     .formula =
         "(((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r"
         " + 0.24178072517745061177) * r + 1.27045825245236838258) * r +"
         " 3.64784832476320460504) * r + 5.7694972214606914055) * r +"
         " 4.6303378461565452959) * r + 1.42343711074968357734) /"
         " (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r"
         " + 0.0151986665636164571966) * r + 0.14810397642748007459) * r +"
         " 0.68976733498510000455) * r + 1.6763848301838038494) * r +"
         " 2.05319162663775882187) * r + 1)"},
    {"inv_phi_far", "r any", NULL,
     .formula =
         "(((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) *"
         " r + 0.0012426609473880784386) * r + 0.026532189526576123093) * r +"
         " 0.29656057182850489123) * r + 1.7848265399172913358) * r +"
         " 5.4637849111641143699) * r + 6.6579046435011037772) /"
         " (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) *"
         " r + 1.8463183175100546818e-5) * r + 7.868691311456132591e-4) * r +"
         " 0.0148753612908506148525) * r + 0.13692988092273580531) * r +"
         " 0.59983220655588793769) * r + 1)"},
    /* log probability between two limits, each of which may be missing */
    {"between_logistic", "high any, low any, has_high any, has_low any", NULL,
     .formula = "both = has_high * has_low; gap = where(both, low - high, -1);"
                "where(has_high, -softplus(-high), 0) + where(has_low,"
                " -softplus(low), 0) + where(both, log1m_exp(gap), 0)"},
    {"between_normal", "high any, low any, has_high any, has_low any", NULL,
     .formula = "both = has_high * has_low; right = gt(low, 0);"
                "p = where(right, -low, high); q = where(right, -high, low);"
                "a = log_normal_cdf(p);"
                "gap = where(both, log_normal_cdf(q) - a, -1);"
                "where(both, a + log1m_exp(gap), where(has_high,"
                " log_normal_cdf(high), log_normal_cdf(-low)))"},
    /* mixtures with a point at 0; zero is the log probability of 0 */
    {"inflated", "y any, theta any, zero any, u any", NULL,
     .formula = "rest = log1p(-theta); where(eq(y, 0), log_add_exp(log(theta),"
                " rest + zero), rest + u)"},
    {"hurdle", "y any, theta any, zero any, u any", NULL,
     .formula = "where(eq(y, 0), log(theta),"
                " log1p(-theta) + u - log1m_exp(zero))"},
};

const cs_density_family cs_density_helpers = {CS_DENSITY_HELPER, rows,
                                              sizeof rows / sizeof *rows};
