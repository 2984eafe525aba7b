/* Figures of a model: its leave-one-out predictive density, and the
 * sensitivity of a quantity to the power of the prior and the likelihood. They
 * need generated quantities with the log likelihood and the log prior. */
#include "figure/figure.h"

#include <math.h>

static cs_figure find_elpd(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_fact(f, q->arm, NAN, "elpd_loo");
    return out;
}

/* Returns the sensitivity to the prior (column 0) or to the likelihood. */
static cs_figure find_sensitivity(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    cs_figure out = cs_no_figure;
    const double *both =
        cs_fact_rows(f, q->arm, 2, &n, "sensitivity/%.0f", q->k);
    if (both)
        out.value = both[q->type->column];
    return out;
}

const cs_figure_type cs_figure_elpd_loo = {
    .name = "elpd_loo",
    .title = "log predictive density",
    .unit = "nats",
    .help = "leave-one-out log predictive density, summed over the "
            "observations (PSIS-LOO); it needs a generated quantity log_lik "
            "with the log likelihood of each observation",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .spread = CS_SPREAD_JACKKNIFE,
    .flags = CS_FIGURE_STEADY,
    .find = find_elpd,
    .missing = "has no log likelihood of each observation",
};

#define SENSITIVITY                                                            \
    .unit = "", .probe = "diagnostics", .draws = CS_DRAWS_KEPT,                \
    .spread = CS_SPREAD_JACKKNIFE,                                             \
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY, .of = CS_OF_COORDINATE,       \
    .find = find_sensitivity, .missing = "has no log prior and log likelihood"

const cs_figure_type cs_figure_prior_sensitivity = {
    SENSITIVITY,
    .name = "prior_sensitivity",
    .title = "sensitivity to the prior",
    .help = "sensitivity of coordinate `of` to the power of the prior "
            "(Kallioinen et al. 2023), from generated quantities log_prior "
            "and log_lik; a value above 0.05 matters",
    .column = 0,
};

const cs_figure_type cs_figure_likelihood_sensitivity = {
    SENSITIVITY,
    .name = "likelihood_sensitivity",
    .title = "sensitivity to the likelihood",
    .help = "sensitivity of coordinate `of` to the power of the likelihood; "
            "see prior_sensitivity",
    .column = 1,
};
