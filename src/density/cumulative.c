/* Logs of distribution functions (lcdf) and of their complements (lccdf), for
 * censored and truncated data. Both are precise in the tails: each is computed
 * from the tail in which it is small, and near 0 from the other one. */
#include "density/families.h"

static const cs_density_row below[] = {
    {"normal", "y real, mu real, sigma positive", "normal",
     .formula = "log_normal_cdf(standard(y, mu, sigma))"},
    {"std_normal", "y real", "standard normal", .formula = "log_normal_cdf(y)"},
    {"student_t", "y real, nu positive, mu real, sigma positive",
     "Student's t with nu degrees of freedom",
     .formula = "z = standard(y, mu, sigma); left = lt(z, 0);"
                "u = student_tail(where(left, -z, z), nu);"
                "where(left, u, log1m_exp(u))"},
    {"cauchy", "y real, mu real, sigma positive", "Cauchy",
     .formula = "cauchy_below(standard(y, mu, sigma))"},
    {"laplace", "y real, mu real, sigma positive", "double exponential",
     .formula = "laplace_below(standard(y, mu, sigma))"},
    {"logistic", "y real, mu real, sigma positive", "logistic",
     .formula = "-softplus(-standard(y, mu, sigma))"},
    {"gumbel", "y real, mu real, sigma positive", "Gumbel",
     .formula = "-exp(-standard(y, mu, sigma))"},
    {"gev", "y real, mu real, sigma positive, xi real",
     "generalised extreme value",
     .formula = "z = standard(y, mu, sigma); t = xi * z; inside = gt(t, -1);"
                "where(inside, -exp(-z * log1p_ratio(where(inside, t, 0))),"
                " where(gt(xi, 0), -huge, 0))"},
    {"half_normal", "y real, sigma positive", "right half of a normal",
     .formula =
         "z = y / sigma; above = gt(z, 0); x = where(above, z, 1);"
         "far = gt(x, 1); where(above, where(far, log1m_exp(log_2 +"
         " log_normal_cdf(-where(far, x, 2))),"
         " log(erf(where(far, 1, x) * 0.70710678118654752440))), -huge)"},
    {"exponential", "y real, rate positive", "exponential",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, log1m_exp(-rate * x), -huge)"},
    {"weibull", "y real, shape positive, scale positive", "Weibull",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, log1m_exp(-exp(shape * (log(x) - log(scale)))),"
                " -huge)"},
    {"frechet", "y real, shape positive, scale positive", "Frechet",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, -exp(-shape * (log(x) - log(scale))), -huge)"},
    {"rayleigh", "y real, sigma positive", "Rayleigh",
     .formula = "above = gt(y, 0); z = where(above, y, 1) / sigma;"
                "where(above, log1m_exp(-0.5 * z * z), -huge)"},
    {"log_logistic", "y real, shape positive, scale positive", "log-logistic",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, -softplus(-shape * (log(x) - log(scale))),"
                " -huge)"},
    {"lognormal", "y real, mu real, sigma positive", "log-normal",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, log_normal_cdf(standard(log(x), mu, sigma)),"
                " -huge)"},
    {"pareto", "y real, low positive, shape positive", "Pareto above low",
     .formula =
         "above = gt(y, low); x = where(above, y, 2 * low);"
         "where(above, log1m_exp(-shape * log1p((x - low) / low)), -huge)"},
    {"pareto_type_2", "y real, scale positive, shape positive",
     "Pareto from 0 (Lomax)",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, log1m_exp(-shape * log1p(x / scale)), -huge)"},
    {"generalised_pareto", "y real, mu real, sigma positive, xi real",
     "generalised Pareto",
     .formula = "z = standard(y, mu, sigma); t = xi * z; inside = gt(t, -1);"
                "above = gt(z, 0); both = above * inside;"
                "x = where(both, z, 1); u = where(both, t, 0);"
                "where(above, where(inside, log1m_exp(-x * log1p_ratio(u)), 0),"
                " -huge)"},
    {"uniform", "y real, low real, high real", "uniform",
     .formula = "log(max(min((y - low) / (high - low), 1), 0))"},
    {"gamma", "y real, shape positive, rate positive", "Gamma",
     .formula = "above = gt(y, 0);"
                "where(above, gamma_below(where(above, y, 1) * rate, shape),"
                " -huge)"},
    {"chi_square", "y real, nu positive", "chi-square",
     .formula = "above = gt(y, 0); where(above,"
                " gamma_below(where(above, y, 1) * 0.5, 0.5 * nu), -huge)"},
    {"inverse_gamma", "y real, shape positive, scale positive", "inverse Gamma",
     .formula = "above = gt(y, 0); where(above,"
                " gamma_above(scale / where(above, y, 1), shape), -huge)"},
    {"beta", "y real, a positive, b positive", "Beta",
     .formula = "inside = gt(y, 0) * lt(y, 1);"
                "where(inside, beta_below(where(inside, y, 0.5), a, b),"
                " where(gt(y, 0), 0, -huge))"},
    {"poisson", "y count, rate positive", "Poisson",
     .formula = "gamma_above(rate, y + 1)"},
    {"neg_binomial", "y count, mu positive, phi positive",
     "negative binomial with mean mu",
     .formula = "beta_below(phi / (mu + phi), phi, y + 1)"},
    {"binomial", "y count, n count, p inside", "successes in n trials",
     .formula = "inside = lt(y, n);"
                "where(inside, beta_below(1 - p, where(inside, n - y, 1),"
                " y + 1), 0)"},
};

