/* Log densities on an interval (Johnson, Kotz and Balakrishnan, Continuous
 * Univariate Distributions, 1995). */
#include "density/families.h"

static const cs_density_row rows[] = {
    {"beta", "y unit, a positive, b positive", "Beta with mean a / (a + b)",
     .formula = "few(a, b) ? plain_beta(y, a, b) : wide_beta(y, a, b)"},
    {"uniform", "y real, low real, high real", "uniform from low to high",
     .formula = "where(ge(y, low) * le(y, high), -log(high - low), -huge)"},
    {"beta_proportion", "y unit, mu inside, kappa positive",
     "Beta with mean mu and a + b = kappa",
     .formula = "beta(y, mu * kappa, (1 - mu) * kappa)"},
};

const cs_density_family cs_density_bounded = {CS_DENSITY_LPDF, rows,
                                              sizeof rows / sizeof *rows};
