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
};

const cs_density_family cs_density_line = {CS_DENSITY_LPDF, rows,
                                           sizeof rows / sizeof *rows};