static const cs_density_row above[] = {
    {"normal", "y real, mu real, sigma positive", "normal",
     .formula = "log_normal_cdf(-standard(y, mu, sigma))"},
    {"std_normal", "y real", "standard normal",
     .formula = "log_normal_cdf(-y)"},
    {"student_t", "y real, nu positive, mu real, sigma positive",
     "Student's t with nu degrees of freedom",
     .formula = "z = standard(y, mu, sigma); left = lt(z, 0);"
                "u = student_tail(where(left, -z, z), nu);"
                "where(left, log1m_exp(u), u)"},
    {"cauchy", "y real, mu real, sigma positive", "Cauchy",
     .formula = "cauchy_below(-standard(y, mu, sigma))"},
    {"laplace", "y real, mu real, sigma positive", "double exponential",
     .formula = "laplace_below(-standard(y, mu, sigma))"},
    {"logistic", "y real, mu real, sigma positive", "logistic",
     .formula = "-softplus(standard(y, mu, sigma))"},
    {"gumbel", "y real, mu real, sigma positive", "Gumbel",
     .formula = "log1m_exp(-exp(-standard(y, mu, sigma)))"},
    {"gev", "y real, mu real, sigma positive, xi real",
     "generalised extreme value",
     .formula = "z = standard(y, mu, sigma); t = xi * z; inside = gt(t, -1);"
                "where(inside, log1m_exp(-exp(-z * log1p_ratio(where(inside, t,"
                " 0)))), where(gt(xi, 0), 0, -huge))"},
    {"half_normal", "y real, sigma positive", "right half of a normal",
     .formula = "above = gt(y, 0); z = where(above, y, 0) / sigma;"
                "where(above, log_2 + log_normal_cdf(-z), 0)"},
    {"exponential", "y real, rate positive", "exponential",
     .formula = "-rate * max(y, 0)"},
    {"weibull", "y real, shape positive, scale positive", "Weibull",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, -exp(shape * (log(x) - log(scale))), 0)"},
    {"frechet", "y real, shape positive, scale positive", "Frechet",
     .formula = "above = gt(y, 0); x = where(above, y, 1); where(above,"
                " log1m_exp(-exp(-shape * (log(x) - log(scale)))), 0)"},
    {"rayleigh", "y real, sigma positive", "Rayleigh",
     .formula = "z = max(y, 0) / sigma; -0.5 * z * z"},
    {"log_logistic", "y real, shape positive, scale positive", "log-logistic",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, -softplus(shape * (log(x) - log(scale))), 0)"},
    {"lognormal", "y real, mu real, sigma positive", "log-normal",
     .formula = "above = gt(y, 0); x = where(above, y, 1);"
                "where(above, log_normal_cdf(-standard(log(x), mu, sigma)),"
                " 0)"},
    {"pareto", "y real, low positive, shape positive", "Pareto above low",
     .formula = "above = gt(y, low); x = where(above, y, 2 * low);"
                "where(above, -shape * log1p((x - low) / low), 0)"},
    {"pareto_type_2", "y real, scale positive, shape positive",
     "Pareto from 0 (Lomax)", .formula = "-shape * log1p(max(y, 0) / scale)"},
    {"generalised_pareto", "y real, mu real, sigma positive, xi real",
     "generalised Pareto",
     .formula = "z = standard(y, mu, sigma); t = xi * z; inside = gt(t, -1);"
                "above = gt(z, 0); both = above * inside;"
                "x = where(both, z, 1); u = where(both, t, 0);"
                "where(above, where(inside, -x * log1p_ratio(u), -huge), 0)"},
    {"uniform", "y real, low real, high real", "uniform",
     .formula = "log(max(min((high - y) / (high - low), 1), 0))"},
    {"gamma", "y real, shape positive, rate positive", "Gamma",
     .formula = "above = gt(y, 0);"
                "where(above, gamma_above(where(above, y, 1) * rate, shape),"
                " 0)"},
    {"chi_square", "y real, nu positive", "chi-square",
     .formula = "above = gt(y, 0); where(above,"
                " gamma_above(where(above, y, 1) * 0.5, 0.5 * nu), 0)"},
    {"inverse_gamma", "y real, shape positive, scale positive", "inverse Gamma",
     .formula = "above = gt(y, 0); where(above,"
                " gamma_below(scale / where(above, y, 1), shape), 0)"},
    {"beta", "y real, a positive, b positive", "Beta",
     .formula = "inside = gt(y, 0) * lt(y, 1);"
                "where(inside, beta_above(where(inside, y, 0.5), a, b),"
                " where(gt(y, 0), -huge, 0))"},
    {"poisson", "y whole, rate positive", "Poisson",
     .formula = "where(lt(y, 0), 0, gamma_below(rate, max(y, 0) + 1))"},
    {"neg_binomial", "y whole, mu positive, phi positive",
     "negative binomial with mean mu",
     .formula = "where(lt(y, 0), 0,"
                " beta_above(phi / (mu + phi), phi, max(y, 0) + 1))"},
    {"binomial", "y whole, n count, p inside", "successes in n trials",
     .formula = "k = max(y, 0); inside = lt(k, n); low = lt(y, 0);"
                "where(low, 0,"
                " where(inside, beta_above(1 - p, where(inside, n - k, 1),"
                " k + 1), -huge))"},
};

const cs_density_family cs_density_cumulative = {CS_DENSITY_LCDF, below,
                                                 sizeof below / sizeof *below};
const cs_density_family cs_density_complements = {CS_DENSITY_LCCDF, above,
                                                  sizeof above / sizeof *above};
