/* Log densities on all real numbers (Johnson, Kotz and Balakrishnan, Continuous
 * Univariate Distributions, 1994). */
#include "density/families.h"

static const cs_density_row rows[] = {
    {"normal", "y real, mu real, sigma positive",
     "normal with standard deviation sigma",
     .formula = "z = standard(y, mu, sigma);"
                "-0.5 * z * z - log(sigma) - half_log_tau"},
    {"student_t", "y real, nu positive, mu real, sigma positive",
     "Student's t with nu degrees of freedom",
     .formula =
         "z = standard(y, mu, sigma);"
         "log_rising(0.5 * nu, 0.5) - 0.5 * (log(nu) + log_pi) - log(sigma) - "
         "0.5 * (nu + 1) * log1p(z * z / nu)"},
    {"cauchy", "y real, mu real, sigma positive", "Cauchy with scale sigma",
     .formula =
         "z = standard(y, mu, sigma); -log_pi - log(sigma) - log1p(z * z)"},
    {"laplace", "y real, mu real, sigma positive",
     "double exponential with scale sigma",
     .formula = "-log(sigma) - log_2 - abs(standard(y, mu, sigma))"},
    {"logistic", "y real, mu real, sigma positive", "logistic with scale sigma",
     .formula = "z = standard(y, mu, sigma); -softplus(z) - softplus(-z) - "
                "log(sigma)"},
    {"std_normal", "y real", "normal with mean 0 and standard deviation 1",
     .formula = "-0.5 * y * y - half_log_tau"},
    {"skew_normal", "y real, xi real, omega positive, alpha real",
     "skew normal with location xi, scale omega and shape alpha",
     .formula = "z = standard(y, xi, omega);"
                "log_2 - log(omega) - half_log_tau - 0.5 * z * z +"
                " log_normal_cdf(alpha * z)"},
    {"exp_mod_normal", "y real, mu real, sigma positive, rate positive",
     "sum of a normal and an exponential",
     .formula = "z = standard(y, mu, sigma); r = rate * sigma;"
                "log(rate) + r * (0.5 * r - z) + log_normal_cdf(z - r)"},
    {"skew_laplace", "y real, mu real, sigma positive, tau inside",
     "asymmetric double exponential whose quantile at tau is mu",
     .formula = "z = standard(y, mu, sigma);"
                "log(2 * tau) + log1p(-tau) - log(sigma) -"
                " 2 * z * (tau - lt(z, 0))"},
    {"gumbel", "y real, mu real, sigma positive",
     "largest extreme value (Gumbel)",
     .formula = "z = standard(y, mu, sigma); -log(sigma) - z - exp(-z)"},
    {"gev", "y real, mu real, sigma positive, xi real",
     "generalised extreme value with shape xi",
     .formula = "z = standard(y, mu, sigma); t = xi * z;"
                "inside = gt(t, -1); u = where(inside, t, 0);"
                "s = z * log1p_ratio(u);"
                "where(inside, -log(sigma) - s - log1p(u) - exp(-s), -huge)"},
    {"von_mises", "y real, mu real, kappa not_negative",
     "von Mises on a circle of 2 pi",
     .formula = "kappa * (cos(y - mu) - 1) - log(2 * pi) -"
                " scaled_log_i0(kappa)"},
};

const cs_density_family cs_density_line = {CS_DENSITY_LPDF, rows,
                                           sizeof rows / sizeof *rows};
