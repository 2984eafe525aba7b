/* Log densities on positive numbers (Johnson, Kotz and Balakrishnan, Continuous
 * Univariate Distributions, 1994). For large shapes, the terms of the plain
 * formulas cancel; `peak` does not have this error. */
#include "density/families.h"

static const cs_density_row rows[] = {
    {"half_normal", "y not_negative, sigma positive",
     "right half of a normal around 0",
     .formula = "normal(y, 0, sigma) + log_2"},
    {"half_student_t", "y not_negative, nu positive, sigma positive",
     "right half of a Student's t around 0",
     .formula = "student_t(y, nu, 0, sigma) + log_2"},
    {"half_cauchy", "y not_negative, sigma positive",
     "right half of a Cauchy around 0",
     .formula = "cauchy(y, 0, sigma) + log_2"},
    {"gamma", "y not_negative, shape positive, rate positive",
     "Gamma with mean shape / rate",
     .formula = "few(shape) ? plain_gamma(y, shape, rate) :"
                " has_zero(y) ? wide_gamma(y, shape, rate) :"
                " peak(rate * y, shape) - log(y)"},
    {"inverse_gamma", "y positive, shape positive, scale positive",
     "distribution of y if 1 / y is Gamma with that shape and with rate = "
     "scale",
     .formula = "few(shape) ? shape * log(scale) - lgamma(shape) - (shape + 1) "
                "* log(y) - "
                "scale / y : peak(scale / y, shape) - log(y)"},
    {"weibull", "y not_negative, shape positive, scale positive", "Weibull",
     .formula = "z = log(y) - log(scale); log(shape) - log(scale) + "
                "times(shape - 1, z) - "
                "exp(shape * z)"},
    {"exponential", "y not_negative, rate positive",
     "exponential with mean 1 / rate", .formula = "log(rate) - rate * y"},
    {"lognormal", "y positive, mu real, sigma positive",
     "log-normal: log y is normal",
     .formula = "l = log(y); normal(l, mu, sigma) - l"},
    {"chi_square", "y not_negative, nu positive",
     "chi-square with nu degrees of freedom",
     .formula = "gamma(y, 0.5 * nu, 0.5)"},
    {"inverse_chi_square", "y positive, nu positive",
     "distribution of y if 1 / y is chi-square",
     .formula = "inverse_gamma(y, 0.5 * nu, 0.5)"},
    {"scaled_inverse_chi_square", "y positive, nu positive, s positive",
     "distribution of nu s^2 / x for a chi-square x",
     .formula = "inverse_gamma(y, 0.5 * nu, 0.5 * nu * s * s)"},
    {"rayleigh", "y positive, sigma positive", "Rayleigh with scale sigma",
     .formula = "z = y / sigma; log(y) - 2 * log(sigma) - 0.5 * z * z"},
    {"frechet", "y positive, shape positive, scale positive",
     "distribution of y if 1 / y is Weibull",
     .formula = "z = log(y) - log(scale);"
                "log(shape) - log(y) - shape * z - exp(-shape * z)"},
    {"log_logistic", "y positive, shape positive, scale positive",
     "log-logistic with median scale",
     .formula = "z = shape * (log(y) - log(scale));"
                "log(shape) - log(y) - softplus(z) - softplus(-z)"},
    {"pareto", "y positive, low positive, shape positive", "Pareto above low",
     .formula = "where(ge(y, low), log(shape) - log(y) -"
                " shape * (log(y) - log(low)), -huge)"},
    {"pareto_type_2", "y not_negative, scale positive, shape positive",
     "Pareto from 0 (Lomax)",
     .formula = "log(shape) - log(scale) - (shape + 1) * log1p(y / scale)"},
    {"generalised_pareto", "y real, mu real, sigma positive, xi real",
     "excesses over mu with scale sigma and shape xi",
     .formula = "z = standard(y, mu, sigma); t = xi * z;"
                "inside = ge(z, 0) * gt(t, -1); u = where(inside, t, 0);"
                "where(inside, -log(sigma) - z * log1p_ratio(u) - log1p(u),"
                " -huge)"},
};

const cs_density_family cs_density_positive = {CS_DENSITY_LPDF, rows,
                                               sizeof rows / sizeof *rows};
