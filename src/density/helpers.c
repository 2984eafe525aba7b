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
    {"many_neg_binomial", "y any, mu any, phi any", NULL,
     .formula =
         "k = max(y, 1); off = (mu - k) / (mu + phi);"
         "u = shares(log1p(off * (phi / k)), log1p(-off), k, phi) - log(k);"
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
     * Beta functions do not. */
    {"beta_trials", "y any, n any, a any, b any", NULL,
     .formula =
         "misses = n - y;"
         "trials = log_rising(a, y) + log_rising(b, misses) - log_rising(a + "
         "b, n)"
         " - log1p(n) - log_beta(misses + 1, y + 1);"
         "shapes = log_rising(y + 1, a - 1) + log_rising(misses + 1, b - 1) - "
         "log_rising(n + 1, a + b - 1) - log_beta(a, b);"
         "where(lt(a + b, n), shapes, trials)"},
};

const cs_density_family cs_density_helpers = {CS_DENSITY_HELPER, rows,
                                              sizeof rows / sizeof *rows};
