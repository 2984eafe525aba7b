/* Log probabilities of counts (Johnson, Kotz and Kemp, Univariate Discrete
 * Distributions, 2005). For large counts they use y (e - expm1(e)) with e =
 * log(rate / y), so that the terms that cancel have second order. */
#include "density/families.h"

static const cs_density_row rows[] = {
    {"poisson", "y count, rate not_negative", "Poisson",
     .formula = "small(y) ? times(y, log(rate)) - rate - lgamma(y + 1) :"
                " many_poisson(y, rate)"},
    {"poisson_log", "y count, eta real", "Poisson with rate exp(eta)",
     .formula = "rate = exp(eta); small(y) ? y * eta - rate - lgamma(y + 1) :"
                " many_poisson_log(y, eta)"},
    {"neg_binomial", "y count, mu positive, phi positive",
     "negative binomial with mean mu and variance mu + mu^2 / phi",
     .formula =
         "few(y) ? log_rising(phi, y) - lgamma(y + 1) + y * (log(mu) - log(mu "
         "+ "
         "phi)) - phi * log1p(mu / phi) : many_neg_binomial(y, mu, phi)"},
    {"binomial", "y count, n count, p unit", "successes in n trials",
     .formula = "where(le(y, n), trials(y, n, log(p), log1p(-p)), -huge)"},
    {"binomial_logit", "y count, n count, eta real",
     "successes in n trials with probability sigmoid(eta)",
     .formula = "where(le(y, n), trials(y, n, -softplus(-eta), "
                "-softplus(eta)), -huge)"},
    {"beta_binomial", "y count, n count, a positive, b positive",
     "successes in n trials whose probability is Beta(a, b)",
     .formula = "where(le(y, n), beta_trials(y, n, a, b), -huge)"},
    {"bernoulli", "y bit, p unit", "1 with probability p",
     .formula = "where(y, log(p), log1p(-p))"},
    {"bernoulli_logit", "y bit, eta real", "1 with probability sigmoid(eta)",
     .formula = "-softplus((1 - 2 * y) * eta)"},
    {"neg_binomial_log", "y count, eta real, phi positive",
     "negative binomial with mean exp(eta) and shape phi",
     .formula = "neg_binomial(y, exp(eta), phi)"},
    {"geometric", "y count, p unit", "failures before the first success",
     .formula = "times(y, log1p(-p)) + log(p)"},
    {"zero_inflated_poisson", "y count, theta unit, rate positive",
     "0 with probability theta, otherwise Poisson",
     .formula = "inflated(y, theta, -rate, poisson(y, rate))"},
    {"zero_inflated_neg_binomial",
     "y count, theta unit, mu positive, phi positive",
     "0 with probability theta, otherwise negative binomial",
     .formula = "inflated(y, theta, -phi * log1p(mu / phi),"
                " neg_binomial(y, mu, phi))"},
    {"zero_inflated_binomial", "y count, n count, theta unit, p unit",
     "0 with probability theta, otherwise binomial",
     .formula = "inflated(y, theta, times(n, log1p(-p)), binomial(y, n, p))"},
    {"hurdle_poisson", "y count, theta unit, rate positive",
     "0 with probability theta, otherwise Poisson above 0",
     .formula = "hurdle(y, theta, -rate, poisson(y, rate))"},
    {"hurdle_neg_binomial", "y count, theta unit, mu positive, phi positive",
     "0 with probability theta, otherwise negative binomial above 0",
     .formula = "hurdle(y, theta, -phi * log1p(mu / phi),"
                " neg_binomial(y, mu, phi))"},
};

const cs_density_family cs_density_counts = {CS_DENSITY_LPDF, rows,
                                             sizeof rows / sizeof *rows};
